/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/list_phases.h"

#include "base/err.h"
#include "base/in_file.h"
#include "base/text.h"
#include "base/yaml_tree.h"
#include "device/device_memory.h"
#include "ptx/ptx.h"
#include "run/session.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_BYTES (UINT64_C(1) << 30) /* of the module's variables */

static const char *const reasons[] = {
#define X(id, why) [PHASE_##id] = why,
  PTX_PHASE_REASONS(X)
#undef X
};

/* ---- finding the kernel ---- */

static const char *kernel_name(const void *list, unsigned i) {
  const struct ptx_module *m = list;
  return i < ptx_module_n_kernels(m) ? ptx_module_kernel_at(m, i)->name : NULL;
}

static int no_kernel(const struct ptx_module *m, const char *name, struct err *e) {
  char names[512] = "";
  size_t n = 0;
  for (uint32_t i = 0; i < ptx_module_n_kernels(m) && n < sizeof names; i++)
    n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", i ? ", " : "", kernel_name(m, i));
  if (!*names) return err_set(e, ERR_VALUE, "%s: the PTX has no kernel (.entry)", ptx_module_file(m));
  if (!name) return err_set(e, ERR_VALUE, "%s has several kernels; name one of %s", ptx_module_file(m), names);
  const char *near = text_nearest(name, kernel_name, m);
  return err_set(e, ERR_VALUE, "%s: no kernel '%s'%s%s%s; its kernels are %s", ptx_module_file(m), name,
                 near ? "; did you mean " : "", near ? near : "", near ? "?" : "", names);
}

static int find_kernel(const struct ptx_module *m, const char *name, const struct ptx_kernel **out, struct err *e) {
  bool one = !name && ptx_module_n_kernels(m) == 1;
  *out = one ? ptx_module_kernel_at(m, 0) : name ? ptx_module_kernel(m, name) : NULL;
  return *out ? 0 : no_kernel(m, name, e);
}

/* ---- configs/published_phases.yaml ---- */

static bool lists(const struct yaml_tree *t, yaml_at names, const char *kernel) {
  for (size_t i = 0; i < yaml_size(t, names); i++) {
    const char *name = yaml_text(yaml_entry(t, names, i, NULL));
    if (name && !strcmp(name, kernel)) return true;
  }
  return false;
}

static int read_program(const struct yaml_tree *t, yaml_at program, const char *source, const char *kernel,
                        json_t **out, struct err *e) {
  static const char *const known[] = {"name", "kernels", "figure", "shared", "registers", NULL};
  const char *name, *figure, *shared, *registers;
  int status = yaml_check_keys(t, program, "a program", known, e);
  if (!status) status = yaml_need_text(t, program, "name", true, &name, e);
  if (!status) status = yaml_need_text(t, program, "figure", true, &figure, e);
  if (!status) status = yaml_need_text(t, program, "shared", true, &shared, e);
  if (!status) status = yaml_need_text(t, program, "registers", true, &registers, e);
  if (status || !lists(t, yaml_get(t, program, "kernels"), kernel)) return status;
  *out = json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", name, "source", source, "figure", figure, "shared", shared,
                   "registers", registers);
  return 0;
}

/* What a paper prints about a kernel of this name; JSON's null if there is nothing. */
static int read_published(const char *kernel, json_t **out, struct err *e) {
  static const char *const known[] = {"source", "programs", NULL};
  char path[PATH_MAX];
  struct yaml_tree *t;
  const char *source = NULL;
  *out = NULL;
  snprintf(path, sizeof path, "%s/published_phases.yaml", session_config_dir());
  int status = yaml_tree_open(&t, path, e);
  if (status) return status;
  yaml_at root = yaml_tree_root(t), programs = yaml_get(t, root, "programs");
  status = yaml_check_keys(t, root, "the file", known, e);
  if (!status) status = yaml_need_text(t, root, "source", true, &source, e);
  for (size_t i = 0; !status && !*out && i < yaml_size(t, programs); i++)
    status = read_program(t, yaml_entry(t, programs, i, NULL), source, kernel, out, e);
  yaml_tree_close(t);
  if (!*out) *out = json_null();
  return status;
}

/* ---- rows ---- */

static json_t *row_of(const struct ptx_kernel *k, uint32_t i, json_t *published) {
  const struct ptx_phase *p = &k->phases->phase[i];
  const char *whole = k->phases->whole, *always = k->phases->shared_always;
  return json_pack(
    "{s:o, s:s, s:s, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:o, s:s?, s:s?, s:I, s:O}", "name",
    json_sprintf("%u", i + 1), "brief", reasons[p->reason], "kernel", k->name, "specifier", p->specifier, "line",
    (json_int_t)p->line, "last_line", (json_int_t)p->last_line, "operations",
    (json_int_t)(p->end - p->first - p->specifier), "live", (json_int_t)p->live, "most_live", (json_int_t)p->most_live,
    "registers", (json_int_t)p->registers, "shared_live", (json_int_t)p->shared_live, "shared_bytes",
    (json_int_t)p->shared_bytes, "dynamic", p->dynamic, "of_kernel",
    json_pack("{s:I, s:I, s:I, s:I}", "registers", (json_int_t)k->registers, "predicates", (json_int_t)k->predicates,
              "spill_bytes", (json_int_t)k->spill_bytes, "shared_bytes", (json_int_t)k->shared_bytes),
    "one_phase_because", whole, "shared_lives_because", always, "shared_line", (json_int_t)k->phases->shared_line,
    "published", published);
}

