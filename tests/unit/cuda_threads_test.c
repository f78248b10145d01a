/* SPDX-License-Identifier: Apache-2.0 */
/* slice: cuda */
/* Do several host threads that launch into several streams each get their own results, in the order of each stream? */
#include "kit/driver.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 8, STREAMS = 3, ROUNDS = 20, N = 96 };

static const char ptx[] = HEADER ADD_ENTRY;
static CUcontext context;
static CUmodule module;
static atomic_int failures, hosts;

/* cmocka's assertions belong to the thread of the test: others count. */
#define TRY(call)                                            \
  do {                                                       \
    CUresult result_ = (call);                               \
    if (result_ != CUDA_SUCCESS) {                           \
      fprintf(stderr, "%s gives %d\n", #call, (int)result_); \
      atomic_fetch_add(&failures, 1);                        \
    }                                                        \
  } while (0)

/* What a thread has in each of its streams: a buffer that every launch raises by one. */
struct lane {
  CUstream stream;
  CUdeviceptr buffer;
  CUevent done;
  uint32_t launches;
};

static void CUDA_CB count_host(void *data) {
  (void)data;
  atomic_fetch_add(&hosts, 1);
}

static void launch(CUfunction f, struct lane *l) {
  uint32_t n = N;
  void *params[] = {&l->buffer, &l->buffer, &n};
  TRY(cuLaunchKernel(f, 1, 1, 1, N, 1, 1, 0, l->stream, params, NULL));
  l->launches++;
}

static void check(const struct lane *l, uint32_t first) {
  uint32_t got[N];
  TRY(cuStreamSynchronize(l->stream));
  TRY(cuMemcpyDtoH(got, l->buffer, sizeof got));
  for (uint32_t i = 0; i < N; i++)
    if (got[i] != first + i + l->launches) {
      fprintf(stderr, "word %u is %u, not %u\n", i, got[i], first + i + l->launches);
      atomic_fetch_add(&failures, 1);
      return;
    }
}

static void *work(void *argument) {
  uint32_t number = (uint32_t)(uintptr_t)argument, first = number * 100000, in[N];
  struct lane lane[STREAMS] = {{0}};
  CUfunction f;
  CUmodule own; /* each thread loads, uses and unloads a module beside the shared one */
  TRY(cuCtxSetCurrent(context));
  TRY(cuModuleLoadData(&own, ptx));
  for (uint32_t s = 0; s < STREAMS; s++) {
    for (uint32_t i = 0; i < N; i++) in[i] = first + i;
    TRY(cuStreamCreate(&lane[s].stream, CU_STREAM_NON_BLOCKING));
    TRY(cuEventCreate(&lane[s].done, CU_EVENT_DEFAULT));
    TRY(cuMemAlloc(&lane[s].buffer, sizeof in));
    TRY(cuMemcpyHtoDAsync(lane[s].buffer, in, sizeof in, lane[s].stream));
  }
  for (uint32_t round = 0; round < ROUNDS; round++) {
    struct lane *l = &lane[(round * 7 + number) % STREAMS];
    TRY(cuModuleGetFunction(&f, round % 2 ? own : module, "add"));
    launch(f, l);
    TRY(cuEventRecord(l->done, l->stream));
    TRY(cuStreamWaitEvent(lane[round % STREAMS].stream, l->done, 0));
    TRY(cuLaunchHostFunc(l->stream, count_host, NULL));
    if (round % 5 == 0) check(l, first);
  }
  for (uint32_t s = 0; s < STREAMS; s++) {
    check(&lane[s], first);
    TRY(cuMemFree(lane[s].buffer));
    TRY(cuEventDestroy(lane[s].done));
    TRY(cuStreamDestroy(lane[s].stream));
  }
  TRY(cuModuleUnload(own));
  return NULL;
}

static void test_threads_launch_side_by_side(void **state) {
  (void)state;
  pthread_t thread[THREADS];
  size_t before, after, all;
  OK(cuInit(0));
  OK(cuDevicePrimaryCtxRetain(&context, 0));
  OK(cuCtxSetCurrent(context));
  OK(cuModuleLoadData(&module, ptx));
  OK(cuMemGetInfo(&before, &all));
  for (uintptr_t i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&thread[i], NULL, work, (void *)i), 0);
  for (uint32_t i = 0; i < THREADS; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
  assert_int_equal(atomic_load(&failures), 0);
  assert_int_equal(atomic_load(&hosts), THREADS * ROUNDS);
  OK(cuMemGetInfo(&after, &all));
  assert_int_equal(before, after);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads_launch_side_by_side)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
