/* SPDX-License-Identifier: Apache-2.0 */
/* What the files on the driver's side of TELEPORT share: the rows of launches (launch.c) and the calls of teleport.h (api.c). All of
 * it is guarded by the driver's lock. */
#ifndef TANDEM_SYSTEMS_TELEPORT_DRIVER_H
#define TANDEM_SYSTEMS_TELEPORT_DRIVER_H

#include "systems/driver.h"
#include "systems/teleport/teleport_internal.h"

/* Gives the table commands and simulates until it has answered; returns 0 or an error code. */
int teleport_settle(struct teleport_command *, uint32_t n, struct err *);

/* Makes the rows of a launch from its kernel, at most `limit`, the most used first. What does not fit is counted, and named on
 * standard error once a kernel. Returns their number. */
uint32_t teleport_rows_of(const struct driver_launch *, const struct driver_services *, uint32_t limit,
                          struct teleport_row *rows);
/* Kernels of the module are gone; NULL: all are. */
void teleport_forget_kernels(const struct ptx_module *);

#endif
