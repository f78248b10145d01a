/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/ldesc/choose.h"

#include "systems/ldesc/clusters.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)NUMA_RECORDS == (int)LDESC_ROWS, "all descriptors may be divided among modules");
_Static_assert((int)CLUSTERS_MODULES == (int)LDESC_MODULES && (int)TILES_ZONES == (int)LDESC_MODULES,
               "a zone a module");

/* ---- the policy table ---- */

uint32_t ldesc_choose_distance(uint64_t l1_bytes, uint64_t tile_width, uint32_t stride, uint32_t active) {
  uint64_t strides = l1_bytes / (active * tile_width);
  uint64_t bytes = (strides ? strides : 1) * stride;
  return bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX; /* so far ahead lies outside of the structure anyhow */
}

static uint8_t insert_of(const struct ldesc_choose_options *o, const struct ldesc_record *r) {
  if (!o->cache) return LDESC_NORMAL;
  if (r->type == TYPE_NO_REUSE) return LDESC_BYPASS;
  if (r->type == TYPE_INTRA_THREAD) return LDESC_HARD;
  bool named = r->sharing == SHARING_COACCESSED && r->pattern == PATTERN_IRREGULAR;
  return named || o->soft_all_inter || o->alone ? LDESC_SOFT : LDESC_NORMAL;
}

static uint8_t prefetch_of(const struct ldesc_choose_options *o, const struct ldesc_record *r) {
  bool regular = r->pattern == PATTERN_REGULAR && r->stride;
  if (!o->prefetch) return LDESC_PREFETCH_OFF;
  if (o->alone) return regular ? LDESC_PREFETCH_STRIDE : LDESC_PREFETCH_NEXT;
  if (r->type != TYPE_INTER_THREAD) return LDESC_PREFETCH_OFF;
  if (r->sharing == SHARING_NEARBY) return LDESC_PREFETCH_NEXT;
  return regular ? LDESC_PREFETCH_STRIDE : LDESC_PREFETCH_OFF;
}

struct ldesc_row ldesc_choose_row(const struct ldesc_choose_in *in, const struct ldesc_record *r) {
  struct ldesc_row row = {.base = r->base / LDESC_LINE,
                          .limit = (r->base + r->bytes + LDESC_LINE - 1) / LDESC_LINE,
                          .insert = insert_of(&in->options, r),
                          .prefetch = prefetch_of(&in->options, r)};
  if (r->local) {
    row.base = in->local_base;
    row.limit = in->local_limit;
    return row;
  }
  for (int d = 0; d < LDESC_AXES; d++) {
    row.tile[d] = r->ctas[d];
    row.walked[d] = r->map[d] != 0;
  }
  for (uint32_t k = 0; k < LDESC_DISTANCES && row.prefetch == LDESC_PREFETCH_STRIDE; k++)
    row.distance[k] = ldesc_choose_distance(in->l1_bytes, (uint64_t)r->data[0] * r->element, r->stride, k + 1);
  return row;
}

/* ---- conflicts ---- */

static bool same_structure(const struct ldesc_record *a, const struct ldesc_record *b) {
  return a->local == b->local && (a->local || a->base == b->base);
}

/* By priority, earlier ones first among equals, and of each structure only the first. */
static void rank(const struct ldesc_choose_in *in, struct ldesc_choice *c) {
  const struct ldesc_record *by[LDESC_ROWS];
  for (uint32_t i = 0; i < in->n; i++) {
    uint32_t at = i;
    for (; at && by[at - 1]->priority < in->record[i].priority; at--) by[at] = by[at - 1];
    by[at] = &in->record[i];
  }
  for (uint32_t i = 0; i < in->n; i++) {
    uint32_t k = 0;
    while (k < c->n && !same_structure(c->record[k], by[i])) k++;
    if (k == c->n) c->record[c->n++] = by[i];
  }
}

/* ---- modules ---- */

static bool divide(const struct ldesc_choose_in *in, struct ldesc_choice *c) {
  struct ldesc_numa_in numa = {.zones = in->modules, .page_bits = in->page_bits, .balance = in->options.balance};
  memcpy(numa.grid, in->grid, sizeof numa.grid);
  for (uint32_t i = 0; i < c->n; i++)
    if (!c->record[i]->local) c->place[c->placed++] = c->record[i];
  if (!c->placed) return true;
  numa.n = c->placed;
  numa.record = c->place;
  c->divided = true;
  return ldesc_numa_choose(&numa, &c->numa);
}

