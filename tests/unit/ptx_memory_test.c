/* SPDX-License-Identifier: Apache-2.0 */
/* Do loads, stores, atomics and variables reach the right bytes, and wrong ones nothing? */
#include "kit/ptx_harness.h"
#include "ptx/texture.h"

#define KERNEL(params, body)                                                                                       \
  PTX_HEAD ".visible .entry k(" params                                                                             \
           ")\n{\n.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .f32 %f<9>;\n" body \
           "\n}\n"
#define OUT ".param .u64 out"
/* %rd1 = out + 64 * tid */
#define PLACE "ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 64; add.s64 %rd1, %rd2, %rd3;\n"

static void test_every_width_extends_as_its_type_says(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  harness_load(
    &h,
    KERNEL(
      ".param .u64 in, " OUT, PLACE
      "ld.param.u64 %rd5, [in]; ld.global.u8 %r2, [%rd5]; ld.global.s8 %r3, [%rd5]; ld.global.s16 %r4, [%rd5]; ld.global.u16 %r5, [%rd5];\n"
      "ld.global.s8 %h1, [%rd5]; cvt.u32.u16 %r6, %h1; ld.global.s32 %rd6, [%rd5]; ld.global.u32 %rd7, [%rd5+0]; ld.global.nc.u8 %rd8, [%rd5+1];\n"
      "st.global.u32 [%rd1], %r2; st.global.u32 [%rd1+4], %r3; st.global.u32 [%rd1+8], %r4; st.global.u32 [%rd1+12], %r5; st.global.u32 [%rd1+16], %r6;\n"
      "st.global.u64 [%rd1+24], %rd6; st.global.u64 [%rd1+32], %rd7; st.global.u8 [%rd1+40], %rd7; st.global.u16 [%rd1+42], %rd7; st.global.u32 [%rd1+44], %rd6;\n"
      "st.global.u8 [%rd1+48], 200; st.global.s16 [%rd1+50], -2; st.global.v2.u32 [%rd1+56], {%r2, 9}; st.global.u8 [%rd1+41], %rd8; ret;"),
    NULL);
  uint32_t in = 0x8a91a2f3;
  struct {
    uint64_t in, out;
  } p = {harness_alloc(&h, &in, 4), harness_alloc(&h, NULL, 64 * 40)};
  harness_run(&h, "k", 1, 33, 1, 1, 0, &p);
  assert_string_equal(h.fault, "");
  for (uint32_t t = 0; t < 33; t++) {
    const uint8_t *o = harness_at(&h, p.out + 64 * t, 64);
    const uint32_t *w = (const void *)o;
    const uint64_t *d = (const void *)o;
    assert_int_equal(w[0], 0xf3);
    assert_int_equal(w[1], 0xfffffff3);
    assert_int_equal(w[2], 0xffffa2f3);
    assert_int_equal(w[3], 0xa2f3);
    assert_int_equal(w[4], 0xfff3);
    assert_true(d[3] == 0xffffffff8a91a2f3);
    assert_true(d[4] == 0x8a91a2f3);
    assert_int_equal(o[40], 0xf3);
    assert_int_equal(o[41], 0xa2);
    assert_int_equal(o[42] | o[43] << 8, 0xa2f3);
    assert_int_equal(w[11], 0x8a91a2f3);
    assert_int_equal(o[48], 200);
    assert_int_equal(o[50] | o[51] << 8, 0xfffe);
    assert_int_equal(w[14], 0xf3);
    assert_int_equal(w[15], 9);
  }
  harness_close(&h);
}

