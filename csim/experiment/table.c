/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the tables of an experiment's file. */
#include "experiment/table.h"
#include "base/err.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const table_summaries[] = {"geomean", "hmean", "mean", "max", "min", "sum", NULL};
static const char *const kinds[] = {"", "bars", "stacked", "lines", "boxes", NULL};

struct reader {
  const struct yaml_tree *tree;
  const struct lists *lists;
};

static int index_of(const char *const *names, const char *name) {
  for (int i = 0; names[i]; i++)
    if (!strcmp(names[i], name)) return i;
  return -1;
}

/* ---- rows ---- */

static int row_lists(const struct reader *x, yaml_at rows, struct table *t, struct bindings *b, struct err *e) {
  size_t n = yaml_text(rows) ? 1 : yaml_size(x->tree, rows);
  b->n = 0;
  for (size_t i = 0; i < n; i++) {
    const char *name = yaml_text(rows) ? yaml_text(rows) : yaml_text(yaml_entry(x->tree, rows, i, NULL));
    const struct list *l = name ? lists_find(x->lists, name, strlen(name)) : NULL;
    if (!l) return err_set(e, ERR_VALUE, "%s: rows: there is no list \"%s\"", t->place, name ? name : "");
    if (!bindings_add(b, l)) return err_set(e, ERR_LIMIT, "%s: rows over too many lists", t->place);
  }
  return b->n ? 0 : err_set(e, ERR_SYNTAX, "%s: \"rows\" names a list, or several in [ ]", t->place);
}

static void label_of(const struct bindings *b, char *out, size_t size) {
  size_t at = 0;
  for (unsigned i = 0; i < b->n && at < size; i++) {
    const char *label = list_field(b->list[i], b->item[i], "label");
    at +=
      (size_t)snprintf(out + at, size - at, "%s%s", i ? " " : "", label ? label : b->list[i]->item[b->item[i]].name);
  }
}

static int read_rows(const struct reader *x, yaml_at map, struct table *t, struct err *e) {
  struct bindings b;
  int status = row_lists(x, yaml_get(x->tree, map, "rows"), t, &b, e);
  if (status) return status;
  do {
    if (x->lists->form == FORM_QUICK && bindings_full_only(&b)) continue;
    if (t->n_rows == TABLE_ROWS_MAX)
      return err_set(e, ERR_LIMIT, "%s: more than %d rows", t->place, (int)TABLE_ROWS_MAX);
    t->row[t->n_rows] = b;
    label_of(&b, t->label[t->n_rows++], sizeof t->label[0]);
  } while (bindings_next(&b));
  return 0;
}

/* ---- columns ---- */

static int expand(const struct reader *x, const struct bindings *b, const char *text, const char *place, char *out,
                  size_t size, struct err *e) {
  return lists_expand(x->lists, b, text, place, NULL, NULL, out, size, e);
}

static int add_column(const struct reader *x, yaml_at map, struct table *t, const struct bindings *b, struct err *e) {
  char place[YAML_PLACE_BYTES];
  const char *id = NULL, *title = NULL, *digits = NULL;
  int64_t number = 3;
  yaml_place(x->tree, map, place);
  if (t->n_columns == TABLE_COLUMNS_MAX)
    return err_set(e, ERR_LIMIT, "%s: more than %d columns", place, (int)TABLE_COLUMNS_MAX);
  struct table_column *c = &t->column[t->n_columns];
  c->bindings = *b;
  int status = yaml_need_text(x->tree, map, "id", 1, &id, e);
  if (!status) status = yaml_need_text(x->tree, map, "title", 1, &title, e);
  if (!status) status = yaml_need_text(x->tree, map, "value", 1, &c->value, e);
  if (!status) status = yaml_need_text(x->tree, map, "summary", 0, &c->summary, e);
  if (!status) status = yaml_need_text(x->tree, map, "digits", 0, &digits, e);
  if (!status) status = expand(x, b, id, place, c->id, sizeof c->id, e);
  if (!status) status = expand(x, b, title, place, c->title, sizeof c->title, e);
  if (status) return status;
  if (c->summary && index_of(table_summaries, c->summary) < 0)
    return err_set(e, ERR_VALUE, "%s: summary: \"%s\" is none of geomean, mean, hmean, max, min, sum", place,
                   c->summary);
  if (digits && (!text_to_int64(digits, &number) || number < 0 || number > 9))
    return err_set(e, ERR_VALUE, "%s: digits: \"%s\" is not 0 to 9", place, digits);
  c->digits = (unsigned)number;
  t->summary |= c->summary != NULL;
  t->n_columns++;
  return 0;
}

static int read_column(const struct reader *x, yaml_at map, struct table *t, struct err *e) {
  static const char *const keys[] = {"id", "title", "value", "digits", "summary", "for", NULL};
  const char *over = NULL;
  struct bindings b = {.n = 0};
  char place[YAML_PLACE_BYTES];
  int status = yaml_check_keys(x->tree, map, "a column", keys, e);
  if (!status) status = yaml_need_text(x->tree, map, "for", 0, &over, e);
  if (status) return status;
  const struct list *l = over ? lists_find(x->lists, over, strlen(over)) : NULL;
  if (over && !l)
    return err_set(e, ERR_VALUE, "%s: for: there is no list \"%s\"", yaml_place(x->tree, map, place), over);
  if (l) bindings_add(&b, l);
  do {
    if (x->lists->form == FORM_QUICK && bindings_full_only(&b)) continue;
    status = add_column(x, map, t, &b, e);
  } while (!status && bindings_next(&b));
  return status;
}

