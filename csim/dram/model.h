/* SPDX-License-Identifier: Apache-2.0 */
/* The hybrid analytical model of DRAM efficiency (Yuan 2009, chapter 3): a trace of requests in the order in which they reach
 * a controller is profiled with a sliding window as long as its queue; no cycle is simulated.
 *
 * In a period every bank has one row open, and the requests of the window for open rows are taken out (3.1):
 *   efficiency = min(D, sum of t_i) / D,  D = max(tRC, tRP + tRCD + t_j),  t_i = requests to bank i times service (3.2, 3.3)
 * where j is the bank whose row is opened for the oldest request. Over the periods both are summed (3.5). Then either one row
 * is opened (no activate overlap), or one in every bank that is waited for (full activate overlap).
 * assumption: a bank in which no row was opened yet has the row of its first request open. */
#ifndef TANDEM_DRAM_MODEL_H
#define TANDEM_DRAM_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct gpu_config;

struct dram_model_request {
  uint32_t bank, row;
};

struct dram_model_config {
  uint32_t banks;      /* of the controller, 1..64 */
  uint32_t window;     /* requests, 1..1024 */
  uint32_t service;    /* DRAM cycles of data of a request (3.3) */
  uint32_t row_cycle;  /* tRC */
  uint32_t row_switch; /* tRP + tRCD */
  bool full_overlap;   /* a row is opened in every bank that is waited for */
  bool fullest; /* Most Pending: the row that most requests wait for, the oldest of equals; else that of the oldest */
  void (*period)(void *context, uint64_t moved, uint64_t cycles); /* told of each period; may be NULL */
  void *context;
};

/* Sums over the periods; without a period there is no efficiency. */
struct dram_model_result {
  uint64_t moved, cycles, periods;
};

/* Window, banks and timings of a GPU configuration; a request is a line of it. */
void dram_model_from_config(struct dram_model_config *, const struct gpu_config *);
/* Adds the periods of a trace of n requests, banks in range, to *result. `open`: the row open at the start in each bank, or -1;
 * NULL: none is. Time is linear in the requests for a given window. ERR_LIMIT: no memory. */
int dram_model_run(const struct dram_model_config *, const struct dram_model_request *trace, size_t n,
                   const int64_t *open, struct dram_model_result *result, struct err *);

#endif
