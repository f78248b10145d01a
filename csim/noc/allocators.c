/* SPDX-License-Identifier: Apache-2.0 */
#include "config/gpu_config.h"
#include "noc/allocator.h"

const struct allocator_ops *allocator_of(int64_t allocator) {
  static const struct allocator_ops *const policies[] = {[NOC_ROUND_ROBIN] = &allocator_round_robin,
                                                         [NOC_PIM] = &allocator_pim,
                                                         [NOC_HG] = &allocator_hg,
                                                         [NOC_RMHG] = &allocator_rmhg,
                                                         [NOC_HMHG] = &allocator_hmhg,
                                                         [NOC_ISLIP] = &allocator_islip,
                                                         [NOC_MATRIX] = &allocator_matrix};
  return policies[allocator];
}
