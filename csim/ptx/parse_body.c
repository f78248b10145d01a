/* SPDX-License-Identifier: Apache-2.0 */
/* The body of an entry or function: declarations, labels and instructions. Names are resolved here, except labels and
 * functions, which may be defined later. Blocks { } open a scope of their own. */
#include "ptx/parse.h"

#include <string.h>

enum { MAX_REGISTERS = 65000, MAX_ELEMENTS = 64, MAX_SCOPES = 1 << 20, ADDRESS_PARTS = 3 };

static const struct {
  const char *name;
  uint8_t wide;
} special_table[PTX_N_SPECIALS] = {
#define X(text, id, is_wide) [id] = {text, is_wide},
  PTX_SPECIALS(X)
#undef X
};

bool ptx_special_is_wide(uint32_t special) { return special_table[special].wide; }

/* ---- names ---- */

/* A register of 128 bits (type T_NONE) is two of 64, the lower half first. */
static int add_register(struct parser *p, const char *text, uint32_t length, uint32_t scope, enum ptx_type type,
                        uint32_t line, struct name **out) {
  struct function *f = p->function;
  uint32_t halves = type == T_NONE ? 2 : 1;
  if (f->n_regs + halves > MAX_REGISTERS)
    return ptx_unsupported(p, line, "'%s' uses more than %u registers", f->name, MAX_REGISTERS);
  struct name *n = names_add(p->scratch, &f->names, text, length, scope);
  n->kind = type == T_NONE ? NAME_WIDE : NAME_REGISTER;
  n->type = type;
  n->index = f->n_regs;
  for (uint32_t i = 0; i < halves; i++) {
    f->reg = arena_grow(p->scratch, f->reg, f->n_regs, &f->reg_capacity, sizeof *f->reg);
    f->reg[f->n_regs++] = (struct reg){.name = text, .type = type == T_NONE ? T_B64 : type};
  }
  *out = n;
  return 0;
}

/* The range that declares a register such as %r12 (.reg %r<20>) in this scope, or NULL. */
static struct name *range_of(const struct parser *p, const char *text, uint32_t length, uint32_t scope) {
  uint32_t prefix = length;
  uint64_t number = 0, scale = 1;
  while (prefix > 1 && text[prefix - 1] >= '0' && text[prefix - 1] <= '9' && length - prefix < 9) {
    number += scale * (uint64_t)(text[--prefix] - '0');
    scale *= 10;
    if (text[prefix] == '0' && length - prefix > 1) continue; /* %r05 is not %r5, but %x10 of %x1<9> may be */
    struct name *n = names_find(&p->function->names, text, prefix, scope | 0x80000000u);
    if (n && number < n->index) return n;
  }
  return NULL;
}

/* Finds a name, making the register of a range on its first use. */
static int resolve(struct parser *p, const struct token *t, struct name **out) {
  for (uint32_t scope = p->scope;; scope = p->function->scope_parent[scope]) {
    if ((*out = names_find(&p->function->names, t->text, t->length, scope))) return 0;
    struct name *range = range_of(p, t->text, t->length, scope);
    if (range) return add_register(p, t->text, t->length, scope, range->type, t->line, out);
    if (scope == 0) break;
  }
  *out = names_find(&p->module->names, t->text, t->length, 0);
  return 0;
}

/* ---- operands ---- */

/* Notes that the function uses a shared variable: kernels that reach it give it a place. */
static void use_variable(struct parser *p, struct variable *v) {
  struct function *f = p->function;
  if (v->space != PTX_SHARED || v->used_by == f) return;
  v->used_by = f;
  f->shared = arena_grow(p->scratch, f->shared, f->n_shared, &f->shared_capacity, sizeof(struct variable *));
  f->shared[f->n_shared++] = v;
}

/* Shared memory that a GPU reserves for the system: a variable of the kernels that name it. assumption: 512 bytes; CUDA's headers ask
 * for 288. */
