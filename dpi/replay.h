/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a recorded stimulus on one block alone. */
#ifndef TANDEM_DPI_REPLAY_H
#define TANDEM_DPI_REPLAY_H

#include "differences.h"
#include "dpi.h"
#include "stimulus.h"

/* Called before each row's tick: block->out are the outputs (struct B_out) of the engine; returns false to stop. */
typedef bool replay_row_fn(void *self, size_t row, const struct stimulus_row *, const struct block *);

struct replay {
  enum block_engine engine;
  const char *bug_rtl; /* RTL with planted bugs, when the stimulus names one; NULL: the block itself */
  uint32_t bug;
  uint32_t state_every;             /* 1: every cycle */
  size_t state_from;                /* of rows before it no registers are compared */
  const struct flight_start *start; /* from this state, of `library`, instead of from reset; NULL: from reset */
  const char *library;
  /* waves: rows [wave_from, n) into `wave_dir`/wave.fst with its save file; NULL: none */
  const char *wave_dir;
  size_t wave_from;
  struct differences
    *collect; /* every difference goes here, and the replay runs to its end; NULL: it stops at the first */
  struct json_t *
    *coverage; /* receives dpi_coverage() of lines and toggles, which the caller frees; NULL: nothing is counted */
  replay_row_fn *row; /* may be NULL */
  void *self;
};

/* Runs all rows (or up to the first divergence) from reset. `first` (may be NULL) receives the divergence, with
 * `executed` counting rows from 1; *diverged says whether there was one. */
int replay_run(const struct replay *, const struct stimulus *, struct divergence *first, bool *diverged, struct err *);

/* A block that runs many stimuli one after the other, each from reset: for shrinking. No waves, no start, nothing collected. */
struct replay_bench;
/* `like`: block, parameters and path of every stimulus that follows. */
int replay_open(const struct replay *, const struct stimulus *like, struct replay_bench **, struct err *);
void replay_close(struct replay_bench *);
/* As replay_run(); with `bug` false, the planted bug is switched off. */
void replay_again(struct replay_bench *, const struct stimulus *, bool bug, struct divergence *first, bool *diverged);

/* Digest of the C model's registers, as the replay shell of a second simulator computes it from the RTL's (scripts/gen/emit_sv.py):
 * FNV-1a of 64 bits over words of 32 bits, register by register and row by row; rows that do not count, and registers of which only
 * the model knows which rows do, are left out. Between two ticks. */
uint64_t replay_state_digest(const struct block *);

#endif
