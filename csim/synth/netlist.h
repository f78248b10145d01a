/* SPDX-License-Identifier: Apache-2.0 */
/* A mapped netlist (JSON of Yosys): what it is made of, how deep it is, and a hash that knows nothing of names. */
#ifndef TANDEM_SYNTH_NETLIST_H
#define TANDEM_SYNTH_NETLIST_H

#include "synth/liberty.h"

#include <stdint.h>

struct netlist_summary {
  unsigned cells;
  double area;         /* um2 of the cells */
  double sequential;   /* um2 of it in flip-flops */
  unsigned flip_flops; /* bits */
  unsigned levels;     /* most cells on a path between registers and ports, registers not counted */
  /* Two netlists of the same cells in the same connections have the same hash, whatever their wires and cells are called;
   * ports count by name. */
  uint64_t hash;
};

/* Reads the module `top` of a Yosys JSON file. ERR_UNSUPPORTED: latches, a combinational loop; ERR_TOOL: a cell that the
 * library does not have. */
int netlist_read(const char *json_path, const char *top, const struct liberty *, struct netlist_summary *,
                 struct err *);

/* The register that a flip-flop of the netlist holds ("a_q[5]"), or the cell's own name. The file is read anew; for the
 * few end points of paths. `names` cells in, `registers` out, each of `size` bytes. */
int netlist_registers(const char *json_path, const char *top, const char *const *cells, unsigned n, char *registers,
                      size_t size, struct err *);

#endif
