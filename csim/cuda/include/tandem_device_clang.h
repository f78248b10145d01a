/* SPDX-License-Identifier: Apache-2.0 */
/* What nvcc takes from the CUDA SDK's headers, for clang without an SDK. Part of tandem_device.h. The maths functions
 * use the approximate instructions of the special function unit, as nvcc's do under -use_fast_math, with a separate
 * argument reduction; their errors are stated. */
#ifndef TANDEM_DEVICE_CLANG_H
#define TANDEM_DEVICE_CLANG_H

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))

#include <__clang_cuda_builtin_vars.h>

#define TANDEM_FN static __device__ __forceinline__

typedef __SIZE_TYPE__ size_t;

/* ---- vectors ---- */
struct __attribute__((aligned(8))) float2 {
  float x, y;
};
struct __attribute__((aligned(16))) float4 {
  float x, y, z, w;
};
struct __attribute__((aligned(8))) int2 {
  int x, y;
};
struct __attribute__((aligned(16))) int4 {
  int x, y, z, w;
};
struct __attribute__((aligned(8))) uint2 {
  unsigned x, y;
};
struct __attribute__((aligned(16))) uint4 {
  unsigned x, y, z, w;
};
struct __attribute__((aligned(2))) uchar2 {
  unsigned char x, y;
};
struct __attribute__((aligned(4))) uchar4 {
  unsigned char x, y, z, w;
};
struct __attribute__((aligned(4))) ushort2 {
  unsigned short x, y;
};
struct __attribute__((aligned(8))) ushort4 {
  unsigned short x, y, z, w;
};
TANDEM_FN uchar2 make_uchar2(unsigned char x, unsigned char y) { return {x, y}; }
TANDEM_FN uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) {
  return {x, y, z, w};
}
TANDEM_FN ushort2 make_ushort2(unsigned short x, unsigned short y) { return {x, y}; }
TANDEM_FN ushort4 make_ushort4(unsigned short x, unsigned short y, unsigned short z, unsigned short w) {
  return {x, y, z, w};
}
TANDEM_FN float2 make_float2(float x, float y) { return {x, y}; }
TANDEM_FN float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
TANDEM_FN int2 make_int2(int x, int y) { return {x, y}; }
TANDEM_FN int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }

/* ---- barriers, fences (__syncthreads is clang's own) ---- */
TANDEM_FN void __syncwarp(unsigned mask = ~0u) { __nvvm_bar_warp_sync(mask); }
TANDEM_FN void __threadfence_block() { __nvvm_membar_cta(); }
TANDEM_FN void __threadfence() { __nvvm_membar_gl(); }
TANDEM_FN void __threadfence_system() { __nvvm_membar_sys(); }

/* ---- warps ---- */
TANDEM_FN int __shfl_sync(unsigned m, int v, int lane) { return __nvvm_shfl_sync_idx_i32(m, v, lane, 31); }
TANDEM_FN int __shfl_up_sync(unsigned m, int v, int d) { return __nvvm_shfl_sync_up_i32(m, v, d, 0); }
TANDEM_FN int __shfl_down_sync(unsigned m, int v, int d) { return __nvvm_shfl_sync_down_i32(m, v, d, 31); }
TANDEM_FN int __shfl_xor_sync(unsigned m, int v, int d) { return __nvvm_shfl_sync_bfly_i32(m, v, d, 31); }
TANDEM_FN float __shfl_sync(unsigned m, float v, int lane) { return __nvvm_shfl_sync_idx_f32(m, v, lane, 31); }
TANDEM_FN float __shfl_up_sync(unsigned m, float v, int d) { return __nvvm_shfl_sync_up_f32(m, v, d, 0); }
TANDEM_FN float __shfl_down_sync(unsigned m, float v, int d) { return __nvvm_shfl_sync_down_f32(m, v, d, 31); }
TANDEM_FN float __shfl_xor_sync(unsigned m, float v, int d) { return __nvvm_shfl_sync_bfly_f32(m, v, d, 31); }
TANDEM_FN unsigned __shfl_sync(unsigned m, unsigned v, int lane) { return (unsigned)__shfl_sync(m, (int)v, lane); }
TANDEM_FN unsigned __shfl_up_sync(unsigned m, unsigned v, int d) { return (unsigned)__shfl_up_sync(m, (int)v, d); }
TANDEM_FN unsigned __shfl_down_sync(unsigned m, unsigned v, int d) { return (unsigned)__shfl_down_sync(m, (int)v, d); }
TANDEM_FN unsigned __shfl_xor_sync(unsigned m, unsigned v, int d) { return (unsigned)__shfl_xor_sync(m, (int)v, d); }
TANDEM_FN unsigned __ballot_sync(unsigned m, int p) { return __nvvm_vote_ballot_sync(m, p); }
TANDEM_FN int __any_sync(unsigned m, int p) { return __nvvm_vote_any_sync(m, p); }
TANDEM_FN int __all_sync(unsigned m, int p) { return __nvvm_vote_all_sync(m, p); }

