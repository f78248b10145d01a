/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Does every instruction form compute what the PTX ISA defines? And is there a row for every form that decodes? */
#include "kit/ptx_forms_atomic.h"
#include "kit/ptx_forms_compare.h"
#include "kit/ptx_forms_convert.h"
#include "kit/ptx_forms_float.h"
#include "kit/ptx_forms_integer.h"

#include <glob.h>

enum { FEW_THREADS = 256 };

static bool was_checked(const struct conformance *c, const char *opcode) {
  for (uint32_t i = 0; i < c->n_forms; i++)
    if (strcmp(c->opcode[i], opcode) == 0) return true;
  return false;
}
static void each_must(void *context, const char *opcode) {
  if (!was_checked(context, opcode)) fail_msg("%s does not decode, or no row checks it", opcode);
}
static void check_candidates(struct conformance *c, const struct form_row *rows, size_t n, const char *const *musts,
                             size_t n_musts) {
  c->threads = FEW_THREADS;
  check_decodable(c, rows, n);
  c->threads = FORM_THREADS;
  for (size_t i = 0; i < n_musts; i++) expand(musts[i], each_must, c);
}
#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static void test_integer_forms(void **state) { CHECK_ROWS(state, integer_rows); }
static void test_float_forms(void **state) { CHECK_ROWS(state, float_rows); }
static void test_comparison_forms(void **state) { CHECK_ROWS(state, compare_rows); }
static void test_conversion_forms(void **state) {
  check_candidates(*state, convert_candidates, COUNT(convert_candidates), convert_musts, COUNT(convert_musts));
}
static void test_memory_forms(void **state) {
  struct conformance *c = *state;
  c->threads = FEW_THREADS;
  CHECK_ROWS(state, memory_rows);
  c->threads = FORM_THREADS;
}
static void test_atomic_forms(void **state) {
  check_candidates(*state, atomic_candidates, COUNT(atomic_candidates), atomic_musts, COUNT(atomic_musts));
}

/* ---- is there a row for everything? ---- */

static void test_every_handler_was_executed(void **state) {
  const struct conformance *c = *state;
  uint32_t n = 0, missing = 0;
  for (const struct ptx_handler *h; (h = ptx_handler_at(n + 1)); n++) {
    assert_true(n + 1 < sizeof c->handler);
    if (c->handler[n + 1] || !h->signature[0]) continue; /* mov {a,b}: ptx_flow_test.c */
    missing++;
    print_error("no row executes %s.%s\n", h->key, ptx_type_name(h->type));
  }
  assert_true(n > 500);
  assert_int_equal(missing, 0);
}

/* Mnemonics with decoders of their own: checked here, or in another unit test. */
static void test_every_mnemonic_is_checked_somewhere(void **state) {
  const struct conformance *c = *state;
  char *text = calloc(1, 4 << 20), path[4096];
  size_t used = 1;
  glob_t tests;
  snprintf(path, sizeof path, "%s/../tests/unit/*_test.c", TANDEM_CONFIG_DIR);
  assert_int_equal(glob(path, 0, NULL, &tests), 0);
  for (size_t i = 0; i < tests.gl_pathc; i++) {
    FILE *file = fopen(tests.gl_pathv[i], "r");
    assert_non_null(file);
    used += fread(text + used, 1, (4 << 20) - 1 - used, file);
    fclose(file);
  }
  globfree(&tests);
  uint32_t missing = 0;
  for (uint32_t i = 0; ptx_mnemonic_at(i); i++) {
    const char *name = ptx_mnemonic_at(i);
    bool found = false;
    size_t n = strlen(name);
    for (uint32_t k = 0; k < c->n_forms && !found; k++)
      found = strncmp(c->opcode[k], name, n) == 0 && (c->opcode[k][n] == '.' || c->opcode[k][n] == 0);
    for (const char *at = text + 1; !found && (at = strstr(at, name)); at++)
      found = strchr(" \"\n;{", at[-1]) && (strchr(". ;", at[n]) != NULL);
    if (!found) print_error("no test executes %s\n", name), missing++;
  }
  free(text);
  assert_int_equal(missing, 0);
}

