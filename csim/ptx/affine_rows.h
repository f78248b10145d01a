/* SPDX-License-Identifier: Apache-2.0 */
/* What each CTA of a launch reads, as rows of a preload table (Lashgar 2018, 3.1): a row is a range of one array
 * that moves with blockIdx. All threads of the CTA, and all iterations of a loop that a launch counts, stay inside it. */
#ifndef TANDEM_PTX_AFFINE_ROWS_H
#define TANDEM_PTX_AFFINE_ROWS_H

#include "ptx/affine.h"

struct affine_launch {
  const uint8_t *params; /* param_bytes of the kernel */
  uint32_t grid[3], block[3];
  /* Bytes of device memory, 0: unknown. A number of 32 bits that wraps moves an address by a multiple of 4 GiB, out of
   * every smaller memory: a thread whose number wraps then does not read, or the program is faulty. So a wrap is no
   * obstacle where this is below 4 GiB. Compilers rely on this: of `row - 1` under a guard `row > 0` they extend with zeros
   * a number that wraps in row 0. */
  uint64_t memory_bytes;
};

/* CTA (x, y, z) reads the bytes from
 *   base + typesize * (x * min_product[0] + y * min_product[1] + z * min_product[2] + min_offset)
 * up to and without
 *   base + typesize * (x * max_product[0] + y * max_product[1] + z * max_product[2] + max_offset)
 * Products and offsets are in elements of `typesize` bytes. A range may leave its array: what a guard keeps from being
 * read is in it, too. */
struct affine_row {
  uint64_t base;
  uint32_t typesize;
  int64_t min_product[3], min_offset, max_product[3], max_offset;
};

struct affine_made {
  struct affine_row row;
  uint32_t array;       /* of the analysis */
  uint32_t n_loads;     /* loads that read it */
  uint32_t first_index; /* the first index of the kernel that reads it */
};

/* An index that is static or quasi but has no row, and why. */
enum affine_refusal {
  AFFINE_DEGREE, /* blockIdx or threadIdx are multiplied with one another */
  AFFINE_WRAPS,  /* a number may wrap that the kernel computes with fewer than 64 bits */
  AFFINE_COUNT,  /* a loop's number of iterations is not known at this launch */
  AFFINE_LARGE   /* a number needs more than 60 bits */
};
struct affine_refused {
  uint32_t index;
  enum affine_refusal why;
};
const char *affine_refusal_sentence(enum affine_refusal);

struct affine_rows_options {
  uint32_t limit; /* rows that the table has; 0: any number */
  /* Bytes between two ranges that one row may take in, though no thread reads them. 0: a row for each row of a tile, and
   * rows that touch become one; UINT64_MAX: one row spans the tile. */
  uint64_t gap;
};

/* Rows by falling n_loads; the table takes the first `n_kept`, the others are dropped. */
struct affine_rows {
  struct affine_made *row;
  uint32_t n, n_kept;
  struct affine_refused *refused;
  uint32_t n_refused;
};

void affine_rows_make(const struct affine *, const struct affine_launch *, const struct affine_rows_options *,
                      struct affine_rows *);
void affine_rows_free(struct affine_rows *);

#endif
