/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/caba/sizes.h"

#include "base/err.h"
#include "block/block.h"
#include "block/block_reset.h"
#include "md_cache_ports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BITS = 25 }; /* of a line, at least: the block's default */

static uint32_t bits_of(uint64_t numbers) {
  uint32_t bits = NUMBER_BITS;
  while (numbers >> bits) bits++;
  return bits;
}

static uint64_t size_lines(const struct size_range *r) {
  return (r->end - r->first + SIZE_LINES_EACH - 1) / SIZE_LINES_EACH;
}

int size_unit_create(struct size_unit *u, uint32_t channel, int64_t bytes, int64_t ways, const struct size_range *range,
                     struct block_factory *f, const uint64_t *now, struct err *e) {
  *u = (struct size_unit){.now = now, .range = *range, .fills.size = SIZE_FILLS};
  if (!bytes) return 0;
  uint64_t memory = size_lines(range) * SIZE_LINE_BYTES;
  u->memory = malloc(memory);
  if (!u->memory) return err_set(e, ERR_LIMIT, "the host has no memory left for sizes of lines");
  memset(u->memory, (int)(range->plain * 0x55), memory);
  snprintf(u->path, sizeof u->path, "l2.%u.md_cache", channel);
  u->cache = BLOCK_MAKE(f, &md_cache_desc, u->path, now, e, {"SETS", bytes / ways / SIZE_LINE_BYTES}, {"WAYS", ways},
                        {"LINES", SIZE_LINES_EACH}, {"LW", bits_of(range->last)});
  return u->cache ? 0 : ERR_VALUE;
}

void size_unit_destroy(struct size_unit *u) {
  block_destroy(u->cache);
  free(u->memory);
}

void size_unit_empty(struct size_unit *u) {
  u->resets = u->cache != NULL;
  u->fills.count = 0;
  u->filled = false;
}

void size_unit_set(struct size_unit *u, uint64_t line, uint32_t bursts) {
  if (!u->cache || line < u->range.first || line >= u->range.end) return;
  uint64_t k = line - u->range.first;
  uint8_t *at = &u->memory[k / 4];
  *at = (uint8_t)((*at & ~(3U << k % 4 * 2)) | bursts << k % 4 * 2);
}

bool size_unit_unfinished(const struct size_unit *u) { return u->filled || u->fills.count; }

/* ---- the cache's cycle ---- */

/* Where memory has a size line, or NULL. */
static uint8_t *in_memory(const struct size_unit *u, uint64_t number) {
  uint64_t k = number - u->range.first / SIZE_LINES_EACH;
  return k < size_lines(&u->range) ? u->memory + k * SIZE_LINE_BYTES : NULL;
}

/* Inputs are set. What left for the last fill is offered from the cycle after it on. */
static const struct md_cache_out *operate(struct size_unit *u) {
  struct md_cache_in *in = u->cache->in;
  const struct md_cache_out *out = u->cache->out;
  bool asks = u->filled && !u->known && *u->now > u->filled_cycle;
  in->ev_ready = asks;
  block_eval(u->cache);
  if (asks) {
    u->known = true;
    u->leaves = out->ev_valid;
    u->left = out->ev_line;
    uint8_t *at = in_memory(u, out->ev_line);
    if (u->leaves && at) memcpy(at, out->ev_data, SIZE_LINE_BYTES);
  }
  block_tick(u->cache);
  memset(in, 0, sizeof *in);
  u->used = *u->now + 1;
  return out;
}

static bool is_used(const struct size_unit *u) { return u->used == *u->now + 1; }

static void reset(struct size_unit *u) {
  block_reset_cycle(u->cache);
  u->used = *u->now + 1;
  u->resets = u->filled = false;
}

bool size_unit_busy(const struct size_unit *u) { return u->resets || (u->fills.count && !u->filled); }

void size_unit_cycle(struct size_unit *u) {
  if (!size_unit_busy(u) || is_used(u)) return;
  if (u->resets) {
    reset(u);
    return;
  }
  struct md_cache_in *in = u->cache->in;
  uint64_t number = u->fill[u->fills.head];
  in->fill_valid = 1, in->fill_line = (uint32_t)number;
  const uint8_t *at = in_memory(u, number);
  if (at) memcpy(in->fill_data, at, SIZE_LINE_BYTES);
  else memset(in->fill_data, (int)(u->range.plain * 0x55), SIZE_LINE_BYTES);
  const struct md_cache_out *out = operate(u);
  invariant(out->fill_ready, "%s: a size line has come, and one that left was not taken", u->path);
  ring_pop(&u->fills);
  u->filled = true, u->known = false;
  u->filled_number = number, u->filled_cycle = *u->now;
}

/* ---- requests ---- */

bool size_unit_free(const struct size_unit *u) { return !u->resets && !u->fills.count && !is_used(u); }

enum size_answer size_unit_look(struct size_unit *u, uint64_t line, bool write, uint32_t now_bursts, uint32_t *bursts) {
  if (!size_unit_free(u)) return SIZE_BUSY;
  struct md_cache_in *in = u->cache->in;
  in->rq_valid = 1, in->rq_line = (uint32_t)line;
  in->rq_write = write, in->rq_bursts = (uint8_t)now_bursts;
  const struct md_cache_out *out = operate(u);
  *bursts = out->bursts;
  return out->hit ? SIZE_KNOWN : SIZE_MISSING;
}

void size_unit_came(struct size_unit *u, uint64_t number) {
  invariant(!ring_full(&u->fills), "%s: more size lines than were asked for", u->path);
  u->fill[ring_push(&u->fills)] = number;
  size_unit_cycle(u);
}

enum size_answer size_unit_leaves(struct size_unit *u, uint64_t number, uint64_t *left) {
  if (!u->filled || u->filled_number != number) return SIZE_BUSY;
  if (!u->known && (is_used(u) || *u->now == u->filled_cycle)) return SIZE_BUSY;
  if (!u->known) operate(u);
  u->filled = false;
  *left = u->left;
  return u->leaves ? SIZE_MISSING : SIZE_KNOWN;
}
