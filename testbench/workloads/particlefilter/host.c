/* SPDX-License-Identifier: Apache-2.0 */
/* particlefilter: every step of every frame, compared with the host's from what the device had before it: places and
 * likelihoods, cumulative sums and the particles found bit for bit, weights within 2^-16 of themselves: twice 4 ulp (2^-21
 * each) for the exponential, and of roundings of 2^-24 at most 3 for a weight and 9 + 128 for the sum of all. The random
 * steps come from the host, as in Rodinia's simple form, and from sums of whole numbers, so that they are the same on every
 * host. */
#include <cuda.h>

#include "descriptors.h"
#include "particlefilter_args.h"
#include "particlefilter_ptx.h"
#include "workload.h"
#include "workload_ldesc.h"

LDESC_IDS(PARTICLEFILTER_DESCRIPTORS);

enum { THREADS = 512, RADIUS = 5, BACKGROUND = 100, DISC = 228 }; /* as in kernel.cu */

static const double weight_error = 1. / 65536;
/* ours: 64 times Rodinia's 50, or exponentials of floats overflow */
static const float spread = 3200;

struct place {
  float x, y;
};

struct filter {
  const struct workload *w;
  unsigned particles, side, places, partials;
  int32_t (*place)[2];    /* the disc's pixels, from its middle */
  unsigned char *frame;   /* of this frame; so are the rest */
  struct place *particle; /* where they are before it, and then after it */
  struct place *step, *next;
  float *likelihood, *weight, *cumulative, *number;
};

/* Normally distributed, mean 0, deviation 1: the sum of twelve numbers in [-1/2, 1/2). */
static float normal(const struct filter *f, uint64_t stream, uint64_t i) {
  uint64_t seed = (uint64_t)workload_value(f->w, "seed");
  float sum = 0;
  for (uint64_t k = 0; k < 12; k++) sum += workload_input(seed, stream, 12 * i + k) / 2;
  return sum;
}

static void make_disc(struct filter *f) {
  f->place = workload_alloc(f->w, sizeof *f->place * (2 * RADIUS - 1) * (2 * RADIUS - 1));
  for (int y = -RADIUS + 1; y < RADIUS; y++)
    for (int x = -RADIUS + 1; x < RADIUS; x++)
      if (x * x + y * y < RADIUS * RADIUS) f->place[f->places][0] = x, f->place[f->places++][1] = y;
}

/* The disc starts in the middle and goes on by one column and two rows up a frame. */
static void make_frame(struct filter *f, unsigned number) {
  int side = (int)f->side, column = side / 2 + (int)number, row = side / 2 - 2 * (int)number;
  for (int i = 0; i < side * side; i++) {
    int x = i % side - column, y = i / side - row;
    float pixel = (float)(x * x + y * y < RADIUS * RADIUS ? DISC : BACKGROUND) +
                  5 * normal(f, 1, (uint64_t)number * f->side * f->side + (uint64_t)i);
    f->frame[i] = (unsigned char)(pixel < 0 ? 0 : pixel > 255 ? 255 : pixel);
  }
  for (unsigned i = 0; i < f->particles; i++) {
    uint64_t at = (uint64_t)number * f->particles + i;
    f->step[i] = (struct place){1 + 5 * normal(f, 2, at), -2 + 2 * normal(f, 3, at)};
  }
  uint64_t seed = (uint64_t)workload_value(f->w, "seed");
  float first = (float)(workload_bits(seed, 4, number) >> 40) / 16777216.f;
  for (unsigned i = 0; i < f->particles; i++) f->number[i] = ((float)i + first) / (float)f->particles;
}

struct device {
  CUfunction likelihood, weights, normalise, sums, find;
  CUdeviceptr place, frame, step, particle, next, likelihoods, weight, partial, cumulative, number;
};

