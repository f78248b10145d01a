/* SPDX-License-Identifier: Apache-2.0 */
/* A proposal from outside of the tree: in every throttle.period-th core cycle no warp of an SM issues. A warp that
 * was held back fetches its instruction again, so the period is longer than that takes. */
#include "core/tandem.h"

#include <stdlib.h>

struct OWNED_VALUES throttle_parameters {
  int64_t period;
};
struct OWNED_VALUES throttle_counters { /* of an SM */
  uint64_t throttled;
};

static const struct gpu_parameter parameters[] = {PARAMETER_INTEGER(struct throttle_parameters, period,
                                                                    "throttle.period", 256, 64, 100000, "core cycles",
                                                                    "no warp issues in one of so many cycles")};
static const struct counter_row counters[] = {
  COUNTER_ROW(throttled, "core cycles", "throttle: cycles with a CTA in which no warp may issue")};
static struct config_owner owner = {
  .name = "throttle", OWNER_TABLE(parameters, parameters), OWNER_TABLE(sm_counters, counters)};

struct throttle {
  struct sm_services services; /* a copy: that of create() ends with the call */
  int64_t period;
  uint32_t ctas;
};

static bool closed(const struct throttle *t) { return *t->services.now % (uint64_t)t->period == 0; }

static void *create(const struct gpu_config *config, struct block_factory *factory, const char *path, uint32_t sm,
                    const struct sm_services *services, struct err *e) {
  const struct throttle_parameters *p = config_owned(config, &owner);
  struct throttle *t = calloc(1, sizeof *t);
  (void)factory, (void)path, (void)sm, (void)e;
  if (!t) return NULL;
  t->services = *services;
  t->period = p->period;
  return t;
}

static void cta_start(void *self, uint32_t cta, uint64_t index, uint64_t warps, uint32_t base, uint32_t bytes) {
  struct throttle *t = self;
  (void)cta, (void)index, (void)warps, (void)base, (void)bytes;
  t->ctas++;
}

static void cta_end(void *self, uint32_t cta) {
  struct throttle *t = self;
  (void)cta;
  t->ctas--;
}

static void cycle(void *self) {
  struct throttle *t = self;
  struct throttle_counters *c = sm_counters_owned(t->services.counters, &owner);
  c->throttled += t->ctas && closed(t);
}

static bool busy(const void *self) { return ((const struct throttle *)self)->ctas != 0; }
static uint64_t blocked(const void *self) { return closed(self) ? UINT64_MAX : 0; }

static const struct scoreboard_hooks hooks = {.blocked = blocked};
static const struct system_ops throttle = {.name = "throttle",
                                           .brief = "no warp issues in one of throttle.period cycles",
                                           .owner = &owner,
                                           .scoreboard = &hooks,
                                           .create = create,
                                           .destroy = free,
                                           .cta_start = cta_start,
                                           .cta_end = cta_end,
                                           .cycle = cycle,
                                           .busy = busy};
TANDEM_PLUGIN(throttle);
