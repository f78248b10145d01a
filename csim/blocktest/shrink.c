/* SPDX-License-Identifier: Apache-2.0 */
#include "blocktest/shrink.h"

#include "base/host_clock.h"

#include <stdlib.h>
#include <string.h>

/* The shortest stimulus so far, and room for the next candidate. */
struct shrinker {
  struct stimulus *s;
  struct stimulus next;
  struct replay_bench *bench;
  struct divergence *first;
  bool bug;
  double end; /* host time */
  uint64_t trials;
};

static bool late(const struct shrinker *k) { return host_seconds() > k->end; }

static struct stimulus_row *row_of(struct shrinker *k, size_t i) { return stimulus_row(k->s, i); }
static struct stimulus_row *next_row(struct shrinker *k, size_t i) { return stimulus_row(&k->next, i); }

/* Begins a candidate: the present stimulus without rows [from, to). */
static void begin(struct shrinker *k, size_t from, size_t to) {
  size_t stride = k->s->stride;
  memcpy(k->next.bytes, k->s->bytes, from * stride);
  memcpy(k->next.bytes + from * stride, k->s->bytes + to * stride, (k->s->n - to) * stride);
  k->next.n = k->s->n - (to - from);
}

/* Takes the candidate if it fails as the stimulus did; rows after the failure are not needed. */
static bool accept(struct shrinker *k) {
  struct divergence found, other;
  bool diverged, without = false;
  k->trials++;
  replay_again(k->bench, &k->next, true, &found, &diverged);
  if (!diverged || strcmp(found.what, k->first->what) != 0 || found.is_register != k->first->is_register) return false;
  if (found.executed < k->next.n) k->next.n = found.executed;
  /* what the block was never meant to be given may tell model and RTL apart without the bug */
  if (k->bug) replay_again(k->bench, &k->next, false, &other, &without);
  if (without) return false;
  uint8_t *bytes = k->s->bytes;
  k->s->bytes = k->next.bytes;
  k->s->n = k->next.n;
  k->next.bytes = bytes;
  *k->first = found;
  return true;
}

/* ---- what is tried; each returns whether the stimulus became simpler ---- */

/* Chunks of rows, ever smaller. */
static bool drop_rows(struct shrinker *k) {
  bool any = false;
  for (size_t chunk = k->s->n / 2; chunk; chunk /= 2) {
    bool again = true;
    while (again && !late(k)) {
      again = false;
      for (size_t from = 0; from + chunk <= k->s->n && k->s->n > chunk && !late(k);) {
        begin(k, from, from + chunk);
        bool shorter = accept(k);
        if (!shorter) from += chunk;
        again |= shorter && chunk == 1;
        any |= shorter;
      }
    }
  }
  return any;
}

/* All cycles without a request at once. */
static bool drop_idle(struct shrinker *k) {
  k->next.n = 0;
  for (size_t i = 0; i < k->s->n; i++)
    if (!block_desc_idle(k->s->desc, row_of(k, i)->in) || !row_of(k, i)->rst_n)
      memcpy(next_row(k, k->next.n++), row_of(k, i), k->s->stride);
  return k->next.n && k->next.n < k->s->n && accept(k);
}

/* Two neighbours in one cycle: the first one's inputs, and where those are 0, the second one's. */
static bool merge_rows(struct shrinker *k) {
  const struct block_desc *desc = k->s->desc;
  bool any = false;
  for (size_t i = 0; i + 1 < k->s->n && !late(k);) {
    begin(k, i + 1, i + 2);
    uint8_t *to = next_row(k, i)->in;
    const uint8_t *from = row_of(k, i + 1)->in;
    static const uint8_t zero[BLOCK_PORTS_MAX * 8];
    for (uint32_t p = 0; p < desc->n_in; p++) {
      const struct block_field *f = &desc->in[p];
      if (!memcmp(to + f->offset, zero, f->slot)) memcpy(to + f->offset, from + f->offset, f->slot);
    }
    if (!next_row(k, i)->rst_n || !row_of(k, i + 1)->rst_n || !accept(k)) i++;
    else any = true;
  }
  return any;
}

/* Whether bits [from, to) of the port are not all 0; clears them. */
static bool clear_bits(uint8_t *port, uint32_t from, uint32_t to) {
  bool any = false;
  for (uint32_t bit = from; bit < to; bit++) {
    any |= port[bit / 8] >> bit % 8 & 1;
    port[bit / 8] &= (uint8_t) ~(1U << bit % 8);
  }
  return any;
}

/* Port `f` to 0, in chunks of rows, ever fewer; bits [from, to) of it. */
static bool clear_port(struct shrinker *k, const struct block_field *f, uint32_t from, uint32_t to) {
  bool any = false;
  for (size_t chunk = k->s->n; chunk && !late(k); chunk /= 2)
    for (size_t at = 0; at < k->s->n && !late(k); at += chunk) {
      bool set = false;
      begin(k, 0, 0);
      for (size_t i = at; i < k->s->n && i < at + chunk; i++)
        set |= clear_bits(next_row(k, i)->in + f->offset, from, to);
      any |= set && accept(k);
    }
  return any;
}

static bool clear_ports(struct shrinker *k) {
  bool any = false;
  for (uint32_t p = 0; p < k->s->desc->n_in && !late(k); p++)
    any |= clear_port(k, &k->s->desc->in[p], 0, k->s->desc->in[p].width(k->s->params));
  return any;
}

/* Parts of values, at last single bits. */
static bool clear_values(struct shrinker *k) {
  bool any = false;
  for (uint32_t p = 0; p < k->s->desc->n_in; p++) {
    const struct block_field *f = &k->s->desc->in[p];
    uint32_t width = f->width(k->s->params);
    for (uint32_t part = width / 2; part; part /= 2)
      for (uint32_t from = 0; from < width && !late(k); from += part)
        any |= clear_port(k, f, from, from + part < width ? from + part : width);
  }
  return any;
}

/* Until nothing helps any more. Values come last: most of them are gone with their rows. */
static void simplify(struct shrinker *k) {
  drop_idle(k);
  bool again = true;
  while (again && !late(k)) {
    again = drop_rows(k);
    again |= clear_ports(k);
    again |= merge_rows(k);
    if (!again) again = clear_values(k);
  }
}

int shrink_run(struct stimulus *s, const struct replay *how, struct divergence *first, double seconds,
               struct shrunk *done, struct err *e) {
  struct replay plain = {.engine = how->engine, .bug = how->bug, .bug_rtl = how->bug_rtl, .state_every = 1};
  double start = host_seconds();
  struct shrinker k = {.s = s, .next = *s, .first = first, .bug = how->bug != 0, .end = start + seconds};
  k.next.bytes = malloc(s->max * s->stride);
  int status =
    k.next.bytes ? replay_open(&plain, s, &k.bench, e) : err_set(e, ERR_LIMIT, "out of memory while shrinking");
  if (!status) {
    if (first->executed < s->n) s->n = first->executed;
    simplify(&k);
    for (size_t i = 0; i < s->n; i++) stimulus_row(s, i)->cycle = i;
    begin(&k, 0, 0);
    accept(&k); /* the divergence with the new numbers of cycles */
  }
  *done = (struct shrunk){.trials = k.trials, .cycles = s->n, .seconds = host_seconds() - start, .complete = !late(&k)};
  for (size_t i = 0; i < s->n; i++) done->transactions += !block_desc_idle(s->desc, stimulus_row(s, i)->in);
  replay_close(k.bench);
  free(k.next.bytes);
  first->path = *s->path ? s->path : s->desc->name;
  return status;
}
