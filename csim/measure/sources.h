/* SPDX-License-Identifier: Apache-2.0 */
/* What figures come from: runs of the simulator, other commands that print JSON, syntheses of blocks. They are named in
 * configs/experiments/NAME.yaml and configs/claims/SYSTEM.yaml:
 *
 *   runs:     {"{kernel}_base": "{kernel.workload}:{kernel.size},version=baseline -c gtx480"}   arguments of tandem run
 *   commands: {"model_{app}": "dram-model {run:{app}_base}/requests.csv --json"}    {run:NAME} is the folder of a run
 *   designs:  {agen: d2ma_agen SEG=128 scale=45 power=RUN:INSTANCE}
 *   off:      {" --system d2ma": ""}    what is replaced in the arguments of runs to switch the system off
 *
 * A name with lists in braces (measure/lists.h) stands for one source an item. A run may be {full: ..., quick: ...}, of which
 * the quick form leaves out what it has no text for. Sources are kept, by what they depend on, and done once. */
#ifndef TANDEM_MEASURE_SOURCES_H
#define TANDEM_MEASURE_SOURCES_H

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
  char stale[256];     /* a design: why its figures prove nothing, and the mend; "": they do */
};

struct sources_options {
  const char *out_dir; /* where runs are kept */
  unsigned seeds;      /* netlists of a design's band */
  bool progress;       /* lines on stderr */
  bool off;            /* runs with the system switched off */
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
};

void sources_init(struct sources *, const char *config_dir, bool quick);
void sources_close(struct sources *);
/* Opens a file and reads its lists, runs, commands and designs; *tree lives as long as the sources. */
int sources_read(struct sources *, const char *path, const struct yaml_tree **tree, struct err *);
struct source *sources_find(const struct sources *, const char *name, size_t length);
/* Visits every source that an expression (unfolded) names. Errors: a name that is none; what `visit` returns. */
typedef int sources_visit(void *context, struct source *, struct err *);
int sources_each(const struct sources *, const char *expression, const char *place, sources_visit *, void *context,
                 struct err *);
/* Marks those, and what they need themselves. `full_only`: one of them is not in the quick form; nothing is marked. */
int sources_need(struct sources *, const char *expression, const char *place, bool *full_only, struct err *);
/* Marks the runs that a text names by {run:NAME}. */
int sources_need_text(struct sources *, const char *text, const char *place, struct err *);
/* Arguments of a command or picture with the folders of runs, and of `out` for {out}, in the place of braces. */
int sources_arguments(const struct sources *, const struct sources_options *, const struct bindings *, const char *text,
                      const char *place, const char *out_folder, char *out, size_t size, struct err *);
/* The folder of a run or a command. */
void source_folder(const struct sources_options *, const struct source *, char *out, size_t size);

/* ---- runs.c, designs.c ---- */

int sources_do_runs(struct sources *, const struct sources_options *, enum source_kind, struct err *);
int sources_do_designs(struct sources *, const struct sources_options *, struct err *);
/* Arguments of a run as they are done: with `off`, those of the system replaced. */
int source_run_arguments(const struct sources *, const struct sources_options *, const struct source *, char *out,
                         size_t size, struct err *);
int design_figure(const struct source *, const char *key, struct figure *, struct err *);

/* ---- figures.c ---- */

/* Does what is needed and not kept from before. */
int sources_do(struct sources *, const struct sources_options *, struct err *);
/* The figure at a dotted path: a number of a run's statistics, of a command's output, of a design's synthesis. */
int source_figure(const struct source *, const char *dotted, struct figure *, struct err *);
struct json_t *sources_json(const struct sources *, const struct sources_options *); /* of those needed; the caller's */

#endif
