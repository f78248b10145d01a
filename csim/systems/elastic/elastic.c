/* SPDX-License-Identifier: Apache-2.0 */
/* The C side of bank-conflict-aware scheduling: it connects three blocks to the scheduler. In a cycle the mask block
 * selects the warps that may issue; the issued operation is looked up in the history cache and reported to the mask; a
 * subwarp that leaves MEM0 goes to the accumulator, whose sums update the history; the answer to the previous cycle's
 * lookup loads the mask's counter. */
#include "systems/elastic/elastic.h"

#include "base/err.h"
#include "bkconf_accum_ports.h"
#include "bkconf_history_cache_ports.h"
#include "mem_warp_mask_ports.h"
#include "systems/elastic/barrel.h"
#include "systems/elastic/tables.h"

#include <stdlib.h>
#include <string.h>

enum { WARPS = 64, PATH_BYTES = 40 };

struct elastic {
  struct sm_services sm;
  struct elastic_counters *n;
  struct block *history, *accum, *mask;
  uint32_t pc_mask, degree_max;
  bool oracle;

  uint8_t *types; /* type vector: type of each operation, built at launch */
  uint32_t types_size;
  uint64_t memory, shared; /* type registers: the type of each warp's next operation */

  /* in this cycle */
  bool flush, masked, remembered; /* clear all history; mask and history have been evaluated */
  bool asked;                     /* a lookup was made in the previous cycle; its answer comes now */
  bool issued, issued_shared;
  uint32_t excess, looked_up;                                /* of the shared access issued last: cycles, warp */
  uint32_t measured;                                         /* warp whose sum was completed last */
  uint32_t excess_before, looked_up_before, measured_before; /* values of the previous cycle */
  uint16_t predicted[WARPS];
  char path[3][PATH_BYTES];
};

/* ---- construction ---- */

static int check_config(const struct gpu_config *m, struct err *e) {
  if (m->sm_simd_width == 32)
    return err_set(e, ERR_VALUE,
                   "sm.simd_width = 32: a warp is one subwarp, and its prediction comes a cycle too late; "
                   "the proposal elastic needs 16 lanes or fewer");
  return 0;
}

static int create_blocks(struct elastic *d, const struct gpu_config *m, struct block_factory *factory, const char *path,
                         struct err *e) {
  const struct elastic_parameters *p = elastic_parameters(m);
  const uint64_t *now = d->sm.now;
  snprintf(d->path[0], PATH_BYTES, "%s.elastic.history", path);
  snprintf(d->path[1], PATH_BYTES, "%s.elastic.accum", path);
  snprintf(d->path[2], PATH_BYTES, "%s.elastic.mask", path);
  d->history = BLOCK_MAKE(factory, &bkconf_history_cache_desc, d->path[0], now, e, {"PCW", p->pc_bits},
                          {"SETS", p->sets}, {"WAYS", p->ways}, {"DW", p->degree_bits});
  if (!d->history) return ERR_VALUE;
  d->accum = BLOCK_MAKE(factory, &bkconf_accum_desc, d->path[1], now, e, {"W", 32}, {"S", m->sm_simd_width},
                        {"P", p->ports}, {"PCW", p->pc_bits});
  if (!d->accum) return ERR_VALUE;
  d->mask = BLOCK_MAKE(factory, &mem_warp_mask_desc, d->path[2], now, e, {"NW", m->sm_warps},
                       {"K", 32 / m->sm_simd_width}, {"DW", p->degree_bits}, {"MODE", p->violate ? 2 : 1});
  return d->mask ? 0 : ERR_VALUE;
}

static void elastic_destroy(void *self) {
  struct elastic *d = self;
  if (!d) return;
  if (d->history) block_destroy(d->history);
  if (d->accum) block_destroy(d->accum);
  if (d->mask) block_destroy(d->mask);
  free(d->types);
  free(d);
}

