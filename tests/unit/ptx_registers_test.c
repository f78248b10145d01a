/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Do kernels compute the same in any number of registers? Do two registers that live at once never share one? */
#include "kit/ptx_numbers.h"
#include "kit/ptx_random.h"
#include "kit/ptx_text.h"

#define FN static
#define TABLE static
#include "../ptx/calls.h"

enum { THREADS = 64, PROGRAMS = 40, SEED = 20261123, WARPS_MAX = 8, TEXT_MAX = 16384 };

/* ---- who wrote a register last ---- */

/* By warp, architectural number and lane: the scoreboard register whose value lies there, plus 1. Follows execution alone: it knows nothing
 * of what the allocator believes to be live. */
struct owners {
  uint32_t of[WARPS_MAX][NUMBERS_MAX][WARP_LANES];
  uint64_t reads, wrong;
  uint32_t line;
};

struct access {
  struct owners *o;
  const struct ptx_warp *w;
  const struct ptx_op *op;
  uint32_t mask;
};

static void check_read(void *self, uint32_t number, uint32_t takes, uint32_t reg, ptx_row row) {
  const struct access *a = self;
  (void)row;
  for (uint32_t i = 0; i < takes * WARP_LANES; i++) {
    uint32_t owner = a->o->of[a->w->index][number + i / WARP_LANES][i % WARP_LANES];
    if (!(a->mask >> i % WARP_LANES & 1)) continue;
    a->o->reads++;
    if (owner == reg + 1 || owner == 0) continue; /* 0: read before it is written, and zero */
    a->o->wrong++;
    a->o->line = a->op->line;
  }
}

static void note_write(void *self, uint32_t number, uint32_t takes, uint32_t reg, ptx_row row) {
  const struct access *a = self;
  (void)row;
  for (uint32_t i = 0; i < takes * WARP_LANES; i++)
    if (a->mask >> i % WARP_LANES & 1) a->o->of[a->w->index][number + i / WARP_LANES][i % WARP_LANES] = reg + 1;
}

static void watch(void *self, const struct ptx_warp *w, const struct ptx_op *op, uint32_t mask) {
  struct access a = {.o = self, .w = w, .op = op, .mask = mask};
  visit_reads(w->cta->kernel, op, check_read, &a);
  visit_writes(w->cta->kernel, op, note_write, &a);
}

/* ---- loading within a limit ---- */

static int try_limit(struct harness *h, const char *text, uint32_t most) {
  h->options = (struct ptx_options){.allocate = most != 0, .registers = most, .limit = "the test"};
  return harness_try(h, text, strlen(text), NULL);
}

/* The fewest registers that the text loads with; the refusals below it name a line and what to allow. */
static uint32_t least_limit(struct harness *h, const char *text) {
  uint32_t n = 1;
  for (; try_limit(h, text, n); n++) {
    assert_int_equal(h->e.code, ERR_UNSUPPORTED);
    assert_int_equal(strncmp(h->e.text, "k.ptx:", 6), 0);
    if (!strstr(h->e.text, "allow at least")) fail_msg("%s", h->e.text);
    assert_true(n < 64);
  }
  return n;
}

/* ---- random programs ---- */

static void run_random(struct harness *h, const struct random_program *r, const char *text, uint32_t most,
                       uint64_t seed) {
  struct owners *o = calloc(1, sizeof *o);
  if (try_limit(h, text, most)) fail_msg("seed %llu, %u registers: %s", (unsigned long long)seed, most, h->e.text);
  const struct ptx_kernel *k = ptx_module_kernel(h->module, "k");
  assert_true(most ? k->registers && k->registers <= most : !k->registers);
  if (most) h->on_op = watch, h->self = o;
  uint64_t out = harness_alloc(h, NULL, THREADS * 4);
  harness_run(h, "k", 1, THREADS, 1, 1, 0, &out);
  h->on_op = NULL;
  assert_string_equal(h->fault, "");
  const uint32_t *got = harness_at(h, out, THREADS * 4);
  for (uint32_t t = 0; t < THREADS; t++)
    if (got[t] != random_result(r, t))
      fail_msg("seed %llu, %u registers: thread %u has 0x%x, alone 0x%x", (unsigned long long)seed, most, t, got[t],
               random_result(r, t));
  if (o->wrong)
    fail_msg("seed %llu, %u registers: line %u reads a register that another one has overwritten",
             (unsigned long long)seed, most, o->line);
  assert_true(!most || o->reads > 1000);
  device_memory_free(&h->memory, out, NULL);
  free(o);
}

