/* SPDX-License-Identifier: Apache-2.0 */
/* What the driver has decided for a launch, as a line of JSON (tandem ldesc reads it):
 *   {"kernel": name, "grid": [x, y, z], "structures": [{...}], "rows": [{...}], "clusters": {"size": [x, y, z], "of_modules": [n, ..]}
 *    or null, "evaluations": n, "moved_bytes": n, "microseconds": of the host}
 * A structure has its address, bytes, type, sharing, pattern, stride, priority, C-Tiles, D-Tiles, and, of several modules, the lowest
 * address bit of its zone and the share of its accesses that should be local. */
#include "base/err.h"
#include "systems/ldesc/driver.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static json_t *triple(const uint32_t v[3]) {
  return json_pack("[I,I,I]", (json_int_t)v[0], (json_int_t)v[1], (json_int_t)v[2]);
}

/* ---- structures ---- */

static const char *const type_name[] = {"inter-thread", "intra-thread", "no reuse"};

static void add_zone(json_t *j, const struct ldesc_decision *told, const struct ldesc_record *r) {
  const struct ldesc_choice *c = told->choice;
  for (uint32_t i = 0; i < c->placed; i++) {
    if (c->place[i] != r) continue;
    json_object_set_new(j, "bit", json_integer(ldesc_tiles_zone_bit(r, c->numa.bit[i], told->in->page_bits)));
    json_object_set_new(j, "local", json_real((double)c->numa.local[i] / NUMA_UNIT));
  }
}

static json_t *structure(const struct ldesc_decision *d, const struct ldesc_record *r) {
  json_t *j = json_pack("{s:s,s:i}", "type", type_name[r->type], "priority", (int)r->priority);
  if (r->local) {
    json_object_set_new(j, "local_memory", json_true());
    return j;
  }
  json_object_set_new(j, "address", json_integer((json_int_t)r->base));
  json_object_set_new(j, "bytes", json_integer((json_int_t)r->bytes));
  json_object_set_new(j, "sharing", json_string(r->sharing == SHARING_NEARBY ? "nearby" : "coaccessed"));
  json_object_set_new(j, "pattern", json_string(r->pattern == PATTERN_IRREGULAR ? "irregular" : "regular"));
  json_object_set_new(j, "stride", json_integer(r->stride));
  json_object_set_new(j, "c_tiles", json_integer((json_int_t)ldesc_tiles_of_ctas(r, d->in->grid)));
  json_object_set_new(j, "d_tiles", json_integer((json_int_t)ldesc_tiles_of_data(r)));
  add_zone(j, d, r);
  return j;
}

/* ---- the policy ---- */

static json_t *row(const struct ldesc_row *r) {
  static const char *const insert[] = {"normal", "soft pin", "hard pin", "bypass"};
  static const char *const prefetch[] = {"off", "next line", "stride"};
  json_t *distance = json_array();
  for (int k = 0; k < LDESC_DISTANCES && r->prefetch == LDESC_PREFETCH_STRIDE; k++)
    json_array_append_new(distance, json_integer(r->distance[k]));
  uint64_t from = r->base * LDESC_LINE, to = r->limit * LDESC_LINE;
  return json_pack("{s:I,s:I,s:s,s:s,s:o}", "from", (json_int_t)from, "to", (json_int_t)to, "insert", insert[r->insert],
                   "prefetch", prefetch[r->prefetch], "distance", distance);
}

static json_t *clusters(const struct ldesc_decision *d) {
  const struct ldesc_choice *c = d->choice;
  if (!c->policy.clustered) return json_null();
  json_t *of = json_array();
  for (uint32_t m = 0; m < (c->divided ? d->in->modules : 1); m++)
    json_array_append_new(of, json_integer((json_int_t)c->clusters[m]));
  return json_pack("{s:o,s:o}", "size", triple(c->policy.module[0].size), "of_modules", of);
}

int ldesc_decision_write(const char *path, const struct ldesc_decision *d, struct err *e) {
  json_t *structures = json_array(), *rows = json_array();
  for (uint32_t i = 0; i < d->choice->n; i++) json_array_append_new(structures, structure(d, d->choice->record[i]));
  for (uint32_t i = 0; i < d->choice->policy.rows; i++) json_array_append_new(rows, row(&d->choice->policy.row[i]));
  json_t *j = json_pack("{s:s,s:o,s:o,s:o,s:o,s:I,s:I,s:f}", "kernel", d->launch->kernel->name, "grid",
                        triple(d->in->grid), "structures", structures, "rows", rows, "clusters", clusters(d),
                        "evaluations", (json_int_t)d->choice->numa.evaluations, "moved_bytes", (json_int_t)d->moved,
                        "microseconds", 1e6 * d->seconds);
  invariant(j, "the host has no memory for a decision");
  FILE *f = fopen(path, "a");
  bool bad = !f || json_dumpf(j, f, JSON_COMPACT) || fputc('\n', f) == EOF;
  json_decref(j);
  if (f && fclose(f)) bad = true;
  return bad ? err_set(e, ERR_FILE, "cannot write %s: %s", path, strerror(errno)) : 0;
}
