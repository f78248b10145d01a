/* SPDX-License-Identifier: Apache-2.0 */
#include "blocktest/mutants.h"

#include "blocktest/drive_run.h"

#include <string.h>

/* Whether `name` is in the comma-separated list. */
static bool listed(const char *list, const char *name) {
  size_t n = strlen(name);
  for (const char *at = list; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ','))
    if (strcspn(at, ",") == n && !strncmp(at, name, n)) return true;
  return false;
}

int mutant_run(const struct block_desc *desc, uint32_t index, uint64_t cycles, uint64_t seed, struct mutant_row *row,
               struct err *e) {
  char rtl[1024];
  uint32_t bug;
  *row = (struct mutant_row){.bug = &desc->bugs[index]};
  int status = planted_bug_find(desc, row->bug->name, &bug, rtl, sizeof rtl, e);
  for (uint32_t set = 0; set < desc->n_sweep && !status && !row->caught; set++) {
    struct random_run run = {.desc = desc,
                             .params = desc->sweep + set * desc->n_params,
                             .engine = ENGINE_LOCKSTEP,
                             .cycles = cycles,
                             .seed = seed,
                             .bug = bug,
                             .bug_rtl = rtl};
    struct random_result result;
    status = random_run(&run, &result, NULL, e);
    row->caught = result.diverged;
    row->set = set;
    row->cycles = result.cycles;
    if (!result.diverged) continue;
    snprintf(row->where, sizeof row->where, "%s", result.first.what);
    row->as_listed = !strcmp(result.first.block, desc->name) &&
                     (result.first.is_register || listed(row->bug->ports, result.first.what));
  }
  return status;
}
