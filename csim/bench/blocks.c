/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks alone: host time of an instance-cycle. */
#include "base/err.h"
#include "bench/bench.h"
#include "blocktest/bench_blocks.h"

#include <string.h>

/* Blocks whose active cycle may take longer than 60 ns, and why their issue says so. */
static const struct {
  const char *block, *wanted;
} allowed[] = {
  {"hold_grant_alloc", "<= 110"}, /* 28 x 8 pairs */
  {"teleport_tags", "<= 110"},    /* 4 x 96 ways */
  {"ldt_lookup", "<= 70"},        /* 16 rows */
  {"bdi_enc", "<= 250"},          /* five stages of 1,024 bits */
  {"bdi_dec", "<= 100"},          /* 1,024 bits */
  {"caba_awc", "<= 100"},         /* 64 entries and 16 rows */
  {"coordinator", "<= 100"},      /* 64 warps */
  {"l1_victim_prio", "<= 70"},    {"pf_agen", "<= 80"}, {"cta_cluster_dispatch", "<= 80"}, {"numa_decode", "<= 50"},
};

static const char *wanted_ns(const char *block) {
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
    if (!strcmp(allowed[i].block, block)) return allowed[i].wanted;
  return "<= 60";
}

static void add_block(struct bench *b, const struct bench_block *row) {
  static const char *const engines[] = {"c", "rtl", "lockstep"};
  char name[96];
  for (int k = 0; k < 3; k++) {
    snprintf(name, sizeof name, "%s active, %s", row->name, engines[k]);
    bench_ns(b, name, row->active_ns[k], k ? wanted_ns(row->block) : "");
  }
  snprintf(name, sizeof name, "%s active, its checker", row->name);
  bench_ns(b, name, row->checker_ns, "");
  snprintf(name, sizeof name, "%s idle, lockstep", row->name);
  bench_ns(b, name, row->idle_ns[2], "<= 1");
  snprintf(name, sizeof name, "%s alone under check", row->name);
  bench_figure(b, name, row->check_hz / 1e6, "Mcycles/s", row->composite ? ">= 2.5" : ">= 5");
}

int bench_all_blocks(struct bench *b, const char *only, struct err *e) {
  struct bench_block rows[BENCH_BLOCKS_MAX];
  uint32_t n;
  int status = bench_blocks(only, rows, &n, e);
  for (uint32_t i = 0; i < n && !status; i++) add_block(b, &rows[i]);
  return status;
}
