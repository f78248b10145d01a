/* SPDX-License-Identifier: Apache-2.0 */
/* The proposals of this tree. The order is that of their counters in run.json. */
#include "core/registry.h"
#include "systems/caba/caba.h"
#include "systems/d2ma/d2ma.h"
#include "systems/elastic/elastic.h"
#include "systems/ldesc/ldesc_system.h"
#include "systems/teleport/teleport.h"
#include "systems/xmem/xmem.h"
#include "systems/zorua/zorua.h"

/* The linker's command line names this symbol, so every program contains the proposals and they join before main(). */
void systems_join(void);
__attribute__((constructor)) void systems_join(void) {
  static const struct system_ops *const all[] = {&elastic_system, &d2ma_system, &xmem_system, &teleport_system,
                                                 &ldesc_system,   &caba_system, &zorua_system};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) system_join(all[i]);
}
