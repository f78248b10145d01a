/* SPDX-License-Identifier: Apache-2.0 */
/* slice: desk */
/* The recorder of an instance against a list of its own: rows that come one by one, or many at once, in memory of the pool or the host's. */
#include "kit/test.h"

#include "base/large_pool.h"
#include "base/rng.h"
#include "block/block.h"
#include "delta_rows.h"
#include "stimulus.h"

enum { ROWS = 60000, AT_ONCE_MAX = 9000 };

static const struct block_desc *desc;

struct expected {
  uint64_t cycle, in[DELTA_WORDS_MAX];
  bool rst_n;
};

static struct expected next_cycle(struct rng *rng, const struct expected *before, uint32_t words) {
  struct expected now = *before;
  now.cycle += rng_below(rng, 4) ? 1 : 1 + rng_below(rng, 1000);
  now.rst_n = rng_below(rng, 50) != 0;
  for (uint32_t k = rng_below(rng, words + 1); k-- > 0;) now.in[rng_below(rng, words)] = rng_below(rng, 256);
  return now;
}

static void compare(struct stimulus_recorder *rec, const struct expected *list, size_t n) {
  struct err e = {0};
  assert_int_equal(stimulus_recorder_end(rec, &e), 0);
  assert_int_equal(rec->s.n, n);
  for (size_t i = 0; i < n; i++) {
    const struct stimulus_row *row = stimulus_row(&rec->s, i);
    assert_int_equal(row->cycle, list[i].cycle);
    assert_int_equal(row->rst_n, list[i].rst_n);
    assert_memory_equal(row->in, list[i].in, desc->in_bytes);
  }
}

static void add_singly(struct stimulus_recorder *rec, struct delta_image *image, const struct expected *now) {
  uint64_t row[DELTA_ROW_WORDS];
  bool repeat;
  unsigned words = delta_encode(image, now->cycle, now->rst_n, now->in, row, &repeat);
  assert_true(stimulus_recorder_add(rec, row, words, repeat));
}

/* Rows of `n` cycles, handed over together. */
static void add_together(struct stimulus_recorder *rec, struct delta_image *image, const struct expected *now,
                         size_t n) {
  uint64_t *rows = malloc(n * DELTA_ROW_WORDS * sizeof *rows);
  size_t words = 0;
  bool repeat;
  for (size_t i = 0; i < n; i++)
    words += delta_encode(image, now[i].cycle, now[i].rst_n, now[i].in, rows + words, &repeat);
  assert_true(stimulus_recorder_add_rows(rec, rows, words, n));
  free(rows);
}

/* Two recordings in the same memory, the second one shorter and longer in turn. */
static void run(struct large_pool *pool, uint64_t seed, bool together) {
  struct rng rng;
  struct stimulus_recorder rec = {.pool = pool};
  struct expected *list = malloc(ROWS * sizeof *list), before = {.cycle = 3};
  struct delta_image image = {.words = (desc->in_bytes + 7) / 8, .cycle = before.cycle};
  int32_t params[BLOCK_PARAMS_MAX];
  rng_seed(&rng, seed);
  block_default_params(desc, params);
  stimulus_init(&rec.s, desc, params);
  for (int round = 0; round < 4; round++) {
    size_t rows = round & 1 ? ROWS : ROWS / 7;
    stimulus_recorder_begin(&rec, &image);
    for (size_t i = 0; i < rows; i++) before = list[i] = next_cycle(&rng, &before, image.words);
    for (size_t i = 0, n; i < rows; i += n) {
      n = together ? 1 + rng_below(&rng, AT_ONCE_MAX) : 1;
      if (n > rows - i) n = rows - i;
      if (together) add_together(&rec, &image, list + i, n);
      else add_singly(&rec, &image, list + i);
    }
    compare(&rec, list, rows);
  }
  stimulus_recorder_free(&rec);
  free(list);
}

static void recorded_rows_come_back(void **unused) {
  (void)unused;
  desc = block_find("d2ma_requests");
  assert_non_null(desc);
  for (uint64_t seed = 1; seed <= 2; seed++) {
    struct large_pool *pool = large_pool_create();
    run(pool, seed, true);
    run(pool, seed, false);
    large_pool_destroy(pool);
    run(NULL, seed, false);
  }
}

/* Its limit ends a recording, and what it has stays. */
static void too_many_rows_are_refused(void **unused) {
  (void)unused;
  struct stimulus_recorder rec = {0};
  uint64_t row = 1;
  for (size_t i = 0; i < (1U << 19); i++) assert_true(stimulus_recorder_add_rows(&rec, &row, 1, 1));
  assert_false(stimulus_recorder_add_rows(&rec, &row, 1, 1));
  assert_int_equal(rec.n, 1U << 19);
  stimulus_recorder_free(&rec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(recorded_rows_come_back),
    cmocka_unit_test(too_many_rows_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
