/* SPDX-License-Identifier: Apache-2.0 */
/* Policies: what may be handed over, copies, and random ones. */
#include "systems/ldesc/ldesc_internal.h"

#include "mem/page_table.h"

#include <stdlib.h>
#include <string.h>

void ldesc_local_memory(const struct gpu_config *m, uint64_t *base, uint64_t *limit) {
  uint64_t first = DEVICE_MEMORY_BASE + ((uint64_t)m->memory_mib << 20);
  *base = first / LDESC_LINE;
  *limit = (first + ((uint64_t)m->sm_count << LOCAL_WINDOW_BITS)) / LDESC_LINE;
}

bool ldesc_next_cluster(uint32_t at[3], const uint32_t size[3], const uint32_t grid[3]) {
  for (int d = 0; d < LDESC_AXES; d++) {
    at[d] += size[d];
    if (at[d] < grid[d]) return true;
    at[d] = 0;
  }
  return false;
}

/* ---- what may be handed over ---- */

static int check_rows(const struct ldesc_policy *p, struct err *e) {
  const uint64_t lines = (UINT64_C(1) << ZONE_ADDRESS_BITS) / LDESC_LINE;
  if (p->rows > LDESC_ROWS)
    return err_set(e, ERR_VALUE, "a policy of %u rows; a table has %d", p->rows, (int)LDESC_ROWS);
  for (uint32_t i = 0; i < p->rows; i++) {
    const struct ldesc_row *r = &p->row[i];
    if (r->base > r->limit || r->limit >= lines)
      return err_set(e, ERR_VALUE, "row %u of a policy: lines [0x%llx, 0x%llx) are no range of addresses of %d bits", i,
                     (unsigned long long)r->base, (unsigned long long)r->limit, (int)ZONE_ADDRESS_BITS);
    if (r->insert > LDESC_BYPASS || r->prefetch > LDESC_PREFETCH_STRIDE)
      return err_set(e, ERR_VALUE, "row %u of a policy: there is no insertion %u with prefetch %u", i, r->insert,
                     r->prefetch);
  }
  return 0;
}

/* Marks the CTAs of the cluster at `at`; false: one has a mark. */
static bool mark_cluster(uint8_t *marked, const uint32_t at[3], const uint32_t size[3], const uint32_t grid[3]) {
  uint32_t end[3];
  for (int d = 0; d < LDESC_AXES; d++) end[d] = at[d] + size[d] < grid[d] ? at[d] + size[d] : grid[d];
  for (uint32_t z = at[2]; z < end[2]; z++)
    for (uint32_t y = at[1]; y < end[1]; y++)
      for (uint32_t x = at[0]; x < end[0]; x++) {
        uint8_t *mark = &marked[x + grid[0] * (y + (uint64_t)grid[1] * z)];
        if (*mark) return false;
        *mark = 1;
      }
  return true;
}

static int check_run(const struct ldesc_clusters *c, const struct ldesc_run *r, const uint32_t grid[3], uint8_t *marked,
                     struct err *e) {
  uint32_t at[3];
  for (int d = 0; d < LDESC_AXES; d++) {
    at[d] = r->first[d];
    if (!c->size[d] || c->size[d] > LDESC_AXIS_MAX || at[d] >= grid[d] || at[d] % c->size[d])
      return err_set(e, ERR_VALUE, "clusters of %u CTAs along %c: no one begins at %u of %u", c->size[d], "xyz"[d],
                     at[d], grid[d]);
  }
  for (uint32_t i = 0; i < r->count; i++) {
    if (!mark_cluster(marked, at, c->size, grid))
      return err_set(e, ERR_VALUE, "the cluster at CTA (%u, %u, %u) has a CTA of another one", at[0], at[1], at[2]);
    if (!ldesc_next_cluster(at, c->size, grid) && i + 1 < r->count)
      return err_set(e, ERR_VALUE, "a run of %u clusters leaves the grid after %u", r->count, i + 1);
  }
  return 0;
}

static int check_clusters(const struct ldesc_policy *p, uint32_t modules, const uint32_t grid[3], struct err *e) {
  uint64_t n = (uint64_t)grid[0] * grid[1] * grid[2];
  for (int d = 0; d < LDESC_AXES; d++)
    if (grid[d] > LDESC_AXIS_MAX)
      return err_set(e, ERR_VALUE, "a grid of %u CTAs along %c has no clusters: the dispatcher counts to %d", grid[d],
                     "xyz"[d], (int)LDESC_AXIS_MAX);
  uint8_t *marked = calloc(n, 1);
  if (!marked) return err_set(e, ERR_LIMIT, "the host has no memory left for the clusters of a launch");
  int code = 0;
  for (uint32_t m = 0; m < modules && !code; m++)
    for (uint32_t i = 0; i < p->module[m].runs && !code; i++)
      code = check_run(&p->module[m], &p->module[m].run[i], grid, marked, e);
  const uint8_t *lost = code ? NULL : memchr(marked, 0, n);
  if (lost) {
    uint64_t at = (uint64_t)(lost - marked);
    code = err_set(e, ERR_VALUE, "CTA (%llu, %llu, %llu) belongs to no cluster", (unsigned long long)(at % grid[0]),
                   (unsigned long long)(at / grid[0] % grid[1]), (unsigned long long)(at / grid[0] / grid[1]));
  }
  free(marked);
  return code;
}

