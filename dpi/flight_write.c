/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the flight recorder's file. A kill may come between any two stores, or two writes: a chunk counts from the moment its kind is
 * set, a row from the moment it is in `used`.
 *
 * Where the RTL runs at once, each row goes into the mapped file. Where it follows, what is recorded lags behind the run anyway: there a
 * chunk is made in memory and written now and then, because a page fault of a mapped file costs more than all the rows of the page. */
#include "base/hash.h"
#include "flight.h"
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECES_MAX = 1 << 14, PIECE_BYTES = FLIGHT_PIECE_CHUNKS * FLIGHT_CHUNK_BYTES, PART_BYTES = 1 << 16 };
enum { CHUNK_WORDS = sizeof((struct flight_chunk *)0)->words / 8, HEADER_BYTES = offsetof(struct flight_chunk, words) };
enum { NO_CHUNK = UINT32_MAX };
#define NOT_NEEDED UINT64_MAX

/* Keeps the compiler from moving stores across; a killed process has made its stores in the order of its instructions. */
#define IN_ORDER() __atomic_signal_fence(__ATOMIC_SEQ_CST)

struct flight {
  int file;
  char path[1100];
  pthread_mutex_t growing;                /* SMs on other threads take chunks, too */
  struct flight_chunk *piece[PIECES_MAX]; /* NULL: not mapped */
  uint32_t n_pieces, next;                /* next: first chunk of the file that was never used */
  uint32_t n_instances;
  bool full; /* it was said that the disk is */
};

struct flight_used {
  uint32_t index; /* in the file */
  uint64_t segment;
};

