/* SPDX-License-Identifier: Apache-2.0 */
/* DRAM scheduler with one FIFO per bank (Yuan 2009, 4.1 and 4.5): heads compare their row with the open row. Column
 * commands have priority over ACT, and ACT over PRE; among commands of one kind the oldest request wins. */
#include "bfifo_sched_ports.h"
#include "block/block.h"

enum { BANKS_MAX = 16, ROWS_MAX = 256, NOTHING = 0, COLUMN = 1, ACTIVATE = 2, PRECHARGE = 3 };

struct bfifo_sched_state {
  uint32_t rows[ROWS_MAX]; /* entry e of bank b is number b * DEPTH + e */
  uint16_t tags[ROWS_MAX], stamps[ROWS_MAX];
  uint8_t head[BANKS_MAX];      /* entry of the oldest request of a bank */
  uint8_t count[BANKS_MAX];     /* requests of a bank */
  uint8_t done[BANKS_MAX];      /* column commands already given to the head */
  uint16_t open;                /* a row of the bank is open */
  uint32_t open_row[BANKS_MAX]; /* the open row of the bank */
  uint16_t stamp;               /* stamp of the next request */
};

static void bfifo_sched_reset(const struct bfifo_sched_cfg *cfg, struct bfifo_sched_state *s) {
  (void)cfg;
  __builtin_memset(s, 0, sizeof *s);
}

static uint32_t stamp_bits(const struct bfifo_sched_cfg *cfg) {
  return block_clog2((uint32_t)cfg->NB * (uint32_t)cfg->DEPTH) + 1;
}

static uint32_t head_of(const struct bfifo_sched_cfg *cfg, const struct bfifo_sched_state *s, uint32_t bank) {
  return bank * (uint32_t)cfg->DEPTH + s->head[bank];
}

static void bfifo_sched_eval(const struct bfifo_sched_cfg *cfg, const struct bfifo_sched_state *s,
                             const struct bfifo_sched_in *in, struct bfifo_sched_out *out) {
  uint32_t half = 1U << (stamp_bits(cfg) - 1), best = NOTHING, chosen = 0, busy = 0;
  for (uint32_t b = 0; b < (uint32_t)cfg->NB; b++) {
    if (!s->count[b]) continue;
    busy = 1;
    uint32_t at = head_of(cfg, s, b), open = s->open >> b & 1, hit = open && s->rows[at] == s->open_row[b];
    uint32_t command = hit ? COLUMN : open ? PRECHARGE : ACTIVATE;
    uint32_t can = hit ? in->bank_can_col : open ? in->bank_can_pre : in->bank_can_act;
    if (!(can >> b & 1)) continue;
    uint32_t older = (uint32_t)(s->stamps[at] - s->stamps[head_of(cfg, s, chosen)]) & half;
    if (best == NOTHING || command < best || (command == best && older)) best = command, chosen = b;
  }
  uint32_t at = head_of(cfg, s, chosen);
  out->enq_ready = in->enq_bank < cfg->NB && s->count[in->enq_bank] < cfg->DEPTH;
  out->cmd = (uint8_t)best;
  out->cmd_bank = best ? (uint8_t)chosen : 0;
  out->cmd_row = best ? s->rows[at] : 0;
  out->cmd_tag = best ? s->tags[at] : 0;
  out->busy = (uint8_t)busy;
}

static void bfifo_sched_tick(const struct bfifo_sched_cfg *cfg, struct bfifo_sched_state *s,
                             const struct bfifo_sched_in *in, const struct bfifo_sched_out *out) {
  uint32_t bank = out->cmd_bank, depth = (uint32_t)cfg->DEPTH;
  if (in->enq_valid && out->enq_ready) {
    uint32_t e = s->head[in->enq_bank] + s->count[in->enq_bank],
             at = in->enq_bank * depth + (e >= depth ? e - depth : e);
    s->rows[at] = in->enq_row;
    s->tags[at] = in->enq_tag;
    s->stamps[at] = s->stamp;
    s->stamp = (uint16_t)((s->stamp + 1U) & ((1U << stamp_bits(cfg)) - 1));
    s->count[in->enq_bank]++;
  }
  if (out->cmd == ACTIVATE) {
    s->open |= (uint16_t)(1U << bank);
    s->open_row[bank] = out->cmd_row;
  } else if (out->cmd == PRECHARGE) {
    s->open &= (uint16_t) ~(1U << bank);
  } else if (out->cmd == COLUMN && ++s->done[bank] == cfg->NCMD) {
    s->done[bank] = 0;
    s->head[bank] = s->head[bank] + 1U == depth ? 0 : (uint8_t)(s->head[bank] + 1);
    s->count[bank]--;
  }
}

#include "bfifo_sched_model.inc"
