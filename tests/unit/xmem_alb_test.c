/* SPDX-License-Identifier: Apache-2.0 */
/* slice: xmem */
/* Does the atom lookaside buffer answer what was mapped last, everyone once, and nothing from before a flush? Vectors are
 * worked out by hand from the block's rules (Vijaykumar 2019, 2.4.2; misses, updates and cycles ours);
 * tests/unit/xmem_alb_history_test.c is the random test. */
#include "kit/block_bench.h"
#include "xmem_alb_ports.h"

enum { TAGS = 256, UNSEEN = -1, REQUESTS = 64 };

struct bench {
  BENCH_FIELDS(xmem_alb);
  uint64_t now;
  int64_t answered_at[TAGS]; /* UNSEEN: not yet */
  int aid[TAGS], hit[TAGS];
  uint32_t answers, order[TAGS];
  uint32_t asked, page[REQUESTS], id[REQUESTS]; /* requests taken */
};
BENCH_FUNCTIONS(bench, xmem_alb);

static void start(struct bench *b, struct xmem_alb_cfg cfg) {
  bench_open(b, cfg);
  memset(b->answered_at, 0xff, sizeof b->answered_at);
  b->in.ms_ready = 1;
}

static const struct xmem_alb_cfg standard = {
  .PPN_W = 28, .SETS = 64, .WAYS = 4, .UNITS = 8, .IDW = 8, .NMISS = 8, .TAGW = 8};

/* Runs the cycle; ms_ready stays as it is. */
static void cycle(struct bench *b) {
  bench_settle(b);
  if (b->out.rs_valid) {
    uint32_t tag = b->out.rs_tag;
    assert_in_range(tag, 0, TAGS - 1);
    assert_int_equal(b->answered_at[tag], UNSEEN); /* once */
    b->answered_at[tag] = (int64_t)b->now;
    b->aid[tag] = b->out.rs_aid;
    b->hit[tag] = b->out.rs_hit;
    b->order[b->answers++ % TAGS] = tag;
  }
  if (b->out.ms_valid && b->in.ms_ready) {
    b->page[b->asked % REQUESTS] = b->out.ms_ppn;
    b->id[b->asked++ % REQUESTS] = b->out.ms_id;
  }
  bench_tick(b);
  uint8_t ready = b->in.ms_ready;
  memset(&b->in, 0, sizeof b->in);
  b->in.ms_ready = ready;
  b->now++;
}

static void cycles(struct bench *b, uint32_t n) {
  while (n--) cycle(b);
}

static void put_lookup(struct bench *b, uint32_t ppn, uint32_t sub, uint32_t tag) {
  b->in.lk_valid = 1, b->in.lk_ppn = ppn, b->in.lk_sub = (uint8_t)sub, b->in.lk_tag = (uint16_t)tag;
}
static void put_update(struct bench *b, uint32_t ppn, uint32_t mask, uint32_t aid) {
  b->in.up_valid = 1, b->in.up_ppn = ppn, b->in.up_mask = (uint8_t)mask, b->in.up_aid = (uint8_t)aid;
}
static void put_fill(struct bench *b, uint32_t id, uint64_t data) {
  b->in.fl_valid = 1, b->in.fl_id = (uint8_t)id, b->in.fl_data = data;
}

/* A lookup in the first cycle that takes it. */
static void lookup(struct bench *b, uint32_t ppn, uint32_t sub, uint32_t tag) {
  for (int i = 0; i < 100; i++) {
    put_lookup(b, ppn, sub, tag);
    cycle(b);
    if (b->out.lk_ready) return;
  }
  fail_msg("no lookup is taken");
}

static void fill(struct bench *b, uint32_t id, uint64_t data) {
  for (int i = 0; i < 100; i++) {
    put_fill(b, id, data);
    cycle(b);
    if (b->out.fl_ready) return;
  }
  fail_msg("no fill is taken");
}

static void update(struct bench *b, uint32_t ppn, uint32_t mask, uint32_t aid) {
  put_update(b, ppn, mask, aid);
  cycle(b);
  cycle(b);
}

static void forget(struct bench *b, uint32_t tag) { b->answered_at[tag] = UNSEEN; }

