/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table with linear probing, at most half full. It grows in the middle of a launch: how many lines a program reads is not known
 * before. */
#include "systems/ldesc/lines.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 1024 };

struct ldesc_lines {
  uint64_t *key;       /* line + 1; 0: empty */
  uint64_t size, used; /* size: a power of two */
  uint64_t last;       /* key that was added last: most loads stay in a line for a while */
};

static bool make(struct ldesc_lines *t, uint64_t size) {
  t->key = calloc(size, sizeof *t->key);
  t->size = size;
  t->used = 0;
  return t->key;
}

struct ldesc_lines *ldesc_lines_create(void) {
  struct ldesc_lines *t = calloc(1, sizeof *t);
  if (t && make(t, FIRST_SIZE)) return t;
  ldesc_lines_destroy(t);
  return NULL;
}

void ldesc_lines_destroy(struct ldesc_lines *t) {
  if (t) free(t->key);
  free(t);
}

void ldesc_lines_clear(struct ldesc_lines *t) {
  memset(t->key, 0, t->size * sizeof *t->key);
  t->used = 0;
  t->last = 0;
}

static uint64_t place_of(const struct ldesc_lines *t, uint64_t key) {
  uint64_t at = key * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (t->size - 1);
  while (t->key[at] && t->key[at] != key) at = (at + 1) & (t->size - 1);
  return at;
}

static void grow(struct ldesc_lines *t) {
  struct ldesc_lines old = *t;
  invariant(make(t, 2 * old.size), "the host has no memory left for the working set of an SM");
  for (uint64_t i = 0; i < old.size; i++)
    if (old.key[i]) t->key[place_of(t, old.key[i])] = old.key[i];
  t->used = old.used;
  free(old.key);
}

bool ldesc_lines_add(struct ldesc_lines *t, uint64_t line) {
  uint64_t key = line + 1;
  if (key == t->last) return false;
  t->last = key;
  uint64_t at = place_of(t, key);
  if (t->key[at]) return false;
  t->key[at] = key;
  if (2 * ++t->used > t->size) grow(t);
  return true;
}
