/* SPDX-License-Identifier: Apache-2.0 */
/* Can a proposal choose what L1 keeps (bypass, priority, victim), prefetch lines into it, and send an SM lines that it has not asked
 * for? The L1 here has one set of two ways, the kernels are rows of loads of the lines a, b, c, ... each of which waits for
 * the one before. */
#include "core/cache.h"
#include "kit/gpu_kernels.h"
#include "mem/agent.h"
#include "mem/memory_system.h"
#include "mem/page_table.h"

#include <stdlib.h>

enum { LINE = 128, LINES = 8 };

/* What the proposal of one test does, and what it saw. A line is its letter; 0: none. */
static struct {
  char bypassed, kept; /* kept: priority 1 */
  char trigger, prefetched, pushed, has;
  bool refuses;
  uint32_t asker;        /* of prefetches: a warp slot */
  uint32_t kept_mshr, n; /* of a reply that is kept; how many were */
  uint64_t released;     /* core cycle in which it is to be released; 0: none is kept */
  uint64_t base;
  uint32_t loads, stores, atomics, pushes, prefetches, lines;
  uint64_t coming, numbered;          /* number + 1 of the access that comes; of the last one */
  uint32_t outcomes[3], ways, alarms; /* of lookups; ways of hits, a bit each; cycles in which wake() called */
  struct sm_services sm;
  struct memory_services memory;
} toy;

static char letter_of(uint64_t address) { return (char)('a' + (address - toy.base) / LINE); }
static uint64_t address_of(char letter) { return toy.base + (uint64_t)(letter - 'a') * LINE; }

/* ---- the SM's side ---- */

static void *create(const struct gpu_config *m, struct block_factory *factory, const char *path, uint32_t index,
                    const struct sm_services *services, struct err *e) {
  (void)m, (void)factory, (void)path, (void)index, (void)e;
  toy.sm = *services;
  return &toy;
}

static void destroy(void *self) { (void)self; }

static struct l1_choice on_access(void *self, const struct l1_access *a) {
  (void)self;
  char letter = letter_of(a->segment[0].line);
  assert_int_equal(a->segments, 1);
  *(a->atomic ? &toy.atomics : a->store ? &toy.stores : &toy.loads) += 1;
  if (letter == toy.trigger && toy.prefetched)
    assert_true(toy.sm.prefetch(toy.sm.sm, address_of(toy.prefetched) + 12, 0, toy.asker)); /* any byte of the line */
  return (struct l1_choice){.bypass = letter == toy.bypassed, .priority = letter == toy.kept};
}

/* ---- the access that comes ---- */

static void on_cycle(void *self) {
  struct next_line n;
  (void)self;
  toy.coming = toy.sm.next_line(toy.sm.sm, &n) ? n.number + 1 : 0;
}

static bool on_busy(const void *self) {
  struct next_line n;
  (void)self;
  return toy.sm.next_line(toy.sm.sm, &n);
}

/* It is the one that next_line() names, and that it named in the cycle before unless it is a store or an atomic. */
static enum line_answer on_line(void *self, enum mem_kind kind, const struct segment *where) {
  struct next_line n;
  (void)self;
  assert_true(toy.sm.next_line(toy.sm.sm, &n));
  assert_ptr_equal(n.where, where);
  assert_int_equal(n.kind, kind);
  if (kind == MEM_READ) assert_int_equal(n.number + 1, toy.coming);
  assert_true(n.number + 1 >= toy.numbered);
  toy.lines += n.number + 1 != toy.numbered;
  toy.numbered = n.number + 1;
  return LINE_ELSEWHERE;
}

/* ---- a reply that is kept ---- */

enum { KEPT = 500 }; /* cycles */

static bool on_reply(void *self, uint32_t mshr, const struct mem_request *r, uint32_t warp) {
  (void)self;
  if (letter_of(r->address) != toy.prefetched) return false;
  assert_int_equal(warp, toy.asker);
  toy.kept_mshr = mshr, toy.n++;
  toy.released = *toy.sm.now + KEPT;
  return true;
}

