/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TANDEM_SYSTEMS_LDESC_LDESC_SYSTEM_H
#define TANDEM_SYSTEMS_LDESC_LDESC_SYSTEM_H

/* The proposal; see core/system.h. */
extern const struct system_ops ldesc_system;
extern const struct driver_hooks ldesc_driver; /* api.c */

#endif
