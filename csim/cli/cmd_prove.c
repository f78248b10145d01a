/* SPDX-License-Identifier: Apache-2.0 */
/* tandem prove: scripts/prove, found by the program's own place, so that it works from any folder. */
#include "base/err.h"
#include "base/place.h"
#include "cli/block_arguments.h"
#include "cli/commands.h"
#include "rtl_cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SETS_MAX = 16 }; /* parameters */

int cmd_prove(int argc, char **argv) {
  const char *bug = NULL, *manifest = NULL, *out = NULL, *junit = NULL;
  bool state = false, late = false, cover = false, nightly = false, equal = false;
  const struct cli_option options[] = {
    {"--bug", CLI_TEXT, &bug, "NAME", "plant this bug of the manifest; a proof must break", 0, 0},
    {"--state", CLI_FLAG, &state, NULL, "instead: are the registers of the RTL those of the state list?", 0, 0},
    {"--late", CLI_FLAG, &late, NULL, "instead: does no output depend on an input that is sampled at the clock edge?",
     0, 0},
    {"--cover", CLI_FLAG, &cover, NULL, "instead: can every antecedent happen?", 0, 0},
    {"--equal", CLI_FLAG, &equal, NULL,
     "instead: are C model and RTL equal? For the parameters P=V, or for the sets that the block's test bench names", 0,
     0},
    {"--nightly", CLI_FLAG, &nightly, NULL, "instead: the long proofs", 0, 0},
    {"--out", CLI_TEXT, &out, "DIR",
     "folder for traces and stimulus of a failed proof (default: tandem-out/prove/BLOCK)", 0, 0},
    {"--junit", CLI_TEXT, &junit, "FILE", "write the results as JUnit XML, one test case per proof", 0, 0},
    MANIFEST_OPTION(&manifest),
    {0}};
  const struct cli_command command = {
    .name = "prove",
    .brief =
      "Proves the properties of a block (Yosys, z3): bounded, by induction, and that each antecedent can happen.",
    .usage = "BLOCK [--equal [P=V]...] [options]",
    .example = "tandem prove onehot_index",
    .options = options,
    .positional_min = 1,
    .positional_max = SETS_MAX + 1};
  struct err e = {0};
  const char *name[SETS_MAX + 1];
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, name, &n, &help, &e);
  if (help) return 0;
  if (!status && !equal && n > 1) status = err_set(&e, ERR_USAGE, "%s: parameters go with --equal only", name[1]);
  if (!status && equal && (state || late || cover))
    status = err_set(&e, ERR_USAGE, "--equal excludes --state, --late and --cover");
  if (!status && state + late + cover + nightly > 1)
    status = err_set(&e, ERR_USAGE, "--state, --late, --cover and --nightly exclude each other");
  if (status) return cli_fail("prove", &e);
  char script[PLACE_BYTES];
  place_data_file("scripts/prove", script, sizeof script);
  const char *words[16 + SETS_MAX] = {"bash", script, name[0]};
  unsigned k = 3;
  if (equal) words[k++] = "--equal";
  for (unsigned i = 1; i < n; i++) words[k++] = name[i];
  const char *mode = state ? "--state" : late ? "--late" : cover ? "--cover" : nightly ? "--nightly" : NULL;
  if (mode) words[k++] = mode;
  const struct {
    const char *option, *value;
  } texts[] = {{"--bug", bug}, {"--manifest", manifest}, {"--out", out}, {"--junit", junit}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (texts[i].value) {
      words[k++] = texts[i].option;
      words[k++] = texts[i].value;
    }
  setenv("TANDEM_BUILD", place_cache(), 0);
  setenv("TANDEM_GENERATED", rtl_paths_default().generated, 0);
  fflush(stdout);
  execvp("bash", (char **)(uintptr_t)words);
  err_set(&e, ERR_TOOL, "cannot run bash: %s", strerror(errno));
  return cli_fail("prove", &e);
}
