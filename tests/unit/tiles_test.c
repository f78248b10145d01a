/* SPDX-License-Identifier: Apache-2.0 */
/* slice: d2ma */
/* Are software copies of tiles into shared memory found in a kernel, and is it measured how long they take? Kernels written
 * by hand; what time a copy takes is compared with clocks that the kernel itself reads. */
#include "kit/gpu_fixture.h"

#define HEAD                                                                                               \
  PTX_HEADER ".visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"                                      \
             ".reg .pred %p<9>; .reg .f32 %f<20>; .reg .b32 %r<20>; .reg .b16 %h<9>; .reg .b64 %rd<20>;\n" \
             ".shared .align 4 .b8 one[1024]; .shared .align 4 .b8 two[1024];\n"

/* An operation a character: . none, a address, l load, s store; of tile 1 A, L, S. */
static void roles(const char *ptx, const char *want) {
  struct fixture f;
  char have[256] = "";
  fixture_config(&f, NULL);
  fixture_load(&f, ptx);
  const struct ptx_kernel *k = ptx_module_kernel_at(f.module, 0);
  assert_true(k->n_ops < sizeof have);
  for (uint32_t i = 0; i < k->n_ops; i++) have[i] = (k->ops[i].tile >> 2 ? ".ALS" : ".als")[k->ops[i].tile & 3];
  assert_string_equal(have, want);
  fixture_end(&f);
}

static void test_a_copy_is_a_load_its_store_and_the_addresses_of_both(void **state) {
  (void)state;
  roles(HEAD "ld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x; mov.u32 %r9, 5;\n"
             "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; add.u32 %r9, %r9, 1;\n"
             "mov.u64 %rd4, one; add.s64 %rd5, %rd4, %rd2;\n"
             "ld.global.f32 %f1, [%rd3]; st.shared.f32 [%rd5], %f1; bar.sync 0; ld.shared.f32 %f2, [%rd5];\n"
             "st.global.f32 [%rd3], %f2; ret; }\n",
        "aa.aa.aals....");
}

static void test_values_may_be_moved_converted_and_selected_but_not_computed(void **state) {
  (void)state;
  roles(HEAD "ld.param.u64 %rd1, [p0]; mov.u64 %rd4, one; mov.f32 %f9, 0f00000000; setp.eq.u32 %p1, %r9, 7;\n"
             "ld.global.u8 %h1, [%rd1]; cvt.rn.f32.u16 %f1, %h1; mov.f32 %f2, %f1; selp.f32 %f3, %f2, %f9, %p1;\n"
             "st.shared.f32 [%rd4], %f3; ret; }\n",
        "aa..l...s.");
  roles(HEAD "ld.param.u64 %rd1, [p0]; mov.u64 %rd4, one; ld.global.f32 %f1, [%rd1]; add.f32 %f2, %f1, %f1;\n"
             "st.shared.f32 [%rd4], %f2; ret; }\n",
        "......");
  roles(HEAD "ld.param.u64 %rd1, [p0]; mov.u64 %rd4, one; atom.global.add.u32 %r1, [%rd1], 1;\n"
             "st.shared.u32 [%rd4], %r1; ret; }\n",
        ".....");
  roles(HEAD "ld.param.u64 %rd1, [p0]; ld.global.v2.f32 {%f1, %f2}, [%rd1]; st.shared.f32 [one], %f1;\n"
             "st.shared.f32 [one+4], %f2; ret; }\n",
        "alss.");
}

/* The register is computed anew behind the barrier; what was loaded before a barrier is copied behind it. */
static void test_what_was_written_since_the_barrier_counts(void **state) {
  (void)state;
  roles(HEAD "ld.param.u64 %rd1, [p0]; ld.global.u32 %r1, [%rd1]; st.shared.u32 [one], %r1; bar.sync 0;\n"
             "LOOP: add.u32 %r1, %r1, 1; st.shared.u32 [two], %r1; bar.sync 0; setp.lt.u32 %p1, %r1, 99;\n"
             "@%p1 bra LOOP; ret; }\n",
        "als.......");
  roles(HEAD "ld.param.u64 %rd1, [p0]; ld.global.u32 %r1, [%rd1]; bar.sync 0; st.shared.u32 [one], %r1; ret; }\n",
        "al.s.");
}

