/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/checker.h"

#include "base/err.h"
#include "config/gpu_config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_GROUPS = 16, MAX_BANKS = 64, FOUR = 4, POSTPONED = 8 };

/* Cycle of the last command of a kind; -1: never. Signed, so that differences are plain. */
struct bank_history {
  int64_t activate, read, write, precharge;
  int64_t row;
  bool open;
};

struct dram_checker {
  const struct gpu_config *m;
  struct gpu_config config;
  struct bank_history bank[MAX_BANKS];
  uint32_t group_of[MAX_BANKS];
  uint64_t owed_at; /* cycle from which a command other than REF comes too late: more than 8 refreshes are owed */
  int64_t group_column[MAX_GROUPS], column, read, write, activate[FOUR], refresh, any;
  int64_t data_end; /* first cycle after the last data on the bus */
  uint64_t activates, refreshes, commands;
  bool all_open; /* ideal.dram = row_hits */
  char text[256];
};

enum { N_OPS = 6 };
static const char *op_name(uint8_t op) {
  static const char *const names[N_OPS] = {"ACT", "READ", "WRITE", "PRE", "PREA", "REF"};
  return op < N_OPS ? names[op] : "unknown command";
}

struct dram_checker *dram_checker_create(const struct gpu_config *m, struct err *e) {
  struct dram_checker *c = calloc(1, sizeof *c);
  if (!c) {
    err_set(e, ERR_LIMIT, "out of memory for a DRAM protocol checker");
    return NULL;
  }
  c->config = *m;
  c->m = &c->config;
  c->all_open = m->ideal_dram == IDEAL_DRAM_ROW_HITS;
  for (int b = 0; b < MAX_BANKS; b++)
    c->bank[b] = (struct bank_history){.activate = -1, .read = -1, .write = -1, .precharge = -1};
  for (uint32_t b = 0; b < m->dram_banks; b++) c->group_of[b] = b / (uint32_t)(m->dram_banks / m->dram_bank_groups);
  c->owed_at = m->dram_refresh ? (POSTPONED + 1) * (uint64_t)m->dram_refresh : UINT64_MAX;
  for (int g = 0; g < MAX_GROUPS; g++) c->group_column[g] = -1;
  for (int i = 0; i < FOUR; i++) c->activate[i] = -1;
  c->column = c->read = c->write = c->refresh = c->any = c->data_end = -1;
  return c;
}

void dram_checker_destroy(struct dram_checker *c) { free(c); }
uint64_t dram_checker_commands(const struct dram_checker *c) { return c->commands; }

static int64_t burst(const struct dram_checker *c) { return c->m->dram_burst_bytes / c->m->dram_bytes_per_clock; }

/* `since` >= 0 must lie at least `least` cycles back. */
static bool too_soon(struct dram_checker *c, const struct dram_command *k, const char *rule, int64_t since,
                     int64_t least) {
  if (since < 0 || (int64_t)k->cycle - since >= least) return false;
  snprintf(c->text, sizeof c->text,
           "%s at cycle %" PRIu64 ", bank %u: %s asks for %" PRId64 " cycles after cycle %" PRId64 ", only %" PRId64
           " passed",
           op_name(k->op), k->cycle, k->bank, rule, least, since, (int64_t)k->cycle - since);
  return true;
}

static bool broken(struct dram_checker *c, const struct dram_command *k, const char *rule) {
  snprintf(c->text, sizeof c->text, "%s at cycle %" PRIu64 ", bank %u: %s", op_name(k->op), k->cycle, k->bank, rule);
  return true;
}

static bool bad_activate(struct dram_checker *c, const struct dram_command *k) {
  const struct gpu_config *m = c->m;
  const struct bank_history *b = &c->bank[k->bank];
  return (b->open && broken(c, k, "the bank has an open row")) || too_soon(c, k, "tRC", b->activate, m->dram_tRC) ||
         too_soon(c, k, "tRP", b->precharge, m->dram_tRP) || too_soon(c, k, "tRRD", c->activate[0], m->dram_tRRD) ||
         too_soon(c, k, "tFAW", c->activate[FOUR - 1], m->dram_tFAW) ||
         too_soon(c, k, "tRFC", c->refresh, m->dram_tRFC);
}

/* Rules that reads and writes share; `data`: when their data starts. */
static bool bad_column(struct dram_checker *c, const struct dram_command *k, int64_t data) {
  const struct gpu_config *m = c->m;
  const struct bank_history *b = &c->bank[k->bank];
  uint32_t group = c->group_of[k->bank];
  bool wrong_row = c->all_open ? too_soon(c, k, "tRFC", c->refresh, m->dram_tRFC)
                               : (!b->open && broken(c, k, "the bank is closed")) ||
                                   (b->row != (int64_t)k->row && broken(c, k, "another row is open")) ||
                                   too_soon(c, k, "tRCD", b->activate, m->dram_tRCD);
  return wrong_row || too_soon(c, k, "tCCDS", c->column, m->dram_tCCDS) ||
         too_soon(c, k, "tCCDL", c->group_column[group], m->dram_tCCDL) ||
         (data < c->data_end && broken(c, k, "the data bus is taken"));
}

