/* SPDX-License-Identifier: Apache-2.0 */
/* Entries and functions. A declaration and a later definition are one function. Bodies are decoded after the text is
 * parsed, when a kernel reaches them. */
#include "ptx/device_call.h"
#include "ptx/parse.h"

#include <string.h>

/* ---- entries ---- */

/* .maxntid x, y, z and the like: product of up to three counts. */
static int parse_counts(struct parser *p, uint64_t *product) {
  *product = 1;
  for (int i = 0; i < 3; i++) {
    uint64_t n;
    int code = ptx_parse_count(p, UINT32_MAX, &n);
    if (code) return code;
    if (__builtin_mul_overflow(*product, n, product) || *product > UINT32_MAX)
      return ptx_syntax(p, p->token->line, "the thread counts multiply to more than 2^32");
    if (!ptx_accept(p, ",")) break;
  }
  return 0;
}

static int parse_entry_directives(struct parser *p) {
  while (p->token->kind == TOK_DIRECTIVE) {
    const struct token *t = p->token++;
    uint64_t n;
    int code = 0;
    if (token_is(t, ".maxntid") || token_is(t, ".reqntid")) {
      code = parse_counts(p, &n);
      if (!code) p->kernel->public.max_threads = (uint32_t)n;
    } else if (token_is(t, ".maxnreg")) {
      code = ptx_parse_count(p, UINT32_MAX, &n);
      if (!code) p->kernel->max_registers = (uint32_t)n;
    } else if (token_is(t, ".minnctapersm")) {
      code = ptx_parse_count(p, UINT32_MAX, &n);
      if (!code) p->kernel->min_ctas = (uint32_t)n;
    } else if (token_is(t, ".maxnctapersm")) {
      code = ptx_parse_count(p, UINT32_MAX, &n); /* allows more registers and asks for none */
    } else if (token_is(t, ".reqnctapercluster")) {
      code = parse_counts(p, &n);
      if (!code && n != 1)
        return ptx_unsupported(p, t->line, "clusters of %llu CTAs are not simulated", (unsigned long long)n);
    } else if (token_is(t, ".pragma")) {
      code = ptx_skip_pragma(p);
    } else {
      return ptx_unsupported(p, t->line, "unsupported directive '%.*s' of an entry", (int)t->length, t->text);
    }
    if (code) return code;
  }
  return 0;
}

static struct kernel *new_kernel(struct ptx_module *m) {
  m->kernel = arena_grow(&m->arena, m->kernel, m->n_kernels, &m->kernel_capacity, sizeof *m->kernel);
  struct kernel *k = arena_alloc(&m->arena, sizeof *k);
  m->kernel[m->n_kernels++] = k;
  k->number = m->n_kernels;
  return k;
}

static struct function *new_function(struct parser *p) {
  struct ptx_module *m = p->module;
  struct function *f = arena_alloc(&m->arena, sizeof *f);
  m->function = arena_grow(&m->arena, m->function, m->n_functions, &m->function_capacity, sizeof(struct function *));
  f->number = m->n_functions;
  m->function[m->n_functions++] = f;
  return f;
}

static void name_function(struct parser *p, struct function *f, const struct token *t) {
  f->name = arena_text(&p->module->arena, t->text, t->length);
  f->line = t->line;
  struct name *n = names_add(&p->module->arena, &p->module->names, f->name, t->length, 0);
  n->kind = NAME_FUNCTION;
  n->what = f;
}

static int duplicate(const struct parser *p, const struct token *t) {
  return ptx_syntax(p, t->line, "duplicate name '%.*s': rename one of the two", (int)t->length, t->text);
}

static int parse_entry_parts(struct parser *p) {
  int code = ptx_parse_parameters(p);
  if (code || (code = parse_entry_directives(p))) return code;
  if (ptx_accept(p, ";")) return 0; /* declared, to be defined later */
  if ((code = ptx_expect(p, "{", "before the body of the entry"))) return code;
  p->function->defined = true;
  p->scope = 1;
  return ptx_parse_body(p);
}

