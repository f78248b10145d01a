/* SPDX-License-Identifier: Apache-2.0 */
/* What ordinary kernels use beside calls: initialised variables, structures by value, barriers that count and vote,
 * shuffles, asynchronous copies, cache hints, virtual functions. nvcc only; the host's side is compiled_ptx_test.c. */
#include <assert.h>
#include <cuda_pipeline.h>

__constant__ int table_c[4][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
__device__ int table_g[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
__device__ int target = 42;
struct node {
  const char *name;
  int *p;
  float f;
  short s[3];
};
__device__ node nodes[2] = {{"ab", &target, 1.5f, {1, 2, 3}}, {"cde", &target, 2.5f, {4, 5, 6}}};

extern "C" __global__ void k_initial(const unsigned *, unsigned *out, unsigned n) {
  unsigned i = threadIdx.x;
  const node &x = nodes[i & 1];
  if (i < n)
    out[i] = table_c[i & 3][i % 3] + table_g[i & 1][i >> 1 & 1][i >> 2 & 1] + x.name[i & 1] + *x.p + x.s[i % 3] +
             (int)(2 * x.f);
}

struct big {
  const unsigned *in;
  unsigned *out;
  unsigned n;
  int a[20];
  float4 v;
};
extern "C" __global__ void k_by_value(const __grid_constant__ big b) {
  unsigned i = threadIdx.x;
  const int *p = i & 1 ? &b.a[1] : &b.a[3];
  if (i < b.n) b.out[i] = b.a[i % 20] + p[i % 5] + (int)b.v.z;
}

extern "C" __global__ void k_lanes(const unsigned *in, unsigned *out, unsigned) {
  unsigned i = threadIdx.x, v = in[i], s = v;
  for (int d = 16; d; d >>= 1) s += __shfl_down_sync(~0u, s, d);
  s = __shfl_sync(~0u, s, 0);
  unsigned m = __match_any_sync(~0u, v & 3);
  unsigned votes =
    __syncthreads_count(v & 1) + 1000 * (__syncthreads_or(i == 77) != 0) + 2000 * (__syncthreads_and(i < 100) != 0);
  out[i] = s + __popc(m) + __popc(__ballot_sync(~0u, v & 2)) + votes;
}

extern "C" __global__ void k_pipeline(const unsigned *in, unsigned *out, unsigned n) {
  __shared__ alignas(16) unsigned buffer[4][128];
  unsigned t = threadIdx.x, tiles = n / 128;
  for (unsigned k = 0; k < 3; k++) {
    if (k < tiles) __pipeline_memcpy_async(&buffer[k][t], &in[k * 128 + t], 4);
    __pipeline_commit();
  }
  for (unsigned k = 0; k < tiles; k++) {
    __pipeline_wait_prior(2);
    __syncthreads();
    out[k * 128 + t] = buffer[k & 3][127 - t] * 3;
    if (k + 3 < tiles) __pipeline_memcpy_async(&buffer[k + 3 & 3][t], &in[(k + 3) * 128 + t], 4);
    __pipeline_commit();
  }
}

extern "C" __global__ void k_zero_fill(const unsigned *in, unsigned *out, unsigned) {
  __shared__ uint4 buffer[128];
  unsigned t = threadIdx.x;
  buffer[t] = make_uint4(9, 9, 9, 9);
  __pipeline_memcpy_async(&buffer[t], (const uint4 *)in + (t & 31), 16, (t & 3) * 4 + (t == 9 ? 12 : 0));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  uint4 v = buffer[127 - t];
  out[t] = v.x ^ v.y * 3 ^ v.z * 5 ^ v.w * 7;
}

extern __shared__ unsigned dynamic[];
extern "C" __global__ void __launch_bounds__(128, 2) k_special(const unsigned *in, unsigned *out, unsigned) {
  unsigned t = threadIdx.x, sm, sms, lanes, bytes;
  unsigned long long grid, time;
  dynamic[t] = in[t];
  __syncthreads();
  long long c = clock64();
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  asm volatile("mov.u32 %0, %%nsmid;" : "=r"(sms));
  asm volatile("mov.u64 %0, %%gridid;" : "=l"(grid));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes));
  asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  out[t] = dynamic[127 - t] + (sm < sms) + (c > 0) + (grid > 0) + (time > 0) + __popc(lanes) + bytes +
           100 * __isShared(&dynamic[t]) + 200 * __isGlobal(out) + 400 * __isLocal(&t);
  __nanosleep(20);
  __threadfence();
  __threadfence_block();
  __threadfence_system();
  __syncwarp();
}

extern "C" __global__ void k_hints(const unsigned *in, unsigned *out, unsigned) {
  unsigned t = threadIdx.x;
  unsigned v = __ldg(in + t) + __ldcg(in + t) + __ldcs(in + t) + __ldlu(in + t) + __ldcv(in + t) + __ldca(in + t);
  asm volatile("prefetch.global.L1 [%0];" ::"l"(in + t));
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in + t));
  asm volatile("discard.global.L2 [%0], 128;" ::"l"(out + 4096));
  asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(in));
  uint4 q = __ldg((const uint4 *)in + (t & 7));
  __stcg(out + t, v + q.x + q.w);
}

extern "C" __global__ void k_barriers(const unsigned *in, unsigned *out, unsigned) {
  __shared__ unsigned a[128];
  unsigned t = threadIdx.x, p, id = 1 + (t >> 6), v;
  a[t] = in[t];
  asm volatile("barrier.sync %0, 64;" ::"r"(id) : "memory");
  v = a[t ^ 63];
  if (t < 64) asm volatile("bar.arrive 3, 128;" ::: "memory");
  else asm volatile("bar.sync 3, 128;" ::: "memory");
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; barrier.cta.red.popc.u32 %0, 4, p; }" : "=r"(p) : "r"(t % 3));
  v += p;
  asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; barrier.cta.red.or.pred q, 4, 128, !p; selp.u32 %0, 1, 0, q; }"
               : "=r"(p)
               : "r"(t ^ 5));
  out[t] = v + p * 1000;
}

struct shape_base {
  __device__ virtual unsigned f(unsigned x) const = 0;
};
struct shape_add : shape_base {
  unsigned k;
  __device__ unsigned f(unsigned x) const override { return x + k; }
};
struct shape_mul : shape_base {
  unsigned k;
  __device__ unsigned f(unsigned x) const override { return x * k; }
};
extern "C" __global__ void k_virtual(const unsigned *in, unsigned *out, unsigned n) {
  shape_add a;
  shape_mul b;
  a.k = 5;
  b.k = n;
  unsigned v = in[threadIdx.x];
  for (int j = 0; j < 9; j++) {
    const shape_base *p = v & 4 ? (const shape_base *)&a : &b;
    v = p->f(v);
  }
  out[threadIdx.x] = v;
}

extern "C" __global__ void k_assert(const unsigned *in, unsigned *out, unsigned n) {
  assert(threadIdx.x < n);
  out[threadIdx.x] = in[threadIdx.x];
}
