/* SPDX-License-Identifier: Apache-2.0 */
/* Do threads of a warp take their own paths, meet again where they should, and see their own special registers? */
#include "kit/ptx_harness.h"

/* Runs `body` with one CTA: %r1 = tid.x, %rd1 = &out[tid.x] (u32); returns out. */
static const uint32_t *run_body(struct harness *h, uint32_t threads, const char *body) {
  char text[8192];
  snprintf(
    text, sizeof text,
    PTX_HEAD
    ".visible .entry k(.param .u64 out)\n{\n.reg .pred %%p<20>; .reg .b32 %%r<40>; .reg .b64 %%rd<9>;\n"
    "ld.param.u64 %%rd2, [out]; mov.u32 %%r1, %%tid.x; mul.wide.u32 %%rd3, %%r1, 4; add.s64 %%rd1, %%rd2, %%rd3;\n%s\n}\n",
    body);
  harness_load(h, text, NULL);
  uint64_t out = harness_alloc(h, NULL, threads * 4 + 4);
  harness_run(h, "k", 1, threads, 1, 1, 0, &out);
  return harness_at(h, out, threads * 4);
}

static void test_nested_branches_meet_again(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  const uint32_t *out = run_body(
    &h, 96,
    "mov.u32 %r2, 0; and.b32 %r3, %r1, 1; setp.eq.s32 %p1, %r3, 0; @%p1 bra EVEN;\n"
    "and.b32 %r4, %r1, 2; setp.eq.s32 %p2, %r4, 0; @!%p2 bra ODD2; add.s32 %r2, %r2, 10; bra.uni ODDJOIN;\n"
    "ODD2: add.s32 %r2, %r2, 20;\nODDJOIN: add.s32 %r2, %r2, 1; bra.uni JOIN;\n"
    "EVEN: setp.gt.s32 %p3, %r1, 40; @%p3 bra JOIN; add.s32 %r2, %r2, 300;\n"
    "JOIN: activemask.b32 %r5; popc.b32 %r6, %r5; mad.lo.s32 %r2, %r6, 1000, %r2; st.global.u32 [%rd1], %r2; ret;");
  assert_string_equal(h.fault, "");
  for (uint32_t t = 0; t < 96; t++) {
    uint32_t v = t & 1 ? (t & 2 ? 21 : 11) : t > 40 ? 0 : 300;
    assert_int_equal(out[t], v + 32000); /* all 32 lanes are together again */
  }
  harness_close(&h);
}

static void test_divergent_trip_counts(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  const uint32_t *out = run_body(
    &h, 64,
    "mov.u32 %r2, 0; mov.u32 %r3, 0; rem.u32 %r9, %r1, 7;\n"
    "OUTER: setp.ge.u32 %p1, %r3, %r9; @%p1 bra DONE; mov.u32 %r4, 0; add.s32 %r5, %r1, %r3; and.b32 %r5, %r5, 15;\n"
    "INNER: setp.ge.u32 %p2, %r4, %r5; @%p2 bra NEXT; mad.lo.s32 %r2, %r2, 3, %r4; add.s32 %r4, %r4, 1;\n"
    "setp.eq.s32 %p4, %r4, 11; @%p4 bra NEXT; bra.uni INNER;\n"
    "NEXT: add.s32 %r3, %r3, 1; bra.uni OUTER;\nDONE: activemask.b32 %r6; st.global.u32 [%rd1], %r2;\n"
    "not.b32 %r6, %r6; setp.ne.s32 %p5, %r6, 0; @%p5 trap; ret;");
  assert_string_equal(h.fault, ""); /* all lanes reach DONE together */
  for (uint32_t t = 0; t < 64; t++) {
    uint32_t v = 0;
    for (uint32_t i = 0; i < t % 7; i++)
      for (uint32_t j = 0; j < ((t + i) & 15);) {
        v = v * 3 + j++;
        if (j == 11) break;
      }
    assert_int_equal(out[t], v);
  }
  assert_true(h.deepest <= 6); /* a loop does not grow the stack */
  harness_close(&h);
}

