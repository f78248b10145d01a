/* SPDX-License-Identifier: Apache-2.0 */
#include "report/timeline.h"

#include "base/err.h"
#include "base/json_out.h"
#include "report/run_file.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static int keep(struct timeline *t, uint32_t *capacity, const struct timeline_event *event, struct err *e) {
  if (t->n == *capacity) {
    uint32_t more = *capacity ? *capacity * 2 : 256;
    struct timeline_event *events = realloc(t->event, more * sizeof *events);
    if (!events) return err_set(e, ERR_LIMIT, "out of memory for %u events", more);
    t->event = events;
    *capacity = more;
  }
  t->event[t->n++] = *event;
  if (event->end > t->end) t->end = event->end;
  return 0;
}

static int by_lane(const void *left, const void *right) {
  const struct timeline_event *a = left, *b = right;
  if (a->cta != b->cta) return a->cta < b->cta ? -1 : 1;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  if (a->tile != b->tile) return a->tile < b->tile ? -1 : 1;
  return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static int read_events(struct timeline *t, struct event_file *file, struct err *e) {
  uint32_t capacity = 0;
  const struct timeline_window *w = &t->window;
  struct event_line line;
  bool more;
  for (;;) {
    int status = event_file_next(file, &line, &more, e);
    if (status) return status;
    if (!more) break;
    if (line.launch != w->launch || line.sm != w->sm || line.begin < w->from || line.begin >= w->to) continue;
    const struct timeline_event event = {.cta = line.cta,
                                         .begin = line.begin,
                                         .agen_end = line.agen_end,
                                         .end = line.end,
                                         .tile = (uint32_t)line.tile,
                                         .kind = line.what};
    if ((status = keep(t, &capacity, &event, e))) return status;
  }
  if (t->n) qsort(t->event, t->n, sizeof *t->event, by_lane);
  return 0;
}

static void name_run(struct timeline *t, const char *dir) {
  json_t *run = run_file_load(dir, NULL);
  run_file_title(run, t->run, sizeof t->run);
  json_decref(run);
}

int timeline_load(struct timeline *t, const char *dir, const struct timeline_window *w, struct err *e) {
  struct event_file file;
  memset(t, 0, sizeof *t);
  t->window = *w;
  int status = event_file_open(&file, dir, e);
  if (status) return status;
  status = read_events(t, &file, e);
  event_file_close(&file);
  if (!status && !t->n)
    status = err_set(e, ERR_VALUE, "%s: no events of launch %" PRIu64 " and SM %" PRIu64 " in these cycles", file.path,
                     w->launch, w->sm);
  if (status) timeline_free(t);
  else name_run(t, dir);
  return status;
}

void timeline_free(struct timeline *t) {
  free(t->event);
  memset(t, 0, sizeof *t);
}

/* ---- figures ---- */

struct figures {
  uint64_t copies, agen, mem, computes, before, first_compute, end, overlap, copying;
  uint64_t second_compute; /* the begin of the second phase */
};

/* Cycles in which one, and in which more than one, copy of the CTA is under way. */
static void count_overlap(const struct timeline_event *event, uint32_t n, struct figures *f) {
  for (uint32_t i = 0; i < n; i++) {
    uint64_t at = event[i].begin;
    if (event[i].kind != TIMELINE_COPY) continue;
    while (at <= event[i].end) { /* up to the next start or end of another copy */
      uint64_t next = event[i].end + 1;
      uint32_t others = 0;
      bool first = true;
      for (uint32_t k = 0; k < n; k++) {
        if (k == i || event[k].kind != TIMELINE_COPY) continue;
        if (event[k].begin > at && event[k].begin < next) next = event[k].begin;
        if (event[k].begin > at || event[k].end < at) continue;
        if (event[k].end + 1 < next) next = event[k].end + 1;
        others++;
        if (k < i) first = false;
      }
      if (first) f->copying += next - at;
      if (first && others) f->overlap += next - at;
      at = next;
    }
  }
}

static void add_event(struct figures *f, const struct timeline_event *event, uint64_t before) {
  if (event->end > f->end) f->end = event->end;
  if (event->kind == TIMELINE_COPY) {
    f->copies++;
    f->agen += event->agen_end - event->begin;
    f->mem += event->end - event->agen_end;
  } else if (event->kind == TIMELINE_COMPUTE) {
    if (!f->computes) f->first_compute = event->begin;
    if (f->computes == 1) f->second_compute = event->begin;
    f->computes++;
    f->before += event->begin < before;
  }
}

static uint32_t cta_end(const struct timeline *t, uint32_t first) {
  uint32_t end = first;
  while (end < t->n && t->event[end].cta == t->event[first].cta) end++;
  return end;
}

static json_t *figures_json(const struct figures *f) {
  return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "copies", (json_int_t)f->copies, "agen_cycles",
                   (json_int_t)f->agen, "mem_cycles", (json_int_t)f->mem, "copying_cycles", (json_int_t)f->copying,
                   "overlap_cycles", (json_int_t)f->overlap, "compute_phases", (json_int_t)f->computes,
                   "compute_before", (json_int_t)f->before, "first_compute", (json_int_t)f->first_compute,
                   "second_compute", (json_int_t)f->second_compute, "end", (json_int_t)f->end);
}

