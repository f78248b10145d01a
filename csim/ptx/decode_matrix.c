/* SPDX-License-Identifier: Apache-2.0 */
/* mma, ldmatrix, stmatrix, movmatrix (see exec_matrix.c). A product has up to 28 registers, more than an operation has operands: operations
 * without an issue slot put A, B and C into matrix rows of the warp, the last one or two write D. */
#include "device/device_memory.h"
#include "ptx/decode.h"

#include <string.h>

/* a table */
/* clang-format off */
/* Shapes by the types of D, A, B, C. A null B: like A. */
static const struct { const char *shape, *d, *a, *b, *c; uint8_t m, k; } forms[] = {
  {"m8n8k4", "f16", "f16", NULL, "f16", 8, 4},     {"m8n8k4", "f32", "f16", NULL, "f16", 8, 4},
  {"m8n8k4", "f32", "f16", NULL, "f32", 8, 4},
  {"m16n8k8", "f32", "f16", NULL, "f32", 16, 8},   {"m16n8k8", "f16", "f16", NULL, "f16", 16, 8},
  {"m16n8k16", "f32", "f16", NULL, "f32", 16, 16}, {"m16n8k16", "f16", "f16", NULL, "f16", 16, 16},
  {"m16n8k8", "f32", "bf16", NULL, "f32", 16, 8},  {"m16n8k16", "f32", "bf16", NULL, "f32", 16, 16},
  {"m16n8k4", "f32", "tf32", NULL, "f32", 16, 4},  {"m16n8k8", "f32", "tf32", NULL, "f32", 16, 8},
  {"m8n8k4", "f64", "f64", NULL, "f64", 8, 4},     {"m16n8k4", "f64", "f64", NULL, "f64", 16, 4},
  {"m16n8k8", "f64", "f64", NULL, "f64", 16, 8},   {"m16n8k16", "f64", "f64", NULL, "f64", 16, 16},
  {"m8n8k16", "s32", "s8", NULL, "s32", 8, 16},    {"m8n8k16", "s32", "u8", NULL, "s32", 8, 16},
  {"m8n8k16", "s32", "s8", "u8", "s32", 8, 16},    {"m8n8k16", "s32", "u8", "s8", "s32", 8, 16},
  {"m16n8k16", "s32", "s8", NULL, "s32", 16, 16},  {"m16n8k16", "s32", "u8", NULL, "s32", 16, 16},
  {"m16n8k16", "s32", "s8", "u8", "s32", 16, 16},  {"m16n8k16", "s32", "u8", "s8", "s32", 16, 16},
  {"m16n8k32", "s32", "s8", NULL, "s32", 16, 32},  {"m16n8k32", "s32", "u8", NULL, "s32", 16, 32},
  {"m16n8k32", "s32", "s8", "u8", "s32", 16, 32},  {"m16n8k32", "s32", "u8", "s8", "s32", 16, 32}};
/* clang-format on */

/* ---- operands ---- */

enum ptx_type ptx_matrix_type(const char *part) {
  return strcmp(part, "tf32") == 0 ? T_B32 : ptx_type_of(part, strlen(part));
}

uint32_t ptx_matrix_pack(enum ptx_type type) { return type == T_NONE || type >= T_B32 ? 1 : 4 / ptx_type_bytes(type); }

static enum ptx_type register_of(enum ptx_type type) { return type == T_F64 || type == T_F32 ? type : T_B32; }

/* {a, b, ...}, or one register alone */
static const struct operand *registers_of(const struct operand *o, uint32_t *n) {
  *n = o->kind == OPERAND_VECTOR ? o->n_elements : 1;
  return o->kind == OPERAND_VECTOR ? o->element : o;
}

int ptx_decode_fragment(struct decoder *d, const struct operand *o, uint32_t n, uint32_t used, enum ptx_type type,
                        bool destination) {
  uint32_t given;
  const struct operand *element = registers_of(o, &given);
  int code = 0;
  if (given != n) return decode_syntax(d, "%u registers where the matrix has %u", given, n);
  for (uint32_t i = 0; i < used && !code; i++)
    code = destination ? decode_destination(d, &element[i], register_of(type))
                       : decode_source(d, &element[i], register_of(type));
  return code;
}

