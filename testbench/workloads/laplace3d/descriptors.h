/* SPDX-License-Identifier: Apache-2.0 */
/* Locality descriptors of laplace3d (judged as ../workload_ldesc.h says). A thread marches through the planes of its
 * column of u1, INTRA_THREAD as in table 4; u2 is written once. */
#ifndef LAPLACE3D_DESCRIPTORS_H
#define LAPLACE3D_DESCRIPTORS_H

#define LAPLACE3D_DESCRIPTORS(X)                                                               \
  X(LAPLACE3D_LDESC_U1, LDESC_INTRA_THREAD, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 1, 2, 0, 20) \
  X(LAPLACE3D_LDESC_U2, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 1, 2, 0, 10)

#endif
