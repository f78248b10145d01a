/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: initialisation, the end of the process, errors. */
#include "api.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What cuDriverGetVersion answers: the newest header that programs are compiled against. */
enum { DRIVER_VERSION = 13000 };

static void at_exit(void) {
  struct cuda_driver *d = cuda_enter();
  struct err e = {0};
  if (d->sim && d->owner == getpid()) {
    cuda_drop_textures(d);
    cuda_context_clear(d, NULL); /* modules live in the simulator's memory */
    d->unwritten = run_finish(d->sim, &e);
    if (d->unwritten) fprintf(stderr, "tandem: simulated, but the results are not complete: %s\n", e.text);
  }
  d->sim = NULL;
  cuda_leave(CUDA_SUCCESS);
}

/* Runs after the program's own exit handlers. A program that finds its results right must not pass without its record. */
static void __attribute__((destructor)) exit_unwritten(void) {
  bool complete = !cuda_enter()->unwritten;
  cuda_leave(CUDA_SUCCESS);
  if (complete) return;
  fflush(NULL);
  _exit(err_exit_code(ERR_FILE));
}

CUDA_API CUresult cuInit(unsigned int flags) {
  struct cuda_driver *d = cuda_enter();
  struct err e = {0};
  if (flags) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (d->sim) return cuda_leave(CUDA_SUCCESS);
  if (simulator_create(&d->sim, &e)) return cuda_leave(cuda_complain(CUDA_ERROR_INVALID_VALUE, &e));
  cuda_proposals_start(d);
  d->owner = getpid();
  atexit(at_exit); /* last, so that it runs before the destructors of libraries that the simulator loaded */
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuDriverGetVersion(int *version) {
  if (!version) return CUDA_ERROR_INVALID_VALUE;
  *version = DRIVER_VERSION;
  return CUDA_SUCCESS;
}

CUDA_API CUresult cuGetErrorName(CUresult result, const char **name) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  switch (result) {
#define X(code, value, sentence) \
  case code: *name = #code; return CUDA_SUCCESS;
    TANDEM_CUDA_ERRORS(X)
#undef X
  }
  *name = NULL;
  return CUDA_ERROR_INVALID_VALUE;
}

CUDA_API CUresult cuGetErrorString(CUresult result, const char **text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  switch (result) {
#define X(code, value, sentence) \
  case code: *text = sentence; return CUDA_SUCCESS;
    TANDEM_CUDA_ERRORS(X)
#undef X
  }
  *text = NULL;
  return CUDA_ERROR_INVALID_VALUE;
}

/* The simulator counts everything, always. */
CUDA_API CUresult cuProfilerStart(void) {
  CUDA_CALL(true);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuProfilerStop(void) {
  CUDA_CALL(true);
  return cuda_leave(CUDA_SUCCESS);
}
