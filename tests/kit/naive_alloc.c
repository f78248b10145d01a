/* SPDX-License-Identifier: Apache-2.0 */
/* Naive grant-hold allocator (Yuan 2009, 4.2 to 4.5): the request matrix is an array of rows, and both stages are knock-out
 * tournaments, one match at a time. Which bit of the shift register decides a match is the block's own choice and follows the
 * head of rtl/alloc/hold_grant_alloc.v. */
#include "hold_grant_alloc_ports.h"
#include "kit/oracle.h"

#include <string.h>

enum { SIDE = 32, BANKS = 16, CONTROLLERS = 8, REGISTER = 64, NOBODY = -1, HG = 1, RMHG = 2, HMHG = 3 };

struct hold_grant_alloc_naive {
  bool lfsr[REGISTER];
  int holder[SIDE];                       /* input that holds an output, or NOBODY */
  uint32_t row[SIDE][CONTROLLERS][BANKS]; /* last row that an output passed */
  uint32_t hash[SIDE];                    /* of the last row that an output passed */
  int held[SIDE], turn[SIDE], grace[SIDE];
};

/* What the inputs of a cycle say of one input of the allocator. */
struct packet {
  uint32_t row, bank, controller, hash;
};

static int power_of_two_for(int n) {
  int size = 2;
  while (size < n) size *= 2;
  return size;
}

/* The matrix is laid out in pieces of at most 64 bits: `pitch` columns a row, `rows` rows a piece. */
struct layout {
  int pitch, rows, length; /* length: of the shift register */
};
static struct layout layout_of(const struct hold_grant_alloc_cfg *cfg) {
  struct layout l = {.pitch = power_of_two_for(cfg->O), .rows = power_of_two_for(cfg->I)};
  while (l.pitch * l.rows > REGISTER) l.rows /= 2;
  l.length = l.pitch * l.rows < 16 ? 16 : l.pitch * l.rows;
  return l;
}

static uint32_t number_at(const uint32_t *words, int from, int bits) {
  uint32_t value = 0;
  for (int k = bits - 1; k >= 0; k--) value = 2 * value + (words[(from + k) / 32] >> (from + k) % 32 & 1);
  return value;
}
static bool is_set(const uint32_t *words, const struct hold_grant_alloc_cfg *cfg, int i, int o) {
  return number_at(words, i * cfg->O + o, 1);
}
static void put(uint32_t *words, const struct hold_grant_alloc_cfg *cfg, int i, int o) {
  int at = i * cfg->O + o;
  words[at / 32] |= 1U << at % 32;
}

static struct packet packet_of(const struct hold_grant_alloc_cfg *cfg, const struct hold_grant_alloc_in *in, int i) {
  int bank_bits = 1;
  while (1 << bank_bits < cfg->NB) bank_bits++;
  struct packet p = {.row = number_at(in->row, 12 * i, 12), .bank = number_at(in->bank, bank_bits * i, bank_bits)};
  if (cfg->MCS > 1) p.controller = number_at(in->mc, 3 * i, 3);
  for (int k = 0; k < 12; k++) p.hash ^= (p.row >> k & 1) << k % cfg->HW;
  return p;
}
static bool has_row(const struct hold_grant_alloc_cfg *cfg, const struct packet *p) {
  return p->bank < (uint32_t)cfg->NB && p->controller < (uint32_t)cfg->MCS;
}

/* May the holder of output `o` go on as it is, if it asks? */
static bool may_go_on(const struct hold_grant_alloc_cfg *cfg, const struct hold_grant_alloc_naive *s,
                      const struct hold_grant_alloc_in *in, int o) {
  struct packet p = packet_of(cfg, in, s->holder[o]);
  if (cfg->MAXHOLD && s->held[o] == cfg->MAXHOLD) return false;
  if (cfg->MODE == RMHG) return has_row(cfg, &p) && s->row[o][p.controller][p.bank] == p.row;
  if (cfg->MODE == HMHG) return s->hash[o] == p.hash;
  return true;
}

/* Matches of one tournament: does the lower half lose when both halves of the node have a candidate? */
struct judge {
  const struct hold_grant_alloc_cfg *cfg;
  const struct hold_grant_alloc_naive *s;
  bool of_input; /* the choice of input `who` among outputs; else of output `who` among inputs */
  int who;
};
static bool lower_loses(const struct judge *j, int from, int half, int level) {
  struct layout l = layout_of(j->cfg);
  if (j->of_input) { /* a bit of its own for each node: the place of the last output of the lower half */
    int piece = j->who / l.rows, place = j->who % l.rows * l.pitch + from + half - 1;
    return j->s->lfsr[place] != j->s->lfsr[(place + l.length - piece - 1) % l.length];
  }
  if (j->cfg->MAXHOLD && j->cfg->MODE >= HG) return j->s->turn[j->who] >> level & 1;
  return j->s->lfsr[((l.pitch + 5) * level + j->who) % l.length]; /* one bit a level */
}

/* Winner among the candidates from `from` on, `size` of them (a power of two); NOBODY: there is none. */
static int knock_out(const struct judge *j, const bool *candidate, int from, int size, int level) {
  if (size == 1) return candidate[from] ? from : NOBODY;
  int half = size / 2, lower = knock_out(j, candidate, from, half, level - 1);
  int upper = knock_out(j, candidate, from + half, half, level - 1);
  if (lower == NOBODY || upper == NOBODY) return lower == NOBODY ? upper : lower;
  return lower_loses(j, from, half, level) ? upper : lower;
}
static int tournament(const struct judge *j, const bool *candidate, int n) {
  int size = power_of_two_for(n), level = -1;
  for (int k = size; k > 1; k /= 2) level++;
  return knock_out(j, candidate, 0, size, level);
}

