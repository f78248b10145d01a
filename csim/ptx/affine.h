/* SPDX-License-Identifier: Apache-2.0 */
/* Which global addresses a kernel reads, as far as a launch alone gives them: the static analysis of Lashgar 2018 (section
 * 2), on decoded PTX instead of CUDA source.
 *
 * An array is a kernel parameter that the kernel uses as an address of global memory. An index is an expression by which
 * loads read an array; loads whose expressions are equal, or differ within one element of the array, share an index. Its
 * class is
 *   static       it depends on constants, scalar parameters, blockDim and gridDim alone
 *   quasi        on threadIdx or blockIdx, too
 *   none         it is not known at the launch; the reason says why
 * The expression is a polynomial over parameters, blockDim and gridDim with threadIdx and blockIdx. A shift to the left
 * is a product: PTX does not tell whether the compiler or the programmer made it one. Conversions of 32 bits to 64 are
 * exact where the launch shows that nothing wraps (affine_rows.h); a guard around a load changes nothing. */
#ifndef TANDEM_PTX_AFFINE_H
#define TANDEM_PTX_AFFINE_H

#include "ptx/affine_kinds.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptx_kernel;

struct affine_array {
  uint32_t parameter; /* number of the kernel's parameter */
  uint32_t offset;    /* of the pointer, in bytes of the parameters */
  uint32_t n_loads, n_indexes;
};

struct affine_index {
  uint32_t array;
  uint8_t class;    /* enum affine_class */
  uint8_t reason;   /* enum affine_reason */
  bool promoted;    /* quasi only because the number of iterations of its loops is known at the launch */
  uint32_t element; /* bytes: every term of the expression but the constant is a multiple of it */
  uint32_t n_loads;
  uint32_t first_load; /* in the order of the text */
  uint32_t cause;      /* operation that makes it unknown, or UINT32_MAX */
};

struct affine_load {
  uint32_t op;    /* of the kernel */
  uint32_t bytes; /* that a thread reads */
  uint32_t index;
};

struct affine {
  const struct ptx_kernel *kernel;
  const struct affine_array *array;
  uint32_t n_arrays;
  const struct affine_index *index; /* in the order of their first loads */
  uint32_t n_indexes;
  const struct affine_load *load; /* global reads of arrays, in the order of the text */
  uint32_t n_loads;
  uint32_t n_other; /* global reads through other pointers: loaded from memory, of .global variables, of two arrays */
  uint32_t n_in_calls; /* reads in functions that the kernel calls, which are not analysed */
};

struct affine_options {
  /* An index that a loop changes is quasi if the loop runs a number of times that the launch gives. */
  bool promote;
};

/* Never NULL; the kernel must outlive it. */
struct affine *affine_analyse(const struct ptx_kernel *, const struct affine_options *);
void affine_free(struct affine *);

const char *affine_class_name(enum affine_class);   /* "static", "quasi", "none" */
const char *affine_reason_name(enum affine_reason); /* "operator" */
const char *affine_reason_sentence(enum affine_reason);
/* The expression of an index in elements, such as "512*blockIdx.x + threadIdx.x". Parts that are not known are named by
 * their reason and the PTX line: "induction@35". Cut off at `size`. */
void affine_expression(const struct affine *, uint32_t index, char *text, size_t size);
/* The linear form of the paper's Table 1, in elements: a1, the factor of blockIdx along each axis; a0, the rest:
 * its least value over threadIdx, and one more than its largest. Parameters count as not negative;
 * an iteration stays as it is. False: the index is not known, or not of degree one. */
enum affine_bound { AFFINE_A1_X, AFFINE_A1_Y, AFFINE_A1_Z, AFFINE_A0_LEAST, AFFINE_A0_END, AFFINE_BOUNDS };
bool affine_bound(const struct affine *, uint32_t index, enum affine_bound, char *text, size_t size);
/* Reads as the source has them, by class and reason: loads at one place of the source count once, however often a compiler
 * copied or unrolled them. False: a load has no .loc. */
struct affine_places {
  uint32_t n, by_class[AFFINE_CLASSES], by_reason[AFFINE_REASONS];
};
bool affine_places(const struct affine *, struct affine_places *);
/* File (`size` bytes of it) and line of the source that an operation comes from, by the .loc directives of the PTX.
 * False: the PTX has none there. */
bool affine_source_line(const struct ptx_kernel *, uint32_t op, char *file, size_t size, uint32_t *line,
                        uint32_t *column);

#endif
