/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/ldesc/numa.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

typedef uint64_t by_zone[TILES_ZONES];

static uint64_t ctas_of(const struct ldesc_numa_in *in) { return (uint64_t)in->grid[0] * in->grid[1] * in->grid[2]; }

/* Pairs of a C-Tile and a D-Tile. */
static uint64_t pairs(const struct ldesc_numa_in *in, uint32_t record) {
  uint64_t of_ctas = ldesc_tiles_of_ctas(in->record[record], in->grid),
           of_data = ldesc_tiles_of_data(in->record[record]);
  return of_ctas < of_data ? of_ctas : of_data;
}

/* Bytes of each D-Tile in each zone; NULL: no memory. */
static by_zone *histograms(const struct ldesc_numa_in *in, uint32_t record, uint32_t b) {
  uint64_t n = pairs(in, record);
  by_zone *hist = calloc(n, sizeof *hist);
  for (uint64_t k = 0; hist && k < n; k++)
    ldesc_tiles_histogram(in->record[record], k, b, in->page_bits, in->zones, hist[k]);
  return hist;
}

/* The bytes of the CTAs of a box, one after the other, x first. */
struct box {
  uint32_t first[3], n[3];
  uint64_t ctas;
};

static struct box box_of(const struct ldesc_numa_in *in, uint32_t record, uint64_t k) {
  struct box b;
  ldesc_tiles_box(in->record[record], in->grid, k, b.first, b.n);
  b.ctas = (uint64_t)b.n[0] * b.n[1] * b.n[2];
  return b;
}

/* Index in the grid of CTA `i` of the box. */
static uint64_t index_in(const struct ldesc_numa_in *in, const struct box *b, uint64_t i) {
  uint64_t x = b->first[0] + i % b->n[0], y = b->first[1] + i / b->n[0] % b->n[1],
           z = b->first[2] + i / b->n[0] / b->n[1];
  return (z * in->grid[1] + y) * in->grid[0] + x;
}

/* CTAs of each C-Tile in each zone; NULL: no memory. */
static by_zone *counts(const struct ldesc_numa_in *in, uint32_t record, const uint8_t *zone) {
  uint64_t n = pairs(in, record);
  by_zone *count = calloc(n, sizeof *count);
  for (uint64_t k = 0; count && k < n; k++) {
    struct box b = box_of(in, record, k);
    for (uint64_t i = 0; i < b.ctas; i++) count[k][zone[index_in(in, &b, i)]]++;
  }
  return count;
}

/* COMP_UTIL of weight 1. */
static uint64_t share_local(const struct ldesc_numa_in *in, uint32_t record, const by_zone *count,
                            const by_zone *hist) {
  uint64_t n = pairs(in, record), local = 0, total = 0;
  invariant(count && hist, "record %u has neither counts nor histograms", record);
  for (uint64_t k = 0; k < n; k++) {
    uint64_t ctas = 0, here = 0;
    for (uint32_t z = 0; z < in->zones; z++) {
      ctas += count[k][z];
      here += count[k][z] * hist[k][z];
      total += hist[k][z];
    }
    local += ctas > 1 ? here / ctas : here;
  }
  return total ? local * NUMA_UNIT / total : 0;
}

/* ---- NUMA_PART ---- */

/* The zone with most bytes, of equals the one with the fewest CTAs; with `balance` among those that want CTAs. */
static uint32_t best_zone(const struct ldesc_numa_in *in, const uint64_t *hist, const uint64_t *taken, uint64_t share) {
  uint32_t best = TILES_ZONES;
  for (uint32_t z = 0; z < in->zones; z++) {
    if (in->balance && taken[z] >= share) continue;
    uint64_t bytes = hist ? hist[z] : 0, most = hist && best < TILES_ZONES ? hist[best] : 0;
    if (best == TILES_ZONES || bytes > most || (bytes == most && taken[z] < taken[best])) best = z;
  }
  return best;
}

static void part(const struct ldesc_numa_in *in, uint32_t record, const by_zone *hist, uint8_t *zone) {
  uint64_t n = ldesc_tiles_of_ctas(in->record[record], in->grid), with_data = pairs(in, record);
  uint64_t share = (ctas_of(in) + in->zones - 1) / in->zones, taken[TILES_ZONES] = {0};
  for (uint64_t k = 0; k < n; k++) {
    struct box b = box_of(in, record, k);
    uint32_t whole = best_zone(in, k < with_data ? hist[k] : NULL, taken, share);
    for (uint64_t i = 0; i < b.ctas; i++) {
      uint32_t z = b.ctas > share ? (uint32_t)(i * in->zones / b.ctas) : whole;
      zone[index_in(in, &b, i)] = (uint8_t)z;
      taken[z]++;
    }
  }
}

