/* SPDX-License-Identifier: Apache-2.0 */
/* run.json. Its `statistics` hold simulated figures only: they do not depend on engine, skipping, tracing or host. */
#include "base/host_profile.h"
#include "base/json_out.h"
#include "base/out_file.h"
#include "base/place.h"
#include "run/simulator.h"

#include <jansson.h>
#include <string.h>

static json_t *number(uint64_t value) { return json_integer((json_int_t)value); }

static json_t *counters_json(enum counter_kind kind, const void *values) {
  struct counter_table t = counter_table(kind);
  json_t *j = json_object();
  for (uint32_t i = 0; i < t.n; i++) json_object_set_new(j, t.rows[i].name, number(((const uint64_t *)values)[i]));
  return j;
}

static json_t *triple(const uint32_t v[3]) {
  return json_pack("[I, I, I]", (json_int_t)v[0], (json_int_t)v[1], (json_int_t)v[2]);
}

/* The value as a GPU configuration file has it: a number, or one name of "a|b". */
static json_t *parameter_json(const struct gpu_config *m, const struct gpu_parameter *p) {
  int64_t value = gpu_config_get(m, p);
  const char *name = p->names;
  for (int64_t i = 0; name && i < value; i++) {
    name = strchr(name, '|');
    if (name) name++;
  }
  return name ? json_stringn(name, strcspn(name, "|")) : json_integer(value);
}

static json_t *config_json(const struct session *n) {
  json_t *j = json_object(), *parameters = json_object(), *rules = json_array();
  const struct gpu_parameter *p;
  for (unsigned i = 0; (p = gpu_parameter_at(i)); i++)
    json_object_set_new(parameters, p->key, parameter_json(&n->config, p));
  for (uint32_t i = 0; i < n->n_rules; i++)
    json_array_append_new(rules, json_sprintf("%s=%s", n->rules[i].pattern, block_engine_names[n->rules[i].engine]));
  json_object_set_new(j, "workload", json_string(n->workload));
  json_object_set_new(j, "machine", json_string(n->config_name));
  json_object_set_new(j, "system", n->system ? json_string(n->system->name) : json_null());
  json_object_set_new(j, "seed", number(n->seed));
  json_object_set_new(j, "engine_rules", rules);
  json_object_set_new(j, "skip", json_boolean(n->skip));
  if (*n->plugin) json_object_set_new(j, "plugin", json_string(n->plugin));
  if (*n->manifest) json_object_set_new(j, "manifest", json_string(n->manifest));
  json_object_set_new(j, "parameters", parameters);
  return j;
}

static json_t *functional_json(const struct functional_count *c) {
  return json_pack("{s:o, s:o, s:o}", "ctas", number(c->ctas), "warp_instructions", number(c->warp_instructions),
                   "thread_instructions", number(c->thread_instructions));
}

static json_t *statistics_json(const struct simulator *s) {
  json_t *j = json_object(), *launches = json_array(), *per_sm = json_array();
  struct sm_counters sum = {0};
  for (uint32_t i = 0; i < s->n_launches; i++) {
    const struct launch_record *r = &s->launches[i];
    json_array_append_new(launches,
                          json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "kernel", r->kernel, "grid", triple(r->grid),
                                    "block", triple(r->block), "ctas_per_sm", number(r->ctas_per_sm), "core_cycles",
                                    number(r->core_cycles), "sm", counters_json(COUNTERS_SM, &r->sm), "memory",
                                    counters_json(COUNTERS_MEMORY, &r->memory)));
    if (r->functional) json_object_set_new(json_array_get(launches, i), "functional", functional_json(&r->count));
  }
  for (uint32_t i = 0; i < gpu_sm_count(s->gpu); i++) {
    const struct sm_counters *c = gpu_sm_counters(s->gpu, i);
    counters_add((uint64_t *)&sum, (const uint64_t *)c, counter_table(COUNTERS_SM).n);
    json_array_append_new(per_sm, counters_json(COUNTERS_SM, c));
  }
  json_object_set_new(j, "core_cycles", number(simulator_launch_cycles(s)));
  json_object_set_new(j, "driver_cycles", number(s->driver_cycles));
  json_object_set_new(j, "time_ns", number(simulator_launch_ns(s)));
  json_object_set_new(j, "launches", launches);
  json_object_set_new(j, "sm", counters_json(COUNTERS_SM, &sum));
  json_object_set_new(j, "memory", counters_json(COUNTERS_MEMORY, gpu_memory_counters(s->gpu)));
  json_object_set_new(j, "per_sm", per_sm);
  struct functional_count functional;
  uint32_t skipped = simulator_functional(s, &functional);
  if (!skipped) return j;
  json_t *f = functional_json(&functional);
  json_object_set_new(f, "launches", number(skipped));
  json_object_set_new(j, "functional", f);
  return j;
}

