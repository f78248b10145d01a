/* SPDX-License-Identifier: Apache-2.0 */
/* Does the coalescer find the lines that a warp touches? */
#include "base/rng.h"
#include "core/coalescer.h"
#include "core/shared_memory.h"
#include "kit/test.h"

static const uint64_t base = UINT64_C(0x200000000);

static struct ptx_access strided(uint64_t first, uint64_t stride, uint32_t bytes, uint32_t mask) {
  struct ptx_access a = {.space = PTX_GLOBAL, .bytes = (uint8_t)bytes, .mask = mask};
  for (uint32_t l = 0; l < WARP_LANES; l++) a.address[l] = first + l * stride;
  return a;
}

struct vector {
  uint64_t first, stride;
  uint32_t bytes, mask, line;
  uint32_t n, first_bytes; /* expected */
  uint64_t first_address;
};

static void test_published_patterns_give_the_known_number_of_segments(void **state) {
  (void)state;
  const struct vector vectors[] = {
    {base, 4, 4, UINT32_MAX, 128, 1, 128, base},                    /* aligned words */
    {base + 4, 4, 4, UINT32_MAX, 128, 2, 124, base + 4},            /* shifted by a word */
    {base, 8, 8, UINT32_MAX, 128, 2, 128, base},                    /* double words */
    {base, 16, 16, UINT32_MAX, 128, 4, 128, base},                  /* quad words */
    {base, 0, 4, UINT32_MAX, 128, 1, 4, base},                      /* one word for all */
    {base, 128, 4, UINT32_MAX, 128, 32, 4, base},                   /* a line a lane */
    {base, 8, 4, UINT32_MAX, 128, 2, 124, base},                    /* every second word */
    {base, 4, 4, 1, 128, 1, 4, base},                               /* one lane */
    {base, 4, 4, 0x80000000u, 128, 1, 4, base + 124},               /* the last lane */
    {base, 4, 4, UINT32_MAX, 32, 4, 32, base},                      /* short lines */
    {base, 1, 1, UINT32_MAX, 128, 1, 32, base},                     /* bytes */
    {base + 124, UINT64_MAX - 3, 4, UINT32_MAX, 128, 1, 128, base}, /* backwards */
  };
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
    const struct vector *v = &vectors[i];
    struct segment segments[SEGMENTS_MAX];
    struct ptx_access a = strided(v->first, v->stride, v->bytes, v->mask);
    uint32_t n = coalesce_global(&a, v->line, segments);
    if (n != v->n || segments[0].bytes != v->first_bytes || segments[0].address != v->first_address)
      fail_msg("vector %zu: %u segments, the first of %u bytes at 0x%llx; expected %u, %u, 0x%llx", i, n,
               segments[0].bytes, (unsigned long long)segments[0].address, v->n, v->first_bytes,
               (unsigned long long)v->first_address);
  }
}

/* The reference, lane by lane: has an earlier lane of the same group touched the same block? */
static void test_constant_segments_are_the_distinct_blocks_of_each_group(void **state) {
  (void)state;
  struct rng r;
  rng_seed(&r, 0xc057);
  for (uint32_t k = 0; k < 3000; k++) {
    struct ptx_access a = {.space = PTX_CONST, .bytes = (uint8_t)(1u << rng_below(&r, 4)), .mask = rng_u32(&r)};
    uint32_t lanes = 1u << rng_below(&r, 6), line = 32u << rng_below(&r, 3), spread = 1u << rng_below(&r, 10);
    uint32_t grain = rng_below(&r, 2) ? line : a.bytes, want = 0, want_groups = 0, groups = 99;
    if (k % 3 == 0) a.mask = UINT32_MAX;
    for (uint32_t l = 0; l < WARP_LANES; l++) a.address[l] = base + (uint64_t)rng_below(&r, spread) * a.bytes;
    for (uint32_t first = 0; first < WARP_LANES; first += lanes) {
      uint32_t before = want;
      for (uint32_t l = first; l < first + lanes; l++) {
        bool fresh = a.mask >> l & 1;
        for (uint32_t i = first; i < l && fresh; i++)
          fresh = !(a.mask >> i & 1) || a.address[i] / grain != a.address[l] / grain;
        want += fresh;
      }
      want_groups += want > before;
    }
    struct segment segments[SEGMENTS_MAX];
    assert_int_equal(coalesce_constant(&a, lanes, grain, line, segments, &groups), want);
    assert_int_equal(groups, want_groups);
    for (uint32_t i = 0; i < want; i++) assert_int_equal(segments[i].line, segments[i].address / line * line);
  }
}

