/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what the flight recorder wrote, also of a run that was killed, or still goes on. */
#include "base/text.h"
#include "block/own.h"
#include "flight.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE_BYTES = FLIGHT_PIECE_CHUNKS * FLIGHT_CHUNK_BYTES };
enum { HEADER_BYTES = offsetof(struct flight_chunk, words), CHUNK_WORDS = (FLIGHT_CHUNK_BYTES - HEADER_BYTES) / 8 };

/* A chunk's header, without its words. */
struct place {
  struct flight_chunk *header;
  uint64_t index; /* in the file */
};

struct flight_reader {
  int file;
  char path[1100];
  struct place *places; /* chunks that count, ordered by instance, segment, part; descriptions first */
  size_t n_places;
  uint8_t *headers;
  unsigned n_instances;
  uint64_t *words; /* of the segment that flight_restore() starts from */
};

static int damaged(const struct flight_reader *r, struct err *e) {
  return err_set(e, ERR_SYNTAX, "%s: the recording is damaged; run again", r->path);
}

static int by_place(const void *a, const void *b) {
  const struct flight_chunk *x = ((const struct place *)a)->header, *y = ((const struct place *)b)->header;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  if (x->instance != y->instance) return x->instance < y->instance ? -1 : 1;
  if (x->segment != y->segment) return x->segment < y->segment ? -1 : 1;
  return (x->part > y->part) - (x->part < y->part);
}

static int read_headers(struct flight_reader *r, uint64_t chunks, struct err *e) {
  r->headers = calloc(chunks, HEADER_BYTES);
  r->places = calloc(chunks, sizeof *r->places);
  if (!r->headers || !r->places) return err_set(e, ERR_LIMIT, "%s: out of memory", r->path);
  for (uint64_t i = 0; i < chunks; i++) {
    struct flight_chunk *c = (struct flight_chunk *)(void *)(r->headers + i * HEADER_BYTES);
    if (pread(r->file, c, HEADER_BYTES, (off_t)(i * FLIGHT_CHUNK_BYTES)) != HEADER_BYTES)
      return err_set(e, ERR_FILE, "cannot read %s: %s", r->path, strerror(errno));
    if (!c->magic || c->kind == FLIGHT_FREE) continue; /* not used yet, or not any more */
    if (c->magic != FLIGHT_MAGIC || c->kind > FLIGHT_SEGMENT || c->used > CHUNK_WORDS || c->closed > 1)
      return damaged(r, e);
    if (c->kind == FLIGHT_INSTANCE && !c->closed) continue; /* killed there */
    r->n_instances += c->kind == FLIGHT_INSTANCE;
    r->places[r->n_places++] = (struct place){c, i};
  }
  qsort(r->places, r->n_places, sizeof *r->places, by_place);
  for (unsigned i = 0; i < r->n_instances; i++)
    if (r->places[i].header->instance != i) return damaged(r, e);
  return 0;
}

int flight_open(const char *path, struct flight_reader **out, struct err *e) {
  struct flight_reader *r = calloc(1, sizeof *r);
  struct stat st;
  if (!r) return err_set(e, ERR_LIMIT, "%s: out of memory", path);
  snprintf(r->path, sizeof r->path, "%s", path);
  r->file = open(path, O_RDONLY | O_CLOEXEC);
  uint64_t magic = 0;
  int status = 0;
  if (r->file < 0 || fstat(r->file, &st) || pread(r->file, &magic, sizeof magic, 0) < 0)
    status = err_set(e, ERR_FILE, "cannot read %s: %s", path, strerror(errno));
  else if (magic != FLIGHT_MAGIC)
    status = err_set(e, ERR_SYNTAX, "%s: no recording of this version of Tandem's flight recorder; run again", path);
  else if (st.st_size % PIECE_BYTES) status = err_set(e, ERR_SYNTAX, "%s: the recording is cut off; run again", path);
  else status = read_headers(r, (uint64_t)st.st_size / FLIGHT_CHUNK_BYTES, e);
  if (status) flight_close(r);
  else *out = r;
  return status;
}

