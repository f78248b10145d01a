/* SPDX-License-Identifier: Apache-2.0 */
/* The address generator alone (C model): the vectors of its specification, and random buffers against a host enumeration of
 * elements that knows nothing of the incremental algorithm (Jamshidi 2014, 4.2). */
#include "base/rng.h"
#include "d2ma_agen_ports.h"
#include "kit/block_bench.h"

enum { SEG = 128, REQUESTS_MAX = 70000, SHARED = 65536, LIMIT = 400000, SEED = 20260731 };

struct request {
  uint64_t cycle, seg;
  uint32_t off, len, saddr;
};

struct transfer {
  uint32_t n;
  uint64_t cycles; /* start to done */
  uint32_t footprint, constants;
  uint8_t written[SHARED]; /* times each shared byte was written by a constant */
  struct request r[REQUESTS_MAX];
};

static struct transfer t; /* large: not on the stack */

static uint64_t now;

BLOCK_BENCH(d2ma_agen);

static const struct d2ma_agen_cfg standard = {.SEG = SEG, .NB = 32};

/* Runs one buffer with the given probability (percent) of each ready. Cycle 1 is the first after start. */
static void run(const struct d2ma_agen_in *fields, struct rng *rng, uint32_t ready) {
  struct bench b;
  bench_open(&b, standard);
  struct d2ma_agen_in *in = &b.in;
  const struct d2ma_agen_out *out = &b.out;
  struct request waiting = {0};
  bool waits = false;
  memset(&t, 0, offsetof(struct transfer, r));
  *in = *fields;
  in->start = 1;
  for (now = 0; now < LIMIT; now++) {
    in->req_ready = ready == 100 || rng_percent(rng, ready);
    in->cst_ready = ready == 100 || rng_percent(rng, ready);
    bench_settle(&b);
    assert_int_equal(out->busy, now > 0);
    if (out->req_valid) {
      struct request r = {now, out->req_seg, out->req_off, out->req_len, out->req_saddr};
      if (waits) { /* stable while it waits */
        assert_int_equal(r.seg, waiting.seg);
        assert_int_equal(r.off, waiting.off);
        assert_int_equal(r.len, waiting.len);
        assert_int_equal(r.saddr, waiting.saddr);
      }
      waits = !in->req_ready;
      waiting = r;
      if (in->req_ready) {
        assert_true(t.n < REQUESTS_MAX);
        t.r[t.n++] = r;
      }
    }
    if (out->done) t.footprint = out->footprint;
    else if (out->busy) assert_int_equal(out->footprint, SHARED); /* no buffer has more */
    if (out->cst_valid && in->cst_ready) {
      assert_in_range(out->cst_len, 1, 32);
      assert_true(out->cst_saddr % 32 + out->cst_len <= 32);
      for (uint32_t i = 0; i < out->cst_len; i++) t.written[(uint16_t)(out->cst_saddr + i)]++;
      t.constants += out->cst_len;
    }
    bool done = out->done;
    bench_tick(&b);
    in->start = 0;
    if (done) break;
  }
  assert_true(now < LIMIT);
  t.cycles = now;
  bench_settle(&b);
  assert_false(out->busy);
  assert_false(out->done);
  bench_close(&b);
}

static void assert_request(uint32_t i, uint64_t cycle, uint64_t seg, uint32_t off, uint32_t len, uint32_t saddr) {
  assert_true(i < t.n);
  assert_int_equal(t.r[i].cycle, cycle);
  assert_int_equal(t.r[i].seg, seg);
  assert_int_equal(t.r[i].off, off);
  assert_int_equal(t.r[i].len, len);
  assert_int_equal(t.r[i].saddr, saddr);
}

static void test_unit_stride_vector(void **state) {
  (void)state;
  run(&(struct d2ma_agen_in){.gbase = 0x1010, .sbase = 0x200, .count = 64, .esz = 2, .stride = 1}, NULL, 100);
  assert_int_equal(t.n, 3);
  assert_request(0, 1, 0x1000, 16, 112, 0x200);
  assert_request(1, 2, 0x1080, 0, 128, 0x270);
  assert_request(2, 3, 0x1100, 0, 16, 0x2f0);
  assert_int_equal(t.footprint, 256);
}

