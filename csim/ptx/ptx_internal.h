/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of ptx/ share: tokens, the light syntax tree, the module, the decoder, the tables of handlers.
 *
 * text -> lexer.c -> tokens -> parse_module.c, parse_body.c -> struct function (instructions with resolved names)
 *      -> decode*.c -> struct ptx_op[] -> flow.c (post-dominators, live registers) -> struct kernel */
#ifndef TANDEM_PTX_PTX_INTERNAL_H
#define TANDEM_PTX_PTX_INTERNAL_H

#include "base/err.h"
#include "device/device_memory.h"
#include "ptx/ptx.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- types ---- */

/* a table */
/* clang-format off */
/* token of the text, enumerator, bytes of a register, kind letter (u, s, f, b, p), name */
#define PTX_TYPES(X) \
  X(T_PRED, 0, 'p', "pred") \
  X(T_B8, 1, 'b', "b8") \
  X(T_U8, 1, 'u', "u8") \
  X(T_S8, 1, 's', "s8") \
  X(T_B16, 2, 'b', "b16") \
  X(T_U16, 2, 'u', "u16") \
  X(T_S16, 2, 's', "s16") \
  X(T_F16, 2, 'f', "f16") \
  X(T_BF16, 2, 'f', "bf16") \
  X(T_B32, 4, 'b', "b32") \
  X(T_U32, 4, 'u', "u32") \
  X(T_S32, 4, 's', "s32") \
  X(T_F32, 4, 'f', "f32") \
  X(T_F16X2, 4, 'h', "f16x2") \
  X(T_BF16X2, 4, 'h', "bf16x2") \
  X(T_U16X2, 4, 'v', "u16x2") \
  X(T_S16X2, 4, 'v', "s16x2") \
  X(T_B64, 8, 'b', "b64") \
  X(T_U64, 8, 'u', "u64") \
  X(T_S64, 8, 's', "s64") \
  X(T_F64, 8, 'f', "f64")
/* clang-format on */

enum ptx_type {
  T_NONE,
#define X(type, bytes, letter, name) type,
  PTX_TYPES(X)
#undef X
    PTX_N_TYPES
};

enum ptx_type ptx_type_of(const char *name, size_t length); /* "u32" -> T_U32, T_NONE if it is no type */
const char *ptx_type_name(enum ptx_type);
uint32_t ptx_type_bytes(enum ptx_type); /* of a register; 0 for a predicate */
char ptx_type_letter(enum ptx_type);

/* ---- memory of a load: one arena, freed at once ---- */

struct arena_chunk;
struct arena {
  struct arena_chunk *chunks;
};
void *arena_alloc(struct arena *, size_t bytes); /* zeroed, 16-byte aligned; aborts when the host has no memory */
void arena_free(struct arena *);
/* Grows `data` (n used of *capacity elements) so that one more fits; the result is in the arena. */
void *arena_grow(struct arena *, void *data, uint32_t n, uint32_t *capacity, size_t element);

/* ---- names: one hash table a function and one a module ---- */

enum name_kind { NAME_REGISTER, NAME_RANGE, NAME_VARIABLE, NAME_LABEL, NAME_FUNCTION, NAME_TARGETS, NAME_PROTOTYPE };
struct name {
  const char *text;
  uint32_t length, scope;
  enum name_kind kind;
  uint32_t index; /* register number, operation index of a label, count of a range */
  enum ptx_type type;
  void *what; /* variable, function, list of targets, prototype */
  struct name *next;
};
struct names {
  struct name **bucket;
  uint32_t n_buckets, n;
};
struct name *names_find(const struct names *, const char *text, uint32_t length, uint32_t scope);
struct name *names_add(struct arena *, struct names *, const char *text, uint32_t length, uint32_t scope);

/* ---- tokens ---- */

enum token_kind { TOK_END, TOK_WORD, TOK_DIRECTIVE, TOK_NUMBER, TOK_STRING, TOK_PUNCTUATION };
struct token {
  const char *text;
  uint32_t length, line;
  enum token_kind kind;
};