static void test_a_fetch_touches_the_distinct_lines_of_its_elements(void **state) {
  (void)state;
  struct rng r;
  rng_seed(&r, 0x7e8);
  for (uint32_t k = 0; k < 3000; k++) {
    struct ptx_access a = {.space = PTX_TEXTURE, .bytes = (uint8_t)(1u << rng_below(&r, 5)), .mask = rng_u32(&r)};
    uint32_t line = 32u << rng_below(&r, 3), spread = 1u << rng_below(&r, 12), want = 0;
    for (uint32_t l = 0; l < WARP_LANES; l++)
      a.address[l] = rng_below(&r, 4) ? base + (uint64_t)rng_below(&r, spread) * a.bytes : PTX_NOWHERE;
    for (uint32_t l = 0; l < WARP_LANES; l++) {
      bool fresh = a.mask >> l & 1 && a.address[l] != PTX_NOWHERE;
      for (uint32_t i = 0; i < l && fresh; i++)
        fresh = !(a.mask >> i & 1) || a.address[i] / line != a.address[l] / line;
      want += fresh;
    }
    struct segment segments[SEGMENTS_MAX];
    assert_int_equal(coalesce_texture(&a, line, segments), want);
  }
}

/* Of a fetch that filters every element counts, not one a lane. */
static void test_a_filtered_fetch_touches_the_lines_of_all_its_elements(void **state) {
  (void)state;
  struct rng r;
  rng_seed(&r, 0xf117);
  for (uint32_t k = 0; k < 2000; k++) {
    uint64_t texel[PTX_TEXELS_MAX];
    struct ptx_access a = {
      .space = PTX_TEXTURE, .bytes = 4, .mask = 1, .n_texels = rng_below(&r, PTX_TEXELS_MAX + 1), .texel = texel};
    uint32_t line = 32u << rng_below(&r, 3), spread = 1u << rng_below(&r, 14), want = 0;
    for (uint32_t i = 0; i < a.n_texels; i++) texel[i] = base + (uint64_t)rng_below(&r, spread) * 4;
    for (uint32_t i = 0; i < a.n_texels; i++) {
      bool fresh = true;
      for (uint32_t j = 0; j < i && fresh; j++) fresh = texel[j] / line != texel[i] / line;
      want += fresh;
    }
    struct segment segments[SEGMENTS_MAX];
    assert_int_equal(coalesce_texture(&a, line, segments), want);
  }
}

/* Yuan 2009, 2.1: 16 threads that read 64 consecutive bytes make one request; what half-warps share is not joined. */
static void test_half_warps_coalesce_by_themselves(void **state) {
  (void)state;
  struct ptx_access a = {.mask = UINT32_MAX, .bytes = 4};
  struct segment s[SEGMENTS_MAX];
  for (uint32_t i = 0; i < WARP_LANES; i++) a.address[i] = 0x1000 + 4 * i;
  assert_int_equal(coalesce_groups(&a, 32, 128, s), 1);
  assert_int_equal(coalesce_groups(&a, 16, 128, s), 2);
  assert_int_equal(coalesce_groups(&a, 16, 64, s), 2);
  assert_true(s[0].address == 0x1000 && s[0].bytes == 64 && s[1].address == 0x1040 && s[1].bytes == 64);
  for (uint32_t i = 0; i < WARP_LANES; i++) a.address[i] = 0x1000;
  assert_int_equal(coalesce_groups(&a, 16, 64, s), 2);
  a.mask = 0xffff0000;
  assert_int_equal(coalesce_groups(&a, 16, 64, s), 1);
  assert_int_equal(coalesce_groups(&a, 8, 64, s), 2);
}

/* 16 banks, half-warps: a stride of k words takes gcd(k, 16) cycles for each half. */
static void test_half_warps_meet_at_the_banks_by_themselves(void **state) {
  (void)state;
  for (uint32_t k = 1; k <= 16; k++) {
    struct ptx_access a = {.mask = UINT32_MAX, .bytes = 4};
    uint32_t degree = 16;
    while (k % degree) degree /= 2;
    for (uint32_t i = 0; i < WARP_LANES; i++) a.address[i] = 4 * k * i;
    assert_int_equal(shared_cost(&a, 0, 16, 16).cycles, 2 * degree);
    a.mask = 0x0000ffff;
    assert_int_equal(shared_cost(&a, 0, 16, 16).cycles, degree);
  }
}

