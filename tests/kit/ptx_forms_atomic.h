/* SPDX-License-Identifier: Apache-2.0 */
/* atom and red: every operation and type that decodes, in every memory; first the value returned, then the one left. */
#ifndef TANDEM_TEST_PTX_FORMS_ATOMIC_H
#define TANDEM_TEST_PTX_FORMS_ATOMIC_H

#include "kit/ptx_conformance.h"

static uint64_t sum_of_floats(const struct format *t, uint64_t a, uint64_t b) {
  quad x = value_of(t, a), y = value_of(t, b);
  return round_to(t, odd_sum(x, y), 'n');
}
static uint64_t m_new(const struct form *f, const uint64_t *v) {
  const uint64_t a = v[0], b = v[1], c = v[2];
  __int128 x = (__int128)((u128)a << (128 - f->bits)), y = (__int128)((u128)b << (128 - f->bits));
  bool less = f->is_signed ? x < y : a < b;
  if (form_has(f, "add") && f->pair)
    return sum_of_floats(f->format, a & 0xffff, b & 0xffff) | sum_of_floats(f->format, a >> 16, b >> 16) << 16;
  if (form_has(f, "add")) return f->format ? sum_of_floats(f->format, a, b) : a + b;
  if (form_has(f, "min")) return less ? a : b;
  if (form_has(f, "max")) return less ? b : a;
  if (form_has(f, "and")) return a & b;
  if (form_has(f, "or")) return a | b;
  if (form_has(f, "xor")) return a ^ b;
  if (form_has(f, "exch")) return b;
  if (form_has(f, "cas")) return a == b ? c : a;
  if (form_has(f, "inc")) return a >= b ? 0 : a + 1;
  return a == 0 || a > b ? b : a - 1;
}
static uint64_t m_old(const struct form *f, const uint64_t *v) {
  (void)f;
  return v[0];
}

#define TWO "{add,min,max,and,or,xor,exch,inc,dec}"
#define T16 "{b16,u16,s16,f16,bf16}"
#define T32 "{b32,u32,s32,f32,f16x2,bf16x2}"
#define T64 "{b64,u64,s64,f64}"
#define ORDER "{.relaxed,.acquire,.release,.acq_rel}{.cta,.gpu,.sys,.cluster}"
/* Where a[t] lies: in global memory, or (copied there) in shared memory. */
#define AT_GLOBAL "ld.param.u64 %w8,[pa]; add.s64 %w8,%w8,%x5; "
#define AT_SHARED                                                                                                       \
  ".shared .align 8 .b8 sm[8192]; ld.param.u64 %w8,[pa]; add.s64 %w8,%w8,%x5; ld.global.b64 %w9,[%w8]; mov.u32 %i8,sm;" \
  " shl.b32 %i9,%i3,3; add.u32 %i8,%i8,%i9; st.shared.b64 [%i8],%w9; "
