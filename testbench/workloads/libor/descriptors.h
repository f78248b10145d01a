/* SPDX-License-Identifier: Apache-2.0 */
/* Locality descriptors of libor (judged as ../workload_ldesc.h says). What is used again is in local memory, which
 * host.c describes. A path reads its shocks once. */
#ifndef LIBOR_DESCRIPTORS_H
#define LIBOR_DESCRIPTORS_H

#define LIBOR_DESCRIPTORS(X)                                                               \
  X(LIBOR_LDESC_NORMAL, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 1, 0, 0, 10) \
  X(LIBOR_LDESC_VALUE, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 1, 0, 0, 1)   \
  X(LIBOR_LDESC_DELTA, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 1, 0, 0, 1)

#endif
