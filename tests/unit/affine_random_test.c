/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Random kernels of one load, whose index is a random affine expression in random PTX: are its rows as long as what each
 * CTA reads, from the first to the last byte? And do the rows of random expressions that are not affine hold all reads,
 * where the analysis makes rows of them? */
#include "kit/affine_rig.h"

enum { KERNELS = 1500, BODY = 4000, HALF = 1 << 24, DEPTH = 5 };

static uint64_t first_seed = 1; /* the test's argument */

struct writer {
  char text[BODY];
  size_t n;
  uint64_t state;
  uint32_t next; /* number of the next register */
  bool odd;      /* operations that are not affine, too */
};

struct params {
  uint64_t base;
  uint32_t a, b;
  int32_t c;
};

static uint32_t draw(struct writer *w, uint32_t n) { return (uint32_t)(harness_random(&w->state) % n); }

static void put(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct writer *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  w->n += (size_t)vsnprintf(w->text + w->n, sizeof w->text - w->n, format, args);
  va_end(args);
  assert_true(w->n < sizeof w->text);
}

/* %r1: a, %r2: b, %r3: c; a scalar that multiplies. */
static void put_scalar(struct writer *w) {
  static const char *const scalars[] = {"%r1", "%r2", "%r3", "%ntid.x", "%ntid.y", "%nctaid.x", "3", "-2", "7"};
  put(w, "%s", scalars[draw(w, sizeof scalars / sizeof *scalars)]);
}

static uint32_t leaf(struct writer *w) {
  static const char *const leaves[] = {"%tid.x",   "%tid.y",  "%tid.z", "%ctaid.x", "%ctaid.y",
                                       "%ctaid.z", "%ntid.x", "5",      "-9",       "%r1"};
  uint32_t r = w->next++;
  put(w, "mov.u32 %%r%u, %s;\n", r, leaves[draw(w, sizeof leaves / sizeof *leaves)]);
  return r;
}

/* An operation of two registers that no row can describe, except by chance. */
static void odd_operation(struct writer *w, uint32_t r, uint32_t x, uint32_t y) {
  static const char *const names[] = {"and.b32", "xor.b32", "or.b32", "min.s32", "max.u32", "shr.u32", "mul.lo.s32"};
  put(w, "%s %%r%u, %%r%u, %%r%u;\n", names[draw(w, sizeof names / sizeof *names)], r, x, y);
}

/* A 32-bit expression; returns its register. */
static uint32_t expression(struct writer *w, uint32_t depth) {
  if (!depth || !draw(w, 5)) return leaf(w);
  uint32_t x = expression(w, depth - 1), kind = draw(w, w->odd ? 9 : 7),
           y = kind == 3 || kind == 5 ? 0 : expression(w, depth - 1);
  uint32_t r = w->next++;
  switch (kind) {
    case 0: put(w, "add.s32 %%r%u, %%r%u, %%r%u;\n", r, x, y); break;
    case 1: put(w, "sub.s32 %%r%u, %%r%u, %%r%u;\n", r, x, y); break;
    case 2:
      put(w, "mad.lo.s32 %%r%u, %%r%u, ", r, x);
      put_scalar(w);
      put(w, ", %%r%u;\n", y);
      break;
    case 3: put(w, "shl.b32 %%r%u, %%r%u, %u;\n", r, x, draw(w, 4)); break;
    case 4: put(w, "add.u32 %%r%u, %%r%u, %%r%u;\n", r, y, x); break;
    case 5: put(w, "neg.s32 %%r%u, %%r%u;\n", r, x); break;
    case 6:
      put(w, "mul.lo.u32 %%r%u, %%r%u, ", r, x);
      put_scalar(w);
      put(w, ";\nadd.s32 %%r%u, %%r%u, %%r%u;\n", r + 1, r, y);
      r = w->next++;
      break;
    default: odd_operation(w, r, x, y);
  }
  return r;
}

/* The byte offset of a load of 4 bytes, in %rd9, in one of the ways of compilers. */
static void widen(struct writer *w, uint32_t r) {
  switch (draw(w, 4)) {
    case 0: put(w, "mul.wide.s32 %%rd9, %%r%u, 4;\n", r); break;
    case 1: put(w, "cvt.s64.s32 %%rd8, %%r%u;\nshl.b64 %%rd9, %%rd8, 2;\n", r); break;
    case 2: put(w, "cvt.u64.u32 %%rd7, %%r%u;\nshl.b64 %%rd8, %%rd7, 32;\nshr.s64 %%rd9, %%rd8, 30;\n", r); break;
    default: put(w, "mul.wide.u32 %%rd9, %%r%u, 4;\n", r); /* wraps below 0 */
  }
}

