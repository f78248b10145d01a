/* SPDX-License-Identifier: Apache-2.0 */
/* Plots by gnuplot: the caller writes commands and data to a pipe; the finished picture is renamed to its final
 * name. */
#ifndef TANDEM_BASE_GNUPLOT_H
#define TANDEM_BASE_GNUPLOT_H

#include <stdio.h>

struct err;

struct gnuplot {
  FILE *in; /* commands */
  char path[1024], part[1040];
};

/* Starts gnuplot for the picture `path`, .svg or .png, of width x height pixels; terminal and output are set. ERR_USAGE
 * for another ending, ERR_TOOL without gnuplot, ERR_FILE if the folder does not exist. */
int gnuplot_start(struct gnuplot *, const char *path, unsigned width, unsigned height, struct err *);
/* Waits for gnuplot to finish. ERR_TOOL: gnuplot failed (its message is on stderr), and there is no picture. */
int gnuplot_finish(struct gnuplot *, struct err *);

#endif
