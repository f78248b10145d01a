/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Does a phase name all that is used in it, is what is called live read later, and what is called uniform the same in all lanes? */
#include "kit/ptx_numbers.h"
#include "kit/ptx_random.h"

enum { THREADS = 64, PROGRAMS = 60, SEED = 20261124, TEXT_MAX = 16384, REGS_MAX = 2048, WARPS_MAX = 8 };

static int try_phases(struct harness *h, const char *text, struct ptx_options o) {
  o.allocate = o.phases = true;
  o.limit = "the test";
  h->options = o;
  return harness_try(h, text, strlen(text), NULL);
}

static const struct ptx_kernel *load(struct harness *h, const char *text, struct ptx_options o) {
  if (try_phases(h, text, o)) fail_msg("%s", h->e.text);
  return ptx_module_kernel(h->module, "k");
}

/* ---- what execution shows ---- */

struct watcher {
  const struct ptx_op *specifier[WARPS_MAX]; /* the last one of each warp */
  const struct ptx_warp *warp;
  const struct ptx_op *op;
  uint32_t mask;
  bool masks; /* specifiers name sets of registers */
  uint64_t specifiers, uniform_reads;
  char wrong[200];
};

static void complain(struct watcher *v, const char *what) {
  if (!v->wrong[0]) snprintf(v->wrong, sizeof v->wrong, "line %u: %s", v->op->line, what);
}

/* The registers of an operation lie below what its phase has, or in the sets that it names. */
static void check_number(void *self, uint32_t number, uint32_t takes, uint32_t reg, ptx_row row) {
  struct watcher *v = self;
  const struct ptx_op_phase *p = &v->specifier[v->warp->index]->phase;
  (void)reg, (void)row;
  for (uint32_t n = number; number < NUMBERS_MAX / 2 && n < number + takes; n++)
    if (v->masks ? !(p->sets >> n / PTX_SET_REGISTERS & 1) : n >= p->registers)
      complain(v, "a register beyond its phase");
}

static void check_uniform(void *self, uint32_t number, uint32_t takes, uint32_t reg, ptx_row row) {
  struct watcher *v = self;
  const uint32_t *narrow = v->warp->rows + (size_t)row * WARP_LANES;
  uint64_t first = 0;
  bool met = false;
  if (v->warp->cta->kernel->phases->differs[reg]) return;
  v->uniform_reads++;
  for (uint32_t rest = v->mask; rest; rest &= rest - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(rest);
    uint64_t value = narrow[l];
    if (number >= NUMBERS_MAX / 2) value = narrow[0] >> l & 1;
    else if (takes == 2) memcpy(&value, narrow + 2 * l, 8);
    if (met && value != first) complain(v, "lanes differ in a register that is called uniform");
    first = value;
    met = true;
  }
}

static void watch(void *self, const struct ptx_warp *w, const struct ptx_op *op, uint32_t mask) {
  struct watcher *v = self;
  v->warp = w, v->op = op, v->mask = mask;
  if (op->class == PTX_PHASE) {
    v->specifier[w->index] = op;
    v->specifiers++;
    if (mask != w->live) complain(v, "a specifier where lanes are apart");
    return;
  }
  if (!v->specifier[w->index]) {
    complain(v, "an operation before the first specifier");
    return;
  }
  visit_reads(w->cta->kernel, op, check_number, v);
  visit_writes(w->cta->kernel, op, check_number, v);
  visit_reads(w->cta->kernel, op, check_uniform, v);
}

static void check_shared(void *self, const struct ptx_warp *w, const struct ptx_op *op, const struct ptx_access *a) {
  struct watcher *v = self;
  (void)op;
  if (a->space != PTX_SHARED) return;
  const struct ptx_op_phase *p = &v->specifier[w->index]->phase;
  uint32_t bytes = p->shared_bytes + (p->dynamic ? w->cta->shared_bytes - w->cta->kernel->shared_bytes : 0);
  for (uint32_t l = 0; l < WARP_LANES; l++)
    if (a->mask >> l & 1 && a->address[l] + a->bytes > bytes) complain(v, "shared memory beyond its phase");
}

