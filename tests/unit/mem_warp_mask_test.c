/* SPDX-License-Identifier: Apache-2.0 */
/* slice: elastic */
/* Do memory warps keep exactly the distance that the history names, and all other warps only the issue slots? Vectors
 * are worked out by hand from Gou & Gaydadjiev 2011, sections 3.2 and 4.2 (an access of degrees cd_i needs sum cd_i
 * cycles; four subwarps take four slots). */
#include "base/rng.h"
#include "kit/block_bench.h"
#include "mem_warp_mask_ports.h"

enum { SEED = 0xe1a5, MEM = 1, OTHER = 2, BOTH = 3, NEVER = 1000 };

struct bench {
  BENCH_FIELDS(mem_warp_mask);
  bool asked;      /* the cycle before issued a shared memory instruction */
  uint32_t answer; /* what the history will say of it */
};
BENCH_FUNCTIONS(bench, mem_warp_mask);

static struct mem_warp_mask_cfg sized(int32_t k, int32_t mode) {
  return (struct mem_warp_mask_cfg){.NW = 2, .K = k, .DW = 5, .MODE = mode};
}

/* One cycle. Warp 0 is at a memory instruction, warp 1 is not; `ready` says which are ready. Issues a shared memory
 * instruction of degree `degree` if that is not NEVER, or another one if `other`. Returns who may issue. */
static uint64_t cycle(struct bench *b, uint64_t ready, bool other, uint32_t degree, bool stall) {
  bool shared = degree != NEVER;
  b->in = (struct mem_warp_mask_in){.warp_ready = ready,
                                    .warp_is_mem = MEM,
                                    .sched_valid = other || shared,
                                    .sched_is_shmem = shared,
                                    .stall = stall,
                                    .lk_valid_q = b->asked,
                                    .lk_degree = (uint8_t)(b->asked ? b->answer : 0)};
  bench_cycle(b);
  b->asked = shared;
  b->answer = degree;
  return b->out.warp_ready_masked;
}

static uint64_t look(struct bench *b) { return cycle(b, BOTH, false, NEVER, false); }

/* Cycles from the issue of a shared memory instruction to the first in which the memory warp may issue; another warp
 * issues in the cycles of `others`, the front end is frozen in those of `stalls`. */
static uint32_t distance(struct bench *b, uint32_t degree, uint64_t others, uint64_t stalls) {
  cycle(b, BOTH, false, degree, false);
  for (uint32_t t = 1; t < 64; t++) {
    bool other = others >> t & 1;
    if (cycle(b, BOTH, other, NEVER, stalls >> t & 1) & MEM) return t;
  }
  return 0;
}

static void test_a_memory_warp_issues_after_the_sum_of_the_degrees(void **unused) {
  (void)unused;
  static const struct { uint32_t stored, sum; } rows[] = {{0, 4}, {3, 7}, {4, 8}, {28, 32}};
  for (uint32_t i = 0; i < 4; i++) {
    struct bench b;
    bench_open(&b, sized(4, 1));
    assert_int_equal(distance(&b, rows[i].stored, 0, 0), rows[i].sum);
    bench_close(&b);
  }
}

static void test_issues_of_other_warps_do_not_lengthen_the_distance(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(4, 1));
  assert_int_equal(distance(&b, 28, UINT64_C(0x11111110), 0), 32); /* every fourth cycle up to 28 */
  bench_close(&b);
  bench_open(&b, sized(4, 1));
  assert_int_equal(distance(&b, 3, UINT64_C(0x10), 0), 8); /* the slots of the issue at 4 */
  bench_close(&b);
}

static void test_a_frozen_front_end_stops_the_distance(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(4, 1));
  assert_int_equal(distance(&b, 28, 0, UINT64_C(0x1f00)), 37);
  bench_close(&b);
  bench_open(&b, sized(4, 1));
  assert_int_equal(distance(&b, 3, 0, UINT64_C(0x2)), 8); /* frozen while the history answers: the answer is taken */
  bench_close(&b);
}

static void test_other_warps_wait_for_slots_only(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(4, 1));
  cycle(&b, BOTH, false, 28, false);
  for (uint32_t t = 1; t < 4; t++) assert_int_equal(look(&b), 0);
  for (uint32_t t = 4; t < 32; t++) assert_int_equal(look(&b), OTHER);
  assert_int_equal(look(&b), BOTH);
  bench_close(&b);
}

