/* SPDX-License-Identifier: Apache-2.0 */
/* From netlists to figures with bands. */
#include "base/err.h"
#include "synth/steps.h"
#include "synth/technology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct samples {
  double area[SYNTH_SEEDS_MAX], cells[SYNTH_SEEDS_MAX], fmax[SYNTH_SEEDS_MAX], levels[SYNTH_SEEDS_MAX];
  bool timed; /* every netlist has a path */
};

static double number(const struct synth_netlist *n, const char *key) {
  return json_number_value(json_object_get(n->facts, key));
}

static struct samples *samples_of(const struct synth_set *set) {
  struct samples *x = calloc(1, sizeof *x);
  invariant(x, "out of memory for %zu bytes", sizeof *x);
  x->timed = true;
  for (unsigned k = 0; k < set->n; k++) {
    const struct synth_netlist *n = &set->netlists[k];
    double period = synth_netlist_period(n);
    x->area[k] = synth_netlist_area(n);
    x->cells[k] = number(n, "cells");
    x->levels[k] = number(n, "levels");
    x->fmax[k] = period > 0 ? 1e3 / period : 0;
    x->timed &= period > 0;
  }
  return x;
}

static const char *hash_of(const struct synth_netlist *n) {
  return json_string_value(json_object_get(n->facts, "hash"));
}

static unsigned distinct(const struct synth_set *set) {
  unsigned count = 0;
  for (unsigned k = 0; k < set->n; k++) {
    unsigned i = 0;
    while (i < k && strcmp(hash_of(&set->netlists[i]), hash_of(&set->netlists[k])) != 0) i++;
    count += i == k;
  }
  return count;
}

/* Register bits that the manifest lists. */
static unsigned listed_bits(const struct synth_design *d) {
  int32_t params[BLOCK_PARAMS_MAX];
  unsigned bits = 0;
  for (unsigned i = 0; i < d->n_params; i++) params[i] = (int32_t)d->params[i].value;
  for (uint32_t i = 0; d->desc && i < d->desc->n_regs; i++) {
    const struct block_field *f = &d->desc->regs[i];
    bits += f->width(params) * (f->depth ? f->depth(params) : 1);
  }
  return bits;
}

static unsigned array_bits(const struct synth_design *d) {
  unsigned bits = 0;
  for (unsigned i = 0; i < d->n_memories; i++) bits += d->memories[i].rows * d->memories[i].width;
  return bits;
}

int synth_check_counts(const struct synth_design *d, struct err *e) {
  unsigned bits = d->register_bits + array_bits(d);
  if (d->desc && bits != listed_bits(d))
    return err_set(e, ERR_CHECK,
                   "%s holds %u bits of state, the manifest lists %u; tandem prove %s --state names the registers",
                   d->name, bits, listed_bits(d), d->name);
  return 0;
}

/* State bits that are cut out with a memory: its words, and the registers of clocked reads. */
static unsigned cut_bits(const struct synth *s, const struct synth_set *set, bool words) {
  unsigned bits = 0;
  for (unsigned i = 0; set->cut && i < set->design->n_memories; i++) {
    const struct synth_memory *m = &set->design->memories[i];
    if (!synth_is_memory(s, m)) continue;
    bits += m->width * (words ? m->rows : m->clocked_ports);
  }
  return bits;
}

static unsigned flip_flop_bits(const struct synth *s, const struct synth_set *set, unsigned k) {
  return (unsigned)number(&set->netlists[k], "flip_flop_bits") + cut_bits(s, set, false);
}

static int check_bits(const struct synth *s, const struct synth_set *set, struct err *e) {
  unsigned words = cut_bits(s, set, true);
  for (unsigned k = 0; k < set->n; k++) {
    unsigned bits = flip_flop_bits(s, set, k) + words;
    if (set->design->desc && bits != listed_bits(set->design))
      return err_set(
        e, ERR_CHECK,
        "%s: netlist %u holds %u bits of state, the manifest lists %u; tandem prove %s --state names the registers",
        set->design->name, set->netlists[k].seed, bits, listed_bits(set->design), set->design->name);
  }
  return 0;
}

