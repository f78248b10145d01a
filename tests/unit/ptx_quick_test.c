/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Does ptx_quick_access do what ptx_addresses and ptx_perform do, or nothing? Before each access of random patterns it is tried on the
 * same registers and memory; what it leaves is compared with what the others leave. */
#include "kit/ptx_harness.h"
#include "ptx/quick.h"

enum { LANES = 32, GLOBAL = 1 << 12, SHARED = 1 << 11, SEED = 20261128, ROUNDS = 400 };

/* Lane t uses the offset in[t]; %p1 holds in lanes with in[32 + t] != 0. %r2 and %rd4 are the shared address. */
#define ACCESSES(guard, type, value, space, address) \
  guard "ld." space type " " value ", [" address "]; " guard "ld." space type " " value ", [" address "+16];\n"
#define WORDS(guard, space, address)                                                                              \
  ACCESSES(guard, ".u32", "%r5", space, address)                                                                  \
  guard "st." space ".u32 [" address "+4], %r6; " guard "ld." space ".s32 %r6, [" address "]; " guard "ld." space \
        ".u16 %r7, [" address "];\n"
#define VECTORS(guard, space, address)                               \
  ACCESSES(guard, ".v4.u32", "{%r5, %r6, %r7, %r8}", space, address) \
  ACCESSES(guard, ".v2.u32", "{%r5, %r6}", space, address)           \
  ACCESSES(guard, ".u64", "%rd5", space, address)                    \
  ACCESSES(guard, ".v2.u64", "{%rd5, %rd6}", space, address)
#define ALL(what)                                                                                                 \
  what("", "global", "%rd3") what("", "shared", "%r2") what("", "shared", "%rd4") what("@%p1 ", "global", "%rd3") \
    what("@%p1 ", "shared", "%r2") what("@!%p1 ", "shared", "%rd4") what("@%p1 ", "global", "%rd3")
#define ENTRY(name, body)                                                                                               \
  ".visible .entry " name "(.param .u64 in, .param .u64 data)\n{\n"                                                     \
  ".reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %rd<12>; .shared .align 16 .b8 tile[2048];\n"                          \
  "mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [data]; mul.wide.u32 %rd3, %r1, 4;\n"               \
  "add.s64 %rd1, %rd1, %rd3; ld.global.u32 %r9, [%rd1]; ld.global.u32 %r10, [%rd1+128]; setp.ne.u32 %p1, %r10, 0;\n"    \
  "mov.u32 %r2, tile; add.s32 %r2, %r2, %r9; cvt.u64.u32 %rd4, %r2; cvt.s64.s32 %rd3, %r9; add.s64 %rd3, %rd3, %rd2;\n" \
  "mad.lo.u32 %r6, %r1, 77, 5; mov.u32 %r11, tile; st.shared.u32 [%r11+64], %r6;\n" body "ret;\n}\n"
static const char kernels[] =
  PTX_HEAD ENTRY("words", ALL(WORDS)) ENTRY("vectors", ALL(VECTORS)) ENTRY("generic", WORDS("", "b", "%rd3"));

struct image {
  uint8_t rows[1 << 15], global[GLOBAL], shared[SHARED];
};
struct trial {
  struct harness h;
  uint64_t data;
  size_t row_bytes;
  bool pending; /* `after` is what the access that comes should leave */
  struct image before, after, now;
  uint32_t taken, left;
};

static void look(const struct trial *t, const struct ptx_warp *w, struct image *i) {
  memcpy(i->rows, w->rows, t->row_bytes);
  memcpy(i->global, harness_at((struct harness *)(uintptr_t)&t->h, t->data, GLOBAL), GLOBAL);
  memcpy(i->shared, w->cta->shared, w->cta->shared_bytes);
}
static bool equal(const struct trial *t, const struct ptx_warp *w, const struct image *a, const struct image *b) {
  return !memcmp(a->rows, b->rows, t->row_bytes) && !memcmp(a->global, b->global, GLOBAL) &&
         !memcmp(a->shared, b->shared, w->cta->shared_bytes);
}

