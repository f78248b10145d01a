/* SPDX-License-Identifier: Apache-2.0 */
/* Power of a block at a stated clock, from what a run asked of it: a recorded stimulus is replayed on the mapped netlist beside
 * the RTL (their outputs have to be the same in every cycle), toggles are counted net by net, and OpenSTA adds the library's
 * energies up.
 *
 * Pre-layout: no wires, a clock without a tree, no glitches; nets that the block's inputs drive count where they are driven.
 * Arrays are flip-flops (open the desk with memory_bits INT64_MAX). */
#ifndef TANDEM_SYNTH_POWER_H
#define TANDEM_SYNTH_POWER_H

#include <stdint.h>
#include <stdio.h>

struct err;
struct json_t;
struct synth;

/* Adds to the row of synth_json(s) of the `design`th block and the `library`th library an element of its array "power": workload,
 * instance, stimulus (hash), window, cycles, clock_mhz, reaches_clock, total_mw = dynamic_mw (switching_mw + internal_mw) +
 * clock_mw (clock_pins_mw + clock_net_mw) + leakage_mw, pins, annotated_pins, annotated_share, gated{estimate, share, total_mw},
 * ports (toggles of each bit), netlist_seed. The netlist is the median one of the band. `khz` 0: the clock that the recording
 * names, or else 700 MHz. ERR_CHECK: netlist and RTL, or netlist and recording, answer differently; ERR_VALUE: a stimulus of
 * another block or other parameters, an instance that was never asked; ERR_SYNTAX: a cut-off recording. */
int synth_power(struct synth *, unsigned design, unsigned library, struct json_t *row, const char *stimulus_path,
                uint32_t khz, struct err *);

/* One line a workload and library. */
void synth_power_print(FILE *, const struct json_t *rows);

#endif
