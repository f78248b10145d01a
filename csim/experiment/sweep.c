/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/sweep.h"

#include "base/err.h"
#include "base/out_file.h"
#include "base/text.h"
#include "experiment/experiment.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One dimension: a list of the experiment's file. */
struct dimension {
  const char *list, *title; /* "k0", "sm.ctas" */
  const char *option;       /* " --set sm.ctas=", before each value */
  const char *values;       /* with commas; NULL: workloads */
  char title_text[96], option_text[128], list_text[8];
  unsigned n;
  bool numbers;
  bool keyed; /* a value belongs to the key `title`: "sm.ctas=2" */
};

struct dimensions {
  struct dimension d[SWEEP_KEYS_MAX + 3];
  unsigned n;
};

/* ---- reading ---- */

/* Counts the values, and says whether all are numbers. Errors: an empty value. */
static int count_values(struct dimension *d, struct err *e) {
  char text[1024], *rest = text, *value;
  int64_t number;
  d->numbers = true;
  if ((size_t)snprintf(text, sizeof text, "%s", d->values) >= sizeof text)
    return err_set(e, ERR_USAGE, "%s: too many values", d->title);
  while ((value = strsep(&rest, ","))) {
    if (!*value) return err_set(e, ERR_USAGE, "%s: a value is missing in \"%s\"; write A,B,C", d->title, d->values);
    d->numbers &= text_to_int64(value, &number);
    d->n++;
  }
  if (d->n > LIST_ITEMS_MAX) return err_set(e, ERR_USAGE, "%s: more than %d values", d->title, (int)LIST_ITEMS_MAX);
  return 0;
}

static int add_dimension(struct dimensions *all, const char *title, const char *option, const char *values,
                         struct err *e) {
  struct dimension *d = &all->d[all->n];
  snprintf(d->title_text, sizeof d->title_text, "%s", title);
  snprintf(d->option_text, sizeof d->option_text, "%s", option);
  snprintf(d->list_text, sizeof d->list_text, "d%u", all->n++);
  d->title = d->title_text;
  d->option = d->option_text;
  d->list = d->list_text;
  d->values = values;
  return values ? count_values(d, e) : 0;
}

/* KEY=A,B,... of an option; `before` goes before the key in the arguments. */
static int add_keyed(struct dimensions *all, const char *name, const char *before, const char *text, struct err *e) {
  char key[64], option[80];
  const char *equals = strchr(text, '=');
  size_t n = equals ? (size_t)(equals - text) : 0;
  if (!n || n >= sizeof key || !equals[1]) return err_set(e, ERR_USAGE, "%s %s: write KEY=VALUE,VALUE,...", name, text);
  snprintf(key, sizeof key, "%.*s", (int)n, text);
  snprintf(option, sizeof option, "%s%s=", before, key);
  all->d[all->n].keyed = true;
  return add_dimension(all, key, option, equals + 1, e);
}

static int read_block_dimensions(const struct sweep *s, struct dimensions *all, struct err *e) {
  if (s->n_params > SWEEP_KEYS_MAX) return err_set(e, ERR_USAGE, "--param: more than %d keys", (int)SWEEP_KEYS_MAX);
  int status = add_dimension(all, "block", "", s->blocks, e);
  for (unsigned i = 0; i < s->n_params && !status; i++) status = add_keyed(all, "--param", " ", s->param[i], e);
  return status;
}

static int read_dimensions(const struct sweep *s, struct dimensions *all, struct err *e) {
  memset(all, 0, sizeof *all);
  if (s->blocks) return read_block_dimensions(s, all, e);
  if (s->n_set > SWEEP_KEYS_MAX) return err_set(e, ERR_USAGE, "--set: more than %d keys", (int)SWEEP_KEYS_MAX);
  int status = add_dimension(all, "workload", "", NULL, e);
  all->d[0].n = s->n_workloads;
  if (!status && s->configurations) status = add_dimension(all, "configuration", " -c ", s->configurations, e);
  if (!status && s->systems) status = add_dimension(all, "system", " --system ", s->systems, e);
  for (unsigned i = 0; i < s->n_set && !status; i++) status = add_keyed(all, "--set", " --set ", s->set[i], e);
  return status;
}

/* ---- writing ---- */

static void put_text(FILE *f, const char *text) {
  fputc('"', f);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') fputc('\\', f);
    fputc(*text, f);
  }
  fputc('"', f);
}

/* One value; `full` is what it adds to the arguments of a run. */
static void put_item(FILE *f, unsigned i, const struct dimension *d, const char *value) {
  bool nothing = !d->keyed && !strcmp(value, "none");
  char label[256], full[640];
  snprintf(label, sizeof label, "%s%s%s", d->keyed ? d->title : "", d->keyed ? "=" : "", value);
  snprintf(full, sizeof full, "%s%s", nothing ? "" : d->option, nothing ? "" : value);
  fprintf(f, "    v%u: {title: ", i);
  put_text(f, d->title);
  fprintf(f, ", label: ");
  put_text(f, label);
  fprintf(f, ", value: ");
  put_text(f, value);
  fprintf(f, ", full: ");
  put_text(f, full);
  fprintf(f, "}\n");
}

