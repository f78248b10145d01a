/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of map_table: phases in which entries come or go, in one row, a few or all of them; reads of what was written last, of the row of the
 * write in its cycle, and of sets that do not exist. */
#include "block/block_drive.h"
#include "map_table_ports.h"

struct map_table_drive_state {
  uint32_t left;                /* cycles of this phase */
  uint32_t reads, writes, maps; /* percent */
  uint32_t rows;                /* rows in use */
  uint32_t row, set;            /* of the write before */
};

static uint32_t bits_of(uint32_t n) {
  uint32_t bits = 1;
  while (1U << bits < n) bits++;
  return bits;
}

static void drive_reads(const struct map_table_cfg *cfg, struct rng *rng, const struct map_table_drive_state *s,
                        struct map_table_in *in) {
  uint32_t banks = (uint32_t)cfg->BANKS, row_bits = bits_of((uint32_t)cfg->ROWS / banks),
           set_bits = bits_of((uint32_t)cfg->SETS);
  in->rd_en = 0;
  in->rd_row = in->rd_set = 0;
  for (uint32_t p = 0; p < (uint32_t)cfg->READS; p++) {
    uint32_t how = rng_below(rng, 4), row = rng_below(rng, s->rows), set = rng_below(rng, (uint32_t)cfg->SETS);
    if (how == 0) row = s->row, set = s->set; /* in the next cycle */
    if (how == 1) row = in->wr_row, set = in->wr_set;
    if (rng_below(rng, 16) == 0) set = rng_below(rng, 1U << set_bits);
    in->rd_en |= (uint8_t)((uint32_t)rng_percent(rng, s->reads) << p);
    in->rd_row |= (uint64_t)(row / banks) << p * row_bits;
    in->rd_set |= (uint64_t)set << p * set_bits;
  }
}

static void map_table_drive(const struct map_table_cfg *cfg, struct rng *rng, struct map_table_drive_state *s,
                            const struct map_table_out *last, struct map_table_in *in) {
  static const uint8_t rates[] = {0, 10, 50, 90, 100};
  uint32_t rows = (uint32_t)cfg->ROWS, sets = (uint32_t)cfg->SETS;
  (void)last;
  if (s->left == 0) {
    s->left = 1 + rng_below(rng, 400);
    s->reads = rates[rng_below(rng, sizeof rates)];
    s->writes = rates[rng_below(rng, sizeof rates)];
    s->maps = rates[rng_below(rng, sizeof rates)];
    s->rows = rng_below(rng, 2) ? rows : 1 + rng_below(rng, rows);
  }
  s->left--;
  in->wr_en = rng_percent(rng, s->writes);
  in->wr_row = (uint8_t)rng_below(rng, s->rows);
  in->wr_set = (uint8_t)rng_below(rng, rng_below(rng, 8) ? sets : 1U << bits_of(sets));
  in->wr_valid = rng_percent(rng, s->maps);
  in->wr_phys = (uint16_t)rng_below(rng, 1U << (cfg->PHYS_W - 1));
  drive_reads(cfg, rng, s, in);
  if (in->wr_en) s->row = in->wr_row, s->set = in->wr_set;
}

BLOCK_DRIVER(map_table);
