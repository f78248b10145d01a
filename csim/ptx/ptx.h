/* SPDX-License-Identifier: Apache-2.0 */
/* PTX: text is parsed and decoded once into compact operations; a warp executes them over structure-of-arrays
 * registers, 32 lanes a loop. This layer is functional; timing is the business of core/.
 *
 * A step of a warp, for the caller:
 *   op = &kernel->ops[ptx_warp_pc(w)];
 *   mask = ptx_op_mask(op, w);         the lanes that execute: the guard is applied here and nowhere else; may be 0
 *   class LOAD, STORE, ATOMIC:         ptx_addresses, then ptx_perform
 *   BARRIER, FENCE, EXTENSION, PHASE, NOP: what they mean is the caller's business
 *   others with op->exec:              op->exec(op, w, mask)
 *   ptx_advance(op, w, mask);          always, with the same mask, for every class
 * The caller checks w->fault.kind after every call. Without ptx_advance the operation is repeated. A warp has ended
 * when w->live is 0; its PC then means nothing.
 *
 * ret of an entry is exit; ret of a called function takes its lanes out of it. A branch diverges when some but not
 * all active lanes take it (mask != ptx_warp_mask); the others run first, until op->branch.reconverge. Kernel
 * parameters are operands, never a memory access: ld.param has an exec. .const variables lie in device memory, so
 * PTX_CONST accesses have device addresses. Dynamic shared memory begins at shared_bytes (rounded up for it). A
 * generic address of shared memory is GENERIC_SHARED_BASE plus the offset in the CTA's slice. Registers of an entry
 * are 0 before they are written.
 *
 * A kernel holds the operations of every function that it can reach. A call pushes an entry onto the SIMT stack; its
 * parameters, results, local variables and what recursion has to keep lie in the thread's local memory (ptx/link.c). */
#ifndef TANDEM_PTX_PTX_H
#define TANDEM_PTX_PTX_H

#include "ptx/op.h"
#include "ptx/phases.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct device_memory;

struct ptx_kernel {
  const char *name;
  const struct ptx_op *ops;
  uint32_t n_ops;
  uint32_t n_rows;      /* 32-bit register rows of a warp, special rows and the SIMT stack included */
  uint32_t n_registers; /* virtual registers, for scoreboards */
  /* Most 32-bit registers live at once, which occupancy counts. assumption: an allocator would need about this many;
   * the virtual registers of the text are unlimited. */
  uint32_t live_registers;
  /* With ptx_options.allocate the architectural registers that a thread takes, and its predicates; else 0. Register
   * number n is row first_register + n; with the next one, as 64 bits, rows first_register + registers + n and the next;
   * predicate n is row first_register + 2 registers + n. */
  uint32_t registers, predicates, first_register;
  uint32_t spill_bytes;       /* of local memory, for registers that did not find room */
  const uint32_t *const_rows; /* 32 lanes each */
  uint32_t param_bytes;
  uint32_t n_params;
  const uint32_t *param_offset, *param_size; /* n_params */
  uint32_t shared_bytes;                     /* static */
  uint32_t local_bytes;                      /* a thread, the call stack included */
  uint32_t alloca_bytes;                     /* of them, at the end: what alloca takes from */
  uint32_t simt_entries;                     /* of the SIMT stack */
  /* First of the scoreboard registers of asynchronous copies, or PTX_NO_REG. The one with number N is ready when all
   * groups but the last N that were committed are complete; the last one when all copies are. */
  uint16_t async_register;
  uint32_t n_tiles;                /* shared arrays that software copies fill */
  uint32_t max_threads;            /* .maxntid product, or 0 */
  bool multiplies;                 /* it has operations of class PTX_MATRIX */
  const struct ptx_phases *phases; /* or NULL */
  const struct ptx_module *module;
};

/* An instruction that a proposal adds: an `.extern .func` of this name. Its arguments are the operation's sources. */
struct ptx_extension {
  const char *name;
  uint16_t code;
  uint8_t n_args;
  uint8_t issue_slots; /* dynamic instructions that one call counts for; 0: none, it takes no issue slot */
  bool result;         /* it returns 64 bits, which the proposal writes (ptx_set_result) */
};

struct ptx_module;

