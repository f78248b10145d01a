/* SPDX-License-Identifier: Apache-2.0 */
/* Reads configs/claims/SYSTEM.yaml. */
#include "base/err.h"
#include "base/text.h"
#include "base/yaml_tree.h"
#include "claims/claims.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double default_tolerance = 0.1; /* assumption: how exactly a paper describes its GPU */

/* ---- claims ---- */

static int number(const struct claims *c, yaml_at n, const char *what, const char *text, double *out, struct err *e) {
  char place[YAML_PLACE_BYTES], *end;
  errno = 0;
  *out = text ? strtod(text, &end) : 0;
  if (text && end != text && !*end && !errno && isfinite(*out)) return 0;
  return err_set(e, ERR_VALUE, "%s: %s: \"%s\" is no number", yaml_place(c->tree, n, place), what, text ? text : "");
}

/* "1.36" or "2.15..2.29" */
static int read_published(const struct claims *c, yaml_at map, struct claim *q, struct err *e) {
  char first[64];
  yaml_at n = yaml_get(c->tree, map, "published");
  const char *dots = strstr(q->published_text, "..");
  size_t length = dots ? (size_t)(dots - q->published_text) : strlen(q->published_text);
  snprintf(first, sizeof first, "%.*s", (int)(length < sizeof first ? length : sizeof first - 1), q->published_text);
  int status = number(c, n, "published", first, &q->published.low, e);
  q->published.high = q->published.low;
  q->published.half_digit = published_half_digit(first);
  if (!status && dots) status = number(c, n, "published", dots + 2, &q->published.high, e);
  char place[YAML_PLACE_BYTES];
  if (!status && q->published.high < q->published.low)
    return err_set(e, ERR_VALUE, "%s: published: %s is an empty range; write LOW..HIGH", yaml_place(c->tree, n, place),
                   q->published_text);
  return status;
}

static int read_claim(const struct claims *c, yaml_at map, struct claim *q, struct err *e) {
  static const char *const keys[] = {"id",      "text",       "place",   "published", "unit",
                                     "measure", "arithmetic", "neutral", "tolerance", NULL};
  const char *measure = NULL, *arithmetic = NULL, *neutral = NULL, *tolerance = NULL;
  char place[YAML_PLACE_BYTES];
  int status = yaml_check_keys(c->tree, map, "a claim", keys, e);
  if (!status) status = yaml_need_text(c->tree, map, "id", 1, &q->id, e);
  if (!status) status = yaml_need_text(c->tree, map, "text", 1, &q->text, e);
  if (!status) status = yaml_need_text(c->tree, map, "place", 1, &q->place, e);
  if (!status) status = yaml_need_text(c->tree, map, "unit", 1, &q->unit, e);
  if (!status) status = yaml_need_text(c->tree, map, "published", 1, &q->published_text, e);
  if (!status) status = yaml_need_text(c->tree, map, "measure", 0, &measure, e);
  if (!status) status = yaml_need_text(c->tree, map, "arithmetic", 0, &arithmetic, e);
  if (!status) status = yaml_need_text(c->tree, map, "neutral", 0, &neutral, e);
  if (!status) status = yaml_need_text(c->tree, map, "tolerance", 0, &tolerance, e);
  if (!status) status = read_published(c, map, q, e);
  if (status) return status;
  q->line = yaml_line(map);
  q->published.tolerance = default_tolerance;
  q->arithmetic = arithmetic != NULL;
  q->expression = arithmetic ? arithmetic : measure;
  yaml_place(c->tree, map, place);
  if (!text_is_identifier(q->id))
    return err_set(e, ERR_SYNTAX, "%s: id: \"%s\" has more than letters, digits and _", place, q->id);
  if (!measure == !arithmetic)
    return err_set(e, ERR_SYNTAX, "%s: claim %s needs either \"measure\" or \"arithmetic\"", place, q->id);
  if (neutral) {
    q->published.has_neutral = true;
    status = number(c, yaml_get(c->tree, map, "neutral"), "neutral", neutral, &q->published.neutral, e);
  }
  if (!status && tolerance)
    status = number(c, yaml_get(c->tree, map, "tolerance"), "tolerance", tolerance, &q->published.tolerance, e);
  if (!status && !(q->published.tolerance >= 0 && q->published.tolerance < 1))
    return err_set(e, ERR_VALUE, "%s: tolerance of claim %s: write a part of 1, 0.1 for ten per cent", place, q->id);
  return status;
}

static int read_claims(struct claims *c, struct err *e) {
  char place[YAML_PLACE_BYTES];
  yaml_at root = yaml_tree_root(c->tree), list = yaml_get(c->tree, root, "claims");
  size_t size = yaml_size(c->tree, list);
  if (!size) return err_set(e, ERR_SYNTAX, "%s: the key \"claims\" must hold a list of claims", c->path);
  c->claims = calloc(size, sizeof *c->claims);
  if (!c->claims) return err_set(e, ERR_LIMIT, "%s: out of memory", c->path);
  for (size_t i = 0; i < size; i++) {
    yaml_at map = yaml_entry(c->tree, list, i, NULL);
    int status = read_claim(c, map, &c->claims[i], e);
    if (status) return status;
    for (unsigned k = 0; k < i; k++)
      if (!strcmp(c->claims[k].id, c->claims[i].id))
        return err_set(e, ERR_SYNTAX, "%s: claim %s stands at line %u already", yaml_place(c->tree, map, place),
                       c->claims[i].id, c->claims[k].line);
    c->n_claims++;
  }
  return 0;
}

