/* SPDX-License-Identifier: Apache-2.0 */
/* Runtime API: streams and events. Events carry simulated time. */
#include "runtime.h"

RT_API cudaError_t cudaStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority) {
  RT_DRIVER(cuStreamCreateWithPriority(stream, flags, priority));
}
RT_API cudaError_t cudaStreamCreateWithFlags(CUstream *stream, unsigned int flags) {
  RT_DRIVER(cuStreamCreate(stream, flags));
}
RT_API cudaError_t cudaStreamCreate(CUstream *stream) { return cudaStreamCreateWithFlags(stream, 0); }
RT_API cudaError_t cudaStreamDestroy(CUstream stream) { RT_DRIVER(cuStreamDestroy(stream)); }
RT_API cudaError_t cudaStreamSynchronize(CUstream stream) { RT_DRIVER(cuStreamSynchronize(stream)); }
RT_API cudaError_t cudaStreamQuery(CUstream stream) { RT_DRIVER(cuStreamQuery(stream)); }
RT_API cudaError_t cudaStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  RT_DRIVER(cuStreamWaitEvent(stream, event, flags));
}
RT_API cudaError_t cudaStreamGetPriority(CUstream stream, int *priority) {
  RT_DRIVER(cuStreamGetPriority(stream, priority));
}
RT_API cudaError_t cudaStreamGetFlags(CUstream stream, unsigned int *flags) {
  RT_DRIVER(cuStreamGetFlags(stream, flags));
}
RT_API cudaError_t cudaStreamGetDevice(CUstream stream, int *device) { RT_DRIVER(cuStreamGetDevice(stream, device)); }
RT_API cudaError_t cudaStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
  RT_DRIVER(cuStreamIsCapturing(stream, status));
}
RT_API cudaError_t cudaThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  RT_DEVICE(cuThreadExchangeStreamCaptureMode(mode));
}
RT_API cudaError_t cudaStreamAttachMemAsync(CUstream stream, void *at, size_t bytes, unsigned int flags) {
  RT_DRIVER(cuStreamAttachMemAsync(stream, (uintptr_t)at, bytes, flags));
}

RT_API cudaError_t cudaStreamGetAttribute(CUstream stream, CUlaunchAttributeID id, CUlaunchAttributeValue *value) {
  RT_DRIVER(cuStreamGetAttribute(stream, id, value));
}
RT_API cudaError_t cudaStreamSetAttribute(CUstream stream, CUlaunchAttributeID id,
                                          const CUlaunchAttributeValue *value) {
  RT_DRIVER(cuStreamSetAttribute(stream, id, value));
}
RT_API cudaError_t cudaStreamCopyAttributes(CUstream to, CUstream from) { RT_DRIVER(cuStreamCopyAttributes(to, from)); }

/* The callback gets an error of the runtime; its numbers are the driver's. */
RT_API cudaError_t cudaStreamAddCallback(CUstream stream, void (*callback)(CUstream, cudaError_t, void *), void *data,
                                         unsigned int flags) {
  RT_BEGIN();
  CUresult result = callback && !flags ? cuStreamQuery(stream) : CUDA_ERROR_INVALID_VALUE;
  if (!result) callback(stream, cudaSuccess, data);
  return rt_note(result);
}

RT_API cudaError_t cudaStreamGetId(CUstream stream, unsigned long long *id) { RT_DRIVER(cuStreamGetId(stream, id)); }

RT_OWN(cudaStreamGetId, _ptsz, (CUstream stream, unsigned long long *id), (stream, id))
RT_OWN(cudaStreamGetAttribute, _ptsz, (CUstream stream, CUlaunchAttributeID id, CUlaunchAttributeValue *value),
       (stream, id, value))
RT_OWN(cudaStreamSetAttribute, _ptsz, (CUstream stream, CUlaunchAttributeID id, const CUlaunchAttributeValue *value),
       (stream, id, value))
RT_OWN(cudaStreamCopyAttributes, _ptsz, (CUstream to, CUstream from), (to, from))
RT_OWN(cudaStreamSynchronize, _ptsz, (CUstream stream), (stream))
RT_OWN(cudaStreamQuery, _ptsz, (CUstream stream), (stream))
RT_OWN(cudaStreamWaitEvent, _ptsz, (CUstream stream, CUevent event, unsigned int flags), (stream, event, flags))
RT_ALIAS(cudaStreamGetPriority, _ptsz);
RT_ALIAS(cudaStreamGetFlags, _ptsz);
RT_ALIAS(cudaStreamGetDevice, _ptsz);
RT_OWN(cudaStreamIsCapturing, _ptsz, (CUstream stream, CUstreamCaptureStatus *status), (stream, status))
RT_ALIAS(cudaStreamAttachMemAsync, _ptsz);
RT_OWN(cudaStreamAddCallback, _ptsz,
       (CUstream stream, void (*callback)(CUstream, cudaError_t, void *), void *data, unsigned int flags),
       (stream, callback, data, flags))

/* ---- events ---- */

RT_API cudaError_t cudaEventCreateWithFlags(CUevent *event, unsigned int flags) {
  RT_DRIVER(cuEventCreate(event, flags));
}
RT_API cudaError_t cudaEventCreate(CUevent *event) { return cudaEventCreateWithFlags(event, 0); }
RT_API cudaError_t cudaEventDestroy(CUevent event) { RT_DRIVER(cuEventDestroy(event)); }
RT_API cudaError_t cudaEventQuery(CUevent event) { RT_DRIVER(cuEventQuery(event)); }
RT_API cudaError_t cudaEventSynchronize(CUevent event) { RT_DRIVER(cuEventSynchronize(event)); }
RT_API cudaError_t cudaEventElapsedTime(float *ms, CUevent start, CUevent end) {
  RT_DRIVER(cuEventElapsedTime(ms, start, end));
}
RT_API cudaError_t cudaEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags) {
  RT_DRIVER(cuEventRecordWithFlags(event, stream, flags));
}
RT_API cudaError_t cudaEventRecord(CUevent event, CUstream stream) {
  return cudaEventRecordWithFlags(event, stream, 0);
}

RT_ALIAS(cudaEventElapsedTime, _v2);
RT_OWN(cudaEventRecord, _ptsz, (CUevent event, CUstream stream), (event, stream))
RT_OWN(cudaEventRecordWithFlags, _ptsz, (CUevent event, CUstream stream, unsigned int flags), (event, stream, flags))