bool ldesc_numa_part(const struct ldesc_numa_in *in, uint32_t record, uint32_t b, uint8_t *zone) {
  by_zone *hist = histograms(in, record, b);
  if (hist) part(in, record, (const by_zone *)hist, zone);
  free(hist);
  return hist;
}

bool ldesc_numa_util(const struct ldesc_numa_in *in, uint32_t record, const uint8_t *zone, uint32_t b,
                     uint64_t *utility) {
  by_zone *hist = histograms(in, record, b), *count = counts(in, record, zone);
  bool made = hist && count;
  if (made) *utility = share_local(in, record, (const by_zone *)count, (const by_zone *)hist);
  free(hist);
  free(count);
  return made;
}

/* ---- algorithm 2 ---- */

struct search {
  const struct ldesc_numa_in *in;
  by_zone *hist[NUMA_RECORDS][NUMA_BITS], *count[NUMA_RECORDS];
  uint8_t *zone; /* of the partition that is looked at */
};

static void close_search(struct search *s) {
  for (uint32_t i = 0; i < s->in->n; i++) {
    for (uint32_t b = 0; b < NUMA_BITS; b++) free(s->hist[i][b]);
    free(s->count[i]);
  }
  free(s->zone);
}

static bool open_search(struct search *s, const struct ldesc_numa_in *in) {
  *s = (struct search){.in = in, .zone = malloc(ctas_of(in))};
  bool made = s->zone;
  for (uint32_t i = 0; i < in->n; i++)
    for (uint32_t b = 0; b < NUMA_BITS && made; b++) {
      s->hist[i][b] = histograms(in, i, NUMA_FIRST_BIT + b);
      made = s->hist[i][b];
    }
  return made;
}

/* Cuts the grid by the map of the first record. */
static bool cut(struct search *s, uint32_t b) {
  part(s->in, 0, (const by_zone *)s->hist[0][b], s->zone);
  bool made = true;
  for (uint32_t i = 0; i < s->in->n; i++) {
    free(s->count[i]);
    s->count[i] = counts(s->in, i, s->zone);
    made &= s->count[i] != NULL;
  }
  return made;
}

static uint64_t comp_util(const struct search *s, struct ldesc_numa_choice *c, uint32_t record, uint32_t b) {
  c->evaluations++;
  return share_local(s->in, record, (const by_zone *)s->count[record], (const by_zone *)s->hist[record][b]);
}

/* Lines 7 to 18: the best maps of all records for this partition, and their utility. */
static uint64_t try_maps(const struct search *s, struct ldesc_numa_choice *c, uint32_t bh,
                         struct ldesc_numa_choice *tried) {
  uint32_t n = s->in->n;
  tried->bit[0] = NUMA_FIRST_BIT + bh;
  tried->local[0] = comp_util(s, c, 0, bh);
  uint64_t sum = n * tried->local[0];
  for (uint32_t i = 1; i < n; i++) {
    tried->bit[i] = NUMA_FIRST_BIT;
    tried->local[i] = 0;
    for (uint32_t bl = 0; bl < NUMA_BITS; bl++) {
      uint64_t v = comp_util(s, c, i, bl);
      if (v <= tried->local[i]) continue;
      tried->local[i] = v;
      tried->bit[i] = NUMA_FIRST_BIT + bl;
    }
    sum += (n - i) * tried->local[i];
  }
  return sum;
}

bool ldesc_numa_choose(const struct ldesc_numa_in *in, struct ldesc_numa_choice *c) {
  struct search s;
  *c = (struct ldesc_numa_choice){.zone = calloc(ctas_of(in), 1)};
  for (uint32_t i = 0; i < in->n; i++) c->bit[i] = NUMA_FIRST_BIT;
  bool made = open_search(&s, in) && c->zone;
  for (uint32_t bh = 0; bh < NUMA_BITS && made; bh++) {
    struct ldesc_numa_choice tried = {0};
    made = cut(&s, bh);
    if (!made) break;
    uint64_t u = try_maps(&s, c, bh, &tried);
    if (bh && u <= c->utility) continue;
    c->utility = u;
    memcpy(c->bit, tried.bit, sizeof c->bit);
    memcpy(c->local, tried.local, sizeof c->local);
    memcpy(c->zone, s.zone, ctas_of(in));
  }
  close_search(&s);
  if (!made) ldesc_numa_free(c);
  return made;
}

void ldesc_numa_free(struct ldesc_numa_choice *c) {
  free(c->zone);
  c->zone = NULL;
}
