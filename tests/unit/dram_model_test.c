/* SPDX-License-Identifier: Apache-2.0 */
/* slice: yuan */
/* Does the analytical model say what Yuan 2009 computes by hand, and what the text of chapter 3, followed step by step, says? */
#include "base/rng.h"
#include "dram/model.h"
#include "kit/config.h"

enum { SEED = 0x31a7, MAX_PERIODS = 4096, BANKS = 8 };
enum { A = 1, B = 2, X = 24, Y = 25 };

struct log {
  uint64_t moved[MAX_PERIODS], cycles[MAX_PERIODS];
  size_t n;
};

static void on_period(void *context, uint64_t moved, uint64_t cycles) {
  struct log *l = context;
  assert_true(l->n < MAX_PERIODS);
  l->moved[l->n] = moved;
  l->cycles[l->n++] = cycles;
}

/* Table 1.1, two chips a controller. */
static struct dram_model_config gddr3(uint32_t window, struct log *l) {
  return (struct dram_model_config){.banks = BANKS,
                                    .window = window,
                                    .service = 4,
                                    .row_cycle = 34,
                                    .row_switch = 25,
                                    .period = on_period,
                                    .context = l};
}

static struct dram_model_result run(const struct dram_model_config *c, const struct dram_model_request *r, size_t n,
                                    const int64_t *open) {
  struct dram_model_result out = {0};
  struct err e;
  if (dram_model_run(c, r, n, open, &out, &e)) fail_msg("%s", e.text);
  return out;
}

/* --- by hand --- */

/* Figure 3.1: one request to bank 0, five to the open row of each of the banks 1 to 3. */
static void test_the_example_of_figure_3_1(void **unused) {
  (void)unused;
  static struct log l;
  struct dram_model_request r[16] = {{0, A}};
  size_t n = 1;
  for (uint32_t b = 1; b <= 3; b++)
    for (uint32_t k = 0; k < (b == 3 ? 1 : 2); k++) r[n++] = (struct dram_model_request){b, A};
  l.n = 0;
  struct dram_model_config c = gddr3(32, &l);
  struct dram_model_result out =
    run(&c, r, n, NULL); /* sum t = 4 + 8 + 8 + 4 = 24 = ten commands and two of 2 clocks */
  assert_int_equal(out.periods, 1);
  assert_int_equal(l.moved[0], 24);
  assert_int_equal(l.cycles[0], 34); /* max(34, 25 + 4) */
}

static const struct dram_model_request figure_3_2[] = {{0, A}, {0, B}, {0, A}, {1, Y}, {1, Y},
                                                       {0, A}, {1, X}, {1, Y}, {1, Y}};

static void expect(bool full, bool fullest, const uint64_t periods[][2], size_t n) {
  static struct log l;
  int64_t open[BANKS] = {A, X, -1, -1, -1, -1, -1, -1};
  l.n = 0;
  struct dram_model_config c = gddr3(4, &l);
  c.full_overlap = full;
  c.fullest = fullest;
  struct dram_model_result out = run(&c, figure_3_2, 9, open);
  assert_int_equal(l.n, n);
  assert_int_equal(out.periods, n);
  uint64_t moved = 0, cycles = 0;
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(l.moved[i], periods[i][0]);
    assert_int_equal(l.cycles[i], periods[i][1]);
    moved += periods[i][0];
    cycles += periods[i][1];
  }
  assert_int_equal(out.moved, moved);
  assert_int_equal(out.cycles, cycles);
}

/* Figure 3.2 of the thesis, carried on to the end of the trace by hand: 36/112, 36/71; Most Pending 36/112, 36/78. */
static void test_the_example_of_figure_3_2_and_its_end(void **unused) {
  (void)unused;
  expect(false, false, (const uint64_t[][2]){{16, 37}, {4, 34}, {16, 41}}, 3);
  expect(true, false, (const uint64_t[][2]){{16, 37}, {20, 34}}, 2);
  expect(false, true, (const uint64_t[][2]){{16, 37}, {16, 41}, {4, 34}}, 3);
  expect(true, true, (const uint64_t[][2]){{16, 37}, {20, 41}}, 2);
}

