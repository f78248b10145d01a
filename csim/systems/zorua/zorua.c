/* SPDX-License-Identifier: Apache-2.0 */
/* Warp-level resource management (Xiang, Yang & Zhou 2014, as Vijaykumar 2019, 4.5 compares with it; assumption: the details): a warp starts
 * when there are registers for it, whether or not there are for the rest of its CTA, and gives them back when it ends. Shared memory and CTA
 * slots stay the CTA's. Warps of one CTA alone wait at a time, so that those which have started, and hold registers, cannot wait for each
 * other: the CTAs before it end, and a CTA fits an SM by itself. */
#include "systems/zorua/zorua.h"

#include "base/err.h"
#include "core/sm.h"
#include "systems/zorua/tables.h"

#include <stdlib.h>

enum { LANES = 32, CTA_SLOTS = 64 };

struct zorua {
  const struct gpu_config *config;
  const struct zorua_parameters *p;
  struct zorua_counters *n;
  uint64_t registers; /* of a warp of the running kernel */
  uint64_t parted;    /* CTA slots some of whose warps have started late */
};

static void *zorua_create(const struct gpu_config *m, struct block_factory *f, const char *path, uint32_t sm,
                          const struct sm_services *s, struct err *e) {
  struct zorua *z = calloc(1, sizeof *z);
  (void)f, (void)path, (void)sm;
  if (!z) {
    err_set(e, ERR_LIMIT, "the host has no memory left for the proposal zorua");
    return NULL;
  }
  z->config = m;
  z->p = zorua_parameters(m);
  z->n = zorua_counters(s->counters);
  return z;
}

static int zorua_launch(void *self, const struct ptx_kernel *k, struct err *e) {
  struct zorua *z = self;
  (void)e;
  z->registers = (uint64_t)LANES * sm_thread_registers(z->config, k);
  z->parted = 0;
  return 0;
}

static bool zorua_admits_warps(const void *self) {
  const struct zorua *z = self;
  return z->p->mechanism == ZORUA_WLM;
}

static bool zorua_warp_may_start(const void *self, uint32_t warps) {
  const struct zorua *z = self;
  return (warps + 1) * z->registers <= (uint64_t)z->config->sm_registers &&
         (warps + 1) * (uint64_t)LANES <= (uint64_t)z->config->sm_threads;
}

static void zorua_cta_start(void *self, uint32_t cta, uint64_t index, uint64_t warps, uint32_t base, uint32_t bytes) {
  struct zorua *z = self;
  (void)index, (void)warps, (void)base, (void)bytes;
  z->parted &= ~(UINT64_C(1) << cta);
}

static void zorua_warp_start(void *self, uint32_t cta, uint32_t warps, bool late) {
  struct zorua *z = self;
  uint64_t bit = UINT64_C(1) << cta;
  if (warps > z->n->zorua_warps_peak) z->n->zorua_warps_peak = warps;
  if (!late) return;
  z->n->zorua_warps_late++;
  z->n->zorua_ctas_parted += !(z->parted & bit);
  z->parted |= bit;
}

const struct system_ops zorua_system = {
  .name = "zorua",
  .brief = "admission of warps, after Zorua's comparison (Vijaykumar 2019, chapter 4)",
  .owner = &zorua_owner,
  .create = zorua_create,
  .destroy = free,
  .launch = zorua_launch,
  .admits_warps = zorua_admits_warps,
  .warp_may_start = zorua_warp_may_start,
  .warp_start = zorua_warp_start,
  .cta_start = zorua_cta_start,
};
