/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: the default streams. The legacy one stands for all blocking streams of its context, so that nothing may work in it
 * or wait for it while one of them is captured; that of a thread is a stream like others. Each becomes an object when a call needs
 * to remember something of it. */
#include "api.h"

enum { LEGACY_OWNER = UINT32_MAX };

static uint32_t thread_number(void) {
  static uint32_t last; /* under the driver's lock */
  struct cuda_thread *t = cuda_thread();
  if (!t->number) t->number = ++last;
  return t->number;
}

static CUstream find(const struct cuda_driver *d, uint32_t owner) {
  for (struct cuda_object *o = d->objects[CUDA_STREAM]; o; o = o->next) {
    CUstream s = (CUstream)(void *)o;
    if (s->owner == owner && o->context == cuda_current()) return s;
  }
  return NULL;
}

CUstream cuda_default_handle(CUstream stream) {
  if (stream) return stream;
  return cuda_thread()->own_default ? CU_STREAM_PER_THREAD : CU_STREAM_LEGACY;
}

CUstream cuda_stream_object(struct cuda_driver *d, CUstream stream) {
  stream = cuda_default_handle(stream);
  if (stream == CU_STREAM_LEGACY) return find(d, LEGACY_OWNER);
  return stream == CU_STREAM_PER_THREAD ? find(d, thread_number()) : cuda_object(d, CUDA_STREAM, stream);
}

CUstream cuda_default_object(struct cuda_driver *d, CUstream stream) {
  CUstream s = cuda_stream_object(d, stream);
  if (s || !cuda_is_stream(d, stream) || !(s = cuda_object_new(d, CUDA_STREAM, sizeof *s, cuda_current()))) return s;
  stream = cuda_default_handle(stream);
  s->id = (uintptr_t)stream;
  s->owner = stream == CU_STREAM_LEGACY ? LEGACY_OWNER : thread_number();
  return s;
}

static CUresult forbid(struct cuda_driver *d, CUstream stream, bool invalidate) {
  CUresult result = CUDA_SUCCESS;
  if (cuda_default_handle(stream) != CU_STREAM_LEGACY) return result;
  for (struct cuda_object *o = d->objects[CUDA_STREAM]; o; o = o->next) {
    CUstream s = (CUstream)(void *)o;
    if (!s->capture || s->flags & CU_STREAM_NON_BLOCKING || o->context != cuda_current()) continue;
    s->capture->invalid |= invalidate;
    result = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  }
  return result;
}

CUresult cuda_legacy_forbidden(struct cuda_driver *d, CUstream stream) { return forbid(d, stream, false); }

CUresult cuda_stream_use(struct cuda_driver *d, CUstream stream, CUstream *object) {
  if (!cuda_is_stream(d, stream)) return CUDA_ERROR_INVALID_HANDLE;
  *object = cuda_stream_object(d, stream);
  return forbid(d, stream, true);
}
