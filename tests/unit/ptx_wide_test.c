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

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_both_halves_arrive),
    cmocka_unit_test(test_an_access_of_16_bytes_is_aligned_to_16),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
