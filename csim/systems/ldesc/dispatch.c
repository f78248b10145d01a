/* SPDX-License-Identifier: Apache-2.0 */
/* CTA dispatch of the Locality Descriptor (Vijaykumar 2019, 3.4.1): a block cta_cluster_dispatch for each module of the GPU, which
 * gives its SMs one CTA a core cycle. A launch without clusters is dispatched as without the proposal. */
#include "systems/ldesc/ldesc_internal.h"

#include "cta_cluster_dispatch_ports.h"

#include <stdlib.h>
#include <string.h>

enum { SEED = 0x4c446573 /* combined with mmu.seed for ldesc.hints = random */ };

/* ---- construction ---- */

static void destroy(void *self) {
  struct ldesc_dispatcher *d = self;
  if (!d) return;
  for (uint32_t i = 0; i < d->modules; i++)
    if (d->module[i].block) block_destroy(d->module[i].block);
  free(d->given.run);
  free(d->drawn.run);
  free(d);
}

static bool create_modules(struct ldesc_dispatcher *d, struct err *e) {
  d->module_sms = d->n_sms / d->modules;
  if (d->module_sms > LDESC_MODULE_SMS) {
    err_set(e, ERR_VALUE,
            "sm.count = %u of numa.modules = %u: the Locality Descriptor's dispatcher serves %d SMs a module", d->n_sms,
            d->modules, (int)LDESC_MODULE_SMS);
    return false;
  }
  for (uint32_t i = 0; i < d->modules; i++) {
    struct ldesc_module *m = &d->module[i];
    m->first_sm = i * d->module_sms;
    snprintf(m->path, sizeof m->path, "ldesc.dispatch%u", i);
    m->block = BLOCK_MAKE(d->s.factory, &cta_cluster_dispatch_desc, m->path, d->s.now, e, {"SMS", d->module_sms},
                          {"STEAL", d->p->steal});
    if (!m->block) return false;
  }
  return true;
}

static void *create(const struct gpu_config *m, const struct dispatch_services *s, void *agent, struct err *e) {
  (void)agent;
  struct ldesc_dispatcher *d = calloc(1, sizeof *d);
  if (!d) {
    err_set(e, ERR_LIMIT, "the host has no memory left for the Locality Descriptor's dispatcher");
    return NULL;
  }
  d->s = *s;
  d->config = m;
  d->p = ldesc_parameters(m);
  d->n = ldesc_memory_counters(s->counters);
  d->n_sms = (uint32_t)m->sm_count;
  d->modules = (uint32_t)m->numa_modules;
  rng_seed(&d->random, SEED ^ (uint64_t)m->mmu_seed);
  if (create_modules(d, e)) return d;
  destroy(d);
  return NULL;
}

/* ---- launches ---- */

/* assumption: the driver's clusters are those of one grid; a launch of another one has none. */
static bool is_clustered(const struct ldesc_dispatcher *d, const struct ldesc_kept *k) {
  return k->policy.clustered && !memcmp(k->grid, d->grid, sizeof d->grid);
}

static void launch(void *self, const struct launch *l, uint64_t cycle) {
  struct ldesc_dispatcher *d = self;
  struct ldesc_kept *k = &d->given;
  d->held_until = cycle + d->hold;
  d->hold = 0;
  round_robin_start(&d->turn, d->n_sms);
  memcpy(d->grid, l->grid, sizeof d->grid);
  if (d->p->hints == LDESC_HINTS_RANDOM) ldesc_keep_random(k = &d->drawn, &d->random, d->config, d->grid);
  d->policy = d->p->hints == LDESC_HINTS_OFF ? NULL : &k->policy;
  bool clustered = d->policy && is_clustered(d, k);
  for (uint32_t i = 0; i < d->modules; i++) {
    struct ldesc_module *m = &d->module[i];
    m->clusters = clustered ? &d->policy->module[i] : NULL;
    m->starts = clustered;
    m->gives = false;
    m->next = 0;
  }
}

static void abort_launch(void *self) {
  struct ldesc_dispatcher *d = self;
  for (uint32_t i = 0; i < d->modules; i++) d->module[i].clusters = NULL, d->module[i].gives = false;
}

/* ---- the blocks ---- */

/* CTAs of a cluster that the grid cuts on the axes of `cut`, as STEAL counts them. */
static uint32_t cluster_ctas(const uint32_t size[3], const uint32_t grid[3], uint32_t cut) {
  uint64_t n = 1;
  for (int d = 0; d < LDESC_AXES; d++) {
    uint32_t all = size[d] ? size[d] : 1; /* of a module without clusters */
    n *= cut >> d & 1 ? grid[d] % all : all;
  }
  return n < UINT16_MAX ? (uint32_t)n : UINT16_MAX;
}

