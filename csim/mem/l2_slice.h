/* SPDX-License-Identifier: Apache-2.0 */
/* One slice of the L2 cache, in front of a DRAM channel, which l2.slices of them share: set-associative, write-back, sectors of
 * 32 bytes. With l2.bytes = 0 it has no tags: each request goes on to the channel (l2.mshrs reads and atomics at a time, nothing shared).
 *
 * An L2 edge does, in this order, at most one of each: send the oldest reply that is due; push the waiting write-back;
 * take one DRAM answer; queue the reply of one waiter of a filled line; look up one request. A request looked up in cycle
 * c that hits is replied in cycle c + l2.latency; a waiter whose line was filled in cycle f in f + l2.latency. A lookup
 * that lacks something (reply place, MSHR, waiter place, way, DRAM queue place) holds the slice's queue.
 *
 * Writes, by l2.write_miss. `mask`: a write never fetches; a sector it covers fully becomes valid, of another one the
 * written bytes are kept (byte enables; written back masked), and a later read fetches the sector. `partial`: sectors that
 * are written in part are fetched at once. `line`: a write that misses fetches its whole line (fetch on write, Jouppi 1993).
 * `forward`: it is sent on to DRAM besides, and the line stays clean (as the write-allocate of GPGPU-Sim's data cache).
 * Nobody waits for these fetches. Fetches are whole DRAM bursts of the sectors that are missing. An atomic is a read that makes
 * its sectors dirty. assumption: the bytes of a write lie contiguous from its address and end with its line. */
#ifndef TANDEM_MEM_L2_SLICE_H
#define TANDEM_MEM_L2_SLICE_H

#include <stdint.h>
#include <stdio.h>

struct address_map;
struct clocks;
struct dram_channel;
struct err;
struct gpu_config;
struct l2_slice;
struct mem_account;
struct network;

struct l2_slice_config {
  const struct gpu_config *gpu; /* of its module */
  uint32_t index;               /* channel * l2.slices + slice of the channel, over all modules */
  uint32_t first_sm;            /* of its module */
  const struct clocks *clocks;
  const struct address_map *map;
  /* Its module's. The slice's number in the module is its output of the one and its input of the other. */
  struct network *request, *reply;
  struct dram_channel *channel;
  struct mem_account *account;
};

/* Reads that a slice of this GPU configuration can have outstanding at its channel. */
uint32_t l2_slice_max_reads(const struct gpu_config *);
struct l2_slice *l2_slice_create(const struct l2_slice_config *, struct err *);
void l2_slice_destroy(struct l2_slice *);
void l2_slice_cycle(struct l2_slice *); /* one L2 edge */
void l2_slice_describe(const struct l2_slice *, FILE *);

#endif
