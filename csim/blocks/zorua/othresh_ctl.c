/* SPDX-License-Identifier: Apache-2.0 */
/* How much of each resource of an SM may lie in the swap space (Vijaykumar 2019, 4.4.4; assumption: one percentage, its limits, rounding,
 * the start of a launch, ports and cycle behaviour). The header of rtl/zorua/othresh_ctl.v states the contract of the ports. */
#include "block/block.h"
#include "othresh_ctl_ports.h"

enum { ALL = 100 };

struct othresh_ctl_state {
  uint8_t percent;
  uint16_t epoch, idle, mem;    /* cycles of this epoch; of them c_idle and c_mem */
  uint16_t idle_prev, mem_prev; /* of the last one */
};

static void begin(const struct othresh_ctl_cfg *cfg, struct othresh_ctl_state *s) {
  s->percent = (uint8_t)cfg->START;
  s->epoch = s->idle = s->mem = s->idle_prev = s->mem_prev = 0;
}

static void othresh_ctl_reset(const struct othresh_ctl_cfg *cfg, struct othresh_ctl_state *s) { begin(cfg, s); }

/* The nearest whole number of `percent` of `n`, halves up. */
static uint16_t share(uint32_t percent, int32_t n) { return (uint16_t)((percent * (uint32_t)n + ALL / 2) / ALL); }

static void othresh_ctl_eval(const struct othresh_ctl_cfg *cfg, const struct othresh_ctl_state *s,
                             const struct othresh_ctl_in *in, struct othresh_ctl_out *out) {
  (void)in;
  out->thresh_regs = share(s->percent, cfg->REGS);
  out->thresh_scratch = (uint8_t)share(s->percent, cfg->SCRATCH);
  out->thresh_slots = (uint8_t)share(s->percent, cfg->SLOTS);
  out->busy = 0;
}

static void end_epoch(const struct othresh_ctl_cfg *cfg, struct othresh_ctl_state *s) {
  int32_t idle_delta = s->idle - s->idle_prev, mem_delta = s->mem - s->mem_prev, percent = s->percent;
  if (idle_delta - mem_delta > cfg->DELTA) percent += cfg->STEP;
  if (mem_delta - idle_delta > cfg->DELTA) percent -= cfg->STEP;
  s->percent = (uint8_t)(percent > ALL ? ALL : percent < 0 ? 0 : percent);
  s->idle_prev = s->idle, s->mem_prev = s->mem;
  s->epoch = s->idle = s->mem = 0;
}

static void othresh_ctl_tick(const struct othresh_ctl_cfg *cfg, struct othresh_ctl_state *s,
                             const struct othresh_ctl_in *in, const struct othresh_ctl_out *out) {
  uint32_t epoch = (uint32_t)cfg->EPOCH, run = in->run > epoch ? epoch : in->run, left = epoch - s->epoch;
  bool is_idle = !in->issue_valid && !in->pipe_stall;
  (void)out;
  if (in->start_en) {
    begin(cfg, s);
    return;
  }
  uint32_t part = run < left ? run : left;
  s->epoch = (uint16_t)(s->epoch + part);
  if (is_idle) s->idle = (uint16_t)(s->idle + part);
  if (in->all_wait_mem) s->mem = (uint16_t)(s->mem + part);
  if (s->epoch < epoch) return;
  end_epoch(cfg, s);
  s->epoch = (uint16_t)(run - part);
  if (is_idle) s->idle = s->epoch;
  if (in->all_wait_mem) s->mem = s->epoch;
}

#include "othresh_ctl_model.inc"
