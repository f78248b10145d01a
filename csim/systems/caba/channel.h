/* SPDX-License-Identifier: Apache-2.0 */
/* A memory controller's part: the sizes of its lines, and the units of hardware that compress and decompress. */
#ifndef TANDEM_SYSTEMS_CABA_CHANNEL_H
#define TANDEM_SYSTEMS_CABA_CHANNEL_H

#include "systems/caba/sizes.h"
#include "systems/caba/units.h"

struct caba_channel {
  struct size_unit sizes;
  bool has_unit; /* it compresses and decompresses by BDI */
  struct caba_unit unit;
  /* of the request whose size has been told in this cycle: its line, what DRAM has of it by its size line, and what a write makes of it */
  struct {
    uint64_t line, cycle; /* + 1 */
    uint32_t bytes, stores;
    bool makes; /* a new image */
    uint8_t image[CABA_LINE];
  } told;
};

/* What all channels have. */
struct caba_channel_shape {
  int64_t sizes_bytes, sizes_ways;
  struct size_range range;
  const struct caba_coder *coder; /* of the unit; NULL: there is none */
  const uint64_t *now;            /* L2 cycle */
};

/* ERR_LIMIT, or what a block refuses. */
int caba_channel_create(struct caba_channel *, uint32_t index, const struct caba_channel_shape *,
                        struct block_factory *, struct err *);
void caba_channel_destroy(struct caba_channel *);
/* Once an L2 cycle, before requests. How many lines the unit has made otherwise than they are. */
uint32_t caba_channel_cycle(struct caba_channel *);
bool caba_channel_busy(const struct caba_channel *);

#endif
