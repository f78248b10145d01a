/* SPDX-License-Identifier: Apache-2.0 */
/* The D2MA engine of an SM: construction, the order of a cycle, and the life of CTAs. */
#include "systems/d2ma/d2ma.h"

#include "systems/d2ma/d2ma_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_config(const struct gpu_config *m, struct err *e) {
  const struct d2ma_parameters *p = d2ma_parameters(m);
  int64_t seg = p->segment;
  if (seg != 32 && seg != 64 && seg != 128)
    return err_set(e, ERR_VALUE, "d2ma.segment is %lld; set it to 32, 64 or 128", (long long)seg);
  if (seg > m->line_bytes)
    return err_set(e, ERR_VALUE, "d2ma.segment (%lld) exceeds line_bytes (%lld); lower it", (long long)seg,
                   (long long)m->line_bytes);
  if (p->demand_mshrs >= m->l1_mshrs)
    return err_set(e, ERR_VALUE, "d2ma.demand_mshrs (%lld) leaves none of the l1.mshrs (%lld) to D2MA; lower it",
                   (long long)p->demand_mshrs, (long long)m->l1_mshrs);
  if (m->sm_ctas > D2MA_CTAS || m->sm_shared_bytes > 65536)
    return err_set(
      e, ERR_VALUE,
      "sm.ctas = %lld, sm.shared_bytes = %lld: D2MA's tables hold %d CTAs and shared addresses of 16 bits; "
      "lower them",
      (long long)m->sm_ctas, (long long)m->sm_shared_bytes, (int)D2MA_CTAS);
  if (p->segment > 4 * m->shared_banks) /* a request would span two pads; the RTL refuses it at elaboration */
    return err_set(e, ERR_VALUE, "d2ma.segment = %lld: at most 4 * shared.banks = %lld bytes", (long long)p->segment,
                   (long long)(4 * m->shared_banks));
  return 0;
}

static int create_blocks(struct d2ma *d, const struct gpu_config *m, struct block_factory *f, const char *path,
                         struct err *e) {
  const struct d2ma_parameters *p = d2ma_parameters(m);
  static const char *const part[] = {"ctrl", "foot", "lanes", "raw", "agen", "req"};
  const struct block_setting ctas = {"CTAS", m->sm_ctas}, bufs = {"BUFS", p->buffers}, warps = {"WARPS", m->sm_warps};
  const struct block_setting mshrs = {"MSHRS", m->l1_mshrs}, seg = {"SEG", p->segment}, nb = {"NB", m->shared_banks};
  for (uint32_t i = 0; i < 6; i++) snprintf(d->path[i], sizeof d->path[i], "%s.d2ma.%s", path, part[i]);
  const uint64_t *now = d->sm.now;
  if (!(d->ctrl = BLOCK_MAKE(f, &d2ma_ctrl_array_desc, d->path[0], now, e, ctas, bufs, warps, mshrs)) ||
      !(d->foot = BLOCK_MAKE(f, &d2ma_footprint_desc, d->path[1], now, e, ctas, bufs, nb)) ||
      !(d->lanes = BLOCK_MAKE(f, &d2ma_lane_range_desc, d->path[2], now, e, ctas, warps)) ||
      !(d->raw = BLOCK_MAKE(f, &d2ma_raw_check_desc, d->path[3], now, e, ctas, bufs, warps)) ||
      !(d->agen = BLOCK_MAKE(f, &d2ma_agen_desc, d->path[4], now, e, seg, nb)) ||
      !(d->req = BLOCK_MAKE(f, &d2ma_requests_desc, d->path[5], now, e, ctas, bufs, mshrs, seg, nb)))
    return ERR_VALUE;
  ((struct d2ma_ctrl_array_in *)d->ctrl->in)->literal = d->literal;
  ((struct d2ma_requests_in *)d->req->in)->reserve = (uint16_t)p->demand_mshrs;
  return 0;
}

static void d2ma_destroy(void *self) {
  struct d2ma *d = self;
  if (!d) return;
  struct block *const parts[] = {d->ctrl, d->foot, d->lanes, d->raw, d->agen, d->req};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (parts[i]) block_destroy(parts[i]);
  free(d);
}

static void *d2ma_create(const struct gpu_config *m, struct block_factory *factory, const char *path, uint32_t sm_index,
                         const struct sm_services *services, struct err *e) {
  (void)sm_index;
  if (check_config(m, e)) return NULL;
  struct d2ma *d = calloc(1, sizeof *d);
  if (!d) {
    err_set(e, ERR_LIMIT, "%s: out of memory for the D2MA engine", path);
    return NULL;
  }
  const struct d2ma_parameters *p = d2ma_parameters(m);
  d->sm = *services;
  d->n = d2ma_counters(services->counters);
  d->ctas = (uint32_t)m->sm_ctas;
  d->buffers = (uint32_t)p->buffers;
  d->mshrs = (uint32_t)m->l1_mshrs;
  d->banks = (uint32_t)m->shared_banks;
  d->segment = (uint32_t)p->segment;
  d->shared_bytes = (uint32_t)m->sm_shared_bytes;
  d->literal = p->reignition == D2MA_LITERAL;
  d->check_stores = p->check_stores != 0;
  d->faults = p->errors == D2MA_ERRORS_FAULT;
  d->running = d->force = d->reply = D2MA_NONE;
  if (create_blocks(d, m, factory, path, e)) {
    d2ma_destroy(d);
    return NULL;
  }
  return d;
}

