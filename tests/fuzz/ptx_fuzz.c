/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as PTX: refused with file, line and a sentence, or decoded; what decodes is analysed (ptx/affine.h) and
 * executed for a while by one warp with odd parameters. What it reads lies in the rows that the analysis makes. libFuzzer calls this (tests/fuzz/run.sh); replay.c calls it for the corpus in the gate. */
#include "base/err.h"
#include "device/device_memory.h"
#include "ptx/affine_rows.h"
#include "ptx/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_BYTES = 1 << 20, OPERATIONS_MAX = 3000, KERNELS_MAX = 4, SHARED_MAX = 1 << 16, EDIT_BYTES = 1 << 16 };

static const struct ptx_extension extensions[] = {
  {"ext_map", 1, 3, 1, false}, {"ext_go", 2, 0, 2, false}, {"ext_wide", 3, 8, 0, false}, {0}};

static void demand(bool law, const char *what, const char *text) {
  if (law) return;
  fprintf(stderr, "broken: %s: '%s'\n", what, text);
  abort();
}

/* ---- the analysis ---- */

struct reads {
  struct affine *analysis;
  struct affine_rows rows;
  struct affine_launch launch;
};

static struct reads analyse(const struct ptx_kernel *k, const struct ptx_cta *cta, bool promote) {
  struct reads r = {.analysis = affine_analyse(k, &(struct affine_options){.promote = promote}),
                    .launch = {.params = cta->params, .memory_bytes = MEMORY_BYTES}};
  struct affine_places places;
  char text[200];
  uint32_t line, column;
  memcpy(r.launch.grid, cta->grid, sizeof r.launch.grid);
  memcpy(r.launch.block, cta->block, sizeof r.launch.block);
  affine_rows_make(r.analysis, &r.launch, &(struct affine_rows_options){0}, &r.rows);
  (void)affine_places(r.analysis, &places);
  for (uint32_t i = 0; i < r.analysis->n_indexes; i++) {
    affine_expression(r.analysis, i, text, sizeof text);
    demand(*text, "an index has an expression", k->name);
    (void)affine_source_line(k, r.analysis->load[r.analysis->index[i].first_load].op, text, sizeof text, &line,
                             &column);
  }
  return r;
}

static void end_reads(struct reads *r) {
  affine_rows_free(&r->rows);
  affine_free(r->analysis);
}

static bool has_rows(const struct reads *r, uint32_t index) {
  for (uint32_t i = 0; i < r->rows.n_refused; i++)
    if (r->rows.refused[i].index == index) return false;
  return r->analysis->index[index].class != AFFINE_NONE;
}

/* Of CTA (0, 0, 0): products do not matter. */
static bool in_row(const struct reads *r, uint32_t array, uint64_t address, uint32_t bytes) {
  for (uint32_t i = 0; i < r->rows.n; i++) {
    const struct affine_row *row = &r->rows.row[i].row;
    uint64_t first = row->base + (uint64_t)row->min_offset * row->typesize;
    uint64_t length = (uint64_t)(row->max_offset - row->min_offset) * row->typesize;
    if (r->rows.row[i].array == array && address - first < length && bytes <= length - (address - first)) return true;
  }
  return false;
}

static void check_reads(const struct reads *r, const struct ptx_warp *w, const struct ptx_op *op,
                        const struct ptx_access *a) {
  const struct affine *x = r->analysis;
  uint32_t at = (uint32_t)(op - x->kernel->ops), i = 0;
  while (i < x->n_loads && x->load[i].op != at) i++;
  if (i == x->n_loads || !has_rows(r, x->load[i].index)) return;
  for (uint32_t lane = 0; lane < WARP_LANES; lane++)
    demand(!(a->mask >> lane & 1) || !device_memory_at(w->cta->memory, a->address[lane], a->bytes) ||
             in_row(r, x->index[x->load[i].index].array, a->address[lane], a->bytes),
           "a read lies in a row", ptx_op_text(x->kernel, at));
}

/* ---- execution ---- */

/* One operation; false when the warp has ended or faulted. */
static bool step(struct ptx_warp *w, const struct reads *reads) {
  const struct ptx_kernel *k = w->cta->kernel;
  demand(ptx_warp_pc(w) < k->n_ops, "the pc lies in the kernel", k->name);
  const struct ptx_op *op = &k->ops[ptx_warp_pc(w)];
  uint32_t mask = ptx_op_mask(op, w);
  demand((mask & ~ptx_warp_mask(w)) == 0, "only lanes on the path execute", ptx_op_text(k, ptx_warp_pc(w)));
  struct ptx_access access;
  w->clock++;
  switch (op->class) {
    case PTX_LOAD:
    case PTX_STORE:
    case PTX_ATOMIC:
      ptx_addresses(op, w, mask, &access);
      if (!w->fault.kind && mask) check_reads(reads, w, op, &access);
      if (!w->fault.kind && mask) ptx_perform(op, w, &access);
      break;
    case PTX_BARRIER: (void)ptx_barrier_of(op, w); break;
    case PTX_EXTENSION:
      for (uint32_t i = 0; i < op->n_src && mask; i++) (void)ptx_source(op, w, i, (uint32_t)__builtin_ctz(mask));
      break;
    default:
      if (op->exec) op->exec(op, w, mask);
  }
  if (w->fault.kind) return false;
  ptx_advance(op, w, mask);
  return w->live && !w->fault.kind;
}

