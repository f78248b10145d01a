/* SPDX-License-Identifier: Apache-2.0 */
/* Does the driver API behave as a host program expects of NVIDIA's? One process has one driver, so the tests that need a
 * device of their own run in a child process. */
#include "base/err.h"
#include "config/gpu_config.h"
#include "kit/driver.h"

#include <glob.h>
#include <jansson.h>
#include <math.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* out[i] = a * i + b for i < n */
static const char line_ptx[] = HEADER
  ".visible .global .align 4 .u32 limit = 7;\n"
  ".visible .entry line(.param .u64 out, .param .u32 n, .param .u32 a, .param .u8 b)\n"
  "{\n"
  ".reg .pred %p<2>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<4>;\n"
  "ld.param.u64 %rd1, [out];\nld.param.u32 %r1, [n];\nld.param.u32 %r2, [a];\nld.param.u8 %r3, [b];\n"
  "mov.u32 %r4, %ctaid.x;\nmov.u32 %r5, %ntid.x;\nmov.u32 %r6, %tid.x;\nmad.lo.s32 %r7, %r4, %r5, %r6;\n"
  "setp.ge.u32 %p1, %r7, %r1;\n@%p1 bra done;\n"
  "mad.lo.s32 %r8, %r2, %r7, %r3;\n"
  "cvta.to.global.u64 %rd2, %rd1;\nmul.wide.u32 %rd3, %r7, 4;\nadd.s64 %rd2, %rd2, %rd3;\nst.global.u32 [%rd2], %r8;\n"
  "done: ret;\n}\n";

/* stores a word at the address it is given */
static const char store_ptx[] =
  HEADER ".visible .entry store(.param .u64 out)\n{\n.reg .b32 %r<2>;\n.reg .b64 %rd<2>;\n"
         "ld.param.u64 %rd1, [out];\nmov.u32 %r1, 1;\nst.global.u32 [%rd1], %r1;\nret;\n}\n";

/* one warp of two waits for the other */
static const char stuck_ptx[] = HEADER
  ".visible .entry stuck()\n{\n.reg .pred %p<2>;\n.reg .b32 %r<2>;\n"
  "mov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, 32;\n@%p1 bra wait;\nbar.sync 1, 96;\nret;\nwait: bar.sync 2, 96;\nret;\n}\n";

static CUfunction open_kernel(const char *ptx, const char *name, CUmodule *module) {
  CUcontext context;
  CUfunction function;
  OK(cuInit(0));
  OK(cuDevicePrimaryCtxRetain(&context, 0));
  OK(cuCtxSetCurrent(context));
  OK(cuModuleLoadData(module, ptx));
  OK(cuModuleGetFunction(&function, *module, name));
  return function;
}

/* ---- the process's own device ---- */

