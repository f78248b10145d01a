/* SPDX-License-Identifier: Apache-2.0 */
/* Progress of a launch: a line on standard error, renewed five times a second, erased at the end. */
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
/* Called before and after a launch, which begins in `core_cycle`. */
void progress_begin(struct progress *, const char *kernel, uint64_t core_cycle);
void progress_end(struct progress *);

#endif
