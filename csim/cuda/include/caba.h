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
