/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto.json: launches, CTAs and what they did, and the cycles of blocks, in the trace event format of Chrome, which Perfetto reads.
 * The format counts microseconds: times are written with six decimals, so that a picosecond is exact. A time is the clock edge's,
 * rounded down; what ends in a cycle ends at the next edge, so that no two events of a track overlap. */
#include "base/err.h"
#include "base/out_file.h"
#include "run/simulator.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Processes of the format are groups of tracks here, its threads are tracks. */
enum { GROUP_LAUNCHES = 1, GROUP_BLOCKS = 2, GROUP_SMS = 10 };
enum { LANES = 32 /* of one kind of a CTA slot, at most */, SLOTS = 256 };

struct trace {
  FILE *f;
  bool any; /* an event has been written */
  uint64_t khz[CLOCK_DOMAINS];
};

static uint64_t ps_of(uint64_t cycle, uint64_t khz) { return (uint64_t)((unsigned __int128)cycle * 1000000000 / khz); }

static void begin_event(struct trace *t) {
  fputs(t->any ? ",\n" : "\n", t->f);
  t->any = true;
}

static void put_string(FILE *f, const char *text) {
  fputc('"', f);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') fputc('\\', f);
    if ((unsigned char)*text >= ' ') fputc(*text, f);
  }
  fputc('"', f);
}

/* Microseconds from picoseconds. */
static void put_time(FILE *f, const char *key, uint64_t ps) {
  fprintf(f, ",\"%s\":%" PRIu64 ".%06" PRIu64, key, ps / 1000000, ps % 1000000);
}

static void put_name(struct trace *t, uint32_t group, const uint32_t *track, const char *name) {
  begin_event(t);
  fprintf(t->f, "{\"ph\":\"M\",\"pid\":%u", group);
  if (track) fprintf(t->f, ",\"tid\":%u", *track);
  fprintf(t->f, ",\"name\":\"%s\",\"args\":{\"name\":", track ? "thread_name" : "process_name");
  put_string(t->f, name);
  fputs("}}", t->f);
}

/* Cycles [begin, end) of a clock; the arguments and } } follow. */
static void put_span(struct trace *t, uint32_t group, uint32_t track, const char *name, uint64_t begin, uint64_t end,
                     uint64_t khz) {
  uint64_t from = ps_of(begin, khz), to = ps_of(end, khz);
  begin_event(t);
  fprintf(t->f, "{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"name\":", group, track);
  put_string(t->f, name);
  put_time(t->f, "ts", from);
  put_time(t->f, "dur", to - from);
}

/* ---- launches ---- */

static void put_launches(struct trace *t, const struct simulator *s) {
  const uint32_t track = 1;
  put_name(t, GROUP_LAUNCHES, NULL, "launches");
  put_name(t, GROUP_LAUNCHES, &track, "kernels");
  for (uint32_t i = 0; i < s->n_launches; i++) {
    const struct launch_record *r = &s->launches[i];
    if (r->functional) { /* it takes no time */
      begin_event(t);
      fprintf(t->f, "{\"ph\":\"i\",\"s\":\"t\",\"pid\":%u,\"tid\":%u,\"name\":", GROUP_LAUNCHES, track);
      put_string(t->f, r->kernel);
      put_time(t->f, "ts", ps_of(r->begin, t->khz[CLOCK_CORE]));
    } else {
      put_span(t, GROUP_LAUNCHES, track, r->kernel, r->begin, r->begin + r->core_cycles, t->khz[CLOCK_CORE]);
    }
    fprintf(t->f, ",\"args\":{\"launch\":%u,\"grid\":\"%ux%ux%u\",\"block\":\"%ux%ux%u\",\"core_cycles\":%" PRIu64 "}}",
            i, r->grid[0], r->grid[1], r->grid[2], r->block[0], r->block[1], r->block[2], r->core_cycles);
  }
}

/* ---- SMs ---- */

static int by_begin(const void *a, const void *b) {
  const struct event_row *x = a, *y = b;
  if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
  return x->end < y->end ? 1 : x->end > y->end ? -1 : 0;
}

/* Tracks of an SM: each CTA slot has lanes for each kind of event. What overlaps, such as copies into two buffers, lies in lanes of
 * their own. */
struct lanes {
  uint64_t free[EVENT_KINDS][SLOTS][LANES]; /* first cycle in which the lane is free */
};

static uint32_t take_lane(struct lanes *l, const struct event_row *row) {
  uint64_t *free = l->free[row->kind][row->slot % SLOTS];
  uint32_t i = 0;
  while (i < LANES - 1 && free[i] > row->begin) i++;
  return i;
}

