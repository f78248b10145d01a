/* SPDX-License-Identifier: Apache-2.0 */
#include "synth/report.h"

#include "base/err.h"
#include "base/gnuplot.h"
#include "base/out_file.h"
#include "base/process.h"
#include "synth/band.h"
#include "synth/synth.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const json_t *key(const json_t *j, const char *name) { return json_object_get(j, name); }
static const char *text(const json_t *j, const char *name) { return json_string_value(key(j, name)); }
static double number(const json_t *j, const char *name) { return json_number_value(key(j, name)); }
static const char *library(const json_t *row) { return text(key(row, "library"), "name"); }

/* The block and the parameters in which its rows differ ("d2ma_agen SEG=64"). */
static const char *label(const json_t *rows, const json_t *row, char *out, size_t size) {
  const char *block = text(row, "block"), *name;
  size_t n = (size_t)snprintf(out, size, "%s", block), i;
  json_t *other, *value;
  json_object_foreach((json_t *)key(row, "parameters"), name, value) {
    bool differs = false;
    json_array_foreach((json_t *)rows, i, other) {
      const json_t *theirs = key(key(other, "parameters"), name);
      differs |= !strcmp(text(other, "block"), block) && theirs && !json_equal(theirs, value);
    }
    if (differs && n < size)
      n += (size_t)snprintf(out + n, size - n, " %s=%lld", name, (long long)json_integer_value(value));
  }
  return out;
}

json_t *synth_ratios(const json_t *rows) {
  json_t *out = json_array();
  size_t n = json_array_size(rows);
  for (size_t i = 0; i < n; i++)
    for (size_t k = i + 1; k < n; k++) {
      const json_t *a = json_array_get(rows, i), *b = json_array_get(rows, k);
      char of[128], to[128];
      if (strcmp(library(a), library(b)) != 0) continue;
      struct band x = synth_band(key(a, "area_um2")), y = synth_band(key(b, "area_um2"));
      if (y.low <= 0) continue;
      struct band r = band_ratio(&x, &y);
      json_array_append_new(out, json_pack("{s:s, s:s, s:s, s:{s:f, s:f, s:f}, s:s}", "of",
                                           label(rows, a, of, sizeof of), "to", label(rows, b, to, sizeof to),
                                           "library", library(a), "area", "median", r.median, "low", r.low, "high",
                                           r.high, "verdict", band_order_names[band_compare(&x, &y)]));
    }
  return out;
}

static void print_band(FILE *f, const json_t *j, int digits, int width) {
  char out[64] = "-";
  struct band b = synth_band(j);
  if (json_is_object(j) && b.low == b.high) snprintf(out, sizeof out, "%.*f", digits, b.median);
  else if (json_is_object(j))
    snprintf(out, sizeof out, "%.*f (%.*f..%.*f)", digits, b.median, digits, b.low, digits, b.high);
  fprintf(f, " %*s", width, out);
}

static void print_figures(FILE *f, const json_t *rows) {
  size_t i;
  json_t *row;
  fprintf(f, "%-24s %-24s %22s %26s %22s %8s %12s %24s\n", "block", "library", "cells", "area um2", "kGE", "FF bits",
          "levels", "Fmax MHz");
  json_array_foreach((json_t *)rows, i, row) {
    char name[128];
    fprintf(f, "%-24s %-24s", label(rows, row, name, sizeof name), library(row));
    print_band(f, key(row, "cells"), 0, 22);
    print_band(f, key(row, "area_um2"), 0, 26);
    print_band(f, key(row, "kge"), 2, 22);
    fprintf(f, " %8.0f", number(row, "flip_flop_bits"));
    print_band(f, key(row, "levels"), 0, 12);
    print_band(f, key(row, "fmax_mhz"), 1, 24);
    fprintf(f, "\n");
  }
}

static void print_memories(FILE *f, const char *name, const json_t *row) {
  size_t i;
  json_t *m;
  json_array_foreach((json_t *)key(row, "memories"), i, m) {
    fprintf(f, "  array %s: %.0f x %.0f bits, %.0f read and %.0f write ports, as %s", text(m, "name"),
            number(m, "rows"), number(m, "width"), number(m, "read_ports"), number(m, "write_ports"), text(m, "kind"));
    if (key(m, "area_um2")) {
      fprintf(f, ", um2");
      print_band(f, key(m, "area_um2"), 0, 0);
      fprintf(f, ", access ns");
      print_band(f, key(m, "access_ns"), 2, 0);
    }
    fprintf(f, "\n");
  }
  const json_t *flops = key(row, "as_flip_flops");
  if (key(flops, "reason")) fprintf(f, "  %s, everything as flip-flops: %s\n", name, text(flops, "reason"));
  else if (json_is_object(flops))
    fprintf(f, "  %s, everything as flip-flops: pre-layout %.0f um2, %.0f cells, %.0f bits, %.1f MHz\n", name,
            number(flops, "area_um2"), number(flops, "cells"), number(flops, "flip_flop_bits"),
            number(flops, "fmax_mhz"));
}

