/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of cta_cluster_dispatch: grids of a few CTAs and some of many, clusters that the grid cuts or that are the whole grid; the
 * clusters of the walk come in runs of one, of some or of all, with gaps and pauses; some runs have no cluster or leave the grid. SMs
 * have free slots in every cycle, in some, or one at a time. Most launches go to their end. */
#include "block/block_drive.h"
#include "cta_cluster_dispatch_ports.h"

enum { AXES = 3 };

struct cta_cluster_dispatch_drive_state {
  uint32_t grid[AXES], cls[AXES], at[AXES]; /* of the launch; where the walk of its clusters is */
  uint32_t left, free, runs, most;          /* cycles of this phase; percent of SMs and runs; most clusters of a run */
  uint32_t offered;                         /* clusters of the run that is offered; 0: none */
  uint8_t ended;                            /* the walk or the list has ended */
};

static void draw_launch(struct rng *rng, struct cta_cluster_dispatch_drive_state *s,
                        struct cta_cluster_dispatch_in *in) {
  uint32_t r = rng_u32(rng), most = (r & 7) ? 6 : 30;
  uint32_t clusters = 1;
  for (int d = 0; d < AXES; d++) {
    s->grid[d] = 1 + rng_below(rng, d == 2 ? 3 : most);
    s->cls[d] = rng_below(rng, 3) ? 1 + rng_below(rng, 4) : rng_below(rng, 3) ? s->grid[d] : 0;
    if (rng_below(rng, 64) == 0) s->grid[d] = 65535 - rng_below(rng, 2);
    if (rng_below(rng, 64) == 0) s->cls[d] = 65535;
    if (rng_below(rng, 256) == 0) s->grid[d] = 0;
    s->at[d] = 0;
    clusters *= s->cls[d] ? (s->grid[d] + s->cls[d] - 1) / s->cls[d] : 1;
  }
  in->grid_x = (uint16_t)s->grid[0], in->grid_y = (uint16_t)s->grid[1], in->grid_z = (uint16_t)s->grid[2];
  in->cls_x = (uint16_t)s->cls[0], in->cls_y = (uint16_t)s->cls[1], in->cls_z = (uint16_t)s->cls[2];
  in->whole = (r >> 3 & 7) ? rng_below(rng, clusters + 1) : rng_u32(rng);
  for (uint32_t w = 0; w < 4; w++) in->size[w] = 0;
  for (uint32_t cut = 0; cut < 8; cut++) {
    uint32_t size = 1;
    for (int d = 0; d < AXES; d++) {
      if (!s->cls[d]) s->cls[d] = 1;
      size *= cut >> d & 1 ? s->grid[d] % s->cls[d] : s->cls[d];
    }
    in->size[cut / 2] |= (size & 0xffff) << 16 * (cut % 2);
  }
  s->ended = 0;
  s->offered = 0;
}

/* One cluster further in the walk. */
static void walk(struct cta_cluster_dispatch_drive_state *s) {
  for (int d = 0; d < AXES; d++) {
    s->at[d] += s->cls[d];
    if (s->at[d] < s->grid[d]) return;
    s->at[d] = 0;
  }
  s->ended = 1;
}

static void offer_run(struct rng *rng, struct cta_cluster_dispatch_drive_state *s, struct cta_cluster_dispatch_in *in) {
  uint32_t r = rng_u32(rng);
  in->run_valid = 1;
  in->run_x = (uint16_t)s->at[0], in->run_y = (uint16_t)s->at[1], in->run_z = (uint16_t)s->at[2];
  s->offered = 1 + rng_below(rng, s->most);
  in->run_count = s->offered;
  if ((r & 63) == 0) in->run_count = s->offered = 0;
  if ((r >> 6 & 63) == 0) in->run_x = (uint16_t)(s->grid[0] + rng_below(rng, 3));
  if ((r >> 12 & 63) == 0) in->run_z = (uint16_t)s->grid[2];
  in->run_last = s->ended || (r >> 18 & 31) == 0;
  if (s->ended) in->run_count = r >> 23 & 1; /* the list may end with an empty run */
}

static void cta_cluster_dispatch_drive(const struct cta_cluster_dispatch_cfg *cfg, struct rng *rng,
                                       struct cta_cluster_dispatch_drive_state *s,
                                       const struct cta_cluster_dispatch_out *last,
                                       struct cta_cluster_dispatch_in *in) {
  static const uint8_t rates[] = {100, 100, 50, 10, 0};
  uint32_t all = (1U << cfg->SMS) - 1, r = rng_u32(rng);
  if (in->run_valid && last->run_ready) { /* the run was taken: the walk is behind it */
    for (; s->offered && !s->ended; s->offered--) walk(s);
    if ((r & 7) == 0 && !s->ended) walk(s); /* a cluster of another module */
    s->offered = 0;
  }
  if (s->left == 0) {
    s->left = 1 + rng_below(rng, 200);
    s->free = rates[rng_below(rng, sizeof rates)];
    s->runs = rates[rng_below(rng, sizeof rates)];
    s->most = 1 + rng_below(rng, rng_below(rng, 2) ? 2 : 40);
  }
  s->left--;
  in->start_en = last->done ? (r >> 3 & 3) == 0 : (r >> 3 & 1023) == 0;
  if (in->start_en) draw_launch(rng, s, in);
  in->run_valid = 0;
  if (rng_percent(rng, s->runs)) offer_run(rng, s, in);
  in->free = 0;
  for (int32_t sm = 0; sm < cfg->SMS; sm++) in->free |= (uint16_t)(rng_percent(rng, s->free) << sm);
  if (s->free == 10 && (r >> 13 & 3)) in->free = (uint16_t)(1U << rng_below(rng, (uint32_t)cfg->SMS));
  in->free &= (uint16_t)all;
}

BLOCK_DRIVER(cta_cluster_dispatch);
