/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments that the commands about blocks share: block, parameters, engine, planted bug. */
#ifndef TANDEM_CLI_BLOCK_ARGUMENTS_H
#define TANDEM_CLI_BLOCK_ARGUMENTS_H

#include "block/block.h"
#include "cli/options.h"
#include "own_blocks.h"

/* The row of a command's table of options; the command hands the path to own_blocks_open(). */
#define MANIFEST_OPTION(target) \
  { "--manifest", CLI_TEXT, target, "FILE", "take blocks from this manifest, outside of Tandem's tree", 0, 0 }

/* How the RTL of lockstep runs. *threads: -1 where the user does not say. */
#define CHECK_OPTIONS(coupled, threads)                                                                                  \
  {"--coupled",                                                                                                          \
   CLI_FLAG,                                                                                                             \
   coupled,                                                                                                              \
   NULL,                                                                                                                 \
   "lockstep: the RTL runs in each cycle together with the C model, instead of following it; finds the same",            \
   0,                                                                                                                    \
   0},                                                                                                                   \
  {                                                                                                                      \
    "--check-threads", CLI_NUMBER, threads, "N",                                                                         \
      "lockstep: host threads in which the RTL follows; 0: that of the C model (default: 1 where a processor is spare)", \
      0, CHECK_THREADS_MAX                                                                                               \
  }

/* Finds the block of this name; ERR_VALUE suggests the nearest name. */
int block_argument(const char *name, const struct block_desc **, struct err *);
/* The default parameters changed by "P=V" texts, each within its range; params_argument() also with the conditions between them. */
int params_read(const struct block_desc *, const struct cli_list *, int32_t *params, struct err *);
int params_argument(const struct block_desc *, const struct cli_list *, int32_t *params, struct err *);
int engine_argument(const char *text, enum block_engine *, struct err *);
/* Writes the parameters as "SEG=128 NB=32". */
const char *params_text(const struct block_desc *, const int32_t *params, char *out, size_t size);

#endif
