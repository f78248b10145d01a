/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of assist warps, as the assist warp store holds them: 64 bits each (assumption: the thesis names no format).
 *
 *   bits    field
 *   5:0     operation (enum aws_op)
 *   9:6     of setp: comparison (enum aws_compare), bit 9: signed
 *   12:10   guard: a predicate, 7: none; the other lanes do nothing
 *   13      guard negated
 *   19:14   d: register written; predicate written; register that stl stores
 *   25:20   a: register read; of and.pred and or.pred a predicate, bit 23: negated
 *   26      b is an immediate value
 *   58:27   b: a register (32:27), or the value
 *   61:59   p: a predicate that is read, 7: none
 *   62      p negated
 *   63      END: the routine's last instruction
 *
 * Bits that an operation does not use are 0, a predicate that it does not use is 7. Registers have 32 bits; register 63 reads 0. The lines
 * of an assist warp are its line space: 128 bytes, byte addresses. */
#ifndef TANDEM_SYSTEMS_CABA_AWS_H
#define TANDEM_SYSTEMS_CABA_AWS_H

#include <stdbool.h>
#include <stdint.h>

enum {
  AWS_REGISTERS = 63,
  AWS_ZERO = 63, /* the register that reads 0 */
  AWS_PREDICATES = 7,
  AWS_ALWAYS = 7, /* no predicate */
  AWS_LINE = 128, /* bytes of the line space */
  AWS_ROUTINES = 32,
  AWS_WORDS = 512,
  AWS_ROUTINE_WORDS = 255,
  AWS_MOST = 96, /* bytes of an image that is kept */
  AWS_LIVE_IN = 4,
  AWS_LIVE_OUT = 2,
  AWS_KEPT = 16,    /* registers that stay from call to call, of all routines of a store */
  AWS_ARGUMENTS = 2 /* words of 32 bits, of the 40 bits that come with a trigger */
};

enum aws_unit { AWS_ARITHMETIC, AWS_MEMORY, AWS_FLOW, AWS_UNITS };

/* X(identifier, mnemonic, operands, unit). Operands in the order of the text: D register written, P predicate written, A register, B register
 * or value, I value, S register stored, p predicate, q second predicate, M address [register+value], V pair written, W pair stored, L label,
 * T list of labels. */
