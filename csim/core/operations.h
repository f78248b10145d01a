/* SPDX-License-Identifier: Apache-2.0 */
/* The last operations of an SM that its blocks may work for: accesses to memory and extension instructions. A divergence names them. Each has
 * a number, the same for whoever computes the block: C model and RTL work for it alike, and no gate carries it. */
#ifndef TANDEM_CORE_OPERATIONS_H
#define TANDEM_CORE_OPERATIONS_H

#include <stdint.h>
#include <stdio.h>

enum { SM_OPERATIONS_SHOWN = 64 };

struct sm_operation {
  uint64_t number;         /* of the SM, from 1 */
  uint64_t cycle;          /* core cycle of its issue */
  uint32_t pc, cta[3];     /* index in the kernel; CTA index in the grid */
  uint32_t warp, hardware; /* warp of the CTA; hardware warp of the SM */
  uint32_t lanes;          /* active */
};

struct err;
struct sm;
/* Notes operations from now on, the last `kept` of them. */
int sm_record_operations(struct sm *, uint32_t kept, struct err *);
/* The `max` last ones issued in cycles up to `cycle`, the latest first, of the kernel that runs; returns how many. */
uint32_t sm_operations(const struct sm *, uint64_t cycle, struct sm_operation *, uint32_t max);
/* "sm0#27  cycle 134  warp 3 of CTA (1,0,0)  kernel.ptx:45  st.shared.f32 ...", a line. */
void sm_operation_print(const struct sm *, const struct sm_operation *, FILE *);

#endif
