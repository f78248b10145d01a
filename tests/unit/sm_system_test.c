/* SPDX-License-Identifier: Apache-2.0 */
/* Does the SM ask a system at the points of the pipeline that core/system.h names? The system here
 * is a courier: a CTA's first `courier_fetch` copies 512 bytes into its shared memory; accesses to
 * them are squashed until they are there. */
#include "kit/gpu_kernels.h"

enum { FETCH_BYTES = 512, LINE = 128, CTAS = 16, MSHRS = 256, OP_FETCH, OP_WAIT, OP_TAG };

struct courier {
  struct sm_services sm;
  struct {
    uint64_t warps, live, source;
    uint32_t base, sent, arrived;
    bool fetching, started;
  } cta[CTAS];
  struct {
    uint32_t cta, offset;
    bool used;
  } request[MSHRS];
  uint64_t waiting;
  struct {
    bool valid;
    uint32_t cta, warp, lo, hi;
    bool store;
  } query, asked;
  bool squash;
  uint64_t cycles, tags, waits, squashes, queries, exits, constants;
};

/* Figures of the instances of one test, kept when they are destroyed. */
static struct courier total;

static const struct ptx_extension extensions[] = {{"courier_fetch", OP_FETCH, 2, 2, false},
                                                  {"courier_wait", OP_WAIT, 0, 1, false},
                                                  {"courier_tag", OP_TAG, 1, 0, false},
                                                  {NULL, 0, 0, 0, false}};

static void *create(const struct gpu_config *m, struct block_factory *factory, const char *path, uint32_t index,
                    const struct sm_services *services, struct err *e) {
  (void)m, (void)factory, (void)path, (void)index, (void)e;
  struct courier *c = calloc(1, sizeof *c);
  c->sm = *services;
  return c;
}

static void destroy(void *self) {
  const struct courier *c = self;
  total.tags += c->tags, total.waits += c->waits, total.squashes += c->squashes, total.queries += c->queries;
  total.exits += c->exits, total.constants += c->constants, total.cycles += c->cycles;
  free(self);
}

static void cta_start(void *self, uint32_t cta, uint64_t index, uint64_t warps, uint32_t base, uint32_t bytes) {
  (void)index;
  struct courier *c = self;
  assert_false(c->cta[cta].fetching); /* the slot was free */
  assert_true(bytes >= FETCH_BYTES);
  memset(&c->cta[cta], 0, sizeof c->cta[cta]);
  c->cta[cta].warps = c->cta[cta].live = warps;
  c->cta[cta].base = base;
}
static void warp_exit(void *self, uint32_t cta, uint32_t warp) {
  struct courier *c = self;
  assert_true(c->cta[cta].live >> warp & 1);
  c->cta[cta].live &= ~(UINT64_C(1) << warp);
  c->exits++;
}
static bool may_retire(void *self, uint32_t cta) { return !((struct courier *)self)->cta[cta].fetching; }
static uint64_t blocked(const void *self) { return ((const struct courier *)self)->waiting; }

static enum extension_result extension(void *self, const struct extension_call *call) {
  struct courier *c = self;
  if (call->code == OP_TAG) {
    assert_int_equal(call->args[0], 7);
    c->tags++;
  } else if (call->code == OP_WAIT && c->cta[call->cta].fetching) {
    c->waiting |= UINT64_C(1) << call->warp;
    c->waits++;
    return EXTENSION_WAIT;
  } else if (call->code == OP_FETCH && !c->cta[call->cta].started) {
    assert_int_equal(call->shared_base, c->cta[call->cta].base);
    assert_int_equal(call->args[0], GENERIC_SHARED_BASE);
    c->cta[call->cta].started = c->cta[call->cta].fetching = true;
    c->cta[call->cta].source = call->args[1];
  }
  return EXTENSION_DONE;
}

static bool needs_check(const void *self, uint32_t cta, bool store) {
  return ((const struct courier *)self)->cta[cta].fetching && !store;
}
static void query(void *self, const struct shared_query *q) {
  struct courier *c = self;
  uint32_t cta = q->cta, lo = UINT32_MAX, hi = 0;
  for (uint32_t rest = q->mask; rest; rest &= rest - 1) {
    uint32_t address = q->address[__builtin_ctz(rest)];
    lo = address < lo ? address : lo;
    hi = address + q->bytes - 1 > hi ? address + q->bytes - 1 : hi;
  }
  assert_false(c->query.valid); /* at most one a cycle */
  assert_true(lo >= c->cta[cta].base && hi < c->cta[cta].base + 1024);
  c->query.valid = true;
  c->query.cta = cta, c->query.warp = q->warp, c->query.lo = lo, c->query.hi = hi, c->query.store = q->store;
  c->queries++;
}
static bool squash(void *self) { return ((struct courier *)self)->squash; }

