// SPDX-License-Identifier: Apache-2.0
// Attributes of streams; graphs that are instantiated with parameters, printed as DOT (into argv[1]), and that keep objects of the
// program alive; dependencies of a capture that the program changes.
#include "check.h"

#include <cstring>

__global__ void add(int *x, int value) { *x += value; }

static int destroyed;
static void CUDART_CB destroy(void *data) { destroyed += *(int *)data; }

static int attributes() {
  int wrong = 0;
  cudaStream_t a, b;
  cudaStreamAttrValue v = {}, told = {};
  CHECK(cudaStreamCreate(&a));
  CHECK(cudaStreamCreate(&b));
  CHECK(cudaStreamGetAttribute(a, cudaStreamAttributeSynchronizationPolicy, &told));
  wrong += told.syncPolicy != cudaSyncPolicyAuto;
  v.accessPolicyWindow.base_ptr = &v;
  v.accessPolicyWindow.num_bytes = 4096;
  v.accessPolicyWindow.hitRatio = 0.5f;
  v.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  v.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  CHECK(cudaStreamSetAttribute(a, cudaStreamAttributeAccessPolicyWindow, &v));
  CHECK(cudaStreamCopyAttributes(b, a));
  CHECK(cudaStreamGetAttribute(b, cudaStreamAttributeAccessPolicyWindow, &told));
  wrong += told.accessPolicyWindow.base_ptr != &v || told.accessPolicyWindow.num_bytes != 4096 ||
           told.accessPolicyWindow.hitRatio != 0.5f ||
           told.accessPolicyWindow.hitProp != cudaAccessPropertyPersisting ||
           told.accessPolicyWindow.missProp != cudaAccessPropertyStreaming;
  v.accessPolicyWindow.hitRatio = 1.5f;
  FAILS(cudaErrorInvalidValue, cudaStreamSetAttribute(a, cudaStreamAttributeAccessPolicyWindow, &v));
  v = {};
  v.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
  FAILS(cudaErrorInvalidValue, cudaStreamSetAttribute(a, cudaStreamAttributeAccessPolicyWindow, &v));
  v.syncPolicy = cudaSyncPolicyYield;
  CHECK(cudaStreamSetAttribute(cudaStreamPerThread, cudaStreamAttributeSynchronizationPolicy, &v));
  CHECK(cudaStreamGetAttribute(cudaStreamPerThread, cudaStreamAttributeSynchronizationPolicy, &told));
  wrong += told.syncPolicy != cudaSyncPolicyYield;
  CHECK(cudaStreamGetAttribute(cudaStreamLegacy, cudaStreamAttributeSynchronizationPolicy, &told));
  wrong += told.syncPolicy != cudaSyncPolicyAuto;
  v.priority = -100; // cut to the range
  int least, greatest, priority;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(cudaStreamSetAttribute(b, cudaStreamAttributePriority, &v));
  CHECK(cudaStreamGetPriority(b, &priority));
  wrong += priority != greatest;
  CHECK(cudaStreamGetAttribute(a, cudaStreamAttributeMemSyncDomainMap, &told));
  wrong += told.memSyncDomainMap.default_ != 0 || told.memSyncDomainMap.remote != 1;
  FAILS(cudaErrorInvalidValue, cudaStreamSetAttribute(a, cudaLaunchAttributeCooperative, &v)); // of launches alone
  FAILS(cudaErrorInvalidValue, cudaStreamGetAttribute(a, cudaStreamAttributePriority, nullptr));
  CHECK(cudaStreamDestroy(a));
  FAILS(cudaErrorInvalidResourceHandle, cudaStreamGetAttribute(a, cudaStreamAttributePriority, &told));
  CHECK(cudaStreamDestroy(b));
  cudaGetLastError();
  return wrong;
}

static cudaGraphNode_t kernel(cudaGraph_t graph, const cudaGraphNode_t *before, size_t n, int *x, int value) {
  cudaKernelNodeParams k = {};
  cudaGraphNode_t node;
  void *arguments[] = {&x, &value};
  k.func = (void *)add;
  k.gridDim = k.blockDim = 1;
  k.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&node, graph, before, n, &k));
  return node;
}

static int instances(int *x) {
  int wrong = 0;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  unsigned long long flags = 0;
  cudaGraphInstantiateParams p = {};
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t first = kernel(graph, nullptr, 0, x, 1), second = kernel(graph, &first, 1, x, 2);
  p.flags = cudaGraphInstantiateFlagUpload | cudaGraphInstantiateFlagUseNodePriority;
  p.result_out = cudaGraphInstantiateError;
  CHECK(cudaGraphInstantiateWithParams(&exec, graph, &p));
  wrong += p.result_out != cudaGraphInstantiateSuccess || p.errNode_out;
  CHECK(cudaGraphExecGetFlags(exec, &flags));
  wrong += flags != p.flags;
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
  wrong += *x != 3;
  CHECK(cudaGraphExecDestroy(exec));
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphAddDependencies(graph, &second, &first, nullptr, 1)); // a circle
#else
  CHECK(cudaGraphAddDependencies(graph, &second, &first, 1));
#endif
  FAILS(cudaErrorInvalidValue, cudaGraphInstantiateWithParams(&exec, graph, &p));
  wrong += p.result_out != cudaGraphInstantiateInvalidStructure || (p.errNode_out != first && p.errNode_out != second);
  p.flags = 1 << 20;
  FAILS(cudaErrorInvalidValue, cudaGraphInstantiateWithParams(&exec, graph, &p));
  wrong += p.result_out != cudaGraphInstantiateError;
  FAILS(cudaErrorInvalidValue, cudaGraphInstantiateWithParams(&exec, graph, nullptr));
  CHECK(cudaGraphDestroy(graph));
  cudaGetLastError();
  return wrong;
}

