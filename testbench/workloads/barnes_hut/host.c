/* SPDX-License-Identifier: Apache-2.0 */
/* barnes_hut: accelerations, compared with the sum over all bodies in double precision, without a tree; box and step, bit for bit. With
 * theta=0 the kernel opens every cell, so that only rounding remains. The law of the input, fixed before anything was measured on it:
 * a coordinate is the cube of a uniform number in [-1, 1), so that bodies are dense in the middle, as in the clusters that LonestarGPU
 * draws; masses are uniform in 0.5 .. 1.5; bodies are at rest. */
#include <cuda.h>

#include "barnes_hut_args.h"
#include "barnes_hut_ptx.h"
#include "workload.h"

struct four {
  float x, y, z, w;
};

struct system {
  unsigned n, depth, cells;
  struct four *body; /* bodies, then cells */
  int *child;
  unsigned *order, ordered;
  float low[3], edge;
};

static const float soft = 0x1p-12f, dt = 0x1p-10f;

/* ---- the tree ---- */

static unsigned new_cell(struct system *s) {
  for (unsigned k = 0; k < 8; k++) s->child[8 * s->cells + k] = -1;
  return s->cells++;
}

static unsigned octant(const struct four *b, const float *middle) {
  return (b->x >= middle[0]) + 2u * (b->y >= middle[1]) + 4u * (b->z >= middle[2]);
}

/* Puts body i into the tree; false: deeper than the kernel's stacks. */
static int insert(struct system *s, unsigned i) {
  float half = s->edge / 2, middle[3];
  unsigned cell = 0;
  for (unsigned k = 0; k < 3; k++) middle[k] = s->low[k] + half;
  for (unsigned level = 0; level < s->depth; level++) {
    unsigned to = octant(&s->body[i], middle);
    int *slot = &s->child[8 * cell + to];
    half /= 2;
    for (unsigned k = 0; k < 3; k++) middle[k] += to >> k & 1 ? half : -half;
    if (*slot < 0) {
      *slot = (int)i;
      return 1;
    }
    if (*slot < (int)s->n) { /* a body is there: a cell between */
      unsigned old = (unsigned)*slot, inner = new_cell(s);
      s->child[8 * inner + octant(&s->body[old], middle)] = (int)old;
      *slot = (int)(s->n + inner);
    }
    cell = (unsigned)*slot - s->n;
  }
  return 0;
}

/* Mass and centre of a cell, and the order of bodies. Returns mass and mass times coordinates. */
static void sum_up(struct system *s, unsigned cell, double *sum) {
  sum[0] = sum[1] = sum[2] = sum[3] = 0;
  for (unsigned k = 0; k < 8; k++) {
    int node = s->child[8 * cell + k];
    double part[4];
    if (node < 0) continue;
    if (node < (int)s->n) {
      const struct four *b = &s->body[node];
      s->order[s->ordered++] = (unsigned)node;
      part[0] = b->w, part[1] = (double)b->w * b->x, part[2] = (double)b->w * b->y, part[3] = (double)b->w * b->z;
    } else {
      sum_up(s, (unsigned)node - s->n, part);
    }
    for (unsigned c = 0; c < 4; c++) sum[c] += part[c];
  }
  s->body[s->n + cell] =
    (struct four){(float)(sum[1] / sum[0]), (float)(sum[2] / sum[0]), (float)(sum[3] / sum[0]), (float)sum[0]};
}

/* In the box that the device found. */
static void build(const struct workload *w, struct system *s, const float *box) {
  double sum[4];
  s->edge = 0;
  for (unsigned k = 0; k < 3; k++) {
    s->low[k] = box[k];
    if (box[3 + k] - box[k] > s->edge) s->edge = box[3 + k] - box[k];
  }
  s->edge = s->edge > 0 ? s->edge * 1.0001f : 1.f;
  s->cells = s->ordered = 0;
  new_cell(s);
  for (unsigned i = 0; i < s->n; i++)
    if (!insert(s, i)) workload_usage(w, "depth=%u: the tree is deeper", s->depth);
  sum_up(s, 0, sum);
}

/* ---- checks ---- */

static float coordinate(const struct four *b, unsigned k) { return k == 0 ? b->x : k == 1 ? b->y : b->z; }

/* A term has errors of a few units of its parts; every addition rounds a sum of at most `total`. A cell that counts as one point
 * misses its shape, which is of second order in theta. assumption: theta^2 / 10 of `total` for that; with theta=0, where
 * rounding is all there is, faults show that would hide in it. */
static void compare_forces(const struct system *s, double theta, const struct four *force,
                           struct workload_comparison *c) {
  for (unsigned i = 0; i < s->n; i++) {
    double sum[3] = {0}, total = 0;
    for (unsigned j = 0; j < s->n; j++) {
      double d[3], square = 0, f;
      for (unsigned k = 0; k < 3; k++) {
        d[k] = (double)coordinate(&s->body[j], k) - coordinate(&s->body[i], k);
        square += d[k] * d[k];
      }
      f = s->body[j].w / (square + soft) / sqrt(square + soft);
      for (unsigned k = 0; k < 3; k++) sum[k] += d[k] * f;
      total += sqrt(square) * f;
    }
    for (unsigned k = 0; k < 3; k++)
      workload_compare(c, 3 * i + k, coordinate(&force[i], k), (float)sum[k],
                       total * ((16 + s->n) * 0x1p-24 + theta * theta / 10));
  }
}