/* What a load does with registers. All 0: nothing; what is live is counted, and every statistic is that of the text. */
struct ptx_options {
  bool allocate;      /* registers get architectural numbers, and those that find none are spilled to local memory */
  uint32_t registers; /* that a thread may use at most; 0: 255. An entry's .maxnreg may allow fewer */
  const char *limit;  /* who says so, for messages */
  /* With allocate: of the SM that the code is for; 0: unknown. Launch bounds (.maxntid or .reqntid, .minnctapersm) allow a thread what is
   * left to it if so many CTAs fit into the SM. */
  uint32_t sm_registers, sm_threads;
  uint32_t block_threads; /* of an entry without .maxntid, or 0 */
  /* With allocate: kernels are divided into phases, each of which begins with a PTX_PHASE, and shared arrays are laid out so that those
   * that live longest come first. */
  bool phases;
  enum ptx_live_form live;
  uint32_t phase_registers; /* that a specifier can name; 0: 255. A kernel with more is refused */
};

/* Parses and decodes `text` (`length` bytes, need not end in 0). `file` names it in messages. `extensions` ends with
 * a NULL name. .global and .const variables are allocated in `memory`. Errors: ERR_SYNTAX and ERR_UNSUPPORTED with
 * file:line and the instruction, ERR_LIMIT when device memory is full. `memory` and `extensions` must outlive the
 * module; freeing the module frees its variables. */
int ptx_module_load(const char *file, const char *text, size_t length, const struct ptx_extension *extensions,
                    struct device_memory *memory, struct ptx_module **out, struct err *e);
int ptx_module_load_options(const struct ptx_options *, const char *file, const char *text, size_t length,
                            const struct ptx_extension *, struct device_memory *, struct ptx_module **, struct err *);
void ptx_module_free(struct ptx_module *);
const struct ptx_kernel *ptx_module_kernel(const struct ptx_module *, const char *name); /* or NULL */
uint32_t ptx_module_n_kernels(const struct ptx_module *);
uint32_t ptx_module_target(const struct ptx_module *); /* 75 for .target sm_75 */
const struct ptx_kernel *ptx_module_kernel_at(const struct ptx_module *, uint32_t index);
/* Device address and size of a .global/.const variable; 0 if there is none of that name. */
uint64_t ptx_module_global(const struct ptx_module *, const char *name, uint64_t *bytes);
/* Handle of the .texref of that name (ptx/texture.h), 0 if there is none. */
uint64_t ptx_module_texture(const struct ptx_module *, const char *name);
const char *ptx_module_file(const struct ptx_module *);
/* Ids within the module that its instructions name, and that a loader maps to ids of the process: `count` ids from 0
 * become those from `base` on. None until it is set. */
struct ptx_relocation {
  uint32_t base, count;
};
void ptx_module_relocate(struct ptx_module *, struct ptx_relocation);
struct ptx_relocation ptx_module_relocation(const struct ptx_module *);
/* Lines of the text, from 1, without their leading blanks; "" if there is none. */
uint32_t ptx_module_n_lines(const struct ptx_module *);
const char *ptx_module_line(const struct ptx_module *, uint32_t line);
/* The line of the PTX text that an operation comes from, for waves and messages ("" if unknown). */
const char *ptx_op_text(const struct ptx_kernel *, uint32_t pc);

/* ---- execution ---- */

/* Entries of the SIMT stack: for divergence within one function, and as many for each level of calls. assumption:
 * with recursion SIMT_STACK_RECURSIVE in all. */
enum { SIMT_STACK_MAX = 32, SIMT_STACK_RECURSIVE = 1024 };

struct simt_entry {
  uint32_t pc, reconverge, mask;
  uint32_t frame; /* bytes of the caller's frame, which ret subtracts from the thread's stack pointer */
};

/* X(kind, what the thread did). Words in braces stand for fields of struct ptx_fault; {access} for `store` and
 * `atomic`, {message} for the text at `address`. */