static void run_watched(struct harness *h, struct watcher *v, uint32_t threads, uint32_t dynamic, const void *params) {
  h->on_op = watch, h->on_access = check_shared, h->self = v;
  harness_run(h, "k", 1, threads, 1, 1, dynamic, params);
  h->on_op = NULL, h->on_access = NULL;
  assert_string_equal(h->fault, "");
}

/* ---- live registers by following every path ---- */

struct graph {
  const struct ptx_kernel *k;
  uint32_t weight[REGS_MAX];
  bool seen[4096], in_region[4096];
  uint32_t live[4096]; /* of an operation, and 1; 0: not counted yet */
};

static void note_weight(void *self, uint32_t number, uint32_t takes, uint32_t reg, ptx_row row) {
  struct graph *g = self;
  (void)row;
  g->weight[reg] = number >= NUMBERS_MAX / 2 ? 0 : takes;
}

/* True if some path from operation `i` on reads register `r` before it writes it. */
static bool is_read(struct graph *g, uint32_t i, uint32_t r) {
  const struct ptx_op *op = &g->k->ops[i];
  if (g->seen[i]) return false;
  g->seen[i] = true;
  for (uint32_t k = 0; k < 10 && op->read_reg[k] != PTX_NO_REG; k++)
    if (op->read_reg[k] == r) return true;
  for (uint32_t k = 0; k < 4 && op->write_reg[k] != PTX_NO_REG; k++)
    if (op->write_reg[k] == r && op->guard == PTX_NO_GUARD) return false;
  if (op->class == PTX_EXIT && op->guard == PTX_NO_GUARD) return false;
  if (op->class == PTX_BRANCH && is_read(g, op->branch.target, r)) return true;
  if (op->class == PTX_BRANCH && op->guard == PTX_NO_GUARD) return false;
  return i + 1 < g->k->n_ops && is_read(g, i + 1, r);
}

static uint32_t count_live(struct graph *g, uint32_t i) {
  uint32_t sum = 0;
  if (g->live[i]) return g->live[i] - 1;
  for (uint32_t r = 0; r < g->k->n_registers && r < REGS_MAX; r++) {
    memset(g->seen, 0, g->k->n_ops);
    if (g->weight[r] && is_read(g, i, r)) sum += g->weight[r];
  }
  g->live[i] = sum + 1;
  return sum;
}

/* The most that lives from operation i on, until the lanes that part in front of it meet at operation `meet`. */
static uint32_t most_until(struct graph *g, uint32_t i, uint32_t meet) {
  const struct ptx_op *op = &g->k->ops[i];
  uint32_t most = 0, other;
  if (i == meet || i >= g->k->n_ops || g->in_region[i]) return 0;
  g->in_region[i] = true;
  most = count_live(g, i);
  if (op->class == PTX_BRANCH && (other = most_until(g, op->branch.target, meet)) > most) most = other;
  bool ends = (op->class == PTX_BRANCH || op->class == PTX_EXIT) && op->guard == PTX_NO_GUARD;
  if (!ends && (other = most_until(g, i + 1, meet)) > most) most = other;
  return most;
}

static bool ends_there(const struct ptx_kernel *k, uint32_t i) {
  return k->ops[i].class == PTX_EXIT && k->ops[i].guard == PTX_NO_GUARD;
}

/* Whether lanes may part at operation i, and go on in both ways. */
static bool parts_lanes(const struct ptx_kernel *k, uint32_t i) {
  const struct ptx_op *op = &k->ops[i];
  if (op->class != PTX_BRANCH || op->guard == PTX_NO_GUARD || !k->phases->differs[op->read_reg[0]]) return false;
  return !ends_there(k, op->branch.target) && !ends_there(k, i + 1);
}

/* What is compared at a boundary in front of operation i: what lives there, or if lanes part there, until they meet. */
static uint32_t count_ahead(struct graph *g, uint32_t i) {
  const struct ptx_op *op = &g->k->ops[i];
  uint32_t live = count_live(g, i), other;
  if (!parts_lanes(g->k, i)) return live;
  memset(g->in_region, 0, g->k->n_ops);
  if ((other = most_until(g, op->branch.target, op->branch.reconverge)) > live) live = other;
  if ((other = most_until(g, i + 1, op->branch.reconverge)) > live) live = other;
  return live;
}