static struct variable *reserved(struct parser *p, const struct token *t) {
  struct variable **v = &p->reserved[t->text[t->length - 1] - '0'];
  if (*v) return *v;
  *v = arena_alloc(p->scratch, sizeof **v);
  **v = (struct variable){.name = arena_text(p->scratch, t->text, t->length),
                          .line = t->line,
                          .space = PTX_SHARED,
                          .type = T_B8,
                          .bytes = 512,
                          .align = 16};
  return *v;
}

/* A register of 128 bits: {lower half, upper half}. */
static void make_pair(struct parser *p, const struct name *n, struct operand *o) {
  o->kind = OPERAND_VECTOR;
  o->wide = true;
  o->n_elements = 2;
  o->element = arena_alloc(p->scratch, 2 * sizeof *o->element);
  for (uint32_t i = 0; i < 2; i++)
    o->element[i] =
      (struct operand){.kind = OPERAND_REGISTER, .name = o->name, .length = o->length, .index = n->index + i};
}

static int parse_word(struct parser *p, struct operand *o) {
  const struct token *t = p->token++;
  *o = (struct operand){.name = t->text, .length = t->length};
  struct name *n;
  int code = resolve(p, t, &n);
  if (code) return code;
  if (n && n->kind == NAME_REGISTER) {
    o->kind = OPERAND_REGISTER;
    o->index = n->index;
  } else if (n && n->kind == NAME_WIDE) {
    make_pair(p, n, o);
  } else if (n && n->kind == NAME_VARIABLE) {
    o->kind = OPERAND_VARIABLE;
    o->variable = n->what;
    use_variable(p, o->variable);
  } else if (token_is(t, "_")) {
    o->kind = OPERAND_SINK;
  } else if (token_is(t, "WARP_SZ")) {
    o->kind = OPERAND_IMMEDIATE;
    o->bits = WARP_LANES;
  } else if (t->length > 7 && memcmp(t->text, "%envreg", 7) == 0 && !token_is(t, "%envreg1") &&
             !token_is(t, "%envreg2")) { /* those that no driver sets are 0 */
    o->kind = OPERAND_IMMEDIATE;
  } else if (token_is(t, "%reserved_smem_offset_0") || token_is(t, "%reserved_smem_offset_1")) {
    o->kind = OPERAND_VARIABLE;
    o->variable = reserved(p, t);
    use_variable(p, o->variable);
  } else if (t->text[0] == '%' && !(t->length > 9 && memcmp(t->text, "%reserved", 9) == 0)) {
    for (o->index = 0; o->index < PTX_N_SPECIALS; o->index++)
      if (token_is(t, special_table[o->index].name)) break;
    o->kind = OPERAND_SPECIAL;
    if (o->index == PTX_N_SPECIALS)
      return ptx_syntax(p, t->line, "unknown register '%.*s': declare it with .reg", (int)t->length, t->text);
  } else {
    o->kind = OPERAND_NAME;
  }
  return 0;
}

static int parse_operand(struct parser *p, struct operand *o, bool nested);

/* a, b, ... up to `close` */
static int parse_elements(struct parser *p, struct operand *o, enum operand_kind kind, const char *close) {
  uint32_t capacity = 0, n = 0;
  struct operand *element = NULL;
  while (!token_is(p->token, close)) {
    element = arena_grow(p->scratch, element, n, &capacity, sizeof *element);
    if (n == MAX_ELEMENTS) return ptx_syntax(p, p->token->line, "more than %u operands in one list", MAX_ELEMENTS);
    int code = parse_operand(p, &element[n++], true);
    if (code) return code;
    if (!ptx_accept(p, ",")) break;
  }
  *o = (struct operand){.kind = kind, .element = element, .n_elements = n};
  return ptx_expect(p, close, "after the operands");
}

/* What follows the base in the address of tex: a sampler, {coordinates}. */
static int parse_coordinates(struct parser *p, struct operand *o) {
  while (ptx_accept(p, ",")) {
    if (o->n_elements == ADDRESS_PARTS) return ptx_expect(p, "]", "after an address");
    struct operand *part = &o->element[o->n_elements++];
    int code = ptx_accept(p, "{") ? parse_elements(p, part, OPERAND_VECTOR, "}") : parse_operand(p, part, true);
    if (code) return code;
  }
  return 0;
}