/* Brings a page in, and waits until nothing is under way. */
static void bring(struct bench *b, uint32_t ppn, uint64_t data) {
  uint32_t asked = b->asked;
  lookup(b, ppn, 0, TAGS - 1);
  while (b->asked == asked) cycle(b);
  fill(b, b->id[asked % REQUESTS], data);
  cycles(b, 8);
  forget(b, TAGS - 1);
  assert_int_equal(b->out.busy, 0);
}

/* What a lookup gets: its atom; *hit says how. Waits for the answer, which must come without a fill. */
static int ask(struct bench *b, uint32_t ppn, uint32_t sub) {
  lookup(b, ppn, sub, TAGS - 2);
  cycles(b, 3);
  if (b->answered_at[TAGS - 2] == UNSEEN) return UNSEEN;
  forget(b, TAGS - 2);
  assert_int_equal(b->hit[TAGS - 2], 1);
  return b->aid[TAGS - 2];
}

/* unit u has atom base + u */
static uint64_t ramp(uint32_t base) {
  uint64_t data = 0;
  for (uint32_t u = 0; u < 8; u++) data |= (uint64_t)((base + u) & 255) << 8 * u;
  return data;
}

static void test_a_hit_is_answered_two_cycles_after_the_lookup_and_a_miss_asks_then(void **unused) {
  (void)unused;
  struct bench b;
  start(&b, standard);
  put_lookup(&b, 0x1234567, 5, 9);
  cycle(&b);
  assert_true(b.out.lk_ready);
  cycle(&b);
  assert_false(b.out.ms_valid);
  cycle(&b);
  assert_true(b.out.ms_valid && b.out.ms_ppn == 0x1234567);
  put_fill(&b, b.out.ms_id, ramp(40));
  cycle(&b);
  assert_true(b.out.fl_ready);
  cycles(&b, 6);
  assert_int_equal(b.aid[9], 45);
  assert_int_equal(b.hit[9], 0);
  assert_false(b.out.busy);
  uint64_t start = b.now;
  put_lookup(&b, 0x1234567, 7, 10);
  cycles(&b, 4);
  assert_int_equal(b.answered_at[10], start + 2);
  assert_int_equal(b.aid[10], 47);
  assert_int_equal(b.hit[10], 1);
  assert_int_equal(b.out.c_lk, 2);
  assert_int_equal(b.out.c_hit, 1);
  assert_int_equal(b.out.c_miss, 1);
  assert_int_equal(b.out.c_merge, 0);
  bench_close(&b);
}

static void test_hits_are_answered_one_a_cycle(void **unused) {
  (void)unused;
  struct bench b;
  enum { LOOKUPS = 4096, PAGES = 256 };
  start(&b, standard);
  for (uint32_t p = 0; p < PAGES; p++) bring(&b, p * 3, ramp(p));
  uint64_t start = b.now;
  uint32_t answers = b.answers;
  for (uint32_t i = 0; i < LOOKUPS; i++) {
    put_lookup(&b, i * 7 % PAGES * 3, i % 8, i % 64);
    cycle(&b);
    assert_true(b.out.lk_ready);
    if (i >= 2) {
      assert_int_equal(b.out.rs_tag, (i - 2) % 64);
      assert_int_equal(b.out.rs_aid, ((i - 2) * 7 % PAGES + (i - 2) % 8) & 255);
      forget(&b, (i - 2) % 64);
    }
  }
  cycles(&b, 2);
  assert_int_equal(b.answers - answers, LOOKUPS);
  assert_int_equal(b.now - start, LOOKUPS + 2);
  assert_int_equal(b.out.c_hit, LOOKUPS);
  bench_close(&b);
}

/* One miss, one waiter, one fill; the update begins `at` cycles after the fill is offered. Whatever the two do to each other,
 * whoever asks after the update gets the atom mapped, and other units keep what came. */
static void test_an_update_at_any_cycle_around_a_fill_is_seen_by_every_later_lookup(void **unused) {
  (void)unused;
  for (int at = -6; at <= 8; at++) {
    struct bench b;
    bool filled = false;
    start(&b, standard);
    lookup(&b, 77, 3, 1);
    cycles(&b, 8);
    for (int i = -6; i <= 9; i++) {
      if (i == at) put_update(&b, 77, 1 << 3, 200);
      if (i >= 0 && !filled) put_fill(&b, b.id[0], ramp(10));
      cycle(&b);
      filled = filled || (i >= 0 && b.out.fl_ready);
    }
    cycles(&b, 8);
    assert_true(filled);
    assert_true(b.aid[1] == 200 || (at >= 0 && b.aid[1] == 13)); /* it asked before */
    assert_int_equal(ask(&b, 77, 3), 200);
    assert_int_equal(ask(&b, 77, 2), 12);
    assert_int_equal(b.asked, 1);
    bench_close(&b);
  }
}