static void on_kept_cycle(void *self) {
  (void)self;
  if (!toy.released || *toy.sm.now < toy.released) return;
  if (toy.sm.release(toy.sm.sm, toy.kept_mshr)) toy.released = 0;
}

static bool on_kept_busy(const void *self) {
  (void)self;
  return toy.released;
}

/* ---- lookups ---- */

static struct l1_insertion on_look(void *self, uint64_t line) {
  (void)self;
  char letter = letter_of(line);
  return (struct l1_insertion){.none = letter == toy.bypassed, .priority = letter == toy.kept};
}

static void on_looked_up(void *self, uint64_t line, enum l1_outcome outcome, uint32_t way) {
  (void)self;
  toy.outcomes[outcome]++;
  if (outcome == L1_HIT) toy.ways |= 1U << way;
  if (outcome == L1_MISS && letter_of(line) == toy.trigger && toy.prefetched)
    assert_true(toy.sm.prefetch(toy.sm.sm, address_of(toy.prefetched), 0, SM_NO_WARP) && toy.sm.prefetches(toy.sm.sm));
}

static const struct l1_hooks hooks = {.look = on_look, .looked_up = on_looked_up};

/* ---- an alarm every 16 cycles ---- */

enum { ALARM = 16 };

static bool on_alarm(const void *self) {
  (void)self;
  return *toy.sm.now % ALARM == 0;
}

static uint64_t on_wake(const void *self) {
  (void)self;
  return (*toy.sm.now / ALARM + 1) * ALARM;
}

static void on_alarm_cycle(void *self) { toy.alarms += on_alarm(self); }

static bool on_has_line(const void *self, uint64_t address) {
  (void)self;
  return letter_of(address) == toy.has;
}

static bool on_push(void *self, uint64_t address, uint32_t tag) {
  (void)self, (void)tag;
  toy.pushes++;
  assert_int_equal(letter_of(address), toy.pushed);
  return !toy.refuses;
}

/* ---- the memory agent ---- */

static void *agent_create(const struct memory_services *s, struct block_factory *factory, struct err *e) {
  (void)factory, (void)e;
  toy.memory = *s;
  return &toy;
}

static void agent_looked_up(void *self, uint32_t slice, const struct mem_request *r, bool hit, bool first) {
  (void)first;
  (void)self, (void)slice, (void)hit;
  assert_int_equal(r->source, MEM_SM);
  toy.prefetches += r->class == MEM_CLASS_PREFETCH;
  if (!toy.pushed || letter_of(r->address) != toy.trigger) return;
  uint64_t address = address_of(toy.pushed);
  uint64_t physical = page_table_physical(memory_pages(toy.memory.memory), address);
  assert_true(toy.memory.push(toy.memory.memory, address, physical, r->sm));
}

static const struct memory_agent_ops agent = {.create = agent_create, .destroy = destroy, .looked_up = agent_looked_up};

/* ---- a run ---- */

static struct system_ops toy_ops = {
  .name = "toy", .brief = "test", .agent = &agent, .create = create, .destroy = destroy};

/* Loads of the lines of `row`; a capital letter: an atomic, and then a store, to that line. */
static void write_kernel(char *text, size_t size, const char *row) {
  size_t n = (size_t)snprintf(text, size, "%s", KERNEL_BEGIN(".param .u64 p0", ""));
  for (; *row; row++) {
    bool load = *row >= 'a';
    int at = (load ? *row - 'a' : *row - 'A') * LINE;
    if (load)
      n += (size_t)snprintf(text + n, size - n,
                            "ld.global.u32 %%r10, [%%rd1+%d];\nand.b32 %%r11, %%r10, 0;\n"
                            "cvt.u64.u32 %%rd4, %%r11; add.s64 %%rd1, %%rd1, %%rd4;\n",
                            at);
    else
      n += (size_t)snprintf(text + n, size - n,
                            "atom.global.add.u32 %%r10, [%%rd1+%d], 1;\n"
                            "st.global.u32 [%%rd1+%d], %%r10;\n",
                            at, at);
  }
  snprintf(text + n, size - n, "ret;\n}\n");
}

