/* SPDX-License-Identifier: Apache-2.0 */
/* heartwall: places and scores of tracked points, compared bit for bit with a search on the host; and places with the movement that the
 * frames were made with. The law of the input, fixed before anything was measured on it: a disc of random grey squares of 2 pixels,
 * brighter in a ring, on a dark ground, moves by at most 2 pixels a frame, and every pixel has noise of 0 .. 3 of 255. Points lie on
 * two circles, 20 inside and the others outside, as in Rodinia's input of 51. */
#include <cuda.h>

#include "heartwall_args.h"
#include "heartwall_ptx.h"
#include "workload.h"

enum { INNER = 20 };

struct track {
  int size, side, search, points;
  uint64_t seed;
};

/* ---- frames ---- */

static int shift(uint64_t seed, uint64_t axis, int frame) {
  int sum = 0;
  for (int f = 1; f <= frame; f++) sum += (int)(workload_bits(seed, 10 + axis, (uint64_t)f) % 5) - 2;
  return sum;
}

static void make_frame(const struct track *k, int frame, uint8_t *pixel) {
  int dx = shift(k->seed, 0, frame), dy = shift(k->seed, 1, frame), middle = k->size / 2;
  for (int i = 0; i < k->size * k->size; i++) {
    int x = i % k->size - dx - middle, y = i / k->size - dy - middle, square = x * x + y * y;
    uint64_t patch = (uint64_t)(y + 4096) / 2 * 8192 + (uint64_t)(x + 4096) / 2;
    unsigned grey = (unsigned)(workload_bits(k->seed, 1, patch) >> 57);
    unsigned bright = square > k->size * k->size / 25 && square < k->size * k->size / 9 ? 100 : 20;
    pixel[i] = (uint8_t)(bright + grey + workload_bits(k->seed, 20 + (uint64_t)frame, (uint64_t)i) % 4);
  }
}

/* Point i in frame 0: the circle (1 - t^2, 2 t) / (1 + t^2), a quarter after the other. */
static void make_point(const struct track *k, int i, int *x, int *y) {
  int n = i < INNER ? INNER : k->points - INNER, j = i < INNER ? i : i - INNER, quarter = j % 4;
  int place = j / 4, places = (n + 3) / 4;
  float t = (float)place / (float)places, radius = (float)k->size / (i < INNER ? 4.5f : 3.3f);
  int a = (int)(radius * (1.f - t * t) / (1.f + t * t)), b = (int)(radius * 2.f * t / (1.f + t * t));
  *x = k->size / 2 + (quarter == 0 ? a : quarter == 1 ? -b : quarter == 2 ? -a : b);
  *y = k->size / 2 + (quarter == 0 ? b : quarter == 1 ? a : quarter == 2 ? -b : -a);
}

static uint8_t pixel_at(const struct track *k, const uint8_t *frame, int x, int y) {
  x = x < 0 ? 0 : x < k->size ? x : k->size - 1;
  y = y < 0 ? 0 : y < k->size ? y : k->size - 1;
  return frame[y * k->size + x];
}

/* ---- the same on the host ---- */

static float likeness(const struct track *k, const uint8_t *frame, const uint8_t *own, int x, int y) {
  int64_t sum = 0, squares = 0, product = 0, of_own = 0, pixels = (int64_t)k->side * k->side;
  for (int i = 0; i < pixels; i++) {
    int64_t p = pixel_at(k, frame, x - k->side / 2 + i % k->side, y - k->side / 2 + i / k->side);
    sum += p, squares += p * p, product += p * own[i], of_own += own[i];
  }
  int64_t cross = product * pixels - sum * of_own, spread = squares * pixels - sum * sum;
  return cross > 0 && spread ? (float)cross * (float)cross / (float)spread : 0.f;
}

