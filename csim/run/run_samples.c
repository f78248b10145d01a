/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run_samples.h"

#include "base/err.h"
#include "base/out_file.h"
#include "config/latencies.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

struct run_samples {
  struct gpu_sampler hook;
  struct out_file total, sms;
  struct gpu *gpu; /* of the launch */
  uint32_t launch;
  struct memory_counters memory; /* at the last sample, as the following */
  struct sm_counters *sm;
  uint32_t n_sms;
};

static void put_heading(FILE *f, const char *prefix, enum counter_kind kind) {
  struct counter_table t = counter_table(kind);
  for (uint32_t i = 0; i < t.n; i++) fprintf(f, ",%s%s", prefix, t.rows[i].name);
}

/* The values since the last sample, which then are the last; adds them to *sum unless it is NULL. */
static void put_values(FILE *f, enum counter_kind kind, const void *now, void *last, void *sum) {
  const uint64_t *value = now;
  uint64_t *before = last;
  uint32_t n = counter_table(kind).n;
  for (uint32_t i = 0; i < n; i++) {
    fprintf(f, ",%" PRIu64, value[i] - before[i]);
    if (sum) ((uint64_t *)sum)[i] += value[i] - before[i];
    before[i] = value[i];
  }
  if (sum) fputc('\n', f);
}

static void sample(struct gpu_sampler *hook, uint64_t begin, uint64_t end) {
  struct run_samples *s = (struct run_samples *)(void *)((char *)hook - offsetof(struct run_samples, hook));
  struct sm_counters all = {0}, none = {0};
  for (uint32_t i = 0; i < s->n_sms; i++) {
    fprintf(s->sms.f, "%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32, s->launch, begin, end, i);
    put_values(s->sms.f, COUNTERS_SM, gpu_sm_counters(s->gpu, i), &s->sm[i], &all);
  }
  fprintf(s->total.f, "%" PRIu32 ",%" PRIu64 ",%" PRIu64, s->launch, begin, end);
  put_values(s->total.f, COUNTERS_SM, &all, &none, NULL);
  put_values(s->total.f, COUNTERS_MEMORY, gpu_memory_counters(s->gpu), &s->memory, NULL);
  fputc('\n', s->total.f);
}

static int open_file(struct out_file *o, const struct session *n, const char *name, struct err *e) {
  char path[SESSION_TEXT_BYTES + 32];
  snprintf(path, sizeof path, "%s/%s", n->out_dir, name);
  return out_file_open(o, path, e);
}

int run_samples_create(const struct session *n, struct run_samples **samples, struct err *e) {
  *samples = NULL;
  if (!n->sample || !*n->out_dir) return 0;
  struct run_samples *s = calloc(1, sizeof *s);
  if (!s) return err_set(e, ERR_LIMIT, "out of memory for samples of the counters");
  *samples = s;
  s->hook = (struct gpu_sampler){.every = n->sample, .sample = sample};
  s->n_sms = (uint32_t)n->config.sm_count;
  s->sm = calloc(s->n_sms, sizeof *s->sm);
  if (!s->sm) return err_set(e, ERR_LIMIT, "out of memory for samples of the counters");
  int code = open_file(&s->total, n, "samples.csv", e);
  if (!code) code = open_file(&s->sms, n, "samples.sm.csv", e);
  if (code) return code;
  fputs("launch,begin,end", s->total.f);
  put_heading(s->total.f, "sm.", COUNTERS_SM);
  put_heading(s->total.f, "memory.", COUNTERS_MEMORY);
  fputs("\n", s->total.f);
  fputs("launch,begin,end,sm", s->sms.f);
  put_heading(s->sms.f, "", COUNTERS_SM);
  fputs("\n", s->sms.f);
  return 0;
}

struct gpu_sampler *run_samples_hook(struct run_samples *s) {
  return s ? &s->hook : NULL;
}

void run_samples_launch(struct run_samples *s, struct gpu *g, uint32_t launch) {
  if (!s) return;
  s->gpu = g;
  s->launch = launch;
  for (uint32_t i = 0; i < s->n_sms; i++) s->sm[i] = *gpu_sm_counters(g, i);
  s->memory = *gpu_memory_counters(g);
}

int run_samples_finish(struct run_samples *s, bool keep, struct err *e) {
  if (!s) return 0;
  int code = out_file_finish(&s->total, keep, e), sms = out_file_finish(&s->sms, keep && !code, e);
  free(s->sm);
  free(s);
  return code ? code : sms;
}

/* ---- histograms ---- */

static void put_histogram(FILE *f, const struct counter_row *name, const struct histogram *h) {
  for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++)
    if (h->bucket[i].count)
      fprintf(f, "%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", name->name, name->unit, histogram_from(i),
              histogram_from(i + 1) - 1, h->bucket[i].count, h->bucket[i].sum);
}

int run_histograms_write(const struct session *n, const struct gpu *g, struct err *e) {
  struct out_file o;
  struct histogram *table = calloc(LATENCIES, sizeof *table);
  if (!table) return err_set(e, ERR_LIMIT, "out of memory for histograms");
  int code = open_file(&o, n, "histograms.csv", e);
  if (!code) {
    gpu_latencies(g, table);
    fputs("latency,unit,from,to,count,sum\n", o.f);
    for (uint32_t k = 0; k < LATENCIES; k++) put_histogram(o.f, &latency_table[k], &table[k]);
    code = out_file_commit(&o, e);
  }
  free(table);
  return code;
}
