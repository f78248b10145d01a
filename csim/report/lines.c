/* SPDX-License-Identifier: Apache-2.0 */
#include "report/lines.h"

#include "base/err.h"
#include "base/json_out.h"
#include "report/run_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The last column has no counter: cycles without a CTA, which are of no line. */
static uint32_t n_classes(void) { return stall_class_count() - 1; }

static uint64_t number(const struct csv *t, size_t row, const char *name) {
  return strtoull(csv_text(t, row, csv_column(t, name)), NULL, 10);
}

static void fill(struct lines *l, size_t i) {
  struct line_row *row = &l->row[i];
  const struct csv *t = &l->table;
  *row = (struct line_row){.kernel = csv_text(t, i, csv_column(t, "kernel")),
                           .file = csv_text(t, i, csv_column(t, "file")),
                           .text = csv_text(t, i, csv_column(t, "text")),
                           .line = number(t, i, "line"),
                           .warp_instructions = number(t, i, "warp_instructions")};
  for (uint32_t c = 0; c < n_classes(); c++) row->cycles += row->of[c] = number(t, i, stalls_class(c)->counter);
  l->cycles += row->cycles;
}

static int by_cycles(const void *left, const void *right) {
  const struct line_row *a = left, *b = right;
  if (a->cycles != b->cycles) return a->cycles > b->cycles ? -1 : 1;
  int c = strcmp(a->kernel, b->kernel);
  return c ? c : a->line < b->line ? -1 : a->line > b->line;
}

int lines_load(struct lines *l, const char *dir, struct err *e) {
  char path[RUN_PATH_BYTES];
  *l = (struct lines){.n = 0};
  snprintf(path, sizeof path, "%s/lines.csv", dir);
  if (access(path, F_OK)) return err_set(e, ERR_FILE, "there is no %s; run the workload with --lines", path);
  int status = csv_load(&l->table, path, e);
  if (status) return status;
  l->row = calloc(l->table.rows + 1, sizeof *l->row);
  if (!l->row) {
    csv_free(&l->table);
    return err_set(e, ERR_LIMIT, "out of memory for %zu lines", l->table.rows);
  }
  l->n = (uint32_t)l->table.rows;
  for (uint32_t i = 0; i < l->n; i++) fill(l, i);
  if (l->n) qsort(l->row, l->n, sizeof *l->row, by_cycles);
  return 0;
}

void lines_free(struct lines *l) {
  free(l->row);
  csv_free(&l->table);
  *l = (struct lines){.n = 0};
}

const struct stall_class *lines_cause(const struct line_row *row, uint64_t *cycles) {
  const struct stall_class *cause = NULL;
  *cycles = 0;
  for (uint32_t c = 1; c < n_classes(); c++) { /* 0: issue */
    if (row->of[c] <= *cycles) continue;
    *cycles = row->of[c];
    cause = stalls_class(c);
  }
  return cause;
}

void lines_print(const struct lines *l, uint32_t most, FILE *f) {
  uint32_t n = most && most < l->n ? most : l->n;
  fprintf(f, "%-20s %6s %12s %8s %8s  %-22s %s\n", "kernel", "line", "SM cycles", "share", "issue", "waits most for",
          "PTX");
  for (uint32_t i = 0; i < n; i++) {
    const struct line_row *row = &l->row[i];
    char cause[64] = "-";
    uint64_t cycles;
    const struct stall_class *class = lines_cause(row, &cycles);
    double whole = row->cycles ? (double)row->cycles : 1;
    if (class) snprintf(cause, sizeof cause, "%s %.1f %%", class->title, 100 * (double)cycles / whole);
    fprintf(f, "%-20.20s %6" PRIu64 " %12" PRIu64 " %6.1f %% %6.1f %%  %-22s %s\n", row->kernel, row->line, row->cycles,
            l->cycles ? 100 * (double)row->cycles / (double)l->cycles : 0, 100 * (double)row->of[0] / whole, cause,
            row->text);
  }
  if (n < l->n) fprintf(f, "and %u more lines; --top 0 lists all\n", l->n - n);
}

void lines_print_json(const struct lines *l, FILE *f) {
  json_t *j = json_array();
  for (uint32_t i = 0; i < l->n; i++) {
    const struct line_row *row = &l->row[i];
    json_t *one = json_pack("{s:s, s:s, s:I, s:s, s:I, s:I}", "kernel", row->kernel, "file", row->file, "line",
                            (json_int_t)row->line, "text", row->text, "warp_instructions",
                            (json_int_t)row->warp_instructions, "sm_cycles", (json_int_t)row->cycles);
    for (uint32_t c = 0; c < n_classes(); c++)
      json_object_set_new(one, stalls_class(c)->title, json_integer((json_int_t)row->of[c]));
    json_array_append_new(j, one);
  }
  json_out(j, "lines/1", 0, f);
  json_decref(j);
}
