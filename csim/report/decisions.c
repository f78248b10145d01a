/* SPDX-License-Identifier: Apache-2.0 */
#include "report/decisions.h"

#include "base/err.h"
#include "base/json_out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static long long number(const json_t *j, const char *key) {
  return (long long)json_integer_value(json_object_get(j, key));
}
static const char *text(const json_t *j, const char *key) {
  const char *t = json_string_value(json_object_get(j, key));
  return t ? t : "";
}
static long long element(const json_t *array, size_t i) {
  return (long long)json_integer_value(json_array_get(array, i));
}

/* ---- reading ---- */

/* The same decision, whatever it cost. */
static bool is_same(const json_t *a, const json_t *b) {
  static const char *const keys[] = {"kernel", "grid", "structures", "rows", "clusters", "evaluations"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (!json_equal(json_object_get(a, keys[i]), json_object_get(b, keys[i]))) return false;
  return true;
}

static void add(json_t *launches, json_t *one) {
  json_t *last = json_array_get(launches, json_array_size(launches) ? json_array_size(launches) - 1 : 0);
  if (last && is_same(last, one)) {
    json_object_set_new(last, "times", json_integer(number(last, "times") + 1));
    json_decref(one);
    return;
  }
  json_object_set_new(one, "times", json_integer(1));
  json_array_append_new(launches, one);
}

json_t *decisions_load(const char *path, struct err *e) {
  FILE *f = fopen(path, "r");
  char *line = NULL;
  size_t size = 0, lines = 0;
  int code = f ? 0 : err_set(e, ERR_FILE, "cannot read %s: %s", path, strerror(errno));
  json_t *launches = json_array();
  while (!code && getline(&line, &size, f) > 0) {
    json_error_t problem;
    json_t *one = json_loads(line, 0, &problem);
    lines++;
    if (one) add(launches, one);
    else code = err_set(e, ERR_FILE, "%s:%zu: this is no decision: %s", path, lines, problem.text);
  }
  free(line);
  if (f) fclose(f);
  if (!code) return launches;
  json_decref(launches);
  return NULL;
}

/* ---- printing ---- */

static void print_clusters(const json_t *launch, FILE *out) {
  const json_t *c = json_object_get(launch, "clusters"), *size = json_object_get(c, "size"),
               *of = json_object_get(c, "of_modules");
  if (!json_is_object(c)) {
    fprintf(out, "  clusters     none: CTAs are given round robin\n");
    return;
  }
  fprintf(out, "  clusters     %lld x %lld x %lld CTAs;", element(size, 0), element(size, 1), element(size, 2));
  for (size_t i = 0; i < json_array_size(of); i++) fprintf(out, " %lld", element(of, i));
  if (json_array_size(of) > 1) fprintf(out, " in modules 0 to %zu", json_array_size(of) - 1);
  fprintf(out, "\n");
}

static void print_structure(const json_t *s, FILE *out) {
  const json_t *local = json_object_get(s, "local");
  fprintf(out, "  structure    ");
  if (json_is_true(json_object_get(s, "local_memory"))) {
    fprintf(out, "local memory: %s, priority %lld\n", text(s, "type"), number(s, "priority"));
    return;
  }
  fprintf(out, "0x%llx, %lld bytes: %s, %s, %s", number(s, "address"), number(s, "bytes"), text(s, "type"),
          text(s, "sharing"), text(s, "pattern"));
  if (number(s, "stride")) fprintf(out, " by %lld bytes", number(s, "stride"));
  fprintf(out, ", priority %lld; %lld C-Tiles, %lld D-Tiles\n", number(s, "priority"), number(s, "c_tiles"),
          number(s, "d_tiles"));
  if (json_is_real(local))
    fprintf(out, "               in the module that address bits from b = %lld name, %.1f %% local\n", number(s, "bit"),
            100 * json_real_value(local));
}

static void print_row(size_t i, const json_t *r, FILE *out) {
  const json_t *distance = json_object_get(r, "distance");
  fprintf(out, "  row %-2zu       0x%llx to 0x%llx: %s, prefetch %s", i, number(r, "from"), number(r, "to"),
          text(r, "insert"), text(r, "prefetch"));
  for (size_t k = 0; k < json_array_size(distance); k++) fprintf(out, "%s%lld", k ? " " : ": ", element(distance, k));
  if (json_array_size(distance)) fprintf(out, " bytes ahead with 1, 2, .. tiles");
  fprintf(out, "\n");
}

void decisions_print(const json_t *launches, FILE *out) {
  size_t i, k;
  json_t *launch, *j;
  json_array_foreach(launches, i, launch) {
    const json_t *grid = json_object_get(launch, "grid");
    long long times = number(launch, "times");
    fprintf(out, "%skernel %s, grid %lld x %lld x %lld, %lld launch%s\n", i ? "\n" : "", text(launch, "kernel"),
            element(grid, 0), element(grid, 1), element(grid, 2), times, times == 1 ? "" : "es");
    print_clusters(launch, out);
    json_array_foreach(json_object_get(launch, "structures"), k, j) print_structure(j, out);
    json_array_foreach(json_object_get(launch, "rows"), k, j) print_row(k, j, out);
    fprintf(out, "  driver       %lld evaluations, %.0f us of the host, %lld bytes moved\n",
            number(launch, "evaluations"), json_real_value(json_object_get(launch, "microseconds")),
            number(launch, "moved_bytes"));
  }
}

void decisions_print_json(const char *program, json_t *launches, FILE *out) {
  json_t *j = json_pack("{s:s,s:o}", "program", program, "launches", launches);
  invariant(j, "the host has no memory for the decisions");
  json_out(j, "ldesc/1", 0, out);
  json_decref(j);
}
