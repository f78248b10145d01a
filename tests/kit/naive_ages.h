/* SPDX-License-Identifier: Apache-2.0 */
/* Which way a tree of use bits replaces, said with ages: at each node the half goes whose last use is longer ago. */
#ifndef TANDEM_TESTS_KIT_NAIVE_AGES_H
#define TANDEM_TESTS_KIT_NAIVE_AGES_H

#include <stdint.h>

/* used[k]: time of the last use of way k; 0: never. */
static inline uint32_t naive_tree_victim(const uint64_t *used, uint32_t ways) {
  uint32_t from = 0;
  while (ways > 1) {
    uint64_t newest[2] = {0, 0};
    ways /= 2;
    for (uint32_t k = 0; k < 2 * ways; k++)
      if (used[from + k] > newest[k / ways]) newest[k / ways] = used[from + k];
    if (newest[1] < newest[0]) from += ways;
  }
  return from;
}

#endif