static struct sm_counters run_once(const char *row, bool skip, uint64_t *cycles) {
  static char text[16384];
  struct fixture f;
  uint32_t *words;
  toy.loads = toy.stores = toy.atomics = toy.pushes = toy.prefetches = toy.lines = 0;
  toy.coming = toy.numbered = 0;
  toy.ways = toy.alarms = 0;
  memset(toy.outcomes, 0, sizeof toy.outcomes);
  write_kernel(text, sizeof text, row);
  fixture_config(&f, "sm.count=1 l1.bytes=256 l1.ways=2");
  f.setup.system = &toy_ops;
  f.setup.skip = skip;
  fixture_load(&f, text);
  uint64_t params[1] = {toy.base = fixture_words(&f, LINES * LINE / 4, &words)};
  fixture_run(&f, 1, 32, params);
  struct sm_counters n = fixture_counters(&f);
  *cycles = gpu_core_cycles(f.gpu);
  fixture_end(&f);
  return n;
}

/* Whether cycles are skipped or not. */
static struct sm_counters run(const char *row) {
  uint64_t cycles, every;
  struct sm_counters n = run_once(row, true, &cycles), without_skip = run_once(row, false, &every);
  assert_int_equal(cycles, every);
  assert_memory_equal(&n, &without_skip, sizeof n);
  return n;
}

static int reset(void **unused) {
  (void)unused;
  memset(&toy, 0, sizeof toy);
  toy_ops.access = on_access;
  toy_ops.pushed = on_push;
  toy_ops.l1_policy = NULL;
  toy_ops.l1 = NULL;
  toy_ops.wake = NULL;
  toy_ops.cycle = NULL;
  toy_ops.busy = NULL;
  toy_ops.line = NULL;
  toy_ops.has_line = NULL;
  toy_ops.keeps_reply = NULL;
  toy.asker = SM_NO_WARP;
  return 0;
}

static void test_without_choices_l1_is_lru(void **unused) {
  (void)unused;
  struct sm_counters n = run("abcabc");
  assert_int_equal(n.l1_misses, 6);
  assert_int_equal(n.l1_hits, 0);
  assert_int_equal(toy.loads, 6);
}

static void test_lines_of_higher_priority_stay(void **unused) {
  (void)unused;
  toy.kept = 'a';
  struct sm_counters n = run("abcabca");
  assert_int_equal(n.l1_hits, 2);
  assert_int_equal(n.l1_misses, 5);
}

static void test_a_line_does_not_replace_one_of_higher_priority(void **unused) {
  (void)unused;
  struct cache c = {.ways = 2, .line_bytes = LINE, .mshrs = 1, .merges = 1};
  struct err e;
  assert_int_equal(cache_create(&c, 2 * LINE, "test", &e), 0);
  cache_fill(&c, 0 * LINE, 2);
  cache_fill(&c, 1 * LINE, 1);
  cache_fill(&c, 2 * LINE, 0);
  assert_false(cache_has(&c, 2 * LINE));
  cache_fill(&c, 3 * LINE, 1);
  assert_true(cache_has(&c, 0 * LINE) && cache_has(&c, 3 * LINE) && !cache_has(&c, 1 * LINE));
  cache_clear(&c);
  cache_fill(&c, 2 * LINE, 0); /* nothing of the priorities is left */
  assert_true(cache_has(&c, 2 * LINE));
  cache_destroy(&c);
}

static void test_a_bypassed_line_replaces_nothing(void **unused) {
  (void)unused;
  toy.bypassed = 'c';
  struct sm_counters n = run("abcabc");
  assert_int_equal(n.l1_hits, 2);
  assert_int_equal(n.l1_misses, 4);
}

static uint32_t youngest(void *self, const struct cache *c, uint32_t first, uint8_t priority) {
  assert_ptr_equal(self, &toy);
  (void)priority;
  uint32_t best = first;
  for (uint32_t i = first; i < first + c->ways; i++) {
    if (!c->tag[i]) return i;
    if (c->used[i] > c->used[best]) best = i;
  }
  return best;
}

