/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic, logic, comparisons, selections. Modifiers and type choose the handler; its signature says which
 * operands it takes. */
#include "ptx/decode.h"

#include <stdio.h>
#include <string.h>

static const struct ptx_handler *const tables[] = {ptx_int_handlers,  ptx_bit_handlers,  ptx_float_handlers,
                                                   ptx_sfu_handlers,  ptx_half_handlers, ptx_compare_handlers,
                                                   ptx_move_handlers, ptx_cvt_handlers};

const struct ptx_handler *ptx_find_handler(const char *key, enum ptx_type type) {
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
    for (const struct ptx_handler *h = tables[i]; h->key; h++)
      if (h->type == type && strcmp(h->key, key) == 0) return h;
  return NULL;
}

const struct ptx_handler *ptx_handler_at(uint32_t number) {
  for (size_t i = 0; number && i < sizeof tables / sizeof tables[0]; i++)
    for (const struct ptx_handler *h = tables[i]; h->key; h++)
      if (--number == 0) return h;
  return NULL;
}

const char *const decode_roundings[ROUND_RNA] = {[ROUND_DEFAULT] = "",
#define X(id, name) [ROUND_##id] = name,
                                                 PTX_ROUNDINGS(X)
#undef X
};

static enum ptx_rounding rounding_of(const char *part) {
  for (int i = ROUND_RN; i < ROUND_RNA; i++)
    if (strcmp(part, decode_roundings[i]) == 0) return (enum ptx_rounding)i;
  return ROUND_DEFAULT;
}

static uint8_t class_of(const char *name, enum ptx_type type) {
  static const char *const sfu[] = {"rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh", NULL};
  static const char *const division[] = {"div", "rem", NULL};
  if (sfu[decode_find(name, sfu)]) return PTX_SFU;
  if (division[decode_find(name, division)]) return PTX_DIV;
  if (type == T_F64) return PTX_F64;
  if (ptx_type_letter(type) == 'f' || ptx_type_letter(type) == 'h') return PTX_F32;
  return ptx_type_bytes(type) == 8 ? PTX_INT64 : PTX_INT;
}

static bool append(char *key, const char *part) {
  size_t n = strlen(key), m = strlen(part);
  if (n + m + 8 > KEY_MAX) return false; /* room for a mark and ".f32" */
  key[n] = '.';
  memcpy(key + n + 1, part, m + 1);
  return true;
}

bool decode_modifiers(const struct decoder *d, struct modifiers *m) {
  *m = (struct modifiers){.type = T_NONE};
  bool fits = strlen(d->part[0]) + 8 < KEY_MAX;
  if (fits) strcpy(m->key, d->part[0]);
  for (uint32_t i = 1; i < d->n_parts && fits; i++) {
    const char *part = d->part[i];
    enum ptx_type type = ptx_type_of(part, strlen(part));
    enum ptx_rounding rounding = rounding_of(part);
    if (type != T_NONE) m->first_type = m->type, m->type = type, m->n_types++;
    else if (rounding != ROUND_DEFAULT) m->rounding = rounding;
    else if (strcmp(part, "ftz") == 0 && !m->ftz) m->ftz = true;
    else if (strcmp(part, "sat") == 0 && !m->sat) m->sat = true;
    else fits = append(m->key, part);
  }
  bool three = strncmp(m->key, "vabsdiff4", 9) == 0; /* it takes three types, all u32 */
  if (three && (m->n_types != 3 || strcmp(d->part[1], d->part[2]) != 0)) return false;
  return fits && m->type != T_NONE && m->n_types < (three ? 4 : 3);
}

/* o: the carry flag is a second destination; i: it is the last source. */
static int decode_carry(struct decoder *d, const char *letters) {
  struct operand flag = {.kind = OPERAND_REGISTER, .name = "CC.CF", .length = 5, .index = d->carry};
  int code = 0;
  for (; *letters && !code; letters++) {
    if (*letters == 'i') d->op->arithmetic.carries = true;
    code = *letters == 'i' ? decode_source(d, &flag, T_PRED) : decode_destination(d, &flag, T_PRED);
  }
  return code;
}

static int decode_by_signature(struct decoder *d, const struct ptx_handler *h) {
  uint32_t n = (uint32_t)strcspn(h->signature, "io");
  int code = decode_operands(d, n, n);
  if (code) return code;
  for (const struct operand *o = d->ins->operand; o < d->ins->operand + n; o++)
    if (o->pair || (o->negated && o->kind != OPERAND_IMMEDIATE)) return decode_refuse(d);
  if ((code = decode_typed(d, h->signature, h->type))) return code;
  return decode_carry(d, h->signature + n);
}

