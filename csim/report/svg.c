/* SPDX-License-Identifier: Apache-2.0 */
#include "report/svg.h"

#include "base/markup.h"

#include <math.h>
#include <string.h>

enum { TICK_PIXELS_X = 110, TICK_PIXELS_Y = 40 };

double svg_x(const struct svg_plot *p, double value) {
  double share = p->log_x ? log(value / p->x0) / log(p->x1 / p->x0) : (value - p->x0) / (p->x1 - p->x0);
  return p->left + share * (p->width - p->left - p->right);
}

double svg_y(const struct svg_plot *p, double value) {
  return p->height - p->bottom - (value - p->y0) / (p->y1 - p->y0) * (p->height - p->top - p->bottom);
}

void svg_begin(struct svg_plot *p, FILE *f, double width, double height, const char *label) {
  *p = (struct svg_plot){f, width, height, 62, 12, 10, 40, 0, 1, 0, 1, false};
  fprintf(f, "<svg viewBox=\"0 0 %g %g\" width=\"%g\" height=\"%g\" role=\"img\" aria-label=\"", width, height, width,
          height);
  markup_put(f, label);
  fputs("\">\n", f);
}

void svg_end(struct svg_plot *p) { fputs("</svg>\n", p->f); }

/* ---- axes ---- */

/* 1, 2 or 5 times a power of ten, so that ticks lie at least `pixels` apart. */
static double step_of(double span, double length, double pixels) {
  double least = span * pixels / length, power = pow(10, floor(log10(least)));
  for (int i = 0; i < 3; i++)
    if (power * (double[]){1, 2, 5}[i] >= least) return power * (double[]){1, 2, 5}[i];
  return power * 10;
}

void svg_number(char *out, size_t size, double value) {
  char digits[40];
  bool whole = fabs(value) >= 1000 || value == floor(value);
  if (!whole) {
    snprintf(out, size, "%.3g", value);
    return;
  }
  snprintf(digits, sizeof digits, "%.0f", value);
  size_t n = strlen(digits), at = 0;
  for (size_t i = 0; i < n && at + 2 < size; i++) {
    if (i && (n - i) % 3 == 0 && digits[i - 1] != '-') out[at++] = ',';
    out[at++] = digits[i];
  }
  out[at] = 0;
}

static void x_tick(const struct svg_plot *p, double value) {
  char text[48];
  double x = svg_x(p, value), y = p->height - p->bottom;
  svg_number(text, sizeof text, value);
  fprintf(p->f, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>", x, x, p->top, y);
  fprintf(p->f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", x, y + 15, text);
}

void svg_x_axis(const struct svg_plot *p, const char *title) {
  double length = p->width - p->left - p->right;
  if (p->log_x && p->x1 / p->x0 > 12) {
    double factor = log(p->x1 / p->x0) * 70 / length > log(2) ? 10 : 2;
    int first = (int)ceil(log(p->x0) / log(factor) - 1e-9), last = (int)floor(log(p->x1) / log(factor) + 1e-9);
    for (int i = first; i <= last; i++) x_tick(p, pow(factor, i));
  } else {
    double step = fmax(1, step_of(p->x1 - p->x0, length, p->log_x ? TICK_PIXELS_X / 2.0 : TICK_PIXELS_X));
    long last = (long)floor(p->x1 / step + 1e-6);
    for (long i = (long)ceil(p->x0 / step); i <= last; i++) x_tick(p, (double)i * step);
  }
  fprintf(p->f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", p->left + length / 2, p->height - 6);
  markup_put(p->f, title);
  fputs("</text>\n", p->f);
}

void svg_y_axis(const struct svg_plot *p, const char *title) {
  double length = p->height - p->top - p->bottom, step = step_of(p->y1 - p->y0, length, TICK_PIXELS_Y);
  long last = (long)floor(p->y1 / step + 1e-6);
  for (long i = (long)ceil(p->y0 / step); i <= last; i++) {
    char text[48];
    double v = (double)i * step, y = svg_y(p, v);
    svg_number(text, sizeof text, v);
    fprintf(p->f, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>", p->left,
            p->width - p->right, y, y);
    fprintf(p->f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", p->left - 6, y + 4, text);
  }
  fprintf(p->f, "<text transform=\"translate(13 %.1f) rotate(-90)\" text-anchor=\"middle\">", p->top + length / 2);
  markup_put(p->f, title);
  fputs("</text>\n", p->f);
}

/* ---- values ---- */

static void put_steps(const struct svg_plot *p, const double *x, const double *value, size_t n, bool backwards) {
  for (size_t k = 0; k < n; k++) {
    size_t i = backwards ? n - 1 - k : k;
    double y = svg_y(p, value[i]), from = svg_x(p, x[i]), to = svg_x(p, x[i + 1]);
    fprintf(p->f, "%.1f,%.1f %.1f,%.1f ", backwards ? to : from, y, backwards ? from : to, y);
  }
}

void svg_steps(const struct svg_plot *p, const double *x, const double *value, size_t n, const char *colour) {
  fprintf(p->f, "<polyline class=\"line\" style=\"stroke:%s\" points=\"", colour);
  put_steps(p, x, value, n, false);
  fputs("\"/>\n", p->f);
}

static void put_title(FILE *f, const char *title) {
  fputs("<title>", f);
  markup_put(f, title);
  fputs("</title>", f);
}

void svg_area(const struct svg_plot *p, const double *x, const double *low, const double *high, size_t n,
              const char *colour, const char *title) {
  fprintf(p->f, "<polygon style=\"fill:%s\" points=\"", colour);
  put_steps(p, x, high, n, false);
  put_steps(p, x, low, n, true);
  fputs("\">", p->f);
  put_title(p->f, title);
  fputs("</polygon>\n", p->f);
}

void svg_box(const struct svg_plot *p, double x0, double x1, double y0, double y1, const char *colour, double opacity,
             const char *title) {
  double left = svg_x(p, x0), top = svg_y(p, y1);
  fprintf(p->f, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" style=\"fill:%s", left, top,
          svg_x(p, x1) - left, svg_y(p, y0) - top, colour);
  if (opacity < 1) fprintf(p->f, ";fill-opacity:%.2f", opacity);
  fputs("\"", p->f);
  if (title) {
    fputs(">", p->f);
    put_title(p->f, title);
    fputs("</rect>\n", p->f);
  } else {
    fputs("/>\n", p->f);
  }
}

void svg_mark(const struct svg_plot *p, double x, const char *word) {
  double at = svg_x(p, x);
  fprintf(p->f, "<line class=\"mark\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%.1f\" y=\"%.1f\">",
          at, at, p->top, p->height - p->bottom, at + 3, p->top + 9);
  markup_put(p->f, word);
  fputs("</text>\n", p->f);
}

void svg_row_label(const struct svg_plot *p, double y, const char *text) {
  fprintf(p->f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", p->left - 6, svg_y(p, y) + 4);
  markup_put(p->f, text);
  fputs("</text>\n", p->f);
}

void svg_legend_item(FILE *f, const char *colour, const char *word) {
  fprintf(f, "<span><i style=\"background:%s\"></i>", colour);
  markup_put(f, word);
  fputs("</span>", f);
}
