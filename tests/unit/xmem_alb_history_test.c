/* SPDX-License-Identifier: Apache-2.0 */
/* slice: xmem */
/* Random maps, lookups, flushes and a slow memory against a history of what was mapped when; there is no cache in here. A map
 * changes memory first and tells the buffer later, as the AMU does. Each lookup must be answered once, with an atom that its
 * unit had at some time between: the last map told before the lookup was taken, and the last one that memory has seen when it
 * is answered. What hits has come since the last flush. */
#include "base/rng.h"
#include "kit/block_bench.h"
#include "kit/oracle.h"
#include "xmem_alb_ports.h"

enum {
  SEED = 0xa10ba,
  PAGES = 24,
  UNITS_MAX = 8,
  VERSIONS = 4096,
  TAGS = 32,
  MISSES = 8,
  CYCLES = 60000,
  CLOSE = 2000
};

struct version {
  uint32_t aid;
  uint64_t written, told; /* told: UINT64_MAX not yet */
};

struct asked {
  bool open;
  uint32_t page, unit;
  uint64_t at;
};

struct history {
  BENCH_FIELDS(xmem_alb);
  struct rng rng;
  uint64_t now, flushed;
  struct version versions[PAGES][UNITS_MAX][VERSIONS];
  uint32_t n[PAGES][UNITS_MAX];
  bool may_hit[PAGES];
  struct asked lookups[TAGS];
  struct {
    bool open, read;
    uint32_t page;
    uint64_t read_at, answer_at, data;
  } misses[MISSES];
  struct {
    bool open;
    uint32_t page, mask, aid;
    uint64_t tell_at;
  } map;
  uint32_t hits, answers;
};
BENCH_FUNCTIONS(history, xmem_alb);

/* Pages share few sets: two low bits, and tags far apart. */
static uint32_t ppn_of(uint32_t page) { return (page & 1) | (page >> 1) << 6; }
static uint32_t page_of(uint32_t ppn) { return (ppn & 1) | (ppn >> 6) << 1; }

static void tell(struct history *h, struct xmem_alb_in *in) {
  if (h->map.open && h->now >= h->map.tell_at) {
    in->up_valid = 1;
    in->up_ppn = ppn_of(h->map.page);
    in->up_mask = (uint8_t)h->map.mask;
    in->up_aid = (uint8_t)h->map.aid;
    for (uint32_t u = 0; u < UNITS_MAX; u++)
      if (h->map.mask >> u & 1) h->versions[h->map.page][u][h->n[h->map.page][u] - 1].told = h->now;
    h->map.open = false;
  } else if (!h->map.open && !rng_below(&h->rng, 6)) {
    h->map.open = true;
    h->map.page = rng_below(&h->rng, PAGES);
    h->map.mask = rng_below(&h->rng, 1U << h->cfg.UNITS);
    h->map.aid = rng_below(&h->rng, 1U << h->cfg.IDW);
    h->map.tell_at = h->now + 2 + rng_below(&h->rng, 12);
    for (uint32_t u = 0; u < UNITS_MAX; u++) {
      if (!(h->map.mask >> u & 1)) continue;
      assert_in_range(h->n[h->map.page][u], 1, VERSIONS - 1);
      h->versions[h->map.page][u][h->n[h->map.page][u]++] = (struct version){h->map.aid, h->now, UINT64_MAX};
    }
  }
}

/* Memory: reads some cycles after it was asked, answers some cycles later. */
static void remember(struct history *h, struct xmem_alb_in *in, int *offered) {
  uint32_t first = rng_below(&h->rng, MISSES);
  *offered = -1;
  for (uint32_t i = 0; i < MISSES; i++) {
    uint32_t m = (first + i) % MISSES;
    if (!h->misses[m].open) continue;
    if (!h->misses[m].read && h->now >= h->misses[m].read_at) {
      h->misses[m].read = true;
      for (uint32_t u = 0; u < (uint32_t)h->cfg.UNITS; u++) {
        const struct version *v = &h->versions[h->misses[m].page][u][h->n[h->misses[m].page][u] - 1];
        h->misses[m].data |= (uint64_t)v->aid << u * (uint32_t)h->cfg.IDW;
      }
    }
    if (h->now >= h->misses[m].answer_at && *offered < 0) *offered = (int)m;
  }
  if (*offered < 0) return;
  in->fl_valid = 1;
  in->fl_id = (uint8_t)*offered;
  in->fl_data = h->misses[*offered].data;
}

static void check_answer(struct history *h, const struct xmem_alb_out *out) {
  assert_in_range(out->rs_tag, 0, TAGS - 1);
  struct asked *l = &h->lookups[out->rs_tag];
  if (!l->open) fail_msg("cycle %lu: an answer to tag %u that nobody waits for", (unsigned long)h->now, out->rs_tag);
  const struct version *v = h->versions[l->page][l->unit];
  bool found = false;
  for (uint32_t i = h->n[l->page][l->unit]; i-- > 0 && !found;) {
    found = v[i].written <= h->now && v[i].aid == out->rs_aid;
    if (v[i].told < l->at) break;
  }
  if (!found)
    fail_msg("cycle %lu: page %u unit %u asked for in cycle %lu is answered with %u", (unsigned long)h->now, l->page,
             l->unit, (unsigned long)l->at, out->rs_aid);
  if (out->rs_hit && l->at > h->flushed) assert_true(h->may_hit[l->page]);
  h->hits += out->rs_hit;
  h->answers++;
  l->open = false;
}

