/* SPDX-License-Identifier: Apache-2.0 */
/* Where a resource's logical sets lie (Vijaykumar 2019, 4.4.5; assumption: ports, banks and cycle behaviour). The header of
 * rtl/zorua/map_table.v states the contract of the ports. */
#include "block/block.h"
#include "map_table_ports.h"

enum { ENTRIES_MAX = 2048, WORD = 32 };

struct map_table_state {
  uint32_t valid[ENTRIES_MAX / WORD]; /* a bit an entry: its set lies in a physical one */
  uint16_t phys[ENTRIES_MAX];         /* this one */
};

/* Item `i` of a vector of items of `width` bits. */
static uint32_t item(uint64_t v, uint32_t i, uint32_t width) {
  return (uint32_t)(v >> i * width) & ((1U << width) - 1);
}

/* Puts item `i` of `width` bits into a vector of words that has zeros there. */
static void put_item(uint32_t *v, uint32_t i, uint32_t width, uint32_t value) {
  uint64_t placed = (uint64_t)value << i * width % WORD;
  v[i * width / WORD] |= (uint32_t)placed;
  if (placed >> WORD) v[i * width / WORD + 1] |= (uint32_t)(placed >> WORD);
}

static void map_table_reset(const struct map_table_cfg *cfg, struct map_table_state *s) {
  (void)cfg;
  for (uint32_t w = 0; w < ENTRIES_MAX / WORD; w++) s->valid[w] = 0;
}

static void map_table_eval(const struct map_table_cfg *cfg, const struct map_table_state *s,
                           const struct map_table_in *in, struct map_table_out *out) {
  uint32_t rows = (uint32_t)cfg->ROWS, sets = (uint32_t)cfg->SETS, banks = (uint32_t)cfg->BANKS;
  out->busy = 0;
  out->rd_valid = 0;
  __builtin_memset(out->rd_phys, 0, sizeof out->rd_phys);
  if (!in->rd_en) return;
  uint32_t row_bits = block_bits(rows / banks), set_bits = block_bits(sets), width = (uint32_t)cfg->PHYS_W - 1;
  for (uint32_t p = 0, bank = 0; p < (uint32_t)cfg->READS; p++, bank = bank + 1 < banks ? bank + 1 : 0) {
    if (!(in->rd_en >> p & 1)) continue;
    uint32_t set = item(in->rd_set, p, set_bits);
    uint32_t at = set * rows + item(in->rd_row, p, row_bits) * banks + bank;
    if (set >= sets || !(s->valid[at / WORD] >> at % WORD & 1)) continue;
    out->rd_valid |= (uint8_t)(1U << p);
    put_item(out->rd_phys, p, width, s->phys[at]);
  }
}

static void map_table_tick(const struct map_table_cfg *cfg, struct map_table_state *s, const struct map_table_in *in,
                           const struct map_table_out *out) {
  uint32_t at = in->wr_set * (uint32_t)cfg->ROWS + in->wr_row;
  (void)out;
  if (!in->wr_en || in->wr_set >= cfg->SETS) return;
  s->valid[at / WORD] &= ~(1U << at % WORD);
  if (!in->wr_valid) return;
  s->valid[at / WORD] |= 1U << at % WORD;
  s->phys[at] = in->wr_phys;
}

#include "map_table_model.inc"