static void test_strided_vector_requests_when_the_segment_changes(void **state) {
  (void)state;
  run(&(struct d2ma_agen_in){.gbase = 0x1000, .count = 8, .esz = 2, .stride = 16}, NULL, 100);
  assert_int_equal(t.n, 4);
  for (uint32_t i = 0; i < 4; i++) assert_request(i, 1 + 2 * i, 0x1000 + 0x80 * i, 0, 4, 8 * i);
  assert_int_equal(t.cycles, 1 + 8);
}

static void test_strided_vector_of_one_element_in_the_second_segment(void **state) {
  (void)state;
  run(&(struct d2ma_agen_in){.gbase = 0x1000, .count = 8, .esz = 2, .stride = 5}, NULL, 100);
  assert_int_equal(t.n, 2);
  assert_request(0, 1, 0x1000, 0, 4, 0);
  assert_int_equal(t.r[1].cycle - t.r[0].cycle, 7);
  assert_int_equal(t.r[1].seg, 0x1080);
  assert_int_equal(t.r[1].saddr, 28);
}

static void test_padded_tile_vector(void **state) {
  (void)state;
  run(
    &(struct d2ma_agen_in){
      .gbase = 0x2000, .sbase = 0x100, .count = 32 << 8 | 32, .esz = 2, .stride = 32, .dim2 = 1, .mode = 2, .hrows = 1},
    NULL, 100);
  assert_int_equal(t.n, 32);
  for (uint32_t r = 0; r < 32; r++) {
    assert_int_equal(t.r[r].saddr, 0x100 + 132 * r);
    assert_int_equal(t.r[r].seg, 0x2000 + 128 * r);
  }
  assert_int_equal(t.footprint, 4220);
  assert_int_equal(t.r[0].cycle, 2); /* one cycle of set-up */
}

static uint32_t loaded_bytes(void) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < t.n; i++) n += t.r[i].len;
  return n;
}

static void test_halo_vectors(void **state) {
  static const uint32_t constants[] = {0, 35, 18, 35, 18, 18, 35, 18, 35, 0};
  (void)state;
  for (uint8_t region = 1; region <= 9; region++) {
    run(&(struct d2ma_agen_in){.gbase = 0x10000,
                               .count = 16 << 8 | 16,
                               .esz = 2,
                               .stride = 64,
                               .dim2 = 1,
                               .mode = 1,
                               .hrows = 1,
                               .hcols = 1,
                               .region = region,
                               .hconst = 7},
        NULL, 100);
    assert_int_equal(t.constants, 4 * constants[region]);
    assert_int_equal(loaded_bytes(), 4 * (324 - constants[region]));
    assert_int_equal(t.footprint, 4 * 324);
  }
}

static void test_a_buffer_of_all_shared_memory(void **state) {
  (void)state;
  run(&(struct d2ma_agen_in){.gbase = 0x10000, .count = 8192, .esz = 3, .stride = 1}, NULL, 100);
  assert_int_equal(t.n, 512);
  assert_int_equal(t.footprint, SHARED);
  run(&(struct d2ma_agen_in){.gbase = 0x10000, .count = 8192, .esz = 3, .stride = 3}, NULL, 100);
  assert_int_equal(t.cycles, 1 + 8192);
  assert_int_equal(t.footprint, SHARED);
}

/* A row without constants takes the constants' walk one cycle, a constant row one for each run. */
static void test_constants_are_walked_a_row_a_cycle(void **state) {
  struct d2ma_agen_in f = {.gbase = 0x10000, .count = 16 << 8 | 16, .esz = 2, .stride = 64, .dim2 = 1, .mode = 1};
  (void)state;
  f.hrows = 1, f.region = 7; /* rows below: 64 bytes at 17 * 64 */
  run(&f, NULL, 100);
  assert_int_equal(t.r[0].cycle, 3);
  assert_int_equal(t.n, 17);
  assert_int_equal(t.constants, 64);
  /* from T3: nothing before the first load, 17 rows of loads, a row of two runs, nothing after it, done */
  assert_int_equal(t.cycles, 3 + 1 + 17 + 2 + 1);
}

