/* SPDX-License-Identifier: Apache-2.0 */
/* A paper's evaluation, configs/experiments/NAME.yaml: runs, tables over them, pictures.
 *
 *   experiment: d2ma
 *   title: Speed-up of D2MA over software buffering
 *   source: Jamshidi 2014, section 5
 *   claims: d2ma          the system whose published numbers it measures (configs/claims), if any
 *   lists, runs, commands, designs, off: measure/sources.h
 *   pictures:             commands that draw; {out} is the folder of the experiment
 *     timeline: "timeline {run:saxpy_two} --plot {out}/timeline.svg"
 *   tables:
 *     - id: speedup
 *       title: Speed-up over software buffering
 *       rows: kernel      a list, or several: [kernel, scheme], a row each combination
 *       columns:          an expression each row; `for`: one column an item of a further list
 *         - {id: speedup, title: speed-up, value: "{kernel}_base.cycles / {kernel}_d2ma.cycles", digits: 3, summary: geomean}
 *         - {for: scheme, id: "ipc_{scheme}", title: "{scheme.label}", value: "..."}
 *       plot: {kind: bars, columns: [speedup], y: speed-up, reference: 1}     kind: bars, stacked, lines (x: COLUMN)
 *       full_only: 1      not in the quick form
 *
 * `summary` (geomean, mean, hmean, max, min, sum) is a last row. Of lines over rows of two lists each item of the first is a
 * line of its own. */
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
  bool off; /* measured with the system switched off */
  struct table *table;
  struct picture *picture;
  unsigned n_tables, n_pictures;
};

/* Reads DIR/experiments/NAME.yaml. Errors name file, line, key and the mend. */
int experiment_open(struct experiment *, const char *config_dir, const char *name, bool quick, struct err *);
void experiment_close(struct experiment *);
/* Does what is not kept from before and computes the tables. */
int experiment_measure(struct experiment *, const struct sources_options *, struct err *);

void experiment_print(const struct experiment *, FILE *);
struct json_t *experiment_json(const struct experiment *, const struct sources_options *); /* the caller's */
/* One picture a table that asks for it, FOLDER/ID.svg, and the pictures that commands draw. */
int experiment_draw(const struct experiment *, const struct sources_options *, const char *folder, struct err *);

#endif
