/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction forms against references of the host. A row stands for many forms: "add{,.rn,.rz}{,.ftz}.f32" are six. Each
 * form is executed for edge values and seeded random ones, by all lanes and by every other one, with the handlers for
 * every host and those for AVX2; all must agree with the reference. */
#ifndef TANDEM_TEST_PTX_CONFORMANCE_H
#define TANDEM_TEST_PTX_CONFORMANCE_H

#include "kit/ptx_harness.h"
#include "kit/ptx_reference.h"

enum { FORM_THREADS = 1024, FORM_SEED = 20261121, FORM_SOURCES = 4, FORMS_MAX = 16384, FORM_TEXT = 96 };

/* A form, taken apart by this test. */
struct form {
  char opcode[FORM_TEXT];
  char type[12], first[12];                   /* the last type and the one before it, "" if there is none */
  const struct format *format, *first_format; /* of these types; of a pair the format of its halves */
  int bits;                                   /* of the last type's register; 0 a predicate */
  bool is_signed, pair;                       /* of the last type */
  char mode;                                  /* rounding: n z m p a */
  bool integral;                              /* .rni ... */
  bool ftz, sat, relu;
};

typedef uint64_t reference_fn(const struct form *, const uint64_t *source);
/* For approximate functions: whether `result` may be. */
typedef bool accept_fn(const struct form *, const uint64_t *source, uint64_t result);

/* operands: destination, then sources; t the last type, y the one before it, w twice as wide, u 32 bits (small numbers as
 * often as not), q 64 bits, h 16 bits, p a predicate. text: NULL, or what is executed: $ the opcode, @ the guard;
 * registers d a b c e, scratch %i8 %i9 %p8 %p9 %w8 %w9 (32, predicate, 64 bits). */
struct form_row {
  const char *pattern, *operands, *text;
  reference_fn *reference;
  accept_fn *accept;
};

/* What the rows met. */
struct conformance {
  struct harness h;
  uint32_t n_forms, threads; /* threads of a check: values of each source */
  bool handler[4096];
  char (*opcode)[FORM_TEXT];
  uint64_t at[FORM_SOURCES + 1]; /* device memory of the sources and the result */
};

static inline bool form_has(const struct form *f, const char *part) {
  size_t n = strlen(part);
  for (const char *at = strchr(f->opcode, '.'); at; at = strchr(at + 1, '.'))
    if (strncmp(at + 1, part, n) == 0 && (at[1 + n] == '.' || at[1 + n] == 0)) return true;
  return false;
}

/* ---- a form from its opcode ---- */

static inline int type_bits(const char *type) {
  static const struct {
    const char *name;
    int bits;
  } special[] = {{"pred", 0},  {"f16x2", 32}, {"bf16x2", 32}, {"u16x2", 32}, {"s16x2", 32},
                 {"bf16", 16}, {"tf32", 32},  {"e4m3x2", 16}, {"e5m2x2", 16}};
  for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
    if (strcmp(special[i].name, type) == 0) return special[i].bits;
  if (!strchr("usbf", type[0]) || type[1] < '1' || type[1] > '9') return -1;
  char *end;
  long bits = strtol(type + 1, &end, 10);
  return *end ? -1 : (int)bits;
}

static inline const struct format *type_format(const char *type) {
  size_t n = strlen(type);
  if (n > 2 && strcmp(type + n - 2, "x2") == 0) n -= 2;
  return format_of(type, n);
}

