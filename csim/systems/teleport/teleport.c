/* SPDX-License-Identifier: Apache-2.0 */
/* The proposal, from its parts. */
#include "systems/teleport/teleport.h"

#include "systems/teleport/teleport_internal.h"

static const struct scoreboard_hooks hooks = {.blocked = teleport_sm_blocked, .stall = teleport_sm_stall};

const struct system_ops teleport_system = {
  .name = "teleport",
  .brief = "preloading of what CTAs read (Lashgar 2018)",
  .owner = &teleport_owner,
  .dispatch = &teleport_dispatch,
  .driver = &teleport_driver,
  .scoreboard = &hooks,
  .create = teleport_sm_create,
  .destroy = teleport_sm_destroy,
  .launch = teleport_sm_launch,
  .cta_start = teleport_sm_cta_start,
  .cta_end = teleport_sm_cta_end,
  .cycle = teleport_sm_cycle,
  .busy = teleport_sm_busy,
  .access = teleport_access,
  .line = teleport_line,
  .has_line = teleport_has_line,
  .pushed = teleport_sm_pushed,
  .describe = teleport_sm_describe,
};
