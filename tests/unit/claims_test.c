/* SPDX-License-Identifier: Apache-2.0 */
/* slice: area */
/* Are verdicts computed from the two numbers, and from nothing else? */
#include "base/err.h"
#include "claims/claims.h"
#include "claims/verdict.h"
#include "kit/test.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- expressions ---- */

/* a = 3 (2..4), b = 10, c = 7 (6..8), zero = 0 */
static int look_up(void *context, const char *name, struct figure *out, struct err *e) {
  ++*(unsigned *)context;
  if (!strcmp(name, "a")) *out = (struct figure){3, 2, 4};
  else if (!strcmp(name, "x.b")) *out = (struct figure){10, 10, 10};
  else if (!strcmp(name, "c")) *out = (struct figure){7, 6, 8};
  else if (!strcmp(name, "zero")) *out = (struct figure){0, 0, 0};
  else return err_set(e, ERR_VALUE, "no %s", name);
  return 0;
}

static int evaluate(const char *text, struct figure *out, struct err *e) {
  unsigned calls = 0;
  return expression_evaluate(text, "file:7", look_up, &calls, out, e);
}

static void expect(const char *text, double value, double low, double high) {
  struct figure f;
  struct err e = {.code = ERR_NONE};
  if (evaluate(text, &f, &e)) fail_msg("%s", e.text);
  if (fabs(f.value - value) > 1e-12 || fabs(f.low - low) > 1e-12 || fabs(f.high - high) > 1e-12)
    fail_msg("%s: %.15g (%.15g..%.15g), wanted %.15g (%.15g..%.15g)", text, f.value, f.low, f.high, value, low, high);
}

static void test_arithmetic_follows_the_rules_of_school(void **state) {
  (void)state;
  expect("1 + 2 * 3 - 4 / 8", 6.5, 6.5, 6.5);
  expect("(1 + 2) * 3", 9, 9, 9);
  expect("2 - 3 - 4", -5, -5, -5);
  expect("64 / 4 / 2", 8, 8, 8);
  expect("-2 * -(3 - 5)", -4, -4, -4);
  expect("1.5e3 + .5", 1500.5, 1500.5, 1500.5);
  expect("min(3, 1, 2) + max(4, 6) + mean(1, 2, 6) + abs(-2)", 12, 12, 12);
  expect("geomean(2, 8)", 4, 4, 4);
  expect("hmean(2, 6) + sum(1, 2, 3)", 9, 9, 9);
  expect("corr(1, 10, 2, 8, 3, 6)", -1, -1, -1);
  expect("corr(1, 2, 2, 4, 3, 3)", 0.5, 0.5, 0.5);
  expect("regret(100, 5, 105, 8, 106, 80, 200, 4)", 0.5, 0.5, 0.5); /* 105 is near 100, 106 is not */
  expect("regret(100, 4, 200, 8)", 0, 0, 0);
  expect("(1 < 2) + (2 <= 2) + (3 > 4) + (4 >= 4) + (5 == 6)", 3, 3, 3);
  expect("1 + 1 > 3 - 2", 1, 1, 1);
}

static void test_a_band_goes_through_the_expression(void **state) {
  (void)state;
  expect("a", 3, 2, 4);
  expect("x.b / a", 10 / 3., 2.5, 5);
  expect("x.b - a", 7, 6, 8);
  expect("a / c", 3 / 7., 2 / 8., 4 / 6.);
  expect("a / a", 1, 1, 1); /* one name has one value */
  expect("a * c + x.b", 31, 22, 42);
}

