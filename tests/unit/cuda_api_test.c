/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Does the driver API keep its promises beyond the plain path: contexts of threads, handles that are none, memory of every
 * kind, occupancy, threads, faults? */
#include "kit/driver.h"

#include <pthread.h>

/* out[i] = in[i] + 1 for i < n; `dynamic` takes 1 KiB of static shared memory */
static const char add_ptx[] = HEADER ADD_ENTRY
  ".visible .entry dynamic()\n.maxntid 256, 1, 1\n{\n.shared .align 4 .b8 pad[1024];\n.reg .b32 %r<2>;\n"
  "mov.u32 %r1, 1;\nst.shared.u32 [pad], %r1;\nret;\n}\n";

static CUcontext context;
static CUmodule module;
static CUfunction add, dynamic;

static int open_device(void **state) {
  (void)state;
  OK(cuInit(0));
  OK(cuCtxCreate(&context, 0, 0));
  OK(cuModuleLoadData(&module, add_ptx));
  OK(cuModuleGetFunction(&add, module, "add"));
  OK(cuModuleGetFunction(&dynamic, module, "dynamic"));
  return 0;
}

static CUresult run_add(CUdeviceptr out, CUdeviceptr in, uint32_t n) {
  return cuLaunchKernel(add, (n + 127) / 128, 1, 1, 128, 1, 1, 0, NULL, (void *[]){&out, &in, &n}, NULL);
}

/* ---- handles ---- */

static void test_a_handle_that_is_none_is_refused(void **state) {
  uint64_t garbage[8] = {0};
  void *bad = garbage;
  CUfunction f;
  CUcontext c;
  CUkernel k;
  CUdeviceptr p = 0;
  size_t bytes;
  int v;
  void *image;
  (void)state;
  for (int round = 0; round < 2; round++, bad = (void *)8) { /* memory that is something else, and none at all */
    FAILS(cuModuleGetFunction(&f, bad, "add"), INVALID_HANDLE);
    FAILS(cuModuleUnload(bad), INVALID_HANDLE);
    FAILS(cuModuleGetGlobal(&p, &bytes, bad, "x"), INVALID_HANDLE);
    FAILS(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_NUM_REGS, bad), INVALID_HANDLE);
    FAILS(cuLaunchKernel(bad, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), INVALID_HANDLE);
    FAILS(cuLaunchKernel(dynamic, 1, 1, 1, 1, 1, 1, 0, bad, NULL, NULL), INVALID_HANDLE);
    FAILS(cuStreamDestroy(bad), INVALID_HANDLE);
    FAILS(cuStreamSynchronize(bad), INVALID_HANDLE);
    FAILS(cuEventDestroy(bad), INVALID_HANDLE);
    FAILS(cuEventRecord(bad, NULL), INVALID_HANDLE);
    FAILS(cuEventQuery(bad), INVALID_HANDLE);
    FAILS(cuStreamWaitEvent(NULL, bad, 0), INVALID_HANDLE);
    FAILS(cuLibraryGetKernel(&k, bad, "add"), INVALID_HANDLE);
    FAILS(cuLibraryUnload(bad), INVALID_HANDLE);
    FAILS(cuLinkComplete(bad, &image, &bytes), INVALID_HANDLE);
    FAILS(cuLinkDestroy(bad), INVALID_HANDLE);
    FAILS(cuMemPoolDestroy(bad), INVALID_VALUE);
    FAILS(cuCtxSetCurrent(bad), INVALID_CONTEXT);
    FAILS(cuCtxPushCurrent(bad), INVALID_CONTEXT);
    FAILS(cuCtxDestroy(bad), INVALID_CONTEXT);
  }
  FAILS(cuModuleGetFunction(NULL, module, "add"), INVALID_VALUE);
  FAILS(cuModuleGetFunction(&f, module, NULL), INVALID_VALUE);
  FAILS(cuModuleLoadData(NULL, add_ptx), INVALID_VALUE);
  FAILS(cuModuleLoadData(&module, NULL), INVALID_VALUE);
  FAILS(cuMemAlloc(NULL, 4), INVALID_VALUE);
  FAILS(cuMemcpyHtoD(0x1000, NULL, 4), INVALID_VALUE);
  FAILS(cuLaunchKernelEx(NULL, add, NULL, NULL), INVALID_VALUE);
  FAILS(cuCtxGetCurrent(NULL), INVALID_VALUE);
  OK(cuCtxGetCurrent(&c));
  assert_ptr_equal(c, context);
}