static void test_random_programs_compute_the_same_in_any_number_of_registers(void **state) {
  char *text = malloc(TEXT_MAX);
  uint32_t spilled = 0;
  (void)state;
  for (uint64_t seed = SEED; seed < SEED + PROGRAMS; seed++) {
    struct harness h;
    const struct random_program r = random_program(seed);
    random_text(text, TEXT_MAX, &r);
    harness_open(&h);
    run_random(&h, &r, text, 0, seed);
    run_random(&h, &r, text, 255, seed);
    uint32_t all = ptx_module_kernel(h.module, "k")->registers, least = least_limit(&h, text);
    assert_true(least <= 6); /* an instruction names three pairs at most */
    for (uint32_t n = least; n <= all; n++) {
      run_random(&h, &r, text, n, seed);
      spilled += ptx_module_kernel(h.module, "k")->spill_bytes != 0;
    }
    harness_close(&h);
  }
  assert_true(spilled > PROGRAMS);
  free(text);
}

static void test_the_check_of_owners_can_fail(void **state) {
  struct harness h;
  struct owners *o = calloc(1, sizeof *o);
  char *text = malloc(TEXT_MAX);
  const struct random_program r = random_program(SEED);
  (void)state;
  random_text(text, TEXT_MAX, &r);
  harness_open(&h);
  assert_int_equal(try_limit(&h, text, 255), 0);
  struct ptx_op *ops = (struct ptx_op *)(uintptr_t)ptx_module_kernel(h.module, "k")->ops;
  for (uint32_t i = 0; i < 20; i++) /* two registers share one: whatever is written to the second goes to the first */
    if (ops[i].n_dst == 1 && ops[i].dst[0] == ops[3].dst[0] + 1) ops[i].dst[0]--;
  h.on_op = watch, h.self = o;
  uint64_t out = harness_alloc(&h, NULL, THREADS * 4);
  harness_run(&h, "k", 1, THREADS, 1, 1, 0, &out);
  assert_true(o->wrong > 0);
  harness_close(&h);
  free(text);
  free(o);
}

/* ---- compiled kernels with calls and recursion ---- */

struct compiled {
  const char *kernel;
  unsigned (*run)(unsigned);
};

static const struct compiled kernels[] = {
  {"k_calls", run_calls},         {"k_shape", run_shape},       {"k_ackermann", run_ackermann},
  {"k_quicksort", run_quicksort}, {"k_pointers", run_pointers}, {"k_returns", run_returns},
  {"k_dispatch", run_dispatch},   {"k_local", run_local},
};

