/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: the lock that every call takes, each thread's current context, error messages. */
#include "api.h"
#include "base/log.h"

#include <pthread.h>
#include <stdlib.h>

/* The driver API has no handle of the driver: there is one for each process. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cuda_driver driver;

/* The API's stack of contexts belongs to the thread: no call names it. */
static _Thread_local struct cuda_thread thread;

struct cuda_thread *cuda_thread(void) {
  return &thread;
}

CUcontext cuda_current(void) { return thread.depth ? thread.stack[thread.depth - 1] : NULL; }

struct cuda_driver *cuda_enter(void) {
  pthread_mutex_lock(&lock);
  return &driver;
}

/* Objects whose last reference the call has given back (api_user_object.c). */
static void bury(struct cuda_dead *dead) {
  for (struct cuda_dead *next; dead; dead = next) {
    next = dead->next;
    dead->destroy(dead->data);
    free(dead);
  }
}

CUresult cuda_leave(CUresult result) {
  struct cuda_dead *dead = driver.dead;
  driver.dead = NULL;
  pthread_mutex_unlock(&lock);
  bury(dead);
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
  log_line("%s", e->text);
  return result;
}

CUresult cuda_not_supported(const char *sentence) {
  fprintf(stderr, "tandem: %s\n", sentence);
  log_line("%s", sentence);
  return CUDA_ERROR_NOT_SUPPORTED;
}
