/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/workers.h"

#include "base/err.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* ours: how often a thread looks before it lets others run, and before it sleeps (some 0.1 ms); tasks taken at once */
enum { LOOKS_BEFORE_YIELD = 256, LOOKS_BEFORE_SLEEP = 4096, CHUNKS = 3, LINE = 128 };

/* The tasks that a thread begins with. */
struct share {
  _Alignas(LINE) atomic_uint taken; /* the first that nobody has begun, beyond `end` when all are */
  _Alignas(LINE) atomic_uint done;  /* tasks finished in this round */
  uint32_t first, end, chunk;
};

struct worker {
  struct workers *pool;
  pthread_t thread;
  uint32_t index;
};

struct workers {
  _Alignas(LINE) atomic_uint round;
  atomic_uint sleepers;
  atomic_bool stop;
  workers_fn *work;
  void *context;
  uint32_t n, started;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  struct share share[WORKERS_MAX];
  struct worker worker[WORKERS_MAX];
};

static inline void relax(uint32_t looks) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
  if (looks >= LOOKS_BEFORE_YIELD) sched_yield();
}

/* Does what is not begun of a share. A thread that comes late may find the share of the next round: that is as good. */
static void do_share(struct workers *p, struct share *s, uint32_t t) {
  while (atomic_load_explicit(&s->taken, memory_order_relaxed) < s->end) {
    uint32_t first = atomic_fetch_add_explicit(&s->taken, s->chunk, memory_order_acquire);
    if (first >= s->end) return;
    uint32_t end = first + s->chunk < s->end ? first + s->chunk : s->end;
    p->work(p->context, t, first, end);
    atomic_fetch_add_explicit(&s->done, end - first, memory_order_release);
  }
}

/* Its own share first, then the others'. */
static void do_round(struct workers *p, uint32_t t) {
  for (uint32_t i = 0; i < p->n; i++) do_share(p, &p->share[t + i < p->n ? t + i : t + i - p->n], t);
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
      do_round(p, w->index);
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

static void set_shares(struct workers *p, uint32_t tasks) {
  for (uint32_t t = 0; t < p->n; t++) {
    struct share *s = &p->share[t];
    s->first = tasks * t / p->n;
    s->end = tasks * (t + 1) / p->n;
    s->chunk = (s->end - s->first + CHUNKS - 1) / CHUNKS;
    atomic_init(&s->taken, s->end); /* before the first round nobody finds any */
    atomic_init(&s->done, 0);
  }
}

struct workers *workers_create(uint32_t n, uint32_t tasks, struct err *e) {
  invariant(n >= 2 && n <= WORKERS_MAX, "%u host threads", n);
  struct workers *p = aligned_alloc(LINE, sizeof *p);
  if (!p) {
    err_set(e, ERR_LIMIT, "the host has no memory left for %u threads", n);
    return NULL;
  }
  *p = (struct workers){.n = n, .started = 1};
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->wake, NULL);
  set_shares(p, tasks);
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

void workers_run(struct workers *p, workers_fn *work, void *context) {
  p->work = work;
  p->context = context;
  for (uint32_t t = 0; t < p->n; t++) {
    atomic_store_explicit(&p->share[t].done, 0, memory_order_relaxed);
    atomic_store_explicit(&p->share[t].taken, p->share[t].first, memory_order_release);
  }
  atomic_fetch_add(&p->round, 1);
  wake_sleepers(p);
  do_round(p, 0);
  for (uint32_t t = 0; t < p->n; t++)
    for (uint32_t looks = 0;
         atomic_load_explicit(&p->share[t].done, memory_order_acquire) != p->share[t].end - p->share[t].first; looks++)
      relax(looks);
}
