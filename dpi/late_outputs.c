/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs that depend on a late input. Such an input arrives after the outputs were taken: DPI sees them before it, a direct evaluation
 * after it. So a user's block with one is refused when it is elaborated, by what its netlist connects. */
#include "block/own.h"
#include "rtl_netlist.h"
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

static const struct netlist_name *port(const struct netlist *n, const struct block_field *f, const char *direction) {
  char name[128];
  snprintf(name, sizeof name, "%s_%s", f->name, direction);
  return netlist_find(n, name);
}

/* The first output that input `in` reaches without a clock edge; NULL: none. */
static const struct block_field *reached(const struct netlist *n, const struct block_desc *desc,
                                         const struct block_field *in, uint8_t *changed, uint32_t *cells) {
  const struct netlist_name *from = port(n, in, "i");
  if (!from) return NULL;
  memset(changed, 0, n->n_bits);
  for (uint32_t k = 0; k < from->bits.n; k++) changed[from->bits.bit[k]] = from->bits.bit[k] > NETLIST_ONE;
  netlist_fan_out(n, changed, cells);
  for (uint32_t i = 0; i < desc->n_out; i++) {
    const struct netlist_name *to = port(n, &desc->out[i], "o");
    for (uint32_t k = 0; to && k < to->bits.n; k++)
      if (changed[to->bits.bit[k]]) return &desc->out[i];
  }
  return NULL;
}

static int look(const struct netlist *n, const struct block_desc *desc, struct err *e) {
  uint8_t *changed = malloc(n->n_bits + 1);
  uint32_t *cells = malloc((n->n_cells + 1) * sizeof *cells);
  int status = changed && cells ? 0 : err_set(e, ERR_LIMIT, "out of memory for the netlist of %s", desc->name);
  for (uint32_t i = 0; i < desc->n_in && !status; i++) {
    const struct block_field *in = &desc->in[i], *out = in->late ? reached(n, desc, in, changed, cells) : NULL;
    if (out)
      status = err_set(
        e, ERR_VALUE,
        "%s: output %s depends on the late input %s in the same cycle, and a late input arrives after the outputs; "
        "take the flag late from %s, or put a register between them (%s)",
        desc->name, out->name, in->name, in->name, desc->own->manifest);
  }
  free(changed);
  free(cells);
  return status;
}

int late_outputs_check(const struct rtl_paths *paths, const struct block_desc *desc, const int32_t *params,
                       const char *rtl_file, uint32_t bug, struct err *e) {
  struct netlist n = {0};
  struct err why = {0};
  if (!desc->own || !desc->has_late) return 0;                             /* ours are proved (row B.late) */
  if (rtl_netlist(paths, desc, params, rtl_file, bug, &n, &why)) return 0; /* without Yosys nobody knows */
  int status = look(&n, desc, e);
  netlist_free(&n);
  return status;
}
