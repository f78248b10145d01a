/* SPDX-License-Identifier: Apache-2.0 */
/* The systems that a GPU configuration can switch on: the one list. */
#ifndef TANDEM_SYSTEMS_SYSTEMS_H
#define TANDEM_SYSTEMS_SYSTEMS_H

#include "core/system.h"

extern const struct system_ops *const system_all[];     /* NULL-terminated */
const struct system_ops *system_find(const char *name); /* or NULL */

#endif
