/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/energy.h"

#include "base/err.h"
#include "base/json_out.h"
#include "base/text.h"
#include "measure/expression.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static int read_number(const struct yaml_tree *tree, yaml_at map, const char *key, double *out, struct err *e) {
  const char *text;
  char place[YAML_PLACE_BYTES], *end;
  int status = yaml_need_text(tree, map, key, 1, &text, e);
  if (status) return status;
  *out = strtod(text, &end);
  if (*text && !*end && *out >= 0 && *out < 1e12) return 0;
  return err_set(e, ERR_SYNTAX, "%s: %s is \"%s\"; write a number of picojoules", yaml_place(tree, map, place), key,
                 text);
}

static int read_entry(struct energy *g, const char *part, const char *name, yaml_at value, struct err *e) {
  static const char *const known[] = {"events", "pJ", "low", "high", "source", "system", NULL};
  char place[YAML_PLACE_BYTES];
  if (g->n == ENERGY_ENTRIES_MAX)
    return err_set(e, ERR_LIMIT, "%s: more than %d entries", yaml_place(g->tree, value, place), ENERGY_ENTRIES_MAX);
  struct energy_entry *t = &g->entry[g->n];
  *t = (struct energy_entry){.part = part, .name = name};
  yaml_place(g->tree, value, t->place);
  int status = yaml_check_keys(g->tree, value, "an entry", known, e);
  if (!status) status = yaml_need_text(g->tree, value, "events", 1, &t->events, e);
  if (!status) status = yaml_need_text(g->tree, value, "source", 1, &t->source, e);
  if (!status) status = yaml_need_text(g->tree, value, "system", 0, &t->system, e);
  if (!status) status = read_number(g->tree, value, "pJ", &t->pj[ENERGY_MIDDLE], e);
  if (!status) status = read_number(g->tree, value, "low", &t->pj[ENERGY_LOW], e);
  if (!status) status = read_number(g->tree, value, "high", &t->pj[ENERGY_HIGH], e);
  if (status) return status;
  if (t->pj[ENERGY_LOW] > t->pj[ENERGY_MIDDLE] || t->pj[ENERGY_MIDDLE] > t->pj[ENERGY_HIGH])
    return err_set(e, ERR_SYNTAX, "%s: %s.%s: pJ is not between low and high", t->place, part, name);
  g->n++;
  return 0;
}

static int read_parts(struct energy *g, struct err *e) {
  static const char *const known[] = {"parts", NULL};
  yaml_at root = yaml_tree_root(g->tree), parts = yaml_get(g->tree, root, "parts");
  int status = yaml_check_keys(g->tree, root, "an energy table", known, e);
  for (size_t i = 0; i < yaml_size(g->tree, parts) && !status; i++) {
    const char *part, *name;
    yaml_at entries = yaml_entry(g->tree, parts, i, &part);
    for (size_t k = 0; part && k < yaml_size(g->tree, entries) && !status; k++) {
      yaml_at value = yaml_entry(g->tree, entries, k, &name);
      char place[YAML_PLACE_BYTES];
      if (!name)
        status = err_set(e, ERR_SYNTAX, "%s: \"%s\" is a map of entries", yaml_place(g->tree, value, place), part);
      else status = read_entry(g, part, name, value, e);
    }
  }
  if (!status && !g->n) status = err_set(e, ERR_SYNTAX, "the energy table has no \"parts\"");
  return status;
}

int energy_open(struct energy *g, const char *path, struct err *e) {
  *g = (struct energy){0};
  int status = yaml_tree_open(&g->tree, path, e);
  if (!status) status = read_parts(g, e);
  if (status) energy_close(g);
  return status;
}

void energy_close(struct energy *g) {
  if (g->tree) yaml_tree_close(g->tree);
  *g = (struct energy){0};
}

/* ---- a run ---- */

static int setting(const json_t *run, const char *key, double *out) {
  const json_t *at = json_object_get(json_object_get(json_object_get(run, "config"), "parameters"), key);
  *out = json_number_value(at);
  return json_is_number(at) ? 0 : -1;
}

static int statistic(const json_t *run, const char *dotted, double *out) {
  char path[EXPRESSION_NAME_BYTES], *rest = path;
  const json_t *at = json_object_get(run, "statistics");
  snprintf(path, sizeof path, "%s", dotted);
  for (char *key; at && (key = strsep(&rest, "."));) at = json_object_get(at, key);
  *out = json_number_value(at);
  return json_is_number(at) ? 0 : -1;
}

struct lookup {
  const struct energy_entry *t;
  const json_t *run;
};