static void write_kernel(struct writer *w) {
  w->n = 0;
  w->next = 10;
  put(w, PTX_HEAD ".visible .entry k(.param .u64 p, .param .u32 a, .param .u32 b, .param .u32 c) {\n"
                  ".reg .b32 %%r<300>; .reg .b64 %%rd<12>;\n"
                  "ld.param.u32 %%r1, [a]; ld.param.u32 %%r2, [b]; ld.param.u32 %%r3, [c];\n"
                  "ld.param.u64 %%rd1, [p]; cvta.to.global.u64 %%rd2, %%rd1;\n");
  uint32_t r = expression(w, DEPTH);
  widen(w, r);
  put(w, "add.s64 %%rd10, %%rd2, %%rd9; ld.global.u32 %%r9, [%%rd10+%d]; ret; }\n", 4 * (int)draw(w, 3));
}

static uint64_t random_size(struct writer *w, uint32_t size[3], uint32_t x, uint32_t y, uint32_t z) {
  size[0] = 1 + draw(w, x), size[1] = 1 + draw(w, y), size[2] = 1 + draw(w, z);
  return size[0] * size[1] * size[2];
}

/* The rows' least and last bytes of the current CTA. */
static void extent(const struct rig *r, uint64_t *least, uint64_t *end) {
  *least = UINT64_MAX, *end = 0;
  for (uint32_t i = 0; i < r->rows.n; i++) {
    uint64_t a, b;
    rig_range(r, &r->rows.row[i].row, &a, &b);
    if (a < *least) *least = a;
    if (b > *end) *end = b;
  }
}

/* Runs all CTAs; 1 if the kernel had rows and ran without a fault. */
static uint32_t one_kernel(struct writer *w, uint64_t seed, uint64_t base, struct rig *r) {
  uint32_t grid[3], block[3];
  w->state = seed;
  write_kernel(w);
  random_size(w, grid, 3, 2, 2);
  random_size(w, block, 12, 4, 2);
  struct params p = {base, 1 + draw(w, 20), draw(w, 9), (int32_t)draw(w, 9) - 4};
  const struct affine_rows_options exact = {0};
  harness_load(&r->h, w->text, NULL);
  rig_launch(r, "k", &(struct affine_options){0}, grid, block, &p, &exact);
  if (!r->rows.n) return 0;
  for (uint32_t i = 0; i < grid[0] * grid[1] * grid[2]; i++) {
    uint64_t least, end;
    r->cta[0] = i % grid[0], r->cta[1] = i / grid[0] % grid[1], r->cta[2] = i / grid[0] / grid[1];
    rig_run_cta(r); /* fails if a read lies in no row */
    if (r->h.fault[0]) return 0;
    extent(r, &least, &end);
    if (r->least == least && r->end == end) continue;
    fail_msg("seed %llu: CTA (%u,%u,%u) reads 0x%llx to 0x%llx, its rows hold 0x%llx to 0x%llx:\n%s",
             (unsigned long long)seed, r->cta[0], r->cta[1], r->cta[2], (unsigned long long)r->least,
             (unsigned long long)r->end, (unsigned long long)least, (unsigned long long)end, w->text);
  }
  return 1;
}

static uint32_t many_kernels(bool odd) {
  struct rig r;
  static struct writer w;
  uint32_t good = 0;
  w.odd = odd;
  memset(&r, 0, sizeof r);
  harness_open(&r.h);
  r.h.on_access = rig_access;
  r.h.self = &r;
  uint64_t base = harness_alloc(&r.h, NULL, 2 * (uint64_t)HALF) + HALF;
  for (uint32_t i = 0; i < KERNELS; i++) good += one_kernel(&w, first_seed + i, base, &r);
  printf("%u of %u kernels from seed %llu have rows and run\n", good, KERNELS, (unsigned long long)first_seed);
  rig_close(&r);
  return good;
}

/* Wraps, which a random unsigned conversion brings about, are faults here: such a kernel does not count. */
static void test_rows_of_affine_kernels_are_exact(void **state) {
  (void)state;
  assert_true(many_kernels(false) > KERNELS * 2 / 3);
}

static void test_rows_of_other_kernels_hold_what_they_read(void **state) {
  (void)state;
  assert_true(many_kernels(true) > KERNELS / 4);
}

int main(int argc, char **argv) {
  if (argc > 1) first_seed = strtoull(argv[1], NULL, 0);
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_rows_of_affine_kernels_are_exact),
    cmocka_unit_test(test_rows_of_other_kernels_hold_what_they_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
