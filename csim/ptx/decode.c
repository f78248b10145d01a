/* SPDX-License-Identifier: Apache-2.0 */
/* Syntax tree to operations: the frame (rows, constants, labels) and the table of mnemonics. */
#include "ptx/ptx_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef int decode_fn(struct decoder *);

static const struct {
  const char *name;
  decode_fn *decode;
} mnemonics[] = {
  {"tex", ptx_decode_texture},        {"tld4", ptx_decode_texture},     {"txq", ptx_decode_texture_query},
  {"ld", ptx_decode_memory},          {"ldu", ptx_decode_memory},       {"st", ptx_decode_memory},
  {"atom", ptx_decode_atomic},        {"red", ptx_decode_atomic},       {"mov", ptx_decode_move},
  {"cvta", ptx_decode_cvta},          {"setp", ptx_decode_set},         {"set", ptx_decode_set},
  {"selp", ptx_decode_select},        {"cvt", ptx_decode_convert},      {"shfl", ptx_decode_lanes},
  {"vote", ptx_decode_lanes},         {"activemask", ptx_decode_lanes}, {"match", ptx_decode_lanes},
  {"redux", ptx_decode_lanes},        {"bra", ptx_decode_flow},         {"brx", ptx_decode_branch_indexed},
  {"elect", ptx_decode_misc},         {"brkpt", ptx_decode_misc},       {"discard", ptx_decode_misc},
  {"applypriority", ptx_decode_misc}, {"cp", ptx_decode_async},         {"exit", ptx_decode_flow},
  {"ret", ptx_decode_flow},           {"bar", ptx_decode_flow},         {"barrier", ptx_decode_flow},
  {"membar", ptx_decode_flow},        {"fence", ptx_decode_flow},       {"call", ptx_decode_call},
  {"trap", ptx_decode_misc},          {"nanosleep", ptx_decode_misc},   {"prefetch", ptx_decode_misc},
  {"prefetchu", ptx_decode_misc},     {"pmevent", ptx_decode_misc},     {"isspacep", ptx_decode_misc},
  {"testp", ptx_decode_set},          {"lop3", ptx_decode_logic3},
};

const char *ptx_mnemonic_at(uint32_t number) {
  return number < sizeof mnemonics / sizeof mnemonics[0] ? mnemonics[number].name : NULL;
}

/* ---- errors ---- */

int decode_refuse(const struct decoder *d) {
  return ptx_unsupported(d->parser, d->ins->line,
                         "unsupported instruction '%.80s': use plain operations in the kernel source, or another "
                         "target architecture",
                         d->ins->opcode);
}

int decode_syntax(const struct decoder *d, const char *format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return ptx_syntax(d->parser, d->ins->line, "'%.80s': %s", d->ins->opcode, text);
}

int decode_operands(const struct decoder *d, uint32_t least, uint32_t most) {
  uint32_t n = d->ins->n_operands;
  if (n >= least && n <= most) return 0;
  if (least == most) return decode_syntax(d, "takes %u operands, not %u", least, n);
  return decode_syntax(d, "takes %u to %u operands, not %u", least, most, n);
}

bool decode_has_part(const struct decoder *d, const char *part) {
  for (uint32_t i = 1; i < d->n_parts; i++)
    if (strcmp(d->part[i], part) == 0) return true;
  return false;
}

/* ---- constants ---- */

static uint32_t constant_hash(uint64_t value, bool is_64) {
  return (uint32_t)((value ^ (is_64 ? UINT64_C(0x5bd1e995) : 0)) * UINT64_C(0x9e3779b97f4a7c15) >> 40);
}

static bool constant_is(const struct decoder *d, uint32_t entry, uint64_t value, bool is_64) {
  const uint32_t *row = d->consts + (size_t)(entry >> 1) * WARP_LANES;
  if ((entry & 1) != is_64) return false;
  return is_64 ? memcmp(row, &value, 8) == 0 : row[0] == (uint32_t)value;
}

static void grow_constant_hash(struct decoder *d) {
  uint32_t old_size = d->hash_size, *old = d->const_hash;
  d->hash_size = old_size ? old_size * 2 : 64;
  d->const_hash = arena_alloc(d->parser->scratch, d->hash_size * sizeof *d->const_hash);
  for (uint32_t i = 0; i < old_size; i++) {
    if (!old[i]) continue;
    uint64_t value = 0;
    memcpy(&value, d->consts + (size_t)((old[i] - 2) >> 1) * WARP_LANES, old[i] & 1 ? 8 : 4);
    uint32_t at = constant_hash(value, old[i] & 1);
    while (d->const_hash[at &= d->hash_size - 1]) at++;
    d->const_hash[at] = old[i];
  }
}