static void put_row(struct trace *t, struct lanes *l, uint32_t sm, const struct event_row *row) {
  char name[64];
  uint32_t lane = take_lane(l, row), slot = row->slot % SLOTS;
  uint32_t track = 1 + (slot * EVENT_KINDS + row->kind) * LANES + lane, group = GROUP_SMS + sm;
  uint64_t *free = &l->free[row->kind][slot][lane];
  if (!*free) {
    snprintf(name, sizeof name, "slot %u %s", slot, event_names[row->kind]);
    put_name(t, group, &track, name);
  }
  *free = row->end + 1;
  snprintf(name, sizeof name, "%s of %" PRIu64, event_names[row->kind], row->cta);
  put_span(t, group, track, name, row->begin, row->end + 1, t->khz[CLOCK_CORE]);
  fprintf(t->f,
          ",\"args\":{\"what\":\"%s\",\"launch\":%u,\"cta\":%" PRIu64 ",\"slot\":%u,\"tile\":%u,\"begin\":%" PRIu64
          ",\"end\":%" PRIu64 "}}",
          event_names[row->kind], row->launch, row->cta, row->slot, row->tile, row->begin, row->end);
}

/* The rows are in the order of their ends; lanes need that of their begins. */
static int put_sm(struct trace *t, const struct simulator *s, uint32_t sm, struct err *e) {
  uint32_t n;
  uint64_t lost;
  char name[32];
  const struct event_row *row = gpu_events(s->gpu, sm, &n, &lost);
  struct event_row *sorted = malloc((n + 1) * sizeof *sorted);
  struct lanes *lanes = calloc(1, sizeof *lanes);
  if (sorted && lanes) {
    snprintf(name, sizeof name, "SM %u", sm);
    put_name(t, GROUP_SMS + sm, NULL, name);
    if (n) memcpy(sorted, row, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_begin);
    for (uint32_t i = 0; i < n; i++) put_row(t, lanes, sm, &sorted[i]);
  }
  bool good = sorted && lanes;
  free(sorted);
  free(lanes);
  return good ? 0 : err_set(e, ERR_LIMIT, "out of memory for the events of SM %u", sm);
}

/* ---- blocks ---- */

/* The clock of an instance: its cycle counter is that of a domain. */
static uint64_t khz_of(const struct trace *t, const struct simulator *s, const struct block *b) {
  const struct clocks *c = gpu_clocks(s->gpu);
  for (uint32_t d = 0; d < CLOCK_DOMAINS; d++)
    if (b->now == &c->cycle[d]) return t->khz[d];
  return t->khz[CLOCK_CORE];
}

static uint64_t put_blocks(struct trace *t, const struct simulator *s) {
  uint64_t missing = 0;
  if (!dpi_instances(s->dpi)) return 0;
  put_name(t, GROUP_BLOCKS, NULL, "blocks");
  for (uint32_t i = 0; i < dpi_instances(s->dpi); i++) {
    const struct block *b = dpi_instance(s->dpi, i);
    uint32_t n, track = i + 1;
    uint64_t lost, khz = khz_of(t, s, b);
    const struct block_span *span = dpi_spans(b, &n, &lost);
    missing += lost;
    put_name(t, GROUP_BLOCKS, &track, b->path);
    for (uint32_t k = 0; k < n; k++) {
      put_span(t, GROUP_BLOCKS, track, b->desc->name, span[k].begin, span[k].end, khz);
      fprintf(t->f, ",\"args\":{\"instance\":\"%s\",\"cycles\":%" PRIu64 "}}", b->path, span[k].end - span[k].begin);
    }
  }
  return missing;
}

/* ---- the file ---- */

int run_perfetto_write(const struct simulator *s, struct err *e) {
  const struct gpu_config *m = &s->session.config;
  struct trace t = {.khz = {[CLOCK_CORE] = (uint64_t)m->core_khz,
                            [CLOCK_NOC] = (uint64_t)m->noc_khz,
                            [CLOCK_L2] = (uint64_t)m->l2_khz,
                            [CLOCK_DRAM] = (uint64_t)m->dram_khz}};
  char path[SESSION_TEXT_BYTES + 32];
  struct out_file o;
  snprintf(path, sizeof path, "%s/perfetto.json", s->session.out_dir);
  int status = out_file_open(&o, path, e);
  if (status) return status;
  t.f = o.f;
  fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"workload\":", t.f);
  put_string(t.f, s->session.workload);
  fputs(",\"machine\":", t.f);
  put_string(t.f, s->session.config_name);
  fputs("},\"traceEvents\":[", t.f);
  put_launches(&t, s);
  for (uint32_t i = 0; i < gpu_sm_count(s->gpu) && !status; i++) status = put_sm(&t, s, i, e);
  uint64_t missing = put_blocks(&t, s);
  fputs("\n]}\n", t.f);
  if (missing)
    fprintf(stderr, "tandem: %" PRIu64 " cycles of blocks are missing in %s; simulate less\n", missing, path);
  if (!status) return out_file_commit(&o, e);
  out_file_abandon(&o);
  return status;
}
