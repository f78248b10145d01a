/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/caba/program.h"

#include "base/err.h"
#include "base/hash.h"
#include "systems/caba/line_code.h"
#include "systems/caba/samples.h"

#include <string.h>

enum { SEED = 0xcaba, LINES = 200 /* of each kind of sample */ };

/* A line, or what a parent has. */
static int check_words(const char *file, const struct aws_store *s, const struct aws_routine *r, struct err *e) {
  bool mark = r->event == AWS_MARK;
  if (!mark && r->kept)
    return err_set(e, ERR_VALUE, "%s:%u: routine '%s' keeps registers; those of marks alone do", file, r->line,
                   r->name);
  for (uint32_t n = r->base; n < r->base + (uint32_t)r->words; n++) {
    struct aws_instruction i;
    if (!aws_decode(s->word[n], &i)) continue;
    bool line = aws_access_bytes(i.op) || i.op == AWS_SETLEN;
    bool parent = aws_shared_bytes(i.op) || i.op == AWS_PREFETCH || i.op == AWS_MOVE_IN || i.op == AWS_MOVE_OUT;
    if (mark ? !line : !parent) continue;
    return err_set(e, ERR_VALUE, "%s:%u: %s in routine '%s': %s", file, s->line[n], aws_operations[i.op].mnemonic,
                   r->name, mark ? "a mark has no line" : "a line has no parent's registers, shared memory or loads");
  }
  return 0;
}

static int check_mark(const char *file, const struct aws_store *s, const struct aws_routine *r, struct err *e) {
  if (r->live_out && !r->high)
    return err_set(e, ERR_VALUE, "%s:%u: the parent of routine '%s' must wait for its live-outs: write .priority(high)",
                   file, r->line, r->name);
  if (r->encoding >= AWS_ROUTINES)
    return err_set(e, ERR_VALUE, "%s:%u: a mark has a number from 0 to %d: write it as .encoding of routine '%s'", file,
                   r->line, AWS_ROUTINES - 1, r->name);
  if (r->mask != UINT8_MAX)
    return err_set(e, ERR_VALUE, "%s:%u: the number of routine '%s' has no mask: write .encoding(%u)", file, r->line,
                   r->name, r->encoding);
  const struct aws_routine *first = caba_routine_for(s, AWS_MARK, r->encoding);
  if (first != r)
    return err_set(e, ERR_VALUE, "%s:%u: marks of number %u call routine '%s', and not '%s', too", file, r->line,
                   r->encoding, first->name, r->name);
  return check_words(file, s, r, e);
}

/* What the SM takes for granted: loads wait for a decompression, nobody for a compression. */
static int check_routine(const char *file, const struct caba_line_code *c, const struct aws_routine *r, struct err *e) {
  if (r->event == AWS_NONE) return 0;
  if (r->event == AWS_MARK) return check_mark(file, &c->store, r, e);
  if (!c->program)
    return err_set(e, ERR_VALUE,
                   "%s:%u: routine '%s' codes lines, and those of this caba.design have a code; set "
                   "caba.design=caba_program",
                   file, r->line, r->name);
  if (r->event == AWS_FILL && !r->high)
    return err_set(e, ERR_VALUE, "%s:%u: loads wait for routine '%s': write .priority(high)", file, r->line, r->name);
  if (r->event == AWS_STORE && r->high)
    return err_set(e, ERR_VALUE, "%s:%u: nobody waits for routine '%s': write .priority(low)", file, r->line, r->name);
  return check_words(file, &c->store, r, e);
}

/* Lines of all kinds come back from their images. */
static int check_lines(const char *file, struct caba_line_code *c, struct err *e) {
  uint8_t line[AWS_LINE], image[AWS_LINE];
  struct rng g;
  rng_seed(&g, SEED);
  c->wrong = 0;
  for (uint32_t n = 0; n < LINES * CABA_SAMPLES && !c->wrong; n++) {
    caba_sample_line(&g, (enum caba_sample)(n % CABA_SAMPLES), line);
    caba_pack(c, line, image);
  }
  if (!c->wrong) return 0;
  const struct aws_routine *r = &c->store.routine[c->wrong - 1];
  if (c->warp.fault)
    return err_set(e, ERR_VALUE, "%s:%u: routine '%s', or one that decompresses its images, %s", file, r->line, r->name,
                   assist_fault_sentence(c->warp.fault));
  return err_set(e, ERR_VALUE, "%s:%u: routine '%s' makes images from which no routine of a fill gives the line back",
                 file, r->line, r->name);
}

static bool is_there(const struct caba_line_code *c, uint64_t hash) {
  bool found = false;
  for (uint32_t i = 0; i < c->n_texts; i++) found |= c->texts[i] == hash;
  return found;
}

static int add(struct caba_line_code *c, const char *file, const char *text, size_t length, struct err *e) {
  uint32_t before = c->store.n_routines;
  int code = caba_assemble(file, text, length, &c->store, e);
  if (code) return code;
  if (c->store.n_routines == before) return err_set(e, ERR_SYNTAX, "%s:1: no routine (.entry)", file);
  for (uint32_t k = before; k < c->store.n_routines && !code; k++)
    code = check_routine(file, c, &c->store.routine[k], e);
  if (!code && c->program) code = check_lines(file, c, e);
  c->n_own += c->store.n_routines - before;
  c->version++;
  return code;
}

int caba_program_add(struct caba_line_code *c, const char *file, const char *text, size_t length, struct err *e) {
  uint64_t hash = hash_bytes(HASH_SEED, text, length);
  if (is_there(c, hash)) return 0;
  const struct caba_line_code was = *c;
  int code = add(c, file, text, length, e);
  if (code) *c = was;
  else c->texts[c->n_texts++] = hash; /* no more texts than routines */
  return code;
}