/* A random program of forward branches and bounded loops, with the same one interpreted thread by thread. */
enum { BLOCKS = 14 };
struct random_block {
  uint32_t add, mul, mask, target; /* value = value * mul + add; if (value & mask) goto target */
};

static uint32_t interpret(const struct random_block *b, uint32_t value) {
  uint32_t fuel = 40;
  for (uint32_t i = 0; i < BLOCKS;) {
    value = value * b[i].mul + b[i].add;
    if (fuel && --fuel && (value & b[i].mask)) i = b[i].target;
    else i++;
  }
  return value;
}

static void test_random_control_flow_is_that_of_single_threads(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    struct harness h;
    struct random_block b[BLOCKS];
    char body[4096];
    uint64_t s = seed;
    size_t n = (size_t)snprintf(body, sizeof body, "mov.u32 %%r2, %%r1; mov.u32 %%r3, 40;\n");
    for (uint32_t i = 0; i < BLOCKS; i++) {
      b[i] = (struct random_block){.add = (uint32_t)harness_random(&s) & 0xffff,
                                   .mul = ((uint32_t)harness_random(&s) & 0xff) | 1,
                                   .mask = 1u << harness_random(&s) % 12,
                                   .target = (uint32_t)(harness_random(&s) % (BLOCKS + 1))};
      n += (size_t)snprintf(
        body + n, sizeof body - n,
        "L%u: mad.lo.u32 %%r2, %%r2, %u, %u; and.b32 %%r4, %%r2, %u; setp.ne.u32 %%p1, %%r4, 0;\n"
        "setp.ne.u32 %%p2, %%r3, 0; @!%%p2 bra L%u; sub.u32 %%r3, %%r3, 1; setp.ne.and.u32 %%p1, %%r3, 0, %%p1; @%%p1 bra L%u;\n",
        i, b[i].mul, b[i].add, b[i].mask, i + 1, b[i].target);
    }
    snprintf(body + n, sizeof body - n, "L%u: st.global.u32 [%%rd1], %%r2; ret;", BLOCKS);
    harness_open(&h);
    const uint32_t *out = run_body(&h, 64, body);
    if (h.fault[0]) fail_msg("seed %llu: %s", (unsigned long long)seed, h.fault);
    for (uint32_t t = 0; t < 64; t++)
      if (out[t] != interpret(b, t))
        fail_msg("seed %llu: thread %u has %u, alone %u", (unsigned long long)seed, t, out[t], interpret(b, t));
    harness_close(&h);
  }
}

static void test_lanes_exit_early_and_ret_ends_a_thread(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  const uint32_t *out = run_body(
    &h, 40,
    "mov.u32 %r2, 1; st.global.u32 [%rd1], %r2; setp.lt.u32 %p1, %r1, 5; @%p1 exit;\n"
    "setp.gt.u32 %p2, %r1, 30; @%p2 bra OUT; mov.u32 %r2, 2; st.global.u32 [%rd1], %r2;\n"
    "setp.eq.u32 %p3, %r1, 17; @%p3 ret; activemask.b32 %r3; popc.b32 %r3, %r3; st.global.u32 [%rd1], %r3; ret;\nOUT: ret;");
  assert_string_equal(h.fault, "");
  for (uint32_t t = 0; t < 40; t++) assert_int_equal(out[t], t < 5 || t > 30 ? 1 : t == 17 ? 2 : 25);
  harness_close(&h);
}

static void test_a_body_without_ret_ends(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  const uint32_t *out = run_body(&h, 33, "setp.gt.u32 %p1, %r1, 8; @%p1 bra END; st.global.u32 [%rd1], 7; END:");
  for (uint32_t t = 0; t < 33; t++) assert_int_equal(out[t], t > 8 ? 0 : 7);
  harness_close(&h);
}

