/* SPDX-License-Identifier: Apache-2.0 */
/* slice: d2ma */
/* Do replies put every byte of a buffer where it belongs? The address generator's model makes the requests; each element's
 * place is computed by multiplication and division, from Jamshidi 2014, 4.2 and the specification's formulas. */
#include "base/rng.h"
#include "d2ma_agen_ports.h"
#include "d2ma_requests_ports.h"
#include "kit/block_bench.h"

enum { SEED = 0x4e9, MSHRS = 9, SHARED = 65536, SOURCE = 1 << 20, LIMIT = 20000, BANK = 2 };

struct bench {
  BENCH_FIELDS(d2ma_requests);
};
BENCH_FUNCTIONS(bench, d2ma_requests);
struct agen {
  BENCH_FIELDS(d2ma_agen);
};
NAMED_BENCH_FUNCTIONS(agen, agen, d2ma_agen);

static uint32_t origin[SHARED], want[SHARED]; /* 1 + global address of the byte that was written */

/* Where each byte of a flat or 2D buffer belongs. */
static void enumerate(const struct d2ma_agen_in *in, uint32_t banks) {
  uint32_t bytes = 1U << in->esz, pad = bytes > 4 ? bytes : 4, group = in->mode == BANK ? in->hrows * banks * 4 : 0;
  uint32_t rows = in->dim2 ? in->count >> 8 : 1, columns = in->dim2 ? in->count & 0xff : in->count;
  memset(want, 0, sizeof want);
  for (uint32_t r = 0; r < rows; r++)
    for (uint32_t c = 0; c < columns; c++)
      for (uint32_t i = 0; i < bytes; i++) {
        uint32_t b = (r * columns + c) * bytes, at = in->sbase + b + (group ? pad * (b / group) : 0) + i;
        uint32_t element = in->dim2 ? r * in->stride + c : c * in->stride;
        want[at] = 1 + (uint32_t)in->gbase + element * bytes + i;
      }
}

/* The bytes of a reply. */
static void place(const struct d2ma_requests_out *out, uint32_t segment) {
  uint32_t bytes = out->fill_step ? 1U << out->fill_esz : out->fill_len;
  for (uint32_t b = 0; b < out->fill_len; b++) {
    uint32_t from = segment + out->fill_off + b / bytes * out->fill_step + b % bytes;
    uint32_t to = !out->fill_cut || b < out->fill_cut ? out->fill_saddr + b : out->fill_next + b - out->fill_cut;
    assert_true(to < SHARED && !origin[to]); /* each byte once */
    assert_int_equal(from / 128, segment / 128);
    origin[to] = 1 + from;
  }
}

static struct d2ma_agen_in draw(struct rng *g) {
  struct d2ma_agen_in in = {.start = 1, .stride = 1, .esz = (uint8_t)rng_below(g, 4)};
  in.gbase = (rng_below(g, SOURCE) & ~7u) + SOURCE;
  in.sbase = (uint16_t)(rng_below(g, 1024) & ~7u);
  in.mode = rng_percent(g, 50) ? BANK : 0;
  in.hrows = (uint16_t)rng_below(g, 4);
  if (rng_percent(g, 30)) {
    in.dim2 = 1;
    in.count = (uint16_t)((1 + rng_below(g, 20)) << 8 | (1 + rng_below(g, 60)));
    in.stride = (uint16_t)((in.count & 0xff) + rng_below(g, 100));
  } else {
    in.count = (uint16_t)(1 + rng_below(g, 700));
    if (rng_percent(g, 60)) in.stride = (uint16_t)(1 + rng_below(g, rng_percent(g, 50) ? 8 : 70));
  }
  return in;
}

