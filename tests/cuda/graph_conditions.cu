// SPDX-License-Identifier: Apache-2.0
// Graphs whose nodes have conditions, which kernels set: if, if and else, while, switch, one within another; nodes of every type by one call. Needs
// relocatable device code (-rdc=true).
#include "check.h"

__global__ void set(cudaGraphConditionalHandle handle, const int *value) { cudaGraphSetConditional(handle, *value); }
__global__ void add(int *x, int value) { *x += value; }
// Halves or triples, as Collatz has it; goes on until 1.
__global__ void collatz(int *n, int *steps, cudaGraphConditionalHandle go, cudaGraphConditionalHandle odd) {
  if (*n != 1) ++*steps;
  cudaGraphSetConditional(go, *n != 1);
  cudaGraphSetConditional(odd, *n % 2);
}
__global__ void triple(int *n) { *n = *n == 1 ? 1 : 3 * *n + 1; }
__global__ void halve(int *n) { *n /= 2; }

static cudaError_t add_node(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
                            cudaGraphNodeParams *p) {
#if CUDART_VERSION >= 13000
  return cudaGraphAddNode(node, graph, before, nullptr, before ? 1 : 0, p);
#else
  return cudaGraphAddNode(node, graph, before, before ? 1 : 0, p);
#endif
}

static cudaGraphNode_t kernel(cudaGraph_t graph, const cudaGraphNode_t *before, void *function, void **arguments) {
  cudaGraphNodeParams p = {};
  cudaGraphNode_t node;
  p.type = cudaGraphNodeTypeKernel;
  p.kernel.func = function;
  p.kernel.gridDim = p.kernel.blockDim = 1;
  p.kernel.kernelParams = arguments;
  CHECK(add_node(&node, graph, before, &p));
  return node;
}

static cudaGraph_t *condition(cudaGraph_t graph, const cudaGraphNode_t *before, cudaGraphConditionalHandle handle,
                              cudaGraphConditionalNodeType type, unsigned size, cudaGraphNode_t *node) {
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeConditional;
  p.conditional.handle = handle;
  p.conditional.type = type;
  p.conditional.size = size;
  CHECK(add_node(node, graph, before, &p));
  return p.conditional.phGraph_out;
}

// set -> a choice among `size` bodies; body i adds 10^i.
static int choice(int *x, int *value, cudaGraphConditionalNodeType type, unsigned size) {
  int wrong = 0;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t node;
  cudaGraphConditionalHandle handle;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph));
  void *to_set[] = {&handle, &value};
  cudaGraphNode_t first = kernel(graph, nullptr, (void *)set, to_set);
  cudaGraph_t *body = condition(graph, &first, handle, type, size, &node);
  for (unsigned i = 0, ten = 1; i < size; i++, ten *= 10) {
    void *to_add[] = {&x, &ten};
    kernel(body[i], nullptr, (void *)add, to_add);
  }
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  for (unsigned v = 0; v < 5; v++) {
    unsigned chosen = type == cudaGraphCondTypeIf ? !v : v, wanted = chosen < size;
    for (unsigned i = 0; chosen < size && i < chosen; i++) wanted *= 10;
    *x = 0;
    *value = (int)v;
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    wrong += *x != (int)wanted;
  }
  CHECK(cudaGraphExecDestroy(exec));
  return wrong;
}

// While the number is not 1: if it is odd, triple it, else halve it. The first condition has a value that each launch assigns.
static int loop(int *n, int *steps) {
  int wrong = 0;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t outer, inner, first;
  cudaGraphConditionalHandle go, odd;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&go, graph, 1, cudaGraphCondAssignDefault));
  CHECK(cudaGraphConditionalHandleCreate(&odd, graph));
  void *numbers[] = {&n, &steps, &go, &odd};
  cudaGraph_t body = *condition(graph, nullptr, go, cudaGraphCondTypeWhile, 1, &outer);
  first = kernel(body, nullptr, (void *)collatz, numbers);
  cudaGraph_t *way = condition(body, &first, odd, cudaGraphCondTypeIf, 2, &inner);
  kernel(way[0], nullptr, (void *)triple, numbers);
  kernel(way[1], nullptr, (void *)halve, numbers);
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int from = 1; from < 10; from++) {
    int wanted = 0;
    for (int i = from; i != 1; i = i % 2 ? 3 * i + 1 : i / 2) wanted++;
    *n = from;
    *steps = 0;
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    wrong += *n != 1 || *steps != wanted;
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  return wrong;
}