static inline struct form form_of(const char *opcode) {
  static const struct {
    const char *name;
    char mode;
  } modes[] = {{"rn", 'n'},  {"rz", 'z'},  {"rm", 'm'},  {"rp", 'p'}, {"rna", 'a'},
               {"rni", 'n'}, {"rzi", 'z'}, {"rmi", 'm'}, {"rpi", 'p'}};
  struct form f = {.mode = 'n'};
  snprintf(f.opcode, sizeof f.opcode, "%s", opcode);
  char copy[FORM_TEXT], *save = NULL;
  snprintf(copy, sizeof copy, "%s", opcode);
  strtok_r(copy, ".", &save); /* the mnemonic */
  for (char *part; (part = strtok_r(NULL, ".", &save));) {
    if (type_bits(part) >= 0) {
      memcpy(f.first, f.type, sizeof f.first);
      snprintf(f.type, sizeof f.type, "%s", part);
    }
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
      if (strcmp(part, modes[i].name) == 0) f.mode = modes[i].mode, f.integral = i > 4;
  }
  f.bits = f.type[0] ? type_bits(f.type) : 0;
  f.format = type_format(f.type);
  f.first_format = type_format(f.first);
  f.is_signed = f.type[0] == 's';
  f.pair = strstr(f.type, "x2") != NULL;
  f.ftz = form_has(&f, "ftz");
  f.sat = form_has(&f, "sat");
  f.relu = form_has(&f, "relu");
  return f;
}

/* Calls `each` for every choice among the braces of a pattern. */
typedef void each_fn(void *context, const char *opcode);
static inline void expand(const char *pattern, each_fn *each, void *context) {
  const char *open = strchr(pattern, '{');
  if (!open) {
    each(context, pattern);
    return;
  }
  const char *close = strchr(open, '}');
  for (const char *at = open + 1, *end; at <= close; at = end + 1) {
    end = at + strcspn(at, ",}");
    char text[1024];
    snprintf(text, sizeof text, "%.*s%.*s%s", (int)(open - pattern), pattern, (int)(end - at), at, close + 1);
    expand(text, each, context);
  }
}

/* ---- operands ---- */

static inline int operand_bits(const struct form *f, char letter) {
  switch (letter) {
    case 'p': return 0;
    case 'u': return 32;
    case 'q': return 64;
    case 'h': return 16;
    case 'w': return f->bits * 2;
    case 'y': return type_bits(f->first);
    default: return f->bits;
  }
}

static const uint64_t form_integers[] = {0,
                                         1,
                                         2,
                                         3,
                                         7,
                                         8,
                                         15,
                                         16,
                                         31,
                                         32,
                                         33,
                                         63,
                                         64,
                                         0x7f,
                                         0x80,
                                         0xff,
                                         0x7fff,
                                         0x8000,
                                         0xffff,
                                         0x10000,
                                         0x7fffff,
                                         0x800000,
                                         0x7fffffff,
                                         0x80000000,
                                         0xffffffff,
                                         0x100000000,
                                         0x5555555555555555,
                                         0x7fffffffffffffff,
                                         0x8000000000000000,
                                         0xfffffffffffffffe,
                                         0xffffffffffffffff,
                                         0x7fff8000};

enum { FORM_EDGES = 32 };

/* The numbers next to every border of a format. */
static inline uint64_t edge_float(const struct format *f, uint32_t i) {
  uint64_t one = (uint64_t)((1 << (f->exponent_bits - 1)) - 1) << f->fraction_bits, unit = UINT64_C(1)
                                                                                           << f->fraction_bits;
  const uint64_t size[FORM_EDGES / 2] = {0,
                                         1,
                                         unit - 1,
                                         unit,
                                         one,
                                         one + unit / 2,
                                         one - unit,
                                         largest_of(f),
                                         infinity_of(f),
                                         f->nan,
                                         infinity_of(f) + 1,
                                         one + 1,
                                         one + unit + unit / 4,
                                         one - 1,
                                         one + (uint64_t)f->fraction_bits * unit,
                                         one + 31 * (f->exponent_bits > 5) * unit};
  return (size[i / 2] | (i & 1 ? sign_bit(f) : 0)) & (sign_bit(f) * 2 - 1);
}

static inline uint64_t random_float(const struct format *f, uint64_t *state) {
  uint64_t r = harness_random(state), bits = r & (sign_bit(f) * 2 - 1);
  if (r >> 62 == 0) return bits;                                /* any */
  uint64_t one = (uint64_t)((1 << (f->exponent_bits - 1)) - 1); /* of moderate size */
  uint64_t exponent = one + (r >> 50 & 15) - 8;
  return (bits & ~exponent_mask(f)) | (exponent << f->fraction_bits & exponent_mask(f));
}