int ptx_decode_matrix_operand(struct decoder *d, const struct operand *o, uint32_t n, uint32_t used, enum ptx_type type,
                              uint32_t row) {
  uint32_t rows = row + used * (type == T_F64 ? 2 : 1);
  d->op->issue_slots = 0;
  d->op->class = PTX_INT;
  d->op->exec = ptx_exec_matrix_operand;
  d->op->matrix = (struct ptx_op_matrix){.row_a = (uint8_t)row, .a = (uint8_t)type};
  int code = ptx_decode_fragment(d, o, n, used, type, false);
  if (code || (code = decode_finish(d))) return code;
  invariant(rows <= MATRIX_ROWS, "the operands of a product take more than %d rows", MATRIX_ROWS);
  if (d->kernel->n_matrix_rows < rows) d->kernel->n_matrix_rows = rows;
  decode_begin(d);
  return 0;
}

/* ---- products ---- */

/* In multiply-adds of f16, by the ratios of A100 and H100 in NVIDIA's white papers. */
static uint16_t work_of(const struct ptx_op_matrix *m) {
  uint32_t work = 8U * m->m * m->k;
  if (m->quads) return m->d == T_F16 ? 1024 : 512; /* four products, in f32 by halves */
  if (m->a == T_F64) return (uint16_t)(work * 16);
  if (m->a == T_B32) return (uint16_t)(work * 2);
  return (uint16_t)(m->a == T_S8 || m->a == T_U8 ? work / 2 : work);
}

int ptx_decode_product(struct decoder *d, const struct operand *o, uint32_t first, uint32_t n, struct ptx_op_matrix m) {
  uint32_t given;
  const struct operand *element = registers_of(o, &given);
  d->kernel->public.multiplies = true;
  d->op->class = PTX_MATRIX;
  d->op->exec = ptx_exec_matrix_product;
  d->op->matrix = m;
  d->op->matrix.work = work_of(&m);
  if (first + n > given) return decode_syntax(d, "%u registers where the matrix has more", given);
  for (uint32_t i = 0; i < n; i++) {
    int code = decode_destination(d, &element[first + i], register_of((enum ptx_type)m.d));
    if (code) return code;
  }
  return decode_finish(d);
}

static int decode_products(struct decoder *d, struct ptx_op_matrix m) {
  const struct operand *o = d->ins->operand;
  enum ptx_type ta = (enum ptx_type)m.a, tc = (enum ptx_type)m.c, td = (enum ptx_type)m.d;
  const uint32_t wide = ta == T_F64 ? 2 : 1, p = ptx_matrix_pack(ta);
  uint32_t n_a = m.quads ? 2 : (uint32_t)m.m * m.k / WARP_LANES / p, n_b = m.quads ? 2 : 8U * m.k / WARP_LANES / p;
  uint32_t elements = m.quads ? 8 : m.m / 4U, n_c = elements / ptx_matrix_pack(tc),
           n_d = elements / ptx_matrix_pack(td);
  uint32_t given;
  m.row_b = (uint8_t)(n_a * wide);
  m.row_c = (uint8_t)((n_a + n_b) * wide);
  int code = decode_operands(d, 4, 4);
  if (code) return code;
  registers_of(&o[0], &given);
  if (given != n_d) return decode_syntax(d, "%u registers where the matrix has %u", given, n_d);
  if ((code = ptx_decode_matrix_operand(d, &o[1], n_a, n_a, ta, 0))) return code;
  if ((code = ptx_decode_matrix_operand(d, &o[2], n_b, n_b, ta, m.row_b))) return code;
  if ((code = ptx_decode_matrix_operand(d, &o[3], n_c, n_c, tc, m.row_c))) return code;
  if (n_d <= 4) return ptx_decode_product(d, &o[0], 0, n_d, m);
  if ((code = ptx_decode_product(d, &o[0], 0, 4, m))) return code;
  decode_begin(d);
  m.first = 4;
  return ptx_decode_product(d, &o[0], 4, 4, m);
}

static bool is_order(const char *part) { return strcmp(part, "row") == 0 || strcmp(part, "col") == 0; }

