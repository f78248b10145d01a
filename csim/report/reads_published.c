/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "base/text.h"
#include "base/yaml_tree.h"
#include "report/reads.h"

#include <string.h>

/* The number of key `key`; -1 if it is absent. */
static int number(const struct yaml_tree *t, yaml_at map, const char *key, int64_t *out, struct err *e) {
  char place[YAML_PLACE_BYTES];
  const char *text;
  int status = yaml_need_text(t, map, key, 0, &text, e);
  if (status || !text) return status;
  if (text_to_int64(text, out) && *out >= 0) return 0;
  return err_set(e, ERR_VALUE, "%s: %s: \"%s\" is no whole number", yaml_place(t, yaml_get(t, map, key), place), key,
                 text);
}

static int words(const struct yaml_tree *t, yaml_at map, const char *key, int needed, char *out, size_t size,
                 struct err *e) {
  const char *text;
  int status = yaml_need_text(t, map, key, needed, &text, e);
  if (!status) snprintf(out, size, "%s", text ? text : "");
  return status;
}

static int numbers(const struct yaml_tree *t, yaml_at map, struct reads_published *p, struct err *e) {
  int status = number(t, map, "arrays", &p->arrays, e);
  if (!status) status = number(t, map, "indexes", &p->indexes, e);
  if (!status) status = number(t, map, "static", &p->is_static, e);
  if (!status) status = number(t, map, "quasi", &p->quasi, e);
  for (int r = AFFINE_OPERATOR; r < AFFINE_REASONS && !status; r++)
    status = number(t, map, affine_reason_name((enum affine_reason)r), &p->by_reason[r], e);
  return status ? status : number(t, map, "known_percent", &p->known_percent, e);
}

static int read_program(const struct yaml_tree *t, yaml_at map, yaml_at everywhere, struct reads_published *p,
                        struct err *e) {
  static const char *const keys[] = {"name",          "workload", "arrays",   "indexes", "static",
                                     "quasi",         "operator", "indirect", "control", "induction",
                                     "known_percent", "says",     NULL};
  *p = (struct reads_published){.arrays = -1, .indexes = -1, .is_static = -1, .quasi = -1, .known_percent = -1};
  for (int r = 0; r < AFFINE_REASONS; r++) p->by_reason[r] = -1;
  int status = yaml_check_keys(t, map, "a program", keys, e);
  if (!status) status = words(t, map, "name", 1, p->name, sizeof p->name, e);
  if (!status) status = words(t, map, "workload", 0, p->workload, sizeof p->workload, e);
  if (!status) status = words(t, map, "says", 0, p->says, sizeof p->says, e);
  if (!status && everywhere) status = numbers(t, everywhere, p, e);
  return status ? status : numbers(t, map, p, e);
}

static int read_all(const struct yaml_tree *t, struct reads_paper *paper, struct err *e) {
  static const char *const keys[] = {"source", "everywhere", "programs", NULL};
  char place[YAML_PLACE_BYTES];
  yaml_at root = yaml_tree_root(t), list = yaml_get(t, root, "programs");
  int status = yaml_check_keys(t, root, "the file", keys, e);
  if (!status) status = words(t, root, "source", 1, paper->source, sizeof paper->source, e);
  size_t n = list ? yaml_size(t, list) : 0;
  if (!status && (!n || n > READS_PUBLISHED_MAX))
    return err_set(e, ERR_VALUE, "%s: programs: a list of 1 to %d is wanted", yaml_place(t, root, place),
                   READS_PUBLISHED_MAX);
  for (size_t i = 0; i < n && !status; i++)
    status = read_program(t, yaml_entry(t, list, i, NULL), yaml_get(t, root, "everywhere"), &paper->program[i], e);
  paper->n = status ? 0 : (uint32_t)n;
  return status;
}

int reads_paper_read(struct reads_paper *paper, const char *path, struct err *e) {
  struct yaml_tree *tree;
  *paper = (struct reads_paper){.n = 0};
  int status = yaml_tree_open(&tree, path, e);
  if (status) return status;
  status = read_all(tree, paper, e);
  yaml_tree_close(tree);
  return status;
}

const struct reads_published *reads_paper_find(const struct reads_paper *paper, const char *name) {
  size_t n = strcspn(name, ":");
  for (uint32_t i = 0; paper && i < paper->n; i++)
    if (*paper->program[i].workload && strcspn(paper->program[i].workload, ":") == n &&
        !strncmp(paper->program[i].workload, name, n))
      return &paper->program[i];
  return NULL;
}
