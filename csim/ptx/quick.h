/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores of launches that are executed without time. */
#ifndef TANDEM_PTX_QUICK_H
#define TANDEM_PTX_QUICK_H

#include "ptx/ptx.h"

/* Performs the usual load or store of the lanes of `mask`, as ptx_addresses and ptx_perform would. False: it has done nothing, they
 * are to do it. */
bool ptx_quick_access(const struct ptx_op *, struct ptx_warp *, uint32_t mask);

#endif
