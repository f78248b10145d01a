/* SPDX-License-Identifier: Apache-2.0 */
/* PIM with a uniform choice (Anderson et al. 1993), for comparison with the block, whose knock-out tournaments give candidates
 * that meet fewer rivals more: each input picks one of the free outputs that it asks for, each output one of the inputs that
 * picked it, all with the same probability. */
#include "base/err.h"
#include "base/rng.h"
#include "noc/allocator.h"

#include <stdlib.h>
#include <string.h>

struct uniform {
  struct rng rng;
  uint16_t *candidates; /* [n_in] of each input, then [n_out] of each output: how many it has chosen among */
  uint16_t *picked;     /* [n_in]: output */
};

static void uniform_destroy(void *self) {
  struct uniform *u = self;
  if (!u) return;
  free(u->candidates);
  free(u->picked);
  free(u);
}

static void *uniform_create(const struct allocator_config *c, struct err *e) {
  struct uniform *u = calloc(1, sizeof *u);
  if (u) {
    u->candidates = calloc((size_t)c->n_in + c->n_out, sizeof *u->candidates);
    u->picked = calloc(c->n_in, sizeof *u->picked);
  }
  if (!u || !u->candidates || !u->picked) {
    err_set(e, ERR_LIMIT, "out of memory for an allocator");
    uniform_destroy(u);
    return NULL;
  }
  rng_seed(&u->rng, c->seed);
  return u;
}

/* One more candidate: whether it takes the place of the one chosen so far, so that each is chosen with the same probability. */
static bool takes(struct uniform *u, uint16_t *candidates) { return !rng_below(&u->rng, ++*candidates); }

static void uniform_allocate(void *self, const struct allocation *a) {
  struct uniform *u = self;
  uint16_t *of_input = u->candidates, *of_output = u->candidates + a->n_in;
  memset(u->candidates, 0, ((size_t)a->n_in + a->n_out) * sizeof *u->candidates);
  for (uint32_t out = 0; out < a->n_out; out++) {
    if (!(a->open[out / 64] >> out % 64 & 1)) continue;
    a->grant[out] = ALLOCATOR_NONE;
    for (uint32_t w = 0; w < a->in_words; w++) {
      for (uint64_t asks = a->asks[out * a->in_words + w]; asks; asks &= asks - 1) {
        uint32_t in = w * 64 + (uint32_t)__builtin_ctzll(asks);
        if (takes(u, &of_input[in])) u->picked[in] = (uint16_t)out;
      }
    }
  }
  for (uint32_t in = 0; in < a->n_in; in++) {
    if (!of_input[in]) continue;
    uint32_t out = u->picked[in];
    if (takes(u, &of_output[out])) a->grant[out] = (uint16_t)in;
  }
}

const struct allocator_ops allocator_pim_uniform = {
  .name = "pim_uniform", .create = uniform_create, .destroy = uniform_destroy, .allocate = uniform_allocate};
