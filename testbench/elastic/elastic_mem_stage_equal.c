/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/elastic/elastic_mem_stage.c"
#include "equal.h"

/* The entries of a queue in use are the lowest `used` of `size`. */
static bool packed(const uint8_t *valid, uint32_t used, uint32_t size) {
  bool good = used <= size;
  for (uint32_t i = 0; i < size; i++) good &= valid[i] == (i < used);
  return good;
}

INVARIANT(elastic_mem_stage, queues_packed) {
  if (cfg->VARIANT != ELASTIC) return true;
  return packed(s->non_v, s->n_non, (uint32_t)cfg->Q) & packed(s->pre_v, s->n_pre, (uint32_t)cfg->N);
}

INVARIANT(elastic_mem_stage, counts_without_queues) {
  if (cfg->VARIANT == ELASTIC) return true;
  uint32_t used = 0;
  if (cfg->VARIANT == SPLIT)
    for (int32_t i = 0; i < cfg->M; i++) used += s->non_v[i];
  return s->n_non == used && !s->n_pre;
}
