/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TANDEM_CORE_LAUNCH_H
#define TANDEM_CORE_LAUNCH_H

#include <stdint.h>

struct ptx_kernel;

/* A kernel launch as the SMs see it. */
struct launch {
  const struct ptx_kernel *kernel;
  uint32_t grid[3], block[3];
  uint32_t dynamic_shared_bytes;
  const uint8_t *params; /* kernel->param_bytes */
  uint64_t n_ctas;       /* product of grid */
  uint32_t warps_per_cta;
  uint32_t ctas_per_sm; /* occupancy limit of this kernel */
  uint64_t space;       /* device address of the proposal's own memory (system_ops.space), or 0 */
};

#endif
