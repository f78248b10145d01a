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
  bool anywhere; /* the failure may show at another port or register than that of the stimulus */
  double end;    /* host time */
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

static bool same_place(const struct divergence *a, const struct divergence *b) {
  return !strcmp(a->what, b->what) && a->is_register == b->is_register;
}

/* Takes the candidate if it fails as the stimulus did; rows after the failure are not needed. */
static bool accept(struct shrinker *k) {
  struct divergence found, other;
  bool diverged, without = false;
  k->trials++;
  replay_again(k->bench, &k->next, true, &found, &diverged);
  if (!diverged || (!k->anywhere && !same_place(&found, k->first))) return false;
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

/* A port of at most 64 bits. */
static uint64_t value_of(const uint8_t *in, const struct block_field *f) {
  uint64_t value = 0;
  memcpy(&value, in + f->offset, f->slot);
  return value;
}

/* Rows [from, from + chunk) in one, whose value of port `f` is their sum, at most what the port holds: values that a block adds up. */
static bool add_up(struct shrinker *k, const struct block_field *f, size_t from, size_t chunk) {
  uint32_t width = f->width(k->s->params);
  uint64_t most = UINT64_MAX >> (64 - width), sum = value_of(row_of(k, from)->in, f), first = sum;
  for (size_t i = from + 1; i < from + chunk; i++) {
    uint64_t more = value_of(row_of(k, i)->in, f);
    sum = more > most - sum ? most : sum + more;
    if (!row_of(k, i)->rst_n) return false;
  }
  if (sum == first) return false; /* the same as without the other rows */
  begin(k, from + 1, from + chunk);
  memcpy(next_row(k, from)->in + f->offset, &sum, f->slot);
  return accept(k);
}

/* For each port whose values may add up. A port for which this fails in many places at a time does not. */
static bool add_values(struct shrinker *k) {
  enum { PLACES = 16 };
  bool any = false;
  for (uint32_t p = 0; p < k->s->desc->n_in; p++) {
    const struct block_field *f = &k->s->desc->in[p];
    if (f->slot > sizeof(uint64_t) || f->width(k->s->params) < 2) continue;
    for (size_t chunk = k->s->n; chunk > 1; chunk = (chunk + 1) / 2) {
      uint64_t begun = k->trials;
      for (size_t from = 0; from + chunk <= k->s->n && k->trials < begun + PLACES && !late(k); from++) {
        if (!add_up(k, f, from, chunk)) continue;
        begun = k->trials;
        any = true;
      }
    }
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
    again |= add_values(k);
    if (!again) again = clear_values(k);
  }
}

static size_t transactions(const struct stimulus *s) {
  size_t n = 0;
  for (size_t i = 0; i < s->n; i++) n += !block_desc_idle(s->desc, stimulus_row(s, i)->in);
  return n;
}

/* A candidate that fails at the same place has, most likely, the same cause. In a large block a bug may show in many places, and a shorter
 * stimulus in another one. So if half of the time does not lead to few transactions, the other half allows every place. */
static void simplify_anywhere(struct shrinker *k, double seconds) {
  enum { FEW = 20 };
  k->end -= seconds / 2;
  simplify(k);
  bool unfinished = late(k);
  k->end += seconds / 2;
  k->anywhere = transactions(k->s) > FEW;
  if (k->anywhere || unfinished) simplify(k);
}

int shrink_run(struct stimulus *s, const struct replay *how, struct divergence *first, double seconds,
               struct shrunk *done, struct err *e) {
  struct replay plain = {.engine = how->engine, .bug = how->bug, .bug_rtl = how->bug_rtl, .state_every = 1};
  const struct divergence before = *first;
  double start = host_seconds();
  struct shrinker k = {.s = s, .next = *s, .first = first, .bug = how->bug != 0, .end = start + seconds};
  k.next.bytes = malloc(s->max * s->stride);
  int status =
    k.next.bytes ? replay_open(&plain, s, &k.bench, e) : err_set(e, ERR_LIMIT, "out of memory while shrinking");
  if (!status) {
    if (first->executed < s->n) s->n = first->executed;
    simplify_anywhere(&k, seconds);
    for (size_t i = 0; i < s->n; i++) stimulus_row(s, i)->cycle = i;
    begin(&k, 0, 0);
    accept(&k); /* the divergence with the new numbers of cycles */
  }
  *done = (struct shrunk){.trials = k.trials,
                          .cycles = s->n,
                          .transactions = transactions(s),
                          .seconds = host_seconds() - start,
                          .moved = !same_place(first, &before),
                          .complete = !late(&k)};
  replay_close(k.bench);
  free(k.next.bytes);
  first->path = *s->path ? s->path : s->desc->name;
  return status;
}
