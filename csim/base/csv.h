/* SPDX-License-Identifier: Apache-2.0 */
/* Tables as CSV: a line of names, then lines of as many cells. */
#ifndef TANDEM_BASE_CSV_H
#define TANDEM_BASE_CSV_H

#include <stddef.h>
#include <stdint.h>

struct err;

struct csv {
  char *text;  /* of the file, cut into cells */
  char **cell; /* the names, then the cells line by line */
  size_t columns, rows;
};

enum { CSV_NONE = -1 };

/* ERR_FILE: it cannot be read; ERR_SYNTAX with file and line: a line with other than as many cells as the first. A cell may stand in
 * double quotes. */
int csv_load(struct csv *, const char *path, struct err *);
void csv_free(struct csv *);
/* The column of a name, or CSV_NONE. */
int csv_column(const struct csv *, const char *name);
const char *csv_text(const struct csv *, size_t row, int column); /* "" of CSV_NONE */
double csv_number(const struct csv *, size_t row, int column);    /* 0 of CSV_NONE */

#endif
