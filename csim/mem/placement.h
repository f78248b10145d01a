/* SPDX-License-Identifier: Apache-2.0 */
/* Which bank columns the pages of each label go to (Vijaykumar 2019, 2.6, gives the aims: data with high row-buffer locality in
 * banks of its own, irregular data over many banks; assumption: the algorithm). A bank column is the same bank of all channels.
 *
 *   H    labels with a regular pattern whose stride is at most an eighth of a row: several accesses a row
 *   sum  intensities of all labels, and 1
 *   each of H, by intensity, most first (of equals the first of the list): as many columns of its own as its intensity's
 *     share of all columns, rounded, at least 1, while those for all other data are not touched. A label that gets none shares
 *     the columns of that one whose labels have the least intensity together.
 *   all other data: the columns that are left; at least half of all, rounded down, or (mmu.rest = share) as many as their
 *     intensity's share of all columns, rounded, 1 for what has no label included; at least one. */
#ifndef TANDEM_MEM_PLACEMENT_H
#define TANDEM_MEM_PLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

enum { PLACEMENT_LABELS = 1024 };

struct placement_label {
  uint32_t label;    /* by which allocations name it (device/device_memory.h) */
  int32_t stride;    /* bytes */
  uint8_t intensity; /* of access, relative */
  bool regular;
};

struct placement_row {
  uint32_t label, rank; /* rank: where its columns came from, an index of `row`; its own: they are private */
  uint64_t columns;     /* bit c: column c */
};

struct placement {
  uint32_t n; /* labels of H, by intensity */
  struct placement_row row[PLACEMENT_LABELS];
  uint64_t rest; /* columns of all other data */
};

/* n <= PLACEMENT_LABELS labels with different labels over 1..64 columns of banks with rows of row_bytes; rest: MMU_HALF, MMU_SHARE. */
void placement_choose(struct placement *, const struct placement_label *, uint32_t n, uint32_t columns, uint32_t rest,
                      uint64_t row_bytes);
/* The row of a label of H, or NULL: all other data. */
const struct placement_row *placement_find(const struct placement *, uint32_t label);

#endif
