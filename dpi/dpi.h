/* SPDX-License-Identifier: Apache-2.0 */
/* The co-simulation runtime: makes block instances with the engine that the rules ask for, joins Verilated RTL to the C
 * model, compares them, records stimuli, reports the first divergence, writes waves. One runtime a process: DPI calls
 * carry an index and no context. */
#ifndef TANDEM_DPI_DPI_H
#define TANDEM_DPI_DPI_H

#include "base/err.h"
#include "block/block.h"
#include "block/probe.h"

#include <stdio.h>

enum { CHECK_THREADS_MAX = 64 };

/* "PATTERN=c|rtl|lockstep": a glob over instance paths (sm*.d2ma.agen) or a block's name. The last match wins. */
struct engine_rule {
  char pattern[128];
  enum block_engine engine;
};
/* Parses one rule; errors name `origin` (e.g. "--engine"). */
int engine_rule_parse(const char *origin, const char *text, struct engine_rule *, struct err *);

/* A glob over instance paths, or a block's name. */
struct record_rule {
  char pattern[128];
};
#define RECORD_ALL "all" /* every instance that runs in lockstep */

/* "PATTERN=BLOCK": a block of the user's manifest takes the place of the instances that match (a glob, or a block's name). */
struct replace_rule {
  char pattern[128];
  const struct block_desc *block;
  bool used;
};
/* Parses one rule; errors name `origin`. The manifest has been opened (own_blocks.h). */
int replace_rule_parse(const char *origin, const char *text, struct replace_rule *, struct err *);

struct dpi_config {
  const struct engine_rule *rules; /* an instance that no rule matches has the engine c */
  uint32_t n_rules;
  bool skip;            /* idle instance-cycles are skipped */
  uint32_t seed;        /* initial values of registers (rand_reset) */
  int rand_reset;       /* 0 production, 2 random */
  uint32_t state_every; /* executed cycles between two comparisons of all registers under lockstep; 0: 1024 */
  const char *out_dir;  /* where divergence reports and waves go; NULL: nowhere */
  bool coverage;        /* lines and toggles of the RTL are counted (dpi_coverage()); not with waves */
  bool probes;          /* probes are made also without a wave, for dpi_watch_from_here() */
  bool decoupled; /* the RTL of lockstep follows the run (dpi_hand_over()), unless a wave or a recording is wanted */
  uint32_t check_threads; /* threads in which it does, at most CHECK_THREADS_MAX; 0: that of the run */
  bool activity;          /* dpi_spans() says when instances executed cycles */
  bool recorder;          /* with out_dir: the flight recorder (flight.h) keeps what runs in lockstep there */
  /* waves: shadow every instance in RTL (unless a rule decides otherwise) and keep the window [from, to) of core cycles */
  bool wave;
  uint64_t wave_from, wave_to;
  uint64_t tick_hz; /* ticks a second of the clock that wave times are given in; 0: 1 GHz */
  /* instances whose inputs are recorded in the window [from, to) of their clock's cycles; if no engine rule names them, they run
   * in lockstep */
  const struct record_rule *records;
  uint32_t n_records;
  const struct replace_rule *replaces; /* the last match wins */
  uint32_t n_replaces;
  uint64_t record_from, record_to; /* to 0: the end of the run */
  const char *record_workload;     /* for the files' headers, as is */
  uint32_t record_khz;             /* the clock of the instances */
  /* planted bug in the RTL of one block: for tests of the checks themselves */
  const char *bug_block;
  uint32_t bug;        /* 1.. in manifest order; 0: none */
  const char *bug_rtl; /* RTL file with all bugs behind tandem_bug_i */
};

struct dpi;

/* At most one runtime exists at a time; ERR_INTERNAL otherwise. */
int dpi_create(const struct dpi_config *, struct dpi **, struct err *);
void dpi_destroy(struct dpi *);
struct block_factory *dpi_factory(struct dpi *);
struct probe_sink *dpi_probes(struct dpi *); /* NULL without waves */
/* Decoupled lockstep: what was executed since the last call goes to the checkers, after what they still had. A divergence raises the stop
 * flag in one of the next calls. Call it between two ticks, every few thousand cycles: until then the cycles are in memory. */
