/* SPDX-License-Identifier: Apache-2.0 */
/* Plots of tables, by gnuplot. */
#include "base/err.h"
#include "base/gnuplot.h"
#include "base/process.h"
#include "experiment/experiment.h"
#include "experiment/quantiles.h"

#include <math.h>
#include <string.h>

enum { PLOT_BYTES = SOURCES_PATH_BYTES + 128, PLOT_WIDTH = 960, PLOT_HEIGHT = 480 };

/* Colours that also differ in brightness (Okabe and Ito 2008). */
static const char *const colours[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                      "#56b4e9", "#d55e00", "#000000", "#b0a000"};
enum { COLOURS = sizeof colours / sizeof *colours };

static void put_text(FILE *f, const char *text) {
  fputc('"', f);
  for (; *text; text++)
    if (*text != '"' && *text != '\\' && (unsigned char)*text >= ' ') fputc(*text, f);
  fputc('"', f);
}

static double value_at(const struct table *t, unsigned r, unsigned c) { return t->value[r * t->n_columns + c]; }

static void put_value(FILE *f, double v) {
  if (isfinite(v)) fprintf(f, " %.9g", v);
  else fprintf(f, " NaN");
}

static void put_frame(const struct table *t, FILE *f) {
  fprintf(f, "set termoption noenhanced\nset title ");
  put_text(f, t->title);
  fprintf(f, "\nset grid ytics lc rgb '#cccccc'\nset border 3\nset tics nomirror\n"
             "set key outside right top reverse Left\n");
  if (t->y_title) {
    fprintf(f, "set ylabel ");
    put_text(f, t->y_title);
    fputc('\n', f);
  }
  if (t->x_title) {
    fprintf(f, "set xlabel ");
    put_text(f, t->x_title);
    fputc('\n', f);
  }
  if (t->log_x) fprintf(f, "set logscale x 2\n");
  if (t->log_y) fprintf(f, "set logscale y\n");
}

/* ---- bars ---- */

static void put_bars(const struct table *t, FILE *f) {
  unsigned n = 0;
  fprintf(f, "$rows << END_OF_DATA\n");
  for (unsigned r = 0; r < t->n_rows; r++) {
    put_text(f, t->label[r]);
    for (unsigned c = 0; c < t->n_columns; c++)
      if (t->plotted[c]) put_value(f, value_at(t, r, c));
    fputc('\n', f);
  }
  for (unsigned c = 0; t->plot == PLOT_BARS && t->summary && c < t->n_columns; c++) {
    if (!t->plotted[c]) continue;
    if (!n++) put_text(f, t->column[c].summary ? t->column[c].summary : "");
    put_value(f, t->column[c].summary ? t->column[c].summary_value : NAN);
  }
  fprintf(f,
          "\nEND_OF_DATA\nset style data histograms\nset style histogram %s\nset style fill solid border -1\n"
          "set boxwidth 0.85\nset xtics rotate by 40 right\nset xrange [-0.7:%f]\n",
          t->plot == PLOT_STACKED ? "rowstacked" : "clustered gap 1", t->n_rows - 0.3 + (n > 0));
  if (!t->log_y) fprintf(f, "set yrange [%s:*]\n", t->plot == PLOT_STACKED ? "0" : "*<0");
  if (t->has_reference)
    fprintf(f, "set arrow from graph 0, first %.9g to graph 1, first %.9g nohead dashtype 2 lc rgb '#444444' front\n",
            t->reference, t->reference);
  fprintf(f, "plot");
  n = 0;
  for (unsigned c = 0; c < t->n_columns; c++) {
    if (!t->plotted[c]) continue;
    fprintf(f, "%s $rows using %u:xtic(1) lc rgb '%s' title ", n ? "," : "", n + 2, colours[n % COLOURS]);
    put_text(f, t->column[c].title);
    n++;
  }
  fputc('\n', f);
}

/* ---- lines ---- */

/* Rows of two lists: each item of the first list is a line. */
static bool line_ends(const struct table *t, unsigned r) {
  return r + 1 == t->n_rows || (t->row[r].n > 1 && t->row[r].item[0] != t->row[r + 1].item[0]);
}

static const char *line_label(const struct table *t, unsigned r) {
  const struct bindings *b = &t->row[r];
  const char *label = list_field(b->list[0], b->item[0], "label");
  return label ? label : b->list[0]->item[b->item[0]].name;
}

static void put_lines(const struct table *t, FILE *f) {
  unsigned n_lines = 0, n = 0;
  for (unsigned r = 0, begins = 1; r < t->n_rows; r++) {
    if (begins) fprintf(f, "$line%u << END_OF_DATA\n", n_lines++);
    put_value(f, value_at(t, r, (unsigned)t->x));
    for (unsigned c = 0; c < t->n_columns; c++)
      if (t->plotted[c]) put_value(f, value_at(t, r, c));
    fputc('\n', f);
    begins = line_ends(t, r);
    if (begins) fprintf(f, "END_OF_DATA\n");
  }
  if (t->has_reference)
    fprintf(f, "set arrow from graph 0, first %.9g to graph 1, first %.9g nohead dashtype 2 lc rgb '#444444' front\n",
            t->reference, t->reference);
  fprintf(f, "plot");
  for (unsigned r = 0, line = 0; r < t->n_rows; r++) {
    if (!line_ends(t, r)) continue;
    unsigned column = 0;
    for (unsigned c = 0; c < t->n_columns; c++) {
      char title[256];
      if (!t->plotted[c]) continue;
      snprintf(title, sizeof title, "%s%s%s", t->row[r].n > 1 ? line_label(t, r) : "", t->row[r].n > 1 ? " " : "",
               t->column[c].title);
      fprintf(f, "%s $line%u using 1:%u with linespoints lw 2 pt %u lc rgb '%s' title ", n ? "," : "", line,
              column++ + 2, 5 + n % 8, colours[n % COLOURS]);
      put_text(f, title);
      n++;
    }
    line++;
  }
  fputc('\n', f);
}

