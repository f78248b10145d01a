/* SPDX-License-Identifier: Apache-2.0 */
/* Results as JUnit XML, which continuous-integration servers read: one test suite, one test case for each check. */
#ifndef TANDEM_CLI_JUNIT_H
#define TANDEM_CLI_JUNIT_H

#include "base/out_file.h"

#include <stdbool.h>

struct err;

enum junit_result { JUNIT_PASSED, JUNIT_FAILED, JUNIT_SKIPPED };

struct junit {
  struct out_file file; /* f NULL: no report is wanted */
  const char *suite;
  char *text; /* the cases so far */
  size_t bytes;
  FILE *cases;
  unsigned n[3]; /* by result */
  double seconds;
};

/* `path` NULL: nothing is written, and the other calls do nothing. Finds out first whether the file can be written. */
int junit_open(struct junit *, const char *path, const char *suite, struct err *);
/* `message`: the sentence of a case that failed or was skipped. `seconds`: of the host. */
void junit_case(struct junit *, const char *class, const char *name, double seconds, enum junit_result,
                const char *message);
/* Writes the report, or drops it if the command ends with an error (`status` not 0). Returns `status`, or the error of writing. */
int junit_close(struct junit *, int status, struct err *);

#endif
