/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/mutants_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum method { LOCKSTEP, REPLAY, LAW, PROOF, METHODS };
static const struct {
  const char *key, *title;
} methods[METHODS] = {
  {"lockstep", "random lockstep"}, {"replay", "replayed vectors"}, {"law", "properties"}, {"proof", "equality proof"}};

/* The cycles after which a method noticed the mutant; -1: it did not. A proof has no cycles: 0. */
static long noticed(const json_t *row, enum method m) {
  const json_t *v = json_object_get(row, methods[m].key);
  if (json_is_object(v)) return (long)json_integer_value(json_object_get(v, "cycles"));
  if (json_is_integer(v)) return (long)json_integer_value(v) + 1;
  const char *proof = m == PROOF ? json_string_value(v) : NULL;
  return proof && !strcmp(proof, "broken") ? 0 : -1;
}

static int by_value(const void *a, const void *b) {
  long x = *(const long *)a, y = *(const long *)b;
  return (x > y) - (x < y);
}

static bool is(const json_t *row, const char *key) { return json_is_true(json_object_get(row, key)); }

/* Kills of a method among the mutants that are not proved equivalent, and the median of the cycles that they took. */
static unsigned kills(const json_t *mutants, enum method m, long *median) {
  size_t i, n = 0;
  json_t *row;
  long *cycles = calloc(json_array_size(mutants) + 1, sizeof *cycles);
  json_array_foreach(mutants, i, row) {
    long after = is(row, "equivalent") ? -1 : noticed(row, m);
    if (cycles && after >= 0) cycles[n++] = after;
  }
  if (n) qsort(cycles, n, sizeof *cycles, by_value);
  *median = n ? cycles[(n - 1) / 2] : 0;
  free(cycles);
  return (unsigned)n;
}

static void print_mutant(FILE *f, const char *what, const json_t *row) {
  const char *wire = json_string_value(json_object_get(row, "wire"));
  fprintf(f, "  %s %lld: %s at bit %lld of %s of cell %s%s%s, %s\n", what,
          (long long)json_integer_value(json_object_get(row, "number")),
          json_string_value(json_object_get(row, "mode")), (long long)json_integer_value(json_object_get(row, "bit")),
          json_string_value(json_object_get(row, "port")), json_string_value(json_object_get(row, "cell")),
          *wire ? ", " : "", wire, json_string_value(json_object_get(row, "at")));
}

static void print_head(FILE *f, const json_t *report, unsigned total, unsigned equivalent) {
  const char *key;
  json_t *value, *params = json_object_get(report, "parameters");
  fprintf(f, "%s", json_string_value(json_object_get(report, "block")));
  json_object_foreach(params, key, value) fprintf(f, " %s=%lld", key, (long long)json_integer_value(value));
  fprintf(f, ", seed %lld: %u random mutants, %u of them proved equivalent\n",
          (long long)json_integer_value(json_object_get(report, "seed")), total, equivalent);
}

static void print_methods(FILE *f, const json_t *report, unsigned others, json_t *summary) {
  const json_t *mutants = json_object_get(report, "mutants");
  const char *result = json_string_value(json_object_get(json_object_get(report, "proof"), "result"));
  if (f) fprintf(f, "%-18s %8s %8s %14s\n", "", "killed", "%", "median cycles");
  for (enum method m = 0; m < METHODS; m++) {
    long median;
    unsigned n = kills(mutants, m, &median);
    bool none = m == PROOF && (!result || strcmp(result, "proved") != 0);
    json_object_set_new(summary, methods[m].key,
                        none ? json_null()
                             : json_pack("{s:I, s:I}", "killed", (json_int_t)n, "median_cycles", (json_int_t)median));
    if (!f) continue;
    if (none)
      fprintf(f, "%-18s %8s   (not proved equal at this size%s%s)\n", methods[m].title, "-", result ? ": " : "",
              result ? result : "");
    else if (m == PROOF)
      fprintf(f, "%-18s %8u %8.1f %14s\n", methods[m].title, n, others ? 100.0 * n / others : 100, "-");
    else fprintf(f, "%-18s %8u %8.1f %14ld\n", methods[m].title, n, others ? 100.0 * n / others : 100, median);
  }
}

unsigned mutants_table(json_t *report, FILE *f) {
  json_t *mutants = json_object_get(report, "mutants"), *row, *summary = json_object();
  unsigned total = (unsigned)json_array_size(mutants), equivalent = 0, killed = 0;
  size_t i;
  json_array_foreach(mutants, i, row) {
    equivalent += is(row, "equivalent");
    killed += is(row, "killed");
  }
  unsigned others = total - equivalent;
  if (f) print_head(f, report, total, equivalent);
  print_methods(f, report, others, summary);
  if (f) fprintf(f, "%-18s %8u %8.1f\n", "any of them", killed, others ? 100.0 * killed / others : 100);
  json_array_foreach(mutants, i, row) {
    if (!f || is(row, "equivalent")) continue;
    if (!is(row, "killed")) print_mutant(f, "SURVIVED", row);
    else if (noticed(row, LOCKSTEP) < 0 && noticed(row, REPLAY) < 0)
      print_mutant(f, noticed(row, LAW) >= 0 ? "no run notices" : "the proof alone notices", row);
  }
  json_object_set_new(summary, "mutants", json_integer(total));
  json_object_set_new(summary, "equivalent", json_integer(equivalent));
  json_object_set_new(summary, "killed", json_integer(killed));
  json_object_set_new(report, "summary", summary);
  return others - killed;
}