/* ---- CTAs ---- */

void d2ma_abort(void *self, uint32_t cta) {
  struct d2ma *d = self;
  for (uint32_t b = 0; b < D2MA_BUFFERS; b++) {
    struct d2ma_entry *e = &d->entry[entry_index(cta, b)];
    e->bad_field = e->bad_modifier = false;
    e->footprint = D2MA_NONE;
  }
  d->clr |= 1u << cta;
  d->waiting &= ~d->cta[cta].warps;
  if (d->force != D2MA_NONE && d->force / D2MA_BUFFERS == cta) d->force = D2MA_NONE;
  for (uint32_t i = 0; i <= D2MA_CHECK_CYCLES; i++)
    if (d->query[i].cta == cta) d->query[i].valid = false;
}

static void d2ma_cta_start(void *self, uint32_t cta, uint64_t index, uint64_t warps, uint32_t base, uint32_t bytes) {
  struct d2ma *d = self;
  (void)index, (void)base, (void)bytes;
  d2ma_abort(d, cta); /* does something only after a killed launch */
  d->cta[cta].warps = warps;
  d->waiting &= ~warps;
  d->exits &= ~warps;
  for (uint64_t rest = warps; rest; rest &= rest - 1) d->cta_of_warp[__builtin_ctzll(rest)] = (uint8_t)cta;
  for (uint64_t rest = warps; rest; rest &= rest - 1)
    memset(d->size[__builtin_ctzll(rest)], D2MA_NO_SIZE, sizeof d->size[0]);
}

static bool d2ma_cta_may_retire(void *self, uint32_t cta) {
  const struct d2ma *d = self;
  const struct d2ma_ctrl_array_out *out = d->ctrl->out;
  if ((d->fresh | out->freed_next) >> cta & 1) return false;
  return !d2ma_buffers_of(d, out->armed | out->open | out->moving, cta);
}

/* ---- cycle ---- */

static uint64_t d2ma_blocked(const void *self) { return ((const struct d2ma *)self)->waiting; }

static void d2ma_cycle(void *self) {
  struct d2ma *d = self;
  const struct d2ma_ctrl_array_out *out = d->ctrl->out;
  if (!d->ctrl_on && d2ma_ctrl_due(d)) d2ma_ctrl_begin(d, 0);
  if (d->ctrl_on) d->waiting &= ~out->wake;
  d2ma_raw_cycle(d);
  d2ma_agen_cycle(d);
  if (d->ctrl_on) d2ma_ctrl_end(d);
}

/* Without skipping, every block executes every cycle. */
static bool d2ma_busy(const void *self) {
  const struct d2ma *d = self;
  return d2ma_ctrl_due(d) || d->lanes_awake || d->raw_awake || d->agen_awake || d->req_awake || !d->agen->skip;
}

static void d2ma_describe(const void *self, FILE *out) {
  const struct d2ma *d = self;
  const struct d2ma_ctrl_array_out *ctrl = d->ctrl->out;
  for (uint32_t i = 0; i < d->ctas * D2MA_BUFFERS; i++) {
    uint32_t cta = i / D2MA_BUFFERS, buf = i % D2MA_BUFFERS, segments = 0;
    bool armed = d2ma_buffers_of(d, ctrl->armed, cta) >> buf & 1, open = d2ma_buffers_of(d, ctrl->open, cta) >> buf & 1;
    bool moving = d2ma_buffers_of(d, ctrl->moving, cta) >> buf & 1;
    if (!armed && !open && !moving) continue;
    for (uint32_t k = 0; k < d->mshrs; k++)
      segments += d->mshr[k].dma && entry_index(d->mshr[k].cta, d->mshr[k].buf) == i;
    fprintf(out, "  D2MA: CTA slot %u buffer %u: %s, %u segments outstanding\n", cta, buf,
            moving  ? "in transfer"
            : armed ? "armed, waits until every live warp has asked for it"
                    : "done, waits until every live warp has asked for it",
            segments);
  }
  if (d->waiting) fprintf(out, "  D2MA: warps 0x%llx wait for a buffer\n", (unsigned long long)d->waiting);
}

static const struct scoreboard_hooks hooks = {
  .check_cycles = D2MA_CHECK_CYCLES,
  .blocked = d2ma_blocked,
  .extension = d2ma_extension,
  .shared_needs_check = d2ma_shared_needs_check,
  .shared_query = d2ma_shared_query,
  .squash = d2ma_squash,
  .all_blocked = d2ma_all_blocked,
};

const struct system_ops d2ma_system = {
  .name = "d2ma",
  .brief = "data-parallel DMA into shared memory (Jamshidi 2014)",
  .owner = &d2ma_owner,
  .extensions = d2ma_extensions,
  .scoreboard = &hooks,
  .create = d2ma_create,
  .destroy = d2ma_destroy,
  .cta_start = d2ma_cta_start,
  .warp_exit = d2ma_warp_exit,
  .cta_may_retire = d2ma_cta_may_retire,
  .cycle = d2ma_cycle,
  .busy = d2ma_busy,
  .fill = d2ma_fill,
  .describe = d2ma_describe,
};
