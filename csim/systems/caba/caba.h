/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed lines (Vijaykumar 2019, chapter 5): in DRAM, in the L2 and on the networks. So far by units of hardware, the designs that the
 * thesis compares its assist warps with. Sizes are those of the lines' real bytes. */
#ifndef TANDEM_SYSTEMS_CABA_CABA_H
#define TANDEM_SYSTEMS_CABA_CABA_H

#include "core/system.h"

extern const struct system_ops caba_system;

#endif