// A fill, a copy, an event and an allocation by the one call, and a kernel captured behind the copy; sizes and handles that no node can have.
static int others(int *x, int *y) {
  int wrong = 0;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t fill, copy, event, room;
  cudaGraph_t told;
  cudaGraphNode_t not_of_it = nullptr;
  cudaStream_t s;
  cudaEvent_t e;
  cudaGraphNodeParams p = {};
  CHECK(cudaEventCreate(&e));
  CHECK(cudaGraphCreate(&graph, 0));
  p.type = cudaGraphNodeTypeMemset;
  p.memset.dst = x;
  p.memset.value = 77;
  p.memset.elementSize = 4;
  p.memset.width = p.memset.height = 1;
  CHECK(add_node(&fill, graph, nullptr, &p));
  p = {};
  p.type = cudaGraphNodeTypeMemcpy;
  p.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(x, 4, 4, 1);
  p.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(y, 4, 4, 1);
  p.memcpy.copyParams.extent = make_cudaExtent(4, 1, 1);
  p.memcpy.copyParams.kind = cudaMemcpyDefault;
  CHECK(add_node(&copy, graph, &fill, &p));
  p = {};
  p.type = cudaGraphNodeTypeEventRecord;
  p.eventRecord.event = e;
  CHECK(add_node(&event, graph, &copy, &p));
  p = {};
  p.type = cudaGraphNodeTypeMemAlloc;
  p.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
  p.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
  p.alloc.bytesize = 256;
  CHECK(add_node(&room, graph, &event, &p));
  wrong += !p.alloc.dptr;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamBeginCaptureToGraph(s, graph, &copy, nullptr, 1, cudaStreamCaptureModeGlobal));
  FAILS(cudaErrorIllegalState, cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, s>>>(y, 5);
  CHECK(cudaStreamEndCapture(s, &told));
  FAILS(cudaErrorInvalidValue,
        cudaStreamBeginCaptureToGraph(s, graph, &not_of_it, nullptr, 1, cudaStreamCaptureModeGlobal));
  wrong += told != graph;
  *y = 0;
  CHECK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
  wrong += *y != 77 + 5;
  CHECK(cudaStreamDestroy(s));
  CHECK(cudaGraphExecDestroy(exec));
  p = {};
  p.type = cudaGraphNodeTypeConditional;
  p.conditional.handle = 64; // no handle
  p.conditional.type = cudaGraphCondTypeIf;
  p.conditional.size = 1;
  FAILS(cudaErrorInvalidValue, add_node(&room, graph, nullptr, &p));
  CHECK(cudaGraphConditionalHandleCreate(&p.conditional.handle, graph));
  p.conditional.size = 3;
  FAILS(cudaErrorInvalidValue, add_node(&room, graph, nullptr, &p));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaEventDestroy(e));
  cudaGetLastError();
  return wrong;
}

int main() {
  int *x, *value;
  CHECK(cudaMallocManaged(&x, sizeof *x));
  CHECK(cudaMallocManaged(&value, sizeof *value));
  int wrong = choice(x, value, cudaGraphCondTypeIf, 1) + choice(x, value, cudaGraphCondTypeIf, 2) +
              choice(x, value, cudaGraphCondTypeSwitch, 4);
  if (wrong) printf("choices: %d\n", wrong);
  int turns = loop(x, value), rest = others(x, value);
  if (turns) printf("loop: %d\n", turns);
  if (rest) printf("others: %d\n", rest);
  return verdict(wrong + turns + rest);
}