static void test_an_endless_divergent_loop_does_not_break_the_stack(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h); /* lanes leave one by one; the last never does, until it traps */
  run_body(
    &h, 32,
    "mov.u32 %r2, 0;\nL: add.u32 %r2, %r2, 1; setp.eq.u32 %p1, %r2, 5000; @%p1 trap; setp.eq.u32 %p2, %r2, %r1; @%p2 bra A;\n"
    "and.b32 %r3, %r2, 3; setp.eq.u32 %p3, %r3, %r1; @%p3 bra L; bra.uni L;\nA: st.global.u32 [%rd1], %r2; bra.uni L;");
  assert_non_null(strstr(h.fault, "executes trap"));
  assert_true(h.deepest <= SIMT_STACK_MAX);
  harness_close(&h);
}

static void test_special_registers(void **state) {
  struct harness h;
  uint32_t n = 70;
  (void)state;
  harness_open(&h);
  harness_load(
    &h,
    PTX_HEAD
    ".visible .entry k(.param .u64 out){.reg .b32 %r<30>; .reg .b64 %rd<5>;\n"
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z; mov.u32 %r4, %ntid.x; mov.u32 %r5, %ntid.y; mov.u32 %r6, %ntid.z;\n"
    "mad.lo.u32 %r7, %r3, %r5, %r2; mad.lo.u32 %r7, %r7, %r4, %r1; mov.u32 %r8, %ctaid.x; mov.u32 %r9, %nctaid.x; mul.lo.u32 %r10, %r4, %r5;\n"
    "mul.lo.u32 %r10, %r10, %r6; mad.lo.u32 %r11, %r8, %r10, %r7; ld.param.u64 %rd1, [out]; mul.wide.u32 %rd2, %r11, 32; add.s64 %rd1, %rd1, %rd2;\n"
    "mov.u32 %r12, %laneid; mov.u32 %r13, %warpid; mov.u32 %r14, %lanemask_lt; mov.u32 %r15, %lanemask_ge; mov.u32 %r16, %nwarpid;\n"
    "st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r12}; st.global.v4.u32 [%rd1+16], {%r13, %r14, %r15, %r16}; ret;}",
    NULL);
  uint64_t out = harness_alloc(&h, NULL, 2 * n * 32);
  harness_run(&h, "k", 2, 5, 7, 2, 0, &out);
  assert_string_equal(h.fault, "");
  const uint32_t *v = harness_at(&h, out, 2 * n * 32);
  for (uint32_t i = 0; i < 2 * n; i++, v += 8) {
    uint32_t t = i % n, lane = t % 32;
    assert_int_equal(v[0], t % 5);
    assert_int_equal(v[1], t / 5 % 7);
    assert_int_equal(v[2], t / 35);
    assert_int_equal(v[3], lane);
    assert_int_equal(v[4], t / 32);
    assert_int_equal(v[5], (UINT64_C(1) << lane) - 1);
    assert_int_equal(v[6], 0xffffffffu << lane);
    assert_int_equal(v[7], 3);
  }
  harness_close(&h);
}

/* ---- across lanes ---- */

static uint32_t shuffled(char mode, uint32_t lane, uint32_t b, uint32_t c, bool *inside) {
  int bound = (int)((lane & (c >> 8 & 31)) | (c & 31 & ~(c >> 8))), j;
  if (mode == 'u') j = (int)lane - (int)b;
  else if (mode == 'd') j = (int)(lane + b);
  else if (mode == 'b') j = (int)(lane ^ b);
  else j = (int)((lane & (c >> 8 & 31)) | (b & ~(c >> 8) & 31));
  *inside = mode == 'u' ? j >= bound : j <= bound;
  return *inside ? (uint32_t)j : lane;
}

