/* SPDX-License-Identifier: Apache-2.0 */
#include "report/correlate.h"

#include "base/err.h"
#include "base/json_out.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- pairs ---- */

static int pair_up(struct correlation *c, struct err *e) {
  c->pair = calloc(c->ours.n + 1U, sizeof *c->pair);
  if (!c->pair) return err_set(e, ERR_LIMIT, "out of memory for %u launches", c->ours.n);
  for (uint32_t i = 0; i < c->ours.n; i++) {
    const struct kernel_launch *a = &c->ours.launch[i], *b = NULL;
    for (uint32_t k = 0; k < c->theirs.n && !b; k++)
      if (c->theirs.launch[k].turn == a->turn && !strcmp(c->theirs.launch[k].kernel, a->kernel))
        b = &c->theirs.launch[k];
    if (!b) continue;
    c->pair[c->n++] = (struct correlate_pair){a, b};
    c->reshaped += *a->grid && *b->grid && (strcmp(a->grid, b->grid) || strcmp(a->block, b->block));
  }
  c->only_ours = c->ours.n - c->n;
  c->only_theirs = c->theirs.n - c->n;
  if (c->n) return 0;
  return err_set(e, ERR_VALUE, "no launch of %s (%s%s) is in %s (%s%s); compare runs of the same program", c->ours.path,
                 c->ours.n ? "first: " : "no launch", c->ours.n ? c->ours.launch[0].kernel : "", c->theirs.path,
                 c->theirs.n ? "first: " : "no launch", c->theirs.n ? c->theirs.launch[0].kernel : "");
}

/* Both values of a pair, if they can be compared. */
static bool values(const struct correlate_pair *p, int metric, double *ours, double *theirs) {
  *ours = p->ours->value[metric];
  *theirs = p->theirs->value[metric];
  return isfinite(*ours) && isfinite(*theirs) && fabs(*theirs) > 0;
}

struct correlate_figures correlate_figures(const struct correlation *c, int metric, const char *kernel) {
  struct correlate_figures f = {.correlation = NAN};
  double x, y, xx = 0, yy = 0, xy = 0;
  for (uint32_t i = 0; i < c->n; i++) {
    if (kernel && strcmp(c->pair[i].ours->kernel, kernel) != 0) continue;
    if (!values(&c->pair[i], metric, &y, &x)) continue;
    f.n++;
    f.ours += y;
    f.theirs += x;
    f.error += (y - x) / x;
    f.absolute += fabs((y - x) / x);
  }
  if (!f.n) return f;
  f.ours /= f.n, f.theirs /= f.n, f.error /= f.n, f.absolute /= f.n;
  for (uint32_t i = 0; i < c->n; i++) { /* in a second pass: differences from the means are exact enough */
    if (kernel && strcmp(c->pair[i].ours->kernel, kernel) != 0) continue;
    if (!values(&c->pair[i], metric, &y, &x)) continue;
    xx += (x - f.theirs) * (x - f.theirs);
    yy += (y - f.ours) * (y - f.ours);
    xy += (x - f.theirs) * (y - f.ours);
  }
  if (xx > 0 && yy > 0) f.correlation = xy / sqrt(xx * yy);
  return f;
}

bool correlate_first(const struct correlation *c, uint32_t i) {
  for (uint32_t k = 0; k < i; k++)
    if (!strcmp(c->pair[k].ours->kernel, c->pair[i].ours->kernel)) return false;
  return true;
}

static int choose_metric(struct correlation *c, const char *name, struct err *e) {
  c->metric = kernel_metric_find(name ? name : "sm__cycles_elapsed.avg");
  if (c->metric < 0) return err_set(e, ERR_VALUE, "--metric %s: no such metric; tandem list metrics names them", name);
  if (correlate_figures(c, c->metric, NULL).n) return 0;
  if (name) return err_set(e, ERR_VALUE, "--metric %s: no launch has it in both files", name);
  for (c->metric = 0; c->metric < KERNEL_METRICS; c->metric++)
    if (correlate_figures(c, c->metric, NULL).n) return 0;
  return err_set(e, ERR_VALUE, "%s and %s have no metric in common; tandem list metrics names those for ncu --metrics",
                 c->ours.path, c->theirs.path);
}

