/* SPDX-License-Identifier: Apache-2.0 */
/* Stimuli beside a failing one: one cycle from the same state, with other inputs. The C model runs it on a copy of its state, the RTL as
 * its netlist. */
#ifndef TANDEM_DPI_TWINS_H
#define TANDEM_DPI_TWINS_H

#include "netlist/netlist.h"
#include "trail.h"

struct twins {
  const struct block_desc *desc;
  const int32_t *params;
  const struct netlist *n;
  uint32_t bug;
  /* the bit of the netlist at each bit of struct B_in, B_out, B_regs, or NETLIST_NONE */
  uint32_t *in, *out, *regs;
  uint32_t reset; /* the bit of rst_n, or NETLIST_NONE */
  uint8_t *value; /* of every bit, in the last cycle that was run */
  uint8_t *state, *model_out, *model_regs, *rtl_out, *rtl_regs;
  /* in the last cycle that was run: the bits that differ, of outputs and of registers after the clock edge; at most as
   * many as there are outputs and registers */
  uint32_t *wrong, n_wrong;
};

/* ERR_UNSUPPORTED: the netlist has a cell that cannot be evaluated, or its registers are not those of the manifest. */
int twins_open(struct twins *, const struct stimulus *, const struct netlist *, uint32_t bug, struct err *);
void twins_close(struct twins *);

/* Sets inputs and registers and evaluates the netlist; the model does not run. */
void twins_evaluate(struct twins *, const struct trail_row *, const uint8_t *in);
/* The same with the model; sets `wrong`. True if both sides agree. */
bool twins_run(struct twins *, const struct trail_row *, const uint8_t *in);

#endif
