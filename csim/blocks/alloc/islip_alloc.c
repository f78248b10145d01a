/* SPDX-License-Identifier: Apache-2.0 */
/* iSLIP allocator (McKeown 1999, section II): in each iteration the free, unmatched outputs grant and the unmatched
 * inputs accept, each the first partner at or after its pointer. Pointers move past the partner of the first iteration
 * only. */
#include "block/block.h"
#include "blocks/alloc/request_matrix.h"
#include "islip_alloc_ports.h"

enum { PORTS_MAX = 32 };

struct islip_alloc_state {
  uint8_t grant_ptr[PORTS_MAX];  /* input with the highest priority at each output */
  uint8_t accept_ptr[PORTS_MAX]; /* output with the highest priority at each input */
};

struct match {
  uint32_t columns[PORTS_MAX]; /* requesting inputs of each output; 0 for a busy output */
  uint32_t taken, given;       /* matched inputs, matched outputs */
};

/* First client at or after `from`, wrapping round; `asks` is not 0. */
static inline uint32_t first_from(uint32_t asks, uint32_t from) {
  uint32_t after = asks & (UINT32_MAX << from);
  return (uint32_t)__builtin_ctz(after ? after : asks);
}

/* Bit `at` of the matrix is in row at / columns. Multiplying by this inverse replaces the division, exact for `at`
 * below 65536 / columns. */
static inline uint32_t inverse(uint32_t columns) { return 65536 / columns + 1; }

static void gather(const struct islip_alloc_cfg *cfg, const struct islip_alloc_in *in, struct match *m) {
  uint32_t columns = (uint32_t)cfg->O, by_columns = inverse(columns), words = ((uint32_t)cfg->I * columns + 63) / 64;
  m->taken = m->given = 0;
  for (uint32_t o = 0; o < columns; o++) m->columns[o] = 0;
  for (uint32_t w = 0; w < words; w++)
    for (uint64_t bits = matrix_word(in->req, w); bits; bits &= bits - 1) {
      uint32_t at = w * 64 + (uint32_t)__builtin_ctzll(bits), i = at * by_columns >> 16, o = at - i * columns;
      m->columns[o] |= UINT32_C(1) << i;
    }
  for (uint32_t busy = (uint32_t)((UINT64_C(1) << columns) - 1) & ~in->out_free; busy; busy &= busy - 1)
    m->columns[__builtin_ctz(busy)] = 0;
}

/* One iteration: outputs grant, inputs accept. Writes partner[i] = output, or 0xff; returns the inputs newly
 * matched. */
static uint32_t iterate(const struct islip_alloc_cfg *cfg, const struct islip_alloc_state *s, struct match *m,
                        uint8_t *partner) {
  uint32_t offers[PORTS_MAX], offered = 0;
  for (uint32_t o = 0; o < (uint32_t)cfg->O; o++) {
    uint32_t asks = m->given >> o & 1 ? 0 : m->columns[o] & ~m->taken;
    if (!asks) continue;
    uint32_t i = first_from(asks, s->grant_ptr[o]);
    offers[i] = (offered >> i & 1 ? offers[i] : 0) | UINT32_C(1) << o;
    offered |= UINT32_C(1) << i;
  }
  for (uint32_t rest = offered; rest; rest &= rest - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(rest), o = first_from(offers[i], s->accept_ptr[i]);
    partner[i] = (uint8_t)o;
    m->given |= UINT32_C(1) << o;
  }
  m->taken |= offered;
  return offered;
}

static void islip_alloc_reset(const struct islip_alloc_cfg *cfg, struct islip_alloc_state *s) {
  (void)cfg;
  __builtin_memset(s, 0, sizeof *s);
}

static void islip_alloc_eval(const struct islip_alloc_cfg *cfg, const struct islip_alloc_state *s,
                             const struct islip_alloc_in *in, struct islip_alloc_out *out) {
  struct match m;
  uint8_t partner[PORTS_MAX];
  __builtin_memset(out, 0, sizeof *out);
  gather(cfg, in, &m);
  for (int32_t k = 0; k < cfg->ITER; k++) {
    uint32_t matched = iterate(cfg, s, &m, partner);
    if (!matched) break;
    for (; matched; matched &= matched - 1) {
      uint32_t i = (uint32_t)__builtin_ctz(matched);
      matrix_set(out->grant, i, partner[i], (uint32_t)cfg->O);
    }
  }
  out->grant_valid = m.taken != 0;
}

static inline void move_pointers(const struct islip_alloc_cfg *cfg, struct islip_alloc_state *s, uint32_t i,
                                 uint32_t o) {
  s->grant_ptr[o] = i + 1 == (uint32_t)cfg->I ? 0 : (uint8_t)(i + 1);
  s->accept_ptr[i] = o + 1 == (uint32_t)cfg->O ? 0 : (uint8_t)(o + 1);
}

static void islip_alloc_tick(const struct islip_alloc_cfg *cfg, struct islip_alloc_state *s,
                             const struct islip_alloc_in *in, const struct islip_alloc_out *out) {
  if (!in->adv || !out->grant_valid) return;
  if (cfg->ITER == 1) { /* the grants are the accepted pairs */
    uint32_t columns = (uint32_t)cfg->O, by_columns = inverse(columns), words = ((uint32_t)cfg->I * columns + 63) / 64;
    for (uint32_t w = 0; w < words; w++)
      for (uint64_t bits = matrix_word(out->grant, w); bits; bits &= bits - 1) {
        uint32_t at = w * 64 + (uint32_t)__builtin_ctzll(bits), i = at * by_columns >> 16;
        move_pointers(cfg, s, i, at - i * columns);
      }
    return;
  }
  struct match m;
  uint8_t partner[PORTS_MAX];
  gather(cfg, in, &m);
  for (uint32_t matched = iterate(cfg, s, &m, partner); matched; matched &= matched - 1)
    move_pointers(cfg, s, (uint32_t)__builtin_ctz(matched), partner[__builtin_ctz(matched)]);
}

#include "islip_alloc_model.inc"