// Of an object refer the program, graphs, their clones and executable graphs.
static int objects(int *x) {
  int wrong = 0, one = 1, ten = 10;
  cudaUserObject_t user, other;
  cudaGraph_t graph, clone;
  cudaGraphExec_t exec;
  CHECK(cudaGraphCreate(&graph, 0));
  kernel(graph, nullptr, 0, x, 1);
  CHECK(cudaUserObjectCreate(&user, &one, destroy, 1, cudaUserObjectNoDestructorSync));
  FAILS(cudaErrorInvalidValue, cudaUserObjectCreate(&other, &one, destroy, 1, 0)); // the flag is a must
  FAILS(cudaErrorInvalidValue, cudaUserObjectCreate(&other, &one, destroy, 0, cudaUserObjectNoDestructorSync));
  CHECK(cudaUserObjectRetain(user, 2));
  CHECK(cudaGraphRetainUserObject(graph, user, 1, cudaGraphUserObjectMove)); // the program has two
  FAILS(cudaErrorInvalidValue, cudaUserObjectRelease(user, 3));
  CHECK(cudaUserObjectRelease(user, 2));
  wrong += destroyed != 0;
  CHECK(cudaGraphClone(&clone, graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphExecDestroy(exec));
  wrong += destroyed != 0;
  FAILS(cudaErrorInvalidValue, cudaGraphReleaseUserObject(clone, user, 2));
  CHECK(cudaGraphReleaseUserObject(clone, user, 1));
  wrong += destroyed != 1;
  FAILS(cudaErrorInvalidValue, cudaUserObjectRetain(user, 1)); // is gone
  FAILS(cudaErrorInvalidValue, cudaGraphRetainUserObject(clone, user, 1, 0));
  CHECK(cudaUserObjectCreate(&other, &ten, destroy, 1, cudaUserObjectNoDestructorSync));
  CHECK(cudaGraphRetainUserObject(clone, other, 2, 0));
  CHECK(cudaGraphDestroy(clone));
  wrong += destroyed != 1; // the program's own is left
  CHECK(cudaUserObjectRelease(other, 1));
  wrong += destroyed != 11;
  cudaGetLastError();
  return wrong;
}

static int text(int *x, const char *path) {
  cudaGraph_t graph, inner;
  cudaGraphNode_t node, fill;
  cudaMemsetParams f = {};
  f.dst = x;
  f.elementSize = 4;
  f.width = f.height = 1;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphCreate(&inner, 0));
  kernel(inner, nullptr, 0, x, 1);
  CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &f));
  node = kernel(graph, &fill, 1, x, 1);
  CHECK(cudaGraphAddChildGraphNode(&node, graph, &node, 1, inner));
  CHECK(cudaGraphAddEmptyNode(&node, graph, &node, 1));
  CHECK(cudaGraphDebugDotPrint(graph, path, cudaGraphDebugDotFlagsVerbose));
  FAILS(cudaErrorInvalidValue, cudaGraphDebugDotPrint(graph, nullptr, 0));
  FAILS(cudaErrorOperatingSystem, cudaGraphDebugDotPrint(graph, "/no/such/folder/graph.dot", 0));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(inner));
  cudaGetLastError();
  return 0;
}

// Two branches of one stream: the second begins where the first did, and a third node comes behind both.
static int dependencies(int *x) {
  cudaStream_t s;
  cudaGraph_t graph;
  cudaStreamCaptureStatus status;
  cudaGraphNode_t root, left;
  const cudaGraphNode_t *last;
  size_t n = 0, edges = 0;
  unsigned long long id;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  add<<<1, 1, 0, s>>>(x, 1);
#if CUDART_VERSION >= 13000
#define INFO() cudaStreamGetCaptureInfo(s, &status, &id, &graph, &last, nullptr, &n)
#define UPDATE(node, flags) cudaStreamUpdateCaptureDependencies(s, node, nullptr, 1, flags)
#else
#define INFO() cudaStreamGetCaptureInfo_v2(s, &status, &id, &graph, &last, &n)
#define UPDATE(node, flags) cudaStreamUpdateCaptureDependencies(s, node, 1, flags)
#endif
  CHECK(INFO());
  root = last[0];
  add<<<1, 1, 0, s>>>(x, 2);
  CHECK(INFO());
  left = last[0];
  CHECK(UPDATE(&root, cudaStreamSetCaptureDependencies));
  add<<<1, 1, 0, s>>>(x, 3);
  CHECK(UPDATE(&left, cudaStreamAddCaptureDependencies));
  add<<<1, 1, 0, s>>>(x, 4);
  FAILS(cudaErrorInvalidValue, UPDATE(&left, 2));
  CHECK(cudaStreamEndCapture(s, &graph));
  FAILS(cudaErrorIllegalState, UPDATE(&left, 0)); // no capture
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
#else
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
#endif
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(s));
  cudaGetLastError();
  return edges != 4;
}

int main(int argc, char **argv) {
  int *x;
  CHECK(cudaMallocManaged(&x, sizeof *x));
  *x = 0;
  int a = attributes(), b = instances(x), c = objects(x), d = text(x, argc > 1 ? argv[1] : "graph.dot"),
      e = dependencies(x);
  if (a + b + c + d + e)
    printf("attributes: %d, instances: %d, objects: %d, text: %d, dependencies: %d\n", a, b, c, d, e);
  return verdict(a + b + c + d + e);
}
