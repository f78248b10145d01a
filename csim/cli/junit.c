/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/junit.h"

#include "base/err.h"
#include "base/markup.h"

#include <stdlib.h>
#include <string.h>

int junit_open(struct junit *j, const char *path, const char *suite, struct err *e) {
  memset(j, 0, sizeof *j);
  if (!path) return 0;
  j->suite = suite;
  int status = out_file_open(&j->file, path, e);
  if (status) return status;
  j->cases = open_memstream(&j->text, &j->bytes);
  return j->cases ? 0 : err_set(e, ERR_LIMIT, "out of memory for %s", path);
}

static void print_attribute(FILE *f, const char *name, const char *text) {
  fprintf(f, " %s=\"", name);
  markup_put(f, text);
  fputc('"', f);
}

void junit_case(struct junit *j, const char *class, const char *name, double seconds, enum junit_result result,
                const char *message) {
  static const char *const elements[] = {"", "failure", "skipped"};
  if (!j->cases) return;
  fputs("  <testcase", j->cases);
  print_attribute(j->cases, "classname", class);
  print_attribute(j->cases, "name", name);
  fprintf(j->cases, " time=\"%.3f\"", seconds);
  if (result == JUNIT_PASSED) {
    fputs("/>\n", j->cases);
  } else {
    fprintf(j->cases, ">\n    <%s", elements[result]);
    print_attribute(j->cases, "message", message);
    fputs("/>\n  </testcase>\n", j->cases);
  }
  j->n[result]++;
  j->seconds += seconds;
}

int junit_close(struct junit *j, int status, struct err *e) {
  if (j->cases) fclose(j->cases);
  j->cases = NULL;
  if (status || !j->file.f) {
    out_file_abandon(&j->file);
  } else {
    fprintf(j->file.f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite");
    print_attribute(j->file.f, "name", j->suite);
    fprintf(j->file.f, " tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%u\" time=\"%.3f\">\n%s</testsuite>\n",
            j->n[JUNIT_PASSED] + j->n[JUNIT_FAILED] + j->n[JUNIT_SKIPPED], j->n[JUNIT_FAILED], j->n[JUNIT_SKIPPED],
            j->seconds, j->text ? j->text : "");
    status = out_file_commit(&j->file, e);
  }
  free(j->text);
  j->text = NULL;
  return status;
}
