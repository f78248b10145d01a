/* SPDX-License-Identifier: Apache-2.0 */
/* What all decoders use: errors, places in the frame, constants, operands. */
#include "ptx/decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- errors ---- */

/* Families of instructions that PTX has and this simulator has not. */
static const char *family_of(const char *opcode) {
  static const struct {
    const char *prefix, *why;
  } families[] = {
    {"wgmma.", "operations of a warp group (wgmma) are not simulated: use mma.sync"},
    {"tcgen05.", "tensor memory (tcgen05) is not simulated: use mma.sync"},
    {"mma.sp", "sparse matrices are not simulated: use dense ones"},
    {"mma.",
     "of the products of matrices those of f16, bf16, tf32, s8, u8 and f64 are simulated, in the shapes of sm_70 to sm_90"},
    {"wmma.",
     "of the products of matrices those of f16, bf16, tf32, s8, u8 and f64 are simulated, in the shapes of sm_70 to sm_90"},
    {"ldmatrix.", "8 x 8 matrices of 16 bits are loaded, one, two or four at once"},
    {"stmatrix.", "8 x 8 matrices of 16 bits are stored, one, two or four at once"},
    {"cp.async.bulk", "bulk copies (TMA) are not simulated: use cp.async"},
    {"cp.reduce.async", "bulk copies (TMA) are not simulated: use red"},
    {"tensormap.", "tensor maps (TMA) are not simulated: use cp.async"},
    {"st.async", "asynchronous stores to another CTA of a cluster are not simulated"},
    {"red.async", "asynchronous reductions in another CTA of a cluster are not simulated"},
    {"multimem.", "multicast memory of several GPUs is not simulated"},
    {"clusterlaunchcontrol.", "clusters are not simulated"},
    {"setmaxnreg.", "registers do not move between warps here: launch with fewer threads"},
    {"istypep.", "opaque types are not told apart at run time"},
    {"sured.", "reductions in surfaces are not simulated: use red of global memory"},
    {"vadd", "video instructions are not simulated"},
    {"vsub", "video instructions are not simulated"},
    {"vmad", "video instructions are not simulated"},
    {"vset", "video instructions are not simulated"},
  };
  for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
    if (strncmp(opcode, families[i].prefix, strlen(families[i].prefix)) == 0) return families[i].why;
  return NULL;
}

