/* SPDX-License-Identifier: Apache-2.0 */
#include "synth/power.h"

#include "base/err.h"
#include "base/hash.h"
#include "base/out_file.h"
#include "synth/power_steps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_KHZ = 700000 /* the core clock of the default GPU configuration, configs/gpu/gtx480.yaml */ };
static const double least_share = 0.95; /* of annotated pins */

/* ---- the stimulus ---- */

static int check_stimulus(const struct synth_design *d, const struct stimulus *s, const char *path, struct err *e) {
  uint64_t asked = 0;
  for (unsigned i = 0; i < d->n_params; i++)
    if (s->params[i] != d->params[i].value)
      return err_set(e, ERR_VALUE, "%s was recorded with %s=%d, the netlist has %s=%lld; say --param %s=%d", path,
                     d->params[i].name, s->params[i], d->params[i].name, (long long)d->params[i].value,
                     d->params[i].name, s->params[i]);
  for (size_t i = 0; i < s->n; i++) {
    const struct stimulus_row *row = stimulus_row(s, i);
    asked += row->cycle + row->repeats >= s->window_from && !block_desc_idle(d->desc, row->in);
  }
  /* a stimulus written by hand may be idle on purpose */
  if (*s->path && !asked)
    return err_set(e, ERR_VALUE,
                   "%s: %s was asked nothing in cycles %" PRIu64 " to %" PRIu64
                   "; record another instance, or another window",
                   path, s->path, s->window_from, s->window_to);
  return 0;
}

static int read_stimulus(const struct synth_design *d, const char *path, struct stimulus *s, struct err *e) {
  int32_t params[BLOCK_PARAMS_MAX] = {0};
  if (!d->desc)
    return err_set(e, ERR_UNSUPPORTED, "%s is no block: power needs a stimulus, and only blocks have some", d->name);
  for (unsigned i = 0; i < d->n_params; i++) params[i] = (int32_t)d->params[i].value;
  int status = stimulus_read_rows(path, d->desc, params, s, e);
  if (status) return status;
  if (!s->window) { /* one row a cycle, all of them count */
    for (size_t i = 0; i < s->n; i++) stimulus_row(s, i)->cycle = i;
    s->window_from = 0;
    s->window_to = s->n;
  }
  status = check_stimulus(d, s, path, e);
  if (status) stimulus_free(s);
  return status;
}

/* ---- the result ---- */

static json_t *ports_json(const struct power_netlist *n, const struct power_counts *c) {
  json_t *out = json_object(), *port, *bit;
  const char *name;
  size_t i;
  json_object_foreach(json_object_get(n->module, "ports"), name, port) {
    const json_t *bits = json_object_get(port, "bits");
    json_t *list = json_array();
    json_array_foreach((json_t *)bits, i, bit) {
      uint32_t place = json_is_integer(bit) ? n->place[json_integer_value(bit)] : 0;
      json_array_append_new(list, json_integer(place ? (json_int_t)c->toggles[place - 1] : 0));
    }
    if (strcmp(name, n->design->clock) != 0) json_object_set_new(out, name, list);
    else json_decref(list);
  }
  return out;
}

static uint64_t sum_of_toggles(const struct power_netlist *n, const struct power_counts *c) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n->n; i++) sum += c->toggles[i];
  return sum;
}

