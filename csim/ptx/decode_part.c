/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes one function: chooses the decoder of each mnemonic, adds the carry flag, and turns labels into operations. */
#include "ptx/decode.h"

#include <string.h>

static const struct {
  const char *name;
  decode_fn *decode;
} mnemonics[] = {
  {"tex", ptx_decode_texture},        {"tld4", ptx_decode_texture},
  {"txq", ptx_decode_texture_query},  {"suld", ptx_decode_surface},
  {"sust", ptx_decode_surface},       {"sured", ptx_decode_surface},
  {"suq", ptx_decode_texture_query},  {"ld", ptx_decode_memory},
  {"ldu", ptx_decode_memory},         {"st", ptx_decode_memory},
  {"atom", ptx_decode_atomic},        {"red", ptx_decode_atomic},
  {"mov", ptx_decode_move},           {"cvta", ptx_decode_cvta},
  {"setp", ptx_decode_set},           {"set", ptx_decode_set},
  {"selp", ptx_decode_select},        {"cvt", ptx_decode_convert},
  {"shfl", ptx_decode_lanes},         {"vote", ptx_decode_lanes},
  {"activemask", ptx_decode_lanes},   {"match", ptx_decode_lanes},
  {"redux", ptx_decode_lanes},        {"bra", ptx_decode_flow},
  {"brx", ptx_decode_branch_indexed}, {"elect", ptx_decode_misc},
  {"brkpt", ptx_decode_misc},         {"discard", ptx_decode_misc},
  {"applypriority", ptx_decode_misc}, {"cp", ptx_decode_async},
  {"exit", ptx_decode_flow},          {"ret", ptx_decode_flow},
  {"bar", ptx_decode_flow},           {"barrier", ptx_decode_flow},
  {"membar", ptx_decode_flow},        {"fence", ptx_decode_flow},
  {"call", ptx_decode_call},          {"trap", ptx_decode_misc},
  {"nanosleep", ptx_decode_misc},     {"prefetch", ptx_decode_misc},
  {"prefetchu", ptx_decode_misc},     {"pmevent", ptx_decode_misc},
  {"isspacep", ptx_decode_misc},      {"testp", ptx_decode_set},
  {"lop3", ptx_decode_logic3},        {"mbarrier", ptx_decode_mbarrier},
  {"alloca", ptx_decode_stack},       {"stacksave", ptx_decode_stack},
  {"stackrestore", ptx_decode_stack}, {"mapa", ptx_decode_cluster},
  {"getctarank", ptx_decode_cluster}, {"mma", ptx_decode_matrix},
  {"ldmatrix", ptx_decode_matrix},    {"stmatrix", ptx_decode_matrix},
  {"movmatrix", ptx_decode_matrix},   {"wmma", ptx_decode_wmma},
  {"createpolicy", ptx_decode_misc},  {"griddepcontrol", ptx_decode_misc},
};

const char *ptx_mnemonic_at(uint32_t number) {
  return number < sizeof mnemonics / sizeof mnemonics[0] ? mnemonics[number].name : NULL;
}

static int split(struct decoder *d) {
  size_t length = strlen(d->ins->opcode);
  d->n_parts = 0;
  if (length >= sizeof d->text) return decode_refuse(d);
  memcpy(d->text, d->ins->opcode, length + 1);
  for (char *at = d->text; at;) {
    if (d->n_parts == PARTS_MAX) return decode_refuse(d);
    d->part[d->n_parts++] = at;
    at = strchr(at, '.');
    if (at) *at++ = 0;
  }
  return 0;
}

/* The arguments of an extension are stored just before its call: an instruction in between could change their
 * registers. */
static int check_pending(const struct decoder *d) {
  if (!d->pending_arguments || strcmp(d->part[0], "call") == 0) return 0;
  return ptx_unsupported(d->parser, d->ins->line, "'%.80s' between st.param and its call: store the arguments last",
                         d->ins->opcode);
}

static int check_pairs(const struct decoder *d) {
  const char *name = d->part[0];
  bool may = strcmp(name, "setp") == 0 || strcmp(name, "shfl") == 0 || strcmp(name, "match") == 0 ||
             strcmp(name, "elect") == 0 || strcmp(name, "lop3") == 0;
  for (uint32_t i = 0; i < d->ins->n_operands; i++)
    if (d->ins->operand[i].pair && (i || !may)) return decode_syntax(d, "operand %u cannot be a pair a|b", i + 1);
  return 0;
}

static int decode_phase(struct decoder *d) {
  if (!d->function->is_entry)
    return decode_syntax(d, "phase specifiers stand in the entry: the function '%s' belongs to the phase that calls it",
                         d->function->name);
  d->op->class = PTX_PHASE;
  d->op->phase = *d->ins->phase;
  return decode_finish(d);
}

static int decode_one(struct decoder *d) {
  decode_begin(d);
  if (d->ins->phase) return decode_phase(d);
  int code = split(d);
  if (code || (code = check_pairs(d))) return code;
  const char *name = d->part[0];
  if (ptx_stores_argument(d)) return ptx_decode_store_argument(d);
  if ((code = check_pending(d))) return code;
  if (ptx_loads_result(d)) return 0;
  for (size_t i = 0; i < sizeof mnemonics / sizeof mnemonics[0]; i++)
    if (strcmp(mnemonics[i].name, name) == 0) {
      decode_fn *decode = mnemonics[i].decode;
      d->op->moves = decode == ptx_decode_move || decode == ptx_decode_select || decode == ptx_decode_convert;
      return decode(d);
    }
  return ptx_decode_arithmetic(d);
}

