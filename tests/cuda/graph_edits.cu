// SPDX-License-Identifier: Apache-2.0
// Graphs: events as nodes, captured and made by hand; nodes, dependencies and parameters changed before and after instantiation; what is forbidden
// while a stream is captured.
#include "check.h"

#include <thread>

enum { N = 256 };

__device__ int added[N];
__global__ void add(int *x, int value) { x[threadIdx.x] += value; }
__global__ void multiply(int *x, int value) { x[threadIdx.x] *= value; }
__global__ void add_variable(int *x) { x[threadIdx.x] += added[threadIdx.x]; }

static int calls;
static void CUDART_CB count(void *data) { calls += *(int *)data; }

static bool follow(const cudaGraph_t &graph, size_t edges) {
  cudaGraphNode_t from[8], to[8];
  size_t n = 8;
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphGetEdges(graph, from, to, nullptr, &n));
#else
  CHECK(cudaGraphGetEdges(graph, from, to, &n));
#endif
  for (size_t i = 0; i < n; i++)
    if (!from[i] || from[i] == to[i]) return false;
  return n == edges;
}

static int all(const int *x, int wanted) {
  int wrong = 0;
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < N; i++) wrong += x[i] != wanted;
  return wrong;
}

static cudaKernelNodeParams kernel(void *function, void **arguments) {
  cudaKernelNodeParams k = {};
  k.func = function;
  k.gridDim = k.blockDim = 1;
  k.blockDim.x = N;
  k.kernelParams = arguments;
  return k;
}

// A graph that times itself: an event before the kernel and one behind it, of nodes and of a capture.
static int events(int *x) {
  int wrong = 0, one = 1;
  float by_hand = 0, captured = 0;
  void *arguments[] = {&x, &one};
  const cudaKernelNodeParams k = kernel((void *)add, arguments);
  cudaEvent_t start, stop, other, told;
  cudaStream_t s;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t first, work, last, wait;
  cudaGraphNodeType type;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventCreate(&other));
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddEventRecordNode(&first, graph, nullptr, 0, start));
  CHECK(cudaGraphAddKernelNode(&work, graph, &first, 1, &k));
  CHECK(cudaGraphAddEventRecordNode(&last, graph, &work, 1, stop));
  CHECK(cudaGraphAddEventWaitNode(&wait, graph, &last, 1, start));
  CHECK(cudaGraphNodeGetType(last, &type));
  wrong += type != cudaGraphNodeTypeEventRecord;
  CHECK(cudaGraphEventWaitNodeGetEvent(wait, &told));
  wrong += told != start;
  FAILS(cudaErrorInvalidValue, cudaGraphEventRecordNodeGetEvent(wait, &told));
  CHECK(cudaGraphEventWaitNodeSetEvent(wait, stop));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  FAILS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&by_hand, start, stop)); // nothing has been launched
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaStreamSynchronize(s));
  CHECK(cudaEventElapsedTime(&by_hand, start, stop));
  CHECK(cudaGraphExecEventRecordNodeSetEvent(exec, last, other));
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaStreamSynchronize(s));
  CHECK(cudaEventElapsedTime(&captured, stop, other));
  wrong += !(by_hand > 0) || !(captured > 0) || all(x, 2);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));

  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecordWithFlags(start, s, cudaEventRecordExternal));
  add<<<1, N, 0, s>>>(x, 1);
  CHECK(cudaEventRecordWithFlags(stop, s, cudaEventRecordExternal));
  CHECK(cudaStreamWaitEvent(s, other, cudaEventWaitExternal));
  CHECK(cudaStreamEndCapture(s, &graph));
  wrong += !follow(graph, 3);
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaStreamSynchronize(s));
  CHECK(cudaEventElapsedTime(&captured, start, stop));
  wrong += !(captured > 0) || all(x, 3);
  FAILS(cudaErrorInvalidValue, cudaEventRecordWithFlags(start, s, cudaEventRecordExternal)); // no capture
  CHECK(cudaEventDestroy(other));
  FAILS(cudaErrorInvalidValue, cudaGraphLaunch(exec, s)); // its event is gone
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaStreamDestroy(s));
  cudaGetLastError();
  return wrong;
}

