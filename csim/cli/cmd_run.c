/* SPDX-License-Identifier: Apache-2.0 */
/* tandem run: options become the environment that libcuda.so.1 reads, the workload runs as a separate process, and the
 * verdict is added to its run.json. */
#include "base/err.h"
#include "cli/block_arguments.h"
#include "cli/commands.h"
#include "cli/run_once.h"
#include "cli/run_result.h"
#include "cli/workload_call.h"
#include "run/out_claim.h"
#include "run/out_dir.h"
#include "run/session.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NOT_GIVEN = -1 };
struct options {
  const char *config, *wave, *out, *record_window, *trace, *levels;
  const char *manifest, *plugin;
  struct cli_list set, systems, engines, record, replace, detail;
  int64_t seed, threads, check_threads, sample, snapshot;
  const char *events;
  bool alone, once, no_skip, no_recorder, coupled, profile, histograms, lines, kernels, functional, json, rtl_coverage;
};

/* An option that is given goes before the environment and the file; one that is not leaves them their say. */
static void put_variable(const char *name, const char *value) {
  if (value && *value) setenv(name, value, 1);
}
static void put_flag(const char *name, bool given, const char *value) { put_variable(name, given ? value : NULL); }
static void put_number(const char *name, int64_t value) {
  char text[32];
  snprintf(text, sizeof text, "%lld", (long long)value);
  put_variable(name, value == NOT_GIVEN ? NULL : text);
}

/* Sets the variable to all values of an option, separated by spaces. */
static int put_list(const char *variable, const char *option, const struct cli_list *list, struct err *e) {
  char text[4096] = "";
  size_t n = 0;
  for (unsigned i = 0; i < list->n && n < sizeof text; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i ? " " : "", list->text[i]);
  if (n >= sizeof text)
    return err_set(e, ERR_USAGE, "%s: more than %zu characters in all; put them into a GPU configuration file (-c)",
                   option, sizeof text);
  put_variable(variable, text);
  return 0;
}

/* --options-only: what describes a run comes from the options alone; where files are, and what tests ask for, stays. */
static void leave_environment(void) {
  for (const struct session_variable *v = session_variables; v->name; v++)
    if (v->scope != SESSION_PLACE && v->scope != SESSION_TEST) unsetenv(v->name);
  setenv("TANDEM_FILE", "none", 1);
}

/* What the options say becomes the environment. */
static int put_options(const struct options *o, struct err *e) {
  int status = put_list("TANDEM_SET", "--set", &o->set, e);
  if (!status) status = put_list("TANDEM_ENGINE", "--engine", &o->engines, e);
  if (!status) status = put_list("TANDEM_DETAIL", "--detail", &o->detail, e);
  if (!status && o->functional && o->detail.n)
    status =
      err_set(e, ERR_USAGE, "--functional and --detail=%s contradict each other; write one of them", o->detail.text[0]);
  if (!status) status = put_list("TANDEM_REPLACE", "--replace", &o->replace, e);
  if (!status) status = put_list("TANDEM_RECORD", "--record", &o->record, e);
  if (status) return status;
  put_flag("TANDEM_DETAIL", o->functional, "none");
  put_variable("TANDEM_PLUGIN", o->plugin);
  put_variable("TANDEM_MANIFEST", o->manifest);
  put_variable("TANDEM_RECORD_WINDOW", o->record_window);
  put_variable("TANDEM_MACHINE", o->config);
  put_variable("TANDEM_SYSTEM", o->systems.n ? o->systems.text[0] : NULL);
  put_variable("TANDEM_WAVE", o->wave);
  put_number("TANDEM_SEED", o->seed);
  put_number("TANDEM_THREADS", o->threads);
  put_number("TANDEM_CHECK_THREADS", o->check_threads);
  put_number("TANDEM_SNAPSHOT", o->snapshot);
  put_number("TANDEM_SAMPLE", o->sample);
  put_flag("TANDEM_COUPLED", o->coupled, "1");
  put_flag("TANDEM_NO_SKIP", o->no_skip, "1");
  put_flag("TANDEM_RECORDER", o->no_recorder, "0");
  put_flag("TANDEM_RTL_COVERAGE", o->rtl_coverage, "1");
  put_variable("TANDEM_TRACE_DRAM", o->trace);
  put_variable("TANDEM_TRACE", o->levels);
  put_variable("TANDEM_EVENTS", o->events);
  put_flag("TANDEM_LINES", o->lines, "1");
  put_flag("TANDEM_KERNELS", o->kernels, "1");
  put_flag("TANDEM_PROFILE", o->profile, "1");
  put_flag("TANDEM_HISTOGRAMS", o->histograms, "1");
  unsetenv("TANDEM_CAPTURE"); /* of tandem analyse */
  for (unsigned i = 1; i < o->systems.n; i++)
    if (strcmp(o->systems.text[i], o->systems.text[0]))
      return err_set(e, ERR_USAGE, "--system %s: only one system can be switched on, and %s is", o->systems.text[i],
                     o->systems.text[0]);
  return 0;
}

