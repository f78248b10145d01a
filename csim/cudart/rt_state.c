/* SPDX-License-Identifier: Apache-2.0 */
/* Runtime API: the context of a thread, its last error. */
#include "runtime.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* The API has no handle of the runtime: there is one for each process. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CUcontext primary; /* NULL before the first call that needs it */
static void (*at_first_context)(void);

/* The last error belongs to the thread: no call names it. */
static _Thread_local cudaError_t last;

void rt_lock(void) { pthread_mutex_lock(&lock); }
void rt_unlock(void) { pthread_mutex_unlock(&lock); }

cudaError_t rt_fail(cudaError_t error) {
  if (error) last = error;
  return error;
}

/* The runtime has the numbers of the driver, under names of its own (rt_error.c). */
cudaError_t rt_note(CUresult result) { return rt_fail((cudaError_t)result); }

cudaError_t rt_complain(cudaError_t error, const char *call, const char *sentence) {
  fprintf(stderr, "tandem: %s: %s\n", call, sentence);
  return rt_fail(error);
}

/* A configuration that is refused has left its sentence; programs expect the error of a device that does not start. */
cudaError_t rt_begin_device(void) { return cuInit(0) ? rt_fail(cudaErrorInitializationError) : cudaSuccess; }

void rt_at_first_context(void (*call)(void)) { at_first_context = call; }

static CUresult retain(void) {
  rt_lock();
  bool first = !primary;
  CUresult result = first ? cuDevicePrimaryCtxRetain(&primary, 0) : CUDA_SUCCESS;
  rt_unlock();
  if (!result) result = cuCtxSetCurrent(primary);
  if (!result && first && at_first_context) at_first_context();
  return result;
}

cudaError_t rt_begin(void) {
  CUcontext current = NULL;
  CUresult result = cuCtxGetCurrent(&current);
  if (!result && current) return cudaSuccess;
  cudaError_t error = rt_begin_device();
  return error ? error : rt_note(retain());
}

RT_API cudaError_t cudaPeekAtLastError(void);

RT_API cudaError_t cudaGetLastError(void) {
  cudaError_t error = cudaPeekAtLastError();
  last = cudaSuccess;
  return error;
}

/* A fault stays the context's error until the device is reset: it shows in every call, and in this one. */
RT_API cudaError_t cudaPeekAtLastError(void) {
  CUcontext current = NULL;
  unsigned int flags; /* any call will do */
  if (last || cuCtxGetCurrent(&current) || !current) return last;
  return (cudaError_t)cuCtxGetFlags(&flags);
}

RT_API cudaError_t cudaDeviceSynchronize(void) { RT_DRIVER(cuCtxSynchronize()); }
RT_API cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }

void rt_forget_error(void) { last = cudaSuccess; }