static void run_compiled(struct harness *h, const char *file, const char *text, uint32_t most) {
  uint64_t seed = SEED;
  if (try_limit(h, text, most)) fail_msg("%s, %u registers: %s", file, most, h->e.text);
  uint32_t in[THREADS];
  for (uint32_t i = 0; i < THREADS; i++) in[i] = (uint32_t)harness_random(&seed);
  for (size_t c = 0; c < sizeof kernels / sizeof *kernels; c++) {
    struct {
      uint64_t in, out;
      uint32_t n;
    } params = {harness_alloc(h, in, sizeof in), harness_alloc(h, NULL, sizeof in), THREADS};
    const struct ptx_kernel *k = ptx_module_kernel(h->module, kernels[c].kernel);
    assert_true(k->registers <= most);
    harness_run(h, kernels[c].kernel, 1, THREADS, 1, 1, 0, &params);
    if (h->fault[0]) fail_msg("%s, %s, %u registers: %s", file, kernels[c].kernel, most, h->fault);
    const uint32_t *out = harness_at(h, params.out, sizeof in);
    for (uint32_t t = 0; t < THREADS; t++)
      if (out[t] != kernels[c].run(in[t]))
        fail_msg("%s: %s in %u registers: of 0x%x it is 0x%x, and 0x%x on the host", file, kernels[c].kernel, most,
                 in[t], out[t], kernels[c].run(in[t]));
    device_memory_free(&h->memory, params.in, NULL);
    device_memory_free(&h->memory, params.out, NULL);
  }
}

static void test_calls_and_recursion_compute_the_same_in_any_number_of_registers(void **state) {
  static const char *const files[] = {"calls.nvcc_sm_75.ptx", "calls.nvcc_sm_80_O0.ptx", "calls.clang_sm_70.ptx"};
  static const uint32_t more[] = {0, 1, 2, 3, 5, 8, 13, 21, 200};
  (void)state;
  for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
    struct harness h;
    char *text = ptx_text(files[f]);
    harness_open(&h);
    uint32_t least = least_limit(&h, text);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) run_compiled(&h, files[f], text, least + more[i]);
    harness_close(&h);
    free(text);
  }
}

/* ---- small kernels ---- */

#define HEAD(directives)                                                \
  PTX_HEAD ".visible .entry k(.param .u64 out) " directives             \
           "\n{\n.reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .f64 %f<9>; " \
           ".reg .pred %p<9>;\n"

static const struct ptx_kernel *load(struct harness *h, const char *text, uint32_t most) {
  if (try_limit(h, text, most)) fail_msg("%s", h->e.text);
  return ptx_module_kernel(h->module, "k");
}

static void test_numbers_are_as_few_as_what_lives_at_once(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  /* a chain: each result may take the register of what it is computed from */
  const struct ptx_kernel *k =
    load(&h, HEAD("") "mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1; xor.b32 %r4, %r3, 5; ret;}", 255);
  assert_int_equal(k->registers, 1);
  /* one of another width may not */
  k = load(&h, HEAD("") "mov.u32 %r1, %tid.x; cvt.u64.u32 %rd1, %r1; cvt.u32.u64 %r2, %rd1; ret;}", 255);
  assert_int_equal(k->registers, 3);
  /* three live at once, with a pair at an even number */
  k = load(
    &h,
    HEAD(
      "") "mov.u32 %r1, %tid.x; mov.u64 %rd1, 5; mov.u32 %r2, %ntid.x; cvt.u32.u64 %r3, %rd1; add.u32 %r4, %r3, %r1; add.u32 %r4, %r4, %r2; ret;}",
    255);
  assert_int_equal(k->registers, 5); /* the conversion's source and result do not share */
  /* predicates are apart */
  k = load(
    &h,
    HEAD(
      "") "mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, 1; @%p1 add.u32 %r1, %r1, 1; @%p2 add.u32 %r1, %r1, 1; ret;}",
    255);
  assert_int_equal(k->registers, 1);
  assert_int_equal(k->predicates, 2);
  k = load(&h, HEAD("") "ret;}", 255);
  assert_int_equal(k->registers, 1);
  k = load(&h, HEAD("") "ret;}", 0);
  assert_int_equal(k->registers, 0); /* not asked for */
  harness_close(&h);
}

#define FOUR_AT_ONCE                                                                               \
  "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %nctaid.x;\n" \
  "add.u32 %r1, %r1, %r2;\nadd.u32 %r1, %r1, %r3;\nadd.u32 %r1, %r1, %r4;\n"

