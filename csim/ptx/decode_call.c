/* SPDX-License-Identifier: Apache-2.0 */
/* Calls: of extension functions (instructions that a proposal adds), and of functions that the text defines.
 *
 * A frame holds, from the thread's stack pointer up: results, parameters, local variables, and registers saved for
 * recursion. The callee's frame follows. So a caller finds the arguments and results of a call behind its own frame,
 * and the callee finds them at the start of its own. The stack pointer of an entry is 0. */
#include "ptx/decode.h"
#include "ptx/device_call.h"

#include <string.h>

/* ---- extension functions ---- */

/* st.param of an extension's argument: the value is kept for the call, no operation is made. */
int ptx_decode_store_argument(struct decoder *d) {
  int code = decode_operands(d, 2, 2);
  if (code) return code;
  const struct operand *address = &d->ins->operand[0], *value = &d->ins->operand[1];
  struct variable *v =
    address->kind == OPERAND_ADDRESS && address->element->kind == OPERAND_VARIABLE ? address->element->variable : NULL;
  enum ptx_type type = ptx_type_of(d->part[d->n_parts - 1], strlen(d->part[d->n_parts - 1]));
  if (!v || !v->call_parameter) return decode_syntax(d, "st.param stores arguments of a call, declared with .param");
  if (d->n_parts != 3 || d->ins->guarded || address->offset != 0 || ptx_type_bytes(type) != v->bytes || v->stored)
    return ptx_unsupported(d->parser, d->ins->line,
                           "'%.80s': an argument of an instruction is one scalar of the declared size, stored once",
                           d->ins->opcode);
  if ((code = decode_source(d, value, type)))
    return code; /* only checks it: the next instruction starts the operation anew */
  v->stored = true;
  v->argument = *value;
  d->pending_arguments++;
  return 0;
}

static int decode_argument(struct decoder *d, const struct operand *o, uint32_t i) {
  const struct operand *value = o;
  enum ptx_type type = T_U32;
  if (o->kind == OPERAND_VARIABLE && o->variable->call_parameter) {
    if (!o->variable->stored) return decode_syntax(d, "argument %u is never stored", i);
    o->variable->stored = false;
    d->pending_arguments--;
    value = &o->variable->argument;
    type = o->variable->type;
  } else if (o->kind == OPERAND_REGISTER) {
    type = d->function->reg[o->index].type;
  }
  if (type == T_PRED) return decode_syntax(d, "argument %u is a predicate", i);
  if (ptx_type_bytes(type) == 8) d->op->extension.wide_set |= (uint8_t)(1u << i);
  return decode_source(d, value, type);
}

/* The variable that ld.param loads if it is the result of an extension, whose call has taken the register; or NULL. */
static struct variable *loaded_result(const struct instruction *ins) {
  const struct operand *o = ins->operand;
  if (strncmp(ins->opcode, "ld.param", strlen("ld.param")) != 0 || ins->n_operands != 2 || ins->guarded ||
      o[0].kind != OPERAND_REGISTER || o[1].kind != OPERAND_ADDRESS || o[1].offset ||
      o[1].element->kind != OPERAND_VARIABLE)
    return NULL;
  struct variable *v = o[1].element->variable;
  return v->call_parameter && !v->in_frame ? v : NULL;
}

/* Compilers load the result right behind the call; the operation writes that register. Nobody needs to take it. */
static int decode_result(struct decoder *d, const struct operand *result) {
  const struct instruction *next = d->ins + 1, *end = d->function->instruction + d->function->n_instructions;
  struct variable *v =
    result->n_elements == 1 && result->element->kind == OPERAND_VARIABLE ? result->element->variable : NULL;
  if (!v || !v->call_parameter || v->bytes != 8) return decode_syntax(d, "the result is a .param variable of 64 bits");
  if (next >= end || loaded_result(next) != v) return 0;
  v->stored = true;
  return decode_destination(d, &next->operand[0], T_B64);
}

