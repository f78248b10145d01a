/* SPDX-License-Identifier: Apache-2.0 */
/* Microbenchmarks of a GPU against the CUDA driver API: latencies, results a cycle, bank conflicts, a chase of pointers over
 * footprints, bandwidths. Every line "micro NAME: VALUE" is a cell of docs/accuracy.md (tests/law/accuracy.sh). The program
 * runs unchanged on a real driver: cycles are those of %clock64, bandwidths those of events.
 *
 *   microbenchmarks [quick | sm]     quick: without what takes long in simulation; sm: what one SM does alone */
#include "kernels.h"

#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1024, WARP = 32, CHAINS = 8, LINE = 128, HOPS = 256, STREAM_BLOCK = 256 };

static void check(CUresult r, const char *what, int line) {
  const char *text = "?";
  if (r == CUDA_SUCCESS) return;
  cuGetErrorString(r, &text);
  fprintf(stderr, "microbenchmarks.c:%d: %s: %s\n", line, what, text);
  exit(EXIT_FAILURE);
}
#define CHECK(call) check(call, #call, __LINE__)

struct bench {
  CUdevice device;
  CUdeviceptr out, in;
  int sms, l2_bytes, threads;
  bool quick;
};

static int attribute(const struct bench *b, CUdevice_attribute a) {
  int value;
  CHECK(cuDeviceGetAttribute(&value, a, b->device));
  return value;
}

static CUfunction function_of(const char *text, const char *name, CUmodule *module) {
  CUfunction f;
  CHECK(cuModuleLoadData(module, text));
  CHECK(cuModuleGetFunction(&f, *module, name));
  return f;
}

/* ---- within one SM ---- */

/* Clocks of each warp of one CTA, of at most BLOCK threads, which the registers may halve; of the second launch, so that caches of
 * instructions are warm. Returns the warps. */
static unsigned run_chains(const struct bench *b, const struct operation *op, int chains, unsigned threads,
                           unsigned stride, uint32_t clocks[][16]) {
  CUmodule module;
  char *text = chain_kernel(op, chains);
  CUfunction f = function_of(text, "chain", &module);
  int most;
  CHECK(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f));
  while (threads > (unsigned)most) threads /= 2;
  void *args[] = {(void *)&b->out, (void *)&b->in, &stride};
  unsigned warps = (threads + WARP - 1) / WARP;
  for (int i = 0; i < 2; i++) CHECK(cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, 0, NULL, args, NULL));
  CHECK(cuMemcpyDtoH(clocks, b->out, warps * sizeof *clocks));
  CHECK(cuModuleUnload(module));
  free(text);
  return warps;
}

/* Cycles from issue to dependent issue: one warp, one chain. The first segment waits for what lies before it. */
static double latency(const struct bench *b, const struct operation *op, unsigned lanes, unsigned stride) {
  uint32_t clocks[1][16];
  run_chains(b, op, 1, lanes, stride, clocks);
  return (double)(clocks[0][SEGMENTS] - clocks[0][1]) / ((SEGMENTS - 1) * SEGMENT * op->operations);
}

/* Results of all lanes a cycle, from the first warp's start to the last one's end. */
static double rate(const struct bench *b, const struct operation *op, unsigned stride) {
  uint32_t clocks[BLOCK / WARP][16], most = 0;
  unsigned warps = run_chains(b, op, CHAINS, BLOCK, stride, clocks);
  for (unsigned v = 0; v < warps; v++)
    for (unsigned w = 0; w < warps; w++) {
      int32_t cycles = (int32_t)(clocks[w][SEGMENTS] - clocks[v][0]);
      if (cycles > (int32_t)most) most = (uint32_t)cycles;
    }
  return (double)warps * WARP * SEGMENTS * SEGMENT * CHAINS * op->operations / most;
}

static void measure_operations(const struct bench *b) {
  for (int i = 0; i < OPERATIONS; i++) {
    const struct operation *op = &operations[i];
    double results = rate(b, op, 1);
    printf("micro %s latency: %.1f\n", op->name, latency(b, op, op->lanes, 1));
    if (op->bytes) printf("micro %s bytes a cycle: %.1f\n", op->name, results * op->bytes);
    else printf("micro %s rate: %.1f\n", op->name, results);
  }
}

