/* SPDX-License-Identifier: Apache-2.0 */
/* Figures: does the sources that are needed, and reads numbers from their results. */
#include "base/err.h"
#include "measure/sources.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The energy table; a folder of one's own need not have one. */
static int open_energy(struct sources *s, struct err *e) {
  char path[SOURCES_PATH_BYTES + 16];
  snprintf(path, sizeof path, "%s/energy.yaml", s->config_dir);
  return s->energy.n || access(path, F_OK) ? 0 : energy_open(&s->energy, path, e);
}

int sources_do(struct sources *s, const struct sources_options *o, struct err *e) {
  int status = open_energy(s, e);
  if (!status) status = sources_do_runs(s, o, SOURCE_RUN, e);
  if (o->emission) return status; /* commands and syntheses need the runs' results */
  if (!status) status = sources_do_runs(s, o, SOURCE_COMMAND, e);
  return status || o->off
           ? status
           : sources_do_designs(s, o, e); /* with the proposal switched off its hardware does not matter */
}

/* The value of a key of an object; of an array the element with that number or that `name`. */
static const json_t *step(const json_t *at, const char *key) {
  if (json_is_array(at) && isdigit((unsigned char)*key)) return json_array_get(at, (size_t)strtoul(key, NULL, 10));
  for (size_t i = 0; i < json_array_size(at); i++) {
    const char *name = json_string_value(json_object_get(json_array_get(at, i), "name"));
    if (name && !strcmp(name, key)) return json_array_get(at, i);
  }
  return json_object_get(at, key);
}

/* energy, energy.PART, energy_low.PART.ENTRY ... */
static bool is_energy(const char *dotted, enum energy_end *end, const char **what) {
  static const char *const names[ENERGY_ENDS] = {"energy", "energy_low", "energy_high"};
  size_t length = strcspn(dotted, ".");
  for (int i = 0; i < ENERGY_ENDS; i++) {
    if (strlen(names[i]) != length || strncmp(names[i], dotted, length) != 0) continue;
    *end = (enum energy_end)i;
    *what = dotted + length + (dotted[length] == '.');
    return true;
  }
  return false;
}

static int energy_figure(const struct sources *s, const struct source *q, const char *what, enum energy_end end,
                         struct figure *out, struct err *e) {
  double nj;
  if (!s->energy.n) return err_set(e, ERR_VALUE, "%s: %s has no energy.yaml", q->place, s->config_dir);
  int status = energy_of(&s->energy, q->json, what, end, &nj, e);
  if (!status) *out = (struct figure){nj, nj, nj};
  return status;
}

int source_figure(const struct sources *s, const struct source *q, const char *dotted, struct figure *out,
                  struct err *e) {
  char path[EXPRESSION_NAME_BYTES], *rest = path;
  enum energy_end end;
  const char *what;
  if (q->kind == SOURCE_DESIGN) return design_figure(q, dotted, out, e);
  if (q->kind == SOURCE_RUN && is_energy(dotted, &end, &what)) return energy_figure(s, q, what, end, out, e);
  snprintf(path, sizeof path, "%s", dotted);
  const json_t *at = q->kind == SOURCE_RUN ? json_object_get(q->json, "statistics") : q->json;
  for (char *key; at && (key = strsep(&rest, "."));) at = step(at, key);
  if (!json_is_number(at))
    return err_set(e, ERR_VALUE, "%s: %s %s has no number %s%s; its %s names what there is", q->place,
                   source_kind_names[q->kind], q->name, q->kind == SOURCE_RUN ? "statistics." : "", dotted,
                   q->kind == SOURCE_RUN ? "run.json" : "output");
  out->value = out->low = out->high = json_number_value(at);
  return 0;
}

struct json_t *sources_json(const struct sources *s, const struct sources_options *o) {
  json_t *all = json_object();
  for (unsigned i = 0; i < s->n; i++) {
    const struct source *q = &s->list[i];
    char arguments[8192];
    if (!q->needed) continue;
    if (source_arguments(s, o, q, arguments, sizeof arguments, NULL)) arguments[0] = 0;
    json_object_set_new(
      all, q->name,
      json_pack("{s:s, s:s, s:s}", "kind", source_kind_names[q->kind], "arguments", arguments, "id", q->id));
  }
  return all;
}
