/* SPDX-License-Identifier: Apache-2.0 */
/* The bench for one DRAM channel: its clocks, all domains alike, its counters, a checker that sees every command, the first
 * commands and the answers. */
#ifndef TANDEM_TESTS_KIT_DRAM_BENCH_H
#define TANDEM_TESTS_KIT_DRAM_BENCH_H

#include "dram/channel.h"
#include "dram/checker.h"
#include "kit/config.h"

enum { DRAM_BENCH_IDS = 4096, DRAM_BENCH_LOG = 256, DRAM_BENCH_CHANNEL = 5 };

struct dram_bench {
  /* filled before dram_bench_open */
  struct gpu_config m;
  const struct dram_scheduler *scheduler; /* or NULL: that of the GPU configuration */
  uint8_t preload;                        /* the class of traffic that dram.prefer names so */

  struct clocks clocks;
  struct address_map map;
  struct memory_counters n;
  uint64_t in_flight;
  struct dram_channel *d;
  struct dram_checker *checker;
  struct dram_watcher watcher;
  struct dram_command log[DRAM_BENCH_LOG];
  uint32_t logged;
  uint64_t commands[8];               /* by operation */
  uint64_t pushed_at[DRAM_BENCH_IDS]; /* for tests that note it */
  uint64_t answered, answer_at[DRAM_BENCH_IDS];
  uint16_t answers[DRAM_BENCH_IDS]; /* ids, in order */
};

static inline void dram_bench_note(void *context, uint32_t channel, const struct dram_command *k) {
  struct dram_bench *b = context;
  assert_int_equal(channel, DRAM_BENCH_CHANNEL);
  const char *wrong = dram_checker_see(b->checker, k);
  if (wrong) fail_msg("%s", wrong);
  if (b->logged < DRAM_BENCH_LOG) b->log[b->logged++] = *k;
  b->commands[k->op]++;
}

/* Zeroes the bench; then the configuration is set in b->m. */
static inline void dram_bench_begin(struct dram_bench *b, const char *config) {
  memset(b, 0, sizeof *b);
  config_begin(&b->m, config);
}

static inline void dram_bench_open(struct dram_bench *b) {
  struct err e;
  config_check(&b->m);
  clocks_start_alike(&b->clocks);
  address_map_start(&b->map, &b->m);
  struct dram_config config = {.gpu = &b->m,
                               .index = DRAM_BENCH_CHANNEL,
                               .max_reads = DRAM_BENCH_IDS,
                               .clocks = &b->clocks,
                               .map = &b->map,
                               .counters = &b->n,
                               .in_flight = &b->in_flight,
                               .scheduler = b->scheduler,
                               .preload = b->preload};
  b->d = dram_create(&config, &e);
  b->checker = dram_checker_create(&b->m, &e);
  assert_true(b->d && b->checker);
  b->watcher = (struct dram_watcher){dram_bench_note, b};
  dram_watch(b->d, &b->watcher);
}

static inline void dram_bench_close(struct dram_bench *b) {
  dram_destroy(b->d);
  dram_checker_destroy(b->checker);
}

static inline uint64_t dram_now(const struct dram_bench *b) { return b->clocks.next[CLOCK_DRAM]; }

/* The DRAM's edge of this tick, then the next tick. */
static inline void dram_edge(struct dram_bench *b) {
  while (dram_answer_tick(b->d, 0) <= dram_now(b)) {
    uint16_t id = dram_take_answer(b->d, 0);
    b->answer_at[id % DRAM_BENCH_IDS] = dram_now(b);
    b->answers[b->answered++ % DRAM_BENCH_IDS] = id;
  }
  dram_cycle(b->d);
  clocks_pass(&b->clocks, dram_now(b));
}

#endif
