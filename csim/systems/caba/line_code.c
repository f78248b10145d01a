/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/caba/line_code.h"

#include "base/err.h"
#include "systems/caba/tables.h"

#include <string.h>

enum caba_algorithm caba_algorithm_of(const struct caba_parameters *p) {
  return p->design == CABA_CABA_FPC ? CABA_FPC : p->design == CABA_CABA_C_PACK ? CABA_C_PACK : CABA_BDI;
}

int caba_line_code_make(struct caba_line_code *c, const struct caba_parameters *p, struct err *e) {
  memset(c, 0, sizeof *c);
  c->algorithm = caba_algorithm_of(p);
  c->coder = (struct caba_coder){p->base == CABA_BASE_FIRST, (uint32_t)p->most};
  return caba_load_algorithm(c->algorithm, &c->store, e);
}

static void call(struct caba_line_code *c, const struct aws_routine *r, uint8_t line[CABA_LINE]) {
  uint32_t executed[AWS_UNITS] = {0};
  assist_begin(&c->warp, UINT32_MAX, line, 0);
  assist_run(&c->warp, &c->store.word[r->base], r->words, executed);
  invariant(!c->warp.fault, "the routine '%s' %s", r->name, assist_fault_sentence(c->warp.fault));
}

uint32_t caba_pack(struct caba_line_code *c, const uint8_t line[CABA_LINE], uint8_t image[CABA_LINE]) {
  const struct aws_routine *r = c->store.routine;
  if (c->algorithm == CABA_BDI) return caba_encode(&c->coder, line, image);
  while (r->event != AWS_STORE) r++;
  memcpy(image, line, CABA_LINE);
  call(c, r, image);
  if (c->warp.length) return c->warp.length;
  memcpy(image, line, CABA_LINE);
  return CABA_LINE;
}

void caba_unpack(struct caba_line_code *c, const uint8_t image[CABA_LINE], uint32_t bytes, uint8_t line[CABA_LINE]) {
  if (c->algorithm == CABA_BDI || bytes == CABA_LINE) {
    caba_decode(image, bytes, line);
    return;
  }
  memcpy(line, image, CABA_LINE);
  const struct aws_routine *r = caba_routine_for(&c->store, AWS_FILL, image[0]);
  invariant(r, "no routine decompresses images that begin with %u", image[0]);
  call(c, r, line);
}
