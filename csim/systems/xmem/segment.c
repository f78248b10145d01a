/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/xmem/segment.h"

#include "base/err.h"
#include "systems/xmem/xmem.h"

#include <string.h>

static uint64_t little_endian(const uint8_t *p, uint32_t bytes) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < bytes; i++) value |= (uint64_t)p[i] << 8 * i;
  return value;
}

struct xmem_attributes xmem_attributes_of(const uint8_t record[XMEM_ATOM_BYTES]) {
  return (struct xmem_attributes){.data = little_endian(record, 8),
                                  .pattern = record[8],
                                  .stride = (int32_t)little_endian(record + 9, 4),
                                  .rw = record[13],
                                  .intensity = record[14],
                                  .reuse = record[15]};
}

enum { RW_CODES = 3, PATTERNS = 3 };

static int check_record(uint32_t number, const uint8_t *record, struct err *e) {
  struct xmem_attributes a = xmem_attributes_of(record);
  if (record[ATOM_VERSION_AT] != ATOM_RECORD_VERSION) return 0;
  if (a.pattern >= PATTERNS)
    return err_set(e, ERR_FILE, "atom %u of the atom segment has access pattern %u; there are 0 to 2", number,
                   a.pattern);
  if (a.rw >= RW_CODES)
    return err_set(e, ERR_FILE, "atom %u of the atom segment has read/write character %u; there are 0 to 2", number,
                   a.rw);
  return 0;
}

int atom_segment_read(const uint8_t *bytes, size_t size, struct atom_segment *s, struct err *e) {
  *s = (struct atom_segment){0};
  if (size < ATOM_HEAD_BYTES)
    return err_set(e, ERR_FILE, "the atom segment is cut off: %zu bytes, its head takes %d", size, ATOM_HEAD_BYTES);
  if (memcmp(bytes, "XMEM", 4) != 0)
    return err_set(e, ERR_FILE, "the atom segment does not begin with XMEM; make it with XMEM_ATOM_TABLE (xmem.h)");
  s->version = (uint32_t)(bytes[4] | bytes[5] << 8);
  if (s->version != ATOM_SEGMENT_VERSION) return 0;
  s->known = true;
  s->count = (uint32_t)(bytes[6] | bytes[7] << 8);
  s->records = bytes + ATOM_HEAD_BYTES;
  size_t want = ATOM_HEAD_BYTES + (size_t)s->count * XMEM_ATOM_BYTES;
  if (size != want)
    return err_set(e, ERR_FILE, "the atom segment has %zu bytes, %s for the %u atoms it counts (%zu)", size,
                   size < want ? "too few" : "too many", s->count, want);
  for (uint32_t i = 0; i < s->count; i++) {
    int code = check_record(i, s->records + (size_t)i * XMEM_ATOM_BYTES, e);
    if (code) return code;
  }
  return 0;
}
