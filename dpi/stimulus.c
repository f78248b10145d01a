/* SPDX-License-Identifier: Apache-2.0 */
#include "stimulus.h"

#include "base/hash.h"
#include "base/out_file.h"
#include "block/own.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = BLOCK_PORTS_MAX + 2, COLUMN_CYCLE = -1, COLUMN_RST_N = -2 };

void stimulus_init(struct stimulus *s, const struct block_desc *desc, const int32_t *params) {
  memset(s, 0, sizeof *s);
  s->desc = desc;
  if (!desc) return;
  block_default_params(desc, s->params);
  if (params) memcpy(s->params, params, desc->n_params * sizeof *params);
  s->stride = (sizeof(struct stimulus_row) + desc->in_bytes + 7) / 8 * 8;
}

void stimulus_free(struct stimulus *s) {
  free(s->bytes);
  s->bytes = NULL;
  s->n = s->max = 0;
}

struct stimulus_row *stimulus_append(struct stimulus *s) {
  if (s->n == s->max) {
    size_t max = s->max ? s->max * 2 : 1024;
    uint8_t *bytes = realloc(s->bytes, max * s->stride);
    if (!bytes) return NULL;
    s->bytes = bytes;
    s->max = max;
  }
  struct stimulus_row *row = stimulus_row(s, s->n++);
  memset(row, 0, s->stride);
  row->rst_n = 1;
  return row;
}

int stimulus_expand(struct stimulus *s, struct err *e) {
  struct stimulus longer = *s;
  longer.bytes = NULL;
  longer.n = longer.max = 0;
  for (size_t i = 0; i < s->n; i++) {
    const struct stimulus_row *from = stimulus_row(s, i);
    for (uint32_t k = 0; k <= from->repeats; k++) {
      struct stimulus_row *row = stimulus_append(&longer);
      if (!row) {
        stimulus_free(&longer);
        return err_set(e, ERR_LIMIT, "out of memory for the recorded stimulus");
      }
      memcpy(row, from, s->stride);
      row->cycle = from->cycle + k;
      row->repeats = 0;
    }
  }
  stimulus_free(s);
  *s = longer;
  return 0;
}