static void test_what_is_destroyed_is_gone(void **state) {
  CUstream s;
  CUevent e;
  float ms;
  (void)state;
  OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
  OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
  OK(cuEventRecord(e, s));
  FAILS(cuEventElapsedTime(&ms, e, e), INVALID_HANDLE);
  OK(cuEventDestroy(e));
  FAILS(cuEventDestroy(e), INVALID_HANDLE);
  FAILS(cuEventSynchronize(e), INVALID_HANDLE);
  OK(cuStreamDestroy(s));
  FAILS(cuStreamDestroy(s), INVALID_HANDLE);
  FAILS(cuMemcpyDtoDAsync(0, 0, 0, s), INVALID_HANDLE);
}

/* ---- contexts ---- */

static void test_contexts_are_a_stack(void **state) {
  CUcontext second, popped, now;
  CUdeviceptr p;
  CUmodule m;
  CUfunction f;
  unsigned int flags, version;
  size_t before, after, limit;
  (void)state;
  OK(cuMemGetInfo(&before, NULL));
  OK(cuCtxCreate(&second, CU_CTX_SCHED_YIELD, 0));
  OK(cuCtxGetCurrent(&now));
  assert_ptr_equal(now, second);
  OK(cuCtxGetFlags(&flags));
  assert_int_equal(flags, CU_CTX_SCHED_YIELD);
  OK(cuCtxGetApiVersion(second, &version));
  OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
  OK(cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE));
  assert_int_equal(limit, 4096);
  FAILS(cuCtxSetLimit(CU_LIMIT_MAX, 0), INVALID_VALUE);
  OK(cuMemAlloc(&p, 1 << 20)); /* goes with the context */
  OK(cuModuleLoadData(&m, add_ptx));
  OK(cuCtxPopCurrent(&popped));
  assert_ptr_equal(popped, second);
  OK(cuCtxGetCurrent(&now));
  assert_ptr_equal(now, context);
  OK(cuCtxPushCurrent(second));
  OK(cuCtxDestroy(second));
  OK(cuCtxGetCurrent(&now));
  assert_ptr_equal(now, context);
  FAILS(cuCtxPushCurrent(second), INVALID_CONTEXT);
  FAILS(cuModuleGetFunction(&f, m, "add"), INVALID_HANDLE);
  FAILS(cuMemFree(p), INVALID_VALUE);
  OK(cuMemGetInfo(&after, NULL));
  assert_int_equal(before, after);
}

static void test_the_primary_context_is_counted(void **state) {
  CUcontext a, b;
  CUdeviceptr p;
  unsigned int flags;
  int active;
  (void)state;
  OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
  assert_int_equal(active, 0);
  OK(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_SPIN));
  OK(cuDevicePrimaryCtxRetain(&a, 0));
  OK(cuDevicePrimaryCtxRetain(&b, 0));
  assert_ptr_equal(a, b);
  OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
  assert_int_equal(flags, CU_CTX_SCHED_SPIN);
  assert_int_equal(active, 1);
  OK(cuDevicePrimaryCtxRelease(0));
  OK(cuCtxPushCurrent(a));
  OK(cuMemAlloc(&p, 4));
  OK(cuDevicePrimaryCtxReset(0));
  FAILS(cuMemFree(p), INVALID_VALUE);
  OK(cuDevicePrimaryCtxRelease(0));
  FAILS(cuMemAlloc(&p, 4), CONTEXT_IS_DESTROYED);
  OK(cuCtxPopCurrent(NULL));
  FAILS(cuDevicePrimaryCtxRelease(0), INVALID_CONTEXT);
  FAILS(cuDevicePrimaryCtxRetain(&a, 1), INVALID_DEVICE);
}

/* ---- device, functions ---- */

