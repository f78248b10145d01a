/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that execute operations, and how they find their operands. */
#ifndef TANDEM_PTX_EXECUTE_H
#define TANDEM_PTX_EXECUTE_H

#include "ptx/kernel.h"
#include "ptx/ptx.h"
#include "ptx/tables.h"

enum ptx_rounding {
  ROUND_DEFAULT,
  ROUND_RN,
  ROUND_RZ,
  ROUND_RM,
  ROUND_RP,
  ROUND_RNI,
  ROUND_RZI,
  ROUND_RMI,
  ROUND_RPI,
  ROUND_RNA /* nearest, ties away from zero */
};

/* ptx_op.flags; meaning by operation */
enum {
  FLAG_FTZ = 1,
  FLAG_SAT = 2,
  FLAG_NEGATE_PREDICATE = 4, /* arithmetic, setp, selp, vote */
  FLAG_TO_BYTES = 48,
  FLAG_TO_BYTES_SHIFT = 4, /* cvt: log2 of the destination register's bytes */
  FLAG_SET = 8,            /* set: lanes, not predicates; op.offset is what they get where the comparison holds */
  FLAG_SIGNED = 1,
  FLAG_TO_16 = 2,
  FLAG_TO_64 = 4,
  FLAG_ADDRESS_32 = 8,
  FLAG_WIDE = 16,      /* memory */
  FLAG_SHARED_32 = 32, /* cp.async: the shared address is a 32-bit register */
  FLAG_IGNORE = 64     /* cp.async: source 2 is the predicate that says to write zeros, not the bytes to read */
};

/* ptx_op.offset counts from the end of the frame: the callee's. Of operations of class PTX_INT, PTX_INT64 with a frame
 * handler. */
enum { FRAME_OUTGOING = 1 };

/* ---- tables of handlers ---- */

/* key: mnemonic and the modifiers that choose code ("mul.wide", "setp.lt"); signature: destination, then sources: t the
 * type, w twice its width, u 32 bits, p a predicate; then i, o: the carry flag goes in, comes out. Floats: a key
 * ending in ~ honours FLAG_FTZ and FLAG_SAT, one in ^ FLAG_FTZ, one in ! rounds as ptx_op.code says and honours both,
 * one in !^ only FLAG_FTZ. `base` runs on every host, `wide` on those with AVX2 and FMA; both give the same bits. */
struct ptx_handler {
  const char *key;
  enum ptx_type type;
  const char *signature;
  ptx_exec_fn *base, *wide;
};
extern const struct ptx_handler ptx_int_handlers[], ptx_bit_handlers[], ptx_float_handlers[], ptx_sfu_handlers[],
  ptx_half_handlers[], ptx_compare_handlers[], ptx_move_handlers[], ptx_cvt_handlers[]; /* end in a NULL key */

/* ptx_op.code of a conversion without a handler of its own; the registers' bytes may exceed the types'. */
uint16_t ptx_cvt_code(enum ptx_type to, enum ptx_type from, enum ptx_rounding, bool from_64);
ptx_exec_fn ptx_exec_assert, ptx_exec_elect, ptx_exec_frame_load, ptx_exec_frame_store, ptx_exec_pack_predicates,
  ptx_exec_unpack_predicates;
ptx_exec_fn ptx_exec_cvt_any, ptx_exec_param_load, ptx_exec_trap, ptx_exec_clock, ptx_exec_isspacep;

/* Operations across lanes; op.code is the mode. */
enum ptx_vote { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };
enum ptx_shuffle { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };
ptx_exec_fn ptx_exec_shuffle, ptx_exec_vote, ptx_exec_activemask, ptx_exec_match, ptx_exec_reduce;

/* tex: op.code, bits; txq: op.code */
enum { TEXTURE_CODE_2D = 1, TEXTURE_CODE_INTEGER = 2 };
enum { TEXTURE_QUERY_WIDTH, TEXTURE_QUERY_HEIGHT, TEXTURE_QUERY_NORMALIZED };
void ptx_texture_addresses(const struct ptx_op *, struct ptx_warp *, uint32_t mask, struct ptx_access *);
void ptx_texture_perform(const struct ptx_op *, struct ptx_warp *, const struct ptx_access *);
ptx_exec_fn ptx_exec_texture_query;

