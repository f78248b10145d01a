/* SPDX-License-Identifier: Apache-2.0 */
/* Phases of a kernel: runs of instructions with one need of registers and shared memory. */
#ifndef TANDEM_PTX_PHASES_H
#define TANDEM_PTX_PHASES_H

#include <stdbool.h>
#include <stdint.h>

/* X(id, why the phase begins) */
#define PTX_PHASE_REASONS(X)                                 \
  X(START, "start of the kernel")                            \
  X(REGISTERS, "live registers change by 25 %")              \
  X(SHARED, "live shared memory changes by 25 %")            \
  X(BOTH, "live registers and shared memory change by 25 %") \
  X(BARRIER, "barrier: the specifier before it still holds") \
  X(FENCE, "fence: the specifier before it still holds")     \
  X(TEXT, "specifier of the PTX text")

enum ptx_phase_reason {
#define X(id, why) PHASE_##id,
  PTX_PHASE_REASONS(X)
#undef X
    PHASE_REASONS
};

/* How a specifier says which registers live: those of the lowest numbers, or a mask of sets of four. */
enum ptx_live_form { PTX_LIVE_LOWEST, PTX_LIVE_MASK };
enum { PTX_SET_REGISTERS = 4, PTX_MASK_SETS = 16 };

struct ptx_phase {
  uint32_t first;             /* operation: its PTX_PHASE, or the one behind the barrier or fence */
  uint32_t end;               /* of the kernel's text: where the next one begins */
  uint32_t line, last_line;   /* of the PTX text */
  uint8_t reason;             /* enum ptx_phase_reason */
  bool specifier;             /* it begins with a PTX_PHASE */
  uint32_t live, shared_live; /* registers, and bytes of shared arrays, that are live where it begins */
  /* What the specifier that holds here asks for, from it to the next one on every path: the most that is live; the registers, which the
   * live ones and those in use lie below; the sets of four that have one of them; bytes of shared memory; the arrays of
   * dynamic size. */
  uint32_t most_live, registers, sets, shared_bytes;
  bool dynamic;
};

/* Of a kernel that was loaded with ptx_options.phases. */
struct ptx_phases {
  const struct ptx_phase *phase;
  uint32_t n;
  const char *whole;         /* why the kernel is one phase; NULL: by the rules */
  const char *shared_always; /* why shared arrays live throughout; NULL: they do not */
  uint32_t shared_line;      /* of the instruction that makes it so, or 0 */
  const uint8_t *differs;    /* by scoreboard register: lanes may find different values in it; NULL if there are none */
};

#endif
