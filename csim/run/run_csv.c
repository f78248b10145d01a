/* SPDX-License-Identifier: Apache-2.0 */
/* statistics.csv: the counters of run.json, a line for each. */
#include "base/err.h"
#include "base/out_file.h"
#include "run/simulator.h"

#include <stdio.h>

/* Where the counters of a row were counted. */
struct scope {
  const char *name; /* launch, functional, sm, total */
  uint32_t index;
  const char *kernel;
};

static void put_number(FILE *f, uint64_t value, char end) {
  char digits[24], *d = digits + sizeof digits;
  *--d = 0;
  *--d = end;
  do *--d = (char)('0' + value % 10);
  while (value /= 10);
  fputs_unlocked(d, f);
}

/* Thousands of lines at the end of every run: fprintf would take a tenth of the time of a short one. */
static void put(FILE *f, const struct scope *s, const char *counter, const char *unit, uint64_t value) {
  fputs_unlocked(s->name, f);
  putc_unlocked(',', f);
  put_number(f, s->index, ',');
  putc_unlocked('"', f);
  fputs_unlocked(s->kernel, f);
  fputs_unlocked("\",", f);
  fputs_unlocked(counter, f);
  putc_unlocked(',', f);
  fputs_unlocked(unit, f);
  putc_unlocked(',', f);
  put_number(f, value, '\n');
}

static void put_all(FILE *f, const struct scope *s, enum counter_kind kind, const void *counters) {
  struct counter_table t = counter_table(kind);
  for (uint32_t i = 0; i < t.n; i++) put(f, s, t.rows[i].name, t.rows[i].unit, ((const uint64_t *)counters)[i]);
}

static void put_launches(FILE *f, const struct simulator *s) {
  for (uint32_t i = 0; i < s->n_launches; i++) {
    const struct launch_record *r = &s->launches[i];
    struct scope launch = {"launch", i, r->kernel}, functional = {"functional", i, r->kernel};
    if (r->functional) {
      put(f, &functional, "ctas", "CTAs", r->count.ctas);
      put(f, &functional, "warp_instructions", "warp instructions", r->count.warp_instructions);
      put(f, &functional, "thread_instructions", "thread instructions", r->count.thread_instructions);
      continue;
    }
    put(f, &launch, "ctas_per_sm", "CTAs", r->ctas_per_sm);
    put(f, &launch, "core_cycles", "core cycles", r->core_cycles);
    put_all(f, &launch, COUNTERS_SM, &r->sm);
    put_all(f, &launch, COUNTERS_MEMORY, &r->memory);
  }
}

static void put_sms(FILE *f, const struct simulator *s) {
  struct sm_counters sum = {0};
  struct scope total = {"total", 0, ""};
  for (uint32_t i = 0; i < gpu_sm_count(s->gpu); i++) {
    const struct sm_counters *c = gpu_sm_counters(s->gpu, i);
    struct scope sm = {"sm", i, ""};
    counters_add((uint64_t *)&sum, (const uint64_t *)c, counter_table(COUNTERS_SM).n);
    put_all(f, &sm, COUNTERS_SM, c);
  }
  put(f, &total, "core_cycles", "core cycles", simulator_launch_cycles(s));
  put(f, &total, "driver_cycles", "core cycles", s->driver_cycles);
  put_all(f, &total, COUNTERS_SM, &sum);
  put_all(f, &total, COUNTERS_MEMORY, gpu_memory_counters(s->gpu));
}

int run_csv_write(const struct simulator *s, struct err *e) {
  char path[SESSION_TEXT_BYTES + 16];
  struct out_file o;
  snprintf(path, sizeof path, "%s/statistics.csv", s->session.out_dir);
  int status = out_file_open(&o, path, e);
  if (status) return status;
  fprintf(o.f, "scope,index,kernel,counter,unit,value\n");
  put_launches(o.f, s);
  put_sms(o.f, s);
  return out_file_commit(&o, e);
}