/* ---- syntax tree ---- */

enum operand_kind {
  OPERAND_REGISTER,
  OPERAND_IMMEDIATE,
  OPERAND_SPECIAL,
  OPERAND_VARIABLE, /* its address */
  OPERAND_NAME,     /* label or function */
  OPERAND_SINK,     /* _ */
  OPERAND_VECTOR,   /* {a, b} */
  OPERAND_ADDRESS,  /* [base+offset]; element[0] is the base; of tex the coordinates follow */
  OPERAND_LIST      /* (a, b): of a call */
};
enum literal_kind { LITERAL_INT, LITERAL_F32, LITERAL_F64 };
struct variable;
struct operand {
  enum operand_kind kind;
  bool negated; /* !%p */
  enum literal_kind literal;
  uint64_t bits;  /* of an immediate */
  int64_t offset; /* of an address */
  uint32_t index; /* register or special register */
  struct variable *variable;
  const char *name;
  uint32_t length;
  struct operand *element; /* of vectors, lists and addresses */
  uint32_t n_elements;
  struct operand *pair; /* the q of p|q */
};

struct instruction {
  const char *opcode; /* "add.s32", ends in 0 */
  uint32_t line, scope;
  bool guarded, guard_negated;
  uint32_t guard; /* register */
  struct operand *operand;
  uint32_t n_operands;
  struct call *call; /* of a defined function */
};

struct function;
/* A call of defined functions, resolved when a kernel first reaches it. */
struct call {
  struct function *callee; /* NULL: `pointer` says which of the candidates */
  const struct operand *pointer;
  struct function **candidate;
  uint32_t n_candidates;
  const struct operand *results, *arguments; /* lists, or NULL */
};

/* .branchtargets, .calltargets: names */
struct target_list {
  const struct token **name;
  uint32_t n, capacity;
  bool functions;
};

struct variable {
  const char *name;
  uint32_t line;
  enum ptx_space space;
  enum ptx_type type;
  uint64_t bytes;
  uint64_t align;
  bool external;            /* .extern .shared: dynamic */
  bool texture;             /* .texref */
  bool call_parameter;      /* .param inside a body */
  uint64_t address;         /* device address, or offset in its space */
  uint32_t placed_in;       /* shared of module scope: number of the kernel that placed it last */
  struct function *used_by; /* shared: the last function that named it */
  bool in_frame;            /* .param of a defined function or of a call of one: at `address` of the callee's frame */
  bool stored;              /* call parameter: has its argument */
  struct operand argument;
  struct variable *next;
};

struct reg {
  const char *name;
  enum ptx_type type;
  ptx_row row;
};

struct function {
  const char *name;
  uint32_t line;
  bool is_entry, defined, external, has_result, address_taken, resolved;
  uint32_t n_parameters;
  uint32_t number;         /* in the module, from 0: makes its address */
  bool asserts;            /* calls __assertfail */
  uint32_t argument_bytes; /* results, then parameters, at the start of the frame */
  uint32_t local_bytes, local_align;
  struct variable **shared; /* named in its body */
  uint32_t n_shared, shared_capacity;
  struct kernel *kernel; /* of an entry */
  const struct ptx_extension *extension;
  struct names names;
  uint32_t *scope_parent;
  uint32_t n_scopes, scope_capacity;
  struct reg *reg;
  uint32_t n_regs, reg_capacity;
  struct instruction *instruction;
  uint32_t n_instructions, instruction_capacity;
};

/* ---- kernels and modules ---- */

