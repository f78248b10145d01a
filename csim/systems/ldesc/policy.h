/* SPDX-License-Identifier: Apache-2.0 */
/* What the driver hands to the hardware of the Locality Descriptor (Vijaykumar 2019, chapter 3) at a launch: the policy table of the
 * SMs' L1, and how CTAs form clusters. The driver's side works it out from descriptors; the SMs (sm_side.c) and CTA dispatch
 * (dispatch.c) obey it. It is a hint: whatever it says, a program computes the same. Pages are placed by the driver alone
 * (mem/page_table.h). */
#ifndef TANDEM_SYSTEMS_LDESC_POLICY_H
#define TANDEM_SYSTEMS_LDESC_POLICY_H

#include "config/gpu_config.h"

#include <stdbool.h>
#include <stdint.h>

/* assumption: all sizes but the line, which is that of L1 */
enum { LDESC_ROWS = 16, LDESC_DISTANCES = 8, LDESC_MODULES = 4, LDESC_AXES = 3, LDESC_LINE = 128 };

/* How a line enters L1, and what a miss prefetches; the numbers are those at the ports of block ldt_lookup. */
enum ldesc_insert { LDESC_NORMAL, LDESC_SOFT, LDESC_HARD, LDESC_BYPASS };
enum ldesc_prefetch { LDESC_PREFETCH_OFF, LDESC_PREFETCH_NEXT, LDESC_PREFETCH_STRIDE };

/* A row of the policy table. Of two rows with an address the first one in the table counts. */
struct ldesc_row {
  uint64_t base, limit;               /* lines, byte address / LDESC_LINE: the first, and the one behind the last */
  uint8_t insert, prefetch;           /* enums above */
  uint32_t distance[LDESC_DISTANCES]; /* STRIDE: bytes ahead with 1, 2, .. active C-Tiles on the SM */
  uint32_t tile[LDESC_AXES];          /* CTAs of a C-Tile along x, y, z; 0 counts as 1 */
  bool walked[LDESC_AXES];            /* C-Tiles follow each other along this axis; else all along it are one */
};

/* Clusters that follow each other: x first, then y, then z, with the carry at the edge of the grid. */
struct ldesc_run {
  uint32_t first[LDESC_AXES]; /* CTA at which the first cluster begins: multiples of ldesc_clusters.size */
  uint32_t count;
};

/* The clusters of a GPU module, in the order in which its SMs get them. Together the modules' runs have every CTA of the grid once
 * (a CTA that none has would never start: such a policy is refused). */
struct ldesc_clusters {
  uint32_t size[LDESC_AXES]; /* CTAs along x, y, z */
  const struct ldesc_run *run;
  uint32_t runs;
};

struct ldesc_policy {
  uint32_t rows;
  struct ldesc_row row[LDESC_ROWS];
  /* false: CTAs are given round robin over all SMs, and `module` means nothing */
  bool clustered;
  struct ldesc_clusters module[LDESC_MODULES]; /* numa.modules of them */
};

struct err;

/* Launches from now on have this policy, which is copied; NULL: none. `dispatch`: driver_services.dispatch; `grid` of the launch. Call
 * it between launches. ERR_VALUE: a CTA belongs to no cluster or to two, or a row or a run is not one; the policy of before stays. */
int ldesc_policy_set(void *dispatch, const struct ldesc_policy *, const uint32_t grid[3], struct err *);

/* The first CTA of the next launch starts so many core cycles after it began: the time of what the driver has moved. */
void ldesc_hold(void *dispatch, uint64_t core_cycles);

/* The number of the C-Tile of row `r` that has CTA `at` of the grid, as the prefetch engine compares it: 16 bits. */
static inline uint16_t ldesc_tile(const struct ldesc_row *r, const uint32_t grid[3], const uint32_t at[3]) {
  uint32_t number = 0;
  for (int d = LDESC_AXES - 1; d >= 0; d--) {
    uint32_t size = r->tile[d] ? r->tile[d] : 1;
    if (r->walked[d]) number = number * ((grid[d] - 1) / size + 1) + at[d] / size;
  }
  return (uint16_t)number;
}

/* The addresses of all SMs' local memory, which no allocation has: [base, limit) for a row, in lines. */
void ldesc_local_memory(const struct gpu_config *, uint64_t *base, uint64_t *limit);

#endif