bool ptx_loads_result(const struct decoder *d) {
  struct variable *v = loaded_result(d->ins);
  bool loads = v && v->stored;
  if (loads) v->stored = false;
  return loads;
}

static int decode_extension(struct decoder *d, const struct function *f, const struct operand *arguments,
                            const struct operand *result) {
  uint32_t n_args = arguments ? arguments->n_elements : 0;
  if (!result != !f->extension->result || n_args != f->extension->n_args || n_args > PTX_EXTENSION_ARGS_MAX)
    return decode_syntax(d, "instruction '%s' takes %u arguments and returns %s", f->name, f->extension->n_args,
                         f->extension->result ? "64 bits" : "nothing");
  d->op->class = PTX_EXTENSION;
  d->op->extension.code = f->extension->code;
  d->op->issue_slots = f->extension->issue_slots;
  for (uint32_t i = 0; i < n_args; i++) {
    int code = decode_argument(d, &arguments->element[i], i);
    if (code) return code;
  }
  if (d->pending_arguments) return decode_syntax(d, "an argument was stored that this call does not take");
  int code = result ? decode_result(d, result) : 0;
  return code ? code : decode_finish(d);
}

/* ---- which functions a call may reach ---- */

/* call {(results),} what {, (arguments)} {, prototype or targets} */
struct name *ptx_call_target(const struct parser *p, const struct instruction *ins, const struct operand **what) {
  const struct operand *o = ins->operand;
  uint32_t i = ins->n_operands && o->kind == OPERAND_LIST ? 1 : 0;
  *what = i < ins->n_operands ? &o[i] : NULL;
  if (!*what || (*what)->kind != OPERAND_NAME) return NULL;
  return ptx_find_name(p, (*what)->name, (*what)->length, ins->scope);
}

/* Gives the variables of a list consecutive places, those that the callee's parameters have. */
static int place_arguments(struct parser *p, const struct instruction *ins, const struct operand *list, uint64_t *at) {
  for (uint32_t i = 0; list && i < list->n_elements; i++) {
    const struct operand *o = &list->element[i];
    struct variable *v = o->kind == OPERAND_VARIABLE && o->variable->call_parameter ? o->variable : NULL;
    if (!v)
      return ptx_unsupported(p, ins->line, "argument %u of this call is no .param variable of the body: declare one",
                             i);
    uint64_t address = align_up(*at, v->align);
    if (v->in_frame && v->address != address)
      return ptx_unsupported(p, ins->line, "'%s' is used by two calls at different places: declare one for each call",
                             v->name);
    v->in_frame = true;
    v->address = address;
    *at = address + v->bytes;
  }
  return 0;
}

static void add_candidate(struct parser *p, struct call *call, struct function *f, uint32_t *capacity) {
  call->candidate = arena_grow(p->scratch, call->candidate, call->n_candidates, capacity, sizeof(struct function *));
  call->candidate[call->n_candidates++] = f;
}

/* The functions that an indirect call may reach: those of .calltargets, or every function whose address is taken and
 * whose arguments have the same size in bytes. */
static int find_candidates(struct parser *p, const struct instruction *ins, struct call *call, uint64_t bytes) {
  const struct operand *last = &ins->operand[ins->n_operands - 1];
  const struct name *n =
    last->kind == OPERAND_NAME && last->name ? ptx_find_name(p, last->name, last->length, ins->scope) : NULL;
  uint32_t capacity = 0;
  if (!n || (n->kind != NAME_TARGETS && n->kind != NAME_PROTOTYPE))
    return ptx_syntax(p, ins->line, "an indirect call ends in the name of a .callprototype or .calltargets");
  const struct target_list *list = n->kind == NAME_TARGETS ? n->what : NULL;
  if (list && !list->functions) return ptx_syntax(p, ins->line, "an indirect call cannot use .branchtargets");
  for (uint32_t i = 0; list && i < list->n; i++) {
    struct name *t = names_find(&p->module->names, list->name[i]->text, list->name[i]->length, 0);
    if (!t || t->kind != NAME_FUNCTION)
      return ptx_syntax(p, ins->line, "there is no function '%.*s' here", (int)list->name[i]->length,
                        list->name[i]->text);
    add_candidate(p, call, t->what, &capacity);
  }
  for (uint32_t i = 0; !list && i < p->module->n_functions; i++) {
    struct function *f = p->module->function[i];
    if (f->address_taken && f->defined && f->argument_bytes == bytes) add_candidate(p, call, f, &capacity);
  }
  return 0;
}

