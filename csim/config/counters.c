/* SPDX-License-Identifier: Apache-2.0 */
#include "config/counters.h"

#include "base/err.h"

#include <stdbool.h>
#include <string.h>

enum {
  SM_OWN = offsetof(struct sm_counters, owned) / sizeof(uint64_t),
  MEMORY_OWN = offsetof(struct memory_counters, owned) / sizeof(uint64_t)
};

static struct counter_row sm_rows[SM_OWN + SM_COUNTERS_OWNED] = {
#define X COUNTER_ROW
#include "config/sm_counters.def"
};
static struct counter_row memory_rows[MEMORY_OWN + MEMORY_COUNTERS_OWNED] = {
#define X COUNTER_ROW
#include "config/memory_counters.def"
};

static struct {
  struct counter_row *rows;
  uint32_t n, own, most;
} tables[] = {[COUNTERS_SM] = {sm_rows, SM_OWN, SM_OWN, SM_OWN + SM_COUNTERS_OWNED},
              [COUNTERS_MEMORY] = {memory_rows, MEMORY_OWN, MEMORY_OWN, MEMORY_OWN + MEMORY_COUNTERS_OWNED}};

struct counter_table counter_table(enum counter_kind kind) {
  return (struct counter_table){tables[kind].rows, tables[kind].n};
}

uint32_t counter_index(enum counter_kind kind, const char *name) {
  for (uint32_t i = 0; i < tables[kind].n; i++)
    if (!strcmp(tables[kind].rows[i].name, name)) return i;
  invariant(false, "there is no counter %s", name);
  return 0;
}

uint32_t counters_join(enum counter_kind kind, const struct counter_row *rows, uint32_t n) {
  uint32_t first = tables[kind].n;
  invariant(first + n <= tables[kind].most, "no room for %u more counters", n);
  if (n) memcpy(&tables[kind].rows[first], rows, n * sizeof *rows);
  tables[kind].n += n;
  return first - tables[kind].own;
}

void counters_add(uint64_t *sum, const uint64_t *add, size_t n) {
  for (size_t i = 0; i < n; i++) sum[i] += add[i];
}