static json_t *result_json(const struct stimulus *s, const struct power_netlist *n, const struct power_counts *c,
                           const struct power_watts *w, uint32_t khz) {
  double dynamic = w->switching + w->internal, clock = w->clock_pins + w->clock_net;
  double total = dynamic + clock + w->leakage, share = (double)c->asked / (double)c->cycles;
  json_t *out = json_object();
  json_object_set_new(out, "pre_layout", json_true());
  json_object_set_new(out, "workload", json_string(*s->workload ? s->workload : "none"));
  json_object_set_new(out, "instance", json_string(*s->path ? s->path : "none"));
  json_object_set_new(out, "window", json_pack("[I, I]", (json_int_t)s->window_from, (json_int_t)s->window_to));
  json_object_set_new(out, "cycles", json_integer((json_int_t)c->cycles));
  json_object_set_new(out, "compared_cycles", json_integer((json_int_t)c->compared));
  json_object_set_new(out, "clock_mhz", json_real(khz / 1e3));
  json_object_set_new(out, "voltage", json_real(w->voltage));
  json_object_set_new(out, "total_mw", json_real(1e3 * total));
  json_object_set_new(out, "dynamic_mw", json_real(1e3 * dynamic));
  json_object_set_new(out, "switching_mw", json_real(1e3 * w->switching));
  json_object_set_new(out, "internal_mw", json_real(1e3 * w->internal));
  json_object_set_new(out, "clock_mw", json_real(1e3 * clock));
  json_object_set_new(out, "clock_pins_mw", json_real(1e3 * w->clock_pins));
  json_object_set_new(out, "clock_net_mw", json_real(1e3 * w->clock_net));
  json_object_set_new(out, "leakage_mw", json_real(1e3 * w->leakage));
  json_object_set_new(out, "timer_counts_clock_pins", json_real(w->clock_factor));
  json_object_set_new(out, "gated",
                      json_pack("{s:b, s:f, s:f}", "estimate", 1, "clocked_share", share, "total_mw",
                                1e3 * (total - (1 - share) * clock)));
  json_object_set_new(out, "pins", json_integer(w->pins));
  json_object_set_new(out, "annotated_pins", json_integer(w->annotated));
  json_object_set_new(out, "annotated_share", json_real((double)w->annotated / w->pins));
  json_object_set_new(out, "nets", json_integer(n->n));
  json_object_set_new(out, "toggles", json_integer((json_int_t)sum_of_toggles(n, c)));
  json_object_set_new(out, "ports", ports_json(n, c));
  return out;
}

static int measure(const struct synth *s, const struct synth_set *set, const char *netlist,
                   const struct stimulus *stimulus, uint32_t khz, json_t **out, struct err *e) {
  struct power_netlist n = {0};
  struct power_counts c = {0};
  struct power_watts w;
  int status = power_simulate(s, set, netlist, stimulus, &n, &c, e);
  if (!status) status = power_add_up(s, set, netlist, khz, &n, &c, &w, e);
  if (!status && w.annotated < least_share * w.pins)
    status = err_set(e, ERR_CHECK, "%s: only %u of %u pins have an activity, %.0f %% are needed", set->design->name,
                     w.annotated, w.pins, 100 * least_share);
  if (!status) *out = result_json(stimulus, &n, &c, &w, khz);
  power_netlist_free(&n);
  free(c.toggles);
  return status;
}

/* ---- the cache ---- */

/* The sources of the result beside netlist and stimulus. */
static int cache_path(const struct synth *s, const struct synth_set *set, const char *netlist, const char *stimulus,
                      uint32_t khz, char *out, struct err *e) {
  char path[SYNTH_PATH_BYTES];
  uint64_t h = hash_bytes(HASH_SEED, &set->key, sizeof set->key);
  h = hash_bytes(hash_text(hash_text(h, s->yosys), s->sta), &khz, sizeof khz);
  h = hash_text(hash_bytes(h, &set->design->rtl_hash, sizeof set->design->rtl_hash), "2"); /* of this file's figures */
  int status = hash_file(&h, netlist, e);
  if (!status) status = hash_file(&h, stimulus, e);
  if (!status) status = power_hash_simulator(s, &h, e);
  snprintf(path, sizeof path, "%.900s/scripts/synth/power.sta", s->source);
  if (!status) status = hash_file(&h, path, e);
  snprintf(out, SYNTH_PATH_BYTES, "%.900s/power-%016" PRIx64 ".json", set->folder, h);
  return status;
}

static int keep(const char *path, const json_t *j, struct err *e) {
  struct out_file out = {0};
  int status = out_file_open(&out, path, e);
  if (status) return status;
  json_dumpf(j, out.f, JSON_INDENT(1) | JSON_REAL_PRECISION(10));
  return out_file_commit(&out, e);
}

static int from_cache(const struct synth *s, const struct synth_set *set, const char *netlist, const char *path,
                      const struct stimulus *stimulus, uint32_t khz, json_t **out, struct err *e) {
  char kept[SYNTH_PATH_BYTES];
  int status = cache_path(s, set, netlist, path, khz, kept, e);
  if (status) return status;
  *out = json_load_file(kept, 0, NULL);
  if (*out) return 0;
  status = measure(s, set, netlist, stimulus, khz, out, e);
  if (!status) status = keep(kept, *out, e);
  json_decref(*out);
  *out = status ? NULL : json_load_file(kept, 0, NULL); /* the same numbers now and later */
  return status;
}

/* ---- from outside ---- */

