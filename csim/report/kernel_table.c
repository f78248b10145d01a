/* SPDX-License-Identifier: Apache-2.0 */
#include "report/kernel_table.h"

#include "base/err.h"
#include "base/in_file.h"
#include "run/simulator.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS_MAX = 4096, NONE = -1 };

/* The file while it is read: the cells of a line, and which column is what. */
struct reader {
  struct kernel_table *table;
  unsigned line;
  char *cell[CELLS_MAX];
  int n;
  int id, host, kernel, grid, block, metric, unit, value;
  int of[CELLS_MAX];              /* --page raw: the metric of a column, or NONE */
  char units[KERNEL_METRICS][24]; /* --page raw: of the second line */
  int columns;
};

/* ---- cells ---- */

/* Cuts a line, which begins with a quote, into cells; false: not closed, or too many. */
static bool cut(struct reader *r, char *at) {
  for (r->n = 0; r->n < CELLS_MAX; r->n++) {
    char *to = at + 1;
    if (*at != '"') return false;
    r->cell[r->n] = to;
    for (at++; *at && (*at != '"' || at[1] == '"'); at++) {
      if (*at == '"') at++;
      *to++ = *at;
    }
    if (*at != '"') return false;
    at++;
    *to = 0;
    if (!*at) return ++r->n;
    if (*at++ != ',') return false;
  }
  return false;
}

static int column(const struct reader *r, const char *name) {
  for (int i = 0; i < r->n; i++)
    if (!strcmp(r->cell[i], name)) return i;
  return NONE;
}

static const char *cell(const struct reader *r, int column) { return column == NONE ? "" : r->cell[column]; }

/* ---- values ---- */

static const struct {
  const char *prefix;
  double factor;
} prefixes[] = {{"n", 1e-9}, {"u", 1e-6}, {"m", 1e-3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}};

/* By what a value in `unit` is multiplied to be in `base`; 0: not at all. ncu writes "Kbyte" for 1000 bytes, and newer ones "ns" for
 * "nsecond". */
static double factor_of(const char *unit, const char *base) {
  char long_form[32];
  size_t n = strlen(unit);
  if (!*unit || !strcmp(unit, base)) return 1;
  if (!*base) return 1;               /* ratios: ncu names some, differently in each version */
  if (n <= 2 && unit[n - 1] == 's') { /* s, ms, us, ns */
    snprintf(long_form, sizeof long_form, "%.*ssecond", (int)n - 1, unit);
    return factor_of(long_form, base);
  }
  double scale = 1;
  if (!strcmp(base, "nsecond")) base = "second", scale = 1e9;
  if (!strcmp(unit, base)) return scale;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (*unit == *prefixes[i].prefix && !strcmp(unit + 1, base)) return scale * prefixes[i].factor;
  return 0;
}

/* "1,234.5" */
static int read_value(const struct reader *r, const char *text, const char *unit, int metric, double *out,
                      struct err *e) {
  const struct kernel_metric *m = &kernel_metrics[metric];
  char plain[64], *end;
  size_t n = 0;
  *out = NAN;
  if (!*text || !strcmp(text, "n/a") || !strcmp(text, "N/A")) return 0;
  for (const char *c = text; *c && n + 1 < sizeof plain; c++)
    if (*c != ',') plain[n++] = *c;
  plain[n] = 0;
  double value = strtod(plain, &end), factor = factor_of(unit, m->unit);
  if (*end || !isfinite(value))
    return err_set(e, ERR_SYNTAX, "%s:%u: \"%s\" is no number of %s; let ncu print it with LC_ALL=C", r->table->path,
                   r->line, text, m->name);
  if (factor <= 0)
    return err_set(e, ERR_SYNTAX, "%s:%u: \"%s\" is no unit of %s, which is counted in %s; use --print-units base",
                   r->table->path, r->line, unit, m->name, m->unit);
  *out = value * factor;
  return 0;
}

/* ---- lines ---- */

/* The launch of the line's ID; a new one, unless the line before is of it. */
static struct kernel_launch *launch_of(struct reader *r, struct err *e) {
  struct kernel_table *t = r->table;
  const char *id = cell(r, r->id);
  if (t->n && !strcmp(t->launch[t->n - 1].id, id)) return &t->launch[t->n - 1];
  if (t->n == t->capacity) {
    uint32_t more = t->capacity ? 2 * t->capacity : 64;
    struct kernel_launch *launch = realloc(t->launch, more * sizeof *launch);
    if (!launch) {
      err_set(e, ERR_LIMIT, "out of memory for %u launches of %s", more, t->path);
      return NULL;
    }
    t->launch = launch;
    t->capacity = more;
  }
  struct kernel_launch *l = &t->launch[t->n];
  memset(l, 0, sizeof *l);
  snprintf(l->id, sizeof l->id, "%s", id);
  kernel_base_name(cell(r, r->kernel), l->kernel, sizeof l->kernel);
  snprintf(l->grid, sizeof l->grid, "%s", cell(r, r->grid));
  snprintf(l->block, sizeof l->block, "%s", cell(r, r->block));
  for (int i = 0; i < KERNEL_METRICS; i++) l->value[i] = NAN;
  for (uint32_t i = 0; i < t->n; i++) l->turn += !strcmp(t->launch[i].kernel, l->kernel);
  if (!strcmp(cell(r, r->host), KERNELS_HOST)) t->simulated = true;
  t->n++;
  return l;
}

