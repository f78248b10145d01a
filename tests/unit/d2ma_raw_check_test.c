/* SPDX-License-Identifier: Apache-2.0 */
/* Does the RAW checker stop every access to bytes in flight, and no other? Vectors are worked out
 * by hand from Jamshidi 2014, sections 4.2 and 4.3; the random test holds a map of bytes instead
 * of ranges. */
#include "base/rng.h"
#include "d2ma_raw_check_ports.h"
#include "kit/block_bench.h"

enum { SEED = 0x5eed02, NO_HIT = -1, NO_ANSWER = -2 };

BLOCK_BENCH(d2ma_raw_check);

static struct d2ma_raw_check_cfg sized(int32_t ctas, int32_t bufs, int32_t warps) {
  return (struct d2ma_raw_check_cfg){.CTAS = ctas, .BUFS = bufs, .WARPS = warps};
}

/* The answer that stands: the buffer, NO_HIT or NO_ANSWER. */
static int answer(struct bench *b) {
  bench_settle(b);
  assert_int_equal(b->out.busy, b->out.hit_valid);
  if (!b->out.hit) assert_int_equal(b->out.hit_buf, 0);
  if (!b->out.hit_valid) {
    assert_int_equal(b->out.hit, 0);
    return NO_ANSWER;
  }
  return b->out.hit ? b->out.hit_buf : NO_HIT;
}

/* The parts of a cycle. */
static void put_range(struct bench *b, uint8_t cta, uint8_t buf, uint32_t sbase, uint32_t foot) {
  b->in.wr_en = 1, b->in.wr_cta = cta, b->in.wr_buf = buf;
  b->in.wr_sbase = (uint16_t)sbase, b->in.wr_foot = foot;
}
static void put_live(struct bench *b, uint8_t cta, uint8_t buf, bool set, bool clr) {
  b->in.set_live = set, b->in.clr_live = clr, b->in.st_cta = cta, b->in.st_buf = buf;
}
static void put_arm(struct bench *b, uint8_t cta, uint8_t buf, uint8_t warp, bool wr, bool clr) {
  b->in.arm_wr = wr, b->in.arm_clr = clr;
  b->in.arm_cta = cta, b->in.arm_buf = buf, b->in.arm_warp = warp;
}
static void put_load(struct bench *b, uint8_t cta, uint8_t warp, uint32_t lo, uint32_t hi) {
  b->in.ld_valid = 1, b->in.ld_cta = cta, b->in.ld_warp = warp;
  b->in.ld_lo = (uint16_t)lo, b->in.ld_hi = (uint16_t)hi;
}

static void fly(struct bench *b, uint8_t cta, uint8_t buf, uint32_t sbase, uint32_t foot) {
  put_range(b, cta, buf, sbase, foot);
  bench_cycle(b);
  put_live(b, cta, buf, true, false);
  bench_cycle(b);
}
static int load(struct bench *b, uint8_t cta, uint8_t warp, uint32_t lo, uint32_t hi) {
  put_load(b, cta, warp, lo, hi);
  bench_cycle(b);
  return answer(b);
}
static int byte(struct bench *b, uint32_t address) { return load(b, 0, 0, address, address); }

static void test_the_first_and_the_last_byte_hit_and_their_neighbours_do_not(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(8, 4, 48));
  fly(&b, 0, 0, 0x400, 0x200);
  assert_int_equal(byte(&b, 0x400), 0);
  assert_int_equal(byte(&b, 0x5ff), 0);
  assert_int_equal(byte(&b, 0x3ff), NO_HIT);
  assert_int_equal(byte(&b, 0x600), NO_HIT);
  assert_int_equal(load(&b, 0, 0, 0x380, 0x3ff), NO_HIT);
  assert_int_equal(load(&b, 0, 0, 0x380, 0x400), 0);
  assert_int_equal(load(&b, 0, 0, 0x5ff, 0x67e), 0);
  assert_int_equal(load(&b, 0, 0, 0, 0xffff), 0); /* around the range */
  bench_close(&b);
}

