/* SPDX-License-Identifier: Apache-2.0 */
/* Locality descriptors of transpose (judged as ../workload_ldesc.h says). Tiles; those of B are walked down its
 * columns. */
#ifndef TRANSPOSE_DESCRIPTORS_H
#define TRANSPOSE_DESCRIPTORS_H

#define TRANSPOSE_DESCRIPTORS(X)                                                          \
  X(TRANSPOSE_LDESC_A, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 1, 2, 0, 20) \
  X(TRANSPOSE_LDESC_B, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 2, 1, 0, 10)

#endif
