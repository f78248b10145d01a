/* SPDX-License-Identifier: Apache-2.0 */
/* The operators of the nodal discontinuous Galerkin method on the tetrahedron with corners 0, r, s, t = 1 (Hesthaven and
 * Warburton 2008, chapters 6 and 10): equidistant nodes, monomials below them. All in double. */
#ifndef TANDEM_WORKLOAD_DG_OPERATORS_H
#define TANDEM_WORKLOAD_DG_OPERATORS_H

#include <math.h>
#include <string.h>

enum { ORDER = 6, NODES = 84, FACES = 4, FACE_NODES = 28, SURFACE = FACES * FACE_NODES };

struct dg_operators {
  int node[NODES][3]; /* coordinates, in sixths */
  int face_node[SURFACE];
  double d[3][NODES][NODES]; /* d/dr, d/ds, d/dt: [m][n], of node m's basis at node n */
  double lift[SURFACE][NODES];
};

static double dg_power(double x, int n) {
  double p = 1;
  while (n-- > 0) p *= x;
  return p;
}

static double dg_factorial(int n) { return n > 1 ? n * dg_factorial(n - 1) : 1; }

/* The inverse of a matrix of n rows, by Gauss and Jordan with pivots; 0 if there is none. */
static int dg_invert(int n, double *a, double *inverse) {
  for (int i = 0; i < n * n; i++) inverse[i] = i % (n + 1) == 0;
  for (int c = 0; c < n; c++) {
    int pivot = c;
    for (int r = c + 1; r < n; r++)
      if (fabs(a[r * n + c]) > fabs(a[pivot * n + c])) pivot = r;
    if (fabs(a[pivot * n + c]) < 1e-14) return 0;
    for (int i = 0; i < n; i++) {
      double x = a[c * n + i], y = inverse[c * n + i];
      a[c * n + i] = a[pivot * n + i], a[pivot * n + i] = x;
      inverse[c * n + i] = inverse[pivot * n + i], inverse[pivot * n + i] = y;
    }
    double scale = 1 / a[c * n + c];
    for (int i = 0; i < n; i++) a[c * n + i] *= scale, inverse[c * n + i] *= scale;
    for (int r = 0; r < n; r++) {
      double by = a[r * n + c];
      for (int i = 0; r != c && i < n; i++)
        a[r * n + i] -= by * a[c * n + i], inverse[r * n + i] -= by * inverse[c * n + i];
    }
  }
  return 1;
}

/* Nodes, those of each face (t = 0, s = 0, r + s + t = 1, r = 0), and the exponents of the monomials: the same triples. */
static void dg_nodes(struct dg_operators *o) {
  int n = 0, at[FACES] = {0};
  for (int t = 0; t <= ORDER; t++)
    for (int s = 0; s + t <= ORDER; s++)
      for (int r = 0; r + s + t <= ORDER; r++, n++) {
        int on[FACES] = {t == 0, s == 0, r + s + t == ORDER, r == 0};
        o->node[n][0] = r, o->node[n][1] = s, o->node[n][2] = t;
        for (int f = 0; f < FACES; f++)
          if (on[f]) o->face_node[f * FACE_NODES + at[f]++] = n;
      }
}

/* v: values of monomial j at node i; inverse: of v. */
static int dg_vandermonde(const struct dg_operators *o, double *v, double *inverse) {
  static double copy[NODES * NODES];
  for (int i = 0; i < NODES; i++)
    for (int j = 0; j < NODES; j++) {
      v[i * NODES + j] = 1;
      for (int c = 0; c < 3; c++) v[i * NODES + j] *= dg_power(o->node[i][c] / (double)ORDER, o->node[j][c]);
    }
  memcpy(copy, v, sizeof copy);
  return dg_invert(NODES, copy, inverse);
}

static void dg_derivatives(struct dg_operators *o, const double *inverse) {
  for (int c = 0; c < 3; c++)
    for (int n = 0; n < NODES; n++)
      for (int j = 0; j < NODES; j++) {
        double slope = o->node[j][c];
        for (int i = 0; i < 3; i++)
          slope *= dg_power(o->node[n][i] / (double)ORDER, i == c ? o->node[j][i] - 1 : o->node[j][i]);
        for (int m = 0; m < NODES; m++) o->d[c][m][n] += slope * inverse[j * NODES + m];
      }
}