static bool bad_read(struct dram_checker *c, const struct dram_command *k) {
  const struct gpu_config *m = c->m;
  return bad_column(c, k, (int64_t)k->cycle + m->dram_tCL) ||
         too_soon(c, k, "tWTR (after write data)", c->write, m->dram_tWL + burst(c) + m->dram_tWTR);
}

static bool bad_write(struct dram_checker *c, const struct dram_command *k) {
  const struct gpu_config *m = c->m;
  return bad_column(c, k, (int64_t)k->cycle + m->dram_tWL) ||
         too_soon(c, k, "tRTW (after read data)", c->read, m->dram_tCL + burst(c) + m->dram_tRTW - m->dram_tWL);
}

static bool bad_precharge(struct dram_checker *c, const struct dram_command *k, const struct bank_history *b) {
  const struct gpu_config *m = c->m;
  return too_soon(c, k, "tRAS", b->activate, m->dram_tRAS) || too_soon(c, k, "tRTP", b->read, m->dram_tRTP) ||
         too_soon(c, k, "tWR (after write data)", b->write, m->dram_tWL + burst(c) + m->dram_tWR);
}

static bool bad_precharge_all(struct dram_checker *c, const struct dram_command *k) {
  for (int64_t b = 0; b < c->m->dram_banks; b++)
    if (c->bank[b].open && bad_precharge(c, k, &c->bank[b])) return true;
  return false;
}

static bool bad_refresh(struct dram_checker *c, const struct dram_command *k) {
  const struct gpu_config *m = c->m;
  for (int64_t i = 0; i < m->dram_banks && !c->all_open; i++) {
    const struct bank_history *b = &c->bank[i];
    if (b->open) return broken(c, k, "a bank has an open row");
    if (too_soon(c, k, "tRP", b->precharge, m->dram_tRP) || too_soon(c, k, "tRC", b->activate, m->dram_tRC))
      return true;
  }
  return too_soon(c, k, "tRFC", c->refresh, m->dram_tRFC);
}

/* At most eight refreshes may be owed (as JESD79-3 allows to postpone). */
static bool owes_refreshes(struct dram_checker *c, const struct dram_command *k) {
  return k->cycle >= c->owed_at && k->op != DRAM_REFRESH && broken(c, k, "more than 8 refreshes are owed");
}

static bool bad(struct dram_checker *c, const struct dram_command *k) {
  if (c->any >= 0 && (int64_t)k->cycle <= c->any) return broken(c, k, "no later than the command before it");
  if (owes_refreshes(c, k)) return true;
  if (c->all_open && k->op != DRAM_READ && k->op != DRAM_WRITE && k->op != DRAM_REFRESH)
    return broken(c, k, "every row is open (ideal.dram)");
  if (k->op < DRAM_PRECHARGE_ALL && k->bank >= c->m->dram_banks) return broken(c, k, "there is no such bank");
  switch ((enum dram_op)k->op) {
    case DRAM_ACTIVATE: return bad_activate(c, k);
    case DRAM_READ: return bad_read(c, k);
    case DRAM_WRITE: return bad_write(c, k);
    case DRAM_PRECHARGE:
      return (!c->bank[k->bank].open && broken(c, k, "the bank is closed")) || bad_precharge(c, k, &c->bank[k->bank]);
    case DRAM_PRECHARGE_ALL: return bad_precharge_all(c, k);
    case DRAM_REFRESH: return bad_refresh(c, k);
  }
  return broken(c, k, "no such command");
}

static void close_bank(struct bank_history *b, int64_t cycle) {
  if (b->open) b->precharge = cycle;
  b->open = false;
}

static void remember(struct dram_checker *c, const struct dram_command *k) {
  int64_t cycle = (int64_t)k->cycle;
  struct bank_history *b = &c->bank[k->bank % MAX_BANKS];
  c->any = cycle;
  c->commands++;
  switch ((enum dram_op)k->op) {
    case DRAM_ACTIVATE:
      b->activate = cycle;
      b->row = (int64_t)k->row;
      b->open = true;
      for (int i = FOUR - 1; i > 0; i--) c->activate[i] = c->activate[i - 1];
      c->activate[0] = cycle;
      break;
    case DRAM_READ:
    case DRAM_WRITE: {
      bool read = k->op == DRAM_READ;
      *(read ? &b->read : &b->write) = *(read ? &c->read : &c->write) = cycle;
      c->column = c->group_column[c->group_of[k->bank % MAX_BANKS] % MAX_GROUPS] = cycle;
      int64_t end = cycle + (read ? c->m->dram_tCL : c->m->dram_tWL) + burst(c);
      if (end > c->data_end) c->data_end = end;
      break;
    }
    case DRAM_PRECHARGE: close_bank(b, cycle); break;
    case DRAM_PRECHARGE_ALL:
      for (int i = 0; i < MAX_BANKS; i++) close_bank(&c->bank[i], cycle);
      break;
    case DRAM_REFRESH:
      c->refresh = cycle;
      c->refreshes++;
      if (c->m->dram_refresh) c->owed_at += (uint64_t)c->m->dram_refresh;
      break;
  }
}

const char *dram_checker_see(struct dram_checker *c, const struct dram_command *k) {
  bool wrong = bad(c, k);
  remember(c, k);
  return wrong ? c->text : NULL;
}
