/* SPDX-License-Identifier: Apache-2.0 */
/* A proposal's parameters in a configuration, to be changed: OWNED(d2ma, m)->segment = 64. */
#ifndef TANDEM_TESTS_OWNED_H
#define TANDEM_TESTS_OWNED_H

#include "config/owner.h"

#define OWNED(proposal, m) ((struct proposal##_parameters *)(void *)&(m).owned[proposal##_owner.first_parameter])

#endif
