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

static const double default_tolerance = 0.1; /* of the effect; assumption: how exactly a paper describes its GPU */
const char *const rank_names[RANKS] = {"primary",   "variant",    "threshold is ours",
                                       "secondary", "not tested", "parameter"};

/* ---- claims ---- */

static int number(const struct claims *c, yaml_at n, const char *what, const char *text, double *out, struct err *e) {
  char place[YAML_PLACE_BYTES], *end;
  errno = 0;
  *out = text ? strtod(text, &end) : 0;
  if (text && end != text && !*end && !errno && isfinite(*out)) return 0;
  return err_set(e, ERR_VALUE, "%s: %s: \"%s\" is no number", yaml_place(c->tree, n, place), what, text ? text : "");
}

static int read_published(const struct claims *c, yaml_at map, struct claim *q, struct err *e) {
  char place[YAML_PLACE_BYTES];
  const char *why;
  if (published_read(q->published_text, &q->published, &why)) return 0;
  return err_set(e, ERR_VALUE, "%s: published: \"%s\" %s",
                 yaml_place(c->tree, yaml_get(c->tree, map, "published"), place), q->published_text, why);
}

/* `neutral: 1`, or `neutral: none` where a number has no value of no effect */
static int read_neutral(const struct claims *c, yaml_at map, struct claim *q, struct err *e) {
  char place[YAML_PLACE_BYTES];
  const char *neutral;
  int status = yaml_need_text(c->tree, map, "neutral", 0, &neutral, e);
  if (status) return status;
  if (!neutral && (q->arithmetic || q->published.bound != BOUND_NONE)) return 0;
  if (!neutral)
    return err_set(e, ERR_SYNTAX,
                   "%s: claim %s needs \"neutral\": the value that means no effect (1 for a speed-up, 0 for a change), "
                   "or none",
                   yaml_place(c->tree, map, place), q->id);
  if (!strcmp(neutral, "none")) return 0;
  q->published.has_neutral = true;
  return number(c, yaml_get(c->tree, map, "neutral"), "neutral", neutral, &q->published.neutral, e);
}

static int read_tolerance(const struct claims *c, yaml_at map, struct claim *q, struct err *e) {
  char place[YAML_PLACE_BYTES];
  const char *tolerance;
  double *to = &q->published.tolerance;
  *to = default_tolerance;
  int status = yaml_need_text(c->tree, map, "tolerance", 0, &tolerance, e);
  if (!status) status = yaml_need_text(c->tree, map, "tolerance_why", 0, &q->tolerance_why, e);
  if (!status && tolerance) status = number(c, yaml_get(c->tree, map, "tolerance"), "tolerance", tolerance, to, e);
  if (status) return status;
  yaml_place(c->tree, map, place);
  if (!(*to >= 0 && *to < 1))
    return err_set(e, ERR_VALUE, "%s: tolerance of claim %s: write a part of 1, 0.1 for ten per cent", place, q->id);
  if (tolerance && !q->tolerance_why)
    return err_set(e, ERR_SYNTAX, "%s: claim %s has a tolerance of its own; say why in \"tolerance_why\"", place,
                   q->id);
  return 0;
}

/* Which of the keys that keep a row from being primary it has. */
static int read_rank(const struct claims *c, yaml_at map, struct claim *q, struct err *e) {
  static const char *const keys[RANKS] = {[RANK_VARIANT] = "variant_of",
                                          [RANK_THRESHOLD] = "threshold",
                                          [RANK_SECONDARY] = "secondary",
                                          [RANK_NOT_TESTED] = "not_tested",
                                          [RANK_PARAMETER] = "parameter"};
  char place[YAML_PLACE_BYTES];
  bool of_paper = false;
  yaml_place(c->tree, map, place);
  for (int k = RANK_VARIANT; k < RANKS; k++) {
    const char *text;
    int status = yaml_need_text(c->tree, map, keys[k], 0, &text, e);
    if (status) return status;
    if (!text) continue;
    if (k == RANK_THRESHOLD) {
      of_paper = !strcmp(text, "paper");
      if (!of_paper && strcmp(text, "ours") != 0)
        return err_set(e, ERR_VALUE, "%s: threshold of claim %s: write paper or ours, not \"%s\"", place, q->id, text);
      if (of_paper || q->rank == RANK_VARIANT) continue;
    }
    q->rank = (enum claim_rank)k;
    q->because = text;
  }
  if (q->published.bound != BOUND_NONE && !q->arithmetic && !yaml_get(c->tree, map, "threshold"))
    return err_set(e, ERR_SYNTAX, "%s: claim %s is a bound; say whose it is: threshold: paper, or ours", place, q->id);
  return 0;
}