/* The chunks of an instance: a queue of those in use, oldest first, and those that are free again. */
struct flight_track {
  struct flight *flight;
  struct flight_chunk *chunk; /* being written: in the mapped file, or `made`; NULL: none */
  uint32_t index;             /* its place in the file */
  struct flight_chunk *made;  /* NULL: rows go into the mapped file at once */
  uint64_t written;           /* words of `made` that the file has */
  uint64_t *last;             /* head of the last row of this segment; NULL: none */
  uint32_t cycles;            /* of this segment */
  size_t rtl_bytes;           /* of a state of the RTL; 0: none was taken yet */
  uint32_t instance;
  uint64_t segment;
  struct flight_used *used; /* ring of max slots, a power of two */
  uint32_t first, n, max;
  uint32_t *spare;
  uint32_t n_spare;
  uint64_t needed; /* first segment of the instance's recording; NOT_NEEDED: it has none here */
  bool broken;     /* cycles of it are lost */
  bool off;        /* no room even for a state */
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

/* Reserves the next piece on the disk, so that no store into it can fail, and writes it once in large parts: the host's memory for it
 * then costs a third of what it would page by page. */
static int grow(struct flight *f) {
  static const uint8_t nothing[PART_BYTES];
  off_t at = (off_t)f->n_pieces * PIECE_BYTES;
  if (f->n_pieces == PIECES_MAX) return EFBIG;
  int failed;
  do failed = posix_fallocate(f->file, at, PIECE_BYTES);
  while (failed == EINTR);
  if (failed) return failed;
  for (off_t part = 0; part < PIECE_BYTES; part += PART_BYTES)
    if (pwrite(f->file, nothing, sizeof nothing, at + part) < 0) return errno;
  f->n_pieces++;
  return 0;
}

/* The chunk in the mapped file; NULL: it cannot be mapped. */
static struct flight_chunk *mapped(struct flight *f, uint32_t index) {
  struct flight_chunk **piece = &f->piece[index / FLIGHT_PIECE_CHUNKS];
  if (!*piece) {
    off_t at = (off_t)(index / FLIGHT_PIECE_CHUNKS) * PIECE_BYTES;
    void *memory = mmap(NULL, PIECE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, f->file, at);
    if (memory == MAP_FAILED) return NULL;
    *piece = memory;
  }
  return *piece + index % FLIGHT_PIECE_CHUNKS;
}

/* Writes into a chunk, from byte `at` of it on. The disk has room: only a broken one fails. */
static bool write_at(struct flight *f, uint32_t index, size_t at, const void *bytes, size_t n) {
  const uint8_t *from = bytes;
  off_t to = (off_t)index * FLIGHT_CHUNK_BYTES + (off_t)at;
  while (n) {
    ssize_t done = pwrite(f->file, from, n, to);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    from += done;
    to += done;
    n -= (size_t)done;
  }
  return true;
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
  for (uint32_t i = 0; i < f->n_pieces; i++)
    if (f->piece[i]) munmap(f->piece[i], PIECE_BYTES);
  close(f->file);
  pthread_mutex_destroy(&f->growing);
  free(f);
}

/* Once. */
static void say_full(struct flight *f, int failed) {
  if (!f->full)
    fprintf(stderr, "tandem: %s cannot grow: %s; from here on the flight recorder keeps fewer cycles\n", f->path,
            strerror(failed));
  f->full = true;
}

/* A chunk that was never used, mapped if `maps`; NO_CHUNK: the disk is full. */
static uint32_t fresh_chunk(struct flight *f, bool maps) {
  uint32_t index = NO_CHUNK;
  pthread_mutex_lock(&f->growing);
  int failed = f->next == f->n_pieces * FLIGHT_PIECE_CHUNKS ? grow(f) : 0;
  if (!failed && maps && !mapped(f, f->next)) failed = errno;
  if (failed) say_full(f, failed);
  else index = f->next++;
  pthread_mutex_unlock(&f->growing);
  return index;
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

/* Writes what the file does not have of the chunk that is made: first the words, then the header, which counts them. */
static void write_chunk(struct flight_track *t) {
  const struct flight_chunk *c = t->chunk;
  if (!t->made || !c) return;
  size_t at = HEADER_BYTES + 8 * (size_t)t->written, n = 8 * (size_t)(c->used - t->written);
  if (!write_at(t->flight, t->index, at, c->words + t->written, n) ||
      !write_at(t->flight, t->index, 0, c, HEADER_BYTES)) {
    pthread_mutex_lock(&t->flight->growing);
    say_full(t->flight, errno);
    pthread_mutex_unlock(&t->flight->growing);
    t->off = true;
  }
  t->written = c->used;
}

/* Nothing is added to the track's chunk any more. */
static void end_chunk(struct flight_track *t) {
  if (!t->chunk) return;
  close_chunk(t->chunk);
  write_chunk(t);
}

/* The chunk does not count any more. */
static void free_chunk(struct flight_track *t, uint32_t index) {
  static const uint32_t kind = FLIGHT_FREE;
  if (!t->made) mapped(t->flight, index)->kind = kind;
  else if (!write_at(t->flight, index, offsetof(struct flight_chunk, kind), &kind, sizeof kind)) t->off = true;
}

/* The i-th oldest chunk in use. */
static struct flight_used *slot(struct flight_track *t, uint32_t i) { return &t->used[(t->first + i) & (t->max - 1)]; }

/* Frees the chunks of the oldest segment, unless that is the one being written. */
static bool drop_oldest(struct flight_track *t) {
  uint64_t oldest = t->n ? t->used[t->first].segment : t->segment;
  if (oldest == t->segment) return false;
  t->broken |= oldest >= t->needed;
  while (t->n && t->used[t->first].segment == oldest) {
    free_chunk(t, t->used[t->first].index);
    t->spare[t->n_spare++] = t->used[t->first].index;
    t->first = (t->first + 1) & (t->max - 1);
    t->n--;
  }
  return true;
}

/* Room for one chunk more in both lists. */
static bool extend_lists(struct flight_track *t) {
  uint32_t max = t->max ? 2 * t->max : 64;
  struct flight_used *used = malloc(max * sizeof *used);
  uint32_t *spare = realloc(t->spare, max * sizeof *spare);
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
  uint32_t part = t->chunk ? t->chunk->part + 1 : 0, index = NO_CHUNK;
  if (t->n + t->n_spare == t->max && !extend_lists(t)) return false;
  if (!t->n_spare && (index = fresh_chunk(t->flight, !t->made)) == NO_CHUNK && !drop_oldest(t)) return false;
  if (index == NO_CHUNK) index = t->spare[--t->n_spare];
  end_chunk(t);
  t->chunk = t->made ? t->made : mapped(t->flight, index);
  t->index = index;
  t->written = 0;
  begin_chunk(t->chunk, FLIGHT_SEGMENT, t->instance, t->segment, part);
  *slot(t, t->n++) = (struct flight_used){.index = index, .segment = t->segment};
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

static void count_bytes(void *self, const void *bytes, size_t n) {
  (void)bytes;
  *(size_t *)self += n;
}

void flight_segment(struct seam *s, const struct delta_image *image, const void *model, uint64_t digest) {
  struct flight_track *t = s->track;
  if (t->chunk) {
    end_chunk(t);
    t->segment++;
  }
  t->chunk = NULL;
  t->last = NULL;
  t->cycles = 0;
  while (t->n && t->segment - t->used[t->first].segment >= FLIGHT_SEGMENTS && t->used[t->first].segment < t->needed)
    drop_oldest(t);
  t->off = !next_chunk(t);
  if (t->off) return;
  if (!t->rtl_bytes) s->ops->save(s->model, count_bytes, &t->rtl_bytes);
  struct put p = {.t = t};
  struct flight_state head = {.cycle = image->cycle,
                              .rst_n = image->rst_n,
                              .in_words = image->words,
                              .model_bytes = s->b->desc->model->state_bytes,
                              .rtl_bytes = t->rtl_bytes,
                              .digest = digest};
  put_bytes(&p, &head, sizeof head);
  put_bytes(&p, image->in, image->words * sizeof *image->in);
  put_bytes(&p, model, head.model_bytes);
  put_end(&p);
  p.bytes = 0;
  s->ops->save(s->model, put_bytes, &p);
  put_end(&p);
  invariant(p.lost || p.bytes == t->rtl_bytes, "the RTL of %s saves states of several sizes", s->path);
  t->off |= p.lost;
}

int flight_add(struct flight *f, struct seam *s, const char *library, struct err *e) {
  struct flight_track *t = calloc(1, sizeof *t);
  const struct block *b = s->b;
  struct flight_chunk *c = calloc(1, sizeof *c);
  uint32_t index = t && c ? fresh_chunk(f, false) : NO_CHUNK;
  if (index == NO_CHUNK) {
    free(t);
    free(c);
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
  bool written = write_at(f, index, HEADER_BYTES, c->words, 8 * c->used) && write_at(f, index, 0, c, HEADER_BYTES);
  free(c);
  t->flight = f;
  t->needed = NOT_NEEDED;
  t->instance = f->n_instances++;
  s->track = t;
  return written ? 0 : err_set(e, ERR_FILE, "cannot write %s: %s", f->path, strerror(errno));
}

int flight_follow(struct seam *s, struct err *e) {
  struct flight_track *t = s->track;
  if (t && !(t->made = calloc(1, sizeof *t->made)))
    return err_set(e, ERR_LIMIT, "out of memory for the flight recorder of %s", s->path);
  return 0;
}

void flight_remove(struct seam *s) {
  struct flight_track *t = s->track;
  if (!t) return;
  end_chunk(t);
  free(t->used);
  free(t->spare);
  free(t->made);
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
  t->broken = true;
  t->segment++;
  t->chunk = NULL;
  drop_oldest(t);
}

bool flight_lost(const struct seam *s) { return s->track && !s->track->off && !s->track->chunk; }

size_t flight_room(const struct seam *s) {
  const struct flight_track *t = s->track;
  return t->off || !t->chunk ? SIZE_MAX : CHUNK_WORDS - t->chunk->used;
}

void flight_rows(struct seam *s, const uint64_t *rows, size_t words) {
  struct flight_track *t = s->track;
  t->broken |= words && (t->off || !t->chunk);
  if (t->off || !t->chunk || !words) return;
  if (t->chunk->used + words > CHUNK_WORDS && !next_chunk(t)) {
    restart(t);
    return;
  }
  memcpy(&t->chunk->words[t->chunk->used], rows, words * sizeof *rows);
  t->chunk->used += words;
}

void flight_write(struct seam *s) {
  if (s->track && !s->track->off) write_chunk(s->track);
}

void flight_begin(struct seam *s) {
  s->track->needed = s->track->segment;
  s->track->broken = false;
}

bool flight_whole(const struct seam *s) { return !s->track->broken; }

void flight_end(struct seam *s) { s->track->needed = NOT_NEEDED; }

const char *flight_written_to(const struct seam *s, unsigned *instance) {
  *instance = s->track->instance;
  return s->track->flight->path;
}

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
