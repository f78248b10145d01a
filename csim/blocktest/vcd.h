/* SPDX-License-Identifier: Apache-2.0 */
/* Reads chosen signals of a wave in VCD (IEEE 1364-2005, 18), or in FST by way of fst2vcd. */
#ifndef TANDEM_BLOCKTEST_VCD_H
#define TANDEM_BLOCKTEST_VCD_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct vcd;

enum { VCD_BITS_MAX = 1024 };

/* Opens the file and reads its declarations. */
int vcd_open(struct vcd **, const char *path, struct err *);
void vcd_close(struct vcd *); /* NULL: nothing */
/* Follows the signal of this name from now on; *handle names it, *width is its width in bits. ERR_VALUE: there is none, with the nearest
 * one; or it is wider than VCD_BITS_MAX. */
int vcd_follow(struct vcd *, const char *name, unsigned *handle, unsigned *width, struct err *);
/* Goes on to the next time; *more is false at the end of the wave. ERR_SYNTAX with the line. */
int vcd_step(struct vcd *, bool *more, struct err *);
/* Bit `bit` (0: lowest) of a signal at the end of this time, and at the end of the time before: '0', '1', 'x' or 'z'. */
char vcd_bit(const struct vcd *, unsigned handle, unsigned bit);
char vcd_bit_before(const struct vcd *, unsigned handle, unsigned bit);
uint64_t vcd_time(const struct vcd *);

#endif
