/* SPDX-License-Identifier: Apache-2.0 */
/* slice: cuda */
/* Does alloca give each thread memory of its own, and does a return give it back? */
#include "kit/ptx_harness.h"

#define HEAD ".version 7.5\n.target sm_75\n.address_size 64\n"
#define START "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
#define ENTRY \
  HEAD ".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>;\n" START

/* Thread t fills 4 t + 4 bytes with t, t+1, ...; another allocation behind must not touch them. */
static void test_each_thread_has_its_own(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  harness_load(
    &h,
    ENTRY
    "stacksave.u64 %rd9; add.s32 %r2, %r1, 1; mul.wide.u32 %rd4, %r2, 4; alloca.u64 %rd5, %rd4, 16; alloca.u64 %rd6, 64;\n"
    "mov.u32 %r3, 0; mov.u32 %r4, 0; mov.u64 %rd7, %rd5;\n"
    "L: add.s32 %r5, %r1, %r3; st.local.u32 [%rd7], %r5; add.s64 %rd7, %rd7, 4; add.s32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r2; @%p1 bra L;\n"
    "st.local.v2.u32 [%rd6], {99, 98}; cvta.local.u64 %rd8, %rd5; mov.u32 %r3, 0;\n"
    "M: ld.u32 %r5, [%rd8]; add.s32 %r4, %r4, %r5; add.s64 %rd8, %rd8, 4; add.s32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r2; @%p1 bra M;\n"
    "stackrestore.u64 %rd9; alloca.u64 %rd10, 8; sub.s64 %rd10, %rd10, %rd9; cvt.u32.u64 %r6, %rd10; add.s32 %r4, %r4, %r6;\n"
    "and.b64 %rd11, %rd5, 15; cvt.u32.u64 %r7, %rd11; add.s32 %r4, %r4, %r7; st.global.u32 [%rd3], %r4; ret; }\n",
    NULL);
  uint64_t out = harness_alloc(&h, NULL, 64 * 4);
  harness_run(&h, "k", 1, 64, 1, 1, 0, &out);
  assert_string_equal(h.fault, "");
  const uint32_t *got = harness_at(&h, out, 64 * 4);
  for (uint32_t t = 0; t < 64; t++) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i <= t; i++) sum += t + i;
    assert_int_equal(got[t], sum);
  }
  harness_close(&h);
}

/* A function that allocates 1 KB, called 100 times, and from one that has allocated: 16 KiB are enough only if returns free it. */
static void test_a_return_gives_it_back(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  harness_load(
    &h,
    HEAD
    ".func (.param .b32 r) f(.param .b32 n)\n{\n.reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
    "ld.param.u32 %r1, [n]; alloca.u64 %rd1, 1024; st.local.u32 [%rd1+1020], %r1; setp.lt.u32 %p1, %r1, 4;\n"
    "add.s32 %r2, %r1, 1000; st.param.b32 [r], %r2; @%p1 ret; ld.local.u32 %r3, [%rd1+1020]; st.param.b32 [r], %r3; ret;\n}\n"
    ".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>;\n" START
    "alloca.u64 %rd5, 16; st.local.u32 [%rd5], %r1; mov.u32 %r2, 0; mov.u32 %r3, 0;\n"
    "L: { .param .b32 a; .param .b32 b; st.param.b32 [a], %r2; call (b), f, (a); ld.param.b32 %r4, [b]; }\n"
    "add.s32 %r3, %r3, %r4; add.s32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 100; @%p1 bra L;\n"
    "ld.local.u32 %r5, [%rd5]; add.s32 %r3, %r3, %r5; st.global.u32 [%rd3], %r3; ret; }\n",
    NULL);
  uint64_t out = harness_alloc(&h, NULL, 32 * 4);
  harness_run(&h, "k", 1, 32, 1, 1, 0, &out);
  assert_string_equal(h.fault, "");
  const uint32_t *got = harness_at(&h, out, 32 * 4);
  for (uint32_t t = 0; t < 32; t++) assert_int_equal(got[t], 99 * 100 / 2 + 4000 + t);
  harness_close(&h);
}

static void test_too_much_is_a_fault(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  harness_load(&h, ENTRY "alloca.u64 %rd5, 16000; mul.wide.u32 %rd6, %r1, 100; alloca.u64 %rd7, %rd6; ret; }\n", NULL);
  uint64_t out = harness_alloc(&h, NULL, 32 * 4);
  harness_run(&h, "k", 1, 32, 1, 1, 0, &out);
  assert_string_equal(h.fault,
                      "thread (4,0,0) of CTA (0,0,0) allocates 0x190 bytes on its stack, of which 384 are left");
  harness_load(&h, ENTRY "mov.u64 %rd4, 0; stackrestore.u64 %rd4; alloca.u64 %rd5, 16; ret; }\n", NULL);
  harness_run(&h, "k", 1, 32, 1, 1, 0, &out);
  assert_string_equal(h.fault, ""); /* without other memory the stack begins at 0 */
  harness_load(&h, ENTRY "mov.u64 %rd4, 1000000; stackrestore.u64 %rd4; alloca.u64 %rd5, 16; ret; }\n", NULL);
  harness_run(&h, "k", 1, 32, 1, 1, 0, &out);
  assert_non_null(strstr(h.fault, "illegal local address 0xf4240"));
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_each_thread_has_its_own),
    cmocka_unit_test(test_a_return_gives_it_back),
    cmocka_unit_test(test_too_much_is_a_fault),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
