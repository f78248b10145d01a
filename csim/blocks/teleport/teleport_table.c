/* SPDX-License-Identifier: Apache-2.0 */
/* TELEPORT's preload table (Lashgar et al. 2018, section 3; assumption: stream and valid bits, snapshot, answers, ports and cycle
 * behaviour). The header of rtl/teleport/teleport_table.v states the contract of the ports. */
#include "block/block.h"
#include "teleport_table_ports.h"

enum { ROWS_MAX = 256, WORDS = ROWS_MAX / 64, ROW_WORDS = 11, FIELDS = 8, STREAM_BITS = 4, NONE = -1 };

struct teleport_table_state {
  uint32_t row[ROWS_MAX][ROW_WORDS]; /* {maxo, maxp, mino, minp, typesize, base} */
  uint64_t used[WORDS], snap[WORDS], gone[WORDS], walk[WORDS];
  uint64_t stream[STREAM_BITS][WORDS]; /* a bit of the stream of every row */
  uint16_t x, y, z, total;             /* index and lines of the CTA */
  uint8_t on, open;                    /* a CTA is walked; rows of it that the range unit has, 0 to 3 */
};

static void teleport_table_reset(const struct teleport_table_cfg *cfg, struct teleport_table_state *s) {
  (void)cfg;
  for (int w = 0; w < WORDS; w++) s->used[w] = s->snap[w] = s->gone[w] = s->walk[w] = 0;
  for (int b = 0; b < STREAM_BITS; b++)
    for (int w = 0; w < WORDS; w++) s->stream[b][w] = 0;
  s->x = s->y = s->z = s->total = 0;
  s->on = s->open = 0;
}

/* The lowest 1, or NONE. */
static inline int lowest(const uint64_t *bits) {
  for (int w = 0; w < WORDS; w++)
    if (bits[w]) return 64 * w + __builtin_ctzll(bits[w]);
  return NONE;
}

static int free_row(const struct teleport_table_cfg *cfg, const struct teleport_table_state *s) {
  for (int w = 0; w * 64 < cfg->ROWS; w++)
    if (~s->used[w]) {
      int row = 64 * w + __builtin_ctzll(~s->used[w]);
      return row < cfg->ROWS ? row : NONE;
    }
  return NONE;
}

static bool misfit(const struct teleport_table_cfg *cfg, const struct teleport_table_in *in) {
  if (in->set_typesize == 0 || in->set_stream >= cfg->STREAMS) return true;
  if (cfg->WIDE) return in->set_typesize > UINT16_MAX;
  uint32_t large = (in->set_mino | in->set_maxo) >> 16;
  for (int k = 0; k < 3; k++) large |= (in->set_minp[k] | in->set_maxp[k]) >> 16;
  return large || in->set_typesize > UINT8_MAX || in->set_base >> 32;
}

/* The row as the range unit takes it. */
static void show(const struct teleport_table_cfg *cfg, const uint32_t *row, struct teleport_table_out *out) {
  uint32_t field[FIELDS];
  if (cfg->WIDE) {
    out->row_base = row[0] | (uint64_t)row[1] << 32;
    out->row_typesize = (uint16_t)row[2];
    for (int f = 0; f < FIELDS; f++) field[f] = row[3 + f];
  } else { /* 4 bytes, 1 byte, then 16 bits each */
    out->row_base = row[0];
    out->row_typesize = (uint8_t)row[1];
    for (int f = 0; f < FIELDS; f++) {
      uint32_t at = 40 + 16 * (uint32_t)f;
      uint64_t two = row[at / 32] | (uint64_t)row[at / 32 + 1] << 32;
      field[f] = two >> at % 32 & UINT16_MAX;
    }
  }
  for (int k = 0; k < 3; k++) out->row_minp[k] = field[k], out->row_maxp[k] = field[4 + k];
  out->row_mino = field[3], out->row_maxo = field[7];
}

