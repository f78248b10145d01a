/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: the lock that every call takes, the current context of a thread, sentences on standard error. */
#include "api.h"

#include <pthread.h>

/* The driver API has no handle for itself: one device a process, as the API wants it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cuda_driver driver;

/* The API makes the stack of contexts a thread's own: no call names it. */
static _Thread_local struct cuda_thread thread;

struct cuda_thread *cuda_thread(void) {
  return &thread;
}

CUcontext cuda_current(void) { return thread.depth ? thread.stack[thread.depth - 1] : NULL; }

struct cuda_driver *cuda_enter(void) {
  pthread_mutex_lock(&lock);
  return &driver;
}

CUresult cuda_leave(CUresult result) {
  pthread_mutex_unlock(&lock);
  return result;
}

CUresult cuda_ready(const struct cuda_driver *d, bool context) {
  if (!d->sim) return CUDA_ERROR_NOT_INITIALIZED;
  if (d->lost) return d->lost;
  if (!context) return CUDA_SUCCESS;
  CUcontext current = cuda_current();
  if (!current) return CUDA_ERROR_INVALID_CONTEXT;
  return current->alive ? current->sticky : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

CUresult cuda_complain(CUresult result, const struct err *e) {
  fprintf(stderr, "tandem: %s\n", e->text);
  return result;
}

CUresult cuda_not_supported(const char *sentence) {
  fprintf(stderr, "tandem: %s\n", sentence);
  return CUDA_ERROR_NOT_SUPPORTED;
}
