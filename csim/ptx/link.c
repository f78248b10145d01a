/* SPDX-License-Identifier: Apache-2.0 */
/* Links a kernel: makes one list of operations of the entry and every function that it can reach.
 *
 * Rows are assigned as a compiler that knows the whole call graph would: a function's rows lie behind those of all
 * its callers, so functions that are never active together share rows. Functions that call each other recursively
 * form a group; within a group no value stays in rows across a call (ptx/save.c). Local memory is a stack of frames. */
#include "device/device_memory.h"
#include "ptx/device_call.h"
#include "ptx/link_registers.h"

#include <string.h>

enum {
  DEVICE_CALL_BYTES = 48, /* most that a function of the device's runtime takes */
  MAX_REGISTERS_OF_KERNEL = 65000,
  RECURSION_STACK_BYTES = 16 * 1024 /* assumption: for the recursion of a thread (CUDA's default stack is 1024) */
};

/* ---- which functions ---- */

static void add_part(struct linker *l, struct function *f) {
  if (link_part_of(l, f) < l->n_parts) return;
  l->part = arena_grow(l->parser->scratch, l->part, l->n_parts, &l->part_capacity, sizeof *l->part);
  l->part[l->n_parts++] = (struct part){.function = f};
}

static int collect(struct linker *l, struct function *entry) {
  add_part(l, entry);
  for (uint32_t i = 0; i < l->n_parts; i++) {
    struct function *f = l->part[i].function;
    int code = ptx_resolve_calls(l->parser, f);
    if (code) return code;
    for (uint32_t k = 0; k < f->n_instructions; k++) {
      const struct call *c = f->instruction[k].call;
      if (c && c->callee) add_part(l, c->callee);
      for (uint32_t j = 0; c && j < c->n_candidates; j++) add_part(l, c->candidate[j]);
    }
    if (f->local_align > l->frame_align) l->frame_align = f->local_align;
  }
  return 0;
}

static void mark(struct linker *l, uint32_t from, const struct function *to) {
  uint32_t i = link_part_of(l, to);
  l->reach[(size_t)from * l->words + i / 64] |= UINT64_C(1) << i % 64;
}

/* Transitive closure (Warshall 1962), then the groups. */
static void find_groups(struct linker *l) {
  l->words = (l->n_parts + 63) / 64;
  l->reach = arena_alloc(l->parser->scratch, ((size_t)l->n_parts * l->words + 1) * sizeof *l->reach);
  for (uint32_t i = 0; i < l->n_parts; i++)
    for (uint32_t k = 0; k < l->part[i].function->n_instructions; k++) {
      const struct call *c = l->part[i].function->instruction[k].call;
      if (c && c->callee) mark(l, i, c->callee);
      for (uint32_t j = 0; c && j < c->n_candidates; j++) mark(l, i, c->candidate[j]);
    }
  for (uint32_t via = 0; via < l->n_parts; via++)
    for (uint32_t i = 0; i < l->n_parts; i++)
      for (uint32_t w = 0; link_reaches(l, i, via) && w < l->words; w++)
        l->reach[(size_t)i * l->words + w] |= l->reach[(size_t)via * l->words + w];
  for (uint32_t i = 0; i < l->n_parts; i++) {
    uint32_t g = 0;
    while (g < i && !(link_reaches(l, i, g) && link_reaches(l, g, i))) g++;
    l->part[i].group = g;
    l->kernel->recursive |= link_reaches(l, i, i);
  }
  l->kernel->calls = l->n_parts > 1;
  for (uint32_t i = 0; i < l->n_parts; i++) {
    l->kernel->calls |= l->part[i].function->runtime;
    l->kernel->serial |= l->part[i].function->serial;
  }
}

/* ---- shared memory ---- */

/* A shared variable takes space in every kernel that names it, itself or through its functions. */
static int place_shared(struct linker *l, struct variable *v, uint32_t line) {
  struct kernel *k = l->kernel;
  if (v->placed_in == k->number) return 0;
  v->placed_in = k->number;
  if (v->external) {
    if (v->align > k->dynamic_align) k->dynamic_align = v->align;
    return 0;
  }
  const uint64_t most = GENERIC_SHARED_END - GENERIC_SHARED_BASE;
  uint64_t at = align_up(k->public.shared_bytes, v->align);
  if (v->bytes > most || at + v->bytes > most)
    return ptx_syntax(l->parser, line, "'%s' makes the shared memory of the kernel larger than %llu bytes", v->name,
                      (unsigned long long)most);
  v->address = at;
  k->public.shared_bytes = (uint32_t)(at + v->bytes);
  return 0;
}

