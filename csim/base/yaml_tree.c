/* SPDX-License-Identifier: Apache-2.0 */
#include "base/yaml_tree.h"

#include "base/err.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct yaml_tree {
  yaml_document_t document;
  char path[1024];
};

/* libyaml's lookup functions do not modify the document but lack const, hence the cast. */
static yaml_node_t *node_of(const struct yaml_tree *t, int index) {
  return yaml_document_get_node((yaml_document_t *)(uintptr_t)&t->document, index);
}

unsigned yaml_line(yaml_at n) { return n ? (unsigned)n->start_mark.line + 1 : 1; }

const char *yaml_place(const struct yaml_tree *t, yaml_at n, char place[YAML_PLACE_BYTES]) {
  snprintf(place, YAML_PLACE_BYTES, "%s:%u", t->path, yaml_line(n));
  return place;
}

size_t yaml_size(const struct yaml_tree *t, yaml_at n) {
  (void)t;
  if (n && n->type == YAML_MAPPING_NODE) return (size_t)(n->data.mapping.pairs.top - n->data.mapping.pairs.start);
  if (n && n->type == YAML_SEQUENCE_NODE) return (size_t)(n->data.sequence.items.top - n->data.sequence.items.start);
  return 0;
}

const char *yaml_text(yaml_at n) {
  return n && n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : NULL;
}

yaml_at yaml_entry(const struct yaml_tree *t, yaml_at n, size_t i, const char **key) {
  if (key) *key = NULL;
  if (n->type == YAML_SEQUENCE_NODE) return node_of(t, n->data.sequence.items.start[i]);
  const yaml_node_pair_t *pair = &n->data.mapping.pairs.start[i];
  if (key) *key = yaml_text(node_of(t, pair->key));
  return node_of(t, pair->value);
}

yaml_at yaml_get(const struct yaml_tree *t, yaml_at map, const char *key) {
  if (!map || map->type != YAML_MAPPING_NODE) return NULL;
  for (size_t i = 0; i < yaml_size(t, map); i++) {
    const char *name;
    yaml_at value = yaml_entry(t, map, i, &name);
    if (name && !strcmp(name, key)) return value;
  }
  return NULL;
}

/* ---- checks ---- */

static int check_map(const struct yaml_tree *t, yaml_at map, struct err *e) {
  char place[YAML_PLACE_BYTES];
  for (size_t i = 0; i < yaml_size(t, map); i++) {
    const char *key, *other;
    yaml_at value = yaml_entry(t, map, i, &key);
    if (!key) return err_set(e, ERR_SYNTAX, "%s: a key must be plain text", yaml_place(t, map, place));
    for (size_t k = 0; k < i; k++) {
      yaml_entry(t, map, k, &other);
      if (!strcmp(key, other))
        return err_set(e, ERR_SYNTAX, "%s: key \"%s\" appears twice; keep one", yaml_place(t, value, place), key);
    }
  }
  return 0;
}

static int check_all(const struct yaml_tree *t, struct err *e) {
  size_t n = (size_t)(t->document.nodes.top - t->document.nodes.start);
  for (size_t i = 0; i < n; i++) {
    const yaml_node_t *node = &t->document.nodes.start[i];
    int status = node->type == YAML_MAPPING_NODE ? check_map(t, node, e) : 0;
    if (status) return status;
  }
  return 0;
}

static const char *known_name(const void *list, unsigned i) { return ((const char *const *)list)[i]; }

int yaml_check_keys(const struct yaml_tree *t, yaml_at map, const char *what, const char *const *known, struct err *e) {
  char place[YAML_PLACE_BYTES];
  if (!map || map->type != YAML_MAPPING_NODE)
    return err_set(e, ERR_SYNTAX, "%s: %s must be a map (key: value lines)", yaml_place(t, map, place), what);
  for (size_t i = 0; i < yaml_size(t, map); i++) {
    const char *key;
    yaml_at value = yaml_entry(t, map, i, &key);
    unsigned k = 0;
    while (known[k] && strcmp(known[k], key) != 0) k++;
    if (known[k]) continue;
    const char *near = text_nearest(key, known_name, known);
    return err_set(e, ERR_SYNTAX, "%s: unknown key \"%s\" of %s%s%s%s", yaml_place(t, value, place), key, what,
                   near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
  }
  return 0;
}

int yaml_need_text(const struct yaml_tree *t, yaml_at map, const char *key, int needed, const char **out,
                   struct err *e) {
  char place[YAML_PLACE_BYTES];
  yaml_at value = yaml_get(t, map, key);
  *out = yaml_text(value);
  if (*out && **out) return 0;
  if (value) return err_set(e, ERR_SYNTAX, "%s: %s must be a single value", yaml_place(t, value, place), key);
  return needed ? err_set(e, ERR_SYNTAX, "%s: the key \"%s\" is missing", yaml_place(t, map, place), key) : 0;
}

/* ---- files ---- */

static int parse(struct yaml_tree *t, FILE *f, struct err *e) {
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser)) return err_set(e, ERR_LIMIT, "out of memory for %s", t->path);
  yaml_parser_set_input_file(&parser, f);
  int status = 0;
  if (!yaml_parser_load(&parser, &t->document))
    status = err_set(e, ERR_SYNTAX, "%s:%zu: %s", t->path, parser.problem_mark.line + 1,
                     parser.problem ? parser.problem : "this is no YAML");
  yaml_parser_delete(&parser);
  return status;
}

int yaml_tree_open(struct yaml_tree **out, const char *path, struct err *e) {
  FILE *f = fopen(path, "r");
  if (!f) return err_set(e, ERR_FILE, "cannot read %s: %s", path, strerror(errno));
  struct yaml_tree *t = calloc(1, sizeof *t);
  if (!t) {
    fclose(f);
    return err_set(e, ERR_LIMIT, "out of memory for %s", path);
  }
  snprintf(t->path, sizeof t->path, "%s", path);
  int status = parse(t, f, e);
  fclose(f);
  if (status) {
    free(t);
    return status;
  }
  status = yaml_tree_root(t) ? check_all(t, e) : err_set(e, ERR_SYNTAX, "%s: the file is empty", path);
  if (status) yaml_tree_close(t);
  else *out = t;
  return status;
}

void yaml_tree_close(struct yaml_tree *t) {
  if (!t) return;
  yaml_document_delete(&t->document);
  free(t);
}

yaml_at yaml_tree_root(const struct yaml_tree *t) {
  return yaml_document_get_root_node((yaml_document_t *)(uintptr_t)&t->document);
}
