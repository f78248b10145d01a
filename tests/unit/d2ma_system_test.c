/* SPDX-License-Identifier: Apache-2.0 */
/* Does the D2MA system move exactly the right bytes? (Jamshidi 2014, 4.2.) They are compared with a
 * direct enumeration of the elements on the host. */
#include "kit/d2ma_rig.h"
#include "systems/d2ma/tables.h"

/* ---- transfers ---- */

/* A configuration, as a program writes it. */
struct tile {
  uint32_t log2_bytes, columns, rows, stride; /* rows 0: flat */
  uint32_t halo_rows, halo_columns, region, words;
  int32_t constant;
  bool halo, bank;
  uint64_t source; /* byte offset into the rig's source; halo: of the interior's first element */
  uint32_t shared; /* byte offset into the slice of CTA slot 0 */
};

static const char *const datatype[] = {"dma_set_datatype_char", "dma_set_datatype_short", "dma_set_datatype_float",
                                       "dma_set_datatype_double"};

static void configure(struct rig *r, const struct tile *t, uint64_t buf) {
  uint64_t s = rig_pointer(t->shared), g = r->source + t->source;
  RIG_OP(r, 0, 0, datatype[t->log2_bytes], buf);
  if (t->halo)
    RIG_OP(r, 0, 0, "dma_set_halo", U(t->halo_rows), U(t->halo_columns), U(t->region), U((uint32_t)t->constant), buf);
  if (t->bank) RIG_OP(r, 0, 0, "dma_set_bank_conflict", U(t->words), buf);
  if (t->rows) RIG_OP(r, 0, 0, "dma_configure_2d", s, g, U(t->columns), U(t->rows), U(t->stride), buf);
  else if (t->stride == 1) RIG_OP(r, 0, 0, "dma_configure_flat_unit_stride", s, g, U(t->columns), buf);
  else RIG_OP(r, 0, 0, "dma_configure_flat_strided", s, g, U(t->columns), U(t->stride), buf);
}

static bool on_border(const struct tile *t, int64_t row, int64_t column) {
  /* regions in reading order around the interior: 1 2 3 / 4 9 5 / 6 7 8; mask bits 7..4: N S W E */
  static const char *const sides[] = {"", "NW", "N", "NE", "W", "E", "SW", "S", "SE", ""};
  char borders[8];
  snprintf(borders, sizeof borders, "%s%s%s%s%s", sides[t->region & 15], t->region & 0x80 ? "N" : "",
           t->region & 0x40 ? "S" : "", t->region & 0x20 ? "W" : "", t->region & 0x10 ? "E" : "");
  int64_t height = t->rows ? t->rows : 1;
  return (row < 0 && strchr(borders, 'N')) || (row >= height && strchr(borders, 'S')) ||
         (column < 0 && strchr(borders, 'W')) || (column >= t->columns && strchr(borders, 'E'));
}

/* What shared memory must look like: element by element. Returns the bytes written; counts[0]
 * constants, [1] loads. */
static uint32_t expect(const struct rig *r, const struct tile *t, uint8_t *shared, uint32_t counts[2]) {
  uint32_t bytes = 1u << t->log2_bytes, written = 0;
  int64_t height = t->rows ? t->rows : 1, hr = t->halo ? t->halo_rows : 0, hc = t->halo ? t->halo_columns : 0;
  int64_t row_step = t->rows || t->halo ? t->stride : 0, column_step = t->rows || t->halo ? 1 : t->stride;
  uint32_t at = t->shared, words = 0;
  counts[0] = counts[1] = 0;
  for (int64_t row = -hr; row < height + hr; row++) {
    for (int64_t column = -hc; column < t->columns + hc; column++) {
      bool constant = t->halo && on_border(t, row, column);
      int64_t value = (int16_t)t->constant;
      if (constant) memcpy(shared + at, &value, bytes);
      else
        memcpy(shared + at, rig_source(r, t->source + (uint64_t)((row * row_step + column * column_step) * bytes)),
               bytes);
      counts[!constant]++;
      written += bytes;
      at += bytes;
      words += bytes; /* a pad after `words` words in each of 32 banks */
      if (t->bank && t->words && words == t->words * 128) at += bytes > 4 ? bytes : 4, words = 0;
    }
  }
  return written;
}