/* a table */
/* clang-format off */
/* Special registers: name, enumerator, 64-bit */
#define PTX_SPECIALS(X) \
  X("%tid.x", SPECIAL_TID_X, 0) \
  X("%tid.y", SPECIAL_TID_Y, 0) \
  X("%tid.z", SPECIAL_TID_Z, 0) \
  X("%ntid.x", SPECIAL_NTID_X, 0) \
  X("%ntid.y", SPECIAL_NTID_Y, 0) \
  X("%ntid.z", SPECIAL_NTID_Z, 0) \
  X("%ctaid.x", SPECIAL_CTAID_X, 0) \
  X("%ctaid.y", SPECIAL_CTAID_Y, 0) \
  X("%ctaid.z", SPECIAL_CTAID_Z, 0) \
  X("%nctaid.x", SPECIAL_NCTAID_X, 0) \
  X("%nctaid.y", SPECIAL_NCTAID_Y, 0) \
  X("%nctaid.z", SPECIAL_NCTAID_Z, 0) \
  X("%laneid", SPECIAL_LANEID, 0) \
  X("%warpid", SPECIAL_WARPID, 0) \
  X("%nwarpid", SPECIAL_NWARPID, 0) \
  X("%smid", SPECIAL_SMID, 0) \
  X("%nsmid", SPECIAL_NSMID, 0) \
  X("%cluster_ctaid.x", SPECIAL_CLUSTER_CTAID_X, 0) /* every CTA is a cluster of its own */ \
  X("%cluster_ctaid.y", SPECIAL_CLUSTER_CTAID_Y, 0) \
  X("%cluster_ctaid.z", SPECIAL_CLUSTER_CTAID_Z, 0) \
  X("%cluster_nctaid.x", SPECIAL_CLUSTER_NCTAID_X, 0) \
  X("%cluster_nctaid.y", SPECIAL_CLUSTER_NCTAID_Y, 0) \
  X("%cluster_nctaid.z", SPECIAL_CLUSTER_NCTAID_Z, 0) \
  X("%cluster_ctarank", SPECIAL_CLUSTER_CTARANK, 0) \
  X("%cluster_nctarank", SPECIAL_CLUSTER_NCTARANK, 0) \
  X("%clusterid.x", SPECIAL_CLUSTERID_X, 0) \
  X("%clusterid.y", SPECIAL_CLUSTERID_Y, 0) \
  X("%clusterid.z", SPECIAL_CLUSTERID_Z, 0) \
  X("%nclusterid.x", SPECIAL_NCLUSTERID_X, 0) \
  X("%nclusterid.y", SPECIAL_NCLUSTERID_Y, 0) \
  X("%nclusterid.z", SPECIAL_NCLUSTERID_Z, 0) \
  X("%lanemask_eq", SPECIAL_LANEMASK_EQ, 0) \
  X("%lanemask_lt", SPECIAL_LANEMASK_LT, 0) \
  X("%lanemask_le", SPECIAL_LANEMASK_LE, 0) \
  X("%lanemask_gt", SPECIAL_LANEMASK_GT, 0) \
  X("%lanemask_ge", SPECIAL_LANEMASK_GE, 0) \
  X("%dynamic_smem_size", SPECIAL_DYNAMIC_SMEM, 0) \
  X("%total_smem_size", SPECIAL_TOTAL_SMEM, 0) /* from here on they change while the warp runs: only mov reads them */ X("%clock", SPECIAL_CLOCK, 0) \
  X("%clock_hi", SPECIAL_CLOCK_HI, 0) \
  X("%clock64", SPECIAL_CLOCK64, 1) \
  X("%gridid", SPECIAL_GRIDID, 1) \
  X("%globaltimer", SPECIAL_GLOBALTIMER, 1) \
  X("%globaltimer_lo", SPECIAL_GLOBALTIMER_LO, 0) \
  X("%globaltimer_hi", SPECIAL_GLOBALTIMER_HI, 0)
/* clang-format on */

enum ptx_special {
#define X(name, id, wide) id,
  PTX_SPECIALS(X)
#undef X
    PTX_N_SPECIALS
};

/* A function as it lies in a kernel. */
struct kernel_function {
  const char *name;
  uint32_t first; /* operation */
  uint32_t frame; /* bytes */
};

