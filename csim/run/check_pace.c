/* SPDX-License-Identifier: Apache-2.0 */
#include "run/check_pace.h"

#include <stddef.h>

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number) {
  (void)number;
  interrupted = 1;
}

static uint32_t pace_of(uint32_t check_threads) { return check_threads ? CHECK_PACE : CHECK_PACE_ALONE; }

uint32_t check_pace_operations(uint32_t schedulers, uint32_t check_threads) {
  return 3 * pace_of(check_threads) * schedulers;
}

static void reach(struct gpu_pace *hook, uint64_t core_cycle) {
  struct check_pace *p = (struct check_pace *)(void *)((char *)hook - offsetof(struct check_pace, hook));
  hook->at = core_cycle + p->every;
  dpi_hand_over(p->dpi);
  if (!interrupted) return;
  dpi_drain(p->dpi);
  if (dpi_divergence(p->dpi)) return;
  signal(SIGINT, SIG_DFL);
  raise(SIGINT);
}

void check_pace_init(struct check_pace *p, struct dpi *d, uint32_t check_threads) {
  p->hook.reach = reach;
  p->every = pace_of(check_threads);
  p->dpi = d;
}

void check_pace_begin(struct check_pace *p) {
  struct sigaction ours = {.sa_handler = note_interrupt, .sa_flags = SA_RESTART};
  p->hook.at = 0;
  p->catches = dpi_follows(p->dpi) && !sigaction(SIGINT, NULL, &p->before) && !(p->before.sa_flags & SA_SIGINFO) &&
               p->before.sa_handler == SIG_DFL;
  interrupted = 0;
  if (p->catches) sigaction(SIGINT, &ours, NULL);
}

void check_pace_end(struct check_pace *p) {
  dpi_drain(p->dpi);
  if (p->catches) sigaction(SIGINT, &p->before, NULL);
  p->catches = false;
  if (!interrupted) return;
  interrupted = 0;
  if (!dpi_divergence(p->dpi)) raise(SIGINT);
}
