/* SPDX-License-Identifier: Apache-2.0 */
/* Options that `tandem dram` and `tandem dram-model` share: -c, --set, --queue, --chips, --policy, --timing. */
#ifndef TANDEM_CLI_DRAM_OPTIONS_H
#define TANDEM_CLI_DRAM_OPTIONS_H

#include "cli/options.h"
#include "config/gpu_config.h"

struct dram_options {
  const char *gpu, *policy;
  struct cli_list set, timing;
  int64_t queue, chips; /* 0: the GPU configuration's */
};

/* The GPU configuration of the options, checked. A chip of --chips is Yuan's GDDR3 chip (2009, table 1.1): a bus of 4 bytes, four
 * transfers per burst, rows of 4 KB. */
int dram_options_config(const struct dram_options *, struct gpu_config *, struct err *);

#endif
