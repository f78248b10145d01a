/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Does a program get its kernels in every way that the driver API offers: modules with logs, libraries, the linker, fat
 * binaries, entry points by name? */
#include "kit/driver.h"

#define DIM(a) (sizeof(a) / sizeof *(a))

/* out[i] = in[i] + 1 for i < n */
static const char add_ptx[] = HEADER ADD_ENTRY ".visible .entry nothing() { ret; }\n";

static void test_logs_go_where_the_options_say(void **state) {
  char errors[200] = "?", infos[400] = "?";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER,
                            CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_MAX_REGISTERS};
  void *values[] = {errors, (void *)sizeof errors, infos, (void *)sizeof infos, (void *)32};
  CUmodule m;
  (void)state;
  FAILS(cuModuleLoadDataEx(&m, HEADER ".visible .entry k() { frob.u32 %r1; }", DIM(options), options, values),
        INVALID_PTX);
  assert_non_null(strstr(errors, "module.ptx:4: unknown register '%r1'"));
  assert_int_equal((uintptr_t)values[1], strlen(errors));
  assert_int_equal((uintptr_t)values[3], 0);
  values[1] = (void *)8; /* cut, and ended */
  FAILS(cuModuleLoadDataEx(&m, "nonsense", DIM(options), options, values), INVALID_PTX);
  assert_int_equal(strlen(errors), 7);
  values[1] = (void *)sizeof errors;
  values[3] = (void *)sizeof infos;
  OK(cuModuleLoadDataEx(&m, add_ptx, DIM(options), options, values));
  assert_string_equal(errors, "");
  assert_non_null(strstr(infos, "kernel 'add'"));
  OK(cuModuleUnload(m));
  options[0] = (CUjit_option)999;
  FAILS(cuModuleLoadDataEx(&m, add_ptx, DIM(options), options, values), INVALID_VALUE);
}

static void test_libraries_are_modules(void **state) {
  CUlibrary lib, of;
  CUkernel k;
  CUfunction f;
  CUmodule m;
  CUdeviceptr p;
  uint32_t one = 41, n = 1;
  unsigned int kernels;
  (void)state;
  OK(cuLibraryLoadData(&lib, add_ptx, NULL, NULL, 0, NULL, NULL, 0));
  OK(cuLibraryGetKernelCount(&kernels, lib));
  assert_int_equal(kernels, 2);
  FAILS(cuLibraryGetKernel(&k, lib, "sub"), NOT_FOUND);
  OK(cuLibraryGetKernel(&k, lib, "add"));
  OK(cuKernelGetLibrary(&of, k));
  assert_ptr_equal(of, lib);
  OK(cuKernelGetFunction(&f, k));
  OK(cuMemAlloc(&p, 4));
  OK(cuMemcpyHtoD(p, &one, 4));
  OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&p, &p, &n}, NULL));
  OK(cuLaunchKernel((CUfunction)(void *)k, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&p, &p, &n}, NULL));
  OK(cuMemcpyDtoH(&one, p, 4));
  assert_int_equal(one, 43);
  OK(cuLibraryGetModule(&m, lib));
  FAILS(cuModuleUnload(m), NOT_PERMITTED);
  OK(cuLibraryUnload(lib));
  FAILS(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), INVALID_HANDLE);
  OK(cuMemFree(p));
}

static void test_the_linker_joins_texts(void **state) {
  char other[] = HEADER ".visible .entry other() { ret; }";
  CUlinkState s;
  CUmodule m;
  CUfunction f;
  void *image;
  size_t bytes;
  (void)state;
  OK(cuLinkCreate(0, NULL, NULL, &s));
  FAILS(cuLinkComplete(s, &image, &bytes), INVALID_VALUE);
  FAILS(cuLinkAddData(s, CU_JIT_INPUT_CUBIN, other, sizeof other, "o", 0, NULL, NULL), NO_BINARY_FOR_GPU);
  OK(cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)(uintptr_t)add_ptx, sizeof add_ptx, "add.ptx", 0, NULL, NULL));
  OK(cuLinkAddData(s, CU_JIT_INPUT_PTX, other, sizeof other, "other.ptx", 0, NULL, NULL));
  OK(cuLinkComplete(s, &image, &bytes));
  OK(cuModuleLoadData(&m, image));
  OK(cuLinkDestroy(s));
  OK(cuModuleGetFunction(&f, m, "add"));
  OK(cuModuleGetFunction(&f, m, "other"));
  OK(cuModuleUnload(m));
}