static void test_a_wrong_expression_says_where(void **state) {
  (void)state;
  static const char *const wrong[][2] = {{"1 +", "character 4"},
                                         {"(1 + 2", ") is missing"},
                                         {"1 2", "left over at character 3"},
                                         {"12abc", "no number"},
                                         {"1 / 0", "division by zero"},
                                         {"3 / zero", "division by zero"},
                                         {"nothing", "no nothing"},
                                         {"sqrt(2)", "no such function"},
                                         {"geomean(1, 0)", "not positive"},
                                         {"abs(1, 2)", "one"},
                                         {"corr(1, 2, 3)", "pairs"},
                                         {"corr(1, 2, 1, 3)", "all the same"},
                                         {"regret(1, 0)", "positive"},
                                         {"regret(1, 2, 3)", "pairs"},
                                         {"1 = 1", "=="},
                                         {"hmean(1, -1)", "not positive"},
                                         {"", "is missing at character 1"},
                                         {"* 3", "is missing"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct figure f;
    struct err e = {.code = ERR_NONE};
    if (!evaluate(wrong[i][0], &f, &e)) fail_msg("'%s' is taken", wrong[i][0]);
    if (!strstr(e.text, wrong[i][1])) fail_msg("'%s': %s", wrong[i][0], e.text);
    if (strcmp(wrong[i][0], "nothing") != 0 && !strstr(e.text, "file:7")) fail_msg("no place: %s", e.text);
  }
  char deep[400];
  memset(deep, '(', sizeof deep - 1);
  deep[sizeof deep - 1] = 0;
  struct figure f;
  struct err e = {.code = ERR_NONE};
  assert_int_not_equal(evaluate(deep, &f, &e), 0);
}

/* A mean over eight programs with 36 specifications under two mechanisms has 1,152 names. */
static int number_of(void *context, const char *name, struct figure *out, struct err *e) {
  (void)context;
  (void)e;
  double value = strtod(name + 1, NULL);
  *out = (struct figure){value, value, value};
  return 0;
}

static void test_an_expression_may_have_thousands_of_names(void **state) {
  (void)state;
  enum { N = 5000 };
  static char text[N * 8];
  size_t at = 0;
  for (int i = 1; i <= N; i++) at += (size_t)snprintf(text + at, sizeof text - at, "%sn%d", i > 1 ? "+" : "", i);
  struct figure f;
  struct err e = {.code = ERR_NONE};
  if (expression_evaluate(text, "file:7", number_of, NULL, &f, &e)) fail_msg("%s", e.text);
  assert_float_equal(f.value, N * (N + 1) / 2, 0);
  snprintf(text + at, sizeof text - at, "+!"); /* what is wrong is said, not buried under the text before it */
  assert_int_not_equal(expression_evaluate(text, "file:7", number_of, NULL, &f, &e), 0);
  if (strlen(e.text) > 400 || !strstr(e.text, "n5000+!\"") || !strstr(e.text, "is missing at character"))
    fail_msg("%s", e.text);
}

/* ---- outcomes ---- */

static enum outcome outcome(const char *published, double tolerance, double neutral, double low, double high) {
  char reason[VERDICT_REASON_BYTES];
  const char *why;
  struct published p = {
    .tolerance = tolerance, .has_neutral = !isnan(neutral), .neutral = isnan(neutral) ? 0 : neutral};
  if (!published_read(published, &p, &why)) fail_msg("%s: %s", published, why);
  struct figure ours = {(low + high) / 2, low, high};
  enum outcome o = outcome_of(&p, &ours, reason);
  assert_true(strlen(reason) > 10);
  return o;
}

/* A tenth of 1.36 - 1 is 0.036; of 1.02 - 1 it is 0.002, less than half of the last digit. */
static void test_a_tolerance_is_a_tenth_of_the_effect(void **state) {
  (void)state;
  assert_int_equal(outcome("1.36", 0.1, 1, 1.33, 1.33), OUTCOME_HOLDS);
  assert_int_equal(outcome("1.36", 0.1, 1, 1.32, 1.32), OUTCOME_DIRECTION);
  assert_int_equal(outcome("1.36", 0.1, 1, 2.20, 2.20), OUTCOME_DIRECTION);
  assert_int_equal(outcome("1.36", 0.1, 1, 0.95, 0.95), OUTCOME_FAILS);
  assert_int_equal(outcome("1.36", 0.1, 1, 1.00, 1.00), OUTCOME_FAILS); /* no effect is no direction */
  assert_int_equal(outcome("1.02", 0.1, 1, 1.0249, 1.0249), OUTCOME_HOLDS);
  assert_int_equal(outcome("1.02", 0.1, 1, 1.0251, 1.0251), OUTCOME_DIRECTION);
  assert_int_equal(outcome("98", 0.01, 0, 1.1e-15, 1.1e-15), OUTCOME_FAILS); /* rounding is no effect */
  assert_int_equal(outcome("100", 0.1, NAN, 109, 109), OUTCOME_HOLDS);       /* without neutral: of the number */
  assert_int_equal(outcome("100", 0.1, NAN, 111, 111), OUTCOME_FAILS);
  assert_int_equal(outcome("2.0..3.0", 0.1, 1, 1.91, 3.19), OUTCOME_HOLDS);
}

static void test_a_band_that_is_partly_inside_decides_nothing(void **state) {
  (void)state;
  assert_int_equal(outcome("0.144", 0.2, NAN, 0.043, 0.164), OUTCOME_BAND);
  assert_int_equal(outcome("1.36", 0.1, 1, 1.00, 2.00), OUTCOME_BAND);  /* wider than what is accepted */
  assert_int_equal(outcome("1.36", 0.1, 1, 0.90, 1.20), OUTCOME_FAILS); /* on both sides of no effect */
  assert_int_equal(outcome("> 40", 0.1, NAN, 39, 41), OUTCOME_BAND);
}

static void test_bounds_are_strict(void **state) {
  (void)state;
  assert_int_equal(outcome("> 40", 0.1, 0, 40, 40), OUTCOME_DIRECTION);
  assert_int_equal(outcome("> 40", 0.1, 0, 40.01, 40.01), OUTCOME_HOLDS);
  assert_int_equal(outcome(">= 70", 0.1, 0, 70, 70), OUTCOME_HOLDS);
  assert_int_equal(outcome(">= 70", 0.1, 0, 69.9, 69.9), OUTCOME_DIRECTION);
  assert_int_equal(outcome("< 1", 0.1, NAN, 1, 1), OUTCOME_FAILS);
  assert_int_equal(outcome("<= 0.1", 0.1, NAN, 0.1, 0.1), OUTCOME_HOLDS);
  assert_int_equal(outcome("<= 0.1", 0.1, NAN, 0.104, 0.104), OUTCOME_FAILS);
}

static void test_a_published_number_is_read_or_refused(void **state) {
  (void)state;
  static const char *const wrong[] = {"", "12abc", "3..1", "> 1..2", ">", "= 3", "nan", "=> 4"};
  struct published p;
  const char *why;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (published_read(wrong[i], &p, &why)) fail_msg("'%s' is read", wrong[i]);
  assert_true(published_half_digit("1.36") == 0.005);
  assert_true(published_half_digit("692") == 0.5);
  assert_true(published_half_digit("0.10") == 0.005);
}

/* No outcome is written down in advance: whatever is measured, three times or a third of it does not hold. Seeded. */
static void test_scaling_either_number_moves_the_outcome(void **state) {
  (void)state;
  srand(11);
  for (int i = 0; i < 2000; i++) {
    double measured = exp((rand() % 2000 - 1000) / 100.), spread = 1 + rand() % 100 / 2000.;
    struct published p = {.low = measured, .high = measured, .tolerance = 0.1};
    struct figure ours = {measured, measured / spread, measured * spread};
    assert_int_equal(outcome_of(&p, &ours, NULL), OUTCOME_HOLDS);
    for (int k = 0; k < 2; k++) {
      double by = k ? 3 : 1 / 3.;
      p.low = p.high = measured * by;
      assert_int_equal(outcome_of(&p, &ours, NULL), OUTCOME_FAILS);
      p.low = p.high = measured;
      struct figure scaled = {ours.value * by, ours.low * by, ours.high * by};
      assert_int_equal(outcome_of(&p, &scaled, NULL), OUTCOME_FAILS);
    }
  }
}

static void test_arithmetic_allows_for_rounding_alone(void **state) {
  (void)state;
  struct published p = {.low = 0.016, .high = 0.016, .half_digit = published_half_digit("0.016"), .tolerance = 0.1};
  struct figure derived = {0.15483, 0.15483, 0.15483}, close = {0.0164, 0.0163, 0.0165};
  assert_int_equal(outcome_of_arithmetic(&p, &derived, NULL), OUTCOME_FAILS);
  assert_int_equal(outcome_of_arithmetic(&p, &close, NULL), OUTCOME_HOLDS);
  close.low = close.high = close.value = 0.0166; /* within the tolerance, which is not for arithmetic */
  assert_int_equal(outcome_of_arithmetic(&p, &close, NULL), OUTCOME_FAILS);
}

/* ---- verdicts over combinations ---- */

static void test_nine_tenths_reproduce_and_one_tenth_does_not(void **state) {
  (void)state;
  static const struct {
    enum outcome by_default;
    struct tally t;
    enum verdict wanted;
  } cases[] = {
    {OUTCOME_HOLDS, {0, 0, 0, false}, VERDICT_REPRODUCED}, /* the default alone */
    {OUTCOME_DIRECTION, {0, 0, 0, false}, VERDICT_DIRECTION_ONLY},
    {OUTCOME_FAILS, {0, 0, 0, false}, VERDICT_NOT_REPRODUCED},
    {OUTCOME_BAND, {0, 0, 0, false}, VERDICT_UNDETERMINED},
    {OUTCOME_HOLDS, {40, 36, 40, false}, VERDICT_REPRODUCED},
    {OUTCOME_HOLDS, {40, 35, 40, false}, VERDICT_UNDETERMINED},
    {OUTCOME_FAILS, {40, 39, 39, false}, VERDICT_UNDETERMINED}, /* not without the default */
    {OUTCOME_FAILS, {40, 4, 20, false}, VERDICT_NOT_REPRODUCED},
    {OUTCOME_FAILS, {40, 5, 20, false}, VERDICT_UNDETERMINED},
    {OUTCOME_DIRECTION, {40, 4, 36, false}, VERDICT_DIRECTION_ONLY},
    {OUTCOME_DIRECTION, {40, 4, 35, false}, VERDICT_NOT_REPRODUCED},
    {OUTCOME_HOLDS, {40, 0, 40, true}, VERDICT_UNDETERMINED}, /* small sizes turn it over */
    {OUTCOME_BAND, {40, 40, 40, false}, VERDICT_UNDETERMINED},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (verdict_over(cases[i].by_default, &cases[i].t) != cases[i].wanted) fail_msg("case %zu", i);
}

/* ---- files ---- */

static void refused(const char *text, const char *wanted) {
  char folder[] = "/tmp/claims_test_XXXXXX", path[64];
  struct claims c;
  struct err e = {.code = ERR_NONE};
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/claims", folder);
  assert_int_equal(mkdir(path, 0777), 0);
  snprintf(path, sizeof path, "%s/claims/x.yaml", folder);
  FILE *f = fopen(path, "w");
  fputs(text, f);
  fclose(f);
  if (!claims_open(&c, folder, "x", NULL, FORM_FULL, &e)) fail_msg("taken: %s", text);
  if (!strstr(e.text, wanted)) fail_msg("%s\nwanted: %s\nsays: %s", text, wanted, e.text);
  unlink(path);
  snprintf(path, sizeof path, "%s/claims", folder);
  rmdir(path);
  rmdir(folder);
}

#define HEAD "system: x\nsource: a paper\n"
#define CLAIM "claims:\n  - id: one\n    text: t\n    place: p\n    unit: u\n"

static void test_the_default_of_other_sizes_is_told_from_that_of_ours(void **state) {
  (void)state;
  double value[1] = {1.2};
  struct claim q = {.ours = {1.2, 1.2, 1.2}, .spread = {.value = value}};
  assert_false(claim_small_default(&q)); /* no combination was measured */
  q.spread.tally.n = 1;
  assert_false(claim_small_default(&q));
  value[0] = 1.3;
  assert_true(claim_small_default(&q));
  value[0] = NAN;
  assert_false(claim_small_default(&q));
}

static void test_a_wrong_file_is_refused_with_line_and_mend(void **state) {
  (void)state;
  refused("", "empty");
  refused("system: [x\n", "x.yaml:");
  refused("system: y\nsource: z\nclaims: [a]\n", "in the file of x");
  refused(HEAD, "list of claims");
  refused(HEAD "sorce: q\n", "did you mean source");
  refused(HEAD "source: q\n", "twice");
  refused(HEAD CLAIM "    measure: 1\n", "published");
  refused(HEAD CLAIM "    published: 12abc\n    measure: 1\n", "12abc");
  refused(HEAD CLAIM "    published: 3..1\n    measure: 1\n", "empty range");
  refused(HEAD CLAIM "    published: \"> 3\"\n    measure: 1\n", "whose it is");
  refused(HEAD CLAIM "    published: \"> 3\"\n    measure: 1\n    threshold: theirs\n", "write paper or ours");
  refused(HEAD CLAIM "    published: 3\n    measure: 1\n    neutral: 1x\n", "1x");
  refused(HEAD CLAIM "    published: 3\n    measure: 1\n", "needs \"neutral\"");
  refused(HEAD CLAIM "    published: 3\n    measure: 1\n    neutral: none\n    tolerance: 0.3\n", "tolerance_why");
  refused(HEAD CLAIM "    published: 3\n    measure: 1\n    neutral: none\n    variant_of: two\n", "no row \"two\"");
  refused(HEAD CLAIM "    published: 3\n", "either");
  refused(HEAD CLAIM "    published: 3\n    measure: 1\n    arithmetic: 1\n", "either");
  refused(HEAD CLAIM "    published: 3\n    measure: 1\n    neutral: none\n    tolerance: 10\n", "tolerance");
  refused(HEAD CLAIM "    published: 3\n    measure: 1\n    tolerence: 0.1\n", "x.yaml:10");
  refused(HEAD "runs:\n  a-b: saxpy\n" CLAIM "    published: 3\n    measure: 1\n", "no name");
  refused(HEAD "runs:\n  a: s\ndesigns:\n  a: s\n" CLAIM "    published: 3\n    measure: 1\n", "names a run already");
  refused(HEAD "numbers:\n  n: 3x\n" CLAIM "    published: 3\n    measure: 1\n", "3x");
  refused(HEAD CLAIM
          "    published: 3\n    measure: 1\n    neutral: none\n  - id: one\n    text: t\n    place: p\n    unit: u\n"
          "    published: 3\n    measure: 1\n    neutral: none\n",
          "stands at line");
}

#define CHOICE "open:\n  - id: size\n    text: t\n    silent: s\n    values:\n"
#define DEFAULT "      - {value: a, why: w}\n"
#define REST CLAIM "    published: 3\n    measure: 1\n    neutral: none\n"
#define RUN "runs:\n  a: saxpy:n=8\n"

static void test_a_wrong_open_choice_is_refused_with_line_and_mend(void **state) {
  (void)state;
  refused(HEAD CHOICE DEFAULT REST, "two to 5");
  refused(HEAD CHOICE "      - {value: a, why: w, set: sm.ctas=2}\n" DEFAULT REST, "the first value is the default");
  refused(HEAD CHOICE DEFAULT "      - {value: b, why: w}\n" REST, "needs \"set\"");
  refused(HEAD CHOICE DEFAULT "      - {value: b, set: sm.ctas=2}\n" REST, "why");
  refused(HEAD CHOICE DEFAULT "      - {value: b, why: w, set: sm.cta=2}\n" REST, "x.yaml:9");
  refused(HEAD CHOICE DEFAULT "      - {value: b, why: w, set: sm.cta=2}\n" REST, "sm.ctas");
  refused(HEAD CHOICE DEFAULT "      - {value: b, why: w, set: sm.ctas=0}\n" REST, "size");
  refused(HEAD RUN CHOICE DEFAULT "      - {value: b, why: w, replace: {\"m=8\": \"m=9\"}}\n" REST, "m=8");
  refused(HEAD CHOICE DEFAULT "      - {value: b, why: w, measure: {a: [1]}}\n" REST, "map of texts");
  refused(HEAD CHOICE DEFAULT "      - {value: b, why: w, sett: a=b}\n" REST, "did you mean set");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_arithmetic_follows_the_rules_of_school),
    cmocka_unit_test(test_a_band_goes_through_the_expression),
    cmocka_unit_test(test_a_wrong_expression_says_where),
    cmocka_unit_test(test_an_expression_may_have_thousands_of_names),
    cmocka_unit_test(test_a_tolerance_is_a_tenth_of_the_effect),
    cmocka_unit_test(test_a_band_that_is_partly_inside_decides_nothing),
    cmocka_unit_test(test_bounds_are_strict),
    cmocka_unit_test(test_a_published_number_is_read_or_refused),
    cmocka_unit_test(test_scaling_either_number_moves_the_outcome),
    cmocka_unit_test(test_arithmetic_allows_for_rounding_alone),
    cmocka_unit_test(test_nine_tenths_reproduce_and_one_tenth_does_not),
    cmocka_unit_test(test_the_default_of_other_sizes_is_told_from_that_of_ours),
    cmocka_unit_test(test_a_wrong_file_is_refused_with_line_and_mend),
    cmocka_unit_test(test_a_wrong_open_choice_is_refused_with_line_and_mend),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
