/* SPDX-License-Identifier: Apache-2.0 */
/* The request and the reply network of a GPU configuration. */
#ifndef TANDEM_MEM_NETWORKS_H
#define TANDEM_MEM_NETWORKS_H

#include <stdbool.h>

struct block_factory;
struct clocks;
struct err;
struct gpu_config;
struct memory_counters;

struct networks {
  struct network *request, *reply;
  bool rows; /* the request network's allocator compares rows: keys must have them */
};

/* True, or *e says why not; destroy in either case. `m` is one that gpu_config_check accepts. `dispatcher`: the inputs of the request
 * network after those of the SMs are CTA dispatch's, one for each slice. */
bool networks_create(struct networks *, const struct gpu_config *m, const struct clocks *, struct block_factory *,
                     bool dispatcher, struct memory_counters *, struct err *);
void networks_destroy(struct networks *);

#endif
