/* SPDX-License-Identifier: Apache-2.0 */
/* Reads paths from OpenSTA's report (version 2.0.17 writes no JSON). */
#ifndef TANDEM_SYNTH_TIMING_H
#define TANDEM_SYNTH_TIMING_H

#include <stdbool.h>

struct err;

enum { TIMING_NAME_BYTES = 160, TIMING_STAGES_MAX = 512 };

/* X(identifier, name of its section in time.sta); the last one has no section: it is the sum of others */
/* clang-format off */
#define TIMING_PATHS(X) \
  X(ANY, "any") \
  X(REGISTER_REGISTER, "register-register") \
  X(INPUT_REGISTER, "input-register") \
  X(REGISTER_OUTPUT, "register-output") \
  X(INPUT_OUTPUT, "input-output") \
  X(TIMED_INPUT, "timed-input") \
  X(TO_MEMORY, "to-memory") \
  X(FROM_MEMORY, "from-memory") \
  X(THROUGH_MEMORY, "through-memory")
/* clang-format on */

enum timing_kind {
#define X(kind, name) TIMING_##kind,
  TIMING_PATHS(X)
#undef X
    TIMING_KINDS
};
extern const char *const timing_names[];

struct timing_stage {
  char instance[TIMING_NAME_BYTES], cell[64];
  double delay; /* ns */
};

struct timing_path {
  bool there;
  char from[TIMING_NAME_BYTES], to[TIMING_NAME_BYTES]; /* instance or port */
  double delay;      /* ns: the shortest period for this path, set-up time of the register at its end included */
  unsigned n_stages; /* cells between the two */
  struct timing_stage stages[TIMING_STAGES_MAX]; /* the first ones */
};

/* Reads what time.sta printed; numbers in the file are in units of `unit_ns`; `period` is that of time.sta, in the same.
 * ERR_TOOL when the tool reported an error or stopped early. */
int timing_read(const char *report, double unit_ns, double period, struct timing_path paths[TIMING_KINDS],
                struct err *);

#endif
