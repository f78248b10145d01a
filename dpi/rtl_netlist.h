/* SPDX-License-Identifier: Apache-2.0 */
/* The netlist of a block with its parameters, made by Yosys on first use and kept beside the Verilated model. */
#ifndef TANDEM_DPI_RTL_NETLIST_H
#define TANDEM_DPI_RTL_NETLIST_H

#include "netlist/netlist.h"
#include "rtl_cache.h"

/* `rtl_file` as for rtl_cache_block(); `bug`: which of its planted bugs, needed for a user's own block alone. ERR_TOOL: Yosys is not there, or cannot read the RTL (packages in module headers and the like). */
int rtl_netlist(const struct rtl_paths *, const struct block_desc *, const int32_t *params, const char *rtl_file,
                uint32_t bug, struct netlist *, struct err *);

#endif
