/* SPDX-License-Identifier: Apache-2.0 */
#include "run/out_claim.h"

#include "base/err.h"
#include "run/out_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PROCESSES_MAX = 4096 };

static void name_mark(char *mark, size_t size, const char *dir, unsigned n) {
  snprintf(mark, size, "%s/.process.%u", dir, n);
}

/* Whether the file that is open still has this name: its last owner may have removed it. */
static bool has_name(int file, const char *mark) {
  struct stat a, b;
  return !fstat(file, &a) && !stat(mark, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* An open and locked mark; -1: somebody else has it; -2: it cannot be made. */
static int take_mark(const char *mark, bool run) {
  for (;;) {
    int file = open(mark, O_RDWR | O_CREAT | O_CLOEXEC | (run ? O_EXCL : 0), 0666);
    if (file < 0) return run && errno == EEXIST ? -1 : -2;
    if (flock(file, LOCK_EX | LOCK_NB)) {
      close(file);
      return -1;
    }
    if (has_name(file, mark)) return file;
    close(file);
  }
}

/* Removes what processes of an earlier run have left, unless they live. */
static void remove_dead(const char *dir) {
  char mark[1100], folder[1100];
  for (unsigned n = 2; out_dir_process(dir, n, folder, sizeof folder); n++) {
    name_mark(mark, sizeof mark, dir, n);
    int file = take_mark(mark, false);
    if (file < 0) continue;
    out_dir_remove_process(folder);
    unlink(mark);
    close(file);
  }
}

int out_claim(struct out_claim *c, char *dir, size_t size, bool run, struct err *e) {
  c->file = -1;
  for (unsigned n = 1; n <= PROCESSES_MAX; n++) {
    name_mark(c->mark, sizeof c->mark, dir, n);
    int file = take_mark(c->mark, run);
    if (file == -1) continue;
    if (file == -2) return err_set(e, ERR_FILE, "cannot write %s: %s", c->mark, strerror(errno));
    c->file = file;
    if (run) *c->mark = 0; /* it stays until the run has ended */
    if (n == 1 && !run) remove_dead(dir);
    if (n == 1) return 0;
    size_t length = strlen(dir);
    snprintf(dir + length, size - length, "/process.%u", n);
    return out_dir_make(dir, e);
  }
  return err_set(e, ERR_LIMIT, "more than %d processes write into %s; set TANDEM_OUT in each of them", PROCESSES_MAX,
                 dir);
}

void out_claim_end(struct out_claim *c) {
  if (c->file < 0) return;
  if (*c->mark) unlink(c->mark); /* while it is locked */
  close(c->file);
  c->file = -1;
}

void out_claim_forget(const char *dir) {
  DIR *d = opendir(dir);
  for (struct dirent *f; d && (f = readdir(d));)
    if (!fnmatch(".process.?*", f->d_name, FNM_PERIOD)) unlinkat(dirfd(d), f->d_name, 0);
  if (d) closedir(d);
}

void out_claim_clear(const char *dir) {
  char folder[1100];
  out_claim_forget(dir);
  for (unsigned n = 2; out_dir_process(dir, n, folder, sizeof folder); n++) out_dir_remove_process(folder);
}