static int check_band(const struct synth_set *set, struct err *e) {
  struct samples *x = samples_of(set);
  struct band area = band_of(x->area, set->n), fmax = band_of(x->fmax, set->n);
  unsigned d = distinct(set);
  int status = 0;
  if (2 * d < set->n || d < 2)
    status = err_set(e, ERR_CHECK, "%s on %s: only %u of %u netlists differ; such a band means nothing, use --no-band",
                     set->design->name, set->lib->name, d, set->n);
  else if (area.low == area.high || (x->timed && fmax.low == fmax.high))
    status =
      err_set(e, ERR_CHECK,
              "%s on %s: the band of %s over %u netlists is exactly zero; such a band means nothing, use more --seeds "
              "or --no-band",
              set->design->name, set->lib->name, area.low == area.high ? "area" : "Fmax", set->n);
  free(x);
  return status;
}

int synth_check(const struct synth *s, struct err *e) {
  int status = 0;
  for (unsigned i = 0; i < s->n_sets && !status; i++) {
    status = check_bits(s, &s->sets[i], e);
    if (!status && s->options.seeds > 1) status = check_band(&s->sets[i], e);
  }
  return status;
}

static json_t *band_json(const struct band *b) {
  return json_pack("{s:f, s:f, s:f}", "median", b->median, "low", b->low, "high", b->high);
}

struct band synth_band(const json_t *j) {
  return (struct band){json_number_value(json_object_get(j, "median")), json_number_value(json_object_get(j, "low")),
                       json_number_value(json_object_get(j, "high")), 0};
}

/* The netlist whose clock is the median one (of two in the middle the slower; of equals the first). */
static const struct synth_netlist *median_netlist(const struct synth_set *set) {
  for (unsigned k = 0; k < set->n; k++) {
    unsigned slower = 0, equal = 0;
    for (unsigned i = 0; i < set->n; i++) {
      double a = synth_netlist_period(&set->netlists[i]), b = synth_netlist_period(&set->netlists[k]);
      slower += a > b;
      equal += a == b;
    }
    unsigned middle = (set->n - 1) / 2;
    if (slower <= middle && middle < slower + equal) return &set->netlists[k];
  }
  return &set->netlists[0];
}

static json_t *critical_json(const struct synth_set *set) {
  const struct synth_netlist *n = median_netlist(set);
  json_t *path = json_object_get(json_object_get(n->facts, "paths"), "any");
  if (!path) return json_null();
  json_t *out = json_pack("{s:i, s:O, s:O, s:O, s:O}", "seed", (int)n->seed, "from", json_object_get(path, "from"),
                          "to", json_object_get(path, "to"), "delay_ns", json_object_get(path, "delay_ns"), "levels",
                          json_object_get(path, "stages"));
  json_object_set(out, "stages", json_object_get(n->facts, "stages"));
  return out;
}

static json_t *seeds_json(const struct synth_set *set) {
  json_t *out = json_array();
  for (unsigned k = 0; k < set->n; k++) {
    const struct synth_netlist *n = &set->netlists[k];
    char path[SYNTH_PATH_BYTES];
    double period = synth_netlist_period(n);
    snprintf(path, sizeof path, "%.900s/seed-%u.v", set->folder, n->seed);
    json_array_append_new(out, json_pack("{s:i, s:f, s:f, s:s, s:s}", "seed", (int)n->seed, "area_um2",
                                         synth_netlist_area(n), "fmax_mhz", period > 0 ? 1e3 / period : 0, "hash",
                                         hash_of(n), "netlist", path));
  }
  return out;
}

static json_t *hex_json(uint64_t h) {
  char text[20];
  snprintf(text, sizeof text, "%016llx", (unsigned long long)h);
  return json_string(text);
}

static json_t *library_json(const struct liberty *lib) {
  return json_pack("{s:s, s:s, s:o, s:f, s:s}", "name", lib->name, "file", lib->path, "hash", hex_json(lib->hash),
                   "nand2_um2", lib->nand2_area, "nand2", lib->nand2_name);
}

