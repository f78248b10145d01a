/* SPDX-License-Identifier: Apache-2.0 */
/* The loop by which times of different hosts are compared: half of it is code as Verilator writes it, words of a structure that
 * are masked, shifted and chosen from without a branch; half is code as the C models are written, with branches and a table.
 * Neither half may ever change: a change would shift every figure that was normalised before. */
#include "base/host_clock.h"
#include "bench/bench.h"

#include <stdint.h>

enum { TURNS = 200000, REPEATS = 7, SLOTS = 64 };

/* ns that a turn takes where an instance-cycle of rr_arb under rtl takes 41 ns at commit 7407f44: 41 / 4.83, the median of interleaved
 * pairs on a host with two shared processors. */
static const double reference_ns = 8.49;

struct words {
  uint32_t in, mask, pointer, grant, count, hold[8];
};

static void straight(struct words *w) {
  uint32_t in = w->in, after = in & ~((1U << (w->pointer & 7)) - 1), pick = after ? after : in;
  uint32_t lowest = pick & (0U - pick), index = 0;
  index |= (uint32_t)((lowest & 0xaaaaaaaaU) != 0);
  index |= (uint32_t)((lowest & 0xccccccccU) != 0) << 1;
  index |= (uint32_t)((lowest & 0xf0f0f0f0U) != 0) << 2;
  w->grant = lowest & w->mask;
  for (unsigned i = 0; i < 8; i++) {
    uint32_t chosen = 0U - (uint32_t)(((lowest >> i) & 1) != 0);
    w->hold[i] = (w->hold[i] & ~chosen) | ((w->hold[i] + index + 1) & chosen);
    w->count = ((w->count << 1) ^ (w->hold[i] >> 3)) & 0x7fffffffU;
  }
  w->pointer = (index + 1) & 7;
}

static uint32_t branching(uint32_t *table, uint32_t key) {
  uint32_t at = key % SLOTS, seen = 0;
  while (table[at] && table[at] != key && seen < 4) {
    at = (at + 1) % SLOTS;
    seen++;
  }
  if (table[at] == key) {
    table[at] = 0;
    return seen + 1;
  }
  if (!table[at]) {
    table[at] = key;
    return seen;
  }
  table[at] ^= key << 1;
  return 8;
}

static double turn(void) {
  struct words w = {.mask = 0xff, .hold = {1, 2, 3, 4, 5, 6, 7, 8}};
  uint32_t table[SLOTS] = {0}, x = 1;
  double start = host_thread_seconds();
  for (uint32_t i = 0; i < TURNS; i++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    w.in = x & 0xff;
    straight(&w);
    w.count += branching(table, 1 + ((x >> 8) & 127));
  }
  double ns = 1e9 * (host_thread_seconds() - start) / TURNS;
  volatile uint32_t kept = w.count; /* so that the compiler keeps the loop */
  (void)kept;
  return ns;
}

double bench_calibrate(void) {
  double best = turn();
  for (int i = 1; i < REPEATS; i++) {
    double ns = turn();
    if (ns < best) best = ns;
  }
  return best;
}

double bench_normalised(double ns, double calibration) {
  return calibration > 0 ? ns * reference_ns / calibration : ns;
}
