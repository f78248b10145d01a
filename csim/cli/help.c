/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/help.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *const forms[] = {"text", "man", "markdown", "completion"};

bool help_asked(const char *argument, enum help_form *form) {
  *form = HELP_TEXT;
  if (!strcmp(argument, "--help") || !strcmp(argument, "-h")) return true;
  for (unsigned i = HELP_MAN; i <= HELP_COMPLETION; i++)
    if (!strncmp(argument, "--help=", 7) && !strcmp(argument + 7, forms[i])) {
      *form = i;
      return true;
    }
  return false;
}

/* ---- text ---- */

static void print_text(const struct cli_command *c) {
  printf("usage: tandem %s %s\n%s\n", c->name, c->usage, c->brief);
  if (c->options[0].name) printf("\noptions:\n");
  for (const struct cli_option *o = c->options; o->name; o++) {
    char left[64];
    snprintf(left, sizeof left, "%s%s%s", o->name, o->kind == CLI_FLAG ? "" : " ", o->kind == CLI_FLAG ? "" : o->value);
    printf("  %-24s %s\n", left, o->sentence);
  }
  printf("\nexample:\n  %s\n", c->example);
}

/* ---- man pages ---- */

static void print_roff(const char *text) {
  if (*text == '.' || *text == '\'') fputs("\\&", stdout);
  for (; *text; text++) {
    if (*text == '\\') fputs("\\e", stdout);
    else if (*text == '-') fputs("\\-", stdout);
    else if (*text == '\'') fputs("\\(aq", stdout);
    else putchar(*text);
  }
}

static void print_roff_field(const char *before, const char *text, const char *after) {
  fputs(before, stdout);
  print_roff(text);
  fputs(after, stdout);
}

static void print_man(const struct cli_command *c) {
  printf(".TH TANDEM\\-%s 1 \"\" \"tandem %s\" \"User Commands\"\n.SH NAME\ntandem\\-%s \\- ", c->name, TANDEM_VERSION,
         c->name);
  putchar(tolower(c->brief[0]));
  for (const char *b = c->brief + 1; !strchr(".:", *b); b++) putchar(*b == '\n' ? ' ' : *b);
  print_roff_field("\n.SH SYNOPSIS\n.B tandem ", c->name, "\n");
  print_roff_field("", c->usage, "\n");
  print_roff_field(".SH DESCRIPTION\n", c->brief, "\n");
  if (c->options[0].name) printf(".SH OPTIONS\n");
  for (const struct cli_option *o = c->options; o->name; o++) {
    print_roff_field(".TP\n\\fB", o->name, "\\fR");
    if (o->kind != CLI_FLAG) print_roff_field(" \\fI", o->value, "\\fR");
    print_roff_field("\n", o->sentence, "\n");
  }
  print_roff_field(".SH EXAMPLE\n.nf\n", c->example, "\n.fi\n");
  printf(
    ".SH EXIT STATUS\n0 as asked, 1 a check failed, 2 bad input, 3 internal error.\n.SH SEE ALSO\n.BR tandem (1)\n");
}

/* ---- Markdown ---- */

/* A sentence inside a table: | would end the cell. */
static void print_cell(const char *text) {
  for (; *text; text++) {
    if (*text == '|' || *text == '<') putchar('\\');
    putchar(*text == '\n' ? ' ' : *text);
  }
}

static void print_markdown(const struct cli_command *c) {
  printf("\n## tandem %s\n\n%s\n\n```\ntandem %s %s\n```\n\n", c->name, c->brief, c->name, c->usage);
  if (c->options[0].name) printf("| option | meaning |\n|---|---|\n");
  for (const struct cli_option *o = c->options; o->name; o++) {
    printf("| `%s", o->name);
    if (o->kind != CLI_FLAG) putchar(' '), print_cell(o->value);
    printf("` | ");
    print_cell(o->sentence);
    printf(" |\n");
  }
  printf("\nExample: `%s`\n", c->example);
}

/* ---- bash completion ---- */

/* Names that `tandem list` prints for the placeholder of a value, or NULL. */
static const char *list_of(const char *placeholder, size_t n) {
  static const char *const kinds[][2] = {
    {"WORKLOAD", "workloads"}, {"BLOCK", "blocks"}, {"GPU", "machines"}, {"PROPOSAL", "systems"}};
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strlen(kinds[i][0]) == n && !strncmp(kinds[i][0], placeholder, n)) return kinds[i][1];
  return NULL;
}

