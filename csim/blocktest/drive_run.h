/* SPDX-License-Identifier: Apache-2.0 */
/* One block, driven from a CSV file: the core of `drive` and `replay`. */
#ifndef TANDEM_BLOCKTEST_DRIVE_RUN_H
#define TANDEM_BLOCKTEST_DRIVE_RUN_H

#include "replay.h"
#include "rtl_cache.h"

/* Prints every port of every row as CSV (header: cycle, rst_n, inputs, outputs). Without a column rst_n two reset cycles
 * come first and are not printed. Under lockstep a divergence ends the run: *diverged, *first. */
int drive_run(const struct stimulus *, enum block_engine, FILE *out, struct divergence *first, bool *diverged,
              struct err *);

/* Writes the stimulus and the C model's outputs as hex vectors for the replay shell of a second simulator
 * (generated B_replay.v): one {digest of the registers, 31'b0, rst_n, inputs, outputs} a row. */
int drive_vectors(const struct stimulus *, const char *path, struct err *);

/* Finds the file with the planted bugs of a block (made at build time) and the number of the bug `name`. */
int planted_bug_find(const struct block_desc *, const char *name, uint32_t *bug, char *rtl, size_t size, struct err *);

#endif
