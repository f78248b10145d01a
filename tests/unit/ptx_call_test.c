/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Do calls keep the caller's lanes and registers, whatever path each lane takes? What compilers make of calls is
 * compiled_ptx_test's; here is what they rarely write. */
#include "kit/ptx_harness.h"

#define KERNEL_HEAD                                                                                 \
  ".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<20>; .reg .b32 %r<40>; .reg .b64 %rd<9>;\n" \
  "ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd1, %rd2, %rd3;\n"

static const uint32_t *run_text(struct harness *h, uint32_t threads, const char *text) {
  harness_load(h, text, NULL);
  uint64_t out = harness_alloc(h, NULL, threads * 4 + 4);
  harness_run(h, "k", 1, threads, 1, 1, 0, &out);
  return harness_at(h, out, threads * 4);
}

static void test_lanes_that_do_not_call_wait_for_those_that_do(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  const uint32_t *out = run_text(
    &h, 64,
    PTX_HEAD ".func (.param .b32 r) f(.param .b32 a)\n{.reg .b32 %r<9>; .reg .pred %p<3>;\n"
             "ld.param.b32 %r1, [a]; setp.gt.u32 %p1, %r1, 20; @%p1 st.param.b32 [r], 7; @%p1 ret;\n"
             "activemask.b32 %r2; popc.b32 %r3, %r2; st.param.b32 [r], %r3; ret;}\n" KERNEL_HEAD
             "mov.u32 %r2, 5; and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0;\n"
             "{.param .b32 a; st.param.b32 [a], %r1; .param .b32 r; st.param.b32 [r], 9;\n"
             "@%p1 call (r), f, (a); ld.param.b32 %r2, [r];}\n"
             "activemask.b32 %r5; popc.b32 %r6, %r5; mad.lo.s32 %r2, %r6, 1000, %r2; st.global.u32 [%rd1], %r2; ret;}");
  assert_string_equal(h.fault, "");
  for (uint32_t t = 0; t < 64; t++) {
    /* even threads call: 0..20 of the first warp stay to the end, 11 of them */
    uint32_t v = t & 1 ? 9 : t > 20 ? 7 : 11;
    assert_int_equal(out[t], v + 32000);
  }
  harness_close(&h);
}

static void test_an_indirect_call_and_an_indexed_branch_part_the_lanes(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  const uint32_t *out = run_text(
    &h, 32,
    PTX_HEAD ".func (.param .b32 r) f(.param .b32 a);\n.func (.param .b32 r) g(.param .b32 a);\n"
             ".global .u64 table[2] = {f, g};\n"
             ".func (.param .b32 r) f(.param .b32 a)\n{.reg .b32 %r<9>;\n"
             "ld.param.b32 %r1, [a]; activemask.b32 %r2; popc.b32 %r3, %r2; mad.lo.u32 %r4, %r3, 100, %r1;\n"
             "st.param.b32 [r], %r4; ret;}\n"
             ".func (.param .b32 r) g(.param .b32 a)\n{.reg .b32 %r<9>; ld.param.b32 %r1, [a]; neg.s32 %r1, %r1;\n"
             "st.param.b32 [r], %r1; ret;}\n" KERNEL_HEAD
             "setp.lt.u32 %p1, %r1, 10; selp.u32 %r3, 0, 8, %p1; cvt.u64.u32 %rd4, %r3; mov.u64 %rd5, table;\n"
             "add.u64 %rd5, %rd5, %rd4; ld.global.u64 %rd6, [%rd5];\n"
             "{.param .b32 a; st.param.b32 [a], %r1; .param .b32 r;\n"
             "p: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
             "call (r), %rd6, (a), p; ld.param.b32 %r2, [r];}\n"
             "and.b32 %r4, %r1, 3; t: .branchtargets A, B, C, A; brx.idx %r4, t;\n"
             "A: add.u32 %r2, %r2, 10000; bra JOIN;\nB: add.u32 %r2, %r2, 20000;\nC: add.u32 %r2, %r2, 30000;\n"
             "JOIN: activemask.b32 %r5; not.b32 %r5, %r5; add.u32 %r2, %r2, %r5; st.global.u32 [%rd1], %r2; ret;}");
  assert_string_equal(h.fault, "");
  static const uint32_t added[] = {10000, 50000, 30000, 10000};
  for (uint32_t t = 0; t < 32; t++) assert_int_equal(out[t], (t < 10 ? 1000 + t : 0 - t) + added[t & 3]);
  harness_close(&h);
}

