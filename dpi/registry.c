/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime: engine rules, the factory of blocks and probes. */
#include "activity.h"
#include "base/host_profile.h"
#include "base/large_pool.h"
#include "runtime.h"

#include <fnmatch.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { STATE_EVERY = 1024 };

const char *dpi_verilator_version(void) { return TANDEM_VERILATOR_VERSION; }

int engine_rule_parse(const char *origin, const char *text, struct engine_rule *rule, struct err *e) {
  const char *equal = strrchr(text, '=');
  if (!equal || equal == text)
    return err_set(e, ERR_USAGE, "%s %s: write PATTERN=c, PATTERN=rtl or PATTERN=lockstep", origin, text);
  if ((size_t)(equal - text) >= sizeof rule->pattern)
    return err_set(e, ERR_USAGE, "%s %s: the pattern is longer than %zu characters", origin, text,
                   sizeof rule->pattern - 1);
  for (int i = 0; block_engine_names[i]; i++) {
    if (strcmp(equal + 1, block_engine_names[i])) continue;
    snprintf(rule->pattern, sizeof rule->pattern, "%.*s", (int)(equal - text), text);
    rule->engine = (enum block_engine)i;
    return 0;
  }
  return err_set(e, ERR_USAGE, "%s %s: no engine '%s'; engines are c, rtl, lockstep", origin, text, equal + 1);
}

/* The last matching rule wins; without one: lockstep where a wave or a recording is wanted, else c. */
static enum block_engine engine_of(const struct dpi *d, const struct block_desc *desc, const char *path) {
  for (uint32_t i = d->config.n_rules; i-- > 0;) {
    const struct engine_rule *r = &d->rules[i];
    if (!strcmp(r->pattern, desc->name) || !fnmatch(r->pattern, path, 0)) return r->engine;
  }
  return d->config.wave || keep_asked(d, desc, path) ? ENGINE_LOCKSTEP : ENGINE_C;
}

/* ---- factory and probes ---- */

static void measured_eval(struct block *b) {
  uint32_t before = host_enter(b->host_place);
  b->inner_eval(b);
  host_enter(before);
}

static void measured_tick(struct block *b) {
  uint32_t before = host_enter(b->host_place);
  b->inner_tick(b);
  host_enter(before);
}

/* From here on the instance says when it is at work. */
static void measure(struct block *b) {
  b->host_place = host_profile_place(b->desc->name);
  b->inner_eval = b->eval;
  b->inner_tick = b->tick;
  b->eval = measured_eval;
  b->tick = measured_tick;
}

static struct block *factory_create(struct block_factory *f, const struct block_desc *desc, const char *path,
                                    const int32_t *params, const uint64_t *now, struct err *e) {
  struct dpi *d = (struct dpi *)(void *)((char *)f - offsetof(struct dpi, factory));
  int32_t taken[BLOCK_PARAMS_MAX];
  if (replace_block(d, &desc, path, &params, taken, e)) return NULL;
  struct block *b = block_alloc(desc, path, params, now, d->config.skip, e);
  struct seam *s = b ? dpi_new_seam(d, path, e) : NULL;
  if (!s || seam_attach(d, s, b, engine_of(d, desc, path), e)) {
    block_destroy(b);
    return NULL;
  }
  if (host_profile_on()) measure(b);
  if (d->config.activity && activity_watch(s, e)) {
    block_destroy(b);
    return NULL;
  }
  return b;
}

static int sink_add(struct probe_sink *sink, const struct probe_desc *desc, const char *path,
                    void (*fill)(const void *source, void *values), const void *source, struct err *e) {
  struct dpi *d = (struct dpi *)(void *)((char *)sink - offsetof(struct dpi, sink));
  struct seam *s = dpi_new_seam(d, path, e);
  if (!s) return (int)e->code;
  s->probe = desc;
  s->fill = fill;
  s->source = source;
  int status = dpi_load_probe(d, desc->name, &s->ops, e);
  return status ? status : seam_make_model(s, e);
}

/* ---- the runtime ---- */

