/* SPDX-License-Identifier: Apache-2.0 */
#include "core/registry.h"

#include "base/err.h"
#include "config/owner.h"
#include "core/pipelines.h"

#include <string.h>

enum { SYSTEMS_MAX = 32 };
static const struct system_ops *systems[SYSTEMS_MAX + 1]; /* by name, NULL-terminated */

void system_join(const struct system_ops *ops) {
  unsigned n = 0, at;
  while (systems[n]) n++;
  invariant(n < SYSTEMS_MAX, "%s: more than %d proposals", ops->name, SYSTEMS_MAX);
  config_join(ops->owner);
  for (unsigned i = 0; ops->pipelines && ops->pipelines[i]; i++) sm_pipeline_join(ops->pipelines[i]);
  for (at = n; at && strcmp(systems[at - 1]->name, ops->name) > 0; at--) systems[at] = systems[at - 1];
  systems[at] = ops;
}

const struct system_ops *system_at(unsigned i) { return systems[i]; }

const struct system_ops *system_find(const char *name) {
  for (const struct system_ops *const *s = systems; *s; s++)
    if (!strcmp((*s)->name, name)) return *s;
  return NULL;
}
