/* SPDX-License-Identifier: Apache-2.0 */
/* slice: cuda */
/* Do matrix operations compute A B + C, with each element where the PTX ISA puts it? The references here are matrices of long doubles and
 * integers; their elements are placed by the formulas of the ISA document, fragment by fragment. */
#include "kit/ptx_harness.h"

#include <math.h>

enum { SEED = 20261123, TEXT = 1 << 14, MOST = 32 * 32 };

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"

/* ---- number formats ---- */

struct format {
  const char *name;
  uint32_t bits, fraction; /* of an element; explicit bits of a float's fraction */
};
static const struct format f16 = {"f16", 16, 10}, bf16 = {"bf16", 16, 7}, tf32 = {"tf32", 32, 10},
                           f32 = {"f32", 32, 23}, f64 = {"f64", 64, 52}, s8 = {"s8", 8, 0}, u8 = {"u8", 8, 0},
                           s32 = {"s32", 32, 0};

static long double value_of(const struct format *f, uint64_t bits) {
  double wide;
  float single;
  uint32_t low = (uint32_t)bits;
  if (f == &s8) return (int8_t)bits;
  if (f == &u8) return (uint8_t)bits;
  if (f == &s32) return (int32_t)bits;
  if (f == &f64) return memcpy(&wide, &bits, 8), wide;
  if (f == &bf16) low <<= 16;
  if (f == &tf32) low &= 0xffffe000;
  if (f == &f16) {
    int exponent = (int)(low >> 10 & 31), fraction = (int)(low & 1023);
    long double v = exponent == 0    ? ldexpl(fraction, -24)
                    : exponent == 31 ? (fraction ? (long double)NAN : (long double)INFINITY)
                                     : ldexpl(1024 + fraction, exponent - 25);
    return low & 0x8000 ? -v : v;
  }
  memcpy(&single, &low, 4);
  return single;
}

/* Numbers of several magnitudes, now and then 0; integers of all bits, of sums every fourth at an end of their range. */
static uint64_t random_bits(const struct format *f, uint64_t *state) {
  uint64_t r = harness_random(state);
  if (f == &s32 && r % 4 == 0) return (r & 16 ? 0x7fffff00 : 0x80000000) + (r >> 8 & 255);
  if (f == &s32) return (uint64_t)(uint32_t)((int32_t)(uint32_t)r >> (r >> 60));
  if (f->fraction == 0) return r & 0xff;
  if (r % 16 == 0) return 0;
  double v = ldexp(1.0 + (double)(r >> 12) * 0x1p-52, (int)(r >> 4 & 7) - 4) * (r >> 8 & 1 ? 1 : -1);
  float single = (float)v;
  uint64_t bits = 0;
  uint32_t low;
  memcpy(&low, &single, 4);
  if (f == &f64) return memcpy(&bits, &v, 8), bits;
  if (f == &f32 || f == &tf32) return low;
  if (f == &bf16) return low >> 16;
  return (low >> 16 & 0x8000) | ((low >> 23 & 255) - 112) << 10 | (low >> 13 & 1023);
}

/* A result of K products: half a unit of the last place, and what sums in double precision may lose. */
static bool close_to(const struct format *f, uint64_t bits, long double exact, long double magnitude, uint32_t k) {
  long double got = value_of(f, bits), error = fabsl(got - exact);
  long double least = f == &f16 ? ldexpl(1, -24) : 0, unit = ldexpl(1, -(int)f->fraction) * fabsl(exact);
  if (f == &f64) return error <= (k + 1) * ldexpl(magnitude, -53);
  if (f == &f16 && fabsl(exact) >= 65520) return isinf((double)got);
  return error <= (unit > least ? unit : least) / 2 * (1 + ldexpl(1, -20)) + ldexpl(magnitude, -50);
}

/* ---- mma ---- */

struct form {
  const char *shape;
  const struct format *d, *a, *b, *c;
  const char *orders;
  uint32_t m, n, k;
  bool saturates;
};

struct at {
  uint32_t row, column, product; /* product: of m8n8k4 of f16, which has four */
};

static bool has_quads(const struct form *f) { return f->k == 4 && f->a == &f16; }

