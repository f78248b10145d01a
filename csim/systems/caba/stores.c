/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that warps write. They wait in sets of L1 that are no cache; a line of which every byte was written is compressed by an assist warp
 * of low priority. A line leaves as it is when it is old and has bytes that were not written, when the buffer is full,
 * and when the last CTA has ended. Its parent (caba.parent) is the warp that has started last (assumption: the one that wrote
 * often ends soon, and its compression with it). Loads do not look into the buffer: values come from memory, as everywhere. */
#include "base/err.h"
#include "systems/caba/caba_internal.h"

#include <stdlib.h>
#include <string.h>

#define ALL UINT64_MAX

int caba_stores_make(struct caba_sm *s, struct err *e) {
  uint64_t segments = (uint64_t)s->config->lsu_queue * SEGMENTS_MAX;
  s->stores = (uint32_t)s->p->stores;
  s->memory_end = DEVICE_MEMORY_BASE + ((uint64_t)s->config->memory_mib << 20);
  for (s->numbers = 1; s->numbers < segments;) s->numbers *= 2;
  s->store_line = calloc(s->stores + 1, sizeof *s->store_line);
  s->written = calloc(s->numbers, sizeof *s->written);
  return s->store_line && s->written ? 0 : err_set(e, ERR_LIMIT, "the host has no memory left for assist warps");
}

void caba_stores_reset(struct caba_sm *s) {
  for (uint32_t i = 0; i < s->stores; i++) s->store_line[i].state = STORE_FREE;
  memset(s->asked, 0, sizeof s->asked);
  s->kept = 0;
  s->live = s->exits = 0;
  s->crowded = false;
  s->stores_due = 0;
}

uint64_t caba_stores_bytes(const struct gpu_config *m) {
  const struct caba_parameters *p = caba_parameters(m);
  uint64_t set = (uint64_t)m->l1_ways * AWS_LINE, bytes = caba_assists(p) ? (uint64_t)p->stores * AWS_LINE : 0;
  return (bytes + set - 1) / set * set;
}

/* ---- writes ---- */

static void set_bytes(uint64_t mask[2], uint64_t first, uint64_t bytes) {
  for (uint64_t k = first; k < first + bytes && k < AWS_LINE; k++) mask[k / 64] |= caba_bit(k % 64);
}

/* What the lanes write of each segment. */
struct l1_choice caba_access(void *self, const struct l1_access *a) {
  struct caba_sm *s = self;
  for (uint32_t i = 0; s->stores && a->store && i < a->segments; i++) {
    struct caba_written *w = &s->written[(a->number + i) % s->numbers];
    const struct segment *g = &a->segment[i];
    w->mask[0] = w->mask[1] = 0;
    w->warp = (uint8_t)a->warp;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
      uint64_t at = a->lanes->address[lane];
      if (!(a->lanes->mask >> lane & 1) || at < g->address || at >= g->address + g->bytes) continue;
      set_bytes(w->mask, at - g->line, a->lanes->bytes);
    }
  }
  return (struct l1_choice){0};
}

/* The newest one of the line; `asks`: that which awaits answers. */
static uint32_t find(const struct caba_sm *s, uint64_t line, bool asks) {
  for (uint32_t i = 0; i < s->stores; i++) {
    const struct caba_store *t = &s->store_line[i];
    if (t->state != STORE_FREE && (t->state == STORE_ASKS) == asks && t->line == line) return i;
  }
  return CABA_NONE;
}

static uint32_t find_free(const struct caba_sm *s) {
  for (uint32_t i = 0; i < s->stores; i++)
    if (s->store_line[i].state == STORE_FREE) return i;
  return CABA_NONE;
}

/* Bytes `mask` of a line. */
static void copy_bytes(uint8_t to[AWS_LINE], const uint8_t from[AWS_LINE], const uint64_t mask[2]) {
  for (uint32_t k = 0; k < AWS_LINE; k++)
    if (mask[k / 64] >> k % 64 & 1) to[k] = from[k];
}

