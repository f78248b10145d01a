/* SPDX-License-Identifier: Apache-2.0 */
/* The address decoder at an SM's port of the interconnect (block numa_decode; Vijaykumar 2019, 3.4.5): which module has what the SM
 * asks for, and where there. Pages by the exclusive or of address bits, which is the baseline's, have no bit that the block could
 * start at: mem/zones.h decodes them. */
#include "systems/ldesc/ldesc_internal.h"

#include "numa_decode_ports.h"

bool ldesc_port_create(struct ldesc_sm *s, const struct gpu_config *m, struct block_factory *f, struct err *e) {
  if (m->numa_modules == 1) return true;
  s->port =
    BLOCK_MAKE(f, &numa_decode_desc, s->path[1], s->sm.now, e, {"PAW", ZONE_ADDRESS_BITS}, {"ZONES", m->numa_modules});
  return s->port;
}

struct zone_place ldesc_place(void *self, uint64_t physical, uint32_t map) {
  const struct ldesc_sm *s = self;
  struct numa_decode_in *in = s->port->in;
  const struct numa_decode_out *out = s->port->out;
  in->pa = physical;
  in->b = (uint8_t)map;
  block_eval(s->port);
  struct zone_place place = {out->zone, out->lpa};
  block_tick(s->port);
  return place;
}
