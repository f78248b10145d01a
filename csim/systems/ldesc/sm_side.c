/* SPDX-License-Identifier: Apache-2.0 */
/* An SM's side of the Locality Descriptor: its blocks, the CTAs that come and go, and the hooks of core/system.h. */
#include "systems/ldesc/ldesc_internal.h"
#include "systems/ldesc/ldesc_system.h"

#include "ldesc_l1_ports.h"

#include <stdlib.h>
#include <string.h>

/* ---- construction ---- */

static int check_config(const struct gpu_config *m, struct err *e) {
  int64_t sets = m->l1_bytes / (m->l1_ways * LDESC_LINE);
  if (m->line_bytes != LDESC_LINE)
    return err_set(e, ERR_VALUE,
                   "line_bytes = %lld: the Locality Descriptor's table has lines of %d bytes; set it to that",
                   (long long)m->line_bytes, (int)LDESC_LINE);
  if (m->l1_ways > 8)
    return err_set(e, ERR_VALUE, "l1.ways = %lld: the Locality Descriptor keeps priorities of 8 ways at most",
                   (long long)m->l1_ways);
  if (sets < 2 || sets > 64 || (sets & (sets - 1)))
    return err_set(e, ERR_VALUE,
                   "l1.bytes = %lld: the Locality Descriptor keeps priorities of 2, 4, .. 64 sets, and there are %lld; "
                   "l1.bytes / (l1.ways * %d) is their number",
                   (long long)m->l1_bytes, (long long)sets, (int)LDESC_LINE);
  if (m->sm_ctas > LDESC_SLOTS)
    return err_set(e, ERR_VALUE, "sm.ctas = %lld: the Locality Descriptor's prefetch engine knows %d CTAs at most",
                   (long long)m->sm_ctas, (int)LDESC_SLOTS);
  return 0;
}

static void destroy(void *self) {
  struct ldesc_sm *s = self;
  if (!s) return;
  if (s->l1) block_destroy(s->l1);
  if (s->port) block_destroy(s->port);
  ldesc_lines_destroy(s->lines);
  free(s);
}

static bool create_parts(struct ldesc_sm *s, const struct gpu_config *m, struct block_factory *f, const char *path,
                         struct err *e) {
  snprintf(s->path[0], sizeof s->path[0], "%s.ldesc.l1", path);
  snprintf(s->path[1], sizeof s->path[1], "%s.ldesc.port", path);
  s->lines = ldesc_lines_create();
  if (!s->lines) {
    err_set(e, ERR_LIMIT, "%s: the host has no memory left for the Locality Descriptor", path);
    return false;
  }
  s->l1 = BLOCK_MAKE(f, &ldesc_l1_desc, s->path[0], s->sm.now, e, {"SETS", m->l1_bytes / (m->l1_ways * LDESC_LINE)},
                     {"WAYS", m->l1_ways}, {"TICKS", s->p->unpin_period / LDESC_PRESCALE}, {"SLOTS", LDESC_SLOTS},
                     {"ROWS", LDESC_ROWS}, {"FIFO", s->p->prefetch_queue}, {"PAW", ZONE_ADDRESS_BITS});
  return s->l1 && ldesc_port_create(s, m, f, e);
}

static void *create(const struct gpu_config *m, struct block_factory *factory, const char *path, uint32_t sm_index,
                    const struct sm_services *services, struct err *e) {
  if (check_config(m, e)) return NULL;
  struct ldesc_sm *s = calloc(1, sizeof *s);
  if (!s) {
    err_set(e, ERR_LIMIT, "%s: the host has no memory left for the Locality Descriptor", path);
    return NULL;
  }
  s->sm = *services;
  s->p = ldesc_parameters(m);
  s->n = ldesc_counters(services->counters);
  s->dispatcher = services->dispatch;
  s->index = sm_index;
  s->ways = (uint32_t)m->l1_ways;
  s->way_bits = block_bits(s->ways);
  s->offered = LDESC_NO_LINE;
  if (create_parts(s, m, factory, path, e)) return s;
  destroy(s);
  return NULL;
}

/* ---- CTAs ---- */

/* What an aborted launch left is over. Lines that the prefetch engine holds stay. */
static int launch(void *self, const struct ptx_kernel *kernel, struct err *e) {
  struct ldesc_sm *s = self;
  (void)kernel, (void)e;
  s->next_row = 0;
  s->clears = true;
  s->starts = s->fills = s->hits = s->misses = s->on = s->asks = false;
  s->ending |= s->held;
  ldesc_lines_clear(s->lines);
  return 0;
}

static void cta_start(void *self, uint32_t cta, uint64_t index, uint64_t warps, uint32_t base, uint32_t bytes) {
  struct ldesc_sm *s = self;
  const uint32_t *grid = s->dispatcher->grid;
  (void)warps, (void)base, (void)bytes;
  invariant(!s->starts, "SM %u: two CTAs start in a cycle", s->index);
  s->starts = true;
  s->start_slot = cta;
  s->start_at[0] = (uint32_t)(index % grid[0]);
  s->start_at[1] = (uint32_t)(index / grid[0] % grid[1]);
  s->start_at[2] = (uint32_t)(index / grid[0] / grid[1]);
}

static void cta_end(void *self, uint32_t cta) { ((struct ldesc_sm *)self)->ending |= 1U << cta; }

/* ---- cycles ---- */

static void cycle(void *self) {
  struct ldesc_sm *s = self;
  if (!ldesc_l1_due(s)) return;
  if (!s->on) ldesc_l1_evaluate(s, LDESC_NO_LINE);
  ldesc_l1_end(s);
}

static bool busy(const void *self) { return ldesc_l1_due(self); }

/* The next tick of the timer. */
static uint64_t wake(const void *self) {
  const struct ldesc_sm *s = self;
  return (*s->sm.now + 1) / LDESC_PRESCALE * LDESC_PRESCALE + (LDESC_PRESCALE - 1);
}

static void describe(const void *self, FILE *out) {
  const struct ldesc_sm *s = self;
  if (s->offered == LDESC_NO_LINE) return;
  fprintf(out, "  Locality Descriptor: line 0x%llx waits to be prefetched\n",
          (unsigned long long)s->offered * LDESC_LINE);
}

static const struct scoreboard_hooks hooks = {0}; /* not for barrels, whose replies take several cycles to fill */

const struct system_ops ldesc_system = {
  .name = "ldesc",
  .brief = "descriptors of data locality: L1, prefetching, CTA dispatch (Vijaykumar 2019, chapter 3)",
  .owner = &ldesc_owner,
  .dispatch = &ldesc_dispatch,
  .driver = &ldesc_driver,
  .l1_policy = &ldesc_l1_policy,
  .l1 = &ldesc_l1_hooks,
  .scoreboard = &hooks,
  .create = create,
  .destroy = destroy,
  .launch = launch,
  .cta_start = cta_start,
  .cta_end = cta_end,
  .cycle = cycle,
  .busy = busy,
  .wake = wake,
  .place = ldesc_place,
  .describe = describe,
};
