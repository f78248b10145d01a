/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: what may not be called while a stream is captured, by the modes of captures and threads. */
#include "api.h"

/* A thread's own capture forbids unsafe calls unless it is relaxed; that of another thread does where both are global. */
static bool forbids(const struct cuda_capture *c, const struct cuda_thread *t) {
  if (t->mode == CU_STREAM_CAPTURE_MODE_RELAXED || c->mode == CU_STREAM_CAPTURE_MODE_RELAXED) return false;
  bool both = t->mode == CU_STREAM_CAPTURE_MODE_GLOBAL && c->mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
  return both || c->thread == t;
}

/* Makes captures invalid: those of the current context (`waiting`), or those that forbid this thread's unsafe calls. */
static CUresult invalidate(struct cuda_driver *d, bool waiting) {
  CUresult result = CUDA_SUCCESS;
  for (struct cuda_object *o = d->objects[CUDA_STREAM]; o; o = o->next) {
    struct cuda_capture *c = ((CUstream)(void *)o)->capture;
    if (!c || !(waiting ? o->context == cuda_current() : forbids(c, cuda_thread()))) continue;
    c->invalid = true;
    result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  return result;
}

CUresult cuda_capture_forbids(struct cuda_driver *d) { return invalidate(d, false); }
CUresult cuda_capture_forbids_waiting(struct cuda_driver *d) { return invalidate(d, true); }

CUDA_API CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  CUDA_CALL(false);
  if (!mode || (unsigned)*mode > CU_STREAM_CAPTURE_MODE_RELAXED) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUstreamCaptureMode before = cuda_thread()->mode;
  cuda_thread()->mode = *mode;
  *mode = before;
  return cuda_leave(CUDA_SUCCESS);
}
