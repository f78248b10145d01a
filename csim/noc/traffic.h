/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic traffic (Dally and Towles 2004, 3.2): where a producer's packet goes, and when the next one comes. Integers only. */
#ifndef TANDEM_NOC_TRAFFIC_H
#define TANDEM_NOC_TRAFFIC_H

#include "base/rng.h"

struct err;

/* X(NAME, "name", "sentence"); n producers and consumers, index i of b bits, i_k its bit k */
#define NOC_TRAFFIC(X)                                                                            \
  X(UNIFORM, "uniform", "every consumer alike, the producer's own node too")                      \
  X(HOT_SPOT, "hot_spot", "a share of the packets goes to consumer 0, the rest is uniform")       \
  X(TRANSPOSE, "transpose", "column and row of a square change places")                           \
  X(BIT_COMPLEMENT, "bit_complement", "every bit of the index is inverted")                       \
  X(BIT_REVERSE, "bit_reverse", "the bits of the index in reverse order")                         \
  X(SHUFFLE, "shuffle", "the bits of the index rotated by one to the left")                       \
  X(TORNADO, "tornado", "half way round, less one: mesh along each dimension, ring along itself") \
  X(NEIGHBOUR, "neighbour", "the next node: mesh along each dimension, ring along itself")

enum noc_traffic {
#define X(name, text, sentence) TRAFFIC_##name,
  NOC_TRAFFIC(X)
#undef X
    TRAFFIC_KINDS
};
extern const char *const noc_traffic_names[], *const noc_traffic_sentences[]; /* NULL-terminated */

enum { TRAFFIC_GAPS = 1024 };

struct traffic {
  uint32_t kind, n_in, n_out;
  uint32_t columns;     /* of a mesh; else 0 */
  uint32_t hot_percent; /* hot spot: of all packets, beside the uniform ones */
  /* The gap between two packets of a producer is geometric: longer than k cycles with probability longer[k] / 2^64. */
  uint64_t longer[TRAFFIC_GAPS + 1];
  uint16_t least[256]; /* by the top byte of the number drawn: no shorter gap is possible */
};

/* `packets_ppm`: packets of a producer in a million cycles, 1..1000000. ERR_VALUE: the pattern does not fit the network. */
int traffic_start(struct traffic *, uint32_t kind, uint32_t n_in, uint32_t n_out, uint32_t columns,
                  uint32_t hot_percent, struct err *);
void traffic_rate(struct traffic *, uint32_t packets_ppm);
uint32_t traffic_destination(const struct traffic *, uint32_t in, struct rng *);
/* The part of the packets of `in` that goes to `out`, 0..1: for bounds and expected latencies. */
double traffic_share(const struct traffic *, uint32_t in, uint32_t out);
uint64_t traffic_gap(const struct traffic *, struct rng *); /* cycles, >= 1 */

#endif
