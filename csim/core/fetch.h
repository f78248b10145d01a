/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction buffers (sm.fetch = buffered): a warp issues only operations that have been decoded into its buffer. In each cycle one
 * warp whose buffer is empty gets its next operations, round robin; it may issue them from the next cycle on. A jump empties the buffer.
 * With sm.fetch = ideal the buffers are never empty.
 *
 * assumption: instructions are always in the instruction cache, and the decoder knows where a branch goes when it has issued; the
 * latency of a branch (sm.latency.branch) passes meanwhile. A buffer is filled only when it is empty, as in GPGPU-Sim (shader.cc, fetch). */
#ifndef TANDEM_CORE_FETCH_H
#define TANDEM_CORE_FETCH_H

#include <stdbool.h>
#include <stdint.h>

struct gpu_config;

enum { FETCH_SLOTS = 64 };

struct sm_fetch {
  uint64_t decoded;           /* slots with an operation in their buffer; all of them with ideal fetch */
  uint64_t empty;             /* slots of active warps without; none with ideal fetch */
  uint32_t entries;           /* of a warp's buffer; 0: ideal */
  uint32_t width;             /* operations decoded a cycle */
  uint32_t last;              /* slot served last */
  uint8_t count[FETCH_SLOTS]; /* operations in the buffer of a slot */
};

void sm_fetch_create(struct sm_fetch *, const struct gpu_config *);
/* Empties all buffers, and forgets whose. */
void sm_fetch_clear(struct sm_fetch *);
/* The functions below are called with buffers only. A warp begins in slot `w`: its buffer is empty. */
void sm_fetch_start(struct sm_fetch *, uint32_t w);
/* The warp's next operation is `to` (an index), after `from`, which took `slots` issue slots. The same operation again leaves the buffer. */
void sm_fetch_advance(struct sm_fetch *, uint32_t w, uint32_t from, uint32_t to, uint32_t slots);
void sm_fetch_exit(struct sm_fetch *, uint32_t w);
/* Decodes; after issue. False: no buffer was empty. */
bool sm_fetch_cycle(struct sm_fetch *);

#endif