static void write_into(const struct caba_sm *s, struct caba_store *t, const struct caba_written *w) {
  const uint8_t *line = device_memory_at(s->sm.memory, t->line, AWS_LINE);
  if (line) copy_bytes(t->written, line, w->mask); /* else memory ends within the line, and nobody compresses it */
  t->mask[0] |= w->mask[0], t->mask[1] |= w->mask[1];
  t->writer = w->warp;
  if (t->state == STORE_CALLED) t->again = true;
  t->chosen = false;
}

static void open_line(struct caba_sm *s, struct caba_store *t, uint64_t line) {
  t->state = STORE_OPEN;
  t->line = line, t->since = *s->sm.now;
  t->mask[0] = t->mask[1] = 0;
  t->length = 0;
  t->sent[0] = t->sent[1] = 0;
  t->answers = 0;
  t->again = t->counted = t->wanted = t->asks = t->returned = t->merged = false;
  if (t->since + (uint64_t)s->p->age < s->stores_due) s->stores_due = t->since + (uint64_t)s->p->age;
  s->kept++;
  s->n->caba_stores++;
}

enum line_answer caba_line(void *self, enum mem_kind kind, const struct segment *g) {
  struct caba_sm *s = self;
  struct next_line next;
  if (kind == MEM_READ || !s->stores || g->line >= s->memory_end) return LINE_ELSEWHERE;
  if (!s->sm.next_line(s->sm.sm, &next)) return LINE_ELSEWHERE;
  const struct caba_written *w = &s->written[next.number % s->numbers];
  uint32_t at = find(s, g->line, false);
  s->crowded = false;
  if (kind == MEM_ATOMIC) { /* what was written before goes before */
    if (at == CABA_NONE) at = find(s, g->line, true);
    if (at != CABA_NONE) s->store_line[at].wanted = true, s->stores_due = 0;
    return at != CABA_NONE ? LINE_BUSY : LINE_ELSEWHERE;
  }
  if (at != CABA_NONE) {
    if (s->store_line[at].state == STORE_LEAVES) return LINE_BUSY;
    s->n->caba_store_merges++;
    write_into(s, &s->store_line[at], w);
    return LINE_TAKEN;
  }
  at = find_free(s);
  s->crowded = at == CABA_NONE;
  if (s->crowded) return LINE_BUSY;
  open_line(s, &s->store_line[at], g->line);
  write_into(s, &s->store_line[at], w);
  return LINE_TAKEN;
}

/* ---- calls ---- */

static bool is_whole(const struct caba_store *t) { return t->mask[0] == ALL && t->mask[1] == ALL; }

/* Warps with a compression under way: one at a time each. */
static uint64_t parents(const struct caba_sm *s) {
  uint64_t warps = 0;
  for (uint32_t i = 0; i < s->stores; i++)
    if (s->store_line[i].state == STORE_CALLED) warps |= caba_bit(s->store_line[i].warp);
  return warps;
}

static void choose(struct caba_sm *s, struct caba_store *t) {
  if (!t->chosen)
    t->sr = (uint8_t)caba_store_routine(&s->code, s->p, device_memory_at(s->sm.memory, t->line, AWS_LINE));
  t->chosen = true;
}

/* Of these warps, the one that has started last. */
static uint8_t youngest(const struct caba_sm *s, uint64_t warps) {
  uint32_t last = (uint32_t)__builtin_ctzll(warps);
  for (; warps; warps &= warps - 1)
    if (s->started[__builtin_ctzll(warps)] > s->started[last]) last = (uint32_t)__builtin_ctzll(warps);
  return (uint8_t)last;
}

