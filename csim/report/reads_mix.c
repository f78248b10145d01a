/* SPDX-License-Identifier: Apache-2.0 */
/* Static instructions of a kernel, from its PTX text: the decoder leaves out what needs no operation. */
#include "report/reads.h"

#include <ctype.h>
#include <string.h>

const char *const reads_mix_names[READS_MIX] = {"ld", "st", "mov", "cvt", "add", "mul", "bar", "exit", "other"};

/* Counts the instruction that a statement is: not a directive, nor nothing; a label or a guard may stand before it. */
static void count(const char *s, uint32_t mix[READS_MIX]) {
  const char *colon = strchr(s, ':');
  char name[16] = "";
  size_t n = 0;
  if (colon && colon[1] != ':') s = colon + 1;
  while (isspace((unsigned char)*s)) s++;
  if (*s == '@') s += strcspn(s, " \t\n");
  while (isspace((unsigned char)*s)) s++;
  if (!isalpha((unsigned char)*s)) return;
  for (; isalnum((unsigned char)s[n]) && n + 1 < sizeof name; n++) name[n] = s[n];
  if (!strcmp(name, "ret")) strcpy(name, "exit"); /* of a kernel they are the same */
  int i = 0;
  while (i < READS_MIX_OTHER && strcmp(name, reads_mix_names[i]) != 0) i++;
  mix[i]++;
}

/* What has been read of a body, up to a semicolon. */
struct text {
  char statement[512];
  size_t n;
  int depth; /* of braces */
  bool begun;
};

static void take(struct text *t, char c, uint32_t mix[READS_MIX]) {
  bool brace = c == '{' || c == '}', scope = brace && (!t->n || !t->begun); /* braces of vectors stand in a statement */
  if (brace) t->depth += c == '{' ? 1 : -1;
  if (c == '{') t->begun = true;
  if (c == ';' && t->begun) count(t->statement, mix);
  if (c == ';' || scope) t->n = 0;
  else if ((t->n || !isspace((unsigned char)c)) && t->n + 1 < sizeof t->statement) t->statement[t->n++] = c;
  t->statement[t->n] = 0;
}

/* At the end of a line: .loc and labels have no semicolon. */
static void end_line(struct text *t, uint32_t mix[READS_MIX]) {
  if (t->begun && (t->statement[0] == '.' || (t->n && t->statement[t->n - 1] == ':'))) t->n = 0;
  take(t, '\n', mix);
}

/* Comments end with their line, as compilers write them. */
void reads_mix(const struct ptx_kernel *k, uint32_t mix[READS_MIX]) {
  struct text t = {.n = 0};
  uint32_t line = k->n_ops ? k->ops[0].line : 0;
  memset(mix, 0, READS_MIX * sizeof *mix);
  while (line > 1 && !strstr(ptx_module_line(k->module, line), ".entry")) line--;
  for (; line && line <= ptx_module_n_lines(k->module) && (!t.begun || t.depth); line++) {
    for (const char *c = ptx_module_line(k->module, line); *c && strncmp(c, "//", 2) != 0; c++) take(&t, *c, mix);
    end_line(&t, mix);
  }
}
