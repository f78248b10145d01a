/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/caba/assemble_check.h"

#include "base/err.h"

/* What has been written on every path, or what is the same in all lanes. */
struct facts {
  uint64_t registers;
  uint8_t predicates;
  uint8_t carry; /* CARRY_NONE, CARRY_ALL, or carry_under() of a guard */
};
enum { CARRY_NONE = 0, CARRY_ALL = 255 };

struct routine_check {
  const char *file;
  const struct aws_routine *r;
  const uint32_t *line;
  struct err *e;
  struct aws_instruction i[AWS_ROUTINE_WORDS];
  struct facts before[AWS_ROUTINE_WORDS];
  bool reached[AWS_ROUTINE_WORDS];
};

static uint32_t n_targets(const struct aws_instruction *i) {
  return i->op == AWS_BRA ? 1 : i->op == AWS_BRX ? i->value >> 16 & 255 : 0;
}

static uint32_t target(const struct aws_instruction *i, uint32_t k) {
  return i->op == AWS_BRA ? i->value : (i->value & 255) + k * (i->value >> 8 & 255);
}

static int check_words(struct routine_check *c, const uint64_t *word) {
  const struct aws_routine *r = c->r;
  for (uint32_t n = 0; n < r->words; n++) {
    struct aws_instruction *i = &c->i[n];
    bool last = n + 1U == r->words;
    if (!aws_decode(word[n], i))
      return err_set(c->e, ERR_SYNTAX, "%s:%u: word %u of routine '%s' is no instruction", c->file, c->line[n], n,
                     r->name);
    if (i->end != last)
      return err_set(c->e, ERR_SYNTAX, "%s:%u: END of routine '%s' must be in its last instruction, and there alone",
                     c->file, c->line[n], r->name);
    if (last && (i->op == AWS_BRA || i->op == AWS_BRX))
      return err_set(c->e, ERR_SYNTAX,
                     "%s:%u: the last instruction of routine '%s' is a branch: branch to the one with end;", c->file,
                     c->line[n], r->name);
    if (i->op == AWS_BRX && !n_targets(i))
      return err_set(c->e, ERR_SYNTAX, "%s:%u: brx.idx of routine '%s' has no targets", c->file, c->line[n], r->name);
    for (uint32_t k = 0; k < n_targets(i); k++)
      if (target(i, k) >= r->words)
        return err_set(c->e, ERR_SYNTAX, "%s:%u: a branch of routine '%s' leads to its word %u, and it has %u", c->file,
                       c->line[n], r->name, target(i, k), r->words);
  }
  return 0;
}

/* ---- written before it is read ---- */

/* The lanes of an instruction's guard have a carry. */
static uint8_t carry_under(const struct aws_instruction *i) {
  return i->guard == AWS_ALWAYS ? CARRY_ALL : (uint8_t)(1 + (i->guard | i->guard_negated << 3));
}

static uint8_t weaker(uint8_t a, uint8_t b) { return a == b || b == CARRY_ALL ? a : a == CARRY_ALL ? b : CARRY_NONE; }

static bool meet(struct routine_check *c, uint32_t to, const struct facts *f) {
  struct facts *b = &c->before[to], was = *b;
  if (!c->reached[to]) {
    c->reached[to] = true;
    *b = *f;
    return true;
  }
  b->registers &= f->registers;
  b->predicates &= f->predicates;
  b->carry = weaker(b->carry, f->carry);
  return b->registers != was.registers || b->predicates != was.predicates || b->carry != was.carry;
}

static uint64_t kept_of(const struct aws_routine *r) { return (UINT64_C(1) << r->kept) - 1; }

/* Along one instruction; true: what is known at another one has changed. */
static bool flow(struct routine_check *c, uint32_t n) {
  const struct aws_instruction *i = &c->i[n];
  struct facts f = c->before[n];
  struct aws_uses u = aws_uses(i);
  bool changed = false, always = i->guard == AWS_ALWAYS;
  if (always) {
    f.registers |= u.writes;
    f.predicates |= u.writes_predicates;
  }
  if (f.carry && f.carry != CARRY_ALL && u.writes_predicates >> ((f.carry - 1) & 7) & 1) f.carry = CARRY_NONE;
  if (u.writes_carry) f.carry = carry_under(i);
  for (uint32_t k = 0; k < n_targets(i); k++) changed |= meet(c, target(i, k), &f);
  if (!i->end && !(always && n_targets(i))) changed |= meet(c, n + 1, &f);
  return changed;
}