static void test_a_range_reaches_to_the_last_byte_of_shared_memory(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(8, 4, 48));
  fly(&b, 0, 1, 0xff00, 0x100);
  assert_int_equal(byte(&b, 0xffff), 1);
  assert_int_equal(byte(&b, 0xfeff), NO_HIT);
  assert_int_equal(byte(&b, 0), NO_HIT);
  put_live(&b, 0, 1, false, true);
  bench_cycle(&b);
  fly(&b, 0, 2, 0, 65536);
  assert_int_equal(byte(&b, 0), 2);
  assert_int_equal(byte(&b, 0xffff), 2);
  bench_close(&b);
}

/* 32 x 32 floats with one word a bank: 4096 bytes and 31 pads of 4, row r at 132 r. The bytes
 * transferred alone (4096) would leave the last row unguarded. */
static void test_a_padded_tile_is_guarded_to_its_last_row(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(8, 4, 48));
  fly(&b, 0, 0, 0x1000, 4220);
  assert_int_equal(load(&b, 0, 3, 0x1000 + 132 * 31, 0x1000 + 132 * 31 + 127), 0);
  assert_int_equal(byte(&b, 0x1000 + 4219), 0);
  assert_int_equal(byte(&b, 0x1000 + 4220), NO_HIT);
  bench_close(&b);
}

/* 16 x 16 floats and a halo of one: 18 x 18 x 4 = 1296 bytes, the interior begins at 76. */
static void test_a_halo_tile_is_guarded_with_its_border(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(8, 4, 48));
  fly(&b, 0, 0, 0x2000, 1296);
  assert_int_equal(byte(&b, 0x2000), 0);
  assert_int_equal(byte(&b, 0x2000 + 76 + 16 * 16 * 4), 0);
  assert_int_equal(byte(&b, 0x2000 + 1295), 0);
  assert_int_equal(byte(&b, 0x2000 + 1296), NO_HIT);
  bench_close(&b);
}

static void test_an_empty_range_never_hits(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(8, 4, 48));
  fly(&b, 0, 0, 0x400, 0);
  assert_int_equal(byte(&b, 0x400), NO_HIT);
  assert_int_equal(load(&b, 0, 0, 0x300, 0x500), NO_HIT);
  assert_int_equal(load(&b, 0, 0, 0, 0xffff), NO_HIT);
  bench_close(&b);
}

static void test_the_lowest_buffer_is_named(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(8, 4, 48));
  for (uint8_t buf = 4; buf-- > 1;) fly(&b, 5, buf, 0x100U * buf, 0x1000);
  assert_int_equal(load(&b, 5, 0, 0x100, 0x100), 1);
  assert_int_equal(load(&b, 5, 0, 0x300, 0x400), 1);
  put_live(&b, 5, 1, false, true);
  bench_cycle(&b);
  assert_int_equal(load(&b, 5, 0, 0x300, 0x400), 2);
  assert_int_equal(load(&b, 5, 0, 0x12ff, 0x12ff), 3);
  bench_close(&b);
}

static void test_another_cta_is_not_stopped(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(8, 4, 48));
  fly(&b, 3, 2, 0x400, 0x200);
  for (uint8_t cta = 0; cta < 8; cta++) assert_int_equal(load(&b, cta, 1, 0x400, 0x5ff), cta == 3 ? 2 : NO_HIT);
  bench_close(&b);
}

static void test_a_query_sees_what_its_cycle_sets_and_not_what_it_clears(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(8, 4, 48));
  put_range(&b, 0, 1, 0x400, 0x200); /* range and live bit arrive with the query */
  put_live(&b, 0, 1, true, false);
  assert_int_equal(byte(&b, 0x400), 1);
  put_live(&b, 0, 1, false, true); /* the clear does not */
  assert_int_equal(byte(&b, 0x400), 1);
  assert_int_equal(byte(&b, 0x400), NO_HIT);
  put_arm(&b, 0, 1, 7, true, false);
  assert_int_equal(load(&b, 0, 7, 0x400, 0x400), 1);
  put_arm(&b, 0, 1, 0, false, true);
  assert_int_equal(load(&b, 0, 7, 0x400, 0x400), 1);
  assert_int_equal(load(&b, 0, 7, 0x400, 0x400), NO_HIT);
  bench_close(&b);
}

