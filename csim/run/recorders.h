/* SPDX-License-Identifier: Apache-2.0 */
/* Two recorders of memory traffic as one (mem/recorder.h). */
#ifndef TANDEM_RUN_RECORDERS_H
#define TANDEM_RUN_RECORDERS_H

#include "mem/recorder.h"

struct recorders {
  struct mem_recorder both;
  const struct mem_recorder *part[2];
};

/* What shows everything to `a` and `b`, either of which may be NULL; NULL: nobody looks. */
const struct mem_recorder *recorders_join(struct recorders *, const struct mem_recorder *a,
                                          const struct mem_recorder *b);

#endif
