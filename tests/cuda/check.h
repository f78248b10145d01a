/* SPDX-License-Identifier: Apache-2.0 */
/* The macro that every CUDA program has: a call that fails ends the program with its sentence. */
#ifndef TANDEM_TESTS_CUDA_CHECK_H
#define TANDEM_TESTS_CUDA_CHECK_H

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                              \
  do {                                                                                           \
    cudaError_t error_ = (call);                                                                 \
    if (error_ != cudaSuccess) {                                                                 \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_)); \
      exit(1);                                                                                   \
    }                                                                                            \
  } while (0)

/* Ends the program if a call does not fail in the way that is wanted. */
#define FAILS(wanted, call)                                                                                      \
  do {                                                                                                           \
    cudaError_t error_ = (call);                                                                                 \
    if (error_ != (wanted)) {                                                                                    \
      fprintf(stderr, "%s:%d: %s gives %s instead of %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(error_), \
              #wanted);                                                                                          \
      exit(1);                                                                                                   \
    }                                                                                                            \
  } while (0)

static inline int verdict(int wrong) {
  printf("Result = %s\n", wrong ? "FAIL" : "PASS");
  return wrong != 0;
}

#endif