/* Combines the figures of several CTAs: sums, the earliest compute phase, the fewest phases before the cycle. */
static void join(struct figures *all, const struct figures *f, bool first) {
  all->copies += f->copies, all->agen += f->agen, all->mem += f->mem, all->computes += f->computes;
  all->overlap += f->overlap, all->copying += f->copying;
  if (first || f->before < all->before) all->before = f->before;
  if (f->computes && (!all->first_compute || f->first_compute < all->first_compute))
    all->first_compute = f->first_compute;
  if (f->computes > 1 && (!all->second_compute || f->second_compute < all->second_compute))
    all->second_compute = f->second_compute;
  if (f->end > all->end) all->end = f->end;
}

void timeline_print_json(const struct timeline *t, uint64_t before, FILE *out) {
  struct figures all = {0};
  json_t *ctas = json_array();
  for (uint32_t i = 0, end; i < t->n; i = end) {
    struct figures f = {0};
    end = cta_end(t, i);
    for (uint32_t k = i; k < end; k++) add_event(&f, &t->event[k], before);
    count_overlap(t->event + i, end - i, &f);
    join(&all, &f, i == 0);
    json_t *cta = figures_json(&f);
    json_object_set_new(cta, "cta", json_integer((json_int_t)t->event[i].cta));
    json_array_append_new(ctas, cta);
  }
  json_t *j = figures_json(&all);
  json_object_set_new(j, "run", json_string(t->run));
  json_object_set_new(j, "sm", json_integer((json_int_t)t->window.sm));
  json_object_set_new(j, "before", json_integer((json_int_t)before));
  json_object_set_new(j, "ctas", ctas);
  json_out(j, "timeline/1", 0, out);
  json_decref(j);
}

/* ---- table ---- */

void timeline_print(const struct timeline *t, FILE *f) {
  fprintf(f, "%s: SM %" PRIu64 ", core cycles\n%6s %-9s %10s %10s %10s %10s\n", t->run, t->window.sm, "CTA", "what",
          "begin", "AGEN", "MEM", "end");
  for (uint32_t i = 0; i < t->n; i++) {
    const struct timeline_event *event = &t->event[i];
    char what[24];
    bool copy = event->kind == TIMELINE_COPY;
    if (copy) snprintf(what, sizeof what, "tile %u", event->tile);
    else snprintf(what, sizeof what, "%s", event_what_names[event->kind]);
    fprintf(f, "%6" PRIu64 " %-9s %10" PRIu64, event->cta, what, event->begin);
    if (copy) fprintf(f, " %10" PRIu64 " %10" PRIu64, event->agen_end - event->begin, event->end - event->agen_end);
    else fprintf(f, " %10s %10s", "", "");
    fprintf(f, " %10" PRIu64 "\n", event->end);
  }
}
