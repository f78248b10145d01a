/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/sources.h"

#include "base/err.h"
#include "base/text.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

const char *const source_kind_names[SOURCE_KINDS] = {"run", "command", "design"};

/* ---- reading ---- */

static struct source *room(struct sources *s) {
  if (s->n == s->capacity) {
    unsigned capacity = s->capacity ? 2 * s->capacity : 64;
    struct source *list = realloc(s->list, capacity * sizeof *list);
    if (!list) return NULL;
    s->list = list;
    s->capacity = capacity;
  }
  struct source *q = &s->list[s->n];
  memset(q, 0, sizeof *q);
  return q;
}

/* Adds one source, its name and arguments expanded with the bound items. */
static int add(struct sources *s, const struct bindings *b, enum source_kind kind, const char *name,
               const char *arguments, bool full_only, const char *place, struct err *e) {
  char text[512], words[4096];
  int status = lists_expand(&s->lists, b, name, place, NULL, NULL, text, sizeof text, e);
  if (status) return status;
  if (!text_is_identifier(text) || !strcmp(text, "published") || !strcmp(text, "printed"))
    return err_set(e, ERR_SYNTAX, "%s: \"%s\" is no name for a %s; write letters, digits and _", place, text,
                   source_kind_names[kind]);
  /* {run:NAME} is replaced later */
  status = sources_arguments(s, NULL, b, arguments, place, NULL, words, sizeof words, e);
  if (status) return status;
  const struct source *old = sources_find(s, text, strlen(text));
  if (old && old->kind == kind && !strcmp(old->arguments, words)) return 0;
  if (old)
    return err_set(e, ERR_SYNTAX, "%s: \"%s\" names a %s already (%s)", place, text, source_kind_names[old->kind],
                   old->place);
  struct source *q = room(s);
  if (!q) return err_set(e, ERR_LIMIT, "%s: out of memory", place);
  q->kind = kind;
  q->file = s->n_files;
  q->full_only = full_only || bindings_full_only(b);
  q->name = strdup(text);
  q->arguments = strdup(words);
  snprintf(q->place, sizeof q->place, "%s", place);
  s->n++;
  return q->name && q->arguments ? 0 : err_set(e, ERR_LIMIT, "%s: out of memory", place);
}

static int read_entry(struct sources *s, const struct yaml_tree *tree, enum source_kind kind, yaml_at value,
                      const char *name, struct err *e) {
  static const char *const forms[] = {"full", "quick", "universe", NULL};
  char place[YAML_PLACE_BYTES];
  struct bindings b;
  yaml_place(tree, value, place);
  const char *arguments = yaml_text(value), *quick = NULL, *universe = NULL;
  bool full_only = false;
  int status = 0;
  if (name && !arguments) {
    status = yaml_check_keys(tree, value, "a run with several forms", forms, e);
    if (!status) status = yaml_need_text(tree, value, "full", 1, &arguments, e);
    if (!status) status = yaml_need_text(tree, value, "quick", 0, &quick, e);
    if (!status) status = yaml_need_text(tree, value, "universe", 0, &universe, e);
    full_only = !quick;
    if (s->lists.form == FORM_QUICK && quick) arguments = quick;
    if (s->lists.form == FORM_UNIVERSE && universe) arguments = universe;
  }
  if (status) return status;
  if (!name || !arguments || !*arguments)
    return err_set(e, ERR_SYNTAX, "%s: a %s is NAME: arguments, on one line", place, source_kind_names[kind]);
  status = bindings_of(&s->lists, name, place, &b, e);
  if (status) return status;
  do status = add(s, &b, kind, name, arguments, full_only, place, e);
  while (!status && bindings_next(&b));
  return status;
}

static int read_map(struct sources *s, const struct yaml_tree *tree, const char *key, enum source_kind kind,
                    struct err *e) {
  yaml_at map = yaml_get(tree, yaml_tree_root(tree), key);
  int status = 0;
  for (size_t i = 0; i < yaml_size(tree, map) && !status; i++) {
    const char *name;
    yaml_at value = yaml_entry(tree, map, i, &name);
    status = read_entry(s, tree, kind, value, name, e);
  }
  return status;
}

void sources_init(struct sources *s, const char *config_dir, enum form form) {
  memset(s, 0, sizeof *s);
  s->lists.form = form;
  snprintf(s->config_dir, sizeof s->config_dir, "%s", config_dir);
}

int sources_read(struct sources *s, const char *path, const struct yaml_tree **tree, struct err *e) {
  if (s->n_files == SOURCES_FILES_MAX) return err_set(e, ERR_LIMIT, "%s: too many files", path);
  int status = yaml_tree_open(&s->tree[s->n_files], path, e);
  if (status) return status;
  const struct yaml_tree *t = *tree = s->tree[s->n_files];
  snprintf(s->path[s->n_files], sizeof s->path[0], "%s", path);
  s->off[s->n_files] = yaml_get(t, yaml_tree_root(t), "off");
  status = lists_read(&s->lists, t, yaml_get(t, yaml_tree_root(t), "lists"), e);
  if (!status) status = read_map(s, t, "runs", SOURCE_RUN, e);
  if (!status) status = read_map(s, t, "commands", SOURCE_COMMAND, e);
  if (!status) status = read_map(s, t, "designs", SOURCE_DESIGN, e);
  s->n_files++;
  return status;
}

