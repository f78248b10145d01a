/* SPDX-License-Identifier: Apache-2.0 */
/* Can CTA dispatch read a CTA's lines for its SM, can the SM's proposal hold the CTA until they have come, answer the warps' loads
 * of them, and do these reads take turns with demand as noc.prefer and dram.prefer say? Thread t of the grid loads word t and
 * stores it plus one; a CTA of 128 threads reads LINES lines. */
#include "core/dispatch.h"
#include "kit/gpu_kernels.h"

#include <stdlib.h>

enum { LINE = 128, LINES = 4, THREADS = LINES * LINE / 4, CTAS = 30, SMS = 3, SLOTS = 8, WAITING = CTAS * LINES };

/* ---- the proposal ---- */

struct toy_sm {
  uint32_t waiting[SLOTS]; /* lines that a CTA slot still waits for */
  uint64_t warps[SLOTS];
  bool have[WAITING];
  uint32_t pushes, hits, stores, busy;
};

static struct {
  struct toy_sm sm[SMS];
  bool around;
  uint32_t busy_every; /* every so many accesses are answered BUSY once; 0: none */
  uint64_t base;
} toy;

static uint32_t number_of(uint64_t address) { return (uint32_t)((address - toy.base) / LINE); }

/* ---- dispatch: the lowest SM with room, a request a cycle in the order of the CTAs ---- */

struct policy {
  struct dispatch_services services;
  uint64_t next;
  struct {
    uint64_t address;
    uint32_t sm, tag;
  } queue[WAITING];
  uint32_t first, n;
} policy;

static void *policy_create(const struct gpu_config *m, const struct dispatch_services *s, void *agent, struct err *e) {
  (void)m, (void)agent, (void)e;
  policy = (struct policy){.services = *s};
  return &policy;
}

static void policy_destroy(void *self) { (void)self; }

static void policy_launch(void *self, const struct launch *l, uint64_t cycle) {
  (void)self, (void)l, (void)cycle;
  policy.next = policy.first = policy.n = 0;
  memset(toy.sm, 0, sizeof toy.sm);
}

static uint64_t policy_cycle(void *self, uint64_t cycle) {
  (void)self;
  assert_int_equal(*policy.services.now, cycle);
  if (policy.first == policy.n) return UINT64_MAX;
  uint32_t i = policy.first;
  const struct dispatch_services *s = &policy.services;
  if (s->request(s->gpu, policy.queue[i].address, policy.queue[i].sm, policy.queue[i].tag, toy.around)) policy.first++;
  return cycle + 1;
}

static bool policy_next(void *self, const uint64_t *room, uint64_t cycle, struct dispatch_choice *c) {
  (void)self, (void)cycle;
  if (!room[0]) return false;
  *c = (struct dispatch_choice){.cta = policy.next++, .sm = (uint32_t)__builtin_ctzll(room[0])};
  return true;
}

static void policy_abort(void *self) {
  (void)self;
  policy.first = policy.n;
}

static const struct dispatch_ops dispatch = {.name = "toy",
                                             .requests = true,
                                             .create = policy_create,
                                             .destroy = policy_destroy,
                                             .launch = policy_launch,
                                             .cycle = policy_cycle,
                                             .next = policy_next,
                                             .abort = policy_abort};

/* ---- the SM's side ---- */

static void *create(const struct gpu_config *m, struct block_factory *factory, const char *path, uint32_t index,
                    const struct sm_services *services, struct err *e) {
  (void)m, (void)factory, (void)path, (void)e;
  assert_ptr_equal(services->dispatch, &policy);
  return &toy.sm[index];
}

static void destroy(void *self) { (void)self; }

static void cta_start(void *self, uint32_t cta, uint64_t index, uint64_t warps, uint32_t base, uint32_t bytes) {
  (void)base, (void)bytes;
  struct toy_sm *s = self;
  assert_int_equal(s->waiting[cta], 0);
  s->waiting[cta] = LINES;
  s->warps[cta] = warps;
  for (uint32_t i = 0; i < LINES; i++) {
    policy.queue[policy.n].address = toy.base + (index * LINES + i) * LINE;
    policy.queue[policy.n].sm = (uint32_t)(s - toy.sm);
    policy.queue[policy.n++].tag = cta;
  }
}

