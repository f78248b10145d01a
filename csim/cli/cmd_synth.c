/* SPDX-License-Identifier: Apache-2.0 */
/* tandem synth: area, depth and clock of the same RTL that runs in lockstep, with an error band. */
#include "base/err.h"
#include "base/json_out.h"
#include "base/out_file.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/block_arguments.h"
#include "cli/commands.h"
#include "synth/power.h"
#include "synth/report.h"
#include "synth/synth.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SWEEP_MAX = 32 };

struct request {
  struct cli_list liberty, params, stimuli;
  int64_t seeds, jobs, memory_bits, node, scale, clock_mhz;
  const char *block, *rtl, *top, *sweep, *csv, *plot, *out, *manifest;
  bool json, no_band, no_flip_flops, power;
  char swept[64]; /* parameter of --sweep */
  int64_t values[SWEEP_MAX];
  unsigned n_values;
};

/* "SEG=32,64,128" */
static int parse_sweep(struct request *r, struct err *e) {
  const char *equal = r->sweep ? strchr(r->sweep, '=') : NULL;
  if (!r->sweep) return 0;
  if (!equal || !equal[1]) return err_set(e, ERR_USAGE, "--sweep %s: write --sweep NAME=VALUE,VALUE,...", r->sweep);
  snprintf(r->swept, sizeof r->swept, "%.*s", (int)(equal - r->sweep), r->sweep);
  for (const char *at = equal + 1; *at;) {
    char number[32];
    size_t n = strcspn(at, ",");
    snprintf(number, sizeof number, "%.*s", (int)n, at);
    if (r->n_values == SWEEP_MAX) return err_set(e, ERR_USAGE, "--sweep takes at most %d values", SWEEP_MAX);
    if (!text_to_int64(number, &r->values[r->n_values++]))
      return err_set(e, ERR_USAGE, "--sweep %s: '%s' is not a number", r->sweep, number);
    at += n + (at[n] == ',');
  }
  return 0;
}

/* The options of --param, with the i-th value of the sweep. */
static void with_sweep(const struct request *r, unsigned i, struct cli_list *list, char *text, size_t size) {
  *list = r->params;
  if (!r->n_values || list->n == CLI_LIST_MAX) return;
  snprintf(text, size, "%s=%lld", r->swept, (long long)r->values[i]);
  list->text[list->n++] = text;
}

/* A value of a sweep that cannot be with the other parameters is left out, with a note: *left_out. */
static int add_block(struct synth *s, const struct block_desc *desc, const struct cli_list *list, unsigned *left_out,
                     struct err *e) {
  int32_t params[BLOCK_PARAMS_MAX];
  int status = params_read(desc, list, params, e);
  if (status) return status;
  const char *unmet = block_unmet_need(desc, params);
  if (unmet && left_out) {
    fprintf(stderr, "tandem synth: %s is left out: %s\n", list->text[list->n - 1], unmet);
    (*left_out)++;
    return 0;
  }
  status = block_check_params(desc, params, e);
  return status ? status : synth_add_block(s, desc, params, e);
}

static int add_file(struct synth *s, const struct request *r, const struct cli_list *list, struct err *e) {
  struct synth_param params[CLI_LIST_MAX];
  for (unsigned i = 0; i < list->n; i++) {
    const char *text = list->text[i], *equal = strchr(text, '=');
    if (!equal || !text_to_int64(equal + 1, &params[i].value))
      return err_set(e, ERR_USAGE, "--param %s: write --param NAME=VALUE with a number", text);
    snprintf(params[i].name, sizeof params[i].name, "%.*s", (int)(equal - text), text);
  }
  return synth_add_file(s, r->rtl, r->top, params, list->n, e);
}

static int add_designs(struct synth *s, const struct request *r, struct err *e) {
  const struct block_desc *desc = NULL;
  const struct cli_list none = {.n = 0};
  unsigned left_out = 0;
  int status = 0;
  if (r->block && !strcmp(r->block, "all")) {
    for (const struct block_desc *const *d = block_list(); *d && !status; d++)
      if ((*d)->n_regs)
        status = add_block(s, *d, &none, NULL, e); /* combinational cells are counted where they are used */
    return status;
  }
  if (r->block) status = block_argument(r->block, &desc, e);
  if (!status && desc && desc->own && r->power)
    status =
      err_set(e, ERR_UNSUPPORTED, "--power: power is counted for blocks of Tandem's tree only, not for '%s'", r->block);
  for (unsigned i = 0; i < (r->n_values ? r->n_values : 1) && !status; i++) {
    struct cli_list list;
    char text[128];
    with_sweep(r, i, &list, text, sizeof text);
    status = desc ? add_block(s, desc, &list, r->n_values ? &left_out : NULL, e) : add_file(s, r, &list, e);
  }
  if (!status && r->n_values && left_out == r->n_values)
    status = err_set(e, ERR_VALUE, "--sweep %s: none of these values can be", r->sweep);
  return status;
}