/* Fifteen wait; the update comes while they are answered, one after the other: first the old atom, then the new one. */
static void test_an_update_to_the_page_that_is_answered_reaches_who_still_waits(void **unused) {
  (void)unused;
  struct bench b;
  start(&b, standard);
  for (uint32_t tag = 0; tag < 15; tag++) lookup(&b, 5, 1, tag);
  cycles(&b, 4);
  fill(&b, b.id[0], ramp(0));
  cycles(&b, 4);
  put_update(&b, 5, 0xff, 99);
  cycles(&b, 30);
  uint32_t news = 0;
  for (uint32_t tag = 0; tag < 15; tag++) {
    assert_int_equal(b.order[tag], tag);
    assert_int_equal(b.hit[tag], 0);
    if (tag && b.aid[tag - 1] == 99) assert_int_equal(b.aid[tag], 99); /* no way back */
    assert_true(b.aid[tag] == 99 || b.aid[tag] == 1);
    news += b.aid[tag] == 99;
  }
  assert_in_range(news, 5, 12);
  assert_int_equal(ask(&b, 5, 1), 99);
  bench_close(&b);
}

static void test_updates_with_different_atoms_meet_in_one_outstanding_miss(void **unused) {
  (void)unused;
  struct bench b;
  static const int expect[8] = {21, 22, 23, 23, 14, 23, 16, 22};
  start(&b, standard);
  lookup(&b, 5, 0, 0);
  cycles(&b, 4);
  update(&b, 5, 0x01, 21);
  update(&b, 5, 0xa6, 22); /* units 1 2 5 7 */
  update(&b, 5, 0x2c, 23); /* units 2 3 5: the later one wins */
  update(&b, 6, 0xff, 24); /* another page */
  fill(&b, b.id[0], ramp(10));
  cycles(&b, 8);
  assert_int_equal(b.aid[0], 21);
  for (uint32_t u = 0; u < 8; u++) assert_int_equal(ask(&b, 5, u), expect[u]);
  bench_close(&b);
}

static void test_two_misses_to_one_set_are_both_installed(void **unused) {
  (void)unused;
  for (int turned = 0; turned < 2; turned++) {
    struct bench b;
    start(&b, standard);
    lookup(&b, 3, 1, 0);
    lookup(&b, 3 + 64, 1, 1);
    cycles(&b, 6);
    assert_int_equal(b.asked, 2);
    fill(&b, b.id[turned], ramp(turned ? 50 : 30));
    fill(&b, b.id[!turned], ramp(turned ? 30 : 50));
    cycles(&b, 8);
    assert_int_equal(b.aid[0], 31);
    assert_int_equal(b.aid[1], 51);
    assert_int_equal(ask(&b, 3, 2), 32);
    assert_int_equal(ask(&b, 3 + 64, 2), 52);
    bench_close(&b);
  }
}

static void test_lookups_of_an_outstanding_page_join_it_while_the_memory_is_not_ready(void **unused) {
  (void)unused;
  struct bench b;
  start(&b, standard);
  b.in.ms_ready = 0;
  for (uint32_t tag = 0; tag < 10; tag++) lookup(&b, 5, tag % 8, tag);
  cycles(&b, 20);
  assert_int_equal(b.asked, 0);
  assert_true(b.out.ms_valid && b.out.ms_ppn == 5);
  b.in.ms_ready = 1;
  cycles(&b, 4);
  assert_int_equal(b.asked, 1);
  fill(&b, b.id[0], ramp(60));
  cycles(&b, 20);
  for (uint32_t tag = 0; tag < 10; tag++) {
    assert_int_equal(b.order[tag], tag);
    assert_int_equal(b.aid[tag], 60 + tag % 8);
  }
  assert_int_equal(b.out.c_miss, 10);
  assert_int_equal(b.out.c_merge, 9);
  assert_int_equal(b.out.busy, 0);
  bench_close(&b);
}

