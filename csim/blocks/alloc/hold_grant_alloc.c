/* SPDX-License-Identifier: Apache-2.0 */
/* Separable input-first allocator whose grants hold (Yuan 2009, 4.2 to 4.5): PIM, HG, RMHG, HMHG. The modes and the
 * rules of the choice are described in rtl/alloc/hold_grant_alloc.v.
 *
 * The matrix is stored in 64-bit words: row i (an input) has F = 2^lf bits at bit i * F; a word has G = 2^lg rows. Both
 * stages are tournaments over groups of 1, 2, 4, ... positions, for all rows or columns of a word at once. `any` marks
 * the positions whose group has a candidate. A group loses if its sibling group has a candidate too and the node's bit
 * favours the sibling. */
#include "blocks/prim/lfsr.h"

#include "block/block.h"
#include "hold_grant_alloc_ports.h"

enum { WORDS = 8, PLAIN = 0, HG = 1, RMHG = 2, HMHG = 3, ROWS_MAX = 256, FLAT = 8 };

#define INLINE static inline __attribute__((always_inline))

struct geometry {
  uint32_t inputs, outputs;
  uint32_t lf, li, lg, n; /* log2 of F, of the inputs, of G; n: number of words */
  uint32_t bits, lfsr_bits;
  uint64_t mask, lfsr_mask; /* masks of `bits` and `lfsr_bits` bits */
  uint64_t column;          /* output 0 of each row of a word */
};

struct hold_grant_alloc_state {
  struct geometry geometry;
  uint64_t lfsr;
  uint64_t words[WORDS]; /* prev, as laid out above */
  uint32_t prev[FLAT];   /* prev in the layout of the register, bit i * O + o */
  uint32_t hash[12];     /* [b]: bit b of the hash of the last packet of each output */
  uint16_t code[32];     /* the whole hash of each output */
  uint16_t row[ROWS_MAX];
  uint8_t holder[32];                    /* input that holds an output; meaningless where prev has no holder */
  uint8_t held[32], turn[32], grace[32]; /* per output: held grants in a row, open choices, free cycles survived */
};

struct matrix {
  uint64_t word[WORDS];
};

/* Element k: the positions, of 64, whose number has bit k clear; the positions of the nodes over two groups of 2^k. */
static const uint64_t low_of[6] = {UINT64_C(0x5555555555555555), UINT64_C(0x3333333333333333),
                                   UINT64_C(0x0f0f0f0f0f0f0f0f), UINT64_C(0x00ff00ff00ff00ff),
                                   UINT64_C(0x0000ffff0000ffff), UINT64_C(0x00000000ffffffff)};
static const uint64_t node_of[6] = {UINT64_C(0x5555555555555555), UINT64_C(0x2222222222222222),
                                    UINT64_C(0x0808080808080808), UINT64_C(0x0080008000800080),
                                    UINT64_C(0x0000800000008000), UINT64_C(0x0000000080000000)};

INLINE uint64_t ones(uint32_t bits) { return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1; }
INLINE uint32_t at_most(uint32_t a, uint32_t b) { return a < b ? a : b; }

INLINE struct geometry geometry_of(uint32_t inputs, uint32_t outputs) {
  struct geometry g = {.inputs = inputs, .outputs = outputs, .lf = block_bits(outputs), .li = block_bits(inputs)};
  g.lg = at_most(g.li, 6 - g.lf);
  g.bits = 1U << (g.lf + g.lg);
  g.n = (inputs + (1U << g.lg) - 1) >> g.lg;
  g.lfsr_bits = g.bits < 16 ? 16 : g.bits;
  g.mask = ones(g.bits);
  g.lfsr_mask = ones(g.lfsr_bits);
  g.column = g.mask / ones(1U << g.lf);
  return g;
}

/* Fast paths get constants: the crossbar's size, and a router's matrix as one word. */
#define WITH_GEOMETRY(s, g, statement)                              \
  do {                                                              \
    if ((s)->geometry.inputs == 28 && (s)->geometry.outputs == 8) { \
      const struct geometry g = geometry_of(28, 8);                 \
      statement;                                                    \
    } else if ((s)->geometry.n == 1) {                              \
      struct geometry g = (s)->geometry;                            \
      g.n = 1;                                                      \
      statement;                                                    \
    } else {                                                        \
      const struct geometry g = (s)->geometry;                      \
      statement;                                                    \
    }                                                               \
  } while (0)

