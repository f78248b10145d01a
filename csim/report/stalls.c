/* SPDX-License-Identifier: Apache-2.0 */
#include "report/stalls.h"

#include "base/err.h"
#include "base/gnuplot.h"
#include "base/json_out.h"
#include "report/run_file.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The classes in the order of the columns: all that count cycles, then the one without a counter. */
const struct stall_class *stalls_class(uint32_t column) {
  uint32_t n = stall_class_count(), c = 0;
  for (uint32_t i = 0; i < n; i++)
    if (stall_class_at(i)->counter && c++ == column) return stall_class_at(i);
  return stall_class_at(STALL_IDLE);
}

bool stalls_shows(const struct stalls *s, uint32_t column) {
  enum stall_pipelines p = stalls_class(column)->pipelines;
  return p == STALLS_OF_ALL || (p == STALLS_OF_BARREL) == s->barrel;
}

static const struct slot_use {
  const char *title, *counter;
} slot_uses[STALL_SLOT_USES] = {{"active", "slots_active"},
                                {"memory", "slots_memory"},
                                {"compute", "slots_compute"},
                                {"dependence", "slots_dependence"},
                                {"idle", "slots_idle"}};

/* Adds the counters of some SMs in `core_cycles` cycles of each. */
static void add(struct stall_row *row, const json_t *counters, uint64_t core_cycles, uint64_t sms) {
  uint32_t idle = stall_class_count() - 1; /* the last column: what is left of the cycles */
  for (uint32_t c = 0; c < idle; c++) row->of[c] += run_file_number(counters, stalls_class(c)->counter);
  row->of[idle] += core_cycles * sms - run_file_number(counters, "cycles");
  row->cycles += core_cycles * sms;
  for (uint32_t u = 0; u < STALL_SLOT_USES; u++) row->slots[u] += run_file_number(counters, slot_uses[u].counter);
}

static struct stall_row *kernel_row(struct stalls *s, const char *name) {
  for (uint32_t i = 0; i < s->n_kernels; i++)
    if (!strncmp(s->kernels[i].name, name, STALL_NAME_BYTES - 1)) return &s->kernels[i];
  struct stall_row *row = &s->kernels[s->n_kernels++];
  snprintf(row->name, sizeof row->name, "%s", name);
  return row;
}

static int fill(struct stalls *s, const json_t *run, const char *path, struct err *e) {
  const json_t *statistics = json_object_get(run, "statistics"), *config = json_object_get(run, "config");
  const json_t *launches = json_object_get(statistics, "launches"), *per_sm = json_object_get(statistics, "per_sm");
  size_t n_launches = json_array_size(launches), n_sms = json_array_size(per_sm);
  if (!n_sms || !json_is_array(launches)) return err_set(e, ERR_VALUE, "%s: no statistics of a run in it", path);
  const char *workload = json_string_value(json_object_get(config, "workload"));
  const char *gpu = json_string_value(json_object_get(config, "machine"));
  snprintf(s->run, sizeof s->run, "%s on %s", workload && *workload ? workload : "program", gpu ? gpu : "?");
  s->kernels = calloc(n_launches + 1, sizeof *s->kernels);
  s->sms = calloc(n_sms, sizeof *s->sms);
  if (!s->kernels || !s->sms) return err_set(e, ERR_LIMIT, "out of memory for %zu launches", n_launches);
  uint64_t in_launches = 0;
  for (size_t i = 0; i < n_launches; i++) {
    const json_t *launch = json_array_get(launches, i);
    const char *name = json_string_value(json_object_get(launch, "kernel"));
    struct stall_row *row = kernel_row(s, name ? name : "?");
    add(row, json_object_get(launch, "sm"), run_file_number(launch, "core_cycles"), n_sms);
    row->launches++;
    in_launches += run_file_number(launch, "core_cycles");
  }
  s->n_sms = (uint32_t)n_sms;
  const char *pipeline = json_string_value(json_object_get(json_object_get(config, "parameters"), "sm.pipeline"));
  s->barrel = pipeline && strcmp(pipeline, "scoreboard") != 0;
  for (uint32_t i = 0; i < s->n_sms; i++) {
    snprintf(s->sms[i].name, sizeof s->sms[i].name, "sm%" PRIu32, i);
    add(&s->sms[i], json_array_get(per_sm, i), in_launches, 1);
  }
  return 0;
}

int stalls_load(struct stalls *s, const char *dir, struct err *e) {
  char path[RUN_PATH_BYTES];
  memset(s, 0, sizeof *s);
  snprintf(path, sizeof path, "%s/run.json", dir);
  json_t *run = run_file_load(dir, e);
  if (!run) return (int)e->code;
  int status = fill(s, run, path, e);
  json_decref(run);
  if (status) stalls_free(s);
  return status;
}

void stalls_free(struct stalls *s) {
  free(s->kernels);
  free(s->sms);
  memset(s, 0, sizeof *s);
}

/* ---- table ---- */

static double share(uint64_t part, uint64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0; }

static void print_rows(const struct stalls *s, const struct stall_row *rows, uint32_t n, const char *heading, FILE *f) {
  fprintf(f, "%-28s %8s %14s", heading, "launches", "SM cycles");
  for (uint32_t c = 0; c < stall_class_count(); c++)
    if (stalls_shows(s, c)) fprintf(f, " %9s", stalls_class(c)->title);
  fputc('\n', f);
  for (uint32_t i = 0; i < n; i++) {
    char launches[24] = "";
    if (rows[i].launches) snprintf(launches, sizeof launches, "%" PRIu64, rows[i].launches);
    fprintf(f, "%-28.28s %8s %14" PRIu64, rows[i].name, launches, rows[i].cycles);
    for (uint32_t c = 0; c < stall_class_count(); c++)
      if (stalls_shows(s, c))
        fprintf(f, " %*.1f %%", (int)strlen(stalls_class(c)->title) > 9 ? 11 : 7, share(rows[i].of[c], rows[i].cycles));
    fputc('\n', f);
  }
}

