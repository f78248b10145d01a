/* SPDX-License-Identifier: Apache-2.0 */
#include "report/diff.h"

#include "base/err.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = sizeof((struct diff_item *)0)->name };

/* ---- leaves ---- */

static int add(struct diff_list *list, const char *name, const json_t *a, const json_t *b, struct err *e) {
  if (list->n == list->capacity) {
    uint32_t more = list->capacity ? list->capacity * 2 : 64;
    struct diff_item *items = realloc(list->item, more * sizeof *items);
    if (!items) return err_set(e, ERR_LIMIT, "out of memory for %u differences", more);
    list->item = items;
    list->capacity = more;
  }
  struct diff_item *d = &list->item[list->n++];
  *d = (struct diff_item){.of = {a, b}, .number = json_is_integer(a) && json_is_integer(b)};
  snprintf(d->name, sizeof d->name, "%s", name);
  if (!d->number) return 0;
  json_int_t first = json_integer_value(a);
  d->change = json_integer_value(b) - first;
  d->relative = first ? (double)d->change / (double)first : d->change < 0 ? -INFINITY : INFINITY;
  return 0;
}

static int compare(struct diff_list *, const char *name, const json_t *a, const json_t *b, struct err *);

/* The keys of an object: those of the first run, then what only the second has. */
static int compare_objects(struct diff_list *list, const char *name, const json_t *a, const json_t *b, struct err *e) {
  const json_t *of[2] = {a, b};
  for (int side = 0; side < 2; side++) {
    void *i = of[side] ? json_object_iter((json_t *)of[side]) : NULL;
    for (; i; i = json_object_iter_next((json_t *)of[side], i)) {
      const char *key = json_object_iter_key(i);
      char below[NAME_BYTES];
      if (side && json_object_get(a, key)) continue;
      snprintf(below, sizeof below, "%s%s%s", name, *name ? "." : "", key);
      int status = compare(list, below, json_object_get(a, key), json_object_get(b, key), e);
      if (status) return status;
    }
  }
  return 0;
}

static int compare_arrays(struct diff_list *list, const char *name, const json_t *a, const json_t *b, struct err *e) {
  size_t n = json_array_size(a), m = json_array_size(b);
  int status = 0;
  for (size_t i = 0; i < n || i < m; i++) {
    char below[NAME_BYTES];
    snprintf(below, sizeof below, "%s[%zu]", name, i);
    if (!status) status = compare(list, below, json_array_get(a, i), json_array_get(b, i), e);
  }
  return status;
}

static int compare(struct diff_list *list, const char *name, const json_t *a, const json_t *b, struct err *e) {
  const json_t *any = a ? a : b;
  if ((!a || json_is_object(a)) && (!b || json_is_object(b))) return compare_objects(list, name, a, b, e);
  if ((!a || json_is_array(a)) && (!b || json_is_array(b))) return compare_arrays(list, name, a, b, e);
  list->compared++;
  if (any && a && b && json_equal(a, b)) return 0;
  return add(list, name, a, b, e);
}

/* ---- order ---- */

static int by_name(const struct diff_item *a, const struct diff_item *b) { return strcmp(a->name, b->name); }

/* Numbers first, the largest first; then by name, so that the order is always the same. */
static int by_size(const struct diff_item *a, const struct diff_item *b, double x, double y) {
  if (a->number != b->number) return a->number ? -1 : 1;
  if (a->number && x != y) return x > y ? -1 : 1;
  return by_name(a, b);
}

static int order_relative(const void *left, const void *right) {
  const struct diff_item *a = left, *b = right;
  return by_size(a, b, fabs(a->relative), fabs(b->relative));
}

static int order_change(const void *left, const void *right) {
  const struct diff_item *a = left, *b = right;
  return by_size(a, b, fabs((double)a->change), fabs((double)b->change));
}

static int order_name(const void *left, const void *right) { return by_name(left, right); }

static void sort(struct diff_list *list, enum diff_order order) {
  static int (*const by[])(const void *, const void *) = {order_relative, order_change, order_name};
  if (list->n) qsort(list->item, list->n, sizeof *list->item, by[order]);
}

/* ---- runs ---- */

static const json_t *part(const struct diff *d, int side, const char *section, const char *key) {
  const json_t *j = json_object_get(d->run[side], section);
  return key ? json_object_get(j, key) : j;
}

static int compare_part(struct diff *d, enum diff_scope scope, const char *section, const char *key, const char *name,
                        struct err *e) {
  return compare(&d->list[scope], name, part(d, 0, section, key), part(d, 1, section, key), e);
}

/* What of `statistics` is neither of a launch nor of an SM. */
static int compare_totals(struct diff *d, struct err *e) {
  json_t *total[2];
  int status = 0;
  for (int side = 0; side < 2; side++) {
    total[side] = json_copy((json_t *)part(d, side, "statistics", NULL)); /* its values are shared with `run` */
    json_object_del(total[side], "launches");
    json_object_del(total[side], "per_sm");
  }
  status = compare(&d->list[DIFF_TOTAL], "", total[0], total[1], e);
  json_decref(total[0]);
  json_decref(total[1]);
  return status;
}

static int compare_runs(struct diff *d, struct err *e) {
  int status = compare_part(d, DIFF_CONFIG, "config", NULL, "", e);
  if (!status) status = compare_part(d, DIFF_CONFIG, "versions", NULL, "versions", e);
  if (!status) status = compare_totals(d, e);
  if (!status) status = compare_part(d, DIFF_LAUNCH, "statistics", "launches", "launches", e);
  if (!status) status = compare_part(d, DIFF_SM, "statistics", "per_sm", "per_sm", e);
  if (!status) status = diff_event_find(d->dir, &d->event, e);
  return status;
}

static int load(struct diff *d, int side, const char *dir, struct err *e) {
  d->dir[side] = dir;
  d->run[side] = run_file_load(dir, e);
  if (!d->run[side]) return (int)e->code;
  const char *verdict = json_string_value(part(d, side, "verdict", "result"));
  snprintf(d->verdict[side], sizeof d->verdict[side], "%s", verdict ? verdict : "?");
  if (json_is_object(part(d, side, "statistics", NULL))) return 0;
  return err_set(e, ERR_VALUE, "%s/run.json: no statistics of a run in it; run the workload again", dir);
}

int diff_load(struct diff *d, const char *const dir[2], enum diff_order order, struct err *e) {
  memset(d, 0, sizeof *d);
  int status = load(d, 0, dir[0], e);
  if (!status) status = load(d, 1, dir[1], e);
  if (!status) status = compare_runs(d, e);
  for (int i = 0; i < DIFF_SCOPES && !status; i++) sort(&d->list[i], i == DIFF_CONFIG ? DIFF_BY_NAME : order);
  if (status) diff_free(d);
  return status;
}

void diff_free(struct diff *d) {
  for (int i = 0; i < DIFF_SCOPES; i++) free(d->list[i].item);
  json_decref(d->run[0]);
  json_decref(d->run[1]);
  memset(d, 0, sizeof *d);
}

bool diff_differs(const struct diff *d, bool results_only) {
  bool differs = d->event.differs || strcmp(d->verdict[0], d->verdict[1]) != 0;
  for (int i = results_only ? DIFF_TOTAL : 0; i < DIFF_SCOPES; i++) differs |= d->list[i].n > 0;
  return differs;
}
