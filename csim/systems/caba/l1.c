/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that L1 has compressed (caba.l1_tags). Each load that finds one pays for its decompression again: an assist warp, as for a line that
 * comes, or a cycle of a unit of hardware. assumption: what a store changes L1's image does not have, as no L1 here has what is written. */
#include "base/err.h"
#include "systems/caba/caba_internal.h"

#include <stdlib.h>
#include <string.h>

/* By index of L1's tags. */
struct caba_l1_line {
  uint8_t bytes;           /* of the image; 0: the line is plain */
  uint8_t image[AWS_LINE]; /* where assist warps work */
};

int caba_l1_make(struct caba_sm *s, struct err *e) {
  uint64_t lines = ((uint64_t)s->config->l1_bytes - caba_stores_bytes(s->config)) / AWS_LINE * (uint64_t)s->p->l1_tags;
  if (s->p->l1_tags == 1) return 0;
  s->l1 = calloc(lines + 1, sizeof *s->l1);
  return s->l1 ? 0 : err_set(e, ERR_LIMIT, "the host has no memory left for compressed lines of L1");
}

static uint32_t tags(const struct gpu_config *m) { return (uint32_t)caba_parameters(m)->l1_tags; }

static uint32_t takes(const void *self, uint32_t packed) {
  return caba_room(((const struct caba_sm *)self)->p, packed);
}

static void filled(void *self, uint32_t mshr, uint32_t packed, uint32_t at, uint32_t lines) {
  struct caba_sm *s = self;
  struct caba_l1_line *l = &s->l1[at];
  l->bytes = (uint8_t)packed;
  if (packed && s->awc) memcpy(l->image, caba_agent_image(s->agent, s->index, mshr), AWS_LINE);
  s->n->caba_l1_filled++;
  s->n->caba_l1_lines += lines;
}

static uint32_t hit(void *self, uint32_t at) {
  const struct caba_sm *s = self;
  if (!s->l1[at].bytes) return 0;
  if (caba_assists(s->p)) return s->p->load == CABA_LOAD_DIRECT ? 1 : L1_EXPANDS;
  return s->p->design != CABA_IDEAL_BDI;
}

static void expand(void *self, uint32_t mshr, uint32_t at, uint32_t warp) {
  struct caba_sm *s = self;
  s->n->caba_l1_expanded++;
  caba_fill_found(s, mshr, s->l1[at].image, s->l1[at].bytes, warp);
}

const struct l1_packing caba_l1_packing = {
  .tags = tags, .takes = takes, .filled = filled, .hit = hit, .expand = expand};