void decode_choose(const struct decoder *d, const struct ptx_handler *h) {
  d->op->exec = d->parser->wide ? h->wide : h->base;
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
    for (const struct ptx_handler *at = tables[i]; at->key; at++) {
      d->op->handler++;
      if (at == h) return;
    }
}

static bool directed(enum ptx_rounding r) { return r == ROUND_RZ || r == ROUND_RM || r == ROUND_RP; }

/* The handler of a float operation: its key ends in the marks of what it honours (see struct ptx_handler). */
static const struct ptx_handler *find_float_handler(struct modifiers *m) {
  static const char *const plain[] = {"", NULL}, *const flushing[] = {"^", "~", NULL}, *const any[] = {"~", NULL},
                           *const rounding[] = {"!", "!^", NULL}, *const saturating[] = {"!", NULL};
  const char *const *marks = m->sat ? any : m->ftz ? flushing : plain;
  static const char *const rounds[] = {"add", "sub", "mul", "fma", "fma.relu", "mad", "div", "rcp", "sqrt", NULL};
  if (m->rounding > ROUND_RP || (m->rounding && !rounds[decode_find(m->key, rounds)])) return NULL;
  if (m->type == T_F64 && (m->ftz || m->sat) && m->rounding) return NULL;
  if (directed(m->rounding)) marks = m->sat ? saturating : rounding;
  size_t n = strlen(m->key);
  for (; *marks; marks++) {
    strcpy(m->key + n, *marks);
    const struct ptx_handler *h = ptx_find_handler(m->key, m->type);
    if (h) return h;
  }
  return NULL;
}

/* and.pred d, a, b; not.pred d, a */
static int decode_predicate_logic(struct decoder *d) {
  char key[KEY_MAX];
  snprintf(key, sizeof key, "%s.pred", d->part[0]);
  const struct ptx_handler *h = d->n_parts == 2 ? ptx_find_handler(key, T_PRED) : NULL;
  if (!h) return decode_refuse(d);
  int code = decode_by_signature(d, h);
  if (code) return code;
  decode_choose(d, h);
  d->op->class = PTX_INT;
  return decode_finish(d);
}

int ptx_decode_arithmetic(struct decoder *d) {
  struct modifiers m;
  if (!decode_modifiers(d, &m)) return decode_refuse(d);
  char letter = ptx_type_letter(m.type);
  if (m.first_type != T_NONE &&
      !append(m.key, ptx_type_name(strcmp(d->part[0], "slct") == 0 ? decode_bits_type(ptx_type_bytes(m.first_type))
                                                                   : m.first_type)))
    return decode_refuse(d);
  const struct ptx_handler *h;
  if (letter == 'f' || letter == 'h') {
    h = find_float_handler(&m);
    d->op->arithmetic = (struct ptx_op_arithmetic){.ftz = m.ftz, .sat = m.sat, .rounding = (uint8_t)m.rounding};
  } else {
    if (m.rounding != ROUND_DEFAULT || m.ftz || (m.sat && !append(m.key, "sat"))) return decode_refuse(d);
    if (m.type == T_PRED) return decode_predicate_logic(d);
    h = ptx_find_handler(m.key, m.type);
  }
  if (!h) return decode_refuse(d);
  int code = decode_by_signature(d, h);
  if (code) return code;
  decode_choose(d, h);
  d->op->class = class_of(d->part[0], m.type);
  return decode_finish(d);
}

/* ---- comparisons ---- */

/* setp.cmp{.bool}{.ftz}.type p{|q}, a, b{, {!}c}. set writes a register. */
static int decode_setp_operands(struct decoder *d, enum ptx_type to, enum ptx_type type, bool combine) {
  const struct operand *o = d->ins->operand;
  int code = decode_operands(d, combine ? 4 : 3, combine ? 4 : 3);
  if (code) return code;
  if ((code = decode_destination(d, &o[0], to))) return code;
  bool pair_of_halves = ptx_type_letter(type) == 'h';
  if (to == T_PRED ? pair_of_halves && !o[0].pair : o[0].pair != NULL)
    return decode_syntax(d, to == T_PRED ? "a comparison of pairs needs two destinations p|q" : "has one destination");
  if (o[0].pair && (code = decode_destination(d, o[0].pair, T_PRED))) return code;
  if ((code = decode_source(d, &o[1], type)) || (code = decode_source(d, &o[2], type))) return code;
  return combine ? decode_source(d, &o[3], T_PRED) : 0;
}