static bool changes(uint32_t old, uint32_t new) { return new != old && 4 * (new > old ? new - old : old - new) >= old; }

/* Where the rules ask for a boundary there is one; of kernels without shared memory. The result counts operations looked at. */
static uint32_t check_none_is_missing(struct graph *g) {
  const struct ptx_kernel *k = g->k;
  bool *apart = calloc(k->n_ops + 1U, sizeof *apart);
  uint32_t looked = 0;
  for (uint32_t i = 0; i < k->n_ops; i++) {
    if (!parts_lanes(k, i)) continue;
    memset(g->in_region, 0, g->k->n_ops);
    most_until(g, k->ops[i].branch.target, k->ops[i].branch.reconverge);
    most_until(g, i + 1, k->ops[i].branch.reconverge);
    for (uint32_t n = 0; n < k->n_ops; n++) apart[n] |= g->in_region[n];
  }
  for (uint32_t n = 0; n < k->phases->n; n++) {
    const struct ptx_phase *p = &k->phases->phase[n];
    for (uint32_t first = p->first + p->specifier, i = first + 10; i < p->end; i++) {
      if (apart[i] || k->ops[i].class == PTX_EXIT) continue;
      looked++;
      if (changes(count_ahead(g, first), count_ahead(g, i))) fail_msg("line %u: no boundary", k->ops[i].line);
    }
  }
  free(apart);
  return looked;
}

/* Each boundary has the count of paths, and follows from the rules; a quarter: 4 |new - old| >= old. */
static uint32_t check_boundaries(const struct ptx_kernel *k, uint64_t *looked) {
  struct graph *g = calloc(1, sizeof *g);
  uint32_t drawn = 0;
  g->k = k;
  assert_true(k->n_ops < 4096);
  for (uint32_t i = 0; i < k->n_ops; i++)
    visit_reads(k, &k->ops[i], note_weight, g), visit_writes(k, &k->ops[i], note_weight, g);
  for (uint32_t i = 0; i < k->phases->n; i++) {
    const struct ptx_phase *p = &k->phases->phase[i], *last = i ? p - 1 : NULL;
    assert_int_equal(p->live, count_live(g, p->first));
    assert_int_equal(p->specifier, k->ops[p->first].class == PTX_PHASE);
    assert_true(p->registers >= p->most_live && p->most_live >= p->live);
    if (!last || !p->specifier) continue;
    drawn++;
    assert_true(p->first - last->first - last->specifier >= 10);
    assert_true(changes(count_ahead(g, last->first + last->specifier), count_ahead(g, p->first + 1)));
  }
  if (looked) *looked += check_none_is_missing(g);
  free(g);
  return drawn;
}

/* ---- random programs ---- */

static void run_random(struct harness *h, const struct random_program *r, const char *text, struct ptx_options o,
                       uint64_t seed, uint64_t *drawn, uint64_t *uniform, uint64_t *looked) {
  struct watcher v = {.masks = o.live == PTX_LIVE_MASK};
  const struct ptx_kernel *k = load(h, text, o);
  uint64_t out = harness_alloc(h, NULL, THREADS * 4);
  run_watched(h, &v, THREADS, 0, &out);
  const uint32_t *got = harness_at(h, out, THREADS * 4);
  if (v.wrong[0]) fail_msg("seed %llu: %s", (unsigned long long)seed, v.wrong);
  for (uint32_t t = 0; t < THREADS; t++)
    if (got[t] != random_result(r, t))
      fail_msg("seed %llu: thread %u computes another value", (unsigned long long)seed, t);
  *drawn += check_boundaries(k, looked);
  *uniform += v.uniform_reads;
  assert_true(v.specifiers >= THREADS / 32);
  device_memory_free(&h->memory, out, NULL);
}