static void test_a_new_range_takes_the_place_of_the_old_in_its_own_cycle(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(8, 4, 48));
  put_range(&b, 2, 3, 0x400, 0x200);
  put_arm(&b, 2, 3, 47, true, false);
  bench_cycle(&b);
  put_range(&b, 2, 3, 0x800, 0x200);
  assert_int_equal(load(&b, 2, 47, 0x400, 0x5ff), NO_HIT);
  put_range(&b, 2, 3, 0x400, 0x200);
  assert_int_equal(load(&b, 2, 47, 0x400, 0x5ff), 3);
  put_range(&b, 1, 3, 0x800, 0x200); /* of another CTA: no concern of CTA 2 */
  assert_int_equal(load(&b, 2, 47, 0x400, 0x5ff), 3);
  bench_close(&b);
}

static void test_set_beats_clear_of_one_entry(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(8, 4, 48));
  fly(&b, 0, 0, 0x400, 0x200);
  put_live(&b, 0, 0, true, true);
  assert_int_equal(byte(&b, 0x400), 0);
  assert_int_equal(byte(&b, 0x400), 0);
  bench_close(&b);
}

static void test_only_a_warp_that_arrived_is_stopped_by_an_armed_entry(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(8, 4, 48));
  put_range(&b, 0, 0, 0x400, 0x200);
  put_arm(&b, 0, 0, 47, true, false);
  bench_cycle(&b);
  for (uint8_t warp = 0; warp < 48; warp++) assert_int_equal(load(&b, 0, warp, 0x400, 0x400), warp == 47 ? 0 : NO_HIT);
  assert_int_equal(load(&b, 0, 47, 0x600, 0x600), NO_HIT);
  put_live(&b, 0, 0, true, false); /* all have arrived: in flight for everybody */
  put_arm(&b, 0, 0, 0, false, true);
  assert_int_equal(load(&b, 0, 1, 0x400, 0x400), 0);
  put_live(&b, 0, 0, false, true);
  bench_cycle(&b);
  assert_int_equal(load(&b, 0, 47, 0x400, 0x400), NO_HIT);
  bench_close(&b);
}

static void test_forgetting_beats_an_arrival(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(8, 4, 48));
  put_range(&b, 0, 0, 0x400, 0x200);
  bench_cycle(&b);
  put_arm(&b, 0, 0, 5, true, true);
  assert_int_equal(load(&b, 0, 5, 0x400, 0x400), NO_HIT);
  assert_int_equal(load(&b, 0, 5, 0x400, 0x400), NO_HIT);
  bench_close(&b);
}

static void test_numbers_beyond_the_parameters_write_nothing_and_hit_nothing(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(3, 2, 24));
  fly(&b, 3, 0, 0x400, 0x200); /* there is no CTA slot 3 */
  for (uint8_t cta = 0; cta < 4; cta++) assert_int_equal(load(&b, cta, 0, 0, 0xffff), NO_HIT);
  put_range(&b, 1, 1, 0x400, 0x200);
  put_arm(&b, 1, 1, 24, true, false); /* nor a warp 24 */
  assert_int_equal(load(&b, 1, 24, 0, 0xffff), NO_HIT);
  for (uint8_t warp = 0; warp < 32; warp++)
    for (uint8_t cta = 0; cta < 4; cta++) assert_int_equal(load(&b, cta, warp, 0, 0xffff), NO_HIT);
  put_live(&b, 1, 1, true, false); /* what is live stops a strange warp too */
  assert_int_equal(load(&b, 1, 31, 0x5ff, 0x700), 1);
  bench_close(&b);
  bench_open(&b, sized(1, 1, 4));
  fly(&b, 0, 1, 0x400, 0x200); /* there is no buffer 1 */
  assert_int_equal(load(&b, 0, 0, 0, 0xffff), NO_HIT);
  bench_close(&b);
}