static void put_list(FILE *f, const struct sweep *s, const struct dimension *d) {
  char text[1024], *rest = text, *value;
  fprintf(f, "  %s:\n", d->list);
  for (unsigned i = 0; !d->values && i < s->n_workloads; i++) put_item(f, i, d, s->workload[i]);
  if (!d->values) return;
  snprintf(text, sizeof text, "%s", d->values);
  for (unsigned i = 0; (value = strsep(&rest, ",")); i++) put_item(f, i, d, value);
}

static void put_name(FILE *f, const struct dimensions *all) {
  for (unsigned i = 0; i < all->n; i++) fprintf(f, "%s{%s}", i ? "_" : "r_", all->d[i].list);
}

/* The identifier of a counter's column: letters and digits of its name. */
static void put_id(FILE *f, const char *counter) {
  for (; *counter; counter++) fputc(isalnum((unsigned char)*counter) ? *counter : '_', f);
}

/* Lines over the last thing swept if its values are numbers and at most one more has several values; else bars. */
static void put_plot(FILE *f, const struct dimensions *all, const char *counter) {
  const struct dimension *last = &all->d[all->n - 1];
  bool lines = all->n <= 2 && last->numbers && last->n > 2;
  fprintf(f, "    plot: {kind: %s, columns: [", lines ? "lines" : "bars");
  put_id(f, counter);
  fprintf(f, "], y: ");
  put_text(f, counter);
  if (lines) fprintf(f, ", x: x, x_title: \"%s\"", last->title);
  fprintf(f, "}\n");
}

static void put_table(FILE *f, const struct sweep *s, const struct dimensions *all) {
  const struct dimension *last = &all->d[all->n - 1];
  fprintf(f, "tables:\n  - id: sweep\n    title: Sweep\n    rows: [");
  for (unsigned i = 0; i < all->n; i++) fprintf(f, "%s%s", i ? ", " : "", all->d[i].list);
  fprintf(f, "]\n    columns:\n");
  if (last->numbers && last->values)
    fprintf(f, "      - {id: x, title: \"%s\", value: \"{%s.value}\", digits: 0}\n", last->title, last->list);
  for (unsigned i = 0; i < s->n_counters; i++) {
    fprintf(f, "      - {id: ");
    put_id(f, s->counter[i]);
    fprintf(f, ", title: ");
    put_text(f, s->counter[i]);
    fprintf(f, ", value: \"");
    put_name(f, all);
    fprintf(f, ".%s\", digits: %d}\n", s->counter[i], s->blocks ? 1 : 0);
  }
  put_plot(f, all, s->counter[0]);
}

int sweep_write(const struct sweep *s, const char *path, struct err *e) {
  struct dimensions all;
  struct out_file o;
  int status = read_dimensions(s, &all, e);
  if (!status) status = out_file_open(&o, path, e);
  if (status) return status;
  fprintf(o.f, "# SPDX-License-Identifier: Apache-2.0\n# Written by tandem sweep.\nexperiment: sweep\ntitle: Sweep\n"
               "source: tandem sweep\n\nlists:\n");
  for (unsigned i = 0; i < all.n; i++) put_list(o.f, s, &all.d[i]);
  fprintf(o.f, "\n%s:\n  \"", s->blocks ? "designs" : "runs");
  put_name(o.f, &all);
  fprintf(o.f, "\": \"");
  for (unsigned i = 0; i < all.n; i++) fprintf(o.f, "{%s.full}", all.d[i].list);
  fprintf(o.f, "%s%s\"\n\n", s->extra ? " " : "", s->extra ? s->extra : "");
  put_table(o.f, s, &all);
  return out_file_commit(&o, e);
}

/* ---- the result ---- */

static void put_cell(FILE *f, const char *text) {
  bool quoted = strpbrk(text, ",\"\n") != NULL;
  if (quoted) fputc('"', f);
  for (; *text; text++) {
    if (*text == '"') fputc('"', f);
    fputc(*text, f);
  }
  if (quoted) fputc('"', f);
}

/* A field of each thing swept. */
static void put_swept(FILE *f, const struct bindings *b, const char *field) {
  for (unsigned i = 0; i < b->n; i++) {
    if (i) fputc(',', f);
    put_cell(f, list_field(b->list[i], b->item[i], field));
  }
}

int sweep_csv(const struct experiment *x, const char *path, struct err *e) {
  const struct table *t = &x->table[0];
  struct out_file o;
  int status = out_file_open(&o, path, e);
  if (status) return status;
  put_swept(o.f, &t->row[0], "title");
  for (unsigned c = 0; c < t->n_columns; c++) {
    if (!strcmp(t->column[c].id, "x")) continue; /* of the plot: among the swept already */
    fputc(',', o.f);
    put_cell(o.f, t->column[c].title);
  }
  fputc('\n', o.f);
  for (unsigned r = 0; r < t->n_rows; r++) {
    put_swept(o.f, &t->row[r], "value");
    for (unsigned c = 0; c < t->n_columns; c++)
      if (strcmp(t->column[c].id, "x") != 0) fprintf(o.f, ",%.12g", t->value[r * t->n_columns + c]);
    fputc('\n', o.f);
  }
  return out_file_commit(&o, e);
}