static int resolve_call(struct parser *p, struct instruction *ins) {
  const struct operand *what, *o = ins->operand;
  struct name *n = ptx_call_target(p, ins, &what);
  if (!what || (what->kind != OPERAND_NAME && what->kind != OPERAND_REGISTER))
    return ptx_syntax(p, ins->line, "'%.80s': a call names a function or a register", ins->opcode);
  if (what->kind == OPERAND_NAME && (!n || n->kind != NAME_FUNCTION))
    return ptx_syntax(p, ins->line, "'%.80s': there is no function '%.*s' here", ins->opcode, (int)what->length,
                      what->name);
  struct function *f = n ? n->what : NULL;
  if (f && f->extension) return 0;
  const struct ptx_device_call *device = f && !f->defined ? ptx_device_call(f->name) : NULL;
  if (f && !f->defined && !device)
    return ptx_unsupported(p, ins->line, "call of '%s', which this text declares and does not define", f->name);
  struct call *call = arena_alloc(p->scratch, sizeof *call);
  uint32_t after = (uint32_t)(what - o) + 1;
  uint64_t bytes = 0;
  *call = (struct call){.callee = device ? NULL : f,
                        .device = device,
                        .pointer = f ? NULL : what,
                        .results = what != o ? o : NULL,
                        .arguments = after < ins->n_operands && o[after].kind == OPERAND_LIST ? &o[after] : NULL};
  int code = place_arguments(p, ins, call->results, &bytes);
  if (code || (code = place_arguments(p, ins, call->arguments, &bytes))) return code;
  if (f && bytes != f->argument_bytes)
    return ptx_syntax(p, ins->line, "'%.80s': the arguments take %llu bytes, those of '%s' %u", ins->opcode,
                      (unsigned long long)bytes, f->name, f->argument_bytes);
  if (device && bytes < 8 * (uint64_t)device->words - 4)
    return ptx_syntax(p, ins->line, "'%.80s': '%s' of the device's runtime takes %u bytes of arguments and result",
                      ins->opcode, f->name, 8 * device->words);
  ins->call = call;
  p->function->runtime |= device != NULL;
  p->function->serial |= device && device->serial;
  return f ? 0 : find_candidates(p, ins, call, bytes);
}

int ptx_resolve_calls(struct parser *p, struct function *f) {
  if (f->resolved) return 0;
  f->resolved = true;
  p->function = f;
  for (uint32_t i = 0; i < f->n_instructions; i++) {
    struct instruction *ins = &f->instruction[i];
    if (strcmp(ins->opcode, "call") != 0 && strcmp(ins->opcode, "call.uni") != 0) continue;
    int code = resolve_call(p, ins);
    if (code) return code;
  }
  return 0;
}

/* ---- frames ---- */

/* mov of the address of a variable in the frame: stack pointer plus offset, an address in local memory. */
int ptx_decode_frame_address(struct decoder *d) {
  const struct operand *o = d->ins->operand;
  if (o[1].variable->call_parameter)
    return ptx_unsupported(d->parser, d->ins->line, "'%.80s': the address of '%s', an argument of a call",
                           d->ins->opcode, o[1].variable->name);
  int code = decode_destination(d, &o[0], T_U64);
  if (code) return code;
  const struct ptx_handler *h = ptx_find_handler("add", T_U64);
  invariant(h, "no handler add.%s", ptx_type_name(T_U64));
  d->op->exec = d->parser->wide ? h->wide : h->base;
  d->op->class = PTX_INT64;
  d->op->src[d->op->n_src++] = PTX_ROW_STACK;
  d->op->src[d->op->n_src++] = decode_constant(d, ptx_frame_offset(d, o[1].variable), true);
  return decode_finish(d);
}

