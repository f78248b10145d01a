/* SPDX-License-Identifier: Apache-2.0 */
/* slice: elastic */
/* Do the memory stages and their queues keep the times that the paper draws, and is EXE never held when accesses keep
 * their distance? Stage times: Gou & Gaydadjiev 2011, figures 4 and 5; numbers of held cycles: a model of the same
 * queues of its own, which the specification gives. */
#include "base/rng.h"
#include "elastic_mem_stage_ports.h"
#include "kit/block_bench.h"

enum { SEED = 0xe1a57, SLOTS = 20000, UNIFIED = 0, SPLIT = 1, ELASTIC = 2, NEVER = 0 };

/* What the front end sends: one entry an issue slot. */
struct slot {
  bool valid, mem;
  uint8_t cd;
};

struct bench {
  BENCH_FIELDS(elastic_mem_stage);
  uint32_t cycle, held, held_for_return, pre_peak, non_peak;
  uint32_t exe[SLOTS], wb[SLOTS]; /* cycle in which a slot is first in EXE; in the writeback stage */
  uint8_t from[SLOTS];            /* wb_src */
  uint32_t last[2];               /* written back last, by path */
};
BENCH_FUNCTIONS(bench, elastic_mem_stage);

/* Runs the slots through, each in EXE until it is taken, and lets the pipeline run dry. `returns` is asked once a cycle. */
static void run(struct bench *b, const struct slot *slots, uint32_t n, bool (*returns)(void *), void *arg) {
  uint32_t i = 0, in_flight = 0;
  struct elastic_mem_stage_in in;
  const struct elastic_mem_stage_out *out = &b->out;
  for (b->cycle = 0; i < n || in_flight; b->cycle++) {
    assert_in_range(b->cycle, 0, 40 * SLOTS);
    memset(&in, 0, sizeof in);
    in.icnt_valid = returns && returns(arg);
    in.exe_valid = i < n && slots[i].valid;
    in.exe_payload = in.exe_valid ? i + 1 : 0xffff;
    in.exe_is_mem = in.exe_valid && slots[i].mem;
    in.exe_cd = in.exe_valid ? slots[i].cd : 7;
    b->in = in;
    bench_cycle(b);
    if (out->pre_cnt > b->pre_peak) b->pre_peak = out->pre_cnt;
    if (out->non_cnt > b->non_peak) b->non_peak = out->non_cnt;
    b->held += out->exe_stall;
    b->held_for_return += out->exe_stall_icnt;
    if (in.exe_valid && !b->exe[i]) b->exe[i] = b->cycle + 1;
    if (in.exe_valid && !out->exe_stall) in_flight++;
    if (in.icnt_valid) assert_true(out->wb_valid && out->wb_src == 0);
    else if (out->wb_valid) {
      uint32_t tag = out->wb_payload - 1;
      assert_in_range(tag, 0, n - 1);
      assert_int_equal(b->wb[tag], NEVER); /* once */
      uint32_t path = slots[tag].mem || b->cfg.VARIANT == UNIFIED;
      assert_true(!b->last[path] || b->last[path] < tag + 1); /* in order on its path */
      b->last[path] = tag + 1;
      b->wb[tag] = b->cycle + 1;
      b->from[tag] = out->wb_src;
      in_flight--;
    }
    if (i < n && !out->exe_stall) i++;
  }
  for (uint32_t k = 0; k < n; k++) assert_int_equal(b->wb[k] != NEVER, slots[k].valid);
  assert_int_equal(out->busy && out->wb_valid == 0, 0);
}

static const struct elastic_mem_stage_cfg paper = {
  .M = 4, .N = 3, .S = 8, .P = 1, .Q = 4, .PW = 16, .VARIANT = ELASTIC};

/* A warp of four accesses at slot 0, one free of conflict at slot `x` (0: none), everything else no memory access. */
static void conflict_and_follower(struct slot *slots, uint32_t n, const uint8_t cd[4], uint32_t x) {
  for (uint32_t i = 0; i < n; i++) slots[i] = (struct slot){.valid = true, .cd = 1};
  for (uint32_t i = 0; i < 4; i++) slots[i] = (struct slot){true, true, cd[i]};
  for (uint32_t i = 0; x && i < 4; i++) slots[x + i] = (struct slot){true, true, 1};
}

static void test_an_access_too_near_holds_exe_as_long_as_the_model_of_the_queues_says(void **unused) {
  (void)unused;
  static const uint32_t rows[][2] = {{4, 26}, {8, 22}, {16, 14}, {24, 6}, {28, 2}, {31, 1}, {32, 0}, {0, 0}};
  static const uint8_t cd[4] = {8, 8, 8, 8};
  struct slot slots[120];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct bench b;
    bench_open(&b, paper);
    conflict_and_follower(slots, 120, cd, rows[i][0]);
    run(&b, slots, 120, NULL, NULL);
    assert_int_equal(b.held, rows[i][1]);
    assert_int_equal(b.pre_peak, 3);
    assert_int_equal(b.non_peak, 4);
    bench_close(&b);
  }
}