/* The words of a usage or a value that can be typed as they stand: lower case only. */
static void print_words(const char *text) {
  while (*text) {
    size_t n = strcspn(text, " |[]");
    if (n && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_") == n && strncmp(text, "options", n))
      printf(" %.*s", (int)n, text);
    text += n + (text[n] != 0);
  }
}

/* One arm of the `case` over commands. After an option with a value only that value is completed. */
static void print_completion(const struct cli_command *c) {
  const char *list = list_of(c->usage, strcspn(c->usage, " |[:."));
  printf("    %s)\n      options='", c->name);
  for (const struct cli_option *o = c->options; o->name; o++) printf("%s ", o->name);
  printf("--help'\n      words='");
  print_words(c->usage);
  printf("' list=%s\n      case $previous in\n", list ? list : "");
  for (const struct cli_option *o = c->options; o->name; o++) {
    if (o->kind == CLI_FLAG) continue;
    list = list_of(o->value, strlen(o->value));
    printf("        %s) options= list=%s words='", o->name, list ? list : "");
    print_words(o->value);
    printf("' ;;\n");
  }
  printf("      esac\n      ;;\n");
}

void help_print(const struct cli_command *c, enum help_form form) {
  static void (*const print[])(const struct cli_command *) = {print_text, print_man, print_markdown, print_completion};
  print[form](c);
}

/* ---- the program ---- */

static void program_text(const struct help_program *p) {
  printf("usage: tandem COMMAND ...\n\n%s\n\n", p->brief);
  for (unsigned i = 0; i < p->n_commands; i++) printf("  %-10s %s\n", p->name(i), p->summary(i));
  printf(
    "\ntandem --log FILE COMMAND ... adds to FILE what was called, what that started, and how it ended.\n"
    "tandem COMMAND --help explains a command. Exit codes: 0 as asked, 1 a check failed, 2 bad input, 3 internal error.\n"
    "\nexample:\n  %s\n",
    p->example);
}

static void program_man(const struct help_program *p) {
  printf(
    ".TH TANDEM 1 \"\" \"tandem %s\" \"User Commands\"\n.SH NAME\ntandem \\- co-simulate GPU memory-system proposals\n"
    ".SH SYNOPSIS\n.B tandem\n\\fICOMMAND\\fR ...\n.SH DESCRIPTION\n",
    TANDEM_VERSION);
  print_roff_field("", p->brief, "\n.SH COMMANDS\n");
  for (unsigned i = 0; i < p->n_commands; i++) {
    print_roff_field(".TP\n\\fBtandem\\-", p->name(i), "\\fR(1)\n");
    print_roff_field("", p->summary(i), "\n");
  }
  print_roff_field(".SH EXAMPLE\n.nf\n", p->example, "\n.fi\n");
  print_roff_field(".SH OPTIONS\n.TP\n\\fB--log\\fR \\fIFILE\\fR\n",
                   "before the command: add to FILE what was called, what that started, and how it ended", "\n");
  printf(".SH EXIT STATUS\n0 as asked, 1 a check failed, 2 bad input, 3 internal error.\n");
}

static void program_markdown(const struct help_program *p) {
  printf("# Commands\n\n%s\n", p->brief);
  for (unsigned i = 0; i < p->n_commands; i++) p->part(i, "--help=markdown");
}

static void program_completion(const struct help_program *p) {
  printf("# bash completion of tandem, generated from its tables of options\n"
         "_tandem() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} options= words= list=\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" = 1 ]; then\n    words='--help --version --log");
  for (unsigned i = 0; i < p->n_commands; i++) printf(" %s", p->name(i));
  printf("'\n  else\n    case ${COMP_WORDS[1]} in\n");
  for (unsigned i = 0; i < p->n_commands; i++) p->part(i, "--help=completion");
  printf(
    "    esac\n  fi\n"
    "  case $word in -*) words=\"$options $words\" list= ;; esac\n"
    "  [ -z \"$list\" ] || words=\"$words $(\"${COMP_WORDS[0]}\" list $list 2>/dev/null | sed -n 's/^\\([a-z0-9_]\\{1,\\}\\) .*/\\1/p')\"\n"
    "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
    "}\ncomplete -o default -F _tandem tandem\n");
}

void help_print_program(const struct help_program *p, enum help_form form) {
  static void (*const print[])(const struct help_program *) = {program_text, program_man, program_markdown,
                                                               program_completion};
  print[form](p);
}
