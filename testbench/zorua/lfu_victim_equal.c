/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/zorua/lfu_victim.c"
#include "equal.h"

INVARIANT(lfu_victim, epoch_fits) { return s->epoch < cfg->EPOCH; }