static uint64_t blocked(const void *self) {
  const struct toy_sm *s = self;
  uint64_t held = 0;
  for (uint32_t i = 0; i < SLOTS; i++) held |= s->waiting[i] ? s->warps[i] : 0;
  return held;
}

static bool pushed(void *self, uint64_t address, uint32_t tag) {
  struct toy_sm *s = self;
  assert_true(tag < SLOTS && s->waiting[tag]);
  assert_false(s->have[number_of(address)]);
  s->have[number_of(address)] = true;
  s->waiting[tag]--;
  s->pushes++;
  return false; /* not into L1 */
}

static enum line_answer line(void *self, enum mem_kind kind, const struct segment *segment) {
  struct toy_sm *s = self;
  uint32_t n = number_of(segment->line);
  if (toy.busy_every && s->busy++ % toy.busy_every == 0) return LINE_BUSY;
  s->stores += kind == MEM_WRITE;
  if (kind != MEM_READ || n >= WAITING || !s->have[n]) return LINE_ELSEWHERE;
  s->hits++;
  return LINE_HERE;
}

static const struct scoreboard_hooks hooks = {.blocked = blocked};
static const struct system_ops proposal = {.name = "toy",
                                           .brief = "test",
                                           .dispatch = &dispatch,
                                           .scoreboard = &hooks,
                                           .create = create,
                                           .destroy = destroy,
                                           .cta_start = cta_start,
                                           .pushed = pushed,
                                           .line = line};

/* ---- runs ---- */

static const char plus_one[] =
  KERNEL(".param .u64 p0, .param .u64 p1", "ld.global.u32 %r10, [%rd1]; add.u32 %r10, %r10, 1;\n"
                                           "ld.param.u64 %rd5, [p1]; add.s64 %rd6, %rd5, %rd3;\n"
                                           "st.global.u32 [%rd6], %r10; ret;\n");

struct outcome {
  uint64_t cycles;
  struct sm_counters sm;
  struct memory_counters memory;
  uint32_t hits, pushes, stores;
};

static struct outcome run(const char *settings, bool skip, uint32_t threads, uint32_t launches) {
  struct fixture f;
  struct outcome o = {0};
  uint32_t *in, *out, n = CTAS * THREADS;
  fixture_config(&f, "sm.count=3 sm.ctas=4");
  config_set_text(&f.setup.config, settings);
  f.setup.system = &proposal;
  f.setup.skip = skip;
  f.setup.threads = threads;
  fixture_load(&f, plus_one);
  uint64_t params[2] = {toy.base = fixture_words(&f, n, &in), fixture_words(&f, n, &out)};
  for (uint32_t i = 0; i < n; i++) in[i] = i * 77;
  for (uint32_t k = 0; k < launches; k++) fixture_run(&f, CTAS, THREADS, params);
  for (uint32_t i = 0; i < n; i++) assert_int_equal(out[i], i * 77 + 1);
  for (uint32_t i = 0; i < SMS; i++) {
    o.hits += toy.sm[i].hits;
    o.pushes += toy.sm[i].pushes;
    o.stores += toy.sm[i].stores;
  }
  o.cycles = gpu_core_cycles(f.gpu);
  o.sm = fixture_counters(&f);
  o.memory = *gpu_memory_counters(f.gpu);
  fixture_end(&f);
  return o;
}

static void test_a_cta_finds_the_lines_that_dispatch_has_read(void **unused) {
  (void)unused;
  struct outcome o = run(NULL, true, 1, 1);
  assert_int_equal(o.pushes, WAITING);
  assert_int_equal(o.hits, WAITING);
  assert_int_equal(o.stores, WAITING);
  assert_int_equal(o.sm.l1_hits + o.sm.l1_misses, 0);
  assert_int_equal(o.memory.l2_reads, WAITING);
}

