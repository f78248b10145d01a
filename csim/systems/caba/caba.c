/* SPDX-License-Identifier: Apache-2.0 */
/* The SM's side: what it writes is compressed on its way, or its assist warps decompress what comes and compress what is written. */
#include "systems/caba/caba.h"

#include "base/err.h"
#include "block/block.h"
#include "device/device_memory.h"
#include "systems/caba/caba_internal.h"

#include <stdlib.h>

static void sm_destroy(void *self) {
  struct caba_sm *s = self;
  if (s->awc) block_destroy(s->awc);
  if (s->aws) block_destroy(s->aws);
  if (s->unit) caba_unit_destroy(s->unit);
  free(s->unit);
  free(s->entry);
  free(s->fill);
  free(s->waiting_fill);
  free(s->resumed_fill);
  free(s->store_line);
  free(s->written);
  free(s->l1);
  caba_marks_destroy(s);
  free(s);
}

static int make_unit(struct caba_sm *s, struct block_factory *factory, const char *path, struct err *e) {
  struct caba_coder coder = {s->p->base == CABA_BASE_FIRST, (uint32_t)s->p->most};
  if (s->p->design != CABA_HW_BDI) return 0;
  s->unit = calloc(1, sizeof *s->unit);
  return s->unit ? caba_unit_create(s->unit, &coder, path, factory, s->sm.now, e)
                 : err_set(e, ERR_LIMIT, "out of memory for compressed lines");
}

/* What is made for the design. */
static int make(struct caba_sm *s, struct block_factory *factory, const char *path, struct err *e) {
  int rc = caba_l1_make(s, e);
  if (rc || !caba_assists(s->p)) return rc ? rc : make_unit(s, factory, path, e);
  rc = caba_fills_make(s, e);
  if (!rc) rc = caba_stores_make(s, e);
  if (!rc) rc = caba_marks_make(s, e);
  return rc ? rc : caba_warps_make(s, factory, path, e);
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
  if (!make(s, factory, path, e)) return s;
  sm_destroy(s);
  return NULL;
}

static int sm_launch(void *self, const struct ptx_kernel *kernel, struct err *e) {
  struct caba_sm *s = self;
  s->n->caba_launches++;
  s->n->caba_registers_free += caba_registers_free(s->config, s->agent, kernel, s->sm.launch);
  int code = s->awc ? caba_warps_launch(s, kernel, e) : 0;
  if (s->unit && caba_unit_busy(s->unit)) caba_unit_forget(s->unit);
  return code || s->index ? code : caba_agent_launch(s->agent, s->sm.memory, e);
}

static const uint8_t *line_at(const struct caba_sm *s, const struct mem_request *r) {
  return device_memory_at(s->sm.memory, r->address / CABA_LINE * CABA_LINE, CABA_LINE);
}

/* A whole line goes through the unit. */
static uint32_t sm_packs(void *self, const struct mem_request *r) {
  struct caba_sm *s = self;
  uint8_t image[CABA_LINE];
  if (s->awc) return s->length ? s->length : r->bytes;
  const uint8_t *line = s->unit && r->kind == MEM_WRITE && r->bytes == CABA_LINE ? line_at(s, r) : NULL;
  return line ? caba_unit_compress(s->unit, line, image) : caba_agent_packs(s->agent, r);
}

/* A compressed line goes through the unit; its bytes are those that the program's memory has. */
static bool sm_keeps_reply(void *self, uint32_t mshr, const struct mem_request *r, uint32_t warp) {
  struct caba_sm *s = self;
  uint8_t image[CABA_LINE];
  const uint8_t *line = s->unit && r->packed ? line_at(s, r) : NULL;
  uint32_t bytes = line ? caba_encode(&s->unit->coder, line, image) : CABA_LINE;
  if (bytes < CABA_LINE) caba_unit_decompress(s->unit, image, bytes, line);
  return caba_keeps_reply(self, mshr, r, warp);
}

static void sm_cta_start(void *self, uint32_t cta, uint64_t index, uint64_t warps, uint32_t base, uint32_t bytes) {
  struct caba_sm *s = self;
  (void)cta, (void)index;
  if (s->awc) caba_marks_start(s, warps, base, bytes);
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
  if (s->awc) caba_marks_exit(s, warp);
}

static void sm_cta_end(void *self, uint32_t cta) {
  (void)cta;
  ((struct caba_sm *)self)->ctas--;
}

static void sm_cycle(void *self) {
  struct caba_sm *s = self;
  if (s->awc) caba_warps_cycle(s);
  if (s->unit && caba_unit_busy(s->unit)) s->n->caba_sm_unit_differs += caba_unit_cycle(s->unit);
}

static bool sm_busy(const void *self) {
  const struct caba_sm *s = self;
  return (s->awc && caba_warps_busy(s)) || (s->unit && caba_unit_busy(s->unit));
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

static const struct scoreboard_hooks scoreboard = {
  .blocked = sm_blocked, .stall = sm_stall, .own = caba_own, .extension = caba_mark};

const struct system_ops caba_system = {
  .name = "caba",
  .brief = "compressed lines (Vijaykumar 2019, chapter 5)",
  .owner = &caba_owner,
  .agent = &caba_agent_ops,
  .driver = &caba_driver,
  .extensions = caba_extensions,
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
  .l1_packing = &caba_l1_packing,
  .registers = caba_registers,
  .keeps_reply = sm_keeps_reply,
  .answered = caba_answered,
  .describe = sm_describe,
};