static void cycle(void *self) {
  struct courier *c = self;
  c->cycles++;
  c->squash = false;
  if (c->asked.valid && c->cta[c->asked.cta].fetching && c->asked.lo < c->cta[c->asked.cta].base + FETCH_BYTES) {
    c->squash = true;
    c->squashes++;
    c->waiting |= UINT64_C(1) << c->asked.warp;
  }
  c->asked = c->query;
  c->query.valid = false;
  for (uint32_t i = 0; i < CTAS; i++) {
    if (!c->cta[i].fetching || c->cta[i].sent == FETCH_BYTES) continue;
    if (!c->sm.free_mshrs(c->sm.sm) || !c->sm.port_free(c->sm.sm)) return;
    uint32_t m = c->sm.request(c->sm.sm, c->cta[i].source + c->cta[i].sent, LINE);
    assert_false(c->request[m].used);
    c->request[m].used = true;
    c->request[m].cta = i;
    c->request[m].offset = c->cta[i].sent;
    c->cta[i].sent += LINE;
    if (c->sm.shared_port_free(c->sm.sm)) {
      c->sm.take_shared_port(c->sm.sm, 3);
      assert_false(c->sm.shared_port_free(c->sm.sm));
      c->constants++;
    }
    return;
  }
}

static bool busy(const void *self) {
  const struct courier *c = self;
  for (uint32_t i = 0; i < CTAS; i++)
    if (c->cta[i].fetching && c->cta[i].sent < FETCH_BYTES) return true;
  return c->asked.valid;
}

static void fill(void *self, uint32_t m) {
  struct courier *c = self;
  assert_true(c->request[m].used);
  uint32_t i = c->request[m].cta;
  memcpy(c->sm.shared + c->cta[i].base + c->request[m].offset,
         device_memory_at(c->sm.memory, c->cta[i].source + c->request[m].offset, LINE), LINE);
  c->request[m].used = false;
  c->cta[i].arrived += LINE;
  c->sm.take_shared_port(c->sm.sm, 1);
  if (c->cta[i].arrived < FETCH_BYTES) return;
  c->cta[i].fetching = false;
  c->waiting &= ~c->cta[i].warps;
}

static const struct scoreboard_hooks hooks = {.check_cycles = 1,
                                              .blocked = blocked,
                                              .extension = extension,
                                              .shared_needs_check = needs_check,
                                              .shared_query = query,
                                              .squash = squash};
static const struct system_ops courier = {.name = "courier",
                                          .brief = "test",
                                          .extensions = extensions,
                                          .create = create,
                                          .destroy = destroy,
                                          .cta_start = cta_start,
                                          .warp_exit = warp_exit,
                                          .cta_may_retire = may_retire,
                                          .scoreboard = &hooks,
                                          .cycle = cycle,
                                          .busy = busy,
                                          .fill = fill};

#define DECLARATIONS                                             \
  ".extern .func courier_fetch(.param .b64 a, .param .b64 b);\n" \
  ".extern .func courier_wait();\n.extern .func courier_tag(.param .b32 a);\n"
/* clang-format off */
#define FETCH                                                                                      \
  "mov.u64 %rd10, tile; cvta.shared.u64 %rd11, %rd10;\n"                                           \
  "mul.wide.u32 %rd12, %r2, 512; add.s64 %rd13, %rd2, %rd12;\n"                                    \
  "{ .param .b32 t0; st.param.b32 [t0], 7; call.uni courier_tag, (t0); }\n"                        \
  "{ .param .b64 a0; .param .b64 a1; st.param.b64 [a0], %rd11; st.param.b64 [a1], %rd13;\n"        \
  "call.uni courier_fetch, (a0, a1); }\n"
#define COPY_OUT                                                                                   \
  "shl.b32 %r10, %r4, 2; mov.u32 %r11, tile; add.u32 %r12, %r11, %r10;\n"                          \
  "ld.shared.u32 %r13, [%r12]; ld.param.u64 %rd5, [p1]; add.s64 %rd6, %rd5, %rd3;\n"               \
  "st.global.u32 [%rd6], %r13; ret;\n"
/* clang-format on */

/* The kernels of this file declare functions ahead of the entry. */
static void with_courier(struct fixture *f, const char *settings, bool skip, const char *kernel) {
  static char text[8192];
  size_t header = strlen(PTX_HEADER);
  assert_memory_equal(kernel, PTX_HEADER, header);
  snprintf(text, sizeof text, "%s%s%s", PTX_HEADER, DECLARATIONS, kernel + header);
  memset(&total, 0, sizeof total);
  fixture_config(f, settings);
  f->setup.system = &courier;
  f->setup.skip = skip;
  fixture_load(f, text);
}

/* No barrier: only the squashes keep the loads behind the copy. */
static const char squash_kernel[] =
  KERNEL(".param .u64 p0, .param .u64 p1", ".shared .align 128 .b8 tile[1024];\n" FETCH COPY_OUT);
static const char wait_kernel[] = KERNEL(".param .u64 p0, .param .u64 p1", ".shared .align 128 .b8 tile[1024];\n" FETCH
                                                                           "call.uni courier_wait;\n" COPY_OUT);
