/* SPDX-License-Identifier: Apache-2.0 */
/* locality: seven kinds of locality, each with its descriptors; whole numbers modulo 2^32, compared bit for bit. */
#include <cuda.h>

#include "descriptors.h"
#include "locality_args.h"
#include "locality_ptx.h"
#include "workload.h"

#include <ldesc.h>

LDESC_IDS(LOCALITY_DESCRIPTORS);

enum { THREADS = 128, WIDTH = 32, HEIGHT = 4, WORDS_MAX = 128 }; /* as in kernel.cu */
enum { COLUMNS, TABLE, POINTS, OWN, PASSING, PAIR, PAIR_48 };
enum { PAIR_WORDS = 16384, PAIR_48_WORDS = 12288, PAIR_RATIO = 4, WORDS_LIMIT = 1 << 28 };

struct problem {
  struct workload w;
  struct ldesc l;
  unsigned pattern, tiles, share, rounds, words, seed, local;
  unsigned *a, *b, *out, *want;
  size_t n_a, n_b, n_out; /* words */
  CUdeviceptr device_a, device_b, device_out;
};

/* ---- the same on the host ---- */

static void columns(const struct problem *p) {
  size_t width = (size_t)p->tiles * THREADS;
  for (size_t i = 0; i < p->n_out; i++) {
    unsigned sum = 0, factor = 2 * (unsigned)(i / width) + 3;
    for (size_t r = 0; r < p->rounds; r++) sum = sum * factor + p->a[r * width + i % width];
    p->want[i] = sum;
  }
}

static void table(const struct problem *p) {
  for (size_t i = 0; i < p->n_out; i++) {
    const unsigned *tile = p->a + i / THREADS / p->share * p->words;
    unsigned random = (unsigned)i * 2654435761u + 1, sum = 0;
    for (unsigned r = 0; r < p->rounds; r++) {
      random = random * 1664525u + 1013904223u;
      sum = sum * 3 + tile[(random >> 8) % p->words];
    }
    p->want[i] = sum;
  }
}

static void points(const struct problem *p) {
  size_t width = (size_t)p->tiles * WIDTH, height = (size_t)p->share * HEIGHT;
  for (size_t y = 0; y < height; y++)
    for (size_t x = 0; x < width; x++) {
      const unsigned *at = &p->a[y * width + x];
      unsigned sum = 4 * *at;
      if (x) sum += at[-1];
      if (x + 1 < width) sum += 3 * at[1];
      if (y) sum += 5 * *(at - width);
      if (y + 1 < height) sum += 7 * at[width];
      p->want[y * width + x] = sum;
    }
}

static void own(const struct problem *p) {
  for (size_t i = 0; i < p->n_out; i++) {
    unsigned sum = 0;
    for (unsigned r = 0; r < p->rounds; r++)
      for (size_t k = 0; k < p->words; k++) sum = sum * 3 + p->a[i * p->words + k] + r;
    p->want[i] = sum;
  }
}

static void passing(const struct problem *p) {
  for (size_t i = 0; i < p->n_out; i++) p->want[i] = p->a[i] * 3 + 1;
}

static void pair(const struct problem *p) {
  for (size_t i = 0; i < p->n_out; i++) {
    size_t group = i / THREADS / p->share, words_b = p->words / PAIR_RATIO;
    unsigned sum = 0;
    for (size_t k = i % THREADS; k < p->words; k += THREADS) sum = sum * 3 + p->a[group * p->words + k];
    for (size_t k = i % THREADS; k < words_b; k += THREADS) sum = sum * 3 + p->b[group * words_b + k];
    p->want[i] = sum;
  }
}

/* ---- descriptors ---- */

/* A structure in one dimension: `ctas` CTAs in a row have `data` words. */
static struct ldesc_tile row_of(size_t length, size_t data, unsigned ctas) {
  struct ldesc_tile t = {.length = {(unsigned)length, 1, 1}, .data = {(unsigned)data, 1, 1}, .ctas = {ctas, 1, 1}};
  return t;
}

