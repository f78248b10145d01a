/* SPDX-License-Identifier: Apache-2.0 */
/* Module scope: header directives, variables, entries and functions. */
#include "ptx/parse.h"

#include <stdlib.h>
#include <string.h>

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
    if (t->length >= 5 && memcmp(t->text, "sm_", 3) == 0) {
      arch = true;
      p->module->target = (uint32_t)strtoul(t->text + 3, NULL, 10); /* sm_90a: 90 */
    }
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
  if (token_is(t, ".entry")) return ptx_parse_entry(p);
  if (token_is(t, ".func")) return ptx_parse_function(p, external);
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
  if (ptx_accept(p, ".pragma")) return ptx_skip_pragma(p);
  if (!p->has_version || !p->has_target)
    return ptx_syntax(p, p->token->line, "PTX text begins with .version and .target; found '%.*s'",
                      p->token->length > 60 ? 60 : (int)p->token->length, p->token->text);
  return parse_definition(p);
}

/* Marks functions whose address is taken by mov: they can be called through a register. */
static void note_addresses(struct parser *p) {
  for (uint32_t i = 0; i < p->module->n_functions; i++) {
    const struct function *f = p->function = p->module->function[i];
    for (uint32_t k = 0; k < f->n_instructions; k++) {
      const struct instruction *ins = &f->instruction[k];
      const struct operand *o = ins->n_operands == 2 ? &ins->operand[1] : NULL;
      if (!o || o->kind != OPERAND_NAME || strncmp(ins->opcode, "mov.", 4) != 0) continue;
      struct name *n = ptx_find_name(p, o->name, o->length, ins->scope);
      if (n && n->kind == NAME_FUNCTION) ((struct function *)n->what)->address_taken = true;
    }
  }
}

int ptx_parse_module(struct parser *p) {
  while (p->token->kind != TOK_END) {
    int code = parse_directive(p);
    if (code) return code;
  }
  if (!p->has_version || !p->has_target) /* a text without entries and variables is one of a file without device code */
    return ptx_syntax(p, p->token->line, "the text ends before .version and .target: is it PTX, and is it complete?");
  if (!p->has_address_size)
    return ptx_syntax(p, 1, "no .address_size 64 in the text: only 64-bit modules are supported");
  int code = ptx_check_variables(p);
  if (!code) code = ptx_check_functions(p);
  if (code) return code;
  note_addresses(p);
  return 0;
}
