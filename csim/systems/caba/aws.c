/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/caba/aws.h"

#include <string.h>

const struct aws_operation aws_operations[AWS_N_OPS] = {
#define X(identifier, mnemonic, operands, unit) {mnemonic, operands, AWS_##unit},
  AWS_OPS(X)
#undef X
};

enum { COMPARE_AT = 6, GUARD_AT = 10, D_AT = 14, A_AT = 20, IMMEDIATE_AT = 26, B_AT = 27, P_AT = 59, END_AT = 63 };

static bool has(enum aws_op op, const char *letters) {
  return aws_operations[op].operands[strcspn(aws_operations[op].operands, letters)] != 0;
}

uint64_t aws_encode(const struct aws_instruction *i) {
  uint64_t word = i->op | (uint64_t)(i->compare | i->is_signed << 3) << COMPARE_AT;
  word |= (uint64_t)(i->guard | i->guard_negated << 3) << GUARD_AT;
  word |= (uint64_t)i->d << D_AT | (uint64_t)i->a << A_AT | (uint64_t)i->immediate << IMMEDIATE_AT;
  word |= (uint64_t)(i->immediate ? i->value : i->b) << B_AT;
  return word | (uint64_t)(i->p | i->p_negated << 3) << P_AT | (uint64_t)i->end << END_AT;
}

static uint8_t field(uint64_t word, uint32_t at, uint32_t bits) { return (uint8_t)(word >> at & ((1U << bits) - 1)); }

/* A pair is two registers, the first even, and not the zero register. */
static bool is_pair(uint32_t first) { return first % 2 == 0 && first + 1 < AWS_REGISTERS; }

static bool operands_are_right(const struct aws_instruction *i) {
  enum aws_op op = i->op;
  if (!has(op, "DPSVW") && i->d) return false;
  if (has(op, "D") && i->d >= AWS_REGISTERS) return false;
  if (has(op, "P") && i->d >= AWS_PREDICATES) return false;
  if (has(op, "VW") && !is_pair(i->d)) return false;
  if (has(op, "q") ? (i->a & 7) >= AWS_PREDICATES || i->a > 15 : !has(op, "AM") && i->a) return false;
  if (has(op, "MLTI") ? !i->immediate : !has(op, "B") && (i->immediate || i->b)) return false;
  if (has(op, "p") ? i->p >= AWS_PREDICATES : i->p != AWS_ALWAYS || i->p_negated) return false;
  if (has(op, "L") && i->value >= AWS_ROUTINE_WORDS) return false;
  if (op == AWS_SETLEN && i->immediate && i->value > AWS_MOST) return false;
  if (op == AWS_MOVE_IN && i->value >= AWS_LIVE_IN) return false;
  if (op == AWS_MOVE_OUT && i->value >= AWS_LIVE_OUT) return false;
  return op != AWS_MOVE_ARG || i->value < AWS_ARGUMENTS;
}

bool aws_decode(uint64_t word, struct aws_instruction *i) {
  uint32_t value = (uint32_t)(word >> B_AT);
  bool immediate = word >> IMMEDIATE_AT & 1, is_setp;
  *i = (struct aws_instruction){.op = field(word, 0, 6),
                                .compare = field(word, COMPARE_AT, 3),
                                .is_signed = word >> 9 & 1,
                                .guard = field(word, GUARD_AT, 3),
                                .guard_negated = word >> 13 & 1,
                                .d = field(word, D_AT, 6),
                                .a = field(word, A_AT, 6),
                                .immediate = immediate,
                                .b = immediate ? 0 : (uint8_t)(value & 63),
                                .value = immediate ? value : 0,
                                .p = field(word, P_AT, 3),
                                .p_negated = word >> 62 & 1,
                                .end = word >> END_AT};
  if (i->op >= AWS_N_OPS || (!immediate && value > 63)) return false;
  if (i->guard == AWS_ALWAYS && i->guard_negated) return false;
  is_setp = i->op == AWS_SETP || i->op == AWS_SETP_AND || i->op == AWS_SETP_OR;
  if (is_setp ? i->compare >= AWS_N_COMPARES : i->compare || i->is_signed) return false;
  return operands_are_right(i);
}

static uint64_t bit_of(uint32_t r) { return r < AWS_REGISTERS ? UINT64_C(1) << r : 0; }

static uint8_t predicate_bit(uint32_t p) { return p < AWS_PREDICATES ? (uint8_t)(1U << p) : 0; }

struct aws_uses aws_uses(const struct aws_instruction *i) {
  struct aws_uses u = {0};
  enum aws_op op = i->op;
  if (has(op, "AM")) u.reads |= bit_of(i->a);
  if (has(op, "B") && !i->immediate) u.reads |= bit_of(i->b);
  if (has(op, "SW")) u.reads |= bit_of(i->d);
  if (has(op, "W")) u.reads |= bit_of(i->d + 1U);
  if (has(op, "DV")) u.writes |= bit_of(i->d);
  if (has(op, "V")) u.writes |= bit_of(i->d + 1U);
  if (has(op, "P")) u.writes_predicates = predicate_bit(i->d);
  if (has(op, "p")) u.reads_predicates |= predicate_bit(i->p);
  if (has(op, "q")) u.reads_predicates |= predicate_bit(i->a & 7);
  u.reads_predicates |= predicate_bit(i->guard);
  u.writes_carry = op == AWS_ADD_CC || op == AWS_SUB_CC;
  u.reads_carry = op == AWS_ADD_C || op == AWS_SUB_C;
  return u;
}

uint32_t aws_access_bytes(enum aws_op op) {
  switch (op) {
    case AWS_LDL_U8:
    case AWS_LDL_S8:
    case AWS_STL_8: return 1;
    case AWS_LDL_U16:
    case AWS_LDL_S16:
    case AWS_STL_16: return 2;
    case AWS_LDL_32:
    case AWS_STL_32: return 4;
    case AWS_LDL_64:
    case AWS_STL_64: return 8;
    default: return 0;
  }
}

uint32_t aws_shared_bytes(enum aws_op op) {
  if (op == AWS_LDS_32 || op == AWS_STS_32) return 4;
  return op == AWS_LDS_64 || op == AWS_STS_64 ? 8 : 0;
}
