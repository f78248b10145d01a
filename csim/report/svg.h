/* SPDX-License-Identifier: Apache-2.0 */
/* Plots as inline SVG of an HTML page. Colours of text, axes and grid come from the page's style sheet (report/html.c), so that a plot
 * follows the reader's light or dark scheme. Values have tooltips (<title>), no script. */
#ifndef TANDEM_REPORT_SVG_H
#define TANDEM_REPORT_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A plot in user units; x may be logarithmic (x0 >= 1). */
struct svg_plot {
  FILE *f;
  double width, height;            /* of the whole, pixels */
  double left, right, top, bottom; /* margins */
  double x0, x1, y0, y1;           /* values at the edges, x0 < x1, y0 < y1 */
  bool log_x;
};

/* Begins a plot with usual margins; `label` describes it to who cannot see it. */
void svg_begin(struct svg_plot *, FILE *, double width, double height, const char *label);
void svg_end(struct svg_plot *);
double svg_x(const struct svg_plot *, double value);
double svg_y(const struct svg_plot *, double value);

/* Axes with ticks at round values, grid lines and a title. */
void svg_x_axis(const struct svg_plot *, const char *title);
void svg_y_axis(const struct svg_plot *, const char *title);

/* A step line through n values, value[i] from x[i] to x[i + 1]. */
void svg_steps(const struct svg_plot *, const double *x, const double *value, size_t n, const char *colour);
/* The area between two such lines. */
void svg_area(const struct svg_plot *, const double *x, const double *low, const double *high, size_t n,
              const char *colour, const char *title);
/* A rectangle between values; opacity 0..1. */
void svg_box(const struct svg_plot *, double x0, double x1, double y0, double y1, const char *colour, double opacity,
             const char *title);
/* A vertical line with a word at its top. */
void svg_mark(const struct svg_plot *, double x, const char *word);
/* Text left of the plot at a height. */
void svg_row_label(const struct svg_plot *, double y, const char *text);

/* A coloured square and a word, for a legend in HTML. */
void svg_legend_item(FILE *, const char *colour, const char *word);

/* "12,345,678", "0.123"; for people. */
void svg_number(char *out, size_t size, double value);

#endif