static void check_tile(struct rig *r, const struct tile *t, const char *what) {
  uint8_t *want = malloc(RIG_SHARED);
  uint32_t counts[2];
  uint64_t before = d2ma_counters(&r->counters)->d2ma_bytes + d2ma_counters(&r->counters)->d2ma_constant_bytes,
           errors = d2ma_counters(&r->counters)->d2ma_program_errors;
  memcpy(want, r->shared, RIG_SHARED);
  uint32_t written = expect(r, t, want, counts);
  configure(r, t, 0);
  rig_drain(r);
  for (uint32_t i = 0; i < RIG_SHARED; i++)
    if (want[i] != r->shared[i]) fail_msg("%s: shared byte %u is 0x%02x, want 0x%02x", what, i, r->shared[i], want[i]);
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_bytes + d2ma_counters(&r->counters)->d2ma_constant_bytes - before,
                   written);
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_program_errors, errors);
  free(want);
}

static void test_a_unit_stride_buffer_takes_three_requests_in_three_cycles(void **state) {
  (void)state;
  struct rig *r = rig_start(1);
  struct tile t = {.log2_bytes = 2, .columns = 64, .stride = 1, .source = 0x10, .shared = 0x200};
  check_tile(r, &t, "unit");
  assert_int_equal(r->n_requests, 3);
  for (uint32_t i = 0; i < 3; i++) {
    assert_int_equal(r->request[i].address, r->source + i * 0x80);
    assert_int_equal(r->request[i].cycle, r->request[0].cycle + i);
  }
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_transfers, 1);
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_requests, 3);
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_agen_cycles,
                   6); /* the entry's turn, its read, the generator, its request: then the last leaves two cycles on */
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_mem_cycles, 40); /* the latency of the last one */
  rig_destroy(r);
}

static void test_a_strided_buffer_asks_only_for_new_segments(void **state) {
  (void)state;
  struct rig *r = rig_start(1);
  struct tile t = {.log2_bytes = 2, .columns = 8, .stride = 16, .source = 0x1000, .shared = 0};
  check_tile(r, &t, "stride 16");
  assert_int_equal(r->n_requests, 4);
  for (uint32_t i = 0; i < 4; i++) {
    assert_int_equal(r->request[i].address, r->source + 0x1000 + i * 0x80);
    assert_int_equal(r->request[i].cycle, r->request[0].cycle + 2 * i);
  }
  rig_destroy(r);
  r = rig_start(1);
  t.stride = 5;
  check_tile(r, &t, "stride 5");
  assert_int_equal(r->n_requests, 2);
  assert_int_equal(r->request[1].address, r->source + 0x1080);
  /* the first element's request leaves when the eighth shows that the segment holds seven; the last with the end */
  assert_int_equal(r->request[0].cycle, 1 + 4 + 6);
  assert_int_equal(r->request[1].cycle, r->request[0].cycle + 1);
  rig_destroy(r);
}

static void test_bank_padding_leaves_a_word_after_every_32_words(void **state) {
  (void)state;
  struct rig *r = rig_start(1);
  struct tile t = {
    .log2_bytes = 2, .columns = 32, .rows = 32, .stride = 100, .bank = true, .words = 1, .shared = 0x400};
  r->no_replies = true;
  configure(r, &t, 0);
  rig_run(r, 30);                                                      /* until the footprint is known */
  assert_true(rig_access(r, 0, 0, 0x400 + 4219, 0x400 + 4219, false)); /* footprint 4220 */
  assert_false(rig_access(r, 0, 0, 0x400 + 4220, 0x400 + 4300, false));
  r->no_replies = false;
  rig_drain(r);
  for (uint32_t row = 0; row < 32; row++)
    assert_memory_equal(r->shared + 0x400 + 132 * row, rig_source(r, 400 * row), 128);
  for (uint32_t row = 0; row < 31; row++) assert_int_equal(r->shared[0x400 + 132 * row + 128], 0xee);
  rig_destroy(r);
}