static void test_an_empty_buffer_asks_for_nothing_and_is_done_at_once(void **state) {
  (void)state;
  run(&(struct d2ma_agen_in){.gbase = 0x1000, .esz = 2, .stride = 1}, NULL, 100);
  assert_int_equal(t.n + t.constants, 0);
  assert_int_equal(t.cycles, 1);
  assert_int_equal(t.footprint, 0);
}

static void test_abort_drops_the_buffer_without_done(void **state) {
  (void)state;
  struct bench b;
  bench_open(&b, standard);
  struct d2ma_agen_in *in = &b.in;
  const struct d2ma_agen_out *out = &b.out;
  *in = (struct d2ma_agen_in){.start = 1, .gbase = 0x1000, .count = 1000, .esz = 2, .stride = 1, .req_ready = 1};
  for (now = 0; now < 6; now++) {
    in->abort = now == 4;
    bench_settle(&b);
    assert_false(out->done);
    assert_int_equal(out->busy, now > 0 && now < 5);
    bench_tick(&b);
    in->start = 0;
  }
  bench_close(&b);
}

/* ---- laws that need no reference ---- */

static void test_a_start_while_busy_is_ignored(void **state) {
  static const uint16_t expected[] = {0x200, 0x270, 0x2f0, 0};
  (void)state;
  struct bench b;
  bench_open(&b, standard);
  struct d2ma_agen_in *in = &b.in;
  const struct d2ma_agen_out *out = &b.out;
  *in = (struct d2ma_agen_in){.start = 1, .gbase = 0x1010, .sbase = 0x200, .count = 64, .esz = 2, .req_ready = 1};
  uint32_t requests = 0;
  for (now = 0; now < 12; now++) {
    bench_settle(&b);
    if (out->req_valid) assert_int_equal(out->req_saddr, expected[requests++ & 3]);
    assert_int_equal(out->done, now == 4);
    bench_tick(&b);
    in->start = now < 4; /* T1 .. the cycle of done */
    in->gbase = 0x5000;
    in->count = 1;
  }
  assert_int_equal(requests, 3);
  bench_close(&b);
}

/* Cycle 0 is the one of start (abort beats it); 1 and 2 are the set-up; the last is the one of done. */
static void test_an_abort_in_any_cycle_leaves_nothing_behind(void **state) {
  struct d2ma_agen_in halo = {.gbase = 0x10000, .count = 16 << 8 | 16, .esz = 2, .stride = 64, .dim2 = 1};
  const struct d2ma_agen_in flat = {.gbase = 0x1010, .count = 64, .esz = 2};
  (void)state;
  halo.mode = halo.hrows = halo.hcols = halo.region = 1;
  run(&halo, NULL, 100);
  uint64_t last = t.cycles;
  for (uint64_t cycle = 0; cycle <= last; cycle++) {
    struct bench b;
    bench_open(&b, standard);
    struct d2ma_agen_in *in = &b.in;
    const struct d2ma_agen_out *out = &b.out;
    for (int round = 0; round < 3; round++) { /* after the abort a flat buffer and a halo are walked in full */
      *in = round == 1 ? flat : halo;
      in->start = in->req_ready = in->cst_ready = 1;
      uint32_t bytes = 0, dones = 0;
      for (now = 0; now < last + 5; now++) {
        in->abort = !round && now == cycle;
        bench_settle(&b);
        if (!round && now > cycle) assert_int_equal(out->busy + out->req_valid + out->cst_valid, 0);
        bytes += (out->req_valid ? out->req_len : 0U) + (out->cst_valid ? out->cst_len : 0U);
        dones += out->done;
        bench_tick(&b);
        in->start = 0;
      }
      assert_int_equal(dones, round != 0);
      if (round) assert_int_equal(bytes, round == 1 ? 256 : 18 * 18 * 4);
    }
    bench_close(&b);
  }
}

static void test_addresses_wrap_at_both_ends(void **state) {
  (void)state;
  run(&(struct d2ma_agen_in){.gbase = UINT64_MAX - 63, .sbase = 0xff80, .count = 64, .esz = 2}, NULL, 100);
  assert_int_equal(t.n, 3);
  assert_request(0, 1, UINT64_MAX - 127, 64, 64, 0xff80);
  assert_request(1, 2, 0, 0, 128, 0xffc0);
  assert_request(2, 3, 128, 0, 64, 0x0040);
}