uint32_t caba_store_eligible(struct caba_sm *s) {
  uint32_t oldest = CABA_NONE;
  if (!s->kept) return CABA_NONE;
  uint64_t free_warps = s->live & ~s->exits & ~parents(s);
  bool writer = s->p->parent == CABA_PARENT_WRITER;
  for (uint32_t i = 0; free_warps && i < s->stores; i++) {
    const struct caba_store *t = &s->store_line[i];
    if (writer && !(free_warps & caba_bit(t->writer))) continue;
    if (t->state == STORE_OPEN && is_whole(t) && (oldest == CABA_NONE || t->since < s->store_line[oldest].since))
      oldest = i;
  }
  if (oldest == CABA_NONE) return CABA_NONE;
  s->store_line[oldest].warp = writer ? s->store_line[oldest].writer : youngest(s, free_warps);
  choose(s, &s->store_line[oldest]);
  return oldest;
}

void caba_store_called(struct caba_sm *s, uint32_t at, bool taken) {
  struct caba_store *t = &s->store_line[at];
  t->state = taken ? STORE_CALLED : STORE_LEAVES;
  t->called = *s->sm.now;
  t->again = false;
}

uint8_t *caba_store_line(struct caba_sm *s, uint64_t argument) {
  struct caba_store *t = &s->store_line[argument - CABA_STORE];
  memcpy(t->bytes, device_memory_at(s->sm.memory, t->line, AWS_LINE), AWS_LINE);
  memcpy(t->image, t->bytes, AWS_LINE);
  t->again = false;
  return t->image;
}

void caba_store_ended(struct caba_sm *s, const struct caba_entry *entry) {
  struct caba_store *t = &s->store_line[entry->argument - CABA_STORE];
  uint8_t line[AWS_LINE];
  invariant(t->state == STORE_CALLED, "%s: a call ends for line %u of the store buffer, which has none", s->awc_path,
            (uint32_t)(entry->argument - CABA_STORE));
  if (t->again) {
    s->n->caba_store_again++;
    t->state = STORE_OPEN;
    return;
  }
  t->state = STORE_LEAVES;
  t->length = entry->w.length;
  if (!t->length) {
    s->n->caba_stores_tried++;
    return;
  }
  if (!caba_unpack(&s->code, t->image, t->length, line) || memcmp(line, t->bytes, AWS_LINE))
    s->sm.fault(s->sm.sm, entry->warp, 0, "its assist warp has compressed a line to an image of other bytes");
}

uint32_t caba_stores_killed(struct caba_sm *s, uint32_t warp) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->stores; i++) {
    if (s->store_line[i].state != STORE_CALLED || s->store_line[i].warp != warp) continue;
    s->store_line[i].state = STORE_OPEN;
    n++;
  }
  s->n->caba_store_killed += n;
  return n;
}

/* ---- leaving ---- */

static bool is_old(const struct caba_sm *s, const struct caba_store *t) {
  return !s->ctas || t->wanted || (!is_whole(t) && *s->sm.now - t->since >= (uint64_t)s->p->age);
}

/* Of two lines, the one to leave: that for which an atomic waits; the oldest; or (caba.victim) the oldest that no assist warp has, else
 * (assumption) the youngest, which loses the least work. */
static bool goes_before(const struct caba_sm *s, const struct caba_store *a, const struct caba_store *b) {
  if (a->wanted != b->wanted) return a->wanted;
  if (s->p->victim == CABA_VICTIM_OLDEST) return a->since < b->since;
  if (a->state != b->state) return a->state == STORE_OPEN;
  return a->state == STORE_OPEN ? a->since < b->since : a->since > b->since;
}

