/* SPDX-License-Identifier: Apache-2.0 */
/* A proposal of one's own as a shared object, without rebuilding Tandem: it includes this header, describes itself by the tables of
 * core/system.h (hooks) and config/owner.h (parameters, counters), and ends with TANDEM_PLUGIN. `tandem run --plugin FILE --system
 * NAME` loads it.
 *
 *   gcc -std=gnu11 -O2 -shared -fPIC -I TANDEM/csim my_proposal.c -o my_proposal.so
 *
 * A plug-in calls nothing of the program by name: what it may ask for is in struct sm_services. It is compiled again for each version of
 * Tandem; one of other headers is refused when it is loaded. */
#ifndef TANDEM_CORE_TANDEM_H
#define TANDEM_CORE_TANDEM_H

#include "config/owner.h"
#include "core/system.h"

#include <stdint.h>

enum { TANDEM_PLUGIN_ABI = 3 };

/* The symbol `tandem_plugin`: what it was compiled with, and the proposal. */
struct tandem_plugin {
  uint32_t abi, system_bytes, services_bytes, config_bytes;
  const struct system_ops *system;
};

#define TANDEM_PLUGIN(ops)                                                                            \
  __attribute__((visibility("default"))) extern const struct tandem_plugin tandem_plugin;             \
  const struct tandem_plugin tandem_plugin = {TANDEM_PLUGIN_ABI, (uint32_t)sizeof(struct system_ops), \
                                              (uint32_t)sizeof(struct sm_services),                   \
                                              (uint32_t)sizeof(struct gpu_config), &(ops)}

#endif
