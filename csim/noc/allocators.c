/* SPDX-License-Identifier: Apache-2.0 */
#include "config/gpu_config.h"
#include "noc/allocator.h"

const struct allocator_ops *allocator_of(int64_t allocator) {
#define X(id, name) [id] = &allocator_##name,
  static const struct allocator_ops *const policies[] = {NOC_ALLOCATORS(X)};
#undef X
  return policies[allocator];
}