static void test_the_safe_distance_is_the_sum_of_the_degrees_and_not_one_less(void **unused) {
  (void)unused;
  static const struct {
    uint8_t cd[4];
    uint32_t sum;
  } rows[] = {{{1, 1, 1, 1}, 4}, {{2, 1, 3, 1}, 7}, {{2, 2, 2, 2}, 8}, {{8, 8, 8, 8}, 32}};
  struct slot slots[120];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (uint32_t less = 0; less < 2; less++) {
      if (rows[i].sum - less < 4) continue; /* the slots of the warp itself */
      struct bench b;
      bench_open(&b, paper);
      conflict_and_follower(slots, 120, rows[i].cd, rows[i].sum - less);
      run(&b, slots, 120, NULL, NULL);
      if (less) assert_true(b.held > 0);
      else assert_int_equal(b.held, 0);
      bench_close(&b);
    }
}

/* Warps of `k` subwarps, memory accesses no nearer to each other than their degrees add up to. */
static void random_warps(struct rng *rng, struct slot *slots, uint32_t n, uint32_t k, uint32_t lanes) {
  uint32_t debt = 0; /* cycles that the next access still has to keep away */
  for (uint32_t i = 0; i + k <= n; i += k) {
    bool mem = !debt && rng_percent(rng, 60);
    uint32_t kind = rng_below(rng, 3);
    for (uint32_t s = 0; s < k; s++) {
      uint8_t cd = (uint8_t)(kind == 2 ? lanes : kind ? 1 + rng_below(rng, lanes) : 1);
      slots[i + s] = (struct slot){true, mem, cd};
      if (mem) debt += cd;
      debt -= debt > 0;
    }
  }
}

static void test_warps_that_keep_their_distance_never_hold_exe(void **unused) {
  (void)unused;
  static struct slot slots[SLOTS];
  struct rng rng;
  print_message("seed %d\n", SEED);
  rng_seed(&rng, SEED);
  uint32_t pre_peak = 0, non_peak = 0, held_by_two = 0, held_by_three = 0;
  for (int i = 0; i < 50; i++) {
    random_warps(&rng, slots, 1600, 4, 8);
    for (int kind = 0; kind < 3; kind++) {
      struct bench b;
      struct elastic_mem_stage_cfg cfg = paper;
      if (kind == 1) cfg.N = 2;
      if (kind == 2) cfg.Q = 3;
      bench_open(&b, cfg);
      run(&b, slots, 1600, NULL, NULL);
      if (kind == 1) held_by_two += b.held;
      else if (kind == 2) held_by_three += b.held;
      else {
        assert_int_equal(b.held, 0);
        if (b.pre_peak > pre_peak) pre_peak = b.pre_peak;
        if (b.non_peak > non_peak) non_peak = b.non_peak;
      }
      bench_close(&b);
    }
  }
  assert_int_equal(pre_peak, 3); /* equations 2 and 3: so many are needed, and one less is too few */
  assert_int_equal(non_peak, 4);
  assert_true(held_by_two > 0);
  assert_true(held_by_three > 0);
}

/* Figures 4 and 5: W_{i-2}, W_{i-1} accesses without conflict, W_i with degree 2, two others. In EXE: i, .., i + 4. */
static void stage_times(int32_t variant, struct bench *b) {
  static const struct slot slots[] = {{true, true, 1},  {true, true, 1},  {true, true, 2},
                                      {true, false, 1}, {true, false, 1}, {true, false, 1}};
  bench_open(b, (struct elastic_mem_stage_cfg){.M = 2, .N = 1, .S = 2, .P = 1, .Q = 2, .PW = 16, .VARIANT = variant});
  run(b, slots, sizeof slots / sizeof *slots, NULL, NULL);
  bench_close(b);
}

static void test_stage_times_are_those_of_the_figures(void **unused) {
  (void)unused;
  struct bench b;
  static const struct {
    int32_t variant;
    uint32_t wb[3], held;
  } rows[] = {{UNIFIED, {6, 7, 8}, 1}, {SPLIT, {6, 7, 8}, 1}, {ELASTIC, {6, 5, 7}, 0}};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    stage_times(rows[r].variant, &b);
    assert_int_equal(b.exe[2],
                     3); /* i + 2, so i = 1; what enters the latch in cycle 6 is in the writeback stage in 7 = i + 6 */
    for (uint32_t k = 0; k < 3; k++) assert_int_equal(b.wb[2 + k], rows[r].wb[k]);
    assert_int_equal(b.held, rows[r].held);
  }
  assert_int_equal(b.from[3], 2); /* elastic: from NONMEM0 */
}