static void dump(json_t *rows, FILE *f) { json_out(rows, "synth/1", 10, f); }

static void print(FILE *f, const json_t *rows) {
  synth_print(f, rows);
  synth_power_print(f, rows);
}

/* DIR/synth.json and DIR/synth.txt */
static int write_folder(const char *folder, json_t *rows, struct err *e) {
  static const char *const names[] = {"synth.json", "synth.txt"};
  int status = process_make_folders(folder, "name a writable folder with --out", e);
  for (int i = 0; i < 2 && !status; i++) {
    struct out_file out = {0};
    char path[1024];
    snprintf(path, sizeof path, "%.900s/%s", folder, names[i]);
    status = out_file_open(&out, path, e);
    if (status) break;
    if (i) print(out.f, rows);
    else dump(rows, out.f);
    status = out_file_commit(&out, e);
  }
  return status;
}

static int show(const struct request *r, json_t *rows, struct err *e) {
  int status = r->csv ? synth_csv(rows, r->swept, r->csv, e) : 0;
  if (!status && r->plot) status = synth_plot(rows, r->swept, r->plot, e);
  if (!status && r->out) status = write_folder(r->out, rows, e);
  if (status) return status;
  if (r->json) dump(rows, stdout);
  else print(stdout, rows);
  return 0;
}

/* Power of every row under every stimulus. */
static int add_power(struct synth *s, const struct request *r, json_t *rows, struct err *e) {
  unsigned n_libs = r->liberty.n ? r->liberty.n : 1;
  int status = 0;
  for (unsigned i = 0; i < json_array_size(rows) && r->power; i++)
    for (unsigned k = 0; k < r->stimuli.n && !status; k++)
      status = synth_power(s, i / n_libs, i % n_libs, json_array_get(rows, i), r->stimuli.text[k],
                           (uint32_t)(1000 * r->clock_mhz), e);
  return status;
}

static int run(const struct request *r, struct err *e) {
  const struct synth_options options = {.seeds = r->no_band ? 1 : (unsigned)r->seeds,
                                        .jobs = (unsigned)r->jobs,
                                        .memory_bits = r->power ? INT64_MAX : r->memory_bits,
                                        .no_flip_flops = r->no_flip_flops,
                                        .node = (unsigned)r->node,
                                        .scale = (unsigned)r->scale,
                                        .progress = isatty(STDERR_FILENO)};
  struct synth *s;
  int status = synth_open(&s, &options, e);
  if (!status && !r->liberty.n) status = synth_add_library(s, SYNTH_DEFAULT_LIBERTY, e);
  for (unsigned i = 0; i < r->liberty.n && !status; i++) status = synth_add_library(s, r->liberty.text[i], e);
  if (!status) status = add_designs(s, r, e);
  if (!status) status = synth_run(s, e);
  if (!status) {
    json_t *rows = synth_json(s);
    status = add_power(s, r, rows, e);
    if (!status) status = show(r, rows, e);
    json_decref(rows);
  }
  synth_close(s);
  return status;
}

static int check_power(const struct request *r, struct err *e) {
  if (!r->power && (r->stimuli.n || r->clock_mhz))
    return err_set(e, ERR_USAGE, "--stimulus and --clock belong to --power");
  if (r->power && !r->stimuli.n)
    return err_set(
      e, ERR_USAGE,
      "power needs activity: tandem run WORKLOAD --system NAME --record PATTERN keeps OUT/stimulus.INSTANCE.csv "
      "for --stimulus");
  if (r->power && (!r->block || !strcmp(r->block, "all")))
    return err_set(e, ERR_USAGE, "--power needs one block, that of the stimulus");
  return 0;
}

