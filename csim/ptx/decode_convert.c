/* SPDX-License-Identifier: Apache-2.0 */
/* cvt: between integers and floats, one value or two a register. */
#include "ptx/decode.h"

#include <stdio.h>
#include <string.h>

/* Registers may be wider than an integer type of the conversion (cvt.s64.s8 %rd2, %rd1). */
static enum ptx_type convert_operand_type(const struct decoder *d, const struct operand *o, enum ptx_type type) {
  if (o->kind != OPERAND_REGISTER) return type;
  enum ptx_type reg = d->function->reg[o->index].type;
  bool is_int = ptx_type_letter(type) != 'f';
  return reg != T_PRED && is_int && ptx_type_bytes(reg) > ptx_type_bytes(type) ? reg : type;
}

static bool supported_conversion(enum ptx_type t) {
  const char letter = ptx_type_letter(t);
  return letter == 'u' || letter == 's' || letter == 'f';
}

/* Float to integer needs an integer rounding, float to narrower float a float rounding. */
static bool default_rounding(const struct modifiers *m, enum ptx_rounding *r) {
  bool to_float = ptx_type_letter(m->first_type) == 'f', from_float = ptx_type_letter(m->type) == 'f';
  *r = m->rounding;
  if (*r != ROUND_DEFAULT) return to_float || from_float;
  if (!to_float && from_float) return false;
  *r = ROUND_RN;
  return true;
}

/* ---- pairs, .relu, .satfinite, tf32 and the 8-bit formats ---- */

/* cvt.rounding{.satfinite}{.relu}.to.from d, a{, b}: of two sources a goes to the upper half. */
static int decode_narrow(struct decoder *d, const struct ptx_narrow *n) {
  uint16_t asked = 0, rounding = 0;
  for (uint32_t i = 1; i + 2 < d->n_parts; i++) {
    const char *part = d->part[i];
    uint16_t bit = strcmp(part, "relu") == 0 ? NARROW_RELU : strcmp(part, "satfinite") == 0 ? NARROW_FINITE : 0;
    if (strcmp(part, "rn") == 0) rounding = ROUND_RN;
    else if (strcmp(part, "rz") == 0) rounding = ROUND_RZ;
    else if (strcmp(part, "rna") == 0) rounding = ROUND_RNA;
    else if (!bit || asked & bit) return decode_refuse(d);
    asked |= bit;
  }
  if (!(n->roundings >> rounding & 1) || asked & ~n->may || (asked & n->must) != n->must) return decode_refuse(d);
  if (rounding == ROUND_RNA && asked & NARROW_RELU) return decode_refuse(d);
  const struct operand *o = d->ins->operand;
  uint32_t sources = n->two ? 2 : 1;
  int code = decode_operands(d, 1 + sources, 1 + sources);
  if (code || (code = decode_destination(d, &o[0], n->to_type))) return code;
  for (uint32_t i = 1; i <= sources; i++)
    if ((code = decode_source(d, &o[i], n->from_type))) return code;
  d->op->narrow =
    (struct ptx_op_narrow){.row = (uint8_t)(n - ptx_narrow), .rounding = (uint8_t)rounding, .asked = (uint8_t)asked};
  bool fast = n->base && rounding == ROUND_RN && !asked;
  d->op->exec = !fast ? ptx_exec_cvt_narrow : d->parser->wide ? n->wide : n->base;
  d->op->class = PTX_INT;
  return decode_finish(d);
}

static const struct ptx_narrow *find_narrow(const struct decoder *d) {
  if (d->n_parts < 4) return NULL;
  const char *to = d->part[d->n_parts - 2], *from = d->part[d->n_parts - 1];
  bool plain = !decode_has_part(d, "relu") && !decode_has_part(d, "satfinite");
  for (const struct ptx_narrow *n = ptx_narrow; n->to; n++)
    if (strcmp(n->to, to) == 0 && strcmp(n->from, from) == 0) return n->also_plain && plain ? NULL : n;
  return NULL;
}

/* ---- one value ---- */

int ptx_decode_convert(struct decoder *d) {
  struct modifiers m;
  enum ptx_rounding rounding;
  const struct ptx_narrow *narrow = find_narrow(d);
  if (narrow) return decode_narrow(d, narrow);
  if (!decode_modifiers(d, &m) || strcmp(m.key, "cvt") != 0 || m.first_type == T_NONE ||
      !supported_conversion(m.type) || !supported_conversion(m.first_type))
    return decode_refuse(d);
  if (m.ftz && m.type != T_F32 && m.first_type != T_F32) return decode_refuse(d);
  if (!default_rounding(&m, &rounding))
    return decode_syntax(d, "this conversion needs a rounding: .rzi, .rni, .rmi or .rpi; or takes none");
  const struct operand *o = d->ins->operand;
  int code = decode_operands(d, 2, 2);
  if (code) return code;
  enum ptx_type to, from;
  to = convert_operand_type(d, &o[0], m.first_type);
  from = convert_operand_type(d, &o[1], m.type);
  bool from_64 = ptx_type_bytes(from) == 8;
  if ((code = decode_destination(d, &o[0], to)) || (code = decode_source(d, &o[1], from))) return code;
  static const char *const names[] = {"", "rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"};
  char key[KEY_MAX];
  bool natural = ptx_type_bytes(to) == ptx_type_bytes(m.first_type);
  snprintf(key, sizeof key, "cvt.%s.%s.%s%s", names[rounding], ptx_type_name(m.first_type),
           from_64 && ptx_type_bytes(m.type) != 8 ? "from64." : "", ptx_type_name(m.type));
  const struct ptx_handler *h = natural && !m.ftz && !m.sat ? ptx_find_handler(key, m.type) : NULL;
  if (h) {
    decode_choose(d, h);
  } else {
    d->op->exec = ptx_exec_cvt_any;
    d->op->convert = (struct ptx_op_convert){.to = (uint8_t)m.first_type,
                                             .from = (uint8_t)m.type,
                                             .rounding = (uint8_t)rounding,
                                             .to_bytes = (uint8_t)ptx_type_bytes(to),
                                             .from_64 = from_64,
                                             .ftz = m.ftz,
                                             .sat = m.sat};
  }
  d->op->class = m.type == T_F64 || m.first_type == T_F64 ? PTX_F64 : PTX_INT;
  return decode_finish(d);
}
