/* SPDX-License-Identifier: Apache-2.0 */
/* The prefetch engine of an SM's L1 (Vijaykumar 2019, 3.4.4; assumption: which tiles are active, sizes, ports and cycle behaviour). The
 * header of rtl/ldesc/pf_agen.v states the contract of the ports. */
#include "block/block.h"
#include "pf_agen_ports.h"

enum { ROWS_MAX = 16, SLOTS_MAX = 8, FIFO_MAX = 8, TILE_WORDS = ROWS_MAX / 2, N_MASK = 15 };
enum { LINE_BITS = 7, NEXT_LINE = 1, STRIDE = 2 };

struct pf_agen_state {
  uint64_t base[ROWS_MAX], limit[ROWS_MAX]; /* lines: the first, and the one behind the last */
  uint32_t dist[ROWS_MAX][SLOTS_MAX];       /* bytes ahead for 1, 2, .. active tiles */
  uint32_t tile[SLOTS_MAX][TILE_WORDS];     /* of the CTA in a slot: 16 bits a row, row 0 lowest */
  uint64_t line[FIFO_MAX], at;              /* the queue; address of the miss in stage 1 */
  uint32_t ahead;                           /* bytes from there */
  uint16_t rows;                            /* one bit a row that was written */
  uint8_t n[ROWS_MAX];                      /* active tiles of a row */
  uint8_t held, miss, from;                 /* slots that have a CTA; stage 1 has a miss; its row */
  uint8_t lines, head, tail;                /* places of the queue that have a line; the oldest; the next one */
};

static void pf_agen_reset(const struct pf_agen_cfg *cfg, struct pf_agen_state *s) {
  s->rows = 0;
  s->held = s->miss = s->lines = s->head = s->tail = 0;
  for (int32_t r = 0; r < cfg->ROWS; r++) s->n[r] = 0;
}

/* Stage 2: whether the miss gives a line that is in its row and not queued. */
static bool wants(const struct pf_agen_cfg *cfg, const struct pf_agen_state *s, uint64_t *line) {
  if (!s->miss) return false;
  uint64_t sum = s->at + s->ahead;
  *line = sum >> LINE_BITS;
  if (sum >> cfg->PAW || s->from >= cfg->ROWS || !(s->rows >> s->from & 1)) return false;
  if (*line < s->base[s->from] || *line >= s->limit[s->from]) return false;
  for (uint32_t left = s->lines; left; left &= left - 1)
    if (s->line[__builtin_ctz(left)] == *line) return false;
  return true;
}

static bool is_full(const struct pf_agen_cfg *cfg, const struct pf_agen_state *s) {
  return s->lines == (1U << cfg->FIFO) - 1;
}

static void pf_agen_eval(const struct pf_agen_cfg *cfg, const struct pf_agen_state *s, const struct pf_agen_in *in,
                         struct pf_agen_out *out) {
  (void)in;
  uint64_t line;
  out->pf_valid = s->lines >> s->head & 1;
  out->pf_line = out->pf_valid ? s->line[s->head] : 0;
  out->lost = is_full(cfg, s) && wants(cfg, s, &line);
  out->busy = s->miss || out->pf_valid;
}

/* Adds `change` to n of each row in which no CTA of `slots` has the tile of `tile`. */
static void count(const struct pf_agen_cfg *cfg, struct pf_agen_state *s, uint32_t slots, const uint32_t *tile,
                  uint32_t change) {
  for (int32_t r = 0; r < cfg->ROWS; r++) {
    uint32_t shift = 16 * (r % 2), shared = 0;
    for (int32_t slot = 0; slot < cfg->SLOTS; slot++)
      shared |= (uint32_t)(((s->tile[slot][r / 2] ^ tile[r / 2]) >> shift & 0xffff) == 0) << slot;
    if (!(shared & slots)) s->n[r] = (s->n[r] + change) & N_MASK;
  }
}

static void move_tiles(const struct pf_agen_cfg *cfg, struct pf_agen_state *s, const struct pf_agen_in *in) {
  if (in->end_en && in->end_slot < cfg->SLOTS && s->held >> in->end_slot & 1) {
    s->held &= (uint8_t) ~(1U << in->end_slot);
    count(cfg, s, s->held, s->tile[in->end_slot], N_MASK);
  }
  if (in->start_en && in->start_slot < cfg->SLOTS && !(s->held >> in->start_slot & 1)) {
    count(cfg, s, s->held, in->start_tile, 1);
    for (int32_t w = 0; w < (cfg->ROWS + 1) / 2; w++) s->tile[in->start_slot][w] = in->start_tile[w];
    s->held |= (uint8_t)(1U << in->start_slot);
  }
}

static void write_rows(const struct pf_agen_cfg *cfg, struct pf_agen_state *s, const struct pf_agen_in *in) {
  if (in->clear_en) s->rows = 0;
  if (!in->set_en || in->set_row >= cfg->ROWS) return;
  s->rows |= (uint16_t)(1U << in->set_row);
  s->base[in->set_row] = in->set_base;
  s->limit[in->set_row] = in->set_limit;
  for (int32_t k = 0; k < cfg->SLOTS; k++) s->dist[in->set_row][k] = in->set_dist[k];
}

/* Stage 1. */
static void take_miss(const struct pf_agen_cfg *cfg, struct pf_agen_state *s, const struct pf_agen_in *in) {
  bool there = in->miss_en && in->miss_row < cfg->ROWS && s->rows >> in->miss_row & 1;
  s->miss = there && (in->miss_pf == NEXT_LINE || in->miss_pf == STRIDE);
  if (!s->miss) return;
  uint32_t n = s->n[in->miss_row], index = n ? n - 1 : 0, stride = 0;
  if (index < (uint32_t)cfg->SLOTS) stride = s->dist[in->miss_row][index];
  s->at = in->miss_addr;
  s->ahead = in->miss_pf == NEXT_LINE ? 1U << LINE_BITS : stride;
  s->from = in->miss_row;
}

static void pf_agen_tick(const struct pf_agen_cfg *cfg, struct pf_agen_state *s, const struct pf_agen_in *in,
                         const struct pf_agen_out *out) {
  uint64_t line;
  bool push = !is_full(cfg, s) && wants(cfg, s, &line), pop = out->pf_valid && in->pf_ready;
  take_miss(cfg, s, in);
  if (pop) {
    s->lines &= (uint8_t) ~(1U << s->head);
    s->head = s->head == cfg->FIFO - 1 ? 0 : (uint8_t)(s->head + 1);
  }
  if (push) {
    s->lines |= (uint8_t)(1U << s->tail);
    s->line[s->tail] = line;
    s->tail = s->tail == cfg->FIFO - 1 ? 0 : (uint8_t)(s->tail + 1);
  }
  write_rows(cfg, s, in);
  move_tiles(cfg, s, in);
}

#include "pf_agen_model.inc"