/* The order is that of the first lane that touches a line. */
static void test_segments_come_in_lane_order(void **state) {
  (void)state;
  struct segment segments[SEGMENTS_MAX];
  struct ptx_access a = strided(base, 0, 4, 0xf);
  a.address[0] = base + 512, a.address[1] = base, a.address[2] = base + 516, a.address[3] = base + 256;
  assert_int_equal(coalesce_global(&a, 128, segments), 3);
  assert_int_equal(segments[0].line - base, 512);
  assert_int_equal(segments[0].bytes, 8);
  assert_int_equal(segments[1].line - base, 0);
  assert_int_equal(segments[2].line - base, 256);
}

/* Against a bitmap of the bytes touched. */
static void test_every_byte_lies_in_exactly_one_segment(void **state) {
  (void)state;
  enum { WINDOW = 2048 };
  const uint64_t seed = 7;
  struct rng rng;
  rng_seed(&rng, seed);
  printf("seed %llu\n", (unsigned long long)seed);
  for (uint32_t trial = 0; trial < 2000; trial++) {
    static uint8_t touched[WINDOW];
    struct segment s[SEGMENTS_MAX];
    uint32_t bytes = 1u << rng_below(&rng, 5), line = 32u << rng_below(&rng, 3), lines = 0;
    struct ptx_access a = strided(base, 0, bytes, rng_u32(&rng) | 1u << rng_below(&rng, 32));
    memset(touched, 0, sizeof touched);
    for (uint32_t l = 0; l < WARP_LANES; l++) {
      uint32_t offset = rng_below(&rng, WINDOW / bytes) * bytes;
      a.address[l] = base + offset;
      if (a.mask >> l & 1) memset(touched + offset, 1, bytes);
    }
    uint32_t n = coalesce_global(&a, line, s);
    for (uint32_t at = 0; at < WINDOW; at += line) {
      uint8_t *first = memchr(touched + at, 1, line);
      if (!first) continue;
      uint32_t last = at + line - 1, found = 0;
      while (!touched[last]) last--;
      lines++;
      for (uint32_t i = 0; i < n; i++) {
        if (s[i].line != base + at) continue;
        found++;
        assert_int_equal(s[i].address - base, first - touched);
        assert_int_equal(s[i].bytes, last - (uint32_t)(first - touched) + 1);
      }
      assert_int_equal(found, 1);
    }
    assert_int_equal(n, lines);
  }
}

static void test_equal_local_offsets_coalesce(void **state) {
  (void)state;
  struct segment s[SEGMENTS_MAX];
  struct ptx_access a = strided(40, 0, 4, UINT32_MAX);
  a.space = PTX_LOCAL;
  assert_int_equal(coalesce_local(&a, base, 128, s), 1);
  assert_int_equal(s[0].address - base, 10 * 128);
  assert_int_equal(s[0].bytes, 128);
  a.bytes = 8;
  assert_int_equal(coalesce_local(&a, base, 128, s), 2);
  for (uint32_t l = 0; l < WARP_LANES; l++) a.address[l] = l * 4; /* a different word each */
  a.bytes = 4;
  assert_int_equal(coalesce_local(&a, base, 128, s), 32);
  assert_int_equal(s[5].address - base, 5 * 128 + 5 * 4);
}

/* Who computed the addresses may say that they are in order or the same; nothing else comes out. */
static void test_known_order_changes_nothing(void **state) {
  (void)state;
  struct rng r;
  rng_seed(&r, 5);
  for (uint32_t i = 0; i < 2000; i++) {
    uint32_t bytes = 1u << rng_below(&r, 5), line = 32u << rng_below(&r, 3), stride = i % 2 ? bytes : 0;
    uint32_t banks = 1u << rng_below(&r, 7);
    struct ptx_access a = strided(base + (uint64_t)bytes * rng_below(&r, 300), stride, bytes, UINT32_MAX), known = a;
    struct segment s[SEGMENTS_MAX] = {0}, t[SEGMENTS_MAX] = {0};
    known.in_order = stride, known.same = !stride;
    uint32_t n = coalesce_global(&a, line, s);
    assert_int_equal(coalesce_global(&known, line, t), n);
    assert_memory_equal(s, t, n * sizeof *s);
    struct shared_cost c = shared_cost(&a, 128 * i, banks, 32), d = shared_cost(&known, 128 * i, banks, 32);
    assert_int_equal(c.cycles, d.cycles);
    assert_int_equal(c.conflicts, d.conflicts);
  }
}

