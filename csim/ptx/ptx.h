/* SPDX-License-Identifier: Apache-2.0 */
/* PTX: text is parsed and decoded once into compact operations; a warp executes them over structure-of-arrays
 * registers, 32 lanes a loop. This layer is functional; time is the business of core/.
 *
 * A step of a warp, for the caller:
 *   op = &kernel->ops[ptx_warp_pc(w)];  mask = ptx_op_mask(op, w);      the guard is applied here and nowhere else
 *   op->exec: op->exec(op, w, mask);  LOAD, STORE, ATOMIC: ptx_addresses, ptx_perform;  BARRIER, FENCE, EXTENSION, NOP:
 *   the caller's business;  BRANCH, EXIT: nothing
 *   ptx_advance(op, w, mask);                                           always, with the same mask, for every class
 * mask may be 0. Not advancing repeats the operation. The warp has ended when w->live is 0: ptx_warp_pc has no meaning
 * then. After every call look at w->fault.kind.
 *
 * ret of an entry is exit; ret of a called function takes its lanes out of it. bra is divergent when some of the active lanes take it (mask != ptx_warp_mask); the lanes
 * that fall through run first, until op->reconverge. bar.warp.sync, nanosleep, prefetch are PTX_NOP. ld.param has an
 * exec: parameters are operands, never a memory operation. const variables lie in device memory, so PTX_CONST accesses
 * have device addresses. Dynamic shared memory begins at shared_bytes (rounded up for it). Generic addresses of shared
 * memory are GENERIC_SHARED_BASE + the offset in the CTA's slice. Uninitialised registers of an
 * entry read as zero.
 *
 * A kernel holds the operations of every function that it can reach. A call pushes an entry onto the SIMT stack; its
 * parameters, results, local variables and what recursion has to keep lie in the thread's local memory (ptx/link.c). */
#ifndef TANDEM_PTX_PTX_H
#define TANDEM_PTX_PTX_H

#include "ptx/op.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct device_memory;

struct ptx_kernel;

struct ptx_kernel {
  const char *name;
  const struct ptx_op *ops;
  uint32_t n_ops;
  uint32_t n_rows;         /* 32-bit register rows of a warp, special rows and the SIMT stack included */
  uint32_t n_registers;    /* virtual registers, for scoreboards */
  uint32_t live_registers; /* most 32-bit registers live at once: what occupancy counts (assumption: the text's virtual
                             registers are unlimited; an allocator would need about this many) */
  const uint32_t *const_rows; /* 32 lanes each */
  uint32_t param_bytes;
  uint32_t n_params;
  const uint32_t *param_offset, *param_size; /* n_params */
  uint32_t shared_bytes;                     /* static */
  uint32_t local_bytes;                      /* a thread, the call stack included */
  uint32_t simt_entries;                     /* of the SIMT stack */
  /* Scoreboard registers of asynchronous copies, if async_register is not PTX_NO_REG: number N of them is ready when all
   * groups but the N committed last are complete, the last one when all copies are. */
  uint16_t async_register;
  uint32_t n_tiles;     /* shared arrays that software copies fill */
  uint32_t max_threads; /* .maxntid product, or 0 */
  const struct ptx_module *module;
};

/* An instruction that a system adds: an `.extern .func` of this name. Its arguments arrive as source rows. */
struct ptx_extension {
  const char *name;
  uint16_t code;
  uint8_t n_args;
  uint8_t issue_slots; /* dynamic instructions one call counts for; 0: folded away */
};

struct ptx_module;

/* Parses and decodes `text` (length bytes, need not end in 0). `file` names it in messages. `extensions` ends with a
 * NULL name. Initialised .global/.const variables are allocated in `memory`. Errors: ERR_SYNTAX, ERR_UNSUPPORTED
 * with file:line and the instruction. ERR_LIMIT when device memory is full. `memory` must outlive the module, which
 * gives its variables back when it is freed; `extensions` too. */
int ptx_module_load(const char *file, const char *text, size_t length, const struct ptx_extension *extensions,
                    struct device_memory *memory, struct ptx_module **out, struct err *e);
