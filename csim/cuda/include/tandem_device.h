/* SPDX-License-Identifier: Apache-2.0 */
/* The device side of a kernel: one header for .cu files under clang (`--cuda-device-only -nocudainc
 * -nocudalib`, no CUDA SDK needed) and under nvcc. It gives
 *   - for clang what the SDK's headers would: qualifiers, thread indices, barriers, atomics,
 * shuffles, maths;
 *   - for both the extension instructions of the simulated systems, as external device functions. A
 * real driver refuses a module that calls them; with TANDEM_NO_SYSTEM they become ordinary loads
 * and barriers instead. nvcc needs -rdc=true for the external functions. A workload's version
 * d2ma_plain (xmem_plain) is its version d2ma (xmem) in that form. The instructions of XMem are in xmem.h. */
#ifndef TANDEM_DEVICE_H
#define TANDEM_DEVICE_H

#if defined(TANDEM_VERSION_D2MA_PLAIN)
#define TANDEM_VERSION_D2MA
#define TANDEM_NO_SYSTEM
#endif
#if defined(TANDEM_VERSION_XMEM_PLAIN)
#define TANDEM_VERSION_XMEM
#define TANDEM_NO_SYSTEM
#endif

#if defined(__clang__) && defined(__CUDA__)
#include "tandem_device_clang.h"
#endif

/* ---- D2MA (Jamshidi 2014, 4.4; the paper names the datatype, flat unit stride and execute calls,
 * the rest is ours) ---- One call configures one of the CTA's four buffers; every warp of the CTA
 * makes the same calls, like a barrier, and no barrier is needed before the data is read. `shared`:
 * destination in shared memory, `global`: source, both multiples of the element size. The datatype
 * is a buffer's first call (a further one is followed by its mode again); it and a halo or bank mode
 * precede the configure call; configure starts the first transfer, dma_execute repeats it from
 * another source. Limits of the entry's fields: count and stride below
 * 65536, columns and rows below 256. */
#ifndef TANDEM_NO_SYSTEM
extern "C" {
__device__ void dma_set_datatype_char(unsigned buf = 0);
__device__ void dma_set_datatype_short(unsigned buf = 0);
__device__ void dma_set_datatype_int(unsigned buf = 0);
__device__ void dma_set_datatype_float(unsigned buf = 0);
__device__ void dma_set_datatype_double(unsigned buf = 0);
__device__ void dma_set_datatype_long(unsigned buf = 0);
__device__ void dma_set_datatype_float2(unsigned buf = 0);
/* count elements, one after the other */
__device__ void dma_configure_flat_unit_stride(void *shared, const void *global, unsigned count, unsigned buf = 0);
/* count elements, `stride` elements apart in global memory, dense in shared memory */
__device__ void dma_configure_flat_strided(void *shared, const void *global, unsigned count, unsigned stride,
                                           unsigned buf = 0);
/* rows of `columns` elements, `leading` elements from row to row */
__device__ void dma_configure_2d(void *shared, const void *global, unsigned columns, unsigned rows, unsigned leading,
                                 unsigned buf = 0);
/* halo of `rows` and `columns` around the tile; region 1 NW, 2 N, 3 NE, 4 W, 5 E, 6 SW, 7 S, 8 SE,
 * 9 interior (bits 7..4: further borders N, S, W, E); at a border the halo holds `constant` */
__device__ void dma_set_halo(unsigned rows, unsigned columns, unsigned region, int constant, unsigned buf = 0);
/* a pad after every row of banks of `words` words each; 0: none */
__device__ void dma_set_bank_conflict(unsigned words, unsigned buf = 0);
__device__ void dma_execute(void *shared, const void *global, unsigned buf = 0);
}
#else
#include "tandem_device_plain.h"
#endif

#endif
