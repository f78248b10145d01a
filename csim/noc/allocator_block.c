/* SPDX-License-Identifier: Apache-2.0 */
/* Allocators that are blocks: the C model, the Verilog or both behind the handle. */
#include "base/block.h"
#include "base/err.h"
#include "hold_grant_alloc_ports.h"
#include "noc/allocator.h"

#include <stdlib.h>
#include <string.h>

enum { PAIRS = 256, WORDS = PAIRS / 32, ROW_BITS = 12, MC_BITS = 3 };
enum { MODE_PIM, MODE_HG, MODE_RMHG, MODE_HMHG };

/* Input bit i * n_out + o of a matrix. */
struct place {
  uint8_t in, out;
};

struct hold_alloc {
  struct block *block;
  uint32_t n_out, bank_bits;
  bool rows, holds;
  uint64_t *held;
  struct place place[PAIRS];
};

static struct block *make(const struct block_desc *desc, const struct allocator_config *c, const int32_t *params,
                          struct err *e) {
  return c->factory ? c->factory->create(c->factory, desc, c->path, params, c->now, e)
                    : block_create_c(desc, c->path, params, c->now, true, e);
}

static void hold_destroy(void *self) {
  struct hold_alloc *h = self;
  if (h && h->block) block_destroy(h->block);
  free(h);
}

/* Parameters that a mode does not use keep one value: fewer different circuits are translated. */
static void *hold_create(const struct allocator_config *c, int32_t mode, struct err *e) {
  struct hold_alloc *h = calloc(1, sizeof *h);
  bool holds = mode != MODE_PIM;
  struct hold_grant_alloc_cfg cfg = {.I = (int32_t)c->n_in,
                                     .O = (int32_t)c->n_out,
                                     .MODE = mode,
                                     .HW = mode == MODE_HMHG ? (int32_t)c->hash_bits : 4,
                                     .NB = mode == MODE_RMHG ? (int32_t)c->banks : 4,
                                     .SEED = (int32_t)c->seed,
                                     .MAXHOLD = holds ? (int32_t)c->max_hold : 0,
                                     .GRACE = holds ? (int32_t)c->grace : 0,
                                     .MCS = mode == MODE_RMHG ? (int32_t)c->controllers : 1};
  if (!h) {
    err_set(e, ERR_LIMIT, "out of memory for an allocator");
    return NULL;
  }
  if (c->n_in * c->n_out > PAIRS) {
    err_set(e, ERR_VALUE, "%s: hold_grant_alloc has at most %d pairs of input and output; %u x %u ports", c->path,
            PAIRS, c->n_in, c->n_out);
    free(h);
    return NULL;
  }
  h->block = make(block_find("hold_grant_alloc"), c, &cfg.I, e);
  if (!h->block) {
    free(h);
    return NULL;
  }
  h->n_out = c->n_out;
  h->bank_bits = block_bits((uint32_t)cfg.NB);
  h->rows = mode >= MODE_RMHG;
  h->holds = holds;
  h->held = holds ? c->held : NULL;
  for (uint32_t k = 0; k < c->n_in * c->n_out; k++)
    h->place[k] = (struct place){(uint8_t)(k / c->n_out), (uint8_t)(k % c->n_out)};
  return h;
}

/* Writes `bits` bits of a flat vector. */
static inline void put(uint32_t *flat, uint32_t at, uint32_t bits, uint32_t value) {
  uint64_t mask = ((UINT64_C(1) << bits) - 1) << at % 32, x = (uint64_t)value << at % 32;
  flat[at / 32] = (flat[at / 32] & ~(uint32_t)mask) | (uint32_t)x;
  if (mask >> 32) flat[at / 32 + 1] = (flat[at / 32 + 1] & ~(uint32_t)(mask >> 32)) | (uint32_t)(x >> 32);
}

static void show_rows(const struct hold_alloc *h, const struct allocation *a, uint64_t asking) {
  struct hold_grant_alloc_in *in = h->block->in;
  for (; asking; asking &= asking - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(asking);
    put(in->row, i * ROW_BITS, ROW_BITS, a->keys[i].row);
    put(in->bank, i * h->bank_bits, h->bank_bits, a->keys[i].bank);
    put(in->mc, i * MC_BITS, MC_BITS, a->keys[i].mc & ((1U << MC_BITS) - 1));
  }
}

static void hold_allocate(void *self, const struct allocation *a) {
  struct hold_alloc *h = self;
  struct hold_grant_alloc_in *in = h->block->in;
  const struct hold_grant_alloc_out *out = h->block->out;
  uint64_t asking = 0;
  memset(in->req, 0, sizeof in->req);
  for (uint64_t open = a->open[0]; open; open &= open - 1) {
    uint32_t o = (uint32_t)__builtin_ctzll(open);
    a->grant[o] = ALLOCATOR_NONE;
    asking |= a->asks[o];
    for (uint64_t asks = a->asks[o]; asks; asks &= asks - 1) {
      uint32_t at = (uint32_t)__builtin_ctzll(asks) * h->n_out + o;
      in->req[at / 32] |= 1U << at % 32;
    }
  }
  in->out_free = (uint32_t)(h->holds ? a->idle[0] : a->open[0]);
  in->adv = 1;
  if (h->rows) show_rows(h, a, asking);
  block_eval(h->block);
  if (out->grant_valid)
    for (uint32_t w = 0; w < WORDS; w++)
      for (uint32_t bits = out->grant[w]; bits; bits &= bits - 1) {
        const struct place *p = &h->place[w * 32 + (uint32_t)__builtin_ctz(bits)];
        a->grant[p->out] = p->in;
      }
  if (h->held && out->grant_valid)
    for (uint32_t w = 0; w < WORDS; w++) *h->held += (uint32_t)__builtin_popcount(out->hold_hit[w]);
  block_tick(h->block);
}

/* A pair may be held after this cycle. */
static bool hold_busy(const void *self) {
  const struct hold_alloc *h = self;
  const struct hold_grant_alloc_out *out = h->block->out;
  return out->busy || out->grant_valid;
}

static void *pim_create(const struct allocator_config *c, struct err *e) { return hold_create(c, MODE_PIM, e); }
static void *hg_create(const struct allocator_config *c, struct err *e) { return hold_create(c, MODE_HG, e); }
static void *rmhg_create(const struct allocator_config *c, struct err *e) { return hold_create(c, MODE_RMHG, e); }
static void *hmhg_create(const struct allocator_config *c, struct err *e) { return hold_create(c, MODE_HMHG, e); }

const struct allocator_ops allocator_pim = {
  .name = "pim", .create = pim_create, .destroy = hold_destroy, .allocate = hold_allocate};
const struct allocator_ops allocator_hg = {.name = "hg",
                                           .create = hg_create,
                                           .destroy = hold_destroy,
                                           .allocate = hold_allocate,
                                           .busy = hold_busy,
                                           .holds = true};
const struct allocator_ops allocator_rmhg = {.name = "rmhg",
                                             .create = rmhg_create,
                                             .destroy = hold_destroy,
                                             .allocate = hold_allocate,
                                             .busy = hold_busy,
                                             .holds = true,
                                             .compares_rows = true};
const struct allocator_ops allocator_hmhg = {.name = "hmhg",
                                             .create = hmhg_create,
                                             .destroy = hold_destroy,
                                             .allocate = hold_allocate,
                                             .busy = hold_busy,
                                             .holds = true,
                                             .compares_rows = true};