/* ---- clusters ---- */

/* The runs of each module, one module's after the other's. `run`: NULL to count them. */
static uint32_t list_runs(const struct ldesc_clusters_in *in, const uint32_t size[3], struct ldesc_choice *c,
                          uint32_t module, struct ldesc_run *run) {
  uint32_t n[3], at[3], runs = 0;
  bool open = false;
  for (int d = 0; d < LDESC_AXES; d++) n[d] = (in->grid[d] - 1) / size[d] + 1;
  c->clusters[module] = 0;
  for (at[2] = 0; at[2] < n[2]; at[2]++)
    for (at[1] = 0; at[1] < n[1]; at[1]++)
      for (at[0] = 0; at[0] < n[0]; at[0]++) {
        bool mine = ldesc_clusters_module(in, size, at) == module;
        if (mine && !open) {
          if (run) run[runs] = (struct ldesc_run){{at[0] * size[0], at[1] * size[1], at[2] * size[2]}, 0};
          runs++;
        }
        if (mine && run) run[runs - 1].count++;
        c->clusters[module] += mine;
        open = mine;
      }
  return runs;
}

/* Clusters of the size that the options name; one of CTAs of several modules is in that of its first CTA. */
static void fixed_size(const struct ldesc_choose_in *in, uint32_t size[3]) {
  for (int d = 0; d < LDESC_AXES; d++)
    size[d] = in->options.cluster[d] < in->grid[d] ? in->options.cluster[d] : in->grid[d];
}

static bool cluster(const struct ldesc_choose_in *in, struct ldesc_choice *c) {
  uint32_t ctas[LDESC_ROWS][3], size[3], modules = c->divided ? in->modules : 1, total = 0;
  struct ldesc_clusters_in k = {
    .sms = in->sms / modules, .ctas = (const uint32_t(*)[3])ctas, .module_of = c->numa.zone};
  memcpy(k.grid, in->grid, sizeof k.grid);
  for (uint32_t i = 0; i < c->n; i++)
    if (c->record[i]->type == TYPE_INTER_THREAD) memcpy(ctas[k.n++], c->record[i]->ctas, sizeof *ctas);
  bool fixed = in->options.cluster[0];
  if (!k.n && !c->divided && !fixed) return true;
  if (fixed) fixed_size(in, size);
  else ldesc_clusters_form(&k, size);
  for (uint32_t m = 0; m < modules; m++) total += c->policy.module[m].runs = list_runs(&k, size, c, m, NULL);
  c->run = malloc((total + 1U) * sizeof *c->run);
  if (!c->run) return false;
  c->policy.clustered = true;
  struct ldesc_run *next = c->run;
  for (uint32_t m = 0; m < modules; m++) {
    memcpy(c->policy.module[m].size, size, sizeof size);
    c->policy.module[m].run = next;
    next += list_runs(&k, size, c, m, next);
  }
  return true;
}

static bool is_too_large(const uint32_t grid[3]) {
  uint64_t ctas = 1;
  for (int d = 0; d < LDESC_AXES; d++) {
    ctas *= grid[d];
    if (grid[d] > UINT16_MAX || ctas > TILES_CTAS_MAX) return true;
  }
  return false;
}

bool ldesc_choose(const struct ldesc_choose_in *in, struct ldesc_choice *c) {
  *c = (struct ldesc_choice){.too_large = is_too_large(in->grid)};
  rank(in, c);
  for (uint32_t i = 0; i < c->n; i++) c->policy.row[c->policy.rows++] = ldesc_choose_row(in, c->record[i]);
  bool made = true;
  if (c->too_large) return true;
  if (in->modules > 1 && (in->options.place || in->options.schedule)) made = divide(in, c);
  if (made && in->options.schedule) made = cluster(in, c);
  if (!made) ldesc_choose_free(c);
  return made;
}

void ldesc_choose_free(struct ldesc_choice *c) {
  ldesc_numa_free(&c->numa);
  free(c->run);
  c->run = NULL;
}
