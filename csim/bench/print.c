/* SPDX-License-Identifier: Apache-2.0 */
/* The table as text and as JSON, and beside an earlier one. */
#include "base/err.h"
#include "base/json_out.h"
#include "bench/bench.h"

#include <jansson.h>
#include <string.h>
#include <unistd.h>

static void processor_name(char *out, size_t size) {
  char line[256];
  FILE *f = fopen("/proc/cpuinfo", "r");
  snprintf(out, size, "unknown processor");
  while (f && fgets(line, sizeof line, f))
    if (!strncmp(line, "model name", 10)) {
      const char *colon = strchr(line, ':');
      snprintf(out, size, "%.*s", colon ? (int)strcspn(colon + 2, "\n") : 0, colon ? colon + 2 : "");
      break;
    }
  if (f) fclose(f);
}

static void print_spread(FILE *f, struct bench_spread s, unsigned digits) {
  char range[40];
  snprintf(range, sizeof range, "(%.*f..%.*f)", (int)digits, s.low, (int)digits, s.high);
  fprintf(f, " %8.*f %-17s", (int)digits, s.median, range);
}

static void print_wanted(FILE *f, const struct bench_run *r) {
  if (r->wanted_wall > 0) fprintf(f, "  wall wanted <= %.2f", r->wanted_wall);
  if (r->wanted_processor > 0) fprintf(f, "  processor wanted <= %.2f", r->wanted_processor);
}

static void print_runs(const struct bench *b, FILE *f) {
  fprintf(f, "%-44s %-26s %-26s %-26s %-26s\n", "whole runs", "wall time, s", "processor time, s",
          "wall: times the base", "processor: times the base");
  for (unsigned i = 0; i < b->n_runs; i++) {
    fprintf(f, "%-43.43s", b->run[i].name);
    print_spread(f, bench_wall(b, i), 3);
    print_spread(f, bench_processor(b, i), 3);
    if (b->run[i].base >= 0) {
      print_spread(f, bench_wall_ratio(b, i), 2);
      print_spread(f, bench_processor_ratio(b, i), 2);
    }
    print_wanted(f, &b->run[i]);
    fputc('\n', f);
  }
}

static void print_figure(const struct bench_figure *g, FILE *f) {
  fprintf(f, "%-52s %10.3f %-20s", g->name, g->value, g->unit);
  if (g->normalised > 0) fprintf(f, " normalised %8.2f ns ", g->normalised);
  fprintf(f, " %s%s\n", *g->wanted ? "wanted " : "", g->wanted);
}

void bench_print(const struct bench *b, FILE *f) {
  char processor[200];
  processor_name(processor, sizeof processor);
  fprintf(f, "%s, %ld processors; calibration loop %.2f ns a turn\n", processor, sysconf(_SC_NPROCESSORS_ONLN),
          b->calibration);
  if (b->n_runs) {
    fprintf(f, "medians of %u rounds (smallest..largest); the runs of a round follow each other\n", b->rounds);
    print_runs(b, f);
  }
  for (unsigned i = 0; i < b->n_figures; i++) print_figure(&b->figure[i], f);
}

static json_t *spread(struct bench_spread s) {
  return json_pack("{s:f, s:f, s:f}", "median", s.median, "low", s.low, "high", s.high);
}

static json_t *run_object(const struct bench *b, unsigned i) {
  const struct bench_run *r = &b->run[i];
  json_t *o = json_pack("{s:s, s:s, s:o, s:o}", "name", r->name, "command", r->command, "wall_s",
                        spread(bench_wall(b, i)), "processor_s", spread(bench_processor(b, i)));
  if (r->base < 0) return o;
  json_object_set_new(o, "base", json_string(b->run[r->base].name));
  json_object_set_new(o, "wall_ratio", spread(bench_wall_ratio(b, i)));
  json_object_set_new(o, "processor_ratio", spread(bench_processor_ratio(b, i)));
  if (r->wanted_wall > 0) json_object_set_new(o, "wanted_wall_ratio", json_real(r->wanted_wall));
  if (r->wanted_processor > 0) json_object_set_new(o, "wanted_processor_ratio", json_real(r->wanted_processor));
  return o;
}