/* A fill was taken: it may be installed if nobody who waits for it has asked before the flush. */
static void filled(struct history *h, uint32_t m) {
  bool before = false;
  for (uint32_t t = 0; t < TAGS; t++)
    before = before || (h->lookups[t].open && h->lookups[t].page == h->misses[m].page && h->lookups[t].at < h->flushed);
  if (!before) h->may_hit[h->misses[m].page] = true;
  h->misses[m].open = false;
}

static void one_cycle(struct history *h, bool asks) {
  struct xmem_alb_in *in = &h->in;
  const struct xmem_alb_out *out = &h->out;
  int offered;
  memset(in, 0, sizeof *in);
  tell(h, in);
  remember(h, in, &offered);
  in->flush = asks && !rng_below(&h->rng, 300);
  in->ms_ready = rng_below(&h->rng, 3) > 0;
  uint32_t tag = rng_below(&h->rng, TAGS), page = rng_below(&h->rng, rng_below(&h->rng, 2) ? 4 : PAGES);
  uint32_t unit = rng_below(&h->rng, (uint32_t)h->cfg.UNITS);
  in->lk_valid = asks && !h->lookups[tag].open && rng_below(&h->rng, 4) > 0;
  in->lk_ppn = ppn_of(page), in->lk_sub = (uint8_t)unit, in->lk_tag = (uint16_t)tag;
  bench_settle(h);
  if (out->rs_valid) check_answer(h, out);
  if (in->fl_valid && out->fl_ready) filled(h, (uint32_t)offered);
  if (in->lk_valid && out->lk_ready) h->lookups[tag] = (struct asked){true, page, unit, h->now};
  if (out->ms_valid && in->ms_ready) {
    assert_false(h->misses[out->ms_id].open);
    uint64_t read_at = h->now + 1 + rng_below(&h->rng, 12);
    for (uint32_t m = 0; m < MISSES; m++)
      assert_false(h->misses[m].open && ppn_of(h->misses[m].page) == out->ms_ppn); /* one request a page */
    memset(&h->misses[out->ms_id], 0, sizeof h->misses[0]);
    h->misses[out->ms_id].open = true, h->misses[out->ms_id].page = page_of(out->ms_ppn);
    h->misses[out->ms_id].read_at = read_at, h->misses[out->ms_id].answer_at = read_at + rng_below(&h->rng, 20);
  }
  bench_tick(h);
  if (in->flush) {
    h->flushed = h->now;
    memset(h->may_hit, 0, sizeof h->may_hit);
  }
  h->now++;
}

static void run(struct history *h, struct xmem_alb_cfg cfg, uint64_t seed) {
  bench_open(h, cfg);
  rng_seed(&h->rng, seed);
  for (uint32_t p = 0; p < PAGES; p++)
    for (uint32_t u = 0; u < UNITS_MAX; u++)
      h->versions[p][u][h->n[p][u]++] = (struct version){rng_below(&h->rng, 1U << cfg.IDW), 0, 0};
  h->now = 1;
  for (int i = 0; i < CYCLES; i++) one_cycle(h, true);
  for (int i = 0; i < CLOSE; i++) one_cycle(h, false);
  for (uint32_t t = 0; t < TAGS; t++) assert_false(h->lookups[t].open); /* none is lost */
  memset(&h->in, 0, sizeof h->in);
  bench_settle(h);
  assert_int_equal(h->out.c_lk, h->answers);
  assert_int_equal(h->out.c_hit, h->hits);
  assert_int_equal(h->out.c_hit + h->out.c_miss, h->out.c_lk);
  print_message("%u ways: %u answers, %u hits\n", (unsigned)cfg.WAYS, h->answers, h->hits);
  assert_true(h->hits > CYCLES / 100 && h->answers - h->hits > CYCLES / 100);
  bench_close(h);
}

static void test_every_lookup_is_answered_once_with_an_atom_that_its_unit_had_since_it_was_asked_for(void **unused) {
  (void)unused;
  static const struct xmem_alb_cfg sets[] = {
    {.PPN_W = 28, .SETS = 64, .WAYS = 4, .UNITS = 8, .IDW = 8, .NMISS = 8, .TAGW = 8},
    {.PPN_W = 20, .SETS = 2, .WAYS = 2, .UNITS = 4, .IDW = 6, .NMISS = 5, .TAGW = 10},
    {.PPN_W = 20, .SETS = 1, .WAYS = 16, .UNITS = 8, .IDW = 6, .NMISS = 3, .TAGW = 5},
    {.PPN_W = 12, .SETS = 8, .WAYS = 1, .UNITS = 2, .IDW = 4, .NMISS = 2, .TAGW = 5},
  };
  struct history *h = malloc(sizeof *h);
  assert_non_null(h);
  print_message("seed %#x\n", (unsigned)SEED);
  for (uint32_t i = 0; i < sizeof sets / sizeof *sets; i++) run(h, sets[i], SEED + i);
  free(h);
}

static void test_random_cycles_agree_with_lists_of_pages(void **unused) {
  (void)unused;
  assert_oracle_agrees(&xmem_alb_desc, &xmem_alb_oracle, SEED, 40000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_lookup_is_answered_once_with_an_atom_that_its_unit_had_since_it_was_asked_for),
    cmocka_unit_test(test_random_cycles_agree_with_lists_of_pages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
