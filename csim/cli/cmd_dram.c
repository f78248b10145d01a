/* SPDX-License-Identifier: Apache-2.0 */
/* tandem dram: the channels of a GPU configuration under a trace or a generator, without a GPU. */
#include "base/err.h"
#include "base/gnuplot.h"
#include "base/host_clock.h"
#include "base/json_out.h"
#include "cli/commands.h"
#include "cli/dram_options.h"
#include "study/dram_study.h"
#include "study/dram_trace.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { PLOT_WIDTH = 900, PLOT_HEIGHT = 400 };

struct dram_command_options {
  struct dram_options config;
  const char *generate, *plot, *trace;
  int64_t requests, writes, stride, gap, seed;
  bool json, no_check;
};

struct figures {
  double efficiency, utilization, row_locality, arrival_locality, latency, queue, gigabytes, seconds;
};

/* ---- arguments ---- */

static int choose_pattern(const struct dram_command_options *o, struct dram_study *s, struct err *e) {
  static const struct {
    const char *name;
    enum dram_pattern pattern;
    uint32_t repeat;
  } rows[] = {{"rand1", DRAM_RANDOM, 1},   {"rand2", DRAM_RANDOM, 2},   {"rand3", DRAM_RANDOM, 3},
              {"bank1", DRAM_ONE_BANK, 1}, {"bank2", DRAM_ONE_BANK, 2}, {"bank3", DRAM_ONE_BANK, 3},
              {"stream", DRAM_STREAM, 1},  {"stride", DRAM_STRIDED, 1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (strcmp(rows[i].name, o->generate) != 0) continue;
    s->pattern = rows[i].pattern;
    s->repeat = rows[i].repeat;
    return 0;
  }
  return err_set(e, ERR_USAGE, "--generate %s: there are rand1..rand3, bank1..bank3, stream and stride", o->generate);
}

static int prepare(const struct dram_command_options *o, struct dram_study *s, struct dram_trace *t, struct err *e) {
  *s = (struct dram_study){.repeat = 1,
                           .writes = (uint32_t)o->writes,
                           .stride = (uint64_t)o->stride,
                           .requests = (uint64_t)o->requests,
                           .gap = (uint64_t)o->gap,
                           .seed = (uint64_t)o->seed,
                           .check = !o->no_check};
  if (!o->trace == !o->generate)
    return err_set(e, ERR_USAGE, "name either a trace or a generator: tandem dram TRACE.csv, or --generate rand2");
  int code = dram_options_config(&o->config, &s->config, e);
  if (code) return code;
  if (o->generate) return choose_pattern(o, s, e);
  code = dram_trace_read(t, o->trace, &s->config, 1U << TRACE_ADDRESS, e);
  s->trace = t;
  return code;
}

/* ---- output ---- */

static double ratio(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : 0; }

static struct figures figures_of(const struct dram_study *s, const struct dram_study_result *r, double seconds) {
  double nanoseconds = (double)r->cycles * 1e6 / (double)s->config.dram_khz;
  double bytes = (double)(r->n.dram_reads + r->n.dram_writes) * (double)s->config.dram_burst_bytes;
  return (struct figures){.efficiency = ratio(r->n.dram_busy_cycles, r->n.dram_active_cycles),
                          .utilization = ratio(r->n.dram_busy_cycles, r->n.dram_cycles),
                          .row_locality = ratio(r->n.dram_requests, r->n.dram_activates),
                          .arrival_locality = ratio(r->n.dram_requests, r->n.dram_arrived_rows),
                          .latency = ratio(r->latency_sum, r->reads),
                          .queue = ratio(r->n.dram_queue_cycles, r->n.dram_active_cycles),
                          .gigabytes = nanoseconds > 0 ? bytes / nanoseconds : 0,
                          .seconds = seconds};
}

static void print_json(const struct dram_study *s, const struct dram_study_result *r, const struct figures *f) {
  json_t *j = json_object(), *counters = json_object();
  struct counter_table t = counter_table(COUNTERS_MEMORY);
  for (uint32_t i = 0; i < t.n; i++)
    if (!strncmp(t.rows[i].name, "dram_", 5))
      json_object_set_new(counters, t.rows[i].name, json_integer((json_int_t)((const uint64_t *)&r->n)[i]));
  json_object_set_new(j, "requests", json_integer((json_int_t)r->n.dram_requests));
  json_object_set_new(j, "cycles", json_integer((json_int_t)r->cycles));
  json_object_set_new(j, "efficiency", json_real(f->efficiency));
  json_object_set_new(j, "utilization", json_real(f->utilization));
  json_object_set_new(j, "row_locality", json_real(f->row_locality));
  json_object_set_new(j, "arrival_row_locality", json_real(f->arrival_locality));
  json_object_set_new(j, "mean_read_latency", json_real(f->latency));
  json_object_set_new(j, "max_read_latency", json_integer((json_int_t)r->latency_max));
  json_object_set_new(j, "mean_queue", json_real(f->queue));
  json_object_set_new(j, "gigabytes_per_second", json_real(f->gigabytes));
  json_object_set_new(j, "commands_checked", json_integer((json_int_t)r->commands));
  json_object_set_new(j, "queue", json_integer(s->config.dram_queue));
  json_object_set_new(j, "counters", counters);
  json_object_set_new(j, "timing",
                      json_pack("{s:f, s:f}", "seconds", f->seconds, "requests_per_second",
                                (double)r->n.dram_requests / (f->seconds > 0 ? f->seconds : 1e-9)));
  json_out(j, "dram/1", 0, stdout);
  json_decref(j);
}

static void print(const struct dram_study_result *r, const struct figures *f) {
  printf("requests                 %12" PRIu64 "\n", r->n.dram_requests);
  printf("DRAM cycles              %12" PRIu64 "\n", r->cycles);
  printf("efficiency               %12.4f  cycles with data, of those with requests\n", f->efficiency);
  printf("utilization              %12.4f  of all cycles\n", f->utilization);
  printf("bandwidth                %12.3f  GB/s\n", f->gigabytes);
  printf("row locality             %12.3f  requests an activation\n", f->row_locality);
  printf("row locality on arrival  %12.3f  requests a change of row in a bank\n", f->arrival_locality);
  printf("read latency             %12.1f  DRAM cycles, mean; %" PRIu64 " at most\n", f->latency, r->latency_max);
  printf("queue                    %12.2f  requests, mean while there are any\n", f->queue);
  if (r->n.dram_streaks)
    printf("row streak breakers      %12.4f  other SM, %.4f other CTA, %.4f same CTA: of %" PRIu64 " row streaks\n",
           ratio(r->n.dram_breaks_sm, r->n.dram_streaks), ratio(r->n.dram_breaks_cta, r->n.dram_streaks),
           ratio(r->n.dram_breaks_same, r->n.dram_streaks), r->n.dram_streaks);
  printf("%" PRIu64 " commands checked; %.3f s, %.2f million requests a second\n", r->commands, f->seconds,
         (double)r->n.dram_requests / (f->seconds > 0 ? f->seconds : 1e-9) / 1e6);
}

/* Utilization over time, from a second run: only the first run tells how long it takes. */
static int plot(const struct dram_command_options *o, struct dram_study *s, uint64_t cycles, struct err *e) {
  struct dram_study_result *r = malloc(sizeof *r);
  struct gnuplot g;
  int code = r ? gnuplot_start(&g, o->plot, PLOT_WIDTH, PLOT_HEIGHT, e) : err_set(e, ERR_LIMIT, "out of memory");
  if (code) {
    free(r);
    return code;
  }
  s->windows = DRAM_STUDY_WINDOWS;
  s->window = cycles / DRAM_STUDY_WINDOWS + 1;
  code = dram_study_run(s, r, e);
  fprintf(g.in, "set xlabel 'DRAM cycle'\nset ylabel 'data bus in use'\nset yrange [0:1]\nset grid y\nunset key\n");
  fprintf(g.in, "plot '-' using 1:2 with steps lw 1.5 lc rgb '#377eb8'\n");
  for (uint64_t i = 0; i < s->windows && i * s->window < cycles && !code; i++)
    fprintf(g.in, "%" PRIu64 " %.6f\n", i * s->window,
            (double)r->busy[i] / (double)(s->window * (uint64_t)s->config.dram_channels));
  fprintf(g.in, "e\n");
  free(r);
  int finished = gnuplot_finish(&g, e);
  return code ? code : finished;
}

static int answer(const struct dram_command_options *o, struct err *e) {
  struct dram_study s;
  struct dram_trace t = {0};
  struct dram_study_result *r = calloc(1, sizeof *r);
  int code = r ? prepare(o, &s, &t, e) : err_set(e, ERR_LIMIT, "out of memory");
  double begin = host_seconds();
  if (!code) code = dram_study_run(&s, r, e);
  double seconds = host_seconds() - begin;
  if (!code && o->plot) code = plot(o, &s, r->cycles, e);
  if (!code) {
    struct figures f = figures_of(&s, r, seconds);
    if (o->json) print_json(&s, r, &f);
    else print(r, &f);
  }
  dram_trace_free(&t);
  free(r);
  return code;
}

int cmd_dram(int argc, char **argv) {
  struct dram_command_options o = {.requests = 1000000, .stride = 4096, .seed = 1};
  const struct cli_option options[] = {
    {"--generate", CLI_TEXT, &o.generate, "PATTERN",
     "generate requests: rand1..3 (random addresses, each requested 1 to 3 times), bank1..3 (the same in one bank), stream, stride",
     0, 0},
    {"--requests", CLI_NUMBER, &o.requests, "N",
     "number of generated requests, all channels together (default: 1000000)", 1, UINT32_MAX},
    {"--writes", CLI_NUMBER, &o.writes, "PERCENT", "share of generated requests that are writes (default: 0)", 0, 100},
    {"--stride", CLI_NUMBER, &o.stride, "BYTES", "stride of pattern stride, within a channel (default: 4096)", 1,
     UINT32_MAX},
    {"--gap", CLI_NUMBER, &o.gap, "CYCLES",
     "cycles between two requests of a channel (default: 0, as fast as its queue accepts them)", 0, UINT32_MAX},
    {"-c", CLI_TEXT, &o.config.gpu, "GPU", "GPU configuration whose DRAM is used (default: gt200)", 0, 0},
    {"--set", CLI_LIST, &o.config.set, "KEY=VALUE",
     "change one parameter of the GPU configuration (tandem list parameters)", 0, 0},
    {"--timing", CLI_LIST, &o.config.timing, "KEY=CYCLES", "change a DRAM timing, for example tRC=34", 0, 0},
    {"--policy", CLI_TEXT, &o.config.policy, "P",
     "scheduling policy: fifo, bfifo, fr_fcfs, fr_fcfs_plain or most_pending (default: that of the configuration)", 0,
     0},
    {"--queue", CLI_NUMBER, &o.config.queue, "N", "entries of a channel's queue (default: that of the configuration)",
     1, 1024},
    {"--chips", CLI_NUMBER, &o.config.chips, "N", "GDDR3 chips per channel: 1, 2, 4 or 8", 1, 8},
    {"--seed", CLI_NUMBER, &o.seed, "N", "seed of the generator (default: 1)", 0, UINT32_MAX},
    {"--no-check", CLI_FLAG, &o.no_check, NULL, "do not verify every command against every timing", 0, 0},
    {"--plot", CLI_TEXT, &o.plot, "FILE", "draw the use of the data bus over time to FILE (.svg or .png)", 0, 0},
    {"--json", CLI_FLAG, &o.json, NULL, "print a JSON object", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "dram",
    .brief =
      "Simulates the DRAM of a GPU configuration alone. A trace is CSV: the header names the columns (address; optionally kind, R\n"
      "or W, cycle, core, cta), and each line is one request, in order of arrival. The requests.csv of a run is such a trace.",
    .usage = "TRACE.csv | --generate PATTERN [options]",
    .example = "tandem dram --generate rand2 --chips 2 --json",
    .options = options,
    .positional_max = 1};
  struct err e = {0};
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, &o.trace, &n, &help, &e);
  if (help) return 0;
  if (!status) status = answer(&o, &e);
  return status ? cli_fail("dram", &e) : 0;
}
