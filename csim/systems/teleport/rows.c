/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/teleport/rows.h"

#include "base/rng.h"
#include "device/device_memory.h"
#include "ptx/affine_rows.h"

static uint64_t address(const struct teleport_row *r, const int32_t product[3], int32_t offset,
                        const uint32_t index[3]) {
  int64_t sum = offset;
  for (int k = 0; k < 3; k++) sum += (int64_t)product[k] * index[k];
  return r->base + (uint64_t)sum * r->typesize;
}

bool teleport_row_range(const struct teleport_row *r, const uint32_t index[3], uint64_t *first, uint64_t *end) {
  *first = address(r, r->min_product, r->min_offset, index);
  *end = address(r, r->max_product, r->max_offset, index);
  return *end > *first;
}

uint64_t teleport_row_lines(const struct teleport_row *r, const uint32_t grid[3]) {
  uint64_t most = 0;
  for (int corner = 0; corner < 8; corner++) { /* bytes are linear in the index: most are at a corner of the grid */
    uint32_t index[3];
    uint64_t first, end;
    for (int k = 0; k < 3; k++) {
      uint32_t last = grid[k] - 1 < UINT16_MAX ? grid[k] - 1 : UINT16_MAX;
      index[k] = corner >> k & 1 ? last : 0;
    }
    if (!teleport_row_range(r, index, &first, &end)) continue;
    uint64_t lines = (end - 1) / TELEPORT_LINE - first / TELEPORT_LINE + 1;
    if (lines > most) most = lines;
  }
  return most;
}

static bool narrow(int64_t from, int32_t *to) {
  *to = (int32_t)from;
  return *to == from;
}

bool teleport_row_from(const struct affine_row *a, struct teleport_row *r) {
  bool fits = true;
  int64_t shift = narrow(a->min_offset, &r->min_offset) && narrow(a->max_offset, &r->max_offset) ? 0 : a->min_offset;
  r->base = a->base + (uint64_t)shift * a->typesize;
  r->typesize = a->typesize;
  for (int k = 0; k < 3; k++)
    fits &= narrow(a->min_product[k], &r->min_product[k]) & narrow(a->max_product[k], &r->max_product[k]);
  fits &= narrow(a->min_offset - shift, &r->min_offset) & narrow(a->max_offset - shift, &r->max_offset);
  return fits;
}

bool teleport_row_extend(struct teleport_row *r) { return narrow((int64_t)r->max_offset + 1, &r->max_offset); }

struct teleport_row teleport_row_random(struct rng *g, const struct device_memory *m) {
  uint64_t bytes = m->end - DEVICE_MEMORY_BASE + 4096;
  struct teleport_row r = {.base = DEVICE_MEMORY_BASE - 2048 + (bytes ? rng_u64(g) % bytes : 0),
                           .typesize = 1 + rng_below(g, 16)};
  for (int k = 0; k < 3; k++) r.min_product[k] = r.max_product[k] = (int32_t)rng_below(g, 512) - 128;
  r.min_offset = (int32_t)rng_below(g, 256) - 128;
  r.max_offset = r.min_offset + (int32_t)rng_below(g, 300) - 40;
  return r;
}
