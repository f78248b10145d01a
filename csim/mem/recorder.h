/* SPDX-License-Identifier: Apache-2.0 */
/* Memory traffic at every level above DRAM, for whoever records it (dram/command.h shows that of DRAM). */
#ifndef TANDEM_MEM_RECORDER_H
#define TANDEM_MEM_RECORDER_H

#include "noc/recorder.h"

struct mem_request;

enum access_outcome { ACCESS_HIT, ACCESS_MISS, ACCESS_MERGED, ACCESS_SENT, ACCESS_OUTCOMES };
extern const char *const access_outcomes[ACCESS_OUTCOMES]; /* "hit" */

/* A segment of a load, store or atomic outside shared memory, as the load/store unit processes it: a line, or what of it is written. HIT:
 * found in a cache of the SM; MISS: a load's request was sent for it; MERGED: it waits for a request sent before; SENT: a store or
 * an atomic, which no cache of the SM serves. */
struct l1_record {
  uint64_t cycle, address; /* core cycle; device address */
  uint32_t cta;            /* index in the grid */
  uint16_t bytes;
  uint8_t kind;    /* enum mem_kind: read, write, atomic */
  uint8_t cache;   /* enum access_level: ACCESS_L1, ACCESS_CONST, ACCESS_TEXTURE */
  uint8_t outcome; /* enum access_outcome */
};

/* A request as an L2 slice takes it from the network. HIT, MISS; SENT: passed on without a cache, or a write that only marks. */
struct l2_record {
  uint64_t cycle; /* L2 cycle */
  uint8_t outcome;
  const struct mem_request *request;
};

/* The caches that have lookups and fills. */
enum access_level { ACCESS_L1, ACCESS_CONST, ACCESS_TEXTURE, ACCESS_L2, ACCESS_LEVELS };
extern const char *const access_levels[ACCESS_LEVELS]; /* "l1" */

/* A line comes into a cache. */
struct fill_record {
  uint64_t cycle, address; /* core or L2 cycle; device address, of the L2 a physical one */
  uint8_t level;           /* enum access_level */
};

/* Every function may be NULL. l1(), and fill() of its caches, are called by the host thread that simulates the SM. */
struct mem_recorder {
  void *context;
  void (*l1)(void *context, uint32_t sm, const struct l1_record *);
  void (*request)(void *context, const struct packet_record *), (*reply)(void *context, const struct packet_record *);
  void (*request_grant)(void *context, const struct grant_record *),
    (*reply_grant)(void *context, const struct grant_record *);
  void (*fill)(void *context, uint32_t unit, const struct fill_record *); /* unit: SM, or slice */
  void (*l2)(void *context, uint32_t slice, const struct l2_record *);
};

#endif
