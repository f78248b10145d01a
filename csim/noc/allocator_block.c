/* SPDX-License-Identifier: Apache-2.0 */
/* Allocators that are blocks: the C model, the Verilog or both behind the handle. They share the ports req, out_free, adv, grant
 * and grant_valid; those that hold grants have hold_hit, those that compare rows row, bank and mc. */
#include "base/err.h"
#include "block/block.h"
#include "hold_grant_alloc_ports.h"
#include "noc/allocator.h"

#include <stdlib.h>
#include <string.h>

enum { PAIRS = 256, WORD_BITS = 32, ROW_BITS = 12, MC_BITS = 3 };
enum { MODE_PIM, MODE_HG, MODE_RMHG, MODE_HMHG };

/* Bit i * n_out + o of a matrix. */
struct place {
  uint8_t in, out;
};

/* Where the block's ports are. Vectors are words of 32 bits, lowest first. */
struct block_alloc {
  struct block *block;
  uint32_t n_out, words; /* of a matrix */
  uint32_t *req;
  const uint32_t *grant, *hold_hit; /* hold_hit: or NULL */
  const uint8_t *grant_valid, *busy;
  uint8_t *out_free;
  uint32_t out_free_bytes;
  uint32_t *row, *bank, *mc; /* NULL: rows are not compared */
  uint32_t bank_bits;
  uint64_t *held;
  struct place place[PAIRS];
};

static void *port_in(struct block_alloc *a, const char *name, uint32_t *bytes) {
  const struct block_desc *d = a->block->desc;
  const struct block_field *f = block_field_find(d->in, d->n_in, name);
  invariant(f, "%s has no input %s", d->name, name);
  if (bytes) *bytes = f->slot;
  return (uint8_t *)a->block->in + f->offset;
}

static const void *port_out(struct block_alloc *a, const char *name) {
  const struct block_desc *d = a->block->desc;
  const struct block_field *f = block_field_find(d->out, d->n_out, name);
  invariant(f, "%s has no output %s", d->name, name);
  return (const uint8_t *)a->block->out + f->offset;
}

static void alloc_destroy(void *self) {
  struct block_alloc *a = self;
  if (a) block_destroy(a->block);
  free(a);
}

static struct block_alloc *create(const char *block, const struct allocator_config *c,
                                  const struct block_setting *settings, size_t n, struct err *e) {
  const struct block_desc *desc = block_find(block);
  struct block_alloc *a = calloc(1, sizeof *a);
  if (!a) {
    err_set(e, ERR_LIMIT, "out of memory for an allocator");
    return NULL;
  }
  if (c->n_in * c->n_out > PAIRS)
    err_set(e, ERR_VALUE, "%s: %s has at most %d pairs of ports; %u x %u asked for", c->path, block, PAIRS, c->n_in,
            c->n_out);
  else a->block = block_make(c->factory, desc, c->path, settings, n, c->now, e);
  if (!a->block) {
    free(a);
    return NULL;
  }
  a->n_out = c->n_out;
  a->words = (c->n_in * c->n_out + 2 * WORD_BITS - 1) / (2 * WORD_BITS) * 2;
  a->req = port_in(a, "req", NULL);
  a->out_free = port_in(a, "out_free", &a->out_free_bytes);
  a->grant = port_out(a, "grant");
  a->grant_valid = port_out(a, "grant_valid");
  a->busy = port_out(a, "busy");
  *(uint8_t *)port_in(a, "adv", NULL) = 1; /* every grant counts */
  for (uint32_t k = 0; k < c->n_in * c->n_out; k++)
    a->place[k] = (struct place){(uint8_t)(k / c->n_out), (uint8_t)(k % c->n_out)};
  return a;
}

/* Writes `bits` bits of a flat vector. */
static inline void put(uint32_t *flat, uint32_t at, uint32_t bits, uint32_t value) {
  uint64_t mask = ((UINT64_C(1) << bits) - 1) << at % WORD_BITS, x = (uint64_t)value << at % WORD_BITS;
  flat += at / WORD_BITS;
  flat[0] = (flat[0] & ~(uint32_t)mask) | (uint32_t)x;
  if (mask >> WORD_BITS) flat[1] = (flat[1] & ~(uint32_t)(mask >> WORD_BITS)) | (uint32_t)(x >> WORD_BITS);
}

static void show_rows(const struct block_alloc *b, const struct allocation *a, uint64_t asking) {
  for (; asking; asking &= asking - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(asking);
    put(b->row, i * ROW_BITS, ROW_BITS, a->keys[i].row);
    put(b->bank, i * b->bank_bits, b->bank_bits, a->keys[i].bank);
    put(b->mc, i * MC_BITS, MC_BITS, a->keys[i].mc & ((1U << MC_BITS) - 1));
  }
}

