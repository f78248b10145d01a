/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Does every host thread do its share of every round, once? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"
#include "gpu/workers.h"

#include <unistd.h>

enum { ROUNDS = 20000, THREADS = 4 };

struct sheet {
  uint32_t round; /* the caller's */
  struct {
    _Alignas(128) uint32_t seen, calls, index_sum;
  } of[THREADS];
};

static void note(void *context, uint32_t t) {
  struct sheet *s = context;
  s->of[t].seen = s->round;
  s->of[t].calls++;
  s->of[t].index_sum += t;
}

/* `pause` microseconds every thousandth round: the threads have gone to sleep meanwhile. */
static void rounds(uint32_t threads, uint32_t n, uint32_t pause) {
  struct err e = {.code = ERR_NONE};
  struct workers *w = workers_create(threads, &e);
  static struct sheet s;
  s = (struct sheet){.round = 0};
  assert_non_null(w);
  assert_int_equal(workers_count(w), threads);
  for (s.round = 1; s.round <= n; s.round++) {
    workers_run(w, note, &s);
    for (uint32_t t = 0; t < threads; t++) {
      assert_int_equal(s.of[t].seen, s.round);
      assert_int_equal(s.of[t].calls, s.round);
      assert_int_equal(s.of[t].index_sum, s.round * t);
    }
    if (pause && s.round % 1000 == 0) usleep(pause);
  }
  workers_destroy(w);
}

static void test_every_thread_does_its_share_of_every_round_once(void **state) {
  (void)state;
  for (uint32_t threads = 2; threads <= THREADS; threads++) rounds(threads, ROUNDS / threads, 0);
}

static void test_sleeping_threads_wake(void **state) {
  (void)state;
  rounds(2, ROUNDS, 5000);
}

static void test_threads_that_never_worked_end(void **state) {
  (void)state;
  struct err e = {.code = ERR_NONE};
  for (uint32_t i = 0; i < 20; i++) workers_destroy(workers_create(2 + i % 3, &e));
  workers_destroy(NULL);
  assert_int_equal(e.code, ERR_NONE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_thread_does_its_share_of_every_round_once),
    cmocka_unit_test(test_sleeping_threads_wake),
    cmocka_unit_test(test_threads_that_never_worked_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
