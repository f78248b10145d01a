/* SPDX-License-Identifier: Apache-2.0 */
/* Decoupled lockstep: the C model drives, and the RTL follows. The simulating thread records the cycles of each instance on a tape; at
 * a hand-over the tapes go to the checkers, which run the RTL on them while the simulation goes on. Private to dpi/.
 *
 * A checker drives a Verilated object through its ports, without DPI, in one evaluation a cycle; in none where neither inputs nor the
 * object's memory change. Registers are compared in the cycles in which coupled lockstep compares them, and all cycles of one hand-over
 * come before those of the next: therefore both find the same divergence. One Verilated object serves both ways, so that an instance
 * whose RTL has caught up can go on coupled (copy.c). */
#ifndef TANDEM_DPI_FOLLOW_H
#define TANDEM_DPI_FOLLOW_H

#include "tape.h"

struct dpi;
struct err;
struct seam;

/* What an instance has besides its seam. */
struct follow {
  /* Of the simulating thread. Each cycle finds these lines cold in the host's cache: they are few, and in the order of their use. */
  _Alignas(64) struct tape fill;
  uint64_t rows, trim_at; /* rows of the recording, as it will be; at so many it next looks for a point to begin anew */
  uint32_t segment_left;  /* cycles left in the segment of the flight recorder */
  uint32_t state_left;    /* cycles left to the next comparison of the registers */
  bool records, restart;  /* the next cycle begins a new recording */
  const struct follow *next;   /* the instance that was made next, or this one */
  struct delta_image now, out; /* inputs and outputs of the last cycle */
  /* of the checker */
  _Alignas(64) struct tape spare; /* what is checked while `fill` is filled */
  const struct tape *check;
  struct delta_image in, expected;
  uint64_t checked, cycle;      /* executed cycles so far; the cycle of the block that is being checked */
  size_t committed;             /* words of the tape's inputs that the recording has */
  size_t rows_read;             /* rows since then */
  uint64_t kept_at;             /* executed cycles when the flight recorder's file was last written */
  uint64_t evals, still_cycles; /* evaluations; cycles that needed none */
  bool still;                   /* the last evaluation changed nothing in the model's memory */
  const void *memory;           /* of the model */
  size_t memory_bytes;          /* 0: not all of it is in one place */
  uint8_t *before;              /* the memory before an evaluation */
  uint32_t drive[2 * DELTA_WORDS_MAX + 2];
};

/* ---- follow_record.c ---- */

/* Makes what a lockstep instance needs to be followed. ERR_LIMIT: no memory. */
int follow_create(struct seam *, struct err *);
void follow_free(struct seam *);
/* The engine of the C model, which records. */
void follow_eval(struct block *);
void follow_tick(struct block *);

/* ---- follow_check.c ---- */

/* Runs the RTL on the tape `check`, up to the first difference. */
void follow_check(struct seam *);

/* ---- checkers.c ---- */

struct checkers;

/* Gives all tapes to the checkers, once they are through with those before. Between two ticks. */
void checkers_hand_over(struct dpi *);
/* And waits until all is checked. */
void checkers_drain(struct dpi *);
/* Checks what is recorded, and ends the threads. */
void checkers_end(struct dpi *);

#endif
