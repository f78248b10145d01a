/* SPDX-License-Identifier: Apache-2.0 */
/* slice: area */
/* Do texts with lists expand to what they would be if every line were written out, and are wrong ones refused? */
#include "base/err.h"
#include "experiment/experiment.h"
#include "kit/test.h"
#include "measure/sources.h"

#include <sys/stat.h>
#include <unistd.h>

#define HEAD "experiment: x\ntitle: t\nsource: s\n"
#define LISTS                                                                                                       \
  "lists:\n  k:\n    a: {label: AA, full: 'n=8', quick: 'n=2'}\n    b: {full: 'n=9', quick: 'n=3', full_only: 1}\n" \
  "  v: [one, two]\n"
#define RUNS "runs:\n  '{k}_{v}': 'w{k}:{k.size},version={v} -c small'\n"
#define TABLE \
  "tables:\n  - id: t\n    title: t\n    rows: k\n    columns:\n      - {id: c, title: c, value: '{k}_one.x'}\n"

struct files {
  char folder[32], path[64], deeper[64];
};

static void write_file(struct files *f, const char *text) {
  strcpy(f->folder, "/tmp/measure_test_XXXXXX");
  assert_non_null(mkdtemp(f->folder));
  snprintf(f->deeper, sizeof f->deeper, "%s/experiments", f->folder);
  assert_int_equal(mkdir(f->deeper, 0777), 0);
  snprintf(f->path, sizeof f->path, "%s/x.yaml", f->deeper);
  FILE *out = fopen(f->path, "w");
  fputs(text, out);
  fclose(out);
}

static void remove_file(const struct files *f) {
  unlink(f->path);
  rmdir(f->deeper);
  rmdir(f->folder);
}

static void opened(struct experiment *x, const char *text, bool quick) {
  struct files f;
  struct err e = {.code = ERR_NONE};
  write_file(&f, text);
  if (experiment_open(x, f.folder, "x", quick, &e)) fail_msg("%s", e.text);
  remove_file(&f);
}

static const char *arguments_of(const struct experiment *x, const char *name) {
  const struct source *q = sources_find(&x->sources, name, strlen(name));
  return q ? q->arguments : "";
}

static void test_a_name_over_lists_stands_for_every_combination(void **state) {
  struct experiment x;
  (void)state;
  opened(&x, HEAD LISTS RUNS TABLE, false);
  assert_int_equal(x.sources.n, 4);
  assert_string_equal(arguments_of(&x, "a_one"), "wa:n=8,version=one -c small");
  assert_string_equal(arguments_of(&x, "b_two"), "wb:n=9,version=two -c small");
  assert_int_equal(x.table[0].n_rows, 2);
  assert_string_equal(x.table[0].label[0], "AA");
  assert_string_equal(x.table[0].label[1], "b");
  experiment_close(&x);
}

static void test_the_quick_form_takes_quick_sizes_and_leaves_items_out(void **state) {
  struct experiment x;
  (void)state;
  opened(&x, HEAD LISTS RUNS TABLE, true);
  assert_string_equal(arguments_of(&x, "a_one"), "wa:n=2,version=one -c small");
  assert_int_equal(x.table[0].n_rows, 1);
  assert_true(sources_find(&x.sources, "b_one", 5)->full_only);
  experiment_close(&x);
}

static void unfolds(struct experiment *x, const char *text, const char *wanted) {
  char out[512];
  struct err e = {.code = ERR_NONE};
  if (lists_unfold(&x->sources.lists, NULL, text, "here:1", NULL, out, sizeof out, &e)) fail_msg("%s", e.text);
  assert_string_equal(out, wanted);
}

static void test_a_function_over_a_list_is_that_of_each_item(void **state) {
  struct experiment x;
  (void)state;
  opened(&x, HEAD LISTS RUNS TABLE, false);
  unfolds(&x, "geomean(k: {k}_one.x / {k}_two.x)", "geomean( a_one.x / a_two.x,  b_one.x / b_two.x)");
  unfolds(&x, "1 - count(k: {k}_one.x > (2))", "1 - sum( a_one.x > (2),  b_one.x > (2))");
  unfolds(&x, "max(k: mean(v: {k}_{v}.x))", "max( mean( a_one.x,  a_two.x),  mean( b_one.x,  b_two.x))");
  unfolds(&x, "corr(v: a_{v}.x, b_{v}.x)", "corr( a_one.x, b_one.x,  a_two.x, b_two.x)");
  unfolds(&x, "min(a_one.x, 3)", "min(a_one.x, 3)");
  experiment_close(&x);
  opened(&x, HEAD LISTS RUNS TABLE, true);
  unfolds(&x, "mean(k: {k}_one.x)", "mean( a_one.x)");
  experiment_close(&x);
}