struct kernel {
  struct ptx_kernel public;            /* first: the public pointer is this one */
  ptx_row special_row[PTX_N_SPECIALS]; /* 0: not used (row 0 is scratch) */
  uint32_t number;                     /* from 1: marks shared variables placed for this kernel */
  uint64_t dynamic_align;
  struct ptx_op *ops;
  uint32_t *consts;
  struct variable *parameters;    /* newest first */
  uint64_t tile_array[PTX_TILES]; /* addresses of shared arrays that operations name */
  uint32_t n_tile_arrays;
  bool async;                       /* cp.async is used */
  bool calls, recursive;            /* defined functions are called; some of them in a circle */
  struct kernel_function *function; /* the entry, then those it reaches, by `first` */
  uint32_t n_functions;
  uint32_t *entry_of; /* function number -> operation, or PTX_NOWHERE32 */
  uint32_t *table;    /* of brx: operations */
};
#define PTX_NOWHERE32 UINT32_MAX

/* Function addresses: no memory lies there. */
#define PTX_CODE_BASE UINT64_C(0x0000700000000000)
enum { PTX_CODE_STEP = 16, FRAME_ALIGN = 16, PTX_ROW_STACK = 2, PTX_ROW_FIRST = 4 };

struct ptx_module {
  struct arena arena;
  const char *file;
  char *text;           /* a copy, a 0 after every line */
  uint32_t *line_start; /* of line 1.. */
  uint32_t n_lines;
  struct names names;
  struct kernel **kernel;
  uint32_t n_kernels, kernel_capacity;
  struct function **function;
  uint32_t n_functions, function_capacity;
  struct variable *variables; /* .global and .const, newest first */
  uint64_t const_bytes;       /* of .const variables */
  struct device_memory *memory;
  const struct ptx_extension *extensions;
  struct ptx_relocation relocation;
};

struct kernel *ptx_kernel_new(struct ptx_module *);

/* ---- front end ---- */

struct parser {
  struct ptx_module *module;
  struct arena *scratch;     /* tokens and syntax trees: gone after the load */
  const struct token *token; /* the next one */
  struct err *e;
  struct function *function;
  struct kernel *kernel;
  uint32_t scope;
  bool wide; /* the host has AVX2 and FMA */
  bool has_version, has_target, has_address_size;
};

/* Splits `text` into tokens, the last of kind TOK_END. */
int ptx_lex(const char *file, const char *text, size_t length, struct arena *, struct token **out, struct err *);
int ptx_parse_module(struct parser *);
int ptx_parse_entry(struct parser *);                                   /* after .entry */
int ptx_parse_function(struct parser *, bool external);                 /* after .func */
int ptx_check_functions(struct parser *);                               /* at the end of the text */
int ptx_parse_prototype(struct parser *, struct function **);           /* after .callprototype */
int ptx_skip_pragma(struct parser *);                                   /* after .pragma */
int ptx_parse_body(struct parser *);                                    /* after the opening brace of an entry */
int ptx_parse_variable(struct parser *, enum ptx_space, bool external); /* after the space's directive */
int ptx_parse_literal(struct parser *, struct operand *);               /* a number, its sign included */
int ptx_parse_count(struct parser *, uint64_t most, uint64_t *out);     /* a plain unsigned integer */
struct name *ptx_find_name(const struct parser *, const char *text, uint32_t length, uint32_t scope);

bool token_is(const struct token *, const char *text);
bool ptx_accept(struct parser *, const char *text);
int ptx_expect(struct parser *, const char *text, const char *where);
int ptx_take_name(struct parser *, const char *what, const struct token **out);
int ptx_skip_braces(struct parser *);
void ptx_skip_line(struct parser *);
bool ptx_special_is_wide(uint32_t special);
int ptx_syntax(const struct parser *, uint32_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));
int ptx_unsupported(const struct parser *, uint32_t line, const char *format, ...)
  __attribute__((format(printf, 3, 4)));