static struct device open_device(struct workload *w, const struct filter *f) {
  size_t floats = f->particles * sizeof(float);
  struct device d = {.likelihood = workload_open(w, "particle_likelihood"),
                     .weights = workload_kernel(w, "particle_weights"),
                     .normalise = workload_kernel(w, "particle_normalise"),
                     .sums = workload_kernel(w, "particle_sums"),
                     .find = workload_kernel(w, "particle_find")};
  d.place = workload_upload(w, f->place, f->places * sizeof *f->place);
  d.frame = workload_upload(w, NULL, (size_t)f->side * f->side);
  d.step = workload_upload(w, NULL, 2 * floats);
  d.particle = workload_upload(w, f->particle, 2 * floats);
  d.next = workload_upload(w, NULL, 2 * floats);
  d.likelihoods = workload_upload(w, NULL, floats);
  d.weight = workload_upload(w, f->weight, floats);
  d.partial = workload_upload(w, NULL, f->partials * sizeof(float));
  d.cumulative = workload_upload(w, NULL, floats);
  d.number = workload_upload(w, NULL, floats);
  return d;
}

/* What the kernels read of a particle before its weight is known; none after the sums, which one thread adds up. */
static void describe(const struct filter *f, const struct device *d, const struct ldesc *l, int find) {
  const struct workload *w = f->w;
  size_t n = f->particles, floats = n * sizeof(float);
  struct ldesc_tile own = workload_tile_row(n, THREADS);
  workload_describe(w, l, PARTICLEFILTER_LDESC_NUMBER, d->weight, floats, own, 0);
  workload_describe(w, l, PARTICLEFILTER_LDESC_NUMBER, find ? d->number : d->likelihoods, floats, own, 0);
  workload_describe(w, l, PARTICLEFILTER_LDESC_PAIR, find ? d->next : d->particle, 2 * floats, own, 0);
  if (!find) workload_describe(w, l, PARTICLEFILTER_LDESC_PAIR, d->step, 2 * floats, own, 0);
}

static void run_frame(const struct filter *f, struct device *d) {
  const struct workload *w = f->w;
  unsigned n = f->particles, side = f->side, places = f->places, partials = f->partials;
  size_t floats = n * sizeof(float);
  float scale = spread * (float)places, even = 1.f / (float)n;
  WORKLOAD_RUN(w, cuMemcpyHtoD(d->frame, f->frame, (size_t)side * side));
  WORKLOAD_RUN(w, cuMemcpyHtoD(d->step, f->step, 2 * floats));
  WORKLOAD_RUN(w, cuMemcpyHtoD(d->number, f->number, floats));
  struct ldesc l = workload_ldesc(w);
  describe(f, d, &l, 0);
  workload_launch(
    w, d->likelihood, partials, THREADS,
    (void *[]){&n, &side, &places, &scale, &d->place, &d->frame, &d->step, &d->particle, &d->likelihoods});
  workload_launch(w, d->weights, partials, THREADS, (void *[]){&n, &d->likelihoods, &d->weight, &d->partial});
  workload_launch(w, d->normalise, partials, THREADS, (void *[]){&n, &partials, &d->partial, &d->weight});
  workload_forget(w, &l);
  workload_launch(w, d->sums, 1, 1, (void *[]){&n, &d->weight, &d->cumulative});
  workload_download(w, f->weight, d->weight, floats);
  describe(f, d, &l, 1);
  workload_launch(w, d->find, partials, THREADS,
                  (void *[]){&n, &even, &d->cumulative, &d->number, &d->particle, &d->next, &d->weight});
  workload_forget(w, &l);
  workload_download(w, f->likelihood, d->likelihoods, floats);
  workload_download(w, f->cumulative, d->cumulative, floats);
  workload_download(w, f->next, d->next, 2 * floats);
  CUdeviceptr last = d->particle;
  d->particle = d->next, d->next = last;
}

