/* SPDX-License-Identifier: Apache-2.0 */
/* What happens when a program breaks a rule of DMA operations. */
#include "systems/d2ma/d2ma_internal.h"

#include <stdarg.h>
#include <stdio.h>

void d2ma_misused(struct d2ma *d, uint32_t warp, uint32_t line, const char *rule, ...) {
  char text[256];
  va_list arguments;
  d->n->d2ma_program_errors++;
  if (!d->faults || !d->sm.fault) return;
  va_start(arguments, rule);
  vsnprintf(text, sizeof text, rule, arguments);
  va_end(arguments);
  d->sm.fault(d->sm.sm, warp, line, text);
}