static void test_shuffles_follow_the_isa(void **state) {
  static const struct {
    const char *name;
    char mode;
    uint32_t c;
  } modes[] = {{"up", 'u', 0},        {"down", 'd', 31},   {"bfly", 'b', 31},    {"idx", 'i', 31},
               {"down", 'd', 0x181f}, {"up", 'u', 0x1800}, {"idx", 'i', 0x1c1f}, {"bfly", 'b', 0x1803}};
  (void)state;
  for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++)
    for (uint32_t b = 0; b < 32; b += 3) {
      struct harness h;
      char body[512];
      harness_open(&h);
      snprintf(body, sizeof body,
               "add.u32 %%r2, %%r1, 100; shfl.%s.sync.b32 %%r3|%%p1, %%r2, %u, %u, -1; selp.u32 %%r4, 1000, 0, %%p1;\n"
               "add.u32 %%r3, %%r3, %%r4; st.global.u32 [%%rd1], %%r3; ret;",
               modes[m].name, b, modes[m].c);
      const uint32_t *out = run_body(&h, 32, body);
      for (uint32_t l = 0; l < 32; l++) {
        bool inside;
        uint32_t j = shuffled(modes[m].mode, l, b, modes[m].c, &inside);
        assert_int_equal(out[l], 100 + j + (inside ? 1000 : 0));
      }
      harness_close(&h);
    }
}

static void test_votes_and_matches_count_the_lanes_that_execute(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  const uint32_t *out = run_body(
    &h, 32,
    "and.b32 %r2, %r1, 3; setp.eq.u32 %p1, %r2, 1; vote.sync.ballot.b32 %r3, %p1, -1; vote.sync.any.pred %p2, %p1, -1;\n"
    "vote.sync.all.pred %p3, !%p1, -1; selp.u32 %r4, 1, 0, %p2; selp.u32 %r5, 2, 0, %p3; match.any.sync.b32 %r6, %r2, -1;\n"
    "xor.b32 %r7, %r3, %r6; add.u32 %r7, %r7, %r4; add.u32 %r7, %r7, %r5; setp.lt.u32 %p4, %r1, 8; @!%p4 bra E;\n"
    "vote.ballot.sync.b32 %r8, %p1, 255; vote.uni.sync.pred %p5, %p4, 255; selp.u32 %r9, 1000, 0, %p5; add.u32 %r7, %r8, %r9;\n"
    "E: st.global.u32 [%rd1], %r7; ret;");
  for (uint32_t t = 0; t < 32; t++)
    assert_int_equal(out[t], t < 8 ? 0x22 + 1000 : (0x22222222u ^ 0x11111111u << (t & 3)) + 1);
  harness_close(&h);
}

static void test_reductions_across_lanes(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  const uint32_t *out = run_body(
    &h, 32,
    "sub.s32 %r2, %r1, 10; redux.sync.add.s32 %r3, %r2, -1; redux.sync.min.s32 %r4, %r2, -1; redux.sync.max.u32 %r5, %r2, -1;\n"
    "redux.sync.xor.b32 %r6, %r2, -1; setp.lt.u32 %p1, %r1, 4; @%p1 redux.sync.add.s32 %r3, %r1, 15;\n"
    "mad.lo.u32 %r3, %r4, 1000, %r3; add.u32 %r3, %r3, %r5; xor.b32 %r3, %r3, %r6; st.global.u32 [%rd1], %r3; ret;");
  uint32_t mixed = 0;
  for (uint32_t t = 0; t < 32; t++) mixed ^= t - 10;
  for (uint32_t t = 0; t < 32; t++)
    assert_int_equal(out[t], (uint32_t)((-10 * 1000 + (t < 4 ? 6 : 496 - 320)) + -1) ^ mixed);
  harness_close(&h);
}

