/* SPDX-License-Identifier: Apache-2.0 */
/* slice: teleport */
/* The calls of teleport.h: what they return, which rows a stream has, and what a launch makes of them. teleport.rows is 64. */
#include "cuda.h"
#include "kit/test.h"
#include "teleport.h"

#define OK(call) assert_int_equal(call, CUDA_SUCCESS)
#define FAILS(call, code) assert_int_equal(call, CUDA_ERROR_##code)
enum { ROWS = 64, STREAMS = 16, T = 256 };

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }\n";
static struct teleport t;
static CUfunction nothing;
static CUdeviceptr memory;

static CUresult set(int max_offset) {
  return teleportSetCTATracker(&t, memory, sizeof(float), T, 0, 0, 0, T, 0, 0, max_offset);
}
static CUresult launch(unsigned grid, CUstream stream) {
  return cuLaunchKernel(nothing, grid, 1, 1, T, 1, 1, 0, stream, NULL, NULL);
}

static void test_rows_are_shared_by_streams_and_flushed_by_stream(void **unused) {
  CUstream a, b;
  (void)unused;
  OK(cuStreamCreate(&a, 0));
  OK(cuStreamCreate(&b, 0));
  for (int i = 0; i < ROWS; i++) {
    teleportStream(&t, i % 2 ? a : b);
    OK(set(T));
  }
  FAILS(set(T), OUT_OF_MEMORY);
  teleportStream(&t, b);
  OK(teleportFlushCTATracker(&t));
  for (int i = 0; i < ROWS / 2; i++) OK(set(T)); /* b's are free, a's are not */
  FAILS(set(T), OUT_OF_MEMORY);
  OK(teleportFlushCTATracker(&t));
  teleportStream(&t, a);
  OK(teleportFlushCTATracker(&t));
  OK(teleportFlushCTATracker(&t)); /* nothing is left: no harm */
  teleportStream(&t, NULL);
}

static void test_bad_fields_are_ignored(void **unused) {
  (void)unused;
  FAILS(teleportSetCTATracker(&t, memory, 0, T, 0, 0, 0, T, 0, 0, T), INVALID_VALUE);
  FAILS(teleportSetCTATracker(&t, memory, 65536, T, 0, 0, 0, T, 0, 0, T), INVALID_VALUE);
  FAILS(teleportSetCTATracker(&t, memory, (size_t)1 << 32, T, 0, 0, 0, T, 0, 0, T), INVALID_VALUE);
  OK(teleportSetCTATracker(&t, memory, 65535, 0, 0, 0, 0, 0, 0, 0, 1));
  OK(teleportSetCTATracker(&t, memory, 4, T, 0, 0, -1, T, 0, 0, T + 1));      /* a halo, also before the array */
  OK(teleportSetCTATracker(&t, memory, 4, T, 0, 0, T, T, 0, 0, 0));           /* empty */
  OK(teleportSetCTATracker(&t, 64, 4, T, 0, 0, 0, T, 0, 0, T));               /* no memory there */
  OK(teleportSetCTATracker(&t, UINT64_MAX - 511, 4, 0, 0, 0, 0, 0, 0, 0, T)); /* its end wraps below its start */
  OK(launch(3, NULL));
  OK(teleportFlushCTATracker(&t));
}

/* A launch keeps its rows: they can be flushed and set anew for the next one, a table full each time. */
static void test_rows_stay_until_they_are_flushed(void **unused) {
  (void)unused;
  for (int turn = 0; turn < 3; turn++) {
    for (int i = 0; i < ROWS; i++) OK(set(T));
    OK(launch(2, NULL));
    OK(launch(2, NULL));
    FAILS(set(T), OUT_OF_MEMORY);
    OK(teleportFlushCTATracker(&t));
  }
}

static void test_streams_are_sixteen(void **unused) {
  CUstream stream[STREAMS + 1];
  (void)unused;
  for (int i = 0; i <= STREAMS; i++) {
    OK(cuStreamCreate(&stream[i], 0));
    teleportStream(&t, stream[i]);
    assert_int_equal(set(T), i < STREAMS ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
  }
  OK(launch(2, stream[STREAMS])); /* one without rows */
  teleportStream(&t, stream[3]);
  OK(teleportFlushCTATracker(&t));
  teleportStream(&t, stream[STREAMS]);
  OK(set(T));
  for (int i = 0; i <= STREAMS; i++) {
    teleportStream(&t, stream[i]);
    OK(teleportFlushCTATracker(&t));
  }
  teleportStream(&t, NULL);
}

/* 65,535 lines are the most that a counter of 16 bits holds. */
static void test_a_launch_refuses_rows_that_are_too_long(void **unused) {
  int most = 65535 * (128 / 4);
  (void)unused;
  OK(teleportSetCTATracker(&t, memory, 4, 0, 0, 0, 0, 0, 0, 0, most));
  OK(launch(1, NULL));
  OK(set(1));
  FAILS(launch(1, NULL), INVALID_VALUE);
  OK(teleportFlushCTATracker(&t));
  OK(teleportSetCTATracker(&t, memory, 65535, 0, 0, 0, 0, INT32_MAX, 0, 0, 1)); /* grows with the grid */
  OK(launch(1, NULL));
  FAILS(launch(2, NULL), INVALID_VALUE);
  OK(teleportFlushCTATracker(&t));
  OK(launch(2, NULL));
}

static int initialise(void **unused) {
  CUcontext context;
  CUmodule module;
  (void)unused;
  setenv("TANDEM_SYSTEM", "teleport", 1);
  setenv("TANDEM_MACHINE", "teleport", 1);
  setenv("TANDEM_SET", "teleport.source=calls", 1);
  OK(cuInit(0));
  OK(cuCtxCreate(&context, 0, 0));
  OK(cuModuleLoadData(&module, ptx));
  OK(cuModuleGetFunction(&nothing, module, "nothing"));
  OK(cuMemAlloc(&memory, 16 << 20));
  teleportOpen(&t);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_rows_are_shared_by_streams_and_flushed_by_stream),
    cmocka_unit_test(test_bad_fields_are_ignored),
    cmocka_unit_test(test_rows_stay_until_they_are_flushed),
    cmocka_unit_test(test_streams_are_sixteen),
    cmocka_unit_test(test_a_launch_refuses_rows_that_are_too_long),
  };
  return cmocka_run_group_tests(tests, initialise, NULL);
}
