/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run_folder.h"

#include "base/err.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int run_folder(char folder[RUN_FOLDER_BYTES], const char *name, struct err *e) {
  const char *in = getenv("TMPDIR");
  if (!in || !*in) in = "/tmp";
  int n = snprintf(folder, RUN_FOLDER_BYTES, "%s/tandem-%s-XXXXXX", in, name);
  if (n >= RUN_FOLDER_BYTES) return err_set(e, ERR_FILE, "TMPDIR is longer than %d bytes", RUN_FOLDER_BYTES - 100);
  if (mkdtemp(folder)) return 0;
  return err_set(e, ERR_FILE, "cannot make a folder in %.300s: %s; TMPDIR names another place", in, strerror(errno));
}