int ldesc_keep(struct ldesc_kept *k, const struct ldesc_policy *p, uint32_t modules, const uint32_t grid[3],
               struct err *e) {
  uint32_t runs = 0;
  int code = check_rows(p, e);
  if (code || (p->clustered && (code = check_clusters(p, modules, grid, e)))) return code;
  for (uint32_t m = 0; p->clustered && m < modules; m++) runs += p->module[m].runs;
  struct ldesc_run *run = malloc((runs + 1U) * sizeof *run);
  if (!run) return err_set(e, ERR_LIMIT, "the host has no memory left for the clusters of a launch");
  free(k->run);
  *k = (struct ldesc_kept){.policy = *p, .run = run};
  for (uint32_t m = 0; p->clustered && m < modules; m++) {
    k->policy.module[m].run = run;
    if (p->module[m].runs) memcpy(run, p->module[m].run, p->module[m].runs * sizeof *run);
    run += p->module[m].runs;
  }
  memcpy(k->grid, grid, sizeof k->grid);
  return 0;
}

int ldesc_policy_set(void *dispatch, const struct ldesc_policy *p, const uint32_t grid[3], struct err *e) {
  static const struct ldesc_policy none = {0};
  struct ldesc_dispatcher *d = dispatch;
  return ldesc_keep(&d->given, p ? p : &none, d->modules, grid, e);
}

void ldesc_hold(void *dispatch, uint64_t core_cycles) { ((struct ldesc_dispatcher *)dispatch)->hold = core_cycles; }

/* ---- random ones ---- */

/* Most programs use the beginning of memory: half of the rows begin there. */
static void draw_row(struct ldesc_row *r, struct rng *rng, const struct gpu_config *m) {
  uint64_t lines = ((uint64_t)m->memory_mib << 20) / LDESC_LINE;
  uint64_t first = rng_below(rng, 2) ? rng_below(rng, 256) : rng_u64(rng) % (lines >> rng_below(rng, 16));
  r->base = DEVICE_MEMORY_BASE / LDESC_LINE + first;
  r->limit = r->base + rng_u64(rng) % (lines >> rng_below(rng, 16));
  if (rng_below(rng, 8) == 0) ldesc_local_memory(m, &r->base, &r->limit);
  r->insert = (uint8_t)rng_below(rng, LDESC_BYPASS + 1);
  r->prefetch = (uint8_t)rng_below(rng, LDESC_PREFETCH_STRIDE + 1);
  for (uint32_t k = 0; k < LDESC_DISTANCES; k++) r->distance[k] = rng_u32(rng) >> rng_below(rng, 32);
  for (int d = 0; d < LDESC_AXES; d++) {
    r->tile[d] = rng_below(rng, 5);
    r->walked[d] = rng_below(rng, 2);
  }
}

static uint32_t smaller(uint64_t a, uint64_t b) { return (uint32_t)(a < b ? a : b); }

/* Runs of random length for random modules, in the order of the grid; the last one takes what is left. */
static void draw_clusters(struct ldesc_kept *k, struct rng *rng, uint32_t modules) {
  enum { RUNS_A_MODULE = 16 };
  const uint32_t *grid = k->grid;
  uint32_t size[3], at[3] = {0};
  uint64_t left = 1;
  for (int d = 0; d < LDESC_AXES; d++) {
    size[d] = 1 + rng_below(rng, smaller(grid[d], 8));
    left *= (grid[d] - 1) / size[d] + 1;
  }
  k->policy.clustered = left <= UINT32_MAX;
  k->run = malloc(LDESC_MODULES * RUNS_A_MODULE * sizeof *k->run);
  invariant(k->run, "the host has no memory left for the clusters of a launch");
  for (uint32_t m = 0; m < modules; m++) {
    k->policy.module[m] = (struct ldesc_clusters){.run = &k->run[m * RUNS_A_MODULE]};
    memcpy(k->policy.module[m].size, size, sizeof size);
  }
  uint64_t most = left / (4 * modules) + 1;
  while (left && k->policy.clustered) {
    struct ldesc_clusters *c = &k->policy.module[rng_below(rng, modules)];
    uint32_t count = smaller(left, 1 + rng_u64(rng) % most);
    if (c->runs + 1 == RUNS_A_MODULE) count = (uint32_t)left;
    k->run[c->run - k->run + c->runs++] = (struct ldesc_run){{at[0], at[1], at[2]}, count};
    left -= count;
    for (uint32_t i = 0; i < count; i++) ldesc_next_cluster(at, size, grid);
  }
}

void ldesc_keep_random(struct ldesc_kept *k, struct rng *rng, const struct gpu_config *m, const uint32_t grid[3]) {
  free(k->run);
  *k = (struct ldesc_kept){.policy = {.rows = rng_below(rng, LDESC_ROWS + 1)}};
  memcpy(k->grid, grid, sizeof k->grid);
  for (uint32_t i = 0; i < k->policy.rows; i++) draw_row(&k->policy.row[i], rng, m);
  if (grid[0] <= LDESC_AXIS_MAX && rng_below(rng, 4)) draw_clusters(k, rng, (uint32_t)m->numa_modules);
}
