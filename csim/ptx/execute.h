/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that execute operations: tables of handlers, the other functions, rows of operands, faults. */
#ifndef TANDEM_PTX_EXECUTE_H
#define TANDEM_PTX_EXECUTE_H

#include "ptx/kernel.h"
#include "ptx/ptx.h"
#include "ptx/tables.h"

#define PTX_ROUNDINGS(X) \
  X(RN, "rn") X(RZ, "rz") X(RM, "rm") X(RP, "rp") X(RNI, "rni") X(RZI, "rzi") X(RMI, "rmi") X(RPI, "rpi")
enum ptx_rounding {
  ROUND_DEFAULT,
#define X(id, name) ROUND_##id,
  PTX_ROUNDINGS(X)
#undef X
    ROUND_RNA /* nearest, ties away from zero: of a few conversions only */
};

/* ---- tables of handlers ---- */

/* A handler executes one operation on one type. `key` is the mnemonic and the modifiers that choose code ("mul.wide",
 * "setp.lt"). A float key that ends in ~ honours .ftz and .sat, in ^ .ftz; in ! it honours the rounding, .ftz and
 * .sat, in !^ the rounding and .ftz. `signature` has a letter for the destination and each source (t the type, w
 * twice its width, u 32 bits, p a predicate), then o if the carry flag is written and i if it is read. `base` runs on
 * every host, `wide` on those with AVX2 and FMA; both give the same bits. */
struct ptx_handler {
  const char *key;
  enum ptx_type type;
  const char *signature;
  ptx_exec_fn *base, *wide;
};
extern const struct ptx_handler ptx_int_handlers[], ptx_bit_handlers[], ptx_float_handlers[], ptx_sfu_handlers[],
  ptx_half_handlers[], ptx_compare_handlers[], ptx_move_handlers[], ptx_cvt_handlers[]; /* each ends in a NULL key */

/* ---- operations that no table chooses ---- */

ptx_exec_fn ptx_exec_cvt_any, ptx_exec_cvt_narrow;
ptx_exec_fn ptx_exec_clock, ptx_exec_isspacep, ptx_exec_param_load, ptx_exec_trap;
ptx_exec_fn ptx_exec_frame_load, ptx_exec_frame_store;
/* Host address of a lane's bytes in a frame, for operations with op->memory; NULL after a fault. */
uint8_t *ptx_frame_at(const struct ptx_op *, struct ptx_warp *, uint32_t lane);
ptx_exec_fn ptx_exec_pack_predicates, ptx_exec_unpack_predicates;
enum ptx_vote { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };
enum ptx_shuffle { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };
ptx_exec_fn ptx_exec_shuffle, ptx_exec_vote, ptx_exec_activemask, ptx_exec_match, ptx_exec_reduce, ptx_exec_elect;
enum ptx_texture_query {
  TEXTURE_QUERY_WIDTH,
  TEXTURE_QUERY_HEIGHT,
  TEXTURE_QUERY_DEPTH,
  TEXTURE_QUERY_LAYERS,
  TEXTURE_QUERY_LEVELS, /* from here on not of surfaces */
  TEXTURE_QUERY_FILTER,
  TEXTURE_QUERY_NORMALIZED
};
ptx_exec_fn ptx_exec_texture_query;
void ptx_texture_addresses(const struct ptx_op *, struct ptx_warp *, uint32_t mask, struct ptx_access *);
void ptx_texture_perform(const struct ptx_op *, struct ptx_warp *, const struct ptx_access *);
void ptx_surface_addresses(const struct ptx_op *, struct ptx_warp *, uint32_t mask, struct ptx_access *);
void ptx_surface_perform(const struct ptx_op *, struct ptx_warp *, const struct ptx_access *);

enum ptx_barrier_kind { BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_POPC, BARRIER_AND, BARRIER_OR };

/* ---- number formats ---- */

/* A float format: bits of the fraction, bias of the exponent. Codes, without the sign: the largest number, infinity
 * (or what overflow gives), NaN. The sign bit. */
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