static void test_shared_local_const_and_global_variables(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  harness_load(
    &h,
    PTX_HEAD
    ".const .align 4 .b8 table[16] = {1, 0, 0, 0, 2, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, 4};\n.global .f32 pi = 0f40490fdb;\n"
    ".global .align 8 .u64 pointers[2] = {pi, generic(table)+4};\n.global .f64 e = 2.5;\n.global .u32 counter;\n"
    ".extern .shared .align 16 .b8 dynamic[];\n.shared .align 4 .b8 everyone[12];\n"
    ".visible .entry k(.param .u64 out)\n{\n.local .align 8 .b8 depot[16]; .shared .align 8 .b8 mine[24];\n"
    ".reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<3>; .reg .f64 %fd<3>; .reg .b64 %SP, %SPL;\n" PLACE
    "mov.u64 %SPL, depot; cvta.local.u64 %SP, %SPL; st.u32 [%SP+4], %r1; ld.local.u32 %r2, [%SPL+4]; st.global.u32 [%rd1], %r2;\n"
    "mov.u32 %r3, dynamic; shl.b32 %r4, %r1, 2; add.s32 %r5, %r3, %r4; st.shared.u32 [%r5], %r1; st.global.u32 [%rd1+4], %r3;\n"
    "mov.u64 %rd5, mine; cvta.shared.u64 %rd6, %rd5; st.shared.u32 [mine+20], 77; ld.u32 %r6, [%rd6+20]; st.global.u32 [%rd1+8], %r6;\n"
    "st.shared.u32 [everyone], 5; bar.sync 0; xor.b32 %r7, %r4, 4; add.s32 %r7, %r7, %r3; ld.shared.u32 %r8, [%r7]; st.global.u32 [%rd1+12], %r8;\n"
    "ld.const.u32 %r9, [table+8]; st.global.u32 [%rd1+16], %r9; ld.global.f32 %f1, [pi]; st.global.f32 [%rd1+20], %f1;\n"
    "ld.global.u64 %rd7, [pointers+8]; ld.u32 %r10, [%rd7]; st.global.u32 [%rd1+24], %r10; ld.global.f64 %fd1, [e]; st.global.f64 [%rd1+32], %fd1;\n"
    "red.global.add.u32 [counter], 2; isspacep: ret;\n}\n",
    NULL);
  const struct ptx_kernel *k = ptx_module_kernel(h.module, "k");
  assert_int_equal(k->shared_bytes, 48); /* mine 24, everyone 12, up to 16 for the dynamic array */
  assert_int_equal(k->local_bytes, 16);
  uint64_t out = harness_alloc(&h, NULL, 64 * 64), bytes;
  harness_run(&h, "k", 1, 64, 1, 1, 256, &out);
  assert_string_equal(h.fault, "");
  for (uint32_t t = 0; t < 64; t++) {
    const uint32_t *w = harness_at(&h, out + 64 * t, 64);
    assert_int_equal(w[0], t);
    assert_int_equal(w[1], 48);
    assert_int_equal(w[2], 77);
    assert_int_equal(w[3], t ^ 1);
    assert_int_equal(w[4], 0x7fffffff);
    assert_int_equal(w[5], 0x40490fdb);
    assert_int_equal(w[6], 2);
    assert_int_equal(w[9], 0x40040000);
  }
  uint64_t counter = ptx_module_global(h.module, "counter", &bytes);
  assert_int_equal(bytes, 4);
  assert_int_equal(*(uint32_t *)harness_at(&h, counter, 4), 128);
  assert_int_equal(ptx_module_global(h.module, "missing", NULL), 0);
  harness_close(&h);
}