#define AWS_OPS(X)                               \
  X(NOP, "nop", "", FLOW)                        \
  X(MOV, "mov.b32", "DB", ARITHMETIC)            \
  X(LANE, "mov.laneid", "D", ARITHMETIC)         \
  X(ADD, "add.u32", "DAB", ARITHMETIC)           \
  X(ADD_CC, "add.cc.u32", "DAB", ARITHMETIC)     \
  X(ADD_C, "addc.u32", "DAB", ARITHMETIC)        \
  X(SUB, "sub.u32", "DAB", ARITHMETIC)           \
  X(SUB_CC, "sub.cc.u32", "DAB", ARITHMETIC)     \
  X(SUB_C, "subc.u32", "DAB", ARITHMETIC)        \
  X(MUL, "mul.lo.u32", "DAB", ARITHMETIC)        \
  X(AND, "and.b32", "DAB", ARITHMETIC)           \
  X(OR, "or.b32", "DAB", ARITHMETIC)             \
  X(XOR, "xor.b32", "DAB", ARITHMETIC)           \
  X(SHL, "shl.b32", "DAB", ARITHMETIC)           \
  X(SHR_U, "shr.u32", "DAB", ARITHMETIC)         \
  X(SHR_S, "shr.s32", "DAB", ARITHMETIC)         \
  X(FFS, "ffs.b32", "DA", ARITHMETIC)            \
  X(SELP, "selp.b32", "DABp", ARITHMETIC)        \
  X(SETP, "setp", "PAB", ARITHMETIC)             \
  X(SETP_AND, "setp.and", "PABp", ARITHMETIC)    \
  X(SETP_OR, "setp.or", "PABp", ARITHMETIC)      \
  X(AND_P, "and.pred", "Pqp", ARITHMETIC)        \
  X(OR_P, "or.pred", "Pqp", ARITHMETIC)          \
  X(VOTE_ALL, "vote.all.pred", "Pp", ARITHMETIC) \
  X(VOTE_ANY, "vote.any.pred", "Pp", ARITHMETIC) \
  X(BALLOT, "ballot.b32", "Dp", ARITHMETIC)      \
  X(SHFL, "shfl.idx.b32", "DAB", ARITHMETIC)     \
  X(BRA, "bra", "L", FLOW)                       \
  X(BRX, "brx.idx", "AT", FLOW)                  \
  X(LDL_U8, "ldl.u8", "DM", MEMORY)              \
  X(LDL_S8, "ldl.s8", "DM", MEMORY)              \
  X(LDL_U16, "ldl.u16", "DM", MEMORY)            \
  X(LDL_S16, "ldl.s16", "DM", MEMORY)            \
  X(LDL_32, "ldl.b32", "DM", MEMORY)             \
  X(LDL_64, "ldl.v2.b32", "VM", MEMORY)          \
  X(STL_8, "stl.b8", "MS", MEMORY)               \
  X(STL_16, "stl.b16", "MS", MEMORY)             \
  X(STL_32, "stl.b32", "MS", MEMORY)             \
  X(STL_64, "stl.v2.b32", "MW", MEMORY)          \
  X(SETLEN, "setlen.u32", "B", ARITHMETIC)       \
  X(MOVE_IN, "move.in.b32", "DI", ARITHMETIC)    \
  X(MOVE_OUT, "move.out.b32", "IA", ARITHMETIC)  \
  X(MOVE_ARG, "move.arg.b32", "DI", ARITHMETIC)  \
  X(LDS_32, "lds.b32", "DM", MEMORY)             \
  X(LDS_64, "lds.v2.b32", "VM", MEMORY)          \
  X(STS_32, "sts.b32", "MS", MEMORY)             \
  X(STS_64, "sts.v2.b32", "MW", MEMORY)          \
  X(PREFETCH, "prefetch.l1", "W", ARITHMETIC)

enum aws_op {
#define X(identifier, ...) AWS_##identifier,
  AWS_OPS(X)
#undef X
    AWS_N_OPS
};

/* bit: bit b of a, the lowest 5 bits of b count. */
#define AWS_COMPARES(X) X(EQ, "eq") X(NE, "ne") X(LT, "lt") X(LE, "le") X(GT, "gt") X(GE, "ge") X(BIT, "bit")
enum aws_compare {
#define X(identifier, name) AWS_##identifier,
  AWS_COMPARES(X)
#undef X
    AWS_N_COMPARES
};

struct aws_instruction {
  uint8_t op;      /* enum aws_op */
  uint8_t compare; /* enum aws_compare, of setp */
  uint8_t guard, d, a, b, p;
  bool is_signed, guard_negated, p_negated, immediate, end;
  uint32_t
    value; /* of b, if immediate; of brx.idx: first target, 8 bits of distance from bit 8, 8 bits of targets from bit 16 */
};

struct aws_operation {
  const char *mnemonic, *operands;
  enum aws_unit unit;
};
extern const struct aws_operation aws_operations[AWS_N_OPS];

uint64_t aws_encode(const struct aws_instruction *);
/* False: no word that aws_encode makes. */
bool aws_decode(uint64_t word, struct aws_instruction *);

/* Registers and predicates that an instruction reads and writes, a bit each; the zero register is none. */
struct aws_uses {
  uint64_t reads, writes;
  uint8_t reads_predicates, writes_predicates;
  bool reads_carry, writes_carry;
};
struct aws_uses aws_uses(const struct aws_instruction *);
/* Bytes of an access of a lane to the line space; 0: none. */
uint32_t aws_access_bytes(enum aws_op);
/* The same of an access to the shared memory of the parent's CTA. */
uint32_t aws_shared_bytes(enum aws_op);

#endif