int dpi_create(const struct dpi_config *config, struct dpi **out, struct err *e) {
  struct dpi *d = calloc(1, sizeof *d);
  if (!d) return err_set(e, ERR_LIMIT, "out of memory for the co-simulation runtime");
  d->config = *config;
  pthread_mutex_init(&d->noting, NULL);
  if (config->n_rules > ENGINE_RULES_MAX) {
    dpi_destroy(d);
    return err_set(e, ERR_USAGE, "more than %d engine rules", ENGINE_RULES_MAX);
  }
  if (config->n_records > RECORDS_MAX) {
    dpi_destroy(d);
    return err_set(e, ERR_USAGE, "more than %d patterns to record", RECORDS_MAX);
  }
  if (config->n_replaces > REPLACES_MAX) {
    dpi_destroy(d);
    return err_set(e, ERR_USAGE, "more than %d blocks to replace", REPLACES_MAX);
  }
  if (config->n_replaces) memcpy(d->replaces, config->replaces, config->n_replaces * sizeof *d->replaces);
  memcpy(d->rules, config->rules, config->n_rules * sizeof *d->rules);
  d->config.rules = d->rules;
  if (config->n_records) memcpy(d->records, config->records, config->n_records * sizeof *d->records);
  d->config.records = d->records;
  if (!d->config.record_to) d->config.record_to = UINT64_MAX;
  d->out_dir = config->out_dir ? strdup(config->out_dir) : NULL;
  d->config.out_dir = d->out_dir;
  if (!d->config.state_every) d->config.state_every = STATE_EVERY;
  d->paths = rtl_paths_default();
  d->paths.cost = &d->verilating;
  d->factory.create = factory_create;
  d->sink.add = sink_add;
  d->watching = config->wave && config->wave_from == 0;
  *out = d;
  if (config->coverage) return coverage_begin(d, e);
  return config->wave ? dpi_load_runtime(d, e) : 0;
}

void dpi_destroy(struct dpi *d) {
  if (!d) return;
  wave_abandon(d);
  seams_destroy(d);
  coverage_end(d);
  flight_destroy(d->flight);
  large_pool_destroy(d->pool);
  dpi_unload(d);
  pthread_mutex_destroy(&d->noting);
  free(d->out_dir);
  free(d);
}

struct block_factory *dpi_factory(struct dpi *d) {
  return &d->factory;
}
struct probe_sink *dpi_probes(struct dpi *d) {
  return d->config.wave || d->config.probes ? &d->sink : NULL;
}
double dpi_verilating_seconds(const struct dpi *d) { return d->verilating.seconds; }
const bool *dpi_stop_flag(const struct dpi *d) { return &d->stop; }

uint64_t dpi_cause_distance(const struct dpi *d, uint64_t report) {
  const struct divergence *v = &d->first;
  if (!d->stop || !v->cycle || d->cause > v->cycle) return 0;
  return (uint64_t)((double)(v->cycle - d->cause) * (double)report / (double)v->cycle);
}

bool dpi_has_flight(const struct dpi *d) { return d->flight != NULL; }

uint32_t dpi_instances(const struct dpi *d) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < d->n_seams; i++) n += d->seams[i]->b != NULL;
  return n;
}

const struct block *dpi_instance(const struct dpi *d, uint32_t index) {
  for (uint32_t i = 0; i < d->n_seams; i++)
    if (d->seams[i]->b && index-- == 0) return d->seams[i]->b;
  return NULL;
}

void dpi_set_clocks(struct dpi *d, const struct clocks *clocks) { d->clocks = clocks; }
uint32_t dpi_spare_threads(uint32_t threads) {
  cpu_set_t ours;
  return !sched_getaffinity(0, sizeof ours, &ours) && (uint32_t)CPU_COUNT(&ours) > threads;
}

void dpi_hand_over(struct dpi *d) { checkers_hand_over(d); }
bool dpi_follows(const struct dpi *d) { return d->follows; }
void dpi_drain(struct dpi *d) { checkers_drain(d); }
uint64_t dpi_divergence_tick(const struct dpi *d) { return d->first_tick; }

const struct divergence *dpi_divergence(const struct dpi *d) { return d->stop ? &d->first : NULL; }
