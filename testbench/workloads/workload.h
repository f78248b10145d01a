/* SPDX-License-Identifier: Apache-2.0 */
/* What host programs of workloads share. They are plain C against the CUDA driver API and run
 * unchanged on a real driver. Include after <cuda.h> and the two generated headers: NAME_ptx.h
 * (`workload_versions`: name and PTX text of each version, the default first) and NAME_args.h
 * (`workload_args`: the arguments, from configs/workloads.yaml).
 *
 * Command line: key=value ..., keys as in workload_args, and version=NAME. Exit codes: 0 right
 * result, 1 wrong result or a kernel that failed, 2 bad arguments or no usable device. */
#ifndef TANDEM_WORKLOAD_H
#define TANDEM_WORKLOAD_H

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKLOAD_ARGS = sizeof workload_args / sizeof workload_args[0] };

struct workload {
  const char *name;
  const char *version, *ptx;
  long long value[WORKLOAD_ARGS];
  CUdevice device;
  CUcontext context;
  CUmodule module;
};

/* ---- arguments ---- */

__attribute__((format(printf, 2, 3))) static inline _Noreturn void workload_usage(const struct workload *w,
                                                                                  const char *format, ...) {
  va_list list;
  va_start(list, format);
  fprintf(stderr, "%s: ", w->name);
  vfprintf(stderr, format, list);
  fprintf(stderr, "\n");
  va_end(list);
  exit(2);
}

static inline void workload_help(const struct workload *w) {
  printf("usage: %s [key=value]...\n", w->name);
  for (int i = 0; i < WORKLOAD_ARGS && workload_args[i].name; i++)
    printf("  %-10s %s (%lld..%lld, default %lld)\n", workload_args[i].name, workload_args[i].brief,
           workload_args[i].min, workload_args[i].max, workload_args[i].value);
  printf("  %-10s", "version");
  for (int i = 0; workload_versions[i].name; i++) printf(" %s", workload_versions[i].name);
  printf(" (default %s)\nexample: %s %s=%lld version=%s\n", w->version, w->name, workload_args[0].name,
         workload_args[0].value, workload_versions[0].name);
  exit(0);
}

/* False if there is no version of that name. */
static inline int workload_choose(struct workload *w, const char *version) {
  for (int i = 0; workload_versions[i].name; i++) {
    if (strcmp(workload_versions[i].name, version)) continue;
    w->version = workload_versions[i].name;
    w->ptx = workload_versions[i].ptx;
    return 1;
  }
  return 0;
}

/* The key of assignments[at] must not have been given before it. */
static inline void workload_once(const struct workload *w, char **assignments, int at) {
  size_t key = strcspn(assignments[at], "=") + 1;
  for (int i = 1; i < at; i++)
    if (!strncmp(assignments[i], assignments[at], key))
      workload_usage(w, "'%s' comes after '%s': give the key once", assignments[at], assignments[i]);
}

static inline void workload_set(struct workload *w, const char *assignment) {
  const char *equals = strchr(assignment, '=');
  size_t length = equals ? (size_t)(equals - assignment) : strlen(assignment);
  if (!equals) workload_usage(w, "'%s' is not key=value; --help lists the keys", assignment);
  if (length == 7 && !strncmp(assignment, "version", 7)) {
    if (!workload_choose(w, equals + 1)) workload_usage(w, "no version '%s'; --help lists the versions", equals + 1);
    return;
  }
  for (int i = 0; i < WORKLOAD_ARGS && workload_args[i].name; i++) {
    if (strlen(workload_args[i].name) != length || strncmp(workload_args[i].name, assignment, length)) continue;
    const char *digits = equals + 1;
    char *end;
    int hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    errno = 0;
    long long value = strtoll(digits, &end, hex ? 16 : 10);
    int number = digits[0] >= '0' && digits[0] <= '9' && end != digits && !*end && !errno;
    if (!number || value < workload_args[i].min || value > workload_args[i].max)
      workload_usage(w, "'%s': %s takes a whole number, %lld..%lld, decimal or 0x", assignment, workload_args[i].name,
                     workload_args[i].min, workload_args[i].max);
    w->value[i] = value;
    return;
  }
  workload_usage(w, "unknown key in '%s'; --help lists the keys", assignment);
}

/* Reads the command line. Without version=, the version named like the simulated system is taken if
 * there is one (the simulator says it in TANDEM_SYSTEM; a real driver does not). Does not return on
 * errors and --help. */