static int read_header(struct reader *r, struct err *e) {
  r->columns = r->n;
  r->id = column(r, "ID");
  r->host = column(r, "Host Name");
  r->kernel = column(r, "Kernel Name");
  r->grid = column(r, "Grid Size");
  r->block = column(r, "Block Size");
  r->metric = column(r, "Metric Name");
  r->unit = column(r, "Metric Unit");
  r->value = column(r, "Metric Value");
  int known = 0;
  for (int i = 0; i < r->n; i++) {
    r->of[i] = i == r->grid || i == r->block ? NONE : kernel_metric_find(r->cell[i]);
    known += r->of[i] != NONE;
  }
  if (r->kernel != NONE && ((r->metric != NONE && r->value != NONE) || (r->metric == NONE && known))) return 0;
  return err_set(
    e, ERR_SYNTAX,
    "%s:%u: no columns \"Kernel Name\", \"Metric Name\" and \"Metric Value\", nor columns of metrics; let ncu print each "
    "launch (no --print-summary) with --csv",
    r->table->path, r->line);
}

/* --page raw: the second line holds units, the others a launch each. */
static int read_wide(struct reader *r, struct err *e) {
  bool units = !*cell(r, r->id);
  struct kernel_launch *l = units ? NULL : launch_of(r, e);
  int status = 0;
  if (!units && !l) return (int)e->code;
  for (int i = 0; i < r->n && !status; i++) {
    int m = r->of[i];
    if (m == NONE) continue;
    if (units) snprintf(r->units[m], sizeof r->units[m], "%s", r->cell[i]);
    else status = read_value(r, r->cell[i], r->units[m], m, &l->value[m], e);
  }
  return status;
}

static int read_line(struct reader *r, struct err *e) {
  if (r->n != r->columns)
    return err_set(e, ERR_SYNTAX, "%s:%u: %d columns, but the names are %d; mend the file", r->table->path, r->line,
                   r->n, r->columns);
  if (r->metric == NONE) return read_wide(r, e);
  int m = kernel_metric_find(cell(r, r->metric));
  struct kernel_launch *l = launch_of(r, e);
  if (!l) return (int)e->code;
  return m < 0 ? 0 : read_value(r, cell(r, r->value), cell(r, r->unit), m, &l->value[m], e);
}

/* What the program or ncu printed besides does not begin with a quote. */
static int read_lines(struct reader *r, char *text, struct err *e) {
  int status = 0;
  for (char *line; !status && (line = strsep(&text, "\n"));) {
    r->line++;
    size_t n = strlen(line);
    if (n && line[n - 1] == '\r') line[n - 1] = 0;
    if (!r->columns ? strncmp(line, "\"ID\",", 5) != 0 : *line != '"') continue;
    if (!cut(r, line))
      return err_set(e, ERR_SYNTAX, "%s:%u: the line ends inside a cell, or a cell has no quotes; mend the file",
                     r->table->path, r->line);
    status = r->columns ? read_line(r, e) : read_header(r, e);
  }
  if (!status && !r->columns)
    status =
      err_set(e, ERR_SYNTAX,
              "%s: no line begins with \"ID\"; give kernels.csv of tandem run --kernels, or what ncu --csv printed",
              r->table->path);
  return status;
}

int kernel_table_load(struct kernel_table *t, const char *path, struct err *e) {
  size_t bytes;
  memset(t, 0, sizeof *t);
  snprintf(t->path, sizeof t->path, "%s", path);
  char *text = in_file_read(path, &bytes, e);
  struct reader *r = calloc(1, sizeof *r);
  int status = !text ? (int)e->code : !r ? err_set(e, ERR_LIMIT, "out of memory for %s", path) : 0;
  if (!status) {
    r->table = t;
    status = read_lines(r, text, e);
  }
  free(r);
  free(text);
  if (status) kernel_table_free(t);
  return status;
}

void kernel_table_free(struct kernel_table *t) {
  free(t->launch);
  t->launch = NULL;
  t->n = 0;
}

/* ---- table ---- */

static bool alike(const struct kernel_launch *a, const struct kernel_launch *b) {
  return !strcmp(a->kernel, b->kernel) && !strcmp(a->grid, b->grid) && !strcmp(a->block, b->block);
}

static void print_kernel(const struct kernel_table *t, uint32_t first, FILE *f) {
  const struct kernel_launch *k = &t->launch[first];
  uint32_t launches = 0;
  for (uint32_t i = first; i < t->n; i++) launches += alike(k, &t->launch[i]);
  fprintf(f, "  %s %sx%s, launches: %" PRIu32 "\n    %-52s %-11s %15s %15s %15s\n", k->kernel, k->grid, k->block,
          launches, "metric", "unit", "minimum", "maximum", "average");
  for (int m = 0; m < KERNEL_METRICS; m++) {
    double low = INFINITY, high = -INFINITY, sum = 0;
    for (uint32_t i = first; i < t->n; i++) {
      if (!alike(k, &t->launch[i])) continue;
      low = fmin(low, t->launch[i].value[m]);
      high = fmax(high, t->launch[i].value[m]);
      sum += t->launch[i].value[m];
    }
    int digits = low == floor(low) && high == floor(high) ? 0 : 3;
    fprintf(f, "    %-52s %-11s %15.*f %15.*f %15.*f\n", kernel_metrics[m].name, kernel_metrics[m].unit, digits, low,
            digits, high, launches > 1 ? 3 : digits, sum / launches);
  }
}

void kernel_table_print(const struct kernel_table *t, FILE *f) {
  for (uint32_t i = 0; i < t->n; i++) {
    bool seen = false;
    for (uint32_t k = 0; k < i && !seen; k++) seen = alike(&t->launch[k], &t->launch[i]);
    if (!seen) print_kernel(t, i, f);
  }
}