static void test_a_limit_spills_and_one_below_an_instruction_is_refused_with_its_line(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  const struct ptx_kernel *k = load(&h, HEAD("") FOUR_AT_ONCE "ret;}", 255);
  assert_int_equal(k->registers, 4);
  assert_int_equal(k->spill_bytes, 0);
  assert_int_equal(k->local_bytes, 0);
  k = load(&h, HEAD("") FOUR_AT_ONCE "ret;}", 2);
  assert_int_equal(k->registers, 2);
  assert_true(k->spill_bytes >= 8);
  uint32_t stores = 0, loads = 0;
  for (uint32_t i = 0; i < k->n_ops; i++) {
    stores += k->ops[i].class == PTX_STORE && k->ops[i].memory.space == PTX_LOCAL;
    loads += k->ops[i].class == PTX_LOAD && k->ops[i].memory.space == PTX_LOCAL;
  }
  assert_true(stores >= 2 && loads >= 2);
  assert_int_not_equal(try_limit(&h, HEAD("") FOUR_AT_ONCE "ret;}", 1), 0);
  assert_string_equal(
    h.e.text, "k.ptx:11: 'k' may use 1 registers (the test) and this instruction alone needs 2: allow at least 2");
  /* the entry's own limit, and the lower of two */
  k = load(&h, HEAD(".maxnreg 3") FOUR_AT_ONCE "ret;}", 255);
  assert_int_equal(k->registers, 3);
  k = load(&h, HEAD(".maxnreg 3") FOUR_AT_ONCE "ret;}", 2);
  assert_int_equal(k->registers, 2);
  assert_int_not_equal(try_limit(&h, HEAD(".maxnreg 1") FOUR_AT_ONCE "ret;}", 2), 0);
  assert_non_null(strstr(h.e.text, "(.maxnreg 1)"));
  k = load(&h, HEAD(".maxnreg 1") FOUR_AT_ONCE "ret;}", 0); /* nothing is allocated: it is advice, as before */
  assert_int_equal(k->live_registers, 4);
  harness_close(&h);
}

static const struct ptx_kernel *load_bounded(struct harness *h, const char *text, struct ptx_options o) {
  h->options = o;
  h->options.allocate = true;
  if (harness_try(h, text, strlen(text), NULL)) fail_msg("%s", h->e.text);
  return ptx_module_kernel(h->module, "k");
}

/* The limit is what an SM has for a thread when as many CTAs are in it as the bounds name, in whole warps. */
static void test_launch_bounds_leave_a_thread_its_part_of_the_register_file(void **state) {
  struct harness h;
  const struct ptx_options o = {.sm_registers = 1024, .sm_threads = 512, .limit = "the test"};
  (void)state;
  harness_open(&h);
  assert_int_equal(load_bounded(&h, HEAD(".maxntid 256") FOUR_AT_ONCE "ret;}", o)->registers, 4);
  assert_int_equal(load_bounded(&h, HEAD(".maxntid 16, 16") FOUR_AT_ONCE "ret;}", o)->spill_bytes, 0);
  assert_int_equal(load_bounded(&h, HEAD(".maxntid 257") FOUR_AT_ONCE "ret;}", o)->registers, 3); /* 288 threads */
  assert_int_equal(load_bounded(&h, HEAD(".reqntid 128 .minnctapersm 3") FOUR_AT_ONCE "ret;}", o)->registers, 2);
  /* more than the SM has threads for: as if one CTA were asked for */
  assert_int_equal(load_bounded(&h, HEAD(".maxntid 128 .minnctapersm 5") FOUR_AT_ONCE "ret;}", o)->registers, 4);
  /* the bounds need a number of threads: of the entry, or of the program */
  assert_int_equal(load_bounded(&h, HEAD(".minnctapersm 4") FOUR_AT_ONCE "ret;}", o)->registers, 4);
  struct ptx_options p = o;
  p.block_threads = 128;
  assert_int_equal(load_bounded(&h, HEAD(".minnctapersm 4") FOUR_AT_ONCE "ret;}", p)->registers, 2);
  assert_int_equal(load_bounded(&h, HEAD(".maxntid 256") FOUR_AT_ONCE "ret;}", p)->registers, 4);
  p = o;
  p.registers = 3;
  assert_int_equal(load_bounded(&h, HEAD(".maxntid 256") FOUR_AT_ONCE "ret;}", p)->registers, 3);
  p = o;
  p.sm_registers = 0; /* of an unknown GPU */
  assert_int_equal(load_bounded(&h, HEAD(".maxntid 128 .minnctapersm 4") FOUR_AT_ONCE "ret;}", p)->registers, 4);
  h.options = o;
  h.options.allocate = true;
  const char text[] =
    HEAD(".maxntid 512 .minnctapersm 1") "mov.u32 %r1, %tid.x;\nadd.u32 %r2, %r1, 1;\n"
                                         "mad.lo.u32 %r3, %r1, %r2, %r1; mad.lo.u32 %r3, %r1, %r2, %r3;"
                                         "ret;}";
  assert_int_not_equal(harness_try(&h, text, strlen(text), NULL), 0);
  assert_non_null(strstr(h.e.text, "'k' may use 2 registers (1 CTAs of 512 threads, by its launch bounds, in an SM of "
                                   "1024 registers) and this instruction alone needs 3: allow at least 3"));
  harness_close(&h);
}