static int look_up(void *context, const char *name, struct figure *out, struct err *e) {
  const struct lookup *l = context;
  double value;
  int missing = strncmp(name, "config.", 7) ? statistic(l->run, name, &value) : setting(l->run, name + 7, &value);
  if (missing)
    return err_set(e, ERR_VALUE, "%s: %s.%s: the run has no number %s; its run.json names what there is", l->t->place,
                   l->t->part, l->t->name, name);
  *out = (struct figure){value, value, value};
  return 0;
}

int energy_of_entry(const struct energy_entry *t, const json_t *run, enum energy_end end, double *nj, struct err *e) {
  struct lookup l = {t, run};
  struct figure events;
  int status = expression_evaluate(t->events, t->place, look_up, &l, &events, e);
  *nj = status ? 0 : events.value * t->pj[end] * 1e-3;
  return status;
}

static bool is_of(const struct energy_entry *t, const char *what) {
  size_t part = strlen(t->part);
  if (!*what) return true;
  if (strncmp(what, t->part, part) != 0) return false;
  return !what[part] || (what[part] == '.' && !strcmp(what + part + 1, t->name));
}

int energy_of(const struct energy *g, const json_t *run, const char *what, enum energy_end end, double *nj,
              struct err *e) {
  bool any = false;
  *nj = 0;
  for (unsigned i = 0; i < g->n; i++) {
    double one;
    if (!is_of(&g->entry[i], what)) continue;
    int status = energy_of_entry(&g->entry[i], run, end, &one, e);
    if (status) return status;
    *nj += one;
    any = true;
  }
  return any ? 0
             : err_set(e, ERR_VALUE, "there is no energy of \"%s\"; configs/energy.yaml names parts and entries", what);
}

/* ---- printing ---- */

static int all_ends(const struct energy *g, const json_t *run, const char *what, double nj[ENERGY_ENDS],
                    struct err *e) {
  int status = 0;
  for (int end = 0; end < ENERGY_ENDS && !status; end++)
    status = energy_of(g, run, what, (enum energy_end)end, &nj[end], e);
  return status;
}

static void print_row(const char *part, const char *name, const double nj[ENERGY_ENDS], double all, const char *source,
                      FILE *f) {
  fprintf(f, "%-8s %-12s %13.1f %7.1f %% %13.1f %13.1f  %s\n", part, name, nj[ENERGY_MIDDLE],
          all > 0 ? 100 * nj[ENERGY_MIDDLE] / all : 0, nj[ENERGY_LOW], nj[ENERGY_HIGH], source);
}

int energy_print(const struct energy *g, const json_t *run, FILE *f, struct err *e) {
  double all[ENERGY_ENDS] = {0}, nj[ENERGY_ENDS] = {0};
  int status = all_ends(g, run, "", all, e);
  if (status) return status;
  fprintf(f, "%-8s %-12s %13s %9s %13s %13s  %s\n", "part", "of", "nJ", "share", "low", "high", "source");
  for (unsigned i = 0; i < g->n && !status; i++) {
    const struct energy_entry *t = &g->entry[i];
    char what[EXPRESSION_NAME_BYTES];
    snprintf(what, sizeof what, "%s.%s", t->part, t->name);
    status = all_ends(g, run, what, nj, e);
    if (!status && nj[ENERGY_HIGH] > 0) print_row(t->part, t->name, nj, all[ENERGY_MIDDLE], t->source, f);
  }
  if (status) return status;
  print_row("all", "", all, all[ENERGY_MIDDLE], "", f);
  double ns;
  if (!statistic(run, "time_ns", &ns) && ns > 0) fprintf(f, "%.2f W in %.1f us\n", all[ENERGY_MIDDLE] / ns, ns * 1e-3);
  return 0;
}

int energy_print_json(const struct energy *g, const json_t *run, FILE *f, struct err *e) {
  json_t *rows = json_array();
  double nj[ENERGY_ENDS] = {0};
  int status = 0;
  for (unsigned i = 0; i < g->n && !status; i++) {
    const struct energy_entry *t = &g->entry[i];
    char what[EXPRESSION_NAME_BYTES];
    snprintf(what, sizeof what, "%s.%s", t->part, t->name);
    status = all_ends(g, run, what, nj, e);
    if (!status)
      json_array_append_new(rows, json_pack("{s:s, s:s, s:f, s:f, s:f, s:s}", "part", t->part, "of", t->name, "nj",
                                            nj[ENERGY_MIDDLE], "low", nj[ENERGY_LOW], "high", nj[ENERGY_HIGH], "source",
                                            t->source));
  }
  if (!status) status = all_ends(g, run, "", nj, e);
  json_t *j = json_pack("{s:o, s:f, s:f, s:f}", "entries", rows, "nj", nj[ENERGY_MIDDLE], "low", nj[ENERGY_LOW], "high",
                        nj[ENERGY_HIGH]);
  if (!status) json_out(j, "energy/1", 0, f);
  json_decref(j);
  return status;
}
