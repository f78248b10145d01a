/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/caba/line_code.h"

#include "base/err.h"
#include "systems/caba/tables.h"

#include <string.h>

bool caba_uses(const struct caba_parameters *p, enum caba_algorithm a) {
  static const uint8_t design[CABA_N_ALGORITHMS] = {
    [CABA_BDI] = CABA_CABA_BDI, [CABA_FPC] = CABA_CABA_FPC, [CABA_C_PACK] = CABA_CABA_C_PACK};
  return p->design == design[a] || p->design == CABA_CABA_BEST;
}

int caba_load_routines(const struct caba_parameters *p, struct aws_store *store, struct err *e) {
  int rc = 0;
  for (enum caba_algorithm a = 0; a < CABA_N_ALGORITHMS && !rc; a++)
    if (caba_uses(p, a)) rc = caba_load_algorithm(a, store, e);
  return rc;
}

int caba_line_code_make(struct caba_line_code *c, const struct caba_parameters *p, struct err *e) {
  memset(c, 0, sizeof *c);
  for (enum caba_algorithm a = 0; a < CABA_N_ALGORITHMS; a++) c->uses[a] = caba_uses(p, a);
  c->coder = (struct caba_coder){p->base == CABA_BASE_FIRST, (uint32_t)p->most};
  return caba_load_routines(p, &c->store, e);
}

static void call(struct caba_line_code *c, const struct aws_routine *r, uint8_t line[CABA_LINE]) {
  uint32_t executed[AWS_UNITS] = {0};
  assist_begin(&c->warp, UINT32_MAX, line, 0);
  assist_run(&c->warp, &c->store.word[r->base], r->words, executed);
  invariant(!c->warp.fault, "the routine '%s' %s", r->name, assist_fault_sentence(c->warp.fault));
}

/* By one algorithm; CABA_LINE: no code fits. */
static uint32_t pack_by(struct caba_line_code *c, enum caba_algorithm a, const uint8_t line[CABA_LINE],
                        uint8_t image[CABA_LINE]) {
  if (a == CABA_BDI) return caba_encode(&c->coder, line, image);
  const struct aws_routine *r = caba_routine_for(&c->store, AWS_STORE, caba_first_byte(a));
  memcpy(image, line, CABA_LINE);
  call(c, r, image);
  return c->warp.length ? c->warp.length : CABA_LINE;
}

uint32_t caba_pack(struct caba_line_code *c, const uint8_t line[CABA_LINE], uint8_t image[CABA_LINE]) {
  uint8_t one[CABA_LINE];
  uint32_t best = CABA_LINE;
  memcpy(image, line, CABA_LINE);
  for (enum caba_algorithm a = 0; a < CABA_N_ALGORITHMS; a++) {
    uint32_t bytes = c->uses[a] ? pack_by(c, a, line, one) : CABA_LINE;
    if (bytes >= best) continue;
    best = bytes;
    memcpy(image, one, CABA_LINE);
  }
  return best;
}

void caba_unpack(struct caba_line_code *c, const uint8_t image[CABA_LINE], uint32_t bytes, uint8_t line[CABA_LINE]) {
  if (bytes == CABA_LINE || image[0] >> 4 == caba_first_byte(CABA_BDI) >> 4) {
    caba_decode(image, bytes, line);
    return;
  }
  memcpy(line, image, CABA_LINE);
  const struct aws_routine *r = caba_routine_for(&c->store, AWS_FILL, image[0]);
  invariant(r, "no routine decompresses images that begin with %u", image[0]);
  call(c, r, line);
}
