/* SPDX-License-Identifier: Apache-2.0 */
/* slice: caba */
/* Is what breaks a rule of routines refused with its line, does each instruction do what it says, and does a word that no assembler makes
 * never execute? */
#include "base/err.h"
#include "base/rng.h"
#include "kit/test.h"
#include "systems/caba/assemble.h"
#include "systems/caba/assemble_check.h"
#include "systems/caba/assist.h"

enum { SEED = 0xa55, TEXT = 64 * 1024 };

static int assemble(const char *text, struct aws_store *s, struct err *e) {
  memset(s, 0, sizeof *s);
  return caba_assemble("t.ptx", text, strlen(text), s, e);
}

#define HEAD ".entry r {\n.reg .b32 %a, %b, %c;\n.reg .pred %p, %q;\n"

/* ---- refusals ---- */

static const struct {
  const char *text, *message;
} refused[] = {
  {HEAD "nop;\n}", "t.ptx:1: routine 'r' has no end;"},
  {HEAD "end;\n}", "t.ptx:1: routine 'r' has no instructions"},
  {HEAD "nop;\nend;\nnop;\n}", "t.ptx:6: instructions after end;"},
  {HEAD "bra away;\nnop;\nend;\n}", "t.ptx:4: label 'away' is not in routine 'r': a branch stays inside"},
  {HEAD "bra x;\nnop;\nend;\nx: }", "t.ptx:7: instructions after end;"},
  {HEAD "bra x;\nnop;\nx:\nend;\n}", "t.ptx:6: label 'x' names no instruction"},
  {HEAD "x: bra x;\nend;\n}", "t.ptx:4: the last instruction of routine 'r' is a branch"},
  {HEAD "bar.sync 0;\nend;\n}", "t.ptx:4: bar.sync: a routine waits for no other warp"},
  {HEAD "mov.u32 %a, %laneid;\nsetp.lt.u32 %p, %a, 3;\n@%p bra x;\nnop;\nx: nop;\nend;\n}",
   "t.ptx:6: lanes of routine 'r' can take this branch apart"},
  {HEAD "mov.u32 %a, %laneid;\nbrx.idx %a, {x, y};\nx: nop;\ny: nop;\nend;\n}",
   "t.ptx:5: lanes of routine 'r' can take this branch apart"},
  {HEAD "mov.b32 %a, 0;\nbrx.idx %a, {x, y, z};\nx: nop;\ny: nop;\nnop;\nz: nop;\nend;\n}",
   "t.ptx:5: targets of brx.idx must follow each other at equal distances: 'z' does not"},
  {".entry r {\n.reg .b32 %a<63>;\n.reg .b32 %b;\n nop;\n end;\n}",
   "t.ptx:3: routine 'r' has 64 registers: an assist warp has at most 63"},
  {".entry r {\n.reg .pred %p<8>;\n nop;\n end;\n}",
   "t.ptx:2: routine 'r' has 8 predicates: an assist warp has at most 7"},
  {HEAD "setlen.u32 97;\nend;\n}", "t.ptx:4: setlen.u32 97: an image has at most 96 bytes"},
  {HEAD "sin.approx.f32 %a, %b;\nend;\n}", "t.ptx:4: sin.approx.f32 is no instruction of assist warps"},
  {HEAD "setp.lt.f32 %p, %a, %b;\nend;\n}", "t.ptx:4: setp.lt.f32 is no instruction"},
  {HEAD "add.u32 %a, %b, 1;\nend;\n}", "t.ptx:4: add.u32 of routine 'r' reads what is not written"},
  {HEAD "mov.u32 %a, %laneid;\nsetp.eq.u32 %p, %a, 0;\n@%p mov.b32 %b, 1;\nadd.u32 %a, %b, 1;\nend;\n}",
   "t.ptx:7: add.u32 of routine 'r' reads what is not written"},
  {HEAD "mov.b32 %a, 1;\naddc.u32 %a, %a, 1;\nend;\n}", "t.ptx:5: addc.u32 of routine 'r' reads what is not written"},
  {HEAD "mov.b32 %d, 1;\nend;\n}", "t.ptx:4: '%d' is not declared"},
  {HEAD "mov.b32 %p, 1;\nend;\n}", "t.ptx:4: found '%p' where a register should be"},
  {HEAD "ldl.v2.b32 {%b, %c}, [0];\nend;\n}", "t.ptx:4: registers 1 and 2 are no pair"},
  {HEAD "ldl.b32 %a, [128];\nend;\n}", "t.ptx:4: 128 is out of range"},
  {HEAD "mov.b32 %a, 4294967296;\nend;\n}", "t.ptx:4: 4294967296 is out of range"},
  {HEAD "mov.b32 %a, 08;\nend;\n}", "t.ptx:4: found '08' where a whole number should be"},
  {HEAD "move.in.b32 %a, 0;\nend;\n}", "t.ptx:4: live-in 0 of 0: write .live_in(1)"},
  {HEAD "move.arg.b32 %a, 2;\nend;\n}", "t.ptx:4: move.arg.b32: an operand is out of range"},
  {HEAD "nop;\n", "t.ptx:5: routine 'r' has no '}'"},
  {".entry r .attribute(.event(boot)) {\nnop;\nend;\n}",
   "t.ptx:1: found 'boot' where an event: fill, store, mark or none should be"},
  {".entry r .attribute(.encoding(256)) {\nnop;\nend;\n}", "t.ptx:1: 256 is out of range: 0 to 255"},
  {".entry r .attribute(.speed(2)) {\nnop;\nend;\n}", "t.ptx:1: '.speed' is no attribute of a routine"},
  {".entry r .attribute(.live_in(5)) {\nnop;\nend;\n}", "t.ptx:1: 5 is out of range: 0 to 4"},
  {HEAD "x: nop;\nx: nop;\nend;\n}", "t.ptx:5: label 'x' stands twice"},
  {".entry r { nop; end; }\n.entry r { nop; end; }", "t.ptx:2: routine 'r' stands twice"},
  {".func r { nop; end; }", "t.ptx:1: found '.func' where '.entry' should be"},
  {HEAD "/* nop;", "t.ptx:4: the comment that begins here never ends"},
};

