/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/caba/assist.h"

#include <string.h>

enum { MOST_INSTRUCTIONS = 4096 }; /* assumption: of one call; what executes more has no end */

const char *assist_fault_sentence(enum assist_fault fault) {
  static const char *const sentences[] = {"has no fault",
#define X(identifier, sentence) sentence,
                                          ASSIST_FAULTS(X)
#undef X
  };
  return sentences[fault];
}

void assist_begin(struct assist_warp *w, uint32_t mask, uint8_t *line, uint64_t argument) {
  memset(w->r[AWS_ZERO], 0, sizeof w->r[AWS_ZERO]);
  w->mask = mask;
  w->pc = w->length = 0;
  w->line = line;
  w->shared_bytes = 0;
  w->argument = argument;
  w->fault = ASSIST_FINE;
  w->ended = false;
}

static void fail(struct assist_warp *w, enum assist_fault fault) {
  if (!w->fault) w->fault = (uint8_t)fault;
}

/* The lanes in which a predicate holds. */
static uint32_t lanes_of(const struct assist_warp *w, uint32_t p, bool negated) {
  uint32_t lanes = p < AWS_PREDICATES ? w->p[p] : UINT32_MAX;
  return negated ? ~lanes : lanes;
}

/* ---- arithmetic ---- */

static bool holds(const struct aws_instruction *i, uint32_t a, uint32_t b) {
  bool less = i->is_signed ? (int32_t)a < (int32_t)b : a < b;
  switch ((enum aws_compare)i->compare) {
    case AWS_EQ: return a == b;
    case AWS_NE: return a != b;
    case AWS_LT: return less;
    case AWS_LE: return less || a == b;
    case AWS_GT: return !less && a != b;
    case AWS_GE: return !less;
    default: return a >> (b & 31) & 1;
  }
}

static uint32_t first_set(uint32_t a) { return a ? (uint32_t)__builtin_ctz(a) : UINT32_MAX; }

static uint32_t shift_signed(uint32_t a, uint32_t b) {
  uint32_t by = b > 31 ? 31 : b, fill = a >> 31 ? ~(UINT32_MAX >> by) : 0;
  return a >> by | fill;
}

/* One lane of an operation on integers. `carry`: in and out. */
static uint32_t compute(enum aws_op op, uint32_t a, uint32_t b, uint32_t *carry) {
  uint64_t wide;
  switch (op) {
    case AWS_MOV: return b;
    case AWS_ADD: return a + b;
    case AWS_ADD_CC: wide = (uint64_t)a + b; break;
    case AWS_ADD_C: return a + b + *carry;
    case AWS_SUB: return a - b;
    case AWS_SUB_CC: wide = (uint64_t)a - b; break; /* the carry is the borrow */
    case AWS_SUB_C: return a - b - *carry;
    case AWS_MUL: return a * b;
    case AWS_AND: return a & b;
    case AWS_OR: return a | b;
    case AWS_XOR: return a ^ b;
    case AWS_SHL: return b > 31 ? 0 : a << b;
    case AWS_SHR_U: return b > 31 ? 0 : a >> b;
    case AWS_SHR_S: return shift_signed(a, b);
    default: return first_set(a);
  }
  *carry = (uint32_t)(wide >> 32) & 1;
  return (uint32_t)wide;
}

static uint32_t b_of(const struct assist_warp *w, const struct aws_instruction *i, uint32_t lane) {
  return i->immediate ? i->value : w->r[i->b][lane];
}

static void put_bit(uint32_t *bits, uint32_t lane, uint32_t value) {
  *bits = (*bits & ~(1U << lane)) | (value & 1) << lane;
}

static void integers(struct assist_warp *w, const struct aws_instruction *i, uint32_t lanes) {
  for (uint32_t lane = 0; lane < ASSIST_LANES; lane++) {
    uint32_t carry = w->carry >> lane & 1;
    if (!(lanes >> lane & 1)) continue;
    w->r[i->d][lane] = compute(i->op, w->r[i->a][lane], b_of(w, i, lane), &carry);
    put_bit(&w->carry, lane, carry);
  }
}

