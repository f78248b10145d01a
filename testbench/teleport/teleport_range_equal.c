/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/teleport/teleport_range.c"
#include "equal.h"

INVARIANT(teleport_range, rows_held) { return cfg->OVERLAP | (s->held + s->summed + s->lines <= 1); }