/* The arrays of all parts, by rank, and of equal rank as they are named. */
static struct variable **list_shared(const struct linker *l, uint32_t *n) {
  struct variable **list = NULL;
  uint32_t capacity = 0;
  *n = 0;
  for (uint32_t i = 0; i < l->n_parts; i++)
    for (uint32_t j = 0; j < l->part[i].function->n_shared; j++) {
      struct variable *v = l->part[i].function->shared[j];
      list = arena_grow(l->parser->scratch, list, *n, &capacity, sizeof(struct variable *));
      if (!l->ranked) v->rank = 0;
      uint32_t at = (*n)++;
      for (; at && list[at - 1]->rank > v->rank; at--) list[at] = list[at - 1];
      list[at] = v;
    }
  return list;
}

static int place_all_shared(struct linker *l) {
  struct kernel *k = l->kernel;
  uint32_t n;
  struct variable **list = list_shared(l, &n);
  for (uint32_t i = 0; i < n; i++) {
    int code = place_shared(l, list[i], list[i]->line);
    if (code) return code;
  }
  if (k->dynamic_align) k->public.shared_bytes = (uint32_t)align_up(k->public.shared_bytes, k->dynamic_align);
  return 0;
}

/* ---- frames of rows, registers and memory ---- */

/* Layout of a group, kept at its first part. */
struct layout {
  uint32_t rows, row, bytes, at, level;
};

static void sum_groups(const struct linker *l, struct layout *group) {
  for (uint32_t i = 0; i < l->n_parts; i++) {
    struct layout *g = &group[l->part[i].group];
    g->rows += l->part[i].n_rows;
    g->bytes += l->part[i].frame_bytes;
  }
}

/* Places each group behind all groups that call it. Groups do not call each other in circles, so this ends. */
static void place_groups(const struct linker *l, struct layout *group) {
  for (bool moved = true; moved;) {
    moved = false;
    for (uint32_t i = 0; i < l->n_parts; i++)
      for (uint32_t k = 0; k < l->n_parts; k++) {
        const struct layout *from = &group[l->part[i].group];
        struct layout *to = &group[l->part[k].group];
        if (from == to || !link_reaches(l, i, k)) continue;
        uint32_t row = from->row + from->rows, at = from->at + from->bytes, level = from->level + 1;
        if (row > to->row) to->row = row, moved = true;
        if (at > to->at) to->at = at, moved = true;
        if (level > to->level) to->level = level, moved = true;
      }
  }
}

/* A call into another group needs what is live across it and what the callee needs; true if that is more for `from`. */
static bool raise_need(const struct linker *l, struct part *from, const struct ptx_op *op,
                       const struct function *callee) {
  const struct part *to = &l->part[link_part_of(l, callee)];
  uint32_t need = op->branch.live_across + to->need;
  if (to->group == from->group || need <= from->need) return false;
  from->need = need;
  return true;
}

static bool raise_needs(const struct linker *l, struct part *p) {
  bool any = false;
  for (uint32_t k = 0; k < p->n_ops; k++) {
    const struct call *c = link_call_at(p, &p->ops[k]);
    if (c && c->callee) any |= raise_need(l, p, &p->ops[k], c->callee);
    for (uint32_t j = 0; c && j < c->n_candidates; j++) any |= raise_need(l, p, &p->ops[k], c->candidate[j]);
  }
  return any;
}

/* The most registers that any path of calls needs; within a group only one activation's are in registers. */
static void find_need(struct linker *l) {
  for (uint32_t i = 0; i < l->n_parts; i++) l->part[i].need = l->part[i].live_registers;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < l->n_parts; i++) more |= raise_needs(l, &l->part[i]);
  }
  for (uint32_t i = 0; i < l->n_parts; i++)
    if (l->part[i].group == 0 && l->part[i].need > l->part[0].need) l->part[0].need = l->part[i].need;
  l->kernel->public.live_registers = l->part[0].need;
}