/* One lookup more in any cycle around the fill: it finds the way or the miss, never neither. */
static void test_a_page_is_asked_for_once_whenever_a_second_lookup_comes(void **unused) {
  (void)unused;
  for (int at = -3; at <= 9; at++) {
    struct bench b;
    bool filled = false, asked = false;
    start(&b, standard);
    lookup(&b, 77, 3, 1);
    cycles(&b, 8);
    for (int i = -3; i <= 14; i++) {
      if (i >= at && !asked) put_lookup(&b, 77, 4, 2);
      if (i >= 0 && !filled) put_fill(&b, b.id[0], ramp(10));
      cycle(&b);
      asked = asked || (i >= at && b.out.lk_ready);
      filled = filled || (i >= 0 && b.out.fl_ready);
    }
    cycles(&b, 8);
    assert_int_equal(b.asked, 1);
    assert_int_equal(b.aid[1], 13);
    assert_int_equal(b.aid[2], 14);
    assert_int_equal(b.out.busy, 0);
    bench_close(&b);
  }
}

/* After a flush the fill is not written, and only the joiner's compare keeps the miss alive. */
static void test_a_lookup_in_any_cycle_around_a_fill_after_a_flush_is_answered(void **unused) {
  (void)unused;
  for (int at = -3; at <= 9; at++) {
    struct bench b;
    bool filled = false, asked = false;
    start(&b, standard);
    lookup(&b, 77, 3, 1);
    cycles(&b, 4);
    b.in.flush = 1;
    cycles(&b, 4);
    for (int i = -3; i <= 14; i++) {
      if (i >= at && !asked) put_lookup(&b, 77, 4, 2);
      if (i >= 0 && !filled) put_fill(&b, b.id[0], ramp(10));
      cycle(&b);
      asked = asked || (i >= at && b.out.lk_ready);
      filled = filled || (i >= 0 && b.out.fl_ready);
    }
    cycles(&b, 8);
    if (b.asked == 2) fill(&b, b.id[1], ramp(10)); /* it came too late to join */
    cycles(&b, 8);
    assert_int_equal(b.aid[1], 13);
    assert_int_equal(b.aid[2], 14);
    assert_int_equal(b.out.busy, 0);
    bench_close(&b);
  }
}

static void test_eight_misses_are_outstanding_and_no_ninth(void **unused) {
  (void)unused;
  struct bench b;
  start(&b, standard);
  for (uint32_t i = 0; i < 20; i++) {
    put_lookup(&b, 100 + b.out.c_lk, 0, b.out.c_lk);
    bench_settle(&b);
    if (b.out.lk_ready) b.in.lk_ppn = 100 + b.out.c_lk, b.in.lk_tag = (uint16_t)b.out.c_lk;
    cycle(&b);
  }
  assert_int_equal(b.out.c_lk, 8); /* the last two side by side */
  assert_int_equal(b.asked, 8);
  assert_int_equal(b.out.lk_ready, 0);
  for (uint32_t i = 0; i < 8; i++) assert_int_equal(b.page[i], 100 + i);
  bench_close(&b);
}

static void eight_outstanding(struct bench *b) {
  start(b, standard);
  for (uint32_t i = 0; i < 6; i++) lookup(b, 100 + i, 1, i);
  for (uint32_t i = 6; i < 8; i++) {
    put_lookup(b, 100 + i, 1, i);
    cycle(b);
  }
  cycles(b, 12);
  assert_int_equal(b->asked, 8);
}

static void test_a_flush_with_eight_outstanding_installs_none_and_answers_all(void **unused) {
  (void)unused;
  struct bench b;
  eight_outstanding(&b);
  b.in.flush = 1;
  cycle(&b);
  for (uint32_t i = 0; i < 8; i++) fill(&b, b.id[i ^ 5], ramp(i ^ 5));
  cycles(&b, 8);
  for (uint32_t i = 0; i < 8; i++) assert_int_equal(b.aid[i], i + 1);
  assert_int_equal(b.out.busy, 0);
  for (uint32_t i = 0; i < 6; i++) assert_int_equal(ask(&b, 100 + i, 1), UNSEEN); /* a miss again */
  bench_close(&b);
}

