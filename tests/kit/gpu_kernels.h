/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels in PTX text that several tests run. Parameters are 64-bit addresses of words, then 32-bit
 * numbers. */
#ifndef TANDEM_TESTS_GPU_KERNELS_H
#define TANDEM_TESTS_GPU_KERNELS_H

#include "kit/gpu_fixture.h"

/* clang-format off */
/* %r1: thread of the grid; %rd2: p0; %rd1: address of the thread's word at p0. The body
 * follows; KERNEL closes it. */
#define KERNEL_BEGIN(parameters, ...)                                                              \
  PTX_HEADER                                                                                       \
  ".visible .entry k(" parameters ")\n{\n"                                                         \
  ".reg .pred %p<9>; .reg .f32 %f<40>; .reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .f64 %d<9>;\n"    \
  "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"                            \
  "mad.lo.s32 %r1, %r2, %r3, %r4;\n"                                                               \
  "ld.param.u64 %rd2, [p0]; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd1, %rd2, %rd3;\n" __VA_ARGS__
#define KERNEL(parameters, ...) KERNEL_BEGIN(parameters, __VA_ARGS__ "}\n")
/* Each warp reads the clock CLOCK_READS times in a row and stores these cycles at p0. */
#define CLOCK_KERNEL                                                                                  \
  KERNEL(".param .u64 p0", "mov.u32 %r10, %clock; mov.u32 %r11, %clock; mov.u32 %r12, %clock;\n"      \
                           "mov.u32 %r13, %clock; mov.u32 %r14, %clock; mov.u32 %r15, %clock;\n"      \
                           "mov.u32 %r16, %clock; mov.u32 %r17, %clock;\n"                            \
                           "shr.u32 %r20, %r4, 5; mul.wide.u32 %rd10, %r20, 32;\n"                    \
                           "add.s64 %rd11, %rd2, %rd10;\n"                                            \
                           "st.global.v4.u32 [%rd11], {%r10, %r11, %r12, %r13};\n"                    \
                           "st.global.v4.u32 [%rd11+16], {%r14, %r15, %r16, %r17}; ret;\n")
/* clang-format on */
enum { CLOCK_READS = 8 };

/* Collatz steps of the thread's number: loops with different trip counts, an if inside. */
static const char divergent_kernel[] =
  KERNEL(".param .u64 p0", "mov.u32 %r5, %r1; add.u32 %r5, %r5, 1; mov.u32 %r6, 0;\n"
                           "LOOP: setp.le.u32 %p1, %r5, 1; @%p1 bra DONE;\n"
                           "and.b32 %r7, %r5, 1; setp.eq.u32 %p2, %r7, 0; @%p2 bra EVEN;\n"
                           "mad.lo.u32 %r5, %r5, 3, 1; bra NEXT;\n"
                           "EVEN: shr.u32 %r5, %r5, 1;\n"
                           "NEXT: add.u32 %r6, %r6, 1; bra LOOP;\n"
                           "DONE: st.global.u32 [%rd1], %r6; ret;\n");

static inline uint32_t collatz_steps(uint32_t n) {
  uint32_t steps = 0;
  for (; n > 1; steps++) n = n & 1 ? 3 * n + 1 : n / 2;
  return steps;
}

/* Sum of the CTA's words at p0 into word ctaid at p1: a tree in shared memory. 128 threads. */
static const char reduction_kernel[] =
  KERNEL(".param .u64 p0, .param .u64 p1", ".shared .align 4 .b8 tile[512];\n"
                                           "mov.u32 %r10, tile; shl.b32 %r11, %r4, 2; add.u32 %r12, %r10, %r11;\n"
                                           "ld.global.u32 %r13, [%rd1]; st.shared.u32 [%r12], %r13; bar.sync 0;\n"
                                           "mov.u32 %r14, 64;\n"
                                           "STEP: setp.ge.u32 %p1, %r4, %r14; @%p1 bra JOIN;\n"
                                           "shl.b32 %r15, %r14, 2; add.u32 %r16, %r12, %r15;\n"
                                           "ld.shared.u32 %r17, [%r16]; ld.shared.u32 %r18, [%r12];\n"
                                           "add.u32 %r18, %r18, %r17; st.shared.u32 [%r12], %r18;\n"
                                           "JOIN: bar.sync 0; shr.u32 %r14, %r14, 1; setp.ne.u32 %p2, %r14, 0;\n"
                                           "@%p2 bra STEP;\n"
                                           "setp.ne.u32 %p3, %r4, 0; @%p3 bra END;\n"
                                           "ld.shared.u32 %r19, [%r10]; ld.param.u64 %rd5, [p1];\n"
                                           "mul.wide.u32 %rd6, %r2, 4; add.s64 %rd7, %rd5, %rd6;\n"
                                           "st.global.u32 [%rd7], %r19;\n"
                                           "END: ret;\n");

/* Histogram of the words at p0 modulo 8 into p1, in shared memory first; p1[8] receives the largest
 * word. */
