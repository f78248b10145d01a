/* SPDX-License-Identifier: Apache-2.0 */
/* tex, tld4, txq, suld, sust, sured and suq, in unified mode: a texture and its sampler are one handle. */
#include "ptx/decode.h"
#include "ptx/texture.h"

#include <string.h>

/* The parts of an opcode: what it fetches, and how. */
struct fetch {
  uint32_t geometry, level, gather;
};

static int refuse(const struct decoder *d, const char *what) {
  return ptx_unsupported(d->parser, d->ins->line, "unsupported instruction '%.80s': %s", d->ins->opcode, what);
}

/* Modifiers that PTX has and this simulator does not support. */
static const char *reason_of(const char *part) {
  static const struct {
    const char *part, *why;
  } reasons[] = {{"2dms", "multi-sample textures are not simulated"},
                 {"a2dms", "multi-sample textures are not simulated"},
                 {"v2", "a fetch returns four values (.v4)"}};
  for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
    if (strcmp(part, reasons[i].part) == 0) return reasons[i].why;
  return NULL;
}

static bool geometry_of(const char *part, uint32_t *g) {
  for (*g = 0; *g < TEXTURE_N_GEOMETRIES; ++*g)
    if (strcmp(part, texture_geometry_name((enum texture_geometry) * g)) == 0) return true;
  return false;
}

/* Operands of a coordinate vector, and how many of them count: three stand in a vector of four. */
static uint32_t coordinates_of(uint32_t geometry, uint32_t *listed) {
  static const uint8_t n[TEXTURE_N_GEOMETRIES] = {
#define X(name, ptx, coordinates, layered) (coordinates) + (layered),
    TEXTURE_GEOMETRIES(X)
#undef X
  };
  *listed = n[geometry] == 3 ? 4 : n[geometry];
  return n[geometry];
}
static bool has_layer(uint32_t geometry) {
  static const bool layered[TEXTURE_N_GEOMETRIES] = {
#define X(name, ptx, coordinates, layer) layer,
    TEXTURE_GEOMETRIES(X)
#undef X
  };
  return layered[geometry];
}

/* The handle as source 0: a register, or the name of a .texref. */
static int decode_handle(struct decoder *d, const struct operand *o) {
  if (o->kind != OPERAND_ADDRESS) return decode_syntax(d, "the texture should stand in [ ]");
  if (o->offset) return decode_syntax(d, "a texture has no offset");
  const struct operand *handle = o->element;
  if (handle->kind == OPERAND_VARIABLE && !handle->variable->texture)
    return decode_syntax(d, "'%s' is no texture reference: declare it .global .texref", handle->variable->name);
  if (handle->kind == OPERAND_IMMEDIATE) return decode_syntax(d, "a number is no texture");
  return decode_source(d, handle, T_U64);
}

/* The values of a vector or of one operand, of which the first `n` count. */
static int decode_list(struct decoder *d, const struct operand *o, uint32_t n, uint32_t listed, enum ptx_type type) {
  uint32_t given = o->kind == OPERAND_VECTOR ? o->n_elements : 1;
  if (given != listed) return decode_syntax(d, "%u coordinates where %u are wanted", given, listed);
  for (uint32_t i = 0; i < n; i++) {
    int code = decode_source(d, o->kind == OPERAND_VECTOR ? &o->element[i] : o, type);
    if (code) return code;
  }
  return 0;
}

/* A layer is an integer, whatever the coordinates are. */
static int decode_coordinates(struct decoder *d, const struct operand *o, uint32_t geometry, enum ptx_type type) {
  if (o->n_elements > 2)
    return refuse(d, "samplers apart from their textures (texmode_independent) are not simulated: use unified mode");
  if (o->n_elements < 2) return decode_syntax(d, "the coordinates should follow the texture: [t, {x}]");
  const struct operand *c = &o->element[1];
  uint32_t listed, n = coordinates_of(geometry, &listed), given = c->kind == OPERAND_VECTOR ? c->n_elements : 1;
  if (given != listed) return decode_syntax(d, "%u coordinates where %u are wanted", given, listed);
  if (!has_layer(geometry)) return decode_list(d, c, n, listed, type);
  int code = decode_source(d, &c->element[0], T_B32);
  for (uint32_t i = 1; i < n && !code; i++) code = decode_source(d, &c->element[i], type);
  return code;
}

/* ---- fetches ---- */

/* .level takes a level, .grad two gradients of as many coordinates as the texture has. */
static int decode_level(struct decoder *d, const struct fetch *f) {
  const struct operand *o = d->ins->operand;
  if (f->level == FETCH_LEVEL) return decode_source(d, &o[2], T_F32);
  if (f->level != FETCH_GRADIENTS) return 0;
  uint32_t listed, n = coordinates_of(f->geometry, &listed) - has_layer(f->geometry);
  if (n > 2) return refuse(d, "gradients of three coordinates are not simulated: fetch with .level");
  int code = decode_list(d, &o[2], n, n, T_F32);
  return code ? code : decode_list(d, &o[3], n, n, T_F32);
}

