/* SPDX-License-Identifier: Apache-2.0 */
/* The policy table beside an SM's L1 (Vijaykumar 2019, 3.4.2 to 3.4.4; assumption: rows, widths, ports and cycle behaviour). The header of
 * rtl/ldesc/ldt_lookup.v states the contract of the ports. */
#include "block/block.h"
#include "ldt_lookup_ports.h"

enum { ROWS_MAX = 16, LINE_BYTES = 128 };

struct ldt_lookup_state {
  uint64_t base[ROWS_MAX], limit[ROWS_MAX]; /* lines: the first, and the one behind the last */
  uint8_t insert[ROWS_MAX], pf[ROWS_MAX];
  uint32_t valid; /* one bit a row */
};

static void ldt_lookup_reset(const struct ldt_lookup_cfg *cfg, struct ldt_lookup_state *s) {
  (void)cfg;
  s->valid = 0;
}

static void ldt_lookup_eval(const struct ldt_lookup_cfg *cfg, const struct ldt_lookup_state *s,
                            const struct ldt_lookup_in *in, struct ldt_lookup_out *out) {
  (void)cfg;
  uint64_t line = in->at_addr / LINE_BYTES;
  out->hit = out->hit_row = out->insert = out->pf = out->busy = 0;
  for (uint32_t left = in->at_en ? s->valid : 0; left; left &= left - 1) {
    uint32_t row = (uint32_t)__builtin_ctz(left);
    if (line < s->base[row] || line >= s->limit[row]) continue;
    out->hit = 1;
    out->hit_row = (uint8_t)row;
    out->insert = s->insert[row];
    out->pf = s->pf[row];
    return;
  }
}

static void ldt_lookup_tick(const struct ldt_lookup_cfg *cfg, struct ldt_lookup_state *s,
                            const struct ldt_lookup_in *in, const struct ldt_lookup_out *out) {
  (void)out;
  if (in->clear_en) s->valid = 0;
  if (!in->set_en || in->set_row >= cfg->ROWS) return;
  s->valid |= 1U << in->set_row;
  s->base[in->set_row] = in->set_base;
  s->limit[in->set_row] = in->set_limit;
  s->insert[in->set_row] = in->set_insert;
  s->pf[in->set_row] = in->set_pf;
}

#include "ldt_lookup_model.inc"
