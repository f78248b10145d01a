/* SPDX-License-Identifier: Apache-2.0 */
/* slice: caba */
/* Do the routines of assist warps code lines as the block and independent coders do, byte by byte, and does each image give its line back?
 * Executed are the words that the assist warp store delivers. */
#include "base/err.h"
#include "bdi_enc_ports.h"
#include "caba_aws_ports.h"
#include "kit/block_bench.h"
#include "kit/line_coders.h"
#include "systems/caba/assist.h"
#include "systems/caba/routines.h"
#include "systems/caba/samples.h"

BLOCK_BENCH(bdi_enc);

struct store_bench {
  BENCH_FIELDS(caba_aws);
};
NAMED_BENCH_FUNCTIONS(store, store_bench, caba_aws);

enum { SEED = 0xca8, LINES = 20000, STAGES = 5 };

static struct aws_store load(enum caba_algorithm a) {
  struct aws_store s = {0};
  struct err e = {0};
  if (caba_load_algorithm(a, &s, &e)) fail_msg("%s", e.text);
  return s;
}

static uint32_t run(const struct aws_store *s, const struct aws_routine *r, uint8_t *line) {
  static struct assist_warp w; /* registers keep what the call before left */
  uint32_t count[AWS_UNITS] = {0};
  assist_begin(&w, UINT32_MAX, line, 0);
  assist_run(&w, &s->word[r->base], r->words, count);
  if (w.fault) fail_msg("%s %s", r->name, assist_fault_sentence(w.fault));
  return w.length;
}

/* Compresses `line` into `image`, and checks that decompression of that gives the line. Bytes, 0: plain. */
static uint32_t there_and_back(const struct aws_store *s, uint8_t algorithm, const uint8_t *line, uint8_t *image) {
  uint8_t again[AWS_LINE];
  const struct aws_routine *c = caba_routine_for(s, AWS_STORE, algorithm);
  assert_non_null(c);
  memcpy(image, line, AWS_LINE);
  uint32_t bytes = run(s, c, image);
  memset(again, 0xa5, sizeof again);
  memcpy(again, image, bytes ? bytes : AWS_LINE); /* what does not travel is not needed */
  if (bytes) run(s, caba_routine_for(s, AWS_FILL, image[0]), again);
  assert_memory_equal(again, line, AWS_LINE);
  return bytes;
}

static void test_base_and_deltas_as_the_block(void **unused) {
  (void)unused;
  static struct aws_store s;
  struct bench b;
  struct rng g;
  uint8_t line[STAGES + 1][AWS_LINE], image[AWS_LINE];
  uint32_t of_code[16] = {0};
  s = load(CABA_BDI);
  rng_seed(&g, SEED);
  bench_open(&b, (struct bdi_enc_cfg){.LINE = AWS_LINE, .BASE_MODE = 0, .MOST = AWS_MOST});
  for (uint32_t n = 0; n < LINES + STAGES; n++) {
    caba_sample_line(&g, n % 8 ? CABA_SAMPLE_BDI : (enum caba_sample)(n / 8 % CABA_SAMPLES), line[n % (STAGES + 1)]);
    b.in.in_valid = 1;
    memcpy(b.in.in_line, line[n % (STAGES + 1)], AWS_LINE);
    struct bdi_enc_out out = *bench_cycle(&b);
    if (n < STAGES) continue;
    uint32_t bytes = there_and_back(&s, 0x10, line[(n - STAGES) % (STAGES + 1)], image);
    assert_int_equal(bytes ? bytes : AWS_LINE, out.len);
    if (bytes) assert_memory_equal(image, out.image, bytes);
    if (bytes) assert_int_equal(image[0], 0x10 | out.enc);
    of_code[bytes ? out.enc : 15]++;
  }
  for (uint32_t code = 0; code < 8; code++) assert_true(of_code[code] > 100);
  assert_true(of_code[15] > 100);
  bench_close(&b);
}