static void test_only_what_an_expression_names_is_needed(void **state) {
  struct experiment x;
  bool full_only;
  struct err e = {.code = ERR_NONE};
  (void)state;
  opened(&x, HEAD LISTS RUNS "commands:\n  c: 'noc {run:a_two}/x --json'\n" TABLE, false);
  assert_int_equal(sources_need(&x.sources, "1.5e3 * c.speed + max(a_one.x, 2)", "here:1", &full_only, &e), 0);
  assert_true(sources_find(&x.sources, "a_one", 5)->needed && sources_find(&x.sources, "a_two", 5)->needed);
  assert_false(sources_find(&x.sources, "b_one", 5)->needed);
  assert_int_equal(sources_need(&x.sources, "q_one.x", "here:1", &full_only, &e), ERR_VALUE);
  assert_non_null(strstr(e.text, "q_one.x"));
  experiment_close(&x);
}

static void refused(const char *text, const char *wanted) {
  struct files f;
  struct experiment x;
  struct err e = {.code = ERR_NONE};
  write_file(&f, text);
  if (!experiment_open(&x, f.folder, "x", false, &e)) fail_msg("taken: %s", text);
  if (!strstr(e.text, wanted)) fail_msg("%s\nwanted: %s\nsays: %s", text, wanted, e.text);
  remove_file(&f);
}

static void test_a_wrong_file_is_refused_with_line_and_mend(void **state) {
  (void)state;
  refused(HEAD, "list of tables");
  refused("experiment: y\ntitle: t\nsource: s\n" LISTS RUNS TABLE, "in the file of x");
  refused(HEAD "tabels: 1\n" LISTS RUNS TABLE, "did you mean tables");
  refused(HEAD "lists:\n  k: []\nruns: {r: w}\n" TABLE, "0 items");
  refused(HEAD LISTS "runs:\n  '{k}_{q}': w\n" TABLE, "{q} is no item");
  refused(HEAD LISTS "runs:\n  '{k}_one': 'w {v}'\n" TABLE, "x.yaml:10");
  refused(HEAD LISTS "runs:\n  '{k': w\n" TABLE, "} is missing");
  refused(HEAD LISTS "runs:\n  'r': w\n  'r}': w\n" TABLE, "} too many");
  refused(HEAD LISTS "runs:\n  r: w\ncommands:\n  r: list\n" TABLE, "names a run already");
  refused(HEAD LISTS "runs:\n  r: {quick: w}\n" TABLE, "full");
  refused(HEAD LISTS RUNS "tables:\n  - {id: t, title: t, rows: q, columns: []}\n", "no list \"q\"");
  refused(HEAD LISTS RUNS "tables:\n  - {id: t, title: t, rows: k, columns: []}\n", "list of columns");
  refused(HEAD LISTS RUNS
          "tables:\n  - {id: t, title: t, rows: k, columns: [{id: c, title: c, value: 1, digits: x}]}\n",
          "not 0 to 9");
  refused(HEAD LISTS RUNS TABLE "    plot: {kind: pie, columns: [c]}\n", "none of bars");
  refused(HEAD LISTS RUNS TABLE "    plot: {kind: bars, columns: [d]}\n", "no column \"d\"");
  refused(HEAD LISTS RUNS TABLE "    plot: {kind: lines, columns: [c]}\n", "x");
  refused(HEAD LISTS RUNS TABLE "pictures:\n  p: 'timeline {run:z}'\n", "no run \"z\"");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_name_over_lists_stands_for_every_combination),
    cmocka_unit_test(test_the_quick_form_takes_quick_sizes_and_leaves_items_out),
    cmocka_unit_test(test_a_function_over_a_list_is_that_of_each_item),
    cmocka_unit_test(test_only_what_an_expression_names_is_needed),
    cmocka_unit_test(test_a_wrong_file_is_refused_with_line_and_mend),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
