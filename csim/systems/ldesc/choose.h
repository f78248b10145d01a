/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of the descriptors of a launch (Vijaykumar 2019, 3.4.2, figure 17): rows of the policy table, clusters of CTAs, the zone
 * of each structure's parts. Pure.
 *
 *   type                                CTA clusters   insertion    prefetch
 *   inter-thread coaccessed regular     yes            normal       stride
 *                           irregular   yes            soft pin     none
 *                nearby                 yes            normal       next line
 *   intra-thread                        no             hard pin     none
 *   no reuse                            no             bypass       none
 *
 * With several modules, CTAs and pages of all types are divided among them (numa.h), and then clusters are formed in each.
 *
 * assumption: insertion is normal where the figure names none. Of two descriptors of one structure the higher priority has all of the row,
 * clusters and zones included. Of equal priorities the earlier descriptor is the higher one. */
#ifndef TANDEM_SYSTEMS_LDESC_CHOOSE_H
#define TANDEM_SYSTEMS_LDESC_CHOOSE_H

#include "systems/ldesc/numa.h"
#include "systems/ldesc/policy.h"

struct ldesc_choose_options {
  bool schedule, cache, prefetch, place; /* the techniques that are on */
  bool alone; /* prefetching and soft pins do not ask for the type (-Pref and -Cache of Vijaykumar 2019, 3.6.1) */
  bool soft_all_inter; /* all inter-thread structures are soft pinned (3.4.4 can be read so) */
  bool balance;        /* numa.h */
  uint32_t cluster[3]; /* CTAs of a cluster in place of algorithm 1's (3.2.1 tries 48 sizes); 0: by algorithm 1 */
};

struct ldesc_choose_in {
  uint32_t grid[3];
  uint32_t n; /* descriptors, the earliest first; they fit the grid, and one structure has one of each type */
  const struct ldesc_record *record;
  uint32_t sms, modules, page_bits;
  uint64_t l1_bytes;
  uint64_t local_base, local_limit; /* lines of local memory */
  struct ldesc_choose_options options;
};

struct ldesc_choice {
  uint32_t n; /* descriptors that count: by priority, highest first, one of each structure */
  const struct ldesc_record *record[LDESC_ROWS]; /* of ldesc_choose_in */
  struct ldesc_policy policy;
  bool divided;    /* among modules: the members below say how */
  bool too_large;  /* a grid beyond TILES_CTAS_MAX, or 65535 CTAs on an axis: neither clusters nor zones */
  uint32_t placed; /* structures that have a zone, by priority */
  const struct ldesc_record *place[LDESC_ROWS];
  struct ldesc_numa_choice numa;    /* of these */
  uint64_t clusters[LDESC_MODULES]; /* of each module; policy.clustered */
  struct ldesc_run *run;            /* of all modules; malloc */
};

/* False: the host has no memory left. */
bool ldesc_choose(const struct ldesc_choose_in *, struct ldesc_choice *);
void ldesc_choose_free(struct ldesc_choice *);

/* A row of the policy table. */
struct ldesc_row ldesc_choose_row(const struct ldesc_choose_in *, const struct ldesc_record *);
/* Bytes ahead for `active` C-Tiles on the SM (3.4.5): as many strides as D-Tiles of this width fill L1, 1 at least. */
uint32_t ldesc_choose_distance(uint64_t l1_bytes, uint64_t tile_width, uint32_t stride, uint32_t active);

#endif
