/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/zorua/entries.h"

uint32_t zorua_enter(struct zorua_entries *e, uint16_t sets) {
  uint32_t kept = e->sets & sets, taken = 0;
  for (uint32_t rest = kept; rest; rest &= rest - 1) taken |= 1U << e->of[__builtin_ctz(rest)];
  for (uint32_t rest = sets & ~kept; rest; rest &= rest - 1) {
    uint32_t lowest = ~taken & (taken + 1);
    e->of[__builtin_ctz(rest)] = (uint8_t)__builtin_ctz(lowest);
    taken |= lowest;
  }
  e->sets = sets;
  return taken ? 32 - (uint32_t)__builtin_clz(taken) : 0;
}
