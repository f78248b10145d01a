/* SPDX-License-Identifier: Apache-2.0 */
#include "base/out_file.h"

#include "base/err.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

int out_file_open(struct out_file *o, const char *path, struct err *e) {
  snprintf(o->path, sizeof o->path, "%s", path);
  snprintf(o->part, sizeof o->part, "%s.%d.part", path, (int)getpid());
  o->f = fopen(o->part, "w");
  if (!o->f) return err_set(e, ERR_FILE, "cannot write %s: %s; name a writable folder", path, strerror(errno));
  return 0;
}

/* A stream keeps that a write failed, not why: asks once more. The file is given up anyway. */
static int why_not_written(int file) {
  static const char zeros[4096];
  for (int i = 0; i < 16; i++)
    if (write(file, zeros, sizeof zeros) < 0) return errno;
  return EIO;
}

int out_file_commit(struct out_file *o, struct err *e) {
  int reason = ferror(o->f) ? why_not_written(fileno(o->f)) : 0;
  errno = 0;
  if (fclose(o->f) && !reason) reason = errno ? errno : EIO;
  o->f = NULL;
  if (!reason && !rename(o->part, o->path)) return 0;
  int status = err_set(e, ERR_FILE, "cannot write %s: %s", o->path, strerror(reason ? reason : errno));
  remove(o->part);
  return status;
}

void out_file_abandon(struct out_file *o) {
  if (!o->f) return;
  fclose(o->f);
  o->f = NULL;
  remove(o->part);
}

int out_file_finish(struct out_file *o, bool keep, struct err *e) {
  if (!o->f) return 0;
  if (keep) return out_file_commit(o, e);
  out_file_abandon(o);
  return 0;
}