/* Constant rows are shared; hash entries are (row << 1 | is_64) + 2, so that 0 means free. */
ptx_row decode_constant(struct decoder *d, uint64_t value, bool is_64) {
  if (!is_64) value = (uint32_t)value;
  if (d->n_consts * 2 >= d->hash_size) grow_constant_hash(d);
  uint32_t at = constant_hash(value, is_64);
  while (d->const_hash[at &= d->hash_size - 1]) {
    uint32_t entry = d->const_hash[at] - 2;
    if (constant_is(d, entry, value, is_64)) return ~(ptx_row)(entry >> 1);
    at++;
  }
  uint32_t row = d->n_consts, n = is_64 ? 2 : 1;
  d->consts = arena_grow(d->parser->scratch, d->consts, d->n_consts, &d->const_capacity, WARP_LANES * 4);
  if (n == 2)
    d->consts = arena_grow(d->parser->scratch, d->consts, d->n_consts + 1, &d->const_capacity, WARP_LANES * 4);
  for (uint32_t l = 0; l < WARP_LANES; l++) {
    uint32_t narrow = (uint32_t)value;
    if (is_64) memcpy(d->consts + (size_t)row * WARP_LANES + 2 * l, &value, 8);
    else d->consts[(size_t)row * WARP_LANES + l] = narrow;
  }
  d->n_consts += n;
  d->const_hash[at] = (row << 1 | is_64) + 2;
  return ~(ptx_row)row;
}

/* A literal as the bits of a register of `type`. */
int decode_literal(const struct decoder *d, const struct operand *o, enum ptx_type type, uint64_t *bits) {
  uint32_t bytes = ptx_type_bytes(type);
  char letter = ptx_type_letter(type);
  if (o->literal == LITERAL_INT && letter != 'f') {
    int64_t value = (int64_t)o->bits;
    uint32_t width = bytes * 8;
    if (type == T_PRED) *bits = value ? UINT32_MAX : 0;
    else *bits = bytes == 8 ? o->bits : o->bits & ((UINT64_C(1) << width) - 1);
    if (bytes == 8 || type == T_PRED) return 0;
    bool fits = o->negated ? value >= -(INT64_C(1) << (width - 1)) : o->bits < UINT64_C(1) << width;
    return fits ? 0 : decode_syntax(d, "the constant %lld does not fit .%s", (long long)value, ptx_type_name(type));
  }
  if (o->literal == LITERAL_F32 && (bytes == 4 || bytes == 8)) {
    *bits = o->bits;
    float f;
    uint32_t narrow = (uint32_t)o->bits;
    memcpy(&f, &narrow, 4);
    double wide = (double)f;
    if (type == T_F64) memcpy(bits, &wide, 8);
    return bytes == 8 && type != T_F64
             ? decode_syntax(d, "a 32-bit float constant where .%s is wanted", ptx_type_name(type))
             : 0;
  }
  double value = o->negated ? (double)(int64_t)o->bits : (double)o->bits;
  if (o->literal == LITERAL_F64) memcpy(&value, &o->bits, 8);
  if (bytes == 8) {
    memcpy(bits, &value, 8);
  } else if (bytes == 4 && letter == 'f') {
    float f = (float)value;
    uint32_t narrow;
    memcpy(&narrow, &f, 4);
    *bits = narrow;
  } else if (bytes == 2 && letter == 'f') {
    *bits = ptx_double_to_half(value, ROUND_RN, type == T_BF16);
  } else {
    return decode_syntax(d, "a float constant where .%s is wanted", ptx_type_name(type));
  }
  return 0;
}

/* ---- operands ---- */

void decode_reads(struct decoder *d, uint32_t reg) {
  enum { MOST = sizeof d->op->read_reg / sizeof d->op->read_reg[0] };
  for (uint32_t i = 0; i < d->n_reads; i++)
    if (d->op->read_reg[i] == reg) return;
  invariant(d->n_reads < MOST, "an operation reads more than %d registers", MOST);
  d->op->read_reg[d->n_reads++] = (uint16_t)reg;
}

void decode_writes(struct decoder *d, uint32_t reg) {
  enum { MOST = sizeof d->op->write_reg / sizeof d->op->write_reg[0] };
  invariant(d->n_writes < MOST, "an operation writes more than %d registers", MOST);
  d->op->write_reg[d->n_writes++] = (uint16_t)reg;
}

uint64_t decode_variable_address(const struct decoder *d, const struct variable *v) {
  return v->external ? d->kernel->public.shared_bytes : v->address;
}

static int check_register(const struct decoder *d, const struct operand *o, enum ptx_type type) {
  const struct reg *r = &d->function->reg[o->index];
  if ((r->type == T_PRED) == (type == T_PRED) && ptx_type_bytes(r->type) == ptx_type_bytes(type)) return 0;
  return decode_syntax(d, "register '%.*s' is .%s where .%s is wanted", (int)o->length, o->name, ptx_type_name(r->type),
                       ptx_type_name(type));
}

