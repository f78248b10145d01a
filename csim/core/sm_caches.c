/* SPDX-License-Identifier: Apache-2.0 */
/* The caches of an SM: L1, constant, texture. */
#include "core/sm_state.h"

/* A request stays within a line of L2. */
static uint32_t line_of(const struct gpu_config *m, int64_t bytes) {
  return (uint32_t)(bytes < m->line_bytes ? bytes : m->line_bytes);
}

int sm_caches_create(struct sm *sm, struct err *e) {
  const struct gpu_config *m = sm->config;
  const struct l1_packing *packing = sm->ops ? sm->ops->l1_packing : NULL;
  uint32_t times = packing ? packing->tags(m) : 1;
  sm->l1_packing = times > 1 ? packing : NULL;
  struct sm_counters *n = &sm->counters;
  static const char *const names[SM_CACHES] = {"l1", "const", "tex"};
  uint64_t taken = sm->ops && sm->ops->l1_bytes ? sm->ops->l1_bytes(m) : 0;
  const uint64_t bytes[SM_CACHES] = {(uint64_t)m->l1_bytes - taken, (uint64_t)m->const_bytes, (uint64_t)m->tex_bytes};
  sm->cache[CACHE_L1] = (struct cache){.ways = (uint32_t)m->l1_ways,
                                       .line_bytes = (uint32_t)m->line_bytes,
                                       .times = times,
                                       .mshrs = (uint32_t)m->l1_mshrs,
                                       .merges = (uint32_t)m->l1_mshr_merges,
                                       .latency = (uint32_t)m->l1_latency,
                                       .policy = sm->ops ? sm->ops->l1_policy : NULL,
                                       .hits = &n->l1_hits,
                                       .misses = &n->l1_misses,
                                       .merged = &n->l1_merges,
                                       .mshr_stalls = &n->l1_mshr_stalls};
  sm->cache[CACHE_CONST] = (struct cache){.ways = (uint32_t)m->const_ways,
                                          .line_bytes = line_of(m, m->const_line_bytes),
                                          .mshrs = (uint32_t)m->const_mshrs,
                                          .merges = (uint32_t)m->const_mshr_merges,
                                          .latency = (uint32_t)m->const_latency,
                                          .hits = &n->const_hits,
                                          .misses = &n->const_misses,
                                          .merged = &n->const_merges,
                                          .mshr_stalls = &n->const_mshr_stalls};
  sm->cache[CACHE_TEXTURE] = (struct cache){.ways = (uint32_t)m->tex_ways,
                                            .line_bytes = line_of(m, m->tex_line_bytes),
                                            .mshrs = (uint32_t)m->tex_mshrs,
                                            .merges = (uint32_t)m->tex_mshr_merges,
                                            .latency = (uint32_t)m->tex_latency,
                                            .hits = &n->tex_hits,
                                            .misses = &n->tex_misses,
                                            .merged = &n->tex_merges,
                                            .mshr_stalls = &n->tex_mshr_stalls};
  for (uint32_t i = 0; i < SM_CACHES; i++) {
    sm->cache[i].tag_base = i * CACHE_MSHRS;
    int code = cache_create(&sm->cache[i], bytes[i], names[i], e);
    if (code) return code;
  }
  return 0;
}

uint32_t sm_mshrs_used(const struct sm *sm) {
  return sm->cache[CACHE_L1].mshrs_used + sm->cache[CACHE_CONST].mshrs_used + sm->cache[CACHE_TEXTURE].mshrs_used;
}
