/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms that Zorua (Vijaykumar 2019, chapter 4) is compared with: who gets registers when. */
#ifndef TANDEM_SYSTEMS_ZORUA_ZORUA_H
#define TANDEM_SYSTEMS_ZORUA_ZORUA_H

#include "core/system.h"

extern const struct system_ops zorua_system;

#endif
