/* SPDX-License-Identifier: Apache-2.0 */
/* slice: cuda */
/* Do printf, malloc, free and assert of kernels do what CUDA's documents say, and do cooperative grids find their memory? The texts are
 * as nvcc writes them. */
#include "kit/ptx_harness.h"

#include "ptx/device_runtime.h"

#define CALLS                                                                        \
  PTX_HEAD ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n" \
           ".extern .func (.param .b64 r) malloc (.param .b64 a);\n.extern .func free (.param .b64 a);\n"

/* What the runtime was asked for. */
struct asked {
  char text[4096];
  size_t n;
  uint64_t next, sizes[64], freed[64];
  uint32_t n_sizes, n_freed;
};

static void print(void *context, const char *text, size_t length) {
  struct asked *a = context;
  assert_true(a->n + length < sizeof a->text);
  memcpy(a->text + a->n, text, length);
  a->n += length;
}
static uint64_t allocate(void *context, uint64_t bytes) {
  struct asked *a = context;
  a->sizes[a->n_sizes++ % 64] = bytes;
  return bytes > 1000 ? 0 : (a->next += 0x1000);
}
static bool release(void *context, uint64_t address) {
  struct asked *a = context;
  a->freed[a->n_freed++ % 64] = address;
  return address % 0x1000 == 0;
}

static void load(struct harness *h, struct asked *a, struct ptx_device_runtime *r, const char *text) {
  *a = (struct asked){.next = 0x100000};
  *r = (struct ptx_device_runtime){.context = a, .print = print, .allocate = allocate, .release = release};
  harness_open(h);
  harness_load(h, text, NULL);
  ptx_module_set_runtime(h->module, r);
}

static void test_printf_reads_its_arguments_as_c_packs_them(void **state) {
  struct harness h;
  struct asked a;
  struct ptx_device_runtime r;
  (void)state;
  load(
    &h, &a, &r,
    CALLS
    ".global .align 1 .b8 f[48] = {37,100,32,37,53,46,50,102,32,37,115,32,37,99,37,37,32,37,108,108,100,32,37,42,100,32,37,113,10,0};\n"
    ".global .align 1 .b8 s[5] = {116,101,120,116,0};\n"
    ".visible .entry k(.param .u64 out)\n{\n.local .align 8 .b8 d[64];\n.reg .b32 %r<9>; .reg .b64 %rd<19>; .reg .f64 %fd<3>;\n"
    "ld.param.u64 %rd9, [out]; mov.u32 %r1, %tid.x; mov.u64 %rd1, d; cvta.local.u64 %rd2, %rd1; mov.f64 %fd1, 0d3FF8000000000000;\n"
    "neg.s32 %r2, %r1; st.local.u32 [%rd1], %r2; st.local.f64 [%rd1+8], %fd1; mov.u64 %rd3, s; cvta.global.u64 %rd4, %rd3;\n"
    "st.local.u64 [%rd1+16], %rd4; mov.u32 %r3, 122; st.local.u32 [%rd1+24], %r3; mov.u64 %rd5, 1099511627776; st.local.u64 [%rd1+32], %rd5;\n"
    "mov.u32 %r4, 4; st.local.v2.u32 [%rd1+40], {%r4, %r1}; mov.u64 %rd6, f; cvta.global.u64 %rd7, %rd6;\n"
    "{\n.param .b64 p0; st.param.b64 [p0], %rd7; .param .b64 p1; st.param.b64 [p1], %rd2; .param .b32 q;\n"
    "call.uni (q), vprintf, (p0, p1);\nld.param.b32 %r5, [q];\n}\n"
    "mul.wide.u32 %rd10, %r1, 4; add.s64 %rd9, %rd9, %rd10; st.global.u32 [%rd9], %r5; ret;\n}\n");
  uint64_t out = harness_alloc(&h, NULL, 8);
  harness_run(&h, "k", 1, 2, 1, 1, 0, &out);
  assert_string_equal(h.fault, "");
  a.text[a.n] = 0;
  assert_string_equal(a.text, "0  1.50 text z% 1099511627776    0 %q\n-1  1.50 text z% 1099511627776    1 %q\n");
  const uint32_t *count = harness_at(&h, out, 8);
  assert_int_equal(count[0], 7);
  assert_int_equal(count[1], 7);
  assert_true(ptx_kernel_is_serial(ptx_module_kernel(h.module, "k")));
  harness_close(&h);
}

