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
  c->program = p->design == CABA_CABA_PROGRAM;
  return caba_load_routines(p, &c->store, e);
}

/* False: the routine breaks a rule; one of the program alone does. */
static bool call(struct caba_line_code *c, const struct aws_routine *r, uint8_t line[CABA_LINE]) {
  uint32_t executed[AWS_UNITS] = {0};
  assist_begin(&c->warp, UINT32_MAX, line, 0);
  assist_run(&c->warp, &c->store.word[r->base], r->words, executed);
  invariant(!c->warp.fault || c->program, "the routine '%s' %s", r->name, assist_fault_sentence(c->warp.fault));
  return !c->warp.fault;
}

/* By one routine; CABA_LINE: no code fits. */
static uint32_t pack_with(struct caba_line_code *c, const struct aws_routine *r, const uint8_t line[CABA_LINE],
                          uint8_t image[CABA_LINE]) {
  uint8_t again[CABA_LINE];
  memcpy(image, line, CABA_LINE);
  bool right = call(c, r, image);
  uint32_t length = c->warp.length;
  if (right && !length) return CABA_LINE;
  if (!c->program) return length;
  if (right && caba_unpack(c, image, length, again) && !memcmp(again, line, CABA_LINE)) return length;
  c->wrong = (uint32_t)(r - c->store.routine) + 1;
  return CABA_LINE;
}

static uint32_t pack_by(struct caba_line_code *c, enum caba_algorithm a, const uint8_t line[CABA_LINE],
                        uint8_t image[CABA_LINE]) {
  if (a == CABA_BDI) return caba_encode(&c->coder, line, image);
  return pack_with(c, caba_routine_for(&c->store, AWS_STORE, caba_first_byte(a)), line, image);
}

/* The image of the program's routine with the shortest one, the first of equal ones; and the routine. */
static uint32_t pack_by_program(struct caba_line_code *c, const uint8_t line[CABA_LINE], uint8_t image[CABA_LINE],
                                uint32_t *routine) {
  uint8_t one[CABA_LINE];
  uint32_t best = CABA_LINE;
  for (uint32_t k = 0; k < c->store.n_routines; k++) {
    if (c->store.routine[k].event != AWS_STORE) continue;
    uint32_t bytes = pack_with(c, &c->store.routine[k], line, one);
    if (bytes >= best) continue;
    best = bytes;
    *routine = k;
    memcpy(image, one, CABA_LINE);
  }
  return best;
}

uint32_t caba_pack(struct caba_line_code *c, const uint8_t line[CABA_LINE], uint8_t image[CABA_LINE]) {
  uint8_t one[CABA_LINE];
  uint32_t best = CABA_LINE, routine;
  memcpy(image, line, CABA_LINE);
  if (c->program) return pack_by_program(c, line, image, &routine);
  for (enum caba_algorithm a = 0; a < CABA_N_ALGORITHMS; a++) {
    uint32_t bytes = c->uses[a] ? pack_by(c, a, line, one) : CABA_LINE;
    if (bytes >= best) continue;
    best = bytes;
    memcpy(image, one, CABA_LINE);
  }
  return best;
}

bool caba_unpack(struct caba_line_code *c, const uint8_t image[CABA_LINE], uint32_t bytes, uint8_t line[CABA_LINE]) {
  if (bytes == CABA_LINE || (!c->program && image[0] >> 4 == caba_first_byte(CABA_BDI) >> 4)) {
    caba_decode(image, bytes, line);
    return true;
  }
  memcpy(line, image, CABA_LINE);
  const struct aws_routine *r = caba_routine_for(&c->store, AWS_FILL, image[0]);
  invariant(r || c->program, "no routine decompresses images that begin with %u", image[0]);
  return r && call(c, r, line);
}

bool caba_compresses(const struct aws_store *s) {
  bool any = false;
  for (uint32_t k = 0; k < s->n_routines; k++) any |= s->routine[k].event == AWS_STORE;
  return any;
}

uint32_t caba_store_routine(struct caba_line_code *c, const struct caba_parameters *p, const uint8_t line[CABA_LINE]) {
  uint8_t image[CABA_LINE], code = 0;
  uint32_t routine = 0;
  if (c->program) {
    while (c->store.routine[routine].event != AWS_STORE) routine++;
    pack_by_program(c, line, image, &routine);
    return routine;
  }
  for (enum caba_algorithm a = CABA_N_ALGORITHMS; a-- > 0;)
    if (c->uses[a]) code = caba_first_byte(a);
  if (p->design == CABA_CABA_BEST && caba_pack(c, line, image) < CABA_LINE) code = image[0] & 0xf0;
  return (uint32_t)(caba_routine_for(&c->store, AWS_STORE, code) - c->store.routine);
}
