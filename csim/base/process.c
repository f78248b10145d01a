/* SPDX-License-Identifier: Apache-2.0 */
#include "base/process.h"

#include "base/err.h"
#include "base/log.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 1024, COMMAND_BYTES = 8192, WIDTH_MAX = 64 };

bool process_find_tool(const char *name, char *out, size_t size, struct stat *st) {
  const char *path = getenv("PATH");
  while (path && *path) {
    size_t n = strcspn(path, ":");
    snprintf(out, size, "%.*s/%s", (int)n, path, name);
    if (!access(out, X_OK) && !stat(out, st) && S_ISREG(st->st_mode)) return true;
    path += n + (path[n] == ':');
  }
  return false;
}

int process_own_path(char *out, size_t size, struct err *e) {
  ssize_t n = readlink("/proc/self/exe", out, size - 1);
  out[n > 0 ? n : 0] = 0;
  return n > 0 ? 0 : err_set(e, ERR_FILE, "cannot find the program's own file");
}

int process_make_folders(const char *path, const char *mend, struct err *e) {
  char part[PATH_BYTES];
  for (size_t i = 1; path[i - 1]; i++) {
    if (path[i] != '/' && path[i] != 0) continue;
    snprintf(part, sizeof part, "%.*s", (int)i, path);
    if (mkdir(part, 0777) && errno != EEXIST)
      return err_set(e, ERR_FILE, "cannot make the folder %s: %s; %s", part, strerror(errno), mend);
  }
  return 0;
}

void process_remove_folder(const char *path) {
  DIR *d = opendir(path);
  char file[2 * PATH_BYTES];
  for (struct dirent *entry; d && (entry = readdir(d));) {
    snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
    unlink(file); /* of "." and "..": fails */
  }
  if (d) closedir(d);
  rmdir(path);
}

void process_log_tail(const char *log, char *out, size_t size) {
  *out = 0;
  FILE *f = fopen(log, "rb");
  if (!f) return;
  long room = (long)size - 1;
  fseek(f, 0, SEEK_END);
  long end = ftell(f);
  fseek(f, end > room ? end - room : 0, SEEK_SET);
  out[fread(out, 1, (size_t)room, f)] = 0;
  fclose(f);
}

/* The shell is killed when this process ends, even by SIGKILL; a command that begins with exec takes its place. Otherwise a run would
 * survive its killed sweep, and write into the folder in which the next sweep runs it again. */
static int spawn_shell(const char *command, pid_t *pid) {
  pid_t parent = getpid();
  log_line("run: %s", command);
  *pid = fork();
  if (*pid) return *pid < 0;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == parent) execl("/bin/sh", "sh", "-c", command, (char *)NULL);
  _exit(127);
}

int process_shell(const char *command, const char *log, const char *what, struct err *e) {
  char line[COMMAND_BYTES + PATH_BYTES], tail[500];
  snprintf(line, sizeof line, "(%s) >>'%s' 2>&1 </dev/null", command, log);
  char *argv[] = {"sh", "-c", line, NULL};
  pid_t pid;
  int status = -1;
  log_line("%s: %s", what, command);
  if (!posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ) && waitpid(pid, &status, 0) >= 0 && !status) return 0;
  log_line("%s failed, see %s", what, log);
  process_log_tail(log, tail, sizeof tail);
  return err_set(e, ERR_TOOL, "%s failed (full log: %s): %s", what, log, tail);
}

/* Waits for one of the running commands; its place among them, or -1. */
static int wait_for_one(const pid_t *running, size_t width, int *exit_status) {
  for (;;) {
    pid_t pid = waitpid(-1, exit_status, 0);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) return -1;
    for (size_t k = 0; k < width; k++)
      if (running[k] == pid) return (int)k;
  }
}

int process_pool_run(const struct process_pool *p, struct err *e) {
  pid_t running[WIDTH_MAX] = {0};
  size_t of[WIDTH_MAX] = {0}, next = 0, active = 0,
         width = p->width < 1           ? 1
                 : p->width > WIDTH_MAX ? WIDTH_MAX
                                        : p->width;
  int status = 0;
  while (active || (next < p->n && !status)) {
    size_t k = 0;
    while (k < width && running[k]) k++;
    if (k < width && next < p->n && !status) {
      char command[COMMAND_BYTES];
      status = p->command_of(p->context, next, command, sizeof command, e);
      if (!status && spawn_shell(command, &running[k]))
        status = err_set(e, ERR_TOOL, "cannot start /bin/sh: %s", strerror(errno));
      if (status) {
        running[k] = 0;
        continue;
      }
      of[k] = next++;
      active++;
      continue;
    }
    int exit_status = 0, done = wait_for_one(running, width, &exit_status);
    if (done < 0) return status ? status : err_set(e, ERR_INTERNAL, "waiting for a command: %s", strerror(errno));
    running[done] = 0;
    active--;
    int exit_code = WIFEXITED(exit_status) ? WEXITSTATUS(exit_status) : -1;
    int told = p->finished(p->context, of[done], exit_code, status ? NULL : e);
    if (!status) status = told;
  }
  return status;
}
