/* SPDX-License-Identifier: Apache-2.0 */
/* Random kernels with branches, loops, guards and values of 32 and 64 bits, as PTX text, and the same interpreted thread by thread. */
#ifndef TANDEM_TEST_PTX_RANDOM_H
#define TANDEM_TEST_PTX_RANDOM_H

#include "kit/ptx_harness.h"

enum {
  RANDOM_BLOCKS = 12,
  RANDOM_STATEMENTS = 4,
  RANDOM_WORDS = 7,
  RANDOM_WIDES = 4,
  RANDOM_BITS = 3,
  RANDOM_FUEL = 30
};

enum random_kind {
  R_MAD,
  R_XOR,
  R_WIDEN,
  R_WIDE,
  R_NARROW,
  R_LESS,
  R_GUARDED,
  R_SELECT,
  R_UNPACK,
  R_PACK,
  R_GUARDED_WIDE,
  R_KINDS
};
struct random_statement {
  enum random_kind kind;
  uint32_t d, e, x, y, p, c;
};
struct random_program {
  struct random_statement statement[RANDOM_BLOCKS][RANDOM_STATEMENTS];
  uint32_t mask[RANDOM_BLOCKS], target[RANDOM_BLOCKS];
  bool of_thread[RANDOM_BLOCKS]; /* its branch depends on the thread; else lanes take it together, or not */
};

static inline struct random_program random_program(uint64_t seed) {
  struct random_program r;
  uint64_t s = seed;
  for (uint32_t b = 0; b < RANDOM_BLOCKS; b++) {
    for (uint32_t i = 0; i < RANDOM_STATEMENTS; i++) {
      struct random_statement *t = &r.statement[b][i];
      t->kind = (enum random_kind)(harness_random(&s) % R_KINDS);
      bool wide = t->kind == R_WIDEN || t->kind == R_WIDE || t->kind == R_PACK || t->kind == R_GUARDED_WIDE;
      bool reads_wide = t->kind == R_WIDEN || t->kind == R_NARROW || t->kind == R_UNPACK || t->kind == R_GUARDED_WIDE;
      t->d = (uint32_t)(harness_random(&s) % (t->kind == R_LESS ? RANDOM_BITS : wide ? RANDOM_WIDES : RANDOM_WORDS));
      t->e = (t->d + 1) % RANDOM_WORDS;
      t->x = (uint32_t)(harness_random(&s) % (reads_wide ? RANDOM_WIDES : RANDOM_WORDS));
      t->y = (uint32_t)(harness_random(&s) % (t->kind == R_GUARDED_WIDE ? RANDOM_WIDES : RANDOM_WORDS));
      t->p = (uint32_t)(harness_random(&s) % RANDOM_BITS);
      t->c = (uint32_t)harness_random(&s) & 0xffff;
    }
    r.mask[b] = 1u << harness_random(&s) % 12;
    r.target[b] = (uint32_t)(harness_random(&s) % (RANDOM_BLOCKS + 1));
    r.of_thread[b] = harness_random(&s) & 1;
  }
  return r;
}

