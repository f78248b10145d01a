/* SPDX-License-Identifier: Apache-2.0 */
/* Locality descriptors of histo (judged as ../workload_ldesc.h says). The example of section 3.3.2: the CTAs of a
 * column of the grid read the same mappings. */
#ifndef HISTO_DESCRIPTORS_H
#define HISTO_DESCRIPTORS_H

#define HISTO_DESCRIPTORS(X) \
  X(HISTO_LDESC_MAPPINGS, LDESC_INTER_THREAD, LDESC_COACCESSED, LDESC_REGULAR, 4, 1, 0, 0, 20)

#endif
