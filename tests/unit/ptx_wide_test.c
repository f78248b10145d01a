/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Do registers of 128 bits keep both halves, in every space and under a guard? The host copies the same bytes. */
#include "kit/ptx_harness.h"

enum { THREADS = 70, OUT_BYTES = 96, SEED = 20261123 };

/* One result of 16 bytes each: through a range's register, shared memory, local memory, a constructed register, a guarded move,
 * and the halves of a copy, exchanged. */
static const char kernel[] = PTX_HEAD
  ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
  ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<20>; .reg .b128 %rq<4>, wide;\n"
  ".shared .align 16 .b8 tile[2048]; .local .align 16 .b8 own[32];\n"
  "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 16; add.s64 %rd1, %rd1, %rd3;\n"
  "mul.wide.u32 %rd4, %r1, 96; add.s64 %rd2, %rd2, %rd4; and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0;\n"
  "ld.global.b128 %rq1, [%rd1]; st.global.b128 [%rd2], %rq1;\n"
  "mov.u32 %r3, tile; mad.lo.u32 %r3, %r1, 16, %r3; st.shared.b128 [%r3], %rq1; ld.shared.b128 %rq2, [%r3]; st.global.b128 [%rd2+16], %rq2;\n"
  "mov.u64 %rd5, own; st.local.b128 [%rd5+16], %rq2; ld.local.b128 wide, [%rd5+16]; st.b128 [%rd2+32], wide;\n"
  "mov.b128 %rq3, {%rd4, %rd3}; st.global.b128 [%rd2+48], %rq3;\n"
  "mov.b128 wide, %rq3; @%p1 mov.b128 wide, %rq1; st.global.relaxed.gpu.b128 [%rd2+64], wide;\n"
  "ld.global.nc.b128 %rq0, [%rd1]; mov.b128 {%rd6, %rd7}, %rq0; st.global.u64 [%rd2+80], %rd7; st.global.u64 [%rd2+88], %rd6; ret;\n}\n";

static void test_both_halves_arrive(void **state) {
  struct harness h;
  uint64_t in[THREADS][2], seed = SEED;
  (void)state;
  for (uint32_t t = 0; t < THREADS; t++)
    for (uint32_t i = 0; i < 2; i++) in[t][i] = harness_random(&seed);
  harness_open(&h);
  harness_load(&h, kernel, NULL);
  struct {
    uint64_t in, out;
  } p = {harness_alloc(&h, in, sizeof in), harness_alloc(&h, NULL, THREADS * OUT_BYTES)};
  harness_run(&h, "k", 1, THREADS, 1, 1, 0, &p);
  assert_string_equal(h.fault, "");
  for (uint32_t t = 0; t < THREADS; t++) {
    const uint64_t made[2] = {t * 96, t * 16}, exchanged[2] = {in[t][1], in[t][0]};
    const uint8_t *out = harness_at(&h, p.out + (uint64_t)t * OUT_BYTES, OUT_BYTES);
    for (uint32_t i = 0; i < 3; i++) assert_memory_equal(out + 16 * i, in[t], 16);
    assert_memory_equal(out + 48, made, 16);
    assert_memory_equal(out + 64, t % 2 ? made : in[t], 16);
    assert_memory_equal(out + 80, exchanged, 16);
  }
  harness_close(&h);
}

static void test_an_access_of_16_bytes_is_aligned_to_16(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  harness_load(&h, kernel, NULL);
  struct {
    uint64_t in, out;
  } p = {harness_alloc(&h, NULL, 64) + 8, harness_alloc(&h, NULL, OUT_BYTES)};
  harness_run(&h, "k", 1, 1, 1, 1, 0, &p);
  assert_non_null(strstr(h.fault, "align"));
  harness_close(&h);
}

/* Thread t exchanges its cell of global memory; compares and swaps its cell of shared memory, with a value that is right, or
 * wrong in one half; at last adds (t, 1) to the common cell. All threads write what they got back. */
static const char atomics[] = PTX_HEAD
  ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 common)\n{\n"
  ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<20>; .reg .b128 %q<9>; .shared .align 16 .b8 tile[2048];\n"
  "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 48; add.s64 %rd1, %rd1, %rd3;\n"
  "add.s64 %rd2, %rd2, %rd3; ld.global.b128 %q1, [%rd1]; ld.global.b128 %q2, [%rd1+16]; ld.global.b128 %q3, [%rd1+32];\n"
  "mov.u32 %r3, tile; mad.lo.u32 %r3, %r1, 16, %r3; st.shared.b128 [%r3], %q1;\n"
  "atom.global.exch.b128 %q4, [%rd1], %q3; st.global.b128 [%rd2], %q4;\n"
  "atom.relaxed.cta.shared.cas.b128 %q2, [%r3], %q2, %q3; st.global.b128 [%rd2+16], %q2;\n"
  "ld.shared.b128 %q5, [%r3]; st.global.b128 [%rd2+32], %q5;\n"
  "cvt.u64.u32 %rd5, %r1; ld.param.u64 %rd4, [common]; ld.b128 %q6, [%rd4];\n"
  "again: mov.b128 {%rd6, %rd7}, %q6; add.s64 %rd8, %rd6, %rd5; add.s64 %rd9, %rd7, 1; mov.b128 %q7, {%rd8, %rd9}; mov.b128 %q8, %q6;\n"
  "atom.cas.b128 %q6, [%rd4], %q6, %q7; mov.b128 {%rd10, %rd11}, %q6; mov.b128 {%rd12, %rd13}, %q8;\n"
  "setp.ne.u64 %p1, %rd10, %rd12; setp.ne.or.u64 %p1, %rd11, %rd13, %p1; @%p1 bra again; @%p1 atom.exch.b128 _, [%rd4], %q6; ret;\n}\n";

static void test_atomics_change_both_halves_or_none(void **state) {
  struct harness h;
  uint64_t in[THREADS][3][2], seed = SEED;
  (void)state;
  for (uint32_t t = 0; t < THREADS; t++) {
    for (uint32_t i = 0; i < 6; i++) in[t][i / 2][i % 2] = harness_random(&seed);
    memcpy(in[t][1], in[t][0], 16);
    if (t % 3) in[t][1][t % 3 - 1] ^= UINT64_C(1) << t % 64;
  }
  harness_open(&h);
  harness_load(&h, atomics, NULL);
  struct {
    uint64_t in, out, common;
  } p = {harness_alloc(&h, in, sizeof in), harness_alloc(&h, NULL, THREADS * 48), harness_alloc(&h, NULL, 16)};
  harness_run(&h, "k", 1, THREADS, 1, 1, 0, &p);
  assert_string_equal(h.fault, "");
  for (uint32_t t = 0; t < THREADS; t++) {
    const uint8_t *out = harness_at(&h, p.out + (uint64_t)t * 48, 48),
                  *cell = harness_at(&h, p.in + (uint64_t)t * 48, 16);
    assert_memory_equal(cell, in[t][2], 16);
    assert_memory_equal(out, in[t][0], 16);
    assert_memory_equal(out + 16, in[t][0], 16);
    assert_memory_equal(out + 32, t % 3 ? in[t][0] : in[t][2], 16);
  }
  const uint64_t sums[2] = {THREADS * (THREADS - 1) / 2, THREADS};
  assert_memory_equal(harness_at(&h, p.common, 16), sums, 16);
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_both_halves_arrive),
    cmocka_unit_test(test_an_access_of_16_bytes_is_aligned_to_16),
    cmocka_unit_test(test_atomics_change_both_halves_or_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
