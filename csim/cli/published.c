/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/published.h"

#include "base/text.h"
#include "config/workload_table.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The last value of `key` in "key=value,...", NULL if it is not there. *length: its length. */
static const char *value_of(const char *arguments, const char *key, size_t *length) {
  const char *found = NULL;
  size_t n = strlen(key);
  for (const char *word = arguments; *word; word += strcspn(word, ","), word += *word == ',')
    if (!strncmp(word, key, n) && word[n] == '=') {
      found = word + n + 1;
      *length = strcspn(found, ",");
    }
  return found;
}

static bool same_value(const char *arguments, const struct workload_table_arg *a, long long want) {
  char text[32];
  size_t length = 0;
  int64_t value = a->value;
  const char *found = value_of(arguments, a->name, &length);
  if (found) {
    snprintf(text, sizeof text, "%.*s", (int)length, found);
    if (length >= sizeof text || !text_to_int64(text, &value)) return false;
  }
  return value == want;
}

/* The seed only selects input data, and papers state none, so it is ignored. */
static bool same_run(const struct workload_row *row, const struct workload_published *p, const char *arguments) {
  size_t length = 0;
  const char *version = value_of(arguments, "version", &length);
  if (strcmp(p->version, version ? "" : row->versions[0]) &&
      (!version || length != strlen(p->version) || strncmp(version, p->version, length)))
    return false;
  for (unsigned i = 0; row->args[i].name; i++)
    if (strcmp(row->args[i].name, "seed") && !same_value(arguments, &row->args[i], p->values[i])) return false;
  return true;
}

void published_print(const char *workload, uint64_t thread_instructions) {
  const struct workload_row *row = workload_all;
  size_t length = strcspn(workload, ":");
  const char *arguments = workload[length] ? workload + length + 1 : "";
  while (row->name && (strlen(row->name) != length || strncmp(row->name, workload, length))) row++;
  if (!row->name) return;
  for (const struct workload_published *p = row->published; p->args; p++)
    if (same_run(row, p, arguments))
      printf("  thread instructions: %.4g M; %s: %.4g M (%.2fx)\n", (double)thread_instructions / 1e6, p->source,
             (double)p->thread_instructions / 1e6, (double)thread_instructions / (double)p->thread_instructions);
}