static int add_rows(json_t *rows, const char *file, const char *text, size_t length, const char *kernel,
                    uint32_t registers, struct err *e) {
  static const struct ptx_extension no_extensions[] = {{0}};
  const struct ptx_options options = {.allocate = true, .registers = registers, .limit = "--registers", .phases = true};
  struct device_memory memory;
  struct ptx_module *m = NULL;
  const struct ptx_kernel *k = NULL;
  json_t *published = NULL;
  int status = device_memory_create(&memory, MEMORY_BYTES, e);
  if (status) return status;
  status = ptx_module_load_options(&options, file, text, length, no_extensions, &memory, &m, e);
  if (!status) status = find_kernel(m, kernel, &k, e);
  if (k) status = read_published(k->name, &published, e);
  for (uint32_t i = 0; k && !status && i < k->phases->n; i++) json_array_append_new(rows, row_of(k, i, published));
  json_decref(published);
  ptx_module_free(m);
  device_memory_destroy(&memory);
  return status;
}

int list_phase_rows(json_t *rows, const char *file, const char *kernel, uint32_t registers, struct err *e) {
  size_t length;
  if (!file) return err_set(e, ERR_USAGE, "phases of what? Write: tandem list phases FILE.ptx [KERNEL]");
  char *text = in_file_read(file, &length, e);
  if (!text) return err_set(e, ERR_FILE, "cannot read %s: %s; name a PTX file", file, strerror(errno));
  int status = add_rows(rows, file, text, length, kernel, registers, e);
  free(text);
  return status;
}

/* ---- printing ---- */

static long long integer(const json_t *row, const char *key) { return json_integer_value(json_object_get(row, key)); }
static const char *string(const json_t *row, const char *key) { return json_string_value(json_object_get(row, key)); }

static void print_kernel(const json_t *row) {
  const json_t *k = json_object_get(row, "of_kernel");
  const char *whole = string(row, "one_phase_because"), *always = string(row, "shared_lives_because");
  printf("kernel %s: %lld registers, %lld predicates, %lld bytes spilled, %lld bytes of static shared memory\n",
         string(row, "kernel"), integer(k, "registers"), integer(k, "predicates"), integer(k, "spill_bytes"),
         integer(k, "shared_bytes"));
  if (whole) printf("one phase, because %s\n", whole);
  if (always) printf("shared arrays live throughout, because of %s", always);
  if (always && integer(row, "shared_line")) printf(" (line %lld)", integer(row, "shared_line"));
  if (always) printf("\n");
  printf("%5s %13s %10s | %9s %12s | %9s %12s | %s\n", "phase", "lines", "operations", "live regs", "shared bytes",
         "specifier", "shared bytes", "begins at");
}

/* The figures of the specifiers, one after the other. */
static void print_specifiers(const json_t *rows, const char *key) {
  const char *separator = "";
  size_t i;
  json_t *row;
  json_array_foreach(rows, i, row) {
    if (!json_is_true(json_object_get(row, "specifier"))) continue;
    printf("%s%lld", separator, integer(row, key));
    separator = ", ";
  }
  printf("\n");
}

static void print_published(const json_t *rows) {
  const json_t *p = json_object_get(json_array_get(rows, 0), "published");
  if (!json_is_object(p)) return;
  printf("published of %s (%s, figure %s), and here, in bytes of shared memory and registers:\n", string(p, "name"),
         string(p, "source"), string(p, "figure"));
  printf("  shared memory  published: %s\n                 here:      ", string(p, "shared"));
  print_specifiers(rows, "shared_bytes");
  printf("  registers      published: %s\n                 here:      ", string(p, "registers"));
  print_specifiers(rows, "most_live");
}

void list_phase_print(const json_t *rows) {
  size_t i;
  json_t *row;
  json_array_foreach(rows, i, row) {
    char lines[32], registers[24] = "", bytes[32] = "";
    if (!i) print_kernel(row);
    snprintf(lines, sizeof lines, "%lld-%lld", integer(row, "line"), integer(row, "last_line"));
    if (json_is_true(json_object_get(row, "specifier"))) {
      snprintf(registers, sizeof registers, "%lld", integer(row, "registers"));
      snprintf(bytes, sizeof bytes, "%lld%s", integer(row, "shared_bytes"),
               json_is_true(json_object_get(row, "dynamic")) ? "+dynamic" : "");
    }
    printf("%5s %13s %10lld | %9lld %12lld | %9s %12s | %s\n", string(row, "name"), lines, integer(row, "operations"),
           integer(row, "live"), integer(row, "shared_live"), registers, bytes, string(row, "brief"));
  }
  print_published(rows);
}