static inline uint64_t form_value(const struct form *f, char letter, uint32_t edge, uint64_t *state) {
  const char *type = letter == 'y' ? f->first : f->type;
  const struct format *format = letter == 'y' ? f->first_format : letter == 't' ? f->format : NULL;
  int bits = operand_bits(f, letter);
  uint64_t r = harness_random(state), v;
  if (bits == 0) return r & 1;
  if (format && strstr(type, "x2")) {
    int width = format_bits(format);
    v = edge < FORM_EDGES ? edge_float(format, edge) : random_float(format, state);
    return v | (r & 1 ? edge_float(format, r >> 8 & 31) : random_float(format, state)) << width;
  }
  if (format) return edge < FORM_EDGES ? edge_float(format, edge) : random_float(format, state);
  if (edge < FORM_EDGES) v = form_integers[edge];
  else if (letter == 'u' && r & 1) v = (r >> 8) % 70;
  else v = r >> (r >> 58);
  return bits == 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}

static inline uint64_t form_cut(uint64_t v, int bits) {
  return bits == 64 ? v : bits == 0 ? v & 1 : v & ((UINT64_C(1) << bits) - 1);
}

/* ---- execution ---- */

static inline size_t put_text(char *t, size_t room, const char *text, const char *opcode, bool guarded) {
  size_t n = 0;
  for (; *text; text++) {
    const char *piece = *text == '$' ? opcode : *text == '@' ? (guarded ? "@%q " : "") : NULL;
    n += (size_t)(piece ? snprintf(t + n, room - n, "%s", piece) : snprintf(t + n, room - n, "%c", *text));
  }
  return n;
}

/* Thread t reads a[t], b[t], c[t], e[t], executes, stores d[t]; the destination is preset to 0x5a... (predicates: 0). */
static inline size_t form_kernel(char *t, size_t room, const struct form *f, const struct form_row *row, bool guarded) {
  const char *letters = row->operands;
  size_t n = (size_t)snprintf(
    t, room,
    ".visible .entry k%d(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pe, .param .u64 pd)\n"
    "{\n.reg .b64 %%x<9>, %%w<10>;\n.reg .b32 %%i<10>;\n.reg .pred %%q, %%p<10>;\n.reg .b16 %%h<10>;\n"
    "mov.u32 %%i1, %%ctaid.x; mov.u32 %%i2, %%ntid.x; mov.u32 %%i3, %%tid.x;\n"
    "mad.lo.s32 %%i4, %%i1, %%i2, %%i3;\nmul.wide.u32 %%x5, %%i4, 8; and.b32 %%i5, %%i4, 1;\n"
    "setp.eq.s32 %%q, %%i5, 1; mov.b32 %%i8, 0; mov.b32 %%i9, 0; mov.b64 %%w8, 0; mov.b64 %%w9, 0;\n"
    "setp.ne.b32 %%p8, 0, 0; setp.ne.b32 %%p9, 0, 0; mov.b16 %%h8, 0;\n",
    guarded);
  for (size_t i = 0; letters[i]; i++) {
    char r = "dabce"[i];
    int bits = operand_bits(f, letters[i]);
    n += bits ? (size_t)snprintf(t + n, room - n, ".reg .b%d %%%c;\n", bits, r)
              : (size_t)snprintf(t + n, room - n, ".reg .pred %%%c;\n", r);
    if (i == 0 && bits)
      n += (size_t)snprintf(t + n, room - n, "mov.b%d %%d, 0x%llx;\n", bits,
                            (unsigned long long)form_cut(0x5a5a5a5a5a5a5a5a, bits));
    if (i == 0) continue;
    n += (size_t)snprintf(t + n, room - n, "ld.param.u64 %%x1, [p%c]; add.s64 %%x2, %%x1, %%x5;\n", r);
    if (bits) n += (size_t)snprintf(t + n, room - n, "ld.global.b%d %%%c, [%%x2];\n", bits, r);
    else n += (size_t)snprintf(t + n, room - n, "ld.global.u8 %%i6, [%%x2]; setp.ne.b32 %%%c, %%i6, 0;\n", r);
  }
  if (row->text) {
    n += put_text(t + n, room - n, row->text, f->opcode, guarded);
  } else {
    n += (size_t)snprintf(t + n, room - n, "%s%s", guarded ? "@%q " : "", f->opcode);
    for (size_t i = 0; letters[i]; i++) n += (size_t)snprintf(t + n, room - n, "%c%%%c", i ? ',' : ' ', "dabce"[i]);
    n += (size_t)snprintf(t + n, room - n, ";");
  }
  n += (size_t)snprintf(t + n, room - n, "\nld.param.u64 %%x1, [pd]; add.s64 %%x2, %%x1, %%x5;\n");
  if (operand_bits(f, letters[0]))
    n += (size_t)snprintf(t + n, room - n, "st.global.b%d [%%x2], %%d;\n", operand_bits(f, letters[0]));
  else n += (size_t)snprintf(t + n, room - n, "selp.b32 %%i7, 1, 0, %%d; st.global.u32 [%%x2], %%i7;\n");
  return n + (size_t)snprintf(t + n, room - n, "ret;\n}\n");
}

