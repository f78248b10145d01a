/* SPDX-License-Identifier: Apache-2.0 */
/* Any cycle that the flight recorder kept: its state restored, its wave written. */
#ifndef TANDEM_BLOCKTEST_FLIGHT_REPLAY_H
#define TANDEM_BLOCKTEST_FLIGHT_REPLAY_H

#include "flight.h"
#include "replay.h"

/* Cycles before and after the one asked for that the wave shows, as far as they are recorded. */
enum { FLIGHT_WAVE_CYCLES = 256 };

struct flight_replay {
  const char *file;
  const char *name; /* instance, block or glob over instances; NULL: the only one, or the one that `likely` names */
  const char *likely;
  const char *out; /* folder of the wave */
  uint64_t cycle;
};

struct flight_replayed {
  char path[192]; /* of the instance */
  char block[64];
  uint64_t state;    /* the cycle after which the state was taken */
  uint64_t from, to; /* of the wave */
  bool diverged;
  struct divergence first;
};

/* ERR_VALUE: no such instance or several, the cycle is not recorded, or model or RTL have changed since. */
int flight_replay(const struct flight_replay *, struct flight_replayed *, struct err *);

#endif