static int decode_fetch(struct decoder *d, const struct fetch *f, enum ptx_type type, enum ptx_type c) {
  uint32_t operands = f->level == FETCH_LEVEL ? 3 : f->level == FETCH_GRADIENTS ? 4 : 2;
  if (d->ins->n_operands > operands) return refuse(d, "offsets of coordinates and depth comparisons are not simulated");
  int code = decode_operands(d, operands, operands);
  const struct operand *o = d->ins->operand;
  if (code) return code;
  if (o->kind != OPERAND_VECTOR || o->n_elements != 4) return decode_syntax(d, "a fetch writes {a, b, c, d}");
  for (uint32_t i = 0; i < 4; i++)
    if ((code = decode_destination(d, &o->element[i], type))) return code;
  if ((code = decode_handle(d, &o[1])) || (code = decode_coordinates(d, &o[1], f->geometry, c)) ||
      (code = decode_level(d, f)))
    return code;
  d->kernel->fetches = true;
  d->op->class = PTX_LOAD;
  d->op->memory = (struct ptx_op_memory){.space = PTX_TEXTURE,
                                         .bytes = 4,
                                         .vector = 4,
                                         .register_bytes = 4,
                                         .fetch = {.geometry = (uint8_t)f->geometry,
                                                   .level = (uint8_t)f->level,
                                                   .gather = (uint8_t)f->gather,
                                                   .integer = c == T_S32}};
  return decode_finish(d);
}

int ptx_decode_texture(struct decoder *d) {
  static const char *const levels[] = {"base", "level", "grad", NULL}, *const channels[] = {"r", "g", "b", "a", NULL};
  struct fetch f = {.level = FETCH_LARGEST};
  bool gathers = strcmp(d->part[0], "tld4") == 0;
  uint32_t at = 1;
  for (uint32_t i = 1; i < d->n_parts; i++)
    if (reason_of(d->part[i])) return refuse(d, reason_of(d->part[i]));
  if (gathers && at < d->n_parts) {
    f.gather = decode_find(d->part[at++], channels) + 1;
    if (!channels[f.gather - 1]) return decode_refuse(d);
  } else if (at < d->n_parts && levels[decode_find(d->part[at], levels)]) {
    f.level = decode_find(d->part[at++], levels);
  }
  if (d->n_parts != at + 4 || !geometry_of(d->part[at], &f.geometry) || strcmp(d->part[at + 1], "v4") != 0)
    return decode_refuse(d);
  if (gathers && (f.geometry == TEXTURE_1D || f.geometry == TEXTURE_1D_LAYERED || f.geometry == TEXTURE_3D))
    return decode_refuse(d);
  const char *type_name = d->part[at + 2], *c_name = d->part[at + 3];
  enum ptx_type type = ptx_type_of(type_name, strlen(type_name)), c = ptx_type_of(c_name, strlen(c_name));
  bool cube = f.geometry == TEXTURE_CUBE || f.geometry == TEXTURE_CUBE_LAYERED;
  bool integers = c == T_S32 && !gathers && !cube && f.level != FETCH_GRADIENTS;
  if ((type != T_U32 && type != T_S32 && type != T_F32) || (c != T_F32 && !integers)) return decode_refuse(d);
  if (f.level == FETCH_LEVEL && c == T_S32)
    return refuse(d, "a level of integer coordinates is not simulated: fetch with coordinates of .f32");
  return decode_fetch(d, &f, type, c);
}

/* ---- surfaces ---- */

/* Whether the instruction has the type, as ptxas takes it: formatted ones are of 32 bits, reductions of words. */
static bool surface_type_fits(const struct ptx_op_memory *m, enum ptx_class class, enum ptx_type type) {
  uint32_t bytes = ptx_type_bytes(type);
  char letter = ptx_type_letter(type);
  if (m->fetch.formatted) return type == T_B32;
  if (class != PTX_ATOMIC) return letter == 'b' && bytes && bytes * m->vector <= 16;
  if (m->fetch.reduce.operation == ATOMIC_AND || m->fetch.reduce.operation == ATOMIC_OR) return type == T_B32;
  if (m->fetch.reduce.operation == ATOMIC_ADD) return bytes >= 4 && (letter == 'u' || type == T_S32);
  return bytes >= 4 && (letter == 'u' || letter == 's');
}

/* The operands: the surface with its coordinates, and the values. */
static int decode_surface_operands(struct decoder *d, enum ptx_type type) {
  bool load = d->op->class == PTX_LOAD;
  int code = decode_operands(d, 2, 2);
  if (code) return code;
  const struct operand *address = &d->ins->operand[load ? 1 : 0], *values = &d->ins->operand[load ? 0 : 1];
  if ((code = decode_handle(d, address)) ||
      (code = decode_coordinates(d, address, d->op->memory.fetch.geometry, T_S32)) ||
      (code = decode_values(d, values, type, d->op->memory.vector, load)))
    return code;
  return decode_finish(d);
}

