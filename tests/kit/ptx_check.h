/* SPDX-License-Identifier: Apache-2.0 */
/* Checks one instruction against a function of the host, over edge values and seeded random ones, with full and partial
 * masks, with the handlers for every host and those for AVX2: all four must agree with the host's value. */
#ifndef TANDEM_TEST_PTX_CHECK_H
#define TANDEM_TEST_PTX_CHECK_H

#include "kit/ptx_harness.h"

enum { CHECK_THREADS = 1024, CHECK_SEED = 20240607 };
enum check_data { DATA_INT, DATA_F32, DATA_F64, DATA_F16, DATA_SMALL };

/* sizes: destination, a, b, c: '1' '2' '4' '8' bytes, 'p' predicate, '-' none */
struct check {
  const char *instruction;
  const char *sizes;
  uint64_t (*reference)(uint64_t a, uint64_t b, uint64_t c);
  enum check_data a, b, c;
};

#define REFERENCE(name, expr)                                \
  static uint64_t name(uint64_t a, uint64_t b, uint64_t c) { \
    (void)a, (void)b, (void)c;                               \
    return (uint64_t)(expr);                                 \
  }

static const uint64_t check_edge_int[] = {0,
                                          1,
                                          2,
                                          3,
                                          7,
                                          31,
                                          32,
                                          33,
                                          63,
                                          64,
                                          0x7f,
                                          0x80,
                                          0xff,
                                          0x7fff,
                                          0x8000,
                                          0xffff,
                                          0x10000,
                                          0x7fffffff,
                                          0x80000000,
                                          0xffffffff,
                                          0x100000000,
                                          0x5555555555555555,
                                          0x7fffffffffffffff,
                                          0x8000000000000000,
                                          0xfffffffffffffffe,
                                          0xffffffffffffffff};
static const uint64_t check_edge_f32[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 1,          0x80000001,
                                          0x007fffff, 0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x7f800000,
                                          0xff800000, 0x7fc00001, 0x7f800001, 0xffc12345, 0x3f000000, 0x3fc00000,
                                          0x40200000, 0xc0200000, 0x4effffff, 0x4f000000, 0xcf000000, 0x4f800000,
                                          0x5f000000, 0x5f800000, 0x33800000, 0x477fefff};
static const uint64_t check_edge_f64[] = {0,
                                          0x8000000000000000,
                                          0x3ff0000000000000,
                                          0xbff0000000000000,
                                          1,
                                          0x000fffffffffffff,
                                          0x0010000000000000,
                                          0x7fefffffffffffff,
                                          0x7ff0000000000000,
                                          0xfff0000000000000,
                                          0x7ff8000000000001,
                                          0x3fe0000000000000,
                                          0x3ff8000000000000,
                                          0x4004000000000000,
                                          0xc004000000000000,
                                          0x41dfffffffc00000,
                                          0x41e0000000000000,
                                          0x43e0000000000000,
                                          0x43f0000000000000,
                                          0x36a0000000000000,
                                          0x369fffffffffffff,
                                          0x47efffffe0000000,
                                          0x47effffff0000000,
                                          0x3810000000000000,
                                          0x380fffffffffffff,
                                          0x40effdffffffffff};
static const uint64_t check_edge_f16[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x3c00, 0xbc00, 0x7bff,
                                          0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0x3800, 0x3e00, 0x4100, 0x3555};

static inline uint64_t check_random(enum check_data data, uint64_t *state) {
  uint64_t r = harness_random(state);
  switch (data) {
    case DATA_F32: /* any bits, or a number of moderate size */
      if (r >> 62) return 0x30000000 + (r & 0x1fffffff) + (r >> 61 << 31 & 0x80000000);
      return r & 0xffffffff;
    case DATA_F64:
      if (r >> 62) return 0x3000000000000000 + (r & 0x1fffffffffffffff) + (r >> 61 << 63);
      return r;
    case DATA_F16: return r & 0xffff;
    case DATA_SMALL: return r % 70;
    default: return r >> (r >> 58); /* of every size */
  }
}

static inline uint64_t check_value(enum check_data data, uint32_t edge, uint64_t *state) {
  static const struct {
    const uint64_t *edge;
    uint32_t n;
  } tables[] = {[DATA_INT] = {check_edge_int, sizeof check_edge_int / 8},
                [DATA_F32] = {check_edge_f32, sizeof check_edge_f32 / 8},
                [DATA_F64] = {check_edge_f64, sizeof check_edge_f64 / 8},
                [DATA_F16] = {check_edge_f16, sizeof check_edge_f16 / 8},
                [DATA_SMALL] = {check_edge_int, 10}};
  return edge < tables[data].n ? tables[data].edge[edge] : check_random(data, state);
}

static inline uint64_t check_cut(uint64_t v, char size) {
  return size == '8' ? v : size == 'p' ? v & 1 : size == '-' ? 0 : v & ((UINT64_C(1) << (size - '0') * 8) - 1);
}

static inline int check_declare(char *t, size_t room, char name, char size) {
  if (size == 'p') return snprintf(t, room, ".reg .pred %%%c;\n", name);
  return snprintf(t, room, ".reg .b%d %%%c;\n", size == '-' ? 32 : (size - '0') * 8, name);
}

