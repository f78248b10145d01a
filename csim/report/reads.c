/* SPDX-License-Identifier: Apache-2.0 */
#include "report/reads.h"

#include "base/err.h"
#include "base/in_file.h"
#include "base/text.h"
#include "run/launch_capture.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_BYTES (UINT64_C(1) << 30) /* of the variables of all modules */
static const struct ptx_extension no_extensions[] = {{0}};

int reads_open(struct reads *r, const struct reads_options *o, struct err *e) {
  *r = (struct reads){.options = *o};
  if (!r->options.extensions) r->options.extensions = no_extensions;
  return device_memory_create(&r->memory, MEMORY_BYTES, e);
}

static void *more(void *list, uint32_t n, size_t element) {
  list = realloc(list, (n + (size_t)1) * element);
  invariant(list, "the host has no memory for an analysis");
  memset((char *)list + n * element, 0, element);
  return list;
}

/* ---- modules and kernels ---- */

static const char *kernel_name(const void *list, unsigned i) {
  const struct ptx_module *m = list;
  return i < ptx_module_n_kernels(m) ? ptx_module_kernel_at(m, i)->name : NULL;
}

/* The names of the module's kernels, for a message. */
static const char *kernel_names(const struct ptx_module *m, char *text, size_t size) {
  size_t n = 0;
  *text = 0;
  for (uint32_t i = 0; i < ptx_module_n_kernels(m) && n < size; i++)
    n += (size_t)snprintf(text + n, size - n, "%s%s", i ? ", " : "", ptx_module_kernel_at(m, i)->name);
  return text;
}

static int add_kernels(struct reads *r, struct reads_target *t, const struct ptx_module *m, struct err *e) {
  char names[512];
  uint32_t before = t->n_kernels;
  const char *only = r->options.kernel;
  for (uint32_t i = 0; i < ptx_module_n_kernels(m); i++) {
    const struct ptx_kernel *k = ptx_module_kernel_at(m, i);
    if (only && strcmp(k->name, only) != 0) continue;
    t->kernel = more(t->kernel, t->n_kernels, sizeof *t->kernel);
    t->kernel[t->n_kernels++] = (struct reads_kernel){.kernel = k, .analysis = affine_analyse(k, &r->options.analysis)};
  }
  if (!ptx_module_n_kernels(m))
    return err_set(e, ERR_VALUE, "%s: the PTX has no kernel (.entry): nothing can be analysed", ptx_module_file(m));
  if (!only || t->n_kernels > before) return 0;
  const char *near = text_nearest(only, kernel_name, m);
  return err_set(e, ERR_VALUE, "%s: no kernel '%s'%s%s%s; its kernels are %s", ptx_module_file(m), only,
                 near ? "; did you mean " : "", near ? near : "", near ? "?" : "",
                 kernel_names(m, names, sizeof names));
}

static int load(struct reads *r, struct reads_target *t, const char *path, const char *shown, struct err *e) {
  size_t length;
  char *text = in_file_read(path, &length, e);
  if (!text)
    return err_set(e, ERR_FILE, "cannot read %s: %s; name a PTX file or a workload (tandem list workloads)", path,
                   strerror(errno));
  t->module = more(t->module, t->n_modules, sizeof *t->module);
  t->module_name = more(t->module_name, t->n_modules, sizeof *t->module_name);
  int status = ptx_module_load(shown, text, length, r->options.extensions, &r->memory, &t->module[t->n_modules], e);
  t->n_modules += !status;
  free(text);
  return status ? status : add_kernels(r, t, t->module[t->n_modules - 1], e);
}

static struct reads_target *new_target(struct reads *r, const char *name) {
  r->target = more(r->target, r->n_targets, sizeof *r->target);
  struct reads_target *t = &r->target[r->n_targets++];
  snprintf(t->name, sizeof t->name, "%s", name);
  return t;
}

int reads_add_file(struct reads *r, const char *path, struct err *e) {
  return load(r, new_target(r, path), path, path, e);
}

/* ---- captured launches ---- */

/* The module of that name in the folder, loaded when it is first met. */
static int find_module(struct reads *r, struct reads_target *t, const char *folder, const char *name, const char *shown,
                       struct err *e) {
  char path[4096];
  for (uint32_t i = 0; i < t->n_modules; i++)
    if (t->module_name[i] && !strcmp(t->module_name[i], name)) return 0;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  uint32_t n = t->n_modules;
  int status = load(r, t, path, shown, e);
  if (t->n_modules > n) t->module_name[n] = strdup(name);
  return status;
}

static struct reads_kernel *find_kernel(struct reads_target *t, const char *module, const char *name) {
  for (uint32_t i = 0; i < t->n_kernels; i++) {
    struct reads_kernel *k = &t->kernel[i];
    for (uint32_t m = 0; m < t->n_modules; m++)
      if (k->kernel->module == t->module[m] && !strcmp(t->module_name[m], module) && !strcmp(k->kernel->name, name))
        return k;
  }
  return NULL;
}

