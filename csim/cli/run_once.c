/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_once.h"

#include "base/err.h"
#include "measure/sources.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>

int run_once(const char *out, bool *passed, struct err *e) {
  char path[1100];
  snprintf(path, sizeof path, "%s.lock", out);
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return err_set(e, ERR_FILE, "cannot write %s: %s", path, strerror(errno));
  int failed;
  do failed = flock(file, LOCK_EX);
  while (failed && errno == EINTR);
  if (failed) return err_set(e, ERR_FILE, "cannot lock %s: %s", path, strerror(errno));
  snprintf(path, sizeof path, "%s/run.json", out);
  json_t *run = json_load_file(path, 0, NULL);
  *passed = source_passed(run);
  json_decref(run);
  return 0;
}