static int lay_out(struct linker *l, uint32_t *rows) {
  struct ptx_kernel *k = &l->kernel->public;
  struct layout *group = arena_alloc(l->parser->scratch, (l->n_parts + 1) * sizeof *group);
  uint32_t levels = 0, ops = 0, registers = 0;
  uint64_t bytes = 0;
  sum_groups(l, group);
  place_groups(l, group);
  for (uint32_t i = 0; i < l->n_parts; i++) {
    struct part *p = &l->part[i];
    struct layout *g = &group[p->group];
    p->first_row = g->row;
    g->row += p->n_rows;
    if (g->row > *rows) *rows = g->row;
    if ((uint64_t)g->at + g->bytes > bytes) bytes = (uint64_t)g->at + g->bytes;
    if (g->level > levels) levels = g->level;
    p->first = ops;
    ops += p->n_ops;
    p->first_reg = registers;
    registers += p->n_regs;
  }
  if (k->registers) *rows = 2 * k->registers + k->predicates;
  if (registers > MAX_REGISTERS_OF_KERNEL)
    return ptx_unsupported(l->parser, l->part[0].function->line, "'%s' and its functions use more than %u registers",
                           k->name, MAX_REGISTERS_OF_KERNEL);
  find_need(l);
  k->async_register = l->kernel->async ? (uint16_t)registers : PTX_NO_REG;
  k->n_registers = registers + (l->kernel->async ? PTX_ASYNC_REGISTERS : 0);
  k->n_ops = ops;
  k->simt_entries = l->kernel->recursive ? SIMT_STACK_RECURSIVE : SIMT_STACK_MAX * (1 + levels);
  if (l->kernel->calls) bytes += DEVICE_CALL_BYTES;
  else if (!l->part[0].spill_bytes) bytes = l->part[0].function->local_bytes;
  k->local_bytes = (uint32_t)bytes + (l->kernel->recursive ? RECURSION_STACK_BYTES : 0);
  k->alloca_bytes = l->kernel->special_row[SPECIAL_STACK_TOP] ? ALLOCA_BYTES : 0;
  if (k->alloca_bytes) k->local_bytes = (uint32_t)align_up(k->local_bytes, 128) + k->alloca_bytes;
  return bytes > 512 * 1024 ? ptx_unsupported(l->parser, l->part[0].function->line,
                                              "'%s' and its functions use more than 512 KiB of local memory", k->name)
                            : 0;
}

/* ---- the whole ---- */

static void publish_constants(struct linker *l) {
  struct kernel *k = l->kernel;
  size_t bytes = (size_t)l->decoder.n_consts * WARP_LANES * 4;
  char *consts = arena_alloc(&l->parser->module->arena, bytes + 64);
  consts += -(uintptr_t)consts & 63; /* rows begin at cache lines */
  if (bytes) memcpy(consts, l->decoder.consts, bytes);
  k->public.const_rows = k->consts = (uint32_t *)(void *)consts;
}

static void publish_parameters(struct linker *l) {
  struct arena *a = &l->parser->module->arena;
  uint32_t n = l->part[0].function->n_parameters;
  uint32_t *offset = arena_alloc(a, (n + 1) * sizeof *offset), *size = arena_alloc(a, (n + 1) * sizeof *size), i = 0;
  for (const struct variable *v = l->kernel->parameters; v; v = v->next, i++) {
    offset[n - 1 - i] = (uint32_t)v->address; /* the list is newest first */
    size[n - 1 - i] = (uint32_t)v->bytes;
  }
  invariant(i == n, "%u parameters listed, %u declared", i, n);
  l->kernel->public.n_params = n;
  l->kernel->public.param_offset = offset;
  l->kernel->public.param_size = size;
}