static void teleport_table_eval(const struct teleport_table_cfg *cfg, const struct teleport_table_state *s,
                                const struct teleport_table_in *in, struct teleport_table_out *out) {
  int row = lowest(s->walk);
  __builtin_memset(out, 0, sizeof *out);
  out->set_full = in->set_valid && free_row(cfg, s) == NONE;
  out->set_misfit = in->set_valid && misfit(cfg, in);
  out->cta_ready = !s->on && !in->launch_valid && !in->end_valid;
  out->walking = s->on;
  out->row_valid = row != NONE;
  out->msg_valid = s->on && row == NONE && !s->open;
  out->busy = s->on;
  if (out->msg_valid) out->msg_total = s->total;
  if (row == NONE) return;
  show(cfg, s->row[row], out);
  out->row_x = s->x, out->row_y = s->y, out->row_z = s->z;
}

static void put_row(const struct teleport_table_cfg *cfg, uint32_t *row, const struct teleport_table_in *in) {
  const uint32_t *p = in->set_minp, *q = in->set_maxp;
  const uint32_t field[FIELDS] = {p[0], p[1], p[2], in->set_mino, q[0], q[1], q[2], in->set_maxo};
  for (int w = 0; w < ROW_WORDS; w++) row[w] = 0;
  row[0] = (uint32_t)in->set_base;
  if (cfg->WIDE) {
    row[1] = (uint32_t)(in->set_base >> 32);
    row[2] = in->set_typesize;
    for (int f = 0; f < FIELDS; f++) row[3 + f] = field[f];
    return;
  }
  row[1] = in->set_typesize & UINT8_MAX;
  for (int f = 0; f < FIELDS; f++) {
    uint32_t at = 40 + 16 * (uint32_t)f;
    uint64_t two = (uint64_t)(field[f] & UINT16_MAX) << at % 32;
    row[at / 32] |= (uint32_t)two;
    row[at / 32 + 1] |= (uint32_t)(two >> 32);
  }
}

/* Rows of the stream, among the 64 of word w that are set in `of`. */
static uint64_t rows_of(const struct teleport_table_state *s, int w, uint64_t of, uint32_t stream) {
  for (int b = 0; b < STREAM_BITS; b++) of &= ~(s->stream[b][w] ^ (0 - (uint64_t)(stream >> b & 1)));
  return of;
}

static void launch_and_flush(struct teleport_table_state *s, const struct teleport_table_in *in) {
  bool begins = in->launch_valid && !s->on, ends = in->end_valid && !s->on;
  for (int w = 0; w < WORDS; w++) {
    if (begins || ends) {
      s->used[w] &= ~s->gone[w];
      s->gone[w] = 0;
      s->snap[w] = begins ? rows_of(s, w, s->used[w], in->launch_stream) : 0;
    }
    if (!in->flush_valid) continue;
    uint64_t flushed = rows_of(s, w, s->used[w], in->flush_stream);
    s->gone[w] |= flushed & s->snap[w];
    s->used[w] &= ~(flushed & ~s->snap[w]);
  }
}

static void teleport_table_tick(const struct teleport_table_cfg *cfg, struct teleport_table_state *s,
                                const struct teleport_table_in *in, const struct teleport_table_out *out) {
  int place = in->set_valid && !out->set_full && !out->set_misfit ? free_row(cfg, s) : NONE, row = lowest(s->walk);
  bool goes = out->row_valid && in->row_ready;
  if (goes && row >= 0) s->walk[row / 64] &= ~(UINT64_C(1) << row % 64);
  s->open = (s->open + goes - (in->row_end && s->open)) & 3;
  s->total += s->on && in->line_taken;
  bool take = in->cta_valid && out->cta_ready;
  if (take) {
    for (int w = 0; w < WORDS; w++) s->walk[w] = s->snap[w];
    s->x = in->cta_x, s->y = in->cta_y, s->z = in->cta_z;
    s->total = 0;
  }
  if (in->launch_valid || in->end_valid || in->flush_valid) launch_and_flush(s, in);
  s->on = take || (s->on && !(out->msg_valid && in->msg_ready));
  if (place < 0) return;
  put_row(cfg, s->row[place], in);
  uint64_t bit = UINT64_C(1) << place % 64;
  for (int b = 0; b < STREAM_BITS; b++) {
    uint64_t *word = &s->stream[b][place / 64];
    *word = (*word & ~bit) | (in->set_stream >> b & 1 ? bit : 0);
  }
  s->used[place / 64] |= bit;
}

#include "teleport_table_model.inc"
