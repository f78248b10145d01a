/* SPDX-License-Identifier: Apache-2.0 */
/* A stimulus from a wave that another simulator has written, VCD or FST. A map says which of its signals are the ports:
 *
 *   clock: tb.clk                          each rising edge is a cycle; {signal: tb.clk, edge: falling} takes falling ones
 *   reset: {signal: tb.rst, active: high}  or a name: active low; without it two reset cycles come first
 *   inputs:                                every input port: a signal, a part of one, several (the first one highest), a number
 *     req: tb.dut.req
 *     index: "tb.dut.word[7:4]"
 *     data: [tb.dut.high, tb.dut.low]
 *     mode: 0
 *   outputs: {grant: tb.dut.grant}         any: their values are compared with those of the C model
 *
 * Values are those just before the edge, when what the last edge has caused has settled. Unknown bits of inputs are taken as 0, and the
 * first of each port is told; unknown bits of outputs are not compared. */
#ifndef TANDEM_BLOCKTEST_WAVE_STIMULUS_H
#define TANDEM_BLOCKTEST_WAVE_STIMULUS_H

#include "stimulus.h"

#include <stdio.h>

/* What the wave says of the outputs, a row for each of the stimulus. */
struct wave_outputs {
  uint8_t *value, *known; /* rows of out_bytes each; bits of known: 1 where the wave has 0 or 1 */
  bool any;               /* the map has outputs */
};

/* True for a file whose name ends in .vcd or .fst. */
bool wave_stimulus_is_wave(const char *path);
/* `path` is the map. Errors: ERR_FILE, ERR_TOOL (an FST without fst2vcd), ERR_SYNTAX with file and line, ERR_VALUE: a signal that is not there, with the
 * nearest one, or of another width than its port. Notes go to `notes`. */
int wave_stimulus_read(const char *wave, const char *path, const struct block_desc *, const int32_t *params,
                       struct stimulus *, struct wave_outputs *, FILE *notes, struct err *);
void wave_outputs_free(struct wave_outputs *);

/* Compares the C model's outputs with those of the wave; *equal is false at the first difference, which is printed to `f`. */
int wave_outputs_check(const struct wave_outputs *, const struct stimulus *, FILE *f, bool *equal, struct err *);

#endif
