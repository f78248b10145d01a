/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of othresh_ctl. Half of the phases draw each cycle: runs of one cycle, of a few, of most of an epoch and of more than one. In the
 * others the idle part of an epoch grows from epoch to epoch while the part that waits for memory shrinks, or the reverse, and then begins
 * again, so that the percentage walks to both ends. Launches are rare. */
#include "block/block_drive.h"
#include "othresh_ctl_ports.h"

struct othresh_ctl_drive_state {
  uint32_t left;              /* cycles of this phase */
  uint32_t issue, stall, mem; /* percent of them */
  uint32_t longest;           /* run; 0: of any length */
  uint32_t pace;              /* percent by which the idle part grows in an epoch; 0: a phase of the first kind */
  uint32_t part;              /* percent of an epoch */
  bool falls, second;         /* the idle part shrinks; the second part of an epoch */
};

static void begin_phase(struct rng *rng, struct othresh_ctl_drive_state *s) {
  static const uint8_t rates[] = {0, 5, 50, 95, 100};
  static const uint8_t runs[] = {1, 3, 40, 0};
  s->longest = runs[rng_below(rng, sizeof runs)];
  s->left = 1 + rng_below(rng, 300);
  s->issue = rates[rng_below(rng, sizeof rates)];
  s->stall = rates[rng_below(rng, sizeof rates)];
  s->mem = rates[rng_below(rng, sizeof rates)];
  s->pace = rng_below(rng, 2) ? 1 + rng_below(rng, 15) : 0;
  s->falls = rng_below(rng, 2);
}

static void drive_walk(uint32_t epoch, struct othresh_ctl_drive_state *s, struct othresh_ctl_in *in) {
  uint32_t part = epoch * s->part / 100;
  bool idle = s->second == s->falls;
  in->run = (uint16_t)(s->second ? epoch - part : part);
  in->issue_valid = !idle;
  in->pipe_stall = 0;
  in->all_wait_mem = !idle;
  if (s->second) s->part = s->part + s->pace > 100 ? 0 : s->part + s->pace;
  s->second = !s->second;
}

static void othresh_ctl_drive(const struct othresh_ctl_cfg *cfg, struct rng *rng, struct othresh_ctl_drive_state *s,
                              const struct othresh_ctl_out *last, struct othresh_ctl_in *in) {
  uint32_t epoch = (uint32_t)cfg->EPOCH, top = 1;
  (void)last;
  while (top <= epoch) top *= 2; /* values of a run's port */
  if (s->left == 0) begin_phase(rng, s);
  s->left--;
  in->start_en = rng_below(rng, 2000) == 0;
  if (s->pace) {
    drive_walk(epoch, s, in);
    return;
  }
  in->run = (uint16_t)rng_below(rng, s->longest && s->longest < top ? s->longest + 1 : rng_below(rng, 4) ? epoch : top);
  if (in->run == top) in->run = (uint16_t)epoch;
  in->issue_valid = rng_percent(rng, s->issue);
  in->pipe_stall = rng_percent(rng, s->stall);
  in->all_wait_mem = rng_percent(rng, s->mem);
}

BLOCK_DRIVER(othresh_ctl);
