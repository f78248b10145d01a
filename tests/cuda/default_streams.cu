// SPDX-License-Identifier: Apache-2.0
// The default streams beside a capture: work in the legacy one, and calls that wait for it, are refused while a blocking stream of its
// context is captured, and end that capture; the thread's is a stream like others. Compiled for both meanings of stream 0.
#include "check.h"

#include <thread>

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
enum { OWN = 1 };
#else
enum { OWN = 0 };
#endif

__global__ void add(int *x, int value) { *x += value; }

static int value(const int *x) {
  int v = 0;
  CHECK(cudaMemcpy(&v, x, sizeof v, cudaMemcpyDeviceToHost));
  return v;
}

// The capture of a stream beside which `work` is done in the legacy stream: it is refused, and the capture is ended by it.
template <class F> static void beside(unsigned int flags, cudaError_t wanted, F work) {
  cudaStream_t s;
  cudaGraph_t graph;
  CHECK(cudaStreamCreateWithFlags(&s, flags));
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  FAILS(wanted, work());
  FAILS(wanted ? cudaErrorStreamCaptureInvalidated : cudaSuccess, cudaStreamEndCapture(s, &graph));
  if (!wanted) CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(s));
  cudaGetLastError();
}

static int legacy(int *x) {
  static int host;
  const cudaError_t refused = cudaErrorStreamCaptureImplicit;
  cudaEvent_t event;
  int wrong = 0;
  CHECK(cudaEventCreate(&event));
  auto launch = [&] { return add<<<1, 1, 0, cudaStreamLegacy>>>(x, 1), cudaGetLastError(); };
  auto copy = [&] { return cudaMemcpyAsync(&host, x, sizeof host, cudaMemcpyDefault, cudaStreamLegacy); };
  auto wait = [] { return cudaStreamSynchronize(cudaStreamLegacy); };
  beside(cudaStreamDefault, refused, launch);
  beside(cudaStreamDefault, refused, copy);
  beside(cudaStreamDefault, refused, wait);
  beside(cudaStreamDefault, refused, [] { return cudaStreamQuery(cudaStreamLegacy); });
  beside(cudaStreamDefault, refused, [&] { return cudaEventRecord(event, cudaStreamLegacy); });
  beside(cudaStreamDefault, refused, [&] { return cudaStreamWaitEvent(cudaStreamLegacy, event, 0); });
  beside(cudaStreamDefault, refused, [&] { return cudaMemsetAsync(x, 0, sizeof *x, cudaStreamLegacy); });
  beside(cudaStreamDefault, refused, [] {
    return cudaLaunchHostFunc(
      cudaStreamLegacy, [](void *) { exit(1); }, nullptr);
  });
  beside(cudaStreamNonBlocking, cudaSuccess, launch); // one that does not wait for the legacy stream
  beside(cudaStreamNonBlocking, cudaSuccess, copy);
  beside(cudaStreamNonBlocking, cudaSuccess, wait);
  wrong += value(x) != 1;

  // to ask is refused, too, and ends no capture
  cudaStream_t s;
  cudaGraph_t graph;
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  FAILS(refused, cudaStreamIsCapturing(cudaStreamLegacy, &status));
  CHECK(cudaStreamEndCapture(s, &graph));
  CHECK(cudaGraphDestroy(graph));
  FAILS(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeRelaxed));
  CHECK(cudaStreamDestroy(s));
  CHECK(cudaEventDestroy(event));
  return wrong;
}

// Calls without a stream, and stream 0: as the program was compiled.
static int stream_0(int *x) {
  static int host;
  const cudaError_t refused = OWN ? cudaSuccess : cudaErrorStreamCaptureImplicit;
  unsigned long long id = 0;
  beside(cudaStreamDefault, refused, [&] { return cudaMemcpy(&host, x, sizeof host, cudaMemcpyDeviceToHost); });
  beside(cudaStreamDefault, refused, [&] { return cudaMemcpy2D(&host, 4, x, 4, 4, 1, cudaMemcpyDefault); });
  beside(cudaStreamDefault, refused, [&] { return cudaMemset(x, 0, sizeof *x); });
  beside(cudaStreamDefault, refused, [&] { return add<<<1, 1>>>(x, 1), cudaGetLastError(); });
  beside(cudaStreamDefault, refused, [] { return cudaStreamSynchronize(0); });
  CHECK(cudaStreamGetId(0, &id));
  return id != (OWN ? 2 : 1);
}

// The thread's stream is captured and launched; another thread's is another stream.
static int of_thread(int *x) {
  int wrong = 0, before = value(x);
  cudaStreamCaptureStatus status;
  cudaStream_t s;
  cudaEvent_t event, joined;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  size_t n = 0;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaEventCreate(&event));
  CHECK(cudaEventCreate(&joined));
  CHECK(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeRelaxed));
  add<<<1, 1, 0, cudaStreamPerThread>>>(x, 10);
  CHECK(cudaStreamIsCapturing(OWN ? 0 : cudaStreamPerThread, &status));
  wrong += status != cudaStreamCaptureStatusActive;
  std::thread([&] {
    CHECK(cudaStreamIsCapturing(cudaStreamPerThread, &status));
    wrong += status != cudaStreamCaptureStatusNone;
    CHECK(cudaStreamSynchronize(cudaStreamPerThread));
  }).join();
  CHECK(cudaEventRecord(event, cudaStreamPerThread));
  CHECK(cudaStreamWaitEvent(s, event, 0));
  add<<<1, 1, 0, s>>>(x, 100);
  CHECK(cudaEventRecord(joined, s));
  CHECK(cudaStreamWaitEvent(cudaStreamPerThread, joined, 0));
  CHECK(cudaStreamEndCapture(cudaStreamPerThread, &graph));
  CHECK(cudaGraphGetNodes(graph, nullptr, &n));
  wrong += n != 2 || value(x) != before;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, cudaStreamPerThread));
  wrong += value(x) != before + 110;
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));

  // it joins the capture of another stream; a copy that waits cannot be part of one
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  CHECK(cudaEventRecord(event, s));
  CHECK(cudaStreamWaitEvent(cudaStreamPerThread, event, 0));
  add<<<1, 1, 0, cudaStreamPerThread>>>(x, 1000);
  FAILS(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(s, &graph));
  CHECK(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeRelaxed));
  FAILS(OWN ? cudaErrorStreamCaptureUnsupported : cudaErrorStreamCaptureImplicit,
        cudaMemcpy(&n, x, sizeof *x, cudaMemcpyDeviceToHost));
  FAILS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(cudaStreamPerThread, &graph));
  CHECK(cudaStreamDestroy(s));
  CHECK(cudaEventDestroy(event));
  CHECK(cudaEventDestroy(joined));
  cudaGetLastError();
  return wrong + (value(x) != before + 110);
}

int main() {
  int *x;
  CHECK(cudaMalloc(&x, sizeof *x));
  CHECK(cudaMemset(x, 0, sizeof *x));
  int a = legacy(x), b = stream_0(x), c = of_thread(x);
  if (a + b + c) printf("legacy: %d, stream 0: %d, the thread's: %d\n", a, b, c);
  return verdict(a + b + c);
}
