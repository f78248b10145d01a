/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of configuration files, and texts with the items of lists in braces.
 *
 *   lists:
 *     kernel:
 *       gauss: {label: GAUSS, full: "width=1024", quick: "width=96"}
 *       mean: {label: MEAN, full: "width=512", quick: "width=64", full_only: 1}
 *     filter: [gauss, mean]
 *
 * In a text, {kernel} is the item's name and {kernel.label} a field of it; {kernel.size} is its field `full`, or `quick` in
 * the quick form, which leaves out items with `full_only`, or `universe` (absent: `full`) where many combinations are
 * measured. A function of an expression over a list, geomean(kernel: EXPR), is the function of EXPR with each item in turn;
 * count(kernel: EXPR) is their sum. */
#ifndef TANDEM_MEASURE_LISTS_H
#define TANDEM_MEASURE_LISTS_H

#include "base/yaml_tree.h"

#include <stdbool.h>

enum { LISTS_MAX = 32, LIST_ITEMS_MAX = 64, BINDINGS_MAX = 8, LISTS_TEXT_BYTES = 262144 };

struct list_item {
  const char *name;
  yaml_at fields; /* NULL for a plain list */
  bool full_only;
};

struct list {
  const char *name;
  const struct yaml_tree *tree;
  struct list_item item[LIST_ITEMS_MAX];
  unsigned n, line;
};

/* Which sizes the items have. */
enum form { FORM_FULL, FORM_QUICK, FORM_UNIVERSE };

struct lists {
  struct list list[LISTS_MAX];
  unsigned n;
  enum form form;
};

/* A combination: some lists, with one item of each. */
struct bindings {
  const struct list *list[BINDINGS_MAX];
  unsigned item[BINDINGS_MAX];
  unsigned n;
};

/* Reads the map of lists of a file (NULL: none). A list of the same name must have the same items. */
int lists_read(struct lists *, const struct yaml_tree *, yaml_at map, struct err *);
const struct list *lists_find(const struct lists *, const char *name, size_t length);
const char *list_field(const struct list *, unsigned item, const char *field); /* NULL: it has none */

/* Binds the first items of the lists that `text` names in braces, and of no others. `place` (file:line) begins errors. */
int bindings_of(const struct lists *, const char *text, const char *place, struct bindings *, struct err *);
/* Adds a list; false when there is no room. */
bool bindings_add(struct bindings *, const struct list *);
/* Steps to the next combination; the last list varies fastest. False after the last one. */
bool bindings_next(struct bindings *);
bool bindings_full_only(const struct bindings *);

/* A name in braces that is no list: ".run:NAME" and the like. NULL: there is no such name. */
typedef const char *lists_other(void *context, const char *name);

/* Replaces the names in braces, innermost first. Errors: ERR_SYNTAX, ERR_VALUE. */
int lists_expand(const struct lists *, const struct bindings *, const char *text, const char *place, lists_other *,
                 void *context, char *out, size_t size, struct err *);
/* Expands an expression: first its functions over lists, then the names in braces. Functions that stand in no other
 * function leave out the item `dropped` (NULL: none), unless it is the only one. */
int lists_unfold(const struct lists *, const struct bindings *, const char *text, const char *place,
                 const char *dropped, char *out, size_t size, struct err *);

#endif