static inline int random_statement_text(char *t, size_t room, const struct random_statement *s) {
  switch (s->kind) {
    case R_MAD: return snprintf(t, room, "mad.lo.u32 %%a%u, %%a%u, %%a%u, %u;\n", s->d, s->x, s->y, s->c);
    case R_XOR: return snprintf(t, room, "xor.b32 %%a%u, %%a%u, %%a%u;\n", s->d, s->x, s->y);
    case R_WIDEN: return snprintf(t, room, "cvt.u64.u32 %%u1, %%a%u; add.s64 %%w%u, %%w%u, %%u1;\n", s->y, s->d, s->x);
    case R_WIDE: return snprintf(t, room, "mul.wide.u32 %%w%u, %%a%u, %%a%u;\n", s->d, s->x, s->y);
    case R_NARROW: return snprintf(t, room, "cvt.u32.u64 %%a%u, %%w%u;\n", s->d, s->x);
    case R_LESS: return snprintf(t, room, "setp.lt.u32 %%q%u, %%a%u, %%a%u;\n", s->d, s->x, s->y);
    case R_GUARDED: return snprintf(t, room, "@%%q%u add.u32 %%a%u, %%a%u, %u;\n", s->p, s->d, s->x, s->c);
    case R_SELECT: return snprintf(t, room, "selp.b32 %%a%u, %%a%u, %%a%u, %%q%u;\n", s->d, s->x, s->y, s->p);
    case R_UNPACK: return snprintf(t, room, "mov.b64 {%%a%u, %%a%u}, %%w%u;\n", s->d, s->e, s->x);
    case R_PACK: return snprintf(t, room, "mov.b64 %%w%u, {%%a%u, %%a%u};\n", s->d, s->x, s->y);
    default: return snprintf(t, room, "@!%%q%u xor.b64 %%w%u, %%w%u, %%w%u;\n", s->p, s->d, s->x, s->y);
  }
}

/* Kernel k(out): a hash of all variables of thread t in out[t]. `common` is a variable that all threads share. */
static inline void random_text(char *t, size_t room, const struct random_program *r) {
  size_t n = (size_t)snprintf(
    t, room,
    PTX_HEAD
    ".visible .entry k(.param .u64 out)\n{\n.reg .pred %%q<9>; .reg .b32 %%a<9>; .reg .b64 %%w<9>; .reg .b64 %%u<9>;\n"
    ".reg .b32 %%fuel; .reg .b32 %%common; .reg .b32 %%r<9>; .reg .pred %%p<9>;\n"
    "mov.u32 %%r1, %%tid.x; mov.u32 %%fuel, %d; mov.u32 %%common, %%ctaid.x; add.u32 %%common, %%common, 77;\n",
    RANDOM_FUEL);
  for (uint32_t i = 0; i < RANDOM_WORDS; i++)
    n += (size_t)snprintf(t + n, room - n, "mad.lo.u32 %%a%u, %%r1, %u, %u;\n", i, 3 * i + 1, 17 * i);
  for (uint32_t i = 0; i < RANDOM_WIDES; i++)
    n += (size_t)snprintf(t + n, room - n, "mul.wide.u32 %%w%u, %%a%u, %u;\n", i, i, 1000003 * (i + 1));
  for (uint32_t i = 0; i < RANDOM_BITS; i++)
    n += (size_t)snprintf(t + n, room - n, "setp.gt.u32 %%q%u, %%a%u, %u;\n", i, i, 40 * (i + 1));
  for (uint32_t b = 0; b < RANDOM_BLOCKS; b++) {
    n += (size_t)snprintf(t + n, room - n, "L%u:\n", b);
    for (uint32_t i = 0; i < RANDOM_STATEMENTS; i++)
      n += (size_t)random_statement_text(t + n, room - n, &r->statement[b][i]);
    n += (size_t)snprintf(t + n, room - n,
                          "mad.lo.u32 %%common, %%common, 5, %u; and.b32 %%r4, %s, %u; setp.ne.u32 %%p1, %%r4, 0;\n"
                          "setp.eq.u32 %%p2, %%fuel, 0; @%%p2 bra L%u; sub.u32 %%fuel, %%fuel, 1; @%%p1 bra L%u;\n",
                          b, r->of_thread[b] ? "%a0" : "%common", r->mask[b], b + 1, r->target[b]);
  }
  n += (size_t)snprintf(t + n, room - n, "L%d:\nmov.u32 %%r5, %%common;\n", RANDOM_BLOCKS);
  for (uint32_t i = 0; i < RANDOM_WORDS; i++)
    n += (size_t)snprintf(t + n, room - n, "mad.lo.u32 %%r5, %%r5, 31, %%a%u;\n", i);
  for (uint32_t i = 0; i < RANDOM_WIDES; i++)
    n += (size_t)snprintf(t + n, room - n,
                          "shr.u64 %%u2, %%w%u, 32; xor.b64 %%u2, %%u2, %%w%u; cvt.u32.u64 %%r6, %%u2;\n"
                          "mad.lo.u32 %%r5, %%r5, 31, %%r6;\n",
                          i, i);
  for (uint32_t i = 0; i < RANDOM_BITS; i++)
    n += (size_t)snprintf(t + n, room - n, "selp.u32 %%r6, 1, 0, %%q%u; mad.lo.u32 %%r5, %%r5, 31, %%r6;\n", i);
  n += (size_t)snprintf(t + n, room - n,
                        "ld.param.u64 %%u1, [out]; mul.wide.u32 %%u2, %%r1, 4; add.s64 %%u1, %%u1, %%u2;\n"
                        "st.global.u32 [%%u1], %%r5; ret;\n}\n");
  assert_true(n < room);
}

