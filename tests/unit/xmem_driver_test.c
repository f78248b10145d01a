/* SPDX-License-Identifier: Apache-2.0 */
/* slice: xmem */
/* Does the driver keep the atoms of modules and contexts apart, as its page in csim/README.md says? What the tables in memory
 * hold is asked through the driver; a launch comes first, since the host's calls take effect with it. */
#include "cuda.h"
#include "kit/test.h"
#include "xmem.h"

#define OK(call) assert_int_equal(call, CUDA_SUCCESS)
#define FAILS(call, code) assert_int_equal(call, CUDA_ERROR_##code)
#define PAGE 4096ull
#define ATOM "32, 0, 0, 0, 0, 0, 0, 0, 1, 4, 0, 0, 0, 1, 9, 9, 1, 0, 0"
#define SEGMENT(count, bytes, records) \
  ".visible .global .align 1 .b8 __xmem_atoms[" #bytes "] = {88, 77, 69, 77, 1, 0, " #count ", 0, " records "};\n"
#define HEADER ".version 7.0\n.target sm_70\n.address_size 64\n"
#define KERNEL ".visible .entry nothing() { ret; }\n"

static const char two[] = HEADER SEGMENT(2, 46, ATOM ", " ATOM) KERNEL;
static const char three[] = HEADER SEGMENT(3, 65, ATOM ", " ATOM ", " ATOM) KERNEL;
static const char none[] = HEADER KERNEL;

struct process {
  CUcontext context;
  CUmodule module;
  struct xmem x;
};

static CUresult (*lookup)(CUdeviceptr, unsigned *, int *);

static struct process process_with(const char *ptx) {
  struct process p;
  OK(cuCtxCreate(&p.context, 0, 0));
  OK(cuModuleLoadData(&p.module, ptx));
  OK(xmemOpen(&p.x, p.module));
  return p;
}

/* A launch in the process: what it has asked for is done, and the AMUs are its. */
static void launch(const struct process *p) {
  CUfunction f;
  OK(cuCtxSetCurrent(p->context));
  OK(cuModuleGetFunction(&f, p->module, "nothing"));
  OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
}

static void expect(CUdeviceptr at, unsigned want, bool want_active) {
  unsigned aid = 0;
  int active = 0;
  OK(lookup(at, &aid, &active));
  assert_int_equal(aid, want);
  assert_int_equal(active, want_active);
}

static void test_atoms_of_modules_follow_one_another(void **state) {
  struct process p = process_with(two), q = {.context = p.context};
  CUdeviceptr a, b;
  (void)state;
  OK(cuModuleLoadData(&q.module, three));
  OK(xmemOpen(&q.x, q.module));
  OK(xmemAlloc(&p.x, &a, PAGE, 1));
  OK(xmemAlloc(&q.x, &b, PAGE, 2));
  assert_int_equal(a % PAGE, 0);
  assert_int_equal(b % PAGE, 0);
  OK(xmemActivate(&q.x, 2));
  launch(&p);
  expect(a, 1, false);
  expect(b, 2 + 2, true);
  OK(cuCtxDestroy(p.context));
}

/* Twice loaded: atoms of its own. Gone: its numbers come again, inactive. */
static void test_numbers_of_a_module_that_is_gone_come_again_and_are_not_active(void **state) {
  struct process p = process_with(two), q = {.context = p.context}, r = {.context = p.context};
  CUdeviceptr a;
  (void)state;
  OK(cuModuleLoadData(&q.module, two));
  OK(xmemOpen(&q.x, q.module));
  OK(xmemAlloc(&q.x, &a, 2 * PAGE, 0));
  OK(xmemActivate(&q.x, 0));
  launch(&p);
  expect(a, 2, true);
  OK(cuModuleUnload(q.module));
  OK(cuModuleLoadData(&r.module, three)); /* as many as are free in a row */
  OK(xmemOpen(&r.x, r.module));
  OK(xmemMap(&r.x, 2, a, 512, XMEM_MAP));
  launch(&p);
  expect(a, 4, false);
  expect(a + PAGE, 2, false); /* mapped before: its own from now on, and not active */
  OK(xmemActivate(&r.x, 0));
  launch(&p);
  expect(a + PAGE, 2, true);
  OK(cuCtxDestroy(p.context));
}

