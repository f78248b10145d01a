/* SPDX-License-Identifier: Apache-2.0 */
/* Modules: loading, freeing, lookups. */
#include "device/device_memory.h"
#include "ptx/decode.h"
#include "ptx/device_runtime.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TEXT_BYTES (UINT64_C(1) << 28)

/* Keeps a copy of the text for ptx_op_text, split into lines without leading blanks. */
static void keep_text(struct ptx_module *m, const char *text, size_t length) {
  m->text = arena_text(&m->arena, text, length);
  m->n_lines = 1;
  for (size_t i = 0; i < length; i++) m->n_lines += text[i] == '\n';
  m->line_start = arena_alloc(&m->arena, (m->n_lines + 1) * sizeof *m->line_start);
  uint32_t line = 0;
  for (size_t i = 0; i < length; i++) {
    if (m->text[i] == '\t') m->text[i] = ' ';
    if (m->text[i] == '\r') m->text[i] = 0;
    if (m->text[i] != '\n') continue;
    m->text[i] = 0;
    m->line_start[++line] = (uint32_t)i + 1;
  }
  for (line = 0; line < m->n_lines; line++)
    while (m->text[m->line_start[line]] == ' ') m->line_start[line]++;
}

static bool host_is_wide(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

int ptx_module_load_with(bool wide, const struct ptx_options *options, const char *file, const char *text,
                         size_t length, const struct ptx_extension *extensions, struct device_memory *memory,
                         struct ptx_module **out, struct err *e) {
  *out = NULL;
  while (length && text[length - 1] == 0) length--; /* cuModuleLoadData passes a final 0 */
  if (length > MAX_TEXT_BYTES)
    return err_set(e, ERR_LIMIT, "%s: %zu bytes of PTX: more than 256 MiB are not read", file, length);
  struct ptx_module *m = calloc(1, sizeof *m);
  invariant(m, "the host has no memory for a module");
  m->file = arena_text(&m->arena, file, strlen(file));
  m->memory = memory;
  m->extensions = extensions;
  struct arena scratch = {NULL};
  struct parser p = {.module = m, .scratch = &scratch, .e = e, .options = options, .wide = wide};
  struct token *token;
  int code = ptx_lex(m->file, text, length, &scratch, &token, e);
  p.token = token;
  if (!code) code = ptx_parse_module(&p);
  for (uint32_t i = 0; i < m->n_functions && !code; i++)
    if (m->function[i]->is_entry) code = ptx_link_kernel(&p, m->function[i]);
  arena_free(&scratch);
  if (code) {
    ptx_module_free(m);
    return code;
  }
  keep_text(m, text, length);
  *out = m;
  return 0;
}

int ptx_module_load(const char *file, const char *text, size_t length, const struct ptx_extension *extensions,
                    struct device_memory *memory, struct ptx_module **out, struct err *e) {
  static const struct ptx_options none = {0};
  return ptx_module_load_options(&none, file, text, length, extensions, memory, out, e);
}

int ptx_module_load_options(const struct ptx_options *options, const char *file, const char *text, size_t length,
                            const struct ptx_extension *extensions, struct device_memory *memory,
                            struct ptx_module **out, struct err *e) {
  return ptx_module_load_with(host_is_wide(), options, file, text, length, extensions, memory, out, e);
}

void ptx_module_free(struct ptx_module *m) {
  if (!m) return;
  for (const struct variable *v = m->variables; v; v = v->next) device_memory_free(m->memory, v->address, NULL);
  arena_free(&m->arena);
  free(m);
}

const struct ptx_kernel *ptx_module_kernel(const struct ptx_module *m, const char *name) {
  for (uint32_t i = 0; i < m->n_kernels; i++)
    if (strcmp(m->kernel[i]->public.name, name) == 0) return &m->kernel[i]->public;
  return NULL;
}

uint32_t ptx_module_n_kernels(const struct ptx_module *m) { return m->n_kernels; }
uint32_t ptx_module_target(const struct ptx_module *m) { return m->target; }

const struct ptx_kernel *ptx_module_kernel_at(const struct ptx_module *m, uint32_t index) {
  return index < m->n_kernels ? &m->kernel[index]->public : NULL;
}

static const struct variable *find_variable(const struct ptx_module *m, const char *name) {
  const struct variable *v = m->variables;
  while (v && strcmp(v->name, name) != 0) v = v->next;
  return v;
}

uint64_t ptx_module_global(const struct ptx_module *m, const char *name, uint64_t *bytes) {
  const struct variable *v = find_variable(m, name);
  if (v && bytes) *bytes = v->bytes;
  return v ? v->address : 0;
}

uint64_t ptx_module_texture(const struct ptx_module *m, const char *name) {
  const struct variable *v = find_variable(m, name);
  return v && v->texture ? v->address : 0;
}

const char *ptx_module_file(const struct ptx_module *m) { return m->file; }

void ptx_module_relocate(struct ptx_module *m, struct ptx_relocation r) { m->relocation = r; }
struct ptx_relocation ptx_module_relocation(const struct ptx_module *m) {
  return m->relocation;
}

void ptx_module_set_runtime(struct ptx_module *m, const struct ptx_device_runtime *r) { m->runtime = r; }
void ptx_module_set_grid_memory(struct ptx_module *m, uint64_t address) { m->grid_memory = address; }
bool ptx_kernel_is_serial(const struct ptx_kernel *k) {
  return ((const struct kernel *)k)->serial;
} /* its first member */

uint32_t ptx_module_n_lines(const struct ptx_module *m) { return m->n_lines; }

const char *ptx_module_line(const struct ptx_module *m, uint32_t line) {
  return line >= 1 && line <= m->n_lines ? m->text + m->line_start[line - 1] : "";
}

const char *ptx_op_text(const struct ptx_kernel *k, uint32_t pc) {
  return pc < k->n_ops ? ptx_module_line(k->module, k->ops[pc].line) : "";
}
