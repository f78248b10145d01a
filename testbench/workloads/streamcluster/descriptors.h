/* SPDX-License-Identifier: Apache-2.0 */
/* Locality descriptors of streamcluster (judged as ../workload_ldesc.h says). A point's coordinates are read once by
 * its thread. The points of a warp take eight lines, which each field reads again, and so do counters. */
#ifndef STREAMCLUSTER_DESCRIPTORS_H
#define STREAMCLUSTER_DESCRIPTORS_H

#define STREAMCLUSTER_DESCRIPTORS(X)                                                                   \
  X(STREAMCLUSTER_LDESC_COORDINATE, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 1, 0, 0, 20) \
  X(STREAMCLUSTER_LDESC_POINT, LDESC_INTER_THREAD, LDESC_NEARBY, LDESC_REGULAR, 32, 1, 0, 0, 10)       \
  X(STREAMCLUSTER_LDESC_LOWER, LDESC_INTER_THREAD, LDESC_NEARBY, LDESC_REGULAR, 4, 1, 0, 0, 5)         \
  X(STREAMCLUSTER_LDESC_SWITCHES, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 1, 1, 0, 0, 1)

#endif
