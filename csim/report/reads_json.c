/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_out.h"
#include "report/reads.h"

static json_t *number(uint64_t v) { return json_integer((json_int_t)v); }

static json_t *three(const int64_t v[3]) {
  return json_pack("[I,I,I]", (json_int_t)v[0], (json_int_t)v[1], (json_int_t)v[2]);
}

static json_t *sizes(const uint32_t v[3]) { return three((const int64_t[3]){v[0], v[1], v[2]}); }

/* "a1": three texts, "a0": two; neither unless the index is known and of degree one. */
static void set_bounds(json_t *j, const struct affine *a, uint32_t i) {
  char text[AFFINE_BOUNDS][512];
  for (int b = 0; b < AFFINE_BOUNDS; b++)
    if (!affine_bound(a, i, (enum affine_bound)b, text[b], sizeof text[b])) return;
  json_object_set_new(j, "a1", json_pack("[s,s,s]", text[AFFINE_A1_X], text[AFFINE_A1_Y], text[AFFINE_A1_Z]));
  json_object_set_new(j, "a0", json_pack("[s,s]", text[AFFINE_A0_LEAST], text[AFFINE_A0_END]));
}

static json_t *index_object(const struct affine *a, uint32_t i) {
  char text[1024];
  const struct affine_index *x = &a->index[i];
  uint32_t op = a->load[x->first_load].op, line, column;
  affine_expression(a, i, text, sizeof text);
  json_t *j = json_pack("{s:I,s:s,s:I,s:I,s:I,s:s}", "parameter", (json_int_t)a->array[x->array].parameter, "class",
                        affine_class_name(x->class), "loads", (json_int_t)x->n_loads, "element_bytes",
                        (json_int_t)x->element, "line", (json_int_t)a->kernel->ops[op].line, "expression", text);
  set_bounds(j, a, i);
  if (x->reason) json_object_set_new(j, "reason", json_string(affine_reason_name(x->reason)));
  if (x->cause != UINT32_MAX) json_object_set_new(j, "reason_line", number(a->kernel->ops[x->cause].line));
  if (x->promoted) json_object_set_new(j, "counted_loop", json_true());
  if (!affine_source_line(a->kernel, op, text, sizeof text, &line, &column)) return j;
  json_object_set_new(j, "source",
                      json_pack("{s:s,s:I,s:I}", "file", text, "line", (json_int_t)line, "column", (json_int_t)column));
  return j;
}

static json_t *row_object(const struct reads_kernel *k, const struct affine_rows *rows, uint32_t i) {
  const struct affine_made *m = &rows->row[i];
  return json_pack("{s:I,s:I,s:b,s:I,s:I,s:o,s:I,s:o,s:I}", "parameter",
                   (json_int_t)k->analysis->array[m->array].parameter, "loads", (json_int_t)m->n_loads, "kept",
                   (int)(i < rows->n_kept), "base", (json_int_t)m->row.base, "typesize", (json_int_t)m->row.typesize,
                   "min_product", three(m->row.min_product), "min_offset", (json_int_t)m->row.min_offset, "max_product",
                   three(m->row.max_product), "max_offset", (json_int_t)m->row.max_offset);
}

static json_t *launch_object(const struct reads *r, const struct reads_kernel *k, const struct reads_launch *l) {
  struct affine_rows rows;
  json_t *list = json_array(), *refused = json_array();
  affine_rows_make(k->analysis, &l->launch, &r->options.table, &rows);
  for (uint32_t i = 0; i < rows.n; i++) json_array_append_new(list, row_object(k, &rows, i));
  for (uint32_t i = 0; i < rows.n_refused; i++)
    json_array_append_new(refused, json_pack("{s:I,s:s}", "index", (json_int_t)rows.refused[i].index, "why",
                                             affine_refusal_sentence(rows.refused[i].why)));
  affine_rows_free(&rows);
  return json_pack("{s:o,s:o,s:I,s:o,s:o}", "grid", sizes(l->launch.grid), "block", sizes(l->launch.block), "times",
                   (json_int_t)l->times, "rows", list, "refused", refused);
}