static void test_lanes_allocate_and_free_in_their_order(void **state) {
  struct harness h;
  struct asked a;
  struct ptx_device_runtime r;
  (void)state;
  load(
    &h, &a, &r,
    CALLS
    ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<9>; .reg .b64 %rd<19>; .reg .pred %p<2>;\n"
    "ld.param.u64 %rd9, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 600; add.s64 %rd1, %rd1, 5;\n"
    "{\n.param .b64 p0; st.param.b64 [p0], %rd1; .param .b64 q; call.uni (q), malloc, (p0);\nld.param.b64 %rd2, [q];\n}\n"
    "mul.wide.u32 %rd3, %r1, 8; add.s64 %rd4, %rd9, %rd3; st.global.u64 [%rd4], %rd2;\n"
    "{\n.param .b64 p0; st.param.b64 [p0], %rd2; call.uni free, (p0);\n}\nret;\n}\n");
  uint64_t out = harness_alloc(&h, NULL, 24);
  harness_run(&h, "k", 1, 3, 1, 1, 0, &out);
  assert_string_equal(h.fault, "");
  const uint64_t *given = harness_at(&h, out, 24);
  assert_int_equal(given[0], 0x101000);
  assert_int_equal(given[1], 0x102000);
  assert_int_equal(given[2], 0); /* 1205 bytes: exhausted */
  assert_int_equal(a.n_sizes, 3);
  assert_int_equal(a.sizes[1], 605);
  assert_int_equal(a.n_freed, 2); /* free(NULL) does nothing */
  assert_int_equal(a.freed[1], 0x102000);
  harness_close(&h);
}

static void test_what_was_not_given_is_not_freed(void **state) {
  struct harness h;
  struct asked a;
  struct ptx_device_runtime r;
  (void)state;
  load(&h, &a, &r,
       CALLS
       ".visible .entry k(.param .u64 out)\n{\n.reg .b64 %rd<9>;\nld.param.u64 %rd1, [out]; add.s64 %rd1, %rd1, 8;\n"
       "{\n.param .b64 p0; st.param.b64 [p0], %rd1; call.uni free, (p0);\n}\nret;\n}\n");
  uint64_t out = harness_alloc(&h, NULL, 24);
  harness_run(&h, "k", 1, 1, 1, 1, 0, &out);
  assert_non_null(strstr(h.fault, "illegal global address"));
  harness_close(&h);
}

static void test_a_cooperative_grid_has_its_memory(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  harness_load(
    &h,
    PTX_HEAD
    ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<9>; .reg .b64 %rd<9>;\nld.param.u64 %rd1, [out];\n"
    "mov.u32 %r1, %envreg1; mov.u32 %r2, %envreg2; mov.u32 %r3, %envreg0; st.global.v2.u32 [%rd1], {%r2, %r1};\n"
    "st.global.u32 [%rd1+8], %r3; ret;\n}\n",
    NULL);
  assert_false(ptx_kernel_is_serial(ptx_module_kernel(h.module, "k")));
  uint64_t out = harness_alloc(&h, NULL, 16);
  harness_run(&h, "k", 1, 1, 1, 1, 0, &out);
  assert_true(*(uint64_t *)harness_at(&h, out, 8) == 0);
  ptx_module_set_grid_memory(h.module, 0x1234567890abcdef);
  harness_run(&h, "k", 1, 1, 1, 1, 0, &out);
  assert_string_equal(h.fault, "");
  assert_true(*(uint64_t *)harness_at(&h, out, 8) == 0x1234567890abcdef);
  assert_int_equal(*(uint32_t *)harness_at(&h, out + 8, 4), 0);
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_printf_reads_its_arguments_as_c_packs_them),
    cmocka_unit_test(test_lanes_allocate_and_free_in_their_order),
    cmocka_unit_test(test_what_was_not_given_is_not_freed),
    cmocka_unit_test(test_a_cooperative_grid_has_its_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