/* Two requests a row in one bank: 8 clocks of data a tRC (section 4.1: 23.5 %). */
static void test_two_requests_a_row_in_one_bank(void **unused) {
  (void)unused;
  static struct log l;
  struct dram_model_request r[2000];
  for (uint32_t i = 0; i < 2000; i++) r[i] = (struct dram_model_request){3, i / 2};
  for (int full = 0; full < 2; full++) {
    l.n = 0;
    struct dram_model_config c = gddr3(32, &l);
    c.full_overlap = full;
    struct dram_model_result out = run(&c, r, 2000, NULL);
    assert_int_equal(out.moved, 2000 * 4);
    assert_int_equal(out.cycles, 1000 * 34);
  }
}

static void test_no_request_no_period(void **unused) {
  (void)unused;
  static struct log l;
  l.n = 0;
  struct dram_model_config c = gddr3(32, &l);
  struct dram_model_result out = run(&c, NULL, 0, NULL);
  assert_int_equal(out.periods, 0);
  assert_int_equal(out.cycles, 0);
}

/* --- step by step --- */

/* The rows waited for in the first `seen` requests, chosen as the text says. `bank` < 0: of any bank. Returns the request whose
 * row is opened, or n. */
static size_t choose(const struct dram_model_request *r, const bool *gone, size_t seen, int bank, bool fullest,
                     size_t n) {
  size_t best = n, most = 0;
  for (size_t i = 0; i < seen; i++) {
    if (gone[i] || (bank >= 0 && r[i].bank != (uint32_t)bank)) continue;
    size_t waiting = 0;
    for (size_t k = 0; k < seen; k++) waiting += !gone[k] && r[k].bank == r[i].bank && r[k].row == r[i].row;
    if (best == n || (fullest && waiting > most)) {
      best = i;
      most = waiting;
    }
  }
  return best;
}

/* Section 3.3 taken literally: every period looks at the whole rest of the trace from its oldest request on. */
static struct dram_model_result literally(const struct dram_model_config *c, const struct dram_model_request *r,
                                          size_t n) {
  struct dram_model_result out = {0};
  bool *gone = calloc(n + 1, sizeof *gone);
  int64_t open[BANKS];
  uint32_t j = n ? r[0].bank : 0;
  size_t left = n;
  for (int b = 0; b < BANKS; b++) {
    open[b] = -1;
    for (size_t i = n; i-- > 0;)
      if (r[i].bank == (uint32_t)b) open[b] = r[i].row;
  }
  while (left) {
    uint64_t t[BANKS] = {0}, sum = 0;
    size_t window = 0, i = 0;
    for (; i < n && window < c->window; i++) {
      if (gone[i]) continue;
      if (open[r[i].bank] == r[i].row) {
        gone[i] = true;
        left--;
        t[r[i].bank] += c->service;
      } else {
        window++;
      }
    }
    for (int b = 0; b < BANKS; b++) sum += t[b];
    uint64_t d = c->row_switch + t[j] > c->row_cycle ? c->row_switch + t[j] : c->row_cycle;
    out.moved += sum < d ? sum : d;
    out.cycles += d;
    out.periods++;
    if (!left) break;
    size_t first = choose(r, gone, i, -1, c->fullest, n);
    j = r[first].bank;
    for (int b = 0; b < BANKS && c->full_overlap; b++) {
      size_t own = choose(r, gone, i, b, c->fullest, n);
      if (own < n) open[b] = r[own].row;
    }
    open[j] = r[first].row;
  }
  free(gone);
  return out;
}

