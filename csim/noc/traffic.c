/* SPDX-License-Identifier: Apache-2.0 */
#include "noc/traffic.h"

#include "base/err.h"

#include <stddef.h>

const char *const noc_traffic_names[] = {
#define X(name, text, sentence) text,
  NOC_TRAFFIC(X)
#undef X
    NULL};
const char *const noc_traffic_sentences[] = {
#define X(name, text, sentence) sentence,
  NOC_TRAFFIC(X)
#undef X
    NULL};

/* A packet may go to any consumer. */
static bool random_kind(uint32_t kind) { return kind == TRAFFIC_UNIFORM || kind == TRAFFIC_HOT_SPOT; }

static bool of_bits(uint32_t kind) {
  return kind == TRAFFIC_BIT_COMPLEMENT || kind == TRAFFIC_BIT_REVERSE || kind == TRAFFIC_SHUFFLE;
}

static uint32_t root(uint32_t n) {
  uint32_t r = 1;
  while (r * r < n) r++;
  return r;
}

int traffic_start(struct traffic *t, uint32_t kind, uint32_t n_in, uint32_t n_out, uint32_t columns,
                  uint32_t hot_percent, struct err *e) {
  t->kind = kind;
  t->n_in = n_in;
  t->n_out = n_out;
  t->columns = columns;
  t->hot_percent = hot_percent;
  const char *name = noc_traffic_names[kind];
  if (random_kind(kind)) return 0;
  if (n_in != n_out)
    return err_set(e, ERR_VALUE, "traffic %s: pairs every producer with one consumer; there are %u and %u", name, n_in,
                   n_out);
  if (of_bits(kind) && (n_in & (n_in - 1)))
    return err_set(e, ERR_VALUE, "traffic %s: works on the bits of an index; %u nodes are no power of two", name, n_in);
  if (kind == TRAFFIC_TRANSPOSE && (root(n_in) * root(n_in) != n_in || (columns && columns != root(n_in))))
    return err_set(e, ERR_VALUE, "traffic %s: needs a square; %u nodes%s are none", name, n_in,
                   columns ? " in these columns" : "");
  return 0;
}

void traffic_rate(struct traffic *t, uint32_t packets_ppm) {
  uint64_t none =
    packets_ppm >= 1000000 ? 0 : (uint64_t)(((unsigned __int128)(1000000 - packets_ppm) << 64) / 1000000); /* 1 - p */
  t->longer[0] = UINT64_MAX;
  for (uint32_t k = 1; k <= TRAFFIC_GAPS; k++)
    t->longer[k] = k == 1 ? none : (uint64_t)(((unsigned __int128)t->longer[k - 1] * none) >> 64);
  for (uint32_t top = 0; top < 256; top++) {
    uint32_t k = 1;
    while (k < TRAFFIC_GAPS && ((uint64_t)top << 56 | UINT64_MAX >> 8) < t->longer[k]) k++;
    t->least[top] = (uint16_t)k;
  }
}

uint64_t traffic_gap(const struct traffic *t, struct rng *r) {
  uint64_t gap = 0, u = rng_u64(r);
  while (u < t->longer[TRAFFIC_GAPS]) { /* without memory: what is left of a long gap is a gap */
    gap += TRAFFIC_GAPS;
    u = rng_u64(r);
  }
  uint32_t k = t->least[u >> 56];
  while (u < t->longer[k]) k++; /* longer than k */
  return gap + k;
}

static uint32_t reversed(uint32_t i, uint32_t n) {
  uint32_t out = 0;
  for (uint32_t bit = 1; bit < n; bit <<= 1, i >>= 1) out = out << 1 | (i & 1);
  return out;
}

/* Along each dimension of a mesh, else along all nodes; `half`: half way less one, else one. */
static uint32_t shifted(const struct traffic *t, uint32_t i, bool half) {
  uint32_t columns = t->columns ? t->columns : t->n_in, rows = t->n_in / columns;
  uint32_t dx = half ? (columns + 1) / 2 - 1 : 1, dy = half ? (rows + 1) / 2 - 1 : 1;
  return (i / columns + (rows > 1 ? dy : 0)) % rows * columns + (i % columns + dx) % columns;
}

static uint32_t partner(const struct traffic *t, uint32_t i) {
  uint32_t n = t->n_in, side = root(n);
  switch (t->kind) {
    case TRAFFIC_TRANSPOSE: return i % side * side + i / side;
    case TRAFFIC_BIT_COMPLEMENT: return n - 1 - i;
    case TRAFFIC_BIT_REVERSE: return reversed(i, n);
    case TRAFFIC_SHUFFLE: return (i << 1 | (i << 1 >= n)) & (n - 1);
    case TRAFFIC_TORNADO: return shifted(t, i, true);
    default: return shifted(t, i, false);
  }
}

uint32_t traffic_destination(const struct traffic *t, uint32_t in, struct rng *r) {
  if (t->kind == TRAFFIC_HOT_SPOT && rng_percent(r, t->hot_percent)) return 0;
  return random_kind(t->kind) ? rng_below(r, t->n_out) : partner(t, in);
}

double traffic_share(const struct traffic *t, uint32_t in, uint32_t out) {
  if (!random_kind(t->kind)) return partner(t, in) == out;
  double hot = t->kind == TRAFFIC_HOT_SPOT ? t->hot_percent / 100.0 : 0;
  return (1 - hot) / t->n_out + (out ? 0 : hot);
}