static int parse_address(struct parser *p, struct operand *o) {
  struct operand *base = arena_alloc(p->scratch, ADDRESS_PARTS * sizeof *base), offset = {.bits = 0};
  int code = p->token->kind == TOK_WORD ? parse_word(p, base) : ptx_parse_literal(p, base);
  if (code) return code;
  uint32_t line = p->token->line;
  if (token_is(p->token, "+") || token_is(p->token, "-")) {
    if ((code = ptx_parse_literal(p, &offset))) return code;
    if (offset.literal != LITERAL_INT) return ptx_syntax(p, line, "an address offset is an integer");
  }
  *o = (struct operand){.kind = OPERAND_ADDRESS, .element = base, .n_elements = 1, .offset = (int64_t)offset.bits};
  if ((code = parse_coordinates(p, o))) return code;
  return ptx_expect(p, "]", "after an address");
}

/* Lists do not nest: depth is 2 at most. */
static int parse_operand(struct parser *p, struct operand *o, bool nested) {
  const struct token *t = p->token;
  int code;
  if (t->kind == TOK_WORD) {
    code = parse_word(p, o);
  } else if (!nested && ptx_accept(p, "{")) {
    return parse_elements(p, o, OPERAND_VECTOR, "}");
  } else if (!nested && ptx_accept(p, "(")) {
    return parse_elements(p, o, OPERAND_LIST, ")");
  } else if (!nested && ptx_accept(p, "[")) {
    return parse_address(p, o);
  } else if (ptx_accept(p, "!")) {
    if (p->token->kind != TOK_WORD) return ptx_expect(p, "a predicate", "after '!'");
    code = parse_word(p, o);
    o->negated = true;
  } else {
    code = ptx_parse_literal(p, o);
  }
  if (code || nested || !ptx_accept(p, "|")) return code;
  o->pair = arena_alloc(p->scratch, sizeof *o->pair);
  if (p->token->kind != TOK_WORD) return ptx_expect(p, "a predicate", "after '|'");
  return parse_word(p, o->pair);
}

/* ---- statements ---- */

static int parse_guard(struct parser *p, struct instruction *ins) {
  if (!ptx_accept(p, "@")) return 0;
  struct operand o;
  uint32_t line = p->token->line;
  ins->guarded = true;
  ins->guard_negated = ptx_accept(p, "!");
  if (p->token->kind != TOK_WORD) return ptx_expect(p, "a predicate", "after '@'");
  int code = parse_word(p, &o);
  if (code) return code;
  if (o.kind != OPERAND_REGISTER || p->function->reg[o.index].type != T_PRED)
    return ptx_syntax(p, line, "the guard '%.*s' is no predicate register", (int)o.length, o.name);
  ins->guard = o.index;
  return 0;
}

static void append_instruction(struct parser *p, const struct instruction *ins) {
  struct function *f = p->function;
  f->instruction = arena_grow(p->scratch, f->instruction, f->n_instructions, &f->instruction_capacity, sizeof *ins);
  f->instruction[f->n_instructions++] = *ins;
}

/* The first register of 128 bits among operands, also in lists, or NULL. */
static const struct operand *find_wide(const struct operand *o, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const struct operand *inside = o[i].wide ? &o[i] : find_wide(o[i].element, o[i].n_elements);
    if (!inside && o[i].pair) inside = find_wide(o[i].pair, 1);
    if (inside) return inside;
  }
  return NULL;
}