static void test_the_constant_is_sign_extended_and_replicated(void **state) {
  static const uint64_t expected[4] = {0x8585858585858585, 0x8285828582858285, 0xffff8285ffff8285, 0xffffffffffff8285};
  (void)state;
  for (uint8_t esz = 0; esz < 4; esz++) {
    struct bench b;
    bench_open(&b, standard);
    struct d2ma_agen_in *in = &b.in;
    const struct d2ma_agen_out *out = &b.out;
    *in = (struct d2ma_agen_in){.start = 1, .count = 0x0204, .esz = esz, .dim2 = 1, .mode = 1, .hrows = 1, .region = 2};
    in->hconst = 0x8285;
    for (now = 0; now < 5; now++) { /* first request at T3, and first constants at T4 */
      bench_settle(&b);
      if (now == 4) assert_true(out->cst_valid);
      if (now == 4) assert_int_equal(out->cst_data, expected[esz]);
      bench_tick(&b);
      in->start = 0;
    }
    bench_close(&b);
  }
}

/* ---- random buffers against an enumeration of elements ---- */

struct golden {
  int64_t source[SHARED]; /* global address of each shared byte; -1 nothing, -2 constant */
  uint32_t footprint;
};
static struct golden g;

static uint32_t padded(const struct d2ma_agen_in *f, uint32_t byte) {
  uint32_t size = 1U << f->esz, pad = size > 4 ? size : 4, run_bytes = (uint32_t)f->hrows * 32 * 4;
  return f->mode == 2 && f->hrows ? byte + pad * (byte / run_bytes) : byte;
}

static void put(const struct d2ma_agen_in *f, uint32_t byte, int64_t source) {
  uint32_t size = 1U << f->esz;
  for (uint32_t i = 0; i < size; i++) {
    uint32_t at = padded(f, byte + i);
    g.source[(f->sbase + at) % SHARED] = source < 0 ? source : source + i;
    if (at + 1 > g.footprint) g.footprint = at + 1;
  }
}

static void enumerate(const struct d2ma_agen_in *f) {
  uint32_t size = 1U << f->esz, stride = f->stride ? f->stride : 1;
  memset(g.source, 0xff, sizeof g.source);
  g.footprint = 0;
  if (!f->dim2) {
    for (uint32_t i = 0; i < f->count; i++) put(f, i * size, (int64_t)(f->gbase + (uint64_t)i * stride * size));
    return;
  }
  int width = f->count & 255, height = f->count >> 8, hr = f->mode == 1 ? f->hrows : 0,
      hc = f->mode == 1 ? f->hcols : 0;
  uint32_t nr = f->region & 15, mask = f->region >> 4, pitch = (uint32_t)(width + 2 * hc);
  bool north = nr == 1 || nr == 2 || nr == 3 || mask & 8, south = nr == 6 || nr == 7 || nr == 8 || mask & 4;
  bool west = nr == 1 || nr == 4 || nr == 6 || mask & 2, east = nr == 3 || nr == 5 || nr == 8 || mask & 1;
  for (int r = -hr; r < height + hr; r++)
    for (int c = -hc; c < width + hc; c++) {
      bool constant = (r < 0 && north) || (r >= height && south) || (c < 0 && west) || (c >= width && east);
      int64_t source = (int64_t)f->gbase + ((int64_t)r * stride + c) * (int64_t)size;
      put(f, ((uint32_t)(r + hr) * pitch + (uint32_t)(c + hc)) * size, constant ? -2 : source);
    }
}

