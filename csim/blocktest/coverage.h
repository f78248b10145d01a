/* SPDX-License-Identifier: Apache-2.0 */
/* Functional coverage of one block: which of its points (docs/coverage.md) a stimulus has reached. Some are derived from the manifest,
 * the others are declared in testbench/F/B_cover.c. Counting reads ports and the C model's registers. */
#ifndef TANDEM_BLOCKTEST_COVERAGE_H
#define TANDEM_BLOCKTEST_COVERAGE_H

#include "base/err.h"
#include "block/block.h"
#include "blocktest/coverage_point.h"

struct coverage;

/* Begins to count for instances of `desc` with `params`. NULL and *e: out of memory. */
struct coverage *coverage_open(const struct block_desc *desc, const int32_t *params, struct err *e);
void coverage_close(struct coverage *);
/* Counts the cycle of an instance with a C model: after its outputs and late inputs are there, before its tick. */
void coverage_cycle(struct coverage *, const struct block *);
/* The points that exist at these parameters. */
unsigned coverage_points(struct coverage *, const struct coverage_point **);
uint64_t coverage_cycles(const struct coverage *);
/* How many points were reached so far; cheap. */
unsigned coverage_reached(const struct coverage *);

#endif