static int check_written(struct routine_check *c) {
  bool changed = true;
  c->reached[0] = true;
  c->before[0].registers = kept_of(c->r);
  while (changed) {
    changed = false;
    for (uint32_t n = 0; n < c->r->words; n++)
      if (c->reached[n]) changed |= flow(c, n);
  }
  for (uint32_t n = 0; n < c->r->words; n++) {
    const struct facts *f = &c->before[n];
    struct aws_uses u = aws_uses(&c->i[n]);
    if (!c->reached[n]) continue;
    if (!(u.reads & ~f->registers) && !(u.reads_predicates & ~f->predicates) &&
        (!u.reads_carry || weaker(f->carry, carry_under(&c->i[n])) == carry_under(&c->i[n])))
      continue;
    return err_set(
      c->e, ERR_SYNTAX,
      "%s:%u: %s of routine '%s' reads what is not written on each way to it: nothing stays from another call", c->file,
      c->line[n], aws_operations[c->i[n].op].mnemonic, c->r->name);
  }
  return 0;
}

/* ---- branches that all lanes take ---- */

/* Whether every lane gets the same if the operands are so. */
static bool same_in_all(const struct aws_instruction *i, const struct facts *same) {
  struct aws_uses u = aws_uses(i);
  if (i->guard != AWS_ALWAYS && !(same->predicates >> i->guard & 1)) return false;
  if (i->op == AWS_VOTE_ALL || i->op == AWS_VOTE_ANY || i->op == AWS_BALLOT || i->op == AWS_MOVE_ARG) return true;
  if (i->op == AWS_LANE || i->op == AWS_MOVE_IN || i->op == AWS_LDS_32 || i->op == AWS_LDS_64) return false;
  if (i->op == AWS_SHFL) return i->immediate || !((u.reads & ~same->registers) >> i->b & 1);
  if (u.reads_carry && !same->carry) return false;
  return !(u.reads & ~same->registers) && !(u.reads_predicates & ~same->predicates);
}

static int check_branches(struct routine_check *c) {
  struct facts same = {~kept_of(c->r), UINT8_MAX, CARRY_ALL}, was;
  do {
    was = same;
    for (uint32_t n = 0; n < c->r->words; n++) {
      struct aws_uses u = aws_uses(&c->i[n]);
      if (same_in_all(&c->i[n], &same)) continue;
      same.registers &= ~u.writes;
      same.predicates &= (uint8_t)~u.writes_predicates;
      if (u.writes_carry) same.carry = CARRY_NONE;
    }
  } while (was.registers != same.registers || was.predicates != same.predicates || was.carry != same.carry);
  for (uint32_t n = 0; n < c->r->words; n++) {
    const struct aws_instruction *i = &c->i[n];
    bool apart = i->guard != AWS_ALWAYS && !(same.predicates >> i->guard & 1);
    if (i->op == AWS_BRX) apart |= i->a != AWS_ZERO && !(same.registers >> i->a & 1);
    if (!n_targets(i) || !apart) continue;
    return err_set(
      c->e, ERR_SYNTAX,
      "%s:%u: lanes of routine '%s' can take this branch apart, and assist warps do not diverge: vote.all.pred "
      "gives a predicate that all lanes share",
      c->file, c->line[n], c->r->name);
  }
  return 0;
}

int caba_check_routine(const char *file, const struct aws_routine *r, const uint64_t *word, const uint32_t *line,
                       struct err *e) {
  struct routine_check c = {.file = file, .r = r, .line = line, .e = e};
  int code = check_words(&c, word);
  if (!code) code = check_written(&c);
  return code ? code : check_branches(&c);
}