static void test_parameters_are_laid_out_by_their_alignment(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  harness_load(
    &h,
    KERNEL(
      ".param .u8 a, .param .align 8 .b8 s[24], .param .u16 b, .param .u64 .ptr .global .align 16 out, .param .f32 f",
      PLACE
      "mov.b64 %rd5, s; ld.param.u32 %r2, [%rd5+16]; st.global.u32 [%rd1], %r2; ld.param.s8 %r3, [a]; st.global.u32 [%rd1+4], %r3;\n"
      "ld.param.v2.u32 {%r4, %r5}, [s+8]; st.global.v2.u32 [%rd1+8], {%r4, %r5}; ld.param.u16 %h1, [b]; st.global.u16 [%rd1+16], %h1;\n"
      "ld.param.f32 %f1, [f]; st.global.f32 [%rd1+20], %f1; mul.wide.u32 %rd6, %r1, 4; add.s64 %rd6, %rd6, %rd5; ld.param.u32 %r6, [%rd6];\n"
      "st.global.u32 [%rd1+24], %r6; ret;"),
    NULL);
  const struct ptx_kernel *k = ptx_module_kernel(h.module, "k");
  static const uint32_t offsets[] = {0, 8, 32, 40, 48}, sizes[] = {1, 24, 2, 8, 4};
  assert_int_equal(k->n_params, 5);
  assert_memory_equal(k->param_offset, offsets, sizeof offsets);
  assert_memory_equal(k->param_size, sizes, sizeof sizes);
  assert_int_equal(k->param_bytes, 52);
  struct {
    int8_t a;
    uint32_t s[6] __attribute__((aligned(8)));
    uint16_t b;
    uint64_t out;
    float f;
  } p = {-3, {10, 11, 12, 13, 14, 15}, 60000, harness_alloc(&h, NULL, 64 * 32), 1.5f};
  harness_run(&h, "k", 1, 6, 1, 1, 0, &p);
  assert_string_equal(h.fault, "");
  for (uint32_t t = 0; t < 6; t++) {
    const uint32_t *w = harness_at(&h, p.out + 64 * t, 64);
    assert_int_equal(w[0], 14);
    assert_int_equal(w[1], 0xfffffffd);
    assert_int_equal(w[2], 12);
    assert_int_equal(w[3], 13);
    assert_int_equal(w[4] & 0xffff, 60000);
    assert_int_equal(w[5], 0x3fc00000);
    assert_int_equal(w[6], 10 + t);
  }
  harness_run(&h, "k", 1, 32, 1, 1, 0, &p);
  assert_non_null(strstr(h.fault, "parameters"));
  harness_close(&h);
}

static void test_addresses_are_pure_and_name_the_space(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  harness_load(
    &h,
    KERNEL(
      OUT, PLACE
      "mov.u32 %r3, 16; mad.lo.u32 %r2, %r1, 12, %r3; ld.shared.u32 %r4, [%r2+-8]; ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1+16];\n"
      "mov.u64 %rd5, 0x1000040; st.u16 [%rd5], %h1; atom.global.add.u32 %r5, [%rd1], 1; ret;"),
    NULL);
  const struct ptx_kernel *k = ptx_module_kernel(h.module, "k");
  uint64_t out = harness_alloc(&h, NULL, 64 * 32);
  uint8_t shared[1024] = {0};
  struct ptx_cta cta = {.kernel = k,
                        .memory = &h.memory,
                        .shared = shared,
                        .shared_bytes = sizeof shared,
                        .params = (uint8_t *)&out,
                        .grid = {1, 1, 1},
                        .block = {32, 1, 1}};
  struct ptx_warp w = {.rows = aligned_alloc(64, k->n_rows * 128), .consts = k->const_rows};
  ptx_warp_start(&w, &cta, 0);
  static const struct {
    uint8_t space, bytes;
    bool store, atomic;
  } expected[] = {{PTX_SHARED, 4, false, false},
                  {PTX_GLOBAL, 16, false, false},
                  {PTX_SHARED, 2, true, false},
                  {PTX_GLOBAL, 4, false, true}};
  uint32_t n = 0;
  for (uint32_t pc = 0; pc < k->n_ops; pc++) {
    const struct ptx_op *op = &k->ops[pc];
    if (op->exec) op->exec(op, &w, w.live);
    if (op->class == PTX_LOAD || op->class == PTX_STORE || op->class == PTX_ATOMIC) {
      struct ptx_access a, b;
      ptx_addresses(op, &w, 0x00ff00ff, &a);
      ptx_addresses(op, &w, 0x00ff00ff, &b);
      assert_memory_equal(a.address, b.address, sizeof a.address);
      assert_int_equal(a.mask, 0x00ff00ff);
      assert_int_equal(a.space, expected[n].space);
      assert_int_equal(a.bytes, expected[n].bytes);
      assert_int_equal(a.store, expected[n].store);
      assert_int_equal(a.atomic, expected[n].atomic);
      for (uint32_t l = 0; l < 32; l++) {
        if (n == 0) assert_int_equal(a.address[l], 8 + 12 * l);
        if (n == 1) assert_true(a.address[l] == out + 64 * l + 16);
        if (n == 2) assert_int_equal(a.address[l], 0x40);
      }
      n++;
    }
    ptx_advance(op, &w, w.live);
  }
  assert_int_equal(n, 4);
  free(w.rows);
  harness_close(&h);
}