static void print_slots(const struct stall_row *rows, uint32_t n, FILE *f) {
  fprintf(f, "%-28s %8s %14s", "schedulers", "", "issue slots");
  for (uint32_t u = 0; u < STALL_SLOT_USES; u++) fprintf(f, " %10s", slot_uses[u].title);
  fputc('\n', f);
  for (uint32_t i = 0; i < n; i++) {
    uint64_t sum = 0;
    for (uint32_t u = 0; u < STALL_SLOT_USES; u++) sum += rows[i].slots[u];
    fprintf(f, "%-28.28s %8s %14" PRIu64, rows[i].name, "", sum);
    for (uint32_t u = 0; u < STALL_SLOT_USES; u++) fprintf(f, " %8.1f %%", share(rows[i].slots[u], sum));
    fputc('\n', f);
  }
}

void stalls_print(const struct stalls *s, FILE *f) {
  fprintf(f, "%s: where the cycles of the SMs went\n", s->run);
  print_rows(s, s->kernels, s->n_kernels, "kernel", f);
  print_rows(s, s->sms, s->n_sms, "SM", f);
  if (!s->barrel) print_slots(s->kernels, s->n_kernels, f);
}

static json_t *rows_json(const struct stall_row *rows, uint32_t n) {
  json_t *j = json_array();
  for (uint32_t i = 0; i < n; i++) {
    json_t *row = json_pack("{s:s, s:I, s:I}", "name", rows[i].name, "launches", (json_int_t)rows[i].launches,
                            "sm_cycles", (json_int_t)rows[i].cycles);
    for (uint32_t c = 0; c < stall_class_count(); c++)
      json_object_set_new(row, stalls_class(c)->title, json_integer((json_int_t)rows[i].of[c]));
    for (uint32_t u = 0; u < STALL_SLOT_USES; u++)
      json_object_set_new(row, slot_uses[u].counter, json_integer((json_int_t)rows[i].slots[u]));
    json_array_append_new(j, row);
  }
  return j;
}

void stalls_print_json(const struct stalls *s, FILE *f) {
  json_t *j = json_pack("{s:s, s:o, s:o}", "run", s->run, "kernels", rows_json(s->kernels, s->n_kernels), "sms",
                        rows_json(s->sms, s->n_sms));
  json_out(j, "stalls/1", 0, f);
  json_decref(j);
}

/* ---- plot ---- */

/* Writes a name as a string of gnuplot, which would take an underscore for a subscript. */
static void put_name(FILE *f, const char *name) {
  fputc('"', f);
  for (; *name; name++) {
    if (*name == '_') fputs("\\\\_", f);
    else if (*name != '"' && *name != '\\' && (unsigned char)*name >= ' ') fputc(*name, f);
  }
  fputc('"', f);
}

static void put_data(const struct stalls *s, FILE *f, const char *block, const struct stall_row *rows, uint32_t n) {
  fprintf(f, "$%s << END_OF_DATA\n", block);
  for (uint32_t i = 0; i < n; i++) {
    put_name(f, rows[i].name);
    for (uint32_t c = 0; c < stall_class_count(); c++)
      if (stalls_shows(s, c)) fprintf(f, " %.4f", share(rows[i].of[c], rows[i].cycles));
    fputc('\n', f);
  }
  fprintf(f, "END_OF_DATA\n");
}

static void put_bars(const struct stalls *s, FILE *f, const char *block, const char *title, uint32_t n, bool key) {
  fprintf(f, "set title \"%s\"\n%s\n", title, key ? "set key outside right top reverse Left" : "unset key");
  fprintf(f, "set xrange [-0.7:%f]\nset xtics %s\nplot", n < 5 ? 4.7 : n - 0.3,
          n > 8 ? "rotate by 45 right" : "norotate center");
  for (uint32_t c = 0, column = 2; c < stall_class_count(); c++)
    if (stalls_shows(s, c))
      fprintf(f, "%s $%s using %u:xtic(1) title '%s' lc rgb '%s'", c ? "," : "", block, column++,
              stalls_class(c)->title, stalls_class(c)->colour);
  fputc('\n', f);
}

int stalls_plot(const struct stalls *s, const char *path, struct err *e) {
  struct gnuplot g;
  uint32_t most = s->n_sms > s->n_kernels ? s->n_sms : s->n_kernels;
  int status = gnuplot_start(&g, path, 500 + (most > 20 ? 20 * most : 400), 900, e);
  if (status) return status;
  put_data(s, g.in, "kernels", s->kernels, s->n_kernels);
  put_data(s, g.in, "sms", s->sms, s->n_sms);
  fprintf(g.in, "set style data histograms\nset style histogram rowstacked\nset style fill solid border -1\n"
                "set boxwidth 0.8\nset yrange [0:100]\nset ylabel 'SM cycles, %%'\nset grid ytics\n"
                "set multiplot layout 2,1 title ");
  put_name(g.in, s->run);
  fputc('\n', g.in);
  put_bars(s, g.in, "kernels", "kernels", s->n_kernels, true);
  put_bars(s, g.in, "sms", "SMs", s->n_sms, true);
  fprintf(g.in, "unset multiplot\n");
  return gnuplot_finish(&g, e);
}
