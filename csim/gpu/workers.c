/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/workers.h"

#include "base/err.h"
#include "base/host_profile.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* assumption: how often a thread polls before it yields, before it sleeps (some 0.1 ms), and before the caller does what another
 * thread has not begun: long enough that a thread which is running would have begun */
enum { LOOKS_BEFORE_YIELD = 256, LOOKS_BEFORE_SLEEP = 4096, LOOKS_BEFORE_HELP = 100, LINE = 128 };
/* assumption: rounds between two looks at who waits for whom */
enum { BALANCE_ROUNDS = 256 };

/* The tasks of a thread. In a round, whoever raises the lower half of `claim` does that task; the upper half is their end, so
 * that a thread that was put aside between two looks never takes one round's end for another's. The thread waits for its
 * own share and for nothing else, and the caller for `finished`: a line of memory goes over once each way. */
struct share {
  _Alignas(LINE) _Atomic uint64_t claim; /* end << 32 | the next task, `end` or beyond when all are begun */
  atomic_uint done;                      /* tasks finished in this round */
  atomic_uint size, round;
  _Alignas(LINE) atomic_uint finished; /* the last round of which the thread itself did the last task */
};

struct worker {
  struct workers *pool;
  pthread_t thread;
  uint32_t index, first, end;
};

struct workers {
  /* hardly ever written */
  _Alignas(LINE) workers_fn *work;
  void *context;
  atomic_uint sleepers;
  atomic_bool stop;
  /* the caller's */
  _Alignas(LINE) uint32_t round;
  uint32_t n, started, tasks, own;
  uint32_t rounds, waited; /* since the last balance; in how many of them the caller was through first */
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

static bool open_claim(uint64_t claim) { return (uint32_t)claim < claim >> 32; }
static uint64_t claim_of(uint32_t first, uint32_t end) { return (uint64_t)end << 32 | first; }

/* Does the tasks of a share that nobody has begun; true if it finished the share. A thread that was suspended may find the share of
 * the next round instead, which does no harm. A round does not end before all its tasks are counted in `done`, so that all tasks
 * done here are of one round. */
static bool do_share(struct workers *p, struct share *s, uint32_t t) {
  uint32_t n = 0;
  while (open_claim(atomic_load_explicit(&s->claim, memory_order_relaxed))) {
    uint64_t claim = atomic_fetch_add_explicit(&s->claim, 1, memory_order_acquire);
    if (!open_claim(claim)) break;
    p->work(p->context, t, (uint32_t)claim);
    n++;
  }
  uint32_t size = n ? atomic_load_explicit(&s->size, memory_order_relaxed) : 0;
  return n && atomic_fetch_add_explicit(&s->done, n, memory_order_acq_rel) + n == size;
}

/* Sleeps unless there are tasks: the count of sleepers is raised before the last look, and the caller looks at it after it
 * has given out the tasks, both in one order for all threads. */
static void sleep_until(struct workers *p, struct share *s) {
  pthread_mutex_lock(&p->lock);
  atomic_fetch_add(&p->sleepers, 1);
  while (!open_claim(atomic_load(&s->claim)) && !atomic_load(&p->stop)) pthread_cond_wait(&p->wake, &p->lock);
  atomic_fetch_sub(&p->sleepers, 1);
  pthread_mutex_unlock(&p->lock);
}

static void *worker_main(void *argument) {
  struct worker *w = argument;
  struct workers *p = w->pool;
  struct share *s = &p->share[w->index];
  host_profile_thread();
  host_enter(HOST_LOOP);
  for (uint32_t looks = 0;;) {
    if (open_claim(atomic_load_explicit(&s->claim, memory_order_acquire))) {
      if (do_share(p, s, w->index)) atomic_store_explicit(&s->finished, atomic_load(&s->round), memory_order_release);
      looks = 0;
    } else if (atomic_load_explicit(&p->stop, memory_order_relaxed)) {
      host_profile_thread_end();
      return NULL;
    } else if (looks++ < LOOKS_BEFORE_SLEEP) {
      relax(looks);
    } else {
      host_enter(HOST_WAIT);
      sleep_until(p, s);
      host_enter(HOST_LOOP);
      looks = 0;
    }
  }
}

/* The caller's share is `own` tasks, the others have equal parts of the rest. Between rounds only. */
static void set_shares(struct workers *p, uint32_t own) {
  uint32_t rest = p->tasks - own, others = p->n - 1;
  invariant(others >= 1, "%u threads share the tasks", p->n);
  p->own = own;
  for (uint32_t t = 0; t < p->n; t++) {
    struct worker *w = &p->worker[t];
    w->first = t ? own + rest * (t - 1) / others : 0;
    w->end = own + (t ? rest * t / others : 0);
    atomic_store(&p->share[t].claim, claim_of(w->end, w->end)); /* before the round nobody finds any */
    atomic_store(&p->share[t].size, w->end - w->first);
  }
}

/* The caller, too, should neither wait nor be waited for: a task more or less now and then. */
static void balance(struct workers *p) {
  if (++p->rounds < BALANCE_ROUNDS) return;
  if (p->waited > BALANCE_ROUNDS / 4 * 3 && p->own + p->n <= p->tasks) set_shares(p, p->own + 1);
  else if (p->waited < BALANCE_ROUNDS / 4 && p->own > 1) set_shares(p, p->own - 1);
  p->rounds = p->waited = 0;
}

struct workers *workers_create(uint32_t n, uint32_t tasks, struct err *e) {
  invariant(n >= 2 && n <= WORKERS_MAX, "%u host threads", n);
  struct workers *p = aligned_alloc(LINE, sizeof *p);
  if (!p) {
    err_set(e, ERR_LIMIT, "the host has no memory left for %u threads", n);
    return NULL;
  }
  *p = (struct workers){.n = n, .started = 1, .tasks = tasks};
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->wake, NULL);
  set_shares(p, (tasks + n - 1) / n);
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

/* Waits for a share. Of a thread that has not begun after a while the tasks are done here. */
static void finish(struct workers *p, struct share *s) {
  for (uint32_t looks = 0; atomic_load_explicit(&s->finished, memory_order_acquire) != p->round; looks++) {
    relax(looks);
    if (looks >= LOOKS_BEFORE_HELP && do_share(p, s, 0)) return;
  }
}

void workers_run(struct workers *p, workers_fn *work, void *context) {
  if (p->work != work) p->work = work;
  if (p->context != context) p->context = context;
  p->round++;
  for (uint32_t t = 1; t < p->n; t++) {
    struct share *s = &p->share[t];
    atomic_store_explicit(&s->done, 0, memory_order_relaxed);
    atomic_store_explicit(&s->round, p->round, memory_order_relaxed);
    atomic_store(&s->claim, claim_of(p->worker[t].first, p->worker[t].end));
  }
  wake_sleepers(p);
  for (uint32_t task = 0; task < p->own; task++) work(context, 0, task);
  p->waited += atomic_load_explicit(&p->share[1].finished, memory_order_relaxed) != p->round;
  for (uint32_t t = 1; t < p->n; t++)
    if (p->worker[t].first < p->worker[t].end) finish(p, &p->share[t]);
  balance(p);
}
