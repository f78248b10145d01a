/* SPDX-License-Identifier: Apache-2.0 */
/* survey: each sweep, compared with one in double precision from the same surveys that goes over variables, and so the biases. (Many
 * sweeps cannot be: where a survey is near 1, the next ones lose digits.) The law of the input: random 3-SAT. A clause has three variables that differ
 * from each other, uniform, each negated or not; `ratio` hundredths of clauses a variable, by default 4.2, near where such formulas
 * become unsatisfiable; surveys begin uniform in [0, 1). */
#include <cuda.h>

#include "survey_args.h"
#include "survey_ptx.h"
#include "workload.h"

enum { THREADS = 256 };

/* A product of 100 floats is off by 100 x 2^-24 of itself; what is computed from two of them, by no more than four times that. */
static const double TOLERANCE = 2.5e-5;

struct formula {
  unsigned variables, clauses, sweeps;
  unsigned *literal, *first, *edge;
  float *survey;
};

static struct formula make_formula(const struct workload *w) {
  uint64_t seed = (uint64_t)workload_value(w, "seed");
  struct formula f = {.variables = (unsigned)workload_value(w, "variables"),
                      .sweeps = (unsigned)workload_value(w, "sweeps")};
  f.clauses = (unsigned)(((uint64_t)f.variables * (uint64_t)workload_value(w, "ratio") + 99) / 100);
  unsigned n = 3 * f.clauses;
  f.literal = workload_alloc(w, n * sizeof *f.literal);
  f.edge = workload_alloc(w, n * sizeof *f.edge);
  f.survey = workload_alloc(w, n * sizeof *f.survey);
  f.first = workload_alloc(w, ((size_t)f.variables + 2) * sizeof *f.first);
  for (unsigned c = 0; c < f.clauses; c++) { /* each of those that are left */
    unsigned a = (unsigned)(workload_bits(seed, 1, c) % f.variables);
    unsigned b = (a + 1 + (unsigned)(workload_bits(seed, 2, c) % (f.variables - 1))) % f.variables, left, right, d;
    left = a < b ? a : b, right = a < b ? b : a;
    d = (unsigned)(workload_bits(seed, 3, c) % (f.variables - 2));
    if (d >= left) d++;
    if (d >= right) d++;
    unsigned of[3] = {a, b, d};
    for (unsigned k = 0; k < 3; k++) f.literal[3 * c + k] = of[k] << 1 | (workload_bits(seed, 4, 3 * c + k) >> 63);
  }
  unsigned *next = f.first + 1;
  for (unsigned e = 0; e < n; e++) f.first[f.literal[e] / 2 + 2]++;
  for (unsigned i = 2; i <= f.variables; i++) f.first[i] += f.first[i - 1];
  for (unsigned e = 0; e < n; e++) f.edge[next[f.literal[e] / 2]++] = e;
  for (unsigned e = 0; e < n; e++) f.survey[e] = (float)(workload_bits(seed, 5, e) >> 48) / 65536.f;
  return f;
}

/* ---- the other way ---- */

/* Of each place of a variable: the product of 1 - survey over its other places with the same sign; of each variable: over all places
 * of a sign. From the left, and then from the right. */
static void products_of(const struct formula *f, const float *survey, double (*all)[2], double *others) {
  for (unsigned i = 0; i < f->variables; i++) {
    double right[2] = {1, 1};
    all[i][0] = all[i][1] = 1;
    for (unsigned k = f->first[i]; k < f->first[i + 1]; k++) {
      unsigned e = f->edge[k], sign = f->literal[e] & 1;
      others[e] = all[i][sign];
      all[i][sign] *= 1 - (double)survey[e];
    }
    for (unsigned k = f->first[i + 1]; k-- > f->first[i];) {
      unsigned e = f->edge[k], sign = f->literal[e] & 1;
      others[e] *= right[sign];
      right[sign] *= 1 - (double)survey[e];
    }
  }
}

