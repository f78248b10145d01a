/* SPDX-License-Identifier: Apache-2.0 */
#include "activity.h"

#include "base/err.h"
#include "runtime.h"

#include <stdlib.h>

/* A span that ends where the next cycle begins goes on. */
struct activity {
  void (*tick)(struct block *); /* the instance's own */
  struct block_span *span;
  uint32_t n, room;
  uint64_t lost; /* cycles for which there is no room */
};

enum { SPANS_FIRST = 256, SPANS_MAX = 1 << 20 };

static bool grow(struct activity *a) {
  uint32_t room = a->room ? a->room * 2 : SPANS_FIRST;
  struct block_span *span = room <= SPANS_MAX ? realloc(a->span, room * sizeof *span) : NULL;
  if (!span) return false;
  a->span = span;
  a->room = room;
  return true;
}

static void note(struct activity *a, uint64_t now) {
  if (a->n && a->span[a->n - 1].end == now) {
    a->span[a->n - 1].end++;
    return;
  }
  if (a->n == a->room && !grow(a)) {
    a->lost++;
    return;
  }
  a->span[a->n++] = (struct block_span){.begin = now, .end = now + 1};
}

static void watched_tick(struct block *b) {
  struct activity *a = ((struct seam *)b->seam)->activity;
  note(a, *b->now);
  a->tick(b);
}

int activity_watch(struct seam *s, struct err *e) {
  s->activity = calloc(1, sizeof *s->activity);
  if (!s->activity) return err_set(e, ERR_LIMIT, "%s: out of memory for its activity", s->path);
  s->activity->tick = s->b->tick;
  s->b->tick = watched_tick;
  return 0;
}

void activity_free(struct seam *s) {
  if (s->activity) free(s->activity->span);
  free(s->activity);
}

const struct block_span *dpi_spans(const struct block *b, uint32_t *n, uint64_t *lost) {
  const struct seam *s = b->seam;
  const struct activity *a = s ? s->activity : NULL;
  *n = a ? a->n : 0;
  *lost = a ? a->lost : 0;
  return a ? a->span : NULL;
}