static const char carry_name[] = "CC.CF";

/* A function that uses carry chains has one more predicate register: CC.CF. */
static void add_carry_flag(struct decoder *d) {
  struct function *f = d->function;
  bool used = false;
  for (uint32_t i = 0; i < f->n_instructions && !used; i++) {
    const char *opcode = f->instruction[i].opcode;
    used = strstr(opcode, ".cc") || strncmp(opcode, "addc", 4) == 0 || strncmp(opcode, "subc", 4) == 0 ||
           strncmp(opcode, "madc", 4) == 0;
  }
  if (!used) return;
  for (d->carry = 0; d->carry < f->n_regs; d->carry++) /* added when another kernel decoded the function */
    if (f->reg[d->carry].name == carry_name) return;
  f->reg = arena_grow(d->parser->scratch, f->reg, f->n_regs, &f->reg_capacity, sizeof *f->reg);
  f->reg[f->n_regs] = (struct reg){.name = carry_name, .type = T_PRED};
  d->carry = f->n_regs++;
}

static const char stack_name[] = "stack top";

/* A function that allocates keeps the top of the stack as it found it in one more register. */
static void add_stack_top(struct decoder *d) {
  struct function *f = d->function;
  d->allocates = false;
  for (uint32_t i = 0; i < f->n_instructions && !f->is_entry && !d->allocates; i++)
    d->allocates = strncmp(f->instruction[i].opcode, "alloca", 6) == 0;
  if (!d->allocates) return;
  for (d->stack_top = 0; d->stack_top < f->n_regs; d->stack_top++)
    if (f->reg[d->stack_top].name == stack_name) return;
  f->reg = arena_grow(d->parser->scratch, f->reg, f->n_regs, &f->reg_capacity, sizeof *f->reg);
  f->reg[f->n_regs] = (struct reg){.name = stack_name, .type = T_U64};
  d->stack_top = f->n_regs++;
}

static int enter_stack(struct decoder *d) {
  static const struct instruction before = {.opcode = "stacksave.u64"};
  if (!d->allocates) return 0;
  struct instruction at = before;
  at.line = d->function->line;
  d->ins = &at;
  decode_begin(d);
  int code = ptx_decode_stack_frame(d, true);
  d->ins = NULL;
  return code;
}

static void assign_rows(struct part *part) {
  uint32_t row = PTX_ROW_FIRST; /* 0 and 1: scratch, for `_`; 2 and 3: the stack pointer */
  for (uint32_t i = 0; i < part->n_regs; i++) {
    struct reg *r = &part->reg[i];
    r->row = (ptx_row)row;
    row += ptx_type_bytes(r->type) == 8 ? 2 : 1;
  }
  part->rows_before = row;
}

/* Adds a ret where control can reach the end of the body. */
static int close_body(struct decoder *d) {
  static const struct instruction end = {.opcode = "ret"};
  struct instruction at = end;
  bool reached = d->n_ops == 0;
  for (uint32_t i = 0; i < d->n_ops && !reached; i++)
    reached = ptx_op_is_jump(&d->ops[i]) && d->op_of_instruction[d->ops[i].branch.target] == d->n_ops;
  for (uint32_t i = d->into->table; i < d->n_table && !reached; i++)
    reached = d->op_of_instruction[d->table[i]] == d->n_ops;
  if (!reached) {
    const struct ptx_op *last = &d->ops[d->n_ops - 1];
    if (last->guard == PTX_NO_GUARD && ptx_op_ends_flow(last)) return 0;
  }
  at.line = d->n_ops ? d->ops[d->n_ops - 1].line : d->function->line;
  d->ins = &at;
  int code = decode_one(d);
  d->ins = NULL;
  return code;
}

static void targets_to_operations(struct decoder *d) {
  for (uint32_t i = 0; i < d->n_ops; i++)
    if (ptx_op_is_jump(&d->ops[i])) d->ops[i].branch.target = d->op_of_instruction[d->ops[i].branch.target];
  for (uint32_t i = d->into->table; i < d->n_table; i++) d->table[i] = d->op_of_instruction[d->table[i]];
}

/* Decodes the function of `part`; targets, registers and rows are numbered within the part. */
int ptx_decode_part(struct decoder *d, struct part *part) {
  struct function *f = part->function;
  uint32_t n = f->n_instructions;
  d->into = part;
  d->function = d->parser->function = f;
  d->ops = NULL;
  d->n_ops = d->op_capacity = 0;
  add_carry_flag(d);
  add_stack_top(d);
  part->reg = f->reg;
  part->n_regs = f->n_regs;
  part->table = d->n_table;
  assign_rows(part);
  d->op_of_instruction = arena_alloc(d->parser->scratch, (n + 1) * sizeof *d->op_of_instruction);
  int code = enter_stack(d);
  for (uint32_t i = 0; i < n && !code; i++) {
    d->ins = &f->instruction[i];
    d->op_of_instruction[i] = d->n_ops;
    code = decode_one(d);
  }
  if (code) return code;
  d->op_of_instruction[n] = d->n_ops;
  if (d->pending_arguments)
    return ptx_syntax(d->parser, f->line, "st.param without a call at the end of '%s'", f->name);
  if ((code = close_body(d))) return code;
  targets_to_operations(d);
  part->ops = d->ops;
  part->n_ops = d->n_ops;
  part->n_table = d->n_table - part->table;
  part->interval = arena_alloc(d->parser->scratch, (part->n_regs + 2) * sizeof *part->interval);
  return 0;
}
