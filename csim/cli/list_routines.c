/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/list_routines.h"

#include "base/err.h"
#include "base/in_file.h"
#include "systems/caba/routines.h"

#include <inttypes.h>
#include <stdlib.h>

static int load(const char *file, struct aws_store *s, struct err *e) {
  size_t bytes;
  int code = 0;
  if (!file) {
    for (int a = 0; a < CABA_N_ALGORITHMS && !code; a++) code = caba_load_algorithm((enum caba_algorithm)a, s, e);
    return code;
  }
  char *text = in_file_read(file, &bytes, e);
  if (!text) return (int)e->code;
  code = caba_assemble(file, text, bytes, s, e);
  free(text);
  if (!code && !s->n_routines) return err_set(e, ERR_SYNTAX, "%s:1: no routine (.entry)", file);
  return code;
}

static json_t *words_json(const struct aws_store *s, const struct aws_routine *r) {
  json_t *words = json_array();
  for (uint32_t i = 0; i < r->words; i++)
    json_array_append_new(words, json_sprintf("0x%016" PRIx64, s->word[r->base + i]));
  return words;
}

int list_routine_rows(json_t *rows, const char *file, struct err *e) {
  static const char *const briefs[AWS_N_EVENTS] = {"called by no event", "a compressed line has come",
                                                   "a line was written", "an instruction is marked"};
  struct aws_store s = {0};
  struct caba_executed x[AWS_ROUTINES];
  int code = load(file, &s, e);
  if (code) return code;
  caba_count_executed(&s, x);
  for (uint32_t k = 0; k < s.n_routines; k++) {
    const struct aws_routine *r = &s.routine[k];
    const char *hand = file ? NULL : caba_hand_count(r->name);
    json_t *row =
      json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s?, s:o}", "name", r->name, "brief",
                briefs[r->event], "priority", r->high ? "high" : "low", "encoding", (json_int_t)r->encoding, "words",
                (json_int_t)r->words, "registers", (json_int_t)r->registers, "predicates", (json_int_t)r->predicates,
                "executed_least", (json_int_t)x[k].least, "executed_most", (json_int_t)x[k].most, "arithmetic",
                (json_int_t)x[k].of[AWS_ARITHMETIC], "memory", (json_int_t)x[k].of[AWS_MEMORY], "flow",
                (json_int_t)x[k].of[AWS_FLOW], "by_hand", hand, "instructions", words_json(&s, r));
    json_array_append_new(rows, row);
  }
  return 0;
}

static void print_executed(const json_t *row) {
  long long least = json_integer_value(json_object_get(row, "executed_least"));
  long long most = json_integer_value(json_object_get(row, "executed_most"));
  char range[48] = "-"; /* none of the sample lines calls it */
  if (most) snprintf(range, sizeof range, "%lld", most);
  if (most > least) snprintf(range, sizeof range, "%lld to %lld", least, most);
  const char *hand = json_string_value(json_object_get(row, "by_hand"));
  printf(" %10s %10s", range, hand ? hand : "-");
}

void list_routine_print(const json_t *rows) {
  long long words = 0;
  size_t i;
  json_t *row;
  printf("%-16s %-5s %5s %9s %10s %10s  %s\n", "routine", "prio", "words", "registers", "executed", "by hand",
         "called when");
  json_array_foreach(rows, i, row) {
    words += json_integer_value(json_object_get(row, "words"));
    printf("%-16s %-5s %5lld %9lld", json_string_value(json_object_get(row, "name")),
           json_string_value(json_object_get(row, "priority")),
           (long long)json_integer_value(json_object_get(row, "words")),
           (long long)json_integer_value(json_object_get(row, "registers")));
    print_executed(row);
    printf("  %s\n", json_string_value(json_object_get(row, "brief")));
  }
  printf("%lld of %d words of the assist warp store\n", words, AWS_WORDS);
}