#define PTX_FAULTS(X)                                                                                       \
  X(PTX_MISALIGNED, "misaligned {space} address {address} of {access} of {bytes} bytes")                    \
  X(PTX_ILLEGAL, "illegal {space} address {address} of {access} of {bytes} bytes")                          \
  X(PTX_COPY_MISALIGNED, "misaligned copy of {bytes} bytes from global {address} to shared {to}")           \
  X(PTX_COPY_ILLEGAL, "illegal copy of {bytes} bytes from global {address} to shared {to}")                 \
  X(PTX_NO_TEXTURE, "fetches from {address}, which is no texture: bind or create it first")                 \
  X(PTX_NO_SURFACE, "accesses {address}, which is no surface: create it first")                             \
  X(PTX_TEXTURE_GEOMETRY, "fetches with .{asked} from what is .{found}")                                    \
  X(PTX_TEXTURE_ILLEGAL, "illegal texture address {address}")                                               \
  X(PTX_SURFACE_OUTSIDE, "accesses a surface outside of its elements: use .zero or .clamp, or stay inside") \
  X(PTX_SURFACE_MISALIGNED, "accesses {bytes} bytes of a surface at byte {index} of a row")                 \
  X(PTX_SURFACE_FORMAT, "reduces a surface whose elements are not one 32-bit integer each")                 \
  X(PTX_OUTSIDE_PARAMETERS, "reads {bytes} bytes at offset {address} of the {limit} bytes of parameters")   \
  X(PTX_NO_MBARRIER, "uses an mbarrier that is not initialised, or lies outside of shared memory")          \
  X(PTX_MBARRIER_COUNT, "initialises an mbarrier for {bytes} arrivals: 1 to {limit}")                       \
  X(PTX_MBARRIER_ARRIVALS, "arrives {bytes} times at an mbarrier that waits for {limit} more arrivals")     \
  X(PTX_ALLOCA_FULL, "allocates {address} bytes on its stack, of which {limit} are left")                   \
  X(PTX_NOT_WHOLE, "is one of {bytes} threads of its warp here: a matrix operation takes all 32")           \
  X(PTX_TRAPPED, "executes trap")                                                                           \
  X(PTX_ASSERTION, "fails an assertion: {message}")                                                         \
  X(PTX_NO_TARGET, "branches to target {index} of {limit}")                                                 \
  X(PTX_NO_FUNCTION, "calls address {address}, which is no function that this call can reach")              \
  X(PTX_STACK_FULL, "calls on from '{function}' at call depth {depth}: its stack is full")                  \
  X(PTX_CALLS_TOO_DEEP, "calls on from '{function}' at call depth {depth}: the SIMT stack is full")         \
  X(PTX_DIVERGES_TOO_DEEP, "diverges more than {limit} deep: the SIMT stack is full")

enum ptx_fault_kind {
  PTX_NO_FAULT,
#define X(kind, sentence) kind,
  PTX_FAULTS(X)
#undef X
    PTX_FAULT_KINDS
};