static void test_a_busy_line_delays_and_changes_nothing_else(void **unused) {
  (void)unused;
  struct outcome plain = run(NULL, true, 1, 1);
  toy.busy_every = 2;
  struct outcome busy = run(NULL, true, 1, 1);
  toy.busy_every = 0;
  assert_true(busy.cycles > plain.cycles);
  assert_int_equal(busy.hits, plain.hits);
  assert_int_equal(busy.stores, plain.stores);
  assert_int_equal(busy.memory.l2_writes, plain.memory.l2_writes);
}

static void test_skipped_cycles_and_threads_change_nothing(void **unused) {
  (void)unused;
  static const char *const settings[] = {NULL, "noc.prefer=alternate dram.prefer=preload l2.slices=2", "noc.queue=1"};
  for (uint32_t i = 0; i < 3; i++) {
    toy.busy_every = 3;
    struct outcome every = run(settings[i], false, 1, 2), skip = run(settings[i], true, 1, 2),
                   threads = run(settings[i], true, 2, 2);
    toy.busy_every = 0;
    assert_int_equal(every.cycles, skip.cycles);
    assert_int_equal(every.cycles, threads.cycles);
    assert_memory_equal(&every.sm, &skip.sm, sizeof skip.sm);
    assert_memory_equal(&every.sm, &threads.sm, sizeof skip.sm);
    assert_memory_equal(&every.memory, &skip.memory, sizeof skip.memory);
    assert_memory_equal(&every.memory, &threads.memory, sizeof skip.memory);
  }
}

static void test_reads_around_the_l2_leave_nothing_there(void **unused) {
  (void)unused;
  struct outcome through = run(NULL, true, 1, 2);
  toy.around = true;
  struct outcome around = run(NULL, true, 1, 2);
  toy.around = false;
  assert_int_equal(through.memory.l2_hits, WAITING + through.memory.l2_writes / 2); /* the second launch finds all */
  assert_int_equal(around.memory.l2_reads, 2 * WAITING);
  assert_int_equal(around.memory.l2_hits, around.memory.l2_writes / 2);
  assert_int_equal(around.memory.dram_reads, 2 * through.memory.dram_reads);
}

static void test_a_launch_that_faults_leaves_nothing_behind(void **unused) {
  (void)unused;
  struct fixture f;
  uint32_t *in, *out, n = CTAS * THREADS;
  fixture_config(&f, "sm.count=3 sm.ctas=4");
  f.setup.system = &proposal;
  fixture_load(&f, plus_one);
  uint64_t params[2] = {toy.base = fixture_words(&f, n, &in), 64}; /* the stores go nowhere */
  assert_int_not_equal(fixture_try(&f, CTAS, THREADS, params), 0);
  params[1] = fixture_words(&f, n, &out);
  fixture_run(&f, CTAS, THREADS, params);
  for (uint32_t i = 0; i < n; i++) assert_int_equal(out[i], in[i] + 1);
  fixture_end(&f);
}

static void test_gpus_without_a_place_for_the_reads_are_refused(void **unused) {
  (void)unused;
  static const char *const settings[] = {
    "noc.topology=mesh noc.switching=flit sm.count=4 noc.columns=4 dram.channels=4", "ideal.memory=perfect",
    "noc.switching=flit sm.count=60"};
  static const char *const keys[] = {"noc.topology", "ideal.memory", "sm.count"};
  for (uint32_t i = 0; i < 3; i++) {
    struct fixture f;
    fixture_config(&f, settings[i]);
    f.setup.system = &proposal;
    assert_null(gpu_create(&f.setup, &f.memory, &f.e));
    assert_non_null(strstr(f.e.text, keys[i]));
    device_memory_destroy(&f.memory);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_cta_finds_the_lines_that_dispatch_has_read),
    cmocka_unit_test(test_a_busy_line_delays_and_changes_nothing_else),
    cmocka_unit_test(test_skipped_cycles_and_threads_change_nothing),
    cmocka_unit_test(test_reads_around_the_l2_leave_nothing_there),
    cmocka_unit_test(test_a_launch_that_faults_leaves_nothing_behind),
    cmocka_unit_test(test_gpus_without_a_place_for_the_reads_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