/* ---- atomics ---- */

static uint64_t atomic_on_host(const char *op, uint64_t old, uint64_t b, int bits, bool is_signed) {
  int64_t so = bits == 32 && is_signed ? (int32_t)old : (int64_t)old,
          sb = bits == 32 && is_signed ? (int32_t)b : (int64_t)b;
  if (!strcmp(op, "add")) return old + b;
  if (!strcmp(op, "min")) return is_signed ? (so < sb ? old : b) : (old < b ? old : b);
  if (!strcmp(op, "max")) return is_signed ? (so > sb ? old : b) : (old > b ? old : b);
  if (!strcmp(op, "and")) return old & b;
  if (!strcmp(op, "or")) return old | b;
  if (!strcmp(op, "xor")) return old ^ b;
  if (!strcmp(op, "exch")) return b;
  if (!strcmp(op, "inc")) return old >= b ? 0 : old + 1;
  return old == 0 || old > b ? b : old - 1;
}

static void test_atomics_take_lanes_in_order(void **state) {
  static const struct {
    const char *op, *type;
    int bits;
    bool is_signed;
  } kinds[] = {{"add", "u32", 32, false}, {"add", "s32", 32, true},   {"add", "u64", 64, false},
               {"min", "s32", 32, true},  {"min", "u32", 32, false},  {"max", "s64", 64, true},
               {"max", "u64", 64, false}, {"and", "b32", 32, false},  {"or", "b64", 64, false},
               {"xor", "b32", 32, false}, {"exch", "b32", 32, false}, {"exch", "b64", 64, false},
               {"inc", "u32", 32, false}, {"dec", "u32", 32, false}};
  static const char *const spaces[] = {"global", "shared"};
  (void)state;
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    for (int s = 0; s < 2; s++) {
      struct harness h;
      char text[2048];
      uint64_t v[64], seed = i + 1, start = 0x80000003;
      harness_open(&h);
      for (int t = 0; t < 64; t++) v[t] = harness_random(&seed) >> (kinds[i].bits == 32 ? 32 : 0);
      if (kinds[i].op[0] == 'i' || kinds[i].op[0] == 'd') start = 3;
      for (int t = 0; t < 64 && start == 3; t++) v[t] = 4 + (uint64_t)t / 16;
      snprintf(
        text, sizeof text,
        PTX_HEAD
        ".visible .entry k(.param .u64 in, .param .u64 out){.shared .align 8 .b8 m[8]; .reg .b64 %%rd<9>; .reg .b32 %%r<9>; .reg .pred %%p;\n"
        "ld.param.u64 %%rd1,[in]; ld.param.u64 %%rd2,[out]; mov.u32 %%r1,%%tid.x; mul.wide.u32 %%rd3,%%r1,8; add.u64 %%rd4,%%rd1,%%rd3; add.u64 %%rd5,%%rd2,%%rd3;\n"
        "%s; setp.eq.u32 %%p,%%r1,0; @%%p st.%s.u64 [%%rd6], %llu; bar.sync 0; ld.global.u64 %%rd7,[%%rd4]; cvt.u32.u64 %%r2,%%rd7;\n"
        "atom.%s.%s.%s %%%s, [%%rd6], %%%s; %s st.global.u64 [%%rd5+8], %%rd8; bar.sync 0; ld.%s.u64 %%rd8,[%%rd6]; st.global.u64 [%%rd2], %%rd8; ret;}",
        s ? "mov.u64 %rd6, m" : "add.u64 %rd6, %rd2, 1024", spaces[s], (unsigned long long)start, spaces[s],
        kinds[i].op, kinds[i].type, kinds[i].bits == 32 ? "r3" : "rd8", kinds[i].bits == 32 ? "r2" : "rd7",
        kinds[i].bits == 32 ? "cvt.u64.u32 %rd8,%r3;" : "", spaces[s]);
      harness_load(&h, text, NULL);
      struct {
        uint64_t in, out;
      } p = {harness_alloc(&h, v, sizeof v), harness_alloc(&h, NULL, 2048)};
      harness_run(&h, "k", 1, 64, 1, 1, 0, &p);
      assert_string_equal(h.fault, "");
      const uint64_t *out = harness_at(&h, p.out, 2048);
      uint64_t value = start;
      for (int t = 0; t < 64; t++) {
        if (out[1 + t] != value)
          fail_msg("atom.%s.%s.%s: thread %d got 0x%llx, not 0x%llx", spaces[s], kinds[i].op, kinds[i].type, t,
                   (unsigned long long)out[1 + t], (unsigned long long)value);
        value = atomic_on_host(kinds[i].op, value, v[t], kinds[i].bits, kinds[i].is_signed);
        if (kinds[i].bits == 32) value &= 0xffffffff;
      }
      assert_true(out[0] == value);
      harness_close(&h);
    }
}

