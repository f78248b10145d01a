/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/systems.h"

#include "systems/d2ma/d2ma.h"
#include "systems/elastic/elastic.h"
#include "systems/xmem/xmem.h"

#include <string.h>

const struct system_ops *const system_all[] = {&d2ma_system, &elastic_system, &xmem_system, NULL};

const struct system_ops *system_find(const char *name) {
  for (const struct system_ops *const *s = system_all; *s; s++)
    if (!strcmp((*s)->name, name)) return *s;
  return NULL;
}
