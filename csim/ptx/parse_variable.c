/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations of variables: .global, .const (allocated in device memory with their initial values), .shared, .local
 * and .param (placed at an offset of their space). */
#include "device/device_memory.h"
#include "ptx/execute.h"
#include "ptx/parse.h"
#include "ptx/texture.h"

#include <string.h>

#define MAX_VARIABLE_BYTES (UINT64_C(1) << 40)
enum { MAX_CONST_BYTES = 64 * 1024 }; /* of a module: CUDA C programming guide, compute capabilities */

/* What precedes the name: .align N, .type, vector, attributes. */
struct declaration {
  enum ptx_type type;
  uint64_t align, vector;
  bool texture;
};

static int parse_attribute(struct parser *p) { /* .attribute(.managed) changes nothing: the host sees all memory here */
  int code = ptx_expect(p, "(", "after .attribute");
  if (code) return code;
  while (!token_is(p->token, ")")) {
    if (p->token->kind == TOK_END) return ptx_expect(p, ")", "after .attribute");
    p->token++;
  }
  p->token++;
  return 0;
}

static int parse_declaration(struct parser *p, struct declaration *d) {
  *d = (struct declaration){.align = 0, .vector = 1};
  bool pointee = false; /* after .ptr: the following directives describe what a pointer parameter points to */
  while (p->token->kind == TOK_DIRECTIVE) {
    const struct token *t = p->token++;
    enum ptx_type type = ptx_type_of(t->text + 1, t->length - 1);
    int code = 0;
    if (type != T_NONE && type != T_PRED) {
      if (d->type != T_NONE)
        return ptx_syntax(p, t->line, "a second type '%.*s' in one declaration", (int)t->length, t->text);
      d->type = type;
    } else if (token_is(t, ".texref") && !p->function && d->type == T_NONE) { /* the variable is its descriptor */
      *d = (struct declaration){.type = T_B8, .vector = TEXTURE_DESCRIPTOR_BYTES, .texture = true};
    } else if (token_is(t, ".align")) {
      uint64_t align;
      code = ptx_parse_count(p, 1u << 16, &align);
      if (!code && (align == 0 || align & (align - 1)))
        return ptx_syntax(p, t->line, "alignment %llu is no power of two", (unsigned long long)align);
      if (!pointee) d->align = align;
    } else if (token_is(t, ".v2") || token_is(t, ".v4")) {
      d->vector = (uint64_t)(t->text[2] - '0');
    } else if (token_is(t, ".attribute")) {
      code = parse_attribute(p);
    } else if (token_is(t, ".ptr")) {
      pointee = true;
    } else if (pointee &&
               (token_is(t, ".global") || token_is(t, ".shared") || token_is(t, ".const") || token_is(t, ".local"))) {
      continue;
    } else {
      return ptx_unsupported(p, t->line, "unsupported declaration '%.*s': use a scalar type (.b8 ... .f64)",
                             (int)t->length, t->text);
    }
    if (code) return code;
  }
  if (d->type == T_NONE) return ptx_syntax(p, p->token->line, "a declaration without a type: write .b32, .f32, ...");
  return 0;
}

/* [4][8], [] */
static int parse_dimensions(struct parser *p, uint64_t *elements, bool *unsized) {
  *elements = 1;
  *unsized = false;
  while (ptx_accept(p, "[")) {
    uint64_t n = 0;
    uint32_t line = p->token->line;
    if (!token_is(p->token, "]")) {
      int code = ptx_parse_count(p, MAX_VARIABLE_BYTES, &n);
      if (code) return code;
    } else {
      *unsized = true;
      n = 1;
    }
    int code = ptx_expect(p, "]", "after an array size");
    if (code) return code;
    if (__builtin_mul_overflow(*elements, n, elements) || *elements > MAX_VARIABLE_BYTES)
      return ptx_syntax(p, line, "the array is larger than 2^40 bytes");
  }
  return 0;
}

/* ---- initial values ---- */

static int parse_address_value(struct parser *p, uint64_t *value) {
  bool generic = token_is(p->token, "generic");
  if (generic) {
    p->token++;
    int code = ptx_expect(p, "(", "after generic");
    if (code) return code;
  }
  const struct token *t;
  int code = ptx_take_name(p, "an initial value", &t);
  if (code) return code;
  struct name *n = names_find(&p->module->names, t->text, t->length, 0);
  const struct variable *v = n && n->kind == NAME_VARIABLE ? n->what : NULL;
  struct function *f = n && n->kind == NAME_FUNCTION ? n->what : NULL;
  if (f && !f->is_entry) {
    f->address_taken = true;
    *value = ptx_function_address(f->number);
    return generic ? ptx_expect(p, ")", "after generic(") : 0;
  }
  if (!v || (v->space != PTX_GLOBAL && v->space != PTX_CONST))
    return ptx_unsupported(p, t->line, "initial value '%.*s': only numbers and addresses of earlier .global variables",
                           (int)t->length, t->text);
  *value = v->address;
  if (generic && (code = ptx_expect(p, ")", "after generic("))) return code;
  if (token_is(p->token, "+") || token_is(p->token, "-")) {
    struct operand o;
    if ((code = ptx_parse_literal(p, &o))) return code;
    *value += o.bits;
  }
  return 0;
}

