/* SPDX-License-Identifier: Apache-2.0 */
#include "base/colour.h"
#include "base/err.h"
#include "base/json_out.h"
#include "base/process.h"
#include "blocktest/mutants.h"
#include "blocktest/random_mutants.h"
#include "cli/block_arguments.h"
#include "cli/commands.h"
#include "cli/mutants_table.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_row(const struct mutant_row *r) {
  printf("%-28s %s%-9s%s %s%s after %" PRIu64 " cycles\n", r->bug->name,
         colour_on(stdout, r->caught ? COLOUR_GOOD : COLOUR_BAD), r->caught ? "caught" : "SURVIVED", colour_off(stdout),
         r->caught ? "at " : "", r->caught ? r->where : "not noticed", r->cycles);
  if (r->caught && !r->as_listed) printf("  the manifest expects it at: %s\n", r->bug->ports);
}

static int run_all(const struct block_desc *desc, uint64_t cycles, uint64_t seed, bool json, bool *bad, struct err *e) {
  json_t *rows = json_array();
  uint32_t caught = 0;
  int status = 0;
  for (uint32_t i = 0; i < desc->n_bugs && !status; i++) {
    struct mutant_row r;
    status = mutant_run(desc, i, cycles, seed, &r, e);
    if (status) break;
    caught += r.caught;
    *bad |= !r.caught || !r.as_listed;
    if (!json) print_row(&r);
    json_array_append_new(rows, json_pack("{s:s, s:b, s:s, s:I, s:b}", "bug", r.bug->name, "caught", r.caught, "at",
                                          r.where, "cycles", (json_int_t)r.cycles, "as_listed", r.as_listed));
  }
  if (!status && json) {
    json_out(rows, "mutants/1", 0, stdout);
  } else if (!status) {
    printf("%s: %u of %u planted bugs caught\n", desc->name, caught, desc->n_bugs);
  }
  json_decref(rows);
  uint32_t least = desc->own ? 1 : strcmp(desc->family, "prim") != 0 ? 8 : 2; /* a cell has a few lines */
  if (desc->n_bugs < least) {
    *bad = true;
    fprintf(stderr, "tandem mutants: %s lists %u planted bugs; a block has at least 8, a cell of rtl/prim 2\n",
            desc->name, desc->n_bugs);
  }
  return status;
}

struct random_options {
  int64_t n; /* 0: planted bugs */
  struct cli_list params, vectors;
  const char *out;
  bool suspects;
};

static int run_random(const struct block_desc *desc, const struct random_options *o, uint64_t cycles, uint64_t seed,
                      bool json, bool *bad, struct err *e) {
  char folder[200], params[1024] = "";
  size_t used = 0;
  if (desc->own)
    return err_set(e, ERR_UNSUPPORTED, "--random takes blocks of configs/blocks.yaml; %s is of your manifest",
                   desc->name);
  snprintf(folder, sizeof folder, "tandem-out/mutants/%.100s", desc->name);
  int32_t values[BLOCK_PARAMS_MAX];
  int status = params_argument(desc, &o->params, values, e);
  for (uint32_t i = 0; o->params.n && i < desc->n_params && used < sizeof params; i++)
    used += (size_t)snprintf(params + used, sizeof params - used, "%s=%d ", desc->params[i].name, values[i]);
  struct random_mutants m = {.desc = desc,
                             .params = params,
                             .n = (uint32_t)o->n,
                             .seed = seed,
                             .cycles = cycles,
                             .vectors = o->vectors.text,
                             .n_vectors = o->vectors.n,
                             .suspects = o->suspects,
                             .out_dir = o->out ? o->out : folder};
  json_t *report = NULL;
  char *whole = NULL; /* Verilator works in another folder */
  if (!status) status = process_make_folders(m.out_dir, "name a writable one with --out", e);
  if (!status && !(whole = realpath(m.out_dir, NULL)))
    status = err_set(e, ERR_FILE, "cannot find %s: %s", m.out_dir, strerror(errno));
  if (whole) m.out_dir = whole;
  if (!status) status = random_mutants_run(&m, &report, e);
  if (!status) *bad = mutants_table(report, json ? NULL : stdout) > 0;
  if (!status && json) json_out(report, "random-mutants/1", 0, stdout);
  json_decref(report);
  free(whole);
  return status;
}

int cmd_mutants(int argc, char **argv) {
  int64_t cycles = 100000, seed = 1;
  struct random_options random = {0};
  bool json = false;
  const char *manifest = NULL;
  const struct cli_option options[] = {
    {"--cycles", CLI_NUMBER, &cycles, "N", "random cycles for each parameter set (default: 100000)", 1, INT64_MAX},
    {"--seed", CLI_NUMBER, &seed, "N", "seed of the stimulus, and of the choice of random mutants (default: 1)", 0,
     UINT32_MAX},
    {"--random", CLI_NUMBER, &random.n, "N",
     "instead: N random mutants against lockstep, replay, properties and the proof that model and RTL are equal", 1,
     RANDOM_MUTANTS_MAX},
    {"--param", CLI_LIST, &random.params, "P=V",
     "with --random: the block's parameters (default: the first set that is proved equal)", 0, 0},
    {"--vectors", CLI_LIST, &random.vectors, "FILE",
     "with --random: a recorded stimulus to replay (default: one of 1500 random cycles)", 0, 0},
    {"--suspects", CLI_FLAG, &random.suspects, NULL,
     "with --random: the suspects on the page of each divergence, too; they are in the JSON", 0, 0},
    {"--out", CLI_TEXT, &random.out, "DIR",
     "with --random: folder for netlist, list and logs (default: tandem-out/mutants/BLOCK)", 0, 0},
    MANIFEST_OPTION(&manifest),
    {"--json", CLI_FLAG, &json, NULL, "print JSON: an array with one element per bug, or an object", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "mutants",
    .brief =
      "Plants each bug of the manifest in the RTL and runs random lockstep until the bug is caught at a port that the manifest names; "
      "or makes random mutants and runs every check on each.",
    .usage = "BLOCK [options]",
    .example = "tandem mutants rr_arb",
    .options = options,
    .positional_min = 1,
    .positional_max = 1};
  struct err e = {0};
  const char *name;
  const struct block_desc *desc;
  unsigned n;
  bool help, bad = false;
  int status = cli_parse(&command, argc, argv, &name, &n, &help, &e);
  if (help) return 0;
  if (!status && !random.n && (random.params.n || random.vectors.n || random.out || random.suspects))
    status = err_set(&e, ERR_USAGE, "--param, --vectors, --suspects and --out go with --random N");
  if (!status) status = own_blocks_open(manifest, &e);
  if (!status) status = block_argument(name, &desc, &e);
  if (!status)
    status = random.n ? run_random(desc, &random, (uint64_t)cycles, (uint64_t)seed, json, &bad, &e)
                      : run_all(desc, (uint64_t)cycles, (uint64_t)seed, json, &bad, &e);
  return status ? cli_fail("mutants", &e) : bad;
}
