/* SPDX-License-Identifier: Apache-2.0 */
/* A copy of the process that runs a part of the run again (csim/run/snapshots.h). */
#include "base/hash.h"
#include "replay.h"
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

void dpi_watch_from_here(struct dpi *d, const char *dir, uint64_t from, uint64_t to) {
  for (uint32_t i = 0; i < d->n_seams; i++) {
    d->seams[i]->track = NULL; /* its memory is the parent's file */
    seam_couple(d->seams[i]);
  }
  d->follows = false; /* the threads that checked are the parent's */
  d->checkers = NULL;
  free(d->out_dir);
  d->out_dir = strdup(dir);
  d->config.out_dir = d->out_dir;
  d->config.wave = true;
  d->config.wave_from = from;
  d->config.wave_to = to;
  d->watching = false;
}

void dpi_mark(struct dpi *d, uint64_t tick) { d->marker = tick; }

uint64_t dpi_digest(const struct dpi *d) {
  uint64_t digest = HASH_SEED;
  for (uint32_t i = 0; i < d->n_seams; i++) {
    const struct block *b = d->seams[i]->b;
    uint64_t registers = b && b->engine != ENGINE_RTL ? replay_state_digest(b) : 0;
    digest = hash_bytes(digest, &registers, sizeof registers);
  }
  return digest;
}
