/* SPDX-License-Identifier: Apache-2.0 */
/* Oracle of teleport_tags: each set is a list of its ways, the one used last first, and each way holds a line or none. */
#include "kit/oracle.h"
#include "teleport_tags_ports.h"

#include <string.h>

enum { SETS_MAX = 4, WAYS_MAX = 128, NONE = 0, FILL = 1, INVALIDATION = 2, PROBE = 3 };

struct teleport_tags_naive {
  struct naive_way {
    bool valid;
    uint64_t line;
  } way[SETS_MAX][WAYS_MAX];
  uint32_t order[SETS_MAX][WAYS_MAX]; /* ways by their last use, the latest first */
  uint32_t op, limit;
  uint64_t line; /* of the operation that is answered */
};

static void teleport_tags_naive_reset(const struct teleport_tags_cfg *cfg, struct teleport_tags_naive *s) {
  memset(s, 0, sizeof *s);
  s->limit = (uint32_t)cfg->WAYS;
  for (int set = 0; set < cfg->SETS; set++)
    for (int way = 0; way < cfg->WAYS; way++) s->order[set][way] = (uint32_t)way;
}

/* The way of a set that holds the line, or WAYS_MAX. */
static uint32_t find(const struct teleport_tags_naive *s, uint32_t set, uint64_t line) {
  for (uint32_t way = 0; way < WAYS_MAX; way++)
    if (s->way[set][way].valid && s->way[set][way].line == line) return way;
  return WAYS_MAX;
}

/* The way that a new line takes: the first without a line, else that of the last place in the order, of those below the limit. */
static uint32_t victim(const struct teleport_tags_cfg *cfg, const struct teleport_tags_naive *s, uint32_t set) {
  for (uint32_t way = 0; way < s->limit; way++)
    if (!s->way[set][way].valid) return way;
  for (int place = cfg->WAYS - 1; place >= 0; place--)
    if (s->order[set][place] < s->limit) return s->order[set][place];
  return WAYS_MAX;
}

static void teleport_tags_naive_eval(const struct teleport_tags_cfg *cfg, const struct teleport_tags_naive *s,
                                     const struct teleport_tags_in *in, struct teleport_tags_out *out) {
  uint32_t set = (uint32_t)(s->line % (uint64_t)cfg->SETS);
  memset(out, 0, sizeof *out);
  out->inval_ready = !in->fill_valid;
  out->probe_ready = !in->fill_valid && !in->inval_valid;
  if (s->op == NONE) return;
  out->busy = 1;
  out->answer = (uint8_t)s->op;
  uint32_t way = find(s, set, s->line);
  out->hit = way < WAYS_MAX;
  if (!out->hit && s->op == FILL && s->limit > 0) {
    way = victim(cfg, s, set);
    out->placed = 1;
    out->evict_valid = s->way[set][way].valid;
    if (out->evict_valid) out->evict_line = s->way[set][way].line;
  }
  if (out->hit || out->placed) out->way = (uint8_t)way;
}

static void to_front(const struct teleport_tags_cfg *cfg, uint32_t *order, uint32_t way) {
  int place = 0;
  while (place < cfg->WAYS - 1 && order[place] != way) place++;
  for (; place > 0; place--) order[place] = order[place - 1];
  order[0] = way;
}

static void teleport_tags_naive_tick(const struct teleport_tags_cfg *cfg, struct teleport_tags_naive *s,
                                     const struct teleport_tags_in *in, const struct teleport_tags_out *out) {
  uint32_t set = (uint32_t)(s->line % (uint64_t)cfg->SETS), ways = (uint32_t)cfg->WAYS;
  struct naive_way *way = &s->way[set][out->way];
  if (out->placed) *way = (struct naive_way){.valid = true, .line = s->line};
  if (out->hit && s->op == INVALIDATION) way->valid = false;
  else if (out->hit || out->placed) to_front(cfg, s->order[set], out->way);
  if (in->limit_en) s->limit = in->limit < ways ? in->limit : ways;
  for (uint32_t k = 0; k < SETS_MAX; k++)
    for (uint32_t w = 0; w < WAYS_MAX; w++)
      if (in->clear || w >= s->limit) s->way[k][w].valid = false;
  s->op = NONE;
  if (in->probe_valid) s->op = PROBE, s->line = in->probe_line;
  if (in->inval_valid) s->op = INVALIDATION, s->line = in->inval_line;
  if (in->fill_valid) s->op = FILL, s->line = in->fill_line;
}

ORACLE(teleport_tags);