static void test_every_attribute_is_answered(void **state) {
  int v, opt_in, warps;
  CUdevprop p;
  CUuuid id, id2;
  char bus[16];
  CUdevice device = 7;
  (void)state;
  for (int a = 1; a < 147; a++) OK(cuDeviceGetAttribute(&v, (CUdevice_attribute)a, 0));
  FAILS(cuDeviceGetAttribute(&v, (CUdevice_attribute)0, 0), INVALID_VALUE);
  FAILS(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_MAX, 0), INVALID_VALUE);
  FAILS(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 1), INVALID_DEVICE);
  OK(cuDeviceGetAttribute(&opt_in, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0));
  OK(cuDeviceGetAttribute(&warps, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
  OK(cuDeviceGetProperties(&p, 0));
  assert_int_equal(p.sharedMemPerBlock, opt_in);
  assert_int_equal(p.SIMDWidth, warps);
  OK(cuDeviceGetUuid(&id, 0));
  OK(cuDeviceGetUuid_v2(&id2, 0));
  assert_memory_equal(&id, &id2, sizeof id);
  OK(cuDeviceGetPCIBusId(bus, sizeof bus, 0));
  OK(cuDeviceGetByPCIBusId(&device, bus));
  assert_int_equal(device, 0);
}

static void test_functions_know_themselves(void **state) {
  unsigned int n;
  CUfunction all[2];
  CUmodule of;
  const char *name;
  size_t offset, bytes;
  int v;
  (void)state;
  OK(cuModuleGetFunctionCount(&n, module));
  assert_int_equal(n, 2);
  OK(cuModuleEnumerateFunctions(all, 2, module));
  assert_true((all[0] == add && all[1] == dynamic) || (all[1] == add && all[0] == dynamic));
  OK(cuFuncGetModule(&of, add));
  assert_ptr_equal(of, module);
  OK(cuFuncGetName(&name, dynamic));
  assert_string_equal(name, "dynamic");
  OK(cuFuncGetParamInfo(add, 2, &offset, &bytes));
  assert_int_equal(offset, 16);
  assert_int_equal(bytes, 4);
  FAILS(cuFuncGetParamInfo(add, 3, &offset, &bytes), INVALID_VALUE);
  OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, dynamic));
  assert_int_equal(v, 256);
  OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, dynamic));
  assert_int_equal(v, 1024);
  FAILS(cuFuncSetAttribute(dynamic, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 48 * 1024), INVALID_VALUE);
  OK(cuFuncSetAttribute(dynamic, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 2048));
  OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, dynamic));
  assert_int_equal(v, 2048);
  OK(cuLaunchKernel(dynamic, 1, 1, 1, 32, 1, 1, 2048, NULL, NULL, NULL));
  FAILS(cuLaunchKernel(dynamic, 1, 1, 1, 32, 1, 1, 2049, NULL, NULL, NULL), INVALID_VALUE);
  OK(cuFuncSetAttribute(dynamic, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 47 * 1024));
  FAILS(cuFuncSetAttribute(dynamic, CU_FUNC_ATTRIBUTE_NUM_REGS, 4), INVALID_VALUE);
  OK(cuFuncSetCacheConfig(dynamic, CU_FUNC_CACHE_PREFER_SHARED));
}

static size_t four_bytes_a_thread(int threads) { return (size_t)threads * 4; }

/* gtx480: 8 CTAs, 1536 threads, 48 warps, 48 KiB of shared memory an SM; `dynamic` takes 1 KiB, 256 threads at most. */
static void test_occupancy_is_the_machines(void **state) {
  int blocks, grid, block;
  size_t shared;
  (void)state;
  OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic, 256, 0));
  assert_int_equal(blocks, 6);
  OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic, 32, 0));
  assert_int_equal(blocks, 8);
  OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic, 32, 15 * 1024));
  assert_int_equal(blocks, 3);
  OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic, 512, 0));
  assert_int_equal(blocks, 0);
  OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, dynamic, NULL, 0, 0));
  assert_int_equal(block, 256);
  assert_int_equal(grid, 6 * 3);
  OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, dynamic, four_bytes_a_thread, 0, 100));
  assert_int_equal(block, 100);
  OK(cuOccupancyAvailableDynamicSMemPerBlock(&shared, dynamic, 4, 64));
  assert_int_equal(shared, 11 * 1024);
  FAILS(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic, 0, 0), INVALID_VALUE);
  FAILS(cuLaunchCooperativeKernel(dynamic, 19, 1, 1, 256, 1, 1, 0, NULL, NULL), COOPERATIVE_LAUNCH_TOO_LARGE);
  OK(cuLaunchCooperativeKernel(dynamic, 18, 1, 1, 256, 1, 1, 0, NULL, NULL));
}

