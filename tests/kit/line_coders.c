/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/line_coders.h"

#include <stdbool.h>
#include <string.h>

enum { MOST = 96 };

static int32_t word_at(const uint8_t *line, int i) {
  const uint8_t *b = line + 4 * i;
  return (int32_t)((uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24);
}

/* ---- frequent patterns ---- */

/* The bytes that a word leaves by this pattern, in `out`; -1: the pattern does not fit. */
static int pattern_bytes(const uint8_t *b, int32_t word, int pattern, uint8_t *out) {
  switch (pattern) {
    case 0: return word == 0 ? 0 : -1;
    case 2: out[0] = b[0]; return word >= -128 && word <= 127 ? 1 : -1;
    case 3: memcpy(out, b, 2); return word >= -32768 && word <= 32767 ? 2 : -1;
    case 4: memcpy(out, b + 2, 2); return !b[0] && !b[1] ? 2 : -1;
    case 5: {
      int16_t low = (int16_t)(b[0] | b[1] << 8), high = (int16_t)(b[2] | b[3] << 8);
      out[0] = b[0], out[1] = b[2];
      return low >= -128 && low <= 127 && high >= -128 && high <= 127 ? 2 : -1;
    }
    case 6: out[0] = b[0]; return b[0] == b[1] && b[1] == b[2] && b[2] == b[3] ? 1 : -1;
    default: memcpy(out, b, 4); return 4;
  }
}

uint32_t fpc_image(const uint8_t line[128], uint8_t image[128]) {
  static const int order[] = {0, 2, 6, 3, 4, 5, 7};
  uint8_t made[4 + 4 * 32] = {0x20};
  uint32_t at = 4, prefixes = 0;
  for (int s = 0; s < 4; s++) {
    for (int k = 0; k < 7; k++) {
      uint32_t end = at;
      bool fits = true;
      for (int i = 8 * s; i < 8 * s + 8 && fits; i++) {
        int bytes = pattern_bytes(line + 4 * i, word_at(line, i), order[k], made + end);
        fits = bytes >= 0;
        if (fits) end += (uint32_t)bytes;
      }
      if (!fits) continue;
      at = end;
      prefixes |= (uint32_t)order[k] << 3 * s;
      break;
    }
  }
  made[2] = (uint8_t)prefixes, made[3] = (uint8_t)(prefixes >> 8);
  if (at > MOST) return 0;
  memcpy(image, made, at);
  return at;
}

/* ---- a dictionary ---- */

uint32_t c_pack_image(const uint8_t line[128], uint8_t image[128]) {
  uint32_t dictionary[4] = {0}, words = 0, plane[3] = {0};
  bool part = false;
  memset(image, 0, 64);
  for (int i = 0; i < 32; i++) {
    uint32_t word = (uint32_t)word_at(line, i), code = 0, base = 0;
    if (word >> 8) {
      for (code = 1; code <= words; code++)
        if (dictionary[code - 1] >> 8 == word >> 8) break;
      if (code > 4) return 0;
      if (code > words) dictionary[words++] = word;
      base = dictionary[code - 1];
    }
    part |= word != base;
    for (int k = 0; k < 3; k++) plane[k] |= (code >> k & 1) << i;
    image[32 + i] = line[4 * i];
  }
  image[0] = part ? 0x31 : 0x30;
  image[1] = (uint8_t)words;
  for (int k = 0; k < 12; k++) image[4 + k] = (uint8_t)(plane[k / 4] >> 8 * (k % 4));
  for (int k = 0; k < 16; k++) image[16 + k] = (uint8_t)(dictionary[k / 4] >> 8 * (k % 4));
  return part ? 64 : 32;
}