struct random_thread {
  uint32_t a[RANDOM_WORDS], common;
  uint64_t w[RANDOM_WIDES];
  bool q[RANDOM_BITS];
};

static inline void random_step(struct random_thread *v, const struct random_statement *s) {
  switch (s->kind) {
    case R_MAD: v->a[s->d] = v->a[s->x] * v->a[s->y] + s->c; break;
    case R_XOR: v->a[s->d] = v->a[s->x] ^ v->a[s->y]; break;
    case R_WIDEN: v->w[s->d] = v->w[s->x] + v->a[s->y]; break;
    case R_WIDE: v->w[s->d] = (uint64_t)v->a[s->x] * v->a[s->y]; break;
    case R_NARROW: v->a[s->d] = (uint32_t)v->w[s->x]; break;
    case R_LESS: v->q[s->d] = v->a[s->x] < v->a[s->y]; break;
    case R_GUARDED:
      if (v->q[s->p]) v->a[s->d] = v->a[s->x] + s->c;
      break;
    case R_SELECT: v->a[s->d] = v->q[s->p] ? v->a[s->x] : v->a[s->y]; break;
    case R_UNPACK: {
      uint64_t w = v->w[s->x];
      v->a[s->d] = (uint32_t)w, v->a[s->e] = (uint32_t)(w >> 32);
      break;
    }
    case R_PACK: v->w[s->d] = v->a[s->x] | (uint64_t)v->a[s->y] << 32; break;
    default:
      if (!v->q[s->p]) v->w[s->d] = v->w[s->x] ^ v->w[s->y];
  }
}

/* What thread `tid` of CTA 0 stores. */
static inline uint32_t random_result(const struct random_program *r, uint32_t tid) {
  struct random_thread v = {.common = 77};
  uint32_t fuel = RANDOM_FUEL, hash;
  for (uint32_t i = 0; i < RANDOM_WORDS; i++) v.a[i] = tid * (3 * i + 1) + 17 * i;
  for (uint32_t i = 0; i < RANDOM_WIDES; i++) v.w[i] = (uint64_t)v.a[i] * (1000003 * (i + 1));
  for (uint32_t i = 0; i < RANDOM_BITS; i++) v.q[i] = v.a[i] > 40 * (i + 1);
  for (uint32_t b = 0; b < RANDOM_BLOCKS;) {
    for (uint32_t i = 0; i < RANDOM_STATEMENTS; i++) random_step(&v, &r->statement[b][i]);
    v.common = v.common * 5 + b;
    bool taken = (r->of_thread[b] ? v.a[0] : v.common) & r->mask[b];
    if (!fuel || !taken) fuel -= fuel != 0, b++;
    else fuel--, b = r->target[b];
  }
  hash = v.common;
  for (uint32_t i = 0; i < RANDOM_WORDS; i++) hash = hash * 31 + v.a[i];
  for (uint32_t i = 0; i < RANDOM_WIDES; i++) hash = hash * 31 + (uint32_t)(v.w[i] >> 32 ^ v.w[i]);
  for (uint32_t i = 0; i < RANDOM_BITS; i++) hash = hash * 31 + v.q[i];
  return hash;
}

#endif