static void compare_box(const struct system *s, const float *box, struct workload_comparison *c) {
  for (unsigned k = 0; k < 3; k++) {
    float least = coordinate(&s->body[0], k), most = least;
    for (unsigned i = 1; i < s->n; i++) {
      float v = coordinate(&s->body[i], k);
      least = v < least ? v : least, most = v > most ? v : most;
    }
    workload_compare(c, k, box[k], least, 0);
    workload_compare(c, k, box[3 + k], most, 0);
  }
}

/* Moves the host's bodies by the device's forces, and compares. */
static void compare_move(struct system *s, const struct four *force, struct four *speed, const struct four *moved,
                         struct workload_comparison *c) {
  for (unsigned i = 0; i < s->n; i++) {
    struct four *v = &speed[i], *b = &s->body[i];
    v->x = fmaf(force[i].x, dt, v->x), v->y = fmaf(force[i].y, dt, v->y), v->z = fmaf(force[i].z, dt, v->z);
    b->x = fmaf(v->x, dt, b->x), b->y = fmaf(v->y, dt, b->y), b->z = fmaf(v->z, dt, b->z);
    for (unsigned k = 0; k < 3; k++) workload_compare(c, 3 * i + k, coordinate(&moved[i], k), coordinate(b, k), 0);
  }
}

/* ---- the device ---- */

static void run(struct workload *w, struct system *s, struct workload_comparison *c) {
  unsigned n = s->n, threads = (unsigned)workload_value(w, "threads"), ctas = (n - 1) / threads + 1;
  size_t of_bodies = n * sizeof(struct four), of_nodes = (size_t)(1 + s->depth) * of_bodies;
  struct four *force = workload_alloc(w, of_bodies), *speed = workload_alloc(w, of_bodies);
  struct four *moved = workload_alloc(w, of_bodies);
  float *boxes = workload_alloc(w, 6 * ctas * sizeof *boxes), theta = (float)workload_value(w, "theta") / 100.f;
  CUfunction box = workload_open(w, "bh_box"), act = workload_kernel(w, "bh_force"),
             move = workload_kernel(w, "bh_move");
  CUdeviceptr d_body = workload_upload(w, NULL, of_nodes), d_order = workload_upload(w, NULL, n * sizeof *s->order);
  CUdeviceptr d_child = workload_upload(w, NULL, 8 * (size_t)s->depth * n * sizeof *s->child);
  CUdeviceptr d_force = workload_upload(w, force, of_bodies), d_speed = workload_upload(w, speed, of_bodies);
  CUdeviceptr d_box = workload_upload(w, NULL, 6 * ctas * sizeof *boxes);
  WORKLOAD_RUN(w, cuMemcpyHtoD(d_body, s->body, of_bodies));
  for (int step = 0; step < (int)workload_value(w, "steps"); step++) {
    workload_launch_shared(w, box, ctas, threads, 24 * threads, (void *[]){&n, &d_body, &d_box});
    workload_download(w, boxes, d_box, 6 * ctas * sizeof *boxes);
    for (unsigned k = 6; k < 6 * ctas; k++)
      if (k % 6 < 3 ? boxes[k] < boxes[k % 6] : boxes[k] > boxes[k % 6]) boxes[k % 6] = boxes[k];
    compare_box(s, boxes, c);
    if (c->wrong) break; /* bodies outside of the box are in no tree */
    build(w, s, boxes);
    float square = s->edge * s->edge, softened = soft, time = dt;
    WORKLOAD_RUN(w, cuMemcpyHtoD(d_body, s->body, of_bodies + s->cells * sizeof(struct four)));
    WORKLOAD_RUN(w, cuMemcpyHtoD(d_child, s->child, 8 * (size_t)s->cells * sizeof *s->child));
    WORKLOAD_RUN(w, cuMemcpyHtoD(d_order, s->order, n * sizeof *s->order));
    workload_launch_shared(
      w, act, ctas, threads, threads / 32 * 8 * s->depth,
      (void *[]){&n, &s->depth, &square, &theta, &softened, &d_body, &d_child, &d_order, &d_force});
    workload_launch(w, move, ctas, threads, (void *[]){&n, &time, &d_force, &d_speed, &d_body});
    workload_download(w, force, d_force, of_bodies);
    workload_download(w, moved, d_body, of_bodies);
    compare_forces(s, theta, force, c);
    compare_move(s, force, speed, moved, c);
  }
  free(force), free(speed), free(moved), free(boxes);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("barnes_hut", argc, argv);
  struct system s = {.n = (unsigned)workload_value(&w, "bodies"), .depth = (unsigned)workload_value(&w, "depth")};
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  /* a body makes at most a cell a level */
  s.body = workload_alloc(&w, (size_t)(1 + s.depth) * s.n * sizeof *s.body);
  s.child = workload_alloc(&w, 8 * (size_t)s.depth * s.n * sizeof *s.child);
  s.order = workload_alloc(&w, s.n * sizeof *s.order);
  for (unsigned i = 0; i < s.n; i++) {
    float v[3];
    for (unsigned k = 0; k < 3; k++) {
      v[k] = workload_input(seed, 1 + k, i);
      v[k] = v[k] * v[k] * v[k];
    }
    s.body[i] = (struct four){v[0], v[1], v[2], 1.f + workload_input(seed, 4, i) / 2.f};
  }
  workload_sized(&w, "threads");
  struct workload_comparison comparison = {0};
  run(&w, &s, &comparison);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "bodies=%u cells=%u", s.n, s.cells);
  workload_close(&w);
  free(s.body), free(s.child), free(s.order);
  return workload_verdict(&w, sizes, &comparison);
}