static void print_details(FILE *f, const json_t *rows) {
  size_t i;
  json_t *row;
  json_array_foreach((json_t *)rows, i, row) {
    char name[128];
    const json_t *path = key(row, "critical_path"), *scaled = key(row, "scaled");
    label(rows, row, name, sizeof name);
    if (json_is_object(path))
      fprintf(f, "%s on %s: pre-layout critical path %.3f ns through %.0f cells, from %s to %s\n", name, library(row),
              number(path, "delay_ns"), number(path, "levels"), text(path, "from"), text(path, "to"));
    print_memories(f, name, row);
    if (!json_is_object(scaled)) continue;
    fprintf(f, "  pre-layout area scaled to %.0f nm, um2", number(scaled, "node_nm"));
    print_band(f, key(scaled, "area_um2"), 0, 0);
    fprintf(f, "\n");
  }
}

void synth_print(FILE *f, const json_t *rows) {
  json_t *ratios = synth_ratios(rows), *r;
  size_t i;
  fprintf(f, "pre-layout figures; median (95 %% band) over %.0f netlists that compute the same\n",
          number(json_array_get(rows, 0), "netlists"));
  json_array_foreach(ratios, i, r) {
    fprintf(f, "area of %s : %s on %s =", text(r, "of"), text(r, "to"), text(r, "library"));
    print_band(f, key(r, "area"), 3, 0);
    fprintf(f, ", %s\n", text(r, "verdict"));
  }
  json_decref(ratios);
  print_figures(f, rows);
  print_details(f, rows);
}

static double parameter_of(const json_t *row, const char *parameter) {
  return number(key(row, "parameters"), parameter);
}

static void csv_band(FILE *f, const json_t *j) {
  struct band b = synth_band(j);
  fprintf(f, ",%.10g,%.10g,%.10g", b.median, b.low, b.high);
}

static void write_rows(FILE *f, const json_t *rows, const char *parameter) {
  size_t i;
  json_t *row;
  fprintf(f, "block,library,%s,area_um2,area_low,area_high,fmax_mhz,fmax_low,fmax_high,kge,cells,flip_flop_bits\n",
          parameter);
  json_array_foreach((json_t *)rows, i, row) {
    fprintf(f, "%s,%s,%.0f", text(row, "block"), library(row), parameter_of(row, parameter));
    csv_band(f, key(row, "area_um2"));
    csv_band(f, key(row, "fmax_mhz"));
    fprintf(f, ",%.10g,%.10g,%.0f\n", synth_band(key(row, "kge")).median, synth_band(key(row, "cells")).median,
            number(row, "flip_flop_bits"));
  }
}

int synth_csv(const json_t *rows, const char *parameter, const char *path, struct err *e) {
  struct out_file out = {0};
  int status = out_file_open(&out, path, e);
  if (status) return status;
  write_rows(out.f, rows, parameter);
  return out_file_commit(&out, e);
}

/* One panel: a figure with its band, a curve for each library. */
static void plot_panel(FILE *f, const json_t *rows, const char *unit, int column) {
  const char *seen[SYNTH_LIBRARIES_MAX];
  unsigned n = 0;
  size_t i;
  json_t *row;
  fprintf(f, "set ylabel '%s'\nplot", unit);
  json_array_foreach((json_t *)rows, i, row) {
    unsigned k = 0;
    while (k < n && strcmp(seen[k], library(row)) != 0) k++;
    if (k < n || n == SYNTH_LIBRARIES_MAX) continue;
    fprintf(f, "%s $rows using 3:(strcol(2) eq '%s' ? $%d : NaN):%d:%d with yerrorlines lw 2 pt 7 title '%s'",
            n ? "," : "", library(row), column, column + 1, column + 2, library(row));
    seen[n++] = library(row);
  }
  fprintf(f, "\n");
}

int synth_plot(const json_t *rows, const char *parameter, const char *path, struct err *e) {
  struct gnuplot g;
  size_t i;
  json_t *row;
  int status = gnuplot_start(&g, path, 900, 700, e);
  if (status) return status;
  fprintf(g.in, "$rows << END_OF_ROWS\n");
  write_rows(g.in, rows, parameter);
  fprintf(g.in, "END_OF_ROWS\nset datafile separator ','\nset key autotitle columnhead\n");
  fprintf(g.in, "set multiplot layout 2,1 title '%s over %s, pre-layout, 95 %% bands' noenhanced\n",
          text(json_array_get(rows, 0), "block"), parameter);
  fprintf(g.in,
          "set grid\nset key noenhanced left top\nset yrange [0:*]\nset offsets graph 0.05, graph 0.05, graph 0.15, "
          "0\nset lmargin 12\nset xlabel '%s' noenhanced\nset xtics (",
          parameter);
  json_array_foreach((json_t *)rows, i, row) fprintf(g.in, "%s%.0f", i ? ", " : "", parameter_of(row, parameter));
  fprintf(g.in, ")\n");
  plot_panel(g.in, rows, "area, um2", 4);
  plot_panel(g.in, rows, "Fmax, MHz", 7);
  fprintf(g.in, "unset multiplot\n");
  return gnuplot_finish(&g, e);
}