static void test_launch_attributes_are_judged(void **state) {
  CUlaunchAttribute a = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};
  CUlaunchConfig c = {.gridDimX = 19, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 256, .blockDimY = 1, .blockDimZ = 1};
  (void)state;
  OK(cuLaunchKernelEx(&c, dynamic, NULL, NULL));
  c.attrs = &a;
  c.numAttrs = 1;
  FAILS(cuLaunchKernelEx(&c, dynamic, NULL, NULL), COOPERATIVE_LAUNCH_TOO_LARGE);
  a = (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_PRIORITY, .value.priority = -1};
  OK(cuLaunchKernelEx(&c, dynamic, NULL, NULL));
  a = (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value.clusterDim = {2, 1, 1}};
  FAILS(cuLaunchKernelEx(&c, dynamic, NULL, NULL), NOT_SUPPORTED);
}

/* ---- memory ---- */

static void test_rows_and_boxes_land_where_they_should(void **state) {
  CUdeviceptr p;
  size_t pitch;
  uint16_t row[40], box[3][4][8], back[2][2][4];
  (void)state;
  OK(cuMemAllocPitch(&p, &pitch, 70, 40, 4));
  assert_true(pitch >= 70 && pitch % 128 == 0);
  OK(cuMemsetD8(p, 0, pitch * 40));
  OK(cuMemsetD2D16(p + 2, pitch, 0xbeef, 30, 3));
  OK(cuMemcpyDtoH(row, p + 2 * pitch, sizeof row));
  for (int i = 0; i < 40; i++) assert_int_equal(row[i], i >= 1 && i <= 30 ? 0xbeef : 0);
  OK(cuMemcpyDtoH(row, p + 3 * pitch, sizeof row));
  assert_int_equal(row[1], 0);
  FAILS(cuMemsetD2D16(p, pitch, 0, 10, 41), INVALID_VALUE);
  FAILS(cuMemsetD2D16(p + 1, pitch, 0, 1, 1), INVALID_VALUE);
  for (int z = 0; z < 3; z++)
    for (int y = 0; y < 4; y++)
      for (int x = 0; x < 8; x++) box[z][y][x] = (uint16_t)(z * 100 + y * 10 + x);
  OK(cuMemcpyHtoD(p, box, sizeof box));
  const CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                              .srcDevice = p,
                              .srcXInBytes = 4,
                              .srcY = 1,
                              .srcZ = 1,
                              .srcPitch = 16,
                              .srcHeight = 4,
                              .dstMemoryType = CU_MEMORYTYPE_HOST,
                              .dstHost = back,
                              .dstPitch = 8,
                              .dstHeight = 2,
                              .WidthInBytes = 8,
                              .Height = 2,
                              .Depth = 2};
  OK(cuMemcpy3D(&copy));
  for (int z = 0; z < 2; z++)
    for (int y = 0; y < 2; y++)
      for (int x = 0; x < 4; x++) assert_int_equal(back[z][y][x], (z + 1) * 100 + (y + 1) * 10 + x + 2);
  OK(cuMemFree(p));
}

static void test_kernels_reach_mapped_host_memory(void **state) {
  uint32_t *pinned, own[100];
  CUdeviceptr in, out;
  (void)state;
  OK(cuMemHostAlloc((void **)&pinned, 400, CU_MEMHOSTALLOC_DEVICEMAP));
  OK(cuMemHostRegister(own, sizeof own, 0));
  FAILS(cuMemHostRegister(own + 1, 4, 0), HOST_MEMORY_ALREADY_REGISTERED);
  OK(cuMemHostGetDevicePointer(&in, pinned, 0));
  OK(cuMemHostGetDevicePointer(&out, own + 1, 0));
  for (uint32_t i = 0; i < 100; i++) pinned[i] = i * i, own[i] = 7;
  OK(run_add(out, in, 99));
  assert_int_equal(own[0], 7);
  for (uint32_t i = 0; i < 99; i++) assert_int_equal(own[i + 1], i * i + 1);
  own[1] = 77; /* a copy by the device's address moves the host's bytes */
  OK(cuMemcpyDtoH(pinned, out, 4));
  assert_int_equal(pinned[0], 77);
  OK(cuMemHostUnregister(own));
  FAILS(cuMemHostUnregister(own), HOST_MEMORY_NOT_REGISTERED);
  OK(cuMemFreeHost(pinned));
  FAILS(cuMemFreeHost(pinned), INVALID_VALUE);
  FAILS(cuMemHostGetDevicePointer(&in, own, 0), INVALID_VALUE);
}

