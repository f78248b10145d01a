/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Is every task of every round done once, and seen by the caller? */
#include "base/err.h"
#include "gpu/workers.h"
#include "kit/test.h"

#include <unistd.h>

enum { ROUNDS = 20000, TASKS = 15 };

struct sheet {
  uint32_t round; /* the caller's */
  struct {
    _Alignas(128) uint32_t seen, calls;
  } of[TASKS];
};

static void note(void *context, uint32_t t, uint32_t task) {
  struct sheet *s = context;
  (void)t;
  s->of[task].seen = s->round;
  s->of[task].calls++;
}

/* `pause` microseconds every thousandth round: the threads have gone to sleep meanwhile. */
static void rounds(uint32_t threads, uint32_t tasks, uint32_t n, uint32_t pause) {
  struct err e = {.code = ERR_NONE};
  struct workers *w = workers_create(threads, tasks, &e);
  static struct sheet s;
  memset(&s, 0, sizeof s);
  assert_non_null(w);
  assert_int_equal(workers_count(w), threads);
  for (s.round = 1; s.round <= n; s.round++) {
    workers_run(w, note, &s);
    for (uint32_t i = 0; i < tasks; i++) {
      assert_int_equal(s.of[i].seen, s.round);
      assert_int_equal(s.of[i].calls, s.round);
    }
    if (pause && s.round % 1000 == 0) usleep(pause);
  }
  workers_destroy(w);
}

static void test_every_task_of_every_round_is_done_once(void **state) {
  (void)state;
  for (uint32_t threads = 2; threads <= 4; threads++)
    for (uint32_t tasks = 1; tasks <= TASKS; tasks += 7) rounds(threads, tasks, ROUNDS / threads, 0);
}

static void test_sleeping_threads_wake(void **state) {
  (void)state;
  rounds(2, TASKS, ROUNDS, 5000);
}

static void test_threads_that_never_worked_end(void **state) {
  (void)state;
  struct err e = {.code = ERR_NONE};
  for (uint32_t i = 0; i < 20; i++) workers_destroy(workers_create(2 + i % 3, TASKS, &e));
  workers_destroy(NULL);
  assert_int_equal(e.code, ERR_NONE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_task_of_every_round_is_done_once),
    cmocka_unit_test(test_sleeping_threads_wake),
    cmocka_unit_test(test_threads_that_never_worked_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
