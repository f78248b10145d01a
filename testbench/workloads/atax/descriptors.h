/* SPDX-License-Identifier: Apache-2.0 */
/* Locality descriptors of atax (judged as ../workload_ldesc.h says). No element of A is read twice by a kernel: no
 * reuse, as in table 4, though a thread that walks along a row reads a line 32 times. All threads read all of a
 * vector: x, and then the first kernel's product. Sums are as those of syrk_plain. */
#ifndef ATAX_DESCRIPTORS_H
#define ATAX_DESCRIPTORS_H

#define ATAX_DESCRIPTORS(X)                                                                 \
  X(ATAX_LDESC_A, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 1, 0, 0, 20)        \
  X(ATAX_LDESC_VECTOR, LDESC_INTER_THREAD, LDESC_COACCESSED, LDESC_REGULAR, 4, 0, 0, 0, 10) \
  X(ATAX_LDESC_SUMS, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 1, 0, 0, 1)

#endif
