/* SPDX-License-Identifier: Apache-2.0 */
/* The tag array of a slice: a line's tag, its sectors' valid and dirty bits, its MSHR while a fetch is under way; and which line
 * goes when another one comes.
 *
 * `lru`: the least recently used one. `drrip` (Jaleel 2010, sections 4 and 5, with hit priority): a line has a re-reference
 * prediction value of 2 bits. A hit makes it 0; the victim is the first way with 3, and when there is none all values rise
 * until there is one. A line comes in with 2 (SRRIP), or with 3 and only every 32nd time with 2 (BRRIP). Leader sets of both
 * policies duel: a demand miss of a leader moves a selector of 10 bits, one a slice, away from its policy, and all other sets
 * follow the selector. assumption: every set counts its own 32 (one counter for all would let a stream through the sets favour always
 * the same ones); sets lie in groups of 8 (of sets / 32 if that is more: 32 leaders each, as there), the g-th set of group g
 * leads for SRRIP and the one half a group on for BRRIP; one set alone is SRRIP; the selector begins just below its middle,
 * with SRRIP.
 *
 * A pinned line is no victim while its set has an unpinned one (without MSHR); it does not age. When there is none the first
 * way goes.
 *
 * A set may have more tags than room for whole lines (l2_tags_widen): `ways` are then its tags, and lines of fewer bytes share its room.
 * For a line that lacks room the policy names one line after the other. */
#ifndef TANDEM_MEM_L2_TAGS_H
#define TANDEM_MEM_L2_TAGS_H

#include "base/divisor.h"
#include "config/gpu_config.h"

#include <stdbool.h>
#include <stdint.h>

enum { L2_NO_MSHR = 0xffff, L2_NO_WAY = 0xffffffff };
enum { L2_RRPV_LONG = 2, L2_RRPV_DISTANT = 3, L2_PSEL_MAX = 1023, L2_BIMODAL = 32 };
enum l2_line_flag { L2_PINNED = 1, L2_PREFETCHED = 2 /* and not asked for since */ };
enum l2_duel { L2_FOLLOWS, L2_LEADS_SRRIP, L2_LEADS_BRRIP };

struct l2_line {
  uint64_t used; /* lru: of the last lookup, a count; 0: never */
  uint16_t mshr; /* a line with one stays */
  uint8_t valid, dirty;
  uint8_t rrpv, flags; /* enum l2_line_flag */
  uint16_t takes;      /* bytes of its set's room, if that is limited */
};

struct l2_duelist {
  uint8_t leads;   /* enum l2_duel */
  uint8_t bimodal; /* insertions by BRRIP, modulo L2_BIMODAL */
};

struct l2_tags {
  uint32_t sets, ways;
  uint32_t room;  /* bytes of a set; 0: each way has room for any line */
  uint32_t lines; /* that are there */
  struct divisor by_sets;
  uint32_t low, shared; /* bits low..low+shared-1 of a line number are the slice's: the same in all lines here */
  uint64_t uses;
  uint64_t *tag; /* local line number + 1; 0: empty */
  struct l2_line *line;
  struct l2_duelist *duel; /* of each set; NULL: lru */
  uint32_t selector;
};

/* For a slice that has all lines of its channel: `low` and `shared` are 0. */
bool l2_tags_create(struct l2_tags *, uint32_t sets, uint32_t ways, enum l2_replacement);
void l2_tags_destroy(struct l2_tags *);
/* Before any line is there: gives each set so many times the tags, and the room of as many lines of `line_bytes` as it had ways. False: no
 * host memory. */
bool l2_tags_widen(struct l2_tags *, uint32_t times, uint32_t line_bytes, enum l2_replacement);
/* Index of local line number `line`, or L2_NO_WAY. */
uint32_t l2_tags_find(const struct l2_tags *, uint64_t line);
/* Index to put `line` at: an empty way, else a victim without MSHR; L2_NO_WAY: none. Changes nothing. */
uint32_t l2_tags_victim(const struct l2_tags *, uint64_t line);
/* Puts it there, clean, no sector valid. `prefetch`: nobody has asked for it yet; it gets the value 2, and the duel does not
 * count it. */
void l2_tags_fill(struct l2_tags *, uint32_t at, uint64_t line, bool prefetch);
/* Bytes of the room of the set of `line` that lines other than the one at `but` leave; L2_NO_WAY: all lines. */
uint32_t l2_tags_left(const struct l2_tags *, uint64_t line, uint32_t but);
/* Index of the line that leaves the set of `line` next, not the one at `but`; L2_NO_WAY: none has no MSHR. Changes nothing. */
uint32_t l2_tags_leaver(const struct l2_tags *, uint64_t line, uint32_t but);
/* The leaver at `at` goes; its way is empty. */
void l2_tags_empty(struct l2_tags *, uint32_t at);
/* Makes the line the next victim of its set but for empty ways. */
void l2_tags_demote(struct l2_tags *, uint32_t at);
/* True: it was not pinned before. */
bool l2_tags_pin(struct l2_tags *, uint32_t at);
void l2_tags_unpin_all(struct l2_tags *);
static inline uint64_t l2_tags_line(const struct l2_tags *t, uint32_t at) { return t->tag[at] - 1; }
/* A request for the line, not the one that it was put there for. */
static inline void l2_tags_touch(struct l2_tags *t, uint32_t at) {
  t->line[at].used = ++t->uses;
  t->line[at].rrpv = 0;
}

#endif