uint32_t caba_store_victim(struct caba_sm *s) {
  uint32_t first = CABA_NONE;
  bool leaving = false;
  if (s->ctas && !s->crowded && *s->sm.now < s->stores_due) return CABA_NONE;
  s->stores_due = caba_stores_wake(s);
  for (uint32_t i = 0; s->kept && i < s->stores; i++) {
    struct caba_store *t = &s->store_line[i];
    if (t->state != STORE_FREE && t->wanted) s->stores_due = 0;
    if (t->state == STORE_OPEN && is_old(s, t)) t->state = STORE_LEAVES;
    leaving |= t->state == STORE_LEAVES;
    if (t->state != STORE_OPEN && t->state != STORE_CALLED) continue;
    if (t->state == STORE_CALLED && t->called == *s->sm.now) continue;
    if (first == CABA_NONE || goes_before(s, t, &s->store_line[first])) first = i;
  }
  if (first == CABA_NONE || leaving || !(is_old(s, &s->store_line[first]) || s->crowded)) return CABA_NONE;
  if (s->store_line[first].state == STORE_CALLED) return first;
  s->store_line[first].state = STORE_LEAVES;
  return CABA_NONE;
}

/* The first bytes that were written in a row. */
static uint32_t first_run(const struct caba_store *t, uint32_t *bytes) {
  uint32_t first = t->mask[0] ? (uint32_t)__builtin_ctzll(t->mask[0]) : 64 + (uint32_t)__builtin_ctzll(t->mask[1]);
  for (*bytes = 0; first + *bytes < AWS_LINE; ++*bytes)
    if (!(t->mask[(first + *bytes) / 64] >> (first + *bytes) % 64 & 1)) break;
  return first;
}

static void count_leaving(struct caba_sm *s, const struct caba_store *t) {
  if (t->length) s->n->caba_stores_packed++;
  else if (!is_whole(t)) s->n->caba_stores_part++;
  else s->n->caba_stores_whole++;
}

static void leave(struct caba_sm *s, struct caba_store *t) {
  t->state = STORE_FREE;
  s->kept--;
}

/* The next tag of a write that is answered, or SM_WRITES. */
static uint32_t free_tag(const struct caba_sm *s) {
  uint32_t tag = 0;
  while (tag < SM_WRITES && s->asked[tag]) tag++;
  return tag;
}

/* What the agent sees of a write. False: it must wait. */
static bool make_tag(struct caba_sm *s, struct caba_store *t, uint32_t *tag) {
  uint32_t slot = s->slot % CABA_IMAGES, asked = t->asks ? free_tag(s) : 0;
  *tag = 0;
  if (asked == SM_WRITES) return false;
  if (t->asks) {
    s->asked[asked] = (uint8_t)(t - s->store_line + 1);
    t->answers++;
    *tag = SM_WRITE_TAG + asked;
  } else if (t->merged) {
    struct caba_merge *m = caba_agent_merge(s->agent, s->index, slot);
    memcpy(m->mask, t->sent, sizeof m->mask);
    memcpy(m->line, t->bytes, AWS_LINE);
    memcpy(m->image, t->image, AWS_LINE);
    *tag = CABA_IMAGES + slot;
  } else if (t->length) {
    memcpy(caba_agent_written(s->agent, s->index, slot), t->image, AWS_LINE);
    *tag = slot;
  }
  s->slot += t->merged || t->length;
  return true;
}

static void answer(struct caba_sm *, struct caba_store *);

/* One write a cycle, of bytes in a row. */
static void send(struct caba_sm *s, struct caba_store *t) {
  uint32_t bytes, first = first_run(t, &bytes), tag;
  if (!make_tag(s, t, &tag)) return;
  s->length = t->length;
  s->sm.write(s->sm.sm, t->line + first, bytes, tag);
  s->length = 0;
  for (uint32_t k = first; k < first + bytes; k++) {
    t->mask[k / 64] &= ~caba_bit(k % 64);
    if (!t->merged) t->sent[k / 64] |= caba_bit(k % 64);
  }
  if (t->mask[0] | t->mask[1]) return;
  if (t->asks) answer(s, t);
  else leave(s, t);
}

/* A line's bytes go in the order in which they were written. */
static bool may_leave(const struct caba_sm *s, const struct caba_store *t) {
  return t->state == STORE_LEAVES && (t->merged || find(s, t->line, true) == CABA_NONE);
}

