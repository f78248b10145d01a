/* SPDX-License-Identifier: Apache-2.0 */
#include "run/kernel_metrics.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double per(uint64_t part, double whole) { return whole > 0 ? (double)part / whole : 0; }

#define X(identifier, name, unit, label, expression, sentence)                                \
  static double get_##identifier(const struct launch_record *r, const struct gpu_config *c) { \
    (void)r, (void)c;                                                                         \
    return expression;                                                                        \
  }
#include "run/kernel_metrics.def"

const struct kernel_metric kernel_metrics[KERNEL_METRICS + 1] = {
#define X(identifier, name, unit, label, expression, sentence) {name, unit, label, sentence, get_##identifier},
#include "run/kernel_metrics.def"
};

int kernel_metric_find(const char *name) {
  for (int i = 0; i < KERNEL_METRICS; i++)
    if (!strcmp(kernel_metrics[i].name, name)) return i;
  for (int i = 0; i < KERNEL_METRICS; i++)
    if (*name && !strcmp(kernel_metrics[i].label, name)) return i;
  return -1;
}

/* "_Z", an N before names of scopes, then names, each after its length: the last one (Itanium C++ ABI, 5.1). */
static bool last_mangled(const char *at, char *out, size_t size) {
  bool found = false;
  if (strncmp(at, "_Z", 2) != 0) return false;
  for (at += 2; *at == 'N' || *at == 'L' || *at == 'K'; at++) {
  }
  while (isdigit((unsigned char)*at)) {
    char *name;
    size_t n = strtoul(at, &name, 10);
    if (n > strlen(name)) return false;
    snprintf(out, size, "%.*s", (int)n, name);
    found = true;
    at = name + n;
    if (*at == 'L') at++; /* internal linkage of the next one */
  }
  return found;
}

/* Where the arguments begin: the first "(" outside of <> that is not the one of "(anonymous namespace)". */
static size_t name_end(const char *name) {
  size_t depth = 0, i = 0;
  for (; name[i]; i++) {
    if (name[i] == '<') depth++;
    else if (name[i] == '>' && depth) depth--;
    else if (name[i] == '(' && !depth && strncmp(name + i, "(anonymous", 10) != 0) break;
  }
  return i;
}

void kernel_base_name(const char *name, char *out, size_t size) {
  if (last_mangled(name, out, size)) return;
  size_t end = name_end(name), depth = 0;
  while (end && name[end - 1] == ' ') end--;
  if (end && name[end - 1] == '>') /* the template's arguments */
    do {
      end--;
      if (name[end] == '>') depth++;
      if (name[end] == '<') depth--;
    } while (end && depth);
  size_t begin = end;
  while (begin && (isalnum((unsigned char)name[begin - 1]) || strchr("_$.", name[begin - 1]))) begin--;
  if (begin == end) snprintf(out, size, "%s", name);
  else snprintf(out, size, "%.*s", (int)(end - begin), name + begin);
}