// fill -> add 3 -> multiply by 5 -> copy, and a host function; then pieces are taken away, switched off and given other parameters.
static int edits(int *x, int *y) {
  static int from_host[N], into_variable[N];
  int wrong = 0, three = 3, five = 5, one = 1, ten = 10;
  void *plus[] = {&x, &three}, *times[] = {&x, &five}, *variable[] = {&x};
  const cudaKernelNodeParams k = kernel((void *)add, plus), m = kernel((void *)multiply, times),
                             v = kernel((void *)add_variable, variable);
  cudaMemsetParams f = {}, told = {};
  cudaHostNodeParams h = {count, &one}, told_host;
  cudaGraph_t graph, clone, child;
  cudaGraphExec_t exec;
  cudaGraphNode_t fill, sum, product, copy, host, spare, in, found;
  unsigned int enabled = 7;
  size_t n = 0;
  f.dst = x;
  f.elementSize = 4;
  f.value = 1;
  f.width = N;
  f.height = 1;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &f));
  CHECK(cudaGraphAddKernelNode(&sum, graph, &fill, 1, &k));
  CHECK(cudaGraphAddKernelNode(&product, graph, &sum, 1, &m));
  CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &product, 1, y, x, N * sizeof(int), cudaMemcpyDefault));
  CHECK(cudaGraphAddHostNode(&host, graph, &copy, 1, &h));
  CHECK(cudaGraphAddKernelNode(&spare, graph, &sum, 1, &m));
  wrong += !follow(graph, 5);
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphNodeGetDependentNodes(sum, nullptr, nullptr, &n));
  CHECK(cudaGraphRemoveDependencies(graph, &sum, &spare, nullptr, 1));
  FAILS(cudaErrorInvalidValue, cudaGraphRemoveDependencies(graph, &sum, &spare, nullptr, 1)); // is gone
#else
  CHECK(cudaGraphNodeGetDependentNodes(sum, nullptr, &n));
  CHECK(cudaGraphRemoveDependencies(graph, &sum, &spare, 1));
  FAILS(cudaErrorInvalidValue, cudaGraphRemoveDependencies(graph, &sum, &spare, 1));
#endif
  wrong += n != 2 || !follow(graph, 4);
  CHECK(cudaGraphDestroyNode(spare));
  FAILS(cudaErrorInvalidValue, cudaGraphDestroyNode(spare));
  CHECK(cudaGraphClone(&clone, graph));
  CHECK(cudaGraphNodeFindInClone(&found, product, clone));
  CHECK(cudaGraphDestroyNode(found)); // of the clone alone
  wrong += !follow(clone, 2);
  CHECK(cudaGraphAddChildGraphNode(&in, clone, nullptr, 0, graph));
  CHECK(cudaGraphChildGraphNodeGetGraph(in, &child));
  CHECK(cudaGraphGetNodes(child, nullptr, &n));
  wrong += n != 5;
  CHECK(cudaGraphDestroy(clone));
  CHECK(cudaGraphMemsetNodeGetParams(fill, &told));
  wrong += told.dst != x || told.value != 1 || told.width != N;
  CHECK(cudaGraphHostNodeGetParams(host, &told_host));
  wrong += told_host.fn != count || told_host.userData != &one;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, 0));
  wrong += all(y, (1 + 3) * 5) || calls != 1;
  CHECK(cudaGraphNodeSetEnabled(exec, sum, 0));
  CHECK(cudaGraphNodeGetEnabled(exec, sum, &enabled));
  FAILS(cudaErrorInvalidValue, cudaGraphNodeSetEnabled(exec, host, 0)); // kernels, copies and fills alone
  CHECK(cudaGraphLaunch(exec, 0));
  wrong += enabled || all(y, 5) || calls != 2;
  CHECK(cudaGraphNodeSetEnabled(exec, sum, 1));
  f.value = 2;
  h.userData = &ten;
  CHECK(cudaGraphExecMemsetNodeSetParams(exec, fill, &f));
  CHECK(cudaGraphExecHostNodeSetParams(exec, host, &h));
  CHECK(cudaGraphLaunch(exec, 0));
  wrong += all(y, (2 + 3) * 5) || calls != 12;
  CHECK(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, from_host, x, N * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaMemset(y, 0, N * sizeof(int)));
  CHECK(cudaGraphLaunch(exec, 0));
  wrong += all(from_host, 25) || all(y, 0);
  CHECK(cudaGraphExecDestroy(exec));

  f.value = 4;
  CHECK(cudaGraphMemsetNodeSetParams(fill, &f));
  CHECK(cudaGraphHostNodeSetParams(host, &h));
  CHECK(cudaGraphMemcpyNodeSetParamsFromSymbol(copy, y, added, N * sizeof(int), 0, cudaMemcpyDefault));
  for (int i = 0; i < N; i++) into_variable[i] = 100;
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&in, graph, &product, 1, added, into_variable, N * sizeof(int), 0,
                                       cudaMemcpyHostToDevice));
  CHECK(cudaGraphAddKernelNode(&spare, graph, &in, 1, &v));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaGraphLaunch(exec, 0)); // the first may copy the variable before it is set
  wrong += all(y, 100) || all(x, (4 + 3) * 5 + 100) || calls != 42;
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  cudaGetLastError();
  return wrong;
}

