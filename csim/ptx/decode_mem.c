/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, stores, atomics, parameters. Source 0 of a memory operation is its address; the values follow. */
#include "ptx/decode.h"

#include <string.h>

struct memory_modifiers {
  enum ptx_space space;
  enum ptx_type type;
  uint8_t vector, cache;
  bool pair; /* .b128: two of .b64 */
  enum ptx_atomic operation;
};

enum ptx_space ptx_space_of(const char *part) {
  static const struct {
    const char *name;
    enum ptx_space space;
  } names[] = {
    {"global", PTX_GLOBAL},    {"shared", PTX_SHARED}, {"shared::cta", PTX_SHARED}, {"shared::cluster", PTX_SHARED},
    {"local", PTX_LOCAL},      {"const", PTX_CONST},   {"param", PTX_PARAM},        {"param::entry", PTX_PARAM},
    {"param::func", PTX_PARAM}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(part, names[i].name) == 0) return names[i].space;
  return PTX_SPACES;
}

/* Modifiers with no effect here. Accesses take effect in program order at issue, which is stronger than any memory-
 * model modifier asks for. */
static bool is_hint(const char *part) {
  /* a table */
  /* clang-format off */
  static const char *const hints[] = {
    "weak", "relaxed", "acquire", "release", "acq_rel", "mmio", "cluster", "cta", "gpu", "sys", "ca", "cs", "lu",
    "wb", "wt", "L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate",
    "L2::cache_hint", "L2::64B", "L2::128B", "L2::256B", "L2::evict_last", "L2::evict_normal", "L2::evict_first", NULL};
  /* clang-format on */
  return hints[decode_find(part, hints)];
}

static uint8_t cache_of(const char *part) {
  if (strcmp(part, "nc") == 0) return PTX_CACHE_READ_ONLY;
  if (strcmp(part, "cg") == 0) return PTX_CACHE_L2;
  if (strcmp(part, "volatile") == 0 || strcmp(part, "cv") == 0) return PTX_CACHE_VOLATILE;
  return PTX_CACHE_DEFAULT;
}

/* `n` operands, and with .L2::cache_hint the policy, which has no effect. */
static int decode_counted(const struct decoder *d, uint32_t n) {
  n += decode_has_part(d, "L2::cache_hint");
  return decode_operands(d, n, n);
}

static bool read_modifiers(const struct decoder *d, struct memory_modifiers *m, bool atomic) {
  *m = (struct memory_modifiers){.space = PTX_GENERIC, .vector = 1, .operation = ATOMICS};
  for (uint32_t i = 1; i < d->n_parts; i++) {
    const char *part = d->part[i];
    enum ptx_type type = ptx_type_of(part, strlen(part));
    if (type != T_NONE && type != T_PRED && m->type == T_NONE) m->type = type;
    else if (atomic && strcmp(part, "b128") == 0 && m->type == T_NONE) m->type = T_B64, m->pair = true;
    else if (ptx_space_of(part) != PTX_SPACES && m->space == PTX_GENERIC) m->space = ptx_space_of(part);
    else if (!atomic && cache_of(part) != PTX_CACHE_DEFAULT) m->cache = cache_of(part);
    else if (strcmp(part, "v2") == 0 || strcmp(part, "v4") == 0) m->vector = (uint8_t)(part[1] - '0');
    else if (atomic && decode_atomic_name(part) != ATOMICS && m->operation == ATOMICS)
      m->operation = decode_atomic_name(part);
    else if (atomic && strcmp(part, "noftz") == 0) continue;
    else if (!is_hint(part)) return false;
  }
  if (m->pair) m->vector *= 2;
  return m->type != T_NONE && ptx_type_bytes(m->type) * m->vector <= 16;
}

/* Address of a variable in the frame: the base is the stack pointer. */
static int decode_in_frame(struct decoder *d, const struct variable *v, enum ptx_space space) {
  if (v->space != space) return decode_syntax(d, "'%s' does not lie in the memory this accesses", v->name);
  uint64_t bytes = (uint64_t)d->op->memory.bytes * d->op->memory.vector;
  if (d->op->memory.offset < 0 || (uint64_t)d->op->memory.offset > v->bytes ||
      bytes > v->bytes - (uint64_t)d->op->memory.offset)
    return decode_syntax(d, "%llu bytes at offset %lld are outside of '%s'", (unsigned long long)bytes,
                         (long long)d->op->memory.offset, v->name);
  d->op->memory.offset += (int64_t)ptx_frame_offset(d, v);
  d->op->memory.outgoing = v->call_parameter;
  d->op->src[d->op->n_src++] = PTX_ROW_STACK;
  return 0;
}

