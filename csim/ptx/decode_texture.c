/* SPDX-License-Identifier: Apache-2.0 */
/* tex.{1d,2d}.v4.{u32,s32,f32}.{s32,f32} and txq, unified mode: a texture and its sampler are one handle. */
#include "ptx/decode.h"

#include <string.h>

static int refuse(const struct decoder *d, const char *what) {
  return ptx_unsupported(d->parser, d->ins->line, "unsupported instruction '%.80s': %s", d->ins->opcode, what);
}

/* Geometry and modifiers that a real GPU knows and this one does not. */
static const char *reason_of(const char *part) {
  static const struct {
    const char *part, *why;
  } reasons[] = {{"3d", "only textures of one and two dimensions are simulated"},
                 {"a1d", "layered textures are not simulated: use one texture a layer"},
                 {"a2d", "layered textures are not simulated: use one texture a layer"},
                 {"cube", "cube maps are not simulated"},
                 {"acube", "cube maps are not simulated"},
                 {"2dms", "multi-sample textures are not simulated"},
                 {"a2dms", "multi-sample textures are not simulated"},
                 {"level", "mipmaps are not simulated: fetch without a level"},
                 {"grad", "mipmaps are not simulated: fetch without gradients"},
                 {"base", "mipmaps are not simulated: fetch without .base"},
                 {"v2", "a fetch returns four values (.v4)"}};
  for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
    if (strcmp(part, reasons[i].part) == 0) return reasons[i].why;
  return NULL;
}

/* The handle: a register or the name of a .texref, as source 0. */
static int decode_handle(struct decoder *d, const struct operand *o) {
  if (o->kind != OPERAND_ADDRESS) return decode_syntax(d, "the texture should stand in [ ]");
  if (o->offset) return decode_syntax(d, "a texture has no offset");
  const struct operand *handle = o->element;
  if (handle->kind == OPERAND_VARIABLE && !handle->variable->texture)
    return decode_syntax(d, "'%s' is no texture reference: declare it .global .texref", handle->variable->name);
  if (handle->kind == OPERAND_IMMEDIATE) return decode_syntax(d, "a number is no texture");
  return decode_source(d, handle, T_U64);
}

static int decode_coordinates(struct decoder *d, const struct operand *o, uint32_t n, enum ptx_type type) {
  if (o->n_elements > 2)
    return refuse(d, "samplers apart from their textures (texmode_independent) are not simulated: use unified mode");
  if (o->n_elements < 2) return decode_syntax(d, "the coordinates should follow the texture: [t, {x}]");
  const struct operand *c = &o->element[1];
  uint32_t given = c->kind == OPERAND_VECTOR ? c->n_elements : 1;
  if (given != n) return decode_syntax(d, "%u coordinates where %u are wanted", given, n);
  for (uint32_t i = 0; i < n; i++) {
    int code = decode_source(d, c->kind == OPERAND_VECTOR ? &c->element[i] : c, type);
    if (code) return code;
  }
  return 0;
}

int ptx_decode_texture(struct decoder *d) {
  if (strcmp(d->part[0], "tld4") == 0)
    return refuse(d, "gathers of four texels are not simulated: fetch each with tex");
  for (uint32_t i = 1; i < d->n_parts; i++)
    if (reason_of(d->part[i])) return refuse(d, reason_of(d->part[i]));
  if (d->n_parts != 5 || strcmp(d->part[2], "v4") != 0) return decode_refuse(d);
  bool two = strcmp(d->part[1], "2d") == 0;
  enum ptx_type type = ptx_type_of(d->part[3], strlen(d->part[3])), c = ptx_type_of(d->part[4], strlen(d->part[4]));
  if ((!two && strcmp(d->part[1], "1d") != 0) || (type != T_U32 && type != T_S32 && type != T_F32) ||
      (c != T_S32 && c != T_F32))
    return decode_refuse(d);
  int code = decode_operands(d, 2, 2);
  const struct operand *o = d->ins->operand;
  if (code) return code;
  if (o->kind != OPERAND_VECTOR || o->n_elements != 4) return decode_syntax(d, "a fetch writes {a, b, c, d}");
  for (uint32_t i = 0; i < 4; i++)
    if ((code = decode_destination(d, &o->element[i], type))) return code;
  if ((code = decode_handle(d, &o[1])) || (code = decode_coordinates(d, &o[1], two ? 2 : 1, c))) return code;
  d->op->class = PTX_LOAD;
  d->op->memory = (struct ptx_op_memory){
    .space = PTX_TEXTURE, .bytes = 4, .vector = 4, .register_bytes = 4, .fetch = {.two = two, .integer = c == T_S32}};
  return decode_finish(d);
}

int ptx_decode_texture_query(struct decoder *d) {
  static const char *const queries[] = {[TEXTURE_QUERY_WIDTH] = "width",
                                        [TEXTURE_QUERY_HEIGHT] = "height",
                                        [TEXTURE_QUERY_NORMALIZED] = "normalized_coords"};
  uint8_t query = 0;
  if (d->n_parts != 3 || strcmp(d->part[2], "b32") != 0) return decode_refuse(d);
  while (query < sizeof queries / sizeof queries[0] && strcmp(d->part[1], queries[query]) != 0) query++;
  if (query == sizeof queries / sizeof queries[0])
    return refuse(d, "only .width, .height, .normalized_coords are known");
  int code = decode_operands(d, 2, 2);
  if (code) return code;
  if ((code = decode_destination(d, &d->ins->operand[0], T_B32)) || (code = decode_handle(d, &d->ins->operand[1])))
    return code;
  d->op->class = PTX_INT;
  d->op->exec = ptx_exec_texture_query;
  d->op->query = query;
  return decode_finish(d);
}
