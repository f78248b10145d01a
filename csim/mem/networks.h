/* SPDX-License-Identifier: Apache-2.0 */
/* The request and the reply network of a GPU configuration. */
#ifndef TANDEM_MEM_NETWORKS_H
#define TANDEM_MEM_NETWORKS_H

#include <stdbool.h>
#include <stdint.h>

struct block_factory;
struct clocks;
struct err;
struct gpu_config;
struct memory_counters;

struct networks {
  struct network *request, *reply;
  char name[2][24]; /* paths of the instances */
  bool rows;        /* the request network's allocator compares rows: keys must have them */
};

/* What is joined to the networks beside SMs and slices. */
struct networks_ends {
  bool dispatcher; /* CTA dispatch */
  bool links;      /* other modules; not with a dispatcher */
  uint32_t module; /* of these networks */
};

/* True, or *e says why not; destroy in either case. `m`, of one module, is one that gpu_config_check accepts. The request network has
 * its SMs as inputs, and behind them one for each slice, of CTA dispatch or of the links; its outputs are the slices, and behind
 * them, with links, one for what each slice of another module gets. The reply network has the same the other way round. */
bool networks_create(struct networks *, const struct gpu_config *m, const struct clocks *, struct block_factory *,
                     const struct networks_ends *, struct memory_counters *, struct err *);
void networks_destroy(struct networks *);

#endif
