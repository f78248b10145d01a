/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of an experiment's file: rows, columns, plot. */
#ifndef TANDEM_EXPERIMENT_TABLE_H
#define TANDEM_EXPERIMENT_TABLE_H

#include "measure/lists.h"

enum { TABLE_ROWS_MAX = 512, TABLE_COLUMNS_MAX = 32 };

struct table_column {
  char id[64], title[96];
  const char *value, *summary; /* summary: NULL: none */
  struct bindings bindings;    /* of `for` */
  unsigned digits;             /* after the point */
  double summary_value;
};

enum plot_kind { PLOT_NONE, PLOT_BARS, PLOT_STACKED, PLOT_LINES, PLOT_BOXES };

struct table {
  const char *id, *title;
  char place[YAML_PLACE_BYTES];
  struct table_column column[TABLE_COLUMNS_MAX];
  unsigned n_columns, n_rows;
  struct bindings row[TABLE_ROWS_MAX];
  char label[TABLE_ROWS_MAX][96];
  double *value; /* [row][column] */
  bool summary;  /* a column has one */
  enum plot_kind plot;
  bool plotted[TABLE_COLUMNS_MAX], has_reference, log_x, log_y;
  int x; /* column of a line's x */
  const char *y_title, *x_title;
  double reference;
};

extern const char *const table_summaries[]; /* functions of a column, as they are printed; NULL at the end */
/* Reads the key "tables" of the file. The caller frees the array and the values of each table, also after an error. */
int tables_read(const struct yaml_tree *, const struct lists *, const char *path, struct table **, unsigned *n,
                struct err *);

#endif