/* sum(n) = n + sum(n - 1), with a predicate, a 64-bit and a 32-bit register that live across the call. */
#define SUM                                                                                                        \
  ".func (.param .b64 r) sum(.param .b32 n)\n{.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n"              \
  "ld.param.b32 %r1, [n]; mov.u64 %rd1, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra DONE;\n"                              \
  "and.b32 %r3, %r1, 1; setp.eq.u32 %p2, %r3, 1; mul.wide.u32 %rd2, %r1, 3; add.u32 %r2, %r1, -1;\n"               \
  "{.param .b32 n1; st.param.b32 [n1], %r2; .param .b64 r1; call.uni (r1), sum, (n1); ld.param.b64 %rd1, [r1];}\n" \
  "add.u64 %rd1, %rd1, %rd2; cvt.u64.u32 %rd3, %r1; @%p2 add.u64 %rd1, %rd1, %rd3;\n"                              \
  "DONE: st.param.b64 [r], %rd1; ret;}\n"

static void test_recursion_keeps_registers_of_every_lane(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  const uint32_t *out = run_text(&h, 96,
                                 PTX_HEAD SUM KERNEL_HEAD
                                 "{.param .b32 n; st.param.b32 [n], %r1; .param .b64 r; call.uni (r), sum, (n);\n"
                                 "ld.param.b64 %rd4, [r];} cvt.u32.u64 %r2, %rd4; st.global.u32 [%rd1], %r2; ret;}");
  assert_string_equal(h.fault, "");
  for (uint32_t t = 0; t < 96; t++) {
    uint32_t sum = 0;
    for (uint32_t i = 1; i <= t; i++) sum += 3 * i + (i & 1 ? i : 0);
    assert_int_equal(out[t], sum);
  }
  const struct ptx_kernel *k = ptx_module_kernel(h.module, "k");
  uint32_t stores = 0, loads = 0;
  for (uint32_t i = 0; i < k->n_ops; i++) {
    stores += k->ops[i].class == PTX_STORE && k->ops[i].memory.space == PTX_LOCAL;
    loads += k->ops[i].class == PTX_LOAD && k->ops[i].memory.space == PTX_LOCAL;
  }
  assert_int_equal(stores, 3); /* %rd2, %r1, %p2: local memory traffic */
  assert_int_equal(loads, 3);
  harness_close(&h);
}

static void test_endless_recursion_is_a_fault_that_names_function_and_depth(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  run_text(&h, 32,
           PTX_HEAD SUM KERNEL_HEAD
           "{.param .b32 n; st.param.b32 [n], 100000; .param .b64 r; call.uni (r), sum, (n);} ret;}");
  assert_non_null(strstr(h.fault, "calls on from 'sum' at call depth"));
  assert_non_null(strstr(h.fault, "its stack is full"));
  run_text(&h, 32,
           PTX_HEAD ".func f(){.reg .pred %p<2>; .reg .b32 %r<4>; mov.u32 %r1, %laneid; setp.eq.u32 %p1, %r1, 3;\n"
                    "@%p1 bra A; call f; bra B; A: call f; B: ret;}\n" KERNEL_HEAD "call f; ret;}");
  assert_non_null(strstr(h.fault, "calls on from 'f' at call depth"));
  harness_close(&h);
}

