/* SPDX-License-Identifier: Apache-2.0 */
/* What an instance-cycle costs on this host, engine by engine. */
#ifndef TANDEM_BLOCKTEST_BENCH_BLOCKS_H
#define TANDEM_BLOCKTEST_BENCH_BLOCKS_H

#include "dpi.h"

enum { BENCH_INSTANCES = 15, BENCH_BLOCKS_MAX = 64 };

struct bench_block {
  const char *block;
  char name[64];       /* and the parameters that are not the defaults */
  double active_ns[3]; /* per instance-cycle that is executed, by engine */
  double idle_ns[3];   /* per instance-cycle that is skipped */
  double check_hz;     /* cycles a second of one block alone under `check`, stimulus included */
};

/* Fills one row a block of the manifest, with its default parameters; with `only`, one row a parameter set of that block's
 * sweep. Returns their number in *n. */
int bench_blocks(const char *only, struct bench_block rows[BENCH_BLOCKS_MAX], uint32_t *n, struct err *);

#endif