static void test_managed_memory_is_one_address(void **state) {
  CUdeviceptr p;
  int has;
  unsigned char managed;
  (void)state;
  OK(cuDeviceGetAttribute(&has, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 0));
  if (!has) { /* a sanitizer keeps the addresses for itself */
    FAILS(cuMemAllocManaged(&p, 400, CU_MEM_ATTACH_GLOBAL), NOT_SUPPORTED);
    return;
  }
  OK(cuMemAllocManaged(&p, 400, CU_MEM_ATTACH_GLOBAL));
  uint32_t *host = (uint32_t *)(uintptr_t)p;
  for (uint32_t i = 0; i < 100; i++) host[i] = 3 * i;
  OK(cuMemPrefetchAsync(p, 400, 0, NULL));
  OK(run_add(p, p, 100));
  OK(cuCtxSynchronize());
  for (uint32_t i = 0; i < 100; i++) assert_int_equal(host[i], 3 * i + 1);
  OK(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, p));
  assert_int_equal(managed, 1);
  OK(cuMemFree(p));
}

static void test_a_pointer_tells_what_it_is(void **state) {
  CUdeviceptr p, start;
  uint32_t *pinned, local = 0;
  size_t bytes;
  CUmemorytype type;
  CUcontext of;
  int ordinal = 5;
  CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void *to[] = {&type, &ordinal};
  (void)state;
  OK(cuMemAlloc(&p, 1000));
  OK(cuMemAllocHost((void **)&pinned, 100));
  OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p + 999));
  assert_int_equal(type, CU_MEMORYTYPE_DEVICE);
  OK(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, p + 999));
  assert_int_equal(start, p);
  OK(cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, p + 999));
  assert_int_equal(bytes, 1000);
  OK(cuPointerGetAttribute(&of, CU_POINTER_ATTRIBUTE_CONTEXT, p));
  assert_ptr_equal(of, context);
  OK(cuMemGetAddressRange(&start, &bytes, p + 10));
  assert_true(start == p && bytes == 1000);
  OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (uintptr_t)pinned));
  assert_int_equal(type, CU_MEMORYTYPE_HOST);
  FAILS(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (uintptr_t)&local), INVALID_VALUE);
  OK(cuPointerGetAttributes(2, asked, to, (uintptr_t)&local));
  assert_int_equal(type, 0);
  assert_int_equal(ordinal, CU_DEVICE_INVALID);
  OK(cuMemcpy(p, (uintptr_t)&local, 4)); /* either side may be the host's */
  OK(cuMemcpy((uintptr_t)pinned, p, 4));
  OK(cuMemFreeHost(pinned));
  OK(cuMemFree(p));
  FAILS(cuMemGetAddressRange(&start, &bytes, p), NOT_FOUND);
}

static void test_pools_count_what_they_give(void **state) {
  CUmemoryPool pool, mine;
  CUdeviceptr a, b;
  uint64_t used;
  CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
  (void)state;
  OK(cuDeviceGetDefaultMemPool(&pool, 0));
  OK(cuMemAllocAsync(&a, 1000, NULL));
  OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  assert_int_equal(used, 1000);
  OK(cuMemPoolCreate(&mine, &props));
  OK(cuMemAllocFromPoolAsync(&b, 64, mine, NULL));
  OK(cuMemFreeAsync(a, NULL));
  FAILS(cuMemFreeAsync(a, NULL), INVALID_VALUE);
  OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  assert_int_equal(used, 0);
  OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &used));
  assert_int_equal(used, 1000);
  OK(cuMemPoolDestroy(mine));
  OK(cuMemFree(b));
  FAILS(cuMemPoolDestroy(pool), INVALID_VALUE);
}

/* ---- callbacks, threads, faults ---- */

static void note(void *data) {
  CUdeviceptr p;
  *(int *)data += cuMemAlloc(&p, 4) == CUDA_SUCCESS && cuMemFree(p) == CUDA_SUCCESS ? 1 : 100; /* the lock is free */
}

static void note_stream(CUstream stream, CUresult status, void *data) {
  (void)stream;
  *(int *)data += status ? 100 : 10;
}

static void test_host_functions_run_in_their_place(void **state) {
  int calls = 0;
  (void)state;
  OK(cuLaunchHostFunc(NULL, note, &calls));
  OK(cuStreamAddCallback(NULL, note_stream, &calls, 0));
  assert_int_equal(calls, 11);
  FAILS(cuLaunchHostFunc(NULL, NULL, NULL), INVALID_VALUE);
}