/* The inverse of the mass matrix: v (monomials' mass)^-1 v^T. */
static int dg_inverse_mass(const struct dg_operators *o, const double *v, double *out) {
  static double mass[NODES * NODES], inverse[NODES * NODES], half[NODES * NODES];
  for (int i = 0; i < NODES; i++)
    for (int j = 0; j < NODES; j++) {
      int e[3], all = 3;
      double integral = 1;
      for (int c = 0; c < 3; c++) e[c] = o->node[i][c] + o->node[j][c], all += e[c];
      for (int c = 0; c < 3; c++) integral *= dg_factorial(e[c]);
      mass[i * NODES + j] = integral / dg_factorial(all);
    }
  if (!dg_invert(NODES, mass, inverse)) return 0;
  memset(half, 0, sizeof half);
  memset(out, 0, sizeof half);
  for (int i = 0; i < NODES; i++)
    for (int k = 0; k < NODES; k++)
      for (int j = 0; j < NODES; j++) half[i * NODES + j] += v[i * NODES + k] * inverse[k * NODES + j];
  for (int i = 0; i < NODES; i++)
    for (int j = 0; j < NODES; j++)
      for (int k = 0; k < NODES; k++) out[i * NODES + j] += half[i * NODES + k] * v[j * NODES + k];
  return 1;
}

/* Mass matrix of a face in two of its coordinates, of the triangle with corners 0, 1, 1. */
static int dg_face_mass(const struct dg_operators *o, int f, double *out) {
  static double v[FACE_NODES * FACE_NODES], copy[FACE_NODES * FACE_NODES], inverse[FACE_NODES * FACE_NODES];
  static double mass[FACE_NODES * FACE_NODES];
  const int axes[FACES][2] = {{0, 1}, {0, 2}, {1, 2}, {1, 2}};
  int e[FACE_NODES][2];
  for (int i = 0; i < FACE_NODES; i++)
    for (int c = 0; c < 2; c++) e[i][c] = o->node[o->face_node[f * FACE_NODES + i]][axes[f][c]];
  for (int i = 0; i < FACE_NODES; i++)
    for (int j = 0; j < FACE_NODES; j++) {
      int a = e[i][0] + e[j][0], b = e[i][1] + e[j][1];
      v[i * FACE_NODES + j] = dg_power(e[i][0] / (double)ORDER, e[j][0]) * dg_power(e[i][1] / (double)ORDER, e[j][1]);
      mass[i * FACE_NODES + j] = dg_factorial(a) * dg_factorial(b) / dg_factorial(a + b + 2);
    }
  memcpy(copy, v, sizeof copy);
  if (!dg_invert(FACE_NODES, copy, inverse)) return 0;
  for (int i = 0; i < FACE_NODES; i++)
    for (int j = 0; j < FACE_NODES; j++) {
      double sum = 0;
      for (int a = 0; a < FACE_NODES; a++)
        for (int b = 0; b < FACE_NODES; b++)
          sum += inverse[a * FACE_NODES + i] * mass[a * FACE_NODES + b] * inverse[b * FACE_NODES + j];
      out[i * FACE_NODES + j] = sum;
    }
  return 1;
}

/* 0 if a matrix has no inverse. */
static int dg_operators_of(struct dg_operators *o) {
  static double v[NODES * NODES], inverse[NODES * NODES], mass[NODES * NODES], face[FACE_NODES * FACE_NODES];
  memset(o, 0, sizeof *o);
  dg_nodes(o);
  if (!dg_vandermonde(o, v, inverse) || !dg_inverse_mass(o, v, mass)) return 0;
  dg_derivatives(o, inverse);
  for (int f = 0; f < FACES; f++) {
    if (!dg_face_mass(o, f, face)) return 0;
    for (int j = 0; j < FACE_NODES; j++)
      for (int n = 0; n < NODES; n++)
        for (int i = 0; i < FACE_NODES; i++)
          o->lift[f * FACE_NODES + j][n] +=
            mass[n * NODES + o->face_node[f * FACE_NODES + i]] * face[i * FACE_NODES + j];
  }
  return 1;
}

#endif