static void test_what_breaks_a_rule_is_refused_with_its_line(void **unused) {
  (void)unused;
  static struct aws_store s;
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    struct err e = {0};
    assert_int_not_equal(assemble(refused[i].text, &s, &e), 0);
    if (strncmp(e.text, refused[i].message, strlen(refused[i].message)))
      fail_msg("\"%s\" where \"%s\" should be", e.text, refused[i].message);
    assert_int_equal(err_exit_code(e.code), 2);
    assert_true(s.n_words <= 1); /* what came before stays */
  }
}

/* `routines` of `instructions` each. */
static int many(uint32_t routines, uint32_t instructions, const char *attribute, struct aws_store *s, struct err *e) {
  static char text[TEXT];
  size_t n = 0;
  for (uint32_t r = 0; r < routines; r++) {
    n += (size_t)snprintf(text + n, TEXT - n, ".entry r%u %s {", r, attribute);
    for (uint32_t i = 0; i < instructions; i++) n += (size_t)snprintf(text + n, TEXT - n, " nop;");
    n += (size_t)snprintf(text + n, TEXT - n, " end; }\n");
  }
  return assemble(text, s, e);
}

static void test_sizes_of_the_store_are_limits(void **unused) {
  (void)unused;
  static struct aws_store s;
  struct err e = {0};
  assert_int_equal(many(1, 255, "", &s, &e), 0);
  assert_int_equal(many(1, 256, "", &s, &e), ERR_LIMIT);
  assert_string_equal(e.text, "t.ptx:1: routine 'r0' has more than 255 instructions");
  assert_int_equal(many(2, 255, "", &s, &e), 0);
  assert_int_equal(many(3, 200, "", &s, &e), ERR_LIMIT);
  assert_string_equal(e.text,
                      "t.ptx:3: routine 'r2' of 200 instructions does not fit: the store has 512 words, 112 are left");
  assert_int_equal(s.n_routines, 2);
  assert_int_equal(many(32, 16, "", &s, &e), 0);
  assert_int_equal(s.n_words, AWS_WORDS);
  assert_int_equal(many(33, 1, "", &s, &e), ERR_LIMIT);
  assert_string_equal(e.text, "t.ptx:33: routine 'r32' is one too many: a store has 32");
  assert_int_equal(many(16, 1, ".attribute(.event(fill))", &s, &e), 0);
  assert_int_equal(many(17, 1, ".attribute(.event(fill))", &s, &e), ERR_LIMIT);
  assert_string_equal(e.text, "t.ptx:17: routine 'r16' has one trigger too many: there are 16");
}