static int read_numbers(struct claims *c, struct err *e) {
  yaml_at map = yaml_get(c->tree, yaml_tree_root(c->tree), "numbers");
  size_t size = yaml_size(c->tree, map);
  c->numbers = calloc(size + 1, sizeof *c->numbers);
  if (!c->numbers) return err_set(e, ERR_LIMIT, "%s: out of memory", c->path);
  for (size_t i = 0; i < size; i++) {
    struct claims_number *q = &c->numbers[c->n_numbers++];
    yaml_at value = yaml_entry(c->tree, map, i, &q->name);
    const char *text = yaml_text(value);
    int status = number(c, value, q->name, text, &q->figure.value, e);
    if (status) return status;
    q->figure.low = q->figure.value - published_half_digit(text);
    q->figure.high = q->figure.value + published_half_digit(text);
  }
  return 0;
}

/* ---- sources ---- */

static int read_experiments(struct claims *c, const char *config_dir, struct err *e) {
  const struct yaml_tree *tree;
  yaml_at list = yaml_get(c->tree, yaml_tree_root(c->tree), "experiments");
  for (size_t i = 0; i < yaml_size(c->tree, list); i++) {
    char path[CLAIMS_PATH_BYTES], place[YAML_PLACE_BYTES];
    yaml_at value = yaml_entry(c->tree, list, i, NULL);
    const char *name = yaml_text(value);
    snprintf(path, sizeof path, "%s/experiments/%s.yaml", config_dir, name ? name : "");
    if (!name || strchr(name, '/') || access(path, R_OK))
      return err_set(e, ERR_VALUE, "%s: there is no experiment \"%s\"", yaml_place(c->tree, value, place),
                     name ? name : "");
    int status = sources_read(&c->sources, path, &tree, e);
    if (status) return status;
  }
  return 0;
}

struct belonging {
  const struct claims *c;
  const char *experiment;
  bool of_it, of_others;
};

static int note_file(void *context, struct source *q, struct err *e) {
  struct belonging *b = context;
  const char *slash = strrchr(b->c->sources.path[q->file], '/');
  size_t n = strlen(b->experiment);
  bool mine = slash && !strncmp(slash + 1, b->experiment, n) && !strcmp(slash + 1 + n, ".yaml") && q->file > 0;
  (void)e;
  b->of_it |= mine;
  b->of_others |= !mine;
  return 0;
}

/* Marks the sources that the claims need, and the claims that are left out. */
static int find_needs(struct claims *c, const char *experiment, struct err *e) {
  static char text[LISTS_TEXT_BYTES];
  for (unsigned i = 0; i < c->n_claims; i++) {
    struct claim *q = &c->claims[i];
    char place[CLAIMS_PATH_BYTES + 16];
    snprintf(place, sizeof place, "%s:%u", c->path, q->line);
    int status = lists_unfold(&c->sources.lists, NULL, q->expression, place, text, sizeof text, e);
    if (status) return status;
    q->unfolded = strdup(text);
    if (!q->unfolded) return err_set(e, ERR_LIMIT, "%s: out of memory", c->path);
    struct belonging b = {c, experiment, false, false};
    bool full_only = false;
    if (experiment) status = sources_each(&c->sources, q->unfolded, place, note_file, &b, e);
    q->left_out = experiment && (!b.of_it || b.of_others);
    if (!status && !q->left_out) status = sources_need(&c->sources, q->unfolded, place, &full_only, e);
    if (status) return status;
    q->left_out |= full_only;
  }
  return 0;
}

/* ---- file ---- */

static int read_file(struct claims *c, const char *config_dir, const char *system, struct err *e) {
  static const char *const keys[] = {"system",  "source",  "experiments", "lists", "runs", "commands",
                                     "designs", "numbers", "claims",      "off",   NULL};
  yaml_at root = yaml_tree_root(c->tree);
  int status = yaml_check_keys(c->tree, root, "a claims file", keys, e);
  if (!status) status = yaml_need_text(c->tree, root, "system", 1, &c->system, e);
  if (!status) status = yaml_need_text(c->tree, root, "source", 1, &c->source, e);
  if (!status && strcmp(c->system, system) != 0)
    return err_set(e, ERR_VALUE, "%s: system: \"%s\" in the file of %s", c->path, c->system, system);
  if (!status) status = read_experiments(c, config_dir, e);
  if (!status) status = read_numbers(c, e);
  return status ? status : read_claims(c, e);
}

int claims_open(struct claims *c, const char *config_dir, const char *system, const char *experiment, bool quick,
                struct err *e) {
  memset(c, 0, sizeof *c);
  snprintf(c->path, sizeof c->path, "%s/claims/%s.yaml", config_dir, system);
  if (strchr(system, '/') || access(c->path, R_OK))
    return err_set(e, ERR_VALUE, "there are no claims of a system '%s'; tandem claims names those there are", system);
  sources_init(&c->sources, config_dir, quick);
  int status = sources_read(&c->sources, c->path, &c->tree, e);
  if (!status) status = read_file(c, config_dir, system, e);
  if (!status) status = find_needs(c, experiment, e);
  if (status) claims_close(c);
  return status;
}
