/* SPDX-License-Identifier: Apache-2.0 */
#include "base/csv.h"

#include "base/err.h"
#include "base/in_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cuts the cell at *rest off and returns it; *last: it ends its line. */
static char *next_cell(char **rest, int *last) {
  char *at = *rest, *cell = at, *to = at;
  if (*at == '"') {
    for (at++; *at && (*at != '"' || at[1] == '"'); at++) {
      if (*at == '"') at++;
      *to++ = *at;
    }
    if (*at) at++;
    while (*at && *at != ',' && *at != '\n') at++;
  } else {
    at += strcspn(at, ",\n");
    to = at;
  }
  *last = *at != ',';
  *rest = *at ? at + 1 : at;
  *to = 0;
  return cell;
}

static int cut(struct csv *t, const char *path, struct err *e) {
  char *rest = t->text;
  size_t lines = 0, cells = 0;
  for (const char *at = t->text; *at; at++) lines += *at == '\n';
  size_t capacity = 0;
  for (size_t line = 1; *rest; line++) {
    size_t in_line = 0;
    for (int last = 0; !last; in_line++) {
      if (cells == capacity) {
        capacity = line == 1 ? capacity + 256 : t->columns * (lines + 1);
        char **more = realloc(t->cell, capacity * sizeof *more);
        if (!more) return err_set(e, ERR_LIMIT, "out of memory for %s", path);
        t->cell = more;
      }
      char *cell = next_cell(&rest, &last);
      if (line > 1 && in_line == t->columns)
        return err_set(e, ERR_SYNTAX, "%s:%zu: more than the %zu columns of line 1; mend the file", path, line,
                       t->columns);
      t->cell[cells++] = cell;
    }
    if (line == 1) t->columns = in_line;
    if (in_line != t->columns)
      return err_set(e, ERR_SYNTAX, "%s:%zu: %zu columns, but line 1 has %zu; mend the file", path, line, in_line,
                     t->columns);
  }
  t->rows = t->columns ? cells / t->columns : 0;
  if (!t->rows) return err_set(e, ERR_SYNTAX, "%s:1: no names of columns; mend the file", path);
  t->rows--;
  return 0;
}

int csv_load(struct csv *t, const char *path, struct err *e) {
  *t = (struct csv){.columns = 0};
  size_t bytes;
  t->text = in_file_read(path, &bytes, e);
  int status = t->text ? cut(t, path, e) : (int)e->code;
  if (status) csv_free(t);
  return status;
}

void csv_free(struct csv *t) {
  free(t->text);
  free(t->cell);
  *t = (struct csv){.columns = 0};
}

int csv_column(const struct csv *t, const char *name) {
  for (size_t i = 0; i < t->columns; i++)
    if (!strcmp(t->cell[i], name)) return (int)i;
  return CSV_NONE;
}

const char *csv_text(const struct csv *t, size_t row, int column) {
  return column == CSV_NONE ? "" : t->cell[(row + 1) * t->columns + (size_t)column];
}

double csv_number(const struct csv *t, size_t row, int column) {
  return column == CSV_NONE ? 0 : strtod(csv_text(t, row, column), NULL);
}