static void test_addresses_reach_back_to_the_barrier_and_no_further(void **state) {
  (void)state;
  roles(HEAD "ld.param.u64 %rd1, [p0]; mov.u64 %rd4, one; mov.u32 %r1, %tid.x; bar.sync 0;\n"
             "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
             "ld.global.f32 %f1, [%rd3]; st.shared.f32 [%rd4], %f1; ret; }\n",
        "....aals.");
  /* the next tile's addresses are made in the loop, behind its second barrier */
  roles(HEAD "ld.param.u64 %rd1, [p0]; mov.u64 %rd4, one; mov.u32 %r1, 0;\n"
             "LOOP: ld.global.f32 %f1, [%rd1]; st.shared.f32 [%rd4], %f1; bar.sync 0;\n"
             "ld.shared.f32 %f2, [%rd4]; add.f32 %f3, %f3, %f2; bar.sync 0;\n"
             "add.s64 %rd1, %rd1, 4; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9; @%p1 bra LOOP; ret; }\n",
        "aaals....aaaa.");
}

/* The halo of a filter: zero outside. The loop before it that computes something else has no part in it. */
static void test_branches_that_decide_about_a_copy_are_part_of_it(void **state) {
  (void)state;
  roles(HEAD "ld.param.u64 %rd1, [p0]; mov.u64 %rd4, one; mov.u32 %r1, %tid.x; mov.u32 %r2, 0;\n"
             "LOOP: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 9; @%p2 bra LOOP;\n"
             "mov.f32 %f1, 0f00000000; setp.gt.u32 %p1, %r1, 16; @%p1 bra STORE; ld.global.f32 %f1, [%rd1];\n"
             "STORE: st.shared.f32 [%rd4], %f1; bar.sync 0; st.global.u32 [%rd1], %r2; ret; }\n",
        "aaa.....aals...");
  roles(HEAD "ld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x; setp.gt.u32 %p1, %r1, 16; @%p1 bra OUT;\n"
             "ld.global.f32 %f1, [%rd1]; st.shared.f32 [one], %f1; bra JOIN;\n"
             "OUT: st.shared.f32 [one], 0f3F800000;\n" /* the border, a store of its own */
             "JOIN: bar.sync 0; st.shared.f32 [two], 0f3F800000; ret; }\n",
        "aaaals.s...");
}

static void test_a_tile_is_a_shared_array_and_common_addresses_count_for_the_first(void **state) {
  (void)state;
  roles(HEAD "ld.param.u64 %rd1, [p0]; ld.param.u64 %rd9, [p1]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n"
             "add.s64 %rd3, %rd1, %rd2; mov.u64 %rd4, two; add.s64 %rd5, %rd4, %rd2;\n"
             "ld.global.f32 %f1, [%rd3]; st.shared.f32 [%rd5], %f1;\n"
             "add.s64 %rd6, %rd9, %rd2; mov.u64 %rd7, one; add.s64 %rd8, %rd7, %rd2;\n"
             "ld.global.f32 %f2, [%rd6]; st.shared.f32 [%rd8], %f2; ret; }\n",
        "aAaaaaalsAAALS.");
}

/* ---- time ---- */

