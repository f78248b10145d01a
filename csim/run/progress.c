/* SPDX-License-Identifier: Apache-2.0 */
#include "run/progress.h"

#include "base/host_clock.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LINE_BYTES = 200, NARROW = 80, LEFT_BYTES = 32 };
static const double interval = 0.2; /* seconds between two lines */

#define ERASE "\r\033[K"

static int width(void) {
  struct winsize w;
  return !ioctl(STDERR_FILENO, TIOCGWINSZ, &w) && w.ws_col ? w.ws_col : NARROW;
}

/* The time left, estimated from the CTAs done; without one there is no estimate. */
static void time_left(char *out, double seconds, uint64_t done, uint64_t ctas) {
  if (!done) {
    snprintf(out, LEFT_BYTES, "time left unknown");
    return;
  }
  uint64_t left = (uint64_t)(seconds * (double)(ctas - done) / (double)done) + 1;
  if (left < 3600) snprintf(out, LEFT_BYTES, "%u:%02u left", (unsigned)(left / 60), (unsigned)(left % 60));
  else snprintf(out, LEFT_BYTES, "%u h %02u min left", (unsigned)(left / 3600), (unsigned)(left / 60 % 60));
}

static void look(struct gpu_progress *hook, uint64_t done, uint64_t ctas, uint64_t core_cycle) {
  struct progress *p = (struct progress *)(void *)((char *)hook - offsetof(struct progress, hook));
  char line[LINE_BYTES], left[LEFT_BYTES];
  double now = host_seconds(), seconds = now - p->started;
  if (now < p->next) return;
  p->next = now + interval;
  time_left(left, seconds, done, ctas);
  uint64_t cycles = core_cycle - p->first_cycle;
  int n = snprintf(line, sizeof line, "%.60s: %llu/%llu CTAs, %llu cycles, %.0f cycles/s, %s", p->kernel,
                   (unsigned long long)done, (unsigned long long)ctas, (unsigned long long)cycles,
                   (double)cycles / seconds, left);
  int max = width() - 1;
  fprintf(stderr, ERASE "%.*s", n < max ? n : max, line);
  fflush(stderr);
  p->shown = true;
}

void progress_init(struct progress *p, enum progress_mode mode) {
  *p = (struct progress){.hook.look = look};
  p->on = mode == PROGRESS_ALWAYS || (mode == PROGRESS_ON_TERMINAL && isatty(STDERR_FILENO));
}

void progress_begin(struct progress *p, const char *kernel, uint64_t core_cycle) {
  p->kernel = kernel;
  p->first_cycle = core_cycle;
  p->started = host_seconds();
  p->next = p->started + interval;
}

void progress_end(struct progress *p) {
  if (p->shown) fputs(ERASE, stderr);
  p->shown = false;
}