static void test_cas_and_float_atomics(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  harness_load(
    &h,
    KERNEL(
      OUT,
      "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1; atom.global.cas.b32 %r3, [%rd1], %r1, %r2;\n"
      "cvt.rn.f32.u32 %f1, %r1; atom.global.add.f32 %f2, [%rd1+4], %f1; red.global.add.f64 [%rd1+8], 0d3FE0000000000000;\n"
      "atom.global.cas.b64 %rd5, [%rd1+16], 99, 5; mov.b16 %h1, 0x3c00; atom.global.add.noftz.f16 %h2, [%rd1+24], %h1; red.global.add.f32 [%rd1+28], 0f00000001;\n"
      "atom.global.exch.b32 _, [%rd1+32], %r1; ret;"),
    NULL);
  uint64_t out = harness_alloc(&h, NULL, 64);
  harness_run(&h, "k", 1, 50, 1, 1, 0, &out);
  assert_string_equal(h.fault, "");
  const uint32_t *w = harness_at(&h, out, 64);
  assert_int_equal(w[0], 50);
  assert_int_equal(w[1], 0x44992000); /* 1225.0 */
  assert_int_equal(w[3], 0x40390000); /* 25.0 */
  assert_int_equal(w[4], 0);
  assert_int_equal(w[6] & 0xffff, 0x5240); /* 50.0 */
  assert_int_equal(w[7], 50);              /* subnormals add up */
  assert_int_equal(w[8], 49);
  harness_close(&h);
}

/* ---- faults ---- */

