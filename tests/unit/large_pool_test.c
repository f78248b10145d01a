/* SPDX-License-Identifier: Apache-2.0 */
/* slice: desk */
/* Does memory for logs keep what is in it, and come back? */
#include "base/large_pool.h"
#include "base/rng.h"
#include "kit/test.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 0x1a49e, LOGS = 60, STEPS = 3000, LONGEST = 5 << 20 };

struct log {
  void *memory;
  size_t bytes, used;
};

static uint8_t content(size_t log, size_t at) { return (uint8_t)(log * 31 + at * 7 + at / 4096); }

static void fill(struct log *l, size_t log, size_t from) {
  uint8_t *bytes = l->memory;
  for (size_t i = from; i < l->used; i++) bytes[i] = content(log, i);
}

static void check(const struct log *l, size_t log) {
  const uint8_t *bytes = l->memory;
  size_t wrong = 0;
  for (size_t i = 0; i < l->used; i += i % 4096 ? 1 : 512) wrong += bytes[i] != content(log, i);
  if (l->used) wrong += bytes[l->used - 1] != content(log, l->used - 1);
  assert_int_equal(wrong, 0);
}

/* No log's growth changes what is in another, whatever is given back in between. */
static void logs_keep_their_contents(void **unused) {
  (void)unused;
  struct large_pool *p = large_pool_create();
  static struct log logs[LOGS];
  struct rng rng;
  assert_non_null(p);
  memset(logs, 0, sizeof logs);
  rng_seed(&rng, SEED);
  for (int step = 0; step < STEPS; step++) {
    size_t i = rng_below(&rng, LOGS), before = logs[i].used;
    struct log *l = &logs[i];
    check(l, i);
    if (!rng_below(&rng, 12)) {
      large_pool_free(p, l->memory, l->bytes);
      *l = (struct log){0};
      continue;
    }
    l->used += rng_below(&rng, 1U << rng_below(&rng, 19));
    if (l->used > LONGEST) l->used = before;
    assert_int_equal(large_pool_grow(p, &l->memory, &l->bytes, before, l->used), 0);
    assert_true(l->bytes >= l->used);
    fill(l, i, before);
  }
  for (size_t i = 0; i < LOGS; i++) check(&logs[i], i);
  large_pool_destroy(p);
}

/* What one log gave back serves the next one of its size, so that memory grows with what is in use. */
static void memory_comes_back(void **unused) {
  (void)unused;
  for (size_t wanted = 1; wanted < (size_t)16 << 20; wanted = wanted * 3 + 1) {
    struct large_pool *p = large_pool_create();
    struct log l = {0}, again = {0};
    assert_non_null(p);
    assert_int_equal(large_pool_grow(p, &l.memory, &l.bytes, 0, wanted), 0);
    assert_int_equal((uintptr_t)l.memory % 4096, 0);
    void *first = l.memory;
    large_pool_free(p, l.memory, l.bytes);
    assert_int_equal(large_pool_grow(p, &again.memory, &again.bytes, 0, wanted), 0);
    assert_ptr_equal(again.memory, first);
    assert_int_equal(large_pool_grow(p, &again.memory, &again.bytes, 0, again.bytes), 0); /* fits already */
    assert_ptr_equal(again.memory, first);
    large_pool_destroy(p);
  }
}

/* What cannot be is refused, and the log stays as it is. */
static void too_much_is_refused(void **unused) {
  (void)unused;
  struct large_pool *p = large_pool_create();
  struct log l = {0};
  assert_non_null(p);
  l.used = 100;
  assert_int_equal(large_pool_grow(p, &l.memory, &l.bytes, 0, l.used), 0);
  fill(&l, 0, 0);
  void *before = l.memory;
  assert_int_equal(large_pool_grow(p, &l.memory, &l.bytes, l.used, SIZE_MAX), -1);
  assert_ptr_equal(l.memory, before);
  check(&l, 0);
  large_pool_free(p, NULL, 0);
  large_pool_destroy(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(logs_keep_their_contents),
    cmocka_unit_test(memory_comes_back),
    cmocka_unit_test(too_much_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
