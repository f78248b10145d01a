/* SPDX-License-Identifier: Apache-2.0 */
#include "run/session_file.h"

#include "base/err.h"
#include "base/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char standard[] = "tandem.yaml";

/* Options of `tandem run` that are no variable's name, and what they say about one. */
static const struct {
  const char *key, *variable, *when_true, *when_false;
} options[] = {
  {"c", "TANDEM_MACHINE", NULL, NULL},
  {"functional", "TANDEM_DETAIL", "none", ""},
  {"no_recorder", "TANDEM_RECORDER", "0", "1"},
};

/* Variables of text for which `true` has a meaning. */
static const struct {
  const char *name, *when_true;
} wholes[] = {{"WAVE", "all"}, {"RECORD", "all"}, {"TRACE", "all"}, {"TRACE_DRAM", "all"}};

/* Others than this reader need them, too. */
static bool environment_only(enum session_scope s) { return s == SESSION_PLACE || s == SESSION_CALL; }

/* The row of "TANDEM_<NAME>", or that of the NULL at the end. */
static unsigned row_of(const struct session_file *f, const char *variable) {
  unsigned i = 0;
  while (f->variables[i].name && strcmp(f->variables[i].name, variable) != 0) i++;
  return i;
}

/* "check-threads" -> "TANDEM_CHECK_THREADS" */
static void variable_of(const char *key, char *variable, size_t size) {
  size_t n = (size_t)snprintf(variable, size, "TANDEM_");
  for (; *key && n + 1 < size; key++) variable[n++] = *key == '-' ? '_' : (char)toupper((unsigned char)*key);
  variable[n] = 0;
}

/* ---- values ---- */

static int is_true(const char *text) {
  if (!strcmp(text, "true") || !strcmp(text, "yes") || !strcmp(text, "on")) return 1;
  return !strcmp(text, "false") || !strcmp(text, "no") || !strcmp(text, "off") ? 0 : -1;
}

static const char *whole_of(const char *variable) {
  for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
    if (!strcmp(variable + 7, wholes[i].name)) return wholes[i].when_true;
  return NULL;
}

/* A value as the environment has it: true and false are 1 and 0, or all and nothing. */
static const char *scalar(const char *variable, const char *text) {
  int truth = is_true(text);
  const char *whole = whole_of(variable);
  if (truth < 0) return text;
  return whole ? (truth ? whole : "") : truth ? "1" : "0";
}

static bool joins_words(const char *variable) {
  static const char *const lists[] = {"SET", "ENGINE", "REPLACE", "RECORD", "DETAIL", "TRACE", "EVENTS"};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (!strcmp(variable + 7, lists[i])) return true;
  return false;
}

/* A list of words, or a map of KEY: VALUE as "KEY=VALUE", in one text. */
static int join(const struct yaml_tree *t, yaml_at at, const char *variable, char *text, size_t size, struct err *e) {
  char place[YAML_PLACE_BYTES];
  char between = !strcmp(variable, "TANDEM_TRACE") || !strcmp(variable, "TANDEM_EVENTS") ? ',' : ' ';
  size_t n = 0;
  if (!joins_words(variable))
    return err_set(e, ERR_VALUE, "%s: one value is wanted here, no list", yaml_place(t, at, place));
  for (size_t i = 0; i < yaml_size(t, at); i++) {
    const char *key = NULL, *value;
    yaml_at entry = yaml_entry(t, at, i, &key);
    value = yaml_text(entry);
    if (!value) return err_set(e, ERR_VALUE, "%s: write a word, or KEY: VALUE", yaml_place(t, entry, place));
    if (strchr(value, ' ')) return err_set(e, ERR_VALUE, "%s: '%s' is no word", yaml_place(t, entry, place), value);
    char head[2] = {n ? between : 0, 0};
    n += (size_t)snprintf(text + n, size - n, "%s%s%s%s", head, key ? key : "", key ? "=" : "", value);
    if (n >= size)
      return err_set(e, ERR_LIMIT, "%s: more than %zu characters in all", yaml_place(t, entry, place), size - 1);
  }
  return 0;
}