static void test_reset_leaves_nothing_live_and_nothing_armed(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(8, 4, 48));
  for (uint8_t cta = 0; cta < 8; cta++)
    for (uint8_t buf = 0; buf < 4; buf++) {
      put_arm(&b, cta, buf, 9, true, false);
      fly(&b, cta, buf, 0, 65536);
    }
  assert_int_equal(byte(&b, 0), 0);
  bench_reset(&b);
  assert_int_equal(answer(&b), NO_ANSWER);
  for (uint8_t cta = 0; cta < 8; cta++) {
    assert_int_equal(load(&b, cta, 9, 0, 0xffff), NO_HIT);
    for (uint8_t buf = 0; buf < 4; buf++) put_range(&b, cta, buf, 0, 65536), bench_cycle(&b);
    assert_int_equal(load(&b, cta, 9, 0, 0xffff), NO_HIT);
  }
  bench_close(&b);
}

static void test_an_answer_stands_for_one_cycle_and_an_idle_tick_changes_nothing(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(8, 4, 48));
  fly(&b, 0, 2, 0x400, 0x200);
  assert_int_equal(byte(&b, 0x400), 2);
  bench_cycle(&b);
  assert_int_equal(answer(&b), NO_ANSWER);
  size_t bytes = d2ma_raw_check_model.state_bytes;
  void *before = malloc(bytes);
  assert_non_null(before);
  memcpy(before, b.state, bytes);
  memset(&b.in, 0xff, sizeof b.in); /* noise on every field, all enables 0 */
  b.in.wr_en = b.in.set_live = b.in.clr_live = b.in.arm_wr = b.in.arm_clr = b.in.ld_valid = 0;
  b.in.wr_foot = 0x1ffff, b.in.wr_cta = b.in.st_cta = b.in.arm_cta = b.in.ld_cta = 0;
  b.in.wr_buf = b.in.st_buf = b.in.arm_buf = 2;
  bench_cycle(&b);
  assert_memory_equal(before, b.state, bytes);
  free(before);
  bench_close(&b);
}

/* The host's view: which buffers want which byte. All addresses lie in a window of shared memory.
 * */
enum { WINDOW = 512, CTAS = 16, BUFS = 4, WARPS = 64 };
struct host {
  uint8_t wants[CTAS][WINDOW]; /* bit b: the byte is in the range of buffer b */
  bool live[CTAS][BUFS];
  bool arrived[CTAS][BUFS][WARPS];
};

static int host_expects(const struct host *h, const struct d2ma_raw_check_in *in, uint32_t window) {
  for (int buf = 0; buf < BUFS; buf++) {
    if (!h->live[in->ld_cta][buf] && !h->arrived[in->ld_cta][buf][in->ld_warp]) continue;
    for (uint32_t a = in->ld_lo; a <= in->ld_hi; a++)
      if (h->wants[in->ld_cta][a - window] >> buf & 1) return buf;
  }
  return NO_HIT;
}

/* Applies what the cycle sets, asks, applies what it clears. */
static int host_cycle(struct host *h, const struct d2ma_raw_check_in *in, uint32_t window) {
  if (in->wr_en)
    for (uint32_t a = 0; a < WINDOW; a++) {
      bool inside = a + window >= in->wr_sbase && a + window - in->wr_sbase < in->wr_foot;
      uint8_t bit = (uint8_t)(1U << in->wr_buf), *byte_of = &h->wants[in->wr_cta][a];
      *byte_of = (uint8_t)(inside ? *byte_of | bit : *byte_of & ~bit);
    }
  bool *live = &h->live[in->st_cta][in->st_buf];
  bool *arrived = h->arrived[in->arm_cta][in->arm_buf];
  if (in->set_live) *live = true;
  if (in->arm_wr && !in->arm_clr) arrived[in->arm_warp] = true;
  int expected = in->ld_valid ? host_expects(h, in, window) : NO_ANSWER;
  if (in->clr_live && !in->set_live) *live = false;
  if (in->arm_clr) memset(arrived, 0, WARPS * sizeof *arrived);
  return expected;
}

