/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/l2_tags.h"

#include <stdlib.h>

/* Who leads, as the header says. */
static void set_leaders(struct l2_tags *t) {
  uint32_t group = t->sets / 32 > 8 ? t->sets / 32 : 8;
  if (group > t->sets) group = t->sets;
  for (uint32_t set = 0; group > 1 && set < t->sets; set++) {
    uint32_t g = set / group % group, at = set % group;
    t->duel[set].leads = at == g ? L2_LEADS_SRRIP : at == (g + group / 2) % group ? L2_LEADS_BRRIP : L2_FOLLOWS;
  }
}

bool l2_tags_create(struct l2_tags *t, uint32_t sets, uint32_t ways, enum l2_replacement replacement) {
  *t =
    (struct l2_tags){.sets = sets, .ways = ways, .by_sets = divisor_of(sets), .selector = L2_PSEL_MAX / 2, .uses = 1};
  t->tag = calloc((size_t)sets * ways, sizeof *t->tag);
  t->line = calloc((size_t)sets * ways, sizeof *t->line);
  if (replacement == L2_REPLACE_DRRIP) t->duel = calloc(sets, sizeof *t->duel);
  if (!t->tag || !t->line || (replacement == L2_REPLACE_DRRIP && !t->duel)) return false;
  for (uint32_t i = 0; i < sets * ways; i++) t->line[i].mshr = L2_NO_MSHR;
  if (t->duel) set_leaders(t);
  return true;
}

void l2_tags_destroy(struct l2_tags *t) {
  free(t->tag);
  free(t->line);
  free(t->duel);
}

bool l2_tags_widen(struct l2_tags *t, uint32_t times, uint32_t line_bytes, enum l2_replacement replacement) {
  struct l2_tags wide;
  bool made = l2_tags_create(&wide, t->sets, t->ways * times, replacement);
  wide.low = t->low, wide.shared = t->shared;
  wide.room = t->ways * line_bytes;
  l2_tags_destroy(t);
  *t = wide;
  return made;
}

/* By the line's number among those of the slice. */
static uint32_t set_of(const struct l2_tags *t, uint64_t line) {
  uint64_t below = line & ((UINT64_C(1) << t->low) - 1);
  return (uint32_t)remainder_of(line >> (t->low + t->shared) << t->low | below, &t->by_sets);
}

static uint32_t first_way(const struct l2_tags *t, uint64_t line) { return set_of(t, line) * t->ways; }

uint32_t l2_tags_find(const struct l2_tags *t, uint64_t line) {
  uint32_t first = first_way(t, line);
  for (uint32_t i = first; i < first + t->ways; i++)
    if (t->tag[i] == line + 1) return i;
  return L2_NO_WAY;
}

/* --- victims --- */

static bool stays(const struct l2_line *l) { return l->mshr != L2_NO_MSHR || l->flags & L2_PINNED; }

static uint32_t least_recently_used(const struct l2_tags *t, uint32_t first) {
  uint32_t best = L2_NO_WAY;
  uint64_t oldest = UINT64_MAX;
  for (uint32_t i = first; i < first + t->ways; i++) {
    if (t->line[i].used >= oldest || stays(&t->line[i])) continue;
    best = i;
    oldest = t->line[i].used;
  }
  return best;
}

/* The way that would be the first to reach L2_RRPV_DISTANT. */
static uint32_t most_distant(const struct l2_tags *t, uint32_t first) {
  uint32_t best = L2_NO_WAY;
  for (uint32_t i = first; i < first + t->ways; i++) {
    if (!t->tag[i]) return i;
    if (stays(&t->line[i]) || (best != L2_NO_WAY && t->line[i].rrpv <= t->line[best].rrpv)) continue;
    best = i;
  }
  return best;
}

uint32_t l2_tags_victim(const struct l2_tags *t, uint64_t line) {
  uint32_t first = first_way(t, line);
  uint32_t best = t->duel ? most_distant(t, first) : least_recently_used(t, first);
  for (uint32_t i = first; best == L2_NO_WAY && i < first + t->ways; i++)
    if (t->line[i].mshr == L2_NO_MSHR) best = i;
  return best;
}

/* --- room --- */

