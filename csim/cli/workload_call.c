/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/workload_call.h"

#include "base/err.h"
#include "base/place.h"
#include "base/text.h"
#include "cli/own_program.h"
#include "config/workload_table.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *workload_name(const void *list, unsigned i) { return ((const struct workload_row *)list)[i].name; }

static int find_program(const struct workload_row *row, struct workload_call *w, struct err *e) {
  const char *dir = getenv("TANDEM_WORKLOAD_DIR");
  if (!row) snprintf(w->program, sizeof w->program, "%s", w->name);
  else if (dir && *dir) snprintf(w->program, sizeof w->program, "%s/%s", dir, row->name);
  else snprintf(w->program, sizeof w->program, "%s/workloads/%s", place_libraries(), row->name);
  if (!access(w->program, X_OK)) return 0;
  return err_set(e, ERR_FILE, "there is no program %s; %s", w->program,
                 row ? "build the project, or set TANDEM_WORKLOAD_DIR"
                     : "name a workload (tandem list workloads) or an executable");
}

static const char *argument_name(const void *list, unsigned i) {
  return ((const struct workload_table_arg *)list)[i].name;
}

static int no_version(const struct workload_row *row, const char *text, struct err *e) {
  char names[512] = "";
  for (unsigned i = 0, n = 0; row->versions[i] && n < sizeof names; i++)
    n += (unsigned)snprintf(names + n, sizeof names - n, "%s%s", i ? ", " : "", row->versions[i]);
  return err_set(e, ERR_VALUE, "%s: no version '%s'; its versions are %s", row->name, text, names);
}