static float expected_likelihood(const struct filter *f, struct place at) {
  int column = (int)floorf(at.x + 0.5f), row = (int)floorf(at.y + 0.5f), sum = 0, side = (int)f->side;
  for (unsigned k = 0; k < f->places; k++) {
    int x = column + f->place[k][0], y = row + f->place[k][1];
    int pixel = x < 0 || x >= side || y < 0 || y >= side ? f->frame[0] : f->frame[y * side + x];
    /* (p - 100)^2 - (p - 228)^2 */
    sum += 2 * (DISC - BACKGROUND) * pixel + BACKGROUND * BACKGROUND - DISC * DISC;
  }
  return (float)sum / (spread * (float)f->places);
}

/* The first sum that is not below `number`, or the last of all: sums never fall. */
static unsigned first_reaching(const struct filter *f, float number) {
  unsigned low = 0, high = f->particles - 1;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    if (f->cumulative[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Compares a frame and takes the new particles over. */
static void check_frame(const struct filter *f, struct workload_comparison *c) {
  double total = 0;
  float sum = 0;
  for (unsigned i = 0; i < f->particles; i++) {
    f->particle[i].x += f->step[i].x;
    f->particle[i].y += f->step[i].y;
    workload_compare(c, i, f->likelihood[i], expected_likelihood(f, f->particle[i]), 0);
    total += exp(f->likelihood[i]);
  }
  for (unsigned i = 0; i < f->particles; i++) {
    double weight = exp(f->likelihood[i]) / total;
    workload_compare(c, i, f->weight[i], (float)weight, weight_error * weight);
    sum += f->weight[i];
    workload_compare(c, i, f->cumulative[i], sum, 0);
    struct place want = f->particle[first_reaching(f, f->number[i])];
    workload_compare(c, i, f->next[i].x, want.x, 0);
    workload_compare(c, i, f->next[i].y, want.y, 0);
  }
  memcpy(f->particle, f->next, f->particles * sizeof *f->particle);
}

static struct filter make_filter(const struct workload *w) {
  struct filter f = {
    .w = w, .particles = (unsigned)workload_value(w, "particles"), .side = (unsigned)workload_value(w, "side")};
  f.partials = (f.particles - 1) / THREADS + 1;
  float middle = 0.5f * (float)f.side;
  f.frame = workload_alloc(w, (size_t)f.side * f.side);
  struct place **places[] = {&f.particle, &f.step, &f.next};
  float **floats[] = {&f.likelihood, &f.weight, &f.cumulative, &f.number};
  for (int i = 0; i < 3; i++) *places[i] = workload_alloc(w, f.particles * sizeof(struct place));
  for (int i = 0; i < 4; i++) *floats[i] = workload_alloc(w, f.particles * sizeof(float));
  for (unsigned i = 0; i < f.particles; i++) {
    f.particle[i] = (struct place){middle, middle};
    f.weight[i] = 1.f / (float)f.particles;
  }
  make_disc(&f);
  return f;
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("particlefilter", argc, argv);
  unsigned frames = (unsigned)workload_value(&w, "frames");
  struct filter f = make_filter(&w);
  struct device d = open_device(&w, &f);
  struct workload_comparison comparison = {0};
  for (unsigned i = 1; i <= frames; i++) {
    make_frame(&f, i);
    run_frame(&f, &d);
    check_frame(&f, &comparison);
  }
  double x = 0, y = 0;
  for (unsigned i = 0; i < f.particles; i++) x += f.particle[i].x, y += f.particle[i].y;
  char sizes[128];
  snprintf(sizes, sizeof sizes, "particles=%u frames=%u side=%u x=%.1f y=%.1f", f.particles, frames, f.side,
           x / f.particles, y / f.particles);
  workload_close(&w);
  free(f.place), free(f.frame), free(f.particle), free(f.step), free(f.next);
  free(f.likelihood), free(f.weight), free(f.cumulative), free(f.number);
  return workload_verdict(&w, sizes, &comparison);
}