/* The same for tiles of whole rows of THREADS words, which a CTA reads at a time. */
static struct ldesc_tile rows_of(size_t length, size_t data, unsigned ctas) {
  struct ldesc_tile t = row_of(THREADS, THREADS, ctas);
  t.length[1] = (unsigned)(length / THREADS);
  t.data[1] = (unsigned)(data / THREADS);
  return t;
}

/* A structure in two, of a CTA's block of `x` by `y` words each. */
static struct ldesc_tile blocks_of(const struct problem *p, unsigned x, unsigned y) {
  struct ldesc_tile t = {.length = {p->tiles * x, p->share * y, 1}, .data = {x, y, 1}, .ctas = {1, 1, 1}};
  return t;
}

static void say(const struct problem *p, unsigned id, CUdeviceptr at, size_t words, struct ldesc_tile tile,
                unsigned stride) {
  WORKLOAD_PREPARE(&p->w, ldescResolve(&p->l, id, at, words * 4, tile, stride));
}

static void say_all(const struct problem *p) {
  struct ldesc_tile out = row_of(p->n_out, THREADS, 1), tile = row_of(p->n_a, p->words, p->share);
  unsigned width = p->tiles * THREADS;
  if (p->pattern == COLUMNS) {
    struct ldesc_tile column = {
      .length = {width, p->rounds, 1}, .data = {THREADS, p->rounds, 1}, .ctas = {1, p->share, 1}};
    out = blocks_of(p, THREADS, 1);
    say(p, LOCALITY_COLUMNS, p->device_a, p->n_a, column, width * 4);
  } else if (p->pattern == TABLE) {
    say(p, LOCALITY_TABLE, p->device_a, p->n_a, tile, 0);
  } else if (p->pattern == POINTS) {
    out = blocks_of(p, WIDTH, HEIGHT);
    say(p, LOCALITY_POINTS, p->device_a, p->n_a, out, p->tiles * WIDTH * 4);
  } else if (p->pattern == OWN && p->local) {
    if (!strcmp(p->w.version, "ldesc")) WORKLOAD_PREPARE(&p->w, LocalityDescriptorLocal(&p->l, LDESC_INTRA_THREAD, 10));
  } else if (p->pattern == OWN) {
    say(p, LOCALITY_PRIVATE, p->device_a, p->n_a, row_of(p->n_a, (size_t)THREADS * p->words, 1), 0);
  } else if (p->pattern == PASSING) {
    say(p, LOCALITY_STREAM, p->device_a, p->n_a, row_of(p->n_a, THREADS, 1), 0);
  } else {
    say(p, LOCALITY_PAIR_A, p->device_a, p->n_a, rows_of(p->n_a, p->words, p->share), THREADS * 4);
    say(p, LOCALITY_PAIR_B, p->device_b, p->n_b, rows_of(p->n_b, p->words / PAIR_RATIO, p->share), THREADS * 4);
  }
  say(p, LOCALITY_OUT, p->device_out, p->n_out, out, 0);
}

/* ---- the run ---- */

static void set_sizes(struct problem *p) {
  size_t ctas = (size_t)p->tiles * p->share;
  p->n_out = ctas * THREADS;
  p->n_b = 1;
  switch (p->pattern) {
    case COLUMNS: p->n_a = (size_t)p->tiles * THREADS * p->rounds; break;
    case TABLE:
      if (!p->words) p->words = 2048;
      p->n_a = (size_t)p->tiles * p->words;
      break;
    case OWN:
      if (!p->words) p->words = 64;
      if (p->words > WORDS_MAX)
        workload_usage(&p->w, "words=%u: pattern %d has arrays of %d words at most", p->words, OWN, WORDS_MAX);
      p->n_a = p->n_out * p->words;
      break;
    case PAIR:
    case PAIR_48:
      p->words = p->pattern == PAIR ? PAIR_WORDS : PAIR_48_WORDS;
      p->n_a = (size_t)p->tiles * p->words;
      p->n_b = p->n_a / PAIR_RATIO;
      break;
    default: p->n_a = p->n_out; break;
  }
  if (p->n_a > WORDS_LIMIT || p->n_out > WORDS_LIMIT)
    workload_usage(&p->w, "more than %d words; choose smaller tiles, share, rounds or words", WORDS_LIMIT);
}