void flight_close(struct flight_reader *r) {
  if (!r) return;
  if (r->file >= 0) close(r->file);
  free(r->headers);
  free(r->places);
  free(r->words);
  free(r);
}

unsigned flight_instances(const struct flight_reader *r) { return r->n_instances; }

/* Reads the words of a chunk; what is added to the file meanwhile does not count. */
static int read_words(const struct flight_reader *r, const struct place *p, uint64_t *to, struct err *e) {
  struct flight_chunk c;
  memcpy(&c, p->header, HEADER_BYTES); /* no more of it is there */
  ssize_t bytes = (ssize_t)(8 * c.used);
  off_t at = (off_t)(p->index * FLIGHT_CHUNK_BYTES + HEADER_BYTES);
  if (pread(r->file, c.words, (size_t)bytes, at) != bytes)
    return err_set(e, ERR_FILE, "cannot read %s: %s", r->path, strerror(errno));
  if (c.closed && c.sum != flight_sum(&c)) return damaged(r, e);
  memcpy(to, c.words, (size_t)bytes);
  return 0;
}

/* ---- instances ---- */

/* "key value" lines of a description. */
static int read_line(const struct flight_reader *r, struct flight_instance *f, const char *key, const char *value,
                     size_t *model_bytes, struct err *e) {
  if (!strcmp(key, "instance")) snprintf(f->path, sizeof f->path, "%s", value);
  else if (!strcmp(key, "block")) snprintf(f->block, sizeof f->block, "%s", value);
  else if (!strcmp(key, "library")) snprintf(f->library, sizeof f->library, "%s", value);
  else if (!strcmp(key, "model_bytes")) *model_bytes = strtoul(value, NULL, 10);
  if (!strcmp(key, "block")) {
    const struct block_desc *desc = block_find(value);
    if (!desc)
      return err_set(e, ERR_VALUE, "%s: no block '%s' here; if it is from a manifest of its own, name that: --manifest",
                     r->path, value);
    stimulus_init(&f->s, desc, NULL);
  }
  if (!f->s.desc) return 0;
  if (!strcmp(key, "bug")) snprintf(f->s.bug, sizeof f->s.bug, "%s", value);
  if (!strcmp(key, "param") && block_set_param_text(f->s.desc, value, f->s.params, e))
    return err_prefix(e, "%s", r->path);
  return 0;
}

static int read_description(const struct flight_reader *r, const struct place *p, struct flight_instance *f,
                            struct err *e) {
  uint64_t words[CHUNK_WORDS + 1] = {0};
  size_t model_bytes = 0;
  int status = read_words(r, p, words, e);
  char *rest = (char *)words;
  for (char *line; !status && (line = strsep(&rest, "\n"));) {
    char *value = strchr(line, ' ');
    if (!value) continue;
    *value++ = 0;
    status = read_line(r, f, line, value, &model_bytes, e);
  }
  if (!status && !f->s.desc) status = damaged(r, e);
  snprintf(f->s.path, sizeof f->s.path, "%s", f->path);
  if (!status && model_bytes != f->s.desc->model->state_bytes)
    status = err_set(e, ERR_VALUE, "%s: recorded with another C model of %s; run again", r->path, f->block);
  return status;
}

/* The chunks of one instance: places [*from, *to). */
static void find_places(const struct flight_reader *r, unsigned instance, size_t *from, size_t *to) {
  *from = r->n_instances;
  while (*from < r->n_places && r->places[*from].header->instance < instance) ++*from;
  *to = *from;
  while (*to < r->n_places && r->places[*to].header->instance == instance) ++*to;
}

/* One after the chunks of the segment that begins at `from`; 0: they are not those of a whole segment. */
static size_t segment_end(const struct flight_reader *r, size_t from, size_t to) {
  size_t i = from;
  for (; i < to && r->places[i].header->segment == r->places[from].header->segment; i++)
    if (r->places[i].header->part != i - from) return 0;
  return i;
}

/* Skips the rest of a segment whose first chunks serve another one already. */
static size_t first_whole(const struct flight_reader *r, size_t from, size_t to) {
  while (from < to && r->places[from].header->part) from++;
  return from;
}

