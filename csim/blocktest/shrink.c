/* SPDX-License-Identifier: Apache-2.0 */
/* Shrinking a failing stimulus: rows are removed in ever smaller chunks while the same port or register still differs. */
#include "blocktest/drive_run.h"

#include <stdlib.h>
#include <string.h>

/* Whether the stimulus without rows [from, to) still diverges at the same place. If so, *s becomes that shorter stimulus, and *spare
 * has its old rows. */
static int try_without(struct stimulus *s, uint8_t **spare, size_t from, size_t to, const struct replay *how,
                       const struct divergence *first, bool *shorter, struct err *e) {
  struct stimulus t = *s;
  t.bytes = *spare;
  memcpy(t.bytes, s->bytes, from * s->stride);
  memcpy(t.bytes + from * s->stride, s->bytes + to * s->stride, (s->n - to) * s->stride);
  t.n = s->n - (to - from);
  struct divergence found;
  bool diverged;
  int status = replay_run(how, &t, &found, &diverged, e);
  *shorter = !status && diverged && !strcmp(found.what, first->what);
  if (!*shorter) return status;
  *spare = s->bytes;
  s->bytes = t.bytes;
  s->n = found.executed < t.n ? found.executed : t.n; /* rows after the divergence are not needed */
  return status;
}

int shrink_run(struct stimulus *s, const struct replay *how, const struct divergence *first, struct err *e) {
  uint8_t *spare = malloc(s->max * s->stride);
  int status = spare ? 0 : err_set(e, ERR_LIMIT, "out of memory while shrinking");
  if (first->executed < s->n) s->n = first->executed;
  for (size_t chunk = s->n / 2; chunk && !status; chunk /= 2) {
    bool again = true;
    while (again && !status) {
      again = false;
      for (size_t from = 0; from + chunk <= s->n && s->n > chunk && !status;) {
        bool shorter = false;
        status = try_without(s, &spare, from, from + chunk, how, first, &shorter, e);
        if (!shorter) from += chunk;
        again |= shorter && chunk == 1;
      }
    }
  }
  for (size_t i = 0; i < s->n; i++) stimulus_row(s, i)->cycle = i;
  free(spare);
  return status;
}