/* ---- boxes ---- */

/* The box of the numbers of a column in rows [from, to), at x; numbers that are none are left out. */
static void put_box(const struct table *t, unsigned from, unsigned to, unsigned c, double x, FILE *f) {
  double values[TABLE_ROWS_MAX];
  unsigned n = 0;
  for (unsigned r = from; r < to; r++)
    if (isfinite(value_at(t, r, c))) values[n++] = value_at(t, r, c);
  if (!n) return;
  struct quantiles q = quantiles_of(values, n);
  fprintf(f, "%.9g %.9g %.9g %.9g %.9g %.9g\n", x, q.first, q.low, q.high, q.third, q.median);
}

static void put_boxes(const struct table *t, FILE *f) {
  unsigned columns = 0, column = 0, groups = 0;
  for (unsigned c = 0; c < t->n_columns; c++) columns += t->plotted[c];
  for (unsigned c = 0; c < t->n_columns; c++) {
    if (!t->plotted[c]) continue;
    double x = (column + 0.5) / columns * 0.8 - 0.4;
    fprintf(f, "$boxes%u << END_OF_DATA\n", column++);
    for (unsigned r = 0, from = 0, group = 0; r < t->n_rows; r++) {
      if (!line_ends(t, r)) continue;
      put_box(t, from, r + 1, c, group++ + x, f);
      from = r + 1;
    }
    fprintf(f, "END_OF_DATA\n");
  }
  fprintf(f, "set xtics (");
  for (unsigned r = 0; r < t->n_rows; r++) {
    if (!line_ends(t, r)) continue;
    fprintf(f, "%s", groups ? ", " : "");
    put_text(f, t->row[r].n > 1 ? line_label(t, r) : "");
    fprintf(f, " %u", groups++);
  }
  fprintf(f, ")\nset xrange [-0.6:%f]\nset boxwidth %f\n", groups - 0.4, 0.7 / columns);
  if (t->has_reference)
    fprintf(f, "set arrow from graph 0, first %.9g to graph 1, first %.9g nohead dashtype 2 lc rgb '#444444' front\n",
            t->reference, t->reference);
  fprintf(f, "plot");
  for (unsigned c = 0, n = 0; c < t->n_columns; c++) {
    if (!t->plotted[c]) continue;
    fprintf(f, "%s $boxes%u using 1:2:3:4:5 with candlesticks fs solid 0.5 lc rgb '%s' title ", n ? "," : "", n,
            colours[n % COLOURS]);
    put_text(f, t->column[c].title);
    fprintf(f, " whiskerbars 0.5, $boxes%u using 1:6:6:6:6 with candlesticks lw 2 lc rgb 'black' notitle", n++);
  }
  fputc('\n', f);
}

/* ---- files ---- */

static int draw_table(const struct table *t, const char *folder, struct err *e) {
  char path[PLOT_BYTES];
  struct gnuplot g;
  unsigned width = PLOT_WIDTH;
  if (t->plot == PLOT_BARS && t->n_rows > 16) width += 20 * (t->n_rows - 16);
  snprintf(path, sizeof path, "%s/%s.svg", folder, t->id);
  int status = gnuplot_start(&g, path, width, PLOT_HEIGHT, e);
  if (status) return status;
  put_frame(t, g.in);
  if (t->plot == PLOT_LINES) put_lines(t, g.in);
  else if (t->plot == PLOT_BOXES) put_boxes(t, g.in);
  else put_bars(t, g.in);
  return gnuplot_finish(&g, e);
}

static int draw_picture(const struct experiment *x, const struct sources_options *o, const struct picture *p,
                        const char *folder, struct err *e) {
  char tandem[SOURCES_PATH_BYTES], arguments[4096], command[2 * 4096], log[PLOT_BYTES];
  int status = process_own_path(tandem, sizeof tandem, e);
  if (!status)
    status = sources_arguments(&x->sources, o, NULL, p->arguments, p->place, folder, arguments, sizeof arguments, e);
  if (status) return status;
  snprintf(command, sizeof command, "'%s' %s", tandem, arguments);
  snprintf(log, sizeof log, "%s/%s.log", folder, p->name);
  return process_shell(command, log, p->name, e);
}

int experiment_draw(const struct experiment *x, const struct sources_options *o, const char *folder, struct err *e) {
  int status = 0;
  for (unsigned i = 0; i < x->n_tables && !status; i++)
    if (x->table[i].plot != PLOT_NONE) status = draw_table(&x->table[i], folder, e);
  for (unsigned i = 0; i < x->n_pictures && !status; i++) status = draw_picture(x, o, &x->picture[i], folder, e);
  return status;
}
