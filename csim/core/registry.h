/* SPDX-License-Identifier: Apache-2.0 */
/* The proposals that --system chooses from. */
#ifndef TANDEM_CORE_REGISTRY_H
#define TANDEM_CORE_REGISTRY_H

#include "core/system.h"

/* Registers a proposal: its tables, its pipelines, its name for --system. The proposals of this tree join before
 * main(); a shared object joins when it is loaded, before the first GPU is created. */
void system_join(const struct system_ops *);
const struct system_ops *system_at(unsigned i);         /* by name; NULL after the last one */
const struct system_ops *system_find(const char *name); /* or NULL */

#endif