/* One slot a warp (W = S): the answer masks in its own cycle. */
static void test_with_one_slot_the_distance_is_kept_as_well(void **unused) {
  (void)unused;
  for (uint32_t d = 0; d < 32; d++) {
    struct bench b;
    bench_open(&b, sized(1, 1));
    assert_int_equal(distance(&b, d, 0, 0), 1 + d);
    bench_close(&b);
  }
}

/* Section 5.2, the rejected variant: when no other warp is ready a memory warp issues; the counter adds up. */
static void test_in_mode_2_a_memory_warp_passes_when_nobody_else_is_ready(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(4, 2));
  cycle(&b, BOTH, false, 20, false);
  for (uint32_t t = 1; t < 4; t++) assert_int_equal(cycle(&b, MEM, false, NEVER, false), 0);
  assert_int_equal(cycle(&b, BOTH, false, NEVER, false), OTHER);
  assert_int_equal(cycle(&b, MEM, false, 20, false), MEM); /* at T0+5, with 19 left after this cycle, 18 + 20 > 31 */
  for (uint32_t t = 1; t < 4; t++) cycle(&b, 0, false, NEVER, false);
  for (uint32_t t = 4; t < 4 + 31; t++) assert_int_equal(look(&b), OTHER);
  assert_int_equal(look(&b), BOTH);
  bench_close(&b);
}

static void test_a_flush_opens_everything(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(4, 1));
  cycle(&b, BOTH, false, 28, false), look(&b);
  b.in = (struct mem_warp_mask_in){.flush = 1, .sched_valid = 1, .sched_is_shmem = 1, .lk_valid_q = 1, .lk_degree = 9};
  bench_cycle(&b);
  assert_int_equal(look(&b), BOTH);
  bench_close(&b);
}

/* A scheduler that takes whoever is let through, with random degrees, stalls and readiness: every memory issue lies at
 * least the last shared instruction's slots and degree in running cycles behind it, and some exactly there. */
static void test_random_schedules_keep_the_distance(void **unused) {
  (void)unused;
  struct rng rng;
  struct bench b;
  uint32_t since = NEVER, need = 0, exact = 0;
  print_message("seed %#x\n", SEED);
  rng_seed(&rng, SEED);
  bench_open(&b, sized(4, 1));
  for (uint32_t i = 0; i < 100000; i++) {
    bool stall = rng_percent(&rng, 10);
    b.in = (struct mem_warp_mask_in){.warp_ready = rng_below(&rng, 4),
                                     .warp_is_mem = MEM,
                                     .stall = stall,
                                     .lk_valid_q = b.asked,
                                     .lk_degree = (uint8_t)b.answer};
    bench_settle(&b);
    bool go = b.out.warp_ready_masked && !stall && rng_percent(&rng, 80);
    bool memory = go && b.out.warp_ready_masked & MEM, shared = memory && rng_percent(&rng, 70);
    if (memory && since != NEVER) {
      assert_in_range(since, need, 1U << 30);
      exact += since == need;
    }
    b.in.sched_valid = go, b.in.sched_is_shmem = shared;
    bench_tick(&b);
    b.asked = shared;
    if (shared) {
      b.answer = rng_below(&rng, 29);
      need = 4 + b.answer;
      since = 0;
    }
    if (!stall && since != NEVER) since++;
  }
  assert_in_range(exact, 100, 1U << 30);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_memory_warp_issues_after_the_sum_of_the_degrees),
    cmocka_unit_test(test_issues_of_other_warps_do_not_lengthen_the_distance),
    cmocka_unit_test(test_a_frozen_front_end_stops_the_distance),
    cmocka_unit_test(test_other_warps_wait_for_slots_only),
    cmocka_unit_test(test_with_one_slot_the_distance_is_kept_as_well),
    cmocka_unit_test(test_in_mode_2_a_memory_warp_passes_when_nobody_else_is_ready),
    cmocka_unit_test(test_a_flush_opens_everything),
    cmocka_unit_test(test_random_schedules_keep_the_distance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
