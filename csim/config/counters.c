/* SPDX-License-Identifier: Apache-2.0 */
#include "config/counters.h"

#define COUNTER_ROW(name, unit, sentence) {#name, unit, sentence},
const struct counter_row sm_counter_rows[] = {SM_COUNTERS(COUNTER_ROW)};
const struct counter_row memory_counter_rows[] = {MEMORY_COUNTERS(COUNTER_ROW)};

void counters_add(uint64_t *sum, const uint64_t *add, size_t n) {
  for (size_t i = 0; i < n; i++) sum[i] += add[i];
}
