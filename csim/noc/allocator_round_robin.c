/* SPDX-License-Identifier: Apache-2.0 */
#include "noc/allocator.h"

#include "base/err.h"

#include <stdlib.h>

/* State: for each output the input with the highest priority. */
static void *round_robin_create(const struct allocator_config *config, struct err *e) {
  void *state = calloc(config->n_out, sizeof(uint16_t));
  if (!state) err_set(e, ERR_LIMIT, "out of memory for an allocator");
  return state;
}

/* First set bit at or after `from`, round the end. At least one bit is set. */
static uint32_t pick(const uint64_t *bits, uint32_t words, uint32_t from) {
  uint32_t w = from / 64;
  uint64_t rest = bits[w] & UINT64_MAX << from % 64;
  while (!rest) {
    w = w + 1 == words ? 0 : w + 1;
    rest = bits[w];
  }
  return w * 64 + (uint32_t)__builtin_ctzll(rest);
}

/* Up to 64 inputs and outputs. */
static void allocate_small(uint16_t *first, const struct allocation *a) {
  for (uint64_t open = a->open[0]; open; open &= open - 1) {
    uint32_t out = (uint32_t)__builtin_ctzll(open);
    uint64_t asks = a->asks[out], after = asks >> first[out] << first[out];
    uint32_t in = (uint32_t)__builtin_ctzll(after ? after : asks);
    a->grant[out] = (uint16_t)in;
    first[out] = (uint16_t)(in + 1 == a->n_in ? 0 : in + 1);
  }
}

static void round_robin_allocate(void *state, const struct allocation *a) {
  uint16_t *first = state;
  if (a->in_words == 1 && a->out_words == 1) {
    allocate_small(first, a);
    return;
  }
  for (uint32_t w = 0; w < a->out_words; w++) {
    for (uint64_t open = a->open[w]; open; open &= open - 1) {
      uint32_t out = w * 64 + (uint32_t)__builtin_ctzll(open);
      uint32_t in = pick(&a->asks[out * a->in_words], a->in_words, first[out]);
      a->grant[out] = (uint16_t)in;
      first[out] = (uint16_t)(in + 1 == a->n_in ? 0 : in + 1);
    }
  }
}

const struct allocator_ops allocator_round_robin = {
  .name = "round_robin", .create = round_robin_create, .destroy = free, .allocate = round_robin_allocate};
