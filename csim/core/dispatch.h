/* SPDX-License-Identifier: Apache-2.0 */
/* CTA dispatch: assigns the CTAs of a launch to SMs. A proposal may provide a policy (system_ops.dispatch). The default
 * is round robin, at most one CTA per SM in a core cycle (gpu/dispatch.c). */
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

/* All calls come from one host thread, at core cycle `cycle`. Any pointer but create, destroy, launch and next may be
 * NULL. */
struct dispatch_ops {
  const char *name;
  /* One instance per GPU. `agent`: the proposal's memory agent, or NULL. */
  void *(*create)(const struct gpu_config *, void *agent, struct err *);
  void (*destroy)(void *self);
  /* A launch begins; no CTA is resident. */
  void (*launch)(void *self, const struct launch *, uint64_t cycle);
  /* Called at the beginning of a core cycle while unstarted CTAs remain and an SM has room. Chooses one of these CTAs
   * and an SM of `room` (one bit per SM), and is called again with the rest; false: nothing more starts in this
   * cycle. */
  bool (*next)(void *self, const uint64_t *room, uint64_t cycle, struct dispatch_choice *);
  /* A CTA has left its SM in this cycle. */
  void (*ended)(void *self, struct dispatch_choice, uint64_t cycle);
  /* First cycle after `cycle` in which next() may start a CTA even if no SM gains room; UINT64_MAX, or a NULL pointer:
   * never. Earlier cycles are skipped when nothing else happens. */
  uint64_t (*wake)(const void *self, uint64_t cycle);
};

#endif