static int read_claim(const struct claims *c, yaml_at map, struct claim *q, struct err *e) {
  static const char *const keys[] = {"id",        "text",       "place",         "published",  "unit",      "measure",
                                     "neutral",   "tolerance",  "arithmetic",    "variant_of", "threshold", "secondary",
                                     "parameter", "not_tested", "tolerance_why", NULL};
  const char *measure = NULL, *arithmetic = NULL;
  char place[YAML_PLACE_BYTES];
  int status = yaml_check_keys(c->tree, map, "a claim", keys, e);
  if (!status) status = yaml_need_text(c->tree, map, "id", 1, &q->id, e);
  if (!status) status = yaml_need_text(c->tree, map, "text", 1, &q->text, e);
  if (!status) status = yaml_need_text(c->tree, map, "place", 1, &q->place, e);
  if (!status) status = yaml_need_text(c->tree, map, "unit", 1, &q->unit, e);
  if (!status) status = yaml_need_text(c->tree, map, "published", 1, &q->published_text, e);
  if (!status) status = yaml_need_text(c->tree, map, "measure", 0, &measure, e);
  if (!status) status = yaml_need_text(c->tree, map, "arithmetic", 0, &arithmetic, e);
  if (!status) status = read_published(c, map, q, e);
  if (status) return status;
  q->line = yaml_line(map);
  q->arithmetic = arithmetic != NULL;
  q->expression = arithmetic ? arithmetic : measure;
  yaml_place(c->tree, map, place);
  if (!text_is_identifier(q->id))
    return err_set(e, ERR_SYNTAX, "%s: id: \"%s\" has more than letters, digits and _", place, q->id);
  if (!measure == !arithmetic)
    return err_set(e, ERR_SYNTAX, "%s: claim %s needs either \"measure\" or \"arithmetic\"", place, q->id);
  status = read_neutral(c, map, q, e);
  if (!status) status = read_tolerance(c, map, q, e);
  return status ? status : read_rank(c, map, q, e);
}

static const struct claim *find_claim(const struct claims *c, const char *id) {
  for (unsigned i = 0; i < c->n_claims; i++)
    if (!strcmp(c->claims[i].id, id)) return &c->claims[i];
  return NULL;
}

/* A variant belongs to a row that exists and is no variant itself. */
static int check_variants(const struct claims *c, struct err *e) {
  for (unsigned i = 0; i < c->n_claims; i++) {
    const struct claim *q = &c->claims[i];
    const struct claim *of = q->rank == RANK_VARIANT ? find_claim(c, q->because) : NULL;
    if (q->rank != RANK_VARIANT || (of && of != q && of->rank != RANK_VARIANT)) continue;
    return err_set(e, ERR_VALUE, "%s:%u: variant_of of claim %s: there is no row \"%s\" that it could vary", c->path,
                   q->line, q->id, q->because);
  }
  return 0;
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
    const struct claim *old = find_claim(c, c->claims[i].id);
    if (old)
      return err_set(e, ERR_SYNTAX, "%s: claim %s stands at line %u already", yaml_place(c->tree, map, place), old->id,
                     old->line);
    c->n_claims++;
  }
  return check_variants(c, e);
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
  bool of_it, of_others; /* others: experiments, and the claims file itself */
};

/* Whether `name`, n characters, is one of a list with commas. */
static bool is_listed(const char *list, const char *name, size_t n) {
  for (size_t length; *list; list += length + (list[length] == ',')) {
    length = strcspn(list, ",");
    if (length == n && !strncmp(list, name, n)) return true;
  }
  return false;
}

static int note_file(void *context, struct source *q, struct err *e) {
  struct belonging *b = context;
  const char *slash = strrchr(b->c->sources.path[q->file], '/');
  const char *end = slash ? strstr(slash, ".yaml") : NULL;
  bool mine = end && q->file > 0 && is_listed(b->experiment, slash + 1, (size_t)(end - slash - 1));
  (void)e;
  b->of_it |= mine;
  b->of_others |= !mine;
  return 0;
}

