/* SPDX-License-Identifier: Apache-2.0 */
/* The threads that check, and the hand-over of tapes to them. An instance belongs to one checker. A hand-over waits for the one before,
 * which bounds memory and says in which order differences lie: all cycles of one hand-over come before those of the next. */
#include "base/host_profile.h"
#include "follow.h"
#include "runtime.h"

#include <signal.h>
#include <stdlib.h>

struct checker {
  struct checkers *all;
  pthread_t thread;
  uint32_t index;
};

struct checkers {
  struct dpi *dpi;
  struct checker *checker;
  uint32_t n; /* threads; 0: the simulating thread checks */
  pthread_mutex_t lock;
  pthread_cond_t wake, done;
  uint64_t round;   /* hand-overs so far */
  uint32_t working; /* checkers that are not through with it */
  bool end;
};

static void check_share(struct dpi *d, uint32_t index, uint32_t n) {
  uint32_t before = host_at;
  for (uint32_t i = index; i < d->n_seams; i += n) {
    if (!d->seams[i]->follow || d->seams[i]->mismatch) continue;
    host_enter(HOST_CHECKS + d->seams[i]->b->host_place);
    follow_check(d->seams[i]);
  }
  host_enter(before);
}

static void *checker_main(void *self) {
  struct checker *c = self;
  struct checkers *a = c->all;
  uint64_t round = 0;
  host_profile_thread();
  pthread_mutex_lock(&a->lock);
  while (!a->end) {
    if (a->round == round) {
      host_enter(HOST_WAIT);
      pthread_cond_wait(&a->wake, &a->lock);
      host_enter(HOST_CHECK);
      continue;
    }
    round = a->round;
    pthread_mutex_unlock(&a->lock);
    check_share(a->dpi, c->index, a->n);
    pthread_mutex_lock(&a->lock);
    if (!--a->working) pthread_cond_signal(&a->done);
  }
  pthread_mutex_unlock(&a->lock);
  host_profile_thread_end();
  return NULL;
}

/* As many threads as were asked for, or as the host gives. Signals stay with the program's own threads. */
static struct checkers *start(struct dpi *d) {
  struct checkers *a = calloc(1, sizeof *a);
  invariant(a, "the host has no memory left for checkers");
  a->dpi = d;
  a->checker = calloc(d->config.check_threads + 1U, sizeof *a->checker);
  invariant(a->checker, "the host has no memory left for checkers");
  pthread_mutex_init(&a->lock, NULL);
  pthread_cond_init(&a->wake, NULL);
  pthread_cond_init(&a->done, NULL);
  sigset_t every, before;
  sigfillset(&every);
  pthread_sigmask(SIG_SETMASK, &every, &before);
  pthread_mutex_lock(&a->lock);
  for (; a->n < d->config.check_threads; a->n++) {
    struct checker *c = &a->checker[a->n];
    *c = (struct checker){.all = a, .index = a->n};
    if (pthread_create(&c->thread, NULL, checker_main, c)) break;
  }
  pthread_mutex_unlock(&a->lock);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return a;
}

/* What the checkers have found out, for the simulating thread. */
static void collect(struct dpi *d) {
  d->stop |= d->noted;
  for (uint32_t i = 0; i < d->n_seams; i++) {
    struct seam *s = d->seams[i];
    struct follow *f = s->follow;
    if (!f) continue;
    s->b->profile.rtl_evals = f->evals;
    s->b->profile.rtl_still = f->still_cycles;
    if (f->checked && flight_lost(s)) f->segment_left = 0; /* the next cycle begins one */
  }
}

/* Until the last hand-over is checked. */
static void await(struct dpi *d) {
  struct checkers *a = d->checkers;
  uint32_t before = host_enter(HOST_WAIT);
  pthread_mutex_lock(&a->lock);
  while (a->working) pthread_cond_wait(&a->done, &a->lock);
  pthread_mutex_unlock(&a->lock);
  host_enter(before);
  collect(d);
}

static void swap_tapes(struct dpi *d) {
  for (uint32_t i = 0; i < d->n_seams; i++) {
    struct follow *f = d->seams[i]->follow;
    if (!f) continue;
    struct tape checked = f->spare;
    f->spare = f->fill;
    f->fill = checked;
    f->check = &f->spare;
    tape_clear(&f->fill);
  }
}

/* The simulating thread checks what it has recorded, and records into the same memory again. */
static void check_here(struct dpi *d) {
  for (uint32_t i = 0; i < d->n_seams; i++)
    if (d->seams[i]->follow) d->seams[i]->follow->check = &d->seams[i]->follow->fill;
  check_share(d, 0, 1);
  for (uint32_t i = 0; i < d->n_seams; i++)
    if (d->seams[i]->follow) tape_clear(&d->seams[i]->follow->fill);
  collect(d);
}

static void hand_over(struct dpi *d) {
  if (!d->checkers) d->checkers = start(d);
  struct checkers *a = d->checkers;
  await(d);
  if (d->stop) return;
  if (!a->n) {
    check_here(d);
    return;
  }
  swap_tapes(d);
  pthread_mutex_lock(&a->lock);
  a->round++;
  a->working = a->n;
  pthread_cond_broadcast(&a->wake);
  pthread_mutex_unlock(&a->lock);
}

void checkers_hand_over(struct dpi *d) {
  if (!d->follows || d->stop) return;
  uint32_t before = host_enter(HOST_CHECK);
  hand_over(d);
  host_enter(before);
}

void checkers_drain(struct dpi *d) {
  checkers_hand_over(d);
  if (d->checkers) await(d);
  for (uint32_t i = 0; i < d->n_seams; i++) flight_write(d->seams[i]); /* the process may end here */
}

void checkers_end(struct dpi *d) {
  checkers_drain(d);
  d->follows = false;
  struct checkers *a = d->checkers;
  if (!a) return;
  pthread_mutex_lock(&a->lock);
  a->end = true;
  pthread_cond_broadcast(&a->wake);
  pthread_mutex_unlock(&a->lock);
  for (uint32_t i = 0; i < a->n; i++) pthread_join(a->checker[i].thread, NULL);
  pthread_mutex_destroy(&a->lock);
  pthread_cond_destroy(&a->wake);
  pthread_cond_destroy(&a->done);
  free(a->checker);
  free(a);
  d->checkers = NULL;
}