static void test_an_atom_is_active_in_its_own_context(void **state) {
  struct process p = process_with(two), q = process_with(two);
  CUdeviceptr a, b;
  (void)state;
  OK(cuCtxSetCurrent(p.context));
  OK(xmemAlloc(&p.x, &a, PAGE, 0));
  OK(xmemActivate(&p.x, 0));
  OK(cuCtxSetCurrent(q.context));
  OK(xmemAlloc(&q.x, &b, PAGE, 1));
  OK(xmemActivate(&q.x, 1));
  for (int turn = 0; turn < 2; turn++) {
    launch(&p);
    expect(a, 0, true);
    expect(b, 1, false); /* atom 1 of the current context is not */
    launch(&q);
    expect(a, 0, false);
    expect(b, 1, true);
  }
  OK(cuCtxDestroy(q.context));
  OK(cuCtxSetCurrent(p.context));
  launch(&p);
  expect(a, 0, true);
  OK(cuCtxDestroy(p.context));
}

/* Four at a time, as often as they like; what a context has left behind is no other's. */
static void test_a_context_that_ends_makes_room(void **state) {
  (void)state;
  for (unsigned round = 0; round < 7; round++) {
    struct process p[4], fifth;
    CUdeviceptr a;
    for (unsigned i = 0; i < 4; i++) p[i] = process_with(i % 2 ? three : two);
    fifth = process_with(two);
    assert_true(p[0].x.request && p[3].x.request);
    assert_null(fifth.x.request);
    OK(xmemAlloc(&fifth.x, &a, PAGE, 99)); /* an allocation */
    OK(cuCtxSetCurrent(p[round % 4].context));
    OK(xmemAlloc(&p[round % 4].x, &a, PAGE, 0));
    launch(&p[round % 4]);
    expect(a, 0, false);
    OK(xmemActivate(&p[round % 4].x, 0));
    launch(&p[round % 4]);
    expect(a, 0, true);
    launch(&fifth); /* has no atoms: switches nothing */
    expect(a, 0, true);
    OK(cuCtxDestroy(fifth.context));
    for (unsigned i = 0; i < 4; i++) OK(cuCtxDestroy(p[i].context));
  }
}

static void test_memory_that_is_freed_has_no_atom(void **state) {
  struct process p = process_with(two);
  CUdeviceptr a, b;
  (void)state;
  OK(xmemAlloc(&p.x, &a, 8 * PAGE, 1));
  launch(&p);
  expect(a + 7 * PAGE, 1, false);
  OK(cuMemFree(a));
  OK(cuMemAlloc(&b, 8 * PAGE));
  launch(&p);
  assert_true(b < a + 8 * PAGE && a < b + 8 * PAGE); /* the same pages, or this shows nothing */
  for (unsigned i = 0; i < 8; i++) expect(b + i * PAGE, 255, false);
  OK(cuMemFree(b));
  OK(xmemAlloc(&p.x, &a, 8 * PAGE, 1)); /* mapped and freed before a launch */
  OK(cuMemFree(a));
  OK(cuMemAlloc(&b, 8 * PAGE));
  launch(&p);
  for (unsigned i = 0; i < 8; i++) expect(b + i * PAGE, 255, false);
  OK(cuCtxDestroy(p.context));
}

static void test_without_atoms_the_calls_do_nothing(void **state) {
  struct process p = process_with(none);
  CUdeviceptr a;
  (void)state;
  assert_null(p.x.request);
  OK(xmemMap(&p.x, 77, 0, 0, XMEM_MAP));
  OK(xmem3DMap(&p.x, 77, 0, 0, 0, 0, 0, 0, XMEM_UNMAP));
  OK(xmemActivate(&p.x, 255));
  OK(xmemDeactivate(&p.x, 255));
  OK(xmemAlloc(&p.x, &a, 100, 255));
  launch(&p);
  expect(a, 255, false);
  OK(cuCtxDestroy(p.context));
}

