/* SPDX-License-Identifier: Apache-2.0 */
/* Module scope: header directives, variables, entries and functions. */
#include "ptx/ptx_internal.h"

#include <string.h>

void ptx_skip_line(struct parser *p) {
  uint32_t line = p->token->line;
  while (p->token->kind != TOK_END && p->token->line == line) p->token++;
}

/* "7.5": digits, a dot, digits. "7." is what a truncated file leaves. */
static int parse_version(struct parser *p) {
  const struct token *t = p->token++;
  const char *dot = t->kind == TOK_NUMBER ? memchr(t->text, '.', t->length) : NULL;
  if (!dot || dot == t->text || dot + 1 == t->text + t->length)
    return ptx_syntax(p, t->line, "malformed .version: write .version 7.5");
  p->has_version = true;
  return 0;
}

static int parse_target(struct parser *p) {
  bool arch = false;
  do {
    const struct token *t;
    int code = ptx_take_name(p, "a target such as sm_70", &t);
    if (code) return code;
    if (t->length >= 5 && memcmp(t->text, "sm_", 3) == 0) arch = true;
    if (token_is(t, "texmode_independent"))
      return ptx_unsupported(p, t->line, ".target texmode_independent: only textures in unified mode are supported");
  } while (ptx_accept(p, ","));
  if (!arch) return ptx_syntax(p, p->token->line, "malformed .target: write .target sm_70");
  p->has_target = true;
  return 0;
}

static int parse_address_size(struct parser *p) {
  uint64_t bits;
  uint32_t line = p->token->line;
  int code = ptx_parse_count(p, 1000, &bits);
  if (code) return code;
  if (bits != 64)
    return ptx_unsupported(p, line, ".address_size %u: only 64-bit modules are supported", (unsigned)bits);
  p->has_address_size = true;
  return 0;
}

/* ( .param ... name, ... ) of an entry. */
static int parse_entry_parameters(struct parser *p) {
  if (!ptx_accept(p, "(")) return 0;
  while (!token_is(p->token, ")")) {
    int code = ptx_expect(p, ".param", "in the parameter list");
    if (!code) code = ptx_parse_variable(p, PTX_PARAM, false);
    if (code) return code;
    p->function->n_parameters++;
    if (!ptx_accept(p, ",")) break;
  }
  return ptx_expect(p, ")", "after the parameters");
}

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
    } else if (token_is(t, ".minnctapersm") || token_is(t, ".maxnctapersm") || token_is(t, ".maxnreg")) {
      code = ptx_parse_count(p, UINT32_MAX, &n); /* advice to an allocator that is not here */
    } else if (token_is(t, ".pragma")) {
      while (p->token->kind == TOK_STRING || token_is(p->token, ",")) p->token++;
      code = ptx_expect(p, ";", "after .pragma");
    } else {
      return ptx_unsupported(p, t->line, "unsupported directive '%.*s' of an entry", (int)t->length, t->text);
    }
    if (code) return code;
  }
  return 0;
}

static uint32_t new_root_scope(struct function *f, struct arena *a) {
  f->scope_parent = arena_grow(a, f->scope_parent, 0, &f->scope_capacity, sizeof *f->scope_parent);
  f->scope_parent[0] = f->scope_parent[1] = 0;
  f->n_scopes = 2; /* 0: parameters, 1: the body */
  return 0;
}

static int add_function_name(struct parser *p, struct function *f, const struct token *t) {
  struct name *n = names_find(&p->module->names, t->text, t->length, 0);
  struct function *old = n && n->kind == NAME_FUNCTION ? n->what : NULL;
  if (n && (!old || old->is_entry || f->is_entry || (old->defined && f->defined)))
    return ptx_syntax(p, t->line, "duplicate name '%s': rename one of the two", f->name);
  if (old && old->defined) return 0;
  if (!n) n = names_add(&p->module->arena, &p->module->names, f->name, t->length, 0);
  n->kind = NAME_FUNCTION;
  n->what = f;
  return 0;
}

static int parse_entry(struct parser *p) {
  const struct token *t;
  int code = ptx_take_name(p, "the name of an entry", &t);
  if (code) return code;
  struct function *f = arena_alloc(&p->module->arena, sizeof *f);
  *f = (struct function){
    .name = arena_text(&p->module->arena, t->text, t->length), .line = t->line, .is_entry = true, .defined = true};
  if ((code = add_function_name(p, f, t))) return code;
  p->function = f;
  p->scope = new_root_scope(f, p->scratch);
  p->kernel = ptx_kernel_new(p->module);
  p->kernel->public.name = f->name;
  if ((code = parse_entry_parameters(p))) return code;
  if ((code = parse_entry_directives(p))) return code;
  if ((code = ptx_expect(p, "{", "before the body of the entry"))) return code;
  p->scope = 1;
  if ((code = ptx_parse_body(p))) return code;
  code = ptx_decode_kernel(p);
  p->function = NULL;
  p->kernel = NULL;
  p->scope = 0;
  return code;
}

