/* SPDX-License-Identifier: Apache-2.0 */
/* What a copy of the process costs a run: the fork, and afterwards each page that the run writes, which the host has to copy first. The second
 * is most of it, and differs between hosts by a factor of a hundred, so that it is measured. */
#ifndef TANDEM_RUN_SNAPSHOT_COST_H
#define TANDEM_RUN_SNAPSHOT_COST_H

#include <stdbool.h>
#include <stdint.h>

struct snapshot_cost {
  double page_seconds; /* of one page; 0: not measured yet */
  double forks;        /* seconds in forks */
  uint32_t taken;
  uint64_t faults; /* page faults of the process before the first copy */
};

/* Measures what a page costs on this host, once; 64 pages are written for it. */
void snapshot_cost_measure(struct snapshot_cost *);
/* Seconds of processor time that `copies` copies take. Until there is one, its pages are estimated; later they are those of the copies before. */
double snapshot_cost_of(const struct snapshot_cost *, uint32_t copies);
/* A copy was made; its fork took so many seconds. */
void snapshot_cost_add(struct snapshot_cost *, double seconds);

#endif
