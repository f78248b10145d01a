/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of caba_aws: routines are loaded word by word and entered in the directory, then read through, two words at a time or from any
 * place, while others are loaded; reads beyond a routine's end, of routines that are not there, and of words that were not loaded. */
#include "block/block_drive.h"
#include "caba_aws_ports.h"

enum { ROUTINES_MAX = 32 };

struct caba_aws_drive_state {
  uint32_t left, loads, enters, reads; /* cycles of this phase; percent */
  uint32_t at;                         /* word that is loaded next */
  uint32_t sr, inst;                   /* of the next read in order */
  uint32_t len[ROUTINES_MAX];
};

static void draw_row(const struct caba_aws_cfg *cfg, struct rng *rng, struct caba_aws_drive_state *s,
                     struct caba_aws_in *in) {
  uint32_t words = (uint32_t)cfg->WORDS, routines = (uint32_t)cfg->ROUTINES, longest = words < 255 ? words : 255;
  uint32_t len = 1 + rng_below(rng, rng_below(rng, 4) ? (longest < 20 ? longest : 20) : longest);
  if (rng_below(rng, 16) == 0) len = 0;
  in->dir_sr = (uint8_t)rng_below(rng, routines);
  if (rng_below(rng, 32) == 0) in->dir_sr = (uint8_t)rng_below(rng, 1U << block_bits(routines));
  in->dir_base = (uint16_t)rng_below(rng, rng_below(rng, 8) ? words - len + 1 : words);
  if (in->dir_base == words) in->dir_base = 0;
  in->dir_len = (uint8_t)len;
  s->len[in->dir_sr] = len;
}

static void draw_read(const struct caba_aws_cfg *cfg, struct rng *rng, struct caba_aws_drive_state *s,
                      struct caba_aws_in *in) {
  uint32_t routines = (uint32_t)cfg->ROUTINES;
  if (s->inst >= s->len[s->sr] || rng_below(rng, 16) == 0) {
    s->sr = rng_below(rng, rng_below(rng, 16) ? routines : 1U << block_bits(routines));
    s->inst = rng_below(rng, 4) ? 0 : rng_below(rng, s->len[s->sr] + 2);
  }
  in->rd_sr = (uint8_t)s->sr;
  in->rd_inst = (uint8_t)s->inst;
  s->inst += rng_below(rng, 8) ? 2 : 1;
}

static void caba_aws_drive(const struct caba_aws_cfg *cfg, struct rng *rng, struct caba_aws_drive_state *s,
                           const struct caba_aws_out *last, struct caba_aws_in *in) {
  static const uint8_t rates[] = {0, 10, 50, 90, 100};
  (void)last;
  if (s->left == 0) {
    s->left = 1 + rng_below(rng, 600);
    s->loads = rates[rng_below(rng, sizeof rates)];
    s->enters = rates[rng_below(rng, 3)];
    s->reads = rates[rng_below(rng, sizeof rates)];
  }
  s->left--;
  in->clear_en = rng_below(rng, 3000) == 0;
  in->ld_en = rng_percent(rng, s->loads);
  in->ld_at = (uint16_t)s->at;
  in->ld_word = in->ld_en ? rng_u64(rng) : 0;
  if (in->ld_en) s->at = rng_below(rng, 64) ? (s->at + 1) % (uint32_t)cfg->WORDS : rng_below(rng, (uint32_t)cfg->WORDS);
  in->dir_en = rng_percent(rng, s->enters);
  in->dir_sr = in->dir_len = 0;
  in->dir_base = 0;
  if (in->dir_en) draw_row(cfg, rng, s, in);
  in->rd_en = rng_percent(rng, s->reads);
  in->rd_sr = in->rd_inst = 0;
  if (in->rd_en) draw_read(cfg, rng, s, in);
}

BLOCK_DRIVER(caba_aws);