static void test_addresses_that_are_no_function_fault(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  run_text(&h, 32,
           PTX_HEAD ".func f(){ret;}\n" KERNEL_HEAD
                    "mov.u64 %rd4, f; add.u64 %rd4, %rd4, 4; p: .callprototype _ (); call %rd4, (), p; ret;}");
  assert_non_null(strstr(h.fault, "which is no function"));
  harness_close(&h);
}

static void test_registers_of_the_call_graph_count_and_siblings_share_rows(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
#define WIDE_FUNCTION(name)                                                                                        \
  ".func (.param .b32 r) " name "(.param .b32 a)\n{.reg .b32 %r<9>; ld.param.b32 %r1, [a]; add.u32 %r2, %r1, 1;\n" \
  "add.u32 %r3, %r1, 2; add.u32 %r4, %r1, 3; add.u32 %r5, %r1, 4; mul.lo.u32 %r6, %r2, %r3;\n"                     \
  "mul.lo.u32 %r7, %r4, %r5; add.u32 %r8, %r6, %r7; st.param.b32 [r], %r8; ret;}\n"
#define CALL(name) \
  "{.param .b32 a; st.param.b32 [a], %r1; .param .b32 r; call (r), " name ", (a); ld.param.b32 %r2, [r];}\n"
  harness_load(&h, PTX_HEAD WIDE_FUNCTION("f") KERNEL_HEAD CALL("f") CALL("f") "st.global.u32 [%rd1], %r2; ret;}",
               NULL);
  const struct ptx_kernel one = *ptx_module_kernel(h.module, "k");
  harness_load(&h,
               PTX_HEAD WIDE_FUNCTION("f") WIDE_FUNCTION("g") KERNEL_HEAD CALL("f")
                 CALL("g") "st.global.u32 [%rd1], %r2; ret;}",
               NULL);
  const struct ptx_kernel two = *ptx_module_kernel(h.module, "k");
  /* f: four sums at once, beside the pointer and %r1 that live across the first call */
  assert_int_equal(one.live_registers, 4 + 2 + 1);
  assert_int_equal(two.live_registers, 4 + 2 + 1);
  assert_int_equal(one.n_rows, two.n_rows);
  harness_close(&h);
}

static void test_elect_chooses_one_lane_hints_do_nothing_and_brkpt_stops(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  const uint32_t *out =
    run_text(&h, 32,
             PTX_HEAD KERNEL_HEAD "setp.lt.u32 %p1, %r1, 5; @%p1 bra DONE; mov.u32 %r2, 0xfffffff0;\n"
                                  "elect.sync %r3|%p2, %r2; selp.u32 %r4, 100, 0, %p2; add.u32 %r4, %r4, %r3;\n"
                                  "discard.global.L2 [%rd1], 128; applypriority.global.L2::evict_normal [%rd1], 128;\n"
                                  "mov.u32 %r5, %envreg3; add.u32 %r4, %r4, %r5; mov.u32 %r5, %cluster_nctarank;\n"
                                  "add.u32 %r4, %r4, %r5; st.global.u32 [%rd1], %r4;\nDONE: ret;}");
  assert_string_equal(h.fault, "");
  for (uint32_t t = 0; t < 32; t++) assert_int_equal(out[t], t < 5 ? 0 : t == 5 ? 106 : 6);
  run_text(&h, 32, PTX_HEAD KERNEL_HEAD "brkpt; ret;}");
  assert_non_null(strstr(h.fault, "thread (0,0,0)"));
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_lanes_that_do_not_call_wait_for_those_that_do),
    cmocka_unit_test(test_an_indirect_call_and_an_indexed_branch_part_the_lanes),
    cmocka_unit_test(test_recursion_keeps_registers_of_every_lane),
    cmocka_unit_test(test_endless_recursion_is_a_fault_that_names_function_and_depth),
    cmocka_unit_test(test_addresses_that_are_no_function_fault),
    cmocka_unit_test(test_registers_of_the_call_graph_count_and_siblings_share_rows),
    cmocka_unit_test(test_elect_chooses_one_lane_hints_do_nothing_and_brkpt_stops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
