/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run_lines.h"

#include "base/err.h"
#include "base/out_file.h"
#include "core/lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A line of PTX of a kernel, with the counts of its operations. */
struct line {
  uint32_t number;
  char *text;
  struct line_count count;
};

struct kernel_lines {
  char *name, *file;
  uint32_t n_ops, n_lines;
  struct line *line;
  uint32_t *line_of; /* index in `line` of each operation; the last one's is that of line 0 */
};

struct run_lines {
  struct kernel_lines *kernel;
  uint32_t n;
};

int run_lines_create(const struct session *n, struct run_lines **lines, struct err *e) {
  *lines = NULL;
  if (!n->lines || !*n->out_dir) return 0;
  *lines = calloc(1, sizeof **lines);
  return *lines ? 0 : err_set(e, ERR_LIMIT, "out of memory to count by line");
}

static void free_kernel(struct kernel_lines *k) {
  for (uint32_t i = 0; i < k->n_lines; i++) free(k->line[i].text);
  free(k->line);
  free(k->line_of);
  free(k->name);
  free(k->file);
}

void run_lines_free(struct run_lines *r) {
  if (!r) return;
  for (uint32_t i = 0; i < r->n; i++) free_kernel(&r->kernel[i]);
  free(r->kernel);
  free(r);
}

/* ---- kernels ---- */

static bool is_of(const struct kernel_lines *k, const struct ptx_kernel *kernel, const char *file) {
  if (strcmp(k->name, kernel->name) != 0 || strcmp(k->file, file) != 0 || k->n_ops != kernel->n_ops) return false;
  for (uint32_t pc = 0; pc < k->n_ops; pc++)
    if (k->line[k->line_of[pc]].number != kernel->ops[pc].line) return false;
  return true;
}

static char *trimmed(const char *text) {
  while (*text == ' ' || *text == '\t') text++;
  return strdup(text);
}

static bool add_line(struct kernel_lines *k, uint32_t number, const char *text) {
  k->line[k->n_lines] = (struct line){.number = number, .text = trimmed(text)};
  return k->line[k->n_lines++].text;
}

/* Lists the lines of a kernel in the order of its operations. */
static bool list_lines(struct kernel_lines *k, const struct ptx_kernel *kernel, const char *file) {
  *k = (struct kernel_lines){.name = strdup(kernel->name),
                             .file = strdup(file),
                             .n_ops = kernel->n_ops,
                             .line = calloc(kernel->n_ops + 1, sizeof *k->line),
                             .line_of = calloc(kernel->n_ops + 1, sizeof *k->line_of)};
  bool made = k->name && k->file && k->line && k->line_of;
  for (uint32_t pc = 0; made && pc < k->n_ops; pc++) {
    uint32_t i = 0, number = kernel->ops[pc].line;
    if (pc && k->line[k->line_of[pc - 1]].number == number) i = k->line_of[pc - 1];
    else
      while (i < k->n_lines && k->line[i].number != number) i++;
    if (i == k->n_lines) made = add_line(k, number, ptx_op_text(kernel, pc));
    k->line_of[pc] = i;
  }
  if (!made) return false;
  k->line_of[k->n_ops] = k->n_lines;
  return add_line(k, 0, "(after the last instruction)");
}

static struct kernel_lines *find_kernel(struct run_lines *r, const struct ptx_kernel *kernel) {
  const char *file = ptx_module_file(kernel->module);
  for (uint32_t i = 0; i < r->n; i++)
    if (is_of(&r->kernel[i], kernel, file)) return &r->kernel[i];
  struct kernel_lines *more = realloc(r->kernel, (r->n + 1) * sizeof *more);
  if (!more) return NULL;
  r->kernel = more;
  bool made = list_lines(&more[r->n], kernel, file);
  r->n++;
  return made ? &more[r->n - 1] : NULL;
}

int run_lines_add(struct run_lines *r, const struct gpu *g, const struct ptx_kernel *kernel, struct err *e) {
  struct kernel_lines *k = find_kernel(r, kernel);
  struct line_count *sum = calloc(kernel->n_ops + 1, sizeof *sum);
  bool counted = k && sum;
  if (counted && gpu_line_counts(g, sum, kernel->n_ops + 1))
    for (uint32_t pc = 0; pc <= kernel->n_ops; pc++)
      counters_add((uint64_t *)&k->line[k->line_of[pc]].count, (const uint64_t *)&sum[pc],
                   sizeof *sum / sizeof(uint64_t));
  free(sum);
  return counted ? 0 : err_set(e, ERR_LIMIT, "out of memory to count by line");
}

/* ---- writing ---- */

static void put_quoted(FILE *f, const char *text) {
  fputc('"', f);
  for (; *text; text++) {
    if (*text == '"') fputc('"', f);
    fputc(*text == '\t' ? ' ' : *text, f);
  }
  fputc('"', f);
}

static void put_line(FILE *f, const struct kernel_lines *k, const struct line *l) {
  put_quoted(f, k->name);
  fputc(',', f);
  put_quoted(f, k->file);
  fprintf(f, ",%" PRIu32 ",%" PRIu64 ",%" PRIu64, l->number, l->count.warp_instructions, l->count.thread_instructions);
  const struct stall_class *class;
  for (unsigned i = 0; (class = stall_class_at(i)); i++)
    if (class->counter) fprintf(f, ",%" PRIu64, l->count.cycles[i]);
  fputc(',', f);
  put_quoted(f, l->text);
  fputc('\n', f);
}

int run_lines_write(const struct run_lines *r, const struct session *n, struct err *e) {
  char path[SESSION_TEXT_BYTES + 16];
  struct out_file o;
  const struct stall_class *class;
  snprintf(path, sizeof path, "%s/lines.csv", n->out_dir);
  int status = out_file_open(&o, path, e);
  if (status) return status;
  fputs("kernel,file,line,warp_instructions,thread_instructions", o.f);
  for (unsigned i = 0; (class = stall_class_at(i)); i++)
    if (class->counter) fprintf(o.f, ",%s", class->counter);
  fputs(",text\n", o.f);
  for (uint32_t i = 0; i < r->n; i++)
    for (uint32_t l = 0; l < r->kernel[i].n_lines; l++) put_line(o.f, &r->kernel[i], &r->kernel[i].line[l]);
  return out_file_commit(&o, e);
}