static json_t *classes_object(uint32_t n, const uint32_t *by_class, const uint32_t *by_reason) {
  json_t *j = json_pack("{s:I,s:I,s:I}", "indexes", (json_int_t)n, "static", (json_int_t)by_class[AFFINE_STATIC],
                        "quasi", (json_int_t)by_class[AFFINE_QUASI]);
  for (int i = AFFINE_OPERATOR; i < AFFINE_REASONS; i++)
    json_object_set_new(j, affine_reason_name((enum affine_reason)i), number(by_reason[i]));
  return j;
}

/* How many reads the source has, by class and reason. */
static json_t *places_object(const struct affine *a) {
  struct affine_places p;
  return affine_places(a, &p) ? classes_object(p.n, p.by_class, p.by_reason) : NULL;
}

/* Of all kernels together. */
static json_t *counts_object(const struct reads_target *t) {
  struct reads_counts c = {.has_places = true};
  for (uint32_t k = 0; k < t->n_kernels; k++) reads_count(t->kernel[k].analysis, &c);
  return json_pack("{s:I,s:I,s:o,s:o*}", "arrays", (json_int_t)c.arrays, "loads", (json_int_t)c.loads, "indexes",
                   classes_object(c.indexes, c.by_class, c.by_reason), "places",
                   c.has_places ? classes_object(c.places.n, c.places.by_class, c.places.by_reason) : NULL);
}

static json_t *mix_object(const struct ptx_kernel *k) {
  uint32_t mix[READS_MIX], all = 0;
  json_t *j = json_object();
  reads_mix(k, mix);
  for (int i = 0; i < READS_MIX; i++) {
    json_object_set_new(j, reads_mix_names[i], number(mix[i]));
    all += mix[i];
  }
  json_object_set_new(j, "all", number(all));
  return j;
}

static json_t *kernel_object(const struct reads *r, const struct reads_kernel *k) {
  const struct affine *a = k->analysis;
  json_t *arrays = json_array(), *indexes = json_array(), *launches = json_array();
  for (uint32_t i = 0; i < a->n_arrays; i++) json_array_append_new(arrays, number(a->array[i].parameter));
  for (uint32_t i = 0; i < a->n_indexes; i++) json_array_append_new(indexes, index_object(a, i));
  for (uint32_t i = 0; r->options.rows && i < k->n_launches; i++)
    json_array_append_new(launches, launch_object(r, k, &k->launch[i]));
  return json_pack("{s:s,s:o,s:I,s:I,s:o,s:o,s:o,s:o*}", "kernel", k->kernel->name, "arrays", arrays, "loads",
                   (json_int_t)a->n_loads, "loads_elsewhere", (json_int_t)a->n_other + a->n_in_calls, "indexes",
                   indexes, "launches", launches, "instructions", mix_object(k->kernel), "places", places_object(a));
}

static void set_known(json_t *j, const char *key, int64_t v) {
  if (v >= 0) json_object_set_new(j, key, json_integer(v));
}

static json_t *published_object(const struct reads_published *p, const char *source) {
  json_t *j = json_pack("{s:s,s:s}", "program", p->name, "source", source);
  set_known(j, "arrays", p->arrays);
  set_known(j, "indexes", p->indexes);
  set_known(j, "static", p->is_static);
  set_known(j, "quasi", p->quasi);
  for (int i = AFFINE_OPERATOR; i < AFFINE_REASONS; i++)
    set_known(j, affine_reason_name((enum affine_reason)i), p->by_reason[i]);
  set_known(j, "known_percent", p->known_percent);
  if (*p->says) json_object_set_new(j, "says", json_string(p->says));
  return j;
}

void reads_print_json(const struct reads *r, const struct reads_paper *paper, FILE *f) {
  json_t *all = json_array();
  for (uint32_t t = 0; t < r->n_targets; t++) {
    const struct reads_published *p = reads_paper_find(paper, r->target[t].name);
    json_t *kernels = json_array();
    for (uint32_t k = 0; k < r->target[t].n_kernels; k++)
      json_array_append_new(kernels, kernel_object(r, &r->target[t].kernel[k]));
    json_t *j =
      json_pack("{s:s,s:o,s:o}", "name", r->target[t].name, "counts", counts_object(&r->target[t]), "kernels", kernels);
    if (p) json_object_set_new(j, "published", published_object(p, paper->source));
    json_array_append_new(all, j);
  }
  json_out(all, "analyse/1", 0, f);
  json_decref(all);
}