static void test_barriers_have_identity_and_count(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  harness_load(&h,
               PTX_HEAD
               ".visible .entry k(){.reg .b32 %r<5>; mov.u32 %r1, 3; bar.sync 0; bar.sync 5, 64; bar.arrive %r1, 96;\n"
               "barrier.sync.aligned 1; barrier.cta.sync 2, 32; ret;}",
               NULL);
  const struct ptx_kernel *k = ptx_module_kernel(h.module, "k");
  static const struct ptx_barrier expected[] = {
    {0, 0, false}, {5, 64, false}, {3, 96, true}, {1, 0, false}, {2, 32, false}};
  struct ptx_cta cta = {.kernel = k, .memory = &h.memory, .grid = {1, 1, 1}, .block = {32, 1, 1}};
  struct ptx_warp w = {.rows = aligned_alloc(64, k->n_rows * 128), .consts = k->const_rows};
  ptx_warp_start(&w, &cta, 0);
  for (uint32_t pc = 0, i = 0; pc < k->n_ops; pc++) {
    const struct ptx_op *op = &k->ops[pc];
    assert_int_equal(ptx_warp_pc(&w), pc);
    if (op->exec) op->exec(op, &w, ptx_op_mask(op, &w));
    if (op->class == PTX_BARRIER) {
      struct ptx_barrier b = ptx_barrier_of(op, &w);
      assert_int_equal(b.id, expected[i].id);
      assert_int_equal(b.threads, expected[i].threads);
      assert_int_equal(b.arrive_only, expected[i].arrive_only);
      i++;
    }
    ptx_advance(op, &w, ptx_op_mask(op, &w));
  }
  assert_int_equal(w.live, 0);
  free(w.rows);
  harness_close(&h);
}

static void test_registers_read_and_written_are_listed(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  harness_load(&h,
               PTX_HEAD
               ".visible .entry k(){.reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p<3>;\n"
               "mov.u32 %r1, 1; mov.u64 %rd1, 2; setp.eq.u32 %p1, %r1, 0; @%p1 mad.lo.u32 %r2, %r1, %r1, %r3;\n"
               "ld.global.v2.u32 {%r4, %r5}, [%rd1]; st.global.u32 [%rd1+4], %r5; ret;}",
               NULL);
  const struct ptx_kernel *k = ptx_module_kernel(h.module, "k");
  const struct ptx_op *mad = &k->ops[3], *load = &k->ops[4], *store = &k->ops[5];
  uint16_t r1 = k->ops[0].write_reg[0], rd1 = k->ops[1].write_reg[0], p1 = k->ops[2].write_reg[0];
  assert_int_equal(k->ops[2].read_reg[0], r1);
  assert_int_equal(mad->read_reg[0], r1);
  assert_int_equal(mad->read_reg[2], p1); /* r1 once, r3, the guard */
  assert_int_equal(mad->read_reg[3], PTX_NO_REG);
  assert_int_equal(load->read_reg[0], rd1);
  assert_int_equal(load->write_reg[1], store->read_reg[1]);
  assert_int_equal(load->write_reg[2], PTX_NO_REG);
  assert_int_equal(store->write_reg[0], PTX_NO_REG);
  assert_int_equal(k->n_registers, 7);
  assert_int_equal(k->live_registers, 4); /* before the mad: r1, r3 and rd1, which counts twice */
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_nested_branches_meet_again),
    cmocka_unit_test(test_divergent_trip_counts),
    cmocka_unit_test(test_random_control_flow_is_that_of_single_threads),
    cmocka_unit_test(test_lanes_exit_early_and_ret_ends_a_thread),
    cmocka_unit_test(test_a_body_without_ret_ends),
    cmocka_unit_test(test_an_endless_divergent_loop_does_not_break_the_stack),
    cmocka_unit_test(test_special_registers),
    cmocka_unit_test(test_shuffles_follow_the_isa),
    cmocka_unit_test(test_votes_and_matches_count_the_lanes_that_execute),
    cmocka_unit_test(test_reductions_across_lanes),
    cmocka_unit_test(test_barriers_have_identity_and_count),
    cmocka_unit_test(test_registers_read_and_written_are_listed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
