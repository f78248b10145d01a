/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of black_scholes (judged as ../workload_atoms.h says). Three numbers of an option are read once, two prices
 * written. */
#ifndef BLACK_SCHOLES_ATOMS_H
#define BLACK_SCHOLES_ATOMS_H

#define BLACK_SCHOLES_ATOMS(X)                                                   \
  X(BLACK_SCHOLES_PRICE, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0)  \
  X(BLACK_SCHOLES_STRIKE, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0) \
  X(BLACK_SCHOLES_YEARS, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 255, 0)  \
  X(BLACK_SCHOLES_CALL, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 255, 0)  \
  X(BLACK_SCHOLES_PUT, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_WRITE_ONLY, 255, 0)

#endif