/* "Matrix Fragments for mma.m8n8k4 with .f16 floating point type" */
static struct at quad_at(const struct form *f, char matrix, uint32_t lane, uint32_t i) {
  struct at p = {.product = lane % 16 / 4};
  bool upper = lane >= 16;
  uint32_t x = (lane & 1) + (i & 2);
  bool by_row = matrix == 'a' ? f->orders[0] == 'r' : f->orders[4] == 'r';
  if (matrix == 'a' && by_row) p.row = upper ? lane % 4 + 4 : lane % 4, p.column = i;
  else if (matrix == 'a') p.row = upper ? i % 4 + 4 : i % 4, p.column = lane % 4;
  else if (matrix == 'b' && by_row) p.row = lane % 4, p.column = upper ? i + 4 : i;
  else if (matrix == 'b') p.row = i, p.column = upper ? lane % 4 + 4 : lane % 4;
  else if ((matrix == 'c' ? f->c : f->d) == &f16) p.row = upper ? lane % 4 + 4 : lane % 4, p.column = i;
  else p.row = upper ? x + 4 : x, p.column = (i & 4) + (lane & 2) + (i & 1);
  return p;
}

/* The others: section by section, groupID and threadID_in_group as the document has them. */
static struct at place_of(const struct form *f, char matrix, uint32_t lane, uint32_t i) {
  const uint32_t group = lane >> 2, thread = lane % 4, bits = f->a->bits;
  if (has_quads(f)) return quad_at(f, matrix, lane, i);
  if (matrix == 'c' || matrix == 'd')
    return (struct at){.row = i < 2 ? group : group + 8, .column = thread * 2 + (i & 1)};
  if (bits == 64 || bits == 32) { /* .f64 and .tf32: one element a register */
    if (matrix == 'b') return (struct at){.row = thread + 4 * i, .column = group};
    return (struct at){.row = f->m == 8 || i % 2 == 0 ? group : group + 8,
                       .column = thread + (f->m == 8 ? 4 * i : i / 2 * 4)};
  }
  if (bits == 16) {
    if (matrix == 'b') return (struct at){.row = thread * 2 + (i & 1) + (i < 2 ? 0 : 8), .column = group};
    return (struct at){.row = i % 4 < 2 ? group : group + 8, .column = thread * 2 + (i & 1) + (i < 4 ? 0 : 8)};
  }
  if (matrix == 'b') return (struct at){.row = thread * 4 + (i & 3) + (i < 4 ? 0 : 16), .column = group};
  return (struct at){.row = f->m == 8 || i % 8 < 4 ? group : group + 8,
                     .column = thread * 4 + (i & 3) + (i < 8 ? 0 : 16)};
}

static uint32_t elements_of(const struct form *f, char matrix) {
  uint32_t all = matrix == 'a' ? f->m * f->k : matrix == 'b' ? f->k * f->n : f->m * f->n;
  return all * (has_quads(f) ? 4 : 1) / 32;
}
static const struct format *format_of(const struct form *f, char matrix) {
  return matrix == 'a' ? f->a : matrix == 'b' ? f->b : matrix == 'c' ? f->c : f->d;
}

/* Loads or stores of the registers of a matrix: each lane's words follow one another at `base`. */
static uint32_t registers_of(const struct form *f, char matrix) {
  const struct format *e = format_of(f, matrix);
  return e->bits >= 32 ? elements_of(f, matrix) : elements_of(f, matrix) * e->bits / 32;
}
static size_t put_accesses(char *text, size_t n, const struct form *f, char matrix, const char *base) {
  uint32_t step = format_of(f, matrix)->bits == 64 ? 8 : 4;
  for (uint32_t i = 0; i < registers_of(f, matrix); i++) {
    if (matrix == 'd')
      n += (size_t)snprintf(text + n, TEXT - n, "st.global.b%u [%s+%u], %%d%u;\n", 8 * step, base, step * i, i);
    else
      n +=
        (size_t)snprintf(text + n, TEXT - n, "ld.global.b%u %%%c%u, [%s+%u];\n", 8 * step, matrix, i, base, step * i);
  }
  return n;
}
static size_t put_operand(char *text, size_t n, const struct form *f, char matrix) {
  for (uint32_t i = 0; i < registers_of(f, matrix); i++)
    n += (size_t)snprintf(text + n, TEXT - n, "%s%%%c%u", i ? "," : " {", matrix, i);
  return n + (size_t)snprintf(text + n, TEXT - n, "}%s", matrix == 'c' ? ";\n" : ",");
}

enum { LANE_BYTES = 128, PART_BYTES = 32 * LANE_BYTES }; /* of one matrix */

