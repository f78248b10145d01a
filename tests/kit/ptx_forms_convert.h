/* SPDX-License-Identifier: Apache-2.0 */
/* cvt: every pair of types, rounding and modifier that decodes is checked, so the rows list candidates. */
#ifndef TANDEM_TEST_PTX_FORMS_CONVERT_H
#define TANDEM_TEST_PTX_FORMS_CONVERT_H

#include "kit/ptx_conformance.h"

#include <math.h>

/* An integral value in the given rounding; beyond 2^112 every quad is integral. */
static quad integral(quad v, char mode) {
  if (!(v > -power_of_two(112) && v < power_of_two(112))) return v;
  __int128 whole = (__int128)v;
  quad part = v - (quad)whole, size = part < 0 ? -part : part;
  if (mode == 'm' && part < 0) whole--;
  if (mode == 'p' && part > 0) whole++;
  if (mode == 'n' && (size > 0.5Q || (size == 0.5Q && whole % 2))) whole += part < 0 ? -1 : 1;
  quad r = (quad)whole;
  return r == 0 && quad_bits(v) >> 127 ? -(quad)0 : r;
}

static uint64_t to_integer(const char *type, quad v, bool wide_nan) {
  int bits = type_bits(type);
  quad most = type[0] == 's' ? power_of_two(bits - 1) - 1 : power_of_two(bits) - 1,
       least = type[0] == 's' ? -power_of_two(bits - 1) : 0;
  if (v != v) return wide_nan || bits == 64 ? UINT64_C(1) << (bits - 1) : 0;
  v = v > most ? most : v < least ? least : v;
  return v < 0 ? (uint64_t)(int64_t)v : (uint64_t)v;
}

/* The bits of `type` in v, extended to 64 as its sign wants. */
static uint64_t extended(const char *type, uint64_t v) {
  int shift = 64 - type_bits(type);
  return type[0] == 's' ? (uint64_t)((int64_t)(v << shift) >> shift) : v << shift >> shift;
}

static uint64_t v_convert(const struct form *f, const uint64_t *v) {
  const struct format *to = f->first_format, *from = f->format;
  bool flushes = f->ftz;
  quad x;
  if (from) {
    x = value_of(from, flushes && from->fraction_bits == 23 ? flush(from, v[0]) : v[0]);
  } else {
    uint64_t raw = extended(f->type, v[0]);
    x = f->is_signed ? (quad)(int64_t)raw : (quad)raw;
  }
  if (f->integral) x = integral(x, f->mode);
  if (!to) {
    if (from)
      return extended(f->first,
                      to_integer(f->first, integral(x, f->integral ? f->mode : 'z'), from->fraction_bits == 52));
    uint64_t raw = extended(f->type, v[0]);
    return extended(f->first, f->sat ? to_integer(f->first, x, false) : raw);
  }
  if (f->sat) x = x > 0 ? x < 1 ? x : 1 : 0; /* NaN too */
  uint64_t r = round_to(to, x, f->integral ? 'n' : f->mode);
  return flushes && to->fraction_bits == 23 ? flush(to, r) : r;
}

/* .relu, .satfinite, pairs: the first source makes the upper half */
static uint64_t narrowed(const struct form *f, const struct format *to, const struct format *from, uint64_t raw) {
  uint64_t r = round_to(to, value_of(from, raw), f->mode);
  bool nan = is_nan(from, raw), too_large = !nan && (r & (sign_bit(to) - 1)) > largest_of(to);
  if (nan) return to->nan;
  if (form_has(f, "satfinite") && too_large) r = (r & sign_bit(to)) | largest_of(to);
  return f->relu && r & sign_bit(to) ? 0 : r;
}
static uint64_t v_narrow(const struct form *f, const uint64_t *v) {
  const struct format *to = f->first_format, *from = f->format;
  int to_bits = format_bits(to), from_bits = format_bits(from);
  if (strcmp(f->first, "tf32") == 0) return narrowed(f, to, from, v[0]) << 13;
  if (!strstr(f->first, "x2")) return narrowed(f, to, from, v[0]);
  uint64_t low = f->pair ? v[0] & ((UINT64_C(1) << from_bits) - 1) : v[1], high = f->pair ? v[0] >> from_bits : v[0];
  return narrowed(f, to, from, low) | narrowed(f, to, from, high) << to_bits;
}