INLINE uint64_t turn_right(const struct geometry *g, uint64_t x, uint32_t by) {
  if (g->lfsr_bits == 64) return x >> by | x << (-by & 63);
  return (x >> by | x << (g->lfsr_bits - by)) & g->lfsr_mask;
}

/* whole_rows: all positions of each row that has a bit set. to_row_0: the OR of all rows, in row 0. in_all_rows: one
 * row repeated in all rows. */
INLINE uint64_t whole_rows(const struct geometry *g, uint64_t x) {
  for (uint32_t k = g->lf; k-- > 0;) x |= x >> (1U << k);
  x &= g->column;
  return (x << (1U << g->lf)) - x;
}
INLINE uint64_t to_row_0(const struct geometry *g, uint64_t x) {
  for (uint32_t k = g->lg; k-- > 0;) x |= x >> ((1U << g->lf) << k);
  return x & ones(1U << g->lf);
}
INLINE uint64_t in_all_rows(const struct geometry *g, uint64_t row) { return row * g->column; }

/* ---- conversion between the ports' bits, i * O + o, and words ---- */

INLINE void unpack(const struct geometry *g, const uint32_t *flat, struct matrix *m) {
  uint32_t o = g->outputs;
  if (o == 1U << g->lf) {
    __builtin_memcpy(m->word, flat, (size_t)g->n * 8);
    if (g->bits < 64) m->word[0] &= g->mask;
    return;
  }
  uint64_t row_mask = ones(o), low = flat[0] | (uint64_t)flat[1] << 32;
  if (g->n == 1 && g->inputs * o <= 64) {
    uint64_t word = 0;
    for (uint32_t i = 0; i < g->inputs; i++, low >>= o) word |= (low & row_mask) << (i << g->lf);
    m->word[0] = word;
    return;
  }
  __builtin_memset(m->word, 0, sizeof m->word);
  for (uint32_t i = 0, at = 0; i < g->inputs; i++, at += o) {
    uint64_t row = flat[at / 32];
    if (at % 32 + o > 32) row |= (uint64_t)flat[at / 32 + 1] << 32;
    row = row >> at % 32 & row_mask;
    m->word[i >> g->lg] |= row << ((i & ((1U << g->lg) - 1)) << g->lf);
  }
}

INLINE void pack(const struct geometry *g, const struct matrix *m, uint32_t *flat) {
  uint32_t o = g->outputs;
  __builtin_memset(flat, 0, FLAT * sizeof *flat);
  if (o == 1U << g->lf) {
    __builtin_memcpy(flat, m->word, (size_t)g->n * 8);
    return;
  }
  uint64_t row_mask = ones(o);
  if (g->n == 1 && g->inputs * o <= 64) {
    uint64_t word = m->word[0], all = 0;
    for (uint32_t i = 0; i < g->inputs; i++) all |= (word >> (i << g->lf) & row_mask) << (i * o);
    __builtin_memcpy(flat, &all, sizeof all);
    return;
  }
  for (uint32_t i = 0, at = 0; i < g->inputs; i++, at += o) {
    uint64_t row = m->word[i >> g->lg] >> ((i & ((1U << g->lg) - 1)) << g->lf) & row_mask;
    row <<= at % 32;
    flat[at / 32] |= (uint32_t)row;
    if (row >> 32) flat[at / 32 + 1] |= (uint32_t)(row >> 32);
  }
}

/* ---- rows and hashes ---- */

INLINE uint32_t field(const uint32_t *flat, uint32_t at, uint32_t bits) {
  uint64_t x = flat[at / 32];
  if (at % 32 + bits > 32) x |= (uint64_t)flat[at / 32 + 1] << 32;
  return (uint32_t)(x >> at % 32 & ones(bits));
}

INLINE uint32_t hash_of(uint32_t row, uint32_t bits) {
  if (bits == 4) return (row ^ row >> 4 ^ row >> 8) & 0xf;
  uint32_t h = 0;
  for (; row; row >>= bits) h ^= row & (uint32_t)ones(bits);
  return h;
}