static void test_a_lookup_after_the_flush_joins_a_miss_from_before_and_still_installs_nothing(void **unused) {
  (void)unused;
  struct bench b;
  start(&b, standard);
  lookup(&b, 9, 1, 0);
  cycles(&b, 4);
  b.in.flush = 1;
  cycle(&b);
  lookup(&b, 9, 2, 1);
  cycles(&b, 4);
  assert_int_equal(b.asked, 1);
  fill(&b, b.id[0], ramp(70));
  cycles(&b, 8);
  assert_int_equal(b.aid[0], 71);
  assert_int_equal(b.aid[1], 72);
  assert_int_equal(ask(&b, 9, 1), UNSEEN);
  bench_close(&b);
}

/* The flush in every cycle around a fill: beside it the fill waits; before it is written it is not; after that it is gone. */
static void test_a_flush_at_any_cycle_around_a_fill_leaves_nothing_of_it(void **unused) {
  (void)unused;
  for (int at = -8; at <= 8; at++) {
    struct bench b;
    bool filled = false;
    start(&b, standard);
    lookup(&b, 77, 3, 1);
    if (at > -8) cycles(&b, 8);
    for (int i = -6; i <= 9; i++) {
      b.in.flush = i == at || (at == -8 && i == -6); /* -8: the lookup is in stage 1 */
      if (i >= 0 && !filled) put_fill(&b, b.id[0], ramp(10));
      bool flushes = b.in.flush;
      cycle(&b);
      if (flushes) assert_false(b.out.fl_ready || b.out.lk_ready);
      filled = filled || (i >= 0 && b.out.fl_ready);
    }
    cycles(&b, 8);
    assert_int_equal(b.aid[1], 13);
    assert_int_equal(b.out.busy, 0);
    if (at != -7) assert_int_equal(ask(&b, 77, 3), UNSEEN); /* -7: no flush at all */
    else assert_int_equal(ask(&b, 77, 3), 13);
    bench_close(&b);
  }
}

static void test_an_update_beside_a_flush_reaches_outstanding_misses(void **unused) {
  (void)unused;
  struct bench b;
  start(&b, standard);
  bring(&b, 9, ramp(0));
  lookup(&b, 5, 0, 0);
  cycles(&b, 4);
  b.in.flush = 1;
  update(&b, 5, 0x01, 33);
  fill(&b, b.id[1], ramp(10));
  cycles(&b, 8);
  assert_int_equal(b.aid[0], 33);
  assert_int_equal(ask(&b, 9, 0), UNSEEN);
  bench_close(&b);
}

static void test_the_atom_of_nobody_is_mapped_and_answered_like_another(void **unused) {
  (void)unused;
  struct xmem_alb_cfg narrow = standard;
  struct bench b;
  start(&b, standard);
  bring(&b, 5, UINT64_MAX);
  assert_int_equal(ask(&b, 5, 4), 0xff);
  update(&b, 5, 0x10, 7);
  assert_int_equal(ask(&b, 5, 4), 7);
  update(&b, 5, 0x10, 0xff);
  assert_int_equal(ask(&b, 5, 4), 0xff);
  bench_close(&b);
  narrow.IDW = 6, narrow.UNITS = 4;
  start(&b, narrow);
  bring(&b, 5, 0x123456);
  for (uint32_t u = 0; u < 4; u++) assert_int_equal(ask(&b, 5, u), 0x123456 >> 6 * u & 63);
  update(&b, 5, 0x4, 63);
  assert_int_equal(ask(&b, 5, 2), 63);
  assert_int_equal(ask(&b, 5, 3), 0x123456 >> 18 & 63);
  bench_close(&b);
}

static void test_an_update_of_no_unit_and_of_another_page_change_nothing(void **unused) {
  (void)unused;
  struct bench b;
  start(&b, standard);
  bring(&b, 5, ramp(1));
  update(&b, 5, 0, 99);
  update(&b, 5 + 64, 0xff, 98);
  for (uint32_t u = 0; u < 8; u++) assert_int_equal(ask(&b, 5, u), 1 + u);
  lookup(&b, 6, 2, 3);
  cycles(&b, 4);
  update(&b, 6, 0, 99);
  fill(&b, b.id[1], ramp(20));
  cycles(&b, 6);
  assert_int_equal(b.aid[3], 22);
  bench_close(&b);
}