void bench_print_json(const struct bench *b, FILE *f) {
  char processor[200];
  processor_name(processor, sizeof processor);
  json_t *runs = json_array(), *figures = json_array();
  for (unsigned i = 0; i < b->n_runs; i++) json_array_append_new(runs, run_object(b, i));
  for (unsigned i = 0; i < b->n_figures; i++) {
    const struct bench_figure *g = &b->figure[i];
    json_t *o =
      json_pack("{s:s, s:f, s:s, s:s}", "name", g->name, "value", g->value, "unit", g->unit, "wanted", g->wanted);
    if (g->normalised > 0) json_object_set_new(o, "normalised", json_real(g->normalised));
    json_array_append_new(figures, o);
  }
  json_t *all = json_pack("{s:s, s:i, s:f, s:i, s:o, s:o}", "processor", processor, "processors",
                          (int)sysconf(_SC_NPROCESSORS_ONLN), "calibration_ns", b->calibration, "rounds",
                          (int)b->rounds, "runs", runs, "figures", figures);
  json_out(all, "bench/2", 0, f);
  json_decref(all);
}

/* ---- beside an earlier table ---- */

static const json_t *named(const json_t *rows, const char *name, const char *base) {
  size_t i;
  const json_t *row;
  json_array_foreach(rows, i, row) {
    const char *its = json_string_value(json_object_get(row, "base"));
    if (strcmp(json_string_value(json_object_get(row, "name")), name) == 0 && strcmp(its ? its : "", base) == 0)
      return row;
  }
  return NULL;
}

static double median_of(const json_t *row, const char *key) {
  return json_number_value(json_object_get(json_object_get(row, key), "median"));
}

/* A time in turns of the calibration loop, so that the speeds of the two hosts cancel out. */
static void compare_runs(const struct bench *b, const json_t *before, double calibration, FILE *f) {
  fprintf(f, "%-44s %12s %12s %12s\n", "processor time, normalised", "before, s", "now, s", "now / before");
  for (unsigned i = 0; i < b->n_runs; i++) {
    const struct bench_run *r = &b->run[i];
    const json_t *row = named(before, r->name, r->base < 0 ? "" : b->run[r->base].name);
    if (!row) continue;
    double was = bench_normalised(median_of(row, "processor_s"), calibration);
    double now = bench_normalised(bench_processor(b, i).median, b->calibration);
    fprintf(f, "%-44.44s %12.4f %12.4f %12.3f\n", r->name, was, now, now / was);
  }
}

static void compare_figures(const struct bench *b, const json_t *before, FILE *f) {
  fprintf(f, "%-52s %12s %12s %12s\n", "figures (ns: normalised)", "before", "now", "now / before");
  for (unsigned i = 0; i < b->n_figures; i++) {
    const struct bench_figure *g = &b->figure[i];
    const json_t *row = named(before, g->name, "");
    const char *key = g->normalised > 0 ? "normalised" : "value";
    if (!row) continue;
    double was = json_number_value(json_object_get(row, key)), now = g->normalised > 0 ? g->normalised : g->value;
    fprintf(f, "%-52s %12.3f %12.3f %12.3f\n", g->name, was, now, was != 0 ? now / was : 0);
  }
}

json_t *bench_earlier(const char *path, struct err *e) {
  json_error_t wrong;
  json_t *j = json_load_file(path, 0, &wrong);
  const char *schema = json_string_value(json_object_get(j, "schema"));
  if (!j)
    err_set(e, ERR_FILE, "--compare %s: line %d: %s; write such a file by: tandem bench --json > FILE", path,
            wrong.line, wrong.text);
  else if (schema && strcmp(schema, "bench/2") == 0 && json_number_value(json_object_get(j, "calibration_ns")) > 0)
    return j;
  else err_set(e, ERR_VALUE, "--compare %s: no bench/2; write such a file by: tandem bench --json > FILE", path);
  json_decref(j);
  return NULL;
}

void bench_compare(const struct bench *b, const json_t *earlier, FILE *f) {
  fprintf(f, "before: %s\n", json_string_value(json_object_get(earlier, "processor")));
  if (b->n_runs)
    compare_runs(b, json_object_get(earlier, "runs"), json_number_value(json_object_get(earlier, "calibration_ns")), f);
  compare_figures(b, json_object_get(earlier, "figures"), f);
}
