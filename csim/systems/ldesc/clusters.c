/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/ldesc/clusters.h"

#include <stdbool.h>
#include <string.h>

enum { AXES = 3 };

static uint32_t pieces(uint32_t whole, uint32_t size) { return whole / size + (whole % size ? 1 : 0); }

static uint64_t index_of(const uint32_t n[3], const uint32_t at[3]) {
  return ((uint64_t)at[2] * n[1] + at[1]) * n[0] + at[0];
}

uint32_t ldesc_clusters_module(const struct ldesc_clusters_in *c, const uint32_t size[3], const uint32_t at[3]) {
  uint32_t first[3] = {at[0] * size[0], at[1] * size[1], at[2] * size[2]};
  return c->module_of ? c->module_of[index_of(c->grid, first)] : 0;
}

/* Whether all CTAs of the box have the module of its first one. */
static bool is_pure(const struct ldesc_clusters_in *c, const uint32_t size[3], const uint32_t at[3]) {
  uint32_t end[3], x[3];
  uint8_t module = (uint8_t)ldesc_clusters_module(c, size, at);
  for (int d = 0; d < AXES; d++) {
    uint64_t behind = ((uint64_t)at[d] + 1) * size[d];
    end[d] = behind < c->grid[d] ? (uint32_t)behind : c->grid[d];
  }
  for (x[2] = at[2] * size[2]; x[2] < end[2]; x[2]++)
    for (x[1] = at[1] * size[1]; x[1] < end[1]; x[1]++) {
      x[0] = at[0] * size[0];
      for (const uint8_t *row = &c->module_of[index_of(c->grid, x)]; x[0] < end[0]; x[0]++)
        if (*row++ != module) return false;
    }
  return true;
}

void ldesc_clusters_count(const struct ldesc_clusters_in *c, const uint32_t size[3], uint64_t of[CLUSTERS_MODULES],
                          uint64_t *mixed) {
  uint32_t n[3], at[3];
  memset(of, 0, CLUSTERS_MODULES * sizeof *of);
  *mixed = 0;
  for (int d = 0; d < AXES; d++) n[d] = pieces(c->grid[d], size[d]);
  if (!c->module_of) {
    of[0] = (uint64_t)n[0] * n[1] * n[2];
    return;
  }
  for (at[2] = 0; at[2] < n[2]; at[2]++)
    for (at[1] = 0; at[1] < n[1]; at[1]++)
      for (at[0] = 0; at[0] < n[0]; at[0]++) {
        bool pure = is_pure(c, size, at);
        *mixed += !pure;
        of[ldesc_clusters_module(c, size, at)] += pure;
      }
}

/* Whether each module that has CTAs has a cluster for each of its SMs, and no cluster is of two modules. */
static bool is_enough(const struct ldesc_clusters_in *c, const uint32_t size[3]) {
  uint64_t of[CLUSTERS_MODULES], mixed;
  ldesc_clusters_count(c, size, of, &mixed);
  for (int m = 0; m < CLUSTERS_MODULES; m++)
    if (of[m] && of[m] < c->sms) return false;
  return !mixed;
}

static void divide(uint32_t size[3]) {
  int largest = 0;
  for (int d = 1; d < AXES; d++)
    if (size[d] > size[largest]) largest = d;
  size[largest] -= size[largest] / 2;
}

void ldesc_clusters_form(const struct ldesc_clusters_in *c, uint32_t size[3]) {
  for (int d = 0; d < AXES; d++) size[d] = 1;
  for (uint32_t i = 0; i < c->n; i++) {
    uint32_t tile[3], merged[3];
    memcpy(tile, c->ctas[i], sizeof tile);
    while (!is_enough(c, tile) && (tile[0] > 1 || tile[1] > 1 || tile[2] > 1)) divide(tile);
    for (int d = 0; d < AXES; d++) merged[d] = size[d] * (tile[d] / size[d] ? tile[d] / size[d] : 1);
    if (!i) memcpy(size, tile, sizeof tile);
    else if (is_enough(c, merged)) memcpy(size, merged, sizeof merged);
  }
}
