/* SPDX-License-Identifier: Apache-2.0 */
/* The tools, the templates of scripts/synth, and the folder that a call works in. */
#include "base/err.h"
#include "base/in_file.h"
#include "base/out_file.h"
#include "base/process.h"
#include "synth/steps.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first line that a command prints, without blanks at its end. */
static int version_of(const char *tool, const char *package, const char *argument, char *out, size_t size,
                      struct err *e) {
  char command[128], path[SYNTH_PATH_BYTES], line[256] = "";
  struct stat st;
  if (!process_find_tool(tool, path, sizeof path, &st))
    return err_set(e, ERR_TOOL, "%s is not on PATH; install the package %s", tool, package);
  snprintf(command, sizeof command, "%s %s 2>/dev/null </dev/null", tool, argument);
  FILE *f = popen(command, "r");
  if (f && !fgets(line, sizeof line, f)) *line = 0;
  int status = f ? pclose(f) : -1;
  size_t n = strcspn(line, "\n");
  if (status || !n) return err_set(e, ERR_TOOL, "'%s %s' fails; install the package %s anew", tool, argument, package);
  snprintf(out, size, "%.*s", (int)n, line);
  return 0;
}

int synth_tools_find(struct synth *s, struct err *e) {
  char path[SYNTH_PATH_BYTES];
  struct stat st;
  int status = version_of("yosys", "yosys", "-V", s->yosys, sizeof s->yosys, e);
  if (!status) status = version_of("sta", "opensta", "-version", s->sta, sizeof s->sta, e);
  if (!status && !process_find_tool("yosys-abc", path, sizeof path, &st))
    status = err_set(e, ERR_TOOL, "yosys-abc is not on PATH; install the package yosys");
  return status;
}

int synth_template(const struct synth *s, const char *file, const struct synth_slot *slots, unsigned n, char **text,
                   struct err *e) {
  char path[SYNTH_PATH_BYTES], *in, *out = NULL;
  snprintf(path, sizeof path, "%.900s/scripts/synth/%s", s->source, file);
  size_t size;
  in = in_file_read(path, &size, e);
  if (!in)
    return err_set(e, ERR_FILE, "%s: %s; it comes with Tandem; install or build Tandem again", path, strerror(errno));
  FILE *f = open_memstream(&out, &size);
  const char *at = in;
  while (f && *at) {
    const char *mark = strchr(at, '@'), *end = mark ? strchr(mark + 1, '@') : NULL;
    if (!end) break;
    unsigned k = 0;
    while (k < n && (strlen(slots[k].name) != (size_t)(end - mark - 1) ||
                     strncmp(slots[k].name, mark + 1, (size_t)(end - mark - 1)) != 0))
      k++;
    invariant(k < n, "%s has %.*s, for which there is no value", file, (int)(end - mark + 1), mark);
    fprintf(f, "%.*s%s", (int)(mark - at), at, slots[k].value);
    at = end + 1;
  }
  if (f) {
    fputs(at, f);
    if (fclose(f)) out = NULL;
  }
  free(in);
  *text = out;
  return out ? 0 : err_set(e, ERR_LIMIT, "out of memory for %s", file);
}

int synth_write_text(const char *path, const char *text, struct err *e) {
  struct out_file out = {0};
  int status = out_file_open(&out, path, e);
  if (status) return status;
  fputs(text, out.f);
  return out_file_commit(&out, e);
}

static void remove_folder(const char *path) {
  char command[SYNTH_PATH_BYTES + 16];
  snprintf(command, sizeof command, "rm -rf '%s'", path);
  if (system(command)) { /* a leftover folder does no harm */
  }
}

/* Removes the working folders of killed calls. */
static void remove_stale(const char *cache) {
  struct dirent **entries;
  int n = scandir(cache, &entries, NULL, alphasort);
  for (int i = 0; i < n; i++) {
    char path[SYNTH_PATH_BYTES + 300];
    int pid = 0;
    if (sscanf(entries[i]->d_name, "work.%d", &pid) == 1 && pid > 0 && kill(pid, 0) && errno == ESRCH) {
      snprintf(path, sizeof path, "%s/%s", cache, entries[i]->d_name);
      remove_folder(path);
    }
    free(entries[i]);
  }
  if (n >= 0) free(entries);
}

int synth_work_open(struct synth *s, struct err *e) {
  remove_stale(s->cache);
  snprintf(s->work, sizeof s->work, "%.900s/work.%d", s->cache, (int)getpid());
  return process_make_folders(s->work, "set TANDEM_CACHE to a writable folder", e);
}

void synth_work_close(struct synth *s) {
  if (*s->work) remove_folder(s->work);
  *s->work = 0;
}

void synth_yosys_sentence(const char *log, char *out, size_t size) {
  char line[600], warning[256] = "", error[256] = "";
  FILE *f = fopen(log, "r");
  while (f && fgets(line, sizeof line, f)) {
    const char *bad = strstr(line, "ERROR:");
    if (bad) snprintf(error, sizeof error, "%.*s", (int)strcspn(line, "\n"), line);
    else if (!*error && strstr(line, "Warning:"))
      snprintf(warning, sizeof warning, "%.*s", (int)strcspn(line, "\n"), line);
  }
  if (f) fclose(f);
  snprintf(out, size, "%s%s%s", *error ? error : "Yosys stopped without a word", *warning ? "; before it: " : "",
           warning);
}
