/* SPDX-License-Identifier: Apache-2.0 */
/* Naive bank-conflict history (Gou & Gaydadjiev 2011, section 4.2): sets of entries with the time of their last use. What one
 * cycle takes happens in the next one, in this order: the lookup uses its entry, the update is written, the answer is read. */
#include "bkconf_history_cache_ports.h"
#include "kit/naive_ages.h"
#include "kit/oracle.h"

#include <string.h>

enum { SETS = 1024, WAYS = 4 };

struct set {
  bool there[WAYS];
  uint32_t pc[WAYS], degree[WAYS];
  uint64_t used[WAYS];
};

struct bkconf_history_cache_naive {
  struct set set[SETS];
  uint64_t time;
  bool lookup, update; /* taken in the last cycle */
  uint32_t lookup_pc, update_pc, update_degree;
};

static struct set *set_of(const struct bkconf_history_cache_cfg *cfg, struct bkconf_history_cache_naive *s,
                          uint32_t pc) {
  return &s->set[pc % (uint32_t)cfg->SETS];
}

static int find(const struct bkconf_history_cache_cfg *cfg, const struct set *set, uint32_t pc) {
  for (int way = 0; way < cfg->WAYS; way++)
    if (set->there[way] && set->pc[way] == pc) return way;
  return -1;
}

/* Writes the update; says whether it took a new entry and put another one out. */
static void write(const struct bkconf_history_cache_cfg *cfg, struct bkconf_history_cache_naive *s, bool *takes,
                  bool *evicts) {
  struct set *set = set_of(cfg, s, s->update_pc);
  int way = find(cfg, set, s->update_pc);
  *takes = way < 0;
  for (int w = 0; w < cfg->WAYS && way < 0; w++)
    if (!set->there[w]) way = w;
  *evicts = way < 0;
  if (way < 0) way = (int)naive_tree_victim(set->used, (uint32_t)cfg->WAYS);
  set->there[way] = true;
  set->pc[way] = s->update_pc;
  set->degree[way] = s->update_degree;
  set->used[way] = ++s->time;
}

static void use(const struct bkconf_history_cache_cfg *cfg, struct bkconf_history_cache_naive *s) {
  struct set *set = set_of(cfg, s, s->lookup_pc);
  int way = s->lookup ? find(cfg, set, s->lookup_pc) : -1;
  if (way >= 0) set->used[way] = ++s->time;
}

static void bkconf_history_cache_naive_reset(const struct bkconf_history_cache_cfg *cfg,
                                             struct bkconf_history_cache_naive *s) {
  (void)cfg;
  memset(s, 0, sizeof *s);
}

static void bkconf_history_cache_naive_eval(const struct bkconf_history_cache_cfg *cfg,
                                            const struct bkconf_history_cache_naive *now,
                                            const struct bkconf_history_cache_in *in,
                                            struct bkconf_history_cache_out *out) {
  static struct bkconf_history_cache_naive s; /* what this cycle would make of it */
  if (!now->lookup && !now->update) return;
  bool takes = false, evicts = false;
  s = *now;
  use(cfg, &s);
  if (s.update && !in->flush) write(cfg, &s, &takes, &evicts);
  const struct set *set = set_of(cfg, &s, s.lookup_pc);
  int way = s.lookup && !in->flush ? find(cfg, set, s.lookup_pc) : -1;
  out->busy = 1;
  out->rs_valid = s.lookup;
  out->lk_hit = out->ev_hit = way >= 0;
  out->lk_degree = (uint8_t)(way >= 0 ? set->degree[way] : 0);
  out->ev_miss = s.lookup && way < 0;
  out->ev_alloc = takes;
  out->ev_evict = evicts;
}

static void bkconf_history_cache_naive_tick(const struct bkconf_history_cache_cfg *cfg,
                                            struct bkconf_history_cache_naive *s,
                                            const struct bkconf_history_cache_in *in,
                                            const struct bkconf_history_cache_out *out) {
  bool takes, evicts;
  (void)out;
  if (in->flush) {
    memset(s->set, 0, sizeof s->set);
  } else {
    use(cfg, s);
    if (s->update) write(cfg, s, &takes, &evicts);
  }
  s->lookup = in->lk_valid;
  s->lookup_pc = in->lk_pc;
  s->update = in->up_valid && !in->flush;
  s->update_pc = in->up_pc;
  s->update_degree = in->up_degree;
}

ORACLE(bkconf_history_cache);
