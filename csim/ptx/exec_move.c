/* SPDX-License-Identifier: Apache-2.0 */
/* Moves, packing, selections, predicate logic, special registers that change while a warp runs. */
#include "device/device_memory.h"
#include "ptx/lane_loop.h"

static void mov32(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  if (mask == UINT32_MAX) memmove(ptx_dst(op, w, 0), ptx_src(op, w, 0), WARP_LANES * 4);
  else ptx_blend32(ptx_dst(op, w, 0), ptx_src(op, w, 0), mask);
}
static void mov64(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  if (mask == UINT32_MAX) memmove(ptx_dst(op, w, 0), ptx_src(op, w, 0), WARP_LANES * 8);
  else ptx_blend64(ptx_dst(op, w, 0), ptx_src(op, w, 0), mask);
}

/* ---- packing ---- */

/* a table */
/* clang-format off */
#define PACK(id, parts, width, lane)                                           \
  static void id(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) { \
    lane scratch[WARP_LANES];                                                  \
    const lane low = (lane)((UINT64_C(1) << (width)) - 1);                     \
    for (uint32_t l = 0; l < WARP_LANES; l++) scratch[l] = 0;                  \
    for (uint32_t i = 0; i < (parts); i++) {                                   \
      const lane32 *s = ptx_src(op, w, i);                                     \
      EACH_LANE scratch[l] |= ((lane)s[l] & low) << (i * (width));             \
    }                                                                          \
    BLEND(ptx_dst(op, w, 0), scratch, mask);                                   \
  }
/* The destinations may overwrite the source, so it is copied first. */
#define UNPACK(id, parts, width, lane)                                         \
  static void id(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) { \
    lane source[WARP_LANES];                                                   \
    uint32_t scratch[WARP_LANES];                                              \
    const lane low = (lane)((UINT64_C(1) << (width)) - 1);                     \
    memcpy(source, ptx_src(op, w, 0), sizeof source);                          \
    for (uint32_t i = 0; i < (parts); i++) {                                   \
      EACH_LANE scratch[l] = (uint32_t)(source[l] >> (i * (width)) & low);     \
      ptx_blend32(ptx_dst(op, w, i), scratch, mask);                           \
    }                                                                          \
  }
/* clang-format on */

PACK(pack2_b16, 2, 8, uint32_t)
PACK(pack2_b32, 2, 16, uint32_t)
PACK(pack4_b32, 4, 8, uint32_t)
PACK(pack2_b64, 2, 32, uint64_t)
PACK(pack4_b64, 4, 16, uint64_t)
UNPACK(unpack2_b16, 2, 8, uint32_t)
UNPACK(unpack2_b32, 2, 16, uint32_t)
UNPACK(unpack4_b32, 4, 8, uint32_t)
UNPACK(unpack2_b64, 2, 32, uint64_t)
UNPACK(unpack4_b64, 4, 16, uint64_t)

/* ---- predicates ---- */