static void test_random_programs_stay_within_their_phases(void **state) {
  char *text = malloc(TEXT_MAX);
  uint64_t drawn = 0, uniform = 0, looked = 0;
  (void)state;
  for (uint64_t seed = SEED; seed < SEED + PROGRAMS; seed++) {
    struct harness h;
    struct random_program r = random_program(seed);
    for (uint32_t b = 0; b < RANDOM_BLOCKS; b++)
      r.of_thread[b] &= seed & 1; /* of every other program lanes stay together */
    random_text(text, TEXT_MAX, &r);
    harness_open(&h);
    run_random(&h, &r, text, (struct ptx_options){.live = PTX_LIVE_LOWEST}, seed, &drawn, &uniform,
               seed % 4 ? NULL : &looked);
    run_random(&h, &r, text, (struct ptx_options){.live = PTX_LIVE_MASK}, seed, &drawn, &uniform, NULL);
    run_random(&h, &r, text, (struct ptx_options){.registers = 12}, seed, &drawn, &uniform, NULL);
    harness_close(&h);
  }
  assert_true(drawn > PROGRAMS && looked > PROGRAMS);
  assert_true(uniform > 100 * PROGRAMS);
  free(text);
}

static void test_the_checks_of_execution_can_fail(void **state) {
  struct harness h;
  struct random_program r = random_program(SEED);
  char *text = malloc(TEXT_MAX);
  (void)state;
  random_text(text, TEXT_MAX, &r);
  harness_open(&h);
  const struct ptx_kernel *k = load(&h, text, (struct ptx_options){0});
  uint64_t out = harness_alloc(&h, NULL, THREADS * 4);
  struct watcher v = {0}, u = {0};
  struct ptx_op *first = (struct ptx_op *)(uintptr_t)&k->ops[0];
  first->phase.registers--;
  run_watched(&h, &v, THREADS, 0, &out);
  assert_non_null(strstr(v.wrong, "a register beyond its phase"));
  first->phase.registers++;
  memset((void *)(uintptr_t)k->phases->differs, 0, k->n_registers); /* all are called uniform */
  run_watched(&h, &u, THREADS, 0, &out);
  assert_non_null(strstr(u.wrong, "lanes differ"));
  harness_close(&h);
  free(text);
}

/* ---- kernels made for the purpose ---- */

#define HEAD                                                                                                       \
  PTX_HEAD ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n"        \
           ".shared .align 4 .b8 large[4224]; .shared .align 4 .b8 small[384];\n"                                  \
           "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2;\n" \
           "shl.b32 %r2, %r1, 2;\n"
#define TEN                                                                                                    \
  "add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 1;\n" \
  "add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 1;\n"
#define AT(array, reg) "mov.u32 " reg ", " array "; add.u32 " reg ", " reg ", %r2;\n"

/* As NQU has it: nothing, then 4224 bytes, then 384 of a reduction. */
#define THREE_PHASES                                                                                                 \
  HEAD TEN AT("large", "%r4") "st.shared.u32 [%r4], %r1;\n" TEN "bar.sync 0;\nld.shared.u32 %r5, [%r4+4];\n" TEN AT( \
    "small", "%r6") "st.shared.u32 [%r6], %r5;\n" TEN "bar.sync 0;\nld.shared.u32 %r7, [%r6+8];\n"                   \
                    "add.u32 %r7, %r7, %r1; st.global.u32 [%rd1], %r7; ret;}"

static const struct ptx_phase *phase_with(const struct ptx_kernel *k, uint32_t shared_live, uint32_t nth) {
  for (uint32_t i = 0; i < k->phases->n; i++)
    if (k->phases->phase[i].specifier && k->phases->phase[i].shared_live == shared_live && nth-- == 0)
      return &k->phases->phase[i];
  return NULL;
}

