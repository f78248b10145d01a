/* SPDX-License-Identifier: Apache-2.0 */
/* TELEPORT (Lashgar, Atoofian, Baniasadi 2018): rows that say which bytes each CTA reads are in a preload table at CTA dispatch; when
 * a CTA is placed, a controller reads its lines into the SM's data buffer, and the CTA starts when they have come. The parts:
 *   the controller  a CTA dispatch policy: table, range unit, queues to the L2 slices (controller.c)
 *   the SM's side   holds CTAs, takes lines, answers accesses from the buffer (buffer.c)
 *   the driver      makes the rows of a launch from the kernel's PTX, or takes them from the program (launch.c, api.c) */
#ifndef TANDEM_SYSTEMS_TELEPORT_TELEPORT_H
#define TANDEM_SYSTEMS_TELEPORT_TELEPORT_H

#include "core/system.h"

extern const struct system_ops teleport_system;

#endif