/* ---- atomics, relaxed ---- */
TANDEM_FN int atomicAdd(int *p, int v) { return __nvvm_atom_add_gen_i(p, v); }
TANDEM_FN unsigned atomicAdd(unsigned *p, unsigned v) { return (unsigned)__nvvm_atom_add_gen_i((int *)p, (int)v); }
TANDEM_FN unsigned long long atomicAdd(unsigned long long *p, unsigned long long v) {
  return (unsigned long long)__nvvm_atom_add_gen_ll((long long *)p, (long long)v);
}
TANDEM_FN float atomicAdd(float *p, float v) { return __nvvm_atom_add_gen_f(p, v); }
TANDEM_FN int atomicSub(int *p, int v) { return __nvvm_atom_add_gen_i(p, -v); }
TANDEM_FN int atomicMin(int *p, int v) { return __nvvm_atom_min_gen_i(p, v); }
TANDEM_FN int atomicMax(int *p, int v) { return __nvvm_atom_max_gen_i(p, v); }
TANDEM_FN unsigned atomicMin(unsigned *p, unsigned v) { return __nvvm_atom_min_gen_ui(p, v); }
TANDEM_FN unsigned atomicMax(unsigned *p, unsigned v) { return __nvvm_atom_max_gen_ui(p, v); }
TANDEM_FN int atomicAnd(int *p, int v) { return __nvvm_atom_and_gen_i(p, v); }
TANDEM_FN int atomicOr(int *p, int v) { return __nvvm_atom_or_gen_i(p, v); }
TANDEM_FN int atomicXor(int *p, int v) { return __nvvm_atom_xor_gen_i(p, v); }
TANDEM_FN int atomicExch(int *p, int v) { return __nvvm_atom_xchg_gen_i(p, v); }
TANDEM_FN int atomicCAS(int *p, int compare, int v) { return __nvvm_atom_cas_gen_i(p, compare, v); }

/* ---- bits ---- */
TANDEM_FN int __popc(unsigned x) { return __builtin_popcount(x); }
TANDEM_FN int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
TANDEM_FN int __ffs(int x) { return __builtin_ffs(x); }
TANDEM_FN unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
TANDEM_FN unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
TANDEM_FN int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
TANDEM_FN float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
TANDEM_FN int min(int a, int b) { return a < b ? a : b; }
TANDEM_FN int max(int a, int b) { return a > b ? a : b; }
TANDEM_FN unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
TANDEM_FN unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
TANDEM_FN int abs(int x) { return x < 0 ? -x : x; }

