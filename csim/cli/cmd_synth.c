/* SPDX-License-Identifier: Apache-2.0 */
/* tandem synth: area, depth and clock of the very RTL that runs in lockstep, with an error band. */
#include "base/err.h"
#include "base/text.h"
#include "cli/block_arguments.h"
#include "cli/commands.h"
#include "synth/synth.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct request {
  struct cli_list liberty, params;
  int64_t seeds, jobs, memory_bits;
  const char *rtl, *top, *clock;
  bool json, no_band;
};

static int add_designs(struct synth *s, const struct request *r, const char *name, struct err *e) {
  int32_t params[BLOCK_PARAMS_MAX];
  const struct block_desc *desc;
  int status = 0;
  if (!strcmp(name, "all")) {
    if (r->params.n) return err_set(e, ERR_USAGE, "--param belongs to one block; name it instead of 'all'");
    for (const struct block_desc *const *d = block_all; *d && !status; d++) {
      status = params_argument(*d, &r->params, params, e);
      if (!status) status = synth_add_block(s, *d, params, e);
    }
    return status;
  }
  status = block_argument(name, &desc, e);
  if (!status) status = params_argument(desc, &r->params, params, e);
  return status ? status : synth_add_block(s, desc, params, e);
}

static int add_file(struct synth *s, const struct request *r, struct err *e) {
  struct synth_param params[CLI_LIST_MAX];
  for (unsigned i = 0; i < r->params.n; i++) {
    const char *text = r->params.text[i], *equal = strchr(text, '=');
    if (!equal || !text_to_int64(equal + 1, &params[i].value))
      return err_set(e, ERR_USAGE, "--param %s: write --param NAME=VALUE with a number", text);
    snprintf(params[i].name, sizeof params[i].name, "%.*s", (int)(equal - text), text);
  }
  return synth_add_file(s, r->rtl, r->top, params, r->params.n, e);
}

static void print_band(const json_t *j, int digits) {
  if (!json_is_object(j)) {
    printf("%26s", "-");
    return;
  }
  struct band b = synth_band(j);
  char text[64];
  if (b.low == b.high) snprintf(text, sizeof text, "%.*f", digits, b.median);
  else snprintf(text, sizeof text, "%.*f (%.*f..%.*f)", digits, b.median, digits, b.low, digits, b.high);
  printf(" %26s", text);
}

static void print_table(const json_t *rows) {
  size_t i;
  json_t *row;
  printf("pre-layout figures: median (95 %% band) over netlists that compute the same\n");
  printf("%-16s %-24s %26s %26s %26s %8s %22s %26s\n", "block", "library", "cells", "area um2", "kGE", "FF bits",
         "levels", "Fmax MHz");
  json_array_foreach(rows, i, row) {
    printf("%-16s %-24s", json_string_value(json_object_get(row, "block")),
           json_string_value(json_object_get(json_object_get(row, "library"), "name")));
    print_band(json_object_get(row, "cells"), 0);
    print_band(json_object_get(row, "area_um2"), 0);
    print_band(json_object_get(row, "kge"), 2);
    printf(" %8lld", (long long)json_integer_value(json_object_get(row, "flip_flop_bits")));
    print_band(json_object_get(row, "levels"), 0);
    print_band(json_object_get(row, "fmax_mhz"), 1);
    printf("\n");
  }
  json_array_foreach(rows, i, row) {
    const json_t *path = json_object_get(row, "critical_path");
    if (json_is_object(path))
      printf("%s on %s: pre-layout critical path %.3f ns, %lld cells, from %s to %s\n",
             json_string_value(json_object_get(row, "block")),
             json_string_value(json_object_get(json_object_get(row, "library"), "name")),
             json_real_value(json_object_get(path, "delay_ns")),
             (long long)json_integer_value(json_object_get(path, "levels")),
             json_string_value(json_object_get(path, "from")), json_string_value(json_object_get(path, "to")));
  }
}

static int run(const struct request *r, const char *name, struct err *e) {
  const struct synth_options options = {.seeds = r->no_band ? 1 : (unsigned)r->seeds,
                                        .jobs = (unsigned)r->jobs,
                                        .memory_bits = r->memory_bits,
                                        .clock = r->clock,
                                        .progress = isatty(STDERR_FILENO)};
  struct synth *s;
  int status = synth_open(&s, &options, e);
  if (!status && !r->liberty.n) status = synth_add_library(s, SYNTH_DEFAULT_LIBERTY, e);
  for (unsigned i = 0; i < r->liberty.n && !status; i++) status = synth_add_library(s, r->liberty.text[i], e);
  if (!status) status = name ? add_designs(s, r, name, e) : add_file(s, r, e);
  if (!status) status = synth_run(s, e);
  if (!status) {
    json_t *rows = synth_json(s);
    if (r->json) {
      json_dumpf(rows, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
      putchar('\n');
    } else {
      print_table(rows);
    }
    json_decref(rows);
  }
  synth_close(s);
  return status;
}

static int check(const struct request *r, const char *name, struct err *e) {
  if (!name && !(r->rtl && r->top))
    return err_set(e, ERR_USAGE, "name a block, or all, or a file: tandem synth --rtl FILE --top MODULE");
  if (name && (r->rtl || r->top))
    return err_set(e, ERR_USAGE, "--rtl and --top take the place of the block '%s'", name);
  if (r->seeds < 2 && !r->no_band)
    return err_set(e, ERR_USAGE,
                   "--seeds %lld: a band needs 2 netlists or more; --no-band makes one netlist without a band",
                   (long long)r->seeds);
  return 0;
}

int cmd_synth(int argc, char **argv) {
  struct request r = {.seeds = SYNTH_SEEDS, .memory_bits = SYNTH_MEMORY_BITS};
  const struct cli_option options[] = {
    {"--liberty", CLI_LIST, &r.liberty, "FILE",
     "a cell library, plain or .gz; several stand side by side (OSU 0.18 um)", 0, 0},
    {"--seeds", CLI_NUMBER, &r.seeds, "N", "netlists of the error band (16)", 0, SYNTH_SEEDS_MAX},
    {"--no-band", CLI_FLAG, &r.no_band, NULL, "one netlist of the RTL as written, no band", 0, 0},
    {"--param", CLI_LIST, &r.params, "P=V", "parameter of the block", 0, 0},
    {"--rtl", CLI_TEXT, &r.rtl, "FILE", "a Verilog file of your own instead of a block", 0, 0},
    {"--top", CLI_TEXT, &r.top, "MODULE", "its module", 0, 0},
    {"--jobs", CLI_NUMBER, &r.jobs, "N", "tools at a time (one a processor)", 1, 64},
    {"--json", CLI_FLAG, &r.json, NULL, "a JSON array, one element a block and library", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "synth",
    .brief =
      "Synthesises and times blocks (Yosys, OpenSTA): area, gate equivalents, depth, clock; every figure is pre-layout.",
    .usage = "BLOCK|all [options]",
    .example = "tandem synth rr_arb --seeds 8",
    .options = options,
    .positional_max = 1};
  struct err e = {0};
  const char *name = NULL;
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, &name, &n, &help, &e);
  if (help) return 0;
  if (!status) status = check(&r, name, &e);
  if (!status) status = run(&r, name, &e);
  return status ? cli_fail("synth", &e) : 0;
}
