/* SPDX-License-Identifier: Apache-2.0 */
/* Launches: their limits, and the CTAs given to SMs. */
#include "gpu/gpu_state.h"

#include <string.h>

enum { BLOCK_THREADS_MAX = 1024, BLOCK_Z_MAX = 64, GRID_YZ_MAX = 65535 };

static int check_shape(const struct ptx_kernel *k, const uint32_t grid[3], const uint32_t block[3], struct err *e) {
  uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
  for (uint32_t i = 0; i < 3; i++) {
    if (!grid[i] || !block[i])
      return err_set(e, ERR_VALUE, "kernel '%s': dimension %c of the %s is 0; it must be at least 1", k->name, "xyz"[i],
                     grid[i] ? "block" : "grid");
    if (block[i] > (i < 2 ? BLOCK_THREADS_MAX : BLOCK_Z_MAX) || (i && grid[i] > GRID_YZ_MAX) || grid[i] > INT32_MAX)
      return err_set(e, ERR_VALUE, "kernel '%s': dimension %c (grid %u, block %u) exceeds what a GPU takes", k->name,
                     "xyz"[i], grid[i], block[i]);
  }
  if (threads > BLOCK_THREADS_MAX)
    return err_set(e, ERR_VALUE, "kernel '%s': a block of %llu threads; at most %d are allowed", k->name,
                   (unsigned long long)threads, BLOCK_THREADS_MAX);
  if (k->max_threads && threads > k->max_threads)
    return err_set(e, ERR_VALUE, "kernel '%s': a block of %llu threads, but the kernel was compiled for at most %u",
                   k->name, (unsigned long long)threads, k->max_threads);
  return 0;
}

int gpu_prepare_launch(struct gpu *g, const struct ptx_kernel *k, const uint32_t grid[3], const uint32_t block[3],
                       uint32_t dynamic_shared_bytes, const void *params, struct err *e) {
  int code = check_shape(k, grid, block, e);
  if (code) return code;
  uint32_t threads = block[0] * block[1] * block[2];
  struct launch *l = &g->launch;
  *l = (struct launch){.kernel = k,
                       .dynamic_shared_bytes = dynamic_shared_bytes,
                       .params = params,
                       .n_ctas = (uint64_t)grid[0] * grid[1] * grid[2],
                       .warps_per_cta = (threads + 31) / 32};
  memcpy(l->grid, grid, sizeof l->grid);
  memcpy(l->block, block, sizeof l->block);
  struct err limit = {.code = ERR_LIMIT};
  l->ctas_per_sm = sm_occupancy(&g->config, k, threads, dynamic_shared_bytes, &limit);
  if (!l->ctas_per_sm) return err_set(e, limit.code, "%s", limit.text);
  for (uint32_t i = 0; i < g->n_sms; i++) {
    if ((code = sm_launch(g->sm[i].sm, l, e))) return code;
    g->sm[i].counted = g->clocks.cycle[CLOCK_CORE];
    g->sm[i].wake = g->clocks.cycle[CLOCK_CORE];
    g->sm[i].takes_cta = sm_can_take_cta(g->sm[i].sm);
  }
  g->takes_cta = true;
  g->limit = g->config.launch_limit ? g->clocks.cycle[CLOCK_CORE] + (uint64_t)g->config.launch_limit : UINT64_MAX;
  g->next_cta = 0;
  g->turn = 0;
  g->aborted = g->draining = false;
  g->first_wake = g->progress = g->clocks.cycle[CLOCK_CORE];
  return 0;
}

bool gpu_dispatch(struct gpu *g) {
  uint32_t first = g->turn;
  bool any = false;
  if (!g->takes_cta) return false;
  for (uint32_t n = 0; n < g->n_sms && g->next_cta < g->launch.n_ctas; n++) {
    uint32_t i = first + n < g->n_sms ? first + n : first + n - g->n_sms;
    if (!g->sm[i].takes_cta) continue;
    gpu_catch_up(g, i);
    sm_start_cta(g->sm[i].sm, g->next_cta++);
    g->sm[i].takes_cta = sm_can_take_cta(g->sm[i].sm);
    g->sm[i].wake = g->clocks.cycle[CLOCK_CORE];
    g->turn = i + 1 < g->n_sms ? i + 1 : 0;
    any = true;
  }
  return any;
}
