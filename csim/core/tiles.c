/* SPDX-License-Identifier: Apache-2.0 */
/* Measures how long staging copies take (Jamshidi 2014, 5.2). A CTA's staging copy begins with the first operation that
 * computes an address for it, or loads; its address generation ends when its last load has left the load/store unit; it
 * ends with its last shared store. assumption: barriers separate copies: the barrier after a store to the tile, or the
 * end of the CTA, ends a copy. The operations are marked when the kernel is decoded (ptx/tiles.c). Measuring does not
 * affect the simulation. */
#include "core/sm_state.h"

#include <stdlib.h>
#include <string.h>

/* A staging copy. The previous one is kept while its stores are still in the load/store unit. */
struct tile_copy {
  uint64_t begin, last_request, last_write; /* core cycles */
  uint32_t loads, stores;                   /* in the load/store unit */
  bool open, loaded, stored, closing;
};

struct sm_tiles {
  struct {
    struct tile_copy copy[PTX_TILES][2];
    uint8_t current[PTX_TILES];
    uint8_t serial; /* CTAs that this slot has had: accesses left over from earlier ones are ignored */
  } cta[SM_CTAS];
};

static uint32_t role_of(uint8_t tile) { return tile & 3; }

int sm_tiles_launch(struct sm *sm, struct err *e) {
  if (!sm->launch.kernel->n_tiles) return 0;
  if (!sm->tiles) sm->tiles = malloc(sizeof *sm->tiles);
  if (!sm->tiles) return err_set(e, ERR_LIMIT, "%s: the host has no memory left for it", sm->path);
  memset(sm->tiles, 0, sizeof *sm->tiles);
  return 0;
}

static struct tile_copy *current_copy(struct sm *sm, uint32_t slot, uint32_t tile) {
  return &sm->tiles->cta[slot].copy[tile][sm->tiles->cta[slot].current[tile]];
}

static void finish(struct sm *sm, uint32_t slot, uint32_t tile, struct tile_copy *c) {
  struct sm_counters *counters = &sm->counters;
  counters->tile_copies++;
  counters->tile_agen_cycles += c->last_request - c->begin;
  if (c->last_write > c->last_request) counters->tile_mem_cycles += c->last_write - c->last_request;
  if (sm->events) sm_events_copy(sm, slot, tile, c->begin, c->last_request, c->last_write);
  *c = (struct tile_copy){.open = false};
}

/* An operation of a staging copy is issued. */
void sm_tile_issue(struct sm *sm, uint32_t w, const struct ptx_op *op) {
  uint32_t slot = sm->warp[w]->cta;
  struct tile_copy *c = current_copy(sm, slot, op->tile >> 2);
  sm->counters.tile_instructions += op->issue_slots;
  if (c->open) return;
  *c = (struct tile_copy){.open = true, .begin = *sm->now, .last_request = *sm->now, .last_write = *sm->now};
}

/* Its access enters the load/store unit. */
void sm_tile_push(struct sm *sm, uint32_t w, const struct ptx_op *op, struct lsu_entry *entry) {
  uint32_t slot = sm->warp[w]->cta, tile = op->tile >> 2;
  if (role_of(op->tile) == PTX_TILE_ADDRESS) return;
  struct tile_copy *c = current_copy(sm, slot, tile);
  entry->tile = op->tile;
  entry->tile_cta = (uint8_t)slot;
  entry->tile_copy = sm->tiles->cta[slot].current[tile];
  entry->tile_serial = sm->tiles->cta[slot].serial;
  if (sm->events) sm_events_tile(sm, slot);
  if (role_of(op->tile) == PTX_TILE_STORE) c->stores++, c->stored = true;
  else c->loads++, c->loaded = true;
}

/* Its access leaves the load/store unit: a load's last request was sent in this cycle, or a store's last port cycle
 * ends. */
void sm_tile_pop(struct sm *sm, const struct lsu_entry *entry, uint64_t cycle) {
  uint32_t slot = entry->tile_cta, tile = entry->tile >> 2;
  struct tile_copy *c = &sm->tiles->cta[slot].copy[tile][entry->tile_copy];
  if (entry->tile_serial != sm->tiles->cta[slot].serial) return;
  if (role_of(entry->tile) == PTX_TILE_STORE) {
    c->stores--;
    c->last_write = cycle;
  } else {
    c->loads--;
    c->last_request = cycle;
  }
  if (c->closing && !c->loads && !c->stores) finish(sm, slot, tile, c);
}

/* All warps of the CTA are past a barrier. */
void sm_tile_barrier(struct sm *sm, uint32_t slot) {
  for (uint32_t t = 0; t < sm->launch.kernel->n_tiles; t++) {
    struct tile_copy *c = current_copy(sm, slot, t), *other;
    uint8_t *current = &sm->tiles->cta[slot].current[t];
    if (!c->open) continue;
    if (!c->stored) { /* so far loaded into registers only, or nothing was copied */
      c->open = c->loaded;
      continue;
    }
    if (!c->loads && !c->stores) {
      finish(sm, slot, t, c);
      continue;
    }
    other = &sm->tiles->cta[slot].copy[t][!*current];
    if (other->open) continue; /* two are in flight: this one continues */
    c->closing = true;
    *current = !*current;
  }
}

void sm_tile_cta_end(struct sm *sm, uint32_t slot) {
  for (uint32_t t = 0; t < sm->launch.kernel->n_tiles; t++)
    for (uint32_t i = 0; i < 2; i++) {
      struct tile_copy *c = &sm->tiles->cta[slot].copy[t][i];
      if (c->stores) c->last_write = *sm->now;
      if (c->open && c->stored) finish(sm, slot, t, c);
      *c = (struct tile_copy){.open = false};
    }
  sm->tiles->cta[slot].serial++;
}

/* True if no warp issues because every thread waits for a staging copy: for the data of its loads, for a place in the
 * load/store unit, for the proposal, or at a barrier for threads that do. */
bool sm_waits_for_tiles(const struct sm *sm) {
  uint64_t copying = sm->waiting[WAIT_TILE] | sm->was_blocked, others = sm->active & ~(copying | sm->at_barrier);
  if (!sm->launch.kernel->n_tiles) return copying && !others;
  if (others & ~sm->ready) return false;
  for (uint64_t rest = others; rest; rest &= rest - 1)
    if (role_of(sm->warp[lowest(rest)]->op->tile) <= PTX_TILE_ADDRESS) return false;
  return copying | others;
}