/* Conversions of pairs, and to formats with modifiers of their own; ends in a NULL name. */
enum { NARROW_RELU = 1, NARROW_FINITE = 2 };
struct ptx_narrow {
  const char *to, *from;
  enum ptx_type to_type, from_type; /* of the registers */
  enum ptx_format_name to_format, from_format;
  bool two;                 /* two sources */
  bool pair;                /* two results (from two values in one source, or from two sources) */
  bool also_plain;          /* without modifiers it is an ordinary conversion */
  uint16_t roundings;       /* set of 1 << enum ptx_rounding */
  uint8_t may, must;        /* NARROW_... */
  ptx_exec_fn *base, *wide; /* for rounding to nearest without modifiers, or NULL */
};
extern const struct ptx_narrow ptx_narrow[];

/* ---- atomics ---- */

#define PTX_ATOMICS(X) \
  X(ADD, "add")        \
  X(MIN, "min")        \
  X(MAX, "max") X(AND, "and") X(OR, "or") X(XOR, "xor") X(EXCH, "exch") X(CAS, "cas") X(INC, "inc") X(DEC, "dec")
enum ptx_atomic {
#define X(id, name) ATOMIC_##id,
  PTX_ATOMICS(X)
#undef X
    ATOMICS
};
uint64_t ptx_atomic_result(struct ptx_op_atomic, uint64_t old, uint64_t b, uint64_t c); /* the new value in memory */

/* ---- barriers in shared memory ---- */

/* Operations on mbarrier objects; EXPECT and COMPLETE count bytes, the waits come last. */
enum ptx_mbarrier {
  MBARRIER_INIT,
  MBARRIER_INVAL,
  MBARRIER_ARRIVE,
  MBARRIER_ARRIVE_DROP,
  MBARRIER_EXPECT,
  MBARRIER_COMPLETE,
  MBARRIER_ARRIVE_EXPECT,
  MBARRIER_DROP_EXPECT,
  MBARRIER_WAIT,
  MBARRIER_WAIT_PARITY
};
enum { MBARRIER_COUNT_MAX = (1 << 20) - 1 };
/* Performs an access of a mbarrier operation; `at`: the object of each lane. */
void ptx_mbarrier(const struct ptx_op *, struct ptx_warp *, const struct ptx_access *, uint8_t *const *at);
ptx_exec_fn ptx_exec_pending_count;

/* ---- matrices ---- */

enum { MATRIX_ROWS = 32 }; /* most that the operands of a product take */
ptx_exec_fn ptx_exec_matrix_operand, ptx_exec_matrix_product, ptx_exec_movmatrix;
void ptx_matrix_addresses(const struct ptx_op *, struct ptx_warp *, uint32_t mask, struct ptx_access *);
/* Performs an access of is_matrix; `at`: where each lane's bytes lie. */
void ptx_matrix_perform(const struct ptx_op *, struct ptx_warp *, const struct ptx_access *, uint8_t *const *at);

/* ---- stacks of alloca ---- */

enum { ALLOCA_BYTES = 16 * 1024 }; /* assumption: for all that a thread has allocated at once */
ptx_exec_fn ptx_exec_alloca, ptx_exec_stack_save, ptx_exec_stack_restore;

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
/* The lanes in which source `i` holds, the predicate among the sources. */
static inline uint32_t ptx_predicate(const struct ptx_op *op, const struct ptx_warp *w, uint32_t i) {
  const uint32_t p = *(const uint32_t *)ptx_src(op, w, i);
  return op->negated ? ~p : p;
}

/* ---- faults ---- */

void ptx_note_fault(struct ptx_warp *, const struct ptx_op *, struct ptx_fault); /* sets the line */
/* Further arguments initialise other fields of struct ptx_fault. */
#define ptx_fault(warp, op, what, by, ...) \
  ptx_note_fault(warp, op, (struct ptx_fault){.kind = what, .lane = (uint8_t)(by), __VA_ARGS__})
/* A fault of a call, with the function and the call depth. */
void ptx_too_deep(struct ptx_warp *, const struct ptx_op *, uint32_t lane, enum ptx_fault_kind);

#endif