#define CVT_INT "{u8,s8,u16,s16,u32,s32,u64,s64}"
#define CVT_FLOAT "{f16,bf16,f32,f64}"
#define CVT_ALL "{u8,s8,u16,s16,u32,s32,u64,s64,f16,bf16,f32,f64}"
#define CVT_ROUND "{,.rn,.rz,.rm,.rp,.rni,.rzi,.rmi,.rpi}"
/* a table */
/* clang-format off */
static const struct form_row convert_candidates[] = {
  {"cvt" CVT_ROUND "{,.ftz}{,.sat}." CVT_ALL "." CVT_ALL, "yt", NULL, v_convert, NULL},
  /* in registers wider than the type */
  {"cvt{,.sat}.{u8,s8,u16,s16,u32,s32}.{u8,s8,u16,s16,u32,s32}", "qq", NULL, v_convert, NULL},
  {"cvt{,.sat}." CVT_INT ".{u8,s8,u16,s16,u32,s32}", "yq", NULL, v_convert, NULL},
  {"cvt{,.sat}.{u8,s8,u16,s16}." CVT_INT, "ut", NULL, v_convert, NULL},
  {"cvt{,.sat}." CVT_INT ".{u8,s8,u16,s16}", "yu", NULL, v_convert, NULL},
  {"cvt.{rni,rzi}.{u8,s8,u16,s16,u32,s32}." CVT_FLOAT, "qt", NULL, v_convert, NULL},
  {"cvt.{rn,rz}." CVT_FLOAT ".{u8,s8,u16,s16,u32,s32}", "yq", NULL, v_convert, NULL},
  {"cvt{,.rn,.rz,.rna}{,.satfinite}{,.relu}.tf32.f32", "yt", NULL, v_narrow, NULL},
  {"cvt{.rn,.rz}{,.satfinite}{,.relu}.{f16,bf16}.f32", "yt", NULL, v_narrow, NULL},
  {"cvt{,.rn,.rz,.rna}{,.satfinite}{,.relu}.{f16x2,bf16x2,e4m3x2,e5m2x2}.f32", "ytt", NULL, v_narrow, NULL},
  {"cvt{,.rn,.rz,.rna}{,.satfinite}{,.relu}.{e4m3x2,e5m2x2}.{f16x2,bf16x2}", "yt", NULL, v_narrow, NULL},
  {"cvt{,.rn,.rz,.rna}{,.satfinite}{,.relu}.{f16x2,bf16x2}.{e4m3x2,e5m2x2}", "yt", NULL, v_narrow, NULL},
};
/* clang-format on */
/* what must decode */
static const char *const convert_musts[] = {
  "cvt.sat.{u8,s8,u16,s16,u32,s32,u64,s64}.{u8,s8,u16,s16,u32,s32,u64,s64}",
  "cvt{.rn,.rz,.rm,.rp}{,.sat}." CVT_FLOAT "." CVT_INT,
  "cvt{.rni,.rzi,.rmi,.rpi}{,.sat}." CVT_INT "." CVT_FLOAT,
  "cvt{.rni,.rzi,.rmi,.rpi}.ftz." CVT_INT ".f32",
  "cvt{.rn,.rz,.rm,.rp}{,.sat}.{f16.f32,f16.f64,bf16.f64,f32.f64}",
  "cvt{.rn,.rz}.bf16.f32",
  "cvt{,.sat}.{f32.f16,f64.f16,f32.bf16,f64.bf16,f64.f32,f32.f32,f64.f64,f16.f16}",
  "cvt.{rna,rn,rz}.tf32.f32",
  "cvt.rn.satfinite{,.relu}.{e4m3x2,e5m2x2}.{f32,f16x2}",
  "cvt.rn{,.relu}.f16x2.{e4m3x2,e5m2x2}",
  "cvt.{rn,rz}{,.relu}.{f16x2,bf16x2,f16,bf16}.f32",
};

#endif
