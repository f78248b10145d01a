/* SPDX-License-Identifier: Apache-2.0 */
/* Syntax trees to operations. decode_part.c goes through a function and hands each instruction to the decoder of its
 * mnemonic (the other decode_*.c files), which builds d->op with the helpers of decode.c. */
#ifndef TANDEM_PTX_DECODE_H
#define TANDEM_PTX_DECODE_H

#include "ptx/execute.h"
#include "ptx/parse.h"
#include "ptx/part.h"

enum { PARTS_MAX = 14, OPCODE_TEXT_MAX = 120 };

struct decoder {
  struct parser *parser;
  struct kernel *kernel;
  struct function *function;
  const struct instruction *ins;
  struct ptx_op *op; /* the one being decoded; decode_finish keeps it */
  char text[OPCODE_TEXT_MAX];
  const char *part[PARTS_MAX]; /* "add", "s32" */
  uint32_t n_parts;
  uint32_t n_reads, n_writes;
  struct ptx_op *ops;
  uint32_t n_ops, op_capacity;
  uint32_t *consts;
  uint32_t n_consts, const_capacity;
  uint32_t *const_hash;
  uint32_t hash_size;
  uint32_t *op_of_instruction; /* n_instructions + 1 */
  uint32_t pending_arguments;  /* arguments stored with st.param whose call has not come yet */
  uint32_t carry;              /* register number of CC.CF, if any instruction uses it */
  bool allocates;              /* the function uses alloca, and is no entry */
  uint32_t stack_top;          /* then: register number of the top that it found */
  struct part *into;
  uint32_t *table; /* targets of brx: instructions, and once the function is decoded operations */
  uint32_t n_table, table_capacity;
};

/* What the modifiers of an opcode say: its last type, the one before it, and the modifiers that choose a handler, as
 * a key. */
enum { KEY_MAX = 48 };
struct modifiers {
  char key[KEY_MAX];
  enum ptx_type type, first_type;
  uint32_t n_types;
  enum ptx_rounding rounding;
  bool ftz, sat;
};

/* ---- decode.c: errors, operands, constants, frames ---- */

int decode_refuse(const struct decoder *); /* unsupported instruction */
int decode_syntax(const struct decoder *, const char *format, ...) __attribute__((format(printf, 2, 3)));
int decode_operands(const struct decoder *, uint32_t least, uint32_t most);
bool decode_has_part(const struct decoder *, const char *);
/* Appends operand `o` to the sources or destinations of the operation, checked against `type`. */
int decode_source(struct decoder *, const struct operand *, enum ptx_type);
int decode_destination(struct decoder *, const struct operand *, enum ptx_type);
/* All operands, typed by the letters of a signature (see struct ptx_handler; b: .b32); the first may be a pair. */
int decode_typed(struct decoder *, const char *signature, enum ptx_type);
enum ptx_type decode_bits_type(uint32_t bytes);
uint32_t decode_find(const char *name, const char *const *list); /* its index, or that of the NULL at the end */
ptx_row decode_constant(struct decoder *, uint64_t value, bool is_64);
int decode_literal(const struct decoder *, const struct operand *, enum ptx_type, uint64_t *bits);
enum ptx_atomic decode_atomic_name(const char *);                   /* ATOMICS: it names none */
void decode_begin(struct decoder *);                                /* a new d->op */
int decode_finish(struct decoder *);                                /* appends the operation */
bool ptx_in_frame(const struct decoder *, const struct variable *); /* relative to the stack pointer */
uint64_t ptx_frame_offset(const struct decoder *, const struct variable *);
uint32_t ptx_frame_locals(const struct function *); /* where local variables begin in the frame */

/* ---- decode_arith.c: handlers by key ---- */

const struct ptx_handler *ptx_find_handler(const char *key, enum ptx_type);
const struct ptx_handler *ptx_handler_at(uint32_t number); /* ptx_op.handler, from 1; NULL beyond the last */
extern const char *const decode_roundings[];               /* names: "rn", ...; "" for ROUND_DEFAULT */
bool decode_modifiers(const struct decoder *, struct modifiers *);
void decode_choose(const struct decoder *, const struct ptx_handler *); /* sets d->op->exec for this host */

/* ---- the decoders that decode_part.c chooses from; each of them appends one operation or returns an error ---- */

typedef int decode_fn(struct decoder *);
decode_fn ptx_decode_arithmetic, ptx_decode_set, ptx_decode_select, ptx_decode_logic3;
decode_fn ptx_decode_barrier, ptx_decode_async, ptx_decode_async_arrive, ptx_decode_mbarrier;
decode_fn ptx_decode_stack, ptx_decode_cluster;
int ptx_decode_stack_frame(struct decoder *, bool entering);
int ptx_decode_address(struct decoder *, const struct operand *, enum ptx_space); /* [base+offset] as source 0 */
decode_fn ptx_decode_call, ptx_decode_branch_indexed, ptx_decode_store_argument;
decode_fn ptx_decode_frame_address; /* mov of the address of a variable in the frame */
decode_fn ptx_decode_convert;
decode_fn ptx_decode_flow, ptx_decode_move, ptx_decode_cvta, ptx_decode_lanes, ptx_decode_misc;
decode_fn ptx_decode_memory, ptx_decode_atomic;
decode_fn ptx_decode_texture, ptx_decode_texture_query, ptx_decode_surface;
/* The values of a load or store: one operand, or {a, b}; sets memory.register_bytes. */
int decode_values(struct decoder *, const struct operand *, enum ptx_type memory, uint32_t vector, bool load);
decode_fn ptx_decode_matrix, ptx_decode_wmma;
enum ptx_space ptx_space_of(const char *part); /* "shared::cta" -> PTX_SHARED; PTX_SPACES if it is none */
/* A matrix operand of `n` registers of `type`, of which the first `used` count. */
int ptx_decode_fragment(struct decoder *, const struct operand *, uint32_t n, uint32_t used, enum ptx_type,
                        bool destination);
/* Puts it into matrix rows from `row` on, and begins the next operation. */
int ptx_decode_matrix_operand(struct decoder *, const struct operand *, uint32_t n, uint32_t used, enum ptx_type,
                              uint32_t row);
/* The product into `n` registers of the operand from `first` on. */
int ptx_decode_product(struct decoder *, const struct operand *, uint32_t first, uint32_t n, struct ptx_op_matrix);
enum ptx_type ptx_matrix_type(const char *part);  /* of elements; tf32 is T_B32 */
uint32_t ptx_matrix_pack(enum ptx_type);          /* elements in a register */
bool ptx_stores_argument(const struct decoder *); /* whether it is st.param of an extension's argument */
bool ptx_loads_result(const struct decoder *);    /* ld.param of its result, which the call has decoded; asked once */

/* ---- what link.c asks for ---- */

int ptx_resolve_calls(struct parser *, struct function *);
int ptx_decode_part(struct decoder *, struct part *);
const char *ptx_mnemonic_at(uint32_t number); /* those with a decoder of their own, from 0; then NULL */
int ptx_link_kernel(struct parser *, struct function *entry);

#endif
