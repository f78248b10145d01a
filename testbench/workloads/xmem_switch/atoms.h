/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of xmem_switch, of each of its processes. A launch reads a word of the table for every word of the data that it
 * rewrites (intensities and reuse judged as ../workload_atoms.h says). */
#ifndef XMEM_SWITCH_ATOMS_H
#define XMEM_SWITCH_ATOMS_H

#define XMEM_SWITCH_ATOMS(X)                                           \
  X(SWITCH_DATA, XMEM_INT32, XMEM_REGULAR, 4, XMEM_READ_WRITE, 255, 0) \
  X(SWITCH_TABLE, XMEM_INT32, XMEM_IRREGULAR, 0, XMEM_READ_ONLY, 255, 255)

#endif
