/* SPDX-License-Identifier: Apache-2.0 */
/* Does a kernel without barriers compute the right values on the D2MA system? Random warps configure, read and
 * refill buffers in random order against random latencies; every read is compared with the tile it
 * is meant to see. */
#include "kit/d2ma_rig.h"
#include "systems/d2ma/tables.h"

enum { WARPS = 5, CTAS = 2, BUFFERS = 4, TILES = 6, READS = 5, LAUNCHES = 3, LIMIT = 200000 };

/* A warp of the program: for each tile { read every buffer a few times; ask for the next tile of
 * each }. */
struct warp {
  uint32_t tile, step; /* step: 0..2B-1 datatype and configure, then READS*B reads, then B executes */
  bool exited;
};

struct kernel {
  struct rig *r;
  struct rng rng;
  struct warp warp[CTAS][WARPS];
  uint32_t launched[CTAS]; /* CTAs that this slot has started */
  uint32_t buffers, words[BUFFERS];
  bool lazy; /* cycles only when the system asks for them or was called */
  bool called;
  struct access {
    bool valid;
    uint32_t cta, warp, lo, hi;
  } held[3]; /* by age in cycles: of this cycle, ... */
  uint64_t wrong_reads, reads, squashes;
};

static uint32_t buffer_at(const struct kernel *k, uint32_t buf) {
  uint32_t at = 0;
  for (uint32_t b = 0; b < buf; b++) at += k->words[b] * 4 + 64;
  return at;
}

static uint64_t tile_source(const struct kernel *k, uint32_t cta, uint32_t buf, uint32_t tile) {
  return ((uint64_t)((k->launched[cta] * CTAS + cta) * BUFFERS + buf) * TILES + tile) * 2048 + 4 * (buf + tile);
}

/* Returns false when the warp has to try again. */
static bool issue_dma(struct kernel *k, uint32_t cta, uint32_t w) {
  struct warp *x = &k->warp[cta][w];
  uint32_t hw = cta * WARPS + w, b = x->step < 2 * k->buffers ? x->step / 2 : x->step - (2 + READS) * k->buffers;
  uint32_t tile = x->step < 2 * k->buffers ? 0 : x->tile + 1;
  uint64_t s = rig_pointer(buffer_at(k, b)), g = k->r->source + tile_source(k, cta, b, tile);
  enum extension_result result;
  k->called = true;
  if (x->step >= 2 * k->buffers) result = rig_issue(k->r, cta, hw, "dma_execute", s, g, U(b));
  else if (x->step % 2 == 0) result = rig_issue(k->r, cta, hw, "dma_set_datatype_float", U(b));
  else result = rig_issue(k->r, cta, hw, "dma_configure_flat_unit_stride", s, g, U(k->words[b]), U(b));
  return result == EXTENSION_DONE;
}

/* An access is performed: compares its bytes with the tile that the warp is meant to read. */
static void perform(struct kernel *k, const struct access *a) {
  struct warp *x = &k->warp[a->cta][a->warp];
  uint32_t b = (x->step - 2 * k->buffers) / READS, base = a->cta * RIG_SLICE + buffer_at(k, b);
  const uint8_t *want = rig_source(k->r, tile_source(k, a->cta, b, x->tile) + (a->lo - base));
  k->wrong_reads += memcmp(k->r->shared + a->lo, want, a->hi - a->lo + 1) != 0;
  k->reads++;
  x->step++;
}

static void issue_read(struct kernel *k, uint32_t cta, uint32_t w) {
  struct warp *x = &k->warp[cta][w];
  uint32_t b = (x->step - 2 * k->buffers) / READS, bytes = k->words[b] * 4;
  uint32_t lo = rng_below(&k->rng, bytes), hi = lo + rng_below(&k->rng, bytes - lo);
  uint32_t base = cta * RIG_SLICE + buffer_at(k, b);
  struct access a = {.valid = true, .cta = cta, .warp = w, .lo = base + lo, .hi = base + hi};
  if (!d2ma_system.scoreboard->shared_needs_check(k->r->self, cta, false)) {
    perform(k, &a);
    return;
  }
  k->called = true;
  k->held[0] = a;
  rig_query(k->r, cta, cta * WARPS + w, a.lo, a.hi, false);
}

static bool is_dma(const struct kernel *k, const struct warp *x) {
  return x->step < 2 * k->buffers || x->step >= (2 + READS) * k->buffers;
}

/* One warp that may issue an operation of the given kind, drawn at random; false if there is none.
 */
static bool draw(struct kernel *k, bool dma, uint32_t *cta, uint32_t *w) {
  uint32_t n = 0, pick[CTAS * WARPS];
  for (uint32_t i = 0; i < CTAS * WARPS; i++) {
    const struct warp *x = &k->warp[i / WARPS][i % WARPS];
    bool held = false;
    for (uint32_t a = 1; a < 3; a++)
      held |= k->held[a].valid && k->held[a].cta == i / WARPS && k->held[a].warp == i % WARPS;
    if (!x->exited && !held && !rig_blocked(k->r, i) && is_dma(k, x) == dma) pick[n++] = i;
  }
  if (!n) return false;
  uint32_t i = pick[rng_below(&k->rng, n)];
  *cta = i / WARPS, *w = i % WARPS;
  return true;
}

static void issue(struct kernel *k) {
  uint32_t cta, w;
  if (rng_percent(&k->rng, 60) && draw(k, true, &cta, &w) && issue_dma(k, cta, w)) {
    struct warp *x = &k->warp[cta][w];
    x->step++;
    if (x->step == (3 + READS) * k->buffers) x->tile++, x->step = 2 * k->buffers;
  }
  if (rng_percent(&k->rng, 60) && draw(k, false, &cta, &w)) issue_read(k, cta, w);
}