static int special_row(struct decoder *d, const struct operand *o, enum ptx_type type, ptx_row *row) {
  if (o->index >= SPECIAL_CLOCK)
    return decode_syntax(d, "'%.*s' is read by mov only: mov it to a register first", (int)o->length, o->name);
  if (ptx_type_bytes(type) == 8 || ptx_type_bytes(type) == 0)
    return decode_syntax(d, "'%.*s' is a 32-bit register, .%s is wanted", (int)o->length, o->name, ptx_type_name(type));
  d->kernel->special_row[o->index] = 1; /* used: it gets its place when the kernel is put together */
  *row = SPECIAL_ROWS + (ptx_row)o->index;
  return 0;
}

static bool function_address(const struct decoder *d, const struct operand *o, uint64_t *bits) {
  const struct name *n = ptx_find_name(d->parser, o->name, o->length, d->ins->scope);
  const struct function *f = n && n->kind == NAME_FUNCTION ? n->what : NULL;
  if (!f || f->is_entry || strcmp(d->part[0], "mov") != 0) return false;
  *bits = ptx_function_address(f);
  return true;
}

/* Shared arrays by the order in which they are named; more than fit count as the last. */
static uint8_t array_number(struct decoder *d, uint64_t address) {
  struct kernel *k = d->kernel;
  uint32_t i = 0;
  while (i < k->n_tile_arrays && k->tile_array[i] != address) i++;
  if (i == k->n_tile_arrays && i < PTX_TILES - 1) k->tile_array[k->n_tile_arrays++] = address;
  return (uint8_t)(i < PTX_TILES - 1 ? i + 1 : PTX_TILES - 1);
}

int decode_source(struct decoder *d, const struct operand *o, enum ptx_type type) {
  ptx_row *row = &d->op->src[d->op->n_src];
  uint64_t bits = 0;
  int code = 0;
  invariant(d->op->n_src < PTX_SOURCES_MAX, "too many sources");
  switch (o->kind) {
    case OPERAND_REGISTER:
      if (o->negated && type != T_PRED) return decode_syntax(d, "'!' stands before predicates only");
      if ((code = check_register(d, o, type))) return code;
      *row = d->function->reg[o->index].row;
      decode_reads(d, o->index);
      break;
    case OPERAND_IMMEDIATE:
      if ((code = decode_literal(d, o, type, &bits))) return code;
      *row = decode_constant(d, bits, ptx_type_bytes(type) == 8);
      break;
    case OPERAND_SPECIAL:
      if ((code = special_row(d, o, type, row))) return code;
      break;
    case OPERAND_VARIABLE:
      bits = decode_variable_address(d, o->variable);
      if (o->variable->call_parameter || o->variable->in_frame || ptx_in_frame(d, o->variable) ||
          ptx_type_bytes(type) < 4 || (ptx_type_bytes(type) == 4 && bits > UINT32_MAX))
        return decode_syntax(d, "the address of '%s' is no .%s", o->variable->name, ptx_type_name(type));
      *row = decode_constant(d, bits, ptx_type_bytes(type) == 8);
      if (o->variable->space == PTX_SHARED) d->op->tile |= array_number(d, bits);
      break;
    case OPERAND_NAME:
      if (ptx_type_bytes(type) == 8 && function_address(d, o, &bits)) {
        *row = decode_constant(d, bits, true);
        break;
      }
      return decode_syntax(d, "unknown name '%.*s': declare it before its use", (int)o->length, o->name);
    default: return decode_syntax(d, "operand %u should be a register or a constant", d->op->n_src + 1);
  }
  d->op->n_src++;
  return 0;
}

/* `_` writes the scratch rows 0 and 1. */
int decode_destination(struct decoder *d, const struct operand *o, enum ptx_type type) {
  invariant(d->op->n_dst < 4, "too many destinations");
  if (o->kind == OPERAND_SINK) {
    d->op->dst[d->op->n_dst++] = 0;
    return 0;
  }
  if (o->kind == OPERAND_NAME)
    return decode_syntax(d, "unknown register '%.*s': declare it with .reg", (int)o->length, o->name);
  if (o->kind != OPERAND_REGISTER) return decode_syntax(d, "the destination should be a register");
  int code = check_register(d, o, type);
  if (code) return code;
  d->op->dst[d->op->n_dst++] = d->function->reg[o->index].row;
  decode_writes(d, o->index);
  return 0;
}

/* ---- operations ---- */

