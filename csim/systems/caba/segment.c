/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/caba/segment.h"

#include "base/err.h"

#include <string.h>

enum { PADDING = 4 }; /* behind the text: its 0, and what aligns the variable's end */

static uint32_t little_endian(const uint8_t *p, uint32_t bytes) {
  uint32_t value = 0;
  for (uint32_t i = 0; i < bytes; i++) value |= (uint32_t)p[i] << 8 * i;
  return value;
}

/* A routine decides what memory holds, so that a version that is unknown here is refused, not passed over. */
int routine_segment_read(const uint8_t *bytes, size_t size, struct routine_segment *s, struct err *e) {
  *s = (struct routine_segment){0};
  if (size < ROUTINE_HEAD_BYTES)
    return err_set(e, ERR_FILE, "the routines are cut off: %zu bytes, their head takes %d", size, ROUTINE_HEAD_BYTES);
  if (memcmp(bytes, "CABA", 4) != 0)
    return err_set(e, ERR_FILE, "the routines do not begin with CABA; make them with CABA_ROUTINES (caba.h)");
  uint32_t version = little_endian(bytes + 4, 2), zero = little_endian(bytes + 6, 2);
  if (version != ROUTINE_SEGMENT_VERSION || zero)
    return err_set(e, ERR_FILE, "the routines are of version %u.%u, which is unknown here (%d.0 is known)", version,
                   zero, ROUTINE_SEGMENT_VERSION);
  size_t length = little_endian(bytes + 8, 4), left = size - ROUTINE_HEAD_BYTES;
  if (left < length || left > length + PADDING)
    return err_set(e, ERR_FILE, "the routines have %zu bytes of text, too %s for the %zu that they count", left,
                   left < length ? "few" : "many", length);
  const void *zeros = memchr(bytes + ROUTINE_HEAD_BYTES, 0, length);
  if (zeros) return err_set(e, ERR_FILE, "the text of the routines has a byte of 0");
  s->text = (const char *)bytes + ROUTINE_HEAD_BYTES;
  s->length = length;
  return 0;
}
