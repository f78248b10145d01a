/* SPDX-License-Identifier: Apache-2.0 */
/* A stimulus as a Verilog test bench that needs nothing else: it drives the block's RTL and compares its outputs with those of the C model,
 * in any simulator. Made of the block's replay shell (scripts/gen/emit_sv.py), with the vectors in it. */
#ifndef TANDEM_DPI_TESTBENCH_H
#define TANDEM_DPI_TESTBENCH_H

struct err;
struct stimulus;

int testbench_write(const struct stimulus *, const char *path, struct err *);

#endif
