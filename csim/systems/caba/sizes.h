/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes of lines at a memory controller (Vijaykumar 2019, 5.4.3): 2 bits a line, bursts less one, in size lines of SIZE_LINE_BYTES. They lie in
 * DRAM; block md_cache keeps those that were used last. It does one thing an L2 cycle: it answers a request, or it takes a size line that has
 * come, which goes first. Line numbers are those of the channel: local address / 128; size lines: line number / SIZE_LINES_EACH. */
#ifndef TANDEM_SYSTEMS_CABA_SIZES_H
#define TANDEM_SYSTEMS_CABA_SIZES_H

#include "base/ring.h"
#include "mem/packing.h"

#include <stdbool.h>
#include <stdint.h>

struct block;
struct block_factory;
struct err;

enum { SIZE_LINE_BYTES = 32, SIZE_LINES_EACH = 8 * SIZE_LINE_BYTES / 2, SIZE_FILLS = 128 };

/* Line numbers: of the first and behind the last line that a size line in memory stands for; the largest that is asked for. What lies beyond is
 * plain, as lines are that nobody has written: bursts less one. */
struct size_range {
  uint64_t first, end, last; /* first: a multiple of SIZE_LINES_EACH */
  uint32_t plain;
};

struct size_unit {
  struct block *cache;
  const uint64_t *now; /* L2 cycle */
  struct size_range range;
  uint8_t *memory;   /* what DRAM has, 4 lines a byte, from range.first on */
  uint64_t used;     /* cycle + 1 of the last thing that the cache did */
  bool resets;       /* its next cycle is a reset */
  struct ring fills; /* size lines that have come and wait */
  uint64_t fill[SIZE_FILLS];
  /* the fill that was taken last, until somebody has asked what left for it */
  bool filled, known, leaves;
  uint64_t filled_number, filled_cycle, left;
  char path[24];
};

/* Of channel `channel`; a cache of `bytes` bytes, 0: sizes are always at hand. ERR_LIMIT, or what the block refuses. */
int size_unit_create(struct size_unit *, uint32_t channel, int64_t bytes, int64_t ways, const struct size_range *,
                     struct block_factory *, const uint64_t *now, struct err *);
void size_unit_destroy(struct size_unit *);
/* The cache is emptied before its next cycle; what memory has is set line by line then: bursts less one. */
void size_unit_empty(struct size_unit *);
void size_unit_set(struct size_unit *, uint64_t line, uint32_t bursts);
bool size_unit_unfinished(const struct size_unit *); /* a launch was killed while size lines came or left */
/* Once an L2 cycle, before requests. */
void size_unit_cycle(struct size_unit *);
bool size_unit_busy(const struct size_unit *); /* size_unit_cycle has something to do */
bool size_unit_free(const struct size_unit *); /* it can be asked in this cycle */
/* Asks for line `line`; *bursts: bursts less one; `write`: then they are `now_bursts`. */
enum size_answer size_unit_look(struct size_unit *, uint64_t line, bool write, uint32_t now_bursts, uint32_t *bursts);
/* Size line `number` has come from DRAM. */
void size_unit_came(struct size_unit *, uint64_t number);
/* What left for it: SIZE_MISSING: *left is to be written; SIZE_KNOWN: nothing. */
enum size_answer size_unit_leaves(struct size_unit *, uint64_t number, uint64_t *left);

#endif
