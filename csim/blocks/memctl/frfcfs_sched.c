/* SPDX-License-Identifier: Apache-2.0 */
/* First-ready first-come-first-served DRAM scheduler (Rixner et al. 2000; Yuan 2009, 4.2) over a queue in order of
 * arrival. The oldest ready request to an open row goes first; if there is none, the oldest request whose bank may be
 * activated or precharged and has no request for its open row. */
#include "block/block.h"
#include "frfcfs_sched_ports.h"

enum { BANKS_MAX = 16, ENTRIES_MAX = 64, NOTHING = 0, COLUMN = 1, ACTIVATE = 2, PRECHARGE = 3 };

struct frfcfs_sched_state {
  uint64_t valid; /* entries in use: the lowest ones; 0 is the oldest */
  uint8_t banks[ENTRIES_MAX];
  uint32_t rows[ENTRIES_MAX];
  uint16_t tags[ENTRIES_MAX];
  uint8_t done[ENTRIES_MAX];    /* column commands already given to the entry */
  uint16_t open;                /* a row of the bank is open */
  uint32_t open_row[BANKS_MAX]; /* the open row of the bank */
};

static void frfcfs_sched_reset(const struct frfcfs_sched_cfg *cfg, struct frfcfs_sched_state *s) {
  (void)cfg;
  __builtin_memset(s, 0, sizeof *s);
}

static uint32_t entries(const struct frfcfs_sched_state *s) { return (uint32_t)__builtin_popcountll(s->valid); }

/* The entry that goes next, or -1; *command is its command. */
static int choose(const struct frfcfs_sched_state *s, const struct frfcfs_sched_in *in, uint32_t *command) {
  uint32_t n = entries(s), pending = 0;
  for (uint32_t e = 0; e < n; e++) {
    uint32_t b = s->banks[e];
    if (!(s->open >> b & 1) || s->rows[e] != s->open_row[b]) continue;
    pending |= 1U << b;
    if (in->bank_can_col >> b & 1) return *command = COLUMN, (int)e;
  }
  for (uint32_t e = 0; e < n; e++) {
    uint32_t b = s->banks[e], open = s->open >> b & 1;
    if (pending >> b & 1 || !((open ? in->bank_can_pre : in->bank_can_act) >> b & 1)) continue;
    return *command = open ? PRECHARGE : ACTIVATE, (int)e;
  }
  return *command = NOTHING, -1;
}

static void frfcfs_sched_eval(const struct frfcfs_sched_cfg *cfg, const struct frfcfs_sched_state *s,
                              const struct frfcfs_sched_in *in, struct frfcfs_sched_out *out) {
  uint32_t command;
  int e = choose(s, in, &command);
  out->enq_ready = in->enq_bank < cfg->NB && entries(s) < (uint32_t)cfg->Q;
  out->cmd = (uint8_t)command;
  out->cmd_bank = e >= 0 ? s->banks[e] : 0;
  out->cmd_row = e >= 0 ? s->rows[e] : 0;
  out->cmd_tag = e >= 0 ? s->tags[e] : 0;
  out->busy = s->valid != 0;
}

static void remove_entry(struct frfcfs_sched_state *s, uint32_t e) {
  uint32_t after = entries(s) - e - 1;
  __builtin_memmove(s->banks + e, s->banks + e + 1, after);
  __builtin_memmove(s->rows + e, s->rows + e + 1, after * sizeof *s->rows);
  __builtin_memmove(s->tags + e, s->tags + e + 1, after * sizeof *s->tags);
  __builtin_memmove(s->done + e, s->done + e + 1, after);
  s->valid >>= 1;
}

static void frfcfs_sched_tick(const struct frfcfs_sched_cfg *cfg, struct frfcfs_sched_state *s,
                              const struct frfcfs_sched_in *in, const struct frfcfs_sched_out *out) {
  uint32_t command, bank = out->cmd_bank;
  if (out->cmd == ACTIVATE) {
    s->open |= (uint16_t)(1U << bank);
    s->open_row[bank] = out->cmd_row;
  } else if (out->cmd == PRECHARGE) {
    s->open &= (uint16_t) ~(1U << bank);
  } else if (out->cmd == COLUMN) {
    int e = choose(s, in, &command);
    if (++s->done[e] == cfg->NCMD) remove_entry(s, (uint32_t)e);
  }
  if (in->enq_valid && out->enq_ready) {
    uint32_t e = entries(s);
    s->banks[e] = in->enq_bank;
    s->rows[e] = in->enq_row;
    s->tags[e] = in->enq_tag;
    s->done[e] = 0;
    s->valid |= UINT64_C(1) << e;
  }
}

#include "frfcfs_sched_model.inc"