int ptx_decode_address(struct decoder *d, const struct operand *o, enum ptx_space space) {
  if (o->kind != OPERAND_ADDRESS) return decode_syntax(d, "the address should stand in [ ]");
  if (o->n_elements != 1) return decode_syntax(d, "coordinates stand in the address of tex only");
  const struct operand *base = o->element;
  d->op->memory.space = (uint8_t)space;
  d->op->memory.wide_host = d->parser->wide;
  d->op->memory.offset = o->offset;
  if (base->kind == OPERAND_REGISTER) {
    enum ptx_type type = d->function->reg[base->index].type;
    d->op->memory.address_32 = ptx_type_bytes(type) == 4;
    return decode_source(d, base, ptx_type_bytes(type) == 4 ? T_U32 : T_U64);
  }
  if (base->kind == OPERAND_VARIABLE) {
    enum ptx_space at = base->variable->space;
    bool global = at == PTX_GLOBAL || at == PTX_CONST;
    if (base->variable->call_parameter && !base->variable->in_frame)
      return ptx_unsupported(d->parser, d->ins->line,
                             "'%.80s' of call parameter '%s': an instruction's result is loaded right behind its call",
                             d->ins->opcode, base->variable->name);
    if (ptx_in_frame(d, base->variable)) return decode_in_frame(d, base->variable, space);
    if (at != space && !(space == PTX_GENERIC && global))
      return decode_syntax(d, "'%s' does not lie in the memory this accesses", base->variable->name);
  } else if (base->kind != OPERAND_IMMEDIATE || base->literal != LITERAL_INT) {
    return decode_source(d, base, T_U64); /* fails, and names what is unknown */
  }
  return decode_source(d, base, T_U64);
}

/* A register of a load or store may be wider than the type in memory. */
static int value_type(struct decoder *d, const struct operand *o, enum ptx_type type, enum ptx_type *out) {
  *out = type;
  if (o->kind != OPERAND_REGISTER) return 0;
  enum ptx_type reg = d->function->reg[o->index].type;
  if (reg != T_PRED && ptx_type_bytes(reg) > ptx_type_bytes(type)) *out = reg;
  return 0;
}

static uint8_t register_bytes(enum ptx_type t) { return ptx_type_bytes(t) < 2 ? 2 : (uint8_t)ptx_type_bytes(t); }

/* The values of a load or store: one operand, or {a, b}. Their registers must all have the same width. */
int decode_values(struct decoder *d, const struct operand *o, enum ptx_type memory, uint32_t vector, bool load) {
  const struct operand *value = o->kind == OPERAND_VECTOR ? o->element : o;
  uint32_t n = o->kind == OPERAND_VECTOR ? o->n_elements : 1;
  if (n != vector) return decode_syntax(d, "%u values where %u are wanted", n, vector);
  enum ptx_type type = memory, one;
  for (uint32_t i = 0; i < n; i++) { /* the widest register decides; constants take its width */
    value_type(d, &value[i], memory, &one);
    if (ptx_type_bytes(one) > ptx_type_bytes(type)) type = one;
  }
  d->op->memory.register_bytes = register_bytes(type);
  for (uint32_t i = 0; i < n; i++) {
    value_type(d, &value[i], memory, &one);
    if (value[i].kind == OPERAND_REGISTER && register_bytes(one) != register_bytes(type)) return decode_refuse(d);
    int code;
    if (load) {
      code = decode_destination(d, &value[i], one);
    } else if (value[i].kind == OPERAND_IMMEDIATE && ptx_type_bytes(type) == 8 && ptx_type_bytes(memory) < 8) {
      uint64_t bits;
      if ((code = decode_literal(d, &value[i], memory, &bits))) return code;
      d->op->src[d->op->n_src++] = decode_constant(d, bits, true);
    } else {
      code = decode_source(d, &value[i], one);
    }
    if (code) return code;
  }
  return 0;
}

/* Kernel parameters are constants of the launch, read like an operand: the core sees no memory access. */
static int decode_param_load(struct decoder *d) {
  if (d->op->src[0] < 0) {
    uint64_t address;
    memcpy(&address, d->consts + (size_t)~d->op->src[0] * WARP_LANES, sizeof address);
    address += (uint64_t)d->op->memory.offset;
    uint64_t bytes = (uint64_t)d->op->memory.bytes * d->op->memory.vector, all = d->kernel->public.param_bytes;
    if (address > all || bytes > all - address || address % bytes)
      return decode_syntax(d, "reads %llu bytes at offset %llu of %llu bytes of parameters: stay inside, aligned",
                           (unsigned long long)bytes, (unsigned long long)address, (unsigned long long)all);
  }
  d->op->exec = ptx_exec_param_load;
  d->op->class = d->op->memory.register_bytes == 8 ? PTX_INT64 : PTX_INT;
  return decode_finish(d);
}

