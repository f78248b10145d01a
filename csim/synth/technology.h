/* SPDX-License-Identifier: Apache-2.0 */
/* Published cell areas by node, and two models that use them: scaling of logic to another node, and SRAM for arrays. */
#ifndef TANDEM_SYNTH_TECHNOLOGY_H
#define TANDEM_SYNTH_TECHNOLOGY_H

#include "synth/band.h"

#include <stdbool.h>

struct technology {
  unsigned node;   /* nm */
  double nand2;    /* um2 of a two-input NAND of the smallest drive; 0: none is published that is usable here */
  double bit_cell; /* um2 of a 6T SRAM cell; 0 likewise */
  const char *nand2_source, *bit_cell_source;
};

/* Largest node first; ends with node 0. */
extern const struct technology technology_all[];

/* Node of a library by its name (osu018, NangateOpenCellLibrary, sky130...), or 0. */
unsigned technology_node_of(const char *library);

/* Areas at a node, um2. Between two rows: interpolated, both axes logarithmic. False outside the table. The NAND's band is
 * that of standard-cell heights, 7 to 12 tracks about 9 (assumption: 7/9 .. 12/9 of the published value). */
bool technology_nand2(unsigned node, struct band *um2);
bool technology_bit_cell(unsigned node, double *um2);

/* Area of logic at another node: gate equivalents times that node's NAND2. `gates`: gate equivalents without flip-flops,
 * `flip_flops`: bits, `flip_flop_gates`: gate equivalents of one in the library of the synthesis. Flip-flops in NAND2 units
 * differ between libraries (4.0 in OSU 0.18 um, 5.3 in sky130_fd_sc_hd, 5.7 in Nangate 45 nm); assumption: the band goes from the
 * least of 4.0 and the library's own to the largest of 5.7 and its own. */
bool technology_scale(unsigned node, const struct band *gates, unsigned flip_flops, double flip_flop_gates,
                      struct band *um2);

/* An array of `rows` words of `width` bits with its ports. */
struct sram_shape {
  unsigned rows, width, read_ports, write_ports;
};

/* The SRAM model: um2 of the macro, and ns from clock or address to data.
 *   cell       6T cell of the node, 1.46 times as wide as high; each port after the first adds two wire pitches of 2.5 F to its
 *              height, and one (a read port, single-ended) or two (a write port) to its width (CACTI 5.1, HPL-2008-20,
 *              cell and port geometry)
 *   array      as near to square as a column multiplexer by a power of two makes it
 *   periphery  decoders and word-line drivers as wide as 16 cells a port, sense amplifiers, precharge and write drivers as
 *              high as 24 cells a port (assumption; 128 x 128 cells, one port: 75 % of the macro is cells)
 *   access     8 + 1.2 log2(bits / 1024) fan-out-of-4 delays (1.2 a doubling: Amrutur, Horowitz, JSSC 35(2), 2000; the 8 is an
 *              assumption), one FO4 being 0.425 ns/um of the node (Ho, Mai, Horowitz, Proc. IEEE 89(4), 2001: 0.36 to 0.5)
 * The band of the area, 0.6 to 3.5 times: foundries' cells differ (45 nm: 0.299 to 0.374 um2), generators more (OpenRAM's
 * 32 x 256 1rw1r macro in sky130, 479.78 x 397.5 um, is 3.0 times the model). Of the access time: 0.7 to 1.5 times. */
bool technology_sram(unsigned node, const struct sram_shape *, struct band *um2, struct band *access_ns);
/* One fan-out-of-4 delay, ns. */
double technology_fo4(unsigned node);

#endif