static void kernel_of(const struct form *f, char *text) {
  static const char matrices[] = "abcd";
  size_t n =
    (size_t)snprintf(text, TEXT, HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<4>; .reg .b64 %%p<8>;\n");
  for (const char *m = matrices; *m; m++)
    n += (size_t)snprintf(text + n, TEXT - n, ".reg .%s %%%c<%u>;\n", format_of(f, *m)->bits == 64 ? "f64" : "b32", *m,
                          registers_of(f, *m));
  n += (size_t)snprintf(
    text + n, TEXT - n,
    "ld.param.u64 %%p0, [p]; mov.u32 %%r0, %%tid.x; mul.wide.u32 %%p1, %%r0, %d; add.s64 %%p2, %%p0, %%p1;\n"
    "add.s64 %%p3, %%p2, %d; add.s64 %%p4, %%p3, %d; add.s64 %%p5, %%p4, %d;\n",
    LANE_BYTES, PART_BYTES, PART_BYTES, PART_BYTES);
  n = put_accesses(text, n, f, 'a', "%p2");
  n = put_accesses(text, n, f, 'b', "%p3");
  n = put_accesses(text, n, f, 'c', "%p4");
  n += (size_t)snprintf(text + n, TEXT - n, "mma.sync.aligned.%s.%s%s.%s.%s.%s.%s", f->shape, f->orders,
                        f->saturates ? ".satfinite" : "", f->d->name, f->a->name, f->b->name, f->c->name);
  n = put_operand(text, n, f, 'd');
  n = put_operand(text, n, f, 'a');
  n = put_operand(text, n, f, 'b');
  n = put_operand(text, n, f, 'c');
  n = put_accesses(text, n, f, 'd', "%p5");
  snprintf(text + n, TEXT - n, "ret; }\n");
}

/* Element `i` of a lane, in its words. */
static uint64_t get(const uint8_t *lane, const struct format *f, uint32_t i) {
  uint64_t v = 0;
  memcpy(&v, lane + (size_t)i * f->bits / 8, f->bits / 8);
  return v;
}

/* Four products at most, of matrices by rows. */
struct reference {
  long double a[4][MOST], b[4][MOST], c[4][MOST];
};

static void read_matrix(const struct form *f, char matrix, const uint8_t *lanes, long double (*to)[MOST]) {
  uint32_t columns = matrix == 'a' ? f->k : f->n, n = 0;
  for (uint32_t q = 0; q < 4; q++)
    for (uint32_t i = 0; i < MOST; i++) to[q][i] = NAN;
  for (uint32_t l = 0; l < 32; l++)
    for (uint32_t i = 0; i < elements_of(f, matrix); i++) {
      struct at p = place_of(f, matrix, l, i);
      long double *x = &to[p.product][p.row * columns + p.column];
      assert_true(isnan((double)*x)); /* every element once */
      *x = value_of(format_of(f, matrix), get(lanes + l * LANE_BYTES, format_of(f, matrix), i));
      n++;
    }
  assert_int_equal(n, 32 * elements_of(f, matrix));
}

static void check_integer(const struct form *f, uint64_t got, long double exact) {
  int64_t v = (int64_t)exact;
  if (f->saturates) v = v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
  assert_int_equal((uint32_t)got, (uint32_t)v);
}

static void check_product(const struct form *f, const uint8_t *lanes, const struct reference *x) {
  for (uint32_t l = 0; l < 32; l++)
    for (uint32_t i = 0; i < elements_of(f, 'd'); i++) {
      struct at p = place_of(f, 'd', l, i);
      const long double *a = x->a[p.product] + p.row * f->k, *b = x->b[p.product] + p.column;
      long double sum = x->c[p.product][p.row * f->n + p.column], magnitude = fabsl(sum);
      for (uint32_t k = 0; k < f->k; k++) sum += a[k] * b[k * f->n], magnitude += fabsl(a[k] * b[k * f->n]);
      uint64_t got = get(lanes + l * LANE_BYTES, f->d, i);
      if (f->d == &s32) check_integer(f, got, sum);
      else if (!close_to(f->d, got, sum, magnitude, f->k))
        fail_msg("%s %s %s: lane %u, element %u: %Lg, not %Lg (seed %d)", f->shape, f->orders, f->a->name, l, i,
                 value_of(f->d, got), sum, SEED);
    }
}

static void run_form(struct harness *h, const struct form *f, uint64_t *state) {
  static const char matrices[] = "abc";
  char *text = malloc(TEXT);
  struct reference *x = malloc(sizeof *x);
  uint8_t *lanes = calloc(4, PART_BYTES);
  kernel_of(f, text);
  for (uint32_t m = 0; m < 3; m++)
    for (uint32_t l = 0; l < 32; l++)
      for (uint32_t i = 0; i < elements_of(f, matrices[m]); i++) {
        const struct format *e = format_of(f, matrices[m]);
        uint64_t v = random_bits(e, state);
        memcpy(lanes + m * PART_BYTES + l * LANE_BYTES + (size_t)i * e->bits / 8, &v, e->bits / 8);
      }
  harness_load(h, text, NULL);
  uint64_t at = harness_alloc(h, lanes, 4 * PART_BYTES);
  harness_run(h, "k", 1, 32, 1, 1, 0, &at);
  assert_string_equal(h->fault, "");
  read_matrix(f, 'a', lanes, x->a);
  read_matrix(f, 'b', lanes + PART_BYTES, x->b);
  read_matrix(f, 'c', lanes + 2 * PART_BYTES, x->c);
  check_product(f, (const uint8_t *)harness_at(h, at, 4 * PART_BYTES) + 3 * PART_BYTES, x);
  assert_int_equal(device_memory_free(&h->memory, at, &h->e), 0);
  free(lanes), free(x), free(text);
}

#define FORM(shape, m, n, k, d, a, b, c, saturates) \
  { shape, &d, &a, &b, &c, "row.col", m, n, k, saturates }
#define FLOATS(shape, m, n, k, d, a, c) FORM(shape, m, n, k, d, a, a, c, false)
#define INTEGERS(shape, m, n, k)                                                                \
  FORM(shape, m, n, k, s32, s8, s8, s32, false), FORM(shape, m, n, k, s32, u8, u8, s32, false), \
    FORM(shape, m, n, k, s32, s8, u8, s32, true), FORM(shape, m, n, k, s32, u8, s8, s32, true)

static void test_products_are_those_of_the_matrices(void **unused) {
  static const struct form forms[] = {FLOATS("m16n8k8", 16, 8, 8, f32, f16, f32),
                                      FLOATS("m16n8k8", 16, 8, 8, f16, f16, f16),
                                      FLOATS("m16n8k16", 16, 8, 16, f32, f16, f32),
                                      FLOATS("m16n8k16", 16, 8, 16, f16, f16, f16),
                                      FLOATS("m16n8k8", 16, 8, 8, f32, bf16, f32),
                                      FLOATS("m16n8k16", 16, 8, 16, f32, bf16, f32),
                                      FLOATS("m16n8k4", 16, 8, 4, f32, tf32, f32),
                                      FLOATS("m16n8k8", 16, 8, 8, f32, tf32, f32),
                                      FLOATS("m8n8k4", 8, 8, 4, f64, f64, f64),
                                      FLOATS("m16n8k4", 16, 8, 4, f64, f64, f64),
                                      FLOATS("m16n8k8", 16, 8, 8, f64, f64, f64),
                                      FLOATS("m16n8k16", 16, 8, 16, f64, f64, f64),
                                      INTEGERS("m8n8k16", 8, 8, 16),
                                      INTEGERS("m16n8k16", 16, 8, 16),
                                      INTEGERS("m16n8k32", 16, 8, 32)};
  static const char *const orders[] = {"row.col", "row.row", "col.col", "col.row"};
  static const struct format *const sums[][2] = {{&f16, &f16}, {&f32, &f16}, {&f32, &f32}};
  struct harness h;
  uint64_t state = SEED;
  (void)unused;
  harness_open(&h);
  for (uint32_t round = 0; round < 3; round++) {
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) run_form(&h, &forms[i], &state);
    for (uint32_t o = 0; o < 4; o++)
      for (uint32_t s = 0; s < 3; s++)
        run_form(&h, &(struct form){"m8n8k4", sums[s][0], &f16, &f16, sums[s][1], orders[o], 8, 8, 4, false}, &state);
  }
  harness_close(&h);
}