static uint32_t none_when_full(void *self, const struct cache *c, uint32_t first, uint8_t priority) {
  (void)self, (void)priority;
  for (uint32_t i = first; i < first + c->ways; i++)
    if (!c->tag[i]) return i;
  return CACHE_NO_WAY;
}

static void test_the_proposal_chooses_the_victim(void **unused) {
  (void)unused;
  static const struct cache_policy mru = {"mru", youngest}, full = {"full", none_when_full};
  toy_ops.l1_policy = &mru;
  assert_int_equal(run("abcacb").l1_hits, 2); /* c takes b's way */
  toy_ops.l1_policy = &full;
  assert_int_equal(run("abcabc").l1_hits, 2);
}

static void test_lookups_and_what_became_of_them(void **unused) {
  (void)unused;
  toy_ops.access = NULL;
  toy_ops.l1 = &hooks;
  struct sm_counters n = run("abab");
  assert_int_equal(toy.outcomes[L1_HIT], n.l1_hits);
  assert_int_equal(toy.outcomes[L1_MISS], 2);
  assert_int_equal(toy.ways, 3);
  toy.bypassed = 'c'; /* a line that fills nothing */
  assert_int_equal(run("abcabc").l1_hits, 2);
  assert_int_equal(toy.outcomes[L1_MISS], 4);
  toy.bypassed = 0, toy.kept = 'a';
  assert_int_equal(run("abcabca").l1_hits, 2);
  toy.kept = 0, toy.trigger = 'a', toy.prefetched = 'b'; /* its prefetches count */
  n = run("ab");
  assert_int_equal(n.l1_prefetches, 1);
  assert_int_equal(n.l1_prefetch_hits, 1);
  assert_int_equal(run("acbd").l1_prefetch_early, 0);
  n = run("acd"); /* b leaves unused */
  assert_int_equal(n.l1_prefetch_hits, 0);
  assert_int_equal(n.l1_prefetch_early, 1);
  toy.trigger = toy.prefetched = 'a'; /* the line is under way: dropped */
  n = run("a");
  assert_int_equal(n.l1_prefetches, 0);
  assert_int_equal(toy.outcomes[L1_MISS], 1);
}

static void test_a_proposal_can_be_woken(void **unused) {
  (void)unused;
  uint64_t cycles, every;
  toy_ops.access = NULL;
  toy_ops.busy = on_alarm, toy_ops.wake = on_wake, toy_ops.cycle = on_alarm_cycle;
  run_once("abcdef", true, &cycles);
  uint32_t alarms = toy.alarms;
  run_once("abcdef", false, &every);
  assert_int_equal(cycles, every);
  assert_int_equal(alarms, toy.alarms);
  assert_int_equal(alarms, (cycles + ALARM - 1) / ALARM);
}

static void test_stores_and_atomics_are_seen_too(void **unused) {
  (void)unused;
  run("aBa");
  assert_int_equal(toy.loads, 2);
  assert_int_equal(toy.stores, 1);
  assert_int_equal(toy.atomics, 1);
}

static void test_a_prefetched_line_hits(void **unused) {
  (void)unused;
  toy.trigger = 'a', toy.prefetched = 'b';
  struct sm_counters n = run("ab");
  assert_int_equal(n.l1_misses, 1);
  assert_int_equal(n.l1_hits, 1);
  assert_int_equal(toy.prefetches, 1);
  toy.prefetched = 'a'; /* the demand waits for the prefetch */
  n = run("a");
  assert_int_equal(n.l1_misses, 0);
  assert_int_equal(n.l1_merges, 1);
  assert_int_equal(toy.prefetches, 1);
  toy.trigger = toy.prefetched = 'b'; /* it is there: dropped */
  n = run("abb");
  assert_int_equal(toy.prefetches, 1);
  assert_int_equal(n.l1_hits, 1);
}

