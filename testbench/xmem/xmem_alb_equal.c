/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/xmem/xmem_alb.c"
#include "equal.h"

#define MISSES ((uint32_t)cfg->NMISS)
#define BIT(word, number) ((uint32_t)((word) >> (number)) & 1)

INVARIANT(xmem_alb, drain_is_a_requested_miss) {
  bool good = (!s->install | s->drain) & !(s->some & ~s->miss);
  if (!s->drain) return good;
  if (s->drain_id >= MISSES) return false;
  return good & !(s->install & BIT(s->noinst, s->drain_id)) & (BIT(s->miss & s->sent, s->drain_id) != 0) &
         (s->drain_ppn == s->miss_ppn[s->drain_id]);
}

INVARIANT(xmem_alb, order_lists_unsent_misses) {
  uint32_t unsent = s->miss & (uint32_t)~s->sent, count = (uint32_t)__builtin_popcount(unsent), listed = 0;
  if (s->order_head >= MISSES || s->order_tail >= MISSES) return false;
  bool good = true;
  for (uint32_t head = 0; head < MISSES; head++) {
    if (s->order_head != head) continue;
    for (uint32_t k = 0; k < MISSES; k++) {
      uint32_t id = s->order[(head + k) % MISSES];
      if (k < count) {
        good &= id < MISSES;
        listed |= 1U << (id & 7);
      }
      if (k == count) good &= s->order_tail == (head + k) % MISSES;
    }
    if (count == MISSES) good &= s->order_tail == head;
  }
  return good & (listed == unsent);
}

INVARIANT(xmem_alb, lookups_find_room) {
  return !(s->lk & s->up) & (!s->lk | ((~(uint32_t)s->miss & ((1U << MISSES) - 1)) != 0)) &
         (!s->lk | ((~(uint32_t)s->wait & ((1U << 2 * MISSES) - 1)) != 0));
}

/* Each miss with waiters has a list of them, from its head to its tail; every waiter is in one list. */
INVARIANT(xmem_alb, waiters_are_in_lists) {
  bool good = true;
  uint32_t listed = 0, places = 2 * MISSES;
  for (uint32_t m = 0; m < MISSES; m++) {
    uint32_t more = BIT(s->some, m), place = s->head[m];
    for (uint32_t k = 0; k < places; k++) {
      good &= !more | (place < places && !BIT(listed, place));
      listed |= more << (place & 31);
      more &= place != s->tail[m];
      place = place < places ? s->next[place] : 0;
    }
    good &= !more;
  }
  return good & (listed == s->wait);
}

INVARIANT(xmem_alb, stage_1_is_as_read) {
  bool good = true;
  uint32_t ways = (uint32_t)cfg->WAYS;
  if (!(s->lk | s->up)) return true;
  for (uint32_t set = 0; set < (uint32_t)cfg->SETS; set++) {
    if ((s->ppn & ((uint32_t)cfg->SETS - 1)) != set) continue;
    for (uint32_t w = 0; w < ways; w++) {
      uint32_t entry = set * ways + w, valid = BIT(s->valid[entry / 32], entry % 32);
      good &= BIT(s->row_val[w / 32], w % 32) == valid;
      good &= !valid | ((s->row_tag[w] == s->tags[entry]) & (s->row_data[w] == s->data[entry]));
    }
  }
  return good;
}

/* A page has one miss at most, one entry at most, and no entry while its miss is still to be installed. */
INVARIANT(xmem_alb, pages_are_here_once) {
  bool good = true;
  uint32_t ways = (uint32_t)cfg->WAYS, sets = (uint32_t)cfg->SETS, bits = block_clog2(sets);
  for (uint32_t m = 0; m < MISSES; m++) {
    for (uint32_t k = 0; k < m; k++) good &= !BIT(s->miss, m) | !BIT(s->miss, k) | (s->miss_ppn[m] != s->miss_ppn[k]);
    uint32_t installed = s->drain & !s->install & (s->drain_id == m), waits = BIT(s->miss & ~s->noinst, m) & !installed;
    for (uint32_t entry = 0; entry < sets * ways; entry++) {
      uint32_t here = BIT(s->valid[entry / 32], entry % 32) & ((s->miss_ppn[m] & (sets - 1)) == entry / ways);
      good &= !waits | !here | (s->tags[entry] != s->miss_ppn[m] >> bits);
    }
  }
  for (uint32_t entry = 0; entry < sets * ways; entry++)
    for (uint32_t other = entry / ways * ways; other < entry; other++)
      good &= !BIT(s->valid[entry / 32], entry % 32) | !BIT(s->valid[other / 32], other % 32) |
              (s->tags[entry] != s->tags[other]);
  return good;
}
