/* SPDX-License-Identifier: Apache-2.0 */
/* events.csv: what the CTAs of each SM did and when, SM by SM. `tandem timeline` reads it. */
#include "base/out_file.h"
#include "run/simulator.h"

#include <inttypes.h>
#include <stdio.h>

static void put_rows(FILE *f, uint32_t sm, const struct event_row *row, uint32_t n) {
  for (uint32_t i = 0; i < n; i++, row++) {
    fprintf(f, "%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%u,%s,%u,%" PRIu64 ",", row->launch, sm, row->cta, row->slot,
            event_names[row->kind], row->tile, row->begin);
    if (row->kind == EVENT_COPY) fprintf(f, "%" PRIu64, row->agen_end);
    fprintf(f, ",%" PRIu64 "\n", row->end);
  }
}

int run_events_write(const struct simulator *s, struct err *e) {
  char path[SESSION_TEXT_BYTES + 32];
  struct out_file o;
  uint64_t all = 0;
  snprintf(path, sizeof path, "%s/events.csv", s->session.out_dir);
  int status = out_file_open(&o, path, e);
  if (status) return status;
  fprintf(o.f, "launch,sm,cta,slot,what,tile,begin,agen_end,end\n");
  for (uint32_t i = 0; i < gpu_sm_count(s->gpu); i++) {
    uint32_t n;
    uint64_t lost;
    const struct event_row *row = gpu_events(s->gpu, i, &n, &lost);
    put_rows(o.f, i, row, n);
    all += lost;
  }
  if (all)
    fprintf(stderr, "tandem: %" PRIu64 " events are not in %s: an SM keeps %d; run less of the workload\n", all, path,
            (int)EVENTS_MAX);
  return out_file_commit(&o, e);
}