/* ---- wmma: whole matrices in memory ---- */

struct wide_form {
  const char *shape;
  uint32_t m, n, k;
  const struct format *d, *a, *c;
  const char *space; /* of all accesses */
};

static uint32_t wide_registers(const struct wide_form *f, char matrix) {
  const struct format *e = matrix == 'd' ? f->d : matrix == 'c' ? f->c : f->a;
  uint32_t all = matrix == 'a' ? f->m * f->k : matrix == 'b' ? f->k * f->n : f->m * f->n;
  if (e == &f16 && (matrix == 'a' || matrix == 'b')) return 8;
  return e->bits >= 32 ? all / 32 : all * e->bits / 1024;
}

static size_t put_wide_operand(char *text, size_t n, const struct wide_form *f, char matrix) {
  for (uint32_t i = 0; i < wide_registers(f, matrix); i++)
    n += (size_t)snprintf(text + n, TEXT - n, "%s%%%c%u", i ? "," : " {", matrix, i);
  return n + (size_t)snprintf(text + n, TEXT - n, "}");
}

/* The matrices lie at p, p + 16 KiB, ...; `order`: a bit for each that lies by columns. */
enum { WIDE_BYTES = 1 << 14 };
static void wide_kernel(const struct wide_form *f, uint32_t order, uint32_t stride, char *text) {
  static const char matrices[] = "abcd", *const names[] = {"row", "col"};
  size_t n =
    (size_t)snprintf(text, TEXT, HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<4>; .reg .b64 %%p<8>;\n");
  for (const char *m = matrices; *m; m++)
    n += (size_t)snprintf(text + n, TEXT - n, ".reg .%s %%%c<%u>;\n",
                          f->a->bits == 64            ? "f64"
                          : f->d == &f32 && *m == 'd' ? "f32"
                                                      : "b32",
                          *m, wide_registers(f, *m));
  n += (size_t)snprintf(text + n, TEXT - n, "ld.param.u64 %%p0, [p]; mov.u32 %%r0, %u;\n", stride);
  for (uint32_t i = 0; i < 3; i++) {
    const struct format *e = i == 2 ? f->c : f->a;
    n += (size_t)snprintf(text + n, TEXT - n, "wmma.load.%c.sync.aligned.%s.%s%s.%s", matrices[i],
                          names[order >> i & 1], f->shape, f->space, e->name);
    n = put_wide_operand(text, n, f, matrices[i]);
    n += (size_t)snprintf(text + n, TEXT - n, ", [%%p0+%u], %%r0;\n", i * WIDE_BYTES);
  }
  n += (size_t)snprintf(text + n, TEXT - n, "wmma.mma.sync.aligned.%s.%s.%s%s.%s", names[order & 1],
                        names[order >> 1 & 1], f->shape, f->a == &f64 ? ".rn" : "", f->d->name);
  if (f->a != &f16) n += (size_t)snprintf(text + n, TEXT - n, ".%s.%s", f->a->name, f->a->name);
  n += (size_t)snprintf(text + n, TEXT - n, ".%s", f->c->name);
  for (uint32_t i = 0; i < 4; i++) {
    n = put_wide_operand(text, n, f, "dabc"[i]);
    n += (size_t)snprintf(text + n, TEXT - n, i < 3 ? "," : ";\n");
  }
  n += (size_t)snprintf(text + n, TEXT - n, "wmma.store.d.sync.aligned.%s.%s%s.%s [%%p0+%d],", names[order >> 3 & 1],
                        f->shape, f->space, f->d->name, 3 * WIDE_BYTES);
  n = put_wide_operand(text, n, f, 'd');
  snprintf(text + n, TEXT - n, ", %%r0;\nret; }\n");
}

static uint64_t in_memory(const uint8_t *at, const struct format *f, bool columns, uint32_t stride, uint32_t row,
                          uint32_t column) {
  uint64_t v = 0;
  memcpy(&v, at + (size_t)(columns ? column * stride + row : row * stride + column) * f->bits / 8, f->bits / 8);
  return v;
}

static void run_wide(struct harness *h, const struct wide_form *f, uint32_t order, uint64_t *state) {
  const uint32_t stride = 48;
  char *text = malloc(TEXT);
  uint8_t *in = calloc(4, WIDE_BYTES);
  wide_kernel(f, order, stride, text);
  for (uint32_t m = 0; m < 3; m++) {
    const struct format *e = m == 2 ? f->c : f->a;
    for (uint32_t i = 0; i < 32 * stride; i++) {
      uint64_t v = random_bits(e, state);
      memcpy(in + m * WIDE_BYTES + (size_t)i * e->bits / 8, &v, e->bits / 8);
    }
  }
  harness_load(h, text, NULL);
  uint64_t at = harness_alloc(h, in, 4 * WIDE_BYTES);
  harness_run(h, "k", 1, 32, 1, 1, 0, &at);
  assert_string_equal(h->fault, "");
  const uint8_t *out = (const uint8_t *)harness_at(h, at, 4 * WIDE_BYTES) + 3 * WIDE_BYTES;
  for (uint32_t row = 0; row < f->m; row++)
    for (uint32_t column = 0; column < f->n; column++) {
      long double sum = value_of(f->c, in_memory(in + 2 * WIDE_BYTES, f->c, order & 4, stride, row, column)),
                  magnitude = fabsl(sum);
      for (uint32_t k = 0; k < f->k; k++) {
        long double p = value_of(f->a, in_memory(in, f->a, order & 1, stride, row, k)) *
                        value_of(f->a, in_memory(in + WIDE_BYTES, f->a, order & 2, stride, k, column));
        sum += p, magnitude += fabsl(p);
      }
      uint64_t got = in_memory(out, f->d, order & 8, stride, row, column);
      if (f->d == &s32) assert_int_equal((uint32_t)got, (uint32_t)(int64_t)sum);
      else if (!close_to(f->d, got, sum, magnitude, f->k))
        fail_msg("wmma %s of %s, orders %u: row %u, column %u: %Lg, not %Lg (seed %d)", f->shape, f->a->name, order,
                 row, column, value_of(f->d, got), sum, SEED);
    }
  assert_int_equal(device_memory_free(&h->memory, at, &h->e), 0);
  free(in), free(text);
}

static void test_wmma_loads_multiplies_and_stores(void **unused) {
  static const struct {
    const char *name;
    uint32_t m, n, k;
  } shapes[] = {{"m16n16k16", 16, 16, 16}, {"m32n8k16", 32, 8, 16}, {"m8n32k16", 8, 32, 16}};
  static const struct {
    const struct format *d, *a, *c;
  } types[] = {{&f32, &f16, &f32},  {&f16, &f16, &f16}, {&f32, &f16, &f16}, {&f16, &f16, &f32},
               {&f32, &bf16, &f32}, {&s32, &s8, &s32},  {&s32, &u8, &s32}};
  struct harness h;
  uint64_t state = SEED + 1;
  (void)unused;
  harness_open(&h);
  for (uint32_t order = 0; order < 16; order++) {
    const char *space = order % 3 ? ".global" : "";
    for (uint32_t s = 0; s < 3; s++)
      for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
        run_wide(&h,
                 &(struct wide_form){shapes[s].name, shapes[s].m, shapes[s].n, shapes[s].k, types[t].d, types[t].a,
                                     types[t].c, space},
                 order, &state);
    run_wide(&h, &(struct wide_form){"m16n16k8", 16, 16, 8, &f32, &tf32, &f32, space}, order, &state);
    run_wide(&h, &(struct wide_form){"m8n8k4", 8, 8, 4, &f64, &f64, &f64, space}, order, &state);
  }
  harness_close(&h);
}

/* ---- 8 x 8 matrices ---- */

/* ldmatrix gives lane l the elements 2 (l % 4) and the next of row l / 4 of each matrix, transposed or not; stmatrix puts them back;
 * movmatrix transposes. Lanes that name no row have addresses outside of all memory. */
static void test_8x8_matrices_move_whole(void **unused) {
  struct harness h;
  (void)unused;
  harness_open(&h);
  for (uint32_t variant = 0; variant < 12; variant++) {
    uint32_t count = 1u << variant % 3, across = variant / 3 & 1, generic = variant / 6;
    char text[4096], list[64] = "";
    for (uint32_t i = 0; i < count; i++)
      snprintf(list + strlen(list), sizeof list - strlen(list), "%s%%r%u", i ? "," : "", 10 + i);
    snprintf(
      text, sizeof text,
      HEAD
      ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<30>; .reg .b64 %%p<9>; .reg .pred %%q; .shared .align 16 .b8 s[1024];\n"
      "ld.param.u64 %%p0, [p]; mov.u32 %%r0, %%tid.x; mul.wide.u32 %%p1, %%r0, 32; add.s64 %%p2, %%p0, %%p1;\n"
      "mov.u32 %%r1, s; shl.b32 %%r2, %%r0, 4; add.s32 %%r1, %%r1, %%r2; ld.global.v4.u32 {%%r3,%%r4,%%r5,%%r6}, [%%p2];\n"
      "st.shared.v4.u32 [%%r1], {%%r3,%%r4,%%r5,%%r6}; bar.sync 0; setp.ge.u32 %%q, %%r0, %u; @%%q mov.u32 %%r1, 0x7fffffff;\n"
      "cvt.u64.u32 %%p3, %%r1; cvta.shared.u64 %%p4, %%p3;\n"
      "ldmatrix.sync.aligned.m8n8.x%u%s%s.b16 {%s}, [%s]; movmatrix.sync.aligned.m8n8.trans.b16 %%r20, %%r10;\n"
      "stmatrix.sync.aligned.m8n8.x%u%s%s.b16 [%s], {%s}; bar.sync 0;\n"
      "mov.u32 %%r1, s; add.s32 %%r1, %%r1, %%r2; ld.shared.v4.u32 {%%r3,%%r4,%%r5,%%r6}, [%%r1];\n"
      "st.global.v4.u32 [%%p2], {%%r3,%%r4,%%r5,%%r6}; st.global.u32 [%%p2+16], %%r10; st.global.u32 [%%p2+20], %%r%u;\n"
      "st.global.u32 [%%p2+24], %%r20; ret; }\n",
      8 * count, count, across ? ".trans" : "", generic ? "" : ".shared", list, generic ? "%p4" : "%r1", count,
      across ? ".trans" : "", generic ? "" : ".shared::cta", generic ? "%p4" : "%r1", list, 9 + count);
    uint16_t in[32][16];
    for (uint32_t l = 0; l < 32; l++)
      for (uint32_t i = 0; i < 16; i++) in[l][i] = (uint16_t)(l * 16 + i); /* row l % 8 of matrix l / 8 */
    harness_load(&h, text, NULL);
    uint64_t at = harness_alloc(&h, in, sizeof in);
    harness_run(&h, "k", 1, 32, 1, 1, 0, &at);
    assert_string_equal(h.fault, "");
    const uint16_t(*out)[16] = harness_at(&h, at, sizeof in);
    for (uint32_t l = 0; l < 32; l++)
      for (uint32_t e = 0; e < 2; e++) {
        uint32_t x = l / 4, y = l % 4 * 2 + e, last = 8 * (count - 1);
        assert_int_equal(out[l][8 + e], across ? in[y][x] : in[x][y]);
        assert_int_equal(out[l][10 + e], across ? in[last + y][x] : in[last + x][y]);
        assert_int_equal(out[l][12 + e], across ? in[x][y] : in[y][x]);
      }
    for (uint32_t l = 0; l < 32; l++) assert_memory_equal(out[l], in[l], 16); /* stored where it was */
    assert_int_equal(device_memory_free(&h.memory, at, &h.e), 0);
  }
  harness_close(&h);
}

/* ---- what is refused ---- */

#define REGISTERS \
  ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<30>; .reg .b64 %p<9>; .reg .f32 %f<9>; .reg .pred %q; .shared .align 16 .b8 s[1024];\n"

static void test_what_is_no_matrix_operation_is_refused(void **unused) {
  static const struct {
    const char *line, *text;
  } rows[] = {
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f16 {%f0,%f1,%f2,%f3}, {%r0,%r1}, {%r2}, {%r3,%r4};",
     "f16, bf16, tf32, s8, u8 and f64"},
    {"mma.sync.aligned.m16n8k8.row.row.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1}, {%r2}, {%f4,%f5,%f6,%f7};",
     "in the shapes of sm_70"},
    {"mma.sync.aligned.m16n8k8.row.col.satfinite.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1}, {%r2}, {%f4,%f5,%f6,%f7};",
     "in the shapes of"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0,%f1,%f2}, {%r0,%r1}, {%r2}, {%f4,%f5,%f6,%f7};",
     "3 registers where the matrix has 4"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0}, {%r2}, {%f4,%f5,%f6,%f7};",
     "1 registers where the matrix has 2"},
    {"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1}, {%r2,%r3}, {%f4,%f5,%f6,%f7}, %r4, 0;",
     "sparse"},
    {"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%r0,%r1}, {%r2}, {%r3}, {%r4,%r5};", "f16, bf16, tf32"},
    {"wmma.load.a.sync.aligned.row.m16n16k32.global.f16 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%p0];", "in the shapes of"},
    {"wmma.load.a.sync.aligned.row.m16n16k16.global.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, [%p0];", "in the shapes of"},
    {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r0,%r1,%r2,%r3}, [%p0];",
     "4 registers where the matrix has 8"},
    {"ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r0,%r1,%r2}, [%r3];", "8 x 8 matrices"},
    {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r0,%r1}, [%r3];", "8 x 8 matrices"},
    {"wgmma.fence.sync.aligned;", "use mma.sync"},
  };
  struct harness h;
  (void)unused;
  harness_open(&h);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char text[2048];
    snprintf(text, sizeof text, "%s%s\nret; }\n", HEAD REGISTERS, rows[i].line);
    if (!harness_try(&h, text, strlen(text), NULL)) fail_msg("%s is taken", rows[i].line);
    if (!strstr(h.e.text, rows[i].text)) fail_msg("'%s', not '%s'", h.e.text, rows[i].text);
  }
  harness_close(&h);
}

