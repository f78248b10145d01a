/* SPDX-License-Identifier: Apache-2.0 */
/* wmma.load, wmma.store, wmma.mma. PTX leaves open which lane holds which element. Here a matrix lies in registers as the tiles of mma of 16 rows
 * (8 of f64) and 8 columns, one after the other, so that wmma.mma is one or two products of mma. The tile with 16 rows is A's, but B's where
 * the shape is 8 x 32: the product is that of the transposed matrices then. A load or store is one access a register, or one an element
 * where the elements of a register are not neighbours in memory. */
#include "ptx/decode.h"

#include <string.h>

/* a table */
/* clang-format off */
static const struct shape { const char *name; uint8_t m, n, k; } shapes[] = {
  {"m16n16k16", 16, 16, 16}, {"m32n8k16", 32, 8, 16}, {"m8n32k16", 8, 32, 16}, {"m16n16k8", 16, 16, 8}, {"m8n8k4", 8, 8, 4}};
/* clang-format on */

/* What the parts of the opcode say. */
struct wmma {
  const struct shape *shape;
  char matrix; /* a, b, c, d; of wmma.mma: 0 */
  bool column; /* order in memory */
  enum ptx_space space;
  enum ptx_type type[4]; /* of wmma.mma: D, A, B, C, or D, C of f16 */
  uint32_t n_types, n_orders;
  bool saturates, rounds;
};

static bool read_part(struct wmma *w, const char *part) {
  enum ptx_type type = ptx_matrix_type(part);
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
    if (strcmp(part, shapes[i].name) == 0) {
      w->shape = &shapes[i];
      return true;
    }
  if (strcmp(part, "row") == 0 || strcmp(part, "col") == 0) w->column = part[0] == 'c', w->n_orders++;
  else if (ptx_space_of(part) == PTX_GLOBAL || ptx_space_of(part) == PTX_SHARED) w->space = ptx_space_of(part);
  else if (strcmp(part, "satfinite") == 0) w->saturates = true;
  else if (strcmp(part, "rn") == 0) w->rounds = true;
  else if (type != T_NONE && type != T_PRED && w->n_types < 4) w->type[w->n_types++] = type;
  else return strcmp(part, "sync") == 0 || strcmp(part, "aligned") == 0;
  return true;
}

/* Does the shape exist for matrices of the type: A and B, or C and D? */
static bool shape_exists(const struct shape *s, enum ptx_type type, bool sum) {
  if (type == T_F64) return s->k == 4;
  if (type == T_B32 && !sum) return s->k == 8;
  if (sum) return (type == T_F32 && s->k >= 8) || ((type == T_F16 || type == T_S32) && s->k == 16);
  return s->k == 16 && (type == T_F16 || type == T_BF16 || type == T_S8 || type == T_U8);
}

/* ---- where the elements lie ---- */

/* The two sides of a product: rows of 16 (`tall`) and columns of 8; how many tiles there are of each. */
struct tiles {
  bool swapped; /* B is the tall one */
  uint32_t rows, tall, flat;
};
static struct tiles tiles_of(const struct shape *s) {
  struct tiles t = {.swapped = s->m == 8 && s->n == 32, .rows = s->m == 8 && s->n == 8 ? 8 : 16};
  uint32_t along = t.swapped ? s->n : s->m, across = t.swapped ? s->m : s->n;
  t.tall = along / t.rows;
  t.flat = across / 8;
  return t;
}

/* Registers of the matrix, without the copies that A and B of f16 have. */
static uint32_t registers_of(const struct wmma *w, char matrix, enum ptx_type type) {
  struct tiles t = tiles_of(w->shape);
  bool is_tall = (matrix == 'b') == t.swapped;
  uint32_t elements = matrix == 'c' || matrix == 'd' ? t.rows * t.tall * 8 * t.flat
                      : is_tall                      ? t.rows * t.tall * w->shape->k
                                                     : 8 * t.flat * w->shape->k;
  return elements / WARP_LANES / ptx_matrix_pack(type);
}
static uint32_t given_of(const struct wmma *w, char matrix, enum ptx_type type) {
  return type == T_F16 && (matrix == 'a' || matrix == 'b') ? 8 : registers_of(w, matrix, type);
}

