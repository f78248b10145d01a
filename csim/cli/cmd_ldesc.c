/* SPDX-License-Identifier: Apache-2.0 */
/* tandem ldesc: what the driver of the Locality Descriptor decides. The workload's program runs with its launches captured, so that
 * its descriptors, grids and addresses are those of a run, and no kernel runs. */
#include "base/err.h"
#include "base/process.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/workload_call.h"
#include "report/decisions.h"
#include "run/run_folder.h"
#include "run/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SYSTEM "ldesc"

struct request {
  const char *config;
  struct cli_list set;
  bool json;
};

/* Shows what the driver says to the program: notes, and why a descriptor was refused. */
static void pass_on(const char *log) {
  FILE *f = fopen(log, "r");
  char *line = NULL;
  size_t size = 0;
  while (f && getline(&line, &size, f) > 0)
    if (!strncmp(line, "tandem: ", 8)) fputs(line, stderr);
  free(line);
  if (f) fclose(f);
}

/* The last line of a text, which is cut. */
static const char *last_line(char *text) {
  size_t n = strlen(text);
  if (n && text[n - 1] == '\n') text[n - 1] = 0;
  const char *newline = strrchr(text, '\n');
  return newline ? newline + 1 : text;
}

/* Nothing runs, so that the program finds wrong results: its exit status says nothing, its launches do. */
static int decide(const char *text, const struct workload_call *w, const char *folder, json_t **launches,
                  struct err *e) {
  char log[PATH_MAX], path[PATH_MAX], said[300];
  int exit_status;
  snprintf(log, sizeof log, "%s/log", folder);
  snprintf(path, sizeof path, "%s/decisions", folder);
  int output = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (output < 0) return err_set(e, ERR_FILE, "cannot write %s: %s", log, strerror(errno));
  setenv("TANDEM_CAPTURE", folder, 1);
  setenv("TANDEM_DECISIONS", path, 1);
  int status = workload_call_run(w, output, &exit_status, e);
  unsetenv("TANDEM_CAPTURE");
  unsetenv("TANDEM_DECISIONS");
  close(output);
  if (status) return status;
  pass_on(log);
  if (!access(path, F_OK)) {
    *launches = decisions_load(path, e);
    return *launches ? 0 : (int)e->code;
  }
  process_log_tail(log, said, sizeof said);
  return err_set(e, ERR_VALUE, "%s: no launch has descriptors (ldesc.h)%s%s", text, *said ? "; the program says: " : "",
                 last_line(said));
}

/* As tandem run does, so that settings are checked before the program starts. */
static int set_session(const struct request *q, struct err *e) {
  char text[4096] = "";
  size_t n = 0;
  for (unsigned i = 0; i < q->set.n && n < sizeof text; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i ? " " : "", q->set.text[i]);
  if (n >= sizeof text)
    return err_set(e, ERR_USAGE, "--set: more than %zu characters in all; put them into a GPU configuration file (-c)",
                   sizeof text);
  if (*text) setenv("TANDEM_SET", text, 1);
  if (q->config) setenv("TANDEM_MACHINE", q->config, 1);
  setenv("TANDEM_SYSTEM", SYSTEM, 1);
  struct session *s = calloc(1, sizeof *s);
  int status = s ? session_from_environment(s, e) : err_set(e, ERR_LIMIT, "out of memory");
  free(s);
  return status;
}

static int show(const struct request *q, const char *text, struct err *e) {
  struct workload_call w = {0};
  char folder[RUN_FOLDER_BYTES];
  json_t *launches = NULL;
  int status = workload_call_parse(&w, text, SYSTEM, e);
  if (!status) status = set_session(q, e);
  if (status) return status;
  if ((status = run_folder(folder, "ldesc", e))) return status;
  status = decide(text, &w, folder, &launches, e);
  process_remove_folder(folder);
  if (status) return status;
  if (q->json) {
    decisions_print_json(text, launches, stdout);
    return 0;
  }
  decisions_print(launches, stdout);
  json_decref(launches);
  return 0;
}

int cmd_ldesc(int argc, char **argv) {
  struct request q = {.config = "ldesc_chip"};
  const struct cli_option options[] = {
    {"-c", CLI_TEXT, &q.config, "MACHINE", "GPU configuration (default: ldesc_chip)", 0, 0},
    {"--set", CLI_LIST, &q.set, "KEY=VALUE", "change a parameter of the configuration; repeatable", 0, 0},
    {"--json", CLI_FLAG, &q.json, NULL, "print JSON", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "ldesc",
    .brief =
      "Shows what the driver of the Locality Descriptor decides for the launches of a program, which are not run: clusters of CTAs, "
      "rows of the policy table, the memory that has each structure, and what the decision cost.",
    .usage = "WORKLOAD[:key=value,...]|PROGRAM [-c MACHINE] [--set KEY=VALUE]... [--json]",
    .example = "tandem ldesc locality:pattern=5 -c ldesc_modules",
    .options = options,
    .positional_min = 1,
    .positional_max = 1};
  struct err e = {0};
  const char *target;
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, &target, &n, &help, &e);
  if (help) return 0;
  if (!status) status = show(&q, target, &e);
  return status ? cli_fail("ldesc", &e) : 0;
}
