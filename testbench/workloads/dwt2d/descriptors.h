/* SPDX-License-Identifier: Apache-2.0 */
/* Locality descriptors of dwt2d (judged as ../workload_ldesc.h says). A row of the grid reads a row of tiles and
 * their halos. Where a tile goes lies in four quarters of the result: it has no descriptor. */
#ifndef DWT2D_DESCRIPTORS_H
#define DWT2D_DESCRIPTORS_H

#define DWT2D_DESCRIPTORS(X) X(DWT2D_LDESC_IN, LDESC_INTER_THREAD, LDESC_NEARBY, LDESC_REGULAR, 4, 0, 1, 0, 20)

#endif