/* The kernel: thread t reads a[t], b[t], c[t], executes, stores d[t]; destination preset to 0x5a... (predicate: 0). */
static inline void check_kernel(char *t, size_t room, const struct check *k, bool guarded) {
  static const char *const preset[] = {"mov.b16 %d, 0x5a5a;", "mov.b32 %d, 0x5a5a5a5a;",
                                       "mov.b64 %d, 0x5a5a5a5a5a5a5a5a;"};
  size_t n =
    (size_t)snprintf(t, room,
                     PTX_HEAD ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd)\n"
                              "{\n.reg .b64 %%x<9>;\n.reg .b32 %%i<9>;\n.reg .pred %%q;\n");
  for (int i = 0; i < 4; i++) n += (size_t)check_declare(t + n, room - n, "dabc"[i], k -> sizes[i]);
  n += (size_t)snprintf(
    t + n, room - n,
    "mov.u32 %%i1, %%ctaid.x; mov.u32 %%i2, %%ntid.x; mov.u32 %%i3, %%tid.x;\nmad.lo.s32 %%i4, %%i1, %%i2, %%i3;\n"
    "mul.wide.u32 %%x5, %%i4, 8; and.b32 %%i5, %%i4, 1; setp.eq.s32 %%q, %%i5, 1;\n");
  for (int i = 1; i < 4; i++) {
    char r = "dabc"[i], size = k->sizes[i];
    if (size == '-') continue;
    n += (size_t)snprintf(t + n, room - n, "ld.param.u64 %%x1, [p%c]; add.s64 %%x2, %%x1, %%x5;\n", r);
    if (size == 'p')
      n += (size_t)snprintf(t + n, room - n,
                            "ld.global.u8 %%i6, [%%x2]; and.b32 %%i6, %%i6, 1; setp.ne.b32 %%%c, %%i6, 0;\n", r);
    else n += (size_t)snprintf(t + n, room - n, "ld.global.b%d %%%c, [%%x2];\n", (size - '0') * 8, r);
  }
  if (k->sizes[0] != 'p')
    n += (size_t)snprintf(t + n, room - n, "%s\n", preset[k->sizes[0] == '8' ? 2 : k->sizes[0] == '4']);
  n += (size_t)snprintf(t + n, room - n, "%s%s\nld.param.u64 %%x1, [pd]; add.s64 %%x2, %%x1, %%x5;\n",
                        guarded ? "@%q " : "", k->instruction);
  if (k->sizes[0] == 'p')
    n += (size_t)snprintf(t + n, room - n, "selp.b32 %%i7, 1, 0, %%d; st.global.u32 [%%x2], %%i7;\n");
  else n += (size_t)snprintf(t + n, room - n, "st.global.b%d [%%x2], %%d;\n", (k->sizes[0] - '0') * 8);
  snprintf(t + n, room - n, "ret;\n}\n");
}

static inline void check_one(struct harness *h, const struct check *k, bool wide, bool guarded) {
  char text[4096];
  uint64_t in[3][CHECK_THREADS], zero[CHECK_THREADS] = {0}, state = CHECK_SEED;
  const enum check_data data[3] = {k->a, k->b, k->c};
  for (uint32_t t = 0; t < CHECK_THREADS; t++) { /* every pair of edges, then random values */
    uint32_t edge[3] = {t % 28, t / 28, t * 7 % 31};
    for (int i = 0; i < 3; i++)
      in[i][t] = check_cut(check_value(data[i], t < 28 * 28 ? edge[i] : UINT32_MAX, &state), k->sizes[i + 1]);
  }
  check_kernel(text, sizeof text, k, guarded);
  h->wide = wide;
  harness_load(h, text, NULL);
  struct {
    uint64_t in[3], out;
  } p;
  for (int i = 0; i < 3; i++) p.in[i] = harness_alloc(h, in[i], sizeof in[i]);
  p.out = harness_alloc(h, zero, sizeof zero);
  harness_run(h, "k", 4, CHECK_THREADS / 4, 1, 1, 0, &p);
  assert_string_equal(h->fault, "");
  const uint64_t *out = harness_at(h, p.out, sizeof zero);
  for (uint32_t t = 0; t < CHECK_THREADS; t++) {
    uint64_t expected = k->reference(in[0][t], in[1][t], in[2][t]);
    if (guarded && !(t & 1)) expected = k->sizes[0] == 'p' ? 0 : 0x5a5a5a5a5a5a5a5a;
    expected = check_cut(expected, k->sizes[0]);
    if (out[t] != expected)
      fail_msg("%s (%s%s, seed %d) of 0x%llx, 0x%llx, 0x%llx is 0x%llx, the host says 0x%llx", k->instruction,
               wide ? "wide" : "base", guarded ? ", guarded" : "", CHECK_SEED, (unsigned long long)in[0][t],
               (unsigned long long)in[1][t], (unsigned long long)in[2][t], (unsigned long long)out[t],
               (unsigned long long)expected);
  }
  for (int i = 0; i < 3; i++) device_memory_free(&h->memory, p.in[i], NULL);
  device_memory_free(&h->memory, p.out, NULL);
}

static inline void check_all(const struct check *k, size_t n) {
  struct harness h;
  harness_open(&h);
  bool can = h.wide;
  for (size_t i = 0; i < n; i++)
    for (int guarded = 0; guarded < 2; guarded++)
      for (int wide = 0; wide <= can; wide++) check_one(&h, &k[i], wide, guarded);
  harness_close(&h);
}
#define CHECK_ALL(table) check_all(table, sizeof(table) / sizeof(table)[0])

#endif