uint32_t l2_tags_left(const struct l2_tags *t, uint64_t line, uint32_t but) {
  uint32_t first = first_way(t, line), taken = 0;
  for (uint32_t i = first; i < first + t->ways; i++)
    if (t->tag[i] && i != but) taken += t->line[i].takes;
  return taken < t->room ? t->room - taken : 0;
}

/* Whether `a` leaves before `b`: the order of the victims above, among lines that are there. */
static bool leaves_before(const struct l2_tags *t, uint32_t a, uint32_t b) {
  const struct l2_line *x = &t->line[a], *y = &t->line[b];
  if ((x->flags ^ y->flags) & L2_PINNED) return y->flags & L2_PINNED;
  if (x->flags & L2_PINNED) return a < b;
  return t->duel ? x->rrpv > y->rrpv : x->used < y->used;
}

uint32_t l2_tags_leaver(const struct l2_tags *t, uint64_t line, uint32_t but) {
  uint32_t first = first_way(t, line), best = L2_NO_WAY;
  for (uint32_t i = first; i < first + t->ways; i++) {
    if (!t->tag[i] || i == but || t->line[i].mshr != L2_NO_MSHR) continue;
    if (best == L2_NO_WAY || leaves_before(t, i, best)) best = i;
  }
  return best;
}

/* --- insertion --- */

/* Lets the set rise as far as the search for the victim `at` has to. */
static void age(struct l2_tags *t, uint32_t set, uint32_t at) {
  uint32_t by = L2_RRPV_DISTANT - t->line[at].rrpv;
  if (!t->tag[at] || t->line[at].flags & L2_PINNED || !by) return;
  for (uint32_t i = set * t->ways; i < (set + 1) * t->ways; i++) {
    struct l2_line *l = &t->line[i];
    if (l->flags & L2_PINNED) continue;
    l->rrpv = (uint8_t)(l->rrpv + by < L2_RRPV_DISTANT ? l->rrpv + by : L2_RRPV_DISTANT);
  }
}

static uint8_t inserted(struct l2_tags *t, struct l2_duelist *d) {
  if (d->leads == L2_LEADS_SRRIP && t->selector < L2_PSEL_MAX) t->selector++;
  if (d->leads == L2_LEADS_BRRIP && t->selector) t->selector--;
  bool bimodal = d->leads == L2_FOLLOWS ? t->selector > L2_PSEL_MAX / 2 : d->leads == L2_LEADS_BRRIP;
  if (bimodal) d->bimodal = (d->bimodal + 1) % L2_BIMODAL;
  return bimodal && d->bimodal ? L2_RRPV_DISTANT : L2_RRPV_LONG;
}

void l2_tags_empty(struct l2_tags *t, uint32_t at) {
  if (t->duel) age(t, at / t->ways, at);
  t->tag[at] = 0;
  t->line[at] = (struct l2_line){.mshr = L2_NO_MSHR};
  t->lines--;
}

void l2_tags_fill(struct l2_tags *t, uint32_t at, uint64_t line, bool prefetch) {
  struct l2_line *l = &t->line[at];
  t->lines += !t->tag[at];
  if (t->duel) {
    uint32_t set = set_of(t, line);
    age(t, set, at);
    l->rrpv = prefetch ? L2_RRPV_LONG : inserted(t, &t->duel[set]);
  }
  t->tag[at] = line + 1;
  l->used = ++t->uses;
  l->valid = l->dirty = 0;
  l->flags = prefetch ? L2_PREFETCHED : 0;
}

void l2_tags_demote(struct l2_tags *t, uint32_t at) {
  t->line[at].used = 1; /* 0 is an empty way */
  t->line[at].rrpv = L2_RRPV_DISTANT;
}

bool l2_tags_pin(struct l2_tags *t, uint32_t at) {
  bool was = t->line[at].flags & L2_PINNED;
  l2_tags_touch(t, at);
  t->line[at].flags |= L2_PINNED;
  return !was;
}

void l2_tags_unpin_all(struct l2_tags *t) {
  for (uint32_t i = 0; i < t->sets * t->ways; i++) t->line[i].flags &= (uint8_t)~L2_PINNED;
}