char *arena_text(struct arena *, const char *text, size_t length);
uint64_t align_up(uint64_t value, uint64_t align); /* align: a power of two */

/* ---- decoder ---- */

enum { PARTS_MAX = 14, OPCODE_TEXT_MAX = 120 };
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

struct decoder {
  struct parser *parser;
  struct kernel *kernel;
  struct function *function;
  const struct instruction *ins;
  struct ptx_op *op; /* being decoded; appended when complete */
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
  uint32_t pending_arguments;  /* st.param seen, call not yet */
  uint32_t carry;              /* register number of CC.CF, if any instruction uses it */
  struct part *into;
  uint32_t *table; /* brx: instructions, then operations */
  uint32_t n_table, table_capacity;
};

/* What the modifiers say: the last type and the one before it; the rest of them in the key. */
enum { KEY_MAX = 48 };
struct modifiers {
  char key[KEY_MAX];
  enum ptx_type type, first_type;
  uint32_t n_types;
  enum ptx_rounding rounding;
  uint8_t flags;
};

const char *ptx_mnemonic_at(uint32_t number); /* with a decoder of its own, from 0; NULL beyond the last */

/* Operations from the first to the last at which a register is live or named. */
struct interval {
  uint32_t first, last;
};

/* A function in a kernel that reaches it, while the kernel is put together: operations, registers and rows are its own
 * numbers until then. */
struct part {
  struct function *function;
  struct ptx_op *ops;
  uint32_t n_ops, first;
  struct reg *reg;
  uint32_t n_regs, first_reg, rows_before; /* rows_before: provisional rows, from PTX_ROW_FIRST */
  struct interval *interval;
  uint32_t n_rows, first_row;
  uint32_t save_bytes, frame_bytes;
  uint32_t live_registers, need; /* need: with those of its callees */
  uint32_t group;                /* parts that call each other in a circle: their lowest index */
  uint32_t table, n_table;       /* brx: in the kernel's table */
  uint64_t *call_live;           /* registers live across each call, in order */
};
/* ptx_op.offset counts from the end of the frame: the callee's. Of operations of class PTX_INT, PTX_INT64 with a frame
 * handler. */
enum { FRAME_OUTGOING = 1 };
enum { SPECIAL_ROWS = 1 << 24 }; /* provisional row of special register s: SPECIAL_ROWS + s */

int ptx_decode_kernel(struct parser *, struct function *entry);
int ptx_decode_part(struct decoder *, struct part *);
uint32_t ptx_frame_locals(const struct function *); /* where local variables begin in the frame */
bool ptx_in_frame(const struct decoder *,
                  const struct variable *);       /* local, and no entry's: relative to the stack pointer */
bool ptx_stores_argument(const struct decoder *); /* st.param of an argument of an extension */
int ptx_resolve_calls(struct parser *, struct function *);
uint64_t ptx_function_address(const struct function *);
void ptx_save_registers(struct decoder *, struct part *, const struct part *parts, uint32_t n_parts);
int ptx_decode_branch_indexed(struct decoder *);
int ptx_decode_barrier(struct decoder *);
int ptx_decode_async(struct decoder *);
int ptx_decode_frame_address(struct decoder *); /* mov of the address of what lies in the frame */
uint64_t ptx_frame_offset(const struct decoder *, const struct variable *);
struct name *ptx_call_target(const struct parser *, const struct instruction *, const struct operand **);
int ptx_decode_memory(struct decoder *);
int ptx_decode_param_load(struct decoder *);
int ptx_decode_atomic(struct decoder *);
int ptx_decode_texture(struct decoder *);
int ptx_decode_texture_query(struct decoder *);
int ptx_decode_move(struct decoder *);
int ptx_decode_cvta(struct decoder *);
int ptx_decode_set(struct decoder *);
int ptx_decode_select(struct decoder *);
int ptx_decode_logic3(struct decoder *);
int ptx_decode_predicate_logic(struct decoder *);
int ptx_decode_lanes(struct decoder *); /* shfl, vote, activemask, match */
int ptx_decode_convert(struct decoder *);
int ptx_decode_arithmetic(struct decoder *);
int ptx_decode_flow(struct decoder *);
int ptx_decode_call(struct decoder *);
int ptx_decode_store_argument(struct decoder *);
int ptx_decode_misc(struct decoder *);