/* Warps at the end of their last tile exit. */
static void retire(struct kernel *k) {
  for (uint32_t i = 0; i < CTAS * WARPS; i++) {
    struct warp *x = &k->warp[i / WARPS][i % WARPS];
    if (x->exited || x->tile != TILES - 1 || x->step != (2 + READS) * k->buffers) continue;
    x->exited = true;
    k->called = true;
    d2ma_system.warp_exit(k->r->self, i / WARPS, i);
  }
}

static bool all_done(struct kernel *k) {
  bool done = true;
  for (uint32_t cta = 0; cta < CTAS; cta++) {
    bool exited = true;
    for (uint32_t w = 0; w < WARPS; w++) exited &= k->warp[cta][w].exited;
    if (!exited || !d2ma_system.cta_may_retire(k->r->self, cta)) {
      done = false;
      continue;
    }
    if (k->launched[cta] == LAUNCHES - 1) continue;
    done = false;
    k->launched[cta]++;
    memset(k->warp[cta], 0, sizeof k->warp[cta]);
    k->called = true;
    d2ma_system.cta_start(k->r->self, cta, cta, ((1u << WARPS) - 1) << cta * WARPS, cta * RIG_SLICE, RIG_SLICE);
  }
  return done;
}

static void cycle(struct kernel *k) {
  struct rig *r = k->r;
  k->called = k->held[0].valid = false;
  r->port_busy = rng_percent(&k->rng, 20);
  r->shared_busy = rng_percent(&k->rng, 20);
  rig_begin(r);
  retire(k);
  issue(k);
  if (!k->lazy || k->called || d2ma_system.busy(r->self)) d2ma_system.cycle(r->self);
  r->now++;
  if (k->held[2].valid && d2ma_system.scoreboard->squash(r->self)) k->squashes++;
  else if (k->held[2].valid) perform(k, &k->held[2]);
  k->held[2] = k->held[1];
  k->held[1] = k->held[0];
}

static void run(struct kernel *k) {
  uint64_t i = 0;
  while (i < LIMIT && !all_done(k)) cycle(k), i++;
  if (i < LIMIT) return;
  d2ma_system.describe(k->r->self, stderr);
  fail_msg("the warps do not come to an end");
}

static struct kernel kernel_start(int64_t mode, bool skip, bool lazy, uint64_t seed) {
  struct gpu_config m = rig_config();
  struct kernel k = {.lazy = lazy};
  OWNED(d2ma, m)->reignition = mode;
  rng_seed(&k.rng, seed);
  k.buffers = 1 + rng_below(&k.rng, BUFFERS);
  for (uint32_t b = 0; b < BUFFERS; b++) k.words[b] = 1 + rng_below(&k.rng, 500);
  k.r = rig_create(m, skip, seed);
  k.r->min_latency = 5;
  k.r->max_latency = 5 + rng_below(&k.rng, 150);
  for (uint32_t cta = 0; cta < CTAS; cta++)
    d2ma_system.cta_start(k.r->self, cta, cta, ((1u << WARPS) - 1) << cta * WARPS, cta * RIG_SLICE, RIG_SLICE);
  return k;
}

static void test_no_read_sees_a_wrong_tile_and_no_warp_waits_for_ever(void **state) {
  (void)state;
  uint64_t squashes = 0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    struct kernel k = kernel_start(D2MA_SAFE, true, true, seed);
    run(&k);
    if (k.wrong_reads)
      fail_msg("seed %" PRIu64 ": %" PRIu64 " of %" PRIu64 " reads are wrong", seed, k.wrong_reads, k.reads);
    assert_int_equal(k.reads, CTAS * LAUNCHES * WARPS * TILES * READS * k.buffers);
    assert_int_equal(d2ma_counters(&k.r->counters)->d2ma_transfers, CTAS * LAUNCHES * TILES * k.buffers);
    assert_int_equal(d2ma_counters(&k.r->counters)->d2ma_raw_hits, k.squashes);
    assert_int_equal(d2ma_counters(&k.r->counters)->d2ma_program_errors, 0);
    squashes += k.squashes;
    rig_destroy(k.r);
  }
  assert_true(squashes > 1000); /* or the test would check nothing */
}

static void test_literal_re_ignition_corrupts_some_of_the_same_kernels(void **state) {
  (void)state;
  uint64_t wrong = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    struct kernel k = kernel_start(D2MA_LITERAL, true, true, seed);
    run(&k);
    wrong += k.wrong_reads;
    rig_destroy(k.r);
  }
  assert_true(wrong > 0);
}

static void test_sleeping_changes_nothing(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    struct kernel lazy = kernel_start(D2MA_SAFE, true, true, seed), eager = kernel_start(D2MA_SAFE, false, false, seed);
    run(&lazy);
    run(&eager);
    assert_int_equal(lazy.r->now, eager.r->now);
    assert_memory_equal(&lazy.r->counters, &eager.r->counters, sizeof lazy.r->counters);
    assert_memory_equal(lazy.r->shared, eager.r->shared, RIG_SHARED);
    rig_destroy(lazy.r);
    rig_destroy(eager.r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_no_read_sees_a_wrong_tile_and_no_warp_waits_for_ever),
    cmocka_unit_test(test_literal_re_ignition_corrupts_some_of_the_same_kernels),
    cmocka_unit_test(test_sleeping_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