static void add_launch(struct reads_kernel *k, const struct affine_launch *launch, uint8_t *params) {
  for (uint32_t i = 0; i < k->n_launches; i++) {
    struct reads_launch *l = &k->launch[i];
    if (memcmp(l->launch.grid, launch->grid, sizeof launch->grid) != 0 ||
        memcmp(l->launch.block, launch->block, sizeof launch->block) != 0 ||
        memcmp(l->params, params, k->kernel->param_bytes) != 0)
      continue;
    l->times++;
    free(params);
    return;
  }
  k->launch = more(k->launch, k->n_launches, sizeof *k->launch);
  struct reads_launch *l = &k->launch[k->n_launches++];
  *l = (struct reads_launch){.launch = *launch, .params = params, .times = 1};
  l->launch.params = params;
}

static uint8_t *read_hex(const char *text, uint32_t bytes) {
  uint8_t *out = calloc(1, bytes + 8U);
  invariant(out, "the host has no memory for the parameters of a launch");
  for (uint32_t i = 0; i < bytes && text[2 * (size_t)i]; i++) {
    unsigned v = 0;
    sscanf(text + 2 * (size_t)i, "%2x", &v);
    out[i] = (uint8_t)v;
  }
  return out;
}

static int add_line(struct reads *r, struct reads_target *t, const char *folder, json_t *j, struct err *e) {
  const char *module, *file, *kernel, *params;
  json_int_t g[3], b[3], memory;
  if (json_unpack(j, "{s:s,s:s,s:s,s:[I,I,I],s:[I,I,I],s:s,s:I}", "module", &module, "file", &file, "kernel", &kernel,
                  "grid", &g[0], &g[1], &g[2], "block", &b[0], &b[1], &b[2], "parameters", &params, "memory_bytes",
                  &memory))
    return err_set(e, ERR_SYNTAX, "%s/%s: a line is no launch", folder, LAUNCH_CAPTURE_FILE);
  int status = find_module(r, t, folder, module, t->name, e);
  struct reads_kernel *k = status ? NULL : find_kernel(t, module, kernel);
  if (!k) return status; /* not asked for */
  struct affine_launch launch = {.memory_bytes = (uint64_t)memory};
  for (uint32_t i = 0; i < 3; i++) launch.grid[i] = (uint32_t)g[i], launch.block[i] = (uint32_t)b[i];
  add_launch(k, &launch, read_hex(params, k->kernel->param_bytes));
  return 0;
}

int reads_add_capture(struct reads *r, const char *name, const char *folder, struct err *e) {
  struct reads_target *t = new_target(r, name);
  char path[4096], *line = NULL;
  size_t room = 0;
  int status = 0;
  snprintf(path, sizeof path, "%s/%s", folder, LAUNCH_CAPTURE_FILE);
  FILE *f = fopen(path, "r");
  if (!f) return err_set(e, ERR_FILE, "%s: the program has launched no kernel", name);
  while (!status && getline(&line, &room, f) > 0) {
    json_t *j = json_loads(line, 0, NULL);
    status = add_line(r, t, folder, j, e);
    json_decref(j);
  }
  free(line);
  fclose(f);
  return status;
}

/* ---- the end ---- */

static void close_target(struct reads_target *t) {
  for (uint32_t i = 0; i < t->n_kernels; i++) {
    for (uint32_t k = 0; k < t->kernel[i].n_launches; k++) free(t->kernel[i].launch[k].params);
    free(t->kernel[i].launch);
    affine_free(t->kernel[i].analysis);
  }
  for (uint32_t i = 0; i < t->n_modules; i++) {
    ptx_module_free(t->module[i]);
    free(t->module_name[i]);
  }
  free(t->module);
  free(t->module_name);
  free(t->kernel);
}

void reads_close(struct reads *r) {
  for (uint32_t i = 0; i < r->n_targets; i++) close_target(&r->target[i]);
  free(r->target);
  device_memory_destroy(&r->memory);
}

void reads_count(const struct affine *a, struct reads_counts *c) {
  c->arrays += a->n_arrays;
  c->loads += a->n_loads;
  c->indexes += a->n_indexes;
  c->other += a->n_other + a->n_in_calls;
  for (uint32_t i = 0; i < a->n_indexes; i++) {
    c->by_class[a->index[i].class]++;
    c->by_reason[a->index[i].reason] += a->index[i].class == AFFINE_NONE;
  }
  struct affine_places p;
  if (!a->n_loads) return;
  c->has_places &= affine_places(a, &p);
  c->places.n += p.n;
  for (uint32_t i = 0; i < AFFINE_CLASSES; i++) c->places.by_class[i] += p.by_class[i];
  for (uint32_t i = 0; i < AFFINE_REASONS; i++) c->places.by_reason[i] += p.by_reason[i];
}
