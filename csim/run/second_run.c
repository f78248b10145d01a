/* SPDX-License-Identifier: Apache-2.0 */
#include "run/second_run.h"

#include "base/place.h"
#include "base/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS_BYTES = 8192, WORDS_MAX = 256 };

bool second_run_allowed(void) {
  char own[PLACE_BYTES], folder[PLACE_BYTES];
  struct err e = {0};
  const char *dir = getenv("TANDEM_WORKLOAD_DIR");
  snprintf(folder, sizeof folder, "%s%s", dir ? dir : place_libraries(), dir ? "" : "/workloads");
  char *real = realpath(folder, NULL);
  size_t n = real ? strlen(real) : 0;
  bool inside = n && !process_own_path(own, sizeof own, &e) && !strncmp(own, real, n) && own[n] == '/';
  free(real);
  return inside;
}

/* This process' arguments: the text of /proc/self/cmdline, and the words in it. */
static bool own_arguments(char *text, size_t size, char *words[WORDS_MAX + 1]) {
  FILE *f = fopen("/proc/self/cmdline", "rb");
  size_t n = f ? fread(text, 1, size - 1, f) : 0, count = 0;
  if (f) fclose(f);
  text[n] = 0;
  for (size_t at = 0; at < n && count < WORDS_MAX; at += strlen(text + at) + 1) words[count++] = text + at;
  words[count] = NULL;
  return count && n < size - 1 && count < WORDS_MAX;
}

/* The environment with the variables in place of those of the same names; to be freed. */
static char **environment_with(const char *const *variables, size_t n) {
  size_t old = 0, count = 0;
  while (environ[old]) old++;
  char **all = calloc(old + n + 1, sizeof *all);
  for (size_t i = 0; all && i < n; i++) all[count++] = (char *)(uintptr_t)variables[i];
  for (size_t k = 0; all && k < old; k++) {
    bool given = false;
    for (size_t i = 0; i < n; i++) given |= !strncmp(environ[k], variables[i], strcspn(variables[i], "=") + 1);
    if (!given) all[count++] = environ[k];
  }
  return all;
}

int second_run_start(const char *const *variables, size_t n, int keep, int *pid, struct err *e) {
  char path[PLACE_BYTES], text[ARGUMENTS_BYTES], *words[WORDS_MAX + 1];
  int status = process_own_path(path, sizeof path, e);
  if (status) return status;
  if (!own_arguments(text, sizeof text, words))
    return err_set(e, ERR_TOOL, "cannot start %s again: it has too many arguments", path);
  char **all = environment_with(variables, n);
  posix_spawn_file_actions_t files;
  if (!all || posix_spawn_file_actions_init(&files)) {
    free(all);
    return err_set(e, ERR_LIMIT, "out of memory for a second run");
  }
  for (int fd = 0; fd < 3; fd++) posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&files, keep, keep); /* it is closed on exec otherwise, as all others are */
  int problem = posix_spawn(pid, path, &files, NULL, words, all);
  posix_spawn_file_actions_destroy(&files);
  free(all);
  return problem ? err_set(e, ERR_TOOL, "cannot start %s again: %s", path, strerror(problem)) : 0;
}
