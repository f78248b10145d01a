/* SPDX-License-Identifier: Apache-2.0 */
/* What synthesis needs to know of a Liberty file: names, units, areas and pins of cells. Timing tables are the timer's. */
#ifndef TANDEM_SYNTH_LIBERTY_H
#define TANDEM_SYNTH_LIBERTY_H

#include "synth/liberty_function.h"

#include <stddef.h>
#include <stdint.h>

struct err;

enum { LIBERTY_PINS_MAX = 32 };

struct liberty_cell {
  char name[LIBERTY_NAME_BYTES];
  double area;         /* um2 */
  unsigned flip_flops; /* bits of state that an edge writes */
  unsigned latches;    /* bits of state that a level writes */
  struct liberty_pin pins[LIBERTY_PINS_MAX];
  unsigned n_pins, n_inputs, n_outputs;
  bool nand2;    /* two inputs, one output, !(A & B) */
  bool buffer;   /* one input, one output, A */
  bool dont_use; /* the library asks tools to leave it alone */
};

struct liberty {
  char name[LIBERTY_NAME_BYTES];
  char path[1024]; /* as given */
  char text_path
    [1024];      /* an uncompressed file for the tools: `path` itself, or a copy in the folder given to liberty_read */
  uint64_t hash; /* of the uncompressed bytes */
  double time_unit_s;         /* of the numbers in the timing tables */
  struct liberty_cell *cells; /* sorted by name */
  size_t n_cells;
  double nand2_area; /* um2 of the smallest NAND2: the gate equivalent */
  const char *nand2_name;
  const char *buffer_name; /* the smallest buffer, or else the NAND2: stands for whatever drives a block */
  double flip_flop_area;   /* um2 of the smallest flip-flop */
};

/* Reads a Liberty file, plain or gzip. ERR_FILE: unreadable or truncated; ERR_SYNTAX: no Liberty text, with the line;
 * ERR_VALUE: no time unit that is known, no flip-flop, no NAND2, a cell without an area. `folder`: where the copy of a
 * compressed file goes (made when it is not there). Free with liberty_free, also after an error. */
int liberty_read(struct liberty *, const char *path, const char *folder, struct err *);
void liberty_free(struct liberty *);
const struct liberty_cell *liberty_find(const struct liberty *, const char *name);

#endif
