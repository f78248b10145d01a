// SPDX-License-Identifier: Apache-2.0
// Graphs: captured from streams that fork and join, and made by hand; copies, fills, host functions, child graphs, memory of graphs; launched again with
// other parameters; the errors of capture.
#include "check.h"

#include <cstring>

enum { N = 1024, LAUNCHES = 3 };

__global__ void scale(float *x, float factor) { x[blockIdx.x * blockDim.x + threadIdx.x] *= factor; }
__global__ void add(float *sum, const float *a, const float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sum[i] += a[i] + b[i];
}

static int called;
static void CUDART_CB count(void *data) { called += *(int *)data; }

// a comes from the host, b is filled; two streams scale them; the first one adds both and copies the sum back.
static int captured(float *host, float *a, float *b, float *sum) {
  int one = 1, wrong = 0;
  float *result;
  cudaStream_t s, t;
  cudaEvent_t fork, join;
  cudaGraph_t graph, copy;
  cudaGraphExec_t exec;
  cudaStreamCaptureStatus status;
  size_t n = 0;
  CHECK(cudaMallocHost(&result, N * sizeof(float)));
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamCreate(&t));
  CHECK(cudaEventCreate(&fork));
  CHECK(cudaEventCreate(&join));
  CHECK(cudaMemset(sum, 0, N * sizeof(float)));
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(fork, s));
  CHECK(cudaStreamWaitEvent(t, fork, 0));
  CHECK(cudaMemcpyAsync(a, host, N * sizeof(float), cudaMemcpyHostToDevice, s));
  CHECK(cudaMemsetAsync(b, 0x40, N * sizeof(float), t));
  scale<<<N / 256, 256, 0, s>>>(a, 2);
  scale<<<N / 256, 256, 0, t>>>(b, 1);
  CHECK(cudaEventRecord(join, t));
  CHECK(cudaStreamWaitEvent(s, join, 0));
  CHECK(cudaStreamIsCapturing(t, &status));
  wrong += status != cudaStreamCaptureStatusActive;
  CHECK(cudaStreamDestroy(t)); // it has joined
  add<<<N / 256, 256, 0, s>>>(sum, a, b);
  CHECK(cudaMemcpyAsync(result, sum, N * sizeof(float), cudaMemcpyDeviceToHost, s));
  CHECK(cudaLaunchHostFunc(s, count, &one));
  CHECK(cudaStreamEndCapture(s, &graph));
  CHECK(cudaStreamIsCapturing(s, &status));
  wrong += status != cudaStreamCaptureStatusNone;
  CHECK(cudaGraphGetNodes(graph, nullptr, &n));
  wrong += n != 7 || called != 0; // nothing has run
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &n));
  wrong += n != 2;
  CHECK(cudaGraphClone(&copy, graph));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphInstantiate(&exec, copy, 0));
  CHECK(cudaGraphDestroy(copy));
  for (int i = 0; i < LAUNCHES; i++) CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaStreamSynchronize(s));
  float filled;
  int pattern = 0x40404040;
  memcpy(&filled, &pattern, 4);
  for (int i = 0; i < N; i++) {
    float want = 0;
    for (int k = 0; k < LAUNCHES; k++) want += 2 * host[i] + filled;
    wrong += result[i] != want;
  }
  wrong += called != LAUNCHES;
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaStreamDestroy(s));
  CHECK(cudaEventDestroy(fork));
  CHECK(cudaEventDestroy(join));
  CHECK(cudaFreeHost(result));
  return wrong;
}

// fill -> scale -> (child: scale) -> copy back, where the first edge is added last; then the kernel gets another factor.
static int by_hand(float *a) {
  static float result[N];
  float factor = 3, twice = 2;
  int wrong = 0;
  void *arguments[] = {&a, &factor}, *inner[] = {&a, &twice};
  cudaGraph_t graph, child;
  cudaGraphExec_t exec;
  cudaGraphNode_t fill, kernel, nested, back, inside;
  cudaGraphNodeType type;
  cudaKernelNodeParams k = {};
  cudaMemsetParams m = {};
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphCreate(&child, 0));
  k.func = (void *)scale;
  k.gridDim = N / 128;
  k.blockDim = 128;
  k.kernelParams = inner;
  CHECK(cudaGraphAddKernelNode(&inside, child, nullptr, 0, &k));
  k.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &k));
  CHECK(cudaGraphAddChildGraphNode(&nested, graph, &kernel, 1, child));
  CHECK(cudaGraphDestroy(child)); // the node has a copy
  CHECK(cudaGraphAddMemcpyNode1D(&back, graph, &nested, 1, result, a, sizeof result, cudaMemcpyDeviceToHost));
  m.dst = a;
  m.value = 0x3f800000;
  m.elementSize = 4;
  m.width = N;
  m.height = 1;
  CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &m));
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphAddDependencies(graph, &fill, &kernel, nullptr, 1));
#else
  CHECK(cudaGraphAddDependencies(graph, &fill, &kernel, 1));
#endif
  CHECK(cudaGraphNodeGetType(fill, &type));
  wrong += type != cudaGraphNodeTypeMemset;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  factor = 100; // was copied
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < N; i++) wrong += result[i] != 6;
  factor = 5;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, kernel, &k));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < N; i++) wrong += result[i] != 10;
  factor = 7;
  cudaGraphExecUpdateResultInfo info;
  CHECK(cudaGraphKernelNodeSetParams(kernel, &k));
  CHECK(cudaGraphExecUpdate(exec, graph, &info));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < N; i++) wrong += result[i] != 14;
  CHECK(cudaGraphAddEmptyNode(&inside, graph, &back, 1));
  FAILS(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, graph, &info));
  wrong += info.result != cudaGraphExecUpdateErrorTopologyChanged;
  cudaGetLastError();
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  return wrong;
}

