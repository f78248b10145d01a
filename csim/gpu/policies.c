/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/policies.h"

#include "base/err.h"
#include "config/gpu_config.h"
#include "core/round_robin.h"

#include <stdlib.h>

static void *no_memory(struct err *e) {
  err_set(e, ERR_LIMIT, "the host has no memory left for CTA dispatch");
  return NULL;
}

/* ---- round robin ---- */

static void *plain_create(const struct gpu_config *m, const struct dispatch_services *s, void *agent, struct err *e) {
  (void)s, (void)agent;
  struct round_robin *p = calloc(1, sizeof *p);
  if (!p) return no_memory(e);
  p->sms.n_sms = (uint32_t)m->sm_count;
  return p;
}

static void plain_launch(void *self, const struct launch *l, uint64_t cycle) {
  struct round_robin *p = self;
  (void)l, (void)cycle;
  round_robin_start(p, p->sms.n_sms);
}

static bool plain_next(void *self, const uint64_t *room, uint64_t cycle, struct dispatch_choice *choice) {
  return round_robin_next(self, room, cycle, choice);
}

/* ---- pairs and parts ---- */

enum { SMS_MOST = 256, MODULES_MOST = 4 };

struct pieces {
  struct sm_turn sms;
  uint32_t modules;
  uint64_t n_ctas;
  uint64_t second[SMS_MOST];    /* bcs: CTA + 1 that the SM gets next; 0: none */
  uint64_t next;                /* bcs: first CTA of the next pair */
  uint64_t of[MODULES_MOST][2]; /* parts: next CTA of a module and the one after its last */
};

static void *pieces_create(const struct gpu_config *m, const struct dispatch_services *s, void *agent, struct err *e) {
  (void)s, (void)agent;
  struct pieces *p = calloc(1, sizeof *p);
  if (!p) return no_memory(e);
  p->sms.n_sms = (uint32_t)m->sm_count;
  p->modules = (uint32_t)m->numa_modules;
  return p;
}

static void pieces_launch(void *self, const struct launch *l, uint64_t cycle) {
  struct pieces *p = self;
  (void)cycle;
  *p = (struct pieces){.sms = {.n_sms = p->sms.n_sms}, .modules = p->modules, .n_ctas = l->n_ctas};
  for (uint32_t i = 0; i < p->modules; i++) {
    p->of[i][0] = i * l->n_ctas / p->modules;
    p->of[i][1] = (i + 1) * l->n_ctas / p->modules;
  }
}

/* The next SM of this cycle with room for which `take` has a CTA. */
static bool ask(struct pieces *p, const uint64_t *room, uint64_t cycle, struct dispatch_choice *choice,
                bool (*take)(struct pieces *, uint32_t sm, uint64_t *cta)) {
  while (sm_turn_next(&p->sms, room, cycle, &choice->sm)) {
    if (!take(p, choice->sm, &choice->cta)) continue;
    sm_turn_took(&p->sms);
    return true;
  }
  return false;
}

static bool take_of_pair(struct pieces *p, uint32_t sm, uint64_t *cta) {
  if (p->second[sm]) {
    *cta = p->second[sm] - 1;
    p->second[sm] = 0;
    return true;
  }
  if (p->next >= p->n_ctas) return false;
  *cta = p->next;
  if (p->next + 1 < p->n_ctas) p->second[sm] = p->next + 2;
  p->next += 2;
  return true;
}

static bool take_of_part(struct pieces *p, uint32_t sm, uint64_t *cta) {
  uint64_t *of = p->of[sm / (p->sms.n_sms / p->modules)];
  if (of[0] == of[1]) return false;
  *cta = of[0]++;
  return true;
}

static bool bcs_next(void *self, const uint64_t *room, uint64_t cycle, struct dispatch_choice *choice) {
  return ask(self, room, cycle, choice, take_of_pair);
}

static bool parts_next(void *self, const uint64_t *room, uint64_t cycle, struct dispatch_choice *choice) {
  return ask(self, room, cycle, choice, take_of_part);
}

const struct dispatch_ops *policies_of(int64_t policy) {
  static const struct dispatch_ops all[] = {
    [DISPATCH_ROUND_ROBIN] =
      {.name = "round_robin", .create = plain_create, .destroy = free, .launch = plain_launch, .next = plain_next},
    [DISPATCH_BCS] =
      {.name = "bcs", .create = pieces_create, .destroy = free, .launch = pieces_launch, .next = bcs_next},
    [DISPATCH_PARTS] =
      {.name = "parts", .create = pieces_create, .destroy = free, .launch = pieces_launch, .next = parts_next},
  };
  return &all[policy];
}
