/* SPDX-License-Identifier: Apache-2.0 */
/* PTX text to syntax trees: lexer.c makes tokens, the parse_*.c files make a struct function of each entry and
 * function, with an instruction for each statement. parse.c holds what all of them use: errors, tokens, names,
 * numbers. */
#ifndef TANDEM_PTX_PARSE_H
#define TANDEM_PTX_PARSE_H

#include "base/err.h"
#include "ptx/kernel.h"
#include "ptx/ptx.h"
#include "ptx/tables.h"

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
  OPERAND_NAME,     /* a label or function: resolved when decoded */
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
  bool wide;    /* a register of 128 bits, as the vector of its halves */
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
  struct call *call;                /* of a defined function */
  const struct ptx_op_phase *phase; /* of a phase specifier, else NULL */
};

struct function;
/* A call of defined functions, resolved when a kernel first reaches it. */
struct call {
  struct function *callee; /* NULL: `device`, or `pointer` says which of the candidates */
  const struct ptx_device_call *device;
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
  bool undefined;           /* .extern of another space: its definition stands elsewhere in the text, or nowhere */
  bool texture;             /* .texref */
  bool call_parameter;      /* .param inside a body */
  uint64_t address;         /* device address, or offset in its space */
  uint32_t rank;            /* shared memory: the lowest lies first; see phase_needs.c */
  uint32_t placed_in;       /* shared memory: number of the kernel in which it got `address` last */
  struct function *used_by; /* shared memory: the last function that named it */
  bool in_frame; /* .param of a defined function or of a call of one: `address` is an offset in the callee's frame */
  bool stored;   /* of a call parameter: `argument` is set */
  struct operand argument;
  struct variable *next, *next_external;
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
  uint32_t number;         /* within the module, from 0; gives its address */
  bool runtime, serial;    /* calls the device's runtime (device_call.h); a function of it that is serial */
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

/* ---- the parser ---- */

struct parser {
  struct ptx_module *module;
  struct arena *scratch;     /* holds tokens and syntax trees until the load ends */
  const struct token *token; /* the next one */
  struct err *e;
  const struct ptx_options *options;
  struct function *function;
  struct kernel *kernel;
  uint32_t scope;
  bool wide; /* the host has AVX2 and FMA */
  bool has_version, has_target, has_address_size;
  struct variable *reserved[2]; /* shared memory that %reserved_smem_offset_0 and _1 name */
};

/* parse.c: errors; both return the error code */
int ptx_syntax(const struct parser *, uint32_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));
int ptx_unsupported(const struct parser *, uint32_t line, const char *format, ...)
  __attribute__((format(printf, 3, 4)));
/* parse.c: tokens */
bool token_is(const struct token *, const char *text);
bool ptx_accept(struct parser *, const char *text);
int ptx_expect(struct parser *, const char *text, const char *where);
int ptx_take_name(struct parser *, const char *what, const struct token **out);
int ptx_skip_braces(struct parser *);
void ptx_skip_line(struct parser *);
int ptx_skip_pragma(struct parser *);                               /* after .pragma */
int ptx_parse_literal(struct parser *, struct operand *);           /* a number, its sign included */
int ptx_parse_count(struct parser *, uint64_t most, uint64_t *out); /* a plain unsigned integer */
/* parse.c: the innermost declaration of a name that is visible in `scope`, or NULL */
struct name *ptx_find_name(const struct parser *, const char *text, uint32_t length, uint32_t scope);

/* lexer.c: splits `text` into tokens, the last of kind TOK_END */
int ptx_lex(const char *file, const char *text, size_t length, struct arena *, struct token **out, struct err *);
/* parse_variable.c */
int ptx_parse_variable(struct parser *, enum ptx_space, bool external); /* after the space's directive */
/* parse_signature.c */
void ptx_root_scope(struct parser *, struct function *);
int ptx_parse_parameters(struct parser *); /* ( .param ... ), into p->function */
int ptx_parse_signature(struct parser *, const char *what, const struct token **name);
int ptx_parse_prototype(struct parser *, struct function **); /* after .callprototype */
/* parse_body.c */
int ptx_parse_body(struct parser *); /* after the opening brace */
/* parse_pragma.c: after .pragma in a body; what a specifier says, or NULL if there is none or nobody asks for phases */
#define PTX_PHASE_PRAGMA "tandem.phase"
int ptx_parse_pragma(struct parser *, struct ptx_op_phase **);
bool ptx_special_is_wide(uint32_t special);
/* parse_function.c */
int ptx_parse_entry(struct parser *);                   /* after .entry */
int ptx_parse_function(struct parser *, bool external); /* after .func */
int ptx_check_functions(struct parser *);               /* at the end of the text */
int ptx_check_variables(struct parser *);               /* there, too: each external one has its definition */
/* parse_module.c */
int ptx_parse_module(struct parser *);

#endif
