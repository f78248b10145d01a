/* SPDX-License-Identifier: Apache-2.0 */
/* The proposals of this tree. The order is that of their counters in run.json. */
#include "core/registry.h"
#include "systems/d2ma/d2ma.h"
#include "systems/elastic/elastic.h"
#include "systems/xmem/xmem.h"

/* Named on the linker's command line, so that every program has it: the tables are whole before main(). */
void systems_join(void);
__attribute__((constructor)) void systems_join(void) {
  static const struct system_ops *const all[] = {&elastic_system, &d2ma_system, &xmem_system};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) system_join(all[i]);
}
