/* SPDX-License-Identifier: Apache-2.0 */
/* The analysis as tables: counts beside the paper's, then each index, then the rows of each launch. */
#include "report/reads.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_WIDTH = 26, BOUNDS_INDENT = 70 };

/* ---- counts ---- */

static void print_head(FILE *f) {
  fprintf(f, "%-*s %6s %6s %8s %7s %6s %9s %9s %8s %10s %6s\n", NAME_WIDTH, "kernel", "arrays", "loads", "indexes",
          "static", "quasi", "operator", "indirect", "control", "induction", "known");
}

static void print_line(const char *name, const struct reads_counts *c, uint32_t indexes, const uint32_t *by_class,
                       const uint32_t *by_reason, FILE *f) {
  fprintf(f, "%-*.*s", NAME_WIDTH, NAME_WIDTH, name);
  if (c) fprintf(f, " %6" PRIu32 " %6" PRIu32, c->arrays, c->loads);
  else fprintf(f, " %6s %6s", "", "");
  fprintf(f, " %8" PRIu32 " %7" PRIu32 " %6" PRIu32 " %9" PRIu32 " %9" PRIu32 " %8" PRIu32 " %10" PRIu32, indexes,
          by_class[AFFINE_STATIC], by_class[AFFINE_QUASI], by_reason[AFFINE_OPERATOR], by_reason[AFFINE_INDIRECT],
          by_reason[AFFINE_CONTROL], by_reason[AFFINE_INDUCTION]);
  uint32_t known = by_class[AFFINE_STATIC] + by_class[AFFINE_QUASI];
  if (indexes) fprintf(f, " %4.0f %%\n", 100.0 * known / indexes);
  else fprintf(f, " %6s\n", "-");
}

static void print_counts(const char *name, const struct reads_counts *c, FILE *f) {
  print_line(name, c, c->indexes, c->by_class, c->by_reason, f);
}

static void print_number(int64_t v, int width, FILE *f) {
  if (v < 0) fprintf(f, " %*s", width, "-");
  else fprintf(f, " %*" PRId64, width, v);
}

static void print_published(const struct reads_published *p, FILE *f) {
  char name[64];
  snprintf(name, sizeof name, "  %s in the paper", p->name);
  fprintf(f, "%-*s", NAME_WIDTH, name);
  print_number(p->arrays, 6, f);
  print_number(-1, 6, f);
  print_number(p->indexes, 8, f);
  print_number(p->is_static, 7, f);
  print_number(p->quasi, 6, f);
  print_number(p->by_reason[AFFINE_OPERATOR], 9, f);
  print_number(p->by_reason[AFFINE_INDIRECT], 9, f);
  print_number(p->by_reason[AFFINE_CONTROL], 8, f);
  print_number(p->by_reason[AFFINE_INDUCTION], 10, f);
  if (p->known_percent < 0) fprintf(f, " %6s\n", "-");
  else fprintf(f, " %4" PRId64 " %%\n", p->known_percent);
  if (*p->says) fprintf(f, "    (%s)\n", p->says);
}

/* A long path by its last part. */
static const char *short_name(const char *name) {
  const char *slash = strrchr(name, '/');
  return slash && strlen(name) > NAME_WIDTH ? slash + 1 : name;
}

static void print_table(const struct reads *r, const struct reads_paper *paper, FILE *f) {
  uint32_t other = 0;
  bool from_paper = false;
  print_head(f);
  for (uint32_t t = 0; t < r->n_targets; t++) {
    const struct reads_target *target = &r->target[t];
    const struct reads_published *p = reads_paper_find(paper, target->name);
    struct reads_counts all = {.has_places = true};
    for (uint32_t k = 0; k < target->n_kernels; k++) {
      struct reads_counts one = {.has_places = true};
      char name[160];
      reads_count(target->kernel[k].analysis, &one);
      reads_count(target->kernel[k].analysis, &all);
      snprintf(name, sizeof name, "  %s", target->kernel[k].kernel->name);
      if (target->n_kernels > 1) print_counts(name, &one, f);
    }
    print_counts(short_name(target->name), &all, f);
    if (all.has_places)
      print_line("  places in the source", NULL, all.places.n, all.places.by_class, all.places.by_reason, f);
    if (p) print_published(p, f);
    from_paper |= p != NULL;
    other += all.other;
  }
  if (from_paper) fprintf(f, "The paper's numbers: %s.\n", paper->source);
  if (other)
    fprintf(f,
            "%" PRIu32 " more loads are not counted: their pointers are no parameter of the kernel, or they are in "
            "functions that it calls.\n",
            other);
}

/* ---- indexes ---- */