/* Words 0..2 of p1: clock before the first address operation, after the store was issued, after the barrier. */
static const char copying[] =
  HEAD "ld.param.u64 %rd9, [p1]; mov.u32 %r9, %clock; ld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x;\n"
       "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; mov.u64 %rd4, one; add.s64 %rd5, %rd4, %rd2;\n"
       "ld.global.f32 %f1, [%rd3]; st.shared.f32 [%rd5], %f1; mov.u32 %r10, %clock; bar.sync 0;\n"
       "ld.shared.f32 %f2, [%rd5]; mov.u32 %r11, %clock; add.f32 %f3, %f2, %f2;\n"
       "st.global.u32 [%rd9], %r9; st.global.u32 [%rd9+4], %r10; st.global.u32 [%rd9+8], %r11; ret; }\n";

static void test_a_copy_takes_from_its_first_address_to_its_last_write(void **state) {
  (void)state;
  struct fixture f;
  uint32_t *in, *clocks;
  fixture_start(&f, "sm.count=1", copying);
  uint64_t params[2] = {fixture_words(&f, 64, &in), fixture_words(&f, 4, &clocks)};
  fixture_run(&f, 1, 32, params);
  struct sm_counters c = fixture_counters(&f);
  uint64_t took = c.tile_agen_cycles + c.tile_mem_cycles;
  assert_int_equal(c.tile_copies, 1);
  assert_int_equal(c.tile_instructions, 8); /* six of addresses, the load, the store */
  assert_true(took >= clocks[1] - clocks[0] - 2 && took <= clocks[1] - clocks[0] + 2);
  /* the load leaves right after the addresses; then nothing happens until its data comes */
  assert_true(c.tile_agen_cycles < 100 && c.tile_mem_cycles > 80);
  assert_int_equal(c.tile_stalls, c.stall_memory);
  assert_true(c.tile_stalls > 80);
  fixture_end(&f);
}

static void test_every_cta_and_every_turn_of_a_loop_is_a_copy_of_its_own(void **state) {
  (void)state;
  static const char loop[] =
    HEAD "ld.param.u64 %rd1, [p0]; mov.u64 %rd4, one; mov.u32 %r1, 0; mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4;\n"
         "add.s64 %rd1, %rd1, %rd2; add.s64 %rd4, %rd4, %rd2;\n"
         "LOOP: ld.global.f32 %f1, [%rd1]; st.shared.f32 [%rd4], %f1; bar.sync 0;\n"
         "ld.shared.f32 %f2, [%rd4]; add.f32 %f3, %f3, %f2; bar.sync 0;\n"
         "add.s64 %rd1, %rd1, 4; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 5; @%p1 bra LOOP; ret; }\n";
  struct fixture f;
  uint32_t *in;
  fixture_start(&f, "sm.count=2", loop);
  uint64_t params[2] = {fixture_words(&f, 256, &in), 0};
  fixture_run(&f, 7, 96, params);
  struct sm_counters c = fixture_counters(&f);
  assert_int_equal(c.tile_copies, 7 * 5);
  /* before the loop: 6; a turn: load, store; between two turns: 4, after the last as well */
  assert_int_equal(c.tile_instructions, 7 * 3 * (6 + 5 * (2 + 4)));
  fixture_run(&f, 7, 96, params); /* a second launch */
  c = fixture_counters(&f);
  assert_int_equal(c.tile_copies, 2 * 7 * 5);
  fixture_end(&f);
}

/* A second warp that computes while the first copies: not every thread waits. */
static void test_a_cycle_in_which_another_thread_could_compute_is_no_stall_of_copies(void **state) {
  (void)state;
  static const char two_warps[] =
    HEAD "ld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 32; @%p1 bra COMPUTE;\n"
         "ld.global.f32 %f1, [%rd1]; st.shared.f32 [one], %f1; bar.sync 0; ret;\n"
         "COMPUTE: mov.u32 %r2, 0;\n"
         "LOOP: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 300; @%p2 bra LOOP; bar.sync 0; ret; }\n";
  struct fixture f;
  uint32_t *in;
  fixture_start(&f, "sm.count=1", two_warps);
  uint64_t params[2] = {fixture_words(&f, 64, &in), 0};
  fixture_run(&f, 1, 64, params);
  assert_int_equal(fixture_counters(&f).tile_copies, 1);
  assert_int_equal(fixture_counters(&f).tile_stalls, 0);
  fixture_end(&f);
  fixture_start(&f, "sm.count=1", two_warps);
  params[0] = fixture_words(&f, 64, &in);
  fixture_run(&f, 1, 32, params); /* nobody computes */
  assert_true(fixture_counters(&f).tile_stalls > 80);
  fixture_end(&f);
}

