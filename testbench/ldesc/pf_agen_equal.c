/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/ldesc/pf_agen.c"
#include "equal.h"

INVARIANT(pf_agen, places_exist) { return s->head < cfg->FIFO && s->tail < cfg->FIFO; }
