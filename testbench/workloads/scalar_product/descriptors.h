/* SPDX-License-Identifier: Apache-2.0 */
/* Locality descriptors of scalar_product (judged as ../workload_ldesc.h says). A CTA has every pair of vectors whose
 * number is its own modulo the grid. */
#ifndef SCALAR_PRODUCT_DESCRIPTORS_H
#define SCALAR_PRODUCT_DESCRIPTORS_H

#define SCALAR_PRODUCT_DESCRIPTORS(X)                                                          \
  X(SCALAR_PRODUCT_LDESC_A, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 1, 0, 0, 20) \
  X(SCALAR_PRODUCT_LDESC_B, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 1, 0, 0, 20) \
  X(SCALAR_PRODUCT_LDESC_C, LDESC_NO_REUSE, LDESC_COACCESSED, LDESC_IRREGULAR, 4, 1, 0, 0, 1)

#endif