static void test_words_from_elsewhere_keep_the_same_rules(void **unused) {
  (void)unused;
  struct aws_instruction i = {.op = AWS_BRA, .guard = AWS_ALWAYS, .p = AWS_ALWAYS, .immediate = true, .value = 2};
  struct aws_routine r = {.name = "r", .words = 2};
  uint64_t word[2] = {aws_encode(&i), 0};
  const uint32_t line[2] = {5, 6};
  struct err e = {0};
  i = (struct aws_instruction){.op = AWS_NOP, .guard = AWS_ALWAYS, .p = AWS_ALWAYS, .end = true};
  word[1] = aws_encode(&i);
  assert_int_not_equal(caba_check_routine("w", &r, word, line, &e), 0);
  assert_string_equal(e.text, "w:5: a branch of routine 'r' leads to its word 2, and it has 2");
  word[0] = word[1];
  assert_int_not_equal(caba_check_routine("w", &r, word, line, &e), 0);
  assert_string_equal(e.text, "w:5: END of routine 'r' must be in its last instruction, and there alone");
  word[0] = AWS_N_OPS;
  assert_int_not_equal(caba_check_routine("w", &r, word, line, &e), 0);
  assert_string_equal(e.text, "w:5: word 0 of routine 'r' is no instruction");
}

/* What decodes encodes to the same word: no two words are one instruction, and no bit is ignored. */
static void test_each_bit_of_a_word_counts(void **unused) {
  (void)unused;
  struct rng g;
  uint32_t right = 0;
  rng_seed(&g, SEED);
  for (uint32_t n = 0; n < 2000000; n++) {
    struct aws_instruction i;
    uint64_t word =
      rng_u64(&g) & (n % 2 ? UINT64_MAX : UINT64_C(0xf8000001ffffffff)) & ~(n % 4 < 2 ? UINT64_C(0x3c0) : 0);
    if (n % 8 < 6) word |= UINT64_C(7) << 59;
    if (n % 8 < 6) word &= ~(UINT64_C(1) << 62);
    if (!aws_decode(word, &i)) continue;
    right++;
    assert_true(aws_encode(&i) == word);
  }
  assert_true(right > 1000);
}

/* ---- what instructions do ---- */

static struct assist_warp w;
static uint32_t input[AWS_LIVE_IN][ASSIST_LANES], output[AWS_LIVE_OUT][ASSIST_LANES];
static uint8_t line[AWS_LINE];

/* Runs a routine of 4 live-ins and 2 live-outs with random live-ins. */
static void execute(const char *body, uint32_t mask) {
  static struct aws_store s;
  static char text[4096];
  struct err e = {0};
  struct rng g;
  uint32_t count[AWS_UNITS] = {0};
  snprintf(text, sizeof text,
           ".entry r .attribute(.live_in(4), .live_out(2)) { .reg .b32 %%a, %%b, %%c, %%d; .reg .pred %%p, %%q; "
           "move.in.b32 %%a, 0; move.in.b32 %%b, 1; move.in.b32 %%c, 2; move.in.b32 %%d, 3; %s end; }",
           body);
  if (assemble(text, &s, &e)) fail_msg("%s", e.text);
  rng_seed(&g, SEED);
  for (int lane = 0; lane < ASSIST_LANES; lane++) {
    for (int i = 0; i < AWS_LIVE_IN; i++) input[i][lane] = lane % 5 == i ? rng_below(&g, 70) : rng_u32(&g);
    output[0][lane] = output[1][lane] = 0xdead;
  }
  for (int i = 0; i < AWS_LIVE_IN; i++) w.live_in[i] = input[i];
  for (int i = 0; i < AWS_LIVE_OUT; i++) w.live_out[i] = output[i];
  for (int i = 0; i < AWS_LINE; i++) line[i] = (uint8_t)(200 + i);
  assist_begin(&w, mask, line, UINT64_C(0x1234567890));
  assist_run(&w, &s.word[0], s.routine[0].words, count);
}

