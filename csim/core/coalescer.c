/* SPDX-License-Identifier: Apache-2.0 */
#include "core/coalescer.h"

#include <stdbool.h>

/* Adds [address, address + bytes), which lies in one line. Searches from the latest segment back, because lanes are
 * usually in order. */
static uint32_t add(struct segment *segments, uint32_t n, uint64_t address, uint32_t bytes, uint64_t line_mask) {
  uint64_t line = address & line_mask;
  for (uint32_t i = n; i-- > 0;) {
    struct segment *s = &segments[i];
    if (s->line != line) continue;
    uint64_t end = s->address + s->bytes;
    if (address + bytes > end) end = address + bytes;
    if (address < s->address) s->address = address;
    s->bytes = (uint32_t)(end - s->address);
    return n;
  }
  segments[n] = (struct segment){.address = address, .line = line, .bytes = bytes};
  return n + 1;
}

uint32_t coalesce_global(const struct ptx_access *a, uint32_t line_bytes, struct segment *segments) {
  uint64_t line_mask = ~(uint64_t)(line_bytes - 1);
  uint32_t n = 0;
  if (a->in_order && a->mask == UINT32_MAX) { /* the common case */
    uint64_t address = a->address[0], end = address + (uint64_t)a->bytes * WARP_LANES;
    while (address < end) {
      uint64_t line = address & line_mask, next = line + line_bytes < end ? line + line_bytes : end;
      segments[n++] = (struct segment){.address = address, .line = line, .bytes = (uint32_t)(next - address)};
      address = next;
    }
    return n;
  }
  for (uint32_t rest = a->mask; rest; rest &= rest - 1)
    n = add(segments, n, a->address[__builtin_ctz(rest)], a->bytes, line_mask);
  return n;
}

uint32_t coalesce_groups(const struct ptx_access *a, uint32_t lanes, uint32_t line_bytes, struct segment *segments) {
  uint32_t n = 0;
  if (lanes == WARP_LANES) return coalesce_global(a, line_bytes, segments);
  struct ptx_access part = *a;
  for (uint32_t first = 0; first < WARP_LANES; first += lanes) {
    part.mask = a->mask & ((1U << lanes) - 1) << first;
    n += coalesce_global(&part, line_bytes, segments + n);
  }
  return n;
}

uint32_t coalesce_local(const struct ptx_access *a, uint64_t base, uint32_t line_bytes, struct segment *segments) {
  uint64_t line_mask = ~(uint64_t)(line_bytes - 1);
  uint32_t n = 0;
  for (uint32_t done = 0; done < a->bytes; done += 4) {
    uint32_t bytes = a->bytes - done < 4 ? a->bytes - done : 4;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
      uint32_t lane = (uint32_t)__builtin_ctz(rest);
      uint64_t offset = a->address[lane] + done;
      n = add(segments, n, base + offset / 4 * (4 * WARP_LANES) + lane * 4 + offset % 4, bytes, line_mask);
    }
  }
  return n;
}

uint32_t coalesce_texture(const struct ptx_access *a, uint32_t line_bytes, struct segment *segments) {
  uint64_t line_mask = ~(uint64_t)(line_bytes - 1);
  uint32_t n = 0;
  if (a->texel) {
    for (uint32_t i = 0; i < a->n_texels; i++) n = add(segments, n, a->texel[i], a->bytes, line_mask);
    return n;
  }
  for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
    uint64_t address = a->address[__builtin_ctz(rest)];
    if (address != PTX_NOWHERE) n = add(segments, n, address, a->bytes, line_mask);
  }
  return n;
}

uint32_t coalesce_constant(const struct ptx_access *a, uint32_t lanes, uint32_t grain, uint32_t line_bytes,
                           struct segment *segments, uint32_t *groups) {
  uint64_t grain_mask = ~(uint64_t)(grain - 1), line_mask = ~(uint64_t)(line_bytes - 1);
  uint32_t n = 0, group_mask = lanes == WARP_LANES ? UINT32_MAX : (1u << lanes) - 1;
  *groups = 0;
  for (uint32_t first = 0; first < WARP_LANES; first += lanes) {
    uint32_t start = n;
    for (uint32_t rest = a->mask & group_mask << first; rest; rest &= rest - 1) {
      uint64_t address = a->address[__builtin_ctz(rest)] & grain_mask;
      uint32_t i = start;
      while (i < n && segments[i].address != address) i++;
      if (i == n) segments[n++] = (struct segment){.address = address, .line = address & line_mask, .bytes = grain};
    }
    *groups += n > start;
  }
  return n;
}
