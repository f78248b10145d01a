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

#include "order.h"
#include "restart.h"
#include "tape.h"

struct dpi;
struct err;
struct seam;

enum { FOLLOW_LUCK = 16 };

/* What an instance has besides its seam. */
struct follow {
  /* Of the simulating thread. Each cycle finds these lines cold in the host's cache: they are few. */
  _Alignas(64) struct order order;
  struct restart_search restart;
  uint32_t segment_left; /* cycles left in the segment of the flight recorder */
  uint32_t state_left;   /* cycles left to the next comparison of the registers */
  uint32_t run;          /* cycles in a row that equal the one before */
  bool still;            /* the last tick changed nothing in the C model: the same inputs need no evaluation */
  bool rests;            /* this cycle has none */
  struct seam *seam;
  struct tape fill;
  struct tape_image image; /* the last cycle */
  uint8_t *before;         /* the C model's state before a tick */
  /* of the checker */
  struct tape spare; /* what is checked while `fill` is filled */
  struct tape *check;
  struct delta_image in;              /* the last cycle */
  uint64_t expected[DELTA_WORDS_MAX]; /* its outputs */
  uint64_t checked, cycle;            /* executed cycles so far; the cycle of the block that is being checked */
  uint64_t kept_at;                   /* executed cycles when the flight recorder's file was last written */
  uint64_t evals, still_cycles;       /* evaluations; cycles that needed none */
  uint32_t *drive;                    /* the model's inputs, and after them the flags */
  const void *memory;                 /* of the model */
  size_t memory_bytes;                /* 0: not all of it is in one place */
  uint8_t *memory_before;             /* before an evaluation */
  uint32_t flags;                     /* of the last evaluation */
  bool at_rest;                       /* it changed nothing in the model's memory */
  uint8_t luck[2]; /* how often looks found that, in the second equal cycle, and later; FOLLOW_LUCK: always */
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