static unsigned long long used_by_graphs() {
  unsigned long long used = 0;
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
  return used;
}

// Memory of graphs: a captured stream allocates, uses and frees it; by hand one graph allocates what is freed outside of it.
static int memory(float *host, float *sum) {
  static float result[N];
  int wrong = 0;
  const size_t bytes = N * sizeof(float);
  float *piece;
  void *address;
  cudaStream_t s;
  cudaGraph_t graph, copy;
  cudaGraphExec_t exec;
  cudaGraphNode_t take, give;
  cudaMemAllocNodeParams p = {}, told;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&piece, bytes, s));
  CHECK(cudaMemcpyAsync(piece, host, bytes, cudaMemcpyHostToDevice, s));
  scale<<<N / 256, 256, 0, s>>>(piece, 4);
  CHECK(cudaMemcpyAsync(result, piece, bytes, cudaMemcpyDeviceToHost, s));
  FAILS(cudaErrorInvalidValue, cudaFreeAsync(sum, s)); // no memory of a graph
  CHECK(cudaFreeAsync(piece, s));
  CHECK(cudaStreamEndCapture(s, &graph));
  FAILS(cudaErrorNotSupported, cudaGraphClone(&copy, graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  for (int i = 0; i < LAUNCHES; i++) CHECK(cudaGraphLaunch(exec, s));
  for (int i = 0; i < N; i++) wrong += result[i] != 4 * host[i];
  wrong += used_by_graphs() != 0;
  CHECK(cudaGraphExecDestroy(exec));

  p.poolProps.allocType = cudaMemAllocationTypePinned;
  p.poolProps.location.type = cudaMemLocationTypeDevice;
  p.bytesize = bytes;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddMemAllocNode(&take, graph, nullptr, 0, &p));
  CHECK(cudaGraphMemAllocNodeGetParams(take, &told));
  wrong += told.dptr != p.dptr || told.bytesize != bytes;
  FAILS(cudaErrorInvalidValue, cudaFree(p.dptr)); // nothing has been launched
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, s));
  wrong += used_by_graphs() != bytes;
  FAILS(cudaErrorInvalidValue, cudaGraphLaunch(exec, s)); // it is not free
  CHECK(cudaMemcpy(p.dptr, host, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaFree(p.dptr));
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphAddMemFreeNode(&give, graph, &take, 1, p.dptr));
  CHECK(cudaGraphMemFreeNodeGetParams(give, &address));
  wrong += address != p.dptr;
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaMemcpy(result, p.dptr, bytes, cudaMemcpyDeviceToHost)); // it outlives its graph
  for (int i = 0; i < N; i++) wrong += result[i] != host[i];
  CHECK(cudaFreeAsync(p.dptr, s));
  FAILS(cudaErrorInvalidValue, cudaFree(p.dptr));
  CHECK(cudaDeviceGraphMemTrim(0));
  wrong += used_by_graphs() != 0;
  CHECK(cudaStreamDestroy(s));
  cudaGetLastError();
  return wrong;
}

static void errors(float *a) {
  cudaStream_t s, t;
  cudaEvent_t event;
  cudaGraph_t graph;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamCreate(&t));
  CHECK(cudaEventCreate(&event));
  FAILS(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
  FAILS(cudaErrorIllegalState, cudaStreamEndCapture(s, &graph));
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  FAILS(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(s));
  FAILS(cudaErrorStreamCaptureInvalidated, cudaMemsetAsync(a, 0, 4, s));
  FAILS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &graph));
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  CHECK(cudaEventRecord(event, s));
  FAILS(cudaErrorCapturedEvent,
        cudaEventQuery(event)); // to ask ends the capture, too: so does a driver on silicon (580)
  FAILS(cudaErrorStreamCaptureInvalidated, cudaStreamWaitEvent(t, event, 0));
  FAILS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &graph));
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  CHECK(cudaEventRecord(event, s));
  CHECK(cudaStreamWaitEvent(t, event, 0));
  scale<<<1, 32, 0, t>>>(a, 1);
  FAILS(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(t, &graph));
  CHECK(cudaStreamDestroy(t));
  FAILS(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(s, &graph));
  CHECK(cudaStreamSynchronize(s));
  cudaGraphNode_t first, second;
  cudaGraphExec_t exec;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddEmptyNode(&first, graph, nullptr, 0));
  CHECK(cudaGraphAddEmptyNode(&second, graph, &first, 1));
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphAddDependencies(graph, &second, &first, nullptr, 1));
#else
  CHECK(cudaGraphAddDependencies(graph, &second, &first, 1));
#endif
  FAILS(cudaErrorInvalidValue, cudaGraphInstantiate(&exec, graph, 0)); // a circle
  CHECK(cudaGraphDestroy(graph));
  cudaGetLastError();
}

int main() {
  static float host[N];
  float *a, *b, *sum;
  for (int i = 0; i < N; i++) host[i] = (float)i;
  CHECK(cudaMalloc(&a, N * sizeof(float)));
  CHECK(cudaMalloc(&b, N * sizeof(float)));
  CHECK(cudaMalloc(&sum, N * sizeof(float)));
  int wrong = captured(host, a, b, sum);
  if (wrong) printf("captured: %d\n", wrong);
  int hand = by_hand(a);
  if (hand) printf("by hand: %d\n", hand);
  int kept = memory(host, sum);
  if (kept) printf("memory: %d\n", kept);
  errors(a);
  return verdict(wrong + hand + kept);
}
