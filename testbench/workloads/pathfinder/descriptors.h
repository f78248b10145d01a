/* SPDX-License-Identifier: Apache-2.0 */
/* Locality descriptors of pathfinder (judged as ../workload_ldesc.h says). A launch reads its rows of the wall once.
 * The tile is what a CTA has less its halo. */
#ifndef PATHFINDER_DESCRIPTORS_H
#define PATHFINDER_DESCRIPTORS_H

#define PATHFINDER_DESCRIPTORS(X)                                                             \
  X(PATHFINDER_LDESC_WALL, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 1, 0, 0, 20) \
  X(PATHFINDER_LDESC_COST, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 1, 0, 0, 10)

#endif