#define AT_GENERIC AT_SHARED "cvt.u64.u32 %w8,%i8; cvta.shared.u64 %w8,%w8; "
/* a table */
/* clang-format off */
#define IN_MEMORY(where, space, at, bits, types) \
  {"atom" space "." TWO "." types, "ttt", where "@$ %d," at ",%b;", m_old, NULL}, \
  {"atom" space ".cas." types, "tttt", where "@$ %d," at ",%b,%c;", m_old, NULL}, \
  {"atom" space "." TWO "." types, "ttt", where "@$ _," at ",%b; ld" space ".b" #bits " %d," at ";", m_new, NULL}, \
  {"atom" space ".cas." types, "tttt", where "@$ _," at ",%b,%c; ld" space ".b" #bits " %d," at ";", m_new, NULL}, \
  {"red" space "." TWO "." types, "ttt", where "@$ " at ",%b; ld" space ".b" #bits " %d," at ";", m_new, NULL}
#define WIDTH(bits, types) \
  IN_MEMORY(AT_GLOBAL, ".global", "[%w8]", bits, types), \
  IN_MEMORY(AT_SHARED, ".shared", "[%i8]", bits, types), \
  IN_MEMORY(AT_GENERIC, "", "[%w8]", bits, types)
static const struct form_row atomic_candidates[] = {
  WIDTH(16, T16),
  WIDTH(32, T32),
  WIDTH(64, T64),
  {"atom.global.add.noftz.{f16,bf16,f16x2,bf16x2}", "ttt", AT_GLOBAL "@$ %d,[%w8],%b;", m_old, NULL},
  {"atom" ORDER ".global.add.u32", "ttt", AT_GLOBAL "@$ %d,[%w8],%b;", m_old, NULL},
  {"red" ORDER ".global.or.b64", "ttt", AT_GLOBAL "@$ [%w8],%b; ld.global.b64 %d,[%w8];", m_new, NULL},
  {"red{.relaxed,.release}{.cta,.gpu,.sys}.shared::cta.max.s32", "ttt", AT_SHARED "@$ [%i8],%b; ld.shared.b32 %d,[%i8];", m_new, NULL},
  /* vectors: the first element is a[t], the second 0 */
  {"atom.global.add.v2.f32", "ttt", AT_GLOBAL "@$ {%d,%i9},[%w8],{%b,%b};", m_old, NULL},
  {"atom.global.v2.f32.add", "ttt", AT_GLOBAL "@$ {%i9,%i8},[%w8],{%b,%b}; ld.global.b32 %d,[%w8];", m_new, NULL},
  {"red.global.add.v2.{f32,f16x2,bf16x2}", "ttt", AT_GLOBAL "@$ [%w8],{%b,%b}; ld.global.b32 %d,[%w8];", m_new, NULL},
  {"red.global.add.noftz.v2.{f16,bf16}", "ttt", AT_GLOBAL "@$ [%w8],{%b,%b}; ld.global.b16 %d,[%w8];", m_new, NULL},
};
/* clang-format on */

/* ---- loads, stores, fences, hints ---- */
static uint64_t m_loaded(const struct form *f, const uint64_t *v) {
  int shift = 64 - f->bits;
  return f->is_signed ? (uint64_t)((int64_t)(v[0] << shift) >> shift) : v[0] << shift >> shift;
}
static uint64_t m_stored(const struct form *f, const uint64_t *v) {
  uint64_t low = f->bits == 64 ? UINT64_MAX : (UINT64_C(1) << f->bits) - 1;
  return (v[0] & ~low) | (v[1] & low);
}
static uint64_t m_is_space(const struct form *f, const uint64_t *v) {
  (void)v;
  return form_has(f, "shared");
}
static uint64_t m_is_global(const struct form *f, const uint64_t *v) {
  (void)v;
  return form_has(f, "global");
}
#define ANY_TYPE "{b8,u8,s8,b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,f64}"
#define ORDERS ".volatile,.weak,.relaxed.cta,.relaxed.gpu,.relaxed.sys,.relaxed.cluster,.mmio.relaxed.sys"
#define HINTS ".L1::evict_last,.L1::no_allocate,.L1::evict_first,.L2::128B"
/* a table */
/* clang-format off */
static const struct form_row memory_rows[] = {
  {"ld{," ORDERS ",.acquire.cta,.acquire.gpu,.acquire.sys}.global." ANY_TYPE, "qq", AT_GLOBAL "@$ %d,[%w8];", m_loaded, NULL},
  {"ld.global{.ca,.cg,.cs,.lu,.cv,.nc," HINTS "}." ANY_TYPE, "qq", AT_GLOBAL "@$ %d,[%w8];", m_loaded, NULL},
  {"ldu{.global,}." ANY_TYPE, "qq", AT_GLOBAL "@$ %d,[%w8];", m_loaded, NULL},
  {"ld{,.volatile,.relaxed.cta}.shared." ANY_TYPE, "qq", AT_SHARED "@$ %d,[%i8];", m_loaded, NULL},
  {"st{," ORDERS ",.release.cta,.release.gpu,.release.sys}.global." ANY_TYPE, "qqq", AT_GLOBAL "@$ [%w8],%b; ld.global.b64 %d,[%w8];", m_stored, NULL},
  {"st.global{.wb,.cg,.cs,.wt," HINTS "}." ANY_TYPE, "qqq", AT_GLOBAL "@$ [%w8],%b; ld.global.b64 %d,[%w8];", m_stored, NULL},
  {"st{,.volatile,.release.cta}.shared." ANY_TYPE, "qqq", AT_SHARED "@$ [%i8],%b; ld.shared.b64 %d,[%i8];", m_stored, NULL},
  {"isspacep.{shared,global,local,const}", "pq", AT_GENERIC "@$ %d,%w8;", m_is_space, NULL},
  {"isspacep.{shared,global,local,const}", "pq", AT_GLOBAL "@$ %d,%w8;", m_is_global, NULL},
  {"membar.{cta,gl,sys}", "qq", "@$; mov.b64 %d,%a;", m_old, NULL},
  {"fence{,.acq_rel,.sc,.acquire,.release}.{cta,cluster,gpu,sys}", "qq", "@$; mov.b64 %d,%a;", m_old, NULL},
  {"{fence,membar}.proxy.{alias,async}", "qq", "@$; mov.b64 %d,%a;", m_old, NULL},
  {"prefetch.global.{L1,L2}", "qq", AT_GLOBAL "@$ [%w8]; mov.b64 %d,%a;", m_old, NULL},
  {"prefetchu.L1", "qq", AT_GLOBAL "@$ [%w8]; mov.b64 %d,%a;", m_old, NULL},
  {"pmevent", "qq", "@$ 3; mov.b64 %d,%a;", m_old, NULL},
};
/* clang-format on */

/* what must decode */
static const char *const atomic_musts[] = {
  "{atom,red}{.global,.shared,}.add.{u32,s32,u64,s64,f32,f64,f16,bf16,f16x2,bf16x2}",
  "{atom,red}{.global,.shared,}.{min,max}.{u32,s32,u64,s64}",
  "{atom,red}{.global,.shared,}.{and,or,xor}.{b32,b64}",
  "{atom,red}{.global,.shared,}.{inc,dec}.u32",
  "atom{.global,.shared,}.{exch,cas}.{b32,b64}",
  "atom{.global,.shared,}.cas.b16",
  "atom" ORDER ".global.add.u32",
  "atom.global.v2.f32.add",
  "red.global.add.v2.{f32,f16x2,bf16x2}",
};

#endif
