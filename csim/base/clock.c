/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

#include "base/err.h"

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

uint64_t clocks_common_khz(const uint64_t khz[CLOCK_DOMAINS]) {
  uint64_t common = 1;
  for (int d = 0; d < CLOCK_DOMAINS; d++) {
    invariant(khz[d] >= 1, "clock domain %d has no frequency", d);
    uint64_t step = khz[d] / greatest_common_divisor(common, khz[d]);
    if (__builtin_mul_overflow(common, step, &common) || common > UINT64_C(1000000000000000)) return 0;
  }
  return common;
}

void clocks_start(struct clocks *c, const uint64_t khz[CLOCK_DOMAINS]) {
  uint64_t common = clocks_common_khz(khz);
  invariant(common, "the clocks have no common tick (gpu_config_check refuses such a configuration)");
  *c = (struct clocks){.tick_hz = common * 1000};
  for (int d = 0; d < CLOCK_DOMAINS; d++) c->period[d] = common / khz[d];
}

uint64_t clocks_skip_until(struct clocks *c, enum clock_domain d, uint64_t tick) {
  if (tick <= c->next[d]) return 0;
  uint64_t edges = (tick - c->next[d] + c->period[d] - 1) / c->period[d];
  c->next[d] += edges * c->period[d];
  c->cycle[d] += edges;
  return edges;
}