/* ---- keys ---- */

static const char *key_name(const void *list, unsigned i) { return ((const struct session_variable *)list)[i].name; }

static int unknown(const struct session_file *f, const char *place, const char *key, const char *variable,
                   struct err *e) {
  const char *near = text_nearest(variable, key_name, f->variables);
  char small[64] = "";
  for (unsigned i = 0; near && near[7 + i] && i + 1 < sizeof small; i++)
    small[i] = (char)tolower((unsigned char)near[7 + i]);
  return err_set(e, ERR_VALUE, "%s: no key '%s'%s%s%s; tandem list variables names them, without TANDEM_", place, key,
                 near ? "; did you mean " : "", small, near ? "?" : "");
}

static int take(struct session_file *f, const struct yaml_tree *t, const char *key, yaml_at at, struct err *e) {
  char place[YAML_PLACE_BYTES], variable[64], text[4096] = "";
  const char *value = yaml_text(at);
  yaml_place(t, at, place);
  variable_of(key, variable, sizeof variable);
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    char name[64];
    variable_of(options[i].key, name, sizeof name);
    if (strcmp(name, variable) != 0) continue;
    if (options[i].when_true && (!value || is_true(value) < 0))
      return err_set(e, ERR_VALUE, "%s: %s: write true or false", place, key);
    if (options[i].when_true) value = is_true(value) ? options[i].when_true : options[i].when_false;
    snprintf(variable, sizeof variable, "%s", options[i].variable);
  }
  unsigned row = row_of(f, variable);
  if (!f->variables[row].name) return unknown(f, place, key, variable, e);
  if (environment_only(f->variables[row].scope))
    return err_set(e, ERR_VALUE, "%s: %s is set by the environment only: %s", place, key, variable);
  if (f->value[row]) return err_set(e, ERR_VALUE, "%s: %s says again what another key has said", place, key);
  int status = value ? 0 : join(t, at, variable, text, sizeof text, e);
  if (status) return status;
  f->value[row] = strdup(value ? scalar(variable, value) : text);
  if (!f->value[row]) return err_set(e, ERR_LIMIT, "out of memory for %s", place);
  snprintf(f->place[row], sizeof f->place[row], "%.1000s: %.60s", place, key);
  return 0;
}

int session_file_read(struct session_file *f, const struct session_variable *variables, struct err *e) {
  const char *named = getenv("TANDEM_FILE"), *path = named && *named ? named : standard;
  struct yaml_tree *t;
  memset(f, 0, sizeof *f);
  f->variables = variables;
  if (!strcmp(path, "none") || (path == standard && access(path, F_OK) != 0)) return 0;
  int status = yaml_tree_open(&t, path, e);
  if (status) return status;
  yaml_at root = yaml_tree_root(t);
  char place[YAML_PLACE_BYTES];
  if (yaml_text(root)) status = err_set(e, ERR_SYNTAX, "%s: write KEY: VALUE lines", yaml_place(t, root, place));
  for (size_t i = 0; !status && i < yaml_size(t, root); i++) {
    const char *key = NULL;
    yaml_at at = yaml_entry(t, root, i, &key);
    status = key ? take(f, t, key, at, e)
                 : err_set(e, ERR_SYNTAX, "%s: write KEY: VALUE lines, no list", yaml_place(t, at, place));
  }
  yaml_tree_close(t);
  if (status) session_file_clear(f);
  return status;
}

void session_file_clear(struct session_file *f) {
  for (unsigned i = 0; i < SESSION_FILE_VALUES; i++) free(f->value[i]);
  memset(f->value, 0, sizeof f->value);
}

const char *session_file_value(const struct session_file *f, const char *variable) {
  const char *value = getenv(variable);
  if (!value || !*value) value = f->value[row_of(f, variable)];
  return value && *value ? value : NULL;
}

const char *session_file_origin(const struct session_file *f, const char *variable, const char *otherwise) {
  const char *value = getenv(variable);
  unsigned row = row_of(f, variable);
  return (value && *value) || !f->value[row] ? otherwise : f->place[row];
}