static void test_a_fat_binary_runs(void **state) {
  CUmodule m;
  CUfunction scale;
  CUdeviceptr p;
  float data[64], a = 2.5f;
  unsigned n = 64;
  (void)state;
  for (int i = 0; i < 64; i++) data[i] = (float)i;
  OK(cuModuleLoad(&m, TANDEM_CONFIG_DIR "/../tests/fixtures/fatbin/ptx_size.fatbin"));
  OK(cuModuleGetFunction(&scale, m, "scale"));
  OK(cuMemAlloc(&p, sizeof data));
  OK(cuMemcpyHtoD(p, data, sizeof data));
  OK(cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, NULL, (void *[]){&p, &p, &a, &n}, NULL));
  OK(cuMemcpyDtoH(data, p, sizeof data));
  for (int i = 0; i < 64; i++) assert_true(data[i] == 2.5f * (float)i);
  OK(cuMemFree(p));
  OK(cuModuleUnload(m));
  FAILS(cuModuleLoad(&m, TANDEM_CONFIG_DIR "/../tests/fixtures/fatbin/machine_code.fatbin"), NO_BINARY_FOR_GPU);
}

static void test_entry_points_have_versions(void **state) {
  CUdriverProcAddressQueryResult found;
  CUresult (*create)(CUcontext *, CUctxCreateParams *, unsigned int, CUdevice);
  void *old, *new;
  CUcontext c;
  const void *table;
  CUuuid id = {{0}};
  (void)state;
  OK(cuGetProcAddress("cuCtxCreate", &old, 11000, 0, &found));
  OK(cuGetProcAddress("cuCtxCreate", &new, 13000, 0, &found));
  assert_ptr_not_equal(old, new);
  memcpy(&create, &new, sizeof create);
  OK(create(&c, NULL, 0, 0));
  OK(cuCtxDestroy(c));
  FAILS(cuGetProcAddress("cuLibraryLoadData", &old, 11000, 0, &found), NOT_FOUND);
  assert_int_equal(found, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  FAILS(cuGetProcAddress(NULL, &old, 11000, 0, &found), INVALID_VALUE);
  FAILS(cuGetExportTable(&table, &id), NOT_FOUND);
}

/* The driver runs with ptx.registers = allocated: the program's limit counts, and so do spill code and occupancy. */
static void test_a_limit_of_registers_spills_or_is_refused(void **state) {
  char errors[300] = "?", infos[600] = "?";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER,
                            CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_MAX_REGISTERS};
  CUmodule m;
  CUfunction f;
  CUdeviceptr p;
  int most = 0, local;
  (void)state;
  OK(cuMemAlloc(&p, 4));
  for (uintptr_t limit = 32; limit; limit--) {
    void *values[] = {errors, (void *)sizeof errors, infos, (void *)sizeof infos, (void *)limit};
    CUresult result = cuModuleLoadDataEx(&m, add_ptx, DIM(options), options, values);
    if (limit == 3) { /* add.s64 of two pairs into one */
      assert_int_equal(result, CUDA_ERROR_INVALID_PTX);
      assert_non_null(strstr(errors, "module.ptx:"));
      assert_non_null(strstr(errors, "'add' may use 3 registers (CU_JIT_MAX_REGISTERS 3) and this instruction alone"));
      break;
    }
    uint32_t word = 41, n = 1;
    int registers;
    assert_int_equal(result, CUDA_SUCCESS);
    assert_non_null(strstr(infos, " bytes spilled"));
    OK(cuModuleGetFunction(&f, m, "add"));
    OK(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, f));
    OK(cuFuncGetAttribute(&local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, f));
    if (limit == 32) most = registers;
    assert_int_equal(registers <= (int)limit, 1);
    assert_int_equal(local > 0, (int)limit < most);
    OK(cuMemcpyHtoD(p, &word, 4));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&p, &p, &n}, NULL));
    OK(cuMemcpyDtoH(&word, p, 4));
    assert_int_equal(word, 42);
    OK(cuModuleUnload(m));
  }
  assert_true(most >= 6);
  /* a block that shall fit leaves each thread its part of the register file */
  CUjit_option of_block = CU_JIT_THREADS_PER_BLOCK;
  void *threads = (void *)(uintptr_t)8192;
  int part;
  OK(cuModuleLoadDataEx(&m, add_ptx, 1, &of_block, &threads));
  OK(cuModuleGetFunction(&f, m, "add"));
  OK(cuFuncGetAttribute(&part, CU_FUNC_ATTRIBUTE_NUM_REGS, f));
  assert_int_equal(part, 4); /* of 32768 */
  OK(cuModuleUnload(m));
  OK(cuMemFree(p));
}

static int open_device(void **state) {
  CUcontext context;
  (void)state;
  OK(cuInit(0));
  OK(cuCtxCreate(&context, 0, 0));
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_logs_go_where_the_options_say),
    cmocka_unit_test(test_libraries_are_modules),
    cmocka_unit_test(test_the_linker_joins_texts),
    cmocka_unit_test(test_a_fat_binary_runs),
    cmocka_unit_test(test_entry_points_have_versions),
    cmocka_unit_test(test_a_limit_of_registers_spills_or_is_refused),
  };
  setenv("TANDEM_MACHINE", "small", 1);
  setenv("TANDEM_SET", "ptx.registers=allocated", 1);
  return cmocka_run_group_tests(tests, open_device, NULL);
}
