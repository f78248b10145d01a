// SPDX-License-Identifier: Apache-2.0
// The four kernels of STREAM (McCalpin 1995), one element a thread: copy c = a, scale b = s c, add c = a + b, triad
// a = b + s c; here each writes its own destination, so that one launch can be checked alone.
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"

#define THREADS 256

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(STREAM_ATOMS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_XMEM"
#endif

extern "C" __global__ void __launch_bounds__(THREADS)
  stream_copy(unsigned n, float s, const float *x, const float *y, float *z) {
  (void)s, (void)y;
  unsigned i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n) z[i] = x[i];
}

extern "C" __global__ void __launch_bounds__(THREADS)
  stream_scale(unsigned n, float s, const float *x, const float *y, float *z) {
  (void)y;
  unsigned i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n) z[i] = __fmul_rn(s, x[i]);
}

extern "C" __global__ void __launch_bounds__(THREADS)
  stream_add(unsigned n, float s, const float *x, const float *y, float *z) {
  (void)s;
  unsigned i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n) z[i] = __fadd_rn(x[i], y[i]);
}

extern "C" __global__ void __launch_bounds__(THREADS)
  stream_triad(unsigned n, float s, const float *x, const float *y, float *z) {
  unsigned i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n) z[i] = fmaf(s, y[i], x[i]);
}