static void test_the_second_half_of_a_warp_waits_and_the_next_warp_passes(void **unused) {
  (void)unused;
  static const struct slot slots[] = {{true, true, 2}, {true, true, 2}, {true, false, 1}};
  struct bench b;
  bench_open(&b, (struct elastic_mem_stage_cfg){.M = 2, .N = 1, .S = 2, .P = 1, .Q = 2, .PW = 16, .VARIANT = ELASTIC});
  run(&b, slots, 3, NULL, NULL);
  assert_int_equal(b.held, 0);
  assert_int_equal(b.pre_peak, 1);
  assert_int_equal(b.from[2], 2 + 2);  /* from EXE, */
  assert_int_equal(b.wb[2], b.exe[2]); /* at the end of its cycle there */
  assert_true(b.wb[2] < b.wb[0] && b.wb[0] < b.wb[1]);
  bench_close(&b);
}

struct returns {
  struct rng rng;
  uint32_t percent;
};
static bool some_returns(void *arg) {
  struct returns *r = arg;
  return rng_percent(&r->rng, r->percent);
}

static void test_nothing_is_lost_or_doubled_whatever_comes(void **unused) {
  (void)unused;
  static struct slot slots[SLOTS];
  struct returns r = {.percent = 0};
  rng_seed(&r.rng, SEED + 1);
  for (int32_t variant = UNIFIED; variant <= ELASTIC; variant++)
    for (int32_t m = 1; m <= 5; m++)
      for (r.percent = 0; r.percent <= 60; r.percent += 30) {
        uint32_t s = 1U << rng_below(&r.rng, 6), n = rng_below(&r.rng, 5), q = rng_below(&r.rng, 6);
        struct bench b;
        bench_open(&b, (struct elastic_mem_stage_cfg){m, (int32_t)n, (int32_t)s, 1 + (int32_t)rng_below(&r.rng, 3),
                                                      (int32_t)q, 16, variant});
        for (uint32_t i = 0; i < 2000; i++)
          slots[i] = (struct slot){rng_percent(&r.rng, 80), rng_percent(&r.rng, 40), (uint8_t)rng_below(&r.rng, s + 1)};
        run(&b, slots, 2000, some_returns, &r);
        assert_in_range(b.held_for_return, 0, r.percent ? b.held : 0);
        bench_close(&b);
      }
}

static void test_two_ports_take_half_the_cycles(void **unused) {
  (void)unused;
  for (int32_t ports = 1; ports <= 9; ports++)
    for (uint8_t cd = 1; cd <= 8; cd++) {
      const struct slot slots[] = {{true, true, cd}};
      struct elastic_mem_stage_cfg cfg = paper;
      struct bench b;
      cfg.P = ports;
      bench_open(&b, cfg);
      run(&b, slots, 1, NULL, NULL);
      uint32_t in_mem0 = (cd + (uint32_t)ports - 1) / (uint32_t)ports;
      assert_int_equal(b.wb[0] - b.exe[0], in_mem0 + 3); /* three further memory stages */
      bench_close(&b);
    }
}

static void test_a_return_is_blamed_only_for_what_it_does(void **unused) {
  (void)unused;
  static const struct slot slots[] = {{true, true, 1}, {true, true, 1}, {true, true, 1}, {true, true, 1},
                                      {true, true, 1}, {true, true, 1}, {true, true, 1}, {true, true, 1}};
  struct returns always = {.percent = 50};
  struct elastic_mem_stage_cfg cfg = paper;
  rng_seed(&always.rng, SEED);
  struct bench b;
  cfg.VARIANT = UNIFIED;
  bench_open(&b, cfg);
  run(&b, slots, 8, some_returns, &always);
  assert_true(b.held > 0);
  assert_int_equal(b.held_for_return, b.held); /* without conflicts only returns hold EXE */
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_an_access_too_near_holds_exe_as_long_as_the_model_of_the_queues_says),
    cmocka_unit_test(test_the_safe_distance_is_the_sum_of_the_degrees_and_not_one_less),
    cmocka_unit_test(test_warps_that_keep_their_distance_never_hold_exe),
    cmocka_unit_test(test_stage_times_are_those_of_the_figures),
    cmocka_unit_test(test_the_second_half_of_a_warp_waits_and_the_next_warp_passes),
    cmocka_unit_test(test_nothing_is_lost_or_doubled_whatever_comes),
    cmocka_unit_test(test_two_ports_take_half_the_cycles),
    cmocka_unit_test(test_a_return_is_blamed_only_for_what_it_does),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