#define OUT " move.out.b32 0, %a; move.out.b32 1, %b;"
#define EACH(body, expected0, expected1)                                                       \
  do {                                                                                         \
    execute(body OUT, UINT32_MAX);                                                             \
    assert_int_equal(w.fault, ASSIST_FINE);                                                    \
    for (uint32_t lane = 0; lane < ASSIST_LANES; lane++) {                                     \
      uint32_t a = input[0][lane], b = input[1][lane], c = input[2][lane], d = input[3][lane]; \
      (void)a, (void)b, (void)c, (void)d;                                                      \
      assert_true(output[0][lane] == (uint32_t)(expected0));                                   \
      assert_true(output[1][lane] == (uint32_t)(expected1));                                   \
    }                                                                                          \
  } while (0)

static void test_arithmetic(void **unused) {
  (void)unused;
  EACH("add.u32 %a, %a, %b; sub.u32 %b, %b, 7;", a + b, b - 7);
  EACH("add.cc.u32 %a, %a, %c; addc.u32 %b, %b, %d;", a + c,
       ((((uint64_t)b << 32 | a) + ((uint64_t)d << 32 | c)) >> 32));
  EACH("sub.cc.u32 %a, %a, %c; subc.u32 %b, %b, %d;", a - c,
       ((((uint64_t)b << 32 | a) - ((uint64_t)d << 32 | c)) >> 32));
  EACH("mul.lo.u32 %a, %a, %b; and.b32 %b, %b, %c;", a * b, b & c);
  EACH("or.b32 %a, %a, %b; xor.b32 %b, %b, %c;", a | b, b ^ c);
  EACH("shl.b32 %a, %c, %a; shr.u32 %b, %c, %b;", a < 32 ? c << a : 0, b < 32 ? c >> b : 0);
  EACH("shr.s32 %a, %c, %a; mov.b32 %b, -5;", (int64_t)(int32_t)c >> (a < 32 ? a : 32), -5);
  EACH("ffs.b32 %b, %c; mov.u32 %a, %laneid;", lane, c ? __builtin_ffs((int)c) - 1 : -1);
  EACH("move.arg.b32 %a, 0; move.arg.b32 %b, 1;", 0x34567890, 0x12);
}

static void test_predicates(void **unused) {
  (void)unused;
  EACH("setp.lt.u32 %p, %a, %b; setp.ge.and.s32 %q, %c, %d, !%p; selp.b32 %a, %c, 5, %p; selp.b32 %b, %d, 6, %q;",
       a < b ? c : 5, (int32_t)c >= (int32_t)d && a >= b ? d : 6);
  EACH("setp.bit.b32 %p, %c, %a; setp.eq.or.u32 %q, %a, %b, %p; selp.b32 %a, %d, 1, %p; selp.b32 %b, %d, 2, %q;",
       c >> (a & 31) & 1 ? d : 1, (c >> (a & 31) & 1) || a == b ? d : 2);
  EACH("setp.gt.s32 %p, %a, %b; setp.le.u32 %q, %c, %d; and.pred %p, !%p, %q; or.pred %q, %q, !%p;"
       " selp.b32 %a, %c, 1, %p; selp.b32 %b, %d, 2, !%q;",
       (int32_t)a <= (int32_t)b && c <= d ? c : 1, c <= d || !((int32_t)a <= (int32_t)b && c <= d) ? 2 : d);
  EACH("setp.ne.u32 %p, %c, %d; @%p mov.b32 %a, 9; @!%p mov.b32 %b, 8; setp.lt.s32 %q, %c, %d; @%q add.u32 %a, %a, 1;",
       (c != d ? 9 : a) + ((int32_t)c < (int32_t)d), c != d ? b : 8);
}

static void test_across_lanes(void **unused) {
  (void)unused;
  uint32_t less = 0;
  EACH("shfl.idx.b32 %a, %c, %b; shfl.idx.b32 %b, %d, 7;", input[2][b % 32], input[3][7]);
  execute(
    "setp.lt.u32 %p, %a, %b; ballot.b32 %a, %p; vote.any.pred %q, %p; setp.le.u32 %p, %d, %d; vote.all.pred %p, %p;"
    " selp.b32 %b, %c, 1, %q; @!%p mov.b32 %b, 3;" OUT,
    0x0ff0);
  for (uint32_t lane = 4; lane < 12; lane++) less |= (uint32_t)(input[0][lane] < input[1][lane]) << lane;
  assert_true(less && less != 0x0ff0);
  for (uint32_t lane = 0; lane < ASSIST_LANES; lane++) {
    bool runs = lane >= 4 && lane < 12;
    assert_true(output[0][lane] == (runs ? less : 0xdead)); /* the others keep what they had */
    assert_true(output[1][lane] == (runs ? input[2][lane] : 0xdead));
  }
}