int stimulus_with_reset(const struct stimulus *s, struct stimulus *longer, struct err *e) {
  *longer = *s;
  longer->bytes = NULL;
  longer->n = longer->max = 0;
  for (size_t i = 0; i < s->n + STIMULUS_RESET_ROWS; i++) {
    struct stimulus_row *row = stimulus_append(longer);
    if (!row) return err_set(e, ERR_LIMIT, "out of memory for %zu cycles", s->n);
    if (i < STIMULUS_RESET_ROWS) row->rst_n = 0;
    else memcpy(row, stimulus_row(s, i - STIMULUS_RESET_ROWS), s->stride);
  }
  return 0;
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = (char)tolower((unsigned char)c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* 0: ok, 1: not a number, 2: does not fit the width. */
int stimulus_parse_value(const char *text, uint32_t width, uint8_t *at, uint32_t slot) {
  uint8_t value[BLOCK_PORTS_MAX * 8] = {0};
  size_t length = strlen(text);
  if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    if (length < 3) return 1;
    for (size_t i = 0; i < length - 2; i++) {
      int digit = hex_digit(text[length - 1 - i]);
      if (digit < 0) return 1;
      if (i / 2 < sizeof value) value[i / 2] |= (uint8_t)(digit << (i % 2 * 4));
      else if (digit) return 2;
    }
  } else {
    if (!isdigit((unsigned char)text[0])) return 1;
    char *end;
    errno = 0;
    uint64_t number = strtoull(text, &end, 10);
    if (*end) return 1;
    if (errno) return 2;
    memcpy(value, &number, sizeof number);
  }
  size_t first = width / 8, bytes = length / 2 + sizeof(uint64_t); /* with a digit of 4 bits or less a character */
  for (size_t i = first; i < bytes && i < sizeof value; i++)
    if (value[i] >> (i == first ? width % 8 : 0)) return 2;
  memcpy(at, value, slot);
  return 0;
}

void stimulus_print_value(const uint8_t *at, uint32_t width, char *out, size_t size) {
  uint32_t bytes = (width + 7) / 8;
  if (width <= 64) {
    uint64_t number = 0;
    memcpy(&number, at, bytes);
    snprintf(out, size, width > 16 ? "0x%" PRIx64 : "%" PRIu64, number);
    return;
  }
  size_t n = (size_t)snprintf(out, size, "0x");
  for (uint32_t i = bytes; i-- > 0 && n + 3 < size;) n += (size_t)snprintf(out + n, size - n, "%02x", at[i]);
}

/* ---- reading ---- */

struct reader {
  const char *path;
  unsigned line;
  int column[COLUMNS_MAX]; /* port index, or COLUMN_* */
  int n_columns;           /* 0: no header yet */
  size_t end;              /* rows, as the last line of a recording says */
  char manifest[1024];     /* of the user's, from which the block is; or "" */
};

static char *trim(char *text) {
  while (isspace((unsigned char)*text)) text++;
  size_t n = strlen(text);
  while (n && isspace((unsigned char)text[n - 1])) text[--n] = 0;
  return text;
}

/* Comments of a recording, and of a check. */
static int read_recording(struct stimulus *s, struct reader *r, const char *key, const char *value, struct err *e) {
  char rest;
  int n = 1, wanted = 1;
  if (!strcmp(key, "workload")) {
    snprintf(s->workload, sizeof s->workload, "%s", value);
  } else if (!strcmp(key, "random_start")) {
    s->random_start = true;
    n = sscanf(value, "%" SCNu32 "%c", &s->seed, &rest);
  } else if (!strcmp(key, "clock_khz")) {
    n = sscanf(value, "%" SCNu32 "%c", &s->clock_khz, &rest);
  } else if (s->window && !strcmp(key, "outputs")) {
    n = sscanf(value, "%" SCNx64 "%c", &s->outputs, &rest);
  } else if (!strcmp(key, "window")) {
    s->window = true;
    n = sscanf(value, "%" SCNu64 ":%" SCNu64 "%c", &s->window_from, &s->window_to, &rest);
    wanted = s->window_from < s->window_to ? 2 : -1;
  } else if (s->window && !strcmp(key, "end")) {
    n = sscanf(value, "%zu%c", &r->end, &rest);
  }
  return n == wanted ? 0 : err_set(e, ERR_SYNTAX, "%s:%u: '# %s %s' makes no sense", r->path, r->line, key, value);
}

static int read_comment(struct stimulus *s, struct reader *r, char *text, struct err *e) {
  static const char manifest[] = "# manifest ";
  char key[32], value[192];
  if (!strncmp(text, manifest, strlen(manifest))) {
    snprintf(r->manifest, sizeof r->manifest, "%s", text + strlen(manifest));
    return 0;
  }
  if (sscanf(text, "# %31s %191s", key, value) != 2) return 0;
  if (!strcmp(key, "block")) {
    const struct block_desc *desc = block_find(value);
    if (!desc)
      return err_set(e, ERR_VALUE, "%s:%u: no block '%s'; %s%s", r->path, r->line, value,
                     *r->manifest ? "it is from a manifest of its own: --manifest " : "see tandem list blocks",
                     r->manifest);
    if (s->desc && s->desc != desc)
      return err_set(e, ERR_VALUE, "%s:%u: the file is for the block %s, not for %s", r->path, r->line, value,
                     s->desc->name);
    if (!s->desc) stimulus_init(s, desc, NULL);
  } else if (!strcmp(key, "param") && s->desc) {
    if (block_set_param_text(s->desc, value, s->params, e)) return err_prefix(e, "%s:%u", r->path, r->line);
  } else if (!strcmp(key, "instance")) {
    snprintf(s->path, sizeof s->path, "%s", value);
  } else if (!strcmp(key, "bug")) {
    snprintf(s->bug, sizeof s->bug, "%.63s", value);
  }
  return read_recording(s, r, key, value, e);
}

static int read_header(struct stimulus *s, struct reader *r, char *text, struct err *e) {
  char *rest = text;
  for (const char *c = text; *c; c++)
    if (!isprint((unsigned char)*c) && !isspace((unsigned char)*c))
      return err_set(e, ERR_SYNTAX, "%s:%u: not a text; a stimulus is CSV, and its first row names input ports",
                     r->path, r->line);
  for (char *cell; (cell = strsep(&rest, ","));) {
    cell = trim(cell);
    if (r->n_columns == COLUMNS_MAX)
      return err_set(e, ERR_SYNTAX, "%s:%u: more than %d columns", r->path, r->line, COLUMNS_MAX);
    const struct block_field *f = block_field_find(s->desc->in, s->desc->n_in, cell);
    int column = f ? (int)(f - s->desc->in) : !strcmp(cell, "rst_n") ? COLUMN_RST_N : COLUMN_CYCLE;
    if (!f && column == COLUMN_CYCLE && strcmp(cell, "cycle")) {
      bool output = block_field_find(s->desc->out, s->desc->n_out, cell);
      return err_set(e, ERR_VALUE,
                     "%s:%u: column '%s' is %s of %s; use input ports (tandem list blocks %s), rst_n, cycle", r->path,
                     r->line, cell, output ? "an output" : "no port", s->desc->name, s->desc->name);
    }
    for (int i = 0; i < r->n_columns; i++)
      if (r->column[i] == column)
        return err_set(e, ERR_VALUE, "%s:%u: column '%s' appears twice", r->path, r->line, cell);
    s->has_rst_n |= column == COLUMN_RST_N;
    r->column[r->n_columns++] = column;
  }
  return 0;
}

static int read_cell(const struct stimulus *s, const struct reader *r, int column, const char *cell,
                     struct stimulus_row *row, struct err *e) {
  const struct block_field *f = column >= 0 ? &s->desc->in[column] : NULL;
  const char *name = f ? f->name : column == COLUMN_RST_N ? "rst_n" : "cycle";
  uint32_t width = f ? f->width(s->params) : column == COLUMN_RST_N ? 1 : 64;
  uint8_t *at = f ? row->in + f->offset : column == COLUMN_RST_N ? (uint8_t *)&row->rst_n : (uint8_t *)&row->cycle;
  uint32_t slot = f ? f->slot : column == COLUMN_RST_N ? (uint32_t)sizeof row->rst_n : (uint32_t)sizeof row->cycle;
  switch (stimulus_parse_value(cell, width, at, slot)) {
    case 0: return 0;
    case 1:
      return err_set(e, ERR_SYNTAX, "%s:%u: column %s: '%s' is not a number; write decimal or 0x hex", r->path, r->line,
                     name, cell);
    default:
      return err_set(e, ERR_VALUE, "%s:%u: column %s: '%s' does not fit %u bit%s", r->path, r->line, name, cell, width,
                     width == 1 ? "" : "s");
  }
}

static int read_row(struct stimulus *s, const struct reader *r, char *text, struct err *e) {
  struct stimulus_row *row = stimulus_append(s);
  if (!row) return err_set(e, ERR_LIMIT, "%s:%u: out of memory", r->path, r->line);
  if (s->n > 1) {
    memcpy(row, stimulus_row(s, s->n - 2), s->stride);
    row->cycle++;
  }
  char *rest = text;
  int i = 0, status = 0;
  for (char *cell; !status && (cell = strsep(&rest, ",")); i++) {
    if (i == r->n_columns)
      return err_set(e, ERR_SYNTAX, "%s:%u: more than the header's %d columns", r->path, r->line, r->n_columns);
    cell = trim(cell);
    if (*cell) status = read_cell(s, r, r->column[i], cell, row, e);
  }
  if (!status && i != r->n_columns)
    return err_set(e, ERR_SYNTAX, "%s:%u: %d columns, the header has %d; an empty cell repeats the last value", r->path,
                   r->line, i, r->n_columns);
  return status;
}

static int read_line(struct stimulus *s, struct reader *r, char *text, struct err *e) {
  text = trim(text);
  if (!*text) return 0;
  if (*text == '#') return read_comment(s, r, text, e);
  if (!s->desc)
    return err_set(e, ERR_SYNTAX, "%s:%u: the file does not say its block; put '# block NAME' first", r->path, r->line);
  return r->n_columns ? read_row(s, r, text, e) : read_header(s, r, text, e);
}

/* Checks that a recording is complete, and computes for how many cycles each row holds. */
static int finish_recording(struct stimulus *s, const struct reader *r, struct err *e) {
  if (r->end != s->n)
    return err_set(e, ERR_SYNTAX,
                   "%s: the recording is cut off: %zu rows, and no last line '# end %zu'; record it again", r->path,
                   s->n, s->n);
  for (size_t i = 0; i < s->n; i++) {
    struct stimulus_row *row = stimulus_row(s, i);
    uint64_t next = i + 1 < s->n ? stimulus_row(s, i + 1)->cycle : s->window_to;
    if (next <= row->cycle || next - row->cycle > UINT32_MAX)
      return err_set(e, ERR_VALUE, "%s: cycle %" PRIu64 " after cycle %" PRIu64 "; record it again", r->path, next,
                     row->cycle);
    row->repeats = (uint32_t)(next - row->cycle - 1);
  }
  return 0;
}

int stimulus_read(const char *path, const struct block_desc *desc, const int32_t *params, struct stimulus *s,
                  struct err *e) {
  int status = stimulus_read_rows(path, desc, params, s, e);
  if (status || !s->window) return status;
  status = stimulus_expand(s, e);
  if (status) stimulus_free(s);
  s->window = false; /* expanded: a stimulus like any other */
  return status;
}

int stimulus_read_rows(const char *path, const struct block_desc *desc, const int32_t *params, struct stimulus *s,
                       struct err *e) {
  stimulus_init(s, desc, params);
  FILE *f = strcmp(path, "-") != 0 ? fopen(path, "r") : stdin;
  if (!f) return err_set(e, ERR_FILE, "cannot read %s: %s", path, strerror(errno));
  if (f == stdin) path = "standard input";
  struct reader r = {.path = path};
  char *line = NULL;
  size_t size = 0;
  int status = 0;
  while (!status && getline(&line, &size, f) >= 0) {
    r.line++;
    status = read_line(s, &r, line, e);
  }
  if (!status && ferror(f)) status = err_set(e, ERR_FILE, "cannot read %s: %s", path, strerror(errno));
  if (!status && !s->n)
    status = err_set(e, ERR_SYNTAX, "%s: no cycles; write a header line of input ports and one line a cycle", path);
  if (!status && s->window) status = finish_recording(s, &r, e);
  free(line);
  if (f != stdin) fclose(f);
  if (status) stimulus_free(s);
  return status;
}

/* ---- writing ---- */

/* `last`: the inputs of the row before; NULL: this is the first. */
static void write_row(FILE *f, const struct stimulus *s, uint64_t cycle, uint32_t rst_n, const void *in,
                      const void *last) {
  fprintf(f, "%" PRIu64 ",%d", cycle, (int)rst_n);
  for (uint32_t c = 0; c < s->desc->n_in; c++) {
    const struct block_field *p = &s->desc->in[c];
    const uint8_t *now = (const uint8_t *)in + p->offset;
    char text[STIMULUS_TEXT] = "";
    if (!last || memcmp(now, (const uint8_t *)last + p->offset, p->slot))
      stimulus_print_value(now, p->width(s->params), text, sizeof text);
    fprintf(f, ",%s", text);
  }
  fputc('\n', f);
}

static void write_recording(FILE *f, const struct stimulus *s, uint64_t first) {
  if (*s->workload) fprintf(f, "# workload %s\n", s->workload);
  if (s->clock_khz) fprintf(f, "# clock_khz %" PRIu32 "\n", s->clock_khz);
  fprintf(f, "# window %" PRIu64 ":%" PRIu64 "\n", s->window_from, s->window_to);
  fprintf(f, "# outputs %016" PRIx64 "\n", s->outputs);
  fprintf(f, "# A row stands until the next row's cycle. Cycles %s window are not here",
          s->window_from ? "outside of the" : "after the");
  if (first < s->window_from) fprintf(f, ", but for those from %" PRIu64 " on, which lead to it from reset", first);
  fprintf(f, ".\n");
}

static void write_head(FILE *f, const struct stimulus *s, uint64_t first) {
  if (s->desc->own) fprintf(f, "# manifest %s\n", s->desc->own->manifest);
  fprintf(f, "# block %s\n", s->desc->name);
  for (uint32_t i = 0; i < s->desc->n_params; i++) fprintf(f, "# param %s=%d\n", s->desc->params[i].name, s->params[i]);
  if (*s->path) fprintf(f, "# instance %s\n", s->path);
  if (*s->bug) fprintf(f, "# bug %s\n", s->bug);
  if (s->random_start) fprintf(f, "# random_start %" PRIu32 "\n", s->seed);
  if (*s->note) fprintf(f, "# %s\n", s->note);
  if (s->window) write_recording(f, s, first);
  fprintf(f, "cycle,rst_n");
  for (uint32_t c = 0; c < s->desc->n_in; c++) fprintf(f, ",%s", s->desc->in[c].name);
  fputc('\n', f);
}

int stimulus_write(const struct stimulus *s, const char *path, struct err *e) {
  struct out_file o;
  int status = out_file_open(&o, path, e);
  if (status) return status;
  write_head(o.f, s, s->n ? stimulus_row(s, 0)->cycle : 0);
  for (size_t i = 0; i < s->n; i++) {
    const struct stimulus_row *row = stimulus_row(s, i);
    write_row(o.f, s, row->cycle, row->rst_n, row->in, i ? stimulus_row(s, i - 1)->in : NULL);
  }
  if (s->window) fprintf(o.f, "# end %zu\n", s->n);
  return out_file_commit(&o, e);
}

size_t stimulus_recorder_next(const struct stimulus_recorder *rec, struct recorded_place *place,
                              struct delta_image *image, uint32_t *repeats) {
  while (place->piece < rec->n_pieces && place->word == rec->piece[place->piece].n) {
    place->piece++;
    place->word = 0;
  }
  if (place->piece == rec->n_pieces) return 0;
  const struct recorded_piece *p = &rec->piece[place->piece];
  size_t words = delta_decode(image, p->words + place->word, p->words + p->n, repeats);
  invariant(words, "the recorder of %s holds what is no row", rec->s.path);
  place->word += words;
  return words;
}

int stimulus_recorder_write(const struct stimulus_recorder *rec, const char *path, struct err *e) {
  struct out_file o;
  int status = out_file_open(&o, path, e);
  if (status) return status;
  struct delta_image now = rec->base, last;
  struct recorded_place place = {0};
  for (size_t i = 0; i < rec->n; i++) {
    uint32_t repeats;
    last = now;
    size_t words = stimulus_recorder_next(rec, &place, &now, &repeats);
    invariant(words && !repeats, "the recording of %s holds what is no row of its own", rec->s.path);
    if (!i) write_head(o.f, &rec->s, now.cycle);
    write_row(o.f, &rec->s, now.cycle, now.rst_n, now.in, i ? last.in : NULL);
  }
  if (rec->s.window) fprintf(o.f, "# end %zu\n", rec->n);
  return out_file_commit(&o, e);
}

struct stimulus_answers stimulus_answers_none(void) {
  return (struct stimulus_answers){.digest = HASH_SEED, .quiet = true};
}

void stimulus_answers_add(struct stimulus_answers *a, const struct block_desc *desc, uint64_t cycle, bool rst_n,
                          const void *in, const void *out) {
  bool idle = block_desc_idle(desc, in);
  if (!a->quiet || !idle) a->digest = hash_bytes(hash_bytes(a->digest, &cycle, sizeof cycle), out, desc->out_bytes);
  a->quiet = idle && rst_n && !((const uint8_t *)out)[desc->busy_offset];
}