/* The line of a prefetch is kept as that of a load, for the warp that it was for; without one it goes to L1. */
static void test_a_prefetched_line_can_be_kept(void **unused) {
  (void)unused;
  uint64_t without, with, cycles;
  toy.trigger = 'a', toy.prefetched = 'b';
  toy_ops.keeps_reply = on_reply;
  toy_ops.cycle = on_kept_cycle;
  toy_ops.busy = on_kept_busy;
  struct sm_counters n = run("ab");
  assert_int_equal(n.l1_hits, 1);
  assert_int_equal(toy.n, 0);
  run_once("ab", true, &without);
  toy.asker = 0;
  n = run("ab");
  assert_int_equal(toy.n, 2); /* of two runs */
  assert_int_equal(n.l1_hits, 0);
  assert_int_equal(n.l1_merges, 1);
  run_once("ab", true, &with);
  assert_in_range(with, without + KEPT / 2, without + 2 * KEPT);
  run_once("a", true, &cycles); /* nobody loads it: the launch waits for its release */
  assert_int_equal(toy.n, 4);
  assert_int_equal(toy.released, 0);
}

static void test_a_line_that_the_proposal_has_is_not_prefetched(void **unused) {
  (void)unused;
  toy_ops.has_line = on_has_line;
  toy.trigger = 'a', toy.prefetched = 'b', toy.has = 'c';
  assert_int_equal(run("ab").l1_hits, 1);
  toy.has = 'b';
  assert_int_equal(run("ab").l1_hits, 0);
  assert_int_equal(toy.prefetches, 0);
}

static void test_the_load_that_comes_is_known_a_cycle_ahead(void **unused) {
  (void)unused;
  toy_ops.cycle = on_cycle;
  toy_ops.busy = on_busy;
  toy_ops.line = on_line;
  run("abAcBaabc");
  assert_int_equal(toy.lines, 11); /* capital letters are two accesses */
}

static void test_the_prefetch_queue_can_be_full(void **unused) {
  (void)unused;
  uint64_t cycles;
  run_once("a", true, &cycles);
  struct fixture f;
  fixture_config(&f, "sm.count=1 l1.bytes=256 l1.ways=2");
  f.setup.system = &toy_ops;
  fixture_load(&f, divergent_kernel);
  uint32_t taken = 0;
  while (toy.sm.prefetch(toy.sm.sm, DEVICE_MEMORY_BASE, 0, SM_NO_WARP)) assert_true(++taken < 1000);
  assert_true(taken > 0);
  uint32_t *in, *out;
  run_case(&f, &kernel_cases[0], &in, &out); /* the launch ends all the same */
  fixture_end(&f);
}

static void test_a_pushed_line_hits_if_the_proposal_takes_it(void **unused) {
  (void)unused;
  toy.trigger = 'a', toy.pushed = 'b';
  assert_int_equal(run("ab").l1_hits, 1);
  assert_int_equal(toy.pushes, 1);
  run("a"); /* a launch waits for what is under way */
  assert_int_equal(toy.pushes, 1);
  toy.refuses = true;
  assert_int_equal(run("ab").l1_hits, 0);
  assert_int_equal(toy.pushes, 1);
  toy_ops.pushed = NULL;
  assert_int_equal(run("ab").l1_hits, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(test_without_choices_l1_is_lru, reset),
    cmocka_unit_test_setup(test_lines_of_higher_priority_stay, reset),
    cmocka_unit_test_setup(test_a_line_does_not_replace_one_of_higher_priority, reset),
    cmocka_unit_test_setup(test_a_bypassed_line_replaces_nothing, reset),
    cmocka_unit_test_setup(test_the_proposal_chooses_the_victim, reset),
    cmocka_unit_test_setup(test_stores_and_atomics_are_seen_too, reset),
    cmocka_unit_test_setup(test_lookups_and_what_became_of_them, reset),
    cmocka_unit_test_setup(test_a_proposal_can_be_woken, reset),
    cmocka_unit_test_setup(test_a_prefetched_line_hits, reset),
    cmocka_unit_test_setup(test_a_prefetched_line_can_be_kept, reset),
    cmocka_unit_test_setup(test_a_line_that_the_proposal_has_is_not_prefetched, reset),
    cmocka_unit_test_setup(test_the_load_that_comes_is_known_a_cycle_ahead, reset),
    cmocka_unit_test_setup(test_the_prefetch_queue_can_be_full, reset),
    cmocka_unit_test_setup(test_a_pushed_line_hits_if_the_proposal_takes_it, reset),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