static void hold_grant_alloc_naive_reset(const struct hold_grant_alloc_cfg *cfg, struct hold_grant_alloc_naive *s) {
  uint32_t high = (uint32_t)cfg->SEED * 0x9e3779b9U, low = (uint32_t)cfg->SEED * 0x85ebca6bU;
  uint64_t seed = (((uint64_t)high << 32 | low) ^ UINT64_C(0xc2b2ae3d27d4eb4e)) | 1;
  memset(s, 0, sizeof *s);
  for (int o = 0; o < SIDE; o++) s->holder[o] = NOBODY;
  for (int k = 0; k < layout_of(cfg).length; k++) s->lfsr[k] = seed >> k & 1;
}

static void hold_grant_alloc_naive_eval(const struct hold_grant_alloc_cfg *cfg, const struct hold_grant_alloc_naive *s,
                                        const struct hold_grant_alloc_in *in, struct hold_grant_alloc_out *out) {
  bool asks[SIDE][SIDE] = {{false}}, chosen[SIDE][SIDE] = {{false}};
  for (int i = 0; i < cfg->I; i++)
    for (int o = 0; o < cfg->O; o++) asks[i][o] = is_set(in->req, cfg, i, o) && in->out_free >> o & 1;
  for (int o = 0; o < cfg->O; o++) {
    int holder = s->holder[o];
    if (holder == NOBODY) continue;
    out->busy = 1;
    if (!asks[holder][o] || !may_go_on(cfg, s, in, o)) continue;
    put(out->hold_hit, cfg, holder, o);
    for (int i = 0; i < cfg->I; i++) asks[i][o] = i == holder; /* nobody else in this column */
    for (int other = 0; other < cfg->O; other++) asks[holder][other] = other == o;
  }
  for (int i = 0; i < cfg->I; i++) {
    struct judge j = {.cfg = cfg, .s = s, .of_input = true, .who = i};
    int o = tournament(&j, asks[i], cfg->O);
    if (o != NOBODY) chosen[o][i] = true;
  }
  for (int o = 0; o < cfg->O; o++) {
    struct judge j = {.cfg = cfg, .s = s, .of_input = false, .who = o};
    int i = tournament(&j, chosen[o], cfg->I);
    if (i == NOBODY) continue;
    put(out->grant, cfg, i, o);
    out->grant_valid = 1;
  }
}

static void step_register(const struct hold_grant_alloc_cfg *cfg, struct hold_grant_alloc_naive *s) {
  static const int taps[3][4] = {{16, 15, 13, 4}, {32, 22, 2, 1}, {64, 63, 61, 60}};
  int length = layout_of(cfg).length;
  const int *of = taps[length == 16 ? 0 : length == 32 ? 1 : 2];
  bool next = false;
  for (int k = 0; k < 4; k++) next ^= s->lfsr[of[k] - 1];
  for (int k = length - 1; k > 0; k--) s->lfsr[k] = s->lfsr[k - 1];
  s->lfsr[0] = next;
}

/* Output `o` was granted to input `i`. */
static void pass(const struct hold_grant_alloc_cfg *cfg, struct hold_grant_alloc_naive *s,
                 const struct hold_grant_alloc_in *in, int i, int o, bool held) {
  struct packet p = packet_of(cfg, in, i);
  for (int other = 0; other < cfg->O; other++)
    if (s->holder[other] == i) s->holder[other] = NOBODY; /* an input holds one output */
  s->holder[o] = i;
  if (has_row(cfg, &p)) s->row[o][p.controller][p.bank] = p.row;
  s->hash[o] = p.hash;
  s->held[o] = held ? s->held[o] + 1 : 0;
  if (!held) s->turn[o]++;
  s->grace[o] = 0;
}

static void hold_grant_alloc_naive_tick(const struct hold_grant_alloc_cfg *cfg, struct hold_grant_alloc_naive *s,
                                        const struct hold_grant_alloc_in *in, const struct hold_grant_alloc_out *out) {
  bool granted[SIDE] = {false}, asked = false;
  if (!in->adv) return;
  for (int i = 0; i < cfg->I; i++)
    for (int o = 0; o < cfg->O; o++) asked |= is_set(in->req, cfg, i, o);
  if (asked) step_register(cfg, s);
  if (cfg->MODE < HG) return;
  for (int i = 0; i < cfg->I; i++)
    for (int o = 0; o < cfg->O; o++) {
      if (!is_set(out->grant, cfg, i, o)) continue;
      pass(cfg, s, in, i, o, is_set(out->hold_hit, cfg, i, o));
      granted[o] = true;
    }
  for (int o = 0; o < cfg->O; o++) {
    if (granted[o]) continue;
    if (s->holder[o] != NOBODY && in->out_free >> o & 1 && s->grace[o]++ == cfg->GRACE) s->holder[o] = NOBODY;
    if (s->holder[o] == NOBODY) s->held[o] = s->grace[o] = 0;
  }
}

ORACLE(hold_grant_alloc);
