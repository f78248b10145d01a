/* SPDX-License-Identifier: Apache-2.0 */
/* Locality descriptors of convolution2d (judged as ../workload_ldesc.h says). A row of the grid reads the rows of
 * its CTAs and one on either side. */
#ifndef CONVOLUTION2D_DESCRIPTORS_H
#define CONVOLUTION2D_DESCRIPTORS_H

#define CONVOLUTION2D_DESCRIPTORS(X)                                                         \
  X(CONVOLUTION2D_LDESC_IN, LDESC_INTER_THREAD, LDESC_NEARBY, LDESC_REGULAR, 4, 0, 1, 0, 20) \
  X(CONVOLUTION2D_LDESC_OUT, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 1, 2, 0, 1)

#endif
