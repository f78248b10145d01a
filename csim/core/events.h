/* SPDX-License-Identifier: Apache-2.0 */
/* What an SM's CTAs did and when, for timelines: lives of CTAs, staging copies, phases of computing, barriers. */
#ifndef TANDEM_CORE_EVENTS_H
#define TANDEM_CORE_EVENTS_H

#include <stdint.h>

/* EVENT_COMPUTE (assumption): from the first shared load of a CTA to its last operation before it copies again. */
enum event_kind { EVENT_CTA, EVENT_COPY, EVENT_COMPUTE, EVENT_BARRIER, EVENT_KINDS };
extern const char *const event_names[EVENT_KINDS];

struct event_row {
  uint64_t cta;                  /* in the grid */
  uint64_t begin, agen_end, end; /* core cycles, the last one included; agen_end (copies): end of address generation */
  uint32_t launch;               /* from 0 */
  uint8_t kind, slot, tile;      /* CTA slot of the SM; tile or buffer of a copy, number of a barrier */
};

/* Rows that an SM keeps; further ones are counted as lost. */
enum { EVENTS_MAX = 1 << 16 };

struct err;
struct sm;
/* Keeps events from the next launch on. */
int sm_record_events(struct sm *, struct err *);
/* Rows so far, in the order in which things ended; none if nothing is recorded. */
const struct event_row *sm_events(const struct sm *, uint32_t *n, uint64_t *lost);

#endif
