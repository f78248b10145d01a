/* SPDX-License-Identifier: Apache-2.0 */
/* Round robin, the default of CTA dispatch: in a core cycle each SM with room gets the next CTA, the first one being the SM after
 * the last that got one. A proposal that changes something else about dispatch uses it, too. */
#ifndef TANDEM_CORE_ROUND_ROBIN_H
#define TANDEM_CORE_ROUND_ROBIN_H

#include "core/dispatch.h"

/* Whose turn it is: each SM is asked once a cycle, the first one being that after the last which took something. */
struct sm_turn {
  uint64_t cycle;       /* cycle + 1 in which SMs are being asked */
  uint32_t n_sms, turn; /* SM that is asked first in a cycle */
  uint32_t at, left;    /* SM to ask next; SMs still to be asked */
};

/* The next SM of this cycle with room; false: all were asked. */
bool sm_turn_next(struct sm_turn *, const uint64_t *room, uint64_t cycle, uint32_t *sm);
/* That SM took something. */
static inline void sm_turn_took(struct sm_turn *t) { t->turn = t->at; }

struct round_robin {
  uint64_t next; /* CTA */
  struct sm_turn sms;
};

/* A launch begins. */
void round_robin_start(struct round_robin *, uint32_t n_sms);
/* As dispatch_ops.next. */
bool round_robin_next(struct round_robin *, const uint64_t *room, uint64_t cycle, struct dispatch_choice *);

#endif
