/* SPDX-License-Identifier: Apache-2.0 */
/* Products of matrices, and 8 x 8 matrices of 16 bits between lanes and shared memory.
 *
 * Where the elements lie (PTX ISA, "Matrix Fragments"), with g = lane / 4, t = lane % 4 and p elements in a register:
 *   A  register r, element e: row g + 8 (r % 2) (g alone where A has 8 rows), column p t + e + 4 p (r / 2)
 *   B  register r, element e: row p t + e + 4 p r, column g
 *   C  element i of a lane:   row g + 8 (i / 2), column 2 t + i % 2
 * m8n8k4 of f16 is four products, each of the lanes with the same lane % 16 / 4; see quad_gather.
 *
 * assumption: NVIDIA publishes no order of accumulation. Here a product of two elements is exact, and the products are added to the element
 * of C in the order of k, in double precision; the sum is rounded once, to nearest even, to the type of D. f64 is a chain of fma in the
 * order of k; integers are exact, and wrap or saturate at the end. */
#include "device/device_memory.h"
#include "ptx/lane_loop.h"

enum { ELEMENTS_A = 16 * 32, ELEMENTS_B = 32 * 8 };

static uint32_t *matrix_row(struct ptx_warp *w, uint32_t row) {
  const struct kernel *k = (const struct kernel *)w->cta->kernel; /* public is its first member */
  return w->rows + (size_t)(k->matrix_row + row) * WARP_LANES;
}

/* A matrix operation is .aligned: every lane of the warp executes it. */
static bool whole_warp(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  if (mask == UINT32_MAX) return true;
  ptx_fault(w, op, PTX_NOT_WHOLE, __builtin_ctz(mask), .bytes = (uint32_t)__builtin_popcount(mask));
  return false;
}

void ptx_exec_matrix_operand(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const uint32_t rows = op->matrix.a == T_F64 ? 2 : 1;
  if (!whole_warp(op, w, mask)) return;
  for (uint32_t i = 0; i < op->n_src; i++)
    memcpy(matrix_row(w, op->matrix.row_a + i * rows), ptx_src(op, w, i), (size_t)rows * WARP_LANES * 4);
}

/* ---- elements ---- */

static uint32_t pack_of(enum ptx_type type) {
  return type == T_F16 || type == T_BF16 ? 2 : type == T_S8 || type == T_U8 ? 4 : 1;
}

/* Element `i` of an operand in a lane. */
static double element(struct ptx_warp *w, uint32_t row, enum ptx_type type, uint32_t lane, uint32_t i) {
  const uint32_t p = pack_of(type);
  if (type == T_F64) return float64(((const lane64 *)(const void *)matrix_row(w, row + 2 * i))[lane]);
  uint32_t word = ((const lane32 *)matrix_row(w, row + i / p))[lane] >> i % p * (32 / p);
  switch (type) {
    case T_F16:
    case T_BF16: return ptx_half_to_double(word & 0xffff, type == T_BF16);
    case T_S8: return (int8_t)word;
    case T_U8: return (uint8_t)word;
    case T_S32: return (int32_t)word;
    case T_B32: return (double)float32(word & ~UINT32_C(0x1fff)); /* tf32: the low bits are not read */
    default: return (double)float32(word);
  }
}

/* A by rows, B by columns. */
static void gather(const struct ptx_op_matrix *m, struct ptx_warp *w, double *a, double *b) {
  enum ptx_type ta = (enum ptx_type)m->a, tb = (enum ptx_type)m->b;
  const uint32_t p = pack_of(ta), tall = m->m / 8U, n_a = (uint32_t)m->m * m->k / WARP_LANES, n_b = m->k / 4U;
  for (uint32_t l = 0; l < WARP_LANES; l++) {
    uint32_t g = l / 4, t = l % 4;
    for (uint32_t i = 0; i < n_a; i++) {
      uint32_t r = i / p, row = g + 8 * (r % tall), column = p * t + i % p + 4 * p * (r / tall);
      a[row * m->k + column] = element(w, m->row_a, ta, l, i);
    }
    for (uint32_t i = 0; i < n_b; i++) b[g * m->k + p * t + i % p + 4 * p * (i / p)] = element(w, m->row_b, tb, l, i);
  }
}