static void test_the_model_is_the_text_of_the_chapter(void **unused) {
  (void)unused;
  static const uint32_t windows[] = {1, 2, 3, 4, 8, 32, 64};
  struct rng g;
  rng_seed(&g, SEED);
  print_message("seed 0x%x\n", SEED);
  for (int k = 0; k < 600; k++) {
    struct dram_model_request r[300];
    size_t n = 1 + rng_below(&g, 300);
    uint32_t banks = 1 + rng_below(&g, BANKS), rows = 1 + rng_below(&g, 6), stay = rng_below(&g, 90);
    for (size_t i = 0; i < n; i++) {
      r[i] =
        i && rng_percent(&g, stay) ? r[i - 1] : (struct dram_model_request){rng_below(&g, banks), rng_below(&g, rows)};
    }
    for (int h = 0; h < 4; h++) {
      static struct log l;
      l.n = 0;
      struct dram_model_config c = gddr3(windows[rng_below(&g, 7)], &l);
      c.full_overlap = h & 1;
      c.fullest = h & 2;
      c.service = 1 + rng_below(&g, 9);
      struct dram_model_result ours = run(&c, r, n, NULL), theirs = literally(&c, r, n);
      assert_int_equal(ours.periods, theirs.periods);
      assert_int_equal(ours.moved, theirs.moved);
      assert_int_equal(ours.cycles, theirs.cycles);
    }
  }
}

/* Every request is served once: without overlap of capacity nothing is lost. */
static void test_data_is_never_more_than_the_requests_bring(void **unused) {
  (void)unused;
  static struct log l;
  struct dram_model_request r[1000];
  struct rng g;
  rng_seed(&g, SEED + 1);
  for (int i = 0; i < 1000; i++) r[i] = (struct dram_model_request){rng_below(&g, 4), rng_below(&g, 50)};
  l.n = 0;
  struct dram_model_config c = gddr3(32, &l);
  struct dram_model_result none = run(&c, r, 1000, NULL);
  l.n = 0;
  c.full_overlap = true;
  struct dram_model_result full = run(&c, r, 1000, NULL);
  assert_true(none.moved <= 4000 && full.moved <= 4000);
  assert_true(full.moved * none.cycles > none.moved * full.cycles); /* overlap helps scattered traffic */
}

/* --- GPU configurations --- */

static void test_the_machine_of_the_thesis_gives_its_constants(void **unused) {
  (void)unused;
  struct gpu_config m;
  struct dram_model_config c;
  config_begin(&m, "gt200");
  dram_model_from_config(&c, &m);
  assert_int_equal(c.banks, 4);
  assert_int_equal(c.window, 32);
  assert_int_equal(c.service, 4); /* 3.3 */
  assert_int_equal(c.row_cycle, 34);
  assert_int_equal(c.row_switch, 25);
}

/* key=value, and what the sentence must name. */
static const char *const contradictions[][2] = {
  {"dram.tRC=33", "dram.tRAS + dram.tRP = 34"}, {"dram.tRRD=35", "dram.tRC = 34"},
  {"dram.tCCDL=1", "dram.tCCDS = 2"},           {"dram.tRAS=22", "dram.tRC = 34"},
  {"dram.tREFI=100", "dram.tREFI = 100"},
};

static void test_timings_that_contradict_each_other_are_refused(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof contradictions / sizeof *contradictions; i++) {
    struct gpu_config m;
    struct err e = {0};
    config_begin(&m, "gt200");
    config_check(&m);
    config_set_text(&m, contradictions[i][0]);
    assert_int_equal(gpu_config_check(&m, &e), ERR_VALUE);
    if (!strstr(e.text, contradictions[i][1])) fail_msg("%s: \"%s\"", contradictions[i][0], e.text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_example_of_figure_3_1),
    cmocka_unit_test(test_the_example_of_figure_3_2_and_its_end),
    cmocka_unit_test(test_two_requests_a_row_in_one_bank),
    cmocka_unit_test(test_no_request_no_period),
    cmocka_unit_test(test_the_model_is_the_text_of_the_chapter),
    cmocka_unit_test(test_data_is_never_more_than_the_requests_bring),
    cmocka_unit_test(test_the_machine_of_the_thesis_gives_its_constants),
    cmocka_unit_test(test_timings_that_contradict_each_other_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
