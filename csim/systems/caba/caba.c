/* SPDX-License-Identifier: Apache-2.0 */
/* The SM's side: what it writes is compressed on its way, or its assist warps decompress what comes and compress what is written. */
#include "systems/caba/caba.h"

#include "base/err.h"
#include "block/block.h"
#include "systems/caba/caba_internal.h"

#include <stdlib.h>

static void sm_destroy(void *self) {
  struct caba_sm *s = self;
  if (s->awc) block_destroy(s->awc);
  if (s->aws) block_destroy(s->aws);
  free(s->entry);
  free(s->fill);
  free(s->waiting_fill);
  free(s->resumed_fill);
  free(s->store_line);
  free(s->written);
  free(s);
}

static void *sm_create(const struct gpu_config *m, struct block_factory *factory, const char *path, uint32_t sm_index,
                       const struct sm_services *services, struct err *e) {
  struct caba_sm *s = calloc(1, sizeof *s);
  if (!s) {
    err_set(e, ERR_LIMIT, "out of memory for compressed lines");
    return NULL;
  }
  s->config = m;
  s->p = caba_parameters(m);
  s->n = caba_sm_counters(services->counters);
  s->agent = services->agent;
  s->sm = *services;
  s->index = sm_index;
  if (!caba_assists(s->p) ||
      (!caba_fills_make(s, e) && !caba_stores_make(s, e) && !caba_warps_make(s, factory, path, e)))
    return s;
  sm_destroy(s);
  return NULL;
}

static int sm_launch(void *self, const struct ptx_kernel *kernel, struct err *e) {
  struct caba_sm *s = self;
  s->n->caba_launches++;
  s->n->caba_registers_free += caba_registers_free(s->config, s->agent, kernel, s->sm.launch);
  if (s->awc) caba_warps_launch(s);
  return s->index ? 0 : caba_agent_launch(s->agent, s->sm.memory, e);
}

static uint32_t sm_packs(void *self, const struct mem_request *r) {
  const struct caba_sm *s = self;
  if (s->awc) return s->length ? s->length : r->bytes;
  return caba_agent_packs(s->agent, r);
}

static void sm_cta_start(void *self, uint32_t cta, uint64_t index, uint64_t warps, uint32_t base, uint32_t bytes) {
  struct caba_sm *s = self;
  (void)cta, (void)index, (void)base, (void)bytes;
  s->ctas++;
  s->live |= warps;
  for (uint64_t left = warps; left; left &= left - 1) s->started[__builtin_ctzll(left)] = *s->sm.now;
}

/* Of compressions; a decompression ends, since the load's registers are the CTA's. */
static void sm_warp_exit(void *self, uint32_t cta, uint32_t warp) {
  struct caba_sm *s = self;
  (void)cta;
  s->live &= ~caba_bit(warp);
  if (s->calls) s->exits |= caba_bit(warp);
}

static void sm_cta_end(void *self, uint32_t cta) {
  (void)cta;
  ((struct caba_sm *)self)->ctas--;
}

static void sm_cycle(void *self) {
  struct caba_sm *s = self;
  if (s->awc) caba_warps_cycle(s);
}

static bool sm_busy(const void *self) {
  const struct caba_sm *s = self;
  return s->awc && caba_warps_busy(s);
}

static uint64_t sm_wake(const void *self) {
  const struct caba_sm *s = self;
  uint64_t stores = caba_stores_wake(s), window = s->awc && s->ctas ? *s->sm.now + s->left : UINT64_MAX;
  return stores < window ? stores : window;
}

static bool sm_holds(const void *self) { return ((const struct caba_sm *)self)->kept; }

static uint64_t sm_blocked(const void *self) { return ((const struct caba_sm *)self)->blocked; }

static uint32_t sm_stall(const void *self) {
  (void)self;
  return caba_owner.first_stall + STALL_ASSIST;
}

static void sm_describe(const void *self, FILE *out) {
  const struct caba_sm *s = self;
  if (!s->awc || !s->calls) return;
  fprintf(out, "  %s: %u assist warps, %u lines that wait for one, warps that wait %#llx\n", s->awc_path, s->calls,
          s->waiting.count, (unsigned long long)s->blocked);
}

static const struct scoreboard_hooks scoreboard = {.blocked = sm_blocked, .stall = sm_stall, .own = caba_own};

const struct system_ops caba_system = {
  .name = "caba",
  .brief = "compressed lines (Vijaykumar 2019, chapter 5)",
  .owner = &caba_owner,
  .agent = &caba_agent_ops,
  .driver = &caba_driver,
  .scoreboard = &scoreboard,
  .create = sm_create,
  .destroy = sm_destroy,
  .launch = sm_launch,
  .cta_start = sm_cta_start,
  .cta_end = sm_cta_end,
  .warp_exit = sm_warp_exit,
  .cycle = sm_cycle,
  .busy = sm_busy,
  .ran = caba_ran,
  .wake = sm_wake,
  .packs = sm_packs,
  .access = caba_access,
  .line = caba_line,
  .holds = sm_holds,
  .l1_bytes = caba_stores_bytes,
  .registers = caba_registers,
  .keeps_reply = caba_keeps_reply,
  .answered = caba_answered,
  .describe = sm_describe,
};
