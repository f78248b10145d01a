/* SPDX-License-Identifier: Apache-2.0 */
/* tandem.yaml: settings of a run in a file of the current folder, or in the one that TANDEM_FILE names. Its keys are the names of the
 * TANDEM_ variables in small letters and the options of `tandem run`. The environment goes before the file. */
#ifndef TANDEM_RUN_SESSION_FILE_H
#define TANDEM_RUN_SESSION_FILE_H

#include "base/yaml_tree.h"

struct err;

/* What a variable is about. Those of a place or a call are set by the environment only. */
enum session_scope {
  SESSION_RUN,   /* describes the run */
  SESSION_PLACE, /* where files are, and what a terminal shows */
  SESSION_CALL,  /* what one command tells the process that it starts */
  SESSION_TEST   /* what tests ask of any run */
};

/* A TANDEM_ variable; tables of them end with a NULL name. */
struct session_variable {
  const char *name, *sentence;
  enum session_scope scope;
};

enum { SESSION_FILE_VALUES = 64 };

/* A value for each row of the table, as the environment would have it. */
struct session_file {
  const struct session_variable *variables;
  char *value[SESSION_FILE_VALUES];                  /* NULL: the file does not say */
  char place[SESSION_FILE_VALUES][YAML_PLACE_BYTES]; /* "file:line: key" */
};

/* Reads the file if there is one; TANDEM_FILE=none: there is none. Errors name file, line and key. */
int session_file_read(struct session_file *, const struct session_variable *, struct err *);
void session_file_clear(struct session_file *);
/* What the environment says, else the file; NULL: nothing, or an empty text. */
const char *session_file_value(const struct session_file *, const char *variable);
/* Who says it, for messages: `otherwise`, or the place in the file. */
const char *session_file_origin(const struct session_file *, const char *variable, const char *otherwise);

#endif
