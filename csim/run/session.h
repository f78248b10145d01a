/* SPDX-License-Identifier: Apache-2.0 */
/* What a run is: GPU configuration, system, engines, wave window, output folder. A program that uses the driver API reads it from
 * environment variables. `tandem run` sets these from its options, so both ways run the same code. */
#ifndef TANDEM_RUN_SESSION_H
#define TANDEM_RUN_SESSION_H

#include "config/gpu_config.h"
#include "core/system.h"
#include "dpi.h"
#include "run/progress.h"
#include "run/session_file.h"

/* X(NAME, SCOPE, "sentence"): environment variable TANDEM_<NAME>; SCOPE: SESSION_<SCOPE> of session_file.h */
/* clang-format off */
#define SESSION_VARIABLES(X) \
  X(MACHINE, RUN, "GPU configuration: a name in configs/gpu, or a YAML file (default: gtx480)") \
  X(SET, RUN, "key=value settings that change the GPU configuration, separated by spaces") \
  X(SYSTEM, RUN, "proposal to switch on (default: none)") \
  X(PLUGIN, RUN, "shared object with a proposal of your own (csim/core/tandem.h)") \
  X(ENGINE, RUN, "PATTERN=c|rtl|lockstep rules, separated by spaces; the last match wins") \
  X(MANIFEST, RUN, "manifest of your own blocks, for TANDEM_REPLACE") \
  X(REPLACE, RUN, "PATTERN=BLOCK rules, separated by spaces: a block of TANDEM_MANIFEST takes the place of these instances") \
  X(WAVE, RUN, "write waves for core cycles FROM:TO, or for 'all'") \
  X(RECORD, RUN, "instance patterns or blocks that run in lockstep and whose inputs are kept, or 'all' that run in lockstep anyway") \
  X(RECORD_WINDOW, RUN, "record only core cycles FROM:TO (default: the whole run)") \
  X(EVENTS, RUN, "1 or csv: keep events.csv, which says when each CTA copied tiles, computed and waited at barriers; sqlite: events.db, too, with waits, lookups, fills and grants; perfetto: perfetto.json, too, a timeline; konata:SM: konata.smSM.log, too, the pipeline of one SM; several with commas") \
  X(SAMPLE, RUN, "keep samples.csv and samples.sm.csv: every counter, each so many core cycles of a launch") \
  X(LINES, RUN, "1: keep lines.csv: where cycles went, by line of PTX") \
  X(KERNELS, RUN, "1: keep kernels.csv: what each launch counted, as ncu --csv prints it (tandem correlate)") \
  X(HISTOGRAMS, RUN, "1: keep histograms.csv: how often each latency occurred, by level of the memory system") \
  X(TRACE, RUN, "keep the memory traffic of these levels, with commas: l1, noc, l2, dram, or all") \
  X(TRACE_DRAM, RUN, "keep the requests that reach DRAM: full (requests.csv), short (requests.mcN.csv of each channel) or all (both)") \
  X(CAPTURE, CALL, "folder that gets each launch and its PTX (tandem analyse sets it); no kernel runs then") \
  X(DECISIONS, CALL, "file that gets what the proposal's driver decides for each launch, a line of JSON each (tandem ldesc sets it)") \
  X(DETAIL, RUN, "launches that are simulated in detail, the others functionally: KERNEL or KERNEL:N (its launch N, from 0), profiler (between cuProfilerStart and cuProfilerStop), none; separated by spaces (default: all)") \
  X(SEED, RUN, "seed of the simulator's random numbers (default: 1)") \
  X(THREADS, RUN, "host threads that simulate SMs side by side (default: 1); results do not depend on the number") \
  X(COUPLED, RUN, "1: the RTL of lockstep runs in each cycle together with the C model, instead of following it") \
  X(CHECK_THREADS, RUN, "host threads in which the RTL of lockstep follows (0: that of the run; default: 1 where there is a second processor)") \
  X(RECORDER, RUN, "0: no flight recorder of what runs in lockstep (default: 1, in the output folder)") \
  X(PROFILE, RUN, "1: look where host time goes, into run.json (tandem run --profile)") \
  X(RTL_COVERAGE, RUN, "1: count which lines and toggles of the RTL the run reaches, into coverage.json (docs/coverage.md); no snapshots and no flight recorder then") \
  X(SNAPSHOT, RUN, "core cycles between two snapshots of a run in lockstep, from which the wave of a divergence is made (default: 100000, and none that would take more than 2 % of the time; 0: none)") \
  X(AGAIN, CALL, "socket on which a run is told which part of another one it repeats with waves; a run in lockstep that diverges sets it") \
  X(NO_SKIP, RUN, "1: execute every cycle, including those in which nothing can happen") \
  X(CHECK_DRAM, TEST, "1: verify every DRAM command against the timings and abort at the first illegal one (all tests set it)") \
  X(PROGRESS, PLACE, "1: show the progress of launches on standard error; 0: neither that nor that a block is verilated (default: launches only on a terminal)") \
  X(FILE, CALL, "YAML file of settings, in which these variables have small letters and no TANDEM_ (default: tandem.yaml in the current folder, if it exists; none: no file); the environment goes before it") \
  X(OUT, RUN, "output folder for run.json, waves and divergence pages (default: nothing is written)") \
  X(BUG, TEST, "BLOCK:NAME of a bug to plant in the RTL, for tests of the checks") \
  X(WORKLOAD, CALL, "name and arguments of the workload, as run.json shall state them") \
  X(DATA_DIR, PLACE, "folder of the files that come with Tandem (default: share/tandem beside the program's folder)") \
  X(CONFIG_DIR, PLACE, "folder of the configuration files (default: configs in the former)") \
  X(WORKLOAD_DIR, PLACE, "folder of the workload programs, for tandem run (default: lib/tandem/workloads)") \
  X(LOG, PLACE, "file to which every command and tool that is started is added, with its time (tandem --log FILE COMMAND sets it)") \
  X(YOSYS, PLACE, "folder in which npm installed @yowasp/yosys, for SystemVerilog that Yosys cannot read (docs/own-blocks.md)") \
  X(CACHE, PLACE, "folder in which Verilated blocks and netlists are kept (default: the build folder; when installed, ~/.cache/tandem)")
