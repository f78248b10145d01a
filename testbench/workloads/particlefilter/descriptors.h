/* SPDX-License-Identifier: Apache-2.0 */
/* Locality descriptors of particlefilter (judged as ../workload_ldesc.h says). What a thread has of its own
 * particle. What all read (the disc, the frame, cumulative sums) has none: table 4 has NO_REUSE alone. */
#ifndef PARTICLEFILTER_DESCRIPTORS_H
#define PARTICLEFILTER_DESCRIPTORS_H

#define PARTICLEFILTER_DESCRIPTORS(X)                                                             \
  X(PARTICLEFILTER_LDESC_PAIR, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 8, 1, 0, 0, 10) \
  X(PARTICLEFILTER_LDESC_NUMBER, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 1, 0, 0, 10)

#endif
