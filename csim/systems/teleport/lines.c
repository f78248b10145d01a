/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table with linear probing; a removed line keeps its place as a gap until the table is rebuilt. */
#include "systems/teleport/lines.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 128, FIRST_SIZE = 1024 };
enum { EMPTY = 0, GAP = 1, FIRST_KEY = 2 }; /* of keys: number + FIRST_KEY */

struct teleport_lines {
  uint64_t *key;
  uint8_t (*bytes)[LINE_BYTES];
  uint64_t size, used; /* size: a power of two; used: gaps, too */
};

static bool make(struct teleport_lines *t, uint64_t size) {
  t->key = calloc(size, sizeof *t->key);
  t->bytes = malloc(size * sizeof *t->bytes);
  t->size = size;
  t->used = 0;
  return t->key && t->bytes;
}

struct teleport_lines *teleport_lines_create(void) {
  struct teleport_lines *t = calloc(1, sizeof *t);
  if (t && make(t, FIRST_SIZE)) return t;
  teleport_lines_destroy(t);
  return NULL;
}

void teleport_lines_destroy(struct teleport_lines *t) {
  if (!t) return;
  free(t->key);
  free(t->bytes);
  free(t);
}

void teleport_lines_clear(struct teleport_lines *t) {
  memset(t->key, 0, t->size * sizeof *t->key);
  t->used = 0;
}

/* The place of the line, or the empty one at which the search for it ends. */
static uint64_t place_of(const struct teleport_lines *t, uint64_t number) {
  uint64_t at = number * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (t->size - 1);
  while (t->key[at] != EMPTY && t->key[at] != number + FIRST_KEY) at = (at + 1) & (t->size - 1);
  return at;
}

uint8_t *teleport_lines_find(const struct teleport_lines *t, uint64_t number) {
  uint64_t at = place_of(t, number);
  return t->key[at] == EMPTY ? NULL : t->bytes[at];
}

static void grow(struct teleport_lines *t) {
  struct teleport_lines old = *t;
  invariant(make(t, 2 * old.size), "the host has no memory left for TELEPORT's unlimited buffer");
  for (uint64_t i = 0; i < old.size; i++) {
    if (old.key[i] < FIRST_KEY) continue;
    uint64_t at = place_of(t, old.key[i] - FIRST_KEY);
    t->key[at] = old.key[i];
    memcpy(t->bytes[at], old.bytes[i], LINE_BYTES);
    t->used++;
  }
  free(old.key);
  free(old.bytes);
}

uint8_t *teleport_lines_add(struct teleport_lines *t, uint64_t number, bool *was_there) {
  if (2 * t->used >= t->size) grow(t);
  uint64_t at = place_of(t, number);
  *was_there = t->key[at] != EMPTY;
  t->used += !*was_there;
  t->key[at] = number + FIRST_KEY;
  return t->bytes[at];
}

bool teleport_lines_remove(struct teleport_lines *t, uint64_t number) {
  uint64_t at = place_of(t, number);
  bool there = t->key[at] != EMPTY;
  if (there) t->key[at] = GAP;
  return there;
}