/* Tree of four ways: invalid ways first, then the older way of the older half. */
static void test_the_way_that_goes_is_an_invalid_one_else_the_oldest_of_the_older_half(void **unused) {
  (void)unused;
  struct bench b;
  start(&b, standard);
  for (uint32_t i = 0; i < 4; i++) bring(&b, 64 * i, ramp(10 * i));
  for (uint32_t i = 0; i < 4; i++) assert_int_equal(ask(&b, 64 * i, 0), 10 * i); /* none has gone */
  ask(&b, 64, 0); /* order of use 0 2 3 1: the older half is {2, 3}, its older one 2 */
  bring(&b, 64 * 4, ramp(40));
  assert_int_equal(ask(&b, 64 * 2, 0), UNSEEN);
  fill(&b, b.id[(b.asked - 1) % REQUESTS], ramp(20)); /* 2 comes back; of {0, 1} 0 is the older */
  cycles(&b, 8);
  forget(&b, TAGS - 2);
  assert_int_equal(ask(&b, 64 * 4, 0), 40);
  assert_int_equal(ask(&b, 64 * 3, 0), 30);
  assert_int_equal(ask(&b, 64, 0), 10);
  assert_int_equal(ask(&b, 64 * 2, 0), 20);
  bench_close(&b);
}

static void test_updates_count_as_no_use(void **unused) {
  (void)unused;
  struct bench b;
  struct xmem_alb_cfg two = standard;
  two.WAYS = 2;
  start(&b, two);
  bring(&b, 0, ramp(0));
  bring(&b, 64, ramp(10));
  update(&b, 0, 0xff, 99);
  bring(&b, 128, ramp(20)); /* 0 is still the older */
  assert_int_equal(ask(&b, 64, 0), 10);
  assert_int_equal(ask(&b, 128, 0), 20);
  bench_close(&b);
}

/* A request for a page that waits behind others keeps its place. */
static void test_requests_leave_in_the_order_of_their_misses(void **unused) {
  (void)unused;
  struct bench b;
  start(&b, standard);
  for (uint32_t i = 0; i < 3; i++) lookup(&b, 10 + i, 0, i);
  cycles(&b, 6);
  fill(&b, b.id[0], 0); /* the lowest entry is free again */
  cycles(&b, 6);
  b.in.ms_ready = 0;
  lookup(&b, 20, 0, 10), lookup(&b, 21, 0, 11);
  cycles(&b, 4);
  fill(&b, b.id[1], 0);
  cycles(&b, 6);
  lookup(&b, 22, 0, 12); /* lower than the entry of 21 */
  cycles(&b, 4);
  b.in.ms_ready = 1;
  cycles(&b, 6);
  assert_int_equal(b.asked, 6);
  for (uint32_t i = 0; i < 3; i++) assert_int_equal(b.page[3 + i], 20 + i);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_hit_is_answered_two_cycles_after_the_lookup_and_a_miss_asks_then),
    cmocka_unit_test(test_hits_are_answered_one_a_cycle),
    cmocka_unit_test(test_an_update_at_any_cycle_around_a_fill_is_seen_by_every_later_lookup),
    cmocka_unit_test(test_an_update_to_the_page_that_is_answered_reaches_who_still_waits),
    cmocka_unit_test(test_updates_with_different_atoms_meet_in_one_outstanding_miss),
    cmocka_unit_test(test_two_misses_to_one_set_are_both_installed),
    cmocka_unit_test(test_lookups_of_an_outstanding_page_join_it_while_the_memory_is_not_ready),
    cmocka_unit_test(test_a_page_is_asked_for_once_whenever_a_second_lookup_comes),
    cmocka_unit_test(test_a_lookup_in_any_cycle_around_a_fill_after_a_flush_is_answered),
    cmocka_unit_test(test_eight_misses_are_outstanding_and_no_ninth),
    cmocka_unit_test(test_a_flush_with_eight_outstanding_installs_none_and_answers_all),
    cmocka_unit_test(test_a_lookup_after_the_flush_joins_a_miss_from_before_and_still_installs_nothing),
    cmocka_unit_test(test_a_flush_at_any_cycle_around_a_fill_leaves_nothing_of_it),
    cmocka_unit_test(test_an_update_beside_a_flush_reaches_outstanding_misses),
    cmocka_unit_test(test_the_atom_of_nobody_is_mapped_and_answered_like_another),
    cmocka_unit_test(test_an_update_of_no_unit_and_of_another_page_change_nothing),
    cmocka_unit_test(test_the_way_that_goes_is_an_invalid_one_else_the_oldest_of_the_older_half),
    cmocka_unit_test(test_updates_count_as_no_use),
    cmocka_unit_test(test_requests_leave_in_the_order_of_their_misses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