static void drive_start(const struct ldesc_dispatcher *d, const struct ldesc_clusters *c,
                        struct cta_cluster_dispatch_in *in) {
  uint32_t clusters = 0, sms = d->module_sms;
  invariant(sms, "a module has no SM");
  for (uint32_t i = 0; i < c->runs; i++) clusters += c->run[i].count;
  in->grid_x = (uint16_t)d->grid[0], in->grid_y = (uint16_t)d->grid[1], in->grid_z = (uint16_t)d->grid[2];
  in->cls_x = (uint16_t)c->size[0], in->cls_y = (uint16_t)c->size[1], in->cls_z = (uint16_t)c->size[2];
  in->whole = clusters / sms * sms; /* assumption: the rest is spread, so that the SMs end together */
  for (uint32_t cut = 0; cut < 8; cut += 2)
    in->size[cut / 2] = cluster_ctas(c->size, d->grid, cut) | cluster_ctas(c->size, d->grid, cut + 1) << 16;
}

/* A module without clusters has an empty list: one run of none. */
static uint32_t runs_of(const struct ldesc_clusters *c) { return c->runs ? c->runs : 1; }

static void drive(const struct ldesc_dispatcher *d, const struct ldesc_module *m, struct cta_cluster_dispatch_in *in) {
  static const struct ldesc_run none = {0};
  const struct ldesc_clusters *c = m->clusters;
  in->free = 0;
  bool open = c && *d->s.now >= d->held_until;
  for (uint32_t i = 0; open && i < d->module_sms; i++)
    in->free |= (uint16_t)(d->s.has_room(d->s.gpu, m->first_sm + i) << i);
  in->start_en = c && m->starts;
  if (in->start_en) drive_start(d, c, in);
  in->run_valid = c && !m->starts && m->next < runs_of(c);
  if (!in->run_valid) return;
  const struct ldesc_run *r = c->runs ? &c->run[m->next] : &none;
  in->run_x = (uint16_t)r->first[0], in->run_y = (uint16_t)r->first[1], in->run_z = (uint16_t)r->first[2];
  in->run_count = r->count;
  in->run_last = m->next + 1 == runs_of(c);
}

/* Executes a cycle of the block; true if it is to have another one even if nothing else happens. */
static bool module_cycle(struct ldesc_dispatcher *d, struct ldesc_module *m) {
  struct cta_cluster_dispatch_in *in = m->block->in;
  const struct cta_cluster_dispatch_out *out = m->block->out;
  drive(d, m, in);
  block_eval(m->block);
  bool taken = in->run_valid && out->run_ready, works = in->start_en || taken || out->cta_valid || out->busy;
  m->next += taken;
  m->starts = false;
  m->gives = out->cta_valid;
  if (m->gives)
    m->choice = (struct dispatch_choice){.cta = out->cta_x +
                                                (uint64_t)d->grid[0] * (out->cta_y + (uint64_t)d->grid[1] * out->cta_z),
                                         .sm = m->first_sm + out->cta_sm};
  block_tick(m->block);
  return works;
}

static uint64_t cycle(void *self, uint64_t now) {
  struct ldesc_dispatcher *d = self;
  bool again = false;
  for (uint32_t i = 0; i < d->modules; i++)
    if (d->module[i].clusters || !d->module[i].block->skip) again |= module_cycle(d, &d->module[i]);
  if (again) return now + 1;
  return now < d->held_until ? d->held_until : UINT64_MAX;
}

static bool next(void *self, const uint64_t *room, uint64_t now, struct dispatch_choice *choice) {
  struct ldesc_dispatcher *d = self;
  if (now < d->held_until) return false;
  if (!d->module[0].clusters) return round_robin_next(&d->turn, room, now, choice);
  for (uint32_t i = 0; i < d->modules; i++) {
    struct ldesc_module *m = &d->module[i];
    if (!m->gives) continue;
    m->gives = false;
    *choice = m->choice;
    d->n->ldesc_clustered++;
    return true;
  }
  return false;
}

static void describe(const void *self, FILE *out) {
  const struct ldesc_dispatcher *d = self;
  for (uint32_t i = 0; i < d->modules; i++)
    if (d->module[i].clusters && d->module[i].next < d->module[i].clusters->runs)
      fprintf(out, "  Locality Descriptor: %u runs of clusters wait for module %u\n",
              d->module[i].clusters->runs - d->module[i].next, i);
}

const struct dispatch_ops ldesc_dispatch = {
  .name = "ldesc",
  .create = create,
  .destroy = destroy,
  .launch = launch,
  .cycle = cycle,
  .next = next,
  .abort = abort_launch,
  .describe = describe,
};