static void test_the_line(void **unused) {
  (void)unused;
  EACH("mov.u32 %c, %laneid; ldl.u8 %a, [%c+3]; ldl.s8 %b, [%c+3];", (uint8_t)(203 + lane), (int8_t)(203 + lane));
  EACH("mov.u32 %c, %laneid; shl.b32 %c, %c, 1; ldl.u16 %a, [%c+8]; ldl.s16 %b, [%c+8];",
       (uint8_t)(208 + 2 * lane) | (uint8_t)(209 + 2 * lane) << 8,
       (int16_t)((uint8_t)(208 + 2 * lane) | (uint8_t)(209 + 2 * lane) << 8));
  EACH("ldl.v2.b32 {%a, %b}, [16];", 0xdbdad9d8, 0xdfdedddc);
  EACH(
    "mov.u32 %c, %laneid; stl.b8 [%c], %c; mov.b32 %d, 0x12345678; stl.b16 [32], %d; stl.b32 [36], %d; stl.v2.b32 [40], {%c, %d};"
    " ldl.b32 %a, [4]; ldl.b32 %b, [32];",
    0x07060504, 0xebea5678);
  assert_int_equal(line[36], 0x78);
  assert_int_equal(line[39], 0x12);
  assert_int_equal(line[40], 31); /* all lanes store there: the last one's stays */
  assert_int_equal(line[44], 0x78);
}

static void test_branches(void **unused) {
  (void)unused;
  EACH(
    ".reg .b32 %n; mov.b32 %n, 0; mov.b32 %b, 0; again: brx.idx %n, {x, y, z}; x: add.u32 %b, %b, 1; bra on;"
    " y: add.u32 %b, %b, 10; bra on; z: add.u32 %b, %b, 100; bra on; on: add.u32 %n, %n, 1; setp.lt.u32 %p, %n, 3; @%p bra again;"
    " mov.b32 %a, %n;",
    3, 111);
}

static void test_faults(void **unused) {
  (void)unused;
  static const struct {
    const char *body;
    enum assist_fault fault;
  } faults[] = {{"mov.b32 %a, 126; ldl.b32 %b, [%a];", ASSIST_OUTSIDE},
                {"mov.b32 %a, 0; ldl.u8 %b, [%a-1];", ASSIST_OUTSIDE},
                {"mov.b32 %a, 128; stl.b8 [%a], %b;", ASSIST_OUTSIDE},
                {"ldl.b32 %a, [2];", ASSIST_MISALIGNED},
                {"stl.v2.b32 [4], {%a, %b};", ASSIST_MISALIGNED},
                {"mov.b32 %a, 97; setlen.u32 %a;", ASSIST_LENGTH},
                {".reg .b32 %n; mov.b32 %n, 2; brx.idx %n, {x, y}; x: nop; y: nop;", ASSIST_NO_TARGET},
                {"x: bra x; nop;", ASSIST_ENDLESS}};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    execute(faults[i].body, UINT32_MAX);
    if (w.fault != faults[i].fault) fail_msg("'%s' %s", faults[i].body, assist_fault_sentence(w.fault));
    assert_false(w.ended);
  }
  execute("mov.b32 %a, 96; setlen.u32 %a;", UINT32_MAX);
  assert_true(w.ended && w.length == 96);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_what_breaks_a_rule_is_refused_with_its_line),
    cmocka_unit_test(test_sizes_of_the_store_are_limits),
    cmocka_unit_test(test_words_from_elsewhere_keep_the_same_rules),
    cmocka_unit_test(test_each_bit_of_a_word_counts),
    cmocka_unit_test(test_arithmetic),
    cmocka_unit_test(test_predicates),
    cmocka_unit_test(test_across_lanes),
    cmocka_unit_test(test_the_line),
    cmocka_unit_test(test_branches),
    cmocka_unit_test(test_faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