/* Appends an instruction. `mov.b128` becomes two moves of halves, a load or store of .b128 one of .v2.b64. */
static int finish_instruction(struct parser *p, struct instruction *ins) {
  const char *type = strstr(ins->opcode, ".b128");
  struct operand *o = ins->operand;
  bool last = type && type[5] == 0, pairs = ins->n_operands == 2;
  for (uint32_t i = 0; pairs && i < 2; i++) pairs = o[i].kind == OPERAND_VECTOR && o[i].n_elements == 2;
  if (pairs && strcmp(ins->opcode, "mov.b128") == 0 && (o[0].wide || o[1].wide)) {
    struct instruction half[2] = {*ins, *ins};
    for (uint32_t i = 0; i < 2; i++) {
      half[i].opcode = "mov.b64";
      half[i].operand = arena_alloc(p->scratch, 2 * sizeof *o);
      for (uint32_t k = 0; k < 2; k++) half[i].operand[k] = o[k].element[i];
      if (find_wide(half[i].operand, 2))
        return ptx_syntax(p, ins->line, "the halves of mov.b128 are registers of 64 bits");
      append_instruction(p, &half[i]);
    }
    return 0;
  }
  bool load = strncmp(ins->opcode, "ld.", 3) == 0, store = strncmp(ins->opcode, "st.", 3) == 0;
  if (last && (load || store) && ins->n_operands > 1 && o[store].wide) {
    o[store].wide = false;
    size_t stem = (size_t)(type - ins->opcode);
    char *opcode = arena_alloc(p->scratch, stem + sizeof ".v2.b64");
    memcpy(opcode, ins->opcode, stem);
    memcpy(opcode + stem, ".v2.b64", sizeof ".v2.b64");
    ins->opcode = opcode;
  }
  const struct operand *wide = type ? NULL : find_wide(o, ins->n_operands);
  if (wide)
    return ptx_syntax(p, ins->line, "'%.*s' has 128 bits: only mov, ld, st and atom with .b128 take it",
                      (int)wide->length, wide->name);
  append_instruction(p, ins);
  return 0;
}

static int parse_instruction(struct parser *p) {
  struct instruction ins = {.scope = p->scope};
  int code = parse_guard(p, &ins);
  if (code) return code;
  const struct token *t = p->token;
  if (t->kind != TOK_WORD) return ptx_expect(p, "an instruction", "");
  p->token++;
  ins.line = t->line;
  ins.opcode = arena_text(p->scratch, t->text, t->length);
  uint32_t capacity = 0;
  while (!token_is(p->token, ";")) {
    if (ins.n_operands == MAX_ELEMENTS) return ptx_syntax(p, ins.line, "too many operands");
    ins.operand = arena_grow(p->scratch, ins.operand, ins.n_operands, &capacity, sizeof *ins.operand);
    if ((code = parse_operand(p, &ins.operand[ins.n_operands++], false))) return code;
    if (!ptx_accept(p, ",")) break;
  }
  if ((code = ptx_expect(p, ";", "after the instruction"))) return code;
  return finish_instruction(p, &ins);
}

/* .branchtargets L0, L1; .calltargets f, g; */
static int parse_targets(struct parser *p, struct name *n) {
  struct target_list *list = arena_alloc(p->scratch, sizeof *list);
  list->functions = token_is(p->token++, ".calltargets");
  do {
    const struct token *t;
    int code = ptx_take_name(p, list->functions ? "a function" : "a label", &t);
    if (code) return code;
    list->name = arena_grow(p->scratch, list->name, list->n, &list->capacity, sizeof(struct token *));
    list->name[list->n++] = t;
  } while (ptx_accept(p, ","));
  n->kind = NAME_TARGETS;
  n->what = list;
  return ptx_expect(p, ";", "after the targets");
}

static int parse_label(struct parser *p) {
  const struct token *t = p->token;
  p->token += 2;
  if (names_find(&p->function->names, t->text, t->length, p->scope))
    return ptx_syntax(p, t->line, "duplicate name '%.*s': rename one of the two", (int)t->length, t->text);
  struct name *n = names_add(p->scratch, &p->function->names, t->text, t->length, p->scope);
  n->kind = NAME_LABEL;
  n->index = p->function->n_instructions;
  if (token_is(p->token, ".branchtargets") || token_is(p->token, ".calltargets")) return parse_targets(p, n);
  if (!ptx_accept(p, ".callprototype")) return 0;
  struct function *prototype;
  int code = ptx_parse_prototype(p, &prototype);
  n->kind = NAME_PROTOTYPE;
  n->what = prototype;
  return code;
}

