/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: initialisation, the end of the process, errors. */
#include "api.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The version that the driver reports: that of the newest CUDA whose programs it accepts. */
enum { DRIVER_VERSION = 13000 };

static void at_exit(void) {
  struct cuda_driver *d = cuda_enter();
  struct err e = {0};
  if (d->sim && d->owner == getpid()) {
    cuda_drop_textures(d);
    cuda_context_clear(d, NULL); /* before the simulator, whose memory the modules are in */
    d->unwritten = run_finish(d->sim, &e);
    if (d->unwritten) fprintf(stderr, "tandem: simulated, but the results are not complete: %s\n", e.text);
  }
  d->sim = NULL;
  cuda_leave(CUDA_SUCCESS);
}

/* A program that passes must not exit with 0 when results of the run are missing. Runs after the program's own exit handlers. */
static void __attribute__((destructor)) exit_unwritten(void) {
  bool complete = !cuda_enter()->unwritten;
  cuda_leave(CUDA_SUCCESS);
  if (complete) return;
  fflush(NULL);
  _exit(err_exit_code(ERR_FILE));
}

/* There is no GPU as it is configured. `tandem run` wants the sentence and no more; the program's own about cuInit() would follow it.
 * A program that was started in another way gets the error and goes on as it likes. */
static CUresult refuse(const struct err *e) {
  CUresult result = cuda_complain(CUDA_ERROR_INVALID_VALUE, e);
  if (!getenv("TANDEM_WORKLOAD")) return cuda_leave(result);
  fflush(NULL);
  _exit(err_exit_code(e->code));
}

CUDA_API CUresult cuInit(unsigned int flags) {
  struct cuda_driver *d = cuda_enter();
  struct err e = {0};
  if (flags) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (d->sim) return cuda_leave(CUDA_SUCCESS);
  if (simulator_create(&d->sim, &e)) return refuse(&e);
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

/* The simulator counts always; with --detail=profiler it simulates in detail only in between. */
CUDA_API CUresult cuProfilerStart(void) {
  CUDA_CALL(true);
  d->sim->profiling = true;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuProfilerStop(void) {
  CUDA_CALL(true);
  d->sim->profiling = false;
  return cuda_leave(CUDA_SUCCESS);
}