static int parse_value(struct parser *p, enum ptx_type type, uint64_t *value) {
  if (p->token->kind == TOK_WORD) {
    if (ptx_type_bytes(type) != 8)
      return ptx_unsupported(p, p->token->line, "an address in a .%s variable: it needs .u64", ptx_type_name(type));
    return parse_address_value(p, value);
  }
  struct operand o;
  int code = ptx_parse_literal(p, &o);
  if (code) return code;
  *value = o.bits;
  if (o.literal == LITERAL_F64 && ptx_type_bytes(type) == 4) { /* decimal fraction for a .f32 */
    double d;
    memcpy(&d, &o.bits, sizeof d);
    float f = (float)d;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    *value = bits;
  } else if (o.literal == LITERAL_INT && ptx_type_letter(type) == 'f') {
    double d = o.negated ? (double)(int64_t)o.bits : (double)o.bits;
    float f = (float)d;
    if (ptx_type_bytes(type) == 2) *value = ptx_double_to_half(d, ROUND_RN, type == T_BF16);
    else *value = 0, memcpy(value, ptx_type_bytes(type) == 8 ? (void *)&d : (void *)&f, ptx_type_bytes(type));
  }
  return 0;
}

/* Parses `= value` or `= {values}` into bytes; n: number of values. */
static int parse_initial(struct parser *p, const struct variable *v, uint64_t capacity, uint8_t **out, uint64_t *n) {
  uint32_t width = ptx_type_bytes(v->type), room = 0;
  uint64_t *value = NULL;
  uint32_t count = 0;
  bool list = ptx_accept(p, "{");
  while (!list || !token_is(p->token, "}")) {
    if (token_is(p->token, "{"))
      return ptx_unsupported(p, p->token->line, "nested initial values of '%s': write one flat list", v->name);
    value = arena_grow(p->scratch, value, count, &room, sizeof *value);
    int code = parse_value(p, v->type, &value[count]);
    if (code) return code;
    if (++count > capacity) return ptx_syntax(p, p->token->line, "more initial values than '%s' has elements", v->name);
    if (!list || !ptx_accept(p, ",")) break;
  }
  int code = list ? ptx_expect(p, "}", "after the initial values") : 0;
  if (code) return code;
  uint8_t *bytes = arena_alloc(p->scratch, (size_t)count * width + 1);
  for (uint32_t i = 0; i < count; i++) memcpy(bytes + (size_t)i * width, &value[i], width);
  *out = bytes;
  *n = count;
  return 0;
}

/* ---- placing ---- */

static int place_in_memory(struct parser *p, struct variable *v, const uint8_t *initial, uint64_t n_initial) {
  struct ptx_module *m = p->module;
  v->address = device_memory_alloc(m->memory, v->bytes ? v->bytes : 1);
  void *at = v->address ? device_memory_at(m->memory, v->address, v->bytes) : NULL;
  if (!v->address || (v->bytes && !at))
    return err_set(p->e, ERR_LIMIT, "%s:%u: no device memory for the %llu bytes of '%s': make the device memory larger",
                   m->file, v->line, (unsigned long long)v->bytes, v->name);
  if (n_initial) memcpy(at, initial, n_initial * ptx_type_bytes(v->type));
  v->next = m->variables;
  m->variables = v;
  return 0;
}

static int place_at_offset(struct parser *p, struct variable *v, uint32_t *used, uint64_t limit, const char *space) {
  uint64_t at = align_up(*used, v->align);
  if (v->bytes > limit || at + v->bytes > limit)
    return err_set(p->e, ERR_LIMIT, "%s:%u: '%s' makes the %s memory of the kernel larger than %llu bytes",
                   p->module->file, v->line, v->name, space, (unsigned long long)limit);
  v->address = at;
  *used = (uint32_t)(at + v->bytes);
  return 0;
}