/* The words of the segment [from, to) of places, to be freed. */
static uint64_t *segment_words(const struct flight_reader *r, size_t from, size_t to, size_t *n, struct err *e) {
  uint64_t *words = calloc(to - from, sizeof(uint64_t) * CHUNK_WORDS);
  int status = words ? 0 : err_set(e, ERR_LIMIT, "%s: out of memory", r->path);
  *n = 0;
  for (size_t i = from; i < to && !status; i++) {
    status = read_words(r, &r->places[i], words + *n, e);
    *n += r->places[i].header->used;
  }
  if (!status) return words;
  free(words);
  return NULL;
}

/* Where the rows of a segment begin, and the image before them; 0: the segment was being begun when the run was killed; SIZE_MAX:
 * damaged. */
static size_t open_segment(const struct block_desc *desc, const uint64_t *words, size_t n, struct delta_image *image) {
  const struct flight_state *head = (const struct flight_state *)(const void *)words;
  size_t at = sizeof *head / 8;
  *image = (struct delta_image){0};
  if (n < at) return 0;
  image->cycle = head->cycle;
  if (head->in_words != (desc->in_bytes + 7) / 8 || head->model_bytes != desc->model->state_bytes ||
      head->rtl_bytes > 8 * n)
    return SIZE_MAX;
  size_t rows = at + head->in_words + (head->model_bytes + 7) / 8 + (head->rtl_bytes + 7) / 8;
  if (!head->rtl_bytes || rows > n) return 0;
  *image =
    (struct delta_image){.cycle = head->cycle, .words = (uint32_t)head->in_words, .rst_n = (uint32_t)head->rst_n};
  memcpy(image->in, words + at, 8 * image->words);
  return rows;
}

/* Reads one segment: the first and the last cycle of its rows, and the rows of `from` to `last` into *rows, unless NULL. */
struct scan {
  const struct flight_reader *r;
  const struct block_desc *desc;
  struct stimulus *rows;
  uint64_t from, last;
  uint64_t before, first, end; /* cycle of the state; of the first and the last row */
  bool any;
};

static int add_rows(struct scan *s, const struct delta_image *image, uint32_t repeats, struct err *e) {
  for (uint32_t k = 0; s->rows && k <= repeats && image->cycle + k <= s->last; k++) {
    if (image->cycle + k < s->from) continue;
    struct stimulus_row *row = stimulus_append(s->rows);
    if (!row) return err_set(e, ERR_LIMIT, "%s: out of memory", s->r->path);
    row->cycle = image->cycle + k;
    row->rst_n = image->rst_n;
    memcpy(row->in, image->in, s->desc->in_bytes);
  }
  return 0;
}

static int scan_words(struct scan *s, const uint64_t *words, size_t n, struct err *e) {
  struct delta_image image;
  size_t at = open_segment(s->desc, words, n, &image);
  s->any = false;
  if (at == SIZE_MAX) return damaged(s->r, e);
  s->before = image.cycle;
  while (at && at < n) {
    uint32_t repeats;
    size_t taken = delta_decode(&image, words + at, words + n, &repeats);
    if (!taken) return damaged(s->r, e);
    int status = add_rows(s, &image, repeats, e);
    if (status) return status;
    if (!s->any) s->first = image.cycle;
    s->any = true;
    image.cycle += repeats;
    s->end = image.cycle;
    at += taken;
  }
  return 0;
}

static int scan_segment(struct scan *s, size_t from, size_t to, struct err *e) {
  size_t n;
  uint64_t *words = segment_words(s->r, from, to, &n, e);
  int status = words ? scan_words(s, words, n, e) : (int)e->code;
  free(words);
  return status;
}

int flight_name(struct flight_reader *r, unsigned i, struct flight_instance *f, struct err *e) {
  *f = (struct flight_instance){.from = 1};
  return read_description(r, &r->places[i], f, e);
}