static json_t *engines_json(const struct dpi *d) {
  json_t *j = json_array();
  for (uint32_t i = 0; i < dpi_instances(d); i++) {
    const struct block *b = dpi_instance(d, i);
    const struct block_profile *p = &b->profile;
    json_array_append_new(j, json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "instance", b->path,
                                       "block", b->desc->name, "engine", block_engine_names[b->engine], "cycles",
                                       number(p->cycles), "skipped", number(p->skipped), "c_evals", number(p->c_evals),
                                       "rtl_evals", number(p->rtl_evals), "rtl_still", number(p->rtl_still),
                                       "dpi_calls", number(p->dpi_calls), "dpi_bytes", number(p->dpi_bytes)));
  }
  return j;
}

static json_t *timing_json(const struct simulator *s) {
  uint64_t instructions = 0;
  for (uint32_t i = 0; i < gpu_sm_count(s->gpu); i++) instructions += gpu_sm_counters(s->gpu, i)->warp_instructions;
  double seconds = s->host_seconds > 0 ? s->host_seconds : 1e-9;
  double snapshot_seconds;
  uint32_t snapshots = snapshots_taken(s->snapshots, &snapshot_seconds);
  json_t *j =
    json_pack("{s:f, s:f, s:f, s:f, s:f, s:i, s:f}", "seconds", s->host_seconds, "functional_seconds",
              s->functional_seconds, "verilating_seconds", dpi_verilating_seconds(s->dpi), "core_cycles_per_second",
              (double)gpu_core_cycles(s->gpu) / seconds, "warp_instructions_per_second", (double)instructions / seconds,
              "snapshots", (int)snapshots, "snapshot_seconds", snapshot_seconds);
  if (dpi_divergence(s->dpi)) {
    double page, wave;
    dpi_report_seconds(s->dpi, &page, &wave);
    json_object_set_new(j, "page_seconds", json_real(page));
    json_object_set_new(j, "wave_seconds", json_real(wave));
    json_object_set_new(j, "gpu_wave_seconds", json_real(snapshots_rerun_seconds(s->snapshots)));
  }
  return j;
}

/* By place, with that of a checker apart. */
static json_t *host_time_json(void) {
  struct host_profile_row rows[HOST_PLACES_MAX];
  uint64_t samples;
  uint32_t n = host_profile_rows(rows, &samples);
  json_t *places = json_array();
  for (uint32_t i = 0; i < n; i++)
    json_array_append_new(places, json_pack("{s:s, s:f, s:f}", "name", rows[i].name, "seconds", rows[i].seconds,
                                            "checker_seconds", rows[i].checker_seconds));
  return json_pack("{s:o, s:o}", "samples", number(samples), "places", places);
}

int run_json_write(const struct simulator *s, struct err *e) {
  char path[SESSION_TEXT_BYTES + 16];
  struct out_file o;
  snprintf(path, sizeof path, "%s/run.json", s->session.out_dir);
  int status = out_file_open(&o, path, e);
  if (status) return status;
  json_t *j = json_object();
  json_object_set_new(j, "config", config_json(&s->session));
  /* of a run that diverged they would depend on when that was known */
  if (s->outcome != RUN_DIVERGED) json_object_set_new(j, "statistics", statistics_json(s));
  json_object_set_new(j, "engines", engines_json(s->dpi));
  json_object_set_new(j, "versions",
                      json_pack("{s:s, s:s}", "tandem", place_version(), "verilator", dpi_verilator_version()));
  json_object_set_new(j, "timing", timing_json(s));
  if (host_profile_on()) json_object_set_new(j, "host_time", host_time_json());
  json_object_set_new(j, "verdict",
                      json_pack("{s:s, s:s}", "result", run_outcome_names[s->outcome], "reason", s->outcome_text));
  json_out(j, "run/1", 0, o.f);
  json_decref(j);
  return out_file_commit(&o, e);
}
