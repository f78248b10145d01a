/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters of CTAs (Vijaykumar 2019, 3.4.3, algorithm 1): boxes of the grid, each of which runs on one SM. Pure.
 *
 * assumption, where the algorithm is silent: the number of C-Tiles of a size counts those that the grid cuts; a C-Tile is divided
 * along its largest axis, of equals x before y before z, and the larger half stays.
 *
 * With several modules the algorithm works inside each module's CTAs with its SMs. assumption: all modules have the same size of
 * clusters; the modules' SMs have enough clusters if those of the module with the fewest clusters have; a cluster has CTAs of one module
 * only: C-Tiles are divided until that holds, and merged ones for which it does not hold are refused. */
#ifndef TANDEM_SYSTEMS_LDESC_CLUSTERS_H
#define TANDEM_SYSTEMS_LDESC_CLUSTERS_H

#include <stdint.h>

enum { CLUSTERS_MODULES = 4 };

struct ldesc_clusters_in {
  uint32_t grid[3];
  uint32_t sms; /* of a module */
  uint32_t n;   /* C-Tiles, by the priority of their descriptors, highest first */
  const uint32_t (*ctas)[3];
  const uint8_t *module_of; /* of each CTA, x first; NULL: there is one module */
};

/* n = 0: single CTAs. */
void ldesc_clusters_form(const struct ldesc_clusters_in *, uint32_t size[3]);

/* Clusters of `size` in each module; those with CTAs of several modules count as `*mixed`. */
void ldesc_clusters_count(const struct ldesc_clusters_in *, const uint32_t size[3], uint64_t of[CLUSTERS_MODULES],
                          uint64_t *mixed);

/* The module of the cluster at (x, y, z) clusters; its CTAs have the same. */
uint32_t ldesc_clusters_module(const struct ldesc_clusters_in *, const uint32_t size[3], const uint32_t at[3]);

#endif
