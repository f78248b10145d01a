/* SPDX-License-Identifier: Apache-2.0 */
/* Waves of other simulators as stimuli of check and drive. */
#ifndef TANDEM_CLI_WAVE_ARGUMENT_H
#define TANDEM_CLI_WAVE_ARGUMENT_H

#include "block/block.h"

#include <stdbool.h>

struct err;
struct stimulus;

/* `file` as a stimulus: CSV, or a wave (.vcd, .fst) with its map. With outputs in the map, *differs says whether they differ from those of
 * the C model, which is told on stderr. ERR_USAGE: a wave without a map, or a map without a wave. */
int stimulus_argument(const char *file, const char *map, const struct block_desc *, const int32_t *params,
                      struct stimulus *, bool *differs, struct err *);
/* Lockstep over a wave; prints a line. *differs: C model and RTL differ, or the wave's outputs from the C model's. A divergence leaves the
 * stimulus as OUT/stimulus.csv. */
int check_wave(const char *file, const char *map, const struct block_desc *, const int32_t *params, const char *out,
               bool *differs, struct err *);

#endif