static void alloc_allocate(void *self, const struct allocation *a) {
  struct block_alloc *b = self;
  uint64_t asking = 0;
  uint32_t out_free = (uint32_t)(b->hold_hit ? a->idle[0] : a->open[0]);
  for (uint32_t w = 0; w < b->words; w++) b->req[w] = 0;
  for (uint64_t open = a->open[0]; open; open &= open - 1) {
    uint32_t o = (uint32_t)__builtin_ctzll(open);
    a->grant[o] = ALLOCATOR_NONE;
    asking |= a->asks[o];
    for (uint64_t asks = a->asks[o]; asks; asks &= asks - 1) {
      uint32_t at = (uint32_t)__builtin_ctzll(asks) * b->n_out + o;
      b->req[at / WORD_BITS] |= 1U << at % WORD_BITS;
    }
  }
  if (b->out_free_bytes == sizeof out_free) memcpy(b->out_free, &out_free, sizeof out_free);
  else b->out_free[0] = (uint8_t)out_free;
  if (b->row) show_rows(b, a, asking);
  block_eval(b->block);
  if (*b->grant_valid)
    for (uint32_t w = 0; w < b->words; w += 2) { /* a pair at a time: matrices have an even number */
      for (uint64_t bits = b->grant[w] | (uint64_t)b->grant[w + 1] << WORD_BITS; bits; bits &= bits - 1) {
        const struct place *p = &b->place[w * WORD_BITS + (uint32_t)__builtin_ctzll(bits)];
        a->grant[p->out] = p->in;
      }
      if (b->held) *b->held += (uint32_t)(__builtin_popcount(b->hold_hit[w]) + __builtin_popcount(b->hold_hit[w + 1]));
    }
  block_tick(b->block);
}

/* A pair may be held after this cycle. */
static bool alloc_busy(const void *self) {
  const struct block_alloc *b = self;
  return *b->busy || *b->grant_valid;
}

/* ---- hold_grant_alloc ---- */

/* Parameters that a mode does not use keep one value: fewer different circuits are translated. */
static void *hold_create(const struct allocator_config *c, int32_t mode, struct err *e) {
  bool holds = mode != MODE_PIM, rows = mode == MODE_RMHG;
  uint32_t banks = rows ? c->banks : 4;
  const struct block_setting settings[] = {{"I", c->n_in},
                                           {"O", c->n_out},
                                           {"MODE", mode},
                                           {"HW", mode == MODE_HMHG ? c->hash_bits : 4},
                                           {"NB", banks},
                                           {"SEED", c->seed},
                                           {"MAXHOLD", holds ? c->max_hold : 0},
                                           {"GRACE", holds ? c->grace : 0},
                                           {"MCS", rows ? c->controllers : 1}};
  struct block_alloc *a = create("hold_grant_alloc", c, settings, sizeof settings / sizeof *settings, e);
  if (!a || !holds) return a;
  a->hold_hit = port_out(a, "hold_hit");
  a->held = c->held;
  if (mode == MODE_HG) return a;
  a->row = port_in(a, "row", NULL);
  a->bank = port_in(a, "bank", NULL);
  a->mc = port_in(a, "mc", NULL);
  a->bank_bits = block_bits(banks);
  return a;
}

static void *pim_create(const struct allocator_config *c, struct err *e) { return hold_create(c, MODE_PIM, e); }
static void *hg_create(const struct allocator_config *c, struct err *e) { return hold_create(c, MODE_HG, e); }
static void *rmhg_create(const struct allocator_config *c, struct err *e) { return hold_create(c, MODE_RMHG, e); }
static void *hmhg_create(const struct allocator_config *c, struct err *e) { return hold_create(c, MODE_HMHG, e); }

/* ---- for comparison ---- */

static void *islip_create(const struct allocator_config *c, struct err *e) {
  return create("islip_alloc", c, (struct block_setting[]){{"I", c->n_in}, {"O", c->n_out}}, 2, e);
}

static void *matrix_create(const struct allocator_config *c, struct err *e) {
  return create("matrix_alloc", c, (struct block_setting[]){{"I", c->n_in}, {"O", c->n_out}}, 2, e);
}

#define POLICY(NAME, ...)                         \
  const struct allocator_ops allocator_##NAME = { \
    .name = #NAME, .create = NAME##_create, .destroy = alloc_destroy, .allocate = alloc_allocate, __VA_ARGS__}
POLICY(pim, .busy = NULL);
POLICY(hg, .busy = alloc_busy, .holds = true);
POLICY(rmhg, .busy = alloc_busy, .holds = true, .compares_rows = true);
POLICY(hmhg, .busy = alloc_busy, .holds = true, .compares_rows = true);
POLICY(islip, .busy = NULL);
POLICY(matrix, .busy = NULL);
