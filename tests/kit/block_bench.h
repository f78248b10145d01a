/* SPDX-License-Identifier: Apache-2.0 */
/* The bench for one block: its C model with the ports and parameters of the manifest.
 *
 *   #include "rr_arb_ports.h"
 *   BLOCK_BENCH(rr_arb)
 *   ...
 *   struct bench b;
 *   bench_open(&b, (struct rr_arb_cfg){.N = 8});
 *   b.in.req = 0x0c;
 *   bench_cycle(&b);
 *   assert_int_equal(b.out.grant, 0x04);
 *   bench_close(&b);
 *
 * A test that needs more fields writes its own structure, with BENCH_FIELDS(B) in it, and then BENCH_FUNCTIONS(TAG, B). */
#ifndef TANDEM_TESTS_KIT_BLOCK_BENCH_H
#define TANDEM_TESTS_KIT_BLOCK_BENCH_H

#include "base/err.h"
#include "block/block.h"
#include "kit/test.h"

enum { BENCH_GARBAGE = 0xa5, BENCH_UNDRIVEN = 0xff };

/* `in` holds the inputs of the cycle being put together, `out` the outputs that were settled last. */
#define BENCH_FIELDS(B) \
  struct B##_cfg cfg;   \
  void *state;          \
  struct B##_in in;     \
  struct B##_out out

/* State for parameters that the manifest accepts. It holds garbage, so that a register without a reset shows. */
static inline void *bench_state(const struct block_desc *desc, const void *cfg) {
  struct err e;
  if (block_check_params(desc, cfg, &e)) fail_msg("%s", e.text);
  void *state = malloc(desc->model->state_bytes);
  assert_non_null(state);
  memset(state, BENCH_GARBAGE, desc->model->state_bytes);
  return state;
}

/* The functions of `struct S` around block B; NAMED_BENCH_FUNCTIONS has P for `bench`, where a test has a second bench:
 *   bench_open     zeroes the structure and resets the block
 *   bench_settle   computes the outputs; a field that the model does not drive holds ones
 *   bench_tick     ends the cycle after bench_settle; inputs sampled at the clock edge may change in between
 *   bench_cycle    both, and clears the inputs for the next cycle */
#define NAMED_BENCH_FUNCTIONS(P, S, B)                                                                              \
  __attribute__((unused)) static void P##_reset(struct S *b) { B##_model.reset(&b->cfg, b->state); }                \
  __attribute__((unused)) static void P##_open(struct S *b, struct B##_cfg cfg) {                                   \
    memset(b, 0, sizeof *b);                                                                                        \
    b->cfg = cfg;                                                                                                   \
    b->state = bench_state(&B##_desc, &b->cfg);                                                                     \
    P##_reset(b);                                                                                                   \
  }                                                                                                                 \
  __attribute__((unused)) static void P##_close(struct S *b) { free(b->state); }                                    \
  __attribute__((unused)) static void P##_settle(struct S *b) {                                                     \
    memset(&b->out, BENCH_UNDRIVEN, sizeof b->out);                                                                 \
    B##_model.eval(&b->cfg, b->state, &b->in, &b->out);                                                             \
  }                                                                                                                 \
  __attribute__((unused)) static void P##_tick(struct S *b) { B##_model.tick(&b->cfg, b->state, &b->in, &b->out); } \
  __attribute__((unused)) static const struct B##_out *P##_cycle(struct S *b) {                                     \
    P##_settle(b);                                                                                                  \
    P##_tick(b);                                                                                                    \
    memset(&b->in, 0, sizeof b->in);                                                                                \
    return &b->out;                                                                                                 \
  }                                                                                                                 \
  __attribute__((unused)) static struct B##_regs P##_regs(const struct S *b) {                                      \
    struct B##_regs regs;                                                                                           \
    B##_model.regs(&b->cfg, b->state, &regs);                                                                       \
    return regs;                                                                                                    \
  }                                                                                                                 \
  struct S

#define BENCH_FUNCTIONS(S, B) NAMED_BENCH_FUNCTIONS(bench, S, B)

#define BLOCK_BENCH(B) \
  struct bench {       \
    BENCH_FIELDS(B);   \
  };                   \
  BENCH_FUNCTIONS(bench, B)

#endif
