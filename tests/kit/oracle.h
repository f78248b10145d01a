/* SPDX-License-Identifier: Apache-2.0 */
/* An oracle is a second, naive description of a block: lists and loops over rows, columns and ages, written from the paper
 * and the block's contract. It shares no code and no bit trick with the C model. */
#ifndef TANDEM_TESTS_KIT_ORACLE_H
#define TANDEM_TESTS_KIT_ORACLE_H

#include "block/block.h"

struct oracle {
  size_t state_bytes;
  void (*reset)(const void *cfg, void *state);
  /* Outputs of this cycle, from the state and the inputs that are not sampled at the clock edge. */
  void (*eval)(const void *cfg, const void *state, const void *in, void *out);
  /* Ends the cycle; `out` holds the oracle's own outputs. */
  void (*tick)(const void *cfg, void *state, const void *in, const void *out);
};

/* Defines B_oracle from B_naive_reset, B_naive_eval and B_naive_tick over struct B_naive. */
#define ORACLE(B)                                                                              \
  static void B##_erased_reset(const void *cfg, void *state) { B##_naive_reset(cfg, state); }  \
  static void B##_erased_eval(const void *cfg, const void *state, const void *in, void *out) { \
    B##_naive_eval(cfg, state, in, out);                                                       \
  }                                                                                            \
  static void B##_erased_tick(const void *cfg, void *state, const void *in, const void *out) { \
    B##_naive_tick(cfg, state, in, out);                                                       \
  }                                                                                            \
  const struct oracle B##_oracle = {.state_bytes = sizeof(struct B##_naive),                   \
                                    .reset = B##_erased_reset,                                 \
                                    .eval = B##_erased_eval,                                   \
                                    .tick = B##_erased_tick}

extern const struct oracle hold_grant_alloc_oracle, xmem_alb_oracle, bkconf_history_cache_oracle, teleport_tags_oracle;

/* Drives the C model and the oracle with the same random inputs, now and then a reset, and compares every output in every
 * cycle, over all parameter sets of the manifest's sweep. Prints the seed; fails the test at the first difference. */
void assert_oracle_agrees(const struct block_desc *, const struct oracle *, uint64_t seed, uint32_t cycles);

#endif