/* ---- exact maths ---- */
TANDEM_FN float fabsf(float x) { return __builtin_fabsf(x); }
TANDEM_FN float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
/* one rounding each: the compiler contracts a * b + c, but not these */
TANDEM_FN float __fmul_rn(float a, float b) {
  float r;
  asm("mul.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
TANDEM_FN float __fadd_rn(float a, float b) {
  float r;
  asm("add.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
TANDEM_FN float fminf(float a, float b) { return __builtin_fminf(a, b); }
TANDEM_FN float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
TANDEM_FN float floorf(float x) { return __builtin_floorf(x); }
TANDEM_FN float ceilf(float x) { return __builtin_ceilf(x); }
TANDEM_FN float truncf(float x) { return __builtin_truncf(x); }
TANDEM_FN float rintf(float x) { return __builtin_rintf(x); }
TANDEM_FN float copysignf(float x, float sign) { return __builtin_copysignf(x, sign); }
TANDEM_FN float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
TANDEM_FN double fabs(double x) { return __builtin_fabs(x); }
TANDEM_FN double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
TANDEM_FN double fmin(double a, double b) { return __builtin_fmin(a, b); }
TANDEM_FN double fmax(double a, double b) { return __builtin_fmax(a, b); }
TANDEM_FN double floor(double x) { return __builtin_floor(x); }
TANDEM_FN double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }

/* ---- maths on the special function unit ---- */
TANDEM_FN float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); } /* 2 ulp */
TANDEM_FN float exp2f(float x) { return __nvvm_ex2_approx_f(x); }    /* 2 ulp */
TANDEM_FN float log2f(float x) { return __nvvm_lg2_approx_f(x); }    /* 2^-22 absolute in (0.5, 2), else 3 ulp */
TANDEM_FN float __expf(float x) { return __nvvm_ex2_approx_f(x * 1.4426950408889634f); }
TANDEM_FN float __logf(float x) { return __nvvm_lg2_approx_f(x) * 0.6931471805599453f; }
TANDEM_FN float __sinf(float x) { return __nvvm_sin_approx_f(x); }
TANDEM_FN float __cosf(float x) { return __nvvm_cos_approx_f(x); }

/* 4 ulp: e^x = 2^t e^r with t = rint(x / ln 2), r = x - t ln 2 in two steps; 2^t in two factors, or
 * t = 128 would overflow */
TANDEM_FN float expf(float x) {
  float t = rintf(fminf(fmaxf(x * 1.4426950408889634f, -252.f), 252.f));
  float r = fmaf(t, -1.42860682e-6f, fmaf(t, -0.693145752f, x));
  float half = truncf(t * 0.5f);
  return __nvvm_ex2_approx_f(r * 1.4426950408889634f) * __nvvm_ex2_approx_f(half) * __nvvm_ex2_approx_f(t - half);
}
TANDEM_FN float exp10f(float x) { return expf(x * 2.302585092994046f); }
/* as log2f, times ln 2 */
TANDEM_FN float logf(float x) { return __logf(x); }
TANDEM_FN float log10f(float x) { return __nvvm_lg2_approx_f(x) * 0.30102999566398120f; }

/* 2^-16 relative for |y log2 x| < 8; negative x only with whole y, as the C standard has it */
TANDEM_FN float powf(float x, float y) {
  if (y == 0.f || x == 1.f) return 1.f;
  float magnitude = __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(fabsf(x)));
  if (x >= 0.f) return magnitude;
  if (truncf(y) != y) return __int_as_float(0x7fffffff);
  return truncf(y * 0.5f) * 2.f != y ? -magnitude : magnitude;
}

/* 2^-20 absolute for |x| < 10^5: multiples of 2 pi are taken off in two steps, the first exact */
TANDEM_FN float tandem_reduce_turn(float x) {
  float turns = rintf(x * 0.15915494309189535f);
  return fmaf(turns, 1.7484556e-7f, fmaf(turns, -6.28318548f, x));
}
TANDEM_FN float sinf(float x) { return __nvvm_sin_approx_f(tandem_reduce_turn(x)); }
TANDEM_FN float cosf(float x) { return __nvvm_cos_approx_f(tandem_reduce_turn(x)); }
TANDEM_FN float tanf(float x) {
  float r = tandem_reduce_turn(x);
  return __nvvm_sin_approx_f(r) / __nvvm_cos_approx_f(r);
}

/* 2^-20 relative: a polynomial near 0, where 1 - e^-2x cancels */
TANDEM_FN float tanhf(float x) {
  float a = fabsf(x), s = x * x;
  if (a < 0.25f) return x * fmaf(s, fmaf(s, fmaf(s, -0.0539682540f, 0.133333333f), -0.333333333f), 1.f);
  float e = expf(-2.f * a);
  return copysignf((1.f - e) / (1.f + e), x);
}

#include "tandem_device_texture.h"

#undef TANDEM_FN
#endif
