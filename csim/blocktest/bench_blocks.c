/* SPDX-License-Identifier: Apache-2.0 */
#include "blocktest/bench_blocks.h"

#include "base/host_clock.h"
#include "base/sorted.h"
#include "block/block_drive.h"
#include "blocktest/random_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 2048, ROUNDS = 20, IDLE_CYCLES = 4000000, REPEATS = 5, CHECK_CYCLES = 3000000 };

/* Inputs of ROWS cycles, as the block's driver makes them against the C model. */
static uint8_t *make_rows(const struct block_desc *desc, const int32_t *params, struct err *e) {
  const struct block_driver *driver = block_driver_find(desc->name);
  struct rng rng;
  uint64_t now = 0;
  rng_seed(&rng, 1);
  uint8_t *rows = calloc(ROWS, desc->in_bytes);
  void *state = driver ? calloc(1, driver->state_bytes + 1) : NULL;
  struct block *b = rows && state ? block_create_c(desc, desc->name, params, &now, false, e) : NULL;
  for (uint32_t i = 0; b && i < ROWS; i++) {
    driver->drive(params, &rng, state, b->out, b->in);
    memcpy(rows + (size_t)i * desc->in_bytes, b->in, desc->in_bytes);
    block_eval(b);
    block_tick(b);
  }
  block_destroy(b);
  free(state);
  return rows;
}

static double median(double *values) {
  sorted_doubles(values, REPEATS);
  return sorted_quantile(values, REPEATS, 0.5);
}

/* ns an instance-cycle of the simulating thread, and of the others. */
struct cost {
  double own, others;
};

/* Runs every row on all instances; copying the inputs is part of the cost, as in a component. */
static struct cost time_active(struct dpi *d, struct block **b, const uint8_t *rows, uint32_t in_bytes) {
  double start = host_thread_seconds(), all = host_process_seconds();
  for (uint32_t round = 0; round < ROUNDS; round++) {
    for (uint32_t row = 0; row < ROWS; row++)
      for (uint32_t i = 0; i < BENCH_INSTANCES; i++) {
        memcpy(b[i]->in, rows + (size_t)row * in_bytes, in_bytes);
        block_eval(b[i]);
        block_tick(b[i]);
      }
    dpi_hand_over(d);
  }
  double own = host_thread_seconds() - start;
  dpi_drain(d);
  double others = host_process_seconds() - all - (host_thread_seconds() - start);
  double each = 1e9 / ((double)ROUNDS * ROWS * BENCH_INSTANCES);
  return (struct cost){own * each, others * each};
}

/* Resets the instances, then runs cycles with idle inputs, which are skipped. */
static double time_idle(struct block **b, uint32_t in_bytes) {
  for (uint32_t i = 0; i < BENCH_INSTANCES; i++) {
    memset(b[i]->in, 0, in_bytes);
    b[i]->skip = true;
    for (int cycle = 0; cycle < 4; cycle++) {
      b[i]->rst_n = cycle > 0;
      block_eval(b[i]);
      block_tick(b[i]);
    }
  }
  double start = host_thread_seconds();
  for (uint32_t cycle = 0; cycle < IDLE_CYCLES / BENCH_INSTANCES; cycle++)
    for (uint32_t i = 0; i < BENCH_INSTANCES; i++) {
      block_eval(b[i]);
      block_tick(b[i]);
    }
  return 1e9 * (host_thread_seconds() - start) / IDLE_CYCLES;
}

/* Fills the engine's figures; under lockstep one thread checks. */
static int time_engine(const struct block_desc *desc, const int32_t *params, enum block_engine engine,
                       const uint8_t *rows, struct bench_block *result, struct err *e) {
  struct engine_rule rule = {.pattern = "*", .engine = engine};
  struct dpi_config config = {.rules = &rule, .n_rules = 1, .skip = false, .decoupled = true, .check_threads = 1};
  struct dpi *d = NULL;
  struct block *b[BENCH_INSTANCES] = {0};
  uint64_t now = 0;
  int status = dpi_create(&config, &d, e);
  for (uint32_t i = 0; i < BENCH_INSTANCES && !status; i++) {
    struct block_factory *f = dpi_factory(d);
    b[i] = f->create(f, desc, desc->name, params, &now, e);
    if (!b[i]) status = (int)e->code;
  }
  if (!status) {
    double active[REPEATS], others[REPEATS], idle[REPEATS];
    for (int r = 0; r < REPEATS; r++) {
      struct cost cost = time_active(d, b, rows, desc->in_bytes);
      active[r] = cost.own;
      others[r] = cost.others;
    }
    for (int r = 0; r < REPEATS; r++) idle[r] = time_idle(b, desc->in_bytes);
    result->active_ns[engine] = median(active);
    result->idle_ns[engine] = median(idle);
    if (engine == ENGINE_LOCKSTEP) result->checker_ns = median(others);
  }
  for (uint32_t i = 0; i < BENCH_INSTANCES; i++) block_destroy(b[i]);
  dpi_destroy(d);
  return status;
}

static void name_row(const struct block_desc *desc, const int32_t *params, struct bench_block *row) {
  size_t n = (size_t)snprintf(row->name, sizeof row->name, "%s", desc->name);
  for (uint32_t i = 0; i < desc->n_params && n < sizeof row->name; i++)
    if (params[i] != desc->params[i].value)
      n += (size_t)snprintf(row->name + n, sizeof row->name - n, " %s=%d", desc->params[i].name, params[i]);
}

static int bench_set(const struct block_desc *desc, const int32_t *params, struct bench_block *row, struct err *e) {
  *row = (struct bench_block){.block = desc->name, .composite = desc->parts != NULL};
  name_row(desc, params, row);
  uint8_t *inputs = make_rows(desc, params, e);
  if (!inputs) return err_set(e, ERR_LIMIT, "out of memory");
  int status = 0;
  for (int engine = ENGINE_C; engine <= ENGINE_LOCKSTEP && !status; engine++)
    status = time_engine(desc, params, (enum block_engine)engine, inputs, row, e);
  free(inputs);
  struct random_run run = {.desc = desc,
                           .params = params,
                           .engine = ENGINE_LOCKSTEP,
                           .check_threads = dpi_spare_threads(1),
                           .cycles = CHECK_CYCLES,
                           .seed = 1};
  struct random_result result;
  if (!status) status = random_run(&run, &result, NULL, e);
  if (!status) row->check_hz = (double)result.cycles / result.seconds;
  return status;
}

int bench_blocks(const char *only, struct bench_block rows[BENCH_BLOCKS_MAX], uint32_t *n, struct err *e) {
  int status = 0;
  *n = 0;
  for (const struct block_desc *const *d = block_list(); *d && !status; d++) {
    if (only && strcmp(only, (*d)->name)) continue;
    for (uint32_t set = 0; set < (only ? (*d)->n_sweep : 1) && !status && *n < BENCH_BLOCKS_MAX; set++)
      status = bench_set(*d, (*d)->sweep + set * (*d)->n_params, &rows[(*n)++], e);
  }
  return status;
}
