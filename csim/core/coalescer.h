/* SPDX-License-Identifier: Apache-2.0 */
/* The coalescer: the accesses of a warp's lanes to global or local memory become segments of one
 * line each. */
#ifndef TANDEM_CORE_COALESCER_H
#define TANDEM_CORE_COALESCER_H

#include "ptx/ptx.h"

#include <stdint.h>

/* Local accesses of 16 bytes touch four rows of words a lane. */
enum { SEGMENTS_MAX = 4 * WARP_LANES };

/* What a warp touches of one line. assumption: the bytes from the first to the last touched, holes
 * included; the line's write mask is not modelled. */
struct segment {
  uint64_t address; /* first byte touched */
  uint64_t line;    /* address of the line */
  uint32_t bytes;   /* 1..line_bytes */
};

/* Distinct lines of a global access in the order of the first lane that touches them; returns their
 * number, at most SEGMENTS_MAX. `line_bytes` is a power of two, at least 32; accesses are aligned
 * to their size. */
uint32_t coalesce_global(const struct ptx_access *access, uint32_t line_bytes, struct segment *segments);

/* The same, `lanes` (a power of two up to 32) at a time: what different groups touch of one line is not joined. */
uint32_t coalesce_groups(const struct ptx_access *access, uint32_t lanes, uint32_t line_bytes,
                         struct segment *segments);

/* The same for local memory. assumption: word k of the 32 threads' local memories lies in 128 consecutive
 * bytes from `base` + 128 k, so that equal offsets coalesce. */
uint32_t coalesce_local(const struct ptx_access *access, uint64_t base, uint32_t line_bytes, struct segment *segments);

/* Distinct lines of a texture fetch; lanes outside of their texture touch none. */
uint32_t coalesce_texture(const struct ptx_access *access, uint32_t line_bytes, struct segment *segments);

/* Accesses of constant memory: `lanes` lanes at a time, one segment for each distinct block of `grain` bytes (a power of
 * two, at most `line_bytes`) that they touch, in the order of the lanes. Adds to *groups (set to 0 first) how many groups of
 * lanes touch anything. An access that crosses a line would need two, but accesses are aligned. */
uint32_t coalesce_constant(const struct ptx_access *access, uint32_t lanes, uint32_t grain, uint32_t line_bytes,
                           struct segment *segments, uint32_t *groups);

#endif
