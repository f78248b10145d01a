/* SPDX-License-Identifier: Apache-2.0 */
#include "run/out_dir.h"

#include "base/err.h"
#include "base/process.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int out_dir_make(const char *dir, struct err *e) {
  struct stat st;
  int status = process_make_folders(dir, "name a writable output folder with --out", e);
  if (status) return status;
  if (!stat(dir, &st) && !S_ISDIR(st.st_mode))
    return err_set(e, ERR_FILE, "the output folder %s is a file; name a folder with --out", dir);
  if (!access(dir, W_OK)) return 0;
  return err_set(e, ERR_FILE, "cannot write to the output folder %s: %s; name a writable one with --out", dir,
                 strerror(errno));
}

bool out_dir_process(const char *dir, unsigned n, char *folder, size_t size) {
  struct stat st;
  snprintf(folder, size, "%s/process.%u", dir, n);
  return !stat(folder, &st) && S_ISDIR(st.st_mode);
}

/* Removes the files of the folder that match one of `n` globs. */
static void remove_files(const char *dir, const char *const *globs, size_t n) {
  DIR *d = *dir ? opendir(dir) : NULL;
  for (struct dirent *f; d && (f = readdir(d));)
    for (size_t i = 0; i < n; i++)
      if (!fnmatch(globs[i], f->d_name, 0)) unlinkat(dirfd(d), f->d_name, 0);
  if (d) closedir(d);
}

void out_dir_remove_results(const char *dir) {
  static const char *const globs[] = {
    "run.json",      "statistics.csv", "wave.fst",        "wave.gtkw",       "divergence.txt",       "divergence.json",
    "stimulus.csv",  "events.csv",     "events.db",       "samples.csv",     "samples.sm.csv",       "histograms.csv",
    "lines.csv",     "kernels.csv",    "divergence.html", "divergence_tb.v", "divergence.wave.json", "wave.sucl",
    "coverage.json", "perfetto.json",  "konata.sm*.log"};
  char gpu[1200]; /* the wave of a snapshot */
  snprintf(gpu, sizeof gpu, "%s/gpu", *dir ? dir : ".");
  remove_files(dir, globs, sizeof globs / sizeof *globs);
  if (*dir) remove_files(gpu, globs, sizeof globs / sizeof *globs);
  out_dir_remove_recordings(dir);
}

void out_dir_remove_process(const char *folder) {
  out_dir_remove_results(folder);
  out_dir_remove_flight(folder);
  rmdir(folder); /* what is not ours stays */
}

void out_dir_remove_flight(const char *dir) {
  static const char *const globs[] = {"flight.rec"};
  remove_files(dir, globs, 1);
}

void out_dir_remove_recordings(const char *dir) {
  static const char *const globs[] = {"stimulus.?*.csv",     "requests.csv",      "requests.mc*.csv", "requests.l2.csv",
                                      "packets.request.csv", "packets.reply.csv", "accesses.sm*.csv"};
  remove_files(dir, globs, sizeof globs / sizeof *globs);
}