/* The part of `one` in the three ways a literal may be pressed: by `one`, by `other`, by none. */
static double part(double one, double other) {
  double here = (1 - one) * other, there = (1 - other) * one, sum = here + there + one * other;
  return sum > 0 ? here / sum : 0;
}

static void compare_sweep(struct workload_comparison *c, const struct workload *w, const struct formula *f,
                          const float *before, const float *after) {
  size_t n = 3 * (size_t)f->clauses;
  double(*all)[2] = workload_alloc(w, f->variables * sizeof *all), *others = workload_alloc(w, n * sizeof *others);
  double *warning = workload_alloc(w, n * sizeof *warning);
  products_of(f, before, all, others);
  for (size_t e = 0; e < n; e++) warning[e] = part(all[f->literal[e] / 2][1 - (f->literal[e] & 1)], others[e]);
  for (size_t e = 0; e < n; e++) {
    double want = warning[e / 3 * 3 + (e + 1) % 3] * warning[e / 3 * 3 + (e + 2) % 3];
    workload_compare(c, e, after[e], (float)want, TOLERANCE);
  }
  free(all), free(others), free(warning);
}

static void compare_bias(struct workload_comparison *c, const struct workload *w, const struct formula *f,
                         const float *survey, const float *bias) {
  double(*all)[2] = workload_alloc(w, f->variables * sizeof *all);
  double *others = workload_alloc(w, 3 * (size_t)f->clauses * sizeof *others);
  products_of(f, survey, all, others);
  for (unsigned i = 0; i < f->variables; i++)
    workload_compare(c, i, bias[i], (float)(part(all[i][0], all[i][1]) - part(all[i][1], all[i][0])), TOLERANCE);
  free(all), free(others);
}

/* ---- the device ---- */

static void run(struct workload *w, const struct formula *f, struct workload_comparison *c) {
  size_t bytes = 3 * (size_t)f->clauses * sizeof(float);
  float *after = workload_alloc(w, bytes), *bias = workload_alloc(w, f->variables * sizeof *bias);
  CUfunction sweep = workload_open(w, "survey_sweep"), of_variables = workload_kernel(w, "survey_bias");
  CUdeviceptr literal = workload_upload(w, f->literal, bytes), edge = workload_upload(w, f->edge, bytes);
  CUdeviceptr first = workload_upload(w, f->first, ((size_t)f->variables + 1) * sizeof *f->first);
  CUdeviceptr surveys[2] = {workload_upload(w, f->survey, bytes), workload_upload(w, NULL, bytes)};
  CUdeviceptr d_bias = workload_upload(w, NULL, f->variables * sizeof *bias);
  for (unsigned i = 0; i < f->sweeps; i++) {
    workload_launch(w, sweep, (f->clauses - 1) / THREADS + 1, THREADS,
                    (void *[]){(void *)&f->clauses, &literal, &first, &edge, &surveys[i % 2], &surveys[1 - i % 2]});
    workload_download(w, after, surveys[1 - i % 2], bytes);
    compare_sweep(c, w, f, f->survey, after);
    memcpy(f->survey, after, bytes);
  }
  workload_launch(w, of_variables, (f->variables - 1) / THREADS + 1, THREADS,
                  (void *[]){(void *)&f->variables, &literal, &first, &edge, &surveys[f->sweeps % 2], &d_bias});
  workload_download(w, bias, d_bias, f->variables * sizeof *bias);
  compare_bias(c, w, f, f->survey, bias);
  free(after), free(bias);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("survey", argc, argv);
  struct formula f = make_formula(&w);
  struct workload_comparison comparison = {0};
  run(&w, &f, &comparison);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "variables=%u clauses=%u sweeps=%u", f.variables, f.clauses, f.sweeps);
  workload_close(&w);
  free(f.literal), free(f.edge), free(f.survey), free(f.first);
  return workload_verdict(&w, sizes, &comparison);
}
