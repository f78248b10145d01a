/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses to the data buffer (spec of Lashgar et al. 2018, 3; assumptions: docs/departures.md). The tag array (block teleport_tags) answers
 * a cycle after it is asked, so the access that the load/store unit takes up next is looked up ahead. A line that comes has the tag
 * array first; the access then waits a cycle. */
#include "systems/teleport/teleport_internal.h"

#include <string.h>

/* ---- copies ---- */

void teleport_copy_line(const struct device_memory *m, uint64_t address, uint32_t bytes, uint8_t *to) {
  uint64_t left = address < m->end ? m->end - address : 0;
  if (bytes > left) bytes = (uint32_t)left;
  const uint8_t *from = bytes ? device_memory_at(m, address, bytes) : NULL;
  if (from) memcpy(to, from, bytes);
}

static void touch(struct teleport_bytes *b, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; i++) b->half[i / 64] |= UINT64_C(1) << i % 64;
}

/* At issue: which bytes of each line the lanes touch. A segment alone has bytes between them, too. */
struct l1_choice teleport_access(void *self, const struct l1_access *a) {
  struct teleport_sm *s = self;
  const struct ptx_access *lanes = a->lanes;
  for (uint32_t k = 0; k < a->segments; k++) {
    struct teleport_bytes b = {{0, 0}};
    uint64_t line = a->segment[k].line;
    for (uint32_t rest = lanes->mask; rest; rest &= rest - 1) {
      uint64_t first = lanes->address[__builtin_ctz(rest)], end = first + lanes->bytes;
      if (first < line) first = line;
      if (end > line + TELEPORT_LINE) end = line + TELEPORT_LINE;
      if (first < end) touch(&b, (uint32_t)(first - line), (uint32_t)(end - line));
    }
    s->touched[(a->number + k) % s->touched_size] = b;
  }
  return (struct l1_choice){0};
}

static bool is_touched(const struct teleport_bytes *b, uint32_t byte) { return b->half[byte / 64] >> byte % 64 & 1; }

/* Whether bytes that the access touches are no longer those of its line's copy. */
static bool is_stale(const struct teleport_sm *s, const struct segment *a, const struct teleport_bytes *touched,
                     const uint8_t *copy) {
  const uint8_t *now = device_memory_at(s->sm.memory, a->address, a->bytes);
  uint32_t first = (uint32_t)(a->address - a->line);
  if (!now || !memcmp(copy + first, now, a->bytes)) return false;
  for (uint32_t i = 0; i < a->bytes; i++)
    if (is_touched(touched, first + i) && copy[first + i] != now[i]) return true;
  return false;
}

/* The copy gets the bytes that the access has written. */
static void update(const struct teleport_sm *s, const struct segment *a, const struct teleport_bytes *touched,
                   uint8_t *copy) {
  const uint8_t *now = device_memory_at(s->sm.memory, a->address, a->bytes);
  uint32_t first = (uint32_t)(a->address - a->line);
  for (uint32_t i = 0; now && i < a->bytes; i++)
    if (is_touched(touched, first + i)) copy[first + i] = now[i];
}

static void note_load(struct teleport_sm *s, const struct next_line *n, const uint8_t *copy) {
  s->n->teleport_load_hits++;
  s->n->teleport_stale_hits += is_stale(s, n->where, &s->touched[n->number % s->touched_size], copy);
}

static void note_store(struct teleport_sm *s, const struct teleport_store *store, uint8_t *copy) {
  s->n->teleport_store_hits++;
  s->sm.take_shared_port(s->sm.sm, s->port_cycles);
  update(s, &store->where, &store->touched, copy);
}

static struct teleport_copy *find_copy(const struct teleport_sm *s, uint64_t number) {
  for (uint32_t row = number % TELEPORT_SETS; row < s->limit * TELEPORT_SETS; row += TELEPORT_SETS)
    if (s->copy[row].line == number + 1) return &s->copy[row];
  return NULL;
}

bool teleport_has_line(const void *self, uint64_t address) {
  const struct teleport_sm *s = self;
  uint64_t number = address / TELEPORT_LINE;
  return s->lines ? teleport_lines_find(s->lines, number) != NULL : find_copy(s, number) != NULL;
}

