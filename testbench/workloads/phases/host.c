/* SPDX-License-Identifier: Apache-2.0 */
/* phases: six kernels whose needs change; whole numbers modulo 2^32, compared bit for bit. */
#include <cuda.h>

#include "phases_args.h"
#include "phases_ptx.h"
#include "workload.h"

enum { FIXED, SHARED, REGISTERS, BARRIERS, MEMORY, CROWD };
enum { LARGE = 1024, SMALL = 100, FEW = 10, MOST = 64, THREADS_MAX = 1024 }; /* as in kernel.cu */

/* ---- the same on the host ---- */

static uint32_t mix(uint32_t x) { return x * 1664525u + 1013904223u; }

static void fill(uint32_t *v, unsigned n, uint32_t x) {
  for (unsigned k = 0; k < n; k++) v[k] = x + k * 2654435761u;
}
static void turn(uint32_t *v, unsigned n, unsigned rounds) {
  for (unsigned r = 0; r < rounds; r++)
    for (unsigned k = 0; k < n; k++) v[k] = v[k] * 5 + (v[(k + 1) % n] >> 3);
}
static uint32_t fold(const uint32_t *v, unsigned n) {
  uint32_t x = 0;
  for (unsigned k = 0; k < n; k++) x = x * 31 + v[k];
  return x;
}

static uint32_t steady(uint32_t x, unsigned n, unsigned rounds) {
  uint32_t v[MOST];
  fill(v, n, x);
  turn(v, n, rounds);
  return fold(v, n);
}

static uint32_t register_phases(uint32_t x, unsigned rounds) {
  uint32_t a[FEW], b[2 * FEW];
  fill(a, FEW, x);
  turn(a, FEW, rounds);
  for (unsigned k = 0; k < 2 * FEW; k++) b[k] = a[k % FEW] * (k + 1);
  turn(b, 2 * FEW, 2 * rounds);
  for (unsigned k = 0; k < FEW; k++) a[k] = b[k] ^ b[k + FEW];
  turn(a, FEW, rounds);
  return fold(a, FEW);
}

/* A CTA; x: what its threads begin with, and then their results. */
static void shared_phases(uint32_t *x, unsigned threads, unsigned rounds) {
  uint32_t large[LARGE], sum = 0;
  for (unsigned t = 0; t < threads; t++)
    for (unsigned r = 0; r < rounds; r++) x[t] = mix(x[t]) ^ (x[t] >> 7);
  for (unsigned s = 0, t = 0; s < LARGE; s++, t = t + 1 < threads ? t + 1 : 0) large[s] = x[t] + s;
  for (unsigned s = 0; s < SMALL; s++) {
    uint32_t part = 0;
    for (unsigned k = s; k < LARGE; k += SMALL) part = part * 3 + large[k];
    sum = sum * 5 + part;
  }
  for (unsigned t = 0; t < threads; t++) {
    for (unsigned r = 0; r < rounds; r++) x[t] = x[t] * 3 + large[(x[t] >> 9) % LARGE];
    for (unsigned r = 0; r < rounds; r++) x[t] = mix(x[t]) ^ (x[t] >> 5);
    x[t] ^= sum;
  }
}

static void barriers(uint32_t *x, unsigned threads, unsigned rounds) {
  uint32_t cell[THREADS_MAX];
  for (unsigned r = 0; r < rounds; r++) {
    memcpy(cell, x, threads * sizeof *cell);
    for (unsigned t = 0; t < threads; t++) {
      uint32_t y = cell[(t + 32 * r + 1) % threads];
      for (unsigned work = (t / 32 * 7 + r) % 8; work > 0; work--) y = mix(y);
      x[t] = x[t] * 3 + y;
    }
  }
}

static uint32_t memory_bound(const uint32_t *in, unsigned n, unsigned i, unsigned rounds) {
  uint32_t x = 0;
  for (unsigned r = 0; r < rounds; r++) x = x * 3 + in[(i * 32u + r * 253344u) % n];
  return x;
}

/* `x`: what the threads of a CTA begin with, thread 0 being number `first`. */
static void want_cta(unsigned pattern, uint32_t *x, const uint32_t *in, unsigned n, unsigned first, unsigned threads,
                     unsigned rounds) {
  if (pattern == SHARED) shared_phases(x, threads, rounds);
  if (pattern == BARRIERS) barriers(x, threads, rounds);
  for (unsigned t = 0; t < threads; t++) {
    if (pattern == FIXED) x[t] = steady(x[t], 43, rounds);
    if (pattern == CROWD) x[t] = steady(x[t], 59, rounds);
    if (pattern == REGISTERS) x[t] = register_phases(x[t], rounds);
    if (pattern == MEMORY && first + t < n) x[t] = memory_bound(in, n, first + t, rounds);
  }
}

int main(int argc, char **argv) {
  static const char *const kernels[] = {"registers_48", "shared_phases", "register_phases",
                                        "barriers",     "memory_bound",  "registers_64"};
  struct workload w = workload_arguments("phases", argc, argv);
  unsigned pattern = (unsigned)workload_value(&w, "pattern"), n = (unsigned)workload_value(&w, "n");
  unsigned threads = (unsigned)workload_value(&w, "threads"), rounds = (unsigned)workload_value(&w, "rounds");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  if (threads % 32) workload_usage(&w, "threads=%u: a multiple of 32 is wanted", threads);
  size_t bytes = (size_t)n * sizeof(uint32_t);
  uint32_t *in = workload_alloc(&w, bytes), *out = workload_alloc(&w, bytes), x[THREADS_MAX];
  for (unsigned i = 0; i < n; i++) in[i] = (uint32_t)workload_bits(seed, 1, i);

  CUfunction kernel = workload_open(&w, kernels[pattern]);
  CUdeviceptr device_in = workload_upload(&w, in, bytes), device_out = workload_upload(&w, NULL, bytes);
  unsigned ctas = (n - 1) / threads + 1;
  workload_launch(&w, kernel, ctas, threads, (void *[]){&n, &rounds, &device_in, &device_out});
  workload_download(&w, out, device_out, bytes);

  struct workload_comparison comparison = {0};
  for (unsigned first = 0; first < n; first += threads) {
    for (unsigned t = 0; t < threads; t++) x[t] = first + t < n ? in[first + t] : 0;
    want_cta(pattern, x, in, n, first, threads, rounds);
    for (unsigned t = 0; t < threads && first + t < n; t++)
      workload_compare_whole(&comparison, first + t, out[first + t], x[t]);
  }
  char sizes[96];
  snprintf(sizes, sizeof sizes, "pattern=%u n=%u threads=%u rounds=%u", pattern, n, threads, rounds);
  workload_close(&w);
  free(in), free(out);
  return workload_verdict(&w, sizes, &comparison);
}