/* Twelve bits at a multiple of four fit in two bytes. */
INLINE uint32_t row_of(const struct hold_grant_alloc_in *in, uint32_t i) {
  uint16_t two;
  __builtin_memcpy(&two, (const uint8_t *)in->row + 3 * i / 2, sizeof two);
  return (uint32_t)two >> (i & 1) * 4 & 0xfff;
}

/* Entry of the row memory that the packet of input i uses at output o, or -1 if its bank or controller does not
 * exist. */
static int32_t entry_of(const struct hold_grant_alloc_cfg *cfg, const struct hold_grant_alloc_in *in, uint32_t i,
                        uint32_t o) {
  uint32_t bank = field(in->bank, i * block_bits((uint32_t)cfg->NB), block_bits((uint32_t)cfg->NB));
  uint32_t mc = cfg->MCS == 1 ? 0 : field(in->mc, 3 * i, 3);
  if (bank >= (uint32_t)cfg->NB || mc >= (uint32_t)cfg->MCS) return -1;
  return (int32_t)((o * (uint32_t)cfg->MCS + mc) * (uint32_t)cfg->NB + bank);
}

/* Outputs whose holder's packet has the row, or the hash of the row, that the output passed last. Bits of outputs
 * without a holder are arbitrary. */
INLINE uint32_t matching(const struct hold_grant_alloc_cfg *cfg, const struct geometry *g,
                         const struct hold_grant_alloc_state *s, const struct hold_grant_alloc_in *in) {
  uint32_t match = 0;
  for (uint32_t o = 0; o < g->outputs; o++) {
    uint32_t row = row_of(in, s->holder[o]), same;
    if (cfg->MODE == HMHG) {
      same = hash_of(row, (uint32_t)cfg->HW) == s->code[o];
    } else {
      int32_t entry = entry_of(cfg, in, s->holder[o], o);
      same = entry >= 0 && s->row[entry] == row;
    }
    match |= same << o;
  }
  return match;
}

INLINE void note_rows(const struct hold_grant_alloc_cfg *cfg, const struct geometry *g,
                      struct hold_grant_alloc_state *s, const struct hold_grant_alloc_in *in,
                      const struct matrix *grant) {
  for (uint32_t c = 0; c < g->n; c++)
    for (uint64_t x = grant->word[c]; x; x &= x - 1) {
      uint32_t at = (uint32_t)__builtin_ctzll(x), o = at & ((1U << g->lf) - 1), i = (c << g->lg) + (at >> g->lf);
      uint32_t row = row_of(in, i);
      s->holder[o] = (uint8_t)i;
      if (cfg->MODE == HMHG) {
        uint32_t hash = hash_of(row, (uint32_t)cfg->HW);
        if (hash == s->code[o]) continue;
        s->code[o] = (uint16_t)hash;
        for (int32_t b = 0; b < cfg->HW; b++) s->hash[b] = (s->hash[b] & ~(1U << o)) | (hash >> b & 1) << o;
      } else {
        int32_t entry = entry_of(cfg, in, i, o);
        if (entry >= 0) s->row[entry] = (uint16_t)row;
      }
    }
}

/* ---- the two stages ---- */

/* Picks the winner among the candidates of each row. A node's bit of 1: the lower half loses if both have a
 * candidate. */
INLINE void stage_1(const struct geometry *g, uint64_t lfsr, struct matrix *m) {
  struct matrix any = *m, lost = {{0}};
  for (uint32_t b = 0; b < g->lf; b++)
    for (uint32_t c = 0; c < g->n; c++) {
      uint32_t half = 1U << b;
      uint64_t nodes = lfsr ^ turn_right(g, lfsr, g->lfsr_bits - c - 1);
      uint64_t node = nodes & node_of[b] & g->mask, lower = (node << 1) - (node >> (half - 1));
      uint64_t sibling = (any.word[c] >> half & low_of[b]) | (any.word[c] & low_of[b]) << half;
      lost.word[c] |= sibling & ((lower | lower << half) ^ ~low_of[b]);
      any.word[c] |= sibling;
    }
  for (uint32_t c = 0; c < g->n; c++) m->word[c] &= ~lost.word[c];
}

