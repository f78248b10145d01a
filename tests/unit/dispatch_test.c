/* SPDX-License-Identifier: Apache-2.0 */
/* Can a proposal place the CTAs of a launch, pace their starts, and see them start and end? The policy here gives each SM a
 * contiguous part of the grid, and starts at most one CTA in so many core cycles. */
#include "core/dispatch.h"
#include "kit/gpu_kernels.h"

#include <stdlib.h>

enum { CTAS = 37, SMS = 5, PART = (CTAS + SMS - 1) / SMS };

/* What the policy and the SMs saw in one test. */
static struct {
  uint64_t gap; /* core cycles between two starts */
  uint64_t started_at[CTAS], ended_at[CTAS];
  uint32_t sm[CTAS], sm_starts[CTAS], sm_ends[SMS];
} seen;

/* ---- the policy ---- */

struct parts {
  uint64_t next[SMS], open; /* open: first cycle of the next start */
};

static void *parts_create(const struct gpu_config *m, const struct dispatch_services *s, void *agent, struct err *e) {
  (void)s, (void)e;
  assert_int_equal(m->sm_count, SMS);
  assert_null(agent);
  return calloc(1, sizeof(struct parts));
}

static void parts_launch(void *self, const struct launch *l, uint64_t cycle) {
  struct parts *p = self;
  assert_int_equal(l->n_ctas, CTAS);
  for (uint32_t i = 0; i < SMS; i++) p->next[i] = (uint64_t)i * PART;
  p->open = cycle;
}

static bool parts_next(void *self, const uint64_t *room, uint64_t cycle, struct dispatch_choice *c) {
  struct parts *p = self;
  if (cycle < p->open) return false;
  for (uint32_t i = 0; i < SMS; i++) {
    uint64_t end = (i + 1ULL) * PART < CTAS ? (i + 1ULL) * PART : CTAS;
    if (!(room[0] >> i & 1) || p->next[i] == end) continue;
    *c = (struct dispatch_choice){.cta = p->next[i]++, .sm = i};
    p->open = cycle + seen.gap;
    assert_int_equal(seen.started_at[c->cta], 0);
    seen.started_at[c->cta] = cycle + 1;
    seen.sm[c->cta] = i;
    return true;
  }
  return false;
}

static void parts_ended(void *self, struct dispatch_choice c, uint64_t cycle) {
  (void)self;
  assert_int_equal(seen.sm[c.cta], c.sm);
  assert_int_equal(seen.ended_at[c.cta], 0);
  seen.ended_at[c.cta] = cycle + 1;
}

static uint64_t parts_wake(const void *self, uint64_t cycle) {
  const struct parts *p = self;
  return p->open > cycle ? p->open : UINT64_MAX;
}

static const struct dispatch_ops parts = {.name = "parts",
                                          .create = parts_create,
                                          .destroy = free,
                                          .launch = parts_launch,
                                          .next = parts_next,
                                          .ended = parts_ended,
                                          .wake = parts_wake};

/* ---- the SM's side ---- */

static void *create(const struct gpu_config *m, struct block_factory *factory, const char *path, uint32_t index,
                    const struct sm_services *services, struct err *e) {
  (void)m, (void)factory, (void)path, (void)services, (void)e;
  uint32_t *self = malloc(sizeof *self);
  *self = index;
  return self;
}

static void cta_start(void *self, uint32_t cta, uint64_t index, uint64_t warps, uint32_t base, uint32_t bytes) {
  (void)cta, (void)warps, (void)base, (void)bytes;
  assert_int_equal(seen.sm[index], *(uint32_t *)self);
  seen.sm_starts[index]++;
}

static void cta_end(void *self, uint32_t cta) {
  (void)cta;
  seen.sm_ends[*(uint32_t *)self]++;
}

static const struct system_ops toy = {.name = "toy",
                                      .brief = "test",
                                      .dispatch = &parts,
                                      .create = create,
                                      .destroy = free,
                                      .cta_start = cta_start,
                                      .cta_end = cta_end};

/* Each CTA writes its SM's number. */
static const char smid_kernel[] =
  KERNEL(".param .u64 p0", "mov.u32 %r10, %smid; mul.wide.u32 %rd4, %r2, 4; add.s64 %rd5, %rd2, %rd4;\n"
                           "st.global.u32 [%rd5], %r10; ret;\n");

struct outcome {
  uint64_t cycles;
  struct sm_counters counters;
};

static struct outcome run(uint64_t gap, bool skip, uint32_t threads) {
  struct fixture f;
  struct outcome o;
  uint32_t *out;
  memset(&seen, 0, sizeof seen);
  seen.gap = gap;
  fixture_config(&f, "sm.count=5 sm.ctas=2");
  f.setup.system = &toy;
  f.setup.skip = skip;
  f.setup.threads = threads;
  fixture_load(&f, smid_kernel);
  uint64_t params[1] = {fixture_words(&f, CTAS, &out)};
  fixture_run(&f, CTAS, 64, params);
  for (uint32_t i = 0; i < CTAS; i++) assert_int_equal(out[i], i / PART);
  o.cycles = gpu_core_cycles(f.gpu);
  o.counters = fixture_counters(&f);
  fixture_end(&f);
  return o;
}

static void test_ctas_go_where_the_policy_puts_them(void **unused) {
  (void)unused;
  run(0, true, 1);
  for (uint32_t i = 0; i < CTAS; i++) {
    assert_int_equal(seen.sm_starts[i], 1);
    assert_true(seen.ended_at[i] > seen.started_at[i]);
  }
  for (uint32_t i = 0; i < SMS; i++) assert_int_equal(seen.sm_ends[i], i + 1 < SMS ? PART : CTAS - i * PART);
  assert_int_equal(seen.started_at[0], seen.started_at[PART]); /* several SMs start in one cycle, */
  assert_int_equal(seen.started_at[0], seen.started_at[1]);    /* and one starts several */
}

static void test_ctas_start_at_the_pace_of_the_policy(void **unused) {
  (void)unused;
  for (uint64_t gap = 1; gap <= 5000; gap *= 50) {
    uint64_t at[CTAS];
    uint32_t n = 0;
    run(gap, true, 1);
    for (uint32_t i = 0; i < CTAS; i++) { /* insertion sort */
      uint32_t k = n++;
      for (; k && at[k - 1] > seen.started_at[i]; k--) at[k] = at[k - 1];
      at[k] = seen.started_at[i];
    }
    for (uint32_t i = 1; i < CTAS; i++) assert_true(at[i] - at[i - 1] >= gap);
    if (gap > 1000) assert_int_equal(at[CTAS - 1] - at[0], (CTAS - 1) * gap); /* SMs are idle: the pace alone counts */
  }
}

static void test_skipped_cycles_and_threads_change_nothing(void **unused) {
  (void)unused;
  for (uint64_t gap = 0; gap < 4000; gap = gap * 3 + 7) {
    struct outcome every = run(gap, false, 1), skip = run(gap, true, 1), threads = run(gap, true, 2);
    assert_int_equal(every.cycles, skip.cycles);
    assert_int_equal(every.cycles, threads.cycles);
    assert_memory_equal(&every.counters, &skip.counters, sizeof skip.counters);
    assert_memory_equal(&every.counters, &threads.counters, sizeof skip.counters);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_ctas_go_where_the_policy_puts_them),
    cmocka_unit_test(test_ctas_start_at_the_pace_of_the_policy),
    cmocka_unit_test(test_skipped_cycles_and_threads_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