/* Element e of register r: a row and a column of the matrix, as multiples of 1, g and t (op.h). */
struct place {
  uint32_t at[2], g[2], t[2]; /* row, column */
};
static struct place place_of(const struct wmma *w, char matrix, enum ptx_type type, uint32_t r, uint32_t e) {
  const struct tiles t = tiles_of(w->shape);
  const uint32_t p = ptx_matrix_pack(type), k = w->shape->k, high = t.rows / 8;
  struct place x = {0};
  uint32_t first = 0, second = 1; /* the product's row and column, in the matrix */
  if (matrix == 'c' || matrix == 'd') {
    if (t.swapped) first = 1, second = 0;
    uint32_t i = r * p + e, tile = i / (2 * high), inside = i % (2 * high);
    x.at[first] = 8 * (inside / 2) + (t.tall > 1 ? 16 * tile : 0), x.g[first] = 1;
    x.at[second] = inside % 2 + (t.flat > 1 ? 8 * tile : 0), x.t[second] = 2;
    return x;
  }
  bool is_tall = (matrix == 'b') == t.swapped;
  uint32_t along = matrix == 'a' ? 1 : 0, other = 1 - along; /* that of k */
  uint32_t n = (is_tall ? t.rows : 8) * k / WARP_LANES / p, tile = r / n, inside = r % n, step = is_tall ? high : 1;
  x.at[other] = 8 * (inside % step) + (is_tall ? t.rows : 8) * tile, x.g[other] = 1;
  x.at[along] = e + 4 * p * (inside / step), x.t[along] = p;
  return x;
}

/* ---- loads and stores ---- */

static uint8_t log2_of(uint32_t bytes) { return bytes == 8 ? 3 : bytes == 4 ? 2 : bytes == 2 ? 1 : 0; }

static int decode_stride(struct decoder *d, const struct wmma *w, char matrix) {
  const struct operand *o = d->ins->operand;
  uint32_t rows = matrix == 'b' ? w->shape->k : w->shape->m, columns = matrix == 'a' ? w->shape->k : w->shape->n;
  if (d->ins->n_operands == 3) return decode_source(d, &o[2], T_U32);
  d->op->src[d->op->n_src++] = decode_constant(d, w->column ? rows : columns, false);
  return 0;
}

/* One access: register r, from element e of it on. */
static int decode_access(struct decoder *d, const struct wmma *w, uint32_t r, uint32_t e, bool whole) {
  bool load = strcmp(d->part[1], "load") == 0;
  const struct operand *o = d->ins->operand, *values = &o[load ? 0 : 1];
  enum ptx_type type = w->type[0];
  char matrix = w->matrix;
  uint32_t real = registers_of(w, matrix, type), given = given_of(w, matrix, type), p = ptx_matrix_pack(type);
  uint32_t bytes = ptx_type_bytes(type);
  struct place x = place_of(w, matrix, type, r, e);
  uint32_t line = w->column ? 1 : 0, place = 1 - line;
  const struct operand *element = values->kind == OPERAND_VECTOR ? values->element : values;
  d->op->class = load ? PTX_LOAD : PTX_STORE;
  d->op->memory = (struct ptx_op_memory){.bytes = (uint8_t)(whole ? bytes * p : bytes),
                                         .vector = 1,
                                         .is_matrix = true,
                                         .matrix = {.part = e & 3U,
                                                    .scale = log2_of(bytes) & 3U,
                                                    .line = (uint8_t)x.at[line],
                                                    .line_g = (uint8_t)x.g[line],
                                                    .line_t = (uint8_t)x.t[line],
                                                    .place = (uint8_t)x.at[place],
                                                    .place_g = (uint8_t)x.g[place],
                                                    .place_t = (uint8_t)x.t[place]}};
  int code = ptx_decode_address(d, &o[load ? 1 : 0], w->space);
  if (code || (code = decode_stride(d, w, matrix))) return code;
  enum ptx_type reg = type == T_F64 ? T_F64 : T_B32;
  if (!load && (code = decode_source(d, &element[r], reg))) return code;
  for (uint32_t i = r; load && i < given; i += real) {
    if ((code = decode_destination(d, &element[i], reg))) return code;
    if (e && (code = decode_source(d, &element[i], reg))) return code; /* the rest of the register stays */
  }
  return decode_finish(d);
}

/* wmma.load.{a,b,c}.sync.aligned.order.shape{.space}.type r, [p] {, stride}; wmma.store.d... [p], r {, stride} */
static int decode_accesses(struct decoder *d, const struct wmma *w) {
  bool load = strcmp(d->part[1], "load") == 0, sum = w->matrix == 'c' || w->matrix == 'd';
  if (w->n_types != 1 || w->n_orders != 1 || w->saturates || w->rounds || load == (w->matrix == 'd') ||
      !shape_exists(w->shape, w->type[0], sum))
    return decode_refuse(d);
  int code = decode_operands(d, 2, 3);
  if (code) return code;
  const struct operand *values = &d->ins->operand[load ? 0 : 1];
  enum ptx_type type = w->type[0];
  uint32_t n = values->kind == OPERAND_VECTOR ? values->n_elements : 1, real = registers_of(w, w->matrix, type),
           p = ptx_matrix_pack(type), given = given_of(w, w->matrix, type);
  if (n != given) return decode_syntax(d, "%u registers where the matrix has %u", n, given);
  struct place first = place_of(w, w->matrix, type, 0, 0), second = place_of(w, w->matrix, type, 0, p - 1);
  uint32_t unit = w->column ? 0 : 1;
  bool whole = p == 1 || second.at[unit] != first.at[unit];
  for (uint32_t r = 0; r < real; r++)
    for (uint32_t e = 0; e < (whole ? 1 : p); e++) {
      if (r || e) decode_begin(d);
      if ((code = decode_access(d, w, r, e, whole))) return code;
    }
  return 0;
}