int flight_instance(struct flight_reader *r, unsigned i, struct flight_instance *f, struct err *e) {
  size_t from, to;
  int status = flight_name(r, i, f, e);
  find_places(r, i, &from, &to);
  from = first_whole(r, from, to);
  struct scan s = {.r = r, .desc = f->s.desc};
  for (bool first = true; from < to && !status;) {
    size_t end = segment_end(r, from, to);
    if (!end) return damaged(r, e);
    if (first || end == to)
      status = scan_segment(&s, from, end, e); /* what lies between is checked when it is needed */
    if (!status && s.any && first) f->from = s.first;
    if (!status && s.any) f->to = s.end;
    else if (!status && end == to && !first) f->to = s.before; /* killed after the state */
    first = false;
    from = end;
  }
  return status;
}

/* ---- restoring ---- */

/* Rows of the segments from `from` on. They must follow each other without a gap. */
static int read_rows(struct scan *s, size_t from, size_t to, struct err *e) {
  int status = 0;
  for (bool first = true; from < to && !status; first = false) {
    size_t end = segment_end(s->r, from, to);
    uint64_t before = s->end;
    status = end ? scan_segment(s, from, end, e) : damaged(s->r, e);
    if (!status && s->any && !first && s->before != before) status = damaged(s->r, e);
    if (s->any && s->end >= s->last) break;
    from = end;
  }
  return status;
}

/* The last segment whose state comes before `cycle`. */
static int find_segment(struct flight_reader *r, const struct block_desc *desc, uint64_t cycle, size_t from, size_t to,
                        size_t *found, struct err *e) {
  struct scan s = {.r = r, .desc = desc};
  int status = 0;
  *found = from;
  while (from < to && !status) {
    size_t end = segment_end(r, from, to);
    status = end ? scan_segment(&s, from, end, e) : damaged(r, e);
    if (status || !s.any || s.first > cycle) break;
    *found = from;
    from = end;
  }
  return status;
}

int flight_restore(struct flight_reader *r, unsigned i, uint64_t cycle, uint64_t last, struct flight_start *start,
                   struct stimulus *rows, struct err *e) {
  struct flight_instance f;
  size_t from, to, found, n;
  int status = flight_instance(r, i, &f, e);
  if (status) return status;
  if (f.from > f.to || cycle < f.from || cycle > f.to)
    return err_set(e, ERR_VALUE,
                   f.from > f.to ? "%s: %s executed no cycle that is recorded"
                                 : "%s: %s executed the recorded cycles between %" PRIu64 " and %" PRIu64
                                   "; choose --cycle among them",
                   r->path, f.path, f.from, f.to);
  find_places(r, i, &from, &to);
  from = first_whole(r, from, to);
  status = find_segment(r, f.s.desc, cycle, from, to, &found, e);
  if (status) return status;
  free(r->words);
  r->words = segment_words(r, found, segment_end(r, found, to), &n, e);
  if (!r->words) return (int)e->code;
  const struct flight_state *head = (const struct flight_state *)(const void *)r->words;
  const uint64_t *model = r->words + sizeof *head / 8 + head->in_words;
  *start = (struct flight_start){.model = model,
                                 .rtl = model + (head->model_bytes + 7) / 8,
                                 .model_bytes = head->model_bytes,
                                 .rtl_bytes = head->rtl_bytes,
                                 .cycle = head->cycle,
                                 .digest = head->digest};
  *rows = f.s;
  struct scan s = {.r = r, .desc = f.s.desc, .rows = rows, .last = last};
  status = read_rows(&s, found, to, e);
  if (status) stimulus_free(rows);
  return status;
}

int flight_since(struct flight_reader *r, unsigned i, uint64_t from, struct stimulus *rows, struct err *e) {
  struct flight_instance f;
  size_t first, to, found;
  int status = flight_name(r, i, &f, e);
  if (status) return status;
  find_places(r, i, &first, &to);
  first = first_whole(r, first, to);
  status = find_segment(r, f.s.desc, from, first, to, &found, e);
  struct scan s = {.r = r, .desc = f.s.desc, .rows = rows, .from = from, .last = UINT64_MAX};
  return status ? status : read_rows(&s, found, to, e);
}