/* The 8 x 4 matrix A and the 4 x 8 matrix B of product q: lanes 4 q to 4 q + 3 and 16 more, four elements each. */
static void quad_gather(const struct ptx_op_matrix *m, struct ptx_warp *w, uint32_t q, double *a, double *b) {
  for (uint32_t j = 0; j < 8; j++) {
    uint32_t l = 4 * q + j % 4 + (j < 4 ? 0 : 16), high = j & 4;
    for (uint32_t i = 0; i < 4; i++) {
      double x = element(w, m->row_a, T_F16, l, i), y = element(w, m->row_b, T_F16, l, i);
      if (m->a_column) a[(high + i) * 4 + j % 4] = x;
      else a[j * 4 + i] = x;
      if (m->b_row) b[(high + i) * 4 + j % 4] = y;
      else b[j * 4 + i] = y;
    }
  }
}

/* ---- products ---- */

static double add_products(const struct ptx_op_matrix *m, const double *a, const double *b, double sum) {
  if (m->d == T_F64)
    for (uint32_t k = 0; k < m->k; k++) sum = fma(a[k], b[k], sum);
  else
    for (uint32_t k = 0; k < m->k; k++) sum += a[k] * b[k];
  return sum;
}

static uint32_t integer_of(const struct ptx_op_matrix *m, double sum) { /* exact: below 2^53 */
  int64_t v = (int64_t)sum;
  if (m->saturates && v > INT32_MAX) v = INT32_MAX;
  if (m->saturates && v < INT32_MIN) v = INT32_MIN;
  return (uint32_t)v;
}

/* Element `i` of D in a lane, counted from the first that the operation writes. */
static void write_element_of(const struct ptx_op *op, struct ptx_warp *w, uint32_t i, uint32_t l, double sum) {
  const struct ptx_op_matrix *m = &op->matrix;
  if (m->d == T_F64) {
    ((lane64 *)ptx_dst(op, w, i))[l] = bits64(canonical64(sum));
  } else if (m->d == T_F16) {
    lane32 *d = ptx_dst(op, w, i / 2);
    uint32_t shift = i % 2 * 16;
    d[l] = (d[l] & ~(UINT32_C(0xffff) << shift)) | ptx_double_to_half(sum, ROUND_RN, false) << shift;
  } else {
    ((lane32 *)ptx_dst(op, w, i))[l] = m->d == T_S32 ? integer_of(m, sum) : bits32(canonical32((float)sum));
  }
}

static void quad_products(const struct ptx_op *op, struct ptx_warp *w) {
  const struct ptx_op_matrix *m = &op->matrix;
  enum ptx_type tc = (enum ptx_type)m->c;
  double a[32], b[32];
  const uint32_t n = m->d == T_F16 ? 8 : 4;
  for (uint32_t q = 0; q < 4; q++) {
    quad_gather(m, w, q, a, b);
    for (uint32_t j = 0; j < 8; j++) {
      uint32_t l = 4 * q + j % 4 + (j < 4 ? 0 : 16), high = j & 4;
      for (uint32_t n_i = 0; n_i < n; n_i++) {
        uint32_t i = m->first + n_i, row = (l & 1) + (i & 2) + high, column = (i & 4) + (l & 2) + (i & 1);
        double c = element(w, m->row_c, tc, l, i);
        if (m->d == T_F16) row = j, column = i;
        if (m->d == T_F32 && tc == T_F16) { /* C has another order than D: it lies in the lane of its row */
          uint32_t from = 4 * q + row % 4 + (row < 4 ? 0 : 16);
          c = element(w, m->row_c, tc, from, column);
        }
        write_element_of(op, w, n_i, l, add_products(m, a + row * 4, b + column * 4, c));
      }
    }
  }
}

void ptx_exec_matrix_product(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const struct ptx_op_matrix *m = &op->matrix;
  double a[ELEMENTS_A], b[ELEMENTS_B];
  if (!whole_warp(op, w, mask)) return;
  if (m->quads) {
    quad_products(op, w);
    return;
  }
  gather(m, w, a, b);
  for (uint32_t l = 0; l < WARP_LANES; l++)
    for (uint32_t i = 0; i < m->m / 4U; i++) {
      uint32_t row = l / 4 + 8 * (i / 2), column = 2 * (l % 4) + i % 2;
      double c = element(w, m->row_c, (enum ptx_type)m->c, l, i);
      write_element_of(op, w, i, l, add_products(m, a + row * m->k, b + column * m->k, c));
    }
}

/* ---- 8 x 8 matrices of 16 bits ---- */

/* Lane l holds elements 2 (l % 4) and the next of row l / 4. */
void ptx_exec_movmatrix(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const lane32 *s = ptx_src(op, w, 0);
  lane32 *d = ptx_dst(op, w, 0);
  uint32_t scratch[WARP_LANES] = {0};
  if (!whole_warp(op, w, mask)) return;
  for (uint32_t l = 0; l < WARP_LANES; l++)
    for (uint32_t e = 0; e < 2; e++) {
      uint32_t row = 2 * (l % 4) + e, column = l / 4; /* of the source */
      scratch[l] |= (s[4 * row + column / 2] >> column % 2 * 16 & 0xffff) << 16 * e;
    }
  EACH_LANE d[l] = scratch[l];
}

