/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Energy by events against arithmetic by hand, on a table and a run of its own. */
#include "kit/test.h"

#include "base/err.h"
#include "measure/energy.h"

#include <jansson.h>
#include <unistd.h>

static char path[64];

static void write_table(const char *text) {
  snprintf(path, sizeof path, "/tmp/tandem-energy-XXXXXX");
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
}

static const char table[] =
  "parts:\n"
  "  core:\n"
  "    one: {events: sm.instructions, pJ: 10, low: 5, high: 40, source: \"S\"}\n"
  "    two: {events: 2 * sm.loads + sm.stores, pJ: 3, low: 3, high: 3, source: \"S\"}\n"
  "  wires:\n"
  "    flits: {events: memory.flits * config.noc.flit_bytes, pJ: 0.5, low: 0.25, high: 1, source: \"S\"}\n";

static json_t *run(void) {
  return json_pack("{s:{s:{s:i}}, s:{s:i, s:{s:i, s:i, s:i}, s:{s:i}}}", "config", "parameters", "noc.flit_bytes", 32,
                   "statistics", "time_ns", 100, "sm", "instructions", 7000, "loads", 11, "stores", 4, "memory",
                   "flits", 50);
}

static double nj(const struct energy *g, const json_t *j, const char *what, enum energy_end end) {
  struct err e = {0};
  double value;
  if (energy_of(g, j, what, end, &value, &e)) fail_msg("%s", e.text);
  return value;
}

static bool near(double a, double b) { return a > b - 1e-9 && a < b + 1e-9; }

static void events_times_their_cost(void **unused) {
  (void)unused;
  struct energy g;
  struct err e = {0};
  write_table(table);
  if (energy_open(&g, path, &e)) fail_msg("%s", e.text);
  json_t *j = run();
  assert_true(near(nj(&g, j, "core.one", ENERGY_MIDDLE), 70));      /* 7000 x 10 pJ */
  assert_true(near(nj(&g, j, "core.one", ENERGY_LOW), 35));         /* 7000 x 5 */
  assert_true(near(nj(&g, j, "core.two", ENERGY_HIGH), 0.078));     /* 26 x 3 */
  assert_true(near(nj(&g, j, "wires", ENERGY_MIDDLE), 0.8));        /* 50 x 32 x 0.5 */
  assert_true(near(nj(&g, j, "core", ENERGY_MIDDLE), 70.078));      /* both */
  assert_true(near(nj(&g, j, "", ENERGY_MIDDLE), 70.878));          /* all */
  assert_true(near(nj(&g, j, "", ENERGY_HIGH), 280 + 0.078 + 1.6)); /* 7000 x 40, 26 x 3, 1600 x 1 */
  double value;
  assert_int_equal(energy_of(&g, j, "cor", ENERGY_MIDDLE, &value, &e), ERR_VALUE);
  assert_int_equal(energy_of(&g, j, "core.three", ENERGY_MIDDLE, &value, &e), ERR_VALUE);
  json_decref(j);
  energy_close(&g);
  unlink(path);
}

/* A run without a number that an entry names is an error with the table's line and the number. */
static void a_missing_number_is_named(void **unused) {
  (void)unused;
  struct energy g;
  struct err e = {0};
  double value;
  write_table(table);
  assert_int_equal(energy_open(&g, path, &e), 0);
  json_t *j = run();
  json_object_del(json_object_get(json_object_get(j, "statistics"), "memory"), "flits");
  assert_int_equal(energy_of(&g, j, "wires", ENERGY_MIDDLE, &value, &e), ERR_VALUE);
  assert_non_null(strstr(e.text, ":6: wires.flits"));
  assert_non_null(strstr(e.text, "memory.flits"));
  json_decref(j);
  energy_close(&g);
  unlink(path);
}

static void refused(const char *text, const char *words) {
  struct energy g;
  struct err e = {0};
  write_table(text);
  assert_int_not_equal(energy_open(&g, path, &e), 0);
  if (!strstr(e.text, words)) fail_msg("\"%s\" is not in: %s", words, e.text);
  unlink(path);
}

static void bad_tables_are_refused(void **unused) {
  (void)unused;
  refused("parts:\n  a:\n    b: {events: x, pJ: 1, low: 1, high: 1}\n", "source");
  refused("parts:\n  a:\n    b: {events: x, pJ: 1, low: 1, high: 1, source: \"\"}\n", ":3: source must be");
  refused("parts:\n  a:\n    b: {events: x, pJ: 1, low: 2, high: 3, source: S}\n", ":3: a.b: pJ is not between");
  refused("parts:\n  a:\n    b: {events: x, pJ: much, low: 2, high: 3, source: S}\n", "write a number of picojoules");
  refused("parts:\n  a:\n    b: {events: x, pJ: -1, low: -2, high: 3, source: S}\n", "write a number of picojoules");
  refused("parts:\n  a:\n    b: {events: x, pj: 1, low: 2, high: 3, source: S}\n", "pJ");
  refused("parts: {}\n", "no \"parts\"");
  refused("part: {}\n", "parts");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(events_times_their_cost),
    cmocka_unit_test(a_missing_number_is_named),
    cmocka_unit_test(bad_tables_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
