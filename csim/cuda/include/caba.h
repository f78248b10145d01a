/* SPDX-License-Identifier: Apache-2.0 */
/* Assist warps (Vijaykumar 2019, chapter 5): a program brings routines of its own, which SMs execute beside its kernels. One header for
 * kernels (.cu: clang and nvcc) and for host programs in C against the driver API. docs/caba.md describes the language of routines.
 *
 *   CABA_ROUTINES(R"(                                                            kernel.cu, once a module
 *     .entry twice .attribute(.event(store), .encoding(0x40, 0xf0)) { ... }
 *     .entry once .attribute(.event(fill), .encoding(0x40, 0xf0), .priority(high)) { ... }
 *   )")
 *
 * puts the text into the module, as the variable __caba_routines. The driver assembles it when it loads the module, after the routines that
 * are there: of the design (caba.design) and of modules before. Names are the program's, so that two texts have different ones; a text that
 * is there already is not added again. Routines stay until the program ends. A text that cannot be makes the load fail: a sentence on
 * standard error names its line.
 *
 *   cabaMark(3, a, b);                                                           kernel.cu: a mark
 *   cabaMarkAt(5, (unsigned long long)pointer, c);                               live-ins 0 and 1 are the halves of an address
 *   unsigned long long both = cabaRun(4, a);
 *
 * A mark calls the routine of .event(mark) and this number, a constant from 0 to 31, with up to four live-ins. It takes no issue slot. The warp waits for
 * a routine of high priority, which may have two live-outs: the lower and the upper half of what cabaRun returns. One of low priority runs
 * beside the warp, or not at all. Without assist warps nothing runs, and cabaRun returns 0: so does a kernel with CABA_OFF, in a version
 * `baseline` or with TANDEM_NO_SYSTEM.
 *
 *   struct caba c;
 *   cabaOpen(&c);                                                                host.c, after cuInit
 *   cabaAdd(&c, "words.ptx", text);                                              the same for a text that the host has
 *   cabaRoutines(&c, &n);                                                        routines of the program that are there
 *
 * Results:
 *   CUDA_ERROR_OUT_OF_MEMORY   the store has no room: 512 words, 32 routines, 16 triggers
 *   CUDA_ERROR_INVALID_VALUE   the text cannot be: a sentence on standard error says why
 * The calls do nothing and return CUDA_SUCCESS with another driver, and when no assist warps are on (--system caba, caba.design). */
#ifndef TANDEM_CABA_H
#define TANDEM_CABA_H

/* The routines of a module. Little endian: magic "CABA", version u16, 2 bytes of 0, bytes of the text u32, the text (assumption: the layout;
 * the thesis has routines annotated and compiled with the program). */
enum { CABA_SEGMENT_VERSION = 1, CABA_HEAD_BYTES = 12 };

#if defined(__CUDACC__) || defined(__CUDA__)

/* ==== kernels ==== */

#include "tandem_device.h"

#if defined(TANDEM_NO_SYSTEM) || defined(TANDEM_VERSION_BASELINE)
#ifndef CABA_OFF
#define CABA_OFF
#endif
#endif

#ifndef CABA_OFF

/* An instruction for each number, since its program counter calls the routine. */
/* clang-format off */
#define CABA_NUMBERS_(X)                                                                                             \
  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) \
  X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31)
/* clang-format on */
#define CABA_DECLARE_(n)                                                                      \
  __device__ void caba_mark_##n(unsigned a, unsigned b, unsigned c, unsigned d);              \
  __device__ unsigned long long caba_run_##n(unsigned a, unsigned b, unsigned c, unsigned d); \
  __device__ void caba_mark_at_##n(unsigned long long address, unsigned c, unsigned d);
#define CABA_MARK_(n)          \
  case n:                      \
    caba_mark_##n(a, b, c, d); \
    break;
#define CABA_MARK_AT_(n)             \
  case n:                            \
    caba_mark_at_##n(address, c, d); \
    break;
#define CABA_RUN_(n) \
  case n: return caba_run_##n(a, b, c, d);
extern "C" {
CABA_NUMBERS_(CABA_DECLARE_)
}

static __device__ __forceinline__ void cabaMark(unsigned number, unsigned a = 0, unsigned b = 0, unsigned c = 0,
                                                unsigned d = 0) {
  switch (number) { CABA_NUMBERS_(CABA_MARK_) }
}
static __device__ __forceinline__ void cabaMarkAt(unsigned number, unsigned long long address, unsigned c = 0,
                                                  unsigned d = 0) {
  switch (number) { CABA_NUMBERS_(CABA_MARK_AT_) }
}
static __device__ __forceinline__ unsigned long long cabaRun(unsigned number, unsigned a = 0, unsigned b = 0,
                                                             unsigned c = 0, unsigned d = 0) {
  switch (number) { CABA_NUMBERS_(CABA_RUN_) }
  return 0;
}

#define CABA_ROUTINES(string)                                                                                   \
  extern "C" {                                                                                                  \
  __device__ __attribute__((used)) struct {                                                                     \
    unsigned char magic[4];                                                                                     \
    unsigned short version, zero;                                                                               \
    unsigned bytes;                                                                                             \
    char text[sizeof(string)];                                                                                  \
  } __caba_routines = {{'C', 'A', 'B', 'A'}, CABA_SEGMENT_VERSION, 0, (unsigned)(sizeof(string) - 1u), string}; \
  }

#else

#define CABA_ROUTINES(string)
static __device__ __forceinline__ void cabaMark(unsigned, unsigned = 0, unsigned = 0, unsigned = 0, unsigned = 0) {}
static __device__ __forceinline__ void cabaMarkAt(unsigned, unsigned long long, unsigned = 0, unsigned = 0) {}
static __device__ __forceinline__ unsigned long long cabaRun(unsigned, unsigned = 0, unsigned = 0, unsigned = 0,
                                                             unsigned = 0) {
  return 0;
}

#endif

#else

/* ==== host programs ==== */

#include <cuda.h>
#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The functions are NULL if the calls do nothing. */
struct caba {
  CUresult (*add)(const char *name, const char *text, size_t bytes);
  CUresult (*routines)(unsigned *);
};

static inline void caba_find(const char *name, void *function, size_t bytes) {
  void *found = NULL;
  CUdriverProcAddressQueryResult status;
  if (cuGetProcAddress(name, &found, CUDA_VERSION, 0, &status) != CUDA_SUCCESS) found = NULL;
  memcpy(function, &found, bytes);
}

/* After cuInit, before the other calls. */
static inline void cabaOpen(struct caba *c) {
  caba_find("tandemCabaAdd", &c->add, sizeof c->add);
  caba_find("tandemCabaRoutines", &c->routines, sizeof c->routines);
}

/* Adds the routines of a text; messages call it `name`. */
static inline CUresult cabaAdd(const struct caba *c, const char *name, const char *text) {
  return c->add ? c->add(name, text, strlen(text)) : CUDA_SUCCESS;
}

/* How many routines of the program are there. */
static inline CUresult cabaRoutines(const struct caba *c, unsigned *count) {
  *count = 0;
  return c->routines ? c->routines(count) : CUDA_SUCCESS;
}

#ifdef __cplusplus
}
#endif
#endif
#endif