void dpi_hand_over(struct dpi *);
bool dpi_follows(const struct dpi *); /* whether there is decoupled lockstep */
/* check_threads where nobody says: 1 if the host has a processor besides `threads`, else 0. */
uint32_t dpi_spare_threads(uint32_t threads);
/* The same, and waits: a divergence in what was executed is known. */
void dpi_drain(struct dpi *);
/* The clocks whose cycle counters the instances have: order divergences in different domains. NULL: all are of one domain. */
struct clocks;
void dpi_set_clocks(struct dpi *, const struct clocks *);
uint64_t dpi_divergence_tick(const struct dpi *); /* of the clocks' ticks; without clocks, the cycle */
/* Called after each executed core cycle while waves are on; knows the window. */
void dpi_wave_cycle(struct dpi *, uint64_t tick, uint64_t core_cycle);
int dpi_wave_finish(struct dpi *, struct err *); /* closes wave.fst, writes wave.gtkw */
const bool *dpi_stop_flag(const struct dpi *);   /* true after the first divergence */

/* The first divergence, or NULL. */
struct divergence {
  const char *path, *block;
  const char *what; /* port or register name */
  bool is_register;
  uint32_t row; /* of a register with rows */
  uint32_t width;
  uint64_t cycle;                    /* of the block's clock domain */
  uint64_t executed;                 /* executed cycles of the instance before this one */
  uint32_t expected[64], actual[64]; /* C model, RTL; words of the value */
  const char *also;                  /* further differing ports of the same cycle, comma-separated */
};
const struct divergence *dpi_divergence(const struct dpi *);
/* Prints, for a divergence of the instance `path` in a cycle of its clock, what the instance worked for, a line each; or nothing. */
typedef void dpi_work_fn(void *context, const char *path, uint64_t cycle, FILE *);
void dpi_set_work(struct dpi *, dpi_work_fn *, void *context);
/* Writes divergence.txt, divergence.json, stimulus.csv into out_dir, then the window's wave (by replaying the stimulus).
 * Prints the page on `to` as well. */
int dpi_report_divergence(struct dpi *, FILE *to, struct err *);
/* Processor time that it took, Yosys' included: until the page was printed, and after it. */
void dpi_report_seconds(const struct dpi *, double *page, double *wave);

/* Writes out_dir/stimulus.INSTANCE.csv for every recorded instance; the run had `cycles` cycles of their clock.
 * ERR_LIMIT: a recording grew too long. */
int dpi_write_recordings(struct dpi *, uint64_t cycles, struct err *);
uint32_t dpi_recordings(const struct dpi *, const char *pattern); /* instances recorded that match */

/* For a copy of the process that runs on by itself: no recorder any more; the wave of core cycles [from, to) goes to `dir`. */
void dpi_watch_from_here(struct dpi *, const char *dir, uint64_t from, uint64_t to);
void dpi_mark(struct dpi *, uint64_t tick); /* of the wave's marker */
/* Of the registers of every C model that runs. */
uint64_t dpi_digest(const struct dpi *);
/* After the report of a divergence: how many core cycles before the report, which was in core cycle `report`, its cause lies. */
uint64_t dpi_cause_distance(const struct dpi *, uint64_t report);
bool dpi_has_flight(const struct dpi *); /* whether the flight recorder runs */

/* Ends the counting of lines and toggles, and returns the counts by file as coverage.json has them (key `rtl`); the caller frees it.
 * NULL: nothing was counted. */
struct json_t *dpi_coverage(struct dpi *);
/* The same into `dir`/coverage.json. */
int dpi_write_coverage(struct dpi *, const char *dir, struct err *);

/* Instances, in order of creation (for run.json's `engines`). */
uint32_t dpi_instances(const struct dpi *);
const struct block *dpi_instance(const struct dpi *, uint32_t index);

/* Cycles [begin, end) of the instance's clock that it executed; all others were skipped, or its clock stood. Spans are in order and do not
 * touch. *lost: executed cycles that no span has. None if config.activity is off. */
struct block_span {
  uint64_t begin, end;
};
const struct block_span *dpi_spans(const struct block *, uint32_t *n, uint64_t *lost);

double
dpi_verilating_seconds(const struct dpi *); /* host seconds in which models were verilated, 0 when all were there */
const char *dpi_unused_replace(const struct dpi *); /* pattern of a rule that matched no instance so far, or NULL */

const char *dpi_verilator_version(void); /* the one this program was built with */

#endif