/* The memories through the SRAM model; their area is added to *total. */
static json_t *memories_json(const struct synth *s, const struct synth_set *set, struct band *total) {
  json_t *out = json_array();
  for (unsigned i = 0; i < set->design->n_memories; i++) {
    const struct synth_memory *m = &set->design->memories[i];
    struct band um2 = {0}, access = {0};
    bool cut = set->cut && synth_is_memory(s, m);
    json_t *row = json_pack("{s:s, s:i, s:i, s:i, s:i, s:b}", "name", m->name, "rows", (int)m->rows, "width",
                            (int)m->width, "read_ports", (int)m->read_ports, "write_ports", (int)m->write_ports,
                            "clocked_reads", m->clocked_reads);
    if (cut) json_object_set_new(row, "instance", json_sprintf("memory%u", i));
    json_object_set_new(row, "kind", json_string(cut ? "sram" : m->write_ports ? "flip-flops" : "logic"));
    if (cut && !synth_memory_model(s, set->lib, m, &um2, &access, NULL)) {
      json_object_set_new(row, "area_um2", band_json(&um2));
      json_object_set_new(row, "access_ns", band_json(&access));
      *total = (struct band){total->median + um2.median, total->low + um2.low, total->high + um2.high, total->n};
    }
    json_array_append_new(out, row);
  }
  return out;
}

/* Areas at another node, by the rule of technology_scale; memories by the SRAM model of that node. */
static json_t *scaled_json(const struct synth *s, const struct synth_set *set, const struct samples *x) {
  double gates[SYNTH_SEEDS_MAX], unit = set->lib->nand2_area;
  unsigned flip_flops = (unsigned)number(&set->netlists[0], "flip_flop_bits");
  double sequential = number(&set->netlists[0], "sequential_um2"),
         per_bit = flip_flops ? sequential / flip_flops / unit : 0;
  for (unsigned k = 0; k < set->n; k++) gates[k] = (x->area[k] - sequential) / unit;
  struct band logic = band_of(gates, set->n), um2, cell, access;
  if (!technology_scale(s->options.scale, &logic, flip_flops, per_bit, &um2)) return json_null();
  for (unsigned i = 0; set->cut && i < set->design->n_memories; i++) {
    const struct synth_memory *m = &set->design->memories[i];
    const struct sram_shape shape = {m->rows, m->width, m->read_ports, m->write_ports};
    if (synth_is_memory(s, m) && technology_sram(s->options.scale, &shape, &cell, &access))
      um2 = (struct band){um2.median + cell.median, um2.low + cell.low, um2.high + cell.high, um2.n};
  }
  return json_pack("{s:i, s:o}", "node_nm", (int)s->options.scale, "area_um2", band_json(&um2));
}

static json_t *flip_flops_json(const struct synth *s, const struct synth_set *set) {
  if (!set->cut) return json_null();
  if (!set->flip_flops)
    return json_pack("{s:s}", "reason",
                     s->options.no_flip_flops ? "left out (--no-flip-flops)"
                                              : "more bits than anybody builds of flip-flops; not synthesised");
  const struct synth_netlist *n = &set->flip_flops->netlists[0];
  double period = synth_netlist_period(n);
  return json_pack("{s:f, s:i, s:i, s:f}", "area_um2", synth_netlist_area(n), "cells", (int)number(n, "cells"),
                   "flip_flop_bits", (int)number(n, "flip_flop_bits"), "fmax_mhz", period > 0 ? 1e3 / period : 0);
}

