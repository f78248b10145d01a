/* SPDX-License-Identifier: Apache-2.0 */
/* Where values lie (zorua.values = 1): in the physical sets and in the swap space, as the mapping tables name them. An operation has its
 * operands from there and leaves its results there; the warp's own registers and the CTA's shared memory are what it works with meanwhile.
 * Sets move with the manager's lines. So a table that names the wrong set gives a wrong result. */
#include "base/err.h"
#include "systems/zorua/zorua_internal.h"

#include <stdlib.h>
#include <string.h>

enum { PAIR = 2, LINES_OF_SET = ZORUA_SET_BYTES / ZORUA_LINE };
enum direction { TO_OPERATION, TO_SETS };

struct zorua_values {
  uint32_t registers[ZORUA_REGISTER_SETS][ZORUA_SET_LANE][WARP_LANES]; /* by physical set */
  uint8_t scratch[ZORUA_SCRATCH_SETS][ZORUA_SET_BYTES];
};

int zorua_values_make(struct zorua *z, struct err *e) {
  if (!z->p->values) return 0;
  z->values = calloc(1, sizeof *z->values);
  return z->values ? 0 : err_set(e, ERR_LIMIT, "the host has no memory left for the sets of %s", z->path);
}

/* Operations without an issue slot look up nothing, copies past the registers neither; a barrier's result comes when its set can have moved. */
int zorua_values_launch(const struct zorua *z, const struct ptx_kernel *k, struct err *e) {
  if (!z->values) return 0;
  for (uint32_t i = 0; i < k->n_ops; i++) {
    const struct ptx_op *op = &k->ops[i];
    bool late = op->class == PTX_BARRIER && op->n_dst, silent = !op->issue_slots && (op->n_src || op->n_dst);
    if (late || silent || op->class == PTX_ASYNC)
      return err_set(
        e, ERR_LIMIT,
        "kernel '%s', PTX line %u: zorua.values = 1 does not follow matrices, asynchronous copies and the results of "
        "barriers; leave it 0",
        k->name, op->line);
  }
  return 0;
}

static void *swap_at(const struct zorua *z, uint64_t address) {
  void *at = device_memory_at(z->sm.memory, address, ZORUA_LINE);
  invariant(at, "%s: the line at %#llx is not of the swap space", z->path, (unsigned long long)address);
  return at;
}

/* ---- operands ---- */

/* The 32 words of a register of warp `w`. */
static uint32_t *cell(const struct zorua *z, uint32_t w, uint32_t r) {
  const struct zorua_warp *warp = &z->warp[w];
  uint32_t set = r / ZORUA_SET_LANE;
  if (warp->swapped >> set & 1) return swap_at(z, zorua_register_line(z, w, r));
  return z->values->registers[warp->phys[set]][r % ZORUA_SET_LANE];
}

static void move_row(const struct zorua *z, uint32_t w, ptx_row row, struct ptx_warp *f, enum direction to) {
  const struct ptx_kernel *k = z->kernel;
  uint32_t n = (uint32_t)row - k->first_register;
  if (row < 0 || (uint32_t)row < k->first_register || n >= 2 * k->registers) return; /* of no set */
  uint32_t words = n < k->registers ? 1 : PAIR, first = n < k->registers ? n : n - k->registers;
  uint32_t *values = f->rows + (size_t)row * WARP_LANES;
  for (uint32_t i = 0; i < words; i++) {
    uint32_t *at = cell(z, w, first + i);
    for (uint32_t l = 0; l < WARP_LANES; l++)
      if (to == TO_OPERATION) values[l * words + i] = at[l];
      else at[l] = values[l * words + i];
  }
}

static uint8_t *line_of(const struct zorua *z, const struct zorua_warp *warp, uint32_t part, uint32_t line) {
  uint32_t set = warp->part[part].set;
  uint64_t logical = (uint64_t)warp->block * zorua_block_sets(z->config) + set;
  if (warp->parts_swapped >> part & 1) return swap_at(z, z->base[1] + (logical * LINES_OF_SET + line) * ZORUA_LINE);
  return &z->values->scratch[warp->parts_phys[part]][line * ZORUA_LINE];
}

static void move_parts(const struct zorua *z, const struct zorua_warp *warp, struct ptx_warp *f, enum direction to) {
  for (uint32_t i = 0; i < warp->n_parts; i++)
    for (uint32_t lines = warp->part[i].lines; lines; lines &= lines - 1) {
      uint32_t line = (uint32_t)__builtin_ctz(lines), from = warp->part[i].set * ZORUA_SET_BYTES + line * ZORUA_LINE;
      if (from >= f->cta->shared_bytes) continue; /* faults when it is performed */
      uint32_t left = f->cta->shared_bytes - from, bytes = left < ZORUA_LINE ? left : ZORUA_LINE;
      uint8_t *at = line_of(z, warp, i, line), *shared = f->cta->shared + from;
      if (to == TO_OPERATION) memcpy(shared, at, bytes);
      else memcpy(at, shared, bytes);
    }
}

/* Lanes that an operation does not write keep what they had, so results are read as well. */
void zorua_values_read(const struct zorua *z, uint32_t w, const struct ptx_op *op, struct ptx_warp *f) {
  const struct zorua_warp *warp = &z->warp[w];
  if (!z->values) return;
  for (uint32_t i = 0; i < op->n_src; i++) move_row(z, w, op->src[i], f, TO_OPERATION);
  for (uint32_t i = 0; i < op->n_dst; i++) move_row(z, w, op->dst[i], f, TO_OPERATION);
  if (warp->shared) move_parts(z, warp, f, TO_OPERATION);
}

void zorua_values_write(const struct zorua *z, uint32_t w, const struct ptx_op *op, struct ptx_warp *f) {
  const struct zorua_warp *warp = &z->warp[w];
  if (!z->values) return;
  for (uint32_t i = 0; i < op->n_dst; i++) move_row(z, w, op->dst[i], f, TO_SETS);
  if (warp->stores) move_parts(z, warp, f, TO_SETS);
}

/* ---- sets ---- */

/* A line of the set that moves; that of a warp's state holds no operand. */
void zorua_values_line(const struct zorua *z, const struct zorua_manager_out *out) {
  if (!z->values || out->at_kind > 1) return;
  uint32_t lines = out->at_kind ? LINES_OF_SET : ZORUA_SET_LANE, line = lines - out->left;
  void *set = out->at_kind ? (void *)&z->values->scratch[out->move_phys][line * ZORUA_LINE]
                           : (void *)z->values->registers[out->move_phys][line];
  void *swap = swap_at(z, out->line * ZORUA_LINE);
  if (out->spill) memcpy(swap, set, ZORUA_LINE);
  else memcpy(set, swap, ZORUA_LINE);
}
