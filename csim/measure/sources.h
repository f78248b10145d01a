/* SPDX-License-Identifier: Apache-2.0 */
/* The sources of figures: runs of the simulator, other commands that print JSON, syntheses of blocks. They are defined in
 * configs/experiments/NAME.yaml and configs/claims/SYSTEM.yaml:
 *
 *   runs:     {"{kernel}_base": "{kernel.workload}:{kernel.size},version=baseline -c gtx480"}   arguments of tandem run
 *   commands: {"model_{app}": "dram-model {run:{app}_base}/requests.csv --json"}    {run:NAME} is the folder of a run
 *   designs:  {agen: d2ma_agen SEG=128 scale=45 power=RUN:INSTANCE}
 *   off:      {" --system d2ma": ""}    replacements in the arguments of runs that switch the proposal off
 *
 * A name with lists in braces (measure/lists.h) stands for one source for each item. A run may be {full: ..., quick: ...,
 * universe: ...}; without `quick` it is left out of the quick form. A source is done once, and its result kept by a hash of
 * what it depends on. */
#ifndef TANDEM_MEASURE_SOURCES_H
#define TANDEM_MEASURE_SOURCES_H

#include "measure/energy.h"
#include "measure/expression.h"
#include "measure/lists.h"

#include <stdio.h>

struct json_t;

enum source_kind { SOURCE_RUN, SOURCE_COMMAND, SOURCE_DESIGN, SOURCE_KINDS };
extern const char *const source_kind_names[SOURCE_KINDS];

enum { SOURCES_PATH_BYTES = 1024, SOURCES_FILES_MAX = 16 };

struct source {
  char *name, *arguments; /* expanded, but for {run:NAME} */
  enum source_kind kind;
  char place[YAML_PLACE_BYTES]; /* file:line */
  unsigned file;                /* number of the file that it is named in, in the order of reading */
  bool full_only;               /* not in the quick form */
  bool needed;
  char id[20];         /* hash of all it depends on */
  struct json_t *json; /* a run: run.json; a command: what it printed; a design: the synthesis' result */
  char stale[256];     /* of a design: why its figures are stale, and the mend; "": they are not */
};

/* A change of the arguments of sources: `with` in place of `what`. Without `what`, `with` are settings of the GPU configuration
 * ("sm.ctas=6 l1.mshrs=64"), which runs get; those of their own arguments win. */
struct source_change {
  const char *what, *with;
  const char *only; /* globs over the names of sources, separated by spaces; NULL: all */
};

struct emission;

struct sources_options {
  const char *out_dir; /* where runs are kept */
  unsigned seeds;      /* netlists of a design's band */
  bool progress;       /* lines on stderr */
  bool off;            /* runs have the proposal switched off */
  unsigned jobs;       /* runs at a time; 0: one for each processor */
  const struct source_change *changes;
  unsigned n_changes;
  struct emission
    *emission; /* runs are added to it instead of being executed (measure/emission.h); NULL: they are executed */
};

struct sources {
  struct lists lists;
  struct source *list;
  unsigned n, capacity;
  struct yaml_tree *tree[SOURCES_FILES_MAX];
  char path[SOURCES_FILES_MAX][SOURCES_PATH_BYTES];
  yaml_at off[SOURCES_FILES_MAX]; /* of each file */
  unsigned n_files;
  char config_dir[SOURCES_PATH_BYTES];
  struct energy energy; /* config_dir/energy.yaml, once sources_do() was called */
};

void sources_init(struct sources *, const char *config_dir, enum form);
/* Forgets which sources are needed, and their results. */
void sources_forget(struct sources *);
void sources_close(struct sources *);
/* Opens a file and reads its lists, runs, commands and designs; *tree lives as long as the sources. */
int sources_read(struct sources *, const char *path, const struct yaml_tree **tree, struct err *);
struct source *sources_find(const struct sources *, const char *name, size_t length);
/* Visits every source that an expanded expression names. Errors: an unknown name; those of `visit`. */
typedef int sources_visit(void *context, struct source *, struct err *);
int sources_each(const struct sources *, const char *expression, const char *place, sources_visit *, void *context,
                 struct err *);
/* Marks those sources and their own sources as needed, unless one is not in the quick form (*full_only). */
int sources_need(struct sources *, const char *expression, const char *place, bool *full_only, struct err *);
/* Marks the runs that a text names by {run:NAME}. */
int sources_need_text(struct sources *, const char *text, const char *place, struct err *);
/* Expands the arguments of a command or plot: {run:NAME} is the folder of a run, {out} is `out_folder`. */
int sources_arguments(const struct sources *, const struct sources_options *, const struct bindings *, const char *text,
                      const char *place, const char *out_folder, char *out, size_t size, struct err *);
/* The folder of a run or a command. */
void source_folder(const struct sources_options *, const struct source *, char *out, size_t size);

/* ---- changes.c, runs.c, designs.c ---- */

/* The arguments of a source with what the options change: `off`, and the changes; {run:NAME} stays as it is. Errors: no room. */
int source_arguments(const struct sources *, const struct sources_options *, const struct source *, char *out,
                     size_t size, struct err *);
/* Whether changes alter what a source is given, or a run that a command uses. Not the run in which a design's power is
 * measured: that takes minutes, and power stays that of the run as it is written. */
bool source_changed(const struct sources *, const struct sources_options *, const struct source *);

int sources_do_runs(struct sources *, const struct sources_options *, enum source_kind, struct err *);
int sources_do_designs(struct sources *, const struct sources_options *, struct err *);
int design_figure(const struct source *, const char *key, struct figure *, struct err *);

/* ---- figures.c ---- */

/* Does what is needed and not kept from before. */
int sources_do(struct sources *, const struct sources_options *, struct err *);
/* The figure at a dotted path: a number of a run's statistics, of a command's output, of a design's synthesis; of a run also energy,
 * energy.PART and energy.PART.ENTRY in nJ (measure/energy.h), and energy_low..., energy_high... with the ends of all bands. */
int source_figure(const struct sources *, const struct source *, const char *dotted, struct figure *, struct err *);
bool source_passed(const struct json_t *run); /* a run.json, or NULL: whether its verdict is that the run passed */
struct json_t *sources_json(const struct sources *, const struct sources_options *); /* of those needed; the caller's */

#endif