static int place(struct parser *p, struct variable *v, const uint8_t *initial, uint64_t n_initial) {
  if (initial && v->space != PTX_GLOBAL && v->space != PTX_CONST)
    return ptx_syntax(p, v->line, "'%s' is not .global or .const and has no initial value", v->name);
  if (v->space == PTX_CONST) {
    p->module->const_bytes = align_up(p->module->const_bytes, v->align) + v->bytes;
    if (p->module->const_bytes > MAX_CONST_BYTES)
      return err_set(p->e, ERR_LIMIT, "%s:%u: '%s' makes the constant memory of the module larger than %u bytes",
                     p->module->file, v->line, v->name, MAX_CONST_BYTES);
  }
  switch (v->space) {
    case PTX_GLOBAL:
    case PTX_CONST: return place_in_memory(p, v, initial, n_initial);
    case PTX_LOCAL:
      if (v->align > p->function->local_align) p->function->local_align = (uint32_t)v->align;
      return place_at_offset(p, v, &p->function->local_bytes, 512 * 1024, "local");
    case PTX_PARAM:
      if (v->call_parameter) return 0;
      if (!p->kernel) { /* of a function, or a result */
        v->in_frame = true;
        return place_at_offset(p, v, &p->function->argument_bytes, 32764, "parameter");
      }
      v->next = p->kernel->parameters;
      p->kernel->parameters = v;
      return place_at_offset(p, v, &p->kernel->public.param_bytes, 32764, "parameter");
    default: return 0; /* shared memory: placed by link.c */
  }
}

/* Declares *v. After .extern the definition takes the place of the variable that instructions may already name. */
static int declare(struct parser *p, struct variable **declared, const struct token *t) {
  struct names *names = p->function ? &p->function->names : &p->module->names;
  struct variable *v = *declared;
  if (token_is(t, "_")) return 0; /* of a prototype */
  struct name *old = names_find(names, t->text, t->length, p->scope);
  struct variable *before = old && old->kind == NAME_VARIABLE ? old->what : NULL;
  if (before && before->space == v->space && (before->external || before->undefined || v->undefined)) {
    if (v->external || v->undefined) return 0; /* .extern again, or after the definition */
    if (before->undefined) {
      v->next_external = before->next_external;
      *before = *v;
      *declared = before;
      return 0;
    }
  } else if (old) {
    return ptx_syntax(p, t->line, "duplicate name '%s': rename one of the two", v->name);
  }
  struct name *n =
    old ? old : names_add(p->function ? p->scratch : &p->module->arena, names, v->name, t->length, p->scope);
  n->kind = NAME_VARIABLE;
  n->what = v;
  return 0;
}

static int parse_one(struct parser *p, const struct declaration *d, enum ptx_space space, bool external) {
  const struct token *t;
  int code = ptx_take_name(p, "the name of a variable", &t);
  if (code) return code;
  struct variable *v = arena_alloc(&p->module->arena, sizeof *v);
  uint64_t elements, n_initial = 0, width = ptx_type_bytes(d->type) * d->vector;
  uint8_t *initial = NULL;
  bool unsized;
  *v = (struct variable){.name = arena_text(&p->module->arena, t->text, t->length),
                         .line = t->line,
                         .space = space,
                         .type = d->type,
                         .align = d->align ? d->align : width,
                         .external = external,
                         .texture = d->texture,
                         .call_parameter = space == PTX_PARAM && p->function != NULL && p->scope != 0};
  if ((code = parse_dimensions(p, &elements, &unsized))) return code;
  if (d->texture && space != PTX_GLOBAL)
    return ptx_syntax(p, t->line, "texture reference '%s' lies in .global memory: declare it .global .texref", v->name);
  if (d->texture && token_is(p->token, "="))
    return ptx_unsupported(p, t->line, "initial values of texture reference '%s': set them from the host", v->name);
  if (ptx_accept(p, "=")) {
    code = parse_initial(p, v, unsized ? MAX_VARIABLE_BYTES : elements * d->vector, &initial, &n_initial);
    if (code) return code;
    if (unsized) elements = n_initial / d->vector;
  } else if (unsized && !external) {
    return ptx_syntax(p, t->line, "array '%s' has no size: write one, or .extern .shared", v->name);
  }
  v->bytes = unsized && !initial ? 0 : elements * width;
  v->external = external && unsized && space == PTX_SHARED;
  v->undefined = external && space != PTX_SHARED;
  if ((code = declare(p, &v, t))) return code;
  if (!v->undefined) return place(p, v, initial, n_initial);
  v->next_external = p->module->externals;
  p->module->externals = v;
  return 0;
}

int ptx_check_variables(struct parser *p) {
  for (const struct variable *v = p->module->externals; v; v = v->next_external) {
    const struct name *n = names_find(&p->module->names, v->name, (uint32_t)strlen(v->name), 0);
    const struct variable *found = n && n->kind == NAME_VARIABLE ? n->what : NULL;
    if (!found || found->undefined)
      return ptx_unsupported(p, v->line, "external variable '%s': define it in this text, or link the object that does",
                             v->name);
  }
  return 0;
}

int ptx_parse_variable(struct parser *p, enum ptx_space space, bool external) {
  struct declaration d;
  int code = parse_declaration(p, &d);
  do {
    if (!code) code = parse_one(p, &d, space, external);
  } while (!code && space != PTX_PARAM && ptx_accept(p, ","));
  return code;
}
