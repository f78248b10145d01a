/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/choices.h"

#include "base/err.h"
#include "base/rng.h"
#include "base/text.h"
#include "config/gpu_config.h"
#include "measure/sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- checks ---- */

static int check_settings(const char *place, const struct choice *c, const struct choice_value *v, struct err *e) {
  struct gpu_config *m = malloc(sizeof *m);
  char text[512], *rest = text, *setting, origin[YAML_PLACE_BYTES + 64];
  if (!m) return err_set(e, ERR_LIMIT, "%s: out of memory", place);
  gpu_config_defaults(m);
  snprintf(text, sizeof text, "%s", v->set ? v->set : "");
  snprintf(origin, sizeof origin, "%s: open choice %s", place, c->id);
  int status = 0;
  while (!status && (setting = strsep(&rest, " ")))
    if (*setting) status = gpu_config_set(m, origin, setting, e);
  free(m);
  return status;
}

static bool occurs(const struct sources *s, const char *text) {
  for (unsigned i = 0; i < s->n; i++)
    if (strstr(s->list[i].arguments, text)) return true;
  return false;
}

/* Checks that a key holds a map of texts (or is absent). */
static int check_texts(const char *place, const struct choice *c, const struct yaml_tree *tree, const char *key,
                       yaml_at map, struct err *e) {
  for (size_t i = 0; i < yaml_size(tree, map); i++) {
    const char *what;
    if (!yaml_text(yaml_entry(tree, map, i, &what)) || !what || !*what)
      return err_set(e, ERR_SYNTAX, "%s: open choice %s: \"%s\" is a map of texts to what replaces them", place, c->id,
                     key);
  }
  return 0;
}

/* One of the replacements must be in the arguments of some source. In the quick form sizes are others. */
static int check_replacements(const char *place, const struct choice *c, const struct choice_value *v,
                              const struct yaml_tree *tree, const struct sources *s, struct err *e) {
  const char *what = NULL;
  bool found = !v->replace || s->lists.form == FORM_QUICK;
  int status = check_texts(place, c, tree, "replace", v->replace, e);
  for (size_t i = 0; i < yaml_size(tree, v->replace) && !status; i++) {
    yaml_entry(tree, v->replace, i, &what);
    found |= occurs(s, what);
  }
  if (status || found) return status;
  return err_set(e, ERR_VALUE, "%s: open choice %s: no run, command or design has \"%s\" in its arguments", place,
                 c->id, what ? what : "");
}

/* ---- reading ---- */

static int read_value(const struct yaml_tree *tree, yaml_at map, struct choice *c, const struct sources *s,
                      struct err *e) {
  static const char *const keys[] = {"value", "why", "set", "replace", "measure", "only", NULL};
  char place[YAML_PLACE_BYTES];
  struct choice_value *v = &c->value[c->n];
  yaml_place(tree, map, place);
  int status = yaml_check_keys(tree, map, "a value of an open choice", keys, e);
  if (!status) status = yaml_need_text(tree, map, "value", 1, &v->value, e);
  if (!status) status = yaml_need_text(tree, map, "why", 1, &v->why, e);
  if (!status) status = yaml_need_text(tree, map, "set", 0, &v->set, e);
  if (!status) status = yaml_need_text(tree, map, "only", 0, &v->only, e);
  if (status) return status;
  v->replace = yaml_get(tree, map, "replace");
  v->measure = yaml_get(tree, map, "measure");
  bool changes = v->set || v->replace || v->measure;
  if (c->n == 0 && changes)
    return err_set(e, ERR_VALUE,
                   "%s: open choice %s: the first value is the default and changes nothing; write the runs so", place,
                   c->id);
  if (c->n > 0 && !changes)
    return err_set(e, ERR_VALUE, "%s: open choice %s: value \"%s\" needs \"set\", \"replace\" or \"measure\"", place,
                   c->id, v->value);
  status = check_settings(place, c, v, e);
  if (!status) status = check_replacements(place, c, v, tree, s, e);
  if (!status) status = check_texts(place, c, tree, "measure", v->measure, e);
  c->n++;
  return status;
}

