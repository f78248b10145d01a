/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions of pairs of values, to tf32, and to and from the 8-bit formats: .relu makes what is negative +0,
 * .satfinite what is too large the largest number. The lower 13 bits of a tf32 are 0 (assumption: the ISA leaves them open). */
#include "ptx/lane_loop.h"

enum { NEAREST = 1 << ROUND_RN, EITHER = 1 << ROUND_RN | 1 << ROUND_RZ, BOTH = NARROW_RELU | NARROW_FINITE };

/* The frequent ones: two floats to the nearest halves. */
/* a table */
/* clang-format off */
#define PACK(fn, attribute, half)                                                        \
  attribute static void fn(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) { \
    const lane32 *a = ptx_src(op, w, 0), *b = ptx_src(op, w, 1);                         \
    uint32_t scratch[WARP_LANES] __attribute__((aligned(64)));                           \
    EACH_LANE scratch[l] = half(b[l]) | half(a[l]) << 16;                                \
    ptx_blend32(ptx_dst(op, w, 0), scratch, mask);                                       \
  }
/* clang-format on */
PACK(pack_f16_base, , f16_of_f32)
PACK(pack_f16_wide, WIDE, f16_of_f32)
PACK(pack_bf16_base, , bf16_of_f32)
PACK(pack_bf16_wide, WIDE, bf16_of_f32)

const struct ptx_narrow ptx_narrow[] = {
  {"f16", "f32", T_B16, T_F32, FORMAT_F16, FORMAT_F32, false, false, true, EITHER, BOTH, 0, NULL, NULL},
  {"bf16", "f32", T_B16, T_F32, FORMAT_BF16, FORMAT_F32, false, false, true, EITHER, BOTH, 0, NULL, NULL},
  {"f16x2", "f32", T_B32, T_F32, FORMAT_F16, FORMAT_F32, true, true, false, EITHER, BOTH, 0, pack_f16_base,
   pack_f16_wide},
  {"bf16x2", "f32", T_B32, T_F32, FORMAT_BF16, FORMAT_F32, true, true, false, EITHER, BOTH, 0, pack_bf16_base,
   pack_bf16_wide},
  {"tf32", "f32", T_B32, T_F32, FORMAT_TF32, FORMAT_F32, false, false, false, EITHER | 1 << ROUND_RNA, BOTH, 0, NULL,
   NULL},
  {"e4m3x2", "f32", T_B16, T_F32, FORMAT_E4M3, FORMAT_F32, true, true, false, NEAREST, BOTH, NARROW_FINITE, NULL, NULL},
  {"e5m2x2", "f32", T_B16, T_F32, FORMAT_E5M2, FORMAT_F32, true, true, false, NEAREST, BOTH, NARROW_FINITE, NULL, NULL},
  {"e4m3x2", "f16x2", T_B16, T_B32, FORMAT_E4M3, FORMAT_F16, false, true, false, NEAREST, BOTH, NARROW_FINITE, NULL,
   NULL},
  {"e5m2x2", "f16x2", T_B16, T_B32, FORMAT_E5M2, FORMAT_F16, false, true, false, NEAREST, BOTH, NARROW_FINITE, NULL,
   NULL},
  {"f16x2", "e4m3x2", T_B32, T_B16, FORMAT_F16, FORMAT_E4M3, false, true, false, NEAREST, NARROW_RELU, 0, NULL, NULL},
  {"f16x2", "e5m2x2", T_B32, T_B16, FORMAT_F16, FORMAT_E5M2, false, true, false, NEAREST, NARROW_RELU, 0, NULL, NULL},
  {0}};

static uint32_t bits_of(enum ptx_format_name f) {
  return f == FORMAT_F32 || f == FORMAT_TF32 ? 32 : f == FORMAT_F16 || f == FORMAT_BF16 ? 16 : 8;
}

static uint32_t convert(const struct ptx_narrow *n, enum ptx_rounding rounding, uint32_t asked, uint32_t raw) {
  const struct ptx_format *to = &ptx_formats[n->to_format];
  double v = n->from_format == FORMAT_F32 ? (double)float32(raw) : ptx_double_of(&ptx_formats[n->from_format], raw);
  uint32_t r = ptx_round_to(to, v, rounding), magnitude = r & ~to->sign;
  if (asked & NARROW_FINITE && v == v && magnitude > to->most) r = (r & to->sign) | to->most;
  if (asked & NARROW_RELU && r & to->sign) r = 0;
  return n->to_format == FORMAT_TF32 ? r << 13 : r;
}

void ptx_exec_cvt_narrow(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const struct ptx_narrow *n = &ptx_narrow[op->narrow.row];
  const enum ptx_rounding rounding = (enum ptx_rounding)op->narrow.rounding;
  const uint32_t asked = op->narrow.asked, to_bits = bits_of(n->to_format), from_bits = bits_of(n->from_format);
  const lane32 *a = ptx_src(op, w, 0), *b = n->two ? ptx_src(op, w, 1) : a;
  uint32_t scratch[WARP_LANES];
  for (uint32_t l = 0; l < WARP_LANES; l++) {
    const uint32_t low = from_bits < 32 ? b[l] & ((1u << from_bits) - 1) : b[l];
    scratch[l] = convert(n, rounding, asked, low);
    if (n->pair) scratch[l] |= convert(n, rounding, asked, n->two ? a[l] : a[l] >> from_bits) << to_bits;
  }
  ptx_blend32(ptx_dst(op, w, 0), scratch, mask);
}