static const char atomic_kernel[] =
  KERNEL(".param .u64 p0, .param .u64 p1", ".shared .align 4 .b8 bins[32];\n"
                                           "ld.param.u64 %rd5, [p1];\n"
                                           "setp.ge.u32 %p1, %r4, 8; mov.u32 %r10, bins; shl.b32 %r11, %r4, 2;\n"
                                           "add.u32 %r12, %r10, %r11;\n"
                                           "mov.u32 %r13, 0; @!%p1 st.shared.u32 [%r12], %r13; bar.sync 0;\n"
                                           "ld.global.u32 %r14, [%rd1]; and.b32 %r15, %r14, 7; shl.b32 %r16, %r15, 2;\n"
                                           "add.u32 %r17, %r10, %r16;\n"
                                           "atom.shared.add.u32 %r18, [%r17], 1; red.global.max.u32 [%rd5+32], %r14;\n"
                                           "bar.sync 0;\n"
                                           "@%p1 bra END;\n"
                                           "ld.shared.u32 %r19, [%r12]; mul.wide.u32 %rd6, %r4, 4;\n"
                                           "add.s64 %rd7, %rd5, %rd6;\n"
                                           "atom.global.add.u32 %r20, [%rd7], %r19;\n"
                                           "END: ret;\n");

/* Three loads of different locality, local memory, doubles, square roots, a store: every unit has
 * work. */
static const char mixed_kernel[] = KERNEL(
  ".param .u64 p0, .param .u64 p1", ".local .align 4 .b8 own[16];\n"
                                    "ld.param.u64 %rd5, [p1]; mul.lo.u32 %r10, %r1, 97; and.b32 %r10, %r10, 4095;\n"
                                    "mul.wide.u32 %rd6, %r10, 4;\n"
                                    "add.s64 %rd7, %rd2, %rd6; ld.global.u32 %r11, [%rd7];\n"
                                    "ld.global.u32 %r12, [%rd1]; ld.volatile.global.u32 %r13, [%rd2];\n"
                                    "mov.u64 %rd8, own; st.local.u32 [%rd8+4], %r11; ld.local.u32 %r14, [%rd8+4];\n"
                                    "add.u32 %r15, %r14, %r12;\n"
                                    "cvt.rn.f32.u32 %f1, %r15; sqrt.approx.f32 %f2, %f1;\n"
                                    "sqrt.approx.f32 %f3, %f2; cvt.rzi.u32.f32 %r16, %f3;\n"
                                    "cvt.rn.f64.u32 %d1, %r15; add.f64 %d2, %d1, %d1; mul.f64 %d3, %d2, %d1;\n"
                                    "cvt.rzi.u32.f64 %r17, %d3;\n"
                                    "xor.b32 %r18, %r16, %r17; add.u32 %r18, %r18, %r13;\n"
                                    "add.s64 %rd9, %rd5, %rd3; st.global.u32 [%rd9], %r18; ret;\n");

/* Generic addresses: a warp's lanes load from, store to and add to shared, local and global memory at once. */
static const char spaces_kernel[] =
  KERNEL(".param .u64 p0, .param .u64 p1",
         ".local .align 4 .b8 own[8]; .shared .align 4 .b8 tile[512];\n"
         "ld.param.u64 %rd5, [p1]; add.s64 %rd5, %rd5, %rd3;\n"
         "mov.u64 %rd6, own; cvta.local.u64 %rd7, %rd6; mov.u64 %rd8, tile;\n"
         "cvta.shared.u64 %rd9, %rd8; mul.wide.u32 %rd10, %r4, 4; add.s64 %rd9, %rd9, %rd10;\n"
         "rem.u32 %r10, %r1, 3; setp.eq.u32 %p1, %r10, 1; setp.eq.u32 %p2, %r10, 2;\n"
         "selp.b64 %rd11, %rd7, %rd5, %p1; selp.b64 %rd11, %rd9, %rd11, %p2;\n"
         "ld.global.u32 %r11, [%rd1]; st.u32 [%rd11], %r11; ld.u32 %r12, [%rd11];\n"
         "@!%p1 atom.add.u32 %r13, [%rd11], %r10; @%p1 mov.u32 %r13, %r12;\n"
         "ld.u32 %r14, [%rd11]; add.u32 %r15, %r12, %r13; add.u32 %r15, %r15, %r14;\n"
         "st.global.u32 [%rd5], %r15; ret;\n");

/* Fills p0 with a sequence, runs `ctas` of 128 threads, and returns the result words at p1 (p0 if
 * there is one parameter). */
struct kernel_case {
  const char *name, *ptx;
  uint32_t ctas;
};
static const struct kernel_case kernel_cases[] = {{"divergent", divergent_kernel, 9},
                                                  {"reduction", reduction_kernel, 40},
                                                  {"atomic", atomic_kernel, 24},
                                                  {"mixed", mixed_kernel, 32},
                                                  {"spaces", spaces_kernel, 12}};
enum { N_KERNEL_CASES = sizeof kernel_cases / sizeof kernel_cases[0], CASE_WORDS = 8192, CASE_THREADS = 128 };

static inline void run_case(struct fixture *f, const struct kernel_case *c, uint32_t **in, uint32_t **out) {
  uint64_t params[2];
  params[0] = fixture_words(f, CASE_WORDS, in);
  params[1] = fixture_words(f, CASE_WORDS, out);
  for (uint32_t i = 0; i < CASE_WORDS; i++) (*in)[i] = i * 2654435761u >> 12;
  fixture_run(f, c->ctas, CASE_THREADS, params);
}

#endif