/* The bits of each level of stage 2, in all rows. An output's bit of 1: its lower half loses if both have a
 * candidate. */
INLINE void slices_of(const struct geometry *g, const struct hold_grant_alloc_cfg *cfg,
                      const struct hold_grant_alloc_state *s, uint64_t *slices) {
  bool fair = cfg->MAXHOLD > 0 && cfg->MODE > PLAIN;
  for (uint32_t b = 0, at = 0; b < g->li; b++, at = (at + (1U << g->lf) + 5) & (g->lfsr_bits - 1)) {
    uint64_t bits = 0;
    if (fair)
      for (uint32_t o = 0; o < g->outputs; o++) bits |= (uint64_t)(s->turn[o] >> b & 1) << o;
    else bits = turn_right(g, s->lfsr, at) & ones(1U << g->lf);
    slices[b] = in_all_rows(g, bits);
  }
}

/* Picks the winner among the inputs that chose an output. */
INLINE void stage_2(const struct geometry *g, const uint64_t *slices, struct matrix *m) {
  struct matrix any = *m, lost = {{0}};
  for (uint32_t b = 0; b < g->lg; b++)
    for (uint32_t c = 0; c < g->n; c++) {
      uint32_t half = (1U << g->lf) << b;
      uint64_t low = low_of[g->lf + b], sibling = (any.word[c] >> half & low) | (any.word[c] & low) << half;
      lost.word[c] |= sibling & (slices[b] ^ ~low);
      any.word[c] |= sibling;
    }
  for (uint32_t b = g->lg; b < g->li; b++) {
    uint32_t shift = b - g->lg;
    struct matrix groups = {{0}};
    for (uint32_t c = 0; c < g->n; c++) groups.word[c >> shift] |= any.word[c];
    for (uint32_t c = 0; c < g->n; c++)
      lost.word[c] |= groups.word[c >> shift ^ 1] & (slices[b] ^ (0 - (uint64_t)(c >> shift & 1)));
  }
  for (uint32_t c = 0; c < g->n; c++) m->word[c] &= ~lost.word[c];
}

/* The bound 32 is the manifest's maximum of outputs, which a compiler with sanitizers cannot know. */
static uint32_t tired_outputs(const struct hold_grant_alloc_cfg *cfg, const struct hold_grant_alloc_state *s) {
  uint32_t tired = 0;
  for (int32_t o = 0; o < cfg->O && o < 32; o++) tired |= (uint32_t)(s->held[o] == cfg->MAXHOLD) << o;
  return tired;
}

INLINE void eval_sized(const struct hold_grant_alloc_cfg *cfg, const struct hold_grant_alloc_state *s,
                       const struct hold_grant_alloc_in *in, struct hold_grant_alloc_out *out, struct geometry g) {
  struct matrix req, hold;
  uint64_t columns = 0, some = 0, before = 0, slices[5];
  uint32_t may_hold = in->out_free;
  if (cfg->MODE >= RMHG) may_hold &= matching(cfg, &g, s, in);
  if (cfg->MAXHOLD > 0) may_hold &= ~tired_outputs(cfg, s);
  uint64_t free = in_all_rows(&g, in->out_free), holdable = in_all_rows(&g, may_hold);
  unpack(&g, in->req, &req);
  for (uint32_t c = 0; c < g.n; c++) {
    req.word[c] &= free;
    hold.word[c] = s->words[c] & req.word[c] & holdable;
    columns |= hold.word[c];
    before |= s->words[c];
  }
  columns = in_all_rows(&g, to_row_0(&g, columns));
  slices_of(&g, cfg, s, slices);
  for (uint32_t c = 0; c < g.n; c++)
    req.word[c] = hold.word[c] | (req.word[c] & ~columns & ~whole_rows(&g, hold.word[c]));
  stage_1(&g, s->lfsr, &req);
  stage_2(&g, slices, &req);
  for (uint32_t c = 0; c < g.n; c++) some |= req.word[c];
  pack(&g, &req, out->grant);
  pack(&g, &hold, out->hold_hit);
  out->grant_valid = some != 0;
  out->busy = before != 0;
}

/* ---- the tick ---- */

/* Updates the outputs' counters. `granted`, `held`, `kept`: outputs with a grant, with a held grant, with a holder
 * after this tick. */
