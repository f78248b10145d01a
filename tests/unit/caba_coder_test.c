/* SPDX-License-Identifier: Apache-2.0 */
/* slice: caba */
/* Does the coder of lines give the image of bdi_enc, byte by byte, and does each image stand for its line, by the coder and by bdi_dec? And the two
 * kinds of a line's base, and vectors worked out by hand. With an argument: the first of these laws for so many lines. */
#include "base/rng.h"
#include "bdi_dec_ports.h"
#include "bdi_enc_ports.h"
#include "kit/block_bench.h"
#include "systems/caba/coder.h"

#include <stdlib.h>

BLOCK_BENCH(bdi_enc);
struct decoder {
  BENCH_FIELDS(bdi_dec);
};
NAMED_BENCH_FUNCTIONS(decoder, decoder, bdi_dec);

enum { SEED = 0xbd1, LINES = 20000, STAGES = 5 };
static uint32_t lines = LINES;

static void put(uint8_t *at, uint32_t n, uint64_t value) {
  for (uint32_t i = 0; i < n; i++) at[i] = (uint8_t)(value >> 8 * i);
}

/* Numbers around zero and around a base, of one size, some of them just too far; or zeros, one value, noise. */
static void make_line(struct rng *g, uint8_t *line) {
  static const uint8_t lanes[] = {8, 8, 8, 4, 4, 2}, widths[] = {1, 2, 4, 1, 2, 1};
  uint32_t kind = rng_below(g, 9), lane = kind < 6 ? lanes[kind] : 8;
  uint64_t base = rng_u64(g) >> rng_below(g, 64), span = UINT64_C(2) << (8 * widths[kind % 6] - 1);
  for (uint32_t i = 0; i < CABA_LINE / lane; i++) {
    uint64_t value = rng_u64(g) % span - span / 2;
    if (!rng_below(g, 40)) value = rng_below(g, 2) ? span / 2 : span / 2 - 1;
    if (rng_below(g, 2)) value += base;
    if (kind == 6) value = 0;
    if (kind == 7) value = base;
    if (kind == 8) value = rng_u64(g);
    put(line + i * lane, lane, value);
  }
  if (!rng_below(g, 20)) line[rng_below(g, CABA_LINE)] ^= (uint8_t)rng_below(g, 256);
}

/* The line that bdi_dec makes of an image. */
static const uint8_t *decoded(struct decoder *d, uint32_t code, const uint32_t *image) {
  d->in.enc = (uint8_t)code;
  memcpy(d->in.image, image, CABA_LINE);
  decoder_settle(d);
  return (const uint8_t *)d->out.line;
}

static void agree(struct bdi_enc_cfg cfg, struct caba_coder coder) {
  struct bench b;
  struct decoder d;
  struct rng g;
  uint8_t line[STAGES + 1][CABA_LINE], image[CABA_LINE], again[CABA_LINE];
  uint32_t of_bytes[CABA_LINE + 1] = {0}, kinds = 0;
  rng_seed(&g, SEED);
  bench_open(&b, cfg);
  decoder_open(&d, (struct bdi_dec_cfg){.LINE = CABA_LINE});
  for (uint32_t n = 0; n < lines + STAGES; n++) {
    uint8_t *new = line[n % (STAGES + 1)];
    make_line(&g, new);
    b.in.in_valid = 1;
    memcpy(b.in.in_line, new, CABA_LINE);
    struct bdi_enc_out out = *bench_cycle(&b);
    if (n < STAGES) continue;
    const uint8_t *old = line[(n - STAGES) % (STAGES + 1)];
    uint32_t bytes = caba_encode(&coder, old, image);
    assert_int_equal(out.out_valid, 1);
    assert_int_equal(out.len, bytes);
    if (bytes < CABA_LINE) assert_int_equal(out.enc, image[0] & 15);
    if (bytes < CABA_LINE) assert_memory_equal(out.image, image, bytes);
    caba_decode(image, bytes, again);
    assert_memory_equal(again, old, CABA_LINE);
    assert_memory_equal(decoded(&d, out.enc, out.image), old, CABA_LINE);
    kinds += !of_bytes[bytes]++;
  }
  print_message("seed 0x%x: %u lines, %u different lengths, %u plain\n", SEED, lines, kinds, of_bytes[CABA_LINE]);
  assert_true(kinds >= 5 && of_bytes[CABA_LINE] > 100);
  bench_close(&b);
  decoder_close(&d);
}

static void test_images_are_those_of_the_block(void **unused) {
  (void)unused;
  agree((struct bdi_enc_cfg){.LINE = CABA_LINE, .BASE_MODE = 0, .MOST = 96}, (struct caba_coder){true, 96});
  agree((struct bdi_enc_cfg){.LINE = CABA_LINE, .BASE_MODE = 1, .MOST = 96}, (struct caba_coder){false, 96});
  agree((struct bdi_enc_cfg){.LINE = CABA_LINE, .BASE_MODE = 1, .MOST = 48}, (struct caba_coder){false, 48});
}

/* The bytes of the codes are those of the table in the specification: a burst of 32 bytes for 32, two for 44 and 48, three for 76, 80. */
static void test_by_hand(void **unused) {
  (void)unused;
  static const struct {
    uint64_t step, base;
    uint32_t lane, bytes;
  } rows[] = {{0, 0, 8, 1},           {0, 0x123456789a, 8, 16},
              {7, 0x8001d000, 8, 32}, {200, UINT64_C(1) << 40, 8, 48},
              {3, 100000, 4, 44},     {900, 0x40000000, 4, 76},
              {1, 30000, 2, 80},      {UINT64_C(1) << 26, UINT64_C(1) << 60, 8, 80}};
  const struct caba_coder coder = {true, 96};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    uint8_t line[CABA_LINE], image[CABA_LINE];
    for (uint32_t i = 0; i < CABA_LINE / rows[r].lane; i++)
      put(line + i * rows[r].lane, rows[r].lane, rows[r].base + i * rows[r].step);
    assert_int_equal(caba_encode(&coder, line, image), rows[r].bytes);
  }
}

static void test_a_first_value_of_its_own_decides_by_the_kind_of_base(void **unused) {
  (void)unused;
  uint8_t line[CABA_LINE], image[CABA_LINE];
  for (uint32_t i = 0; i < 16; i++)
    put(line + 8 * i, 8, i ? 0x7012345678901234 + i : 1); /* the first is small, the others are not */
  assert_int_equal(caba_encode(&(struct caba_coder){true, 96}, line, image), CABA_LINE);
  assert_int_equal(caba_encode(&(struct caba_coder){false, 96}, line, image), 32);
}

static void test_many_lines(void **unused) {
  (void)unused;
  agree((struct bdi_enc_cfg){.LINE = CABA_LINE, .BASE_MODE = 0, .MOST = 96}, (struct caba_coder){true, 96});
}

int main(int argc, char **argv) {
  const struct CMUnitTest many[] = {cmocka_unit_test(test_many_lines)};
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_images_are_those_of_the_block),
    cmocka_unit_test(test_by_hand),
    cmocka_unit_test(test_a_first_value_of_its_own_decides_by_the_kind_of_base),
  };
  if (argc > 1) {
    lines = (uint32_t)strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(many, NULL, NULL);
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}
