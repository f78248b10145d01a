/* SPDX-License-Identifier: Apache-2.0 */
/* The assist warp store: the instructions of every routine, and where each lies (Vijaykumar 2019, 5.3.3; assumption: sizes, directory,
 * ports and cycle behaviour). The header of rtl/caba/caba_aws.v states the contract of the ports. */
#include "block/block.h"
#include "caba_aws_ports.h"

enum { HALF_MAX = 256, ROUTINES_MAX = 32, WORD = 32 };

struct caba_aws_state {
  uint64_t even[HALF_MAX], odd[HALF_MAX]; /* words 2r and 2r + 1 */
  uint64_t word0, word1;                  /* on the outputs */
  uint32_t even_there[HALF_MAX / WORD], odd_there[HALF_MAX / WORD];
  uint32_t there; /* routines of the directory */
  uint16_t base[ROUTINES_MAX];
  uint8_t len[ROUTINES_MAX];
  uint8_t one, two, last; /* the first word is there; the second; the routine's last is one of them */
};

static void caba_aws_reset(const struct caba_aws_cfg *cfg, struct caba_aws_state *s) {
  (void)cfg;
  for (uint32_t w = 0; w < HALF_MAX / WORD; w++) s->even_there[w] = s->odd_there[w] = 0;
  s->there = 0;
  s->one = s->two = s->last = 0;
}

static void caba_aws_eval(const struct caba_aws_cfg *cfg, const struct caba_aws_state *s, const struct caba_aws_in *in,
                          struct caba_aws_out *out) {
  (void)cfg;
  (void)in;
  out->n = s->two ? 2 : s->one;
  out->last = s->last;
  out->word0 = s->one ? s->word0 : 0;
  out->word1 = s->two ? s->word1 : 0;
  out->busy = s->one;
}

static uint64_t word_of(const uint64_t *bank, const uint32_t *there, uint32_t row) {
  return there[row / WORD] >> row % WORD & 1 ? bank[row] : 0;
}

static void take_read(const struct caba_aws_cfg *cfg, struct caba_aws_state *s, const struct caba_aws_in *in) {
  bool there = in->rd_en && in->rd_sr < cfg->ROUTINES && s->there >> in->rd_sr & 1;
  uint32_t len = there ? s->len[in->rd_sr] : 0, left = len > in->rd_inst ? len - in->rd_inst : 0;
  s->one = left > 0;
  s->two = left > 1;
  s->last = left == 1 || left == 2;
  if (!left) return;
  uint32_t first = (s->base[in->rd_sr] + in->rd_inst) & ((uint32_t)cfg->WORDS - 1);
  uint32_t second = (first + 1) & ((uint32_t)cfg->WORDS - 1);
  uint64_t even = word_of(s->even, s->even_there, second / 2), odd = word_of(s->odd, s->odd_there, first / 2);
  s->word0 = first & 1 ? odd : even;
  s->word1 = first & 1 ? even : odd;
}

static void load(const struct caba_aws_cfg *cfg, struct caba_aws_state *s, const struct caba_aws_in *in) {
  uint32_t row = in->ld_at / 2U, bit = 1U << row % WORD;
  if (in->clear_en) {
    for (uint32_t w = 0; w < HALF_MAX / WORD; w++) s->even_there[w] = s->odd_there[w] = 0;
    s->there = 0;
  }
  if (in->ld_en && in->ld_at & 1) {
    s->odd[row] = in->ld_word;
    s->odd_there[row / WORD] |= bit;
  } else if (in->ld_en) {
    s->even[row] = in->ld_word;
    s->even_there[row / WORD] |= bit;
  }
  if (!in->dir_en || in->dir_sr >= cfg->ROUTINES) return;
  s->base[in->dir_sr] = in->dir_base;
  s->len[in->dir_sr] = in->dir_len;
  s->there = (s->there & ~(1U << in->dir_sr)) | (uint32_t)(in->dir_len != 0) << in->dir_sr;
}

static void caba_aws_tick(const struct caba_aws_cfg *cfg, struct caba_aws_state *s, const struct caba_aws_in *in,
                          const struct caba_aws_out *out) {
  (void)out;
  take_read(cfg, s, in);
  load(cfg, s, in);
}

#include "caba_aws_model.inc"