bool decode_modifiers(const struct decoder *, struct modifiers *);
struct ptx_handler;
void decode_choose(const struct decoder *, const struct ptx_handler *); /* of its two functions the host's */
int decode_refuse(const struct decoder *);                              /* unsupported instruction */
int decode_syntax(const struct decoder *, const char *format, ...) __attribute__((format(printf, 2, 3)));
int decode_operands(const struct decoder *, uint32_t least, uint32_t most);
/* Appends operand `o` to the sources/destinations of the operation, checked against `type`. */
int decode_source(struct decoder *, const struct operand *, enum ptx_type);
int decode_destination(struct decoder *, const struct operand *, enum ptx_type);
ptx_row decode_constant(struct decoder *, uint64_t value, bool is_64);
int decode_literal(const struct decoder *, const struct operand *, enum ptx_type, uint64_t *bits);
/* Address constant of a variable as mov sees it. */
uint64_t decode_variable_address(const struct decoder *, const struct variable *);
bool decode_has_part(const struct decoder *, const char *);
int decode_finish(struct decoder *); /* appends the operation */
void decode_reads(struct decoder *, uint32_t reg);
void decode_writes(struct decoder *, uint32_t reg);

/* ---- handlers ---- */

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
const struct ptx_handler *ptx_find_handler(const char *key, enum ptx_type);
const struct ptx_handler *ptx_handler_at(uint32_t number); /* as in ptx_op.handler, from 1; NULL beyond the last */
/* ptx_module_load with the choice of handlers in the caller's hand (tests compare both). */
int ptx_module_load_with(bool wide, const char *file, const char *text, size_t length, const struct ptx_extension *,
                         struct device_memory *, struct ptx_module **, struct err *);

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

/* ---- flow graph ---- */

/* Fills reconverge of every branch, live_registers, an interval for every register; of calls, call_live, and as
 * `reconverge` the weight of what is live across them. `table`: targets of brx as operations of the part. */
void ptx_flow_analyse(struct arena *, struct part *, const uint32_t *table);
static inline bool ptx_op_is_call(const struct ptx_op *op) {
  return op->class == PTX_BRANCH && (op->code == BRANCH_CALL || op->code == BRANCH_CALL_INDIRECT);
}
/* What follows is reached by a branch only, unless guarded. */
static inline bool ptx_op_ends_flow(const struct ptx_op *op) {
  return op->class == PTX_EXIT || (op->class == PTX_BRANCH && !ptx_op_is_call(op));
}
/* ---- tiles.c ---- */

/* What decoders leave in ptx_op.tile: number of the shared array that the operation names, from 1; it moves or converts. */
enum { PTX_TILE_SYMBOL = 0x0f, PTX_TILE_MOVES = 0x80 };
/* Marks software copies of tiles in a kernel's operations; returns the number of tiles. */
uint32_t ptx_mark_tiles(struct arena *, struct ptx_op *ops, uint32_t n_ops, uint32_t n_registers,
                        const uint8_t *predicate);

/* Lets registers share rows: rewrites the operations and n_rows. */
void ptx_rows_compact(struct arena *, struct part *);

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
/* A fault that names the function and the call depth. */
void ptx_too_deep(struct ptx_warp *, const struct ptx_op *, uint32_t lane, const char *what);
void ptx_fault(struct ptx_warp *, const struct ptx_op *, uint32_t lane, const char *format, ...)
  __attribute__((format(printf, 4, 5)));

#endif