static void agree(enum caba_algorithm algorithm, uint8_t code, uint32_t (*coder)(const uint8_t *, uint8_t *),
                  uint32_t *of_bytes) {
  static struct aws_store s;
  struct rng g;
  uint8_t line[AWS_LINE], image[AWS_LINE], expected[AWS_LINE];
  s = load(algorithm);
  rng_seed(&g, SEED + code);
  for (uint32_t n = 0; n < LINES; n++) {
    enum caba_sample own = algorithm == CABA_FPC ? CABA_SAMPLE_FPC : CABA_SAMPLE_C_PACK;
    caba_sample_line(&g, n % 8 ? own : (enum caba_sample)(n / 8 % CABA_SAMPLES), line);
    uint32_t bytes = there_and_back(&s, code, line, image);
    assert_int_equal(bytes, coder(line, expected));
    assert_memory_equal(image, bytes ? expected : line, bytes ? bytes : AWS_LINE);
    of_bytes[bytes]++;
  }
}

static void test_frequent_patterns_as_an_independent_coder(void **unused) {
  (void)unused;
  uint32_t of_bytes[AWS_LINE] = {0}, lengths = 0;
  agree(CABA_FPC, 0x20, fpc_image, of_bytes);
  for (uint32_t i = 0; i < AWS_LINE; i++) lengths += of_bytes[i] > 0;
  assert_true(lengths >= 12 && of_bytes[0] > 100 && of_bytes[AWS_MOST - 4] > 0);
}

static void test_a_dictionary_as_an_independent_coder(void **unused) {
  (void)unused;
  uint32_t of_bytes[AWS_LINE] = {0};
  agree(CABA_C_PACK, 0x30, c_pack_image, of_bytes);
  assert_true(of_bytes[0] > 100 && of_bytes[32] > 100 && of_bytes[64] > 100);
}

/* By hand: the five words 0x100, 0x201, 0x3fe, 5, 0x100, and zeros: three of a dictionary, with low bytes 0, 1, 0xfe, 5. */
static void test_images_by_hand(void **unused) {
  (void)unused;
  static struct aws_store s;
  uint8_t line[AWS_LINE] = {0, 1, 0, 0, 1, 2, 0, 0, 0xfe, 3, 0, 0, 5, 0, 0, 0, 0, 1}, image[AWS_LINE];
  static const uint8_t dictionary[] = {0x31, 3, 0, 0, 0x15, 0, 0,    0, 6, 0, 0, 0, 0, 0, 0, 0, 0,    1,
                                       0,    0, 1, 2, 0,    0, 0xfe, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0xfe, 5};
  static const uint8_t patterns[] = {0x20, 0, 3, 0, 0, 1, 1, 2, 0xfe, 3, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0};
  s = load(CABA_C_PACK);
  assert_int_equal(there_and_back(&s, 0x30, line, image), 64);
  assert_memory_equal(image, dictionary, sizeof dictionary);
  s = load(CABA_FPC);
  assert_int_equal(there_and_back(&s, 0x20, line, image), 20);
  assert_memory_equal(image, patterns, sizeof patterns);
}

/* ---- the store's own words ---- */

static void write_store(struct store_bench *b, const struct aws_store *s) {
  for (uint32_t n = 0; n < s->n_words; n++) {
    b->in.ld_en = 1, b->in.ld_at = (uint16_t)n, b->in.ld_word = s->word[n];
    store_cycle(b);
  }
  for (uint32_t n = 0; n < s->n_routines; n++) {
    b->in.dir_en = 1, b->in.dir_sr = (uint8_t)n, b->in.dir_base = s->routine[n].base,
    b->in.dir_len = s->routine[n].words;
    store_cycle(b);
  }
}

