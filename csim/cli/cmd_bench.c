/* SPDX-License-Identifier: Apache-2.0 */
/* tandem bench: how fast this host simulates. Workload figures come from running this program, so that they include
 * everything a user waits for. */
#include "base/err.h"
#include "bench/bench.h"
#include "cli/block_arguments.h"
#include "cli/commands.h"
#include "cli/options.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS_MAX = 64 };

struct options {
  bool json, quick, blocks;
  const char *block, *compare, *growth, *gpgpusim;
  int64_t rounds;
};

static int measure(struct bench *b, const struct options *o, struct err *e) {
  const struct block_desc *desc;
  bool all = !o->blocks && !o->block;
  int status = o->block ? block_argument(o->block, &desc, e) : 0;
  b->calibration = bench_calibrate();
  if (!status && all) {
    bench_list(b, o->quick);
    status = bench_execute(b, e);
  }
  if (!status && all) {
    bench_rates(b);
    status = bench_published(b, o->quick, e);
  }
  if (!status && all) status = bench_networks(b, o->quick, e);
  if (!status && all) status = bench_dram(b, o->quick, e);
  return status ? status : bench_all_blocks(b, o->block, e);
}

static int run(const struct options *o, const char *const *words, unsigned n, struct err *e) {
  unsigned rounds = o->rounds ? (unsigned)o->rounds : o->quick ? 3 : 5;
  if (o->gpgpusim) return bench_gpgpusim(o->gpgpusim, words, n, rounds, o->json, stdout, e);
  if (n) return err_set(e, ERR_USAGE, "%s: a program is timed with --gpgpusim DIR only", words[0]);
  if (o->growth) return bench_growth(o->growth, o->quick, rounds, stdout, e);
  json_t *earlier = o->compare ? bench_earlier(o->compare, e) : NULL;
  if (o->compare && !earlier) return (int)e->code;
  struct bench *b = calloc(1, sizeof *b);
  int status = b ? 0 : err_set(e, ERR_LIMIT, "out of memory");
  if (!status) b->rounds = rounds;
  if (!status) status = measure(b, o, e);
  if (!status && o->json) bench_print_json(b, stdout);
  if (!status && !o->json) bench_print(b, stdout);
  if (!status && earlier) bench_compare(b, earlier, o->json ? stderr : stdout);
  json_decref(earlier);
  free(b);
  return status;
}

int cmd_bench(int argc, char **argv) {
  struct options o = {0};
  const struct cli_option options[] = {
    {"--blocks", CLI_FLAG, &o.blocks, NULL, "measure only the host time of an instance-cycle of each block", 0, 0},
    {"--block", CLI_TEXT, &o.block, "NAME", "measure only this block, with each parameter set of its sweep", 0, 0},
    {"--quick", CLI_FLAG, &o.quick, NULL, "use small workloads", 0, 0},
    {"--rounds", CLI_NUMBER, &o.rounds, "N", "execute all runs N times, in turn (default: 5; with --quick 3)", 1,
     BENCH_ROUNDS_MAX},
    {"--compare", CLI_TEXT, &o.compare, "FILE", "set the figures beside those of an earlier tandem bench --json", 0, 0},
    {"--growth", CLI_TEXT, &o.growth, "DIR",
     "instead: time growing numbers of elements, SMs and instances; DIR/growth.csv and growth.svg", 0, 0},
    {"--gpgpusim", CLI_TEXT, &o.gpgpusim, "DIR",
     "instead: run a program of the runtime API under the GPGPU-Sim built in DIR and here, in turn", 0, 0},
    {"--json", CLI_FLAG, &o.json, NULL, "print a JSON object", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "bench",
    .brief = "Measures how fast this host simulates: whole runs by engine, interleaved, and parts alone.",
    .usage = "[options] [-- PROGRAM ARGUMENT...]",
    .example = "tandem bench --quick",
    .options = options,
    .positional_max = WORDS_MAX};
  struct err e = {0};
  const char *words[WORDS_MAX];
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, words, &n, &help, &e);
  if (help) return 0;
  if (!status) status = run(&o, words, n, &e);
  return status ? cli_fail("bench", &e) : 0;
}
