/* SPDX-License-Identifier: Apache-2.0 */
/* The one format in which executed cycles of an instance are kept: each row holds only those 64-bit words of the inputs that
 * differ from the row before. The recorder of divergences and the flight recorder share the rows.
 *
 * A row is a head, then, where the head says so, the cycle, then, with more than 32 words of inputs, a mask, then the words that
 * changed, lowest first. Head: bit 0 is 1, bit 1 is rst_n, bits 2-15 the number of further cycles that equal this one, bits 16-31 the
 * distance to the cycle before (0xffff: the cycle follows as a word), bits 32-63 the mask, if there are at most 32 words. */
#ifndef TANDEM_DPI_DELTA_ROWS_H
#define TANDEM_DPI_DELTA_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
  DELTA_WORDS_MAX = 64,                  /* of inputs */
  DELTA_ROW_WORDS = DELTA_WORDS_MAX + 3, /* the longest row */
  DELTA_REPEATS_MAX = (1 << 14) - 1,     /* cycles that a row holds besides its first */
  DELTA_MASK_IN_HEAD = 32,               /* so many words have their mask in the head */
  DELTA_GAP_SHIFT = 16,
  DELTA_GAP_FAR = 0xffff,
};
#define DELTA_REPEAT (UINT64_C(1) << 2) /* added to a head: one more equal cycle */

/* The cycle before a row: what the row is relative to. All zero before the first. */
struct delta_image {
  uint64_t cycle;
  uint32_t words; /* of inputs, in_bytes / 8 rounded up */
  uint32_t rst_n;
  uint64_t in[DELTA_WORDS_MAX];
};

/* Writes the row of a cycle to `out` (room for DELTA_ROW_WORDS) and makes it the image. `in` is readable in whole words. Returns its
 * words. *repeat: the cycle follows the image's directly and equals it, so that one more repeat of the last row serves, too. */
static inline unsigned delta_encode(struct delta_image *image, uint64_t cycle, bool rst_n, const void *in,
                                    uint64_t *out, bool *repeat) {
  const uint8_t *bytes = in;
  uint32_t words = image->words;
  uint64_t mask = 0, gap = cycle - image->cycle;
  unsigned n = 1;
  bool far = gap >= DELTA_GAP_FAR;
  if (far) out[n++] = cycle;
  unsigned mask_at = n;
  if (words > DELTA_MASK_IN_HEAD) n++;
  for (uint32_t i = 0; i < words; i++) {
    uint64_t word;
    memcpy(&word, bytes + 8 * (size_t)i, 8);
    uint64_t differs = word != image->in[i];
    out[n] = image->in[i] = word; /* written even where it stays: a store costs less than a wrong guess */
    n += (unsigned)differs;
    mask |= differs << i;
  }
  *repeat = !mask && gap == 1 && image->rst_n == (uint32_t)rst_n;
  if (words > DELTA_MASK_IN_HEAD) out[mask_at] = mask;
  out[0] = 1 | (uint64_t)rst_n << 1 | (far ? DELTA_GAP_FAR : gap) << DELTA_GAP_SHIFT |
           (words > DELTA_MASK_IN_HEAD ? 0 : mask << DELTA_MASK_IN_HEAD);
  image->cycle = cycle;
  image->rst_n = rst_n;
  return n;
}

/* Reads the row at `at`, of which no word is at `end` or beyond, into the image, whose cycle becomes the row's first. Returns its words;
 * 0: that is no row, and the image is of no use any more. */
size_t delta_decode(struct delta_image *, const uint64_t *at, const uint64_t *end, uint32_t *repeats);

/* Further equal cycles that a head stands for. */
static inline uint32_t delta_repeats(uint64_t head) { return (uint32_t)(head >> 2) & DELTA_REPEATS_MAX; }

#endif