static void before_access(void *self, const struct ptx_warp *w, const struct ptx_op *op, const struct ptx_access *a) {
  struct trial *t = self;
  struct ptx_warp *warp = (struct ptx_warp *)(uintptr_t)w;
  t->row_bytes = (size_t)w->cta->kernel->n_rows * LANES * 4;
  assert_true(t->row_bytes <= sizeof t->before.rows && w->cta->shared_bytes <= SHARED);
  look(t, w, &t->before);
  t->pending = ptx_quick_access(op, warp, a->mask);
  assert_int_equal(w->fault.kind, PTX_NO_FAULT);
  look(t, w, &t->after);
  if (t->pending) t->taken++;
  else t->left++;
  if (!t->pending && !equal(t, w, &t->before, &t->after)) fail_msg("line %u: refused, and changed something", op->line);
  memcpy(warp->rows, t->before.rows, t->row_bytes);
  memcpy(harness_at(&t->h, t->data, GLOBAL), t->before.global, GLOBAL);
  memcpy(w->cta->shared, t->before.shared, w->cta->shared_bytes);
}

static void before_op(void *self, const struct ptx_warp *w, const struct ptx_op *op, uint32_t mask) {
  struct trial *t = self;
  (void)mask;
  if (!t->pending) return;
  t->pending = false;
  look(t, w, &t->now);
  /* the stack of the warp lies behind its registers, and its PC has moved on */
  size_t stack = (size_t)((uint8_t *)w->stack - (uint8_t *)w->rows);
  memcpy(t->after.rows + stack, t->now.rows + stack, t->row_bytes - stack);
  if (!equal(t, w, &t->now, &t->after)) fail_msg("before line %u: the access has left something else", op->line);
}

/* Offsets of a pattern: in order, the same, a stride, scattered, both halves in order, one for each half; sometimes one that is misaligned
 * or outside. */
static void draw(uint32_t in[2 * LANES], uint32_t grain, uint64_t *seed) {
  uint32_t pattern = (uint32_t)harness_random(seed) % 6, first = (uint32_t)harness_random(seed) % 32 * grain;
  uint32_t stride = ((uint32_t)harness_random(seed) % 3 + 1) * grain;
  uint32_t second = (uint32_t)harness_random(seed) % 32 * grain;
  for (uint32_t l = 0; l < LANES; l++) {
    uint32_t half = l < LANES / 2 ? first : second;
    in[l] = pattern == 0   ? first + grain * l
            : pattern == 4 ? half + grain * (l % (LANES / 2))
            : pattern == 5 ? half
            : pattern == 1 ? first
            : pattern == 2 ? first + stride * (LANES - 1 - l)
                           : (uint32_t)harness_random(seed) % 64 * grain;
    in[LANES + l] = pattern % 2 ? (uint32_t)harness_random(seed) % 2 : l >= first / grain;
  }
  uint32_t wrong = (uint32_t)harness_random(seed) % 8, l = (uint32_t)harness_random(seed) % LANES;
  if (wrong == 0) in[l] += 1;
  if (wrong == 1) in[l] = 0x7fffff00;
  if (wrong == 2) in[l] = 0u - 64;
}

static void test_quick_accesses_do_the_same_or_nothing(void **state) {
  static struct trial t;
  static const char *const names[] = {"words", "vectors", "generic"};
  uint64_t seed = SEED;
  uint32_t in[2 * LANES], faults = 0;
  uint8_t data[GLOBAL];
  (void)state;
  harness_open(&t.h);
  static char text[sizeof kernels];
  memcpy(text, kernels, sizeof kernels);
  for (char *b; (b = strstr(text, "ld.b.")) || (b = strstr(text, "st.b."));) memmove(b + 2, b + 4, strlen(b + 4) + 1);
  harness_load(&t.h, text, NULL);
  struct {
    uint64_t in, data;
  } p = {harness_alloc(&t.h, NULL, sizeof in), harness_alloc(&t.h, NULL, GLOBAL)};
  t.data = p.data;
  t.h.self = &t;
  t.h.on_access = before_access;
  t.h.on_op = before_op;
  for (int round = 0; round < ROUNDS; round++) {
    for (uint32_t i = 0; i < GLOBAL; i++) data[i] = (uint8_t)harness_random(&seed);
    draw(in, round % 3 == 1 ? 16 : 4, &seed);
    memcpy(harness_at(&t.h, p.in, sizeof in), in, sizeof in);
    memcpy(harness_at(&t.h, p.data, GLOBAL), data, GLOBAL);
    t.pending = false;
    harness_run(&t.h, names[round % 3], 1, LANES - (uint32_t)(round % 7 == 0) * 5, 1, 1, 0, &p);
    faults += t.h.fault[0] != 0;
  }
  print_message("%u taken, %u left, %u faults\n", t.taken, t.left, faults);
  if (t.h.wide) assert_true(t.taken > 4 * t.left && faults > ROUNDS / 8);
  harness_close(&t.h);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_quick_accesses_do_the_same_or_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