static inline struct workload workload_arguments(const char *name, int argc, char **argv) {
  struct workload w = {.name = name, .version = workload_versions[0].name, .ptx = workload_versions[0].ptx};
  const char *system = getenv("TANDEM_SYSTEM");
  if (system) workload_choose(&w, system);
  for (int i = 0; i < WORKLOAD_ARGS && workload_args[i].name; i++) w.value[i] = workload_args[i].value;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) workload_help(&w);
    workload_set(&w, argv[i]);
    workload_once(&w, argv, i);
  }
  return w;
}

static inline long long workload_value(const struct workload *w, const char *key) {
  for (int i = 0; i < WORKLOAD_ARGS && workload_args[i].name; i++)
    if (!strcmp(workload_args[i].name, key)) return w->value[i];
  workload_usage(w, "internal: no argument '%s' in the workload list", key);
}

/* The value of an argument that configs/workloads.yaml keeps at 1 or more: for divisors. */
static inline unsigned workload_count(const struct workload *w, const char *key) {
  long long value = workload_value(w, key);
  if (value < 1) workload_usage(w, "%s=%lld: at least 1 is wanted", key, value);
  return (unsigned)value;
}

/* Whether the version is `sized`, whose block size and shared memory are arguments. Those of other versions are fixed: what names
 * them, `keys`, separated by blanks, has its default there. `threads` counts whole warps. */
static inline int workload_sized(const struct workload *w, const char *keys) {
  int sized = !strcmp(w->version, "sized");
  for (int i = 0; i < WORKLOAD_ARGS && workload_args[i].name; i++) {
    const char *name = workload_args[i].name, *at = strstr(keys, name);
    if (!at || (at > keys && at[-1] != ' ') || (at[strlen(name)] && at[strlen(name)] != ' ')) continue;
    if (!sized && w->value[i] != workload_args[i].value)
      workload_usage(w, "%s=%lld: version=%s has it fixed; take version=sized", name, w->value[i], w->version);
    if (!strcmp(name, "threads") && w->value[i] % 32)
      workload_usage(w, "threads=%lld: a multiple of 32 is wanted", w->value[i]);
  }
  return sized;
}

/* ---- driver API ---- */

static inline void workload_check(const struct workload *w, CUresult result, const char *call, int exit_code) {
  if (result == CUDA_SUCCESS) return;
  const char *error = NULL, *sentence = NULL;
  cuGetErrorName(result, &error);
  cuGetErrorString(result, &sentence);
  fprintf(stderr, "%s: %s: %s (%s)\n", w->name, call, error ? error : "unknown error", sentence ? sentence : "");
  exit(exit_code);
}
/* Preparing: a failure is the environment's. Running: a failure is the kernel's. */
#define WORKLOAD_PREPARE(w, call) workload_check(w, call, #call, 2)
#define WORKLOAD_RUN(w, call) workload_check(w, call, #call, 1)

/* A workload may have an argument `registers`, the most that a thread may use (nvcc -maxrregcount); 0: no limit. */
static inline void workload_load(struct workload *w) {
  CUjit_option option = CU_JIT_MAX_REGISTERS;
  void *most = NULL;
  for (int i = 0; i < WORKLOAD_ARGS && workload_args[i].name; i++)
    if (!strcmp(workload_args[i].name, "registers")) most = (void *)(uintptr_t)w->value[i];
  if (most) WORKLOAD_PREPARE(w, cuModuleLoadDataEx(&w->module, w->ptx, 1, &option, &most));
  else WORKLOAD_PREPARE(w, cuModuleLoadData(&w->module, w->ptx));
}

/* Device 0, its primary context, the module of the chosen version; returns the kernel. */
static inline CUfunction workload_open(struct workload *w, const char *kernel) {
  CUfunction function;
  WORKLOAD_PREPARE(w, cuInit(0));
  WORKLOAD_PREPARE(w, cuDeviceGet(&w->device, 0));
  WORKLOAD_PREPARE(w, cuDevicePrimaryCtxRetain(&w->context, w->device));
  WORKLOAD_PREPARE(w, cuCtxSetCurrent(w->context));
  workload_load(w);
  WORKLOAD_PREPARE(w, cuModuleGetFunction(&function, w->module, kernel));
  return function;
}

/* A further kernel of the module. */
static inline CUfunction workload_kernel(const struct workload *w, const char *kernel) {
  CUfunction function;
  WORKLOAD_PREPARE(w, cuModuleGetFunction(&function, w->module, kernel));
  return function;
}

static inline void workload_close(struct workload *w) {
  WORKLOAD_PREPARE(w, cuModuleUnload(w->module));
  WORKLOAD_PREPARE(w, cuDevicePrimaryCtxRelease(w->device));
}