static cudaError_t of_thread(cudaStreamCaptureMode mode) {
  cudaError_t error;
  std::thread([&] {
    void *p = nullptr;
    CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
    error = cudaMalloc(&p, 16);
    cudaGetLastError();
  }).join();
  return error;
}

// What a capture forbids: to its own thread unless it is relaxed, to another one where both are global.
static void forbidden() {
  void *p;
  cudaStream_t s;
  cudaGraph_t graph;
  cudaEvent_t event;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaEventCreate(&event));
  CHECK(cudaEventRecord(event, s));
  const cudaStreamCaptureMode global = cudaStreamCaptureModeGlobal, local = cudaStreamCaptureModeThreadLocal,
                              relaxed = cudaStreamCaptureModeRelaxed;
  for (cudaStreamCaptureMode mode : {global, local}) {
    CHECK(cudaStreamBeginCapture(s, mode));
    FAILS(cudaErrorStreamCaptureUnsupported, cudaMalloc(&p, 16));
    FAILS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &graph));
    CHECK(cudaStreamBeginCapture(s, mode));
    FAILS(cudaErrorStreamCaptureUnsupported, cudaEventQuery(event));
    FAILS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &graph));
    cudaStreamCaptureMode mine = relaxed; // for a while
    CHECK(cudaStreamBeginCapture(s, mode));
    CHECK(cudaThreadExchangeStreamCaptureMode(&mine));
    CHECK(cudaMalloc(&p, 16));
    CHECK(cudaEventSynchronize(event));
    CHECK(cudaThreadExchangeStreamCaptureMode(&mine));
    if (mine != relaxed) exit(1);
    CHECK(cudaStreamEndCapture(s, &graph));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaFree(p));
  }
  CHECK(cudaStreamBeginCapture(s, relaxed));
  CHECK(cudaMalloc(&p, 16));
  CHECK(cudaFree(p));
  FAILS(cudaErrorStreamCaptureUnsupported, cudaDeviceSynchronize()); // waits for the stream itself
  FAILS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &graph));

  CHECK(cudaStreamBeginCapture(s, local));
  FAILS(cudaSuccess, of_thread(global));
  CHECK(cudaStreamEndCapture(s, &graph));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamBeginCapture(s, global));
  FAILS(cudaSuccess, of_thread(local));
  FAILS(cudaSuccess, of_thread(relaxed));
  std::thread([&] { FAILS(cudaErrorStreamCaptureWrongThread, cudaStreamEndCapture(s, &graph)); }).join();
  FAILS(cudaErrorStreamCaptureUnsupported, of_thread(global));
  FAILS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &graph));
  CHECK(cudaEventDestroy(event));
  CHECK(cudaStreamDestroy(s));
  cudaGetLastError();
}

int main() {
  int *x, *y;
  CHECK(cudaMallocManaged(&x, N * sizeof(int)));
  CHECK(cudaMallocManaged(&y, N * sizeof(int)));
  CHECK(cudaMemset(x, 0, N * sizeof(int)));
  int timed = events(x), edited = edits(x, y);
  if (timed) printf("events: %d\n", timed);
  if (edited) printf("edits: %d\n", edited);
  forbidden();
  return verdict(timed + edited);
}