/* ---- the tag array's cycle ---- */

static uint32_t row_of(const struct teleport_tags_out *out, uint64_t number) {
  return out->way * TELEPORT_SETS + (uint32_t)(number % TELEPORT_SETS);
}

/* What was known of an access is void if a line came or went. */
static void doubt(struct teleport_sm *s, uint64_t number) {
  if (s->known_line == number) s->known = 0;
}

static void note_fill(struct teleport_sm *s, const struct teleport_tags_out *out) {
  uint64_t number = s->filled - 1;
  struct teleport_copy *copy = &s->copy[row_of(out, number)];
  s->n->teleport_refreshed += out->hit;
  if (out->evict_valid) {
    bool own = s->held >> copy->slot & 1 && s->cta[copy->slot].life == copy->life;
    s->n->teleport_evictions++;
    s->n->teleport_self_evictions += own;
    doubt(s, out->evict_line);
  }
  if (!out->hit && !out->placed) return; /* no way may be used */
  doubt(s, number);
  copy->line = number + 1;
  copy->slot = s->filled_slot;
  copy->life = s->cta[s->filled_slot].life;
  teleport_copy_line(s->sm.memory, number * TELEPORT_LINE, TELEPORT_LINE, copy->bytes);
}

static void note_taken_out(struct teleport_sm *s, bool by_store) {
  if (by_store) s->n->teleport_store_hits++;
  else s->n->teleport_atomic_hits++;
}

static void note_loss(struct teleport_sm *s, const struct teleport_tags_out *out) {
  if (!out->hit) return;
  struct teleport_copy *copy = &s->copy[out->way * TELEPORT_SETS + s->lost % TELEPORT_SETS];
  note_taken_out(s, s->lost_by_store);
  doubt(s, s->lost);
  copy->line = 0;
}

static void take_answer(struct teleport_sm *s, const struct teleport_tags_out *out) {
  enum { FILL = 1, INVALIDATION = 2, PROBE = 3 };
  if (out->answer == FILL) note_fill(s, out);
  if (out->answer == INVALIDATION) note_loss(s, out);
  if (out->answer != PROBE) return;
  if (s->asks_for_store) {
    if (out->hit) note_store(s, &s->store_asked, s->copy[row_of(out, s->asked_line)].bytes);
    return;
  }
  s->known = s->asked;
  s->known_line = s->asked_line;
  s->known_hit = out->hit;
  s->known_row = row_of(out, s->asked_line);
}

void teleport_tags_begin(struct teleport_sm *s) {
  if (s->tags_on) return;
  struct teleport_tags_in *in = s->tags->in;
  in->fill_valid = s->fill != 0;
  if (s->fill) in->fill_line = s->fill - 1;
  in->inval_valid = s->inval != 0;
  if (s->inval) in->inval_line = s->inval - 1;
  in->limit_en = s->limits;
  in->limit = (uint8_t)s->limit;
  in->clear = s->clears;
  in->probe_valid = 0;
  block_eval(s->tags);
  s->tags_on = true;
  if (s->tags_awake) take_answer(s, s->tags->out);
}

/* The load that comes, if nothing is known of it. */
static bool wants_probe(const struct teleport_sm *s, struct next_line *n) {
  return s->limit && s->sm.next_line(s->sm.sm, n) && n->kind == MEM_READ && n->number + 1 != s->known;
}

bool teleport_tags_due(const struct teleport_sm *s) {
  struct next_line n;
  return s->tags && (s->tags_on || s->fill || s->inval || s->store_waits || s->limits || s->clears || s->tags_awake ||
                     !s->tags->skip || wants_probe(s, &n));
}

/* Ways at and above the limit have lost their lines. */
static void drop_copies(struct teleport_sm *s, uint32_t from) {
  for (uint32_t row = from * TELEPORT_SETS; row < s->all_ways * TELEPORT_SETS; row++) s->copy[row].line = 0;
  s->known = 0;
}

