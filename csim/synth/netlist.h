/* SPDX-License-Identifier: Apache-2.0 */
/* A mapped netlist (Yosys JSON): its area, its depth, and a hash that does not depend on names. */
#ifndef TANDEM_SYNTH_NETLIST_H
#define TANDEM_SYNTH_NETLIST_H

#include "synth/liberty.h"

#include <stdint.h>

struct netlist_summary {
  unsigned cells;
  double area;         /* um2 of the cells */
  double sequential;   /* um2 of it in flip-flops */
  unsigned flip_flops; /* bits */
  unsigned levels;     /* cells on the longest path between registers or ports, registers not counted */
  /* Two netlists of the same cells in the same connections have the same hash, whatever their wires and cells are called;
   * ports count by name. */
  uint64_t hash;
};

/* Reads the module `top` of a Yosys JSON file. ERR_UNSUPPORTED: latches, a combinational loop; ERR_TOOL: a cell that the
 * library does not have. */
int netlist_read(const char *json_path, const char *top, const struct liberty *, struct netlist_summary *,
                 struct err *);

/* Finds for each flip-flop in `cells` the register that it implements ("a_q[5]"), or its own name; `size` bytes for each. Reads the
 * file again: it is used for the few end points of paths only. */
int netlist_registers(const char *json_path, const char *top, const char *const *cells, unsigned n, char *registers,
                      size_t size, struct err *);

#endif
