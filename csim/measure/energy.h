/* SPDX-License-Identifier: Apache-2.0 */
/* Energy of a run by what it counted: configs/energy.yaml says what an event costs, and gives the source of each figure. The statistics know
 * nothing of it. */
#ifndef TANDEM_MEASURE_ENERGY_H
#define TANDEM_MEASURE_ENERGY_H

#include "base/yaml_tree.h"

#include <stdbool.h>
#include <stdio.h>

enum { ENERGY_ENTRIES_MAX = 64 };
enum energy_end { ENERGY_MIDDLE, ENERGY_LOW, ENERGY_HIGH, ENERGY_ENDS }; /* of all bands at once */

/* What an event of one kind costs, in pJ. */
struct energy_entry {
  const char *part, *name;
  const char *events; /* an expression over the statistics of a run and its settings */
  const char *source;
  const char *system; /* the proposal whose counters it takes, or NULL */
  double pj[ENERGY_ENDS];
  char place[YAML_PLACE_BYTES]; /* file:line */
};

struct energy {
  struct yaml_tree *tree;
  struct energy_entry entry[ENERGY_ENTRIES_MAX];
  unsigned n;
};

struct err;
struct json_t;
/* Errors: ERR_FILE, ERR_SYNTAX with file:line: an unknown key, no source, a band that does not hold its middle. */
int energy_open(struct energy *, const char *path, struct err *);
void energy_close(struct energy *);

/* Energy in nJ of one entry of a run (run.json). Errors: ERR_VALUE: the run has no such number. */
int energy_of_entry(const struct energy_entry *, const struct json_t *run, enum energy_end, double *nj, struct err *);
/* Of an entry ("core.l1"), a part ("core"), or of all (""). Errors: there is none, as above. */
int energy_of(const struct energy *, const struct json_t *run, const char *what, enum energy_end, double *nj,
              struct err *);

/* A table by part and entry; entries without events are left out. */
int energy_print(const struct energy *, const struct json_t *run, FILE *, struct err *);
int energy_print_json(const struct energy *, const struct json_t *run, FILE *, struct err *);

#endif