static void measure_conflicts(const struct bench *b) {
  const struct operation *op = &operations[SHARED_LOAD];
  double alone = rate(b, op, 1);
  for (unsigned stride = 2; stride <= WARP; stride *= 2) {
    printf("micro conflicts of stride %u, slowdown: %.1f\n", stride, alone / rate(b, op, stride));
    printf("micro conflicts of stride %u, latency: %.1f\n", stride, latency(b, op, WARP, stride));
  }
}

/* ---- the whole GPU ---- */

static double milliseconds(CUfunction f, unsigned ctas, void **args) {
  CUevent from, to;
  float ms;
  CHECK(cuEventCreate(&from, CU_EVENT_DEFAULT));
  CHECK(cuEventCreate(&to, CU_EVENT_DEFAULT));
  CHECK(cuEventRecord(from, NULL));
  CHECK(cuLaunchKernel(f, ctas, 1, 1, STREAM_BLOCK, 1, 1, 0, NULL, args, NULL));
  CHECK(cuEventRecord(to, NULL));
  CHECK(cuEventSynchronize(to));
  CHECK(cuEventElapsedTime(&ms, from, to));
  CHECK(cuEventDestroy(from));
  CHECK(cuEventDestroy(to));
  return ms;
}

/* How threads walk over memory: IN_ORDER, a CTA for every 4 KB, one after another; APART, as many threads as are resident, and
 * a thread's words lie that many words apart. */
enum walk { IN_ORDER, APART };

struct stream {
  CUfunction f;
  CUdeviceptr from, to;
  enum walk walk;
};

/* Milliseconds for `steps` times what all resident threads move in a step, 16 bytes a thread. */
static double stream_time(const struct bench *b, const struct stream *s, unsigned steps, unsigned passes) {
  uint64_t width = (uint64_t)b->threads * 4, cta = STREAM_BLOCK * 16, word = STREAM_BLOCK * 4, step = width * 4;
  unsigned ctas = (unsigned)b->threads / STREAM_BLOCK;
  if (s->walk == APART) cta = STREAM_BLOCK * 4, word = width;
  else if (passes == 1) ctas *= steps, steps = 1;
  return milliseconds(s->f, ctas, (void *[]){(void *)&s->to, (void *)&s->from, &steps, &passes, &cta, &word, &step});
}

/* GB/s of the kernel `name`: the difference of two lengths, or of numbers of passes if `passes` is not 1. */
static double bandwidth(const struct bench *b, const char *name, enum walk walk, unsigned steps, unsigned passes) {
  CUmodule module;
  struct stream s = {.f = function_of(stream_kernels, name, &module), .walk = walk};
  size_t bytes = (size_t)b->threads * 16 * steps, streams = strcmp(name, "copy") ? 1 : 2;
  CHECK(cuMemAlloc(&s.from, bytes * 2));
  CHECK(cuMemAlloc(&s.to, bytes * 2));
  stream_time(b, &s, steps, passes); /* L2 is then as full of dirty lines before the first run as before the second */
  double first = stream_time(b, &s, steps, passes);
  double second = passes == 1 ? stream_time(b, &s, steps * 2, 1) : stream_time(b, &s, steps, passes * 2);
  CHECK(cuMemFree(s.from));
  CHECK(cuMemFree(s.to));
  CHECK(cuModuleUnload(module));
  return (double)(bytes * passes * streams) / (second - first) * 1e-6;
}

static void measure_l2(const struct bench *b) {
  size_t step = (size_t)b->threads * 16, l2 = (size_t)b->l2_bytes;
  if (l2 >= step) printf("micro L2 read, GB/s: %.1f\n", bandwidth(b, "read", APART, (unsigned)(l2 / 2 / step) | 1, 4));
}

static void measure_memory(const struct bench *b) {
  size_t step = (size_t)b->threads * 16, l2 = (size_t)b->l2_bytes;
  size_t memory = l2 + l2 / 4 < (size_t)4 << 20 ? (size_t)4 << 20 : l2 + l2 / 4;
  unsigned steps = (unsigned)((memory + step - 1) / step);
  if (b->quick && memory > (size_t)8 << 20) return;
  printf("micro DRAM read, GB/s: %.1f\n", bandwidth(b, "read", IN_ORDER, steps, 1));
  printf("micro DRAM read apart, GB/s: %.1f\n", bandwidth(b, "read", APART, steps, 1));
  printf("micro DRAM write, GB/s: %.1f\n", bandwidth(b, "write", IN_ORDER, steps, 1));
  printf("micro DRAM copy, GB/s: %.1f\n", bandwidth(b, "copy", IN_ORDER, steps, 1));
}

