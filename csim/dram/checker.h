/* SPDX-License-Identifier: Apache-2.0 */
/* Protocol checker: holds a channel's commands against every timing parameter of the GPU configuration. It shares no code and no
 * state with the channel model: it keeps the cycle of each kind of command and compares differences. With ideal.dram =
 * row_hits there is no row to open or close, and everything else is checked. */
#ifndef TANDEM_DRAM_CHECKER_H
#define TANDEM_DRAM_CHECKER_H

#include "dram/command.h"

#include <stddef.h>

struct err;
struct gpu_config;
struct dram_checker;

struct dram_checker *dram_checker_create(const struct gpu_config *, struct err *);
void dram_checker_destroy(struct dram_checker *);
/* NULL: legal; else the rule that the command breaks, as a sentence (valid until the next call). The command counts as
 * issued either way. */
const char *dram_checker_see(struct dram_checker *, const struct dram_command *);
uint64_t dram_checker_commands(const struct dram_checker *); /* seen so far */

#endif
