/* SPDX-License-Identifier: Apache-2.0 */
#include "blocktest/rtl_reasons.h"

#include "base/place.h"
#include "base/yaml_tree.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FAMILIES_MAX = 64 };

/* The list of one folder; texts live as long as its tree. */
struct family {
  char name[100]; /* rtl/F/ */
  struct yaml_tree *tree;
};

struct rtl_reasons {
  struct family family[FAMILIES_MAX];
  unsigned n;
};

static int check_row(const struct yaml_tree *tree, yaml_at row, struct err *e) {
  static const char *const keys[] = {"branch", "at", "signal", "why", NULL};
  char place[YAML_PLACE_BYTES];
  int status = yaml_check_keys(tree, row, "an unreached place", keys, e);
  if (status) return status;
  bool branch = yaml_text(yaml_get(tree, row, "branch")) && yaml_text(yaml_get(tree, row, "at"));
  bool signal = yaml_text(yaml_get(tree, row, "signal")) != NULL;
  if (branch != signal && yaml_text(yaml_get(tree, row, "why"))) return 0;
  return err_set(e, ERR_VALUE, "%s: write {branch: KIND, at: LINE, why: SENTENCE} or {signal: NAME, why: SENTENCE}",
                 yaml_place(tree, row, place));
}

static int add_family(struct rtl_reasons *r, const char *root, const char *folder, struct err *e) {
  char path[PLACE_BYTES + 300];
  snprintf(path, sizeof path, "%s/%s/unreached.yaml", root, folder);
  if (access(path, F_OK) || r->n == FAMILIES_MAX) return 0;
  struct family *f = &r->family[r->n];
  snprintf(f->name, sizeof f->name, "rtl/%s/", folder);
  int status = yaml_tree_open(&f->tree, path, e);
  if (status) return status;
  r->n++;
  yaml_at files = yaml_tree_root(f->tree);
  for (size_t i = 0; i < yaml_size(f->tree, files); i++) {
    const char *name;
    yaml_at rows = yaml_entry(f->tree, files, i, &name);
    for (size_t k = 0; k < yaml_size(f->tree, rows) && !status; k++)
      status = check_row(f->tree, yaml_entry(f->tree, rows, k, NULL), e);
  }
  return status;
}

int rtl_reasons_open(struct rtl_reasons **out, struct err *e) {
  char root[PLACE_BYTES];
  struct rtl_reasons *r = calloc(1, sizeof *r);
  if (!r) return err_set(e, ERR_LIMIT, "out of memory for the lists of unreached places");
  place_data_file("rtl", root, sizeof root);
  DIR *d = opendir(root);
  int status = 0;
  for (struct dirent *f; d && !status && (f = readdir(d));)
    if (f->d_name[0] != '.') status = add_family(r, root, f->d_name, e);
  if (d) closedir(d);
  *out = r;
  if (!status) return 0;
  rtl_reasons_close(r);
  *out = NULL;
  return status;
}

void rtl_reasons_close(struct rtl_reasons *r) {
  if (!r) return;
  for (unsigned i = 0; i < r->n; i++) yaml_tree_close(r->family[i].tree);
  free(r);
}

/* The rows of a file, or NULL; *tree is their tree. */
static yaml_at rows_of(const struct rtl_reasons *r, const char *file, const struct yaml_tree **tree) {
  for (unsigned i = 0; r && i < r->n; i++) {
    const struct family *f = &r->family[i];
    if (strncmp(file, f->name, strlen(f->name)) != 0) continue;
    *tree = f->tree;
    return yaml_get(f->tree, yaml_tree_root(f->tree), file + strlen(f->name));
  }
  return NULL;
}

static bool says(const struct yaml_tree *tree, yaml_at row, const char *key, const char *text) {
  const char *found = yaml_text(yaml_get(tree, row, key));
  return found && !strcmp(found, text);
}

const char *rtl_reasons_branch(const struct rtl_reasons *r, const char *file, const char *text, const char *kind) {
  const struct yaml_tree *tree = NULL;
  yaml_at rows = rows_of(r, file, &tree);
  for (size_t i = 0; rows && i < yaml_size(tree, rows); i++) {
    yaml_at row = yaml_entry(tree, rows, i, NULL);
    const char *at = yaml_text(yaml_get(tree, row, "at"));
    if (at && strstr(text, at) && says(tree, row, "branch", kind)) return yaml_text(yaml_get(tree, row, "why"));
  }
  return NULL;
}

const char *rtl_reasons_signal(const struct rtl_reasons *r, const char *file, const char *signal) {
  const struct yaml_tree *tree = NULL;
  yaml_at rows = rows_of(r, file, &tree);
  for (size_t i = 0; rows && i < yaml_size(tree, rows); i++) {
    yaml_at row = yaml_entry(tree, rows, i, NULL);
    if (says(tree, row, "signal", signal)) return yaml_text(yaml_get(tree, row, "why"));
  }
  return NULL;
}