static void test_a_matrix_operation_takes_the_whole_warp(void **unused) {
  static const struct {
    const char *line, *text;
    uint32_t threads;
  } rows[] = {
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1}, {%r2}, {%f4,%f5,%f6,%f7};",
     "is one of 31 threads of its warp", 31},
    {"mov.u32 %r1, %tid.x; setp.lt.u32 %q, %r1, 8; @%q movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r2;",
     "is one of 8 threads", 32},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r3];", "is one of 24 threads", 24},
    {"mov.u32 %r1, s; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r1+8];",
     "misaligned shared address 0x8 of a load of 16 bytes", 32},
    {"mov.u32 %r1, s; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r1+1024];", "illegal shared address 0x400", 32},
    {"ld.param.u64 %p0, [p]; ldmatrix.sync.aligned.m8n8.x1.b16 {%r0}, [%p0];", "illegal shared address", 32},
    {"ld.param.u64 %p0, [p]; mov.u32 %r9, 16777216; wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%p0], %r9;",
     "illegal global address", 32},
  };
  struct harness h;
  (void)unused;
  harness_open(&h);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char text[2048];
    snprintf(text, sizeof text, "%s%s\nret; }\n", HEAD REGISTERS, rows[i].line);
    harness_load(&h, text, NULL);
    uint64_t out = harness_alloc(&h, NULL, 4096);
    harness_run(&h, "k", 1, rows[i].threads, 1, 1, 0, &out);
    if (!strstr(h.fault, rows[i].text)) fail_msg("'%s', not '%s'", h.fault, rows[i].text);
  }
  harness_close(&h);
}