static void expect_fault(struct harness *h, const char *body, uint32_t dynamic, const char *sentence) {
  char text[2048];
  snprintf(
    text, sizeof text,
    PTX_HEAD
    ".visible .entry k(.param .u64 out)\n{\n.local .align 4 .b8 depot[8]; .reg .b32 %%r<9>; .reg .b64 %%rd<9>; .reg .pred %%p<3>;\n"
    "ld.param.u64 %%rd1, [out]; mov.u32 %%r1, %%tid.x; mul.wide.u32 %%rd2, %%r1, 4; add.u64 %%rd3, %%rd1, %%rd2; setp.eq.u32 %%p1, %%r1, 37;\n%s\nret;\n}\n",
    body);
  harness_load(h, text, NULL);
  uint32_t initial[64];
  memset(initial, 0x11, sizeof initial);
  uint64_t out = harness_alloc(h, initial, sizeof initial);
  harness_run(h, "k", 1, 64, 1, 1, dynamic, &out);
  if (!strstr(h->fault, sentence)) fail_msg("'%s' faults with '%s', not '%s'", body, h->fault, sentence);
  assert_int_equal(h->fault_line, 8);
}

/* cp.async with a predicate: where it holds, or with '!' where it does not, zeros are written. */
static void test_a_copy_ignores_its_source(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  harness_load(&h,
               KERNEL(OUT, ".shared .align 4 .b32 a[64];\n" PLACE
                           "setp.lt.u32 %p1, %r1, 8; mov.u32 %r2, a; shl.b32 %r3, %r1, 3; add.s32 %r2, %r2, %r3;\n"
                           "cp.async.ca.shared.global [%r2], [%rd1], 4, %p1;\n"
                           "cp.async.ca.shared.global [%r2+4], [%rd1], 4, !%p1; cp.async.wait_all;\n"
                           "ld.shared.v2.u32 {%r4,%r5}, [%r2]; st.global.v2.u32 [%rd1+8], {%r4,%r5}; ret;"),
               NULL);
  uint32_t bytes[32 * 16];
  memset(bytes, 0x55, sizeof bytes);
  uint64_t out = harness_alloc(&h, bytes, sizeof bytes);
  harness_run(&h, "k", 1, 32, 1, 1, 0, &out);
  assert_string_equal(h.fault, "");
  for (uint32_t t = 0; t < 32; t++) {
    const uint32_t *w = harness_at(&h, out + 64 * t, 16);
    assert_int_equal(w[2], t < 8 ? 0 : 0x55555555);
    assert_int_equal(w[3], t < 8 ? 0x55555555 : 0);
  }
  harness_close(&h);
}

