/* SPDX-License-Identifier: Apache-2.0 */
/* tandem analyse: classifies what kernels read. A workload's program runs with its launches captured, so that the kernels,
 * and their parameters, are those that it would run. */
#include "base/err.h"
#include "base/process.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/workload_call.h"
#include "core/registry.h"
#include "report/reads.h"
#include "run/launch_capture.h"
#include "run/run_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TARGETS_MAX = 32 };

struct request {
  struct reads_options reads;
  const char *system;
  bool json, span;
  int64_t table, gap;
};

/* ---- captures ---- */

/* Of a text, which is cut. */
static const char *last_line(char *text) {
  size_t n = strlen(text);
  if (n && text[n - 1] == '\n') text[n - 1] = 0;
  const char *newline = strrchr(text, '\n');
  return newline ? newline + 1 : text;
}

/* The program finds wrong results, for nothing runs: its exit status says nothing, its launches do. */
static int capture(const char *text, const struct workload_call *w, const char *folder, struct err *e) {
  char log[PATH_MAX], path[PATH_MAX], said[300];
  int exit_status;
  snprintf(log, sizeof log, "%s/log", folder);
  int output = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (output < 0) return err_set(e, ERR_FILE, "cannot write %s: %s", log, strerror(errno));
  setenv("TANDEM_CAPTURE", folder, 1);
  int status = workload_call_run(w, output, &exit_status, e);
  unsetenv("TANDEM_CAPTURE");
  close(output);
  snprintf(path, sizeof path, "%s/%s", folder, LAUNCH_CAPTURE_FILE);
  if (status || !access(path, F_OK)) return status;
  process_log_tail(log, said, sizeof said);
  return err_set(e, ERR_VALUE, "%s: the program launches no kernel%s%s", text, *said ? "; it says: " : "",
                 last_line(said));
}

static int add_workload(struct reads *r, const char *text, const char *system, struct err *e) {
  struct workload_call w = {0};
  char folder[RUN_FOLDER_BYTES];
  int status = workload_call_parse(&w, text, system, e);
  if (status) return status;
  if ((status = run_folder(folder, "analyse", e))) return status;
  status = capture(text, &w, folder, e);
  if (!status) status = reads_add_capture(r, text, folder, e);
  process_remove_folder(folder);
  return status;
}

static bool is_ptx(const char *name) {
  size_t n = strlen(name);
  return n > 4 && !strcmp(name + n - 4, ".ptx");
}

static int add_target(struct reads *r, const char *text, const char *system, struct err *e) {
  return is_ptx(text) ? reads_add_file(r, text, e) : add_workload(r, text, system, e);
}

/* "all": the programs of the paper that are workloads here. */
static int add_all(struct reads *r, const struct reads_paper *paper, const char *system, struct err *e) {
  int status = 0;
  for (uint32_t i = 0; i < paper->n && !status; i++)
    if (*paper->program[i].workload) status = add_workload(r, paper->program[i].workload, system, e);
  return status;
}

/* ---- the command ---- */

static int check(const struct request *q, const char *const *target, unsigned n, struct err *e) {
  for (unsigned i = 0; i < n; i++)
    if (q->reads.rows && is_ptx(target[i]))
      return err_set(e, ERR_USAGE, "--rows needs launches, and %s has none: name a workload or your program",
                     target[i]);
  if (q->span && q->gap) return err_set(e, ERR_USAGE, "--span takes in every gap; leave out --gap");
  if (!q->reads.rows && (q->span || q->gap || q->table != 64))
    return err_set(e, ERR_USAGE, "--span, --gap and --table change rows; add --rows");
  return 0;
}

static int set_system(struct request *q, struct err *e) {
  if (!q->system) return 0;
  const struct system_ops *s = system_find(q->system);
  if (!s) return err_set(e, ERR_VALUE, "no system '%s'; tandem list systems names them", q->system);
  q->reads.extensions = s->extensions;
  return 0;
}

static int analyse(struct request *q, const char *const *target, unsigned n, struct err *e) {
  struct reads reads;
  struct reads_paper paper;
  char path[PATH_MAX];
  int status = check(q, target, n, e);
  if (!status) status = set_system(q, e);
  snprintf(path, sizeof path, "%s/published_reads.yaml", session_config_dir());
  if (!status) status = reads_paper_read(&paper, path, e);
  if (!status) status = reads_open(&reads, &q->reads, e);
  if (status) return status;
  if (q->system) setenv("TANDEM_SYSTEM", q->system, 1);
  for (unsigned i = 0; i < n && !status; i++)
    status =
      strcmp(target[i], "all") ? add_target(&reads, target[i], q->system, e) : add_all(&reads, &paper, q->system, e);
  if (!status && q->json) reads_print_json(&reads, &paper, stdout);
  if (!status && !q->json) reads_print(&reads, &paper, stdout);
  reads_close(&reads);
  return status;
}

int cmd_analyse(int argc, char **argv) {
  struct request q = {.table = 64};
  const struct cli_option options[] = {
    {"--kernel", CLI_TEXT, &q.reads.kernel, "NAME", "analyse this kernel alone", 0, 0},
    {"--loops", CLI_FLAG, &q.reads.analysis.promote, NULL,
     "count an index that a loop changes as quasi if the launch gives the loop's number of iterations", 0, 0},
    {"--rows", CLI_FLAG, &q.reads.rows, NULL, "print the rows of TELEPORT's preload table for each launch", 0, 0},
    {"--table", CLI_NUMBER, &q.table, "N", "rows that the table has (default: 64; 0: any number)", 0, UINT32_MAX},
    {"--gap", CLI_NUMBER, &q.gap, "BYTES", "unite ranges with at most so many bytes between them (default: 0)", 0,
     INT64_MAX},
    {"--span", CLI_FLAG, &q.span, NULL, "one row from the first to the last byte of a tile", 0, 0},
    {"--system", CLI_TEXT, &q.system, "PROPOSAL", "know the instructions of this proposal, and run its version", 0, 0},
    {"--json", CLI_FLAG, &q.json, NULL, "print JSON", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "analyse",
    .brief =
      "Classifies the array indexes of a kernel's global reads as TELEPORT's static analysis does: known before a "
      "CTA starts, or why not. all: the programs of the paper that are workloads here.",
    .usage = "WORKLOAD[:key=value,...]|FILE.ptx|all ... [options]",
    .example = "tandem analyse jacobi:rows=64,columns=64 --kernel jacobi --rows",
    .options = options,
    .positional_min = 1,
    .positional_max = TARGETS_MAX};
  struct err e = {0};
  const char *target[TARGETS_MAX];
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, target, &n, &help, &e);
  if (help) return 0;
  q.reads.table =
    (struct affine_rows_options){.limit = (uint32_t)q.table, .gap = q.span ? UINT64_MAX : (uint64_t)q.gap};
  if (!status) status = analyse(&q, target, n, &e);
  return status ? cli_fail("analyse", &e) : 0;
}