static void random_cycle(const struct d2ma_raw_check_cfg *cfg, struct rng *rng, uint32_t window, struct bench *b) {
#define BELOW(n) ((uint8_t)rng_below(rng, (uint32_t)(n)))
  uint32_t s = rng_below(rng, WINDOW), n = rng_below(rng, rng_percent(rng, 50) ? 24 : WINDOW + 1);
  put_range(b, BELOW(cfg->CTAS), BELOW(cfg->BUFS), window + s, s + n > WINDOW ? WINDOW - s : n);
  b->in.wr_en = rng_percent(rng, 30);
  put_live(b, BELOW(cfg->CTAS), BELOW(cfg->BUFS), rng_percent(rng, 20), rng_percent(rng, 40));
  put_arm(b, BELOW(cfg->CTAS), BELOW(cfg->BUFS), BELOW(cfg->WARPS), rng_percent(rng, 40), rng_percent(rng, 15));
  uint32_t lo = rng_below(rng, WINDOW), hi = lo + rng_below(rng, rng_percent(rng, 80) ? 4 : 128);
  put_load(b, BELOW(cfg->CTAS), BELOW(cfg->WARPS), window + lo, window + (hi < WINDOW ? hi : WINDOW - 1));
  b->in.ld_valid = rng_percent(rng, 80);
#undef BELOW
}

static void test_random_traffic_agrees_with_a_map_of_bytes(void **unused) {
  (void)unused;
  static const struct d2ma_raw_check_cfg sets[] = {{8, 4, 48}, {1, 1, 4}, {3, 2, 24}, {16, 4, 64}};
  static struct host host;
  print_message("seed %d\n", SEED);
  struct rng rng;
  rng_seed(&rng, SEED);
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
    for (uint32_t window = 0; window < 65536; window += 65536 - WINDOW) {
      struct bench b;
      bench_open(&b, sets[i]);
      memset(&host, 0, sizeof host);
      uint32_t hits = 0, misses = 0;
      for (int cycle = 0; cycle < 20000; cycle++) {
        random_cycle(&sets[i], &rng, window, &b);
        int expected = host_cycle(&host, &b.in, window);
        bench_cycle(&b);
        assert_int_equal(answer(&b), expected);
        hits += expected >= 0;
        misses += expected == NO_HIT;
      }
      assert_in_range(hits, 1000, 20000); /* the test has to have something to see */
      assert_in_range(misses, 1000, 20000);
      bench_close(&b);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_first_and_the_last_byte_hit_and_their_neighbours_do_not),
    cmocka_unit_test(test_a_range_reaches_to_the_last_byte_of_shared_memory),
    cmocka_unit_test(test_a_padded_tile_is_guarded_to_its_last_row),
    cmocka_unit_test(test_a_halo_tile_is_guarded_with_its_border),
    cmocka_unit_test(test_an_empty_range_never_hits),
    cmocka_unit_test(test_the_lowest_buffer_is_named),
    cmocka_unit_test(test_another_cta_is_not_stopped),
    cmocka_unit_test(test_a_query_sees_what_its_cycle_sets_and_not_what_it_clears),
    cmocka_unit_test(test_a_new_range_takes_the_place_of_the_old_in_its_own_cycle),
    cmocka_unit_test(test_set_beats_clear_of_one_entry),
    cmocka_unit_test(test_only_a_warp_that_arrived_is_stopped_by_an_armed_entry),
    cmocka_unit_test(test_forgetting_beats_an_arrival),
    cmocka_unit_test(test_numbers_beyond_the_parameters_write_nothing_and_hit_nothing),
    cmocka_unit_test(test_reset_leaves_nothing_live_and_nothing_armed),
    cmocka_unit_test(test_an_answer_stands_for_one_cycle_and_an_idle_tick_changes_nothing),
    cmocka_unit_test(test_random_traffic_agrees_with_a_map_of_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
