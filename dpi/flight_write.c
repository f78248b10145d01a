/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the flight recorder's file. A kill may come between any two stores: a chunk counts from the moment its kind is set, a row from
 * the moment it is in `used`. */
#include "base/hash.h"
#include "flight.h"
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECES_MAX = 1 << 14, PIECE_BYTES = FLIGHT_PIECE_CHUNKS * FLIGHT_CHUNK_BYTES };
enum { CHUNK_WORDS = sizeof((struct flight_chunk *)0)->words / 8 };

/* Keeps the compiler from moving stores across; a killed process has made its stores in the order of its instructions. */
#define IN_ORDER() __atomic_signal_fence(__ATOMIC_SEQ_CST)

struct flight {
  int file;
  char path[1100];
  pthread_mutex_t growing; /* SMs on other threads take chunks, too */
  struct flight_chunk *piece[PIECES_MAX];
  uint32_t n_pieces, next; /* next: first chunk of the last piece that was never used */
  uint32_t n_instances;
  bool full; /* it was said that the disk is */
};

/* The chunks of an instance: a queue of those in use, oldest first, and those that are free again. */
struct flight_track {
  struct flight *flight;
  struct flight_chunk *chunk; /* being written */
  uint64_t *last;             /* head of the last row of this segment; NULL: none */
  uint32_t cycles;            /* of this segment */
  uint32_t instance;
  uint64_t segment;
  struct flight_chunk **used; /* ring of max slots, a power of two */
  uint32_t first, n, max;
  struct flight_chunk **spare;
  uint32_t n_spare;
  bool off; /* no room even for a state */
};

