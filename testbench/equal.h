/* SPDX-License-Identifier: Apache-2.0 */
/* Invariants of a block's state, for the proof that C model and RTL are equal (scripts/prove --equal). A file
 * testbench/F/B_equal.c includes the model and defines them; the manifest's `invariants:` names each with a sentence.
 * The proof assumes them before a tick and shows them after it and after a reset, so they hold in every state that can be
 * reached. They are written on the C state; registers of the RTL are equal to it wherever they count. */
#ifndef TANDEM_TESTBENCH_EQUAL_H
#define TANDEM_TESTBENCH_EQUAL_H

#include <stdbool.h>

/* Defines the invariant NAME of block B as a function of `cfg` and `s`, the state. */
#define INVARIANT(B, NAME)                                                     \
  bool B##_holds_##NAME(const struct B##_cfg *cfg, const struct B##_state *s); \
  bool B##_holds_##NAME(const struct B##_cfg *cfg, const struct B##_state *s)

/* Works out the fields of the C state `s` that repeat others. The proof shows that they always have these values. */
#define DERIVED(B)                                                 \
  void B##_derive(const struct B##_cfg *cfg, struct B##_state *s); \
  void B##_derive(const struct B##_cfg *cfg, struct B##_state *s)

#endif
