/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "blocktest/profile_file.h"
#include "blocktest/profile_learn.h"
#include "cli/block_arguments.h"
#include "cli/commands.h"

#include <stdio.h>

enum { PATHS_MAX = 64 };

static int learn(const char *const *name, unsigned n, const char *out, struct err *e) {
  struct profile p = {.desc = NULL};
  const struct block_desc *desc;
  char params[200];
  int status = block_argument(name[0], &desc, e);
  for (unsigned i = 1; i < n && !status; i++) status = profile_learn_path(&p, desc->name, name[i], e);
  if (!status && !p.n)
    status = err_set(
      e, ERR_VALUE,
      "no recording of %s was found; record some with tandem run --record PATTERN, or --engine PATTERN=lockstep",
      desc->name);
  if (!status) status = profile_write(&p, out, e);
  if (!status)
    printf("%s: %u phases of %s, %s; use them: tandem check %s --profile %s\n", out, p.n, desc->name,
           params_text(p.desc, p.params, params, sizeof params), desc->name, out);
  profile_free(&p);
  return status;
}

int cmd_profile(int argc, char **argv) {
  const char *out = "profile.yaml", *manifest = NULL;
  const struct cli_option options[] = {
    {"--out", CLI_TEXT, &out, "FILE", "the file to write (default: profile.yaml)", 0, 0},
    MANIFEST_OPTION(&manifest),
    {0}};
  const struct cli_command command = {
    .name = "profile",
    .brief = "Learns from recorded runs what a block's inputs do: a profile of stimulus for tandem check --profile.",
    .usage = "BLOCK DIR|FILE.csv... [options]",
    .example =
      "tandem check rr_arb --cycles 3000 --record /tmp/rr.csv; tandem profile rr_arb /tmp/rr.csv --out /tmp/rr.yaml",
    .options = options,
    .positional_min = 2,
    .positional_max = PATHS_MAX};
  struct err e = {0};
  const char *name[PATHS_MAX];
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, name, &n, &help, &e);
  if (help) return 0;
  if (!status) status = own_blocks_open(manifest, &e);
  if (!status) status = learn(name, n, out, &e);
  return status ? cli_fail("profile", &e) : 0;
}
