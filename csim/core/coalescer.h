/* SPDX-License-Identifier: Apache-2.0 */
/* The coalescer: combines the accesses of a warp's lanes into segments, each within one line. */
#ifndef TANDEM_CORE_COALESCER_H
#define TANDEM_CORE_COALESCER_H

#include "ptx/ptx.h"

#include <stdint.h>

/* A local access of 16 bytes touches four rows of words per lane; a texture fetch reads PTX_TEXELS_MAX elements. */
enum { SEGMENTS_MAX = 4 * WARP_LANES };

/* The part of one line that a warp touches. assumption: all bytes from the first to the last touched, gaps included;
 * the write mask of the line is not modelled. */
struct segment {
  uint64_t address; /* first byte touched */
  uint64_t line;    /* address of the line */
  uint32_t bytes;   /* 1..line_bytes */
};

/* Distinct lines of a global access in the order of the first lane that touches them; returns their
 * number, at most SEGMENTS_MAX. `line_bytes` is a power of two, at least 32; accesses are aligned
 * to their size. */
uint32_t coalesce_global(const struct ptx_access *access, uint32_t line_bytes, struct segment *segments);

/* The same, for groups of `lanes` lanes (a power of two up to 32); accesses of different groups do not coalesce. */
uint32_t coalesce_groups(const struct ptx_access *access, uint32_t lanes, uint32_t line_bytes,
                         struct segment *segments);

/* The same for local memory. assumption: word k of the 32 threads' local memories lies in 128 consecutive
 * bytes from `base` + 128 k, so that equal offsets coalesce. */
uint32_t coalesce_local(const struct ptx_access *access, uint64_t base, uint32_t line_bytes, struct segment *segments);

/* Distinct lines of a texture fetch; lanes outside the texture touch none. */
uint32_t coalesce_texture(const struct ptx_access *access, uint32_t line_bytes, struct segment *segments);

/* Accesses to constant memory: for each group of `lanes` lanes one segment per distinct block of `grain` bytes (a power
 * of two, at most `line_bytes`), in lane order. *groups is set to the number of groups that access anything. Accesses
 * are aligned, so none crosses a line. */
uint32_t coalesce_constant(const struct ptx_access *access, uint32_t lanes, uint32_t grain, uint32_t line_bytes,
                           struct segment *segments, uint32_t *groups);

#endif