static void compare(struct assist_warp *w, const struct aws_instruction *i, uint32_t lanes) {
  uint32_t with = lanes_of(w, i->p, i->p_negated), result = 0;
  for (uint32_t lane = 0; lane < ASSIST_LANES; lane++)
    result |= (uint32_t)holds(i, w->r[i->a][lane], b_of(w, i, lane)) << lane;
  if (i->op == AWS_SETP_AND) result &= with;
  if (i->op == AWS_SETP_OR) result |= with;
  w->p[i->d] = (w->p[i->d] & ~lanes) | (result & lanes);
}

/* Operations on predicates, and across lanes. */
static void predicates(struct assist_warp *w, const struct aws_instruction *i, uint32_t lanes) {
  uint32_t p = lanes_of(w, i->p, i->p_negated), q = lanes_of(w, i->a & 7, i->a >> 3 & 1), result = 0;
  if (i->op == AWS_AND_P) result = p & q;
  if (i->op == AWS_OR_P) result = p | q;
  if (i->op == AWS_VOTE_ALL) result = (p & lanes) == lanes ? UINT32_MAX : 0;
  if (i->op == AWS_VOTE_ANY) result = p & lanes ? UINT32_MAX : 0;
  w->p[i->d] = (w->p[i->d] & ~lanes) | (result & lanes);
}

static void across(struct assist_warp *w, const struct aws_instruction *i, uint32_t lanes) {
  uint32_t p = lanes_of(w, i->p, i->p_negated), source[ASSIST_LANES];
  memcpy(source, w->r[i->a], sizeof source);
  for (uint32_t lane = 0; lane < ASSIST_LANES; lane++) {
    if (!(lanes >> lane & 1)) continue;
    uint32_t b = b_of(w, i, lane), value = lane;
    if (i->op == AWS_BALLOT) value = p & lanes;
    if (i->op == AWS_SHFL) value = source[b % ASSIST_LANES];
    if (i->op == AWS_SELP) value = p >> lane & 1 ? source[lane] : b;
    w->r[i->d][lane] = value;
  }
}

/* ---- line space ---- */

static void load(struct assist_warp *w, const struct aws_instruction *i, uint32_t lane, const uint8_t *at,
                 uint32_t bytes) {
  uint64_t value = 0;
  for (uint32_t k = 0; k < bytes; k++) value |= (uint64_t)at[k] << 8 * k;
  if (i->op == AWS_LDL_S8) value = (value ^ 0x80) - 0x80;
  if (i->op == AWS_LDL_S16) value = (value ^ 0x8000) - 0x8000;
  w->r[i->d][lane] = (uint32_t)value;
  if (i->op == AWS_LDL_64) w->r[i->d + 1][lane] = (uint32_t)(value >> 32);
}

static void access_line(struct assist_warp *w, const struct aws_instruction *i, uint32_t lanes) {
  uint32_t bytes = aws_access_bytes(i->op);
  for (uint32_t lane = 0; lane < ASSIST_LANES && !w->fault; lane++) {
    if (!(lanes >> lane & 1)) continue;
    uint32_t at = w->r[i->a][lane] + i->value;
    if (at >= AWS_LINE || at + bytes > AWS_LINE) fail(w, ASSIST_OUTSIDE);
    else if (at % bytes) fail(w, ASSIST_MISALIGNED);
    else if (i->op <= AWS_LDL_64) load(w, i, lane, w->line + at, bytes);
    else
      for (uint32_t k = 0; k < bytes; k++) w->line[at + k] = (uint8_t)(w->r[i->d + k / 4][lane] >> 8 * (k % 4));
  }
}

static void access_shared(struct assist_warp *w, const struct aws_instruction *i, uint32_t lanes) {
  uint32_t bytes = aws_shared_bytes(i->op), words = bytes / 4;
  bool loads = i->op == AWS_LDS_32 || i->op == AWS_LDS_64;
  for (uint32_t lane = 0; lane < ASSIST_LANES && !w->fault; lane++) {
    if (!(lanes >> lane & 1)) continue;
    uint32_t at = w->r[i->a][lane] + i->value;
    if (at % bytes || at >= w->shared_bytes || bytes > w->shared_bytes - at) {
      fail(w, ASSIST_NOT_SHARED);
      return;
    }
    for (uint32_t k = 0; k < words; k++)
      if (loads) memcpy(&w->r[i->d + k][lane], w->shared + at + 4 * (size_t)k, 4);
      else memcpy(w->shared + at + 4 * (size_t)k, &w->r[i->d + k][lane], 4);
  }
}