/* A store that has left is looked up before the load that comes. */
static void probe(struct teleport_sm *s, struct teleport_tags_in *in) {
  struct next_line n;
  s->asks_for_store = s->store_waits;
  in->probe_valid = s->store_waits || wants_probe(s, &n);
  if (!in->probe_valid) return;
  s->asked = s->store_waits ? 0 : n.number + 1;
  s->asked_line = in->probe_line = (s->store_waits ? s->store.where.line : n.where->line) / TELEPORT_LINE;
  s->store_asked = s->store;
  s->store_waits = false;
}

void teleport_tags_end(struct teleport_sm *s) {
  struct teleport_tags_in *in = s->tags->in;
  const struct teleport_tags_out *out = s->tags->out;
  if (out->probe_ready) probe(s, in);
  block_tick(s->tags);
  s->tags_on = false;
  s->tags_awake = in->fill_valid || in->inval_valid || in->probe_valid || s->limits || s->clears;
  s->filled = s->fill;
  s->filled_slot = s->fill_slot;
  s->fill = 0;
  if (in->inval_valid && out->inval_ready) {
    s->lost = s->inval - 1;
    s->lost_by_store = s->inval_by_store;
    s->inval = 0;
  }
  if (s->clears) drop_copies(s, 0);
  else if (s->limits) drop_copies(s, s->limit);
  s->limits = s->clears = false;
}

/* ---- accesses ---- */

static enum line_answer wait(struct teleport_sm *s) {
  s->n->teleport_waits++;
  return LINE_BUSY;
}

/* The store goes on to memory; the buffer is looked up beside it. */
static enum line_answer store(struct teleport_sm *s, const struct next_line *n) {
  const struct teleport_store it = {*n->where, s->touched[n->number % s->touched_size]};
  uint8_t *copy = s->lines ? teleport_lines_find(s->lines, n->where->line / TELEPORT_LINE) : NULL;
  if (copy) note_store(s, &it, copy);
  if (!s->tags || !s->limit) return LINE_ELSEWHERE;
  teleport_tags_begin(s);
  if (s->store_waits) return wait(s);
  s->store = it;
  s->store_waits = true;
  return LINE_ELSEWHERE;
}

/* The line leaves, a cycle later. */
static enum line_answer take_out(struct teleport_sm *s, uint64_t number, bool by_store) {
  if (s->lines && teleport_lines_remove(s->lines, number)) note_taken_out(s, by_store);
  if (!s->tags || !s->limit) return LINE_ELSEWHERE;
  teleport_tags_begin(s);
  if (s->inval) return wait(s);
  s->inval = number + 1;
  s->inval_by_store = by_store;
  return LINE_ELSEWHERE;
}

static enum line_answer load(struct teleport_sm *s, const struct next_line *n) {
  const uint8_t *copy = s->lines ? teleport_lines_find(s->lines, n->where->line / TELEPORT_LINE) : NULL;
  if (s->tags && s->limit) {
    teleport_tags_begin(s);
    if (n->number + 1 != s->known) return wait(s);
    if (s->store_waits && s->store.where.line == n->where->line) return wait(s); /* whose bytes it may read */
    if (s->inval_by_store && s->inval == n->where->line / TELEPORT_LINE + 1) return wait(s);
    if (s->known_hit) copy = s->copy[s->known_row].bytes;
  }
  if (!copy) return LINE_ELSEWHERE;
  if (!s->sm.shared_port_free(s->sm.sm)) return wait(s);
  s->sm.take_shared_port(s->sm.sm, s->port_cycles);
  note_load(s, n, copy);
  return LINE_HERE;
}

enum line_answer teleport_line(void *self, enum mem_kind kind, const struct segment *a) {
  struct teleport_sm *s = self;
  struct next_line n;
  bool comes = s->sm.next_line(s->sm.sm, &n);
  invariant(comes && n.where == a, "SM %u: an access to L1 that is not the next one", s->index);
  bool evicts = kind == MEM_WRITE && s->p->store == TELEPORT_STORE_EVICTS;
  if (kind == MEM_ATOMIC || evicts) return take_out(s, a->line / TELEPORT_LINE, evicts);
  return kind == MEM_READ ? load(s, &n) : store(s, &n);
}