int correlate_load(struct correlation *c, const char *ours, const char *theirs, const char *metric, struct err *e) {
  memset(c, 0, sizeof *c);
  int status = kernel_table_load(&c->ours, ours, e);
  if (!status) status = kernel_table_load(&c->theirs, theirs, e);
  if (!status) status = pair_up(c, e);
  if (!status) status = choose_metric(c, metric, e);
  if (status) correlate_free(c);
  return status;
}

void correlate_free(struct correlation *c) {
  kernel_table_free(&c->ours);
  kernel_table_free(&c->theirs);
  free(c->pair);
  memset(c, 0, sizeof *c);
}

/* ---- output ---- */

static void print_figures(FILE *f, const struct correlate_figures *g) {
  fprintf(f, " %8" PRIu32 " %14.6g %14.6g %+9.1f %% %9.1f %% ", g->n, g->ours, g->theirs, 100 * g->error,
          100 * g->absolute);
  if (isnan(g->correlation)) fprintf(f, "%11s\n", "-");
  else fprintf(f, "%11.4f\n", g->correlation);
}

static void print_heading(FILE *f, const char *what) {
  fprintf(f, "%-52s %8s %14s %14s %11s %11s %11s\n", what, "launches", "ours", "theirs", "error", "|error|",
          "correlation");
}

void correlate_print(const struct correlation *c, FILE *f) {
  if (c->theirs.simulated) fprintf(f, "no silicon: Tandem wrote %s, too\n", c->theirs.path);
  fprintf(f, "%s (ours) beside %s (theirs): %" PRIu32 " launches in both", c->ours.path, c->theirs.path, c->n);
  if (c->only_ours) fprintf(f, ", %" PRIu32 " in ours only", c->only_ours);
  if (c->only_theirs) fprintf(f, ", %" PRIu32 " in theirs only", c->only_theirs);
  if (c->reshaped) fprintf(f, "; %" PRIu32 " with another grid or CTA", c->reshaped);
  fputs("\n\n", f);
  print_heading(f, "metric");
  for (int m = 0; m < KERNEL_METRICS; m++) {
    struct correlate_figures g = correlate_figures(c, m, NULL);
    if (!g.n) continue;
    fprintf(f, "%-52s", kernel_metrics[m].name);
    print_figures(f, &g);
  }
  fprintf(f, "\n%s by kernel\n", kernel_metrics[c->metric].name);
  print_heading(f, "kernel");
  for (uint32_t i = 0; i < c->n; i++) {
    if (!correlate_first(c, i)) continue;
    struct correlate_figures g = correlate_figures(c, c->metric, c->pair[i].ours->kernel);
    fprintf(f, "%-52s", c->pair[i].ours->kernel);
    if (g.n) print_figures(f, &g);
    else fprintf(f, " %8d\n", 0);
  }
}

static json_t *figures_json(const char *key, const char *name, const struct correlate_figures *g) {
  json_t *j = json_pack("{s:s, s:I, s:f, s:f, s:f, s:f}", key, name, "launches", (json_int_t)g->n, "ours", g->ours,
                        "theirs", g->theirs, "error", g->error, "absolute_error", g->absolute);
  json_object_set_new(j, "correlation", isnan(g->correlation) ? json_null() : json_real(g->correlation));
  return j;
}

void correlate_print_json(const struct correlation *c, FILE *out) {
  json_t *metrics = json_array(), *kernels = json_array();
  for (int m = 0; m < KERNEL_METRICS; m++) {
    struct correlate_figures g = correlate_figures(c, m, NULL);
    if (g.n) json_array_append_new(metrics, figures_json("metric", kernel_metrics[m].name, &g));
  }
  for (uint32_t i = 0; i < c->n; i++) {
    if (!correlate_first(c, i)) continue;
    struct correlate_figures g = correlate_figures(c, c->metric, c->pair[i].ours->kernel);
    json_array_append_new(kernels, figures_json("kernel", c->pair[i].ours->kernel, &g));
  }
  json_t *j =
    json_pack("{s:s, s:s, s:b, s:I, s:I, s:I, s:I, s:s, s:o, s:o}", "ours", c->ours.path, "theirs", c->theirs.path,
              "silicon", !c->theirs.simulated, "launches", (json_int_t)c->n, "only_ours", (json_int_t)c->only_ours,
              "only_theirs", (json_int_t)c->only_theirs, "reshaped", (json_int_t)c->reshaped, "metric",
              kernel_metrics[c->metric].name, "metrics", metrics, "kernels", kernels);
  json_out(j, "correlate/1", 0, out);
  json_decref(j);
}