static uint64_t address_of(const struct ptx_op *op, const struct ptx_warp *w, uint32_t l) {
  const uint64_t offset = (uint64_t)op->memory.offset;
  if (op->memory.address_32) return (uint32_t)(((const lane32 *)ptx_src(op, w, 0))[l] + (uint32_t)offset);
  return ((const lane64 *)ptx_src(op, w, 0))[l] + offset;
}

/* Of ldmatrix, lane 8 i + r names row r of matrix i; the addresses of further lanes are not read. */
void ptx_matrix_addresses(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask, struct ptx_access *a) {
  const struct ptx_op_memory *m = &op->memory;
  const lane32 *stride = m->matrix.count ? NULL : ptx_src(op, w, 1);
  a->store = op->class == PTX_STORE;
  a->atomic = false;
  a->space = m->space;
  a->bytes = m->bytes;
  a->mask = m->matrix.count ? UINT32_MAX >> (WARP_LANES - 8U * m->matrix.count) : UINT32_MAX;
  if (!whole_warp(op, w, mask)) return;
  for (uint32_t l = 0; l < WARP_LANES; l++) {
    uint32_t g = l / 4, t = l % 4;
    a->address[l] = address_of(op, w, l);
    if (m->matrix.count) continue;
    uint64_t line = m->matrix.line + m->matrix.line_g * g + m->matrix.line_t * t;
    uint64_t place = m->matrix.place + m->matrix.place_g * g + m->matrix.place_t * t;
    a->address[l] += (line * stride[l] + place) << m->matrix.scale;
  }
  if (m->space != PTX_GENERIC) return;
  bool shared = a->address[0] >= GENERIC_SHARED_BASE && a->address[0] < GENERIC_SHARED_END;
  a->space = shared ? PTX_SHARED : PTX_GLOBAL; /* of all lanes: elsewhere an address is illegal */
  if (a->space == PTX_SHARED) EACH_LANE a->address[l] -= GENERIC_SHARED_BASE;
}

/* A load or store of wmma: whole registers, or one element of each. */
static void fragment(const struct ptx_op *op, struct ptx_warp *w, bool load, uint8_t *const *at) {
  const uint32_t bytes = op->memory.bytes, shift = (uint32_t)op->memory.matrix.part * (8U << op->memory.matrix.scale);
  for (uint32_t i = 0; load && i < op->n_dst; i++) {
    void *d = ptx_dst(op, w, i);
    for (uint32_t l = 0; l < WARP_LANES; l++) {
      uint32_t word = 0, keep = shift ? (UINT32_C(1) << shift) - 1 : 0;
      if (bytes == 8) {
        memcpy((lane64 *)d + l, at[l], 8);
        continue;
      }
      memcpy(&word, at[l], bytes);
      ((lane32 *)d)[l] = (((lane32 *)d)[l] & keep) | word << shift;
    }
  }
  for (uint32_t l = 0; l < WARP_LANES && !load; l++) {
    const void *s = ptx_src(op, w, 2);
    uint32_t word = bytes == 8 ? 0 : ((const lane32 *)s)[l] >> shift;
    if (bytes == 8) memcpy(at[l], (const lane64 *)s + l, 8);
    else memcpy(at[l], &word, bytes);
  }
}

void ptx_matrix_perform(const struct ptx_op *op, struct ptx_warp *w, const struct ptx_access *a, uint8_t *const *at) {
  const bool load = !a->store, across = op->memory.matrix.across;
  if (!op->memory.matrix.count) {
    fragment(op, w, load, at);
    return;
  }
  for (uint32_t i = 0; i < op->memory.matrix.count; i++)
    for (uint32_t l = 0; l < WARP_LANES; l++)
      for (uint32_t e = 0; e < 2; e++) {
        uint32_t x = l / 4, y = 2 * (l % 4) + e, row = across ? y : x, column = across ? x : y;
        uint8_t *place = at[8 * i + row] + 2 * column;
        uint16_t half;
        if (load) {
          lane32 *r = (lane32 *)ptx_dst(op, w, i) + l;
          memcpy(&half, place, 2);
          *r = (*r & ~(UINT32_C(0xffff) << 16 * e)) | (uint32_t)half << 16 * e;
        } else {
          half = (uint16_t)(((const lane32 *)ptx_src(op, w, 1 + i))[l] >> 16 * e);
          memcpy(place, &half, 2);
        }
      }
}