/* The line of the lowest lane (assumption: one line an instruction). */
static void prefetch(struct assist_warp *w, const struct aws_instruction *i, uint32_t lanes) {
  if (!lanes) return;
  uint32_t lane = (uint32_t)__builtin_ctz(lanes);
  w->prefetches = true;
  w->prefetch = w->r[i->d][lane] | (uint64_t)w->r[i->d + 1][lane] << 32;
}

/* ---- control, the parent, the image's length ---- */

static void branch(struct assist_warp *w, const struct aws_instruction *i, uint32_t lanes) {
  if (lanes != w->mask) {
    if (lanes) fail(w, ASSIST_APART);
    return;
  }
  if (i->op == AWS_BRA) {
    w->pc = i->value;
    return;
  }
  uint32_t index = w->r[i->a][__builtin_ctz(lanes)];
  for (uint32_t lane = 0; lane < ASSIST_LANES; lane++)
    if (lanes >> lane & 1 && w->r[i->a][lane] != index) fail(w, ASSIST_APART);
  if (index >= (i->value >> 16 & 255)) fail(w, ASSIST_NO_TARGET);
  else w->pc = (i->value & 255) + index * (i->value >> 8 & 255);
}

static void move(struct assist_warp *w, const struct aws_instruction *i, uint32_t lanes) {
  for (uint32_t lane = 0; lane < ASSIST_LANES; lane++) {
    if (!(lanes >> lane & 1)) continue;
    if (i->op == AWS_MOVE_IN) w->r[i->d][lane] = w->live_in[i->value] ? w->live_in[i->value][lane] : 0;
    else if (i->op == AWS_MOVE_ARG) w->r[i->d][lane] = (uint32_t)(w->argument >> 32 * i->value);
    else if (w->live_out[i->value]) w->live_out[i->value][lane] = w->r[i->a][lane];
  }
}

static void set_length(struct assist_warp *w, const struct aws_instruction *i, uint32_t lanes) {
  if (!lanes) return;
  uint32_t length = b_of(w, i, (uint32_t)__builtin_ctz(lanes));
  if (length > AWS_MOST) fail(w, ASSIST_LENGTH);
  else w->length = length;
}

void assist_execute(struct assist_warp *w, const struct aws_instruction *i) {
  uint32_t lanes = w->mask & lanes_of(w, i->guard, i->guard_negated);
  if (w->fault || w->ended) return;
  w->pc++;
  w->prefetches = false;
  switch ((enum aws_op)i->op) {
    case AWS_NOP: break;
    case AWS_SETP:
    case AWS_SETP_AND:
    case AWS_SETP_OR: compare(w, i, lanes); break;
    case AWS_AND_P:
    case AWS_OR_P:
    case AWS_VOTE_ALL:
    case AWS_VOTE_ANY: predicates(w, i, lanes); break;
    case AWS_LANE:
    case AWS_SELP:
    case AWS_BALLOT:
    case AWS_SHFL: across(w, i, lanes); break;
    case AWS_BRA:
    case AWS_BRX: branch(w, i, lanes); break;
    case AWS_SETLEN: set_length(w, i, lanes); break;
    case AWS_MOVE_IN:
    case AWS_MOVE_OUT:
    case AWS_MOVE_ARG: move(w, i, lanes); break;
    case AWS_PREFETCH: prefetch(w, i, lanes); break;
    default:
      if (aws_shared_bytes(i->op)) access_shared(w, i, lanes);
      else if (aws_access_bytes(i->op)) access_line(w, i, lanes);
      else integers(w, i, lanes);
  }
  w->ended = i->end && !w->fault;
}

void assist_run(struct assist_warp *w, const uint64_t *word, uint32_t words, uint32_t count[AWS_UNITS]) {
  struct aws_instruction i;
  for (uint32_t n = 0; !w->ended && !w->fault; n++) {
    if (w->pc >= words || !aws_decode(word[w->pc], &i)) fail(w, ASSIST_NO_WORD);
    else if (n == MOST_INSTRUCTIONS) fail(w, ASSIST_ENDLESS);
    else {
      count[aws_operations[i.op].unit]++;
      assist_execute(w, &i);
    }
  }
}
