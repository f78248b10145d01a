/* SPDX-License-Identifier: Apache-2.0 */
/* Prefetches of use case 1 (Vijaykumar 2019, 2.5; assumption: the rule): after a miss, or the first use of a prefetched line,
 * the next lines of the atom's pattern. Each goes to the slice that owns it, which asks its AMU whether the line has the
 * same atom. Prefetches stay in a region of memory (l2.prefetch_region), as those of the stride prefetcher do.
 *
 * The home AMU tells all partitions the mapped blocks as they were given (2.4.2: components "that require accurate
 * information of higher-dimensional address mappings"): where a block's row ends, the pattern goes on with its next
 * row. Strides of a row and more follow the address. assumption: a block's frames are contiguous; within a region they
 * are, and elsewhere its AMU's answer says that the line has another atom. */
#include "systems/xmem/agent_internal.h"

#include <string.h>

/* ---- mapped blocks ---- */

static bool same_block(const struct block_map *x, const struct block_map *y) {
  return x->start == y->start && x->size_x == y->size_x && x->size_y == y->size_y && x->size_z == y->size_z;
}

void prefetch_mapped(struct xmem_agent *a) {
  const struct xmem_command *c = &a->commands.given;
  uint64_t start = 0;
  if (c->aid >= a->none || !page_table_walk(memory_pages(a->s.memory), c->start, &start)) return;
  struct block_map m = {.start = start,
                        .from = a->cycle + a->bus_latency,
                        .pitch = c->len_x,
                        .plane = (uint64_t)c->len_x * c->len_y,
                        .size_x = c->size_x,
                        .size_y = c->dim >= 2 ? c->size_y : 1,
                        .size_z = c->dim >= 3 ? c->size_z : 1};
  struct block_map *known = a->maps[c->aid];
  if (c->code == XMEM_CODE_UNMAP) {
    for (uint32_t i = 0; i < MAPS_AN_ATOM; i++)
      if (same_block(&known[i], &m)) known[i].size_x = 0;
    return;
  }
  for (uint32_t i = MAPS_AN_ATOM - 1; i; i--) known[i] = known[i - 1];
  known[0] = m;
}

void prefetch_forget(struct xmem_agent *a) { memset(a->maps, 0, XMEM_IDS * sizeof *a->maps); }

/* ---- steps ---- */

/* A place in a block. */
struct place {
  int64_t x;
  uint64_t y, z;
};

static bool find_place(const struct block_map *m, uint64_t physical, struct place *p) {
  if (!m->size_x || physical < m->start) return false;
  uint64_t at = physical - m->start;
  p->z = m->size_z > 1 && m->plane ? at / m->plane : 0;
  at -= p->z * m->plane * (m->size_z > 1);
  p->y = m->size_y > 1 && m->pitch ? at / m->pitch : 0;
  p->x = (int64_t)(at - p->y * m->pitch * (m->size_y > 1));
  return p->x < m->size_x && p->y < m->size_y && p->z < m->size_z;
}

/* The place a step on, in the next row or the one before at a row's end; false: the block ends. */
static bool step_on(const struct block_map *m, struct place *p, int64_t step) {
  p->x += step;
  while (p->x < 0 || p->x >= m->size_x) {
    bool on = p->x >= m->size_x;
    p->x += on ? -(int64_t)m->size_x : (int64_t)m->size_x;
    if (on ? ++p->y < m->size_y : p->y-- > 0) continue;
    p->y = on ? 0 : m->size_y - 1;
    if (on ? ++p->z >= m->size_z : p->z-- == 0) return false;
  }
  return true;
}

static uint64_t address_of(const struct block_map *m, const struct place *p) {
  return m->start + p->z * m->plane + p->y * m->pitch + (uint64_t)p->x;
}

/* The block that the pattern follows, or NULL: the address. */
static const struct block_map *block_of(const struct xmem_agent *a, uint32_t aid, uint64_t physical, int64_t step,
                                        struct place *p) {
  if (a->p->prefetch_map != XMEM_PREFETCH_EXACT) return NULL;
  for (uint32_t i = 0; i < MAPS_AN_ATOM; i++) {
    const struct block_map *m = &a->maps[aid][i];
    if (m->from <= a->cycle && find_place(m, physical, p))
      return m->size_y * m->size_z > 1 && step < m->size_x && step > -(int64_t)m->size_x ? m : NULL;
  }
  return NULL;
}

void prefetch_follow(struct xmem_agent *a, struct partition *k, uint64_t physical, uint32_t aid) {
  const struct xmem_prefetch_entry *t = &a->tables.prefetch[aid];
  int64_t line = a->config->line_bytes, step = t->stride;
  if (step < line && step > -line) step = step < 0 ? -line : line;
  struct place place = {0};
  const struct block_map *m = block_of(a, aid, physical, step, &place);
  uint64_t at = physical, last = physical & ~(uint64_t)(line - 1);
  for (uint32_t i = 0; i < t->degree; i++) {
    if (m && !step_on(m, &place, step)) return;
    at = m ? address_of(m, &place) : at + (uint64_t)step;
    if (at / a->region != physical / a->region) return;
    uint64_t wanted = at & ~(uint64_t)(line - 1);
    if (wanted != last) lookups_prefetch(a, k, wanted, aid);
    last = wanted;
  }
}
