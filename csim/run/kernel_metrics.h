/* SPDX-License-Identifier: Apache-2.0 */
/* The counters of a launch under the names of Nsight Compute (run/kernel_metrics.def), so that they stand beside those of silicon. */
#ifndef TANDEM_RUN_KERNEL_METRICS_H
#define TANDEM_RUN_KERNEL_METRICS_H

#include "config/gpu_config.h"
#include "run/launch_record.h"

#include <stddef.h>

struct kernel_metric {
  const char *name, *unit; /* ncu's base unit */
  const char *label;       /* in ncu's sections; "": in none */
  const char *sentence;    /* which counter of ours it is */
  double (*value)(const struct launch_record *, const struct gpu_config *);
};

enum {
#define X(identifier, ...) KERNEL_METRIC_##identifier,
#include "run/kernel_metrics.def"
  KERNEL_METRICS
};
extern const struct kernel_metric kernel_metrics[KERNEL_METRICS + 1]; /* the last has no name */

/* The metric of this name or label, or -1. */
int kernel_metric_find(const char *name);

/* What a kernel is called in its source: of a name as compilers mangle it, or as ncu prints it ("void n::f<int>(float *)"), the "f". */
void kernel_base_name(const char *name, char *out, size_t size);

#endif