int ptx_parse_entry(struct parser *p) {
  const struct token *t;
  int code = ptx_take_name(p, "the name of an entry", &t);
  if (code) return code;
  struct name *n = names_find(&p->module->names, t->text, t->length, 0);
  struct function *f = n && n->kind == NAME_FUNCTION ? n->what : NULL;
  if (n && (!f || !f->is_entry || f->defined)) return duplicate(p, t);
  if (f) { /* repeats the declaration */
    struct function old = *f;
    *f = (struct function){.name = old.name, .line = t->line, .number = old.number, .kernel = old.kernel};
    old.kernel->parameters = NULL;
    old.kernel->public.param_bytes = 0;
  } else {
    f = new_function(p);
    name_function(p, f, t);
    f->kernel = new_kernel(p->module);
    f->kernel->public.name = f->name;
  }
  f->is_entry = true;
  p->function = f;
  p->kernel = f->kernel;
  p->scope = 0;
  ptx_root_scope(p, f);
  code = parse_entry_parts(p);
  p->function = NULL;
  p->kernel = NULL;
  p->scope = 0;
  return code;
}

/* ---- functions ---- */

/* An external function is either an extension, an instruction that a proposal adds, or defined later in this text. */
static int check_extension(struct parser *p, struct function *f) {
  const struct ptx_extension *x = p->module->extensions;
  while (x && x->name && strcmp(x->name, f->name) != 0) x++;
  f->extension = x && x->name ? x : NULL;
  if (f->extension && (f->has_result != f->extension->result || f->n_parameters != f->extension->n_args))
    return ptx_syntax(p, f->line, "instruction '%s' takes %u arguments and returns %s; it is declared with %u%s",
                      f->name, f->extension->n_args, f->extension->result ? "64 bits" : "nothing", f->n_parameters,
                      f->has_result ? " and a result" : "");
  return 0;
}

/* Finds the function of this name or makes it; NULL if the name is taken. */
static struct function *find_or_make(struct parser *p, const struct token *t, bool defines) {
  struct name *n = names_find(&p->module->names, t->text, t->length, 0);
  struct function *f = n && n->kind == NAME_FUNCTION ? n->what : NULL;
  if (n && (!f || f->is_entry || (f->defined && defines))) return NULL;
  if (f) return f;
  f = new_function(p);
  name_function(p, f, t);
  return f;
}

int ptx_parse_function(struct parser *p, bool external) {
  struct function signature = {.line = p->token->line};
  const struct token *t;
  p->function = &signature;
  p->scope = 0;
  ptx_root_scope(p, &signature);
  int code = ptx_parse_signature(p, "the name of a function", &t);
  p->function = NULL;
  if (code) return code;
  bool defines = ptx_accept(p, "{");
  struct function *f = find_or_make(p, t, defines);
  if (!f) return duplicate(p, t);
  if (f->defined) return ptx_expect(p, ";", "after the declaration"); /* after its definition */
  struct function old = *f;
  *f = signature;
  f->name = old.name;
  f->line = t->line;
  f->number = old.number;
  f->address_taken = old.address_taken;
  f->external = external;
  f->defined = defines;
  if (!defines && (code = check_extension(p, f))) return code;
  if (!defines) return ptx_expect(p, ";", "or a body after the function");
  p->function = f;
  p->scope = 1;
  code = ptx_parse_body(p);
  p->function = NULL;
  p->scope = 0;
  return code;
}

int ptx_check_functions(struct parser *p) {
  for (uint32_t i = 0; i < p->module->n_functions; i++) {
    const struct function *f = p->module->function[i];
    if (f->is_entry && !f->defined) return ptx_syntax(p, f->line, "entry '%s' is declared and never defined", f->name);
    if (!f->external || f->defined || f->extension || ptx_device_call(f->name)) continue;
    if (ptx_is_launch_call(f->name))
      return ptx_unsupported(p, f->line,
                             "'%s': kernels that launch kernels (dynamic parallelism) are not simulated; launch them "
                             "from the host",
                             f->name);
    return ptx_unsupported(p, f->line,
                           "external function '%s' is no instruction of a switched-on system and nothing is linked: "
                           "define it in this text, or switch on the proposal it belongs to",
                           f->name);
  }
  return 0;
}
