/* SPDX-License-Identifier: Apache-2.0 */
/* Waves: one FST for every RTL instance and probe. A tick of the clocks is two time units: clocks rise at even times. */
#include "runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Scopes merge when objects are traced in path order. */
static bool open_wave(struct dpi *d) {
  struct seam **sorted = seams_by_path(d);
  if (!sorted) return false;
  d->fst = d->runtime->fst_create();
  for (uint32_t i = 0; i < d->n_seams; i++)
    if (sorted[i]->model) sorted[i]->ops->trace(sorted[i]->model, d->fst);
  free(sorted);
  char path[1100];
  snprintf(path, sizeof path, "%s/wave.fst.part", d->out_dir);
  d->runtime->fst_open(d->fst, path, "1ns");
  return true;
}

/* Closes the wave, under its final name or, with `keep` false, under none. 0, or errno of what failed. */
static int close_wave(struct dpi *d, bool keep) {
  char part[1100], path[1100];
  snprintf(part, sizeof part, "%s/wave.fst.part", d->out_dir);
  snprintf(path, sizeof path, "%s/wave.fst", d->out_dir);
  int failed = d->runtime->fst_close(d->fst);
  d->fst = NULL;
  if (keep && !failed && rename(part, path)) failed = errno;
  if (!keep || failed) unlink(part);
  return failed;
}

void wave_abandon(struct dpi *d) {
  if (d->fst) close_wave(d, false);
}

/* Samples the probes, at the end of the cycle; dumps all values with the clocks high, then low. */
static void dump_cycle(struct dpi *d, uint64_t tick) {
  for (uint32_t i = 0; i < d->n_seams; i++) {
    struct seam *s = d->seams[i];
    if (!s->probe) continue;
    s->ops->rise(s->model);
    s->ops->sample(s->model);
    s->high = true;
  }
  d->runtime->fst_dump(d->fst, 2 * tick);
  bool active = false;
  for (uint32_t i = 0; i < d->n_seams; i++) {
    struct seam *s = d->seams[i];
    if (s->high) s->ops->fall(s->model);
    active |= s->high && s->b;
    s->high = false;
  }
  d->runtime->fst_dump(d->fst, 2 * tick + 1);
  if (active && !d->first_active) d->first_active = 2 * tick;
}

void dpi_wave_cycle(struct dpi *d, uint64_t tick, uint64_t core_cycle) {
  if (d->watching && (d->fst || open_wave(d))) dump_cycle(d, tick);
  uint64_t next = core_cycle + 1;
  d->watching = next >= d->config.wave_from && next < d->config.wave_to;
}

int dpi_wave_finish(struct dpi *d, struct err *e) {
  if (!d->config.wave) return 0;
  if (!d->fst)
    return err_set(
      e, ERR_VALUE,
      "no wave: the run ended before core cycle %llu, where the window begins; choose --wave=FROM:TO inside the run",
      (unsigned long long)d->config.wave_from);
  int failed = close_wave(d, true);
  if (failed)
    return err_set(e, ERR_FILE, "cannot write %s/wave.fst, or the FST writer's temporary files in " P_tmpdir ": %s",
                   d->out_dir, strerror(failed));
  return wave_write_gtkw(d, d->out_dir, e);
}