static void test_every_byte_arrives_where_it_belongs(void **state) {
  (void)state;
  struct rng g;
  struct bench b;
  struct agen a;
  uint32_t cuts = 0, steps = 0;
  print_message("seed %d\n", SEED);
  rng_seed(&g, SEED);
  bench_open(&b, (struct d2ma_requests_cfg){.CTAS = 8, .BUFS = 4, .MSHRS = MSHRS, .SEG = 128, .NB = 32});
  agen_open(&a, (struct d2ma_agen_cfg){.SEG = 128, .NB = 32});
  for (uint32_t round = 0; round < 600; round++) {
    struct d2ma_agen_in fields = draw(&g);
    uint32_t address[MSHRS] = {0}, used = 0, reserve = rng_below(&g, 3), sent = 0, cta = round % 8, buf = round % 4;
    bool ended = false;
    memset(origin, 0, sizeof origin);
    enumerate(&fields, 32);
    for (uint32_t now = 0; !ended || used; now++) {
      assert_true(now < LIMIT);
      a.in = fields;
      a.in.start = now == 0;
      agen_settle(&a);
      memset(&b.in, 0, sizeof b.in);
      b.in.start = a.in.start, b.in.start_cta = (uint8_t)cta, b.in.start_buf = (uint8_t)buf;
      b.in.esz = fields.esz, b.in.stride = fields.stride, b.in.dim2 = fields.dim2, b.in.mode = fields.mode;
      b.in.hrows = fields.hrows;
      b.in.ag_valid = a.out.req_valid, b.in.ag_seg = a.out.req_seg, b.in.ag_off = a.out.req_off;
      b.in.ag_len = a.out.req_len, b.in.ag_saddr = a.out.req_saddr, b.in.ag_done = a.out.done;
      b.in.free = (uint8_t)(MSHRS - __builtin_popcount(used)), b.in.reserve = (uint8_t)reserve;
      b.in.req_ready = rng_percent(&g, 70);
      uint32_t m = rng_below(&g, MSHRS);
      b.in.fill_en = used >> m & 1 && rng_percent(&g, 60);
      b.in.fill_mshr = (uint8_t)m;
      bench_settle(&b);
      if (b.in.fill_en) {
        assert_true(b.out.fill_cta == cta && b.out.fill_buf == buf && !b.out.fill_drop);
        place(&b.out, address[m] - 1);
        cuts += b.out.fill_cut != 0, steps += b.out.fill_step != 0;
        used &= ~(1U << m);
      }
      assert_int_equal(b.out.taken, b.out.req_valid && b.in.free > reserve && b.in.req_ready);
      if (b.out.taken) {
        for (m = 0; used >> m & 1 || (b.in.fill_en && m == b.in.fill_mshr); m++) {
        }
        assert_true(m < MSHRS);
        b.in.req_mshr = (uint8_t)m;
        address[m] = 1 + (uint32_t)b.out.req_seg;
        used |= 1U << m;
        sent++;
      }
      assert_false(ended && (b.out.done || b.out.req_valid));
      ended |= b.out.done;
      a.in.req_ready = b.out.ag_ready;
      agen_tick(&a);
      bench_tick(&b);
    }
    assert_true(sent > 0);
    assert_memory_equal(origin, want, sizeof want);
  }
  assert_true(cuts > 100 && steps > 1000); /* or the test would check nothing */
  agen_close(&a);
  bench_close(&b);
}

/* One request of segment 0x1000 for CTA `cta`, in MSHR `m`. */
static void send(struct bench *b, uint8_t cta, uint8_t m) {
  b->in.start = 1, b->in.start_cta = cta, b->in.esz = 2, b->in.stride = 1;
  bench_cycle(b);
  b->in.ag_valid = 1, b->in.ag_seg = 0x1000, b->in.ag_len = 128;
  assert_true(bench_cycle(b)->ag_ready);
  b->in.ag_done = 1, b->in.free = 1, b->in.req_ready = 1, b->in.req_mshr = m;
  assert_true(bench_cycle(b)->taken && b->out.done);
}

static void test_replies_of_a_killed_cta_are_dropped(void **state) {
  (void)state;
  struct bench b;
  bench_open(&b, (struct d2ma_requests_cfg){.CTAS = 3, .BUFS = 2, .MSHRS = 8, .SEG = 128, .NB = 32});
  send(&b, 1, 3);
  send(&b, 2, 4);
  send(&b, 1, 5);
  b.in.fill_en = 1, b.in.fill_mshr = 5, b.in.clr_cta_en = 1, b.in.clr_cta = 1; /* in the cycle of the kill */
  assert_true(bench_cycle(&b)->fill_drop && b.out.fill_cta == 1);
  send(&b, 1, 5); /* of the new CTA */
  for (uint8_t m = 3; m < 6; m++) {
    b.in.fill_en = 1, b.in.fill_mshr = m;
    assert_int_equal(bench_cycle(&b)->fill_drop, m == 3);
    assert_int_equal(b.out.fill_len, 128);
  }
  bench_close(&b);
}

static void test_an_abort_drops_the_request_that_waits(void **state) {
  (void)state;
  struct bench b;
  bench_open(&b, (struct d2ma_requests_cfg){.CTAS = 3, .BUFS = 2, .MSHRS = 8, .SEG = 128, .NB = 32});
  b.in.start = 1;
  bench_cycle(&b);
  b.in.ag_valid = 1, b.in.ag_len = 128;
  bench_cycle(&b);
  b.in.abort = 1, b.in.free = 8, b.in.req_ready = 1;
  assert_true(bench_cycle(&b)->req_valid && !b.out.taken && !b.out.done);
  assert_false(bench_cycle(&b)->req_valid || b.out.busy);
  send(&b, 0, 0);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_byte_arrives_where_it_belongs),
    cmocka_unit_test(test_replies_of_a_killed_cta_are_dropped),
    cmocka_unit_test(test_an_abort_drops_the_request_that_waits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