/* As in the paper's Table 1: the factors of blockIdx, then the ends that threadIdx gives. */
static void print_bounds(const struct affine *a, uint32_t i, FILE *f) {
  char text[AFFINE_BOUNDS][512];
  for (int b = 0; b < AFFINE_BOUNDS; b++)
    if (!affine_bound(a, i, (enum affine_bound)b, text[b], sizeof text[b])) return;
  fprintf(f, "%*s a1 (%s, %s, %s), a0 %s / %s\n", BOUNDS_INDENT, "", text[AFFINE_A1_X], text[AFFINE_A1_Y],
          text[AFFINE_A1_Z], text[AFFINE_A0_LEAST], text[AFFINE_A0_END]);
}

static void print_index(const struct affine *a, uint32_t i, FILE *f) {
  char expression[1024], file[512], source[640] = "-";
  const struct affine_index *x = &a->index[i];
  uint32_t op = a->load[x->first_load].op, line, column;
  affine_expression(a, i, expression, sizeof expression);
  if (affine_source_line(a->kernel, op, file, sizeof file, &line, &column)) {
    const char *slash = strrchr(file, '/');
    snprintf(source, sizeof source, "%s:%" PRIu32, slash ? slash + 1 : file, line);
  }
  fprintf(f, "  param_%-3" PRIu32 " %-6s %-10s %5" PRIu32 " %7" PRIu32 " %6" PRIu32 "  %-16s %s\n",
          a->array[x->array].parameter, affine_class_name(x->class),
          x->promoted ? "(counted)" : affine_reason_name(x->reason), x->n_loads, x->element, a->kernel->ops[op].line,
          source, expression);
  print_bounds(a, i, f);
}

static void print_indexes(const struct reads_kernel *k, FILE *f) {
  const struct affine *a = k->analysis;
  fprintf(f, "\n%s: %" PRIu32 " indexes\n", k->kernel->name, a->n_indexes);
  if (a->n_indexes)
    fprintf(f, "  %-9s %-6s %-10s %5s %7s %6s  %-16s %s\n", "array", "class", "reason", "loads", "element", "line",
            "source", "expression, in elements");
  for (uint32_t i = 0; i < a->n_indexes; i++) print_index(a, i, f);
}

/* ---- rows ---- */

static void print_row(const struct reads_kernel *k, const struct affine_rows *rows, uint32_t i, FILE *f) {
  const struct affine_made *m = &rows->row[i];
  const struct affine_row *w = &m->row;
  fprintf(f, "  %4" PRIu32 " param_%-3" PRIu32 " %5" PRIu32 " %8" PRIu32, i + 1, k->analysis->array[m->array].parameter,
          m->n_loads, w->typesize);
  for (uint32_t d = 0; d < 3; d++) fprintf(f, " %8" PRId64, w->min_product[d]);
  fprintf(f, " %10" PRId64 " %10" PRId64 "%s\n", w->min_offset, w->max_offset, i < rows->n_kept ? "" : "  dropped");
}

static void print_launch(const struct reads *r, const struct reads_kernel *k, const struct reads_launch *l, FILE *f) {
  struct affine_rows rows;
  const uint32_t *g = l->launch.grid, *b = l->launch.block;
  affine_rows_make(k->analysis, &l->launch, &r->options.table, &rows);
  fprintf(f,
          "\n%s: %" PRIu32 " rows of the launch of %" PRIu32 " x %" PRIu32 " x %" PRIu32 " CTAs of %" PRIu32
          " x %" PRIu32 " x %" PRIu32 " threads (%" PRIu32 " times)\n",
          k->kernel->name, rows.n, g[0], g[1], g[2], b[0], b[1], b[2], l->times);
  if (rows.n)
    fprintf(f, "  %4s %-9s %5s %8s %8s %8s %8s %10s %10s\n", "row", "array", "loads", "typesize", "x", "y", "z",
            "min_offset", "max_offset");
  for (uint32_t i = 0; i < rows.n; i++) print_row(k, &rows, i, f);
  for (uint32_t i = 0; i < rows.n_refused; i++) {
    const struct affine_index *x = &k->analysis->index[rows.refused[i].index];
    fprintf(f, "  no row for param_%" PRIu32 ", line %" PRIu32 ": %s\n", k->analysis->array[x->array].parameter,
            k->kernel->ops[k->analysis->load[x->first_load].op].line, affine_refusal_sentence(rows.refused[i].why));
  }
  if (rows.n_kept < rows.n)
    fprintf(f, "  %" PRIu32 " rows do not fit the table of %" PRIu32 "\n", rows.n - rows.n_kept, rows.n_kept);
  affine_rows_free(&rows);
}

void reads_print(const struct reads *r, const struct reads_paper *paper, FILE *f) {
  print_table(r, paper, f);
  for (uint32_t t = 0; t < r->n_targets; t++)
    for (uint32_t k = 0; k < r->target[t].n_kernels; k++) {
      const struct reads_kernel *kernel = &r->target[t].kernel[k];
      print_indexes(kernel, f);
      for (uint32_t l = 0; r->options.rows && l < kernel->n_launches; l++)
        print_launch(r, kernel, &kernel->launch[l], f);
    }
}
