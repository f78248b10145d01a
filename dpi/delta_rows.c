/* SPDX-License-Identifier: Apache-2.0 */
#include "delta_rows.h"

#include <string.h>

enum { MASK_IN_HEAD = 32, GAP_SHIFT = 16, GAP_FAR = 0xffff };

unsigned delta_encode(struct delta_image *image, uint64_t cycle, bool rst_n, const void *in, uint64_t *out,
                      bool *repeat) {
  const uint8_t *bytes = in;
  uint32_t words = image->words;
  uint64_t mask = 0, gap = cycle - image->cycle;
  unsigned n = 1;
  bool far = gap >= GAP_FAR;
  if (far) out[n++] = cycle;
  unsigned mask_at = n;
  if (words > MASK_IN_HEAD) n++;
  for (uint32_t i = 0; i < words; i++) {
    uint64_t word;
    memcpy(&word, bytes + 8 * (size_t)i, 8);
    uint64_t differs = word != image->in[i];
    out[n] = image->in[i] = word; /* written even where it stays: a store costs less than a wrong guess */
    n += (unsigned)differs;
    mask |= differs << i;
  }
  *repeat = !mask && gap == 1 && image->rst_n == (uint32_t)rst_n;
  if (words > MASK_IN_HEAD) out[mask_at] = mask;
  out[0] =
    1 | (uint64_t)rst_n << 1 | (far ? GAP_FAR : gap) << GAP_SHIFT | (words > MASK_IN_HEAD ? 0 : mask << MASK_IN_HEAD);
  image->cycle = cycle;
  image->rst_n = rst_n;
  return n;
}

size_t delta_decode(struct delta_image *image, const uint64_t *at, const uint64_t *end, uint32_t *repeats) {
  const uint64_t *p = at;
  if (p >= end || !(*p & 1)) return 0;
  uint64_t head = *p++, gap = head >> GAP_SHIFT & GAP_FAR, mask = head >> MASK_IN_HEAD;
  uint64_t cycle = image->cycle + gap;
  if (gap == GAP_FAR) {
    if (p >= end) return 0;
    cycle = *p++;
  }
  if (image->words > MASK_IN_HEAD) {
    if (p >= end || mask) return 0;
    mask = *p++;
  }
  if (image->words < DELTA_WORDS_MAX && mask >> image->words) return 0;
  for (; mask; mask &= mask - 1) {
    if (p == end) return 0;
    image->in[__builtin_ctzll(mask)] = *p++;
  }
  image->cycle = cycle;
  image->rst_n = (uint32_t)(head >> 1) & 1;
  *repeats = delta_repeats(head);
  return (size_t)(p - at);
}