int decode_refuse(const struct decoder *d) {
  const char *why = family_of(d->ins->opcode);
  if (why) return ptx_unsupported(d->parser, d->ins->line, "unsupported instruction '%.80s': %s", d->ins->opcode, why);
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

uint32_t decode_find(const char *name, const char *const *list) {
  uint32_t i = 0;
  while (list[i] && strcmp(name, list[i]) != 0) i++;
  return i;
}

bool decode_has_part(const struct decoder *d, const char *part) {
  for (uint32_t i = 1; i < d->n_parts; i++)
    if (strcmp(d->part[i], part) == 0) return true;
  return false;
}

enum ptx_atomic decode_atomic_name(const char *part) {
  static const char *const names[ATOMICS + 1] = {
#define X(id, name) [ATOMIC_##id] = name,
    PTX_ATOMICS(X)
#undef X
  };
  return (enum ptx_atomic)decode_find(part, names);
}

/* ---- frames ---- */

uint32_t ptx_frame_locals(const struct function *f) {
  uint32_t align = f->local_align > FRAME_ALIGN ? f->local_align : FRAME_ALIGN;
  return (uint32_t)align_up(f->argument_bytes, align);
}

bool ptx_in_frame(const struct decoder *d, const struct variable *v) {
  return v->in_frame || (v->space == PTX_LOCAL && !d->function->is_entry);
}

uint64_t ptx_frame_offset(const struct decoder *d, const struct variable *v) {
  return v->in_frame ? v->address : ptx_frame_locals(d->function) + v->address;
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

static void decode_reads(struct decoder *d, uint32_t reg) {
  enum { MOST = sizeof d->op->read_reg / sizeof d->op->read_reg[0] };
  for (uint32_t i = 0; i < d->n_reads; i++)
    if (d->op->read_reg[i] == reg) return;
  invariant(d->n_reads < MOST, "an operation reads more than %d registers", MOST);
  d->op->read_reg[d->n_reads++] = (uint16_t)reg;
}

static void decode_writes(struct decoder *d, uint32_t reg) {
  enum { MOST = sizeof d->op->write_reg / sizeof d->op->write_reg[0] };
  invariant(d->n_writes < MOST, "an operation writes more than %d registers", MOST);
  d->op->write_reg[d->n_writes++] = (uint16_t)reg;
}

static uint64_t variable_address(const struct decoder *d, const struct variable *v) {
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
  d->kernel->special_row[o->index] = 1; /* marks it used; it gets its row when the kernel is linked */
  *row = SPECIAL_ROWS + (ptx_row)o->index;
  return 0;
}

static bool function_address(const struct decoder *d, const struct operand *o, uint64_t *bits) {
  const struct name *n = ptx_find_name(d->parser, o->name, o->length, d->ins->scope);
  const struct function *f = n && n->kind == NAME_FUNCTION ? n->what : NULL;
  if (!f || f->is_entry || strcmp(d->part[0], "mov") != 0) return false;
  *bits = ptx_function_address(f->number);
  return true;
}

/* Numbers shared arrays in the order in which they are named; those beyond PTX_ARRAYS share the last number. */
static uint8_t array_number(struct decoder *d, struct variable *v, uint64_t address) {
  struct kernel *k = d->kernel;
  uint32_t i = 0;
  while (i < k->n_arrays && k->array[i].address != address) i++;
  if (i == k->n_arrays && i < PTX_ARRAYS)
    k->array[k->n_arrays++] = (struct kernel_array){.address = address, .variable = v};
  return (uint8_t)(i < PTX_ARRAYS ? i + 1 : PTX_ARRAYS);
}

/* An operation that names two has the number of the first. */
static void name_array(struct decoder *d, struct variable *v, uint64_t address) {
  uint8_t number = array_number(d, v, address);
  if (!d->op->array) d->op->array = number;
  else if (d->op->array != number) d->kernel->mixes_arrays = true;
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
      d->op->negated |= o->negated;
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
      bits = variable_address(d, o->variable);
      if (o->variable->call_parameter || o->variable->in_frame || ptx_in_frame(d, o->variable) ||
          ptx_type_bytes(type) < 4 || (ptx_type_bytes(type) == 4 && bits > UINT32_MAX))
        return decode_syntax(d, "the address of '%s' is no .%s", o->variable->name, ptx_type_name(type));
      *row = decode_constant(d, bits, ptx_type_bytes(type) == 8);
      if (o->variable->space == PTX_SHARED) name_array(d, o->variable, bits);
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
  if (o->negated) return decode_syntax(d, "'!' stands before sources only");
  int code = check_register(d, o, type);
  if (code) return code;
  d->op->dst[d->op->n_dst++] = d->function->reg[o->index].row;
  decode_writes(d, o->index);
  return 0;
}

enum ptx_type decode_bits_type(uint32_t bytes) {
  return bytes == 8 ? T_B64 : bytes == 4 ? T_B32 : bytes == 2 ? T_B16 : T_B8;
}

/* The operand type that a letter of a signature stands for. */
static enum ptx_type signature_type(char letter, enum ptx_type type) {
  switch (letter) {
    case 'p': return T_PRED;
    case 'b': return T_B32;
    case 'u': return T_U32;
    case 'w': return decode_bits_type(ptx_type_bytes(type) * 2);
    case 'q': return T_B64;
    case 'h': return T_B16;
    default: return type;
  }
}

int decode_typed(struct decoder *d, const char *signature, enum ptx_type type) {
  const struct operand *o = d->ins->operand;
  uint32_t n = (uint32_t)strcspn(signature, "io"); /* the carry flag is no operand */
  int code = decode_operands(d, n, n);
  if (code || (code = decode_destination(d, o, signature_type(signature[0], type)))) return code;
  if (o->pair && (code = decode_destination(d, o->pair, T_PRED))) return code;
  for (uint32_t i = 1; i < n && !code; i++) code = decode_source(d, &o[i], signature_type(signature[i], type));
  return code;
}

/* ---- operations ---- */

void decode_begin(struct decoder *d) {
  d->ops = arena_grow(d->parser->scratch, d->ops, d->n_ops, &d->op_capacity, sizeof *d->ops);
  d->op = &d->ops[d->n_ops];
  *d->op = (struct ptx_op){.guard = PTX_NO_GUARD, .issue_slots = 1};
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
