/* SPDX-License-Identifier: Apache-2.0 */
/* Locality descriptors of lavamd (judged as ../workload_ldesc.h says). A thread adds to its sums for every pair.
 * Boxes in a row of the grid of boxes have most neighbours in common, and all threads of a CTA read one box after
 * the other. */
#ifndef LAVAMD_DESCRIPTORS_H
#define LAVAMD_DESCRIPTORS_H

#define LAVAMD_DESCRIPTORS(X)                                                                    \
  X(LAVAMD_LDESC_FORCE, LDESC_INTRA_THREAD, LDESC_COACCESSED, LDESC_IRREGULAR, 16, 1, 0, 0, 20)  \
  X(LAVAMD_LDESC_PARTICLE, LDESC_INTER_THREAD, LDESC_COACCESSED, LDESC_REGULAR, 16, 1, 0, 0, 10) \
  X(LAVAMD_LDESC_CHARGE, LDESC_INTER_THREAD, LDESC_COACCESSED, LDESC_REGULAR, 4, 1, 0, 0, 5)

#endif