/* PTX_LOAD without destinations: op.code. Sources: global address, shared address (op.target is added), bytes or
 * predicate. */
enum { LOAD_ASYNC = 1 };
/* cp.async.wait_group: op.code of a PTX_NOP until the kernel is put together: which scoreboard register, from 1 */

/* PTX_BARRIER: op.code */
enum ptx_barrier_kind { BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_POPC, BARRIER_AND, BARRIER_OR };

/* Formats narrower than float: bits of the fraction, bias of the exponent; codes without the sign: the largest number,
 * infinity (or what an overflow gives), NaN; the sign's bit. */
struct ptx_format {
  int32_t fraction_bits, bias;
  uint32_t most, infinity, nan, sign;
};
enum ptx_format_name { FORMAT_F32, FORMAT_F16, FORMAT_BF16, FORMAT_TF32, FORMAT_E4M3, FORMAT_E5M2 };
extern const struct ptx_format ptx_formats[];
uint32_t ptx_round_to(const struct ptx_format *, double value, enum ptx_rounding); /* correctly rounded */
double ptx_double_of(const struct ptx_format *, uint32_t bits);                    /* exact */
/* f16 and bf16 */
double ptx_half_to_double(uint32_t bits, bool bfloat);
uint32_t ptx_double_to_half(double value, enum ptx_rounding, bool bfloat);

/* Conversions of pairs and to formats with modifiers of their own; ends with a NULL name. ptx_op.code: number of the
 * row | rounding << 8 | NARROW_... << 12. */
enum { NARROW_RELU = 1, NARROW_FINITE = 2 };
struct ptx_narrow {
  const char *to, *from;
  enum ptx_type to_type, from_type; /* of the registers */
  enum ptx_format_name to_format, from_format;
  bool two;                 /* sources */
  bool pair;                /* results (and, of one source, values in it) */
  bool also_plain;          /* without modifiers it is an ordinary conversion */
  uint16_t roundings;       /* bit set */
  uint8_t may, must;        /* NARROW_... */
  ptx_exec_fn *base, *wide; /* of the nearest without modifiers, or NULL */
};
extern const struct ptx_narrow ptx_narrow[];
ptx_exec_fn ptx_exec_cvt_narrow;

enum ptx_atomic {
  ATOMIC_ADD,
  ATOMIC_MIN,
  ATOMIC_MAX,
  ATOMIC_AND,
  ATOMIC_OR,
  ATOMIC_XOR,
  ATOMIC_EXCH,
  ATOMIC_CAS,
  ATOMIC_INC,
  ATOMIC_DEC,
  ATOMICS
};
/* ptx_op.code of an atomic: operation | type << 8. New memory value. */
uint64_t ptx_atomic_result(uint16_t code, uint64_t old, uint64_t b, uint64_t c);

/* ---- rows ---- */

static inline const void *ptx_row_of(const struct ptx_warp *w, ptx_row r) {
  return r >= 0 ? w->rows + (size_t)r * WARP_LANES : w->consts + (size_t)~r * WARP_LANES;
}
static inline const void *ptx_src(const struct ptx_op *op, const struct ptx_warp *w, uint32_t i) {
  return ptx_row_of(w, op->src[i]);
}
static inline void *ptx_dst(const struct ptx_op *op, struct ptx_warp *w, uint32_t i) {
  return w->rows + (size_t)op->dst[i] * WARP_LANES;
}
/* ---- faults ---- */

void ptx_fault(struct ptx_warp *, const struct ptx_op *, struct ptx_fault); /* the line is the operation's */
void ptx_too_deep(struct ptx_warp *, const struct ptx_op *, uint32_t lane, enum ptx_fault_kind); /* of a call */

#endif
