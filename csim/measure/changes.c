/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of sources, with the proposal switched off or with a choice changed. */
#include "base/err.h"
#include "base/text.h"
#include "measure/sources.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

enum { ARGUMENTS_BYTES = 8192 };

static bool named(const char *globs, const char *name) {
  char text[512], *rest = text, *glob;
  if (!globs) return true;
  snprintf(text, sizeof text, "%s", globs);
  while ((glob = strsep(&rest, " ")))
    if (!fnmatch(glob, name, 0)) return true;
  return false;
}

/* Inserts " --set SETTING" for each setting before those that the arguments have, so that theirs win. */
static bool add_settings(char *arguments, size_t size, const char *settings) {
  char text[512], added[1024] = "", *rest = text, *setting;
  size_t n = 0;
  snprintf(text, sizeof text, "%s", settings);
  while ((setting = strsep(&rest, " ")))
    if (*setting) n += (size_t)snprintf(added + n, n < sizeof added ? sizeof added - n : 0, " --set %s", setting);
  size_t length = strlen(arguments);
  if (n >= sizeof added || length + n >= size) return false;
  char *at = strstr(arguments, " --set ");
  if (!at) at = arguments + length;
  memmove(at + n, at, strlen(at) + 1);
  memcpy(at, added, n);
  return true;
}

static int switch_off(const struct sources *s, const struct source *q, char *out, size_t size, struct err *e) {
  const struct yaml_tree *tree = s->tree[q->file];
  for (size_t i = 0; i < yaml_size(tree, s->off[q->file]); i++) {
    const char *what, *with = yaml_text(yaml_entry(tree, s->off[q->file], i, &what));
    if (!what || !with || !text_replace(out, size, what, with))
      return err_set(e, ERR_SYNTAX, "%s: \"off\" is a map of texts to what replaces them", q->place);
  }
  return 0;
}

int source_arguments(const struct sources *s, const struct sources_options *o, const struct source *q, char *out,
                     size_t size, struct err *e) {
  int status = 0;
  bool fits = (size_t)snprintf(out, size, "%s", q->arguments) < size;
  if (o->off && q->kind == SOURCE_RUN) status = switch_off(s, q, out, size, e);
  for (unsigned i = 0; i < o->n_changes && !status && fits; i++) {
    const struct source_change *c = &o->changes[i];
    if (!named(c->only, q->name)) continue;
    if (c->what) fits = text_replace(out, size, c->what, c->with);
    else if (q->kind == SOURCE_RUN) fits = add_settings(out, size, c->with);
  }
  if (status || fits) return status;
  return err_set(e, ERR_LIMIT, "%s: the arguments of %s are too long", q->place, q->name);
}

/* Whether one of the runs that a command uses is changed. */
static bool runs_changed(const struct sources *s, const struct sources_options *o, const struct source *q) {
  for (const char *at = strstr(q->arguments, "{run:"); at; at = strstr(at + 1, "{run:")) {
    const char *name = at + strlen("{run:");
    const struct source *run = sources_find(s, name, strcspn(name, "}"));
    if (run && source_changed(s, o, run)) return true;
  }
  return false;
}

bool source_changed(const struct sources *s, const struct sources_options *o, const struct source *q) {
  char changed[ARGUMENTS_BYTES], plain[ARGUMENTS_BYTES];
  struct sources_options without = *o;
  without.n_changes = 0;
  if (source_arguments(s, o, q, changed, sizeof changed, NULL)) return true;
  if (source_arguments(s, &without, q, plain, sizeof plain, NULL)) return true;
  return strcmp(changed, plain) != 0 || (q->kind == SOURCE_COMMAND && runs_changed(s, o, q));
}
