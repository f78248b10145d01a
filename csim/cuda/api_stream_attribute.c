/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: attributes of streams. They are hints: a stream keeps them for the program to read back, and no kernel runs otherwise. */
#include "api.h"

/* What a stream has before the program sets it is zero but for these. */
static CUsynchronizationPolicy policy_of(const struct CUstream_st *s) {
  return s->policy ? s->policy : CU_SYNC_POLICY_AUTO;
}
static CUlaunchMemSyncDomainMap map_of(const struct CUstream_st *s) {
  return s->mapped ? s->domains : (CUlaunchMemSyncDomainMap){0, 1};
}

/* The object of a stream that the call names, with room for attributes. */
static CUresult named(struct cuda_driver *d, CUstream stream, CUstream *s) {
  if (!cuda_is_stream(d, stream)) return CUDA_ERROR_INVALID_HANDLE;
  *s = cuda_default_object(d, stream);
  return *s ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUDA_API CUresult cuStreamGetAttribute(CUstream stream, CUlaunchAttributeID id, CUlaunchAttributeValue *value) {
  CUDA_CALL(true);
  CUstream s;
  if (!value) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUresult result = named(d, stream, &s);
  if (result) return cuda_leave(result);
  *value = (CUlaunchAttributeValue){{0}};
  switch (id) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW: value->accessPolicyWindow = s->window; break;
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY: value->syncPolicy = policy_of(s); break;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY: value->priority = s->priority; break;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP: value->memSyncDomainMap = map_of(s); break;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN: value->memSyncDomain = s->domain; break;
    default: result = CUDA_ERROR_INVALID_VALUE; /* no attribute of streams */
  }
  return cuda_leave(result);
}

static bool is_window(const CUaccessPolicyWindow *w) {
  return w->hitRatio >= 0 && w->hitRatio <= 1 && (unsigned)w->hitProp <= CU_ACCESS_PROPERTY_PERSISTING &&
         (unsigned)w->missProp <= CU_ACCESS_PROPERTY_STREAMING; /* what misses cannot persist */
}

static CUresult set(CUstream s, CUlaunchAttributeID id, const CUlaunchAttributeValue *v) {
  switch (id) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
      if (!is_window(&v->accessPolicyWindow)) return CUDA_ERROR_INVALID_VALUE;
      s->window = v->accessPolicyWindow;
      return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
      if (v->syncPolicy < CU_SYNC_POLICY_AUTO || v->syncPolicy > CU_SYNC_POLICY_BLOCKING_SYNC)
        return CUDA_ERROR_INVALID_VALUE;
      s->policy = v->syncPolicy;
      return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY: s->priority = cuda_stream_priority(v->priority); return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
      s->domains = v->memSyncDomainMap;
      s->mapped = true;
      return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
      if ((unsigned)v->memSyncDomain > CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE) return CUDA_ERROR_INVALID_VALUE;
      s->domain = v->memSyncDomain;
      return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
  }
}

CUDA_API CUresult cuStreamSetAttribute(CUstream stream, CUlaunchAttributeID id, const CUlaunchAttributeValue *value) {
  CUDA_CALL(true);
  CUstream s;
  if (!value) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUresult result = named(d, stream, &s);
  return cuda_leave(result ? result : set(s, id, value));
}

/* Both streams belong to one context. */
CUDA_API CUresult cuStreamCopyAttributes(CUstream to, CUstream from) {
  CUDA_CALL(true);
  CUstream a, b;
  CUresult result = named(d, to, &a);
  if (!result) result = named(d, from, &b);
  if (result) return cuda_leave(result);
  if (a->object.context != b->object.context) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  a->window = b->window;
  a->policy = b->policy;
  a->priority = b->priority;
  a->domain = b->domain;
  a->domains = b->domains;
  a->mapped = b->mapped;
  return cuda_leave(CUDA_SUCCESS);
}