/* Each kind's sentence, with fields of its own. */
static void test_a_fault_in_words(void **state) {
  static const struct {
    struct ptx_fault fault;
    const char *sentence;
  } faults[] = {
    {{.kind = PTX_MISALIGNED, .space = PTX_CONST, .address = 0xabc, .bytes = 4},
     "misaligned constant address 0xabc of a load of 4 bytes"},
    {{.kind = PTX_ILLEGAL, .space = PTX_LOCAL, .store = true, .bytes = 16},
     "illegal local address 0x0 of a store of 16 bytes"},
    {{.kind = PTX_ILLEGAL, .space = PTX_GLOBAL, .store = true, .atomic = true, .address = UINT64_MAX, .bytes = 8},
     "illegal global address 0xffffffffffffffff of an atomic of 8 bytes"},
    {{.kind = PTX_COPY_MISALIGNED, .address = 1, .to = 2, .bytes = 4},
     "misaligned copy of 4 bytes from global 0x1 to shared 0x2"},
    {{.kind = PTX_COPY_ILLEGAL, .address = 16, .to = 32, .bytes = 16},
     "illegal copy of 16 bytes from global 0x10 to shared 0x20"},
    {{.kind = PTX_NO_TEXTURE, .address = 7}, "fetches from 0x7, which is no texture: bind or create it first"},
    {{.kind = PTX_TEXTURE_GEOMETRY, .index = TEXTURE_2D, .limit = TEXTURE_1D_LAYERED},
     "fetches with .2d from what is .a1d"},
    {{.kind = PTX_NO_SURFACE, .address = 0x30}, "accesses 0x30, which is no surface: create it first"},
    {{.kind = PTX_SURFACE_OUTSIDE}, "accesses a surface outside of its elements: use .zero or .clamp, or stay inside"},
    {{.kind = PTX_SURFACE_MISALIGNED, .bytes = 4, .index = 6}, "accesses 4 bytes of a surface at byte 6 of a row"},
    {{.kind = PTX_TEXTURE_ILLEGAL, .address = 9}, "illegal texture address 0x9"},
    {{.kind = PTX_OUTSIDE_PARAMETERS, .bytes = 8, .address = 12, .limit = 16},
     "reads 8 bytes at offset 0xc of the 16 bytes of parameters"},
    {{.kind = PTX_TRAPPED}, "executes trap"},
    {{.kind = PTX_NO_TARGET, .index = 5, .limit = 3}, "branches to target 5 of 3"},
    {{.kind = PTX_NO_FUNCTION, .address = 16}, "calls address 0x10, which is no function that this call can reach"},
    {{.kind = PTX_STACK_FULL, .function = "f", .depth = 3}, "calls on from 'f' at call depth 3: its stack is full"},
    {{.kind = PTX_CALLS_TOO_DEEP, .function = "g", .depth = 4},
     "calls on from 'g' at call depth 4: the SIMT stack is full"},
    {{.kind = PTX_DIVERGES_TOO_DEEP, .limit = 32}, "diverges more than 32 deep: the SIMT stack is full"},
  };
  struct ptx_cta cta = {.block = {4, 4, 8}, .index = {5, 6, 7}};
  (void)state;
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    struct ptx_warp w = {.cta = &cta, .index = 1, .fault = faults[i].fault};
    char text[256], want[256], cut[40];
    w.fault.lane = 7; /* thread 39 */
    ptx_fault_text(&w, text, sizeof text);
    snprintf(want, sizeof want, "thread (3,1,2) of CTA (5,6,7) %s", faults[i].sentence);
    assert_string_equal(text, want);
    ptx_fault_text(&w, cut, sizeof cut);
    assert_memory_equal(cut, want, sizeof cut - 1);
  }
}

static void test_a_stray_access_names_line_thread_and_address(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  expect_fault(&h, "@%p1 ld.global.u32 %r2, [0];", 0,
               "thread (37,0,0) of CTA (0,0,0) illegal global address 0x0 of a load of 4 bytes");
  expect_fault(&h, "@%p1 st.global.u32 [%rd3+2], 1;", 0, "misaligned global address");
  expect_fault(&h, "ld.global.v4.u32 {%r2,%r3,%r4,%r5}, [%rd3];", 0,
               "thread (1,0,0) of CTA (0,0,0) misaligned global address");
  expect_fault(&h, "st.shared.u32 [%r1], %r1;", 0, "illegal shared address 0x0 of a store");
  expect_fault(&h, "mul.lo.u32 %r2, %r1, 4; st.shared.u32 [%r2], %r1;", 128,
               "thread (32,0,0) of CTA (0,0,0) illegal shared address 0x80");
  expect_fault(&h, "mov.u64 %rd5, depot; ld.local.u32 %r2, [%rd5+8];", 0, "illegal local address 0x8");
  expect_fault(&h, "mov.u64 %rd5, 0x1000040; selp.b64 %rd6, %rd5, %rd3, %p1; ld.u32 %r2, [%rd6];", 64,
               "thread (37,0,0) of CTA (0,0,0) illegal shared address 0x40 of a load");
  expect_fault(&h, "@%p1 atom.global.add.u32 %r2, [%rd1+0x40000000], 1;", 0, "an atomic of 4 bytes");
  expect_fault(&h, "@%p1 trap;", 0, "thread (37,0,0) of CTA (0,0,0) executes trap");
  harness_close(&h);
}

