/* SPDX-License-Identifier: Apache-2.0 */
/* CTA dispatch: which SM gets which CTA of a launch, and when. A proposal may bring a policy (system_ops.dispatch); without one
 * the GPU dispatches round robin, and an SM with room gets one CTA in a core cycle (gpu/dispatch.c). */
#ifndef TANDEM_CORE_DISPATCH_H
#define TANDEM_CORE_DISPATCH_H

#include "core/launch.h"

#include <stdbool.h>
#include <stdint.h>

struct err;
struct gpu_config;

struct dispatch_choice {
  uint64_t cta; /* index in the grid */
  uint32_t sm;
};

/* All calls come from one host thread, at core cycle `cycle`. Any pointer but create, destroy, launch and next may be NULL. */
struct dispatch_ops {
  const char *name;
  /* One instance a GPU. `agent`: the proposal's memory agent, or NULL. */
  void *(*create)(const struct gpu_config *, void *agent, struct err *);
  void (*destroy)(void *self);
  /* A launch begins; no CTA is resident. */
  void (*launch)(void *self, const struct launch *, uint64_t cycle);
  /* The core cycle begins, there are CTAs that have not started, and an SM has room. Chooses one of these CTAs and an SM of `room`,
   * a bit for each SM, and is called again with what is left of both; false: nothing more starts in this cycle. */
  bool (*next)(void *self, const uint64_t *room, uint64_t cycle, struct dispatch_choice *);
  /* A CTA has left its SM in this cycle. */
  void (*ended)(void *self, struct dispatch_choice, uint64_t cycle);
  /* First cycle after `cycle` in which next() may choose something although no SM has more room than now; UINT64_MAX, or a
   * NULL pointer: there is none. Cycles before it are skipped when nothing else happens. */
  uint64_t (*wake)(const void *self, uint64_t cycle);
};

#endif
