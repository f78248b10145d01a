/* SPDX-License-Identifier: Apache-2.0 */
/* Stimuli: the inputs of one block, cycle by cycle. Recorded under lockstep, written and read as CSV (the format of
 * `tandem drive`): comment lines "# key value" first, then a header that names input ports, then one line a cycle; an
 * empty cell repeats the last value; columns `cycle` (a label) and `rst_n` are optional. */
#ifndef TANDEM_DPI_STIMULUS_H
#define TANDEM_DPI_STIMULUS_H

#include "base/err.h"
#include "block/block.h"
#include "delta_rows.h"

#include <stdio.h>

struct large_pool;

/* Rows of {cycle, rst_n, inputs}; row i at bytes + i * stride. */
struct stimulus {
  const struct block_desc *desc;
  int32_t params[BLOCK_PARAMS_MAX];
  char path[192]; /* of the instance it was recorded from, or "" */
  char bug[64];   /* planted bug that was active, or "" */
  /* the RTL's registers begin with random values of this seed, as in the check that it was recorded from; else with 0 */
  bool random_start;
  uint32_t seed;
  char note[160]; /* a comment for the file, or "" */
  bool has_rst_n; /* the file has a column rst_n */
  /* a recording of a run (keep.c): a row holds up to the next row's cycle, the last one up to window_to */
  bool window;
  uint64_t window_from, window_to; /* the recorded cycles; earlier rows lead from reset to them */
  uint64_t outputs;                /* stimulus_answers.digest of the recording; 0: not known */
  uint32_t clock_khz;              /* 0: not known */
  char workload[192];              /* "" */
  uint8_t *bytes;
  size_t n, max, stride;
};

struct stimulus_row {
  uint64_t cycle;
  uint32_t rst_n;
  uint32_t repeats; /* further cycles, one after the other, with the same inputs; 0 in an expanded stimulus */
  uint8_t in[];     /* struct B_in, in_bytes */
};

enum { STIMULUS_TEXT = 16 * BLOCK_PORTS_MAX + 3 }; /* bytes of the widest value, as text */

void stimulus_init(struct stimulus *, const struct block_desc *, const int32_t *params);
void stimulus_free(struct stimulus *);
static inline struct stimulus_row *stimulus_row(const struct stimulus *s, size_t i) {
  return (struct stimulus_row *)(void *)(s->bytes + i * s->stride);
}
/* Appends a zeroed row with rst_n = 1; NULL when out of memory. */
struct stimulus_row *stimulus_append(struct stimulus *);
/* Compares two structures of ports: `bytes` is a multiple of 4, and so small that a call of memcmp would cost more. */
static inline bool stimulus_same_words(const void *a, const void *b, uint32_t bytes) {
  const uint8_t *x = a, *y = b;
  uint64_t different = 0;
  uint32_t i = 0;
  for (; i + 8 <= bytes; i += 8) {
    uint64_t p, q;
    __builtin_memcpy(&p, x + i, 8);
    __builtin_memcpy(&q, y + i, 8);
    different |= p ^ q;
  }
  if (i < bytes) {
    uint32_t p, q;
    __builtin_memcpy(&p, x + i, 4);
    __builtin_memcpy(&q, y + i, 4);
    different |= p ^ q;
  }
  return !different;
}

/* A copy with reset rows before the stimulus. The caller frees it, also after an error. */
enum { STIMULUS_RESET_ROWS = 2 };
int stimulus_with_reset(const struct stimulus *, struct stimulus *longer, struct err *);
/* Makes one row a cycle of rows that repeat. */
int stimulus_expand(struct stimulus *, struct err *);
/* Reads CSV, from standard input if `path` is "-". `desc` may be NULL when the file has a "# block" line. Errors name file:line, column and the mend. */
int stimulus_read(const char *path, const struct block_desc *desc, const int32_t *params, struct stimulus *,
                  struct err *);
/* The same without expanding rows that repeat. */
int stimulus_read_rows(const char *path, const struct block_desc *desc, const int32_t *params, struct stimulus *,
                       struct err *);
/* Writes through a temporary name. */
int stimulus_write(const struct stimulus *, const char *path, struct err *);

/* Value of a field of any width: reads and prints as decimal (up to 64 bits) or 0x hex. */
int stimulus_parse_value(const char *text, uint32_t width, uint8_t *at, uint32_t slot);
void stimulus_print_value(const uint8_t *at, uint32_t width, char *out, size_t size);

/* Digest of what an instance answered in the cycles in which it had to be evaluated: all but those that follow a quiet cycle with idle
 * inputs. So it does not depend on which of these a run skipped. `out` as struct B_out. */
struct stimulus_answers {
  uint64_t digest;
  bool quiet; /* an idle cycle now changes nothing */
};
struct stimulus_answers stimulus_answers_none(void); /* after reset */
void stimulus_answers_add(struct stimulus_answers *, const struct block_desc *, uint64_t cycle, bool rst_n,
                          const void *in, const void *out);

/* Memory with whole delta rows. */
struct recorded_piece {
  uint64_t *words;
  size_t n, bytes; /* words in use; of the memory */
};

/* The recorder of an instance: the rows since the last cycle at which the block was as after reset. They lie in pieces: memory that grows in
 * one piece is copied again and again, and is new to the host each time. */
struct stimulus_recorder {
  struct large_pool *pool; /* of its rows; NULL: malloc */
  struct stimulus s;       /* no rows before stimulus_recorder_end() */
  struct delta_image base; /* before the first row */
  struct recorded_piece *piece;
  size_t n_pieces, max_pieces, at; /* those with memory; room for so many; the one that is written */
  size_t n_words, last;            /* in all pieces; head of the last row, in its piece */
  size_t n;                        /* rows */
  bool on;
  bool lost;      /* the recording grew beyond its limit and was dropped */
  bool in_flight; /* the flight recorder has the rows; only `n` and this count: the first cycle of the recording */
  uint64_t from;
};

/* Forgets what was recorded; `now` is the image before the next row. */
void stimulus_recorder_begin(struct stimulus_recorder *, const struct delta_image *now);
/* Adds a row as delta_encode() made it. false: out of memory. */
bool stimulus_recorder_add(struct stimulus_recorder *, const uint64_t *row, unsigned words, bool repeat);
/* Adds `rows` rows of `n` words, which follow what is there. false: out of memory, or too long a recording. */
bool stimulus_recorder_add_rows(struct stimulus_recorder *, const uint64_t *words, size_t n, size_t rows);
/* A row of a recording, from {0}, the first one, on. */
struct recorded_place {
  size_t piece, word;
};
/* Reads the next row into the image, which is the recorder's base at first; its cycle becomes the row's first. 0: there is none. */
size_t stimulus_recorder_next(const struct stimulus_recorder *, struct recorded_place *, struct delta_image *,
                              uint32_t *repeats);
/* Makes s of the recorded rows, one row a cycle. */
int stimulus_recorder_end(struct stimulus_recorder *, struct err *);
/* Writes the rows, of which each stands until the next one's cycle, as stimulus_write() does. No row has repeats. */
int stimulus_recorder_write(const struct stimulus_recorder *, const char *path, struct err *);
/* Forgets the rows, whose memory is not this process's. */
void stimulus_recorder_forget(struct stimulus_recorder *);
void stimulus_recorder_free(struct stimulus_recorder *);

#endif