/* The fault of one lane. Fields that its sentence does not need are 0. */
struct ptx_fault {
  uint8_t kind; /* enum ptx_fault_kind */
  uint8_t lane;
  uint8_t space; /* enum ptx_space */
  bool store, atomic;
  uint32_t line; /* of the PTX text */
  uint32_t bytes, index, limit, depth;
  uint64_t address; /* of an assertion: of its message */
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

/* Functional state of a warp. The core allocates it, with n_rows, local_bytes and simt_entries of the kernel, and
 * schedules it. What every operation reads comes first: hundreds of warps take turns in the host's caches. */
struct ptx_warp {
  uint32_t *rows;         /* n_rows * 32 words, 64-byte aligned */
  const uint32_t *consts; /* kernel->const_rows */
  struct simt_entry top;  /* of the SIMT stack */
  uint32_t live;          /* lanes not exited */
  uint32_t depth;         /* entries of the SIMT stack, with the top */
  struct ptx_cta *cta;
  uint64_t clock;           /* what %clock reads; the core sets it */
  struct ptx_fault fault;   /* the first one of this warp */
  struct simt_entry *stack; /* at the end of `rows`: the entries below the top */
  uint8_t *local;           /* local_bytes * 32, lane-major */
  uint32_t index;           /* warp within the CTA */
};

/* The PC of the top of the SIMT stack, and its lanes that have not exited; the guard is not applied. */
static inline uint32_t ptx_warp_pc(const struct ptx_warp *w) { return w->top.pc; }
static inline uint32_t ptx_warp_mask(const struct ptx_warp *w) { return w->top.mask & w->live; }

/* Prepares a warp at the kernel's entry: zeroes its registers, sets special registers (tid, ctaid, ...), and disables
 * lanes beyond the block's threads. The caller has set rows, local and consts. */
void ptx_warp_start(struct ptx_warp *, struct ptx_cta *, uint32_t index);

/* Writes the sentence of the warp's fault: "thread (x,y,z) of CTA (x,y,z) ...". */
void ptx_fault_text(const struct ptx_warp *, char *text, size_t size);

/* Lanes of the current operation after its guard. */
static inline uint32_t ptx_op_mask(const struct ptx_op *op, const struct ptx_warp *w) {
  uint32_t mask = ptx_warp_mask(w);
  if (op->guard == PTX_NO_GUARD) return mask;
  uint32_t p = w->rows[(size_t)op->guard * WARP_LANES];
  return mask & (op->guard_negated ? ~p : p);
}

/* Most elements that the lanes of one texture fetch read; more lanes fetch in another access. */
enum { PTX_TEXELS_MAX = 128 };

/* One memory access of a warp. */
struct ptx_access {
  uint8_t space; /* enum ptx_space, never PTX_GENERIC */
  uint8_t bytes; /* of a lane, the whole vector */
  bool store, atomic;
  bool async; /* cp.async: `address` is the source in global memory */
  /* What is known of the addresses of a full mask, so that nobody looks again: each lane's bytes follow those of the lane before; they
   * are the same in all lanes. */
  bool in_order, same;
  uint32_t mask;
  uint64_t address[WARP_LANES]; /* global: device address; shared: offset in the CTA's slice; local: offset in the
                                   thread's local memory; texture: device address of the element, or PTX_NOWHERE */
  /* Of PTX_TEXTURE: device addresses of the elements of all lanes of a fetch that filters; NULL: one a lane, `address`. They
   * lie in the warp's rows until its next fetch. */
  uint32_t n_texels;
  const uint64_t *texel;
};
/* Address of a fetch outside the texture: it reads the border and touches no memory. */
#define PTX_NOWHERE UINT64_MAX

/* Addresses of an operation of class LOAD, STORE or ATOMIC at the warp's PC; changes nothing but w->fault. The access
 * of a generic address covers only the lanes in the memory space of the first lane, a fetch that filters only as many
 * as PTX_TEXELS_MAX allows: the caller repeats the operation for the rest of `mask` before it moves the PC on. */
void ptx_addresses(const struct ptx_op *, struct ptx_warp *, uint32_t mask, struct ptx_access *);
/* The lanes of `mask` that the access does not cover. */
static inline uint32_t ptx_access_rest(const struct ptx_op *op, uint32_t mask, const struct ptx_access *a) {
  bool parts = op->memory.space == PTX_GENERIC || (op->memory.space == PTX_TEXTURE && op->class == PTX_LOAD);
  return parts ? mask & ~a->mask : 0;
}

/* Performs the access: loads, stores or atomics. An illegal one sets w->fault and changes no value. */
void ptx_perform(const struct ptx_op *, struct ptx_warp *, const struct ptx_access *);

/* Moves the PC on: to the next operation, or by a branch, call, return or exit. `mask` is that of ptx_op_mask. */
void ptx_advance(const struct ptx_op *, struct ptx_warp *, uint32_t mask);
/* The same of operations that are neither a branch nor an exit; usually the warp is on its only path. */
static inline void ptx_step(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  if (w->depth == 1) w->top.pc++;
  else ptx_advance(op, w, mask);
}

/* Value of source `i` of an extension operation in lane `lane`, zero-extended to 64 bits. */
uint64_t ptx_source(const struct ptx_op *, const struct ptx_warp *, uint32_t i, uint32_t lane);
/* Sets what an extension operation returns in lane `lane`; nothing if nobody takes it. */
void ptx_set_result(const struct ptx_op *, struct ptx_warp *, uint32_t lane, uint64_t value);

enum { PTX_BARRIERS = 17 }; /* of a CTA: 0..15, and that of its cluster */
/* What a PTX_BARRIER operation waits for. */
struct ptx_barrier {
  uint32_t id;      /* below PTX_BARRIERS */
  uint32_t threads; /* that take part; 0: all of the CTA */
  bool arrive_only;
};
struct ptx_barrier ptx_barrier_of(const struct ptx_op *, const struct ptx_warp *);
/* bar.red: ptx_barrier_votes counts the lanes of `mask` whose predicate holds. When `threads` threads have arrived,
 * with `votes` votes in all, ptx_barrier_result writes the result. */
bool ptx_barrier_reduces(const struct ptx_op *);
uint32_t ptx_barrier_votes(const struct ptx_op *, const struct ptx_warp *, uint32_t mask);
void ptx_barrier_result(const struct ptx_op *, struct ptx_warp *, uint32_t mask, uint32_t votes, uint32_t threads);

#endif
