/* SPDX-License-Identifier: Apache-2.0 */
/* Who may send where: a network shows which inputs ask for which free outputs, the allocator grants each output to at most
 * one of them. One file a policy. A crossbar has one allocator, a network of routers one a router. */
#ifndef TANDEM_NOC_ALLOCATOR_H
#define TANDEM_NOC_ALLOCATOR_H

#include <stdbool.h>
#include <stdint.h>

struct block_factory;
struct err;

enum { ALLOCATOR_NONE = 0xffff };

/* What a head packet shows to the allocator: policies may compare rows (Yuan 2009, 4.3) or classes. */
struct packet_key {
  uint16_t row;  /* low 12 bits of the DRAM row */
  uint8_t bank;  /* of its channel */
  uint8_t mc;    /* memory controller: destination of a request, source of a reply; static virtual channels go by it */
  uint8_t class; /* of the packet, for policies that tell packets apart by it */
};

/* One cycle. Bit sets are arrays of 64-bit words, lowest bit first. */
struct allocation {
  uint32_t n_in, n_out;
  uint32_t in_words, out_words;
  const uint64_t *asks; /* [n_out][in_words]: inputs whose head packet wants the output; valid where `open` is set */
  const uint64_t *open; /* [out_words]: outputs that are asked for, idle and have room */
  const uint64_t
    *idle; /* [out_words]: outputs that are idle and have room, asked for or not; only for policies with `busy` */
  const struct packet_key *keys; /* [n_in]: of the head packet of each asking input */
  uint16_t *grant;               /* [n_out]: input, written for each open output, or ALLOCATOR_NONE */
};

struct allocator_config {
  uint32_t n_in, n_out;
  const char *path;              /* of the instance: noc.req.alloc */
  struct block_factory *factory; /* NULL: the C engine */
  const uint64_t *now;           /* cycle counter of its clock domain */
  uint64_t *held;                /* counter of grants that were held; NULL: nobody counts */
  uint32_t hash_bits, max_hold, grace, seed;
  uint32_t banks, controllers; /* of DRAM; controllers behind one output of a router: 1 in a crossbar */
};

struct allocator_ops {
  const char *name;
  void *(*create)(const struct allocator_config *, struct err *); /* NULL: *err says why */
  void (*destroy)(void *);                                        /* NULL is fine */
  void (*allocate)(void *, const struct allocation *);
  /* An allocation without requests would change something: it must be made in the next cycle. NULL: never. */
  bool (*busy)(const void *);
  bool holds;         /* an input prefers the packet whose output it was granted last */
  bool compares_rows; /* it reads keys: an input of a router offers one packet a cycle */
};

/* Each output takes the asking inputs in turn; an input with a single queue asks for one output only. */
extern const struct allocator_ops allocator_round_robin;
/* PIM with a uniform random choice. */
extern const struct allocator_ops allocator_pim_uniform;
/* Blocks: hold_grant_alloc in its modes (Yuan 2009, 4.3), islip_alloc, and matrix_alloc of at most 8 x 8 ports. */
extern const struct allocator_ops allocator_pim, allocator_hg, allocator_rmhg, allocator_hmhg, allocator_islip,
  allocator_matrix;

/* By the value of noc.allocator. */
const struct allocator_ops *allocator_of(int64_t allocator);

#endif