void caba_stores_send(struct caba_sm *s) {
  if (!s->kept || !s->sm.port_free(s->sm.sm)) return;
  uint32_t first = CABA_NONE;
  for (uint32_t i = 0; i < s->stores; i++)
    if (may_leave(s, &s->store_line[i]) && (first == CABA_NONE || s->store_line[i].since < s->store_line[first].since))
      first = i;
  if (first == CABA_NONE) return;
  struct caba_store *t = &s->store_line[first];
  if (!t->counted) {
    count_leaving(s, t);
    t->asks = !is_whole(t) && s->p->refused == CABA_REFUSED_SM && s->p->l2 == CABA_L2_PACKED;
  }
  t->counted = true;
  send(s, t);
}

/* ---- answers ---- */

/* What the load/store unit makes of an image (caba.load=direct). */
static const uint8_t *unpacked(struct caba_sm *s, const struct caba_store *t, uint8_t line[AWS_LINE]) {
  caba_unpack(&s->code, t->image, t->packed, line);
  return line;
}

/* All of a part is sent. Once all answers have come: it is written, or the line has come back. */
static void answer(struct caba_sm *s, struct caba_store *t) {
  uint32_t at = (uint32_t)(t - s->store_line);
  uint8_t line[AWS_LINE];
  t->state = STORE_ASKS;
  if (t->answers) return;
  if (!t->returned) leave(s, t);
  else if (t->back) caba_fill_returned(s, at, t->image, t->back, t->writer);
  else caba_store_merged(s, at, unpacked(s, t, line));
}

/* Of several parts that were refused the first one's line counts. */
void caba_answered(void *self, const struct mem_request *r) {
  struct caba_sm *s = self;
  uint32_t tag = r->tag - SM_WRITE_TAG, at = s->asked[tag];
  s->asked[tag] = 0;
  if (!at) return; /* of a launch that was killed */
  struct caba_store *t = &s->store_line[at - 1];
  s->n->caba_store_answers++;
  t->answers--;
  if (r->kind == MEM_READ && !t->returned) {
    s->n->caba_store_refused += r->packed != 0;
    t->returned = true;
    t->packed = r->packed ? r->packed : AWS_LINE;
    t->back = s->p->load == CABA_LOAD_DIRECT ? 0 : r->packed; /* the load/store unit decompresses by itself then */
    memcpy(t->image, caba_agent_returned(s->agent, s->index, tag), AWS_LINE);
  }
  if (!(t->mask[0] | t->mask[1])) answer(s, t);
}

void caba_store_merged(struct caba_sm *s, uint32_t at, const uint8_t line[AWS_LINE]) {
  struct caba_store *t = &s->store_line[at];
  memcpy(t->bytes, line, AWS_LINE);
  copy_bytes(t->bytes, t->written, t->sent);
  t->state = STORE_LEAVES;
  t->asks = false, t->merged = true;
  t->mask[0] = t->mask[1] = ALL;
}

/* ---- skipping ---- */

bool caba_stores_busy(const struct caba_sm *s) {
  if (s->exits) return true;
  if (s->kept && (!s->ctas || s->crowded)) return true;
  for (uint32_t i = 0; s->kept && i < s->stores; i++) {
    const struct caba_store *t = &s->store_line[i];
    if (t->state == STORE_LEAVES || (t->state == STORE_OPEN && (is_whole(t) || is_old(s, t))) || t->wanted) return true;
  }
  return false;
}

uint64_t caba_stores_wake(const struct caba_sm *s) {
  uint64_t cycle = UINT64_MAX;
  for (uint32_t i = 0; s->kept && i < s->stores; i++) {
    const struct caba_store *t = &s->store_line[i];
    if (t->state == STORE_OPEN && !is_whole(t) && t->since + (uint64_t)s->p->age < cycle)
      cycle = t->since + (uint64_t)s->p->age;
  }
  return cycle;
}