void sources_forget(struct sources *s) {
  for (unsigned i = 0; i < s->n; i++) {
    struct source *q = &s->list[i];
    json_decref(q->json);
    q->json = NULL;
    q->needed = false;
    q->id[0] = q->stale[0] = 0;
  }
}

void sources_close(struct sources *s) {
  for (unsigned i = 0; i < s->n; i++) {
    json_decref(s->list[i].json);
    free(s->list[i].name);
    free(s->list[i].arguments);
  }
  energy_close(&s->energy);
  for (unsigned i = 0; i < SOURCES_FILES_MAX; i++)
    if (s->tree[i]) yaml_tree_close(s->tree[i]);
  free(s->list);
  memset(s, 0, sizeof *s);
}

struct source *sources_find(const struct sources *s, const char *name, size_t length) {
  for (unsigned i = 0; i < s->n; i++)
    if (!strncmp(s->list[i].name, name, length) && !s->list[i].name[length]) return &s->list[i];
  return NULL;
}

/* ---- texts with folders ---- */

struct folders {
  const struct sources *s;
  const struct sources_options *o; /* NULL: {run:NAME} stays as it is */
  const char *out_folder;
  char text[SOURCES_PATH_BYTES + 64];
};

static const char *folder_of(void *context, const char *name) {
  struct folders *f = context;
  if (!f->o) {
    snprintf(f->text, sizeof f->text, "{%s}", name);
    return strncmp(name, "run:", 4) != 0 ? NULL : f->text;
  }
  if (!strcmp(name, "out")) return f->out_folder;
  const struct source *run = !strncmp(name, "run:", 4) ? sources_find(f->s, name + 4, strlen(name + 4)) : NULL;
  if (!run || run->kind != SOURCE_RUN) return NULL;
  source_folder(f->o, run, f->text, sizeof f->text);
  return f->text;
}

int sources_arguments(const struct sources *s, const struct sources_options *o, const struct bindings *b,
                      const char *text, const char *place, const char *out_folder, char *out, size_t size,
                      struct err *e) {
  struct folders f = {.s = s, .o = o, .out_folder = out_folder};
  return lists_expand(&s->lists, b, text, place, folder_of, &f, out, size, e);
}

void source_folder(const struct sources_options *o, const struct source *q, char *out, size_t size) {
  snprintf(out, size, "%s/%s", o->out_dir, q->id);
}

/* ---- what is needed ---- */

int sources_need_text(struct sources *s, const char *text, const char *place, struct err *e) {
  for (const char *at = strstr(text, "{run:"); at; at = strstr(at + 1, "{run:")) {
    const char *name = at + strlen("{run:");
    struct source *run = sources_find(s, name, strcspn(name, "}"));
    if (!run || run->kind != SOURCE_RUN)
      return err_set(e, ERR_VALUE, "%s: there is no run \"%.*s\"", place, (int)strcspn(name, "}"), name);
    run->needed = true;
  }
  return 0;
}

int sources_each(const struct sources *s, const char *expression, const char *place, sources_visit *visit,
                 void *context, struct err *e) {
  const char *at = expression;
  int status = 0;
  while (*at && !status) {
    size_t n = 0, dot = 0;
    if (!isalpha((unsigned char)*at)) {
      at += isdigit((unsigned char)*at) ? strspn(at, "0123456789.eE") : 1;
      continue;
    }
    for (; isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '.'; n++)
      if (at[n] == '.' && !dot) dot = n;
    struct source *q = dot ? sources_find(s, at, dot) : NULL;
    if (q) status = visit(context, q, e);
    else if (dot && strncmp(at, "published.", 10) != 0 && strncmp(at, "printed.", 8) != 0)
      status = err_set(e, ERR_VALUE,
                       "%s: \"%.*s\" begins with no run, command or design, not with \"published.\" or \"printed.\"",
                       place, (int)n, at);
    at += n;
  }
  return status;
}

static int need(void *context, struct source *q, struct err *e) {
  struct sources *s = context;
  q->needed = true;
  if (q->kind == SOURCE_COMMAND) return sources_need_text(s, q->arguments, q->place, e);
  const char *power = q->kind == SOURCE_DESIGN ? strstr(q->arguments, "power=") : NULL;
  struct source *run = power ? sources_find(s, power + 6, strcspn(power + 6, ": ")) : NULL;
  if (run) run->needed = true;
  return 0;
}

static int note_full_only(void *context, struct source *q, struct err *e) {
  (void)e;
  *(bool *)context |= q->full_only;
  return 0;
}

int sources_need(struct sources *s, const char *expression, const char *place, bool *full_only, struct err *e) {
  *full_only = false;
  int status = sources_each(s, expression, place, note_full_only, full_only, e);
  *full_only = *full_only && s->lists.form == FORM_QUICK;
  return status || *full_only ? status : sources_each(s, expression, place, need, s, e);
}