uint64_t flight_sum(const struct flight_chunk *c) {
  uint64_t lane[4] = {c->kind, c->instance, c->segment, c->part};
  size_t i = 0;
  for (; i + 4 <= c->used; i += 4)
    for (int k = 0; k < 4; k++) lane[k] = (lane[k] ^ c->words[i + (size_t)k]) * UINT64_C(0x9e3779b97f4a7c15);
  for (; i < c->used; i++) lane[0] = (lane[0] ^ c->words[i]) * UINT64_C(0x9e3779b97f4a7c15);
  uint64_t sum = c->used;
  for (int k = 0; k < 4; k++) sum = (sum ^ lane[k] ^ lane[k] >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
  return sum;
}

/* Reserves the next piece on the disk, so that no store into it can fail. */
static int grow(struct flight *f) {
  off_t at = (off_t)f->n_pieces * PIECE_BYTES;
  if (f->n_pieces == PIECES_MAX) return EFBIG;
  int failed;
  do failed = posix_fallocate(f->file, at, PIECE_BYTES);
  while (failed == EINTR);
  if (failed) return failed;
  void *memory = mmap(NULL, PIECE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, f->file, at);
  if (memory == MAP_FAILED) return errno;
  f->piece[f->n_pieces++] = memory;
  f->next = 0;
  return 0;
}

int flight_create(const char *dir, struct flight **out, struct err *e) {
  struct flight *f = calloc(1, sizeof *f);
  if (!f) return err_set(e, ERR_LIMIT, "out of memory for the flight recorder");
  snprintf(f->path, sizeof f->path, "%s/" FLIGHT_FILE, dir);
  unlink(f->path); /* a process that still writes an older one keeps its own */
  f->file = open(f->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  int failed = f->file < 0 ? errno : grow(f);
  if (failed) {
    err_set(e, ERR_FILE,
            "cannot reserve space for %s: %s; make room, or switch the flight recorder off (--no-recorder)", f->path,
            strerror(failed));
    if (f->file >= 0) {
      close(f->file);
      unlink(f->path);
    }
    free(f);
    return (int)ERR_FILE;
  }
  pthread_mutex_init(&f->growing, NULL);
  *out = f;
  return 0;
}

void flight_destroy(struct flight *f) {
  if (!f) return;
  for (uint32_t i = 0; i < f->n_pieces; i++) munmap(f->piece[i], PIECE_BYTES);
  close(f->file);
  pthread_mutex_destroy(&f->growing);
  free(f);
}

/* A chunk that was never used; NULL: the disk is full, which is said once. */
static struct flight_chunk *fresh_chunk(struct flight *f) {
  struct flight_chunk *c = NULL;
  pthread_mutex_lock(&f->growing);
  int failed = f->next == FLIGHT_PIECE_CHUNKS ? grow(f) : 0;
  if (!failed) c = &f->piece[f->n_pieces - 1][f->next++];
  else if (!f->full)
    fprintf(stderr, "tandem: %s cannot grow: %s; from here on the flight recorder keeps fewer cycles\n", f->path,
            strerror(failed));
  f->full |= failed != 0;
  pthread_mutex_unlock(&f->growing);
  return c;
}

static void begin_chunk(struct flight_chunk *c, enum flight_kind kind, uint32_t instance, uint64_t segment,
                        uint32_t part) {
  c->kind = FLIGHT_FREE;
  IN_ORDER();
  c->magic = FLIGHT_MAGIC;
  c->instance = instance;
  c->segment = segment;
  c->part = part;
  c->used = 0;
  c->closed = 0;
  IN_ORDER();
  c->kind = kind;
  IN_ORDER();
}

static void close_chunk(struct flight_chunk *c) {
  c->sum = flight_sum(c);
  IN_ORDER();
  c->closed = 1;
}

/* The i-th oldest chunk in use. */
static struct flight_chunk **slot(struct flight_track *t, uint32_t i) {
  return &t->used[(t->first + i) & (t->max - 1)];
}

/* Frees the chunks of the oldest segment, unless that is the one being written. */
static bool drop_oldest(struct flight_track *t) {
  uint64_t oldest = t->n ? t->used[t->first]->segment : t->segment;
  if (oldest == t->segment) return false;
  while (t->n && t->used[t->first]->segment == oldest) {
    struct flight_chunk *c = t->used[t->first];
    c->kind = FLIGHT_FREE;
    t->spare[t->n_spare++] = c;
    t->first = (t->first + 1) & (t->max - 1);
    t->n--;
  }
  return true;
}

/* Room for one chunk more in both lists. */
static bool extend_lists(struct flight_track *t) {
  uint32_t max = t->max ? 2 * t->max : 64;
  struct flight_chunk **used = malloc(max * sizeof *used), **spare = realloc(t->spare, max * sizeof *spare);
  if (spare) t->spare = spare;
  if (!used || !spare) {
    free(used);
    return false;
  }
  for (uint32_t i = 0; i < t->n; i++) used[i] = *slot(t, i);
  free(t->used);
  t->used = used;
  t->first = 0;
  t->max = max;
  return true;
}

/* Gives the segment its next chunk: a spare one, a fresh one, or, where the disk is full, the oldest. */
static bool next_chunk(struct flight_track *t) {
  struct flight_chunk *c = NULL;
  uint32_t part = t->chunk ? t->chunk->part + 1 : 0;
  if (t->n + t->n_spare == t->max && !extend_lists(t)) return false;
  if (!t->n_spare && !(c = fresh_chunk(t->flight)) && !drop_oldest(t)) return false;
  if (!c) c = t->spare[--t->n_spare];
  if (t->chunk) close_chunk(t->chunk);
  begin_chunk(c, FLIGHT_SEGMENT, t->instance, t->segment, part);
  *slot(t, t->n++) = c;
  t->chunk = c;
  return true;
}

/* Adds bytes, the last word filled with zeros, over as many chunks as it takes. */
struct put {
  struct flight_track *t;
  uint64_t word; /* not yet whole */
  uint32_t filled;
  size_t bytes;
  bool lost;
};

static void put_word(struct put *p, uint64_t word) {
  struct flight_track *t = p->t;
  if (t->chunk->used == CHUNK_WORDS && !next_chunk(t)) p->lost = true;
  if (!p->lost) t->chunk->words[t->chunk->used++] = word;
}

static void put_bytes(void *self, const void *bytes, size_t n) {
  struct put *p = self;
  const uint8_t *from = bytes;
  p->bytes += n;
  while (n) {
    size_t take = 8 - p->filled < n ? 8 - p->filled : n;
    memcpy((uint8_t *)&p->word + p->filled, from, take);
    from += take;
    n -= take;
    p->filled += (uint32_t)take;
    if (p->filled < 8) return;
    put_word(p, p->word);
    p->word = 0;
    p->filled = 0;
  }
}

static void put_end(struct put *p) {
  if (p->filled) put_word(p, p->word);
  p->word = 0;
  p->filled = 0;
}

uint64_t flight_digest(const struct seam *s) {
  const struct block *b = s->b;
  memset(s->c_regs, 0, b->desc->regs_bytes);
  b->desc->model->regs(b->params, b->state, s->c_regs);
  return hash_bytes(HASH_SEED, s->c_regs, b->desc->regs_bytes);
}

void flight_segment(struct seam *s, const struct delta_image *image, const void *model, uint64_t digest) {
  struct flight_track *t = s->track;
  if (t->chunk) {
    close_chunk(t->chunk);
    t->segment++;
  }
  t->chunk = NULL;
  t->last = NULL;
  t->cycles = 0;
  while (t->n && t->segment - t->used[t->first]->segment >= FLIGHT_SEGMENTS) drop_oldest(t);
  t->off = !next_chunk(t);
  if (t->off) return;
  struct put p = {.t = t};
  struct flight_state head = {.cycle = image->cycle,
                              .rst_n = image->rst_n,
                              .in_words = image->words,
                              .model_bytes = s->b->desc->model->state_bytes,
                              .digest = digest};
  put_bytes(&p, &head, sizeof head);
  struct flight_chunk *first = t->chunk;
  put_bytes(&p, image->in, image->words * sizeof *image->in);
  put_bytes(&p, model, head.model_bytes);
  put_end(&p);
  p.bytes = 0;
  s->ops->save(s->model, put_bytes, &p);
  put_end(&p);
  bool closed = first->closed; /* a large state takes several chunks */
  first->closed = 0;
  IN_ORDER();
  first->words[offsetof(struct flight_state, rtl_bytes) / 8] = p.bytes; /* known only now */
  if (closed) close_chunk(first);
  t->off = p.lost;
}

int flight_add(struct flight *f, struct seam *s, const char *library, struct err *e) {
  struct flight_track *t = calloc(1, sizeof *t);
  const struct block *b = s->b;
  struct flight_chunk *c = t ? fresh_chunk(f) : NULL;
  if (!c) {
    free(t);
    return err_set(e, ERR_LIMIT, "no room for the flight recorder of %s; make room, or switch it off (--no-recorder)",
                   s->path);
  }
  const struct dpi_config *config = &s->dpi->config;
  bool bug = config->bug && !strcmp(config->bug_block, b->desc->name);
  char *text = (char *)c->words;
  size_t size = sizeof c->words, n = 0;
  begin_chunk(c, FLIGHT_INSTANCE, f->n_instances, 0, 0); /* counts when it is closed */
  n += (size_t)snprintf(text, size, "instance %s\nblock %s\nlibrary %s\nmodel_bytes %zu\n", s->path, b->desc->name,
                        library, b->desc->model->state_bytes);
  if (bug) n += (size_t)snprintf(text + n, size - n, "bug %s\n", b->desc->bugs[config->bug - 1].name);
  for (uint32_t i = 0; i < b->desc->n_params; i++)
    n += (size_t)snprintf(text + n, size - n, "param %s=%d\n", b->desc->params[i].name, b->params[i]);
  c->used = n / 8 + 1;
  close_chunk(c);
  t->flight = f;
  t->instance = f->n_instances++;
  s->track = t;
  return 0;
}

void flight_remove(struct seam *s) {
  struct flight_track *t = s->track;
  if (!t) return;
  if (t->chunk) close_chunk(t->chunk);
  free(t->used);
  free(t->spare);
  free(t);
  s->track = NULL;
}

void flight_before(struct seam *s, const struct delta_image *image) {
  struct flight_track *t = s->track;
  if (!t->off && (!t->chunk || t->cycles >= FLIGHT_SEGMENT_CYCLES))
    flight_segment(s, image, s->b->state, flight_digest(s));
}

/* The disk is full and there is no older segment: gives this one up, so that the next cycle begins anew in its chunks. */
static void restart(struct flight_track *t) {
  t->segment++;
  t->chunk = NULL;
  drop_oldest(t);
}

bool flight_lost(const struct seam *s) { return s->track && !s->track->off && !s->track->chunk; }

void flight_row(struct seam *s, const uint64_t *row, unsigned words, bool repeat) {
  struct flight_track *t = s->track;
  if (t->off || !t->chunk) return;
  t->cycles++;
  if (repeat && t->last && delta_repeats(*t->last) < DELTA_REPEATS_MAX) {
    *t->last += DELTA_REPEAT;
    return;
  }
  if (t->chunk->used + words > CHUNK_WORDS && !next_chunk(t)) {
    restart(t);
    return;
  }
  struct flight_chunk *c = t->chunk;
  t->last = &c->words[c->used];
  memcpy(t->last, row, words * sizeof *row);
  IN_ORDER();
  c->used += words;
}