static void publish_functions(struct linker *l) {
  struct arena *a = &l->parser->module->arena;
  struct kernel *k = l->kernel;
  const struct ptx_module *m = l->parser->module;
  k->function = arena_alloc(a, l->n_parts * sizeof *k->function);
  k->n_functions = l->n_parts;
  k->entry_of = arena_alloc(a, (m->n_functions + 1) * sizeof *k->entry_of);
  for (uint32_t i = 0; i < m->n_functions; i++) k->entry_of[i] = PTX_NOWHERE32;
  for (uint32_t i = 0; i < l->n_parts; i++) {
    const struct part *p = &l->part[i];
    k->function[i] = (struct kernel_function){.name = p->function->name, .first = p->first, .frame = p->frame_bytes};
    if (i) k->entry_of[p->function->number] = p->first;
  }
}

/* Special registers lie behind all registers, the SIMT stack behind them. */
static void publish_rows(struct linker *l, uint32_t registers) {
  struct kernel *k = l->kernel;
  k->public.first_register = k->calls ? PTX_ROW_FIRST : PTX_ROW_STACK;
  uint32_t n = k->public.first_register + registers;
  for (uint32_t s = 0; s < PTX_N_SPECIALS; s++)
    if (k->special_row[s]) k->special_row[s] = (ptx_row)n++;
  k->matrix_row = n;
  n += k->n_matrix_rows;
  k->texel_row = n;
  if (k->fetches) n += PTX_TEXELS_MAX * (uint32_t)sizeof(uint64_t) / (WARP_LANES * 4);
  n += (k->public.simt_entries * (uint32_t)sizeof(struct simt_entry) + WARP_LANES * 4 - 1) / (WARP_LANES * 4);
  k->public.n_rows = n;
}

/* See ptx_register_rows. */
static ptx_row numbered_row(const struct kernel *k, const struct part *p, uint32_t row) {
  uint32_t all = k->public.registers, kind = p->registers ? row / p->registers : 2, number = row - kind * p->registers;
  if (kind >= 2) return (ptx_row)(k->public.first_register + 2 * all + p->first_predicate + row - 2 * p->registers);
  return (ptx_row)(k->public.first_register + kind * all + p->first_register + number);
}

static ptx_row final_row(const struct kernel *k, const struct part *p, ptx_row row) {
  if (row >= SPECIAL_ROWS) return k->special_row[row - SPECIAL_ROWS];
  if (row < PTX_ROW_FIRST) return row;
  if (k->public.registers) return numbered_row(k, p, (uint32_t)(row - PTX_ROW_FIRST));
  return row + (ptx_row)p->first_row - (k->calls ? 0 : PTX_ROW_FIRST - PTX_ROW_STACK);
}

static void finish_op(struct linker *l, struct part *p, struct ptx_op *op) {
  const struct kernel *k = l->kernel;
  const struct call *call = link_call_at(p, op);
  bool frame = op->exec == ptx_exec_frame_load || op->exec == ptx_exec_frame_store || ptx_is_device_call(op->exec);
  for (uint32_t j = 0; j < op->n_dst; j++) op->dst[j] = final_row(k, p, op->dst[j]);
  for (uint32_t j = 0; j < op->n_src; j++) op->src[j] = final_row(k, p, op->src[j]);
  if (op->guard != PTX_NO_GUARD) op->guard = final_row(k, p, op->guard);
  for (uint32_t j = 0, n = ptx_n_reads(op); j < n; j++) op->read_reg[j] = (uint16_t)(op->read_reg[j] + p->first_reg);
  for (uint32_t j = 0, n = ptx_n_writes(op); j < n; j++) op->write_reg[j] = (uint16_t)(op->write_reg[j] + p->first_reg);
  if (op->class == PTX_NOP && op->wait) op->read_reg[0] = (uint16_t)(k->public.async_register + op->wait - 1);
  if (frame && op->memory.outgoing) op->memory.offset += p->frame_bytes;
  if (op->class != PTX_BRANCH) return;
  if (op->branch.reconverge != UINT32_MAX) op->branch.reconverge += p->first;
  if (op->branch.kind == BRANCH_PLAIN) op->branch.target += p->first;
  if (!call) return;
  op->branch.target = call->callee ? l->part[link_part_of(l, call->callee)].first : 0;
  op->branch.frame_bytes = p->frame_bytes;
}

