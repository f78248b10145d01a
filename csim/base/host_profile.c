/* SPDX-License-Identifier: Apache-2.0 */
#include "base/host_profile.h"

#include "base/host_clock.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { INTERVAL_NS = 500000 };

_Thread_local volatile uint32_t host_at;
static _Thread_local bool has_timer;
static _Thread_local timer_t timer;

static bool on;
static double begun;
static const char *names[HOST_PLACES_MAX] = {"program, API, files",
                                             "clocks, dispatch",
                                             "SMs",
                                             "SMs to memory",
                                             "networks",
                                             "L2",
                                             "DRAM",
                                             "hand-over to checkers",
                                             "asleep"};
static uint32_t n_places = HOST_PLACES;
static atomic_uint_fast64_t looks[2 * HOST_PLACES_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void look(int signal) {
  (void)signal;
  atomic_fetch_add_explicit(&looks[host_at % (2 * HOST_PLACES_MAX)], 1, memory_order_relaxed);
}

static bool start_timer(void) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
  struct itimerspec every = {{0, INTERVAL_NS}, {0, INTERVAL_NS}};
  sigset_t one;
  event._sigev_un._tid = (pid_t)syscall(SYS_gettid); /* glibc has a name for it since 2.35 only */
  if (timer_create(CLOCK_MONOTONIC, &event, &timer)) return false;
  sigemptyset(&one);
  sigaddset(&one, SIGPROF);
  pthread_sigmask(SIG_UNBLOCK, &one, NULL);
  has_timer = !timer_settime(timer, 0, &every, NULL);
  return has_timer;
}

bool host_profile_start(void) {
  struct sigaction action = {.sa_handler = look, .sa_flags = SA_RESTART};
  if (on) return true;
  if (sigaction(SIGPROF, &action, NULL)) return false;
  begun = host_process_seconds();
  on = start_timer();
  return on;
}

bool host_profile_on(void) { return on; }

void host_profile_thread(void) {
  if (on) start_timer();
}

void host_profile_thread_end(void) {
  if (has_timer) timer_delete(timer);
  has_timer = false;
}

uint32_t host_profile_place(const char *name) {
  uint32_t place = HOST_PROGRAM;
  pthread_mutex_lock(&lock);
  for (uint32_t i = HOST_PLACES; i < n_places; i++)
    if (!strcmp(names[i], name)) place = i;
  if (!place && n_places < HOST_PLACES_MAX) {
    place = n_places++;
    names[place] = name;
  }
  pthread_mutex_unlock(&lock);
  return place;
}

uint32_t host_profile_rows(struct host_profile_row rows[HOST_PLACES_MAX], uint64_t *samples) {
  double seconds = host_process_seconds() - begun;
  uint32_t n = 0;
  *samples = 0;
  for (uint32_t i = 0; i < 2 * HOST_PLACES_MAX; i++)
    if (i % HOST_PLACES_MAX != HOST_WAIT) *samples += atomic_load(&looks[i]);
  double each = *samples ? seconds / (double)*samples : 0;
  for (uint32_t i = 0; i < n_places; i++)
    if (i != HOST_WAIT)
      rows[n++] = (struct host_profile_row){names[i], each * (double)atomic_load(&looks[i]),
                                            each * (double)atomic_load(&looks[i + HOST_CHECKS])};
  return n;
}