/* Device memory of `bytes`, filled from `data` unless that is NULL. */
static inline CUdeviceptr workload_upload(const struct workload *w, const void *data, size_t bytes) {
  CUdeviceptr address;
  WORKLOAD_PREPARE(w, cuMemAlloc(&address, bytes));
  if (data) WORKLOAD_PREPARE(w, cuMemcpyHtoD(address, data, bytes));
  return address;
}

/* The same, with room after it: whole tiles may be read where a matrix ends inside one. */
static inline CUdeviceptr workload_upload_tiled(const struct workload *w, const void *data, size_t bytes) {
  CUdeviceptr address;
  WORKLOAD_PREPARE(w, cuMemAlloc(&address, bytes + 128));
  WORKLOAD_PREPARE(w, cuMemcpyHtoD(address, data, bytes));
  return address;
}

/* In up to three dimensions, with `shared` bytes of dynamic shared memory. */
struct workload_shape {
  unsigned x, y, z;
};
static inline void workload_launch_shape(const struct workload *w, CUfunction kernel, struct workload_shape grid,
                                         struct workload_shape block, unsigned shared, void **arguments) {
  WORKLOAD_RUN(
    w, cuLaunchKernel(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, NULL, arguments, NULL));
  WORKLOAD_RUN(w, cuCtxSynchronize());
}

/* In one dimension. */
static inline void workload_launch_shared(const struct workload *w, CUfunction kernel, unsigned ctas, unsigned threads,
                                          unsigned shared, void **arguments) {
  workload_launch_shape(w, kernel, (struct workload_shape){ctas, 1, 1}, (struct workload_shape){threads, 1, 1}, shared,
                        arguments);
}

static inline void workload_launch(const struct workload *w, CUfunction kernel, unsigned ctas, unsigned threads,
                                   void **arguments) {
  workload_launch_shared(w, kernel, ctas, threads, 0, arguments);
}

static inline void workload_download(const struct workload *w, void *data, CUdeviceptr address, size_t bytes) {
  WORKLOAD_RUN(w, cuMemcpyDtoH(data, address, bytes));
}

/* ---- data ---- */

static inline void *workload_alloc(const struct workload *w, size_t bytes) {
  void *p = calloc(1, bytes ? bytes : 1);
  if (!p) workload_usage(w, "%s", "out of host memory; choose a smaller size");
  return p;
}

/* Element i of the deterministic input stream of `seed`: 64 bits (splitmix64, integers only). */
static inline uint64_t workload_bits(uint64_t seed, uint64_t stream, uint64_t i) {
  uint64_t z = (seed * 1021 + stream) * UINT64_C(0x9e3779b97f4a7c15) + i * UINT64_C(0xd1342543de82ef95);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* The same as a multiple of 2^-16 in [-1, 1). */
static inline float workload_input(uint64_t seed, uint64_t stream, uint64_t i) {
  return (float)((int32_t)(workload_bits(seed, stream, i) >> 47) - 65536) / 65536.f;
}

/* The same as a whole number in [-2^(bits-1), 2^(bits-1)), bits 1..32: small numbers whose float sums are exact. */
static inline int32_t workload_whole(uint64_t seed, uint64_t stream, uint64_t i, unsigned bits) {
  return (int32_t)((int64_t)(workload_bits(seed, stream, i) >> (64 - bits)) - (INT64_C(1) << (bits - 1)));
}

/* Largest |got - want|, where `tolerance` is allowed; the first element beyond it is named. NaN is
 * beyond. */
struct workload_comparison {
  double max_error;
  size_t wrong, first_wrong;
};
static inline void workload_compare(struct workload_comparison *c, size_t i, float got, float want, double tolerance) {
  double error = fabs((double)got - (double)want);
  if (error > c->max_error || error != error) c->max_error = error;
  if (error <= tolerance) return;
  if (!c->wrong++) c->first_wrong = i;
}

static inline void workload_compare_whole(struct workload_comparison *c, size_t i, int64_t got, int64_t want) {
  double error = fabs((double)got - (double)want);
  if (error > c->max_error) c->max_error = error;
  if (got == want) return;
  if (!c->wrong++) c->first_wrong = i;
}

/* The last line of every run; returns the exit code. `sizes` is "n=... m=...". */
static inline int workload_verdict(const struct workload *w, const char *sizes, const struct workload_comparison *c) {
  if (c->wrong) fprintf(stderr, "%s: %zu wrong elements, the first at index %zu\n", w->name, c->wrong, c->first_wrong);
  printf("%s: %s version=%s %s max_error=%g\n", w->name, sizes, w->version, c->wrong ? "FAIL" : "PASS", c->max_error);
  return c->wrong ? 1 : 0;
}

#endif
