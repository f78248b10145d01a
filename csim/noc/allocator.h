/* SPDX-License-Identifier: Apache-2.0 */
/* Who may send where: the crossbar shows which inputs ask for which free outputs, the allocator grants each output to at
 * most one of them. One file a policy. */
#ifndef TANDEM_NOC_ALLOCATOR_H
#define TANDEM_NOC_ALLOCATOR_H

#include <stdint.h>

struct mem_request;

enum { ALLOCATOR_NONE = 0xffff };

/* One cycle. Bit sets are arrays of 64-bit words, lowest bit first. */
struct allocation {
  uint32_t n_in, n_out;
  uint32_t in_words, out_words;
  const uint64_t *asks; /* [n_out][in_words]: inputs whose head packet wants the output; valid where `open` is set */
  const uint64_t *open; /* [out_words]: outputs that are asked for, idle and have room */
  const struct mem_request *const *heads; /* [n_in]: head packet of each asking input */
  uint16_t *grant;                        /* [n_out]: input, written for each open output, or ALLOCATOR_NONE */
};

struct allocator_ops {
  const char *name;
  void *(*create)(uint32_t n_in, uint32_t n_out); /* NULL: out of memory; freed with free() */
  void (*allocate)(void *, const struct allocation *);
};

/* Each output takes the asking inputs in turn; an input with a single queue asks for one output only. */
extern const struct allocator_ops allocator_round_robin;

#endif
