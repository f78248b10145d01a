/* SPDX-License-Identifier: Apache-2.0 */
/* Timeline events of an SM's CTAs: lifetimes, staging copies, compute phases, barriers. */
#ifndef TANDEM_CORE_EVENTS_H
#define TANDEM_CORE_EVENTS_H

#include <stdint.h>

/* assumption: EVENT_COMPUTE lasts from a CTA's first shared load to its last operation before its next staging copy. */
enum event_kind { EVENT_CTA, EVENT_COPY, EVENT_COMPUTE, EVENT_BARRIER, EVENT_KINDS };
extern const char *const event_names[EVENT_KINDS];

struct event_row {
  uint64_t cta;                  /* index in the grid */
  uint64_t begin, agen_end, end; /* core cycles, the last one included; agen_end (copies): end of address generation */
  uint32_t launch;               /* launch number, from 0 */
  uint8_t kind, slot, tile;      /* slot: CTA slot of the SM; tile: tile or buffer of a copy, or barrier number */
};

/* Maximum events per SM; further ones are counted as lost. */
enum { EVENTS_MAX = 1 << 16 };

struct err;
struct sm;
/* Records events from the next launch on. */
int sm_record_events(struct sm *, struct err *);
/* A launch has run without time: the next one has the number after it. */
void sm_events_pass(struct sm *);
/* Events so far, ordered by their end; none if recording is off. */
const struct event_row *sm_events(const struct sm *, uint32_t *n, uint64_t *lost);

#endif
