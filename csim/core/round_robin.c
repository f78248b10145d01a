/* SPDX-License-Identifier: Apache-2.0 */
#include "core/round_robin.h"

bool sm_turn_next(struct sm_turn *t, const uint64_t *room, uint64_t cycle, uint32_t *sm) {
  if (t->cycle != cycle + 1) {
    t->cycle = cycle + 1;
    t->left = t->n_sms;
    t->at = t->turn;
  }
  while (t->left) {
    uint32_t i = t->at;
    t->at = i + 1 < t->n_sms ? i + 1 : 0;
    t->left--;
    if (!(room[i / 64] >> i % 64 & 1)) continue;
    *sm = i;
    return true;
  }
  return false;
}

void round_robin_start(struct round_robin *p, uint32_t n_sms) { *p = (struct round_robin){.sms = {.n_sms = n_sms}}; }

bool round_robin_next(struct round_robin *p, const uint64_t *room, uint64_t cycle, struct dispatch_choice *choice) {
  uint32_t sm;
  if (!sm_turn_next(&p->sms, room, cycle, &sm)) return false;
  sm_turn_took(&p->sms);
  *choice = (struct dispatch_choice){.cta = p->next++, .sm = sm};
  return true;
}
