/* SPDX-License-Identifier: Apache-2.0 */
/* What `tandem dram` and `tandem dram-model` share: the machine, by its name, --set, --queue, --chips, --policy, --timing. */
#ifndef TANDEM_CLI_DRAM_OPTIONS_H
#define TANDEM_CLI_DRAM_OPTIONS_H

#include "base/machine.h"
#include "cli/options.h"

struct dram_options {
  const char *machine, *policy;
  struct cli_list set, timing;
  int64_t queue, chips; /* 0: the machine's */
};

/* The machine of the options, checked. A chip of --chips is Yuan's GDDR3 chip (2009, table 1.1): a bus of 4 bytes, four
 * transfers a burst, rows of 4 KB. */
int dram_options_machine(const struct dram_options *, struct machine *, struct err *);

#endif