/* suld.b, sust.b, sust.p, sured.b.op, sured.p.op */
int ptx_decode_surface(struct decoder *d) {
  static const char *const outside[] = {"trap", "clamp", "zero", NULL};
  static const char *const caches[] = {"ca", "cg", "cs", "cv",
                                       "wb", "wt", NULL}; /* no effect, as of loads and stores */
  bool load = strcmp(d->part[0], "suld") == 0, reduces = strcmp(d->part[0], "sured") == 0;
  uint32_t at = 1, geometry, vector = 1;
  enum ptx_atomic operation = ATOMIC_ADD;
  for (uint32_t i = 1; i < d->n_parts; i++)
    if (reason_of(d->part[i]) && strcmp(d->part[i], "v2") != 0) return refuse(d, reason_of(d->part[i]));
  if (d->n_parts < 5u + reduces) return decode_refuse(d);
  bool formatted = strcmp(d->part[at], "p") == 0;
  if ((!formatted && strcmp(d->part[at], "b") != 0) || (formatted && load)) return decode_refuse(d);
  at++;
  if (reduces) operation = decode_atomic_name(d->part[at++]);
  if (operation > ATOMIC_OR || !geometry_of(d->part[at++], &geometry) || geometry == TEXTURE_CUBE ||
      geometry == TEXTURE_CUBE_LAYERED || (reduces && has_layer(geometry)))
    return decode_refuse(d);
  if (!reduces && caches[decode_find(d->part[at], caches)]) at++;
  if (!reduces && (strcmp(d->part[at], "v2") == 0 || strcmp(d->part[at], "v4") == 0))
    vector = (uint32_t)(d->part[at++][1] - '0');
  if (d->n_parts != at + 2) return decode_refuse(d);
  enum ptx_type type = ptx_type_of(d->part[at], strlen(d->part[at]));
  uint32_t how = decode_find(d->part[at + 1], outside);
  d->op->class = load ? PTX_LOAD : reduces ? PTX_ATOMIC : PTX_STORE;
  d->op->memory = (struct ptx_op_memory){.space = PTX_TEXTURE,
                                         .bytes = (uint8_t)ptx_type_bytes(type),
                                         .vector = (uint8_t)vector,
                                         .fetch = {.geometry = (uint8_t)geometry,
                                                   .outside = (uint8_t)how,
                                                   .surface = true,
                                                   .formatted = formatted,
                                                   .reduce = {.operation = (uint8_t)operation, .type = (uint8_t)type}}};
  if (formatted && reduces && type == T_B64) return refuse(d, "no surface has elements of one 64-bit integer");
  if (!outside[how] || !surface_type_fits(&d->op->memory, (enum ptx_class)d->op->class, type)) return decode_refuse(d);
  return decode_surface_operands(d, type);
}

/* ---- queries ---- */

int ptx_decode_texture_query(struct decoder *d) {
  static const char *const queries[] = {[TEXTURE_QUERY_WIDTH] = "width",
                                        [TEXTURE_QUERY_HEIGHT] = "height",
                                        [TEXTURE_QUERY_DEPTH] = "depth",
                                        [TEXTURE_QUERY_LAYERS] = "array_size",
                                        [TEXTURE_QUERY_LEVELS] = "num_mipmap_levels",
                                        [TEXTURE_QUERY_FILTER] = "filter_mode",
                                        [TEXTURE_QUERY_NORMALIZED] = "normalized_coords",
                                        NULL};
  bool surface = strcmp(d->part[0], "suq") == 0;
  uint32_t levelled = d->n_parts > 1 && strcmp(d->part[1], "level") == 0 && !surface;
  if (d->n_parts != 3 + levelled || strcmp(d->part[2 + levelled], "b32") != 0) return decode_refuse(d);
  uint32_t what = decode_find(d->part[1 + levelled], queries);
  if (!queries[what] || (surface && what >= TEXTURE_QUERY_LEVELS) || (levelled && what > TEXTURE_QUERY_DEPTH))
    return refuse(d, "only .width, .height, .depth, .array_size are known, of textures .num_mipmap_levels, "
                     ".filter_mode and .normalized_coords, too");
  int code = decode_operands(d, 2 + levelled, 2 + levelled);
  if (code) return code;
  if ((code = decode_destination(d, &d->ins->operand[0], T_B32)) || (code = decode_handle(d, &d->ins->operand[1])))
    return code;
  if (levelled && (code = decode_source(d, &d->ins->operand[2], T_B32))) return code;
  d->op->query.what = (uint8_t)what;
  d->op->query.surface = surface;
  d->op->class = PTX_INT;
  d->op->exec = ptx_exec_texture_query;
  return decode_finish(d);
}
