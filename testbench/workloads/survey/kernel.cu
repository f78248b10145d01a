// SPDX-License-Identifier: Apache-2.0
// Survey propagation on a formula of clauses of three literals (Braunstein, Mezard, Zecchina 2005; sp of LonestarGPU, Burtscher 2012):
// a sweep computes the surveys of all clauses from those of the sweep before, a thread a clause; then each variable gets its bias.
// Formulas are not made smaller by it: which variables would be fixed can hang on the last bit of a bias.
#include "tandem_device.h"

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif

struct products { // of 1 - survey, over clauses that have the literal, and over those that have its negation
  float same, other;
};

// literal: variable * 2 + negated, three of a clause. edge: places of a variable in `literal`, from first[variable] on.
static __device__ __forceinline__ products of_variable(unsigned variable, unsigned negated, unsigned without,
                                                       const unsigned *literal, const unsigned *first,
                                                       const unsigned *edge, const float *survey) {
  products p = {1, 1};
  unsigned end = first[variable + 1];
  for (unsigned i = first[variable]; i < end; i++) {
    unsigned e = edge[i];
    if (e / 3 == without) continue;
    float rest = 1 - survey[e];
    if ((literal[e] & 1) == negated) p.same *= rest;
    else p.other *= rest;
  }
  return p;
}

extern "C" __global__ void __launch_bounds__(256)
  survey_sweep(unsigned clauses, const unsigned *literal, const unsigned *first, const unsigned *edge,
               const float *survey, float *next) {
  unsigned clause = blockIdx.x * 256 + threadIdx.x;
  if (clause >= clauses) return;
  float warning[3]; // that the literal cannot satisfy the clause
#pragma unroll
  for (unsigned k = 0; k < 3; k++) {
    unsigned own = literal[clause * 3 + k];
    products p = of_variable(own / 2, own & 1, clause, literal, first, edge, survey);
    float against = (1 - p.other) * p.same, along = (1 - p.same) * p.other, sum = against + along + p.same * p.other;
    warning[k] = sum > 0 ? against / sum : 0;
  }
  next[clause * 3] = warning[1] * warning[2];
  next[clause * 3 + 1] = warning[0] * warning[2];
  next[clause * 3 + 2] = warning[0] * warning[1];
}

extern "C" __global__ void __launch_bounds__(256)
  survey_bias(unsigned variables, const unsigned *literal, const unsigned *first, const unsigned *edge,
              const float *survey, float *bias) {
  unsigned variable = blockIdx.x * 256 + threadIdx.x;
  if (variable >= variables) return;
  products p = of_variable(variable, 0, 0xffffffffu, literal, first, edge, survey);
  float yes = (1 - p.same) * p.other, no = (1 - p.other) * p.same, sum = yes + no + p.same * p.other;
  bias[variable] = sum > 0 ? (yes - no) / sum : 0;
}