static void add_figures(const struct synth *s, const struct synth_set *set, json_t *out) {
  struct samples *x = samples_of(set);
  struct band logic = band_of(x->area, set->n), cells = band_of(x->cells, set->n), fmax = band_of(x->fmax, set->n);
  struct band levels = band_of(x->levels, set->n), unit = band_exact(1e3 * set->lib->nand2_area), area = logic;
  json_object_set_new(out, "memories", memories_json(s, set, &area));
  struct band kge = band_ratio(&area, &unit);
  json_object_set_new(out, "area_um2", band_json(&area));
  json_object_set_new(out, "logic_um2", band_json(&logic));
  json_object_set_new(out, "kge", band_json(&kge));
  json_object_set_new(out, "cells", band_json(&cells));
  json_object_set_new(out, "levels", band_json(&levels));
  json_object_set_new(out, "fmax_mhz", x->timed ? band_json(&fmax) : json_null());
  json_object_set_new(out, "as_flip_flops", flip_flops_json(s, set));
  json_object_set_new(out, "scaled", s->options.scale ? scaled_json(s, set, x) : json_null());
  free(x);
}

static json_t *set_json(const struct synth *s, const struct synth_set *set) {
  const struct synth_design *d = set->design;
  json_t *out = json_object(), *params = json_object();
  for (unsigned i = 0; i < d->n_params; i++)
    json_object_set_new(params, d->params[i].name, json_integer(d->params[i].value));
  json_object_set_new(out, "block", json_string(d->name));
  json_object_set_new(out, "parameters", params);
  json_object_set_new(out, "library", library_json(set->lib));
  json_object_set_new(out, "node_nm", json_integer(synth_node(s, set->lib)));
  json_object_set_new(out, "pre_layout", json_true());
  json_object_set_new(out, "netlists", json_integer(set->n));
  json_object_set_new(out, "distinct_netlists", json_integer(distinct(set)));
  json_object_set_new(out, "band", json_boolean(s->options.seeds > 1));
  add_figures(s, set, out);
  json_object_set_new(out, "flip_flop_bits", json_integer(flip_flop_bits(s, set, 0)));
  json_object_set_new(out, "comparators", json_integer(d->comparators));
  json_object_set_new(out, "comparator_bits", json_integer(d->comparator_bits));
  json_object_set_new(out, "memory_bits", json_integer(cut_bits(s, set, true)));
  json_object_set_new(out, "listed_bits", d->desc ? json_integer(listed_bits(d)) : json_null());
  json_object_set_new(out, "sequential_um2", json_real(number(&set->netlists[0], "sequential_um2")));
  json_object_set_new(out, "critical_path", critical_json(set));
  json_object_set(out, "paths", json_object_get(median_netlist(set)->facts, "paths"));
  json_object_set_new(out, "seeds", seeds_json(set));
  json_object_set_new(out, "rtl_hash", hex_json(d->rtl_hash));
  json_object_set_new(out, "key", hex_json(set->key));
  json_object_set_new(out, "versions", json_pack("{s:s, s:s}", "yosys", s->yosys, "opensta", s->sta));
  return out;
}

static json_t *counts_json(const struct synth_design *d) {
  json_t *params = json_object(), *registers = json_object();
  int32_t values[BLOCK_PARAMS_MAX];
  for (unsigned i = 0; i < d->n_params; i++) {
    values[i] = (int32_t)d->params[i].value;
    json_object_set_new(params, d->params[i].name, json_integer(values[i]));
  }
  for (uint32_t i = 0; d->desc && i < d->desc->n_regs; i++) {
    const struct block_field *f = &d->desc->regs[i];
    json_object_set_new(registers, f->name, json_integer(f->width(values) * (f->depth ? f->depth(values) : 1)));
  }
  return json_pack("{s:s, s:o, s:i, s:i, s:i, s:o, s:o, s:o}", "block", d->name, "parameters", params, "register_bits",
                   (int)(d->register_bits + array_bits(d)), "comparators", (int)d->comparators, "comparator_bits",
                   (int)d->comparator_bits, "registers", registers, "rtl_hash", hex_json(d->rtl_hash), "key",
                   hex_json(d->key));
}

json_t *synth_counts_json(const struct synth *s) {
  json_t *out = json_array();
  for (unsigned i = 0; i < s->n_designs; i++) json_array_append_new(out, counts_json(&s->designs[i]));
  return out;
}

json_t *synth_json(const struct synth *s) {
  json_t *out = json_array();
  for (unsigned i = 0; i < s->n_sets; i++) json_array_append_new(out, set_json(s, &s->sets[i]));
  return out;
}
