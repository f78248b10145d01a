/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of assist warps, and those that nobody has. */
#include "core/launch.h"
#include "core/sm.h"
#include "systems/caba/caba_internal.h"

/* Of a class one routine of a warp runs at a time (assumption: two decompressions of a warp that are under way have the same registers).
 * Classes are events and priorities. Registers that stay between calls are nobody else's. */
uint32_t caba_registers(const struct gpu_config *m, void *agent) {
  const struct caba_parameters *p = caba_parameters(m);
  uint32_t most[AWS_N_EVENTS][2] = {{0}}, sum = 0, classes = 0, kept = 0;
  bool fills = p->load == CABA_LOAD_ASSIST && p->l2 == CABA_L2_PACKED; /* assist warps decompress */
  if (!caba_assists(p)) return 0;
  const struct aws_store *store = &caba_agent_code(agent)->store;
  for (uint32_t k = 0; k < store->n_routines; k++) {
    const struct aws_routine *r = &store->routine[k];
    if (r->event == AWS_NONE || (r->event == AWS_FILL && !fills) || (r->event == AWS_STORE && !p->stores)) continue;
    uint32_t own = (uint32_t)r->registers - r->kept;
    if (own > most[r->event][r->high]) most[r->event][r->high] = own;
    kept += r->kept;
    sum += r->registers;
  }
  for (uint32_t event = AWS_NONE + 1; event < AWS_N_EVENTS; event++) classes += most[event][0] + most[event][1];
  return p->registers == CABA_REGISTERS_SUM ? sum : classes + kept;
}

uint64_t caba_registers_free(const struct gpu_config *m, struct caba_agent *agent, const struct ptx_kernel *k,
                             const struct launch *l) {
  uint64_t threads = (uint64_t)l->ctas_per_sm * l->warps_per_cta * WARP_LANES;
  return (uint64_t)m->sm_registers - threads * (sm_thread_registers(m, k) + caba_registers(m, agent));
}
