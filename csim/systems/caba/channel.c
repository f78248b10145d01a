/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/caba/channel.h"

#include <stdio.h>

int caba_channel_create(struct caba_channel *c, uint32_t index, const struct caba_channel_shape *shape,
                        struct block_factory *factory, struct err *e) {
  char path[24];
  int rc =
    size_unit_create(&c->sizes, index, shape->sizes_bytes, shape->sizes_ways, &shape->range, factory, shape->now, e);
  if (rc || !shape->coder) return rc;
  c->has_unit = true;
  snprintf(path, sizeof path, "l2.%u", index);
  return caba_unit_create(&c->unit, shape->coder, path, factory, shape->now, e);
}

void caba_channel_destroy(struct caba_channel *c) {
  size_unit_destroy(&c->sizes);
  if (c->has_unit) caba_unit_destroy(&c->unit);
}

uint32_t caba_channel_cycle(struct caba_channel *c) {
  size_unit_cycle(&c->sizes);
  return c->has_unit && caba_unit_busy(&c->unit) ? caba_unit_cycle(&c->unit) : 0;
}

bool caba_channel_busy(const struct caba_channel *c) {
  return size_unit_busy(&c->sizes) || (c->has_unit && caba_unit_busy(&c->unit));
}
