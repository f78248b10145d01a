/* SPDX-License-Identifier: Apache-2.0 */
/* Contents of the tables in memory: the atom address map (one entry per page frame) and, per context, the atom status
 * table followed by the attributes of its atoms. Values only; access.c models the timing. */
#include "systems/xmem/agent_internal.h"

#include <stdlib.h>
#include <string.h>

enum { PHYSICAL_BITS = 40, FRAME_BITS = 12, LOCAL_WINDOW_MIB = 256 };

bool storage_create(struct storage *s, const struct gpu_config *m, uint32_t entry_bytes, struct err *e) {
  uint64_t frames = (uint64_t)m->memory_mib << (20 - FRAME_BITS);
  uint64_t used = DEVICE_MEMORY_BASE + ((uint64_t)(m->memory_mib + m->sm_count * LOCAL_WINDOW_MIB) << 20);
  s->aam_base = (UINT64_C(1) << PHYSICAL_BITS) - ((uint64_t)entry_bytes << (PHYSICAL_BITS - FRAME_BITS));
  s->context_base = s->aam_base - (uint64_t)XMEM_CONTEXTS * CONTEXT_BYTES;
  if (used > s->context_base) {
    err_set(
      e, ERR_VALUE,
      "memory.mib = %lld: with local memory it reaches into the last %llu MiB of the 40-bit addresses of the AMU, "
      "where the proposal xmem keeps its atom address map; make it smaller",
      (long long)m->memory_mib, (unsigned long long)(((UINT64_C(1) << PHYSICAL_BITS) - s->context_base) >> 20));
    return false;
  }
  s->first = (DEVICE_MEMORY_BASE >> FRAME_BITS) * entry_bytes;
  s->bytes = frames * entry_bytes;
  s->aam = calloc(s->bytes, 1);
  if (!s->aam)
    err_set(e, ERR_LIMIT, "the host has no memory left for the atom address map of %lld MiB", (long long)m->memory_mib);
  return s->aam != NULL;
}

void storage_destroy(struct storage *s) { free(s->aam); }

static uint8_t read_byte(const struct storage *s, uint64_t address) {
  uint64_t at = address - s->aam_base - s->first;
  if (address >= s->aam_base) return at < s->bytes ? (uint8_t)~s->aam[at] : 0xff;
  at = address - s->context_base;
  return at < sizeof s->contexts ? s->contexts[at / CONTEXT_BYTES][at % CONTEXT_BYTES] : 0;
}

static void write_byte(struct storage *s, uint64_t address, uint8_t value) {
  uint64_t at = address - s->aam_base - s->first;
  if (address >= s->aam_base) {
    if (at < s->bytes) s->aam[at] = (uint8_t)~value;
    return;
  }
  at = address - s->context_base;
  if (address >= s->context_base && at < sizeof s->contexts)
    s->contexts[at / CONTEXT_BYTES][at % CONTEXT_BYTES] = value;
}

uint64_t storage_read(const struct storage *s, uint64_t address, uint32_t bytes) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < bytes; i++) value |= (uint64_t)read_byte(s, address + i) << 8 * i;
  return value;
}

void storage_write(struct storage *s, uint64_t address, uint64_t value, uint32_t strobe) {
  for (uint32_t i = 0; i < 8; i++)
    if (strobe >> i & 1) write_byte(s, address + i, (uint8_t)(value >> 8 * i));
}
