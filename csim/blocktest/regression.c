/* SPDX-License-Identifier: Apache-2.0 */
/* Shrunk stimuli that stay with the block: CTest replays them. */
#include "base/place.h"
#include "base/process.h"
#include "block/own.h"
#include "blocktest/drive_run.h"
#include "blocktest/shrink.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

/* The folder of the block's regressions. */
static void regression_folder(const struct block_desc *desc, char *out, size_t size) {
  char folder[PLACE_BYTES];
  if (desc->own) {
    snprintf(folder, sizeof folder, "%s", desc->own->manifest);
    char *slash = strrchr(folder, '/');
    if (slash) *slash = 0;
    snprintf(out, size, "%s/regressions/%s", folder, desc->name);
    return;
  }
  place_data_file("testbench", folder, sizeof folder);
  snprintf(out, size, "%s/%s/regressions/%s", folder, desc->family, desc->name);
}

int regression_path(const struct block_desc *desc, const char *name, char *out, size_t size, struct err *e) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  char folder[PLACE_BYTES];
  if (!*name || name[strspn(name, allowed)])
    return err_set(e, ERR_USAGE, "--save %s: a name has letters, digits, _ and -", name);
  regression_folder(desc, folder, sizeof folder);
  snprintf(out, size, "%s/%s.csv", folder, name);
  return 0;
}

int regression_save(const struct stimulus *s, const char *name, const struct divergence *first, char *path, size_t size,
                    struct err *e) {
  struct stimulus kept = *s;
  char folder[PLACE_BYTES];
  int status = regression_path(s->desc, name, path, size, e);
  if (status) return status;
  snprintf(folder, sizeof folder, "%s", path);
  *strrchr(folder, '/') = 0;
  kept.bug[0] = 0;
  snprintf(kept.note, sizeof kept.note, "once differed at %s %s%s%s", first->is_register ? "register" : "port",
           first->what, *s->bug ? ", with the planted bug " : "", s->bug);
  status = process_make_folders(folder, "regressions lie beside the block's test bench, or the manifest", e);
  return status ? status : stimulus_write(&kept, path, e);
}

int regressions_run(const struct block_desc *desc, char *failed, size_t size, struct divergence *first, unsigned *n,
                    struct err *e) {
  char pattern[PLACE_BYTES + 16], folder[PLACE_BYTES], rtl[1024];
  glob_t files = {0};
  int status = 0;
  bool diverged = false;
  *failed = 0;
  *n = 0;
  regression_folder(desc, folder, sizeof folder);
  snprintf(pattern, sizeof pattern, "%s/*.csv", folder);
  if (glob(pattern, 0, NULL, &files)) files.gl_pathc = 0;
  for (size_t i = 0; i < files.gl_pathc && !status && !diverged; i++) {
    struct stimulus s;
    struct replay how = {.engine = ENGINE_LOCKSTEP, .state_every = 1, .bug_rtl = rtl};
    status = stimulus_read(files.gl_pathv[i], desc, NULL, &s, e);
    if (status) break;
    if (*s.bug) status = planted_bug_find(desc, s.bug, &how.bug, rtl, sizeof rtl, e);
    if (!status) status = replay_run(&how, &s, first, &diverged, e);
    first->path = desc->name;
    if (diverged) snprintf(failed, size, "%s", files.gl_pathv[i]);
    stimulus_free(&s);
    ++*n;
  }
  globfree(&files);
  return status;
}
