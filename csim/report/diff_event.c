/* SPDX-License-Identifier: Apache-2.0 */
/* Events of two runs are matched by what they are: launch, CTA, kind and tile. Several of one kind are matched in their order if both
 * runs have as many of them, else by the cycle in which they begin. The runs differ from the first cycle in which a matched event
 * begins or ends in one run only, or an unmatched one begins. */
#include "report/diff_event.h"

#include "base/err.h"

#include <stdlib.h>
#include <unistd.h>

struct events {
  struct event_line *line;
  size_t n, capacity;
};

static int keep(struct events *v, const struct event_line *line, struct err *e) {
  if (v->n == v->capacity) {
    size_t more = v->capacity ? v->capacity * 2 : 1024;
    struct event_line *lines = realloc(v->line, more * sizeof *lines);
    if (!lines) return err_set(e, ERR_LIMIT, "out of memory for %zu events", more);
    v->line = lines;
    v->capacity = more;
  }
  v->line[v->n++] = *line;
  return 0;
}

static int compare(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

static int identity(const struct event_line *a, const struct event_line *b) {
  int c = compare(a->launch, b->launch);
  if (!c) c = compare(a->cta, b->cta);
  if (!c) c = compare(a->what, b->what);
  return c ? c : compare(a->tile, b->tile);
}

static int by_identity(const void *left, const void *right) {
  const struct event_line *a = left, *b = right;
  int c = identity(a, b);
  if (!c) c = compare(a->begin, b->begin);
  return c ? c : compare(a->line, b->line);
}

static int read_all(const char *dir, struct events *v, struct err *e) {
  struct event_file file;
  struct event_line line;
  bool more = true;
  int status = event_file_open(&file, dir, e);
  if (status) return status;
  while (!(status = event_file_next(&file, &line, &more, e)) && more)
    if ((status = keep(v, &line, e))) break;
  event_file_close(&file);
  if (!status && v->n) qsort(v->line, v->n, sizeof *v->line, by_identity);
  return status;
}

static uint64_t earlier(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* The first core cycle in which one of two matched events does what the other does not; UINT64_MAX: they are the same. */
static uint64_t parts(const struct event_line *a, const struct event_line *b) {
  if (a->sm != b->sm || a->slot != b->slot || a->begin != b->begin) return earlier(a->begin, b->begin);
  if (a->agen_end != b->agen_end) return earlier(a->agen_end, b->agen_end);
  return a->end == b->end ? UINT64_MAX : earlier(a->end, b->end);
}

static void note(struct diff_event *d, const struct event_line *a, const struct event_line *b) {
  if (!a && !b) return;
  uint64_t cycle = !b ? a->begin : !a ? b->begin : parts(a, b);
  if (cycle == UINT64_MAX || (d->differs && cycle >= d->cycle)) return;
  *d = (struct diff_event){.compared = true, .differs = true, .cycle = cycle, .has = {a != NULL, b != NULL}};
  if (a) d->line[0] = *a;
  if (b) d->line[1] = *b;
}

/* The end of the events from `i` on that are of one identity. */
static size_t group_end(const struct events *v, size_t i) {
  size_t end = i;
  while (end < v->n && !identity(&v->line[i], &v->line[end])) end++;
  return end;
}

static void match_group(const struct event_line *a, size_t n, const struct event_line *b, size_t m,
                        struct diff_event *d) {
  for (size_t i = 0, k = 0; i < n || k < m;) {
    int c = i == n ? 1 : k == m ? -1 : n == m ? 0 : compare(a[i].begin, b[k].begin);
    note(d, c <= 0 ? &a[i] : NULL, c >= 0 ? &b[k] : NULL);
    i += c <= 0;
    k += c >= 0;
  }
}

static void match(const struct events *a, const struct events *b, struct diff_event *d) {
  for (size_t i = 0, k = 0, i_end, k_end; i < a->n || k < b->n; i = i_end, k = k_end) {
    int c = i == a->n ? 1 : k == b->n ? -1 : identity(&a->line[i], &b->line[k]);
    i_end = c <= 0 ? group_end(a, i) : i;
    k_end = c >= 0 ? group_end(b, k) : k;
    match_group(a->line + i, i_end - i, b->line + k, k_end - k, d);
  }
}

static bool has_events(const char *dir) {
  char path[RUN_PATH_BYTES];
  snprintf(path, sizeof path, "%s/events.csv", dir);
  return !access(path, F_OK);
}

int diff_event_find(const char *const dir[2], struct diff_event *d, struct err *e) {
  struct events of[2] = {{0}};
  *d = (struct diff_event){.compared = has_events(dir[0]) && has_events(dir[1])};
  if (!d->compared) return 0;
  int status = read_all(dir[0], &of[0], e);
  if (!status) status = read_all(dir[1], &of[1], e);
  if (!status) match(&of[0], &of[1], d);
  free(of[0].line);
  free(of[1].line);
  return status;
}
