/* SPDX-License-Identifier: Apache-2.0 */
/* One line on standard error that says how far a launch is, five times a second; erased at its end. */
#ifndef TANDEM_RUN_PROGRESS_H
#define TANDEM_RUN_PROGRESS_H

#include "gpu/gpu.h"

/* TANDEM_PROGRESS */
enum progress_mode { PROGRESS_ON_TERMINAL, PROGRESS_ALWAYS, PROGRESS_NEVER };

struct progress {
  struct gpu_progress hook;
  bool on, shown;
  const char *kernel;
  double started, next; /* host seconds */
  uint64_t first_cycle;
};

void progress_init(struct progress *, enum progress_mode);
/* Around a launch that begins in the core cycle. */
void progress_begin(struct progress *, const char *kernel, uint64_t core_cycle);
void progress_end(struct progress *);

#endif
