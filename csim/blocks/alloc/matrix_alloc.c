/* SPDX-License-Identifier: Apache-2.0 */
/* Separable input-first allocator of matrix arbiters (Dally & Towles, 18.5 and 19.3): the least recently served
 * requester wins. For each pair a < b of an arbiter's clients, bit b(b-1)/2 + a says that b goes first. */
#include "block/block.h"
#include "blocks/alloc/request_matrix.h"
#include "matrix_alloc_ports.h"

enum { PORTS_MAX = 8 };

struct matrix_alloc_state {
  uint32_t in_order[PORTS_MAX];  /* order of the outputs at each input */
  uint32_t out_order[PORTS_MAX]; /* order of the inputs at each output */
};

/* The winner among the requesters, or -1. */
static int winner(uint32_t order, uint32_t asks) {
  int best = -1;
  for (uint32_t rest = asks; rest; rest &= rest - 1) {
    int b = __builtin_ctz(rest);
    if (best < 0 || order >> (b * (b - 1) / 2 + best) & 1) best = b;
  }
  return best;
}

/* `who` goes behind the other n - 1. */
static uint32_t served(uint32_t order, int who, int n) {
  uint32_t below = who ? ((UINT32_C(1) << who) - 1) << (who * (who - 1) / 2) : 0;
  order &= ~below;
  for (int b = who + 1; b < n; b++) order |= UINT32_C(1) << (b * (b - 1) / 2 + who);
  return order;
}

static void matrix_alloc_reset(const struct matrix_alloc_cfg *cfg, struct matrix_alloc_state *s) {
  (void)cfg;
  __builtin_memset(s, 0, sizeof *s);
}

static void matrix_alloc_eval(const struct matrix_alloc_cfg *cfg, const struct matrix_alloc_state *s,
                              const struct matrix_alloc_in *in, struct matrix_alloc_out *out) {
  uint32_t columns[PORTS_MAX] = {0}, chosen = 0, grant[2] = {0};
  for (int i = 0; i < cfg->I; i++) {
    int o =
      winner(s->in_order[i], matrix_row((const uint32_t *)&in->req, (uint32_t)i, (uint32_t)cfg->O) & in->out_free);
    if (o < 0) continue;
    columns[o] |= UINT32_C(1) << i;
    chosen |= UINT32_C(1) << o;
  }
  for (; chosen; chosen &= chosen - 1) {
    int o = __builtin_ctz(chosen);
    matrix_set(grant, (uint32_t)winner(s->out_order[o], columns[o]), (uint32_t)o, (uint32_t)cfg->O);
  }
  out->grant = grant[0] | (uint64_t)grant[1] << 32;
  out->grant_valid = out->grant != 0;
  out->busy = 0;
}

static void matrix_alloc_tick(const struct matrix_alloc_cfg *cfg, struct matrix_alloc_state *s,
                              const struct matrix_alloc_in *in, const struct matrix_alloc_out *out) {
  if (!in->adv) return;
  for (uint64_t rest = out->grant; rest; rest &= rest - 1) {
    int at = __builtin_ctzll(rest), i = at / cfg->O, o = at % cfg->O;
    s->in_order[i] = served(s->in_order[i], o, cfg->O);
    s->out_order[o] = served(s->out_order[o], i, cfg->I);
  }
}

#include "matrix_alloc_model.inc"