static void test_a_faulting_store_changes_nothing(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  harness_load(
    &h,
    KERNEL(OUT, "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;\n"
                "setp.eq.u32 %p1, %r1, 31; selp.b64 %rd4, 64, %rd3, %p1; st.global.u32 [%rd4], 1; ret;"),
    NULL);
  uint64_t out = harness_alloc(&h, NULL, 256);
  harness_run(&h, "k", 1, 32, 1, 1, 0, &out);
  assert_non_null(strstr(h.fault, "illegal global address 0x40"));
  for (int i = 0; i < 32; i++) assert_int_equal(((uint32_t *)harness_at(&h, out, 256))[i], 0);
  harness_close(&h);
}

/* 32 lanes add {1, 2, 3, 4} to one place: each sees what the lower lanes left. */
static void test_atomics_of_vectors_add_every_element_once(void **state) {
  struct harness h;
  float zero[4] = {0};
  (void)state;
  harness_open(&h);
  harness_load(&h,
               PTX_HEAD
               ".visible .entry k(.param .u64 p){.reg .b64 %x; .reg .f32 %f<9>; ld.param.u64 %x,[p];\n"
               "mov.f32 %f1,0f3F800000; mov.f32 %f2,0f40000000; mov.f32 %f3,0f40400000; mov.f32 %f4,0f40800000;\n"
               "atom.global.v4.f32.add {%f5,%f6,%f7,%f8},[%x],{%f1,%f2,%f3,%f4};\n"
               "red.global.add.v4.f32 [%x],{%f4,%f3,%f2,%f1}; ret;}",
               NULL);
  uint64_t p = harness_alloc(&h, zero, sizeof zero);
  harness_run(&h, "k", 1, 32, 1, 1, 0, &p);
  assert_string_equal(h.fault, "");
  const float *out = harness_at(&h, p, sizeof zero);
  for (int i = 0; i < 4; i++) assert_true(out[i] == 32.0f * (float)(i + 1) + 32.0f * (float)(4 - i));
  harness_close(&h);
}

/* Two linked objects: what one declares .extern the other defines, before or after. */
static void test_external_variables_are_those_defined_elsewhere_in_the_text(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  harness_load(
    &h,
    PTX_HEAD
    ".extern .global .align 4 .u32 later;\n.visible .global .align 4 .u32 earlier = 5;\n"
    ".visible .entry k(" OUT
    ")\n{\n.reg .b32 %r<9>; .reg .b64 %rd<9>;\nld.param.u64 %rd1, [out]; ld.global.u32 %r1, [later];\n"
    "ld.global.u32 %r2, [earlier]; add.u32 %r3, %r1, %r2; mov.u64 %rd2, later; ld.global.u32 %r4, [%rd2+4]; add.u32 %r3, %r3, %r4;\n"
    "st.global.u32 [%rd1], %r3; ret;\n}\n"
    ".extern .global .align 4 .u32 earlier;\n.visible .global .align 4 .u32 later[2] = {30, 700};\n.extern .global .align 4 .u32 later[];\n",
    NULL);
  uint64_t out = harness_alloc(&h, NULL, 4);
  harness_run(&h, "k", 1, 1, 1, 1, 0, &out);
  assert_string_equal(h.fault, "");
  assert_int_equal(*(uint32_t *)harness_at(&h, out, 4), 735);
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_width_extends_as_its_type_says),
    cmocka_unit_test(test_shared_local_const_and_global_variables),
    cmocka_unit_test(test_parameters_are_laid_out_by_their_alignment),
    cmocka_unit_test(test_addresses_are_pure_and_name_the_space),
    cmocka_unit_test(test_atomics_take_lanes_in_order),
    cmocka_unit_test(test_cas_and_float_atomics),
    cmocka_unit_test(test_a_copy_ignores_its_source),
    cmocka_unit_test(test_a_fault_in_words),
    cmocka_unit_test(test_a_stray_access_names_line_thread_and_address),
    cmocka_unit_test(test_a_faulting_store_changes_nothing),
    cmocka_unit_test(test_atomics_of_vectors_add_every_element_once),
    cmocka_unit_test(test_external_variables_are_those_defined_elsewhere_in_the_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
