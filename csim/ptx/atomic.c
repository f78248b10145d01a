/* SPDX-License-Identifier: Apache-2.0 */
/* What atomics and reductions make of the value in memory. */
#include "ptx/lane_loop.h"

static uint64_t integer_atomic(enum ptx_atomic a, bool is_signed, uint64_t old, uint64_t b, uint64_t c) {
  bool less = is_signed ? (int64_t)old < (int64_t)b : old < b;
  switch (a) {
    case ATOMIC_ADD: return old + b;
    case ATOMIC_MIN: return less ? old : b;
    case ATOMIC_MAX: return less ? b : old;
    case ATOMIC_AND: return old & b;
    case ATOMIC_OR: return old | b;
    case ATOMIC_XOR: return old ^ b;
    case ATOMIC_EXCH: return b;
    case ATOMIC_CAS: return old == b ? c : old;
    case ATOMIC_INC: return old >= b ? 0 : old + 1;
    case ATOMIC_DEC: return old == 0 || old > b ? b : old - 1;
    default: return old;
  }
}

static uint32_t add_halves(uint32_t x, uint32_t y, bool bfloat) {
  return ptx_double_to_half(ptx_half_to_double(x & 0xffff, bfloat) + ptx_half_to_double(y & 0xffff, bfloat), ROUND_RN,
                            bfloat);
}

uint64_t ptx_atomic_result(struct ptx_op_atomic atomic, uint64_t old, uint64_t b, uint64_t c) {
  enum ptx_type type = (enum ptx_type)atomic.type;
  enum ptx_atomic a = (enum ptx_atomic)atomic.operation;
  switch (type) {
    case T_F32: return bits32(canonical32(float32((uint32_t)old) + float32((uint32_t)b)));
    case T_F64: return bits64(canonical64(float64(old) + float64(b)));
    case T_F16:
    case T_BF16: return add_halves((uint32_t)old, (uint32_t)b, type == T_BF16);
    case T_F16X2:
    case T_BF16X2:
      return add_halves((uint32_t)old, (uint32_t)b, type == T_BF16X2) |
             add_halves((uint32_t)old >> 16, (uint32_t)b >> 16, type == T_BF16X2) << 16;
    case T_S32: return (uint32_t)integer_atomic(a, true, (uint64_t)(int32_t)old, (uint64_t)(int32_t)b, c);
    case T_S64: return integer_atomic(a, true, old, b, c);
    default: return integer_atomic(a, false, old, b, c);
  }
}