static void publish(struct linker *l, uint32_t rows) {
  struct kernel *k = l->kernel;
  struct arena *a = &l->parser->module->arena;
  publish_constants(l);
  publish_parameters(l);
  publish_functions(l);
  publish_rows(l, rows);
  k->ops = arena_alloc(a, (k->public.n_ops + 1) * sizeof *k->ops);
  k->table = arena_alloc(a, (l->decoder.n_table + 1) * sizeof *k->table);
  for (uint32_t i = 0; i < l->n_parts; i++) {
    struct part *p = &l->part[i];
    for (uint32_t j = 0; j < p->n_ops; j++) finish_op(l, p, &p->ops[j]);
    memcpy(k->ops + p->first, p->ops, p->n_ops * sizeof *k->ops);
    for (uint32_t j = 0; j < p->n_table; j++) k->table[p->table + j] = l->decoder.table[p->table + j] + p->first;
  }
  k->public.ops = k->ops;
  uint8_t *predicate = arena_alloc(l->parser->scratch, k->public.n_registers + 1);
  for (uint32_t i = 0; i < l->n_parts; i++)
    for (uint32_t j = 0; j < l->part[i].n_regs; j++)
      predicate[l->part[i].first_reg + j] = l->part[i].reg[j].type == T_PRED;
  k->public.n_tiles = ptx_mark_tiles(l->parser->scratch, k->ops, k->public.n_ops, k->public.n_registers, predicate);
  k->public.module = l->parser->module;
}

static void compact_part(struct linker *l, uint32_t i) {
  struct part *p = &l->part[i];
  struct arena *scratch = l->parser->scratch;
  ptx_flow_analyse(scratch, p, l->decoder.table);
  if (link_reaches(l, i, i)) {
    ptx_save_registers(&l->decoder, p, l->part, l->n_parts, false);
    ptx_flow_analyse(scratch, p, l->decoder.table);
  }
  ptx_rows_compact(scratch, p);
}

static int decode_parts(struct linker *l) {
  bool allocate = l->parser->options->allocate;
  for (uint32_t i = 0; i < l->n_parts; i++) {
    int code = ptx_decode_part(&l->decoder, &l->part[i]);
    if (code) return code;
    if (!allocate) compact_part(l, i);
  }
  int code = allocate ? link_allocate(l) : 0;
  for (uint32_t i = 0; i < l->n_parts; i++) {
    struct part *p = &l->part[i];
    p->frame_bytes = ptx_frame_locals(p->function) + (uint32_t)align_up(p->function->local_bytes, 8);
    p->frame_bytes += p->spill_bytes ? (uint32_t)align_up(p->save_bytes, 8) + p->spill_bytes : p->save_bytes;
    p->frame_bytes = (uint32_t)align_up(p->frame_bytes, l->frame_align);
  }
  return code;
}

static int link_once(struct linker *l, struct function *entry) {
  uint32_t rows = 0;
  l->decoder = (struct decoder){.parser = l->parser, .kernel = l->kernel};
  int code = collect(l, entry);
  if (code || (code = place_all_shared(l))) return code;
  find_groups(l);
  if ((code = decode_parts(l)) || (code = lay_out(l, &rows))) return code;
  publish(l, rows);
  return 0;
}

/* The kernel as it was parsed, and the shared arrays without places. */
static struct linker again(const struct linker *l, const struct kernel *parsed) {
  *l->kernel = *parsed;
  for (uint32_t i = 0; i < l->n_parts; i++)
    for (uint32_t j = 0; j < l->part[i].function->n_shared; j++) l->part[i].function->shared[j]->placed_in = 0;
  return (struct linker){.parser = l->parser, .kernel = l->kernel, .frame_align = FRAME_ALIGN, .ranked = true};
}

/* Phases tell how shared arrays should lie, and addresses are constants by then: the kernel is linked a second time. */
int ptx_link_kernel(struct parser *p, struct function *entry) {
  struct linker l = {.parser = p, .kernel = entry->kernel, .frame_align = FRAME_ALIGN};
  const struct kernel parsed = *entry->kernel;
  p->kernel = entry->kernel;
  int code = link_once(&l, entry);
  if (code || !l.phases || l.kernel->n_arrays < 2) return code;
  l = again(&l, &parsed);
  return link_once(&l, entry);
}