/* Settings that are needed before the session is read: of option, environment or file; "": nobody says. */
struct early {
  char system[SESSION_TEXT_BYTES], out[SESSION_TEXT_BYTES];
};

static int read_early(struct early *early, struct err *e) {
  struct session_file *file = calloc(1, sizeof *file);
  if (!file) return err_set(e, ERR_LIMIT, "out of memory for the settings");
  int status = session_file_read(file, session_variables, e);
  const char *system = status ? NULL : session_file_value(file, "TANDEM_SYSTEM");
  const char *out = status ? NULL : session_file_value(file, "TANDEM_OUT");
  snprintf(early->system, sizeof early->system, "%s", system ? system : "");
  snprintf(early->out, sizeof early->out, "%s", out ? out : "");
  session_file_clear(file);
  free(file);
  return status;
}

/* Writes the whole description of the run to the environment and reads it back, so that options are checked before anything runs. */
static int export_session(const struct workload_call *w, const char *out, struct session *s, struct err *e) {
  char arguments[1024] = "";
  setenv("TANDEM_OUT", out, 1);
  size_t n = (size_t)snprintf(arguments, sizeof arguments, "%s", w->name);
  for (int i = 1; w->argv[i] && n < sizeof arguments; i++)
    n += (size_t)snprintf(arguments + n, sizeof arguments - n, "%c%s", i == 1 ? ':' : ',', w->argv[i]);
  setenv("TANDEM_WORKLOAD", arguments, 1);
  return session_from_environment(s, e);
}

static int run(const char *const *words, unsigned n, const struct options *o, int *exit_code, struct err *e) {
  struct workload_call w = {0};
  struct session *s = calloc(1, sizeof *s);
  struct early early = {0};
  char out[SESSION_TEXT_BYTES] = "";
  int exit_status = 0;
  bool begun = false, refused = false, there = false;
  if (o->alone) leave_environment();
  int status = s ? put_options(o, e) : err_set(e, ERR_LIMIT, "out of memory");
  if (!status) status = read_early(&early, e);
  if (!status) status = workload_call_parse(&w, words[0], *early.system ? early.system : NULL, e);
  if (!status) status = workload_call_arguments(&w, n - 1, words + 1, e);
  const char *named = o->out ? o->out : early.out, *base = strrchr(w.name, '/');
  if (!status)
    snprintf(out, sizeof out, "%s%s", *named ? named : "tandem-out/", *named ? "" : base ? base + 1 : w.name);
  if (!status) status = export_session(&w, out, s, e);
  if (!status && o->once) status = run_once(out, &there, e);
  if (there) {
    free(s);
    return 0;
  }
  if (!status) {
    begun = true;
    out_dir_remove_results(out);
    out_dir_remove_flight(out);
    out_claim_clear(out);
    status = workload_call_run(&w, o->json ? STDERR_FILENO : STDOUT_FILENO, &exit_status, e);
  }
  const struct run_end end = {.dir = out,
                              .exit_status = exit_status,
                              .own = w.own,
                              .json = o->json,
                              .profile = s && s->profile,
                              .kernels = s && s->kernels};
  if (begun) out_claim_forget(out);
  if (!status) status = run_result_finish(&end, exit_code, &refused, e);
  if (!status && !refused) status = run_result_finish_processes(&end, exit_code, e);
  if (status || refused) { /* no result of a run that was refused or is incomplete; no empty folder */
    if (begun) out_dir_remove_results(out);
    if (begun) out_dir_remove_flight(out);
    if (begun) out_claim_clear(out);
    rmdir(out);
    if (!*named) rmdir("tandem-out");
  } else if (*exit_code) {
    out_dir_remove_recordings(out);
  }
  free(s);
  return status;
}

