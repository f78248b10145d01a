/* SPDX-License-Identifier: Apache-2.0 */
/* dg: a plane wave through a periodic box of cubes, six tetrahedra each, compared with the wave itself. With jumps=1 every
 * element begins a little apart from its neighbours, so that their surfaces matter, and the host computes the same in double. */
#include <cuda.h>

#include "dg_args.h"
#include "dg_ptx.h"
#include "operators.h"
#include "workload.h"

enum { FIELDS = 6, PITCH = 96, STAGES = 5 };

/* Runge-Kutta of fourth order in two registers (Carpenter and Kennedy 1994). */
static const double rk_a[STAGES] = {0, -567301805773.0 / 1357537059087.0, -2404267990393.0 / 2016746695238.0,
                                    -3550918686646.0 / 2091501179385.0, -1275806237668.0 / 842570457699.0};
static const double rk_b[STAGES] = {1432997174477.0 / 9575080441755.0, 5161836677717.0 / 13612068292357.0,
                                    1720146321549.0 / 2090206949498.0, 3134564353537.0 / 4481467310338.0,
                                    2277821191437.0 / 14882151754819.0};

/* Lengths in sixths of a cube's side, so that nodes and corners are whole. */
struct mesh {
  int cells[3];
  unsigned elements;
  int (*corner)[4][3];
  float *map, *face;
  uint32_t *neighbour;
};

/* A cube is cut along its diagonal: one tetrahedron for each order in which the axes are walked. */
static void place_corners(struct mesh *m) {
  static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (unsigned k = 0; k < m->elements; k++) {
    int cell = (int)(k / 6),
        at[3] = {cell % m->cells[0], cell / m->cells[0] % m->cells[1], cell / m->cells[0] / m->cells[1]};
    for (int v = 0; v < 4; v++) {
      for (int c = 0; c < 3; c++) m->corner[k][v][c] = at[c] * ORDER;
      for (int i = 0; i < v; i++) m->corner[k][v][orders[k % 6][i]] += ORDER;
    }
  }
}

static void node_place(const struct mesh *m, const struct dg_operators *o, unsigned k, int n, int out[3]) {
  for (int c = 0; c < 3; c++) {
    out[c] = m->corner[k][0][c];
    for (int i = 0; i < 3; i++) out[c] += o->node[n][i] * (m->corner[k][i + 1][c] - m->corner[k][0][c]) / ORDER;
  }
}

static double determinant(const double a[3][3]) {
  return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
         a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

/* dr/dx and so on, normals, and areas over volume. */
static void place_geometry(struct mesh *m, unsigned k) {
  double a[3][3], inverse[3][3]; /* a[c][i]: d x_c / d r_i */
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < 3; i++) a[c][i] = (m->corner[k][i + 1][c] - m->corner[k][0][c]) / (double)ORDER;
  double volume = determinant(a);
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < 3; c++) {
      int i1 = (i + 1) % 3, i2 = (i + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
      inverse[i][c] = (a[c1][i1] * a[c2][i2] - a[c2][i1] * a[c1][i2]) / volume;
      m->map[k * 9 + (unsigned)(c * 3 + i)] = (float)inverse[i][c];
    }
  for (int f = 0; f < FACES; f++) {
    double n[3], length = 0;
    const int axis[FACES] = {2, 1, -1, 0};
    for (int c = 0; c < 3; c++) {
      n[c] = axis[f] < 0 ? inverse[0][c] + inverse[1][c] + inverse[2][c] : -inverse[axis[f]][c];
      length += n[c] * n[c];
    }
    length = sqrt(length);
    /* the area element of a face over that of the volume is the length of the gradient that is normal to it */
    for (int c = 0; c < 3; c++) m->face[(k * FACES + (unsigned)f) * 4 + (unsigned)c] = (float)(n[c] / length);
    m->face[(k * FACES + (unsigned)f) * 4 + 3] = (float)length;
  }
}