/* mma.sync.aligned.shape.order.order{.satfinite}{.rn}.dtype.atype.btype.ctype d, a, b, c */
static int decode_mma(struct decoder *d) {
  const char *part[PARTS_MAX];
  uint32_t n = 0;
  bool saturates = false;
  for (uint32_t i = 0; i < d->n_parts; i++) {
    if (strcmp(d->part[i], "satfinite") == 0) saturates = true;
    else if (strcmp(d->part[i], "rn") != 0) part[n++] = d->part[i];
  }
  if (n != 10 || strcmp(part[1], "sync") != 0 || strcmp(part[2], "aligned") != 0) return decode_refuse(d);
  if (!is_order(part[4]) || !is_order(part[5])) return decode_refuse(d);
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    const char *b = forms[i].b ? forms[i].b : forms[i].a;
    struct ptx_op_matrix m = {.m = forms[i].m,
                              .k = forms[i].k,
                              .a = (uint8_t)ptx_matrix_type(forms[i].a),
                              .b = (uint8_t)ptx_matrix_type(b),
                              .c = (uint8_t)ptx_matrix_type(forms[i].c),
                              .d = (uint8_t)ptx_matrix_type(forms[i].d),
                              .quads = forms[i].k == 4 && strcmp(forms[i].a, "f16") == 0,
                              .a_column = part[4][0] == 'c',
                              .b_row = part[5][0] == 'r',
                              .saturates = saturates};
    bool same = strcmp(part[3], forms[i].shape) == 0 && strcmp(part[6], forms[i].d) == 0 &&
                strcmp(part[7], forms[i].a) == 0 && strcmp(part[8], b) == 0 && strcmp(part[9], forms[i].c) == 0;
    if (!same || (saturates && m.d != T_S32) || (!m.quads && (m.a_column || m.b_row))) continue;
    return decode_products(d, m);
  }
  return decode_refuse(d);
}

/* ---- 8 x 8 matrices ---- */

/* ldmatrix.sync.aligned.m8n8.{x1,x2,x4}{.trans}{.shared}.b16 r, [p]; stmatrix ... [p], r */
static int decode_load(struct decoder *d, bool load) {
  bool across = false, shared = false, shape = false, sync = false, aligned = false;
  uint32_t count = 0;
  if (strcmp(d->part[d->n_parts - 1], "b16") != 0) return decode_refuse(d);
  for (uint32_t i = 1; i + 1 < d->n_parts; i++) {
    const char *part = d->part[i];
    if (strcmp(part, "trans") == 0) across = true;
    else if (strcmp(part, "sync") == 0) sync = true;
    else if (strcmp(part, "aligned") == 0) aligned = true;
    else if (strcmp(part, "m8n8") == 0) shape = true;
    else if (ptx_space_of(part) == PTX_SHARED) shared = true;
    else if (strlen(part) == 2 && part[0] == 'x' && strchr("124", part[1])) count = (uint32_t)(part[1] - '0');
    else return decode_refuse(d);
  }
  if (!count || !shape || !sync || !aligned) return decode_refuse(d);
  int code = decode_operands(d, 2, 2);
  if (code) return code;
  const struct operand *o = d->ins->operand;
  d->op->class = load ? PTX_LOAD : PTX_STORE;
  d->op->memory = (struct ptx_op_memory){
    .bytes = 16, .vector = 1, .is_matrix = true, .matrix = {.count = count & 7U, .across = across}};
  if ((code = ptx_decode_address(d, &o[load ? 1 : 0], shared ? PTX_SHARED : PTX_GENERIC))) return code;
  d->op->memory.space = PTX_SHARED; /* where a generic address must lie, too */
  if (!shared) d->op->memory.offset -= (int64_t)GENERIC_SHARED_BASE;
  if ((code = ptx_decode_fragment(d, &o[load ? 0 : 1], count, count, T_B32, load))) return code;
  return decode_finish(d);
}

int ptx_decode_matrix(struct decoder *d) {
  if (strcmp(d->part[0], "mma") == 0) return decode_mma(d);
  if (strcmp(d->part[0], "movmatrix") != 0) return decode_load(d, d->part[0][0] == 'l');
  if (strcmp(d->ins->opcode, "movmatrix.sync.aligned.m8n8.trans.b16") != 0) return decode_refuse(d);
  d->op->class = PTX_INT;
  d->op->exec = ptx_exec_movmatrix;
  int code = decode_typed(d, "bb", T_NONE);
  return code ? code : decode_finish(d);
}
