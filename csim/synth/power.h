/* SPDX-License-Identifier: Apache-2.0 */
/* Power of a block at a stated clock under the stimulus of a run: the recorded stimulus is replayed on the mapped netlist and on the
 * RTL (their outputs must be the same in every cycle), the toggles of each net are counted, and OpenSTA adds up the library's
 * energies.
 *
 * Pre-layout: no wires, no clock tree, no glitches; the power of nets at the inputs belongs to the block that drives them. Arrays
 * are flip-flops (synth_open with memory_bits INT64_MAX). */
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
 * another block or other parameters, an instance without requests; ERR_SYNTAX: a truncated recording. */
int synth_power(struct synth *, unsigned design, unsigned library, struct json_t *row, const char *stimulus_path,
                uint32_t khz, struct err *);

/* Prints the powers in the rows as a table. */
void synth_power_print(FILE *, const struct json_t *rows);

#endif
