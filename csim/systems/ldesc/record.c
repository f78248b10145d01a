/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/ldesc/record.h"

#include "base/err.h"

#include <string.h>

/* Offsets in a record. */
enum {
  AT_BASE = 0,
  AT_BYTES = 8,
  AT_ELEMENT = 16,
  AT_VERSION = 18,
  AT_KIND = 19,
  AT_LENGTH = 20,
  AT_DATA = 32,
  AT_CTAS = 44,
  AT_MAP = 50,
  AT_PRIORITY = 51,
  AT_STRIDE = 52
};

static uint64_t little_endian(const uint8_t *p, uint32_t bytes) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < bytes; i++) value |= (uint64_t)p[i] << 8 * i;
  return value;
}

bool ldesc_record_read(const uint8_t p[RECORD_BYTES], struct ldesc_record *r) {
  uint8_t kind = p[AT_KIND];
  *r = (struct ldesc_record){.base = little_endian(p + AT_BASE, 8),
                             .bytes = little_endian(p + AT_BYTES, 8),
                             .element = (uint32_t)little_endian(p + AT_ELEMENT, 2),
                             .type = kind & 3,
                             .sharing = kind >> 2 & 1,
                             .pattern = kind >> 3 & 1,
                             .local = kind >> 4 & 1,
                             .priority = p[AT_PRIORITY],
                             .stride = (uint32_t)little_endian(p + AT_STRIDE, 4)};
  for (int d = 0; d < RECORD_AXES; d++) {
    r->length[d] = (uint32_t)little_endian(p + AT_LENGTH + 4 * d, 4);
    r->data[d] = (uint32_t)little_endian(p + AT_DATA + 4 * d, 4);
    r->ctas[d] = (uint32_t)little_endian(p + AT_CTAS + 2 * d, 2);
    r->map[d] = p[AT_MAP] >> 2 * d & 3;
  }
  return p[AT_VERSION] == RECORD_VERSION;
}

/* ---- checks ---- */

static const char axis_name[RECORD_AXES] = {'x', 'y', 'z'};

/* Ranks are 1, 2, .. without a gap, each once; 0 as often as you like. */
static int check_map(const struct ldesc_record *r, struct err *e) {
  uint32_t seen = 0;
  for (int d = 0; d < RECORD_AXES; d++)
    if (r->map[d] > RECORD_AXES)
      return err_set(e, ERR_VALUE,
                     "the map has rank %u on axis %c; there are 1 to 3, and 0 for an axis that is not walked",
                     r->map[d], axis_name[d]);
  for (int d = 0; d < RECORD_AXES; d++) {
    if (!r->map[d]) continue;
    if (seen >> r->map[d] & 1)
      return err_set(e, ERR_VALUE,
                     "the map {%u, %u, %u} repeats rank %u; give each axis that is walked a rank of its own", r->map[0],
                     r->map[1], r->map[2], r->map[d]);
    seen |= 1U << r->map[d];
  }
  if (seen & (seen + 2)) /* 0, 2, 6, 14: no gap */
    return err_set(e, ERR_VALUE, "the map {%u, %u, %u} leaves out a rank; number the axes that are walked 1, 2, 3",
                   r->map[0], r->map[1], r->map[2]);
  return 0;
}

static int check_tiles(const struct ldesc_record *r, struct err *e) {
  for (int d = 0; d < RECORD_AXES; d++) {
    if (!r->length[d])
      return err_set(e, ERR_VALUE, "the structure has no element along %c; an axis that it does not have has length 1",
                     axis_name[d]);
    if (!r->data[d])
      return err_set(e, ERR_VALUE, "the D-Tile has no element along %c; it has 1 at least", axis_name[d]);
    if (!r->ctas[d]) return err_set(e, ERR_VALUE, "the C-Tile has no CTA along %c; it has 1 at least", axis_name[d]);
    if (r->data[d] > r->length[d])
      return err_set(e, ERR_VALUE, "the D-Tile is larger than the structure: %u elements of %u along %c", r->data[d],
                     r->length[d], axis_name[d]);
  }
  return 0;
}