static int decode_testp(struct decoder *d, struct modifiers *m) {
  const struct ptx_handler *h =
    m->ftz || m->sat || m->rounding || m->first_type ? NULL : ptx_find_handler(m->key, m->type);
  if (!h) return decode_refuse(d);
  int code = decode_by_signature(d, h);
  if (code) return code;
  decode_choose(d, h);
  d->op->class = class_of("testp", m->type);
  return decode_finish(d);
}

/* What set writes where the comparison holds; 0 if there is no such form. */
static uint32_t set_value(enum ptx_type to, enum ptx_type from) {
  bool pairs = ptx_type_letter(from) == 'h', halves = from == T_F16 || from == T_BF16;
  switch (to) {
    case T_U32:
    case T_S32: return pairs ? 0xffff : UINT32_MAX;
    case T_F32: return pairs ? 0 : 0x3f800000;
    case T_U16:
    case T_S16: return halves ? 0xffff : 0;
    case T_F16: return pairs ? 0 : 0x3c00;
    case T_BF16: return pairs ? 0 : 0x3f80;
    case T_F16X2: return from == to ? 0x3c00 : 0;
    case T_BF16X2: return from == to ? 0x3f80 : 0;
    default: return 0;
  }
}

int ptx_decode_set(struct decoder *d) {
  struct modifiers m;
  if (!decode_modifiers(d, &m) || m.rounding != ROUND_DEFAULT || m.sat) return decode_refuse(d);
  if (strcmp(d->part[0], "testp") == 0) return decode_testp(d, &m);
  static const char *const combine[] = {[COMBINE_AND] = ".and", [COMBINE_OR] = ".or", [COMBINE_XOR] = ".xor"};
  bool is_set = strcmp(d->part[0], "set") == 0;
  char key[KEY_MAX + 2];
  size_t length = strlen(m.key);
  for (int i = COMBINE_AND; i <= COMBINE_XOR; i++) {
    size_t n = strlen(combine[i]);
    if (length <= n || strcmp(m.key + length - n, combine[i]) != 0) continue;
    m.key[length - n] = 0;
    d->op->compare.combine = (uint8_t)i;
  }
  if (is_set ? !set_value(m.first_type, m.type) : m.first_type != T_NONE) return decode_refuse(d);
  snprintf(key, sizeof key, "setp%s%s", m.key + strlen(d->part[0]), m.ftz ? "~" : "");
  const struct ptx_handler *h = ptx_find_handler(key, m.type);
  if (!h || m.type == T_PRED) return decode_refuse(d);
  d->op->compare.set = is_set;
  if (is_set) d->op->compare.value = set_value(m.first_type, m.type);
  int code = decode_setp_operands(d, is_set ? m.first_type : T_PRED, m.type, d->op->compare.combine != COMBINE_NONE);
  if (code) return code;
  decode_choose(d, h);
  d->op->class = class_of("setp", m.type);
  return decode_finish(d);
}

/* lop3.bool.b32 d|p, a, b, c, table, {!}q */
int ptx_decode_logic3(struct decoder *d) {
  struct modifiers m;
  const struct operand *o = d->ins->operand;
  if (!decode_modifiers(d, &m)) return decode_refuse(d);
  if (strcmp(m.key, "lop3") == 0) return o->pair ? decode_refuse(d) : ptx_decode_arithmetic(d);
  const struct ptx_handler *h = m.ftz || m.sat || m.rounding || m.first_type ? NULL : ptx_find_handler(m.key, m.type);
  if (!h) return decode_refuse(d);
  int code = decode_operands(d, 6, 6);
  if (code) return code;
  if (!o->pair) return decode_syntax(d, "needs two destinations d|p");
  if ((code = decode_typed(d, "bbbbbp", T_NONE))) return code;
  d->op->compare.combine = d->part[1][0] == 'a' ? COMBINE_AND : COMBINE_OR;
  d->op->class = PTX_INT;
  decode_choose(d, h);
  return decode_finish(d);
}

/* selp.type d, a, b, c */
int ptx_decode_select(struct decoder *d) {
  struct modifiers m;
  if (!decode_modifiers(d, &m) || d->n_parts != 2 || m.type == T_PRED) return decode_refuse(d);
  int code = decode_typed(d, "tttp", m.type);
  if (code) return code;
  decode_choose(d, ptx_find_handler("selp", ptx_type_bytes(m.type) == 8 ? T_B64 : T_B32));
  d->op->class = PTX_INT;
  return decode_finish(d);
}
