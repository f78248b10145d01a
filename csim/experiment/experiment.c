/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/experiment.h"

#include "base/err.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- file ---- */

static int read_pictures(struct experiment *x, struct err *e) {
  yaml_at map = yaml_get(x->tree, yaml_tree_root(x->tree), "pictures");
  size_t n = yaml_size(x->tree, map);
  x->picture = calloc(n + 1, sizeof *x->picture);
  if (!x->picture) return err_set(e, ERR_LIMIT, "%s: out of memory", x->path);
  for (size_t i = 0; i < n; i++) {
    struct picture *p = &x->picture[x->n_pictures];
    yaml_at value = yaml_entry(x->tree, map, i, &p->name);
    p->arguments = yaml_text(value);
    yaml_place(x->tree, value, p->place);
    if (!p->name || !p->arguments)
      return err_set(e, ERR_SYNTAX, "%s: a picture is NAME: the arguments of a command that draws", p->place);
    int status = sources_need_text(&x->sources, p->arguments, p->place, e);
    if (status) return status;
    x->n_pictures++;
  }
  return 0;
}

static int read_file(struct experiment *x, const char *name, struct err *e) {
  static const char *const keys[] = {"experiment", "title",   "source",   "claims", "lists", "runs",
                                     "commands",   "designs", "pictures", "tables", "off",   NULL};
  yaml_at root = yaml_tree_root(x->tree);
  int status = yaml_check_keys(x->tree, root, "an experiment", keys, e);
  if (!status) status = yaml_need_text(x->tree, root, "experiment", 1, &x->name, e);
  if (!status) status = yaml_need_text(x->tree, root, "title", 1, &x->title, e);
  if (!status) status = yaml_need_text(x->tree, root, "source", 1, &x->source, e);
  if (!status) status = yaml_need_text(x->tree, root, "claims", 0, &x->claims, e);
  if (!status && strcmp(x->name, name) != 0)
    return err_set(e, ERR_VALUE, "%s: experiment: \"%s\" in the file of %s", x->path, x->name, name);
  if (!status) status = tables_read(x->tree, &x->sources.lists, x->path, &x->table, &x->n_tables, e);
  return status ? status : read_pictures(x, e);
}

int experiment_open(struct experiment *x, const char *config_dir, const char *name, bool quick, struct err *e) {
  char path[SOURCES_PATH_BYTES];
  snprintf(path, sizeof path, "%s/experiments/%s.yaml", config_dir, name);
  if (strchr(name, '/') || access(path, R_OK))
    return err_set(e, ERR_VALUE, "there is no experiment '%s'; tandem experiment names those there are", name);
  return experiment_open_file(x, config_dir, path, name, quick ? FORM_QUICK : FORM_FULL, e);
}

int experiment_open_file(struct experiment *x, const char *config_dir, const char *path, const char *name,
                         enum form form, struct err *e) {
  memset(x, 0, sizeof *x);
  snprintf(x->path, sizeof x->path, "%s", path);
  sources_init(&x->sources, config_dir, form);
  int status = sources_read(&x->sources, x->path, &x->tree, e);
  if (!status) status = read_file(x, name, e);
  if (status) experiment_close(x);
  return status;
}

void experiment_close(struct experiment *x) {
  for (unsigned i = 0; i < x->n_tables; i++) free(x->table[i].value);
  free(x->table);
  free(x->picture);
  sources_close(&x->sources);
  memset(x, 0, sizeof *x);
}

/* ---- figures ---- */

/* The expression of a cell, unfolded into `text`. */
static int cell_text(const struct experiment *x, const struct table *t, unsigned row, unsigned column, char *text,
                     struct err *e) {
  const struct table_column *c = &t->column[column];
  struct bindings b = t->row[row];
  for (unsigned i = 0; i < c->bindings.n; i++) {
    if (!bindings_add(&b, c->bindings.list[i])) return err_set(e, ERR_LIMIT, "%s: too many lists", t->place);
    b.item[b.n - 1] = c->bindings.item[i];
  }
  return lists_unfold(&x->sources.lists, &b, c->value, t->place, NULL, text, LISTS_TEXT_BYTES, e);
}

static int look_up(void *context, const char *name, struct figure *out, struct err *e) {
  const struct experiment *x = context;
  const char *dot = strchr(name, '.');
  const struct source *s = dot ? sources_find(&x->sources, name, (size_t)(dot - name)) : NULL;
  if (!s) return err_set(e, ERR_VALUE, "%s: \"%s\" is no figure of a run, command or design", x->path, name);
  return source_figure(&x->sources, s, dot + 1, out, e);
}

typedef int visit_cell(struct experiment *, struct table *, unsigned row, unsigned column, const char *text,
                       struct err *);

static int each_cell(struct experiment *x, visit_cell *visit, struct err *e) {
  static char text[LISTS_TEXT_BYTES];
  int status = 0;
  for (unsigned i = 0; i < x->n_tables; i++)
    for (unsigned r = 0; r < x->table[i].n_rows; r++)
      for (unsigned c = 0; c < x->table[i].n_columns && !status; c++) {
        status = cell_text(x, &x->table[i], r, c, text, e);
        if (!status) status = visit(x, &x->table[i], r, c, text, e);
      }
  return status;
}

static int need_cell(struct experiment *x, struct table *t, unsigned row, unsigned column, const char *text,
                     struct err *e) {
  bool full_only;
  int status = sources_need(&x->sources, text, t->place, &full_only, e);
  if (!status && full_only)
    status = err_set(e, ERR_VALUE, "%s: %s of %s needs a run that the quick form has not; give the table full_only: 1",
                     t->place, t->column[column].title, t->label[row]);
  return status;
}