/* ---- products ---- */

/* wmma.mma.sync.aligned.order.order.shape{.rn}.dtype{.atype.btype}.ctype{.satfinite} d, a, b, c */
static int decode_product(struct decoder *d, const struct wmma *w) {
  enum ptx_type td = w->type[0], ta = w->n_types == 4 ? w->type[1] : T_F16, tb = w->n_types == 4 ? w->type[2] : T_F16;
  enum ptx_type tc = w->n_types == 4 ? w->type[3] : w->type[1];
  bool halves = ta == T_F16 && (td == T_F16 || td == T_F32) && (tc == T_F16 || tc == T_F32);
  bool integers = (ta == T_S8 || ta == T_U8) && td == T_S32 && tc == T_S32;
  bool floats = (ta == T_BF16 || ta == T_B32) && td == T_F32 && tc == T_F32;
  bool doubles = ta == T_F64 && td == T_F64 && tc == T_F64;
  if (w->n_orders != 2 || w->n_types == 3 || w->n_types < 2 || ta != tb || (w->saturates && !integers) ||
      !(halves || integers || floats || doubles) || !shape_exists(w->shape, ta, false))
    return decode_refuse(d);
  const struct operand *o = d->ins->operand;
  const struct tiles t = tiles_of(w->shape);
  const uint32_t tiles = t.tall * t.flat, wide = ta == T_F64 ? 2 : 1, side = t.swapped ? 2 : 1;
  const uint32_t tall = registers_of(w, t.swapped ? 'b' : 'a', ta), flat = registers_of(w, t.swapped ? 'a' : 'b', ta);
  const uint32_t n_c = registers_of(w, 'c', tc), n_d = registers_of(w, 'd', td);
  int code = decode_operands(d, 4, 4);
  if (!code && (o[0].kind == OPERAND_VECTOR ? o[0].n_elements : 1) != n_d)
    return decode_syntax(d, "operand 1 is no matrix of %u registers", n_d);
  if (code || (code = ptx_decode_matrix_operand(d, &o[side], given_of(w, t.swapped ? 'b' : 'a', ta), tall, ta, 0)))
    return code;
  if ((code =
         ptx_decode_matrix_operand(d, &o[3 - side], given_of(w, t.swapped ? 'a' : 'b', ta), flat, ta, tall * wide)))
    return code;
  if ((code = ptx_decode_matrix_operand(d, &o[3], n_c, n_c, tc, (tall + flat) * wide))) return code;
  for (uint32_t i = 0; i < tiles; i++) {
    struct ptx_op_matrix m = {
      .m = (uint8_t)t.rows, .k = w->shape->k, .a = (uint8_t)ta, .b = (uint8_t)ta, .c = (uint8_t)tc};
    m.d = (uint8_t)td;
    m.saturates = w->saturates;
    m.row_a = (uint8_t)(t.tall > 1 ? i * (tall / t.tall) * wide : 0);
    m.row_b = (uint8_t)((tall + (t.flat > 1 ? i * (flat / t.flat) : 0)) * wide);
    m.row_c = (uint8_t)((tall + flat + i * (n_c / tiles)) * wide);
    if (i) decode_begin(d);
    if ((code = ptx_decode_product(d, &o[0], i * (n_d / tiles), n_d / tiles, m))) return code;
  }
  return 0;
}

int ptx_decode_wmma(struct decoder *d) {
  struct wmma w = {.space = PTX_GENERIC};
  uint32_t i = 2;
  if (d->n_parts < 4) return decode_refuse(d);
  bool multiplies = strcmp(d->part[1], "mma") == 0;
  if (!multiplies && strcmp(d->part[1], "load") != 0 && strcmp(d->part[1], "store") != 0) return decode_refuse(d);
  if (!multiplies) {
    if (strlen(d->part[2]) != 1 || !strchr("abcd", d->part[2][0])) return decode_refuse(d);
    w.matrix = d->part[i++][0];
  }
  for (; i < d->n_parts; i++)
    if (!read_part(&w, d->part[i])) return decode_refuse(d);
  if (!w.shape) return decode_refuse(d);
  return multiplies ? decode_product(d, &w) : decode_accesses(d, &w);
}
