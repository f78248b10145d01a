/* SPDX-License-Identifier: Apache-2.0 */
/* Locality descriptors of doitgen (judged as ../workload_ldesc.h says). The CTAs of a column of the grid read the
 * same columns of C, those of a row the same rows of the plane. Sums are NO_REUSE, as in table 4, though a thread
 * adds to its sum in memory. */
#ifndef DOITGEN_DESCRIPTORS_H
#define DOITGEN_DESCRIPTORS_H

#define DOITGEN_DESCRIPTORS(X)                                                            \
  X(DOITGEN_LDESC_C, LDESC_INTER_THREAD, LDESC_COACCESSED, LDESC_REGULAR, 4, 1, 0, 0, 20) \
  X(DOITGEN_LDESC_A, LDESC_INTER_THREAD, LDESC_COACCESSED, LDESC_REGULAR, 4, 0, 1, 0, 10) \
  X(DOITGEN_LDESC_SUM, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 1, 2, 0, 1)

#endif
