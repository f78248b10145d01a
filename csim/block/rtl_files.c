/* SPDX-License-Identifier: Apache-2.0 */
#include "block/rtl_files.h"

#include "base/in_file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_word(int c) { return isalnum(c) || c == '_' || c == '$'; }

/* Whether `name` stands as a word in the text. */
static bool has_word(const char *text, const char *name) {
  size_t n = strlen(name);
  for (const char *at = text; (at = strstr(at, name)); at += n)
    if (!is_word((unsigned char)at[n]) && (at == text || !is_word((unsigned char)at[-1]))) return true;
  return false;
}

static char *read_text(const char *path, struct err *e) {
  size_t bytes;
  char *text = in_file_read(path, &bytes, e);
  if (!text) err_put(e, ERR_FILE, "%s: %s; it comes with Tandem; install or build Tandem again", path, strerror(errno));
  return text;
}

static bool listed(const struct rtl_files *l, const char *path) {
  for (unsigned i = 0; i < l->n; i++)
    if (!strcmp(l->path[i], path)) return true;
  return false;
}

/* Adds the files of the folder that the text names, in the order of their names. */
static int add_named(struct rtl_files *l, const char *folder, const char *text, struct err *e) {
  struct dirent **entries;
  int n = scandir(folder, &entries, NULL, alphasort), status = 0;
  for (int i = 0; i < n; i++) {
    char *name = entries[i]->d_name, *dot = strrchr(name, '.');
    char path[RTL_FILE_BYTES];
    snprintf(path, sizeof path, "%.*s/%.255s", RTL_FILE_BYTES - 257, folder, name);
    bool rtl = dot && (!strcmp(dot, ".v") || !strcmp(dot, ".sv") || !strcmp(dot, ".vh"));
    if (rtl) *dot = 0;
    if (!status && rtl && has_word(text, name) && !listed(l, path)) {
      if (l->n == RTL_FILES_MAX) status = err_set(e, ERR_LIMIT, "%s has more than %d parts", l->path[0], RTL_FILES_MAX);
      else snprintf(l->path[l->n++], RTL_FILE_BYTES, "%s", path);
    }
    free(entries[i]);
  }
  if (n >= 0) free(entries);
  return status;
}

int rtl_files_find(const char *rtl, const char *const *folders, unsigned n, const char *file, struct rtl_files *l,
                   struct err *e) {
  int status = 0;
  l->n = 1;
  snprintf(l->path[0], RTL_FILE_BYTES, "%s", file);
  for (unsigned i = 0; i < l->n && !status; i++) {
    char folder[RTL_FILE_BYTES], *text = read_text(l->path[i], e);
    if (!text) return (int)e->code;
    for (unsigned k = 0; k < n && !status; k++) {
      snprintf(folder, sizeof folder, "%.*s/%.100s", RTL_FILE_BYTES - 102, rtl, folders[k]);
      status = add_named(l, folder, text, e);
    }
    free(text);
  }
  return status;
}