static float search(const struct track *k, const uint8_t *frame, const uint8_t *own, int *x, int *y) {
  float best = -1.f;
  int at_x = *x, at_y = *y;
  for (int dy = -k->search; dy <= k->search; dy++)
    for (int dx = -k->search; dx <= k->search; dx++) {
      float like = likeness(k, frame, own, *x + dx, *y + dy);
      if (like > best) best = like, at_x = *x + dx, at_y = *y + dy;
    }
  *x = at_x, *y = at_y;
  return best;
}

/* Frame by frame: device, host, movement. */
static void follow(struct workload *w, const struct track *k, int frames, struct workload_comparison *c) {
  size_t n = (size_t)k->points, pixels = (size_t)k->side * (size_t)k->side;
  size_t of_frame = (size_t)k->size * (size_t)k->size;
  unsigned threads = (unsigned)workload_value(w, "threads"), wide = (unsigned)(k->side + 2 * k->search);
  uint8_t *frame = workload_alloc(w, of_frame), *own = workload_alloc(w, n * pixels);
  int *x = workload_alloc(w, 6 * n * sizeof *x), *y = x + n, *want_x = y + n, *want_y = want_x + n;
  int *first_x = want_y + n, *first_y = first_x + n;
  float *score = workload_alloc(w, n * sizeof *score);
  make_frame(k, 0, frame);
  for (int p = 0; p < k->points; p++) {
    make_point(k, p, &x[p], &y[p]);
    want_x[p] = first_x[p] = x[p], want_y[p] = first_y[p] = y[p];
    for (size_t i = 0; i < pixels; i++)
      own[(size_t)p * pixels + i] =
        pixel_at(k, frame, x[p] - k->side / 2 + (int)i % k->side, y[p] - k->side / 2 + (int)i / k->side);
  }
  CUfunction kernel = workload_open(w, "heartwall_track");
  CUdeviceptr d_frame = workload_upload(w, frame, of_frame), d_own = workload_upload(w, own, n * pixels);
  CUdeviceptr d_x = workload_upload(w, x, n * sizeof *x), d_y = workload_upload(w, y, n * sizeof *y);
  CUdeviceptr d_score = workload_upload(w, score, n * sizeof *score);
  for (int f = 1; f <= frames; f++) {
    make_frame(k, f, frame);
    WORKLOAD_RUN(w, cuMemcpyHtoD(d_frame, frame, of_frame));
    workload_launch_shared(
      w, kernel, (unsigned)k->points, threads, 8 * threads + wide * wide + (unsigned)pixels,
      (void *[]){(void *)&k->size, (void *)&k->side, (void *)&k->search, &d_frame, &d_own, &d_x, &d_y, &d_score});
    workload_download(w, x, d_x, n * sizeof *x);
    workload_download(w, y, d_y, n * sizeof *y);
    workload_download(w, score, d_score, n * sizeof *score);
    for (size_t p = 0; p < n; p++) {
      float like = search(k, frame, own + p * pixels, &want_x[p], &want_y[p]);
      workload_compare_whole(c, p, x[p], want_x[p]);
      workload_compare_whole(c, p, y[p], want_y[p]);
      workload_compare(c, p, score[p], like, 0);
      workload_compare_whole(c, p, want_x[p], first_x[p] + shift(k->seed, 0, f));
      workload_compare_whole(c, p, want_y[p], first_y[p] + shift(k->seed, 1, f));
    }
  }
  free(frame), free(own), free(x), free(score);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("heartwall", argc, argv);
  struct track k = {(int)workload_value(&w, "size"), (int)workload_value(&w, "side"), (int)workload_value(&w, "search"),
                    (int)workload_value(&w, "points"), (uint64_t)workload_value(&w, "seed")};
  int frames = (int)workload_value(&w, "frames");
  if (k.side % 2 == 0) workload_usage(&w, "side=%d: an odd number is wanted", k.side);
  workload_sized(&w, "threads");
  struct workload_comparison comparison = {0};
  follow(&w, &k, frames, &comparison);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "size=%d points=%d frames=%d", k.size, k.points, frames);
  workload_close(&w);
  return workload_verdict(&w, sizes, &comparison);
}
