/* SPDX-License-Identifier: Apache-2.0 */
/* The links between modules: a network of routers, one a module (noc/network.h), with a clock of its own. A link moves a flit a link
 * cycle in each direction. Requests and replies share it, each on virtual channels of their own, so that replies never wait for
 * requests. What leaves a crossbar for another module waits in the crossbar's output, goes over the links, and enters the other module's
 * crossbar by the input of its slice's number. A module has as many places to enter and leave the links as it has slices, but at most
 * GATES_MOST; a slice's packets use that of its number, so they stay in order.
 *
 * With one clock for all, an unloaded packet of F flits enters the second crossbar 6 + hops * numa.hop + F - 1 cycles after it has
 * arrived at the output of the first one: it leaves that one at the next edge, and is sent to the first router at the next; a cycle
 * later it is there, and moves on in the next; two cycles take it from the last router out of the links.
 *
 * The links are executed at the edges of the interconnect: at each the link edges up to its tick, then what has come from the
 * crossbars enters. assumption: nothing is lost between a crossbar and a link but these edges. */
#ifndef TANDEM_MEM_LINKS_H
#define TANDEM_MEM_LINKS_H

#include "config/counters.h"
#include "config/gpu_config.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct clocks;
struct err;
struct links;
struct networks;

struct links_config {
  const struct gpu_config *gpu, *module; /* all of it; what one module has */
  const struct clocks *clocks;
  struct networks *noc; /* of each module */
  struct memory_counters *counters;
};

/* NULL: *e says why. At least two modules. */
struct links *links_create(const struct links_config *, struct err *);
void links_destroy(struct links *);
void links_cycle(struct links *); /* at an edge of the interconnect, after those of the crossbars */
/* Tick before which no edge of the interconnect can change anything; `soon` or before it: any such, which is the same. */
uint64_t links_wake(const struct links *, uint64_t soon);
void links_set_exhaustive(struct links *, bool);
void links_describe(const struct links *, FILE *);

#endif