/* The netlist that the row's critical path is of: the median one. */
static const char *median_netlist(const json_t *row, int *seed) {
  const json_t *seeds = json_object_get(row, "seeds"), *path = json_object_get(row, "critical_path");
  size_t i;
  json_t *one;
  json_array_foreach((json_t *)seeds, i, one) {
    *seed = (int)json_integer_value(json_object_get(one, "seed"));
    if (!json_is_object(path) || *seed == json_integer_value(json_object_get(path, "seed")))
      return json_string_value(json_object_get(one, "netlist"));
  }
  return NULL;
}

static void describe(json_t *out, const char *path, const json_t *row, int seed) {
  double mhz = json_number_value(json_object_get(out, "clock_mhz"));
  const json_t *fmax = json_object_get(json_object_get(row, "fmax_mhz"), "median");
  json_object_set_new(out, "stimulus", json_string(path));
  json_object_set_new(out, "netlist_seed", json_integer(seed));
  json_object_set_new(out, "reaches_clock", json_boolean(!json_is_number(fmax) || json_number_value(fmax) >= mhz));
}

int synth_power(struct synth *s, unsigned design, unsigned library, json_t *row, const char *path, uint32_t khz,
                struct err *e) {
  const struct synth_set *set = &s->sets[design * s->n_libs + library];
  struct stimulus stimulus;
  json_t *out = NULL;
  int seed = 0;
  if (set->cut)
    return err_set(e, ERR_UNSUPPORTED, "%s: power needs its memories as flip-flops (memory_bits)", set->design->name);
  const char *netlist = median_netlist(row, &seed);
  invariant(netlist, "%s: a row without netlists", set->design->name);
  int status = read_stimulus(set->design, path, &stimulus, e);
  if (status) return status;
  if (!khz) khz = stimulus.clock_khz ? stimulus.clock_khz : DEFAULT_KHZ;
  status = synth_work_open(s, e);
  if (!status) status = from_cache(s, set, netlist, path, &stimulus, khz, &out, e);
  synth_work_close(s);
  stimulus_free(&stimulus);
  if (status) return status;
  describe(out, path, row, seed);
  json_t *list = json_object_get(row, "power");
  if (!list) {
    list = json_array();
    json_object_set_new(row, "power", list);
  }
  json_array_append_new(list, out);
  return 0;
}

/* ---- for a person ---- */

static double number(const json_t *j, const char *name) { return json_number_value(json_object_get(j, name)); }
static const char *text(const json_t *j, const char *name) { return json_string_value(json_object_get(j, name)); }

static void print_one(FILE *f, const json_t *row, const json_t *p) {
  const json_t *window = json_object_get(p, "window"), *gated = json_object_get(p, "gated");
  const char *instance = text(p, "instance");
  bool recorded = strcmp(instance, "none") != 0;
  fprintf(f, "%s on %s, pre-layout power at %.6g MHz, %.4g V, of %s%s%s, cycles %.0f to %.0f:\n", text(row, "block"),
          text(json_object_get(row, "library"), "name"), number(p, "clock_mhz"), number(p, "voltage"),
          recorded ? instance : text(p, "stimulus"), recorded ? " in " : "", recorded ? text(p, "workload") : "",
          json_number_value(json_array_get(window, 0)), json_number_value(json_array_get(window, 1)));
  fprintf(
    f,
    "  %.4g mW = dynamic %.4g (switching %.4g, inside cells %.4g) + clock %.4g (pins %.4g, net %.4g) + leakage %.4g\n",
    number(p, "total_mw"), number(p, "dynamic_mw"), number(p, "switching_mw"), number(p, "internal_mw"),
    number(p, "clock_mw"), number(p, "clock_pins_mw"), number(p, "clock_net_mw"), number(p, "leakage_mw"));
  fprintf(
    f, "  estimate: %.4g mW if the clock stood still in the cycles that the block may skip (it is needed in %.1f %%)\n",
    number(gated, "total_mw"), 100 * number(gated, "clocked_share"));
  fprintf(f, "  %.0f of %.0f pins annotated (%.1f %%); netlist %.0f and RTL agree in %.0f cycles%s\n",
          number(p, "annotated_pins"), number(p, "pins"), 100 * number(p, "annotated_share"), number(p, "netlist_seed"),
          number(p, "compared_cycles"),
          json_is_true(json_object_get(p, "reaches_clock")) ? "" : "; the netlist does not reach this clock");
}

void synth_power_print(FILE *f, const json_t *rows) {
  size_t i, k;
  json_t *row, *p;
  json_array_foreach((json_t *)rows, i, row) {
    json_array_foreach(json_object_get(row, "power"), k, p) print_one(f, row, p);
  }
}