static int parse_one_register(struct parser *p, enum ptx_type type) {
  const struct token *t;
  int code = ptx_take_name(p, "the name of a register", &t);
  if (code) return code;
  bool range = ptx_accept(p, "<");
  uint64_t count = 0;
  if (range && (code = ptx_parse_count(p, UINT32_MAX, &count))) return code;
  if (range && (code = ptx_expect(p, ">", "after the number of registers"))) return code;
  uint32_t key = range ? p->scope | 0x80000000u : p->scope;
  struct name *n;
  if (names_find(&p->function->names, t->text, t->length, key) || (!range && range_of(p, t->text, t->length, p->scope)))
    return ptx_syntax(p, t->line, "duplicate name '%.*s': rename one of the two", (int)t->length, t->text);
  if (!range) return add_register(p, t->text, t->length, p->scope, type, t->line, &n);
  n = names_add(p->scratch, &p->function->names, t->text, t->length, key);
  n->kind = NAME_RANGE;
  n->type = type;
  n->index = (uint32_t)count;
  return 0;
}

static int parse_registers(struct parser *p) {
  const struct token *t = p->token;
  enum ptx_type type = t->kind == TOK_DIRECTIVE ? ptx_type_of(t->text + 1, t->length - 1) : T_NONE;
  if (type == T_NONE && !token_is(t, ".b128"))
    return ptx_unsupported(p, t->line, "unsupported register type '%.*s': use .pred, .b8 ... .f64, .b128",
                           t->length > 40 ? 40 : (int)t->length, t->text);
  p->token++;
  do {
    int code = parse_one_register(p, type);
    if (code) return code;
  } while (ptx_accept(p, ","));
  return ptx_expect(p, ";", "after the registers");
}

static int parse_pragma(struct parser *p, uint32_t line) {
  struct ptx_op_phase *phase;
  int code = ptx_parse_pragma(p, &phase);
  if (code || !phase) return code;
  append_instruction(
    p, &(struct instruction){.opcode = PTX_PHASE_PRAGMA, .line = line, .scope = p->scope, .phase = phase});
  return 0;
}

static int parse_body_directive(struct parser *p) {
  const struct token *t = p->token;
  if (token_is(t, ".loc") || token_is(t, ".file")) {
    ptx_skip_line(p);
    return 0;
  }
  p->token++;
  if (token_is(t, ".reg")) return parse_registers(p);
  if (token_is(t, ".pragma")) return parse_pragma(p, t->line);
  static const struct {
    const char *name;
    enum ptx_space space;
  } spaces[] = {{".shared", PTX_SHARED},
                {".local", PTX_LOCAL},
                {".param", PTX_PARAM},
                {".global", PTX_GLOBAL},
                {".const", PTX_CONST}};
  for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
    if (token_is(t, spaces[i].name)) {
      int code = ptx_parse_variable(p, spaces[i].space, false);
      return code ? code : ptx_expect(p, ";", "after the variable");
    }
  return ptx_unsupported(p, t->line, "unsupported directive '%.*s' in a body", (int)t->length, t->text);
}

static int open_scope(struct parser *p) {
  struct function *f = p->function;
  if (f->n_scopes >= MAX_SCOPES) return ptx_unsupported(p, p->token->line, "more than %u blocks { }", MAX_SCOPES);
  f->scope_parent = arena_grow(p->scratch, f->scope_parent, f->n_scopes, &f->scope_capacity, sizeof *f->scope_parent);
  f->scope_parent[f->n_scopes] = p->scope;
  p->scope = f->n_scopes++;
  return 0;
}

int ptx_parse_body(struct parser *p) {
  uint32_t start = p->token->line;
  for (;;) {
    int code = 0;
    const struct token *t = p->token;
    if (ptx_accept(p, "{")) {
      code = open_scope(p);
    } else if (ptx_accept(p, "}")) {
      if (p->scope == 1) return 0;
      p->scope = p->function->scope_parent[p->scope];
    } else if (t->kind == TOK_DIRECTIVE) {
      code = parse_body_directive(p);
    } else if (t->kind == TOK_WORD && token_is(t + 1, ":")) {
      code = parse_label(p);
    } else if (ptx_accept(p, ";")) {
      continue;
    } else if (t->kind == TOK_END) {
      return ptx_syntax(p, t->line, "the body of '%s' (line %u) is never closed: the file may be truncated",
                        p->function->name, start);
    } else {
      code = parse_instruction(p);
    }
    if (code) return code;
  }
}