static int check(const struct request *r, struct err *e) {
  if (!r->block && !(r->rtl && r->top))
    return err_set(e, ERR_USAGE, "name a block, or all, or a file: tandem synth --rtl FILE --top MODULE");
  if (r->block && (r->rtl || r->top))
    return err_set(e, ERR_USAGE, "--rtl and --top take the place of the block '%s'", r->block);
  if (r->block && !strcmp(r->block, "all") && (r->params.n || r->sweep))
    return err_set(e, ERR_USAGE, "--param and --sweep belong to one block; name it instead of 'all'");
  if (r->seeds < 2 && !r->no_band)
    return err_set(e, ERR_USAGE,
                   "--seeds %lld: a band needs 2 netlists or more; --no-band makes one netlist without a band",
                   (long long)r->seeds);
  if ((r->csv || r->plot) && !r->sweep)
    return err_set(e, ERR_USAGE, "--csv and --plot show a sweep; name it with --sweep NAME=VALUE,VALUE,...");
  const char *dot = r->plot ? strrchr(r->plot, '.') : NULL;
  if (r->plot && !(dot && (!strcmp(dot, ".svg") || !strcmp(dot, ".png"))))
    return err_set(e, ERR_USAGE, "--plot %s: the name ends in .svg or .png", r->plot);
  return check_power(r, e);
}

int cmd_synth(int argc, char **argv) {
  struct request r = {.seeds = SYNTH_SEEDS, .memory_bits = SYNTH_MEMORY_BITS};
  const struct cli_option options[] = {
    {"--liberty", CLI_LIST, &r.liberty, "FILE",
     "cell library, plain or .gz; repeat it to compare libraries (default: OSU 0.18 um)", 0, 0},
    {"--seeds", CLI_NUMBER, &r.seeds, "N", "netlists for the error band (default: 16)", 0, SYNTH_SEEDS_MAX},
    {"--no-band", CLI_FLAG, &r.no_band, NULL, "make one netlist of the RTL as written, without an error band", 0, 0},
    {"--param", CLI_LIST, &r.params, "P=V", "change a parameter of the block", 0, 0},
    {"--sweep", CLI_TEXT, &r.sweep, "P=A,B,...", "print a row for each value of a parameter", 0, 0},
    {"--csv", CLI_TEXT, &r.csv, "FILE", "write the sweep as CSV", 0, 0},
    {"--plot", CLI_TEXT, &r.plot, "FILE", "draw the sweep as curves to FILE (.svg or .png)", 0, 0},
    {"--scale", CLI_NUMBER, &r.scale, "NM", "scale areas to another node by published NAND2 areas (14..180)", 14, 180},
    {"--node", CLI_NUMBER, &r.node, "NM", "technology node of the library, for memories (default: known from its name)",
     5, 1000},
    {"--memory-bits", CLI_NUMBER, &r.memory_bits, "N",
     "arrays of N bits or more count as SRAM, smaller ones as flip-flops (default: 1024)", 1, INT64_C(1) << 40},
    {"--no-flip-flops", CLI_FLAG, &r.no_flip_flops, NULL,
     "do not map a block with SRAM a second time, with flip-flops in its place, which takes long for large arrays", 0,
     0},
    {"--power", CLI_FLAG, &r.power, NULL,
     "report power: netlist and RTL replay each --stimulus side by side and toggles are counted; arrays are flip-flops",
     0, 0},
    {"--stimulus", CLI_LIST, &r.stimuli, "FILE",
     "stimulus for --power: from tandem run --record, or a file for tandem drive", 0, 0},
    {"--clock", CLI_NUMBER, &r.clock_mhz, "MHZ", "clock for --power (default: that of the recording, else 700)", 1,
     100000},
    {"--rtl", CLI_TEXT, &r.rtl, "FILE", "synthesise your own Verilog file instead of a block", 0, 0},
    {"--top", CLI_TEXT, &r.top, "MODULE", "top module of that file", 0, 0},
    {"--jobs", CLI_NUMBER, &r.jobs, "N", "tools that run at a time (default: one per processor)", 1, 64},
    MANIFEST_OPTION(&r.manifest),
    {"--json", CLI_FLAG, &r.json, NULL, "print a JSON array with one element per block and library", 0, 0},
    {"--out", CLI_TEXT, &r.out, "DIR", "write synth.json and synth.txt to this folder", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "synth",
    .brief =
      "Synthesises and times blocks (Yosys, OpenSTA): area, gate equivalents, depth, clock. Every figure is pre-layout.",
    .usage = "BLOCK|all [options]",
    .example = "tandem synth rr_arb --sweep N=4,8,16 --seeds 8 --plot /tmp/rr_arb.svg",
    .options = options,
    .positional_max = 1};
  struct err e = {0};
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, &r.block, &n, &help, &e);
  if (help) return 0;
  if (!status) status = check(&r, &e);
  if (!status) status = parse_sweep(&r, &e);
  if (!status) status = own_blocks_open(r.manifest, &e);
  if (!status) status = run(&r, &e);
  return status ? cli_fail("synth", &e) : 0;
}
