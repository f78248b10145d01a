/* SPDX-License-Identifier: Apache-2.0 */
/* The SM's side: what it writes is compressed on its way. */
#include "systems/caba/caba.h"

#include "base/err.h"
#include "systems/caba/agent.h"
#include "systems/caba/tables.h"

#include <stdlib.h>

struct caba_sm {
  struct caba_agent *agent;
  const struct device_memory *memory;
  uint32_t index;
};

static void *sm_create(const struct gpu_config *m, struct block_factory *factory, const char *path, uint32_t sm_index,
                       const struct sm_services *services, struct err *e) {
  (void)m, (void)factory, (void)path;
  struct caba_sm *s = malloc(sizeof *s);
  if (!s) {
    err_set(e, ERR_LIMIT, "out of memory for compressed lines");
    return NULL;
  }
  *s = (struct caba_sm){services->agent, services->memory, sm_index};
  return s;
}

static int sm_launch(void *self, const struct ptx_kernel *kernel, struct err *e) {
  const struct caba_sm *s = self;
  (void)kernel, (void)e;
  if (!s->index) caba_agent_launch(s->agent, s->memory);
  return 0;
}

static uint32_t sm_packs(void *self, const struct mem_request *r) {
  return caba_agent_packs(((const struct caba_sm *)self)->agent, r);
}

const struct system_ops caba_system = {
  .name = "caba",
  .brief = "compressed lines (Vijaykumar 2019, chapter 5)",
  .owner = &caba_owner,
  .agent = &caba_agent_ops,
  .create = sm_create,
  .destroy = free,
  .launch = sm_launch,
  .packs = sm_packs,
};
