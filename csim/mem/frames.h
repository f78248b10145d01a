/* SPDX-License-Identifier: Apache-2.0 */
/* The page frames of device memory: which are free, by bank column. A bank column is the same bank of all channels, so that a
 * page in it still uses every channel; without a placement there is one column with all frames. */
#ifndef TANDEM_MEM_FRAMES_H
#define TANDEM_MEM_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

struct rng;

enum { FRAMES_COLUMNS = 64 };
#define FRAMES_NONE UINT32_MAX
#define FRAMES_ALL UINT64_MAX /* columns */

struct frames {
  uint32_t n, columns;
  uint32_t first[FRAMES_COLUMNS + 1]; /* where the frames of each column stand in `slot` */
  uint32_t free[FRAMES_COLUMNS];      /* of a column: free ones stand before taken ones */
  uint8_t *column_of;                 /* each frame's, or NULL: one column */
  uint32_t *slot, *place;             /* a permutation of the frames and its inverse, + 1; 0: not moved yet */
};

/* n >= 1 frames 0..n-1, all free. `column_of`: each frame's column, below `columns`, copied; NULL: one column, and then creation
 * takes neither time nor memory in proportion to n. False: out of memory; destroy in either case. */
bool frames_create(struct frames *, uint32_t n, uint32_t columns, const uint8_t *column_of);
void frames_destroy(struct frames *);
bool frames_is_free(const struct frames *, uint32_t frame);
uint32_t frames_column(const struct frames *, uint32_t frame);
uint32_t frames_left(const struct frames *, uint64_t columns); /* free ones in a set of columns, bit c: column c */
void frames_take(struct frames *, uint32_t frame);             /* a free one */
void frames_give(struct frames *, uint32_t frame);             /* a taken one */
/* The first free frame of the columns from number `from` on, and round; FRAMES_NONE: there is none. */
uint32_t frames_next(const struct frames *, uint64_t columns, uint32_t from);
/* Any free frame of the columns, all with the same probability; FRAMES_NONE: there is none. */
uint32_t frames_random(const struct frames *, uint64_t columns, struct rng *);

#endif
