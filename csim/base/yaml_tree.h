/* SPDX-License-Identifier: Apache-2.0 */
/* A YAML file as a tree of maps, lists and values with line numbers, for readers of small configuration files. */
#ifndef TANDEM_BASE_YAML_TREE_H
#define TANDEM_BASE_YAML_TREE_H

#include <stddef.h>

struct err;
struct yaml_tree;
struct yaml_node_s;
typedef const struct yaml_node_s *yaml_at; /* a node; lives as long as its tree */

/* Reads a file of one document. Errors: ERR_FILE; ERR_SYNTAX with file:line, also for a key twice in one map. */
int yaml_tree_open(struct yaml_tree **, const char *path, struct err *);
void yaml_tree_close(struct yaml_tree *);
yaml_at yaml_tree_root(const struct yaml_tree *);

enum { YAML_PLACE_BYTES = 1200 };
/* "file:line" of a node. */
const char *yaml_place(const struct yaml_tree *, yaml_at, char place[YAML_PLACE_BYTES]);

unsigned yaml_line(yaml_at);
/* The number of entries of a map or list; 0 for a value. */
size_t yaml_size(const struct yaml_tree *, yaml_at);
/* Entry `i`; for a map also its key (`key` may be NULL). */
yaml_at yaml_entry(const struct yaml_tree *, yaml_at, size_t i, const char **key);
/* The value of a key, or NULL. */
yaml_at yaml_get(const struct yaml_tree *, yaml_at map, const char *key);
/* The text of a value, or NULL for a map, a list, an absent node. */
const char *yaml_text(yaml_at);

/* Checks that a node is a map whose keys are all in `known` (ended by NULL). The error names the nearest key. */
int yaml_check_keys(const struct yaml_tree *, yaml_at, const char *what, const char *const *known, struct err *);
/* The text of key `key` of `map`; *out is NULL when it is absent and not `needed`. */
int yaml_need_text(const struct yaml_tree *, yaml_at map, const char *key, int needed, const char **out, struct err *);

#endif