static void test_a_halo_is_loaded_inside_and_constant_at_the_border(void **state) {
  (void)state;
  static const uint32_t constants[10] = {0, 35, 18, 35, 18, 18, 35, 18, 35, 0}; /* of 324, tile 16 x 16 */
  for (uint32_t region = 1; region <= 9; region++) {
    struct rig *r = rig_start(1);
    struct tile t = {.log2_bytes = 2,
                     .columns = 16,
                     .rows = 16,
                     .stride = 48,
                     .halo = true,
                     .halo_rows = 1,
                     .halo_columns = 1,
                     .region = region,
                     .constant = -7,
                     .source = 4096 + 8,
                     .shared = 96};
    check_tile(r, &t, "halo");
    assert_int_equal(d2ma_counters(&r->counters)->d2ma_constant_bytes, 4 * constants[region]);
    assert_int_equal(d2ma_counters(&r->counters)->d2ma_bytes, 4 * (324 - constants[region]));
    rig_destroy(r);
  }
}

static struct tile random_tile(struct rng *g) {
  struct tile t = {.log2_bytes = rng_below(g, 4), .stride = 1};
  uint32_t kind = rng_below(g, 5), bytes = 1u << t.log2_bytes;
  t.bank = rng_percent(g, 30);
  t.words = rng_below(g, 4);
  if (kind >= 2) {
    t.columns = 1 + rng_below(g, 40);
    t.rows = 1 + rng_below(g, 20);
    t.stride = t.columns + rng_below(g, 60);
  } else {
    t.columns = 1 + rng_below(g, 600);
    if (kind == 1) t.stride = 1 + rng_below(g, 70);
  }
  if (kind == 4) {
    t.halo = true, t.bank = false;
    t.halo_rows = rng_below(g, t.rows < 4 ? t.rows + 1 : 4),
    t.halo_columns = rng_below(g, t.columns < 4 ? t.columns + 1 : 4);
    t.region = 1 + rng_below(g, 9) + (rng_percent(g, 30) ? rng_below(g, 16) << 4 : 0);
    t.constant = (int32_t)rng_below(g, 65536) - 32768;
  }
  t.source = 8192 + (uint64_t)rng_below(g, 600) * bytes;
  t.shared = rng_below(g, 100) * (t.bank ? 8 : bytes);
  return t;
}

static void test_every_transfer_moves_exactly_its_bytes(void **state) {
  (void)state;
  static const int64_t segments[] = {32, 64, 128};
  struct rng g;
  rng_seed(&g, 7);
  for (uint32_t i = 0; i < 1500; i++) {
    struct gpu_config m = rig_config();
    OWNED(d2ma, m)->segment = segments[i % 3];
    struct rig *r = rig_create(m, i % 2, i);
    char what[32];
    r->min_latency = 5, r->max_latency = 60;
    snprintf(what, sizeof what, "seed 7, transfer %u", i);
    d2ma_system.cta_start(r->self, 0, 0, 1, 0, RIG_SLICE);
    struct tile t = random_tile(&g);
    check_tile(r, &t, what);
    assert_int_equal(d2ma_counters(&r->counters)->d2ma_transfers, 1);
    rig_destroy(r);
  }
}

static void test_several_buffers_move_at_once_and_in_order_of_ignition(void **state) {
  (void)state;
  struct rig *r = rig_start(1);
  for (uint32_t b = 0; b < 4; b++) {
    struct tile t = {.log2_bytes = 2, .columns = 512, .stride = 1, .source = b * 8192, .shared = b * 2048};
    configure(r, &t, b);
  }
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_transfers, 0);
  rig_drain(r);
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_transfers, 4);
  assert_int_equal(r->n_requests, 64);
  for (uint32_t i = 0; i < 64; i++) assert_int_equal(r->request[i].address, r->source + i / 16 * 8192 + i % 16 * 128);
  for (uint32_t b = 0; b < 4; b++) assert_memory_equal(r->shared + b * 2048, rig_source(r, b * 8192), 2048);
  rig_destroy(r);
}