/* Marks the sources that the claims need, and the claims that are left out. */
static int find_needs(struct claims *c, const char *experiment, bool part, struct err *e) {
  static char text[LISTS_TEXT_BYTES];
  for (unsigned i = 0; i < c->n_claims; i++) {
    struct claim *q = &c->claims[i];
    char place[CLAIMS_PATH_BYTES + 16];
    snprintf(place, sizeof place, "%s:%u", c->path, q->line);
    int status = lists_unfold(&c->sources.lists, NULL, q->expression, place, NULL, text, sizeof text, e);
    if (status) return status;
    q->unfolded = strdup(text);
    if (!q->unfolded) return err_set(e, ERR_LIMIT, "%s: out of memory", c->path);
    struct belonging b = {.c = c, .experiment = experiment};
    bool full_only = false;
    if (experiment) status = sources_each(&c->sources, q->unfolded, place, note_file, &b, e);
    q->left_out = part ? b.of_others : experiment && (!b.of_it || b.of_others);
    if (!status && !q->left_out) status = sources_need(&c->sources, q->unfolded, place, &full_only, e);
    if (status) return status;
    q->left_out |= full_only;
  }
  return 0;
}

/* ---- file ---- */

static int read_file(struct claims *c, const char *config_dir, const char *system, struct err *e) {
  static const char *const keys[] = {"system",   "source",  "about",   "notes",  "experiments", "lists", "runs",
                                     "commands", "designs", "numbers", "claims", "off",         "open",  NULL};
  yaml_at root = yaml_tree_root(c->tree);
  int status = yaml_check_keys(c->tree, root, "a claims file", keys, e);
  if (!status) status = yaml_need_text(c->tree, root, "system", 1, &c->system, e);
  if (!status) status = yaml_need_text(c->tree, root, "source", 1, &c->source, e);
  if (!status) status = yaml_need_text(c->tree, root, "about", 0, &c->about, e);
  c->notes = yaml_get(c->tree, root, "notes");
  if (!status && strcmp(c->system, system) != 0)
    return err_set(e, ERR_VALUE, "%s: system: \"%s\" in the file of %s", c->path, c->system, system);
  if (!status) status = read_experiments(c, config_dir, e);
  if (!status) status = read_numbers(c, e);
  if (!status) status = choices_read(&c->choices, c->tree, yaml_get(c->tree, root, "open"), &c->sources, e);
  return status ? status : read_claims(c, e);
}

static int open_file(struct claims *c, const char *config_dir, const char *system, const char *experiment, bool part,
                     enum form form, struct err *e) {
  memset(c, 0, sizeof *c);
  snprintf(c->path, sizeof c->path, "%s/claims/%s.yaml", config_dir, system);
  if (strchr(system, '/') || access(c->path, R_OK))
    return err_set(e, ERR_VALUE, "there are no claims of a system '%s'; tandem claims names those there are", system);
  sources_init(&c->sources, config_dir, form);
  int status = sources_read(&c->sources, c->path, &c->tree, e);
  if (!status) status = read_file(c, config_dir, system, e);
  if (!status) status = find_needs(c, experiment, part, e);
  if (status) claims_close(c);
  return status;
}

int claims_open(struct claims *c, const char *config_dir, const char *system, const char *experiment, enum form form,
                struct err *e) {
  return open_file(c, config_dir, system, experiment, false, form, e);
}

/* How many of the experiments in a list with commas the file names. */
static unsigned count_experiments(const struct claims *c, const char *experiments) {
  yaml_at list = yaml_get(c->tree, yaml_tree_root(c->tree), "experiments");
  unsigned n = 0;
  for (size_t i = 0; i < yaml_size(c->tree, list); i++) {
    const char *name = yaml_text(yaml_entry(c->tree, list, i, NULL));
    n += name && is_listed(experiments, name, strlen(name));
  }
  return n;
}

static unsigned count_items(const char *list) {
  unsigned n = 1;
  for (; *list; list++) n += *list == ',';
  return n;
}

int claims_open_part(struct claims *c, const char *config_dir, const char *system, const char *experiments,
                     enum form form, struct err *e) {
  int status = open_file(c, config_dir, system, experiments, experiments != NULL, form, e);
  if (status) return status;
  c->part = experiments;
  if (!experiments || count_experiments(c, experiments) == count_items(experiments)) return 0;
  status = err_set(e, ERR_VALUE, "%s: its experiments do not include '%s'; the key \"experiments\" lists them", c->path,
                   experiments);
  claims_close(c);
  return status;
}
