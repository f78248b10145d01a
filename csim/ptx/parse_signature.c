/* SPDX-License-Identifier: Apache-2.0 */
/* Parameter lists and signatures of entries, functions and prototypes. */
#include "ptx/parse.h"

void ptx_root_scope(struct parser *p, struct function *f) {
  f->scope_parent = arena_grow(p->scratch, f->scope_parent, 0, &f->scope_capacity, sizeof *f->scope_parent);
  f->scope_parent[0] = f->scope_parent[1] = 0;
  f->n_scopes = 2; /* 0: parameters, 1: the body */
}

/* ( .param ... name, ... ) */
int ptx_parse_parameters(struct parser *p) {
  if (!ptx_accept(p, "(")) return 0;
  while (!token_is(p->token, ")")) {
    if (token_is(p->token, ".reg"))
      return ptx_unsupported(p, p->token->line, "a .reg parameter: declare it .param, as compilers do");
    int code = ptx_expect(p, ".param", "in the parameter list");
    if (!code) code = ptx_parse_variable(p, PTX_PARAM, false);
    if (code) return code;
    p->function->n_parameters++;
    if (!ptx_accept(p, ",")) break;
  }
  return ptx_expect(p, ")", "after the parameters");
}

/* (results) name (parameters): into p->function */
int ptx_parse_signature(struct parser *p, const char *what, const struct token **name) {
  struct function *f = p->function;
  f->has_result = token_is(p->token, "(");
  int code = f->has_result ? ptx_parse_parameters(p) : 0;
  f->n_parameters = 0;
  if (code || (code = ptx_take_name(p, what, name)) || (code = ptx_parse_parameters(p))) return code;
  while (p->token->kind == TOK_DIRECTIVE && !token_is(p->token, ".pragma")) p->token++; /* .noreturn, .unique */
  while (ptx_accept(p, ".pragma"))
    if ((code = ptx_skip_pragma(p))) return code;
  return 0;
}

/* .callprototype (results) _ (parameters): parsed for its syntax; the call's own variables say the sizes. */
int ptx_parse_prototype(struct parser *p, struct function **out) {
  struct function *caller = p->function, *f = arena_alloc(p->scratch, sizeof *f);
  const struct token *t;
  struct kernel *kernel = p->kernel;
  uint32_t scope = p->scope;
  p->function = f;
  p->kernel = NULL;
  p->scope = 0;
  ptx_root_scope(p, f);
  int code = ptx_parse_signature(p, "_", &t);
  p->function = caller;
  p->kernel = kernel;
  p->scope = scope;
  *out = f;
  return code ? code : ptx_expect(p, ";", "after .callprototype");
}