/* ( .param ..., ... ) of a function, counted and skipped. */
static int count_parameters(struct parser *p, uint32_t *n) {
  *n = 0;
  int code = ptx_expect(p, "(", "before the parameters");
  if (code || ptx_accept(p, ")")) return code;
  for (*n = 1; !token_is(p->token, ")"); p->token++) {
    if (p->token->kind == TOK_END || token_is(p->token, ";") || token_is(p->token, "{"))
      return ptx_expect(p, ")", "after the parameters");
    if (token_is(p->token, ",")) ++*n;
  }
  p->token++;
  return 0;
}

/* An external function is an instruction of a system, or nothing. */
static int check_extension(struct parser *p, struct function *f) {
  const struct ptx_extension *x = p->module->extensions;
  while (x && x->name && strcmp(x->name, f->name) != 0) x++;
  f->extension = x && x->name ? x : NULL;
  if (!f->extension && f->external)
    return ptx_unsupported(p, f->line,
                           "external function '%s' is no instruction of a switched-on system and nothing is linked: "
                           "define it in this text, or switch on the system it belongs to",
                           f->name);
  if (f->extension && (f->has_result || f->n_parameters != f->extension->n_args))
    return ptx_syntax(p, f->line, "instruction '%s' takes %u arguments and returns nothing; it is declared with %u%s",
                      f->name, f->extension->n_args, f->n_parameters, f->has_result ? " and a result" : "");
  return 0;
}

static int parse_function(struct parser *p, bool external) {
  uint32_t n;
  bool has_result = token_is(p->token, "(");
  int code = has_result ? count_parameters(p, &n) : 0;
  const struct token *t;
  if (code || (code = ptx_take_name(p, "the name of a function", &t))) return code;
  if (token_is(p->token, "(") && (code = count_parameters(p, &n))) return code;
  while (p->token->kind == TOK_DIRECTIVE) p->token++; /* .noreturn */
  struct function *f = arena_alloc(&p->module->arena, sizeof *f);
  *f = (struct function){.name = arena_text(&p->module->arena, t->text, t->length),
                         .line = t->line,
                         .external = external,
                         .has_result = has_result,
                         .n_parameters = n};
  if (ptx_accept(p, "{")) {
    f->defined = true; /* the body matters only when it is called, and then the call is refused */
    if ((code = ptx_skip_braces(p))) return code;
  } else {
    if ((code = ptx_expect(p, ";", "or a body after the function"))) return code;
    if ((code = check_extension(p, f))) return code;
  }
  return add_function_name(p, f, t);
}

static int parse_section(struct parser *p) { /* debug sections of -lineinfo and -G */
  while (!token_is(p->token, "{") && p->token->kind != TOK_END) p->token++;
  int code = ptx_expect(p, "{", "after .section");
  return code ? code : ptx_skip_braces(p);
}

static int parse_definition(struct parser *p) {
  bool external = false;
  for (;; p->token++) {
    if (token_is(p->token, ".extern")) external = true;
    else if (!token_is(p->token, ".visible") && !token_is(p->token, ".weak") && !token_is(p->token, ".common")) break;
  }
  const struct token *t = p->token;
  if (t->kind != TOK_DIRECTIVE) return ptx_expect(p, ".entry, .func or a variable", "");
  p->token++;
  if (token_is(t, ".entry")) return parse_entry(p);
  if (token_is(t, ".func")) return parse_function(p, external);
  enum ptx_space space = token_is(t, ".global")   ? PTX_GLOBAL
                         : token_is(t, ".const")  ? PTX_CONST
                         : token_is(t, ".shared") ? PTX_SHARED
                                                  : PTX_SPACES;
  if (space == PTX_SPACES)
    return ptx_unsupported(p, t->line, "unsupported directive '%.*s' outside an entry", (int)t->length, t->text);
  int code = ptx_parse_variable(p, space, external);
  return code ? code : ptx_expect(p, ";", "after the variable");
}

static int parse_directive(struct parser *p) {
  if (ptx_accept(p, ".version")) return parse_version(p);
  if (ptx_accept(p, ".target")) return parse_target(p);
  if (ptx_accept(p, ".address_size")) return parse_address_size(p);
  if (token_is(p->token, ".file") || token_is(p->token, ".loc")) {
    ptx_skip_line(p);
    return 0;
  }
  if (ptx_accept(p, ".section")) return parse_section(p);
  if (ptx_accept(p, ";")) return 0;
  if (ptx_accept(p, ".pragma")) {
    while (p->token->kind == TOK_STRING || token_is(p->token, ",")) p->token++;
    return ptx_expect(p, ";", "after .pragma");
  }
  if (!p->has_version || !p->has_target)
    return ptx_syntax(p, p->token->line, "PTX text begins with .version and .target; found '%.*s'",
                      p->token->length > 60 ? 60 : (int)p->token->length, p->token->text);
  return parse_definition(p);
}

int ptx_parse_module(struct parser *p) {
  while (p->token->kind != TOK_END) {
    int code = parse_directive(p);
    if (code) return code;
  }
  if (!p->module->n_kernels && !p->module->variables)
    return ptx_syntax(p, p->token->line, "the text holds no entry and no variable: is it PTX, and is it complete?");
  if (!p->has_address_size)
    return ptx_syntax(p, 1, "no .address_size 64 in the text: only 64-bit modules are supported");
  return 0;
}