/* Every shared byte of a request's run comes from where the enumeration says; a run is cut at the pads. */
static void place_requests(const struct d2ma_agen_in *f) {
  static uint8_t seen[SHARED];
  memset(seen, 0, sizeof seen);
  for (uint32_t i = 0; i < t.n; i++) {
    uint32_t at = t.r[i].saddr;
    assert_true(t.r[i].off + t.r[i].len <= SEG);
    assert_int_equal(t.r[i].seg % SEG, 0);
    for (uint32_t k = 0; k < t.r[i].len; k++, at++) {
      while (g.source[at % SHARED] == -1 && f->mode == 2) at++;
      assert_int_equal(g.source[at % SHARED], (int64_t)(t.r[i].seg + t.r[i].off + k));
      assert_int_equal(seen[at % SHARED]++, 0);
    }
  }
  for (uint32_t a = 0; a < SHARED; a++) {
    assert_int_equal(t.written[a], g.source[a] == -2);
    assert_int_equal(seen[a], g.source[a] >= 0);
  }
}

/* Strided requests name the first element of each new segment; the fill finds the others. */
static void place_strided(const struct d2ma_agen_in *f) {
  uint32_t size = 1U << f->esz, stride = f->stride, n = 0;
  uint64_t last = UINT64_MAX;
  for (uint32_t k = 0; k < f->count; k++) {
    uint64_t address = f->gbase + (uint64_t)k * stride * size;
    if (address / SEG == last) continue;
    last = address / SEG;
    assert_true(n < t.n);
    assert_int_equal(t.r[n].seg, last * SEG);
    assert_int_equal(t.r[n].off, address % SEG);
    assert_int_equal(t.r[n].len, size);
    assert_int_equal(t.r[n].saddr, f->sbase + padded(f, k * size));
    n++;
  }
  assert_int_equal(t.n, n);
}

static struct d2ma_agen_in random_fields(struct rng *rng) {
  struct d2ma_agen_in f = {.esz = (uint8_t)rng_below(rng, 4), .mode = (uint8_t)rng_below(rng, 3)};
  uint32_t size = 1U << f.esz;
  f.dim2 = f.mode == 1 || rng_percent(rng, 50);
  f.gbase = 0x40000000 + (uint64_t)rng_below(rng, 4096) * size;
  f.sbase = (uint16_t)(rng_below(rng, 512) * 8);
  if (f.dim2) {
    f.count = (uint16_t)((1 + rng_below(rng, 24)) << 8 | (1 + rng_below(rng, 40)));
    f.stride = (uint16_t)(64 + rng_below(rng, 300));
  } else {
    f.count = (uint16_t)(1 + rng_below(rng, 2000));
    f.stride = (uint16_t)(rng_percent(rng, 60) ? rng_below(rng, 2) : 2 + rng_below(rng, 200));
  }
  if (f.mode == 1) {
    f.hrows = (uint16_t)rng_below(rng, 4);
    f.hcols = (uint16_t)rng_below(rng, 4);
    f.region = (uint8_t)(1 + rng_below(rng, 9));
    if (rng_percent(rng, 30)) f.region |= (uint8_t)(rng_below(rng, 16) << 4);
    f.hconst = (uint16_t)rng_u32(rng);
  } else if (f.mode == 2) {
    f.hrows = (uint16_t)rng_below(rng, 5);
  }
  return f;
}

static void test_every_byte_of_the_footprint_is_written_exactly_once(void **state) {
  struct rng rng;
  (void)state;
  rng_seed(&rng, SEED);
  print_message("seed %d\n", SEED);
  for (int i = 0; i < 1500; i++) {
    struct d2ma_agen_in f = random_fields(&rng);
    run(&f, &rng, i % 3 ? 40 + rng_below(&rng, 61) : 100);
    enumerate(&f);
    if (!f.dim2 && f.stride > 1) place_strided(&f);
    else place_requests(&f);
    assert_int_equal(t.footprint, g.footprint);
  }
}

/* The fill of a strided request places the elements from its own on that lie in the segment: each element once. */
static void test_strided_fills_place_every_element_once(void **state) {
  static uint8_t placed[SHARED];
  struct rng rng;
  (void)state;
  rng_seed(&rng, SEED + 1);
  for (int i = 0; i < 500; i++) {
    struct d2ma_agen_in f = {.gbase = (uint64_t)rng_u32(&rng) << 3, .esz = (uint8_t)rng_below(&rng, 4)};
    f.count = (uint16_t)(1 + rng_below(&rng, 500));
    f.stride = (uint16_t)(2 + rng_below(&rng, rng_percent(&rng, 50) ? 20 : 3000));
    run(&f, &rng, 70);
    memset(placed, 0, sizeof placed);
    for (uint32_t r = 0; r < t.n; r++)
      for (uint32_t k = t.r[r].saddr >> f.esz; k < f.count; k++) {
        uint64_t address = f.gbase + ((uint64_t)k * f.stride << f.esz);
        if (address / SEG * SEG != t.r[r].seg) break;
        placed[k]++;
      }
    for (uint32_t k = 0; k < f.count; k++) assert_int_equal(placed[k], 1);
  }
}