static uint32_t run_from_block(struct store_bench *b, uint32_t routine, uint8_t *line) {
  static struct assist_warp w;
  assist_begin(&w, UINT32_MAX, line, 0);
  while (!w.ended && !w.fault) {
    uint32_t first = w.pc;
    b->in.rd_en = 1, b->in.rd_sr = (uint8_t)routine, b->in.rd_inst = (uint8_t)first;
    store_cycle(b);
    const struct caba_aws_out out = *store_cycle(b);
    const uint64_t word[] = {out.word0, out.word1};
    assert_true(out.n == 1 || out.n == 2);
    for (uint32_t k = 0; k < 2 && k < out.n && w.pc == first + k && !w.ended; k++) {
      struct aws_instruction i;
      assert_true(aws_decode(word[k], &i));
      assert_int_equal(i.end, out.last && k + 1 == out.n);
      assist_execute(&w, &i);
    }
  }
  assert_int_equal(w.fault, ASSIST_FINE);
  return w.length;
}

static void test_what_the_store_delivers_is_what_executes(void **unused) {
  (void)unused;
  static struct aws_store s;
  struct store_bench b;
  struct err e;
  struct rng g;
  s = (struct aws_store){0};
  for (int a = 0; a < CABA_N_ALGORITHMS; a++) assert_int_equal(caba_load_algorithm((enum caba_algorithm)a, &s, &e), 0);
  store_open(&b, (struct caba_aws_cfg){.WORDS = AWS_WORDS, .ROUTINES = AWS_ROUTINES});
  write_store(&b, &s);
  rng_seed(&g, SEED + 1);
  for (uint32_t n = 0; n < 600; n++) {
    uint8_t line[AWS_LINE], image[AWS_LINE], direct[AWS_LINE];
    uint8_t algorithm = (uint8_t)(n % 3 + 1);
    caba_sample_line(&g, (enum caba_sample)(n % 3), line);
    memcpy(image, line, sizeof image);
    uint32_t bytes =
      run_from_block(&b, (uint32_t)(caba_routine_for(&s, AWS_STORE, (uint8_t)(algorithm << 4)) - s.routine), image);
    assert_int_equal(bytes, there_and_back(&s, (uint8_t)(algorithm << 4), line, direct));
    assert_memory_equal(image, direct, AWS_LINE);
    if (bytes) run_from_block(&b, (uint32_t)(caba_routine_for(&s, AWS_FILL, image[0]) - s.routine), image);
    assert_memory_equal(image, line, AWS_LINE);
  }
  store_close(&b);
}

/* Counted by hand in the texts: what has no branch executes all its words; c_bdi 11 for zeros, 85 for 8 bytes with deltas of 4, which is
 * tried last. */
static void test_instructions_executed(void **unused) {
  (void)unused;
  static struct aws_store s;
  struct caba_executed x[AWS_ROUTINES];
  struct err e;
  s = (struct aws_store){0};
  for (int a = 0; a < CABA_N_ALGORITHMS; a++) assert_int_equal(caba_load_algorithm((enum caba_algorithm)a, &s, &e), 0);
  caba_count_executed(&s, x);
  for (uint32_t k = 0; k < s.n_routines; k++) {
    const struct aws_routine *r = &s.routine[k];
    bool straight = r->event == AWS_FILL && strcmp(r->name, "d_fpc") != 0;
    assert_non_null(caba_hand_count(r->name));
    assert_true(x[k].calls > 20);
    assert_int_equal(x[k].most, x[k].of[AWS_ARITHMETIC] + x[k].of[AWS_MEMORY] + x[k].of[AWS_FLOW]);
    if (straight) assert_int_equal(x[k].least, r->words);
    if (straight) assert_int_equal(x[k].most, r->words);
    if (!strcmp(r->name, "c_bdi")) assert_int_equal(x[k].least, 11);
    if (!strcmp(r->name, "c_bdi")) assert_int_equal(x[k].most, 85);
  }
  assert_null(caba_hand_count("c_none"));
}

/* ---- each instruction is needed ---- */

enum { TRIED = 4000 };

/* The call of a routine whose registers hold garbage; with `word` in place of its instruction `at`, if that is one. True: it ends, with
 * this length and line; `n`: instructions executed. */
