/* SPDX-License-Identifier: Apache-2.0 */
/* A launch without time: what its kernel does to memory, and nothing else. It shares no state with the GPU but device memory. */
#ifndef TANDEM_GPU_FUNCTIONAL_H
#define TANDEM_GPU_FUNCTIONAL_H

#include "gpu/setup.h"

/* Counted as the counters of these names (config/sm_counters.def) count in detail. */
struct functional_count {
  uint64_t ctas, warp_instructions, thread_instructions;
};

/* Runs the launch to its end. CTAs run in the order of their numbers, one at a time; a CTA that takes long lets the others that would be
 * resident with it run for a while, so that CTAs may wait for each other as far as they may on the GPU. %clock counts warp instructions.
 * Added to *count is what was executed. Errors: as of gpu_run, and ERR_UNSUPPORTED for a kernel with instructions of a proposal. */
int functional_run(const struct gpu_setup *, struct device_memory *, const struct launch *,
                   struct functional_count *count, struct err *);

#endif
