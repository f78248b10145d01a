/* SPDX-License-Identifier: Apache-2.0 */
/* mbarrier objects: 64 bits of shared memory each, which count the arrivals of a phase and the bytes that it still expects. PTX leaves
 * the layout open; here: arrivals that are pending, arrivals that each phase expects, bytes, whether it is initialised, phase. A phase
 * is complete when neither arrivals nor bytes are pending; the next one then begins. */
#include "ptx/lane_loop.h"

enum { COUNT_BITS = 20, BYTES_BITS = 22, COUNT_MAX = MBARRIER_COUNT_MAX };

struct mbarrier {
  uint32_t pending, expected;
  int32_t bytes; /* expected and not yet complete; negative while completions are ahead */
  bool valid, phase;
};

static struct mbarrier unpack(uint64_t word) {
  return (struct mbarrier){.pending = (uint32_t)word & COUNT_MAX,
                           .expected = (uint32_t)(word >> COUNT_BITS) & COUNT_MAX,
                           .bytes =
                             (int32_t)((int64_t)(word << (64 - 2 * COUNT_BITS - BYTES_BITS)) >> (64 - BYTES_BITS)),
                           .valid = word >> 62 & 1,
                           .phase = word >> 63};
}

static uint64_t pack(const struct mbarrier *b) {
  uint64_t bytes = (uint64_t)(int64_t)b->bytes & ((UINT64_C(1) << BYTES_BITS) - 1);
  uint64_t flags = (b->valid ? UINT64_C(1) << 62 : 0) | (b->phase ? UINT64_C(1) << 63 : 0);
  return b->pending | (uint64_t)b->expected << COUNT_BITS | bytes << 2 * COUNT_BITS | flags;
}

static void complete(struct mbarrier *b) {
  if (b->pending || b->bytes) return;
  b->phase = !b->phase;
  b->pending = b->expected;
}

/* The operation of one lane on an object; false after a fault. `n`: its count, bytes, parity. */
static bool operate(const struct ptx_op *op, struct ptx_warp *w, uint32_t lane, struct mbarrier *b, uint32_t n) {
  const enum ptx_mbarrier kind = (enum ptx_mbarrier)op->memory.mbarrier.kind;
  bool drops = kind == MBARRIER_ARRIVE_DROP || kind == MBARRIER_DROP_EXPECT;
  bool expects = kind == MBARRIER_EXPECT || kind == MBARRIER_ARRIVE_EXPECT || kind == MBARRIER_DROP_EXPECT;
  if (kind == MBARRIER_INIT) {
    *b = (struct mbarrier){.pending = n, .expected = n, .valid = true};
    if (n && n <= COUNT_MAX) return true;
    ptx_fault(w, op, PTX_MBARRIER_COUNT, lane, .bytes = n, .limit = COUNT_MAX);
    return false;
  }
  if (expects) b->bytes += (int32_t)n;
  if (kind == MBARRIER_COMPLETE) b->bytes -= (int32_t)n;
  if (kind == MBARRIER_INVAL) *b = (struct mbarrier){.valid = false};
  if (kind == MBARRIER_ARRIVE || drops || kind == MBARRIER_ARRIVE_EXPECT) {
    uint32_t arrivals = expects ? 1 : n;
    if (arrivals > b->pending || (drops && arrivals > b->expected)) {
      ptx_fault(w, op, PTX_MBARRIER_ARRIVALS, lane, .bytes = arrivals, .limit = b->pending);
      return false;
    }
    b->pending -= arrivals;
    if (drops) b->expected -= arrivals;
  }
  if (b->valid && kind != MBARRIER_EXPECT && kind < MBARRIER_WAIT) complete(b);
  return true;
}

static void one_lane(const struct ptx_op *op, struct ptx_warp *w, uint32_t l, uint8_t *at) {
  const enum ptx_mbarrier kind = (enum ptx_mbarrier)op->memory.mbarrier.kind;
  uint64_t old, operand = 1;
  memcpy(&old, at, sizeof old);
  if (kind == MBARRIER_WAIT) operand = ((const lane64 *)ptx_src(op, w, 1))[l];
  else if (op->n_src > 1) operand = ((const lane32 *)ptx_src(op, w, 1))[l];
  struct mbarrier b = unpack(old);
  if (kind == MBARRIER_WAIT || kind == MBARRIER_WAIT_PARITY) {
    bool waited = kind == MBARRIER_WAIT ? operand >> 63 : operand & 1; /* the phase it waits for */
    ptx_set_predicate(op, w, 0, 1u << l, waited != b.phase ? UINT32_MAX : 0);
  }
  if (!b.valid && kind != MBARRIER_INIT) {
    ptx_fault(w, op, PTX_NO_MBARRIER, l);
    return;
  }
  if (kind >= MBARRIER_WAIT || !operate(op, w, l, &b, (uint32_t)operand)) return;
  if (op->n_dst) ((lane64 *)ptx_dst(op, w, 0))[l] = old;
  old = pack(&b);
  memcpy(at, &old, sizeof old);
}

void ptx_mbarrier(const struct ptx_op *op, struct ptx_warp *w, const struct ptx_access *a, uint8_t *const *at) {
  for (uint32_t mask = a->mask; mask && !w->fault.kind; mask &= mask - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(mask);
    if (a->space == PTX_SHARED) one_lane(op, w, l, at[l]);
    else ptx_fault(w, op, PTX_NO_MBARRIER, l);
  }
}

void ptx_exec_pending_count(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const lane64 *s = ptx_src(op, w, 0);
  for (; mask; mask &= mask - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(mask);
    ((lane32 *)ptx_dst(op, w, 0))[l] = unpack(s[l]).pending;
  }
}