static void launch(struct problem *p) {
  static const char *const names[] = {"columns", "table", "points", "own", "passing", "pair", "pair"};
  CUfunction kernel = workload_open(&p->w, p->pattern == OWN && p->local ? "own_local" : names[p->pattern]);
  struct workload_shape grid = {p->tiles * p->share, 1, 1}, block = {THREADS, 1, 1};
  unsigned words_b = p->words / PAIR_RATIO;
  void *const in = &p->device_a, *const out = &p->device_out;
  void *arguments[][6] = {
    [COLUMNS] = {in, out, &p->rounds},
    [TABLE] = {in, out, &p->share, &p->words, &p->rounds},
    [POINTS] = {in, out},
    [OWN] = {in, out, &p->words, &p->rounds},
    [PASSING] = {in, out},
    [PAIR] = {in, &p->device_b, out, &p->share, &p->words, &words_b},
    [PAIR_48] = {in, &p->device_b, out, &p->share, &p->words, &words_b},
  };
  ldescOpen(&p->l, p->w.module);
  p->device_a = workload_upload(&p->w, p->a, p->n_a * 4);
  p->device_b = workload_upload(&p->w, p->b, p->n_b * 4);
  p->device_out = workload_upload(&p->w, NULL, p->n_out * 4);
  say_all(p);
  if (p->pattern == COLUMNS || p->pattern == POINTS) grid = (struct workload_shape){p->tiles, p->share, 1};
  if (p->pattern == POINTS) block = (struct workload_shape){WIDTH, HEIGHT, 1};
  workload_launch_shape(&p->w, kernel, grid, block, 0, arguments[p->pattern]);
  workload_download(&p->w, p->out, p->device_out, p->n_out * 4);
}

int main(int argc, char **argv) {
  static void (*const by_host[])(const struct problem *) = {columns, table, points, own, passing, pair, pair};
  struct problem p = {.w = workload_arguments("locality", argc, argv)};
  p.pattern = (unsigned)workload_value(&p.w, "pattern");
  p.tiles = (unsigned)workload_value(&p.w, "tiles");
  p.share = (unsigned)workload_value(&p.w, "share");
  p.rounds = (unsigned)workload_value(&p.w, "rounds");
  p.words = (unsigned)workload_value(&p.w, "words");
  p.local = (unsigned)workload_value(&p.w, "local");
  p.seed = (unsigned)workload_value(&p.w, "seed");
  set_sizes(&p);
  p.a = workload_alloc(&p.w, p.n_a * 4), p.b = workload_alloc(&p.w, p.n_b * 4);
  p.out = workload_alloc(&p.w, p.n_out * 4), p.want = workload_alloc(&p.w, p.n_out * 4);
  for (size_t i = 0; i < p.n_a; i++) p.a[i] = (unsigned)workload_bits(p.seed, 1, i);
  for (size_t i = 0; i < p.n_b; i++) p.b[i] = (unsigned)workload_bits(p.seed, 2, i);
  launch(&p);

  struct workload_comparison comparison = {0};
  by_host[p.pattern](&p);
  for (size_t i = 0; i < p.n_out; i++) workload_compare_whole(&comparison, i, p.out[i], p.want[i]);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "pattern=%u tiles=%u share=%u rounds=%u words=%u local=%u", p.pattern, p.tiles, p.share,
           p.rounds, p.words, p.local);
  workload_close(&p.w);
  free(p.a), free(p.b), free(p.out), free(p.want);
  return workload_verdict(&p.w, sizes, &comparison);
}
