/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of a warp. */
#include "ptx/execute.h"

#include <stdarg.h>
#include <stdio.h>

void ptx_fault(struct ptx_warp *w, const struct ptx_op *op, uint32_t lane, const char *format, ...) {
  if (w->fault[0]) return; /* the first one counts */
  const struct ptx_cta *cta = w->cta;
  uint32_t thread = w->index * WARP_LANES + lane, x = cta->block[0], y = cta->block[1];
  char what[108];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  snprintf(w->fault, sizeof w->fault, "%.40s, PTX line %u: thread (%u,%u,%u) of CTA (%u,%u,%u) %s", cta->kernel->name,
           op->line, x ? thread % x : 0, x && y ? thread / x % y : 0, x && y ? thread / x / y : 0, cta->index[0],
           cta->index[1], cta->index[2], what);
}