/* a table */
/* clang-format off */
#define SELECT(fn, attribute, lane, bits)                                                                         \
  attribute static void fn(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {                          \
    const lane *a = ptx_src(op, w, 0), *b = ptx_src(op, w, 1);                                                    \
    lane scratch[WARP_LANES], *d = ptx_dst(op, w, 0), *o = mask == UINT32_MAX ? d : scratch, p = ptx_predicate(op, w, 2); \
    EACH_LANE o[l] = p & bits[l] ? a[l] : b[l];                                                                   \
    if (mask != UINT32_MAX) BLEND(d, scratch, mask);                                                              \
  }
/* clang-format on */

SELECT(selp32_base, , lane32, lane_bit)
SELECT(selp32_wide, WIDE, lane32, lane_bit)
SELECT(selp64_base, , lane64, lane_bit64)
SELECT(selp64_wide, WIDE, lane64, lane_bit64)

/* a table */
/* clang-format off */
#define PREDICATE(id, expr)                                                    \
  static void id(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) { \
    uint32_t x = *(const lane32 *)ptx_src(op, w, 0);                           \
    uint32_t y = op->n_src > 1 ? *(const lane32 *)ptx_src(op, w, 1) : 0;       \
    (void)y;                                                                   \
    ptx_set_predicate(op, w, 0, mask, expr);                                   \
  }
/* clang-format on */

PREDICATE(mov_pred, x)
PREDICATE(and_pred, x &y)
PREDICATE(or_pred, x | y)
PREDICATE(xor_pred, x ^ y)
PREDICATE(not_pred, ~x)

/* a table */
/* clang-format off */
#define BOTH(key, type, signature, fn) \
  { key, type, signature, fn, fn }
const struct ptx_handler ptx_move_handlers[] = {BOTH("mov", T_B32, "tt", mov32),
                                                BOTH("mov", T_B64, "tt", mov64),
                                                BOTH("mov", T_PRED, "pp", mov_pred),
                                                BOTH("pack2", T_B16, "", pack2_b16),
                                                BOTH("pack2", T_B32, "", pack2_b32),
                                                BOTH("pack4", T_B32, "", pack4_b32),
                                                BOTH("pack2", T_B64, "", pack2_b64),
                                                BOTH("pack4", T_B64, "", pack4_b64),
                                                BOTH("unpack2", T_B16, "", unpack2_b16),
                                                BOTH("unpack2", T_B32, "", unpack2_b32),
                                                BOTH("unpack4", T_B32, "", unpack4_b32),
                                                BOTH("unpack2", T_B64, "", unpack2_b64),
                                                BOTH("unpack4", T_B64, "", unpack4_b64),
                                                {"selp", T_B32, "tttp", selp32_base, selp32_wide},
                                                {"selp", T_B64, "tttp", selp64_base, selp64_wide},
                                                BOTH("and.pred", T_PRED, "ppp", and_pred),
                                                BOTH("or.pred", T_PRED, "ppp", or_pred),
                                                BOTH("xor.pred", T_PRED, "ppp", xor_pred),
                                                BOTH("not.pred", T_PRED, "pp", not_pred),
                                                {0}};
/* clang-format on */

/* ---- special registers, traps, address windows ---- */

void ptx_exec_clock(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  bool wide = op->special == SPECIAL_CLOCK64 || op->special == SPECIAL_GLOBALTIMER || op->special == SPECIAL_GRIDID;
  bool high = op->special == SPECIAL_CLOCK_HI || op->special == SPECIAL_GLOBALTIMER_HI;
  bool grid = op->special == SPECIAL_GRIDID || op->special == SPECIAL_GRIDID_LOW;
  uint64_t value = grid ? 1 : high ? w->clock >> 32 : w->clock;
  for (uint32_t l = 0; l < WARP_LANES; l++) {
    if (!(mask >> l & 1)) continue;
    if (wide) ((lane64 *)ptx_dst(op, w, 0))[l] = value;
    else ((lane32 *)ptx_dst(op, w, 0))[l] = (uint32_t)value;
  }
}

void ptx_exec_trap(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  if (mask) ptx_fault(w, op, PTX_TRAPPED, __builtin_ctz(mask));
}

void ptx_exec_isspacep(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const lane64 *a = ptx_src(op, w, 0);
  uint32_t result = 0;
  for (uint32_t l = 0; l < WARP_LANES; l++) {
    bool shared = a[l] >= GENERIC_SHARED_BASE && a[l] < GENERIC_SHARED_END;
    bool local = a[l] >= GENERIC_LOCAL_BASE && a[l] < GENERIC_LOCAL_END;
    bool param = a[l] >= GENERIC_PARAM_BASE && a[l] < GENERIC_PARAM_END;
    bool is = op->window == PTX_SHARED  ? shared
              : op->window == PTX_PARAM ? param
              : op->window == PTX_LOCAL ? local
                                        : op->window == PTX_GLOBAL && !shared && !local && !param;
    result |= (uint32_t)is << l;
  }
  ptx_set_predicate(op, w, 0, mask, result);
}
