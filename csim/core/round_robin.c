/* SPDX-License-Identifier: Apache-2.0 */
#include "core/round_robin.h"

void round_robin_start(struct round_robin *p, uint32_t n_sms) { *p = (struct round_robin){.n_sms = n_sms}; }

bool round_robin_next(struct round_robin *p, const uint64_t *room, uint64_t cycle, struct dispatch_choice *choice) {
  if (p->cycle != cycle + 1) {
    p->cycle = cycle + 1;
    p->left = p->n_sms;
    p->at = p->turn;
  }
  while (p->left) {
    uint32_t i = p->at;
    p->at = i + 1 < p->n_sms ? i + 1 : 0;
    p->left--;
    if (!(room[i / 64] >> i % 64 & 1)) continue;
    p->turn = p->at;
    *choice = (struct dispatch_choice){.cta = p->next++, .sm = i};
    return true;
  }
  return false;
}