/* ---- pointers ---- */

/* One cycle through all lines of the footprint, in an order drawn with a fixed seed (Sattolo's algorithm). */
static uint64_t *ring(CUdeviceptr at, unsigned lines) {
  uint64_t *words = calloc((size_t)lines * LINE, 1), state = 0x6d6963726f;
  unsigned *order = malloc(lines * sizeof *order);
  if (!words || !order) abort();
  for (unsigned i = 0; i < lines; i++) order[i] = i;
  for (unsigned i = lines - 1; i > 0; i--) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    unsigned other = (unsigned)((state >> 33) % i), kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
  for (unsigned i = 0; i < lines; i++) words[(size_t)i * (LINE / 8)] = at + (uint64_t)order[i] * LINE;
  free(order);
  return words;
}

/* Cycles a hop. All lines are read once before (into L2); a footprint that might fit into L1 is walked through once. */
static double hop(const struct bench *b, size_t bytes) {
  CUmodule module, streams;
  CUfunction chase = function_of(chase_kernel, "chase", &module), read = function_of(stream_kernels, "read", &streams);
  unsigned lines = (unsigned)(bytes / LINE), warm = bytes <= 262144 ? lines / 16 : 4, hops = HOPS / 16;
  unsigned steps = (unsigned)(bytes / ((size_t)b->threads * 16)) + 1;
  CUdeviceptr at;
  CHECK(cuMemAlloc(&at, (size_t)b->threads * 16 * steps));
  uint64_t *words = ring(at, lines), cycles = 0;
  CHECK(cuMemcpyHtoD(at, words, (size_t)lines * LINE));
  stream_time(b, &(struct stream){read, at, b->out, IN_ORDER}, steps, 1);
  CHECK(cuLaunchKernel(chase, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){(void *)&b->out, &at, &warm, &hops}, NULL));
  CHECK(cuMemcpyDtoH(&cycles, b->out, sizeof cycles));
  CHECK(cuMemFree(at));
  CHECK(cuModuleUnload(module));
  CHECK(cuModuleUnload(streams));
  free(words);
  return (double)cycles / HOPS;
}

/* Footprints from one size to another, in KB. Those beyond four times L2 show nothing new. */
static void measure_chase(const struct bench *b, unsigned from, unsigned to) {
  static const unsigned kib[] = {8, 12, 20, 28, 64, 216, 512, 1024, 4096, 16384, 38912, 131072};
  for (size_t i = 0; i < sizeof kib / sizeof *kib; i++) {
    if (kib[i] < from || kib[i] > to || (kib[i] > 4096 && (size_t)kib[i] * 1024 > 4 * (size_t)b->l2_bytes)) continue;
    printf("micro chase %u KB: %.1f\n", kib[i], hop(b, (size_t)kib[i] * 1024));
  }
}

int main(int argc, char **argv) {
  struct bench b = {.quick = argc == 2 && !strcmp(argv[1], "quick")};
  bool sm = argc == 2 && !strcmp(argv[1], "sm");
  CUcontext context;
  if (argc > 1 && !b.quick && !sm) {
    fprintf(stderr, "usage: microbenchmarks [quick | sm]\n");
    return 2;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&b.device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, b.device));
  CHECK(cuCtxSetCurrent(context));
  b.sms = attribute(&b, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  b.l2_bytes = attribute(&b, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  b.threads = b.sms * attribute(&b, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / STREAM_BLOCK * STREAM_BLOCK;
  CHECK(cuMemAlloc(&b.out, 64 * (BLOCK / WARP) + 8 * BLOCK));
  CHECK(cuMemAlloc(&b.in, 8 * BLOCK));
  uint64_t own[BLOCK];
  for (int i = 0; i < BLOCK; i++) own[i] = b.in + (uint64_t)i * 8;
  CHECK(cuMemcpyHtoD(b.in, own, sizeof own));
  measure_operations(&b);
  measure_conflicts(&b);
  if (sm) return 0;
  measure_l2(&b);
  measure_chase(&b, 0, 4096);
  measure_memory(&b);
  if (!b.quick) measure_chase(&b, 4097, UINT32_MAX); /* the last, so that a quick run is the beginning of a whole one */
  return 0;
}
