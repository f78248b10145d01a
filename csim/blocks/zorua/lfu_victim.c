/* SPDX-License-Identifier: Apache-2.0 */
/* Which set of a resource is spilled: the least frequently used one (Vijaykumar 2019, 4.4.3; assumption: counters of 4 bits that saturate and
 * are halved at the end of each epoch, preference, ties, ports and cycle behaviour). The header of rtl/zorua/lfu_victim.v states the
 * contract of the ports. The counters are kept bit by bit, so that 32 sets are handled at once. */
#include "block/block.h"
#include "lfu_victim_ports.h"

enum { WORD = 32, WORDS = 512 / WORD };

struct lfu_victim_state {
  uint32_t ones[WORDS], twos[WORDS], fours[WORDS], eights[WORDS]; /* a bit a set */
  uint16_t epoch;                                                 /* cycles of this epoch so far */
};

static void lfu_victim_reset(const struct lfu_victim_cfg *cfg, struct lfu_victim_state *s) {
  (void)cfg;
  for (uint32_t w = 0; w < WORDS; w++) s->ones[w] = s->twos[w] = s->fours[w] = s->eights[w] = 0;
  s->epoch = 0;
}

static uint32_t words_of(const struct lfu_victim_cfg *cfg) { return ((uint32_t)cfg->N + WORD - 1) / WORD; }

/* Leaves the sets of `left` whose bit of `plane` is 0, if there are any. Returns the bit that all have which are left. */
static uint32_t keep_lower(uint32_t words, const uint32_t plane[WORDS], uint32_t left[WORDS]) {
  uint32_t some = 0;
  for (uint32_t w = 0; w < words; w++) some |= left[w] & ~plane[w];
  if (!some) return 1;
  for (uint32_t w = 0; w < words; w++) left[w] &= ~plane[w];
  return 0;
}

static void lfu_victim_eval(const struct lfu_victim_cfg *cfg, const struct lfu_victim_state *s,
                            const struct lfu_victim_in *in, struct lfu_victim_out *out) {
  uint32_t left[WORDS], words = words_of(cfg), any = 0, some = 0, uses = 0;
  out->valid = out->set = out->uses = out->busy = 0;
  for (uint32_t w = 0; w < words; w++) any |= in->may[w];
  if (!any) return;
  for (uint32_t w = 0; w < words; w++) some |= in->may[w] & in->prefer[w];
  for (uint32_t w = 0; w < words; w++) left[w] = some ? in->may[w] & in->prefer[w] : in->may[w];
  uses = keep_lower(words, s->eights, left);
  uses = uses * 2 + keep_lower(words, s->fours, left);
  uses = uses * 2 + keep_lower(words, s->twos, left);
  uses = uses * 2 + keep_lower(words, s->ones, left);
  for (uint32_t w = 0; w < words && !out->valid; w++) {
    if (!left[w]) continue;
    out->valid = 1;
    out->set = (uint16_t)(w * WORD + (uint32_t)__builtin_ctz(left[w]));
    out->uses = (uint8_t)uses;
  }
}

static void lfu_victim_tick(const struct lfu_victim_cfg *cfg, struct lfu_victim_state *s,
                            const struct lfu_victim_in *in, const struct lfu_victim_out *out) {
  uint32_t epoch = (uint32_t)cfg->EPOCH, fresh = (uint32_t)cfg->FRESH;
  uint32_t sum = s->epoch + (in->run > epoch ? epoch : in->run), words = words_of(cfg);
  bool ends = sum >= epoch;
  (void)out;
  s->epoch = (uint16_t)(ends ? sum - epoch : sum);
  for (uint32_t w = 0; w < words; w++) {
    uint32_t one = ends ? s->twos[w] : s->ones[w], two = ends ? s->fours[w] : s->twos[w];
    uint32_t four = ends ? s->eights[w] : s->fours[w], eight = ends ? 0 : s->eights[w];
    uint32_t up = in->touch[w] & ~(one & two & four & eight);
    s->ones[w] = one ^ up;
    up &= one;
    s->twos[w] = two ^ up;
    up &= two;
    s->fours[w] = four ^ up;
    up &= four;
    s->eights[w] = eight ^ up;
  }
  if (!in->new_en || in->new_set >= cfg->N) return;
  uint32_t w = in->new_set / WORD, bit = in->new_set % WORD;
  s->ones[w] = (s->ones[w] & ~(1U << bit)) | (fresh & 1) << bit;
  s->twos[w] = (s->twos[w] & ~(1U << bit)) | (fresh >> 1 & 1) << bit;
  s->fours[w] = (s->fours[w] & ~(1U << bit)) | (fresh >> 2 & 1) << bit;
  s->eights[w] = (s->eights[w] & ~(1U << bit)) | (fresh >> 3 & 1) << bit;
}

#include "lfu_victim_model.inc"
