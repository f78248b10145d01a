/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: capture. The calls in a captured stream become nodes of a graph; another stream joins the capture when it waits for an event that
 * was recorded in a captured one. */
#include "api_node.h"

#include <stdlib.h>
#include <string.h>

static CUstream stream_of(struct cuda_driver *d, CUstream stream) { return cuda_stream_object(d, stream); }

bool cuda_is_captured(struct cuda_driver *d, CUstream stream) {
  CUstream s = stream_of(d, stream);
  return s && s->capture;
}

/* ---- what comes before the next node of a stream ---- */

static bool add_tail(struct cuda_tail *t, const CUgraphNode *nodes, size_t n) {
  for (size_t i = 0; i < n; i++) {
    size_t k = 0;
    while (k < t->n && t->node[k] != nodes[i]) k++;
    if (k < t->n) continue;
    CUgraphNode *list = realloc(t->node, (t->n + 1) * sizeof(CUgraphNode));
    if (!list) return false;
    t->node = list;
    list[t->n++] = nodes[i];
  }
  return true;
}

void cuda_tail_clear(struct cuda_tail *t) {
  free(t->node);
  *t = (struct cuda_tail){0};
}

CUgraphNode cuda_capture_node(struct cuda_driver *d, CUstream stream, CUgraphNodeType type) {
  CUstream s = stream_of(d, stream);
  if (s->capture->invalid) return NULL;
  CUgraphNode node = cuda_node_new(s->capture->graph, type, s->tail.node, s->tail.n);
  if (!node) return NULL;
  s->tail.n = 0;
  if (!add_tail(&s->tail, &node, 1)) s->capture->invalid = true;
  return node;
}

static CUresult no_node(struct cuda_driver *d, CUstream stream) {
  return stream_of(d, stream)->capture->invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_ERROR_OUT_OF_MEMORY;
}

/* ---- calls that become nodes ---- */

CUresult cuda_capture_launch(struct cuda_driver *d, CUstream stream, const struct cuda_launch *l) {
  struct cuda_launch copy;
  if (!cuda_launch_copy(&copy, l)) return CUDA_ERROR_OUT_OF_MEMORY;
  CUgraphNode node = cuda_capture_node(d, stream, CU_GRAPH_NODE_TYPE_KERNEL);
  if (node) node->launch = copy;
  else free(copy.pointers);
  return node ? CUDA_SUCCESS : no_node(d, stream);
}

CUresult cuda_capture_copy(struct cuda_driver *d, CUstream stream, CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  const CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                           .srcDevice = from,
                           .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                           .dstDevice = to,
                           .WidthInBytes = bytes,
                           .Height = 1,
                           .Depth = 1};
  return cuda_capture_copy3d(d, stream, &c);
}

CUresult cuda_capture_copy3d(struct cuda_driver *d, CUstream stream, const CUDA_MEMCPY3D *c) {
  CUgraphNode node = cuda_capture_node(d, stream, CU_GRAPH_NODE_TYPE_MEMCPY);
  if (node) node->copy = *c;
  return node ? CUDA_SUCCESS : no_node(d, stream);
}

CUresult cuda_capture_copy2d(struct cuda_driver *d, CUstream stream, const CUDA_MEMCPY2D *c) {
  CUgraphNode node = cuda_capture_node(d, stream, CU_GRAPH_NODE_TYPE_MEMCPY);
  if (!node) return no_node(d, stream);
  node->rectangle = true;
  node->copy2d = *c;
  return CUDA_SUCCESS;
}

CUresult cuda_capture_fill(struct cuda_driver *d, CUstream stream, const CUDA_MEMSET_NODE_PARAMS *p) {
  CUgraphNode node = cuda_capture_node(d, stream, CU_GRAPH_NODE_TYPE_MEMSET);
  if (node) node->fill = *p;
  return node ? CUDA_SUCCESS : no_node(d, stream);
}

CUresult cuda_capture_host(struct cuda_driver *d, CUstream stream, CUhostFn function, void *data) {
  CUgraphNode node = cuda_capture_node(d, stream, CU_GRAPH_NODE_TYPE_HOST);
  if (node) node->host = (CUDA_HOST_NODE_PARAMS){function, data};
  return node ? CUDA_SUCCESS : no_node(d, stream);
}

CUresult cuda_capture_memory(struct cuda_driver *d, CUstream stream, CUgraphNodeType type,
                             struct cuda_graph_memory *memory) {
  CUgraphNode node = cuda_capture_node(d, stream, type);
  if (node) node->memory = memory;
  return node ? CUDA_SUCCESS : no_node(d, stream);
}

CUresult cuda_capture_event(struct cuda_driver *d, CUstream stream, CUgraphNodeType type, CUevent event) {
  if (!cuda_is_captured(d, stream)) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNode node = cuda_capture_node(d, stream, type);
  if (node) node->event = event;
  return node ? CUDA_SUCCESS : no_node(d, stream);
}

