/* SPDX-License-Identifier: Apache-2.0 */
/* `--shrink` and `--save` of `tandem check` and `tandem replay`. */
#ifndef TANDEM_CLI_SHRINK_H
#define TANDEM_CLI_SHRINK_H

#include "blocktest/random_run.h"
#include "blocktest/shrink.h"

#define SHRINK_OPTIONS(flag, name)                                                                                     \
  {"--shrink", CLI_FLAG, flag, NULL, "reduce the failing stimulus to what the failure needs, and write shrunk.csv",    \
   0,          0},                                                                                                     \
  {                                                                                                                    \
    "--save", CLI_TEXT, name, "NAME",                                                                                  \
      "with --shrink: keep it as a regression of the block, too, which CTest and tandem check replay from then on", 0, \
      0                                                                                                                \
  }

void print_divergence(FILE *, const struct divergence *, const char *instance, const char *block);
/* Shrinks a stimulus that diverged, writes it to `dir`/shrunk.csv (NULL: the working folder) and, unless `save` is NULL, as a regression. */
int shrink_stimulus(struct stimulus *, const struct replay *, struct divergence *, const char *dir, const char *save,
                    FILE *to, struct err *);
/* The same for the stimulus that a check has left in its output folder. */
int shrink_check(const struct block_desc *, const int32_t *params, const struct random_run *, const char *save,
                 FILE *to, struct err *);

#endif
