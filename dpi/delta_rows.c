/* SPDX-License-Identifier: Apache-2.0 */
#include "delta_rows.h"

#include <string.h>

size_t delta_decode(struct delta_image *image, const uint64_t *at, const uint64_t *end, uint32_t *repeats) {
  const uint64_t *p = at;
  if (p >= end || !(*p & 1)) return 0;
  uint64_t head = *p++, gap = head >> DELTA_GAP_SHIFT & DELTA_GAP_FAR, mask = head >> DELTA_MASK_IN_HEAD;
  uint64_t cycle = image->cycle + gap;
  if (gap == DELTA_GAP_FAR) {
    if (p >= end) return 0;
    cycle = *p++;
  }
  if (image->words > DELTA_MASK_IN_HEAD) {
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