CUresult cuda_capture_refuse(struct cuda_driver *d, CUstream stream) {
  stream_of(d, stream)->capture->invalid = true;
  return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

/* ---- events ---- */

void cuda_capture_record(struct cuda_driver *d, CUevent event, CUstream stream) {
  CUstream s = stream_of(d, stream);
  cuda_tail_clear(&event->tail);
  event->capture = s && s->capture ? s->capture->id : 0;
  if (event->capture && !add_tail(&event->tail, s->tail.node, s->tail.n)) s->capture->invalid = true;
}

/* The capture under way in which the event was recorded, or NULL. */
static struct cuda_capture *capture_of(const struct cuda_driver *d, const struct CUevent_st *event) {
  for (struct cuda_object *o = d->objects[CUDA_STREAM]; o && event->capture; o = o->next) {
    struct cuda_capture *c = ((CUstream)(void *)o)->capture;
    if (c && c->id == event->capture) return c;
  }
  return NULL;
}

CUresult cuda_capture_forbids_event(const struct cuda_driver *d, const struct CUevent_st *event) {
  struct cuda_capture *c = capture_of(d, event);
  if (!c) return CUDA_SUCCESS;
  c->invalid = true;
  return CUDA_ERROR_CAPTURED_EVENT;
}

CUresult cuda_capture_wait(struct cuda_driver *d, CUstream stream, const struct CUevent_st *event) {
  CUstream s = stream_of(d, stream);
  struct cuda_capture *c = capture_of(d, event);
  if (!c) {
    if (!s || !s->capture) return CUDA_SUCCESS;
    s->capture->invalid = true;
    return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
  }
  if (c->invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (cuda_default_handle(stream) == CU_STREAM_LEGACY) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  if (!s && !(s = cuda_default_object(d, stream))) return CUDA_ERROR_OUT_OF_MEMORY;
  if (s->capture && s->capture != c) {
    s->capture->invalid = c->invalid = true;
    return CUDA_ERROR_STREAM_CAPTURE_MERGE;
  }
  s->capture = c;
  return add_tail(&s->tail, event->tail.node, event->tail.n) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

bool cuda_capture_leave(CUstream s) {
  struct cuda_capture *c = s->capture;
  if (c->origin == s || !add_tail(&c->left, s->tail.node, s->tail.n)) return false;
  cuda_tail_clear(&s->tail);
  return true;
}

/* ---- begin and end ---- */

static bool is_node_of(const struct CUgraph_st *graph, const struct CUgraphNode_st *node) {
  const struct CUgraphNode_st *own = graph->first;
  while (own && own != node) own = own->next;
  return own;
}

/* Nodes that a program names: of this graph, the edges plain. */
static CUresult check_before(const struct CUgraph_st *graph, const CUgraphNode *before, const CUgraphEdgeData *data,
                             size_t n) {
  static const CUgraphEdgeData plain = {0};
  if (n && !before) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < n; i++) {
    if (data && memcmp(&data[i], &plain, sizeof plain) != 0)
      return cuda_not_supported("graphs: edges other than plain dependencies are not simulated");
    if (!is_node_of(graph, before[i])) return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

/* Into `graph`, which stays the program's, or into a new one, which is the capture's until its end. */
static CUresult begin(struct cuda_driver *d, CUstream stream, CUgraph graph, CUstreamCaptureMode mode) {
  if ((unsigned)mode > CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_INVALID_VALUE;
  if (cuda_default_handle(stream) == CU_STREAM_LEGACY) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (!cuda_is_stream(d, stream)) return CUDA_ERROR_INVALID_HANDLE;
  CUstream s = cuda_default_object(d, stream);
  if (!s) return CUDA_ERROR_OUT_OF_MEMORY;
  if (s->capture) return CUDA_ERROR_ILLEGAL_STATE;
  struct cuda_capture *c = calloc(1, sizeof *c);
  CUgraph own = graph || !c ? graph : cuda_object_new(d, CUDA_GRAPH, sizeof *own, NULL);
  if (!c || !own) {
    free(c);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  *c = (struct cuda_capture){
    .graph = own, .given = graph, .origin = s, .thread = cuda_thread(), .mode = mode, .id = ++d->ids};
  if (!graph) own->owned = true;
  s->capture = c;
  return CUDA_SUCCESS;
}

CUDA_API CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  CUDA_CALL(true);
  return cuda_leave(begin(d, stream, NULL, mode));
}

CUDA_API CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode *before,
                                              const CUgraphEdgeData *data, size_t n, CUstreamCaptureMode mode) {
  CUDA_CALL(true);
  if (!cuda_object(d, CUDA_GRAPH, graph)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUresult result = check_before(graph, before, data, n);
  if (!result) result = begin(d, stream, graph, mode);
  if (result) return cuda_leave(result);
  CUstream s = stream_of(d, stream);
  if (!add_tail(&s->tail, before, n)) s->capture->invalid = true;
  return cuda_leave(CUDA_SUCCESS);
}

static bool is_in(const struct cuda_tail *t, CUgraphNode node) {
  for (size_t i = 0; i < t->n; i++)
    if (t->node[i] == node) return true;
  return false;
}

/* Work of another stream that nothing of the first one comes behind. */
static bool is_unjoined(const struct cuda_capture *c, const struct cuda_tail *t) {
  for (size_t i = 0; i < t->n; i++) {
    bool used = is_in(&c->origin->tail, t->node[i]);
    for (CUgraphNode node = c->graph->first; node && !used; node = node->next)
      for (size_t k = 0; k < node->n_before && !used; k++) used = node->before[k] == t->node[i];
    if (!used) return true;
  }
  return false;
}

CUDA_API CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  CUDA_CALL(true);
  CUstream s = stream_of(d, stream);
  if (!graph) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *graph = NULL;
  if (!s || !s->capture) return cuda_leave(s ? CUDA_ERROR_ILLEGAL_STATE : CUDA_ERROR_INVALID_HANDLE);
  struct cuda_capture *c = s->capture;
  if (c->origin != s) return cuda_leave(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
  if (c->mode != CU_STREAM_CAPTURE_MODE_RELAXED && c->thread != cuda_thread())
    return cuda_leave(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
  CUresult result = c->invalid                 ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
                    : is_unjoined(c, &c->left) ? CUDA_ERROR_STREAM_CAPTURE_UNJOINED
                                               : CUDA_SUCCESS;
  for (struct cuda_object *o = d->objects[CUDA_STREAM]; o; o = o->next) {
    CUstream other = (CUstream)(void *)o;
    if (other->capture == c && other != s && !result && is_unjoined(c, &other->tail))
      result = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
  }
  for (struct cuda_object *o = d->objects[CUDA_STREAM]; o; o = o->next) {
    CUstream other = (CUstream)(void *)o;
    if (other->capture != c) continue;
    other->capture = NULL;
    cuda_tail_clear(&other->tail);
  }
  if (!c->given) c->graph->owned = false;
  if (result && !c->given) cuda_graph_free(d, c->graph);
  if (!result) *graph = c->graph;
  cuda_tail_clear(&c->left);
  free(c);
  return cuda_leave(result);
}

CUDA_API CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
                                            CUgraph *graph, const CUgraphNode **before, const CUgraphEdgeData **data,
                                            size_t *n) {
  CUDA_CALL(true);
  if (!cuda_is_stream(d, stream)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  if (!status) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUresult result = cuda_legacy_forbidden(d, stream);
  if (result) return cuda_leave(result);
  CUstream s = stream_of(d, stream);
  const struct cuda_capture *c = s ? s->capture : NULL;
  *status = !c           ? CU_STREAM_CAPTURE_STATUS_NONE
            : c->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                         : CU_STREAM_CAPTURE_STATUS_ACTIVE;
  if (*status != CU_STREAM_CAPTURE_STATUS_ACTIVE) return cuda_leave(CUDA_SUCCESS);
  if (id) *id = c->id;
  if (graph) *graph = c->graph;
  if (before) *before = s->tail.node;
  if (data) *data = NULL;
  if (n) *n = s->tail.n;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
                                            CUgraph *graph, const CUgraphNode **before, size_t *n) {
  return cuStreamGetCaptureInfo_v3(stream, status, id, graph, before, NULL, n);
}

/* What the stream adds next comes behind these nodes, too, or behind these alone. */
CUDA_API CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *before,
                                                       const CUgraphEdgeData *data, size_t n, unsigned int flags) {
  CUDA_STREAM_CALL(stream);
  if (!s || !s->capture) return cuda_leave(CUDA_ERROR_ILLEGAL_STATE);
  if (flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUresult result = check_before(s->capture->graph, before, data, n);
  if (result) return cuda_leave(result);
  struct cuda_tail tail = {0};
  bool set = flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES;
  if ((!set && !add_tail(&tail, s->tail.node, s->tail.n)) || !add_tail(&tail, before, n)) {
    cuda_tail_clear(&tail);
    return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  }
  cuda_tail_clear(&s->tail);
  s->tail = tail;
  return cuda_leave(CUDA_SUCCESS);
}
/* CUDA 12's, without the data of edges. */
CUresult update_dependencies_v1(CUstream, CUgraphNode *, size_t,
                                unsigned int) __asm__("cuStreamUpdateCaptureDependencies");
CUDA_API CUresult update_dependencies_v1(CUstream stream, CUgraphNode *before, size_t n, unsigned int flags) {
  return cuStreamUpdateCaptureDependencies_v2(stream, before, NULL, n, flags);
}

CUDA_API CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
  return cuStreamGetCaptureInfo_v2(stream, status, NULL, NULL, NULL, NULL);
}