static void test_calls_are_the_modules(void **state) {
  struct process p = process_with(two);
  struct xmem_request r = {XMEM_OP_MAP, 0, 4, 0, 0, 0, 1, 1, 1};
  CUdeviceptr a;
  (void)state;
  OK(xmemAlloc(&p.x, &a, PAGE, 0));
  FAILS(p.x.request(p.module, &r), INVALID_VALUE); /* four dimensions */
  r.operation = (enum xmem_operation)4;            /* CONTEXT is the driver's own */
  FAILS(p.x.request(p.module, &r), INVALID_VALUE);
  FAILS(p.x.request(p.module, NULL), INVALID_VALUE);
  FAILS(p.x.request((CUmodule)(void *)&r, &r), INVALID_HANDLE);
  FAILS(p.x.allocate(p.module, NULL, 1, 0), INVALID_VALUE);
  FAILS(p.x.allocate(p.module, &a, (size_t)1 << 50, 0), OUT_OF_MEMORY);
  OK(cuModuleUnload(p.module));
  FAILS(xmemMap(&p.x, 0, a, 1, XMEM_MAP), INVALID_HANDLE);
  OK(cuCtxDestroy(p.context));
}

/* Linked texts are one module; it has one table. */
static void test_a_linked_module_has_its_atoms(void **state) {
  struct process p = process_with(none);
  static const char caller[] = HEADER ".visible .entry other() { ret; }\n";
  CUlinkState link;
  CUmodule m;
  struct xmem x;
  void *image;
  size_t bytes;
  (void)state;
  OK(cuLinkCreate(0, NULL, NULL, &link));
  OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)(uintptr_t)two, sizeof two, "two", 0, NULL, NULL));
  OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)(uintptr_t)caller, sizeof caller, "caller", 0, NULL, NULL));
  OK(cuLinkComplete(link, &image, &bytes));
  OK(cuModuleLoadData(&m, image));
  OK(cuLinkDestroy(link));
  OK(xmemOpen(&x, m));
  assert_non_null(x.request);
  OK(xmemActivate(&x, 1));
  FAILS(xmemActivate(&x, 2), INVALID_VALUE);
  OK(cuCtxDestroy(p.context));
}

/* Longer than a command of the driver's: every page, and no byte beyond. */
static void test_a_long_range_is_mapped_in_parts(void **state) {
  struct process p = process_with(two);
  const unsigned pages = (33u << 20) / PAGE;
  CUdeviceptr a, b;
  (void)state;
  OK(cuMemAlloc(&b, PAGE)); /* so that pages begin elsewhere than parts */
  OK(xmemAlloc(&p.x, &a, (pages + 1) * PAGE, 0));
  OK(xmemMap(&p.x, 1, a, pages * PAGE, XMEM_MAP));
  launch(&p);
  for (unsigned i = 0; i < pages; i++) expect(a + i * PAGE, 1, false);
  expect(a + pages * PAGE - 1, 1, false);
  expect(a + pages * PAGE, 0, false);
  OK(cuCtxDestroy(p.context));
}

static int initialise(void **state) {
  CUdriverProcAddressQueryResult found;
  (void)state;
  setenv("TANDEM_SYSTEM", "xmem", 1);
  setenv("TANDEM_MACHINE", "small", 1);
  OK(cuInit(0));
  OK(cuGetProcAddress("tandemXmemLookup", (void **)&lookup, CUDA_VERSION, 0, &found));
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_atoms_of_modules_follow_one_another),
    cmocka_unit_test(test_numbers_of_a_module_that_is_gone_come_again_and_are_not_active),
    cmocka_unit_test(test_an_atom_is_active_in_its_own_context),
    cmocka_unit_test(test_a_context_that_ends_makes_room),
    cmocka_unit_test(test_memory_that_is_freed_has_no_atom),
    cmocka_unit_test(test_without_atoms_the_calls_do_nothing),
    cmocka_unit_test(test_calls_are_the_modules),
    cmocka_unit_test(test_a_linked_module_has_its_atoms),
    cmocka_unit_test(test_a_long_range_is_mapped_in_parts),
  };
  return cmocka_run_group_tests(tests, initialise, NULL);
}