void ptx_module_free(struct ptx_module *);
const struct ptx_kernel *ptx_module_kernel(const struct ptx_module *, const char *name); /* or NULL */
uint32_t ptx_module_n_kernels(const struct ptx_module *);
const struct ptx_kernel *ptx_module_kernel_at(const struct ptx_module *, uint32_t index);
/* Device address and size of a .global/.const variable; 0 if there is none of that name. */
uint64_t ptx_module_global(const struct ptx_module *, const char *name, uint64_t *bytes);
/* Handle of the .texref of that name (ptx/texture.h), 0 if there is none. */
uint64_t ptx_module_texture(const struct ptx_module *, const char *name);
const char *ptx_module_file(const struct ptx_module *);
/* Numbers of the module's own that its instructions name and that a loader turns into those of a process (a system's atoms):
 * `count` from 0, at `base` on. None until it is told. */
struct ptx_relocation {
  uint32_t base, count;
};
void ptx_module_relocate(struct ptx_module *, struct ptx_relocation);
struct ptx_relocation ptx_module_relocation(const struct ptx_module *);
/* Source text line of an operation, for waves and error messages ("" if unknown). */
const char *ptx_op_text(const struct ptx_kernel *, uint32_t pc);

/* ---- execution ---- */

/* Entries for the divergence inside of one function; a call adds as many, recursion makes it SIMT_STACK_RECURSIVE (ours). */
enum { SIMT_STACK_MAX = 32, SIMT_STACK_RECURSIVE = 1024 };

struct simt_entry {
  uint32_t pc, reconverge, mask;
  uint32_t frame; /* bytes of the caller's frame: what ret takes off the thread's stack pointer */
};

/* X(kind, what the thread does: the words in braces are fields of struct ptx_fault) */
#define PTX_FAULTS(X)                                                                                     \
  X(PTX_MISALIGNED, "misaligned {space} address {address} of {access} of {bytes} bytes")                  \
  X(PTX_ILLEGAL, "illegal {space} address {address} of {access} of {bytes} bytes")                        \
  X(PTX_COPY_MISALIGNED, "misaligned copy of {bytes} bytes from global {address} to shared {to}")         \
  X(PTX_COPY_ILLEGAL, "illegal copy of {bytes} bytes from global {address} to shared {to}")               \
  X(PTX_NO_TEXTURE, "fetches from {address}, which is no texture: bind or create it first")               \
  X(PTX_TEXTURE_IS_1D, "fetches with two coordinates from a texture of one dimension")                    \
  X(PTX_TEXTURE_IS_2D, "fetches with one coordinate from a texture of two dimensions")                    \
  X(PTX_TEXTURE_ILLEGAL, "illegal texture address {address}")                                             \
  X(PTX_OUTSIDE_PARAMETERS, "reads {bytes} bytes at offset {address} of the {limit} bytes of parameters") \
  X(PTX_TRAPPED, "executes trap")                                                                         \
  X(PTX_ASSERTION, "fails an assertion: {message}")                                                       \
  X(PTX_NO_TARGET, "branches to target {index} of {limit}")                                               \
  X(PTX_NO_FUNCTION, "calls address {address}, which is no function that this call can reach")            \
  X(PTX_STACK_FULL, "calls on from '{function}' at call depth {depth}: its stack is full")                \
  X(PTX_CALLS_TOO_DEEP, "calls on from '{function}' at call depth {depth}: the SIMT stack is full")       \
  X(PTX_DIVERGES_TOO_DEEP, "diverges more than {limit} deep: the SIMT stack is full")

enum ptx_fault_kind {
  PTX_NO_FAULT,
#define X(kind, sentence) kind,
  PTX_FAULTS(X)
#undef X
    PTX_FAULT_KINDS
};

/* What the first faulting lane of a warp did. Fields that the kind's sentence does not name are 0. */
struct ptx_fault {
  uint8_t kind; /* enum ptx_fault_kind */
  uint8_t lane;
  uint8_t space; /* enum ptx_space */
  bool store, atomic;
  uint32_t line; /* of the PTX text */
  uint32_t bytes, index, limit, depth;
  uint64_t address; /* of an assertion: where its message lies */
  uint64_t to;
  const char *function;
};

/* What the threads of one CTA share. */
struct ptx_cta {
  const struct ptx_kernel *kernel;
  struct device_memory *memory;
  uint8_t *shared; /* shared_bytes, this CTA's slice */
  uint32_t shared_bytes;
  uint32_t shared_base;  /* where the slice lies in the SM's shared memory (hardware byte address) */
  const uint8_t *params; /* kernel->param_bytes */
  uint32_t grid[3], block[3], index[3];
  uint32_t sm, n_sms;
};

