/* SPDX-License-Identifier: Apache-2.0 */
/* Locality descriptors of syrk_plain (judged as ../workload_ldesc.h says). A warp reads a line of each of its 32
 * rows of A, and one of the row that its threads share: the 32 rows are the tile, for all CTAs of a column of the
 * grid. The sums in C are NO_REUSE, as in table 4, though a thread adds to its sum in memory. */
#ifndef SYRK_PLAIN_DESCRIPTORS_H
#define SYRK_PLAIN_DESCRIPTORS_H

#define SYRK_PLAIN_DESCRIPTORS(X)                                                            \
  X(SYRK_PLAIN_LDESC_A, LDESC_INTER_THREAD, LDESC_COACCESSED, LDESC_REGULAR, 4, 1, 0, 0, 20) \
  X(SYRK_PLAIN_LDESC_C, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 1, 2, 0, 1)

#endif