static void test_a_function_lies_behind_what_lives_across_its_call(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
#define LEAF                                                                                                         \
  PTX_HEAD ".func (.param .b32 r) f(.param .b32 a)\n{.reg .b32 %r<9>; ld.param.b32 %r1, [a]; add.u32 %r2, %r1, 1;\n" \
           "add.u32 %r3, %r1, 2; mul.lo.u32 %r4, %r2, %r3; st.param.b32 [r], %r4; ret;}\n"                           \
           ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<9>; .reg .b64 %rd<9>;\n"                             \
           "mov.u32 %r1, %tid.x; add.u32 %r5, %r1, 7; add.u32 %r6, %r1, 9; mul.wide.u32 %rd2, %r1, 4;\n"             \
           "{.param .b32 a; st.param.b32 [a], %r1; .param .b32 r; call (r), f, (a); ld.param.b32 %r2, [r];}\n"       \
           "mad.lo.u32 %r2, %r5, %r6, %r2; ld.param.u64 %rd1, [out]; add.s64 %rd1, %rd1, %rd2;\n"                    \
           "st.global.u32 [%rd1], %r2; ret;}"
  for (uint32_t most = 4; most <= 20; most++) {
    const struct ptx_kernel *k = load(&h, LEAF, most);
    assert_true(k->registers <= most);
    if (most >= 8) assert_int_equal(k->spill_bytes, 0); /* a pair and two across the call, two in the function */
    uint64_t out = harness_alloc(&h, NULL, THREADS * 4);
    harness_run(&h, "k", 1, THREADS, 1, 1, 0, &out);
    assert_string_equal(h.fault, "");
    const uint32_t *got = harness_at(&h, out, THREADS * 4);
    for (uint32_t t = 0; t < THREADS; t++) assert_int_equal(got[t], (t + 7) * (t + 9) + (t + 1) * (t + 2));
  }
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_random_programs_compute_the_same_in_any_number_of_registers),
    cmocka_unit_test(test_the_check_of_owners_can_fail),
    cmocka_unit_test(test_calls_and_recursion_compute_the_same_in_any_number_of_registers),
    cmocka_unit_test(test_numbers_are_as_few_as_what_lives_at_once),
    cmocka_unit_test(test_a_limit_spills_and_one_below_an_instruction_is_refused_with_its_line),
    cmocka_unit_test(test_launch_bounds_leave_a_thread_its_part_of_the_register_file),
    cmocka_unit_test(test_a_function_lies_behind_what_lives_across_its_call),
  };
  print_message("seed %d\n", SEED);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