static void test_a_buffer_of_nothing_is_done_at_once(void **state) {
  (void)state;
  struct rig *r = rig_start(1);
  struct tile t = {.log2_bytes = 2, .columns = 0, .stride = 1};
  configure(r, &t, 0);
  assert_false(d2ma_system.scoreboard->shared_needs_check(r->self, 0, false));
  assert_true(d2ma_system.cta_may_retire(r->self, 0) || (rig_run(r, 1), d2ma_system.cta_may_retire(r->self, 0)));
  assert_int_equal(r->n_requests, 0);
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_program_errors, 0);
  rig_destroy(r);
}

/* ---- resources ---- */

static void test_the_generator_waits_for_mshrs_and_for_the_port(void **state) {
  (void)state;
  struct gpu_config m = rig_config();
  OWNED(d2ma, m)->demand_mshrs = 4;
  struct rig *r = rig_create(m, true, 1);
  d2ma_system.cta_start(r->self, 0, 0, 1, 0, RIG_SLICE);
  r->reserved_mshrs = RIG_MSHRS - 4;
  RIG_OP(r, 0, 0, "dma_configure_flat_unit_stride", rig_pointer(0), r->source, U(1024), U(0));
  rig_run(r, 10);
  assert_int_equal(r->n_requests, 0);
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_mshr_stalls, 7); /* the request waits from the fourth cycle on */
  r->reserved_mshrs = 0;
  r->port_busy = true;
  rig_run(r, 5);
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_port_losses, 5);
  assert_int_equal(r->n_requests, 0);
  r->port_busy = false;
  rig_drain(r);
  assert_int_equal(r->n_requests, 8);
  assert_memory_equal(r->shared, rig_source(r, 0), 1024);
  rig_destroy(r);
}

static void test_constants_wait_for_the_shared_port(void **state) {
  (void)state;
  struct rig *r = rig_start(1);
  struct tile t = {.log2_bytes = 2,
                   .columns = 16,
                   .rows = 16,
                   .stride = 48,
                   .halo = true,
                   .halo_rows = 1,
                   .halo_columns = 1,
                   .region = 1,
                   .constant = 5,
                   .source = 4096,
                   .shared = 0};
  r->shared_busy = true;
  configure(r, &t, 0);
  rig_run(r, 300);
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_bytes, 289 * 4); /* fills win over warps */
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_constant_bytes, 0);
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_transfers, 0);
  r->shared_busy = false;
  rig_drain(r);
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_constant_bytes, 35 * 4);
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_transfers, 1);
  rig_destroy(r);
}

static void test_a_fill_split_by_a_pad_takes_two_port_cycles(void **state) {
  (void)state;
  struct rig *r = rig_start(1);
  struct tile t = {.log2_bytes = 2, .columns = 64, .stride = 1, .bank = true, .words = 1, .source = 64};
  check_tile(r, &t, "padded"); /* segments of 64, 128, 64 bytes; the pad is after 128 bytes: inside the second */
  assert_int_equal(r->n_requests, 3);
  assert_int_equal(r->shared_taken, 4);
  rig_destroy(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_unit_stride_buffer_takes_three_requests_in_three_cycles),
    cmocka_unit_test(test_a_strided_buffer_asks_only_for_new_segments),
    cmocka_unit_test(test_bank_padding_leaves_a_word_after_every_32_words),
    cmocka_unit_test(test_a_halo_is_loaded_inside_and_constant_at_the_border),
    cmocka_unit_test(test_every_transfer_moves_exactly_its_bytes),
    cmocka_unit_test(test_several_buffers_move_at_once_and_in_order_of_ignition),
    cmocka_unit_test(test_a_buffer_of_nothing_is_done_at_once),
    cmocka_unit_test(test_the_generator_waits_for_mshrs_and_for_the_port),
    cmocka_unit_test(test_constants_wait_for_the_shared_port),
    cmocka_unit_test(test_a_fill_split_by_a_pad_takes_two_port_cycles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
