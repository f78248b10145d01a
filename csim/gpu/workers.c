/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/workers.h"

#include "base/err.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* ours: how often a thread looks before it lets others run, and before it sleeps (some 0.1 ms) */
enum { LOOKS_BEFORE_YIELD = 256, LOOKS_BEFORE_SLEEP = 4096, LINE = 128 };

struct worker {
  _Alignas(LINE) atomic_uint done; /* the last round it has finished */
  struct workers *pool;
  pthread_t thread;
  uint32_t index;
};

struct workers {
  _Alignas(LINE) atomic_uint round;
  atomic_uint sleepers;
  atomic_bool stop;
  void (*work)(void *, uint32_t);
  void *context;
  uint32_t n, started;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  struct worker worker[WORKERS_MAX];
};

static inline void relax(uint32_t looks) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
  if (looks >= LOOKS_BEFORE_YIELD) sched_yield();
}

/* Sleeps unless a round has begun meanwhile: the count of sleepers is raised before the last look, and workers_run looks
 * at it after it has begun the round, both in one order for all threads. */
static void sleep_until(struct workers *p, uint32_t last) {
  pthread_mutex_lock(&p->lock);
  atomic_fetch_add(&p->sleepers, 1);
  while (atomic_load(&p->round) == last && !atomic_load(&p->stop)) pthread_cond_wait(&p->wake, &p->lock);
  atomic_fetch_sub(&p->sleepers, 1);
  pthread_mutex_unlock(&p->lock);
}

static void *worker_main(void *argument) {
  struct worker *w = argument;
  struct workers *p = w->pool;
  for (uint32_t last = 0, looks = 0;;) {
    uint32_t round = atomic_load_explicit(&p->round, memory_order_acquire);
    if (round != last) {
      p->work(p->context, w->index);
      atomic_store_explicit(&w->done, round, memory_order_release);
      last = round;
      looks = 0;
    } else if (atomic_load_explicit(&p->stop, memory_order_relaxed)) {
      return NULL;
    } else if (looks++ < LOOKS_BEFORE_SLEEP) {
      relax(looks);
    } else {
      sleep_until(p, last);
      looks = 0;
    }
  }
}

struct workers *workers_create(uint32_t n, struct err *e) {
  invariant(n >= 2 && n <= WORKERS_MAX, "%u host threads", n);
  struct workers *p = aligned_alloc(LINE, sizeof *p);
  if (!p) {
    err_set(e, ERR_LIMIT, "the host has no memory left for %u threads", n);
    return NULL;
  }
  *p = (struct workers){.n = n, .started = 1};
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->wake, NULL);
  for (; p->started < n; p->started++) {
    struct worker *w = &p->worker[p->started];
    w->pool = p;
    w->index = p->started;
    if (!pthread_create(&w->thread, NULL, worker_main, w)) continue;
    err_set(e, ERR_LIMIT, "the host refuses thread %u of %u; ask for fewer", p->started + 1, n);
    workers_destroy(p);
    return NULL;
  }
  return p;
}

static void wake_sleepers(struct workers *p) {
  if (!atomic_load(&p->sleepers)) return;
  pthread_mutex_lock(&p->lock);
  pthread_cond_broadcast(&p->wake);
  pthread_mutex_unlock(&p->lock);
}

void workers_destroy(struct workers *p) {
  if (!p) return;
  atomic_store(&p->stop, true);
  wake_sleepers(p);
  for (uint32_t i = 1; i < p->started; i++) pthread_join(p->worker[i].thread, NULL);
  pthread_cond_destroy(&p->wake);
  pthread_mutex_destroy(&p->lock);
  free(p);
}

uint32_t workers_count(const struct workers *p) { return p->n; }

void workers_run(struct workers *p, void (*work)(void *, uint32_t), void *context) {
  p->work = work;
  p->context = context;
  uint32_t round = atomic_load_explicit(&p->round, memory_order_relaxed) + 1;
  atomic_store(&p->round, round);
  wake_sleepers(p);
  work(context, 0);
  for (uint32_t i = 1; i < p->n; i++)
    for (uint32_t looks = 0; atomic_load_explicit(&p->worker[i].done, memory_order_acquire) != round; looks++)
      relax(looks);
}