static void *elastic_create(const struct gpu_config *m, struct block_factory *factory, const char *path,
                            uint32_t sm_index, const struct sm_services *services, struct err *e) {
  (void)sm_index;
  if (check_config(m, e)) return NULL;
  struct elastic *d = calloc(1, sizeof *d);
  if (!d) {
    err_set(e, ERR_LIMIT, "%s: out of memory for the scheduler", path);
    return NULL;
  }
  const struct elastic_parameters *p = elastic_parameters(m);
  d->sm = *services;
  d->n = elastic_counters(services->counters);
  d->pc_mask = (1U << p->pc_bits) - 1;
  d->degree_max = (1U << p->degree_bits) - 1;
  d->oracle = p->prediction == ELASTIC_PREDICTION_ORACLE;
  if (create_blocks(d, m, factory, path, e)) {
    elastic_destroy(d);
    return NULL;
  }
  return d;
}

/* ---- types ---- */

/* Writes the type vector and clears all measurements. */
static int elastic_launch(void *self, const struct ptx_kernel *k, struct err *e) {
  struct elastic *d = self;
  if (k->n_ops > d->types_size) {
    uint8_t *types = realloc(d->types, k->n_ops);
    if (!types) return err_set(e, ERR_LIMIT, "the host has no memory left for the types of %u operations", k->n_ops);
    d->types = types;
    d->types_size = k->n_ops;
  }
  for (uint32_t i = 0; i < k->n_ops; i++) d->types[i] = (uint8_t)barrel_op_type(&k->ops[i]);
  d->memory = d->shared = 0;
  d->flush = true;
  return 0;
}

static void elastic_fetched(void *self, uint32_t warp, uint32_t pc) {
  struct elastic *d = self;
  uint64_t bit = UINT64_C(1) << warp;
  d->memory = d->types[pc] & BARREL_OP_MEMORY ? d->memory | bit : d->memory & ~bit;
  d->shared = d->types[pc] & BARREL_OP_SHARED ? d->shared | bit : d->shared & ~bit;
}

/* ---- a cycle ---- */

/* Completed sums update the history and are compared with the predictions. */
static void update_history(struct elastic *d, uint32_t measured) {
  const struct bkconf_accum_out *sum = d->accum->out;
  struct bkconf_history_cache_in *in = d->history->in;
  struct elastic_counters *c = d->n;
  in->up_valid = sum->up_valid;
  in->up_pc = sum->up_pc;
  in->up_degree = sum->up_degree;
  if (!sum->up_valid) return;
  c->history_low += d->predicted[measured] < sum->up_degree;
  c->history_high += d->predicted[measured] > sum->up_degree;
}

/* The answer to the previous cycle's lookup sets the mask's counter. */
static void answer(struct elastic *d, uint32_t looked_up) {
  const struct bkconf_history_cache_out *history = d->history->out;
  struct mem_warp_mask_in *in = d->mask->in;
  struct elastic_counters *c = d->n;
  c->history_evictions += history->ev_evict;
  if (!history->rs_valid) return;
  uint32_t degree = d->oracle ? d->excess_before : history->lk_degree;
  c->history_lookups++;
  c->history_hits += history->lk_hit;
  c->history_misses += !history->lk_hit;
  d->predicted[looked_up] = (uint16_t)degree;
  in->lk_valid_q = 1;
  in->lk_degree = (uint8_t)(degree < d->degree_max ? degree : d->degree_max);
}

/* Evaluates accumulator and history; all their inputs of the cycle are known. */
static void settle_history(struct elastic *d) {
  struct bkconf_history_cache_in *history = d->history->in;
  struct bkconf_accum_in *accum = d->accum->in;
  accum->flush = history->flush = d->flush;
  block_eval(d->accum);
  update_history(d, d->measured_before);
  block_eval(d->history);
  answer(d, d->looked_up_before);
  d->remembered = true;
}