static bool call_gives(const struct aws_store *s, const struct aws_routine *r, uint32_t at, uint64_t word,
                       struct rng *g, const uint8_t *from, uint32_t length, const uint8_t *to, bool *executed,
                       uint32_t *n) {
  static struct assist_warp w;
  uint8_t line[AWS_LINE];
  *n = 0;
  for (uint32_t i = 0; i < AWS_REGISTERS * ASSIST_LANES; i++) w.r[i / ASSIST_LANES][i % ASSIST_LANES] = rng_u32(g);
  for (uint32_t i = 0; i < AWS_PREDICATES; i++) w.p[i] = rng_u32(g);
  w.carry = rng_u32(g);
  memcpy(line, from, sizeof line);
  assist_begin(&w, UINT32_MAX, line, 0);
  while (!w.ended && !w.fault && (*n)++ < 1000 && w.pc < r->words) {
    struct aws_instruction i;
    executed[w.pc] = true;
    if (!aws_decode(w.pc == at ? word : s->word[r->base + w.pc], &i)) return false;
    assist_execute(&w, &i);
  }
  uint32_t bytes = r->event == AWS_STORE && length ? length : AWS_LINE;
  return w.ended && (r->event == AWS_FILL || w.length == length) && !memcmp(line, to, bytes);
}

/* Whether some line shows that instruction `at` has become a nop, by its result or by the number of instructions. */
static bool is_needed(const struct aws_store *s, const struct aws_routine *r, uint32_t at, bool *executed) {
  struct aws_instruction nop = {.op = AWS_NOP, .guard = AWS_ALWAYS, .p = AWS_ALWAYS, .end = at + 1U == r->words};
  struct rng g, garbage;
  uint8_t line[AWS_LINE], image[AWS_LINE];
  rng_seed(&g, SEED + 2);
  rng_seed(&garbage, SEED + 3);
  for (uint32_t n = 0; n < TRIED; n++) {
    caba_sample_line(&g, (enum caba_sample)(n % CABA_SAMPLES), line);
    uint32_t length = there_and_back(s, r->encoding, line, image);
    if (r->event == AWS_FILL && (!length || caba_routine_for(s, AWS_FILL, image[0]) != r)) continue;
    const uint8_t *from = r->event == AWS_FILL ? image : line, *to = r->event == AWS_FILL ? line : image;
    uint32_t count, usual;
    assert_true(call_gives(s, r, UINT32_MAX, 0, &garbage, from, length, to, executed, &usual));
    if (!call_gives(s, r, at, aws_encode(&nop), &garbage, from, length, to, executed, &count) || count != usual)
      return true;
  }
  return false;
}

/* A test of this kind could pass whatever an instruction does that no line needs: there is none but the padding of brx.idx. */
static void test_each_instruction_is_needed(void **unused) {
  (void)unused;
  static struct aws_store s;
  uint32_t needed = 0, padding = 0;
  for (int a = 0; a < CABA_N_ALGORITHMS; a++) {
    s = load((enum caba_algorithm)a);
    for (uint32_t k = 0; k < s.n_routines; k++) {
      const struct aws_routine *r = &s.routine[k];
      for (uint32_t at = 0; at < r->words; at++) {
        bool executed[AWS_ROUTINE_WORDS] = {false};
        struct aws_instruction i;
        bool pads = aws_decode(s.word[r->base + at], &i) && i.op == AWS_NOP;
        if (!pads && is_needed(&s, r, at, executed)) {
          needed++;
          continue;
        }
        if (executed[at]) fail_msg("%s: instruction %u, line %u, is not needed", r->name, at, s.line[r->base + at]);
        padding++;
      }
    }
  }
  print_message("%u instructions are needed, %u pad\n", needed, padding);
  assert_int_equal(needed + padding, 440);
  assert_int_equal(padding, 15); /* d_fpc: 14 nop, and the branch of a prefix that no image has */
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_base_and_deltas_as_the_block),
    cmocka_unit_test(test_frequent_patterns_as_an_independent_coder),
    cmocka_unit_test(test_a_dictionary_as_an_independent_coder),
    cmocka_unit_test(test_images_by_hand),
    cmocka_unit_test(test_what_the_store_delivers_is_what_executes),
    cmocka_unit_test(test_instructions_executed),
    cmocka_unit_test(test_each_instruction_is_needed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