static void test_shared_arrays_live_from_their_first_store_to_their_last_load(void **state) {
  struct harness h;
  struct watcher v = {0};
  (void)state;
  harness_open(&h);
  const struct ptx_kernel *k = load(&h, THREE_PHASES, (struct ptx_options){0});
  assert_null(k->phases->shared_always);
  assert_non_null(phase_with(k, 4224, 0));
  const struct ptx_phase *last = phase_with(k, 384, 0);
  assert_non_null(last);
  assert_true(last->reason == PHASE_SHARED || last->reason == PHASE_BOTH);
  assert_int_equal(last->shared_bytes, 384); /* the array of the last phase lies first, for what lies behind it dies */
  assert_int_equal(k->shared_bytes, 4224 + 384);
  uint32_t barriers = 0;
  for (uint32_t i = 0; i < k->phases->n; i++) {
    barriers += k->phases->phase[i].reason == PHASE_BARRIER;
    if (k->phases->phase[i].reason == PHASE_BARRIER) assert_false(k->phases->phase[i].specifier);
  }
  assert_int_equal(barriers, 2);
  uint64_t out = harness_alloc(&h, NULL, THREADS * 4);
  run_watched(&h, &v, THREADS, 0, &out);
  assert_string_equal(v.wrong, "");
  const uint32_t *got = harness_at(&h, out, THREADS * 4);
  for (uint32_t t = 0; t < THREADS - 3; t++) assert_int_equal(got[t], t + 40 + t + 3 + 10); /* of t + 3's neighbour */
  /* the check can fail */
  struct watcher w = {0};
  ((struct ptx_op *)(uintptr_t)&k->ops[last->first])->phase.shared_bytes = 128;
  run_watched(&h, &w, THREADS, 0, &out);
  assert_non_null(strstr(w.wrong, "shared memory beyond its phase"));
  harness_close(&h);
}

static void test_a_spilled_address_still_names_its_array(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  struct ptx_options o = {.registers = 255};
  uint32_t most = load(&h, THREE_PHASES, o)->registers, spilled = 0;
  uint64_t out = harness_alloc(&h, NULL, THREADS * 4);
  for (o.registers = 4; o.registers < most; o.registers++) {
    struct watcher v = {0};
    const struct ptx_kernel *k = load(&h, THREE_PHASES, o);
    assert_null(k->phases->shared_always);
    spilled += k->spill_bytes != 0;
    run_watched(&h, &v, THREADS, 0, &out);
    assert_string_equal(v.wrong, "");
    const uint32_t *got = harness_at(&h, out, THREADS * 4);
    for (uint32_t t = 0; t < THREADS - 3; t++) assert_int_equal(got[t], t + 40 + t + 3 + 10);
  }
  assert_true(spilled > 0);
  harness_close(&h);
}

static void expect_always(struct harness *h, const char *text, const char *why, uint32_t line) {
  const struct ptx_kernel *k = load(h, text, (struct ptx_options){0});
  if (!k->phases->shared_always) fail_msg("not noticed: %s", why);
  else if (!strstr(k->phases->shared_always, why)) fail_msg("%s", k->phases->shared_always);
  assert_int_equal(k->phases->shared_line, line);
  for (uint32_t i = 0; i < k->phases->n; i++) assert_true(k->phases->phase[i].shared_live == k->shared_bytes);
}

static void test_an_address_that_escapes_keeps_every_array(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  expect_always(&h, HEAD AT("small", "%r4") "st.global.u32 [%rd1],\n%r4; st.shared.u32 [%r4], 1; ret;}", "is stored",
                11);
  expect_always(
    &h, HEAD AT("small", "%r4") "st.shared.u32 [%r4], 1;\nld.global.u32 %r5, [%rd1];\nld.shared.u32 %r6, [%r5]; ret;}",
    "no known array", 13);
  expect_always(&h,
                HEAD AT("small", "%r4") "st.shared.u32 [%r4], 1; setp.lt.u32 %p1, %r1, 32; @%p1 bra A;\n"
                                        "mov.u32 %r9, 1;\nbar.sync 1, 32;\nA: ld.shared.u32 %r6, [%r4]; ret;}",
                "may pass by", 13);
  harness_close(&h);
}

static void test_recursion_and_indirect_calls_are_one_phase(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  const struct ptx_kernel *k =
    load(&h,
         PTX_HEAD
         ".func f(.param .b32 a)\n{.reg .b32 %r<9>; .reg .pred %p<2>; ld.param.b32 %r1, [a]; setp.eq.u32 %p1, %r1, 0;\n"
         "@%p1 ret; add.u32 %r1, %r1, -1; {.param .b32 b; st.param.b32 [b], %r1; call f, (b);} ret;}\n" HEAD TEN
         "{.param .b32 b; st.param.b32 [b], 3; call f, (b);}\n" TEN "bar.sync 0;\n" TEN "ret;}",
         (struct ptx_options){0});
  assert_string_equal(k->phases->whole, "it is recursive");
  assert_int_equal(k->phases->n, 1);
  assert_int_equal(k->phases->phase[0].registers, k->registers);
  k = load(
    &h, PTX_HEAD ".func f()\n{ret;}\n" HEAD "mov.u64 %rd4, f; p: .callprototype _ ();\n" TEN "call %rd4, (), p; ret;}",
    (struct ptx_options){0});
  assert_string_equal(k->phases->whole, "it calls functions by address");
  assert_int_equal(k->phases->n, 1);
  harness_close(&h);
}

