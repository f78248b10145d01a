/* SPDX-License-Identifier: Apache-2.0 */
/* The netlist of a block with its parameters, made by Yosys on first use and kept beside the Verilated model. */
#ifndef TANDEM_DPI_RTL_NETLIST_H
#define TANDEM_DPI_RTL_NETLIST_H

#include "netlist/netlist.h"
#include "rtl_cache.h"

/* `rtl_file` as for rtl_cache_block(). ERR_TOOL: Yosys is not there, or cannot read the RTL; ERR_UNSUPPORTED: a user's own block. */
int rtl_netlist(const struct rtl_paths *, const struct block_desc *, const int32_t *params, const char *rtl_file,
                struct netlist *, struct err *);

#endif