/* "--wave" without a value means the whole run, "--record" everything that runs in lockstep, "--events" a table. */
static void complete_options(int argc, char **argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    bool last = i + 1 == argc;
    if (!strcmp(argv[i], "--record") && (last || argv[i + 1][0] == '-')) argv[i] = "--record=" RECORD_ALL;
    if (!strcmp(argv[i], "--trace-dram") && (last || argv[i + 1][0] == '-')) argv[i] = "--trace-dram=all";
    if (!strcmp(argv[i], "--wave") && (last || !isdigit((unsigned char)argv[i + 1][0]))) argv[i] = "--wave=all";
    if (!strcmp(argv[i], "--events")) argv[i] = "--events=csv";
  }
}

/* What the command line of this process asks for; the table below names its members. */
static struct options asked = {
  .seed = NOT_GIVEN, .threads = NOT_GIVEN, .check_threads = NOT_GIVEN, .snapshot = NOT_GIVEN, .sample = NOT_GIVEN};

static const struct cli_option run_options[] = {
  {"-c", CLI_TEXT, &asked.config, "GPU", "GPU configuration: a name in configs/gpu, or a YAML file (default: gtx480)",
   0, 0},
  {"--set", CLI_LIST, &asked.set, "KEY=VALUE", "change one parameter of the GPU configuration (tandem list parameters)",
   0, 0},
  {"--system", CLI_LIST, &asked.systems, "PROPOSAL", "switch on a proposal (tandem list systems)", 0, 0},
  {"--plugin", CLI_TEXT, &asked.plugin, "FILE", "load a proposal of your own, a shared object (csim/core/tandem.h)", 0,
   0},
  {"--engine", CLI_LIST, &asked.engines, "PATTERN=E",
   "use engine c, rtl or lockstep for the block instances that match, e.g. 'sm0.d2ma.*=rtl'", 0, 0},
  {"--replace", CLI_LIST, &asked.replace, "PATTERN=BLOCK",
   "put a block of --manifest in the place of these instances, e.g. 'l2.*.amu=my_amu'", 0, 0},
  MANIFEST_OPTION(&asked.manifest),
  {"--wave", CLI_TEXT, &asked.wave, "FROM:TO",
   "write wave.fst and wave.gtkw for core cycles FROM:TO (without a value: the whole run)", 0, 0},
  {"--record", CLI_LIST, &asked.record, "PATTERN",
   "run these instances in lockstep and keep their inputs as OUT/stimulus.INSTANCE.csv (without a value: all in lockstep)",
   0, 0},
  {"--record-window", CLI_TEXT, &asked.record_window, "FROM:TO",
   "record only core cycles FROM:TO (default: the whole run)", 0, 0},
  {"--no-recorder", CLI_FLAG, &asked.no_recorder, NULL,
   "keep no OUT/flight.rec, the last 100,000 cycles of each instance in lockstep (see tandem replay --cycle)", 0, 0},
  {"--rtl-coverage", CLI_FLAG, &asked.rtl_coverage, NULL,
   "count which lines and toggles of the RTL are reached, into OUT/coverage.json (see tandem coverage)", 0, 0},
  {"--snapshot", CLI_NUMBER, &asked.snapshot, "N",
   "in lockstep: copy the process every N core cycles, for OUT/gpu, the wave of a divergence (default: 100000; 0: never)",
   0, UINT32_MAX},
  {"--trace", CLI_TEXT, &asked.levels, "LEVEL,...",
   "keep the memory traffic of these levels as CSV: l1, noc, l2, dram, or all; tandem noc --trace and tandem dram take it back",
   0, 0},
  {"--trace-dram", CLI_TEXT, &asked.trace, "FORM",
   "keep the requests that reach DRAM: full (OUT/requests.csv) or short (OUT/requests.mcN.csv); without a value: both",
   0, 0},
  {"--seed", CLI_NUMBER, &asked.seed, "N", "seed of the simulator's random numbers (default: 1)", 0, UINT32_MAX},
  {"--threads", CLI_NUMBER, &asked.threads, "N", "host threads (default: 1); results do not depend on the number", 1,
   SESSION_THREADS_MAX},
  CHECK_OPTIONS(&asked.coupled, &asked.check_threads),
  {"--no-skip", CLI_FLAG, &asked.no_skip, NULL, "execute every cycle, including those in which nothing can happen", 0,
   0},
  {"--profile", CLI_FLAG, &asked.profile, NULL,
   "print evaluations, skipped cycles and host time of each block, and host time of each part of the simulator", 0, 0},
  {"--events", CLI_TEXT, &asked.events, "KIND",
   "csv, or without a value: keep events.csv, when each CTA copied, computed and waited at barriers (see tandem timeline); "
   "sqlite: events.db, too, with waits, lookups, fills and grants, on one host thread; perfetto: perfetto.json, too, a timeline; "
   "konata:SM: konata.smSM.log, too, the pipeline of one SM; several with commas (docs/events.md)",
   0, 0},
  {"--sample", CLI_NUMBER, &asked.sample, "N",
   "keep samples.csv and samples.sm.csv: every counter of every N core cycles (see tandem report)", 1, UINT32_MAX},
  {"--lines", CLI_FLAG, &asked.lines, NULL,
   "keep lines.csv: where cycles went, by line of PTX (see tandem stalls --lines)", 0, 0},
  {"--detail", CLI_LIST, &asked.detail, "KERNEL[:N]",
   "simulate only this kernel, or its launch N (from 0), in detail and all others functionally; profiler: what runs between "
   "cudaProfilerStart and cudaProfilerStop",
   0, 0},
  {"--functional", CLI_FLAG, &asked.functional, NULL, "simulate nothing in detail: results without cycles", 0, 0},
  {"--kernels", CLI_FLAG, &asked.kernels, NULL,
   "keep kernels.csv and print it by kernel: cycles, traffic and more by the names of Nsight Compute (see tandem correlate)",
   0, 0},
  {"--histograms", CLI_FLAG, &asked.histograms, NULL,
   "keep histograms.csv: how often each latency occurred, at every level of the memory system", 0, 0},
  {"--options-only", CLI_FLAG, &asked.alone, NULL,
   "take nothing from TANDEM_ variables and tandem.yaml (docs/settings.md)", 0, 0},
  {"--once", CLI_FLAG, &asked.once, NULL,
   "do nothing if DIR of --out holds the result of a run that passed; wait for another process that is making it", 0,
   0},
  {"--out", CLI_TEXT, &asked.out, "DIR", "output folder (default: tandem-out/WORKLOAD)", 0, 0},
  {"--json", CLI_FLAG, &asked.json, NULL, "print run.json, and nothing else, on standard output", 0, 0},
  {0}};

int cmd_run(int argc, char **argv) {
  const struct cli_command command = {
    .name = "run",
    .brief =
      "Simulates a workload and checks its result. WORKLOAD may be the path of your own CUDA program, of the runtime or the "
      "driver API; its arguments follow, those with a dash after --.",
    .usage = "WORKLOAD[:key=value,...] [options] [-- ARGUMENT...]",
    .example = "tandem run saxpy:n=65536 --system d2ma --engine 'sm*.d2ma.*=lockstep' --out /tmp/saxpy",
    .options = run_options,
    .positional_min = 1,
    .positional_max = 1 + WORKLOAD_ARGUMENTS_MAX};
  struct err e = {0};
  const char *words[1 + WORKLOAD_ARGUMENTS_MAX];
  unsigned n;
  bool help;
  int exit_code = 0;
  complete_options(argc, argv);
  int status = cli_parse(&command, argc, argv, words, &n, &help, &e);
  if (help) return 0;
  if (!status) status = run(words, n, &asked, &exit_code, &e);
  return status ? cli_fail("run", &e) : exit_code;
}