int ptx_decode_memory(struct decoder *d) {
  struct memory_modifiers m;
  bool load = d->part[0][0] == 'l';
  if (!read_modifiers(d, &m, false)) return decode_refuse(d);
  if (!load && (m.space == PTX_CONST || m.cache == PTX_CACHE_READ_ONLY)) return decode_refuse(d);
  int code = decode_counted(d, 2);
  if (code) return code;
  const struct operand *address = &d->ins->operand[load ? 1 : 0], *values = &d->ins->operand[load ? 0 : 1];
  d->op->class = load ? PTX_LOAD : PTX_STORE;
  d->op->memory = (struct ptx_op_memory){.bytes = (uint8_t)ptx_type_bytes(m.type),
                                         .vector = m.vector,
                                         .cache = m.cache,
                                         .is_signed = ptx_type_letter(m.type) == 's'};
  if ((code = ptx_decode_address(d, address, m.space))) return code;
  if ((code = decode_values(d, values, m.type, m.vector, load))) return code;
  if (m.space != PTX_PARAM) return decode_finish(d);
  bool in_frame =
    address->element->kind == OPERAND_VARIABLE ? ptx_in_frame(d, address->element->variable) : !d->function->is_entry;
  if (!in_frame) return load ? decode_param_load(d) : decode_refuse(d);
  /* An allocator would keep these in registers: the core sees no memory access. */
  d->op->exec = load ? ptx_exec_frame_load : ptx_exec_frame_store;
  d->op->class = d->op->memory.register_bytes == 8 ? PTX_INT64 : PTX_INT;
  return decode_finish(d);
}

/* ---- atomics ---- */

static bool atomic_exists(enum ptx_atomic a, enum ptx_type type) {
  char letter = ptx_type_letter(type);
  uint32_t bytes = ptx_type_bytes(type);
  switch (a) {
    case ATOMIC_ADD: return letter == 'f' || letter == 'h' || ((letter == 'u' || letter == 's') && bytes >= 4);
    case ATOMIC_MIN:
    case ATOMIC_MAX: return (letter == 'u' || letter == 's') && bytes >= 4;
    case ATOMIC_INC:
    case ATOMIC_DEC: return type == T_U32;
    case ATOMIC_CAS:
    case ATOMIC_EXCH: return letter == 'b' && bytes >= 2;
    default: return letter == 'b' && bytes >= 4;
  }
}

/* Atomic additions to several neighbouring floats, each atomic by itself; .b128, whose halves change together. */
static bool vector_exists(enum ptx_atomic a, const struct memory_modifiers *m) {
  if (m->pair) return a == ATOMIC_CAS || a == ATOMIC_EXCH;
  char letter = ptx_type_letter(m->type);
  bool floats = letter == 'h' || (letter == 'f' && m->type != T_F64);
  return a == ATOMIC_ADD && floats && (m->space == PTX_GLOBAL || m->space == PTX_GENERIC);
}

static int atomic_values(struct decoder *d, const struct operand *o, const struct memory_modifiers *m, bool returns) {
  const struct operand *value = o->kind == OPERAND_VECTOR ? o->element : o;
  uint32_t n = o->kind == OPERAND_VECTOR ? o->n_elements : 1;
  if (m->pair && !o->wide) return decode_syntax(d, "the operands of an atomic of 128 bits are registers of .b128");
  if (n != m->vector) return decode_syntax(d, "%u values where %u are wanted", n, m->vector);
  for (uint32_t i = 0; i < n; i++) {
    int code = returns ? decode_destination(d, &value[i], m->type) : decode_source(d, &value[i], m->type);
    if (code) return code;
  }
  return 0;
}

/* atom.op{.vec}.type d, [a], b{, c}; red.op{.vec}.type [a], b */
int ptx_decode_atomic(struct decoder *d) {
  struct memory_modifiers m;
  if (!read_modifiers(d, &m, true) || m.operation == ATOMICS) return decode_refuse(d);
  enum ptx_atomic a = m.operation;
  bool returns = d->part[0][0] == 'a';
  if (!atomic_exists(a, m.type) || (!returns && (a == ATOMIC_CAS || a == ATOMIC_EXCH)) || m.space == PTX_LOCAL ||
      m.space == PTX_CONST || m.space == PTX_PARAM || (m.vector > 1 && !vector_exists(a, &m)))
    return decode_refuse(d);
  uint32_t n = (returns ? 3 : 2) + (a == ATOMIC_CAS);
  int code = decode_counted(d, n);
  if (code) return code;
  const struct operand *o = d->ins->operand;
  d->op->class = PTX_ATOMIC;
  d->op->memory = (struct ptx_op_memory){.bytes = (uint8_t)ptx_type_bytes(m.type),
                                         .vector = m.vector,
                                         .register_bytes = register_bytes(m.type),
                                         .atomic = {.operation = (uint8_t)a, .type = (uint8_t)m.type}};
  if (returns && o->kind != OPERAND_SINK && (code = atomic_values(d, o, &m, true))) return code;
  o += returns;
  if ((code = ptx_decode_address(d, &o[0], m.space))) return code;
  for (uint32_t i = 1; i <= 1u + (a == ATOMIC_CAS); i++)
    if ((code = atomic_values(d, &o[i], &m, false))) return code;
  return decode_finish(d);
}
