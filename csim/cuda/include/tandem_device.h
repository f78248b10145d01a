/* SPDX-License-Identifier: Apache-2.0 */
/* The device side of a kernel: one header for .cu files under clang (`--cuda-device-only -nocudainc -nocudalib`, no
 * CUDA SDK needed) and under nvcc. It provides
 *   - under clang what the SDK's headers provide: qualifiers, thread indices, barriers, atomics, shuffles, maths;
 *   - under both the extension instructions of the simulated proposals, as external device functions (those of XMem are
 *     in xmem.h).
 * A real driver refuses a module that calls the extensions. With TANDEM_NO_SYSTEM they become ordinary loads and
 * barriers; a workload's version d2ma_plain (xmem_plain) is its version d2ma (xmem) built that way. nvcc needs
 * -rdc=true for the external functions. */
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

/* ---- D2MA (Jamshidi 2014, 4.4; assumption: all calls except datatype, flat unit stride and execute) ---- A CTA has
 * four buffers. Every warp of the CTA makes the same calls, as with a barrier; no barrier is needed before the data is
 * read. Order of calls for a buffer: datatype; halo or bank mode, if any; configure, which starts the first transfer;
 * dma_execute, which repeats it from another source. Another datatype call clears the mode, which must then be set
 * again. `shared`: destination in shared memory, `global`: source, both multiples of the element size. Limits: count
 * and stride below 65536, columns and rows below 256. */
#ifndef TANDEM_NO_SYSTEM
extern "C" {
__device__ void dma_set_datatype_char(unsigned buf = 0);
__device__ void dma_set_datatype_short(unsigned buf = 0);
__device__ void dma_set_datatype_int(unsigned buf = 0);
__device__ void dma_set_datatype_float(unsigned buf = 0);
__device__ void dma_set_datatype_double(unsigned buf = 0);
__device__ void dma_set_datatype_long(unsigned buf = 0);
__device__ void dma_set_datatype_float2(unsigned buf = 0);
/* count contiguous elements */
__device__ void dma_configure_flat_unit_stride(void *shared, const void *global, unsigned count, unsigned buf = 0);
/* count elements, `stride` elements apart in global memory, dense in shared memory */
__device__ void dma_configure_flat_strided(void *shared, const void *global, unsigned count, unsigned stride,
                                           unsigned buf = 0);
/* `rows` rows of `columns` elements; row pitch `leading` elements */
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
