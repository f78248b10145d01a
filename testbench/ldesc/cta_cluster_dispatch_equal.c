/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/ldesc/cta_cluster_dispatch.c"
#include "equal.h"

INVARIANT(cta_cluster_dispatch, turn_is_an_sm) { return s->turn < cfg->SMS; }