static void test_one_request_or_strided_element_a_cycle(void **state) {
  struct rng rng;
  (void)state;
  rng_seed(&rng, SEED + 2);
  for (int i = 0; i < 500; i++) {
    struct d2ma_agen_in f = random_fields(&rng);
    if (f.mode == 1) f.region = 9; /* no constants: the loads decide */
    run(&f, NULL, 100);
    bool strided = !f.dim2 && f.stride > 1;
    assert_int_equal(t.r[0].cycle, !f.dim2 ? 1 : 2 + (f.mode == 1 ? f.hrows : 0)); /* rows above: one a cycle */
    assert_int_equal(t.cycles, t.r[0].cycle + (strided ? f.count : t.n));
  }
}

static bool same_requests(const struct d2ma_agen_in *a, const struct d2ma_agen_in *b) {
  static struct transfer first;
  run(a, NULL, 100);
  first = t;
  run(b, NULL, 100);
  return first.n == t.n && first.constants == t.constants && first.footprint == t.footprint &&
         !memcmp(first.r, t.r, t.n * sizeof t.r[0]) && !memcmp(first.written, t.written, sizeof t.written);
}

static void test_fields_that_read_as_others(void **state) {
  struct rng rng;
  (void)state;
  rng_seed(&rng, SEED + 3);
  for (int i = 0; i < 200; i++) {
    struct d2ma_agen_in a = random_fields(&rng), b;
    a.mode = 0;
    b = a, b.mode = 3, b.hrows = 1, b.hcols = 2;
    assert_true(same_requests(&a, &b)); /* mode 3 is mode 0 */
    b = a, b.mode = 2, b.hrows = 0;
    assert_true(same_requests(&a, &b)); /* bank mode of no words is mode 0 */
    a.dim2 = 0, a.stride = 0, b = a, b.stride = 1;
    assert_true(same_requests(&a, &b)); /* stride 0 is stride 1 */
    a = (struct d2ma_agen_in){.gbase = 0x10000, .count = (uint16_t)(1 + rng_below(&rng, 250)), .esz = 2, .stride = 300};
    a.mode = 1, a.hrows = 2, a.hcols = 1, a.region = (uint8_t)rng_below(&rng, 10);
    b = a, b.dim2 = 1, b.count |= 1 << 8;
    assert_true(same_requests(&a, &b)); /* a flat halo is one row */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_unit_stride_vector),
    cmocka_unit_test(test_strided_vector_requests_when_the_segment_changes),
    cmocka_unit_test(test_strided_vector_of_one_element_in_the_second_segment),
    cmocka_unit_test(test_padded_tile_vector),
    cmocka_unit_test(test_halo_vectors),
    cmocka_unit_test(test_a_buffer_of_all_shared_memory),
    cmocka_unit_test(test_constants_are_walked_a_row_a_cycle),
    cmocka_unit_test(test_an_empty_buffer_asks_for_nothing_and_is_done_at_once),
    cmocka_unit_test(test_abort_drops_the_buffer_without_done),
    cmocka_unit_test(test_every_byte_of_the_footprint_is_written_exactly_once),
    cmocka_unit_test(test_a_start_while_busy_is_ignored),
    cmocka_unit_test(test_an_abort_in_any_cycle_leaves_nothing_behind),
    cmocka_unit_test(test_addresses_wrap_at_both_ends),
    cmocka_unit_test(test_the_constant_is_sign_extended_and_replicated),
    cmocka_unit_test(test_strided_fills_place_every_element_once),
    cmocka_unit_test(test_one_request_or_strided_element_a_cycle),
    cmocka_unit_test(test_fields_that_read_as_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