static void count(const struct hold_grant_alloc_cfg *cfg, struct hold_grant_alloc_state *s, uint32_t free,
                  uint32_t granted, uint32_t held, uint32_t kept) {
  for (int32_t o = 0; o < cfg->O; o++) {
    bool grant = granted >> o & 1, hold = held >> o & 1, stays = kept >> o & 1;
    if (cfg->MAXHOLD > 0) {
      if (grant) s->held[o] = hold ? (uint8_t)(s->held[o] + 1) : 0;
      else if (!stays) s->held[o] = 0;
      if (grant && !hold) s->turn[o] = (uint8_t)((s->turn[o] + 1) & ones(block_bits((uint32_t)cfg->I)));
    }
    if (cfg->GRACE > 0) {
      if (grant || !stays) s->grace[o] = 0;
      else if (free >> o & 1) s->grace[o]++;
    }
  }
}

/* Free outputs whose hold ends unless it is granted again. */
static uint32_t given_up(const struct hold_grant_alloc_cfg *cfg, const struct hold_grant_alloc_state *s, uint32_t free,
                         uint32_t granted) {
  uint32_t over = granted;
  for (int32_t o = 0; o < cfg->O && o < 32; o++) over |= (uint32_t)(s->grace[o] == cfg->GRACE) << o;
  return free & over;
}

INLINE void tick_sized(const struct hold_grant_alloc_cfg *cfg, struct hold_grant_alloc_state *s,
                       const struct hold_grant_alloc_in *in, const struct hold_grant_alloc_out *out,
                       struct geometry g) {
  struct matrix grant, hold, next = {{0}};
  uint64_t granted = 0, held = 0, kept = 0;
  unpack(&g, out->grant, &grant);
  for (uint32_t c = 0; c < g.n; c++) granted |= grant.word[c];
  granted = to_row_0(&g, granted);
  uint32_t ends = cfg->GRACE ? given_up(cfg, s, in->out_free, (uint32_t)granted) : in->out_free;
  uint64_t ending = in_all_rows(&g, ends);
  for (uint32_t c = 0; c < g.n; c++) {
    next.word[c] = grant.word[c] | (s->words[c] & ~ending & ~whole_rows(&g, grant.word[c]));
    s->words[c] = next.word[c];
    kept |= next.word[c];
  }
  pack(&g, &next, s->prev);
  if (cfg->MODE >= RMHG) note_rows(cfg, &g, s, in, &grant);
  if (cfg->MAXHOLD + cfg->GRACE == 0) return;
  unpack(&g, out->hold_hit, &hold);
  for (uint32_t c = 0; c < g.n; c++) held |= hold.word[c];
  count(cfg, s, in->out_free, (uint32_t)granted, (uint32_t)to_row_0(&g, held), (uint32_t)to_row_0(&g, kept));
}

static void hold_grant_alloc_reset(const struct hold_grant_alloc_cfg *cfg, struct hold_grant_alloc_state *s) {
  __builtin_memset(s, 0, sizeof *s);
  s->geometry = geometry_of((uint32_t)cfg->I, (uint32_t)cfg->O);
  s->lfsr = lfsr_seed(s->geometry.lfsr_bits, (uint32_t)cfg->SEED);
}

static void hold_grant_alloc_eval(const struct hold_grant_alloc_cfg *cfg, const struct hold_grant_alloc_state *s,
                                  const struct hold_grant_alloc_in *in, struct hold_grant_alloc_out *out) {
  WITH_GEOMETRY(s, g, eval_sized(cfg, s, in, out, g));
}

static void hold_grant_alloc_tick(const struct hold_grant_alloc_cfg *cfg, struct hold_grant_alloc_state *s,
                                  const struct hold_grant_alloc_in *in, const struct hold_grant_alloc_out *out) {
  if (!in->adv) return;
  uint32_t asked = 0;
  for (uint32_t w = 0; w < FLAT; w++) asked |= in->req[w];
  if (asked) s->lfsr = lfsr_step(s->geometry.lfsr_bits, s->lfsr);
  if (cfg->MODE != PLAIN) WITH_GEOMETRY(s, g, tick_sized(cfg, s, in, out, g));
}

#include "hold_grant_alloc_model.inc"