static int read_columns(const struct reader *x, yaml_at map, struct table *t, struct err *e) {
  yaml_at list = yaml_get(x->tree, map, "columns");
  size_t n = yaml_size(x->tree, list);
  int status = n ? 0 : err_set(e, ERR_SYNTAX, "%s: \"columns\" is a list of columns", t->place);
  for (size_t i = 0; i < n && !status; i++) status = read_column(x, yaml_entry(x->tree, list, i, NULL), t, e);
  return status;
}

/* ---- plot ---- */

/* Marks the columns with this id, before or after expansion. */
static int mark(const struct reader *x, struct table *t, const char *id, struct err *e) {
  bool found = false;
  for (unsigned i = 0; i < t->n_columns; i++) {
    char own[64];
    struct err no = {.code = ERR_NONE};
    if (expand(x, &t->column[i].bindings, id, t->place, own, sizeof own, &no) || strcmp(own, t->column[i].id) != 0)
      continue;
    t->plotted[i] = found = true;
    t->x = (int)i;
  }
  return found ? 0 : err_set(e, ERR_VALUE, "%s: plot: there is no column \"%s\"", t->place, id);
}

static int read_plot_columns(const struct reader *x, yaml_at plot, struct table *t, struct err *e) {
  const char *id = NULL;
  int status = yaml_need_text(x->tree, plot, "x", t->plot == PLOT_LINES, &id, e), x_column = -1;
  if (!status && id) {
    status = mark(x, t, id, e);
    x_column = t->x;
    if (!status) t->plotted[x_column] = false;
  }
  yaml_at list = yaml_get(x->tree, plot, "columns");
  size_t n = yaml_size(x->tree, list);
  if (!status && !n) status = err_set(e, ERR_SYNTAX, "%s: plot: \"columns\" is a list of ids", t->place);
  for (size_t i = 0; i < n && !status; i++) {
    const char *name = yaml_text(yaml_entry(x->tree, list, i, NULL));
    status = mark(x, t, name ? name : "", e);
  }
  t->x = x_column;
  return status;
}

static int read_plot(const struct reader *x, yaml_at map, struct table *t, struct err *e) {
  static const char *const keys[] = {"kind", "columns", "x", "y", "x_title", "reference", "log", NULL};
  const char *kind = NULL, *reference = NULL, *log = NULL;
  yaml_at plot = yaml_get(x->tree, map, "plot");
  if (!plot) return 0;
  int status = yaml_check_keys(x->tree, plot, "a plot", keys, e);
  if (!status) status = yaml_need_text(x->tree, plot, "kind", 1, &kind, e);
  if (!status) status = yaml_need_text(x->tree, plot, "y", 0, &t->y_title, e);
  if (!status) status = yaml_need_text(x->tree, plot, "x_title", 0, &t->x_title, e);
  if (!status) status = yaml_need_text(x->tree, plot, "reference", 0, &reference, e);
  if (!status) status = yaml_need_text(x->tree, plot, "log", 0, &log, e);
  if (status) return status;
  int number = *kind ? index_of(kinds, kind) : -1;
  if (number < 0)
    return err_set(e, ERR_VALUE, "%s: plot: \"%s\" is none of bars, stacked, lines, boxes", t->place, kind);
  t->plot = (enum plot_kind)number;
  t->log_x = log && strchr(log, 'x');
  t->log_y = log && strchr(log, 'y');
  if (reference) {
    char *end;
    t->has_reference = true;
    t->reference = strtod(reference, &end);
    if (*end || end == reference)
      return err_set(e, ERR_VALUE, "%s: plot: reference: \"%s\" is no number", t->place, reference);
  }
  return read_plot_columns(x, plot, t, e);
}

/* ---- table ---- */

static int read_table(const struct reader *x, yaml_at map, struct table *t, struct err *e) {
  static const char *const keys[] = {"id", "title", "rows", "columns", "plot", "full_only", NULL};
  yaml_place(x->tree, map, t->place);
  t->x = -1;
  int status = yaml_check_keys(x->tree, map, "a table", keys, e);
  if (!status) status = yaml_need_text(x->tree, map, "id", 1, &t->id, e);
  if (!status) status = yaml_need_text(x->tree, map, "title", 1, &t->title, e);
  if (!status) status = read_rows(x, map, t, e);
  if (!status) status = read_columns(x, map, t, e);
  if (!status) status = read_plot(x, map, t, e);
  if (status) return status;
  if (strspn(t->id, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(t->id))
    return err_set(e, ERR_SYNTAX, "%s: id: \"%s\" has more than small letters, digits and _", t->place, t->id);
  t->value = calloc((size_t)t->n_rows * t->n_columns + 1, sizeof *t->value);
  return t->value ? 0 : err_set(e, ERR_LIMIT, "%s: out of memory", t->place);
}

int tables_read(const struct yaml_tree *tree, const struct lists *lists, const char *path, struct table **tables,
                unsigned *n_tables, struct err *e) {
  const struct reader x = {tree, lists};
  yaml_at list = yaml_get(tree, yaml_tree_root(tree), "tables");
  size_t n = yaml_size(tree, list);
  int status = 0;
  if (!n) return err_set(e, ERR_SYNTAX, "%s: the key \"tables\" must hold a list of tables", path);
  *tables = calloc(n, sizeof **tables);
  if (!*tables) return err_set(e, ERR_LIMIT, "%s: out of memory", path);
  for (size_t i = 0; i < n && !status; i++) {
    yaml_at map = yaml_entry(tree, list, i, NULL);
    if (lists->form == FORM_QUICK && yaml_get(tree, map, "full_only")) continue;
    status = read_table(&x, map, &(*tables)[(*n_tables)++], e);
  }
  return status;
}