/* A face is where the sum of its corners is. */
static void face_key(const struct mesh *m, unsigned k, int f, int key[3]) {
  static const int corners[FACES][3] = {{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {0, 2, 3}};
  for (int c = 0; c < 3; c++) {
    key[c] = 0;
    for (int i = 0; i < 3; i++) key[c] += m->corner[k][corners[f][i]][c];
    key[c] %= 3 * ORDER * m->cells[c];
  }
}

static void join_faces(struct mesh *m, const struct dg_operators *o, unsigned k, int f, unsigned other, int g) {
  for (int i = 0; i < FACE_NODES; i++) {
    int mine[3];
    node_place(m, o, k, o->face_node[f * FACE_NODES + i], mine);
    for (int j = 0; j < FACE_NODES; j++) {
      int its[3], same = 1, n = o->face_node[g * FACE_NODES + j];
      node_place(m, o, other, n, its);
      for (int c = 0; c < 3; c++) same &= (mine[c] - its[c]) % (ORDER * m->cells[c]) == 0;
      if (same) m->neighbour[k * SURFACE + (unsigned)(f * FACE_NODES + i)] = other * FIELDS * PITCH + (unsigned)n;
    }
  }
}

static struct mesh mesh_of(const struct workload *w, const struct dg_operators *o) {
  struct mesh m = {.cells = {(int)workload_value(w, "x"), (int)workload_value(w, "y"), (int)workload_value(w, "z")}};
  m.elements = 6u * (unsigned)(m.cells[0] * m.cells[1] * m.cells[2]);
  m.corner = workload_alloc(w, m.elements * sizeof *m.corner);
  m.map = workload_alloc(w, m.elements * 9 * sizeof *m.map);
  m.face = workload_alloc(w, (size_t)m.elements * FACES * 4 * sizeof *m.face);
  m.neighbour = workload_alloc(w, (size_t)m.elements * SURFACE * sizeof *m.neighbour);
  place_corners(&m);
  for (unsigned k = 0; k < m.elements; k++) place_geometry(&m, k);
  for (unsigned k = 0; k < m.elements * FACES; k++)
    for (unsigned other = 0; other < m.elements * FACES; other++) {
      int a[3], b[3];
      face_key(&m, k / FACES, (int)(k % FACES), a);
      face_key(&m, other / FACES, (int)(other % FACES), b);
      if (k != other && !memcmp(a, b, sizeof a))
        join_faces(&m, o, k / FACES, (int)(k % FACES), other / FACES, (int)(other % FACES));
    }
  return m;
}

/* The wave at a place and time: it runs along x, its electric field along y. */
static void wave(const struct mesh *m, const int place[3], double time, double out[FIELDS]) {
  double turn = 2 * 3.14159265358979323846 / m->cells[0], v = cos(turn * (place[0] / (double)ORDER - time));
  memset(out, 0, FIELDS * sizeof *out);
  out[2] = out[4] = v;
}

/* ---- the host's own steps, in double ---- */

/* curl of three fields of an element at node n */
static void curl(const struct mesh *m, const struct dg_operators *o, unsigned k, const double *e, int n,
                 double out[3]) {
  double d[3][3] = {{0}}; /* d[f][c]: of field f along x_c */
  for (int f = 0; f < 3; f++)
    for (int i = 0; i < 3; i++) {
      double slope = 0;
      for (int j = 0; j < NODES; j++) slope += o->d[i][j][n] * e[f * PITCH + j];
      for (int c = 0; c < 3; c++) d[f][c] += m->map[k * 9 + (unsigned)(c * 3 + i)] * slope;
    }
  for (int c = 0; c < 3; c++) out[c] = d[(c + 2) % 3][(c + 1) % 3] - d[(c + 1) % 3][(c + 2) % 3];
}

/* Upwind flux of all six fields through surface node j. */
static void flux(const struct mesh *m, const struct dg_operators *o, unsigned k, int j, const double *q,
                 double out[FIELDS]) {
  const float *face = m->face + (k * FACES + (unsigned)(j / FACE_NODES)) * 4;
  double jump[FIELDS];
  for (int f = 0; f < FIELDS; f++)
    jump[f] = q[m->neighbour[k * SURFACE + (unsigned)j] + (unsigned)(f * PITCH)] -
              q[(k * FIELDS + (unsigned)f) * PITCH + (unsigned)o->face_node[j]];
  for (int h = 0; h < 2; h++) { /* h = 0: magnetic fields, which the electric jumps turn */
    const double *own = jump + 3 * h, *other = jump + 3 * (1 - h);
    double along = 0, sign = h ? 1 : -1;
    for (int c = 0; c < 3; c++) along += face[c] * own[c];
    for (int c = 0; c < 3; c++) {
      double cross = face[(c + 1) % 3] * other[(c + 2) % 3] - face[(c + 2) % 3] * other[(c + 1) % 3];
      out[3 * h + c] = 0.5 * face[3] * (sign * cross + own[c] - along * face[c]);
    }
  }
}

static void slopes(const struct mesh *m, const struct dg_operators *o, const double *q, double *rhs) {
  for (unsigned k = 0; k < m->elements; k++) {
    double through[SURFACE][FIELDS];
    for (int j = 0; j < SURFACE; j++) flux(m, o, k, j, q, through[j]);
    for (int n = 0; n < NODES; n++) {
      double h[3], e[3];
      curl(m, o, k, q + k * FIELDS * PITCH, n, h);
      curl(m, o, k, q + (k * FIELDS + 3) * PITCH, n, e);
      for (int f = 0; f < FIELDS; f++) {
        double sum = f < 3 ? -e[f] : h[f - 3];
        for (int j = 0; j < SURFACE; j++) sum += o->lift[j][n] * through[j][f];
        rhs[(k * FIELDS + (unsigned)f) * PITCH + (unsigned)n] = sum;
      }
    }
  }
}

static void host_steps(const struct workload *w, const struct mesh *m, const struct dg_operators *o, double *q,
                       size_t n, double dt) {
  double *rhs = workload_alloc(w, n * sizeof *rhs), *residual = workload_alloc(w, n * sizeof *residual);
  for (long long s = 0; s < workload_value(w, "stages"); s++) {
    slopes(m, o, q, rhs);
    for (size_t i = 0; i < n; i++) {
      residual[i] = rk_a[s % STAGES] * residual[i] + dt * rhs[i];
      q[i] += rk_b[s % STAGES] * residual[i];
    }
  }
  free(rhs), free(residual);
}

/* ---- device ---- */

static CUtexObject texture_of(const struct workload *w, const float *data, size_t texels, unsigned channels) {
  CUDA_RESOURCE_DESC r;
  CUDA_TEXTURE_DESC desc;
  CUtexObject texture;
  memset(&r, 0, sizeof r);
  memset(&desc, 0, sizeof desc);
  r.resType = CU_RESOURCE_TYPE_LINEAR;
  r.res.linear.devPtr = workload_upload(w, data, texels * channels * 4);
  r.res.linear.format = CU_AD_FORMAT_FLOAT;
  r.res.linear.numChannels = channels;
  r.res.linear.sizeInBytes = texels * channels * 4;
  WORKLOAD_PREPARE(w, cuTexObjectCreate(&texture, &r, &desc, NULL));
  return texture;
}

static void place_textures(const struct workload *w, const struct dg_operators *o, CUtexObject *d, CUtexObject *lift) {
  static float operators[NODES * NODES][4], lifts[SURFACE * NODES];
  for (int m = 0; m < NODES; m++)
    for (int n = 0; n < NODES; n++)
      for (int c = 0; c < 3; c++) operators[m * NODES + n][c] = (float)o->d[c][m][n];
  for (int i = 0; i < SURFACE * NODES; i++) lifts[i] = (float)o->lift[i / NODES][i % NODES];
  *d = texture_of(w, operators[0], NODES * NODES, 4);
  *lift = texture_of(w, lifts, SURFACE * NODES, 1);
}

static void compute(struct workload *w, const struct mesh *m, const struct dg_operators *o, float *q, size_t n,
                    float dt) {
  CUfunction volume = workload_open(w, "dg_volume"), surface = workload_kernel(w, "dg_surface");
  CUfunction step = workload_kernel(w, "dg_step");
  CUtexObject t_operators, t_lift;
  CUdeviceptr d_face_node;
  size_t bytes;
  uint8_t face_node[SURFACE];
  unsigned whole = (unsigned)n;
  float *zero = workload_alloc(w, n * 4);
  place_textures(w, o, &t_operators, &t_lift);
  for (int i = 0; i < SURFACE; i++) face_node[i] = (uint8_t)o->face_node[i];
  WORKLOAD_PREPARE(w, cuModuleGetGlobal(&d_face_node, &bytes, w->module, "dg_face_node"));
  WORKLOAD_PREPARE(w, cuMemcpyHtoD(d_face_node, face_node, sizeof face_node));
  CUdeviceptr d_q = workload_upload(w, q, n * 4), d_rhs = workload_upload(w, zero, n * 4);
  CUdeviceptr d_residual = workload_upload(w, zero, n * 4), d_map = workload_upload(w, m->map, m->elements * 36);
  CUdeviceptr d_face = workload_upload(w, m->face, (size_t)m->elements * FACES * 16);
  CUdeviceptr d_neighbour = workload_upload(w, m->neighbour, (size_t)m->elements * SURFACE * 4);
  for (long long s = 0; s < workload_value(w, "stages"); s++) {
    float a = (float)rk_a[s % STAGES], b = (float)rk_b[s % STAGES];
    workload_launch_shared(w, volume, m->elements, NODES, (unsigned)workload_value(w, "shared"),
                           (void *[]){&d_q, &d_rhs, &d_map, &t_operators});
    workload_launch(w, surface, m->elements, SURFACE, (void *[]){&d_q, &d_rhs, &d_neighbour, &d_face, &t_lift});
    workload_launch(w, step, (whole - 1) / 256 + 1, 256, (void *[]){&whole, &a, &b, &dt, &d_rhs, &d_residual, &d_q});
  }
  workload_download(w, q, d_q, n * 4);
  free(zero);
}

int main(int argc, char **argv) {
  static struct dg_operators operators;
  struct workload w = workload_arguments("dg", argc, argv);
  if (!workload_value(&w, "jumps") && workload_value(&w, "stages") % STAGES)
    workload_usage(
      &w, "stages=%lld is no whole number of steps (of 5 stages) after which the wave is known; or set jumps=1",
      workload_value(&w, "stages"));
  if (!dg_operators_of(&operators)) workload_usage(&w, "%s", "internal: an operator has no inverse");
  struct mesh m = mesh_of(&w, &operators);
  size_t n = (size_t)m.elements * FIELDS * PITCH;
  float *q = workload_alloc(&w, n * 4), dt = 0.006f;
  double want[FIELDS], time = (double)dt * (double)workload_value(&w, "stages") / STAGES;
  double jump = workload_value(&w, "jumps") ? 0.05 : 0, *reference = workload_alloc(&w, n * sizeof *reference);
  int place[3];
  for (unsigned k = 0; k < m.elements; k++)
    for (int i = 0; i < NODES; i++) {
      node_place(&m, &operators, k, i, place);
      wave(&m, place, 0, want);
      for (unsigned f = 0; f < FIELDS; f++) {
        size_t at = (k * FIELDS + f) * PITCH + (unsigned)i;
        reference[at] = q[at] = (float)(want[f] + jump * workload_input(1, f, k));
      }
    }
  compute(&w, &m, &operators, q, n, dt);
  if (jump > 0) host_steps(&w, &m, &operators, reference, n, dt);

  struct workload_comparison comparison = {0};
  for (unsigned k = 0; k < m.elements; k++)
    for (int i = 0; i < NODES; i++) {
      node_place(&m, &operators, k, i, place);
      wave(&m, place, time, want);
      for (unsigned f = 0; f < FIELDS; f++) {
        size_t at = (k * FIELDS + f) * PITCH + (unsigned)i;
        double wanted = jump > 0 ? reference[at] : want[f];
        workload_compare(&comparison, at, q[at], (float)wanted, 1e-4);
      }
    }
  char sizes[96];
  snprintf(sizes, sizeof sizes, "elements=%u stages=%lld jumps=%lld", m.elements, workload_value(&w, "stages"),
           workload_value(&w, "jumps"));
  workload_close(&w);
  free(q), free(reference), free(m.corner), free(m.map), free(m.face), free(m.neighbour);
  return workload_verdict(&w, sizes, &comparison);
}
