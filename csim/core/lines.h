/* SPDX-License-Identifier: Apache-2.0 */
/* Where an SM's cycles went by operation of the kernel, which has a line of PTX. A cycle in which the SM issues counts for the operation that
 * it issued last. A cycle in which it does not counts for one operation, too, so that all of them add up to the SM's stall counters:
 * what the oldest of the warps that wait for the counted cause would issue next. In a barrel, whose warps have one operation at a time,
 * it is the operation in flight. */
#ifndef TANDEM_CORE_LINES_H
#define TANDEM_CORE_LINES_H

#include "config/stalls.h"

#include <stdint.h>

struct line_count {
  uint64_t warp_instructions, thread_instructions;
  uint64_t cycles[STALL_CLASSES_MAX]; /* by stall class; STALL_NONE: it was issued */
};

struct err;
struct sm;
/* Counts from the next launch on. */
void sm_record_lines(struct sm *);
/* Of the last launch, by operation of its kernel; the one after the last operation: warps have exited, and a CTA waits. NULL: not
 * counted. */
const struct line_count *sm_line_counts(const struct sm *);

#endif
