/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: the names that cuda.h gives its calls under CUDA_API_PER_THREAD_DEFAULT_STREAM (nvcc --default-stream per-thread). While
 * one of them runs, stream 0 is the thread's. Calls that do not ask which stream 0 is have second names alone (per_thread.ld). */
#include "api_per_thread.h"
#include "api.h"

#define OWN(call, suffix, parameters, arguments)                           \
  CUresult call##suffix parameters __attribute__((visibility("default"))); \
  CUresult call##suffix parameters {                                       \
    struct cuda_thread *t = cuda_thread();                                 \
    bool before = t->own_default;                                          \
    t->own_default = true;                                                 \
    CUresult result = call arguments;                                      \
    t->own_default = before;                                               \
    return result;                                                         \
  }
#include "per_thread.def"
#undef OWN

CUDA_API bool tandem_own_default_stream(bool own) {
  bool before = cuda_thread()->own_default;
  cuda_thread()->own_default = own;
  return before;
}

typedef void (*entry)(void);

void (*cuda_per_thread_entry(void (*plain)(void)))(void) {
#define OWN(call, suffix, parameters, arguments) {(entry)(call), (entry)(call##suffix)},
  static const entry pairs[][2] = {
#include "per_thread.def"
  };
#undef OWN
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (pairs[i][0] == plain) return pairs[i][1];
  return plain;
}