static void execute(const struct ptx_kernel *k, struct device_memory *memory, uint64_t buffer, uint32_t threads) {
  if (k->shared_bytes > SHARED_MAX || k->n_rows > 1 << 14) return;
  uint8_t *shared = calloc(1, k->shared_bytes + 64), *params = calloc(1, k->param_bytes + 8);
  for (uint32_t i = 0; i < k->n_params; i++) { /* pointers point to the buffer, integers are small */
    uint64_t value = k->param_size[i] == 8 ? buffer + 256 * i : 3 + i;
    uint32_t n = k->param_size[i] < 8 ? k->param_size[i] : 8;
    memcpy(params + k->param_offset[i], &value, n);
  }
  struct ptx_cta cta = {.kernel = k,
                        .memory = memory,
                        .shared = shared,
                        .shared_bytes = k->shared_bytes + 32,
                        .params = params,
                        .grid = {2, 1, 1},
                        .block = {threads, 1, 1}};
  struct ptx_warp w = {.consts = k->const_rows};
  w.rows = aligned_alloc(64, (size_t)k->n_rows * 128);
  w.local = calloc(1, (size_t)k->local_bytes * WARP_LANES + 1);
  ptx_warp_start(&w, &cta, 0);
  struct reads reads = analyse(k, &cta, threads == WARP_LANES);
  for (int i = 0; i < OPERATIONS_MAX && step(&w, &reads); i++) continue;
  end_reads(&reads);
  char fault[256] = "";
  if (w.fault.kind) ptx_fault_text(&w, fault, sizeof fault);
  demand(!w.fault.kind || w.fault.line, "a fault names its line", fault);
  free(w.rows);
  free(w.local);
  free(shared);
  free(params);
}

static void load(const uint8_t *data, size_t size, const struct ptx_options *options) {
  struct device_memory memory;
  struct err e = {0};
  struct ptx_module *module = NULL;
  if (device_memory_create(&memory, MEMORY_BYTES, &e)) abort();
  int code = ptx_module_load_options(options, "f.ptx", (const char *)data, size, extensions, &memory, &module, &e);
  if (code) {
    bool named = code == ERR_SYNTAX || code == ERR_UNSUPPORTED || code == ERR_LIMIT;
    demand(named && e.code == (enum err_code)code, "refused with the code of its error", e.text);
    demand(strncmp(e.text, "f.ptx:", 6) == 0 && e.text[6] >= '0' && e.text[6] <= '9', "names file and line", e.text);
    demand(module == NULL && memory.allocated_bytes == 0, "a refused module leaves nothing", e.text);
  } else {
    uint64_t buffer = device_memory_alloc(&memory, 1 << 16);
    for (uint32_t i = 0; buffer && i < ptx_module_n_kernels(module) && i < KERNELS_MAX; i++)
      execute(ptx_module_kernel_at(module, i), &memory, buffer, size % 3 ? 32 : 17);
    ptx_module_free(module);
  }
  device_memory_destroy(&memory);
}

/* As usual, with phases, and in few registers. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const struct ptx_options options[] = {
    {0},
    {.allocate = true, .phases = true},
    {.allocate = true, .phases = true, .registers = 8 + (uint32_t)(size % 8), .limit = "the fuzzer"}};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) load(data, size, &options[i]);
  return 0;
}

/* ---- mutation by tokens ---- */

#ifdef TANDEM_FUZZER
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

static uint32_t next(unsigned int *seed) {
  *seed = *seed * 1103515245u + 12345u;
  return *seed >> 8;
}
static bool is_word(uint8_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '%' || c == '$';
}
/* A token at or after `at`: a word, one part of an opcode, or a character. */
static size_t token_at(const uint8_t *data, size_t size, size_t at, size_t *length) {
  while (at < size && (data[at] == ' ' || data[at] == '\n' || data[at] == '\t')) at++;
  size_t end = at + (at < size);
  if (at < size && (is_word(data[at]) || data[at] == '.'))
    while (end < size && is_word(data[end])) end++;
  *length = end - at;
  return at;
}

static size_t put(uint8_t *to, size_t at, const uint8_t *from, size_t n) {
  memcpy(to + at, from, n);
  return at + n;
}

/* Deletes, doubles, replaces or exchanges tokens; else mutates bytes. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
  if (size < 16 || max_size > EDIT_BYTES || next(&seed) % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
  static uint8_t edited[3 * EDIT_BYTES];
  for (uint32_t edits = 1 + next(&seed) % 3; edits && size > 16; edits--) {
    size_t n, m, a = token_at(data, size, next(&seed) % size, &n), b = token_at(data, size, next(&seed) % size, &m);
    uint32_t kind = next(&seed) % 4; /* delete a; put b before a; replace a by b; exchange */
    if (kind == 3 && a + n > b) kind = 2;
    size_t out = put(edited, 0, data, a);
    if (kind) out = put(edited, out, data + b, m);
    if (kind == 1) out = put(edited, out, data + a, n);
    if (kind == 3) {
      out = put(edited, out, data + a + n, b - a - n);
      out = put(edited, out, data + a, n);
    }
    size_t rest = kind == 3 ? b + m : a + n;
    out = put(edited, out, data + rest, size - rest);
    size = out < max_size ? out : max_size;
    memcpy(data, edited, size);
  }
  return size;
}
#endif