static void test_nothing_works_before_init(void **state) {
  int count;
  CUdeviceptr at;
  (void)state;
  assert_int_equal(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
  assert_int_equal(cuMemAlloc(&at, 4), CUDA_ERROR_NOT_INITIALIZED);
  assert_int_equal(cuInit(1), CUDA_ERROR_INVALID_VALUE);
}

static void test_memory_needs_a_context(void **state) {
  CUdeviceptr at;
  (void)state;
  OK(cuInit(0));
  OK(cuInit(0));
  assert_int_equal(cuMemAlloc(&at, 4), CUDA_ERROR_INVALID_CONTEXT);
}

static void test_the_device_is_the_machine(void **state) {
  CUdevice device;
  int count, sms, shared, major, minor;
  size_t total;
  char name[64];
  (void)state;
  OK(cuDeviceGetCount(&count));
  assert_int_equal(count, 1);
  assert_int_equal(cuDeviceGet(&device, 1), CUDA_ERROR_INVALID_DEVICE);
  OK(cuDeviceGet(&device, 0));
  OK(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
  OK(cuDeviceGetAttribute(&shared, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, device));
  assert_int_equal(cuDeviceGetAttribute(&sms, (CUdevice_attribute)9999, device), CUDA_ERROR_INVALID_VALUE);
  OK(cuDeviceTotalMem(&total, device));
  OK(cuDeviceComputeCapability(&major, &minor, device));
  OK(cuDeviceGetName(name, sizeof name, device));
  assert_int_equal(sms, 3); /* TANDEM_SET of main() */
  assert_int_equal(shared, 49152);
  assert_int_equal(total, (size_t)64 << 20);
  assert_int_equal(major * 10 + minor, 75);
  assert_non_null(strstr(name, "gtx480"));
}

static void test_copies_stay_inside_their_allocation(void **state) {
  CUcontext context;
  CUdeviceptr a, b;
  size_t free_before, free_after, total;
  uint32_t host[64], back[64];
  (void)state;
  OK(cuDevicePrimaryCtxRetain(&context, 0));
  OK(cuCtxSetCurrent(context));
  OK(cuMemGetInfo(&free_before, &total));
  assert_int_equal(cuMemAlloc(&a, 0), CUDA_ERROR_INVALID_VALUE);
  assert_int_equal(cuMemAlloc(&a, (size_t)65 << 20), CUDA_ERROR_OUT_OF_MEMORY);
  OK(cuMemAlloc(&a, sizeof host));
  OK(cuMemAlloc(&b, sizeof host));
  assert_int_equal(a % 256, 0);
  for (uint32_t i = 0; i < 64; i++) host[i] = i * 2654435761u;
  OK(cuMemcpyHtoD(a, host, sizeof host));
  OK(cuMemcpyDtoD(b, a + 4, sizeof host - 4));
  OK(cuMemcpyDtoH(back, b, sizeof host));
  assert_memory_equal(back, host + 1, sizeof host - 4);
  assert_int_equal(back[63], 0);
  assert_int_equal(cuMemcpyHtoD(a, host, sizeof host + 1), CUDA_ERROR_INVALID_VALUE);
  assert_int_equal(cuMemcpyHtoD(a + sizeof host - 4, host, 8), CUDA_ERROR_INVALID_VALUE);
  assert_int_equal(cuMemcpyDtoH(back, 0x1234, 4), CUDA_ERROR_INVALID_VALUE);
  assert_int_equal(cuMemcpyDtoH(NULL, a, 4), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemsetD32(b + 8, 0xdeadbeef, 2));
  OK(cuMemsetD8(b, 0x5a, 3));
  OK(cuMemcpyDtoH(back, b, sizeof host));
  assert_int_equal(back[0], (host[1] & 0xff000000u) | 0x5a5a5a);
  assert_int_equal(back[1], host[2]);
  assert_int_equal(back[2], 0xdeadbeef);
  assert_int_equal(back[3], 0xdeadbeef);
  assert_int_equal(back[4], host[5]);
  assert_int_equal(cuMemsetD32(b + 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemFree(a));
  assert_int_equal(cuMemFree(a), CUDA_ERROR_INVALID_VALUE);
  assert_int_equal(cuMemFree(b + 4), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemFree(b));
  OK(cuMemFree(0));
  OK(cuMemGetInfo(&free_after, &total));
  assert_int_equal(free_before, free_after);
}

static void check_line(CUdeviceptr out, uint32_t n, uint32_t a, uint32_t b) {
  uint32_t host[300];
  OK(cuMemcpyDtoH(host, out, sizeof host));
  for (uint32_t i = 0; i < 300; i++) assert_int_equal(host[i], i < n ? a * i + b : 0xffffffffu);
  OK(cuMemsetD32(out, 0xffffffffu, 300));
}

static void test_both_parameter_styles_pass_the_same_values(void **state) {
  CUmodule module;
  CUfunction line = open_kernel(line_ptx, "line", &module);
  CUdeviceptr out;
  uint32_t n = 299, a = 3;
  uint8_t b = 200;
  (void)state;
  OK(cuMemAlloc(&out, 300 * 4));
  OK(cuMemsetD32(out, 0xffffffffu, 300));
  OK(cuLaunchKernel(line, 3, 1, 1, 100, 1, 1, 0, NULL, (void *[]){&out, &n, &a, &b}, NULL));
  check_line(out, 299, 3, 200);
  /* each aligned to its size: offsets 0, 8, 12, 16 */
  uint8_t buffer[17] = {0};
  size_t size = sizeof buffer;
  memcpy(buffer, &out, 8);
  memcpy(buffer + 8, &(uint32_t){17}, 4);
  memcpy(buffer + 12, &(uint32_t){5}, 4);
  buffer[16] = 9;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  OK(cuLaunchKernel(line, 3, 1, 1, 100, 1, 1, 0, NULL, NULL, extra));
  check_line(out, 17, 5, 9);
  assert_int_equal(cuLaunchKernel(line, 3, 1, 1, 100, 1, 1, 0, NULL, (void *[]){&out, &n, &a, &b}, extra),
                   CUDA_ERROR_INVALID_VALUE);
  size = 12;
  assert_int_equal(cuLaunchKernel(line, 3, 1, 1, 100, 1, 1, 0, NULL, NULL, extra), CUDA_ERROR_INVALID_VALUE);
  assert_int_equal(cuLaunchKernel(line, 3, 1, 1, 100, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemFree(out));
  OK(cuModuleUnload(module));
}

static void test_impossible_launches_leave_the_context_usable(void **state) {
  CUmodule module;
  CUfunction store = open_kernel(store_ptx, "store", &module);
  CUdeviceptr out;
  uint32_t word = 0;
  (void)state;
  OK(cuMemAlloc(&out, 4));
  void *params[] = {&out};
  assert_int_equal(cuLaunchKernel(store, 0, 1, 1, 1, 1, 1, 0, NULL, params, NULL), CUDA_ERROR_INVALID_VALUE);
  assert_int_equal(cuLaunchKernel(store, 1, 1, 1, 1025, 1, 1, 0, NULL, params, NULL), CUDA_ERROR_INVALID_VALUE);
  assert_int_equal(cuLaunchKernel(store, 1, 65536, 1, 1, 1, 1, 0, NULL, params, NULL), CUDA_ERROR_INVALID_VALUE);
  assert_int_equal(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL), CUDA_ERROR_INVALID_HANDLE);
  assert_int_equal(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 49153, NULL, params, NULL),
                   CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  OK(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 49152, NULL, params, NULL));
  OK(cuMemcpyDtoH(&word, out, 4));
  assert_int_equal(word, 1);
  OK(cuMemFree(out));
  OK(cuModuleUnload(module));
}

static void test_modules_give_their_kernels_and_variables(void **state) {
  CUmodule module, none;
  CUfunction function = open_kernel(line_ptx, "line", &module);
  CUdeviceptr limit;
  size_t bytes;
  uint32_t value = 0;
  int attribute;
  (void)state;
  assert_int_equal(cuModuleGetFunction(&function, module, "lime"), CUDA_ERROR_NOT_FOUND);
  OK(cuModuleGetFunction(&function, module, "line"));
  OK(cuModuleGetGlobal(&limit, &bytes, module, "limit"));
  assert_int_equal(bytes, 4);
  OK(cuMemcpyDtoH(&value, limit, 4));
  assert_int_equal(value, 7);
  assert_int_equal(cuModuleGetGlobal(&limit, &bytes, module, "limits"), CUDA_ERROR_NOT_FOUND);
  OK(cuFuncGetAttribute(&attribute, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  assert_int_equal(attribute, 1024);
  OK(cuFuncGetAttribute(&attribute, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function));
  assert_int_equal(attribute, 0);
  assert_int_equal(cuModuleLoadData(&none, "\177ELF"), CUDA_ERROR_NO_BINARY_FOR_GPU);
  assert_int_equal(cuModuleLoadData(&none, HEADER ".visible .entry k() { frob.u32 %r1; }"), CUDA_ERROR_INVALID_PTX);
  assert_int_equal(cuModuleLoadData(&none, HEADER ".visible .entry k() { ret;"), CUDA_ERROR_INVALID_PTX);
  assert_int_equal(cuModuleLoad(&none, "/nowhere/kernel.ptx"), CUDA_ERROR_FILE_NOT_FOUND);
  OK(cuModuleUnload(module));
  assert_int_equal(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
  assert_int_equal(cuModuleGetFunction(&function, module, "line"), CUDA_ERROR_INVALID_HANDLE);
  assert_int_equal(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_INVALID_HANDLE);
}

static void test_events_measure_simulated_time(void **state) {
  CUmodule module;
  CUfunction line = open_kernel(line_ptx, "line", &module);
  CUevent before, between, after;
  CUstream stream;
  CUdeviceptr out;
  uint32_t n = 300, a = 1;
  uint8_t b = 0;
  float ms, first, second;
  (void)state;
  OK(cuMemAlloc(&out, 300 * 4));
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  OK(cuEventCreate(&before, 0));
  OK(cuEventCreate(&between, 0));
  OK(cuEventCreate(&after, 0));
  assert_int_equal(cuEventElapsedTime(&ms, before, after), CUDA_ERROR_INVALID_HANDLE);
  void *params[] = {&out, &n, &a, &b};
  OK(cuEventRecord(before, stream));
  OK(cuLaunchKernel(line, 3, 1, 1, 100, 1, 1, 0, stream, params, NULL));
  OK(cuEventRecord(between, stream));
  usleep(20000); /* host time does not count */
  for (int i = 0; i < 3; i++) OK(cuLaunchKernel(line, 3, 1, 1, 100, 1, 1, 0, stream, params, NULL));
  OK(cuEventRecord(after, stream));
  OK(cuEventSynchronize(after));
  OK(cuStreamSynchronize(stream));
  OK(cuEventElapsedTime(&first, before, between));
  OK(cuEventElapsedTime(&second, between, after));
  assert_true(first > 0);
  assert_true(second > first && second < 4 * first);
  assert_true(second < 1); /* microseconds of a GPU, not the 20 ms above */
  OK(cuEventElapsedTime(&ms, after, before));
  assert_true(fabsf(ms + first + second) < 1e-6f);
  OK(cuEventDestroy(before));
  OK(cuEventDestroy(between));
  OK(cuEventDestroy(after));
  OK(cuStreamDestroy(stream));
  OK(cuMemFree(out));
  OK(cuModuleUnload(module));
}

static void test_entry_points_are_found_by_plain_name(void **state) {
  static const char *const names[] = {
    "cuInit",           "cuMemAlloc", "cuMemcpyDtoH", "cuLaunchKernel", "cuEventElapsedTime", "cuStreamDestroy",
    "cuGetProcAddress", NULL};
  CUdriverProcAddressQueryResult found;
  void *function;
  (void)state;
  for (int i = 0; names[i]; i++) {
    OK(cuGetProcAddress(names[i], &function, CUDA_VERSION, 0, &found));
    assert_non_null(function);
    assert_int_equal(found, CU_GET_PROC_ADDRESS_SUCCESS);
  }
  CUresult (*get_version)(int *);
  int version = 0;
  OK(cuGetProcAddress("cuDriverGetVersion", &function, CUDA_VERSION, 0, NULL));
  memcpy(&get_version, &function, sizeof get_version);
  OK(get_version(&version));
  assert_true(version >= CUDA_VERSION);
  assert_int_equal(cuGetProcAddress("cuFrobnicate", &function, CUDA_VERSION, 0, &found), CUDA_ERROR_NOT_FOUND);
  assert_int_equal(found, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

static void test_errors_have_names(void **state) {
  const char *text;
  (void)state;
  OK(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
  assert_string_equal(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
  OK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
  assert_string_equal(text, "out of memory");
  assert_int_equal(cuGetErrorName((CUresult)12345, &text), CUDA_ERROR_INVALID_VALUE);
}

/* ---- devices of their own: `body` runs in a child with its own environment and output folder ---- */

static const char *self; /* this program: the child is a fresh process image */

/* Exit status of `cuda_test CHILD_NAME` with the variables; what it printed on stderr goes to `text`. */
static int run_child(const char *name, const char *variables, const char *out, char *text, size_t size) {
  char command[2400];
  snprintf(command, sizeof command, "TANDEM_MACHINE=small TANDEM_SET= TANDEM_OUT='%s' %s '%s' %s 2>&1 >/dev/null", out,
           variables, self, name);
  FILE *f = popen(command, "r");
  assert_non_null(f);
  size_t n = fread(text, 1, size - 1, f);
  text[n] = 0;
  int status = pclose(f);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static json_t *run_json(const char *dir) {
  char path[300];
  snprintf(path, sizeof path, "%s/run.json", dir);
  return json_load_file(path, 0, NULL);
}

static void scratch(char *dir, size_t size) {
  snprintf(dir, size, "/tmp/tandem-cuda-test-XXXXXX");
  assert_non_null(mkdtemp(dir));
}

static void remove_scratch(const char *dir) {
  char command[300];
  snprintf(command, sizeof command, "rm -rf '%s'", dir);
  assert_int_equal(system(command), 0);
}

/* What the children do; the result is the exit status. */
static int child_store(CUdeviceptr out) {
  CUmodule module;
  CUfunction store = open_kernel(store_ptx, "store", &module);
  CUdeviceptr memory;
  CUresult result = cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&out}, NULL);
  /* the context is lost: everything answers the same */
  if (result && cuMemAlloc(&memory, 4) != result) return 99;
  if (result && cuCtxSynchronize() != result) return 98;
  return result == CUDA_ERROR_ILLEGAL_ADDRESS ? 70 : result == CUDA_ERROR_MISALIGNED_ADDRESS ? 71 : (int)result;
}

static int child_stuck(void) {
  CUmodule module;
  CUfunction stuck = open_kernel(stuck_ptx, "stuck", &module);
  return cuLaunchKernel(stuck, 1, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL) == CUDA_ERROR_LAUNCH_TIMEOUT ? 72 : 1;
}

static int child_line(void) {
  CUmodule module;
  CUfunction line = open_kernel(line_ptx, "line", &module);
  CUdeviceptr out;
  uint32_t n = 5000, a = 3;
  uint8_t b = 1;
  OK(cuMemAlloc(&out, 5000 * 4));
  for (int i = 0; i < 2; i++)
    OK(cuLaunchKernel(line, 50, 1, 1, 100, 1, 1, 0, NULL, (void *[]){&out, &n, &a, &b}, NULL));
  return 0;
}

static int child_bandwidth(void) {
  int khz, bits;
  OK(cuInit(0));
  OK(cuDeviceGetAttribute(&khz, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 0));
  OK(cuDeviceGetAttribute(&bits, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 0));
  fprintf(stderr, "%lld", 2LL * khz * bits / 8); /* kB/s, as device queries compute it */
  return 0;
}

static int child(const char *name) {
  if (!strcmp(name, "bandwidth")) return child_bandwidth();
  if (!strcmp(name, "illegal")) return child_store(0x4000000000);
  if (!strcmp(name, "misaligned")) return child_store(0x200000001);
  if (!strcmp(name, "stuck")) return child_stuck();
  if (!strcmp(name, "line")) return child_line();
  if (!strcmp(name, "init")) return cuInit(0) == CUDA_SUCCESS ? 0 : 2;
  return 100;
}

static void expect_fault(const char *name, int status, const char *outcome, const char *word) {
  char dir[64], text[8192];
  scratch(dir, sizeof dir);
  assert_int_equal(run_child(name, "TANDEM_SET=watchdog=1000", dir, text, sizeof text), status);
  if (!strstr(text, word)) fail_msg("'%s' is not in: %s", word, text);
  json_t *j = run_json(dir);
  assert_non_null(j);
  assert_string_equal(json_string_value(json_object_get(json_object_get(j, "verdict"), "result")), outcome);
  json_decref(j);
  remove_scratch(dir);
}

static void test_a_fault_names_kernel_line_thread_and_address(void **state) {
  (void)state;
  expect_fault("illegal", 70, "fault", "0x4000000000");
  expect_fault("illegal", 70, "fault", "thread (0,0,0)");
  expect_fault("illegal", 70, "fault", "kernel 'store'");
  expect_fault("illegal", 70, "fault", "module.ptx:10");
  expect_fault("misaligned", 71, "fault", "misaligned");
}

static void test_a_deadlock_is_found_and_described(void **state) {
  (void)state;
  expect_fault("stuck", 72, "deadlock", "deadlock of kernel 'stuck'");
}

static json_t *statistics_of(const char *variables, json_t **engines) {
  char dir[64], text[8192];
  scratch(dir, sizeof dir);
  if (run_child("line", variables, dir, text, sizeof text)) fail_msg("%s: %s", variables, text);
  json_t *j = run_json(dir), *statistics = json_incref(json_object_get(j, "statistics"));
  assert_non_null(statistics);
  if (engines) *engines = json_incref(json_object_get(j, "engines"));
  json_decref(j);
  remove_scratch(dir);
  return statistics;
}

static void test_a_run_leaves_the_same_statistics_with_and_without_skipping(void **state) {
  (void)state;
  json_t *engines, *skipped = statistics_of("TANDEM_SYSTEM=d2ma", &engines),
                   *all = statistics_of("TANDEM_SYSTEM=d2ma TANDEM_NO_SKIP=1", NULL);
  assert_true(json_equal(skipped, all));
  assert_true(json_array_size(engines) > 0);
  const json_t *sm = json_object_get(skipped, "sm");
  assert_int_equal(json_integer_value(json_object_get(sm, "ctas")), 2 * 50);
  assert_int_equal(json_integer_value(json_object_get(sm, "global_stores")), 2 * 50 * 4); /* 4 warps of a CTA of 100 */
  json_t *slower = statistics_of("TANDEM_SYSTEM=d2ma TANDEM_SET='noc.latency=400 sm.latency.int=40'", NULL);
  assert_true(json_integer_value(json_object_get(slower, "core_cycles")) >
              json_integer_value(json_object_get(skipped, "core_cycles")));
  json_decref(skipped);
  json_decref(all);
  json_decref(slower);
  json_decref(engines);
}

static void test_clock_and_width_of_the_memory_give_its_bandwidth(void **state) {
  (void)state;
  glob_t found;
  assert_int_equal(glob(TANDEM_CONFIG_DIR "/gpu/*.yaml", 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    struct gpu_config m;
    struct err e = {0};
    char dir[64], variables[600], text[8192];
    gpu_config_defaults(&m);
    if (gpu_config_load(&m, TANDEM_CONFIG_DIR, found.gl_pathv[i], &e)) fail_msg("%s", e.text);
    scratch(dir, sizeof dir);
    snprintf(variables, sizeof variables, "TANDEM_MACHINE='%s' TANDEM_SET=memory.mib=64", found.gl_pathv[i]);
    assert_int_equal(run_child("bandwidth", variables, dir, text, sizeof text), 0);
    if (atoll(text) != m.dram_channels * m.dram_bytes_per_clock * m.dram_khz)
      fail_msg("%s: %s kB/s", found.gl_pathv[i], text);
    if (strstr(found.gl_pathv[i], "/gtx480.yaml")) assert_string_equal(text, "179200000");
    remove_scratch(dir);
  }
  assert_true(found.gl_pathc > 5);
  globfree(&found);
}

static void expect_bad_environment(const char *variables, const char *word) {
  char dir[64], text[8192], run[80];
  scratch(dir, sizeof dir);
  snprintf(run, sizeof run, "%s/run.json", dir);
  if (run_child("init", variables, dir, text, sizeof text) != 2) fail_msg("%s was accepted: %s", variables, text);
  if (!strstr(text, word)) fail_msg("%s: '%s' is not in: %s", variables, word, text);
  assert_int_not_equal(access(run, F_OK), 0);
  remove_scratch(dir);
}

static void test_a_bad_environment_is_refused_with_a_sentence(void **state) {
  (void)state;
  expect_bad_environment("TANDEM_MACHINE=gtx999", "gtx999");
  expect_bad_environment("TANDEM_SET=sm.cuont=3", "sm.count");
  expect_bad_environment("TANDEM_SET=sm.count=12abc", "12abc");
  expect_bad_environment("TANDEM_SET=sm.count=0", "1..256");
  expect_bad_environment("TANDEM_SYSTEM=d2mb", "d2ma");
  expect_bad_environment("TANDEM_ENGINE='sm*.d2ma.*=verilog'", "lockstep");
  expect_bad_environment("TANDEM_ENGINE='sm*.d2ma.*=c'", "no block");
  expect_bad_environment("TANDEM_SYSTEM=d2ma TANDEM_ENGINE='sm*.dma.*=c'", "no instance");
  expect_bad_environment("TANDEM_WAVE=9:3", "FROM");
  expect_bad_environment("TANDEM_SEED=-1", "TANDEM_SEED");
  expect_bad_environment("TANDEM_BUG=d2ma_agen:none", "none");
  expect_bad_environment("TANDEM_OUT=/dev/null/x", "/dev/null/x");
  expect_bad_environment("TANDEM_OUT=/dev/null", "is a file");
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_nothing_works_before_init),
    cmocka_unit_test(test_memory_needs_a_context),
    cmocka_unit_test(test_the_device_is_the_machine),
    cmocka_unit_test(test_copies_stay_inside_their_allocation),
    cmocka_unit_test(test_both_parameter_styles_pass_the_same_values),
    cmocka_unit_test(test_impossible_launches_leave_the_context_usable),
    cmocka_unit_test(test_modules_give_their_kernels_and_variables),
    cmocka_unit_test(test_events_measure_simulated_time),
    cmocka_unit_test(test_entry_points_are_found_by_plain_name),
    cmocka_unit_test(test_errors_have_names),
    cmocka_unit_test(test_a_fault_names_kernel_line_thread_and_address),
    cmocka_unit_test(test_a_deadlock_is_found_and_described),
    cmocka_unit_test(test_a_run_leaves_the_same_statistics_with_and_without_skipping),
    cmocka_unit_test(test_clock_and_width_of_the_memory_give_its_bandwidth),
    cmocka_unit_test(test_a_bad_environment_is_refused_with_a_sentence),
  };
  if (argc > 1) return child(argv[1]);
  self = argv[0];
  setenv("TANDEM_MACHINE", "gtx480", 1);
  setenv("TANDEM_SET", "sm.count=3 memory.mib=64", 1);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
