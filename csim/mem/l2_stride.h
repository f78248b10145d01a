/* SPDX-License-Identifier: Apache-2.0 */
/* The stride prefetcher of an L2 slice (l2.prefetch = stride): from the lines that demand asks for it learns streams with any
 * constant stride, and names lines to fetch ahead of them. It knows addresses only: no program counters, which a slice never
 * sees (Baer and Chen 1995 keep strides by instruction), and no requesters, since neighbouring SMs share streams. So, as
 * Palacharla and Kessler (1994, sections 5 and 6) do beside a second-level cache, it waits for three accesses at the same
 * distance before it takes a stream for one, and looks for them among accesses close to each other only (there: a partition,
 * the "czone"; here: one region of l2.prefetch_region bytes).
 *
 * Everything is counted in lines of the slice, whose addresses are dense (dram/address_map.h): a constant stride of addresses is
 * one there as long as it divides evenly over the channels.
 * assumption: the filter keeps the last 16 accesses that belong to no stream; an access makes a stream with the youngest other one of
 * its region that has a third one at the same distance before it. A stream takes what lies up to `degree` steps from its last
 * access, either way, since warps overtake each other. It asks for one line ahead at first, and for twice as many after each
 * access that it predicted, up to `degree` (as the ramp-up of POWER4's streams; Tendler et al. 2002). The stream that was least
 * recently of use makes room for a new one. No line outside of the region of the access is named: physical pages beyond it may
 * hold anything. With page frames other than identity (mmu.frames) the region is a page (mmu.page_bytes), whatever the parameter. */
#ifndef TANDEM_MEM_L2_STRIDE_H
#define TANDEM_MEM_L2_STRIDE_H

#include "dram/address_map.h"

#include <stdbool.h>
#include <stdint.h>

enum { L2_STRIDE_STREAMS = 64, L2_STRIDE_DEGREE = 16, L2_STRIDE_FILTER = 16 };

struct l2_stream {
  uint64_t last;          /* line of the access that it has come to */
  int64_t stride;         /* lines; 0: not in use */
  uint32_t ahead, target; /* steps beyond `last` that have been named, and that may be */
  uint64_t used;          /* a count of accesses */
};

struct l2_stride {
  const struct address_map *map;
  uint32_t channel, line_shift, region_shift;
  uint32_t streams, degree;
  uint64_t accesses;
  struct l2_stream stream[L2_STRIDE_STREAMS];
  uint64_t filter[L2_STRIDE_FILTER], filter_region[L2_STRIDE_FILTER]; /* ring; line + 1, 0: none yet */
  uint32_t filter_at;
};

/* Bytes of a region that no prefetch leaves: a power of two. */
uint64_t l2_prefetch_region(const struct gpu_config *);
/* For slice `channel` of a GPU configuration that gpu_config_check accepts. */
void l2_stride_start(struct l2_stride *, const struct gpu_config *, const struct address_map *, uint32_t channel);
/* Demand has missed line `line`, or is the first to ask for a line that was prefetched. Returns how many lines to fetch now,
 * those in lines[]. */
uint32_t l2_stride_train(struct l2_stride *, uint64_t line, uint64_t lines[L2_STRIDE_DEGREE]);

#endif
