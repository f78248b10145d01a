/* SPDX-License-Identifier: Apache-2.0 */
/* The tag array of a slice: a line's tag, its sectors' valid and dirty bits, its MSHR while a fetch is under way. */
#ifndef TANDEM_MEM_L2_TAGS_H
#define TANDEM_MEM_L2_TAGS_H

#include "base/divisor.h"

#include <stdbool.h>
#include <stdint.h>

enum { L2_NO_MSHR = 0xffff, L2_NO_WAY = 0xffffffff };

struct l2_line {
  uint64_t used; /* of the last lookup, a count; 0: never */
  uint16_t mshr; /* a line with one stays */
  uint8_t valid, dirty;
};

struct l2_tags {
  uint32_t sets, ways;
  struct divisor by_sets;
  uint64_t uses;
  uint64_t *tag; /* local line number + 1; 0: empty */
  struct l2_line *line;
};

bool l2_tags_create(struct l2_tags *, uint32_t sets, uint32_t ways);
void l2_tags_destroy(struct l2_tags *);
/* Index of local line number `line`, or L2_NO_WAY. */
uint32_t l2_tags_find(const struct l2_tags *, uint64_t line);
/* Index to put `line` at: an empty way, else the least recently used one without MSHR; L2_NO_WAY: none. */
uint32_t l2_tags_victim(const struct l2_tags *, uint64_t line);
void l2_tags_fill(struct l2_tags *, uint32_t at, uint64_t line); /* clean, no sector valid */
static inline uint64_t l2_tags_line(const struct l2_tags *t, uint32_t at) { return t->tag[at] - 1; }
static inline void l2_tags_touch(struct l2_tags *t, uint32_t at) { t->line[at].used = ++t->uses; }

#endif