static inline void form_fail(const struct form *f, const uint64_t *v, uint64_t result, uint64_t wanted, bool wide,
                             bool guarded) {
  fail_msg("%s (%s%s, seed %d) of 0x%llx, 0x%llx, 0x%llx, 0x%llx is 0x%llx, the host says 0x%llx", f->opcode,
           wide ? "wide" : "base", guarded ? ", guarded" : "", FORM_SEED, (unsigned long long)v[0],
           (unsigned long long)v[1], (unsigned long long)v[2], (unsigned long long)v[3], (unsigned long long)result,
           (unsigned long long)wanted);
}

static inline int form_try(struct conformance *c, const struct form *f, const struct form_row *row) {
  char text[8192];
  size_t n = (size_t)snprintf(text, sizeof text, ".version 8.5\n.target sm_90\n.address_size 64\n");
  for (int guarded = 0; guarded < 2; guarded++) n += form_kernel(text + n, sizeof text - n, f, row, guarded);
  assert_true(n < sizeof text);
  return harness_try(&c->h, text, n, NULL);
}

static inline void form_load(struct conformance *c, const struct form *f, const struct form_row *row, bool wide) {
  c->h.wide = wide;
  if (form_try(c, f, row)) fail_msg("%s", c->h.e.text);
  const struct ptx_kernel *k = ptx_module_kernel(c->h.module, "k0");
  for (uint32_t i = 0; i < k->n_ops; i++) c->handler[k->ops[i].handler] = true;
}

static inline void form_inputs(const struct form *f, const struct form_row *row, uint64_t (*in)[FORM_THREADS]) {
  uint64_t state = FORM_SEED;
  bool one = strlen(row->operands) == 2;
  for (uint32_t t = 0; t < FORM_THREADS; t++) { /* edges cross the first two sources, then random values */
    bool crossed = t < 26 * 26;
    const uint32_t edge[FORM_SOURCES] = {one       ? t
                                         : crossed ? t % 26 + (t & 1 ? 6 : 0)
                                                   : UINT32_MAX,
                                         crossed ? t / 26 + (t & 2 ? 6 : 0) : UINT32_MAX,
                                         t % 3 ? t * 7 % 61 : UINT32_MAX, t * 5 % 59};
    for (size_t i = 0; i < FORM_SOURCES; i++)
      in[i][t] = i + 1 < strlen(row->operands) ? form_value(f, row->operands[i + 1], edge[i], &state) : 0;
  }
}

