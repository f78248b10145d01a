/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "blocktest/drive_run.h"
#include "cli/block_arguments.h"
#include "cli/commands.h"

#include <stdio.h>

/* Where the file's rows are cycles, a divergence is told by the cycle of the printed table. */
static void print_divergence(const struct block_desc *desc, const struct divergence *v) {
  char expected[300], actual[300];
  stimulus_print_value((const uint8_t *)v->expected, v->width, expected, sizeof expected);
  stimulus_print_value((const uint8_t *)v->actual, v->width, actual, sizeof actual);
  fprintf(stderr, "tandem drive: C model and RTL of %s differ in cycle %llu at %s %s", desc->name,
          (unsigned long long)v->cycle, v->is_register ? "register" : "port", v->what);
  if (v->is_register && v->row) fprintf(stderr, " row %u", v->row);
  fprintf(stderr, ": expected %s (C model), actual %s (RTL)\n", expected, actual);
}

static int drive(const char *block, const char *file, const char *engine_name, const char *vectors,
                 const char *manifest, const struct cli_list *param_list, bool *diverged, struct err *e) {
  const struct block_desc *desc;
  int32_t params[BLOCK_PARAMS_MAX];
  enum block_engine engine = ENGINE_C;
  struct stimulus s;
  int status = own_blocks_open(manifest, e);
  if (!status) status = block_argument(block, &desc, e);
  if (!status) status = params_argument(desc, param_list, params, e);
  if (!status && engine_name) status = engine_argument(engine_name, &engine, e);
  if (!status) status = stimulus_read(file, desc, params, &s, e);
  if (status) return status;
  if (vectors) {
    status = drive_vectors(&s, vectors, e);
  } else {
    struct divergence first;
    status = drive_run(&s, engine, stdout, &first, diverged, e);
    if (!status && *diverged) print_divergence(desc, &first);
  }
  stimulus_free(&s);
  return status;
}

int cmd_drive(int argc, char **argv) {
  const char *engine = NULL, *vectors = NULL, *manifest = NULL;
  struct cli_list params = {0};
  const struct cli_option options[] = {
    {"--engine", CLI_TEXT, &engine, "E", "engine: c, rtl or lockstep (default: c)", 0, 0},
    {"--param", CLI_LIST, &params, "P=V", "change a parameter of the block", 0, 0},
    {"--vectors", CLI_TEXT, &vectors, "FILE", "write hex vectors for a second simulator instead of printing CSV", 0, 0},
    MANIFEST_OPTION(&manifest),
    {0}};
  const struct cli_command command = {
    .name = "drive",
    .brief =
      "Drives a block from CSV and prints every input and output port of every cycle as CSV. The header names input ports (and\n"
      "rst_n); each line is one cycle; an empty cell repeats the last value.",
    .usage = "BLOCK FILE.csv [options]",
    .example = "printf 'req,accept\\n3,1\\n,\\n' > /tmp/a.csv && tandem drive rr_arb /tmp/a.csv --engine rtl",
    .options = options,
    .positional_min = 2,
    .positional_max = 2};
  struct err e = {0};
  const char *names[2];
  unsigned n;
  bool help, diverged = false;
  int status = cli_parse(&command, argc, argv, names, &n, &help, &e);
  if (help) return 0;
  if (!status) status = drive(names[0], names[1], engine, vectors, manifest, &params, &diverged, &e);
  return status ? cli_fail("drive", &e) : diverged;
}