enum { THREADS = 3, ROUNDS = 6, WORDS = 1000 };

/* A thread has no context until it takes one; then its launches and copies are its own. The result: what went wrong. */
static void *work(void *argument) {
  uint32_t first = *(uint32_t *)argument, host[WORDS];
  CUdeviceptr p;
  CUcontext own = NULL;
  CUstream s;
  if (cuMemAlloc(&p, 4) != CUDA_ERROR_INVALID_CONTEXT) return "a thread begins with a context";
  if (first == 0 ? cuCtxCreate(&own, 0, 0) : cuCtxSetCurrent(context)) return "no context";
  if (cuStreamCreate(&s, 0) || cuMemAlloc(&p, sizeof host)) return "no memory";
  for (uint32_t i = 0; i < WORDS; i++) host[i] = first + i;
  if (cuMemcpyHtoDAsync(p, host, sizeof host, s)) return "no copy to the device";
  for (uint32_t k = 0; k < ROUNDS; k++) {
    if (run_add(p, p, WORDS)) return "no launch";
    if (cuMemcpyDtoHAsync(host, p, sizeof host, s)) return "no copy to the host";
    for (uint32_t i = 0; i < WORDS; i++)
      if (host[i] != first + i + k + 1) return "a wrong value";
  }
  if (cuMemFree(p) || cuStreamDestroy(s) || (own && cuCtxDestroy(own))) return "not freed";
  return NULL;
}

static void test_threads_use_the_driver_at_the_same_time(void **state) {
  pthread_t threads[THREADS];
  uint32_t first[THREADS] = {0, 100000, 200000};
  CUcontext now;
  (void)state;
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, work, &first[i]), 0);
  for (int i = 0; i < THREADS; i++) {
    void *wrong;
    assert_int_equal(pthread_join(threads[i], &wrong), 0);
    if (wrong) fail_msg("thread %d: %s", i, (const char *)wrong);
  }
  OK(cuCtxGetCurrent(&now));
  assert_ptr_equal(now, context);
}

/* The last test: the context is lost, the device is not. */
static void test_a_fault_takes_its_context_and_no_other(void **state) {
  CUcontext other;
  CUdeviceptr p, q;
  uint32_t word = 1;
  (void)state;
  OK(cuMemAlloc(&p, 4));
  FAILS(run_add(p, 0x4000000000, 1), ILLEGAL_ADDRESS);
  FAILS(cuMemFree(p), ILLEGAL_ADDRESS);
  FAILS(cuCtxSynchronize(), ILLEGAL_ADDRESS);
  FAILS(run_add(p, p, 1), ILLEGAL_ADDRESS);
  OK(cuCtxCreate(&other, 0, 0));
  OK(cuModuleLoadData(&module, add_ptx));
  OK(cuModuleGetFunction(&add, module, "add"));
  OK(cuMemAlloc(&q, 4));
  OK(cuMemcpyHtoD(q, &word, 4));
  OK(run_add(q, q, 1));
  OK(cuMemcpyDtoH(&word, q, 4));
  assert_int_equal(word, 2);
  OK(cuCtxDestroy(context));
  OK(cuCtxDestroy(other));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_handle_that_is_none_is_refused),
    cmocka_unit_test(test_what_is_destroyed_is_gone),
    cmocka_unit_test(test_contexts_are_a_stack),
    cmocka_unit_test(test_the_primary_context_is_counted),
    cmocka_unit_test(test_every_attribute_is_answered),
    cmocka_unit_test(test_functions_know_themselves),
    cmocka_unit_test(test_occupancy_is_the_machines),
    cmocka_unit_test(test_launch_attributes_are_judged),
    cmocka_unit_test(test_rows_and_boxes_land_where_they_should),
    cmocka_unit_test(test_kernels_reach_mapped_host_memory),
    cmocka_unit_test(test_managed_memory_is_one_address),
    cmocka_unit_test(test_a_pointer_tells_what_it_is),
    cmocka_unit_test(test_pools_count_what_they_give),
    cmocka_unit_test(test_host_functions_run_in_their_place),
    cmocka_unit_test(test_threads_use_the_driver_at_the_same_time),
    cmocka_unit_test(test_a_fault_takes_its_context_and_no_other),
  };
  setenv("TANDEM_MACHINE", "gtx480", 1);
  setenv("TANDEM_SET", "sm.count=3 memory.mib=64", 1);
  return cmocka_run_group_tests(tests, open_device, NULL);
}
