/* SPDX-License-Identifier: Apache-2.0 */
/* lines.csv: where the cycles of all SMs went, by line of PTX (core/lines.h), summed over the launches of each kernel:
 *   kernel,file,line,warp_instructions,thread_instructions,issue_cycles,stall_...,text
 * One column for each stall class, named as its counter, to which the column adds up. Line 0: the warps of a CTA have exited, and it waits. */
#ifndef TANDEM_RUN_RUN_LINES_H
#define TANDEM_RUN_RUN_LINES_H

#include "gpu/gpu.h"
#include "run/session.h"

struct err;
struct run_lines;

/* *lines is NULL if the session wants none. */
int run_lines_create(const struct session *, struct run_lines **lines, struct err *);
/* Adds the counts of a launch that has ended, whose kernel is still loaded. */
int run_lines_add(struct run_lines *, const struct gpu *, const struct ptx_kernel *, struct err *);
int run_lines_write(const struct run_lines *, const struct session *, struct err *);
void run_lines_free(struct run_lines *); /* NULL: nothing */

#endif