/* Opcodes that differ in the order of their parts are one: the parts are sorted. */
static int by_text(const void *a, const void *b) { return strcmp(a, b); }
static void sort_parts(char *opcode) {
  char part[16][16];
  uint32_t n = 0;
  char *at = opcode + strcspn(opcode, ".");
  while (*at == '.' && n < 16) {
    size_t length = strcspn(at + 1, ".");
    snprintf(part[n++], sizeof part[0], "%.*s", (int)length, at + 1);
    at += 1 + length;
  }
  qsort(part, n, sizeof part[0], by_text);
  at = opcode + strcspn(opcode, ".");
  for (uint32_t i = 0; i < n; i++) at += sprintf(at, ".%s", part[i]);
}

static void put_part(char *opcode, const char *part) {
  size_t n = strlen(opcode);
  if (part[0]) snprintf(opcode + n, FORM_TEXT - n, ".%s", part);
}

/* The opcode a handler's key stands for, with these modifiers; false if it is of another kind. */
static bool opcode_of(const struct ptx_handler *h, const char *rounding, bool ftz, bool sat, char *opcode) {
  if (!h->signature[0] || strncmp(h->key, "cvt.", 4) == 0) return false;
  snprintf(opcode, FORM_TEXT, "%.*s", (int)strcspn(h->key, "~^!"), h->key);
  put_part(opcode, rounding);
  put_part(opcode, ftz ? "ftz" : "");
  put_part(opcode, sat ? "sat" : "");
  if (!strstr(h->key, ".pred")) put_part(opcode, ptx_type_name(h->type));
  return true;
}

/* Whatever combination of modifiers the decoder takes, a row checks. */
static void test_every_form_that_decodes_has_a_row(void **state) {
  static const char *const roundings[] = {"", "rn", "rz", "rzi"};
  struct conformance *c = *state;
  char(*known)[FORM_TEXT] = malloc((size_t)c->n_forms * FORM_TEXT);
  memcpy(known, c->opcode, (size_t)c->n_forms * FORM_TEXT);
  for (uint32_t i = 0; i < c->n_forms; i++) sort_parts(known[i]);
  qsort(known, c->n_forms, FORM_TEXT, by_text);
  uint32_t decoded = 0, missing = 0;
  for (uint32_t i = 1; ptx_handler_at(i); i++)
    for (uint32_t k = 0; k < COUNT(roundings) * 4; k++) {
      const struct ptx_handler *h = ptx_handler_at(i);
      char opcode[FORM_TEXT], operands[8];
      if (!opcode_of(h, roundings[k / 4], k & 1, k & 2, opcode)) continue;
      struct form f = form_of(opcode);
      snprintf(operands, sizeof operands, "%.*s", (int)strcspn(h->signature, "io"), h->signature);
      if (form_try(c, &f, &(struct form_row){opcode, operands, NULL, NULL, NULL})) continue;
      decoded++;
      sort_parts(opcode);
      if (bsearch(opcode, known, c->n_forms, FORM_TEXT, by_text)) continue;
      print_error("%s decodes, and no row checks it\n", opcode);
      missing++;
    }
  free(known);
  assert_true(decoded > 500);
  assert_int_equal(missing, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_integer_forms),
    cmocka_unit_test(test_float_forms),
    cmocka_unit_test(test_comparison_forms),
    cmocka_unit_test(test_conversion_forms),
    cmocka_unit_test(test_atomic_forms),
    cmocka_unit_test(test_memory_forms),
    cmocka_unit_test(test_every_handler_was_executed),
    cmocka_unit_test(test_every_mnemonic_is_checked_somewhere),
    cmocka_unit_test(test_every_form_that_decodes_has_a_row),
  };
  return cmocka_run_group_tests(tests, conformance_open, conformance_close);
}
