/* SPDX-License-Identifier: Apache-2.0 */
/* Host time of a cycle of one instance, for each engine. */
#ifndef TANDEM_BLOCKTEST_BENCH_BLOCKS_H
#define TANDEM_BLOCKTEST_BENCH_BLOCKS_H

#include "dpi.h"

enum { BENCH_INSTANCES = 15, BENCH_BLOCKS_MAX = 64 };

struct bench_block {
  const char *block;
  char name[64];       /* of the block, with the parameters that differ from the defaults */
  bool composite;      /* made of other blocks */
  double active_ns[3]; /* per instance-cycle that is executed, by engine; under lockstep, of the simulating thread */
  double checker_ns;   /* what the checker of such a cycle takes beside it */
  double idle_ns[3];   /* per instance-cycle that is skipped */
  double check_hz;     /* cycles a second of one block alone under `check`, stimulus included */
};

/* Fills a row for each block of the manifest, with its default parameters; with `only`, a row for each parameter set of that
 * block's sweep. *n is their number. */
int bench_blocks(const char *only, struct bench_block rows[BENCH_BLOCKS_MAX], uint32_t *n, struct err *);

#endif