/* ---- shared memory ---- */

static void test_stride_k_conflicts_k_times(void **state) {
  (void)state;
  for (uint32_t k = 1; k <= 32; k *= 2) {
    struct ptx_access a = strided(0, 4 * k, 4, UINT32_MAX);
    struct shared_cost cost = shared_cost(&a, 0, 32, 32);
    assert_int_equal(cost.cycles, k);
    assert_int_equal(cost.conflicts, k - 1);
  }
  for (uint32_t k = 1; k < 32; k += 2) { /* odd strides never conflict */
    struct ptx_access a = strided(0, 4 * k, 4, UINT32_MAX);
    assert_int_equal(shared_cost(&a, 0, 32, 32).cycles, 1);
  }
}

static void test_one_word_is_broadcast_but_atomics_take_turns(void **state) {
  (void)state;
  struct ptx_access a = strided(64, 0, 4, UINT32_MAX);
  assert_int_equal(shared_cost(&a, 0, 32, 32).cycles, 1);
  a.atomic = true;
  assert_int_equal(shared_cost(&a, 0, 32, 32).cycles, 32);
  struct ptx_access bytes = strided(0, 1, 1, UINT32_MAX); /* 8 words, 4 lanes each */
  assert_int_equal(shared_cost(&bytes, 0, 32, 32).cycles, 1);
}

static void test_wide_accesses_go_in_phases(void **state) {
  (void)state;
  struct ptx_access eight = strided(0, 8, 8, UINT32_MAX), sixteen = strided(0, 16, 16, UINT32_MAX);
  assert_int_equal(shared_cost(&eight, 0, 32, 32).cycles, 2);
  assert_int_equal(shared_cost(&eight, 0, 32, 32).conflicts, 0);
  assert_int_equal(shared_cost(&sixteen, 0, 32, 32).cycles, 4);
  eight.mask = 0xffff; /* one half only */
  assert_int_equal(shared_cost(&eight, 0, 32, 32).cycles, 1);
}

/* Against a table of bank and word. */
static void test_conflicts_equal_the_fullest_bank(void **state) {
  (void)state;
  const uint64_t seed = 11;
  struct rng rng;
  rng_seed(&rng, seed);
  printf("seed %llu\n", (unsigned long long)seed);
  for (uint32_t trial = 0; trial < 2000; trial++) {
    enum { WORDS = 512 };
    static uint8_t wanted[WORDS];
    uint32_t banks = 1 + rng_below(&rng, 64), in_bank[64] = {0}, most = 0, slice = 128 * rng_below(&rng, 3);
    struct ptx_access a = strided(0, 0, 4, rng_u32(&rng) | 1);
    memset(wanted, 0, sizeof wanted);
    for (uint32_t l = 0; l < WARP_LANES; l++) {
      a.address[l] = 4 * rng_below(&rng, 300);
      if (a.mask >> l & 1) wanted[(a.address[l] + slice) / 4] = 1;
    }
    for (uint32_t w = 0; w < WORDS; w++)
      if (wanted[w] && ++in_bank[w % banks] > most) most = in_bank[w % banks];
    assert_int_equal(shared_cost(&a, slice, banks, 32).cycles, most);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_published_patterns_give_the_known_number_of_segments),
    cmocka_unit_test(test_known_order_changes_nothing),
    cmocka_unit_test(test_constant_segments_are_the_distinct_blocks_of_each_group),
    cmocka_unit_test(test_a_fetch_touches_the_distinct_lines_of_its_elements),
    cmocka_unit_test(test_a_filtered_fetch_touches_the_lines_of_all_its_elements),
    cmocka_unit_test(test_half_warps_coalesce_by_themselves),
    cmocka_unit_test(test_half_warps_meet_at_the_banks_by_themselves),
    cmocka_unit_test(test_segments_come_in_lane_order),
    cmocka_unit_test(test_every_byte_lies_in_exactly_one_segment),
    cmocka_unit_test(test_equal_local_offsets_coalesce),
    cmocka_unit_test(test_stride_k_conflicts_k_times),
    cmocka_unit_test(test_one_word_is_broadcast_but_atomics_take_turns),
    cmocka_unit_test(test_wide_accesses_go_in_phases),
    cmocka_unit_test(test_conflicts_equal_the_fullest_bank),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