/* Ends at once: the CTA stays until its copy is there. */
static const char leave_kernel[] =
  KERNEL(".param .u64 p0, .param .u64 p1", ".shared .align 128 .b8 tile[1024];\n" FETCH "ret;\n");

struct outcome {
  uint64_t cycles;
  struct sm_counters counters;
  struct memory_counters memory;
};

static struct outcome run(const char *settings, bool skip, const char *kernel, bool copies) {
  enum { N = 20 };
  struct fixture f;
  struct outcome o;
  uint32_t *in, *out;
  uint64_t params[2];
  with_courier(&f, settings, skip, kernel);
  params[0] = fixture_words(&f, N * 128, &in);
  params[1] = fixture_words(&f, N * 128, &out);
  for (uint32_t i = 0; i < N * 128; i++) in[i] = i * 40503u;
  fixture_run(&f, N, 128, params);
  for (uint32_t i = 0; copies && i < N * 128; i++) assert_int_equal(out[i], in[i]);
  o.cycles = gpu_core_cycles(f.gpu);
  o.counters = fixture_counters(&f);
  o.memory = *gpu_memory_counters(f.gpu);
  const struct sm_counters *c = &o.counters;
  assert_int_equal(c->cycles, c->issue_cycles + c->stall_memory + c->stall_shared + c->stall_dma + c->stall_barrier +
                                c->stall_data + c->stall_structural);
  assert_int_equal(c->ctas, N);
  fixture_end(&f);
  assert_int_equal(total.tags, N * 4);
  assert_int_equal(total.exits, N * 4);
  return o;
}

static void test_squashed_loads_see_the_bytes_that_were_awaited(void **state) {
  (void)state;
  struct outcome o = run(NULL, true, squash_kernel, true);
  assert_true(total.squashes > 0 && total.queries >= total.squashes);
  assert_true(o.counters.stall_dma > 0);
  /* a load counts once however often it was squashed; the fetch counts twice, the tag not at all: 7
   * + 4 + 2 + 8 */
  assert_int_equal(o.counters.warp_instructions, 80 * 21);
  assert_int_equal(o.counters.shared_accesses, 80);
}

static void test_a_warp_that_waits_goes_on_when_it_is_released(void **state) {
  (void)state;
  struct outcome o = run(NULL, true, wait_kernel, true);
  assert_true(total.waits > 0);
  assert_int_equal(total.squashes, 0);
  assert_true(o.counters.stall_dma > 0);
}

static void test_a_cta_stays_while_something_of_it_is_in_flight(void **state) {
  (void)state;
  struct outcome o = run("sm.count=1 sm.ctas=2", true, leave_kernel, false); /* cta_start looks */
  assert_int_equal(o.memory.l2_reads, 20 * FETCH_BYTES / LINE);
  assert_true(o.counters.stall_dma > 0);
}

static void test_skipping_with_a_system_changes_no_counter(void **state) {
  (void)state;
  static const char *const settings[] = {NULL, "l1.mshrs=3 noc.queue=1 sm.schedulers=2 sm.scheduler=rr",
                                         "clock.core_khz=600000 clock.l2_khz=350000 clock.dram_khz=924000 sm.ctas=1"};
  const char *const kernels[] = {squash_kernel, wait_kernel, leave_kernel};
  for (uint32_t s = 0; s < 3; s++)
    for (uint32_t k = 0; k < 3; k++) {
      struct outcome skipped = run(settings[s], true, kernels[k], k < 2);
      uint64_t cycles = total.squashes + total.constants;
      struct outcome every = run(settings[s], false, kernels[k], k < 2);
      assert_int_equal(skipped.cycles, every.cycles);
      assert_memory_equal(&skipped.counters, &every.counters, sizeof every.counters);
      assert_memory_equal(&skipped.memory, &every.memory, sizeof every.memory);
      assert_int_equal(cycles, total.squashes + total.constants);
    }
}

/* A fault while copies are under way: the launch ends, their replies are taken, the next launch is
 * right. */
static void test_a_fault_leaves_nothing_behind(void **state) {
  (void)state;
  struct fixture f;
  uint32_t *in, *out;
  uint64_t params[2];
  with_courier(&f, NULL, true, squash_kernel);
  params[0] = fixture_words(&f, 1024, &in);
  params[1] = fixture_words(&f, 1024, &out);
  uint64_t bad[2] = {params[0], 0};
  for (uint32_t i = 0; i < 1024; i++) in[i] = i + 5;
  assert_int_equal(fixture_try(&f, 8, 128, bad), ERR_FAULT);
  assert_int_equal(fixture_try(&f, 8, 128, params), 0);
  for (uint32_t i = 0; i < 1024; i++) assert_int_equal(out[i], i + 5);
  fixture_end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_squashed_loads_see_the_bytes_that_were_awaited),
    cmocka_unit_test(test_a_warp_that_waits_goes_on_when_it_is_released),
    cmocka_unit_test(test_a_cta_stays_while_something_of_it_is_in_flight),
    cmocka_unit_test(test_skipping_with_a_system_changes_no_counter),
    cmocka_unit_test(test_a_fault_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
