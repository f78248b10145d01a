/* SPDX-License-Identifier: Apache-2.0 */
/* Locality descriptors of mvt (judged as ../workload_ldesc.h says). No element of A is read twice by a kernel: no
 * reuse, as in table 4, though a thread that walks along a row reads a line 32 times. All threads read all of a
 * vector: y1, and then y2. Sums are as those of syrk_plain. */
#ifndef MVT_DESCRIPTORS_H
#define MVT_DESCRIPTORS_H

#define MVT_DESCRIPTORS(X)                                                                 \
  X(MVT_LDESC_A, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 1, 0, 0, 20)        \
  X(MVT_LDESC_VECTOR, LDESC_INTER_THREAD, LDESC_COACCESSED, LDESC_REGULAR, 4, 0, 0, 0, 10) \
  X(MVT_LDESC_SUMS, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 1, 0, 0, 1)

#endif
