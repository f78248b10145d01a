/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include "base/colour.h"
#include "base/err.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

static const char *option_name(const void *list, unsigned i) { return ((const struct cli_option *)list)[i].name; }

static int store(const struct cli_command *c, const struct cli_option *o, const char *value, struct err *e) {
  struct cli_list *list = o->target;
  int64_t number;
  switch (o->kind) {
    case CLI_FLAG: *(bool *)o->target = true; return 0;
    case CLI_TEXT: *(const char **)o->target = value; return 0;
    case CLI_LIST:
      if (list->n == CLI_LIST_MAX)
        return err_set(e, ERR_USAGE, "%s is given more than %d times", o->name, CLI_LIST_MAX);
      list->text[list->n++] = value;
      return 0;
    case CLI_NUMBER:
      if (!text_to_int64(value, &number))
        return err_set(e, ERR_USAGE, "%s %s: not a number; write decimal or 0x hex", o->name, value);
      if (number < o->min || number > o->max)
        return err_set(e, ERR_USAGE, "%s %s: outside %lld..%lld", o->name, value, (long long)o->min, (long long)o->max);
      *(int64_t *)o->target = number;
      return 0;
  }
  return err_set(e, ERR_INTERNAL, "option %s of %s has no kind", o->name, c->name);
}

/* Finds the option that `text` starts with; *value is what follows '=' or NULL. */
static const struct cli_option *find(const struct cli_command *c, const char *text, const char **value) {
  size_t n = strcspn(text, "=");
  *value = text[n] ? text + n + 1 : NULL;
  for (const struct cli_option *o = c->options; o->name; o++)
    if (strlen(o->name) == n && !strncmp(o->name, text, n)) return o;
  return NULL;
}

static int parse_option(const struct cli_command *c, int argc, char **argv, int *i, struct err *e) {
  const char *value;
  const struct cli_option *o = find(c, argv[*i], &value);
  if (!o) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argv[*i], "="), argv[*i]);
    const char *near = text_nearest(name, option_name, c->options);
    return err_set(e, ERR_USAGE, "unknown option %s%s%s%s; tandem %s --help lists them", name,
                   near ? "; did you mean " : "", near ? near : "", near ? "?" : "", c->name);
  }
  if (o->kind == CLI_FLAG) {
    if (value) return err_set(e, ERR_USAGE, "%s takes no value", o->name);
  } else if (!value) {
    if (*i + 1 == argc) return err_set(e, ERR_USAGE, "%s needs a value: %s %s", o->name, o->name, o->value);
    value = argv[++*i];
  }
  return store(c, o, value, e);
}

int cli_parse(const struct cli_command *c, int argc, char **argv, const char **positional, unsigned *n_positional,
              bool *help, struct err *e) {
  *n_positional = 0;
  *help = false;
  enum help_form form;
  for (int i = 1; i < argc; i++)
    if ((*help = help_asked(argv[i], &form))) {
      help_print(c, form);
      return 0;
    }
  bool only_positional = false;
  for (int i = 1; i < argc; i++) {
    if (!only_positional && argv[i][0] == '-' && argv[i][1]) {
      only_positional = !strcmp(argv[i], "--");
      int status = only_positional ? 0 : parse_option(c, argc, argv, &i, e);
      if (status) return status;
    } else if (*n_positional == c->positional_max) {
      return err_set(e, ERR_USAGE, "'%s' is one argument too many; usage: tandem %s %s", argv[i], c->name, c->usage);
    } else {
      positional[(*n_positional)++] = argv[i];
    }
  }
  if (*n_positional < c->positional_min)
    return err_set(e, ERR_USAGE, "an argument is missing; usage: tandem %s %s", c->name, c->usage);
  return 0;
}

int cli_fail(const char *command, const struct err *e) {
  fprintf(stderr, "%standem %s:%s %s\n", colour_on(stderr, COLOUR_BAD), command, colour_off(stderr), e->text);
  log_line("%s: %s", command, e->text);
  return err_exit_code(e->code);
}
