/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed lines (Vijaykumar 2019, chapter 5): in DRAM, in the L2 and on the networks, by units of hardware or by
 * assist warps. Sizes are those of the lines' real bytes. */
#ifndef TANDEM_SYSTEMS_CABA_CABA_H
#define TANDEM_SYSTEMS_CABA_CABA_H

#include "core/system.h"

extern const struct system_ops caba_system;
extern const struct driver_hooks caba_driver; /* api.c */

#endif
