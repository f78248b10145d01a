/* SPDX-License-Identifier: Apache-2.0 */
#include "blocktest/profile.h"

#include <stdlib.h>
#include <string.h>

int profile_init(struct profile *p, const struct block_desc *desc, const int32_t *params, struct err *e) {
  *p = (struct profile){.desc = desc};
  memcpy(p->params, params, desc->n_params * sizeof *params);
  for (uint32_t i = 0; i < desc->n_in; i++)
    invariant(desc->in[i].slot <= PROFILE_VALUE_BYTES, "%s: the input %s is too wide for a profile", desc->name,
              desc->in[i].name);
  p->phase = calloc(PROFILE_PHASES_MAX, sizeof *p->phase);
  return p->phase ? 0 : err_set(e, ERR_LIMIT, "out of memory for a profile of %s", desc->name);
}

void profile_free(struct profile *p) {
  free(p->phase);
  p->phase = NULL;
}

struct profile_phase *profile_add(struct profile *p) {
  if (p->n == PROFILE_PHASES_MAX) return NULL;
  return memset(&p->phase[p->n++], 0, sizeof *p->phase);
}

static bool comes(struct rng *rng, uint32_t chance) { return rng_below(rng, PROFILE_ALWAYS) < chance; }

static void keep_width(uint8_t *at, uint32_t slot, uint32_t width) {
  for (uint32_t i = 0; i < slot; i++) {
    uint32_t bits = 8 * i >= width ? 0 : width - 8 * i;
    if (bits < 8) at[i] &= (uint8_t)((1U << bits) - 1);
  }
}

static void draw_random(struct rng *rng, const struct block_field *f, uint32_t width, uint8_t *at) {
  for (uint32_t i = 0; i < f->slot; i += 4) {
    uint32_t word = rng_u32(rng), left = f->slot - i;
    memcpy(at + i, &word, left < 4 ? left : 4);
  }
  keep_width(at, f->slot, width);
}

/* One of the values by its weight; `in` holds what the own stimulus gives. */
static void draw_value(struct rng *rng, const struct profile_input *i, const struct block_field *f, const uint8_t *in,
                       uint8_t *at) {
  uint64_t all = i->others;
  for (uint32_t k = 0; k < i->n; k++) all += i->value[k].weight;
  uint64_t at_weight = all ? rng_u64(rng) % all : 0;
  for (uint32_t k = 0; k < i->n; k++) {
    if (at_weight < i->value[k].weight) {
      memcpy(at, i->value[k].bytes, f->slot);
      return;
    }
    at_weight -= i->value[k].weight;
  }
  memcpy(at, in, f->slot);
}

void profile_apply(const struct profile *p, const struct profile_phase *phase, struct rng *rng, uint8_t *kept,
                   void *in) {
  for (uint32_t k = 0; k < p->desc->n_in; k++) {
    const struct profile_input *i = &phase->input[k];
    const struct block_field *f = &p->desc->in[k];
    uint8_t *to = (uint8_t *)in + f->offset, *last = kept + f->offset;
    switch (i->kind) {
      case PROFILE_DRIVER: continue;
      case PROFILE_RATE: *last ^= comes(rng, *last & 1 ? i->falls : i->rises); break;
      case PROFILE_VALUES:
        if (comes(rng, i->change)) draw_value(rng, i, f, to, last);
        break;
      case PROFILE_RANDOM:
        if (comes(rng, i->change)) draw_random(rng, f, f->width(p->params), last);
    }
    memcpy(to, last, f->slot);
  }
}