static uint64_t settle_mask(struct elastic *d, uint64_t ready, bool frozen) {
  struct mem_warp_mask_in *in = d->mask->in;
  const struct mem_warp_mask_out *out = d->mask->out;
  in->lk_valid_q = 0;
  if (d->asked) settle_history(d); /* no issue, so no lookup in this cycle */
  in->flush = d->flush;
  in->stall = frozen;
  in->warp_ready = ready;
  in->warp_is_mem = d->memory;
  in->sched_valid = in->sched_is_shmem = 0; /* sampled at the clock edge: set by this cycle's issue below */
  block_eval(d->mask);
  d->masked = true;
  return out->warp_ready_masked;
}

static uint64_t elastic_admit(void *self, uint64_t ready, bool slot, bool frozen) {
  (void)slot; /* the mask counts the slots itself */
  return settle_mask(self, ready, frozen);
}

static void elastic_issued(void *self, uint32_t warp, uint32_t pc, uint32_t excess) {
  struct elastic *d = self;
  struct bkconf_history_cache_in *in = d->history->in;
  d->issued = true;
  d->issued_shared = d->shared >> warp & 1;
  if (!d->issued_shared) return;
  d->excess = excess;
  d->looked_up = warp;
  in->lk_valid = 1;
  in->lk_pc = (uint16_t)(pc & d->pc_mask);
}

static void elastic_resolved(void *self, uint32_t warp, uint32_t pc, uint32_t degree, bool last) {
  struct elastic *d = self;
  struct bkconf_accum_in *in = d->accum->in;
  in->sub_valid = 1;
  in->sub_last = last;
  in->sub_cd = (uint8_t)degree;
  in->sub_pc = (uint16_t)(pc & d->pc_mask);
  if (last) d->measured = warp;
}

static void elastic_cycle(void *self) {
  struct elastic *d = self;
  struct bkconf_history_cache_in *history = d->history->in;
  struct bkconf_accum_in *accum = d->accum->in;
  struct mem_warp_mask_in *mask = d->mask->in;
  if (!d->masked) settle_mask(d, 0, false); /* no warp is ready, and the counter stands still */
  if (!d->remembered) settle_history(d);
  mask->sched_valid = d->issued;
  mask->sched_is_shmem = d->issued && d->issued_shared;
  block_tick(d->mask);
  block_tick(d->accum);
  block_tick(d->history);
  d->asked = history->lk_valid;
  history->lk_valid = accum->sub_valid = accum->sub_last = 0;
  d->excess_before = d->excess;
  d->looked_up_before = d->looked_up;
  d->measured_before = d->measured;
  d->flush = d->masked = d->remembered = d->issued = false;
}

/* True if a block has work without new inputs. */
static bool elastic_busy(const void *self) {
  const struct elastic *d = self;
  return d->flush || !d->mask->quiet || !d->accum->quiet || !d->history->quiet;
}

static void elastic_describe(const void *self, FILE *out) {
  const struct elastic *d = self;
  const struct mem_warp_mask_out *mask = d->mask->out;
  fprintf(out, "  memory warps are masked for %u cycles\n", mask->cnt);
}

static const struct barrel_hooks hooks = {
  .fetched = elastic_fetched, .admit = elastic_admit, .issued = elastic_issued, .resolved = elastic_resolved};

static const struct sm_pipeline *const pipelines[] = {&barrel_unified, &barrel_split, &barrel_elastic, NULL};

const struct system_ops elastic_system = {
  .name = "elastic",
  .brief = "bank-conflict-aware warp scheduling (Gou & Gaydadjiev 2011)",
  .owner = &elastic_owner,
  .pipelines = pipelines,
  .barrel = &hooks,
  .create = elastic_create,
  .destroy = elastic_destroy,
  .launch = elastic_launch,
  .cycle = elastic_cycle,
  .busy = elastic_busy,
  .describe = elastic_describe,
};
