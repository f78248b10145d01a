/* SPDX-License-Identifier: Apache-2.0 */
/* What operations use of an SM's registers and scratchpad (Vijaykumar 2019, figure 28): what an epoch touches, in epochs of
 * zorua.touch cycles and of twice, four and eight times as many; and what holds a value that is read later. */
#ifndef TANDEM_SYSTEMS_ZORUA_TOUCH_H
#define TANDEM_SYSTEMS_ZORUA_TOUCH_H

#include <stdbool.h>
#include <stdint.h>

struct zorua_counters;

enum { ZORUA_TOUCH_WARPS = 64, ZORUA_TOUCH_REGISTERS = 64, ZORUA_TOUCH_WORDS = 16384, ZORUA_TOUCH_LEVELS = 4 };

/* A bit for each register of each warp, and for each word of scratchpad. */
struct zorua_touched {
  uint64_t registers[ZORUA_TOUCH_WARPS], words[ZORUA_TOUCH_WORDS / 64];
};

struct zorua_touch {
  struct zorua_counters *n;
  uint32_t epoch, left; /* cycles; of them, those that the shortest epoch still has */
  uint32_t epochs;      /* shortest ones that have ended */
  struct zorua_touched
    at[ZORUA_TOUCH_LEVELS]; /* in the epoch of each length that runs; of the longer ones, in what has ended of it */
  /* core cycle of the last access that a later read makes a value live from */
  uint64_t register_since[ZORUA_TOUCH_WARPS][ZORUA_TOUCH_REGISTERS], word_since[ZORUA_TOUCH_WORDS];
};

/* `epoch`: core cycles, at least 1. NULL: no memory. free() ends it. */
struct zorua_touch *zorua_touch_make(struct zorua_counters *, uint32_t epoch);
/* Warps start in cycle `now`, with `bytes` of scratchpad from byte `base` on. */
void zorua_touch_start(struct zorua_touch *, uint64_t warps, uint32_t base, uint32_t bytes, uint64_t now);
/* An operation of warp `w` reads and writes registers, bit r: register r. `whole`: in every lane that has not exited; else what the others
 * hold lives on. */
void zorua_touch_registers(struct zorua_touch *, uint32_t w, uint64_t reads, uint64_t writes, bool whole, uint64_t now);
/* A lane reads and writes bytes [address, address + bytes) of the SM's scratchpad; what lies outside of it is no access. */
void zorua_touch_bytes(struct zorua_touch *, uint64_t address, uint32_t bytes, bool reads, bool writes, uint64_t now);
/* So many cycles with a CTA resident have passed, and what was touched in them has been told. */
void zorua_touch_ran(struct zorua_touch *, uint64_t cycles);

#endif