/* Functional state of a warp. The core allocates it with ptx_warp_bytes and owns the schedule. */
struct ptx_warp {
  struct ptx_cta *cta;
  uint32_t *rows;           /* n_rows * 32 words, 64-byte aligned */
  uint8_t *local;           /* local_bytes * 32, lane-major */
  const uint32_t *consts;   /* kernel->const_rows */
  uint32_t index;           /* warp within the CTA */
  uint32_t live;            /* lanes not exited */
  uint32_t depth;           /* of the SIMT stack; top is stack[depth-1] */
  struct simt_entry *stack; /* at the end of `rows` */
  uint64_t clock;           /* what %clock reads; the core sets it */
  struct ptx_fault fault;   /* the first one of this warp */
};

/* The lanes that would execute the operation at the top of the stack (live, on the path; guard not applied). */
static inline uint32_t ptx_warp_pc(const struct ptx_warp *w) { return w->stack[w->depth - 1].pc; }
static inline uint32_t ptx_warp_mask(const struct ptx_warp *w) { return w->stack[w->depth - 1].mask & w->live; }

/* Prepares a warp at the kernel's entry: registers zeroed, special rows filled (tid, ctaid, ...), lanes beyond the
 * block's threads dead. rows, local, consts are set by the caller before. */
void ptx_warp_start(struct ptx_warp *, struct ptx_cta *, uint32_t index);

/* Writes "thread (x,y,z) of CTA (x,y,z) ..." about the warp's fault. */
void ptx_fault_text(const struct ptx_warp *, char *text, size_t size);

/* Lanes of the current operation after its guard. */
uint32_t ptx_op_mask(const struct ptx_op *, const struct ptx_warp *);

/* One warp-wide memory access. */
struct ptx_access {
  uint8_t space; /* resolved: never PTX_GENERIC (a generic access whose lanes fall into different spaces
                             sets w->fault: ours) */
  uint8_t bytes; /* a lane, vector included */
  bool store, atomic;
  bool async; /* a copy to shared memory: `address` is its source in global memory */
  uint32_t mask;
  uint64_t address[WARP_LANES]; /* global: device address; shared: offset in the CTA's slice; local: offset in the
                                   thread's local memory; texture: device address of the element, or PTX_NOWHERE */
};
/* A fetch outside of the texture: reads its border, touches no memory. */
#define PTX_NOWHERE UINT64_MAX

/* Addresses of the memory operation at the warp's PC (class LOAD, STORE or ATOMIC). Pure. Of generic addresses the access
 * has only the lanes in the space of the first one: the operation is to be done again for those of `mask` that are not in
 * its mask, before the PC moves on. */
void ptx_addresses(const struct ptx_op *, struct ptx_warp *, uint32_t mask, struct ptx_access *);

/* Performs the memory operation on values (loads, stores, atomics); faults set w->fault and leave values alone. */
void ptx_perform(const struct ptx_op *, struct ptx_warp *, const struct ptx_access *);

/* Moves the PC on: next operation, or branch/exit with divergence and reconvergence. `mask` as of ptx_op_mask. */
void ptx_advance(const struct ptx_op *, struct ptx_warp *, uint32_t mask);

/* Value of source `i` of an extension operation in lane `lane`, zero-extended to 64 bits. */
uint64_t ptx_source(const struct ptx_op *, const struct ptx_warp *, uint32_t i, uint32_t lane);

/* Barrier operations: kind and resource of a PTX_BARRIER operation. */
struct ptx_barrier {
  uint32_t id;      /* 0..15 */
  uint32_t threads; /* participating threads, 0: all of the CTA */
  bool arrive_only;
};
struct ptx_barrier ptx_barrier_of(const struct ptx_op *, const struct ptx_warp *);
/* bar.red: the lanes of `mask` whose predicate holds; and, once `threads` have arrived with `votes` in all, the result. */
bool ptx_barrier_reduces(const struct ptx_op *);
uint32_t ptx_barrier_votes(const struct ptx_op *, const struct ptx_warp *, uint32_t mask);
void ptx_barrier_result(const struct ptx_op *, struct ptx_warp *, uint32_t mask, uint32_t votes, uint32_t threads);

#endif
