/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: streams and events. Streams are in order and synchronous; events carry simulated time. */
#include "api.h"

#include <stdlib.h>

int cuda_stream_priority(int asked) { return asked > 0 ? 0 : asked < -5 ? -5 : asked; }

static CUresult create_stream(CUstream *stream, unsigned int flags, int priority) {
  CUDA_CALL(true);
  if (!stream || flags > CU_STREAM_NON_BLOCKING) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUstream s = cuda_object_new(d, CUDA_STREAM, sizeof *s, cuda_current());
  if (!s) return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  s->id = ++d->ids;
  s->flags = flags;
  s->priority = cuda_stream_priority(priority);
  *stream = s;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuStreamCreate(CUstream *stream, unsigned int flags) { return create_stream(stream, flags, 0); }

CUDA_API CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority) {
  return create_stream(stream, flags, priority);
}

CUDA_API CUresult cuStreamDestroy(CUstream stream) {
  CUDA_CALL(true);
  if (!cuda_object(d, CUDA_STREAM, stream)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  if (stream->capture && !cuda_capture_leave(stream)) return cuda_leave(cuda_capture_refuse(d, stream));
  cuda_object_free(d, CUDA_STREAM, stream);
  return cuda_leave(CUDA_SUCCESS);
}

/* Begins a call about the stream `s`; NULL: a default stream that nothing is remembered of. */
#define STREAM_CALL(stream)                   \
  CUDA_CALL(true);                            \
  CUstream s = cuda_stream_object(d, stream); \
  if (!s && !cuda_is_stream(d, stream)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE)

CUDA_API CUresult cuStreamSynchronize(CUstream stream) {
  CUDA_STREAM_CALL(stream);
  if (s && s->capture) return cuda_leave(cuda_capture_refuse(d, s));
  cuda_flush_prints(cuda_current());
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuStreamQuery(CUstream stream) {
  CUDA_STREAM_CALL(stream);
  if (s && s->capture) return cuda_leave(cuda_capture_refuse(d, s));
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  CUDA_STREAM_CALL(stream);
  if (flags > CU_EVENT_WAIT_EXTERNAL) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!cuda_object(d, CUDA_EVENT, event)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  if (flags) return cuda_leave(cuda_capture_event(d, s, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event));
  return cuda_leave(cuda_capture_wait(d, stream, event));
}

CUDA_API CUresult cuStreamGetPriority(CUstream stream, int *priority) {
  STREAM_CALL(stream);
  if (!priority) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *priority = s ? s->priority : 0;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags) {
  STREAM_CALL(stream);
  if (!flags) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *flags = s ? s->flags : CU_STREAM_DEFAULT;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
  STREAM_CALL(stream);
  if (!id) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *id = s ? s->id : (uintptr_t)cuda_default_handle(stream);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
  STREAM_CALL(stream);
  if (!context) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *context = s ? s->object.context : cuda_current();
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuStreamGetDevice(CUstream stream, CUdevice *device) {
  STREAM_CALL(stream);
  if (!device) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *device = 0;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t bytes, unsigned int flags) {
  STREAM_CALL(stream);
  const struct cuda_allocation *a = cuda_allocation_at(d, address);
  bool good = a && a->kind == CUDA_MANAGED_MEMORY && bytes <= a->bytes && flags && flags <= CU_MEM_ATTACH_SINGLE;
  return cuda_leave(good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

/* The callback runs without the lock, so that other threads can call the driver meanwhile. */
CUDA_API CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  CUDA_STREAM_CALL(stream);
  if (function && s && s->capture) return cuda_leave(cuda_capture_host(d, s, function, data));
  cuda_leave(CUDA_SUCCESS);
  if (!function) return CUDA_ERROR_INVALID_VALUE;
  function(data);
  return CUDA_SUCCESS;
}

CUDA_API CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data, unsigned int flags) {
  CUDA_STREAM_CALL(stream);
  if (s && s->capture) return cuda_leave(cuda_capture_refuse(d, s));
  cuda_leave(CUDA_SUCCESS);
  if (!callback || flags) return CUDA_ERROR_INVALID_VALUE;
  callback(stream, CUDA_SUCCESS, data);
  return CUDA_SUCCESS;
}

/* ---- events ---- */

CUDA_API CUresult cuEventCreate(CUevent *event, unsigned int flags) {
  CUDA_CALL(true);
  const unsigned int known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
  if (!event || flags & ~known) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (flags & CU_EVENT_INTERPROCESS)
    return cuda_leave(cuda_not_supported("events shared by processes are not simulated"));
  CUevent e = cuda_object_new(d, CUDA_EVENT, sizeof *e, cuda_current());
  if (!e) return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  e->timed = !(flags & CU_EVENT_DISABLE_TIMING);
  *event = e;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuEventDestroy(CUevent event) {
  CUDA_CALL(true);
  if (!cuda_object(d, CUDA_EVENT, event)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  cuda_tail_clear(&event->tail);
  cuda_object_free(d, CUDA_EVENT, event);
  return cuda_leave(CUDA_SUCCESS);
}

void cuda_event_record(struct cuda_driver *d, CUevent e, CUstream stream) {
  cuda_capture_record(d, e, stream);
  e->ns = simulator_ns(d->sim);
  e->recorded = !e->capture;
}

CUDA_API CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags) {
  CUDA_STREAM_CALL(stream);
  CUevent e = cuda_object(d, CUDA_EVENT, event);
  if (!e) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  if (flags > CU_EVENT_RECORD_EXTERNAL) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (flags) return cuda_leave(cuda_capture_event(d, s, CU_GRAPH_NODE_TYPE_EVENT_RECORD, e));
  cuda_event_record(d, e, stream);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuEventRecord(CUevent event, CUstream stream) { return cuEventRecordWithFlags(event, stream, 0); }

CUDA_API CUresult cuEventQuery(CUevent event) {
  CUDA_CALL(true);
  const struct CUevent_st *e = cuda_object(d, CUDA_EVENT, event);
  if (!e) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  CUresult result = cuda_capture_forbids_event(d, e);
  return cuda_leave(result ? result : cuda_capture_forbids(d));
}

CUDA_API CUresult cuEventSynchronize(CUevent event) {
  CUresult result = cuEventQuery(event);
  if (!result) result = cuda_wait();
  return result;
}

CUDA_API CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  CUDA_CALL(true);
  const struct CUevent_st *from = cuda_object(d, CUDA_EVENT, start), *to = cuda_object(d, CUDA_EVENT, end);
  if (!milliseconds) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!from || !to || !from->recorded || !to->recorded || !from->timed || !to->timed)
    return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  *milliseconds = (float)((double)(int64_t)(to->ns - from->ns) * 1e-6);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end) {
  return cuEventElapsedTime(milliseconds, start, end);
}

CUDA_ALIAS(cuStreamDestroy_v2, "cuStreamDestroy");
CUDA_ALIAS(cuEventDestroy_v2, "cuEventDestroy");