static int read_choice(struct choices *all, yaml_at map, const struct sources *s, struct err *e) {
  static const char *const keys[] = {"id", "text", "silent", "values", NULL};
  char place[YAML_PLACE_BYTES];
  struct choice *c = &all->choice[all->n];
  int status = yaml_check_keys(all->tree, map, "an open choice", keys, e);
  if (!status) status = yaml_need_text(all->tree, map, "id", 1, &c->id, e);
  if (!status) status = yaml_need_text(all->tree, map, "text", 1, &c->text, e);
  if (!status) status = yaml_need_text(all->tree, map, "silent", 1, &c->silent, e);
  if (status) return status;
  yaml_at values = yaml_get(all->tree, map, "values");
  size_t n = yaml_size(all->tree, values);
  c->line = yaml_line(map);
  yaml_place(all->tree, map, place);
  if (!text_is_identifier(c->id))
    return err_set(e, ERR_SYNTAX, "%s: id: \"%s\" has more than letters, digits and _", place, c->id);
  for (unsigned i = 0; i < all->n; i++)
    if (!strcmp(all->choice[i].id, c->id))
      return err_set(e, ERR_SYNTAX, "%s: open choice %s stands at line %u already", place, c->id, all->choice[i].line);
  if (n < 2 || n > CHOICE_VALUES_MAX)
    return err_set(e, ERR_VALUE, "%s: open choice %s has %zu values; write two to %d", place, c->id, n,
                   (int)CHOICE_VALUES_MAX);
  for (size_t i = 0; i < n && !status; i++)
    status = read_value(all->tree, yaml_entry(all->tree, values, i, NULL), c, s, e);
  all->n++;
  return status;
}

int choices_read(struct choices *all, const struct yaml_tree *tree, yaml_at list, const struct sources *s,
                 struct err *e) {
  char place[YAML_PLACE_BYTES];
  size_t n = yaml_size(tree, list);
  int status = 0;
  all->n = 0;
  all->tree = tree;
  if (n > CHOICES_MAX)
    return err_set(e, ERR_LIMIT, "%s: more than %d open choices", yaml_place(tree, list, place), (int)CHOICES_MAX);
  for (size_t i = 0; i < n && !status; i++) status = read_choice(all, yaml_entry(tree, list, i, NULL), s, e);
  return status;
}

/* ---- combinations ---- */

int combinations_make(struct combinations *all, const struct choices *c, unsigned random, uint64_t seed,
                      struct err *e) {
  unsigned alone = 0;
  for (unsigned i = 0; i < c->n; i++) alone += c->choice[i].n - 1;
  all->n = 0;
  all->value = calloc(1 + alone + random, sizeof *all->value);
  if (!all->value) return err_set(e, ERR_LIMIT, "out of memory for %u combinations", random);
  all->n = 1; /* the default: zeros */
  for (unsigned i = 0; i < c->n; i++)
    for (unsigned v = 1; v < c->choice[i].n; v++) all->value[all->n++][i] = (uint8_t)v;
  struct rng r;
  rng_seed(&r, seed);
  for (unsigned k = 0; k < random; k++, all->n++)
    for (unsigned i = 0; i < c->n; i++) all->value[all->n][i] = (uint8_t)rng_below(&r, c->choice[i].n);
  return 0;
}

void combinations_free(struct combinations *all) {
  free(all->value);
  memset(all, 0, sizeof *all);
}

unsigned combination_changes(const struct choices *all, const uint8_t *value, struct source_change *out) {
  unsigned n = 0;
  for (unsigned i = 0; i < all->n; i++) {
    const struct choice_value *v = &all->choice[i].value[value[i]];
    if (v->set && n < CHANGES_MAX) out[n++] = (struct source_change){NULL, v->set, v->only};
    for (size_t k = 0; k < yaml_size(all->tree, v->replace) && n < CHANGES_MAX; k++) {
      const char *what;
      const char *with = yaml_text(yaml_entry(all->tree, v->replace, k, &what));
      out[n++] = (struct source_change){what, with, v->only};
    }
  }
  return n;
}

int combination_expression(const struct choices *all, const uint8_t *value, const char *text, char *out, size_t size,
                           struct err *e) {
  bool fits = (size_t)snprintf(out, size, "%s", text) < size;
  for (unsigned i = 0; i < all->n && fits; i++) {
    yaml_at map = all->choice[i].value[value[i]].measure;
    for (size_t k = 0; k < yaml_size(all->tree, map) && fits; k++) {
      const char *what;
      const char *with = yaml_text(yaml_entry(all->tree, map, k, &what));
      fits = text_replace(out, size, what, with);
    }
  }
  return fits ? 0 : err_set(e, ERR_LIMIT, "an expression of more than %zu characters", size);
}

void combination_text(const struct choices *all, const uint8_t *value, char *out, size_t size) {
  size_t n = 0;
  out[0] = 0;
  for (unsigned i = 0; i < all->n && n < size; i++)
    if (value[i])
      n += (size_t)snprintf(out + n, size - n, "%s%s=%s", n ? ", " : "", all->choice[i].id,
                            all->choice[i].value[value[i]].value);
  if (!n) snprintf(out, size, "default");
}
