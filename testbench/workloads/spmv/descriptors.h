/* SPDX-License-Identifier: Apache-2.0 */
/* Locality descriptors of spmv (judged as ../workload_ldesc.h says). Descriptors of the matrix by jagged diagonals.
 * Where x is read the columns say. A thread has its own row, INTRA_THREAD as in table 4, though no element comes
 * twice; as diagonals get shorter, no tile has the rows of a CTA. */
#ifndef SPMV_DESCRIPTORS_H
#define SPMV_DESCRIPTORS_H

#define SPMV_DESCRIPTORS(X)                                                                   \
  X(SPMV_LDESC_X, LDESC_INTER_THREAD, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 0, 0, 0, 20)      \
  X(SPMV_LDESC_COLUMN, LDESC_INTRA_THREAD, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 0, 0, 0, 10) \
  X(SPMV_LDESC_VALUE, LDESC_INTRA_THREAD, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 0, 0, 0, 10)

#endif
