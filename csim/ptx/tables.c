/* SPDX-License-Identifier: Apache-2.0 */
/* Small parts every stage of a load needs: types, the arena, hashed names. */
#include "ptx/tables.h"
#include "base/err.h"

#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  uint8_t bytes;
  char letter;
} type_table[PTX_N_TYPES] = {[T_NONE] = {"(none)", 0, '?'},
#define X(type, bytes, letter, name) [type] = {name, bytes, letter},
                             PTX_TYPES(X)
#undef X
};

enum ptx_type ptx_type_of(const char *name, size_t length) {
  for (int t = T_NONE + 1; t < PTX_N_TYPES; t++)
    if (strlen(type_table[t].name) == length && memcmp(type_table[t].name, name, length) == 0) return (enum ptx_type)t;
  return T_NONE;
}

const char *ptx_type_name(enum ptx_type t) { return type_table[t].name; }
uint32_t ptx_type_bytes(enum ptx_type t) { return type_table[t].bytes; }
char ptx_type_letter(enum ptx_type t) { return type_table[t].letter; }

uint64_t align_up(uint64_t value, uint64_t align) { return (value + align - 1) & ~(align - 1); }

/* ---- arena ---- */

enum { CHUNK_BYTES = 64 * 1024 };
struct arena_chunk {
  struct arena_chunk *next;
  size_t used, size;
};

void *arena_alloc(struct arena *a, size_t bytes) {
  enum { HEAD = (sizeof(struct arena_chunk) + 15) / 16 * 16 };
  bytes = (bytes + 15) & ~(size_t)15;
  struct arena_chunk *c = a->chunks;
  if (!c || c->size - c->used < bytes) {
    size_t size = HEAD + (bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES);
    c = calloc(1, size);
    invariant(c, "the host has no memory for %zu bytes of PTX tables", size);
    *c = (struct arena_chunk){.next = a->chunks, .used = HEAD, .size = size};
    a->chunks = c;
  }
  void *p = (char *)c + c->used;
  c->used += bytes;
  return p;
}

void arena_free(struct arena *a) {
  while (a->chunks) {
    struct arena_chunk *c = a->chunks;
    a->chunks = c->next;
    free(c);
  }
}

void *arena_grow(struct arena *a, void *data, uint32_t n, uint32_t *capacity, size_t element) {
  if (n < *capacity) return data;
  uint32_t more = *capacity ? *capacity * 2 : 16;
  void *p = arena_alloc(a, more * element);
  if (n) memcpy(p, data, n * element);
  *capacity = more;
  return p;
}

char *arena_text(struct arena *a, const char *text, size_t length) {
  char *p = arena_alloc(a, length + 1);
  memcpy(p, text, length);
  p[length] = 0;
  return p;
}

/* ---- names ---- */

static uint32_t hash_of(const char *text, uint32_t length, uint32_t scope) {
  uint32_t h = 2166136261u ^ scope * 0x9e3779b9u; /* FNV-1a */
  for (uint32_t i = 0; i < length; i++) h = (h ^ (uint8_t)text[i]) * 16777619u;
  return h;
}

struct name *names_find(const struct names *names, const char *text, uint32_t length, uint32_t scope) {
  if (!names->n_buckets) return NULL;
  struct name *n = names->bucket[hash_of(text, length, scope) & (names->n_buckets - 1)];
  for (; n; n = n->next)
    if (n->scope == scope && n->length == length && memcmp(n->text, text, length) == 0) return n;
  return NULL;
}

static void rehash(struct arena *a, struct names *names) {
  uint32_t n_buckets = names->n_buckets ? names->n_buckets * 4 : 64;
  struct name **bucket = arena_alloc(a, n_buckets * sizeof(struct name *));
  for (uint32_t i = 0; i < names->n_buckets; i++)
    for (struct name *n = names->bucket[i], *next; n; n = next) {
      next = n->next;
      struct name **at = &bucket[hash_of(n->text, n->length, n->scope) & (n_buckets - 1)];
      n->next = *at;
      *at = n;
    }
  names->bucket = bucket;
  names->n_buckets = n_buckets;
}

struct name *names_add(struct arena *a, struct names *names, const char *text, uint32_t length, uint32_t scope) {
  if (names->n >= names->n_buckets) rehash(a, names);
  struct name **at = &names->bucket[hash_of(text, length, scope) & (names->n_buckets - 1)];
  struct name *n = arena_alloc(a, sizeof *n);
  *n = (struct name){.text = text, .length = length, .scope = scope, .next = *at};
  *at = n;
  names->n++;
  return n;
}