/* clang-format on */

enum {
  SESSION_RULES_MAX = 64,
  SESSION_TEXT_BYTES = 1024,
  SESSION_THREADS_MAX = 64,
  SESSION_RECORDS_MAX = 16,
  SESSION_DETAILS_MAX = 16,
  SESSION_SNAPSHOT = 100000
};

/* Bit set: which traces of memory traffic are kept (run_trace.h for DRAM: full, short; run_access.h above it). */
enum session_trace { TRACE_NONE = 0, TRACE_FULL = 1, TRACE_SHORT = 2, TRACE_L1 = 4, TRACE_NOC = 8, TRACE_L2 = 16 };

/* Bit set: which events are kept, beside events.csv. */
enum session_events { EVENTS_NONE = 0, EVENTS_CSV = 1, EVENTS_SQLITE = 2, EVENTS_PERFETTO = 4, EVENTS_KONATA = 8 };

/* Launches that are simulated in detail. */
struct detail_rule {
  char kernel[128]; /* a glob over the kernel's name, with and without mangling */
  int64_t launch;   /* only this one of those that match, from 0; -1: each of them */
};

struct session {
  const struct session_file *file; /* while the settings are read */
  struct gpu_config config;
  char config_name[SESSION_TEXT_BYTES];
  const struct system_ops *system; /* or NULL */
  struct engine_rule rules[SESSION_RULES_MAX];
  uint32_t n_rules;
  bool wave;
  uint64_t wave_from, wave_to;
  struct record_rule records[SESSION_RECORDS_MAX];
  uint32_t n_records;
  struct replace_rule replaces[SESSION_RECORDS_MAX];
  uint32_t n_replaces;
  struct detail_rule details[SESSION_DETAILS_MAX];
  uint32_t n_details;
  bool functional;                 /* only what `details` and `detail_profiler` say is simulated in detail */
  bool detail_profiler;            /* launches between cuProfilerStart and cuProfilerStop */
  uint64_t record_from, record_to; /* to 0: the end of the run */
  uint32_t seed, threads, check_threads;
  bool coupled;
  uint32_t snapshot;  /* core cycles; 0: none */
  uint32_t again;     /* socket, of a run that repeats another one (run/snapshots.h); 0: it does not */
  uint32_t sample;    /* core cycles; 0: none */
  unsigned events;    /* enum session_events */
  uint32_t konata_sm; /* of EVENTS_KONATA */
  bool skip, check_dram, histograms, lines, kernels, recorder, rtl_coverage, profile;
  enum progress_mode progress;
  unsigned trace;                                                /* enum session_trace */
  char out_dir[SESSION_TEXT_BYTES];                              /* "": nothing is written */
  char capture[SESSION_TEXT_BYTES];                              /* "": launches run (run/launch_capture.h) */
  char decisions[SESSION_TEXT_BYTES];                            /* "": nobody asks for them (systems/driver.h) */
  char plugin[SESSION_TEXT_BYTES], manifest[SESSION_TEXT_BYTES]; /* the user's own, absolute; "": none */
  char workload[SESSION_TEXT_BYTES];
  char bug_block[64], bug_rtl[SESSION_TEXT_BYTES];
  uint32_t bug;
};

/* The table of variables. */
extern const struct session_variable session_variables[];

/* Reads the environment. An unknown TANDEM_ variable is an error, as is a bad value; errors name the variable or the option of
 * `tandem run` that sets it. */
int session_from_environment(struct session *, struct err *);
/* Whether something may run in lockstep whose divergence a snapshot can show: in a run that has an output folder and no wave. */
bool session_has_snapshots(const struct session *);
/* The folder of the configurations. */
const char *session_config_dir(void);

#endif