/* One "key=value" of a workload of the list, checked as the workload itself would, but before anything is written. */
static int check_argument(const struct workload_row *row, const char *word, struct err *e) {
  char key[64];
  int64_t value;
  const char *text = strchr(word, '=') + 1;
  snprintf(key, sizeof key, "%.*s", (int)(text - 1 - word), word);
  if (!strcmp(key, "version")) {
    for (unsigned i = 0; row->versions[i]; i++)
      if (!strcmp(row->versions[i], text)) return 0;
    return no_version(row, text, e);
  }
  for (const struct workload_table_arg *a = row->args; a->name; a++) {
    if (strcmp(a->name, key)) continue;
    if (text_to_int64(text, &value) && value >= a->min && value <= a->max) return 0;
    return err_set(e, ERR_VALUE, "%s: %s: a whole number in %lld..%lld is wanted, decimal or 0x", row->name, word,
                   a->min, a->max);
  }
  const char *near = text_nearest(key, argument_name, row->args);
  return err_set(e, ERR_VALUE, "%s: no argument '%s'%s%s%s; tandem list workloads names them", row->name, key,
                 near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

int workload_call_parse(struct workload_call *w, const char *text, const char *system, struct err *e) {
  size_t n = strcspn(text, ":");
  if (n >= sizeof w->name || strlen(text) - n >= sizeof w->text)
    return err_set(e, ERR_USAGE, "%.60s...: the workload's name or its arguments are too long", text);
  snprintf(w->name, sizeof w->name, "%.*s", (int)n, text);
  snprintf(w->text, sizeof w->text, "%s", text[n] ? text + n + 1 : "");
  const struct workload_row *row = workload_all;
  while (row->name && strcmp(row->name, w->name)) row++;
  if (!row->name) row = NULL;
  w->own = !row;
  w->preload = "";
  if (!row && !strchr(w->name, '/')) {
    const char *near = text_nearest(w->name, workload_name, workload_all);
    return err_set(e, ERR_VALUE, "no workload '%s'%s%s%s; tandem list workloads names them", w->name,
                   near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
  }
  if (text[n] && !text[n + 1])
    return err_set(e, ERR_USAGE, "%s: nothing follows the colon; write %s, or %s:key=value,...", text, w->name,
                   w->name);
  int argc = 1;
  bool version_given = false;
  char *rest = w->text;
  for (char *word; *w->text && (word = strsep(&rest, ","));) {
    if (argc == WORKLOAD_ARGUMENTS_MAX)
      return err_set(e, ERR_USAGE, "%s: more than %d arguments", text, WORKLOAD_ARGUMENTS_MAX);
    if (!strchr(word, '=')) return err_set(e, ERR_USAGE, "%s: '%s' is not key=value", text, word);
    if (row && check_argument(row, word, e)) return (int)e->code;
    version_given |= !strncmp(word, "version=", 8);
    w->argv[argc++] = word;
  }
  for (unsigned i = 0; row && !version_given && row->versions[i]; i++)
    if (!i || (system && !strcmp(row->versions[i], system)))
      snprintf(w->version, sizeof w->version, "version=%s", row->versions[i]);
  if (*w->version) w->argv[argc++] = w->version;
  w->argv[0] = w->program;
  w->argc = argc;
  int status = find_program(row, w, e);
  return status || row ? status : own_program_preload(w->program, &w->preload, e);
}

int workload_call_arguments(struct workload_call *w, unsigned n, const char *const *words, struct err *e) {
  if (n && !w->own)
    return err_set(e, ERR_USAGE,
                   "'%s' is one argument too many; a workload's arguments follow a colon: %s:key=value,...", words[0],
                   w->name);
  for (unsigned i = 0; i < n; i++) {
    if (w->argc > WORKLOAD_ARGUMENTS_MAX)
      return err_set(e, ERR_USAGE, "%s: more than %d arguments", w->name, WORKLOAD_ARGUMENTS_MAX);
    w->argv[w->argc++] = (char *)(uintptr_t)words[i];
  }
  return 0;
}

/* Puts `first` before what the variable holds. */
static void put_first(const char *variable, const char *first) {
  char text[2 * PATH_MAX];
  const char *old = getenv(variable);
  snprintf(text, sizeof text, "%s%s%s", first, old && *old ? ":" : "", old ? old : "");
  setenv(variable, text, 1);
}

/* In the child: becomes the workload, which is killed when `parent` ends, even by SIGKILL. Does not return. */
static void become(const struct workload_call *w, pid_t parent, int output, int report) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1); /* the parent ended before prctl() */
  if (output != STDOUT_FILENO) dup2(output, STDOUT_FILENO);
  if (output != STDOUT_FILENO && output != STDERR_FILENO) dup2(output, STDERR_FILENO);
  if (*w->preload) {
    char library[PATH_MAX];
    snprintf(library, sizeof library, "%s/%s", place_libraries(), w->preload);
    put_first("LD_PRELOAD", library);
  }
  execv(w->program, w->argv);
  int failed = errno;
  _exit(write(report, &failed, sizeof failed) < 0);
}

/* An interrupt is the workload's, which first checks what it has recorded (run/check_pace.h); a second one ends this process. */
static volatile sig_atomic_t interrupted, workload;

static void pass_on(int number) {
  if (interrupted) signal(number, SIG_DFL);
  interrupted = 1;
  if (workload > 0) kill((pid_t)workload, number);
}

/* Waits for the workload; if an interrupt ended it, this process ends, too. */
static int await(pid_t pid, int *status) {
  struct sigaction ours = {.sa_handler = pass_on, .sa_flags = SA_RESTART}, before;
  workload = pid;
  interrupted = 0;
  bool catches = !sigaction(SIGINT, NULL, &before) && before.sa_handler == SIG_DFL && !sigaction(SIGINT, &ours, NULL);
  pid_t ended = waitpid(pid, status, 0);
  if (catches) sigaction(SIGINT, &before, NULL);
  if (ended == pid && interrupted && WIFSIGNALED(*status) && WTERMSIG(*status) == SIGINT) raise(SIGINT);
  return ended == pid ? 0 : -1;
}

int workload_call_run(const struct workload_call *w, int output, int *exit_status, struct err *e) {
  put_first("LD_LIBRARY_PATH", place_libraries());
  setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 0); /* large pages for its arrays: each small one costs a fault */
  int status = 0, failed = 0, report[2];                 /* a pipe that execv closes */
  if (pipe2(report, O_CLOEXEC)) return err_set(e, ERR_LIMIT, "no pipe: %s", strerror(errno));
  fflush(stdout);
  pid_t parent = getpid(), pid = fork();
  if (!pid) become(w, parent, output, report[1]);
  if (pid < 0) failed = errno;
  close(report[1]);
  if (pid >= 0 && read(report[0], &failed, sizeof failed) < 0) failed = errno;
  close(report[0]);
  if (pid >= 0 && await(pid, &status)) return err_set(e, ERR_INTERNAL, "lost the workload's process");
  if (failed) return err_set(e, ERR_FILE, "cannot start %s: %s", w->program, strerror(failed));
  *exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return 0;
}