static void test_a_load_that_is_not_copied_is_no_stall_of_copies(void **state) {
  (void)state;
  struct fixture f;
  uint32_t *in;
  fixture_start(&f, "sm.count=1",
                HEAD "ld.param.u64 %rd1, [p0]; ld.global.f32 %f1, [%rd1]; add.f32 %f2, %f1, %f1;\n"
                     "st.shared.f32 [one], %f2; ret; }\n");
  uint64_t params[2] = {fixture_words(&f, 64, &in), 0};
  fixture_run(&f, 1, 32, params);
  struct sm_counters c = fixture_counters(&f);
  assert_true(c.stall_memory > 80);
  assert_int_equal(c.tile_copies, 0);
  assert_int_equal(c.tile_stalls, 0);
  fixture_end(&f);
}

/* ---- events ---- */

static void test_events_are_the_counters_told_one_by_one(void **state) {
  (void)state;
  struct fixture f;
  uint32_t *in, *clocks, n;
  uint64_t lost, agen = 0, mem = 0, computes = 0, ctas = 0, barriers = 0;
  fixture_config(&f, "sm.count=1");
  f.setup.events = true;
  fixture_load(&f, copying);
  uint64_t params[2] = {fixture_words(&f, 64, &in), fixture_words(&f, 4, &clocks)};
  fixture_run(&f, 3, 64, params);
  struct sm_counters c = fixture_counters(&f);
  const struct event_row *row = gpu_events(f.gpu, 0, &n, &lost);
  for (uint32_t i = 0; i < n; i++) {
    assert_true(row[i].begin <= row[i].agen_end && row[i].agen_end <= row[i].end);
    assert_int_equal(row[i].launch, 0);
    computes += row[i].kind == EVENT_COMPUTE, ctas += row[i].kind == EVENT_CTA,
      barriers += row[i].kind == EVENT_BARRIER;
    if (row[i].kind != EVENT_COPY) continue;
    agen += row[i].agen_end - row[i].begin, mem += row[i].end - row[i].agen_end;
  }
  assert_int_equal(lost, 0);
  assert_int_equal(agen, c.tile_agen_cycles);
  assert_int_equal(mem, c.tile_mem_cycles);
  assert_int_equal(computes, 3); /* one phase a CTA */
  assert_int_equal(ctas, 3);
  assert_int_equal(barriers, 3);
  fixture_end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_copy_is_a_load_its_store_and_the_addresses_of_both),
    cmocka_unit_test(test_values_may_be_moved_converted_and_selected_but_not_computed),
    cmocka_unit_test(test_what_was_written_since_the_barrier_counts),
    cmocka_unit_test(test_addresses_reach_back_to_the_barrier_and_no_further),
    cmocka_unit_test(test_branches_that_decide_about_a_copy_are_part_of_it),
    cmocka_unit_test(test_a_tile_is_a_shared_array_and_common_addresses_count_for_the_first),
    cmocka_unit_test(test_a_copy_takes_from_its_first_address_to_its_last_write),
    cmocka_unit_test(test_every_cta_and_every_turn_of_a_loop_is_a_copy_of_its_own),
    cmocka_unit_test(test_a_cycle_in_which_another_thread_could_compute_is_no_stall_of_copies),
    cmocka_unit_test(test_a_load_that_is_not_copied_is_no_stall_of_copies),
    cmocka_unit_test(test_events_are_the_counters_told_one_by_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