/* An infinity times 0 is NaN, and NaN has the encoding that NVIDIA gives it; a sum beyond f16 is infinite. */
static void test_what_is_no_number(void **unused) {
  struct harness h;
  (void)unused;
  harness_open(&h);
  harness_load(
    &h,
    HEAD REGISTERS
    "ld.param.u64 %p0, [p]; mov.u32 %r0, 0x7c007c00; mov.u32 %r1, 0; mov.u32 %r2, 0x7bff7bff; mov.u32 %r3, 0x3c003c00; mov.f32 %f4, 0f00000000;\n"
    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r3}, {%r1}, {%f4,%f4,%f4,%f4};\n"
    "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r4,%r5}, {%r2,%r1}, {%r3}, {%r1,%r3};\n"
    "st.global.f32 [%p0], %f0; st.global.f32 [%p0+4], %f2; st.global.b32 [%p0+8], %r4; st.global.b32 [%p0+12], %r5; ret; }\n",
    NULL);
  uint64_t out = harness_alloc(&h, NULL, 16);
  harness_run(&h, "k", 1, 32, 1, 1, 0, &out);
  assert_string_equal(h.fault, "");
  const uint32_t *got = harness_at(&h, out, 16);
  assert_int_equal(got[0], 0x7fffffff);
  assert_int_equal(got[1], 0);
  assert_int_equal(got[2], 0x7c007c00); /* 8 times 65504 */
  assert_int_equal(got[3], 0x3c003c00);
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_products_are_those_of_the_matrices),
    cmocka_unit_test(test_wmma_loads_multiplies_and_stores),
    cmocka_unit_test(test_8x8_matrices_move_whole),
    cmocka_unit_test(test_what_is_no_matrix_operation_is_refused),
    cmocka_unit_test(test_a_matrix_operation_takes_the_whole_warp),
    cmocka_unit_test(test_what_is_no_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
