/* SPDX-License-Identifier: Apache-2.0 */
#include "base/large_pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { SIZES = 32, LARGE_PAGE = 1 << 21, SLAB_BYTES = 2 * LARGE_PAGE };

/* A piece that is free holds the next one's address. */
struct free_piece {
  struct free_piece *next;
};

struct mapping {
  void *memory;
  size_t bytes;
};

struct large_pool {
  pthread_mutex_t lock;
  struct free_piece *free[SIZES]; /* of LARGE_PIECE_BYTES << i */
  uint8_t *rest;                  /* of the last slab: what was never used */
  size_t rest_bytes;
  struct mapping *mappings;
  size_t n_mappings, max_mappings;
};

struct large_pool *large_pool_create(void) {
  struct large_pool *p = calloc(1, sizeof *p);
  if (p) pthread_mutex_init(&p->lock, NULL);
  return p;
}

void large_pool_destroy(struct large_pool *p) {
  if (!p) return;
  for (size_t i = 0; i < p->n_mappings; i++) munmap(p->mappings[i].memory, p->mappings[i].bytes);
  free(p->mappings);
  pthread_mutex_destroy(&p->lock);
  free(p);
}

static bool room_for_mapping(struct large_pool *p) {
  if (p->n_mappings < p->max_mappings) return true;
  size_t max = p->max_mappings ? 2 * p->max_mappings : 16;
  struct mapping *more = realloc(p->mappings, max * sizeof *more);
  if (!more) return false;
  p->mappings = more;
  p->max_mappings = max;
  return true;
}

/* New memory that begins with a large page. `bytes`: whole large pages. */
static void *map(struct large_pool *p, size_t bytes) {
  if (!room_for_mapping(p)) return NULL;
  uint8_t *all = mmap(NULL, bytes + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return NULL;
  size_t before = (size_t)(-(uintptr_t)all & (LARGE_PAGE - 1)), after = LARGE_PAGE - before;
  if (before) munmap(all, before);
  if (after) munmap(all + before + bytes, after);
  uint8_t *memory = all + before;
  madvise(memory, bytes, MADV_HUGEPAGE); /* a host without them takes small pages */
  madvise(memory, bytes, MADV_DONTFORK);
  p->mappings[p->n_mappings++] = (struct mapping){memory, bytes};
  return memory;
}

/* Cuts what is left of a slab into free pieces, so that none of it is lost. */
static void free_rest(struct large_pool *p) {
  for (int i = SIZES - 1; i >= 0; i--) {
    size_t bytes = (size_t)LARGE_PIECE_BYTES << i;
    for (; p->rest_bytes >= bytes; p->rest += bytes, p->rest_bytes -= bytes) {
      struct free_piece *f = (struct free_piece *)(void *)p->rest;
      f->next = p->free[i];
      p->free[i] = f;
    }
  }
}

static void *take(struct large_pool *p, int size) {
  size_t bytes = (size_t)LARGE_PIECE_BYTES << size;
  struct free_piece *f = p->free[size];
  if (f) {
    p->free[size] = f->next;
    return f;
  }
  if (bytes > SLAB_BYTES / 4) return map(p, (bytes + LARGE_PAGE - 1) & ~(size_t)(LARGE_PAGE - 1));
  if (p->rest_bytes < bytes) {
    uint8_t *slab = map(p, SLAB_BYTES);
    if (!slab) return NULL;
    free_rest(p);
    p->rest = slab;
    p->rest_bytes = SLAB_BYTES;
  }
  void *piece = p->rest;
  p->rest += bytes;
  p->rest_bytes -= bytes;
  return piece;
}

static int size_of(size_t bytes) {
  int size = 0;
  while (size < SIZES && (size_t)LARGE_PIECE_BYTES << size < bytes) size++;
  return size;
}

int large_pool_grow(struct large_pool *p, void **memory, size_t *bytes, size_t kept, size_t wanted) {
  if (wanted <= *bytes) return 0;
  int size = size_of(wanted);
  if (size == SIZES) return -1;
  pthread_mutex_lock(&p->lock);
  void *longer = take(p, size);
  pthread_mutex_unlock(&p->lock);
  if (!longer) return -1;
  if (kept) memcpy(longer, *memory, kept);
  large_pool_free(p, *memory, *bytes);
  *memory = longer;
  *bytes = (size_t)LARGE_PIECE_BYTES << size;
  return 0;
}

void large_pool_free(struct large_pool *p, void *memory, size_t bytes) {
  if (!memory) return;
  int size = size_of(bytes);
  struct free_piece *f = memory;
  pthread_mutex_lock(&p->lock);
  f->next = p->free[size];
  p->free[size] = f;
  pthread_mutex_unlock(&p->lock);
}
