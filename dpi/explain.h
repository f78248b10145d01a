/* SPDX-License-Identifier: Apache-2.0 */
/* Why a block differs from its model: the earliest register that does, the logic that gave it its value, how that reached the port, and
 * the signals that may be wrong. Needs Yosys for all but the register. */
#ifndef TANDEM_DPI_EXPLAIN_H
#define TANDEM_DPI_EXPLAIN_H

#include "rtl_netlist.h"
#include "suspects.h"

enum { CHAIN_MAX = 12 };

/* A signal on the way from the first difference to the port, in a cycle. */
struct chain_link {
  uint64_t cycle;
  const char *name;
  const char *file; /* NULL: not known */
  uint32_t line;
};

struct explanation {
  const struct stimulus *s;
  const struct difference *first;  /* the earliest; a register rather than a port of the same cycle. NULL: none */
  const struct trail_row *failing; /* the cycle whose logic was wrong; NULL: not known */
  struct netlist n;
  bool has_netlist;
  char missing[300]; /* why there is no netlist, or no suspects; "" */
  struct suspects suspects;
  struct chain_link chain[CHAIN_MAX]; /* from the port back */
  uint32_t n_chain;
  const char *bug_file; /* RTL with planted bugs; NULL */
};

/* `trail` stays in use. Errors: ERR_LIMIT; that there is no netlist is none. */
int explain(struct explanation *, const struct trail *, uint32_t bug, const char *bug_rtl, struct err *);
void explain_free(struct explanation *);

/* "rtl/prim/rr_arb.v:49" of a place in the netlist; of RTL with planted bugs the place in the file that they were planted in. */
void explain_place(const struct explanation *, const char *file, uint32_t line, char *out, size_t size);
/* That line of the source without blanks before it; "" if it cannot be read. */
void explain_source(const struct explanation *, const char *file, uint32_t line, char *out, size_t size);

#endif