/* The last row begins inside the structure: lengths in bytes, for instance, end beyond it. */
static int check_length(const struct ldesc_record *r, struct err *e) {
  uint64_t rows, first;
  if (!r->element) return err_set(e, ERR_VALUE, "an element has 0 bytes; it has 1 at least");
  rows = (uint64_t)r->length[1] * r->length[2];
  if (rows > UINT32_MAX || __builtin_mul_overflow((rows - 1) * r->element, (uint64_t)r->length[0], &first) ||
      first >= r->bytes)
    return err_set(
      e, ERR_VALUE,
      "%u x %u x %u elements of %u bytes do not begin in the %llu bytes of the structure; lengths count elements",
      r->length[0], r->length[1], r->length[2], r->element, (unsigned long long)r->bytes);
  return 0;
}

static int check_kind(const struct ldesc_record *r, struct err *e) {
  if (r->type >= RECORD_TYPES)
    return err_set(e, ERR_VALUE,
                   "there is no locality type %u; there are 0 (inter-thread), 1 (intra-thread), 2 (no reuse)", r->type);
  if (r->sharing > SHARING_NEARBY)
    return err_set(e, ERR_VALUE, "there is no sharing type %u; there are 0 (coaccessed) and 1 (nearby)", r->sharing);
  if (r->pattern > PATTERN_IRREGULAR)
    return err_set(e, ERR_VALUE, "there is no access pattern %u; there are 0 (regular) and 1 (irregular)", r->pattern);
  return 0;
}

int ldesc_record_check(const struct ldesc_record *r, struct err *e) {
  int code = check_kind(r, e);
  if (code) return code;
  if (r->local && r->type == TYPE_INTER_THREAD)
    return err_set(e, ERR_VALUE, "local memory is not shared; its type is intra-thread or no reuse");
  if (r->local) return 0;
  if (!r->bytes) return err_set(e, ERR_VALUE, "the structure has 0 bytes");
  if (!code) code = check_tiles(r, e);
  if (!code) code = check_length(r, e);
  if (!code) code = check_map(r, e);
  if (code) return code;
  if (r->pattern == PATTERN_REGULAR && r->type == TYPE_INTER_THREAD && !r->stride)
    return err_set(e, ERR_VALUE,
                   "a regular pattern with a stride of 0 bytes; give the stride, or say that it is irregular");
  return 0;
}

/* ---- the segment ---- */

/* What a module may say: the rest comes at run time. */
static int check_in_module(const struct ldesc_record *r, struct err *e) {
  int code = check_kind(r, e);
  if (!code) code = check_map(r, e);
  if (!code && !r->local && !r->element) code = err_set(e, ERR_VALUE, "an element has 0 bytes; it has 1 at least");
  return code;
}

int ldesc_segment_read(const uint8_t *bytes, size_t size, struct ldesc_segment *s, struct err *e) {
  *s = (struct ldesc_segment){0};
  if (size < RECORD_HEAD_BYTES)
    return err_set(e, ERR_FILE, "the descriptors are cut off: %zu bytes, their head takes %d", size, RECORD_HEAD_BYTES);
  if (memcmp(bytes, "LDSC", 4) != 0)
    return err_set(e, ERR_FILE, "the descriptors do not begin with LDSC; make them with LDESC_TABLE (ldesc.h)");
  s->version = (uint32_t)little_endian(bytes + 4, 2);
  if (s->version != RECORD_SEGMENT_VERSION) return 0;
  s->known = true;
  s->count = (uint32_t)little_endian(bytes + 6, 2);
  s->bytes = bytes + RECORD_HEAD_BYTES;
  size_t want = RECORD_HEAD_BYTES + (size_t)s->count * RECORD_BYTES;
  if (size != want)
    return err_set(e, ERR_FILE, "the descriptors have %zu bytes, %s for the %u that they count (%zu)", size,
                   size < want ? "too few" : "too many", s->count, want);
  for (uint32_t i = 0; i < s->count; i++) {
    struct ldesc_record r;
    if (!ldesc_record_read(s->bytes + (size_t)i * RECORD_BYTES, &r) || !check_in_module(&r, e)) continue;
    err_prefix(e, "descriptor %u", i);
    if (e) e->code = ERR_FILE;
    return ERR_FILE;
  }
  return 0;
}
