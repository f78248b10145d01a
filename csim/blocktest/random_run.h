/* SPDX-License-Identifier: Apache-2.0 */
/* Constrained-random lockstep of one block alone: the core of `check`, `mutants` and `bench`. */
#ifndef TANDEM_BLOCKTEST_RANDOM_RUN_H
#define TANDEM_BLOCKTEST_RANDOM_RUN_H

#include "dpi.h"

struct coverage;
struct profile;
struct profile_phase;

struct random_run {
  const struct block_desc *desc;
  const int32_t *params;
  enum block_engine engine;
  uint64_t cycles, seed;
  uint32_t state_every;   /* cycles between comparisons of the registers; 0: 16 */
  bool coupled;           /* the RTL runs in each cycle, instead of following */
  uint32_t check_threads; /* in which it follows; 0: the caller's */
  bool no_reset;          /* no reset but the one before the first cycle */
  bool skip;              /* compare a skipping instance with one that never skips, instead of C with RTL */
  uint32_t bug;           /* planted bug, 1..; 0: none */
  const char *bug_rtl;
  struct coverage *coverage; /* counts every cycle; NULL: nobody asks */
  bool rtl_coverage;         /* count lines and toggles, too */
  /* phases that overlay the block's own stimulus, one after the other and again; each begins with a reset. NULL: none */
  const struct profile *profile;
  const struct profile_phase *(*next_phase)(void *chooser); /* chooses the phases instead; NULL: in their order */
  void *chooser;
  const char *record;  /* the whole stimulus goes to this CSV file; NULL: nowhere */
  const char *out_dir; /* divergence page, stimulus and wave go here; NULL: nowhere */
};

struct random_result {
  uint64_t cycles; /* run, the divergent one included */
  bool diverged;
  struct divergence first;    /* strings stay valid */
  double seconds, verilating; /* of the host, for the cycles and before them */
  struct block_profile profile;
  struct json_t *rtl_coverage; /* dpi_coverage(), which the caller frees; NULL: not counted */
};

/* Runs the block; a divergence is a result, not an error. Its page is printed on `page`, unless NULL. */
int random_run(const struct random_run *, struct random_result *, FILE *page, struct err *);

#endif
