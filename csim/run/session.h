/* SPDX-License-Identifier: Apache-2.0 */
/* What a run is: GPU configuration, system, engines, wave window, output folder. A program that uses the driver API gets it from
 * environment variables, which `tandem run` sets from its options; so both ways run the same code. */
#ifndef TANDEM_RUN_SESSION_H
#define TANDEM_RUN_SESSION_H

#include "config/gpu_config.h"
#include "core/system.h"
#include "dpi.h"
#include "run/progress.h"

/* X(NAME, "sentence"): environment variable TANDEM_<NAME> */
/* clang-format off */
#define SESSION_VARIABLES(X) \
  X(MACHINE, "machine: a name in configs/gpu, or a YAML file (gtx480)") \
  X(SET, "key=value settings over the machine, separated by spaces") \
  X(SYSTEM, "system to switch on (none)") \
  X(ENGINE, "PATTERN=c|rtl|lockstep rules, separated by spaces; the last match wins") \
  X(WAVE, "FROM:TO core cycles of waves, or 'all'") \
  X(RECORD, "instance patterns or blocks whose stimuli are kept (in lockstep), or 'all' that run in lockstep") \
  X(RECORD_WINDOW, "FROM:TO core cycles of those (the whole run)") \
  X(EVENTS, "1: keep events.csv, when each CTA copied tiles, computed and waited at barriers") \
  X(TRACE_DRAM, "full, short or all: keep the requests that reach DRAM as requests.csv, as requests.mcN.csv of each channel, or both") \
  X(SEED, "seed (1)") \
  X(THREADS, "host threads that simulate SMs side by side (1); results do not depend on it") \
  X(NO_SKIP, "1: execute every cycle, also those in which nothing can happen") \
  X(CHECK_DRAM, "1: every DRAM command is held against the timings; the first illegal one aborts (all tests set it)") \
  X(PROGRESS, "1: show the progress of launches on standard error, 0: never; else only on a terminal") \
  X(OUT, "output folder for run.json, waves, divergence pages; none: nothing is written") \
  X(BUG, "BLOCK:NAME of a planted bug in the RTL, for tests of the checks") \
  X(WORKLOAD, "name and arguments of the workload, for run.json") \
  X(CONFIG_DIR, "folder of the configurations") \
  X(WORKLOAD_DIR, "folder of the workloads' programs, for tandem run") \
  X(CACHE, "folder of the Verilated models")
/* clang-format on */

enum { SESSION_RULES_MAX = 64, SESSION_TEXT_BYTES = 1024, SESSION_THREADS_MAX = 64, SESSION_RECORDS_MAX = 16 };

/* Bit set: which files of the requests that reach DRAM are kept (run_trace.h). */
enum session_trace { TRACE_NONE = 0, TRACE_FULL = 1, TRACE_SHORT = 2 };

struct session {
  struct gpu_config config;
  char config_name[SESSION_TEXT_BYTES];
  const struct system_ops *system; /* or NULL */
  struct engine_rule rules[SESSION_RULES_MAX];
  uint32_t n_rules;
  bool wave;
  uint64_t wave_from, wave_to;
  struct record_rule records[SESSION_RECORDS_MAX];
  uint32_t n_records;
  uint64_t record_from, record_to; /* to 0: the end of the run */
  uint32_t seed, threads;
  bool skip, check_dram, events;
  enum progress_mode progress;
  unsigned trace;                   /* enum session_trace */
  char out_dir[SESSION_TEXT_BYTES]; /* "": nothing is written */
  char workload[SESSION_TEXT_BYTES];
  char bug_block[64], bug_rtl[SESSION_TEXT_BYTES];
  uint32_t bug;
};

/* The table as text, for listings; a NULL name ends it. */
struct session_variable {
  const char *name, *sentence;
};
extern const struct session_variable session_variables[];

/* Reads the environment. A TANDEM_ variable that is not in the table is an error, as are bad values. Errors name the variable (or, when `tandem run` set it, its option). */
int session_from_environment(struct session *, struct err *);
/* The folder of the configurations. */
const char *session_config_dir(void);

#endif