static void begin(struct decoder *d) {
  d->ops = arena_grow(d->parser->scratch, d->ops, d->n_ops, &d->op_capacity, sizeof *d->ops);
  d->op = &d->ops[d->n_ops];
  *d->op = (struct ptx_op){.guard = PTX_NO_GUARD, .issue_slots = 1, .reconverge = UINT32_MAX, .space = PTX_SPACES};
  memset(d->op->read_reg, 0xff, sizeof d->op->read_reg);
  memset(d->op->write_reg, 0xff, sizeof d->op->write_reg);
  d->n_reads = d->n_writes = 0;
}

int decode_finish(struct decoder *d) {
  const struct instruction *ins = d->ins;
  d->op->line = ins->line;
  if (ins->guarded) {
    d->op->guard = d->function->reg[ins->guard].row;
    d->op->guard_negated = ins->guard_negated;
    decode_reads(d, ins->guard);
  }
  d->n_ops++;
  return 0;
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

/* Arguments of a call are stored just before it; what stands between must not change them. */
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

static int decode_one(struct decoder *d) {
  begin(d);
  int code = split(d);
  if (code || (code = check_pairs(d))) return code;
  const char *name = d->part[0];
  if (ptx_stores_argument(d)) return ptx_decode_store_argument(d);
  if ((code = check_pending(d))) return code;
  for (size_t i = 0; i < sizeof mnemonics / sizeof mnemonics[0]; i++)
    if (strcmp(mnemonics[i].name, name) == 0) {
      decode_fn *decode = mnemonics[i].decode;
      if (decode == ptx_decode_move || decode == ptx_decode_select || decode == ptx_decode_convert)
        d->op->tile |= PTX_TILE_MOVES;
      return decode(d);
    }
  return ptx_decode_arithmetic(d);
}

static const char carry_name[] = "CC.CF";

/* A function whose instructions chain carries has one more predicate register: CC.CF. */
static void add_carry_flag(struct decoder *d) {
  struct function *f = d->function;
  bool used = false;
  for (uint32_t i = 0; i < f->n_instructions && !used; i++) {
    const char *opcode = f->instruction[i].opcode;
    used = strstr(opcode, ".cc") || strncmp(opcode, "addc", 4) == 0 || strncmp(opcode, "subc", 4) == 0 ||
           strncmp(opcode, "madc", 4) == 0;
  }
  if (!used) return;
  for (d->carry = 0; d->carry < f->n_regs; d->carry++) /* another kernel has decoded the function */
    if (f->reg[d->carry].name == carry_name) return;
  f->reg = arena_grow(d->parser->scratch, f->reg, f->n_regs, &f->reg_capacity, sizeof *f->reg);
  f->reg[f->n_regs] = (struct reg){.name = carry_name, .type = T_PRED};
  d->carry = f->n_regs++;
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

/* The body may end in a label or without ret: one stands there. */
static int close_body(struct decoder *d) {
  static const struct instruction end = {.opcode = "ret"};
  struct instruction at = end;
  bool reached = d->n_ops == 0;
  for (uint32_t i = 0; i < d->n_ops && !reached; i++)
    reached = d->ops[i].class == PTX_BRANCH && d->ops[i].code == BRANCH_PLAIN &&
              d->op_of_instruction[d->ops[i].target] == d->n_ops;
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
    if (d->ops[i].class == PTX_BRANCH && d->ops[i].code == BRANCH_PLAIN)
      d->ops[i].target = d->op_of_instruction[d->ops[i].target];
  for (uint32_t i = d->into->table; i < d->n_table; i++) d->table[i] = d->op_of_instruction[d->table[i]];
}

/* The function of `part` to operations whose targets, registers and rows are the part's own. */
int ptx_decode_part(struct decoder *d, struct part *part) {
  struct function *f = part->function;
  uint32_t n = f->n_instructions;
  d->into = part;
  d->function = d->parser->function = f;
  d->ops = NULL;
  d->n_ops = d->op_capacity = 0;
  add_carry_flag(d);
  part->reg = f->reg;
  part->n_regs = f->n_regs;
  part->table = d->n_table;
  assign_rows(part);
  d->op_of_instruction = arena_alloc(d->parser->scratch, (n + 1) * sizeof *d->op_of_instruction);
  for (uint32_t i = 0; i < n; i++) {
    d->ins = &f->instruction[i];
    d->op_of_instruction[i] = d->n_ops;
    int code = decode_one(d);
    if (code) return code;
  }
  d->op_of_instruction[n] = d->n_ops;
  if (d->pending_arguments)
    return ptx_syntax(d->parser, f->line, "st.param without a call at the end of '%s'", f->name);
  int code = close_body(d);
  if (code) return code;
  targets_to_operations(d);
  part->ops = d->ops;
  part->n_ops = d->n_ops;
  part->n_table = d->n_table - part->table;
  part->interval = arena_alloc(d->parser->scratch, (part->n_regs + 2) * sizeof *part->interval);
  return 0;
}
