/* SPDX-License-Identifier: Apache-2.0 */
#include "config/owner.h"

#include "base/err.h"

#include <string.h>

enum { OWNERS_MAX = 32 };
static struct config_owner *owners[OWNERS_MAX + 1]; /* NULL-terminated */

void config_join(struct config_owner *o) {
  unsigned n = 0;
  for (; owners[n]; n++) invariant(strcmp(owners[n]->name, o->name), "the proposal %s has joined before", o->name);
  invariant(n < OWNERS_MAX, "%s: more than %d proposals", o->name, OWNERS_MAX);
  o->first_parameter = gpu_parameters_join(o->parameters, o->n_parameters, o->check);
  o->first_sm_counter = counters_join(COUNTERS_SM, o->sm_counters, o->n_sm_counters);
  o->first_memory_counter = counters_join(COUNTERS_MEMORY, o->memory_counters, o->n_memory_counters);
  o->first_stall = stalls_join(o->stalls, o->n_stalls);
  owners[n] = o;
}
