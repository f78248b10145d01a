/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "blocktest/drive_run.h"
#include "cli/block_arguments.h"
#include "cli/commands.h"
#include "cli/wave_argument.h"
#include "testbench.h"

#include <stdio.h>

/* Where the file's rows are cycles, a divergence is told by the cycle of the printed table. */
static void print_divergence(const struct block_desc *desc, const struct divergence *v) {
  char expected[STIMULUS_TEXT], actual[STIMULUS_TEXT];
  stimulus_print_value((const uint8_t *)v->expected, v->width, expected, sizeof expected);
  stimulus_print_value((const uint8_t *)v->actual, v->width, actual, sizeof actual);
  fprintf(stderr, "tandem drive: C model and RTL of %s differ in cycle %llu at %s %s", desc->name,
          (unsigned long long)v->cycle, v->is_register ? "register" : "port", v->what);
  if (v->is_register && v->row) fprintf(stderr, " row %u", v->row);
  fprintf(stderr, ": expected %s (C model), actual %s (RTL)\n", expected, actual);
}

struct options {
  const char *engine, *vectors, *testbench, *map, *manifest;
  struct cli_list params;
};

static int use(const struct stimulus *s, const struct options *o, enum block_engine engine, bool *diverged,
               struct err *e) {
  struct divergence first;
  if (o->vectors) return drive_vectors(s, o->vectors, e);
  if (o->testbench) return testbench_write(s, o->testbench, e);
  int status = drive_run(s, engine, stdout, &first, diverged, e);
  if (!status && *diverged) print_divergence(s->desc, &first);
  return status;
}

static int drive(const char *block, const char *file, const struct options *o, bool *diverged, struct err *e) {
  const struct block_desc *desc;
  int32_t params[BLOCK_PARAMS_MAX];
  enum block_engine engine = ENGINE_C;
  struct stimulus s;
  bool differs = false;
  int status = own_blocks_open(o->manifest, e);
  if (!status) status = block_argument(block, &desc, e);
  if (!status) status = params_argument(desc, &o->params, params, e);
  if (!status && o->engine) status = engine_argument(o->engine, &engine, e);
  if (!status) status = stimulus_argument(file, o->map, desc, params, &s, &differs, e);
  if (status) return status;
  status = use(&s, o, engine, diverged, e);
  *diverged |= differs;
  stimulus_free(&s);
  return status;
}

int cmd_drive(int argc, char **argv) {
  struct options o = {0};
  const struct cli_option options[] = {
    {"--engine", CLI_TEXT, &o.engine, "E", "engine: c, rtl or lockstep (default: c)", 0, 0},
    {"--param", CLI_LIST, &o.params, "P=V", "change a parameter of the block", 0, 0},
    {"--map", CLI_TEXT, &o.map, "FILE", "with a wave: which of its signals are the ports, as YAML", 0, 0},
    {"--testbench", CLI_TEXT, &o.testbench, "FILE",
     "write the stimulus and the C model's outputs as a Verilog test bench instead of printing CSV", 0, 0},
    {"--vectors", CLI_TEXT, &o.vectors, "FILE", "write hex vectors for a second simulator instead of printing CSV", 0,
     0},
    MANIFEST_OPTION(&o.manifest),
    {0}};
  const struct cli_command command = {
    .name = "drive",
    .brief =
      "Drives a block from CSV and prints every input and output port of every cycle as CSV. The header names input ports (and\n"
      "rst_n); each line is one cycle; an empty cell repeats the last value. - is standard input. A wave (.vcd, .fst) of another\n"
      "simulator drives it, too, with a map of its signals.",
    .usage = "BLOCK FILE.csv|FILE.vcd|FILE.fst|- [options]",
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
  if (!status) status = drive(names[0], names[1], &o, &diverged, &e);
  return status ? cli_fail("drive", &e) : diverged;
}