static int compute_cell(struct experiment *x, struct table *t, unsigned row, unsigned column, const char *text,
                        struct err *e) {
  struct figure f = {0};
  int status = expression_evaluate(text, t->place, look_up, x, &f, e);
  if (x->off && isnan(f.value)) status = 0; /* a share of something that only the proposal does: undefined */
  t->value[row * t->n_columns + column] = f.value;
  return status;
}

static double summary_of(const struct table *t, unsigned column) {
  double values[TABLE_ROWS_MAX];
  for (unsigned r = 0; r < t->n_rows; r++) values[r] = t->value[r * t->n_columns + column];
  return expression_function(t->column[column].summary, values, t->n_rows);
}

int experiment_measure(struct experiment *x, const struct sources_options *o, struct err *e) {
  x->off = o->off;
  int status = each_cell(x, need_cell, e);
  if (!status) status = sources_do(&x->sources, o, e);
  if (status || o->emission) return status;
  status = each_cell(x, compute_cell, e);
  for (unsigned i = 0; i < x->n_tables && !status; i++)
    for (unsigned c = 0; c < x->table[i].n_columns; c++)
      if (x->table[i].column[c].summary) x->table[i].column[c].summary_value = summary_of(&x->table[i], c);
  return status;
}

/* ---- reports ---- */

static void print_number(const struct table *t, unsigned column, double v, int width, FILE *f) {
  if (isfinite(v)) fprintf(f, "  %*.*f", width, (int)t->column[column].digits, v);
  else fprintf(f, "  %*s", width, "-");
}

static int width_of(const struct table *t, unsigned c) {
  int width = (int)strlen(t->column[c].title);
  for (unsigned r = 0; r < t->n_rows; r++) {
    int n = snprintf(NULL, 0, "%.*f", (int)t->column[c].digits, t->value[r * t->n_columns + c]);
    if (n > width) width = n;
  }
  int n = t->column[c].summary ? snprintf(NULL, 0, "%.*f", (int)t->column[c].digits, t->column[c].summary_value) : 0;
  return n > width ? n : width;
}

static void print_table(const struct table *t, FILE *f) {
  int widths[TABLE_COLUMNS_MAX] = {0}, first = (int)strlen("geomean");
  for (unsigned r = 0; r < t->n_rows; r++)
    if ((int)strlen(t->label[r]) > first) first = (int)strlen(t->label[r]);
  fprintf(f, "\n%s\n%-*s", t->title, first, "");
  for (unsigned c = 0; c < t->n_columns; c++) {
    widths[c] = width_of(t, c);
    fprintf(f, "  %*s", widths[c], t->column[c].title);
  }
  for (unsigned r = 0; r < t->n_rows; r++) {
    fprintf(f, "\n%-*s", first, t->label[r]);
    for (unsigned c = 0; c < t->n_columns; c++) print_number(t, c, t->value[r * t->n_columns + c], widths[c], f);
  }
  for (const char *const *s = table_summaries; *s; s++) {
    bool any = false;
    for (unsigned c = 0; c < t->n_columns; c++) any |= t->column[c].summary && !strcmp(t->column[c].summary, *s);
    if (!any) continue;
    fprintf(f, "\n%-*s", first, *s);
    for (unsigned c = 0; c < t->n_columns; c++) {
      if (t->column[c].summary && !strcmp(t->column[c].summary, *s))
        print_number(t, c, t->column[c].summary_value, widths[c], f);
      else fprintf(f, "  %*s", widths[c], "");
    }
  }
  fputc('\n', f);
}

void experiment_print(const struct experiment *x, FILE *f) {
  fprintf(f, "%s: %s (%s)%s\n", x->name, x->title, x->source,
          x->sources.lists.form == FORM_QUICK ? ", quick form" : "");
  for (unsigned i = 0; i < x->n_tables; i++) print_table(&x->table[i], f);
}

static json_t *table_json(const struct table *t) {
  json_t *rows = json_array(), *columns = json_array();
  for (unsigned c = 0; c < t->n_columns; c++) {
    json_t *column = json_pack("{s:s, s:s}", "id", t->column[c].id, "title", t->column[c].title);
    if (t->column[c].summary) json_object_set_new(column, t->column[c].summary, json_real(t->column[c].summary_value));
    json_array_append_new(columns, column);
  }
  for (unsigned r = 0; r < t->n_rows; r++) {
    json_t *row = json_pack("{s:s}", "row", t->label[r]);
    for (unsigned c = 0; c < t->n_columns; c++) {
      double v = t->value[r * t->n_columns + c];
      json_object_set_new(row, t->column[c].id, isfinite(v) ? json_real(v) : json_null());
    }
    json_array_append_new(rows, row);
  }
  return json_pack("{s:s, s:s, s:o, s:o}", "id", t->id, "title", t->title, "columns", columns, "rows", rows);
}

struct json_t *experiment_json(const struct experiment *x, const struct sources_options *o) {
  json_t *tables = json_array();
  for (unsigned i = 0; i < x->n_tables; i++) json_array_append_new(tables, table_json(&x->table[i]));
  return json_pack("{s:s, s:s, s:s, s:b, s:o, s:o}", "experiment", x->name, "title", x->title, "source", x->source,
                   "quick", x->sources.lists.form == FORM_QUICK, "sources", sources_json(&x->sources, o), "tables",
                   tables);
}
