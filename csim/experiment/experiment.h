/* SPDX-License-Identifier: Apache-2.0 */
/* A paper's evaluation, configs/experiments/NAME.yaml: runs, tables of their figures, plots.
 *
 *   experiment: d2ma
 *   title: Speed-up of D2MA over software buffering
 *   source: Jamshidi 2014, section 5
 *   claims: d2ma          the proposal whose published numbers it measures (configs/claims), if any
 *   lists, runs, commands, designs, off: measure/sources.h
 *   pictures:             commands that draw; {out} is the folder of the experiment
 *     timeline: "timeline {run:saxpy_two} --plot {out}/timeline.svg"
 *   tables:
 *     - id: speedup
 *       title: Speed-up over software buffering
 *       rows: kernel      a list, or several: [kernel, scheme], with a row for each combination
 *       columns:          an expression for each row; `for`: a column for each item of a further list
 *         - {id: speedup, title: speed-up, value: "{kernel}_base.cycles / {kernel}_d2ma.cycles", digits: 3, summary: geomean}
 *         - {for: scheme, id: "ipc_{scheme}", title: "{scheme.label}", value: "..."}
 *       plot: {kind: bars, columns: [speedup], y: speed-up, reference: 1}     kind: bars, stacked, lines (x: COLUMN), boxes
 *       full_only: 1      not in the quick form
 *
 * `summary` (geomean, mean, hmean, max, min, sum) adds a last row. A plot of lines over rows of two lists has a line for each item
 * of the first list; one of boxes has a box for it and each column, over the items of the second list (experiment/quantiles.h). */
#ifndef TANDEM_EXPERIMENT_EXPERIMENT_H
#define TANDEM_EXPERIMENT_EXPERIMENT_H

#include "experiment/table.h"
#include "measure/sources.h"

#include <stdio.h>

struct json_t;

struct picture {
  const char *name, *arguments;
  char place[YAML_PLACE_BYTES];
};

struct experiment {
  char path[SOURCES_PATH_BYTES];
  const char *name, *title, *source, *claims; /* claims may be NULL */
  struct sources sources;
  const struct yaml_tree *tree;
  bool off; /* measured with the proposal switched off */
  struct table *table;
  struct picture *picture;
  unsigned n_tables, n_pictures;
};

/* Reads DIR/experiments/NAME.yaml. Errors name file, line, key and the mend. */
int experiment_open(struct experiment *, const char *config_dir, const char *name, bool quick, struct err *);
/* The same for any file; `name` must be that of its key "experiment". */
int experiment_open_file(struct experiment *, const char *config_dir, const char *path, const char *name, enum form,
                         struct err *);
void experiment_close(struct experiment *);
/* Does the sources whose results are not kept, and computes the tables. */
int experiment_measure(struct experiment *, const struct sources_options *, struct err *);

void experiment_print(const struct experiment *, FILE *);
struct json_t *experiment_json(const struct experiment *, const struct sources_options *); /* the caller's */
/* Draws FOLDER/ID.svg for each table with a plot, and the plots of commands. */
int experiment_draw(const struct experiment *, const struct sources_options *, const char *folder, struct err *);

#endif