static inline void check_form(struct conformance *c, const struct form_row *row, const char *opcode) {
  const struct form f = form_of(opcode);
  static uint64_t in[FORM_SOURCES][FORM_THREADS], expected[FORM_THREADS];
  const int bits = operand_bits(&f, row->operands[0]);
  bool can = c->h.wide;
  form_inputs(&f, row, in);
  uint64_t *out = harness_at(&c->h, c->at[FORM_SOURCES], FORM_THREADS * 8);
  for (uint32_t t = 0; t < c->threads && row->reference; t++) {
    const uint64_t v[FORM_SOURCES] = {in[0][t], in[1][t], in[2][t], in[3][t]};
    expected[t] = form_cut(row->reference(&f, v), bits);
  }
  for (int run = 0; run < (can ? 4 : 2); run++) {
    bool wide = run >> 1, guarded = run & 1;
    if (!guarded) form_load(c, &f, row, wide);
    memset(out, 0, FORM_THREADS * 8);
    for (size_t i = 0; i < FORM_SOURCES; i++) memcpy(harness_at(&c->h, c->at[i], sizeof in[i]), in[i], sizeof in[i]);
    harness_run(&c->h, guarded ? "k1" : "k0", 4, c->threads / 4, 1, 1, 0, c->at);
    assert_string_equal(c->h.fault, "");
    for (uint32_t t = 0; t < c->threads; t++) {
      const uint64_t v[FORM_SOURCES] = {in[0][t], in[1][t], in[2][t], in[3][t]};
      if (run == 0 && row->accept && !row->accept(&f, v, out[t])) form_fail(&f, v, out[t], 0, wide, guarded);
      if (run == 0 && row->accept) expected[t] = out[t];
      uint64_t wanted = !guarded || t & 1 ? expected[t] : bits ? form_cut(0x5a5a5a5a5a5a5a5a, bits) : 0;
      if (out[t] != wanted && !(guarded && !(t & 1) && row->text)) form_fail(&f, v, out[t], wanted, wide, guarded);
    }
  }
  c->h.wide = can;
  assert_true(c->n_forms < FORMS_MAX);
  snprintf(c->opcode[c->n_forms++], FORM_TEXT, "%s", opcode);
}

struct row_context {
  struct conformance *c;
  const struct form_row *row;
};
static inline void each_form(void *context, const char *opcode) {
  struct row_context *x = context;
  check_form(x->c, x->row, opcode);
}
static inline void check_rows(struct conformance *c, const struct form_row *rows, size_t n) {
  for (size_t i = 0; i < n; i++) expand(rows[i].pattern, each_form, &(struct row_context){c, &rows[i]});
}
/* Those forms of the rows that decode at all. */
static inline void each_decodable_form(void *context, const char *opcode) {
  struct row_context *x = context;
  struct form f = form_of(opcode);
  if (form_try(x->c, &f, x->row) == 0) check_form(x->c, x->row, opcode);
}
static inline void check_decodable(struct conformance *c, const struct form_row *rows, size_t n) {
  for (size_t i = 0; i < n; i++) expand(rows[i].pattern, each_decodable_form, &(struct row_context){c, &rows[i]});
}

#define CHECK_ROWS(state, rows) check_rows(*(state), rows, sizeof(rows) / sizeof(rows)[0])

static inline int conformance_open(void **state) {
  struct conformance *c = calloc(1, sizeof *c);
  harness_open(&c->h);
  c->threads = FORM_THREADS;
  c->opcode = malloc((size_t)FORMS_MAX * FORM_TEXT);
  for (size_t i = 0; i < FORM_SOURCES + 1; i++) c->at[i] = harness_alloc(&c->h, NULL, FORM_THREADS * 8);
  *state = c;
  return 0;
}
static inline int conformance_close(void **state) {
  struct conformance *c = *state;
  printf("%u instruction forms agree with the host\n", c->n_forms);
  harness_close(&c->h);
  free(c->opcode);
  free(c);
  return 0;
}

#endif
