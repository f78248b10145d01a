/* SPDX-License-Identifier: Apache-2.0 */
/* How cost grows: vector add with its elements; a matrix product, which keeps SMs busy, with SMs that have the same work each; and instances in lockstep. */
#include "base/err.h"
#include "base/gnuplot.h"
#include "base/process.h"
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { POINTS_MAX = 8, SERIES = 3, ROWS_A_SM = 64 };

/* Runs of one kind, in order of size. */
struct series {
  const char *name, *axis;
  unsigned n, run[POINTS_MAX];
  double size[POINTS_MAX], seconds[POINTS_MAX];
};

static void add_point(struct bench *b, struct series *s, double size, const char *arguments) {
  char name[80];
  snprintf(name, sizeof name, "%s %.0f", s->name, size);
  s->size[s->n] = size;
  s->run[s->n++] = (unsigned)bench_add(b, name, arguments, 0, 0, 0);
}

static void list_points(struct bench *b, struct series s[SERIES], bool quick) {
  char text[1024];
  bench_add(b, "start", "run saxpy:version=plain,n=32", -1, 0, 0);
  s[0] = (struct series){.name = "elements", .axis = "elements of a vector add"};
  for (long n = 10000; n <= (quick ? 1000000 : 100000000); n *= 10) {
    snprintf(text, sizeof text, "run vecadd:n=%ld", n);
    add_point(b, &s[0], (double)n, text);
  }
  s[1] = (struct series){.name = "SMs", .axis = "SMs, the same work each"};
  for (int n = 1; n <= (quick ? 16 : 64); n *= 2) {
    snprintf(text, sizeof text, "run matmul:m=%d,k=128,n=128 --set sm.count=%d", n * ROWS_A_SM, n);
    add_point(b, &s[1], n, text);
  }
  s[2] = (struct series){.name = "instances", .axis = "d2ma_agen instances in lockstep"};
  static const int sms[] = {0, 1, 2, 4, 8, 15};
  for (size_t i = 0; i < sizeof sms / sizeof *sms; i++) {
    size_t used =
      (size_t)snprintf(text, sizeof text, "run saxpy:n=%d --system d2ma --check-threads 0", quick ? 65536 : 1048576);
    for (int k = 0; k < sms[i] && used < sizeof text; k++)
      used += (size_t)snprintf(text + used, sizeof text - used, " --engine 'sm%d.d2ma.agen=lockstep'", k);
    add_point(b, &s[2], sms[i], text);
  }
}

/* The processor time that a size adds: of elements and SMs without that of a start, of instances without that of engine c. */
static void measure(const struct bench *b, struct series s[SERIES]) {
  for (unsigned k = 0; k < SERIES; k++) {
    double base = bench_processor(b, k == 2 ? s[2].run[0] : 0).median;
    for (unsigned i = 0; i < s[k].n; i++) s[k].seconds[i] = bench_processor(b, s[k].run[i]).median - base;
  }
}

/* The slope of the logarithms between the size in the middle and the largest; 1: linear. */
static double exponent(const struct series *s) {
  unsigned from = s->n / 2, to = s->n - 1;
  if (s->seconds[from] <= 0 || s->seconds[to] <= 0 || s->size[from] <= 0) return NAN;
  return log(s->seconds[to] / s->seconds[from]) / log(s->size[to] / s->size[from]);
}

static int write_table(const struct bench *b, const struct series s[SERIES], const char *folder, struct err *e) {
  char path[1040];
  snprintf(path, sizeof path, "%s/growth.csv", folder);
  FILE *f = fopen(path, "w");
  if (!f) return err_set(e, ERR_FILE, "cannot write %s; choose another folder for --growth", path);
  fprintf(f, "series,size,processor_s,low,high,added_s\n");
  for (unsigned k = 0; k < SERIES; k++)
    for (unsigned i = 0; i < s[k].n; i++) {
      struct bench_spread t = bench_processor(b, s[k].run[i]);
      fprintf(f, "%s,%.0f,%.6f,%.6f,%.6f,%.6f\n", s[k].name, s[k].size[i], t.median, t.low, t.high, s[k].seconds[i]);
    }
  bool failed = ferror(f) != 0;
  if (fclose(f) || failed) return err_set(e, ERR_FILE, "cannot write %s: no space left?", path);
  return 0;
}

static void draw(const struct series *s, FILE *f) {
  fprintf(f, "$d << EOD\n");
  const double *size = s->size, *seconds = s->seconds;
  double at = 0, level = 0;
  for (unsigned i = 0; i < s->n; i++)
    if (size[i] > 0 && seconds[i] > 0) {
      fprintf(f, "%g %g\n", size[i], seconds[i]);
      at = size[i], level = seconds[i];
    }
  fprintf(f, "EOD\nset xlabel \"%s\" noenhanced\nset ylabel \"processor time added, s\"\n", s->axis);
  fprintf(
    f,
    "plot $d with linespoints pt 7 lc rgb '#0072b2' title 'exponent %.2f', x * %g with lines dt 2 lc rgb '#999999' title 'linear'\n",
    exponent(s), level / at);
}

static int draw_all(const struct series s[SERIES], const char *folder, struct err *e) {
  char path[1040], tool[1024];
  struct gnuplot g;
  struct stat st;
  if (!process_find_tool("gnuplot", tool, sizeof tool, &st)) return 0;
  snprintf(path, sizeof path, "%s/growth.svg", folder);
  int status = gnuplot_start(&g, path, 1200, 420, e);
  if (status) return status;
  fprintf(g.in, "set logscale xy\nset key top left\nset format x '10^{%%L}'\nset multiplot layout 1,3\n");
  draw(&s[0], g.in);
  fprintf(g.in, "set format x '%%g'\nset xtics (1, 2, 4, 8, 16, 32, 64)\n");
  draw(&s[1], g.in);
  draw(&s[2], g.in);
  fprintf(g.in, "unset multiplot\n");
  return gnuplot_finish(&g, e);
}

int bench_growth(const char *folder, bool quick, unsigned rounds, FILE *f, struct err *e) {
  struct bench *b = calloc(1, sizeof *b);
  struct series s[SERIES];
  if (!b) return err_set(e, ERR_LIMIT, "out of memory");
  b->rounds = rounds;
  list_points(b, s, quick);
  int status = process_make_folders(folder, "choose another folder for --growth", e);
  if (!status) status = bench_execute(b, e);
  if (!status) {
    measure(b, s);
    status = write_table(b, s, folder, e);
  }
  if (!status) status = draw_all(s, folder, e);
  for (unsigned k = 0; k < SERIES && !status; k++)
    fprintf(f, "%-10s %.0f to %.0f: processor time grows with exponent %.2f (1: linear)\n", s[k].name, s[k].size[0],
            s[k].size[s[k].n - 1], exponent(&s[k]));
  free(b);
  return status;
}
