/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep as an SQLite database of one table, "sweep": a column for each thing swept and each figure. */
#include "base/err.h"
#include "base/text.h"
#include "experiment/experiment.h"
#include "experiment/sweep.h"

#include <math.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

enum { SQL_BYTES = 8192 };

static int failed(sqlite3 *db, const char *path, struct err *e) {
  return err_set(e, ERR_FILE, "cannot write %s: %s", path, db ? sqlite3_errmsg(db) : "out of memory");
}

/* The column of the plot's x is among the swept already. */
static bool is_figure(const struct table *t, unsigned c) { return strcmp(t->column[c].id, "x") != 0; }

/* CREATE TABLE, or INSERT with a place for each column. */
static void statements(const struct table *t, char create[SQL_BYTES], char insert[SQL_BYTES]) {
  const struct bindings *b = &t->row[0];
  sqlite3_str *c = sqlite3_str_new(NULL), *i = sqlite3_str_new(NULL);
  const char *comma = "";
  for (unsigned k = 0; k < b->n; k++, comma = ", ") {
    sqlite3_str_appendf(c, "%s\"%w\"", comma, list_field(b->list[k], b->item[k], "title"));
    sqlite3_str_appendf(i, "%s?", comma);
  }
  for (unsigned k = 0; k < t->n_columns; k++)
    if (is_figure(t, k)) {
      sqlite3_str_appendf(c, "%s\"%w\" NUMERIC", comma, t->column[k].title);
      sqlite3_str_appendf(i, "%s?", comma);
    }
  snprintf(create, SQL_BYTES, "CREATE TABLE sweep (%s)", sqlite3_str_value(c));
  snprintf(insert, SQL_BYTES, "INSERT INTO sweep VALUES (%s)", sqlite3_str_value(i));
  sqlite3_free(sqlite3_str_finish(c));
  sqlite3_free(sqlite3_str_finish(i));
}

static void bind_row(sqlite3_stmt *s, const struct table *t, unsigned row) {
  const struct bindings *b = &t->row[row];
  int at = 1;
  for (unsigned k = 0; k < b->n; k++) {
    const char *text = list_field(b->list[k], b->item[k], "value");
    int64_t number;
    if (text_to_int64(text, &number)) sqlite3_bind_int64(s, at++, number);
    else sqlite3_bind_text(s, at++, text, -1, SQLITE_TRANSIENT);
  }
  for (unsigned c = 0; c < t->n_columns; c++) {
    double value = t->value[row * t->n_columns + c];
    if (!is_figure(t, c)) continue;
    if (isfinite(value)) sqlite3_bind_double(s, at++, value); /* NUMERIC keeps whole numbers as such */
    else sqlite3_bind_null(s, at++);
  }
}

static int write_rows(sqlite3 *db, const struct table *t, const char *path, struct err *e) {
  char create[SQL_BYTES], insert[SQL_BYTES];
  sqlite3_stmt *s = NULL;
  statements(t, create, insert);
  bool good = sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK &&
              sqlite3_exec(db, create, NULL, NULL, NULL) == SQLITE_OK &&
              sqlite3_prepare_v2(db, insert, -1, &s, NULL) == SQLITE_OK;
  for (unsigned row = 0; good && row < t->n_rows; row++) {
    bind_row(s, t, row);
    good = sqlite3_step(s) == SQLITE_DONE && sqlite3_reset(s) == SQLITE_OK;
  }
  sqlite3_finalize(s);
  if (good) good = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
  return good ? 0 : failed(db, path, e);
}

int sweep_sqlite(const struct experiment *x, const char *path, struct err *e) {
  char part[SOURCES_PATH_BYTES + 32];
  sqlite3 *db = NULL;
  snprintf(part, sizeof part, "%s.%d.part", path, (int)getpid());
  unlink(part);
  int status = sqlite3_open(part, &db) == SQLITE_OK ? 0 : failed(db, path, e);
  if (!status) status = write_rows(db, &x->table[0], path, e);
  sqlite3_close(db);
  if (!status && rename(part, path)) status = err_set(e, ERR_FILE, "cannot write %s", path);
  if (status) unlink(part);
  return status;
}