static void test_more_registers_than_a_specifier_names_are_refused_with_the_line(void **state) {
  struct harness h;
  char text[8192];
  (void)state;
  size_t n =
    (size_t)snprintf(text, sizeof text, PTX_HEAD ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %%r<99>;\n");
  for (int i = 0; i < 70; i++) n += (size_t)snprintf(text + n, sizeof text - n, "mov.u32 %%r%d, %%clock;\n", i);
  for (int i = 1; i < 70; i++) n += (size_t)snprintf(text + n, sizeof text - n, "add.u32 %%r0, %%r0, %%r%d;\n", i);
  snprintf(text + n, sizeof text - n, "ret;}");
  harness_open(&h);
  assert_int_equal(load(&h, text, (struct ptx_options){0})->registers, 70);
  assert_int_not_equal(try_phases(&h, text, (struct ptx_options){.phase_registers = 64}), 0);
  assert_int_equal(strncmp(h.e.text, "k.ptx:", 6), 0);
  assert_non_null(strstr(h.e.text, "takes 70 registers and a specifier names 64: lower ptx.max_registers"));
  assert_true(load(&h, text, (struct ptx_options){.phase_registers = 64, .registers = 64})->registers <= 64);
  harness_close(&h);
}

/* ---- specifiers of the text ---- */

#define SPECIFIER(registers, bytes) ".pragma \"tandem.phase registers=" registers " shared=" bytes "\";\n"

static void test_specifiers_of_the_text_replace_the_rules(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  const char text[] =
    HEAD SPECIFIER("9", "5000") TEN AT("large", "%r4") "st.shared.u32 [%r4], %r1;\nbar.sync 0;\n" SPECIFIER(
      "12", "4608") "ld.shared.u32 %r5, [%r4+4]; st.global.u32 [%rd1], %r5;\n" TEN "st.global.u32 [%rd1], %r1; ret;}";
  for (int masks = 0; masks < 2; masks++) {
    struct watcher v = {.masks = masks};
    const struct ptx_kernel *k = load(&h, text, (struct ptx_options){.live = masks ? PTX_LIVE_MASK : PTX_LIVE_LOWEST});
    assert_int_equal(k->phases->n,
                     3); /* the compiler's at the start, then those of the text; one stands at a barrier */
    assert_int_equal(k->phases->phase[0].reason, PHASE_START);
    for (uint32_t i = 1; i < 3; i++) {
      const struct ptx_phase *p = &k->phases->phase[i];
      assert_int_equal(p->reason, PHASE_TEXT);
      assert_int_equal(k->ops[p->first].class, PTX_PHASE);
      assert_int_equal(k->ops[p->first].phase.registers, i == 1 ? 9 : 12);
      assert_int_equal(k->ops[p->first].phase.shared_bytes, i == 1 ? 5000 : 4608);
    }
    uint64_t out = harness_alloc(&h, NULL, THREADS * 4);
    run_watched(&h, &v, THREADS, 0, &out);
    assert_string_equal(v.wrong, "");
    assert_int_equal(v.specifiers, 3 * THREADS / 32);
  }
  /* where nobody asks for phases they are nothing */
  h.options = (struct ptx_options){0};
  harness_load(&h, text, NULL);
  const struct ptx_kernel *plain = ptx_module_kernel(h.module, "k");
  for (uint32_t i = 0; i < plain->n_ops; i++) assert_int_not_equal(plain->ops[i].class, PTX_PHASE);
  harness_close(&h);
}

static void expect_refusal(struct harness *h, const char *text, struct ptx_options o, const char *sentence) {
  if (!try_phases(h, text, o)) fail_msg("not refused: %s", sentence);
  if (!strstr(h->e.text, sentence)) fail_msg("%s\nand not: %s", h->e.text, sentence);
}

static void test_a_specifier_that_breaks_a_rule_is_refused_with_its_line(void **state) {
  struct harness h;
  const struct ptx_options none = {0};
  (void)state;
  harness_open(&h);
  /* two pairs, and %r1, %r2 live */
  expect_refusal(
    &h, HEAD SPECIFIER("3", "0") TEN "st.global.u32 [%rd1], %r1; st.global.u32 [%rd2], %r2; ret;}", none,
    "k.ptx:10: 'k': this phase specifier names 3 registers, and up to the next one 6 are needed: name at least 6");
  expect_refusal(
    &h, HEAD SPECIFIER("20", "4220") AT("large", "%r4") "st.shared.u32 [%r4], %r1;\nld.shared.u32 %r5, [%r4]; ret;}",
    none, "names 4220 bytes of shared memory, and up to the next one 4224 are needed");
  expect_refusal(&h, HEAD SPECIFIER("65", "0") "ret;}", (struct ptx_options){.phase_registers = 64},
                 "names 65 registers: name 64 at most");
  expect_refusal(&h,
                 HEAD "setp.lt.u32 %p1, %r1, 7; @%p1 bra A;\nadd.u32 %r2, %r2, 1;\n" SPECIFIER(
                   "20", "0") "add.u32 %r2, %r2, 2;\nA: st.global.u32 [%rd1], %r2; ret;}",
                 none, "k.ptx:12: 'k': lanes of a warp may be apart at this phase specifier");
  expect_refusal(&h, PTX_HEAD ".func f()\n{\n" SPECIFIER("9", "0") "ret;}\n.visible .entry k()\n{ call f; ret; }", none,
                 "phase specifiers stand in the entry: the function 'f' belongs to the phase that calls it");
  expect_refusal(&h,
                 PTX_HEAD ".func f()\n{ call f; ret; }\n.visible .entry k()\n{\n" SPECIFIER("9", "0") "call f; ret; }",
                 none, "'k' is one phase, because it is recursive: leave out this phase specifier");
  static const char *const malformed[] = {
    "registers=256 shared=0", "registers=9 shared=65536", "registers=-1 shared=0",    "registers=9",
    "shared=0 registers=9",   "registers=9 shared=12k",   "registers=9 shared=4 x=1", ""};
  for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
    char text[1024];
    snprintf(text, sizeof text, "%s.pragma \"tandem.phase %s\"; ret;}", HEAD, malformed[i]);
    expect_refusal(&h, text, none, "is no phase specifier: write \"tandem.phase registers=R shared=BYTES\"");
  }
  /* other pragmas mean nothing here */
  assert_non_null(load(&h, HEAD ".pragma \"nounroll\", \"other.phase 7\"; ret;}", none));
  harness_close(&h);
}

static void test_phases_are_only_where_they_are_asked_for(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  harness_load(&h, THREE_PHASES, NULL);
  const struct ptx_kernel *k = ptx_module_kernel(h.module, "k");
  assert_null(k->phases);
  for (uint32_t i = 0; i < k->n_ops; i++) assert_int_not_equal(k->ops[i].class, PTX_PHASE);
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_random_programs_stay_within_their_phases),
    cmocka_unit_test(test_the_checks_of_execution_can_fail),
    cmocka_unit_test(test_shared_arrays_live_from_their_first_store_to_their_last_load),
    cmocka_unit_test(test_a_spilled_address_still_names_its_array),
    cmocka_unit_test(test_an_address_that_escapes_keeps_every_array),
    cmocka_unit_test(test_recursion_and_indirect_calls_are_one_phase),
    cmocka_unit_test(test_more_registers_than_a_specifier_names_are_refused_with_the_line),
    cmocka_unit_test(test_specifiers_of_the_text_replace_the_rules),
    cmocka_unit_test(test_a_specifier_that_breaks_a_rule_is_refused_with_its_line),
    cmocka_unit_test(test_phases_are_only_where_they_are_asked_for),
  };
  print_message("seed %d\n", SEED);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
