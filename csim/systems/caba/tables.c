/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/caba/tables.h"

#include "config/relation.h"
#include "systems/caba/coder.h"
#include "systems/caba/sizes.h"

static const struct gpu_parameter parameters[] = {
#define X(...) PARAMETER_INTEGER(struct caba_parameters, __VA_ARGS__)
#define E(...) PARAMETER_CHOICE(struct caba_parameters, __VA_ARGS__)
#include "systems/caba/parameters.def"
};

static const struct counter_row memory_counters[] = {
#define X COUNTER_ROW
#include "systems/caba/memory_counters.def"
};

static const struct counter_row sm_counters[] = {
#define X COUNTER_ROW
#include "systems/caba/sm_counters.def"
};

static const struct stall_class stalls[] = {
#define X STALL_CLASS
#include "systems/caba/stalls.def"
};

/* Caches with more tags. */
static int check_tags(const struct gpu_config *m, const struct caba_parameters *p, struct err *e) {
  RELATION(power_of_two(p->segment), "caba.segment = %" PRId64 ": must be a power of two", p->segment);
  RELATION(power_of_two(p->l2_tags), "caba.l2_tags = %" PRId64 ": must be 1, 2 or 4", p->l2_tags);
  RELATION(p->l2_tags == 1 || (p->design != CABA_HW_BDI_MEM && p->l2 == CABA_L2_PACKED),
           "caba.l2_tags = %" PRId64
           ": for an L2 that has lines compressed (not caba.design=hw_bdi_mem, caba.l2=plain)",
           p->l2_tags);
  RELATION(power_of_two(p->l1_tags), "caba.l1_tags = %" PRId64 ": must be 1, 2 or 4", p->l1_tags);
  RELATION(p->l1_tags == 1 || (p->design != CABA_HW_BDI_MEM && p->l2 == CABA_L2_PACKED),
           "caba.l1_tags = %" PRId64
           ": lines come to L1 plain from an L2 that has them plain (caba.design=hw_bdi_mem, caba.l2=plain)",
           p->l1_tags);
  RELATION(p->l1_tags == 1 || m->l1_bytes, "caba.l1_tags = %" PRId64 ": there is no L1 (l1.bytes = 0)", p->l1_tags);
  return 0;
}

/* What block md_cache can be. */
static int check_sizes(const struct caba_parameters *p, struct err *e) {
  int64_t sets = p->sizes_bytes / (p->sizes_ways * SIZE_LINE_BYTES);
  if (!p->sizes_bytes) return 0;
  RELATION(power_of_two(p->sizes_ways), "caba.sizes_ways = %" PRId64 ": must be a power of two", p->sizes_ways);
  RELATION(p->sizes_bytes % (p->sizes_ways * SIZE_LINE_BYTES) == 0 && power_of_two(sets) && sets >= 2 && sets <= 256,
           "caba.sizes_bytes = %" PRId64 ": must be caba.sizes_ways = %" PRId64
           " times %d bytes times a power of two, 2 to 256",
           p->sizes_bytes, p->sizes_ways, SIZE_LINE_BYTES);
  return 0;
}

static int check(const struct gpu_config *m, struct err *e) {
  const struct caba_parameters *p = caba_parameters(m);
  int rc = check_sizes(p, e);
  if (!rc) rc = check_tags(m, p, e);
  if (rc) return rc;
  RELATION(
    caba_assists(p) || p->l2 == CABA_L2_PACKED,
    "caba.l2 = %s: for assist warps (caba.design); units of hardware that leave the L2 plain are caba.design=hw_bdi_mem",
    "plain");
  RELATION(power_of_two(p->awt), "caba.awt = %" PRId64 ": must be a power of two", p->awt);
  if (!caba_assists(p)) return 0;
  RELATION(m->l1_bytes, "l1.bytes = %" PRId64 ": assist warps (caba.design) decompress lines in L1; set it to 16384",
           m->l1_bytes);
  RELATION(p->stores * m->line_bytes < m->l1_bytes,
           "caba.stores = %" PRId64 ": that many lines leave nothing of L1 (l1.bytes = %" PRId64 ")", p->stores,
           m->l1_bytes);
  return 0;
}

struct config_owner caba_owner = {.name = "caba",
                                  OWNER_TABLE(parameters, parameters),
                                  OWNER_TABLE(sm_counters, sm_counters),
                                  OWNER_TABLE(memory_counters, memory_counters),
                                  OWNER_TABLE(stalls, stalls),
                                  .check = check};