bool ptx_stores_argument(const struct decoder *d) {
  if (strcmp(d->part[0], "st") != 0 || !decode_has_part(d, "param")) return false;
  const struct operand *o = d->ins->operand;
  return !d->ins->n_operands || o->kind != OPERAND_ADDRESS || o->element->kind != OPERAND_VARIABLE ||
         !o->element->variable->in_frame;
}

/* ---- calls and branches of many targets ---- */

int ptx_decode_call(struct decoder *d) {
  const struct operand *what;
  struct name *n = ptx_call_target(d->parser, d->ins, &what);
  const struct operand *arguments = what && what + 1 < d->ins->operand + d->ins->n_operands ? what + 1 : NULL;
  if (d->n_parts > 2 || (d->n_parts == 2 && strcmp(d->part[1], "uni") != 0)) return decode_refuse(d);
  if (!d->ins->call) {
    const struct function *f = n && n->kind == NAME_FUNCTION ? n->what : NULL;
    if (!f || !f->extension) return decode_refuse(d);
    return decode_extension(d, f, arguments, what != d->ins->operand ? d->ins->operand : NULL);
  }
  if (d->ins->call->device) {
    d->op->class = PTX_INT; /* assumption: what the function does takes no time, but for the stores of its arguments */
    d->op->exec = d->ins->call->device->exec;
    d->op->memory = (struct ptx_op_memory){.bytes = 8, .vector = d->ins->call->device->words, .outgoing = true};
    d->op->src[d->op->n_src++] = PTX_ROW_STACK;
    return decode_finish(d);
  }
  d->op->class = PTX_BRANCH;
  d->op->branch = (struct ptx_op_branch){.kind = d->ins->call->callee ? BRANCH_CALL : BRANCH_CALL_INDIRECT,
                                         .target = (uint32_t)(d->ins - d->function->instruction),
                                         .reconverge = UINT32_MAX};
  int code = d->ins->call->pointer ? decode_source(d, d->ins->call->pointer, T_U64) : 0;
  return code ? code : decode_finish(d);
}

/* brx.idx{.uni} index, targets */
int ptx_decode_branch_indexed(struct decoder *d) {
  bool uniform = d->n_parts == 3 && strcmp(d->part[2], "uni") == 0;
  if (d->n_parts != 2u + uniform || strcmp(d->part[1], "idx") != 0) return decode_refuse(d);
  int code = decode_operands(d, 2, 2);
  if (code || (code = decode_source(d, &d->ins->operand[0], T_U32))) return code;
  const struct operand *o = &d->ins->operand[1];
  const struct name *n = o->name ? ptx_find_name(d->parser, o->name, o->length, d->ins->scope) : NULL;
  const struct target_list *list = n && n->kind == NAME_TARGETS ? n->what : NULL;
  if (!list || list->functions) return decode_syntax(d, "the second operand should name .branchtargets");
  d->op->class = PTX_BRANCH;
  d->op->branch = (struct ptx_op_branch){
    .kind = BRANCH_INDEXED, .target = d->n_table, .n_targets = list->n, .reconverge = UINT32_MAX};
  for (uint32_t i = 0; i < list->n; i++) {
    const struct token *t = list->name[i];
    const struct name *label = ptx_find_name(d->parser, t->text, t->length, d->ins->scope);
    if (!label || label->kind != NAME_LABEL)
      return decode_syntax(d, "there is no label '%.*s' here", (int)t->length, t->text);
    d->table = arena_grow(d->parser->scratch, d->table, d->n_table, &d->table_capacity, sizeof *d->table);
    d->table[d->n_table++] = label->index;
  }
  return decode_finish(d);
}
