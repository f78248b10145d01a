/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the preload table. CTA (x, y, z) reads the bytes from
 *   base + typesize * (x * min_product[0] + y * min_product[1] + z * min_product[2] + min_offset)
 * up to and without the same with max_product and max_offset (Lashgar et al. 2018, equations 2 and 3). Numbers wrap at 64 bits. */
#ifndef TANDEM_SYSTEMS_TELEPORT_ROWS_H
#define TANDEM_SYSTEMS_TELEPORT_ROWS_H

#include <stdbool.h>
#include <stdint.h>

struct affine_row;
struct device_memory;
struct rng;

enum { TELEPORT_LINE = 128, TELEPORT_LINES_MAX = 65535 /* of a CTA: its counters have 16 bits */ };

struct teleport_row {
  uint64_t base;
  uint32_t typesize;                                              /* bytes of an element */
  int32_t min_product[3], min_offset, max_product[3], max_offset; /* elements */
};

/* Bytes that CTA `index` reads: [*first, *end). False: none. */
bool teleport_row_range(const struct teleport_row *, const uint32_t index[3], uint64_t *first, uint64_t *end);
/* The most lines that a CTA of the grid reads by it. A CTA with an index above 65535 reads none (teleport_indices_fit). */
uint64_t teleport_row_lines(const struct teleport_row *, const uint32_t grid[3]);
/* The index fits the range unit: 16 bits an axis. Others start without preloading. */
static inline bool teleport_indices_fit(const uint32_t index[3]) {
  return (index[0] | index[1] | index[2]) <= UINT16_MAX;
}
/* The row in 32-bit fields; a constant part that does not fit them goes to the base. False: a field does not fit. */
bool teleport_row_from(const struct affine_row *, struct teleport_row *);
/* With an upper end that is fetched, too (teleport.end=inclusive): one element more. False: it does not fit. */
bool teleport_row_extend(struct teleport_row *);
/* A row that has nothing to do with what a kernel reads: somewhere in memory, a few lines long, or empty. */
struct teleport_row teleport_row_random(struct rng *, const struct device_memory *);

#endif
