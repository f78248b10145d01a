/* SPDX-License-Identifier: Apache-2.0 */
/* The flight recorder: of each lockstep instance the last 100,000 executed cycles, in a file that can be read whatever ended the run. Of
 * a run that is killed, the file lacks those cycles that the RTL had not followed yet, and up to 2,048 before them. Skipped cycles change
 * nothing and are not counted. Where the RTL follows, the file also has the recording that a divergence leaves (struct
 * stimulus_recorder), so that it may keep more cycles.
 *
 * The file is a row of chunks. One chunk describes an instance; the others hold segments of SEGMENT_CYCLES cycles each, which begin
 * with the state of both sides and go on with delta rows (delta_rows.h). The oldest segment makes room for the next. */
#ifndef TANDEM_DPI_FLIGHT_H
#define TANDEM_DPI_FLIGHT_H

#include "delta_rows.h"
#include "stimulus.h"

enum {
  FLIGHT_SEGMENT_CYCLES = 4096,
  FLIGHT_SEGMENTS = 26, /* complete ones and the one being written: the last 25 * 4096 cycles at least */
  FLIGHT_CHUNK_BYTES = 8192,
  FLIGHT_PIECE_CHUNKS = 128, /* the file grows by so many */
};
#define FLIGHT_FILE "flight.rec"                  /* in the output folder */
#define FLIGHT_MAGIC UINT64_C(0x31474c464d444e54) /* "TNDMFLG1" */

enum flight_kind { FLIGHT_FREE, FLIGHT_INSTANCE, FLIGHT_SEGMENT };

struct flight_chunk {
  uint64_t magic;
  uint32_t kind;     /* enum flight_kind */
  uint32_t instance; /* 0.., in order of creation */
  uint64_t segment;  /* 0.. */
  uint32_t part;     /* of the segment, 0.. */
  uint32_t closed;   /* 1: nothing is added any more, and `sum` holds */
  uint64_t used;     /* words */
  uint64_t sum;
  uint64_t words[(FLIGHT_CHUNK_BYTES - 48) / 8];
};

/* Begins a segment, as words; the image of the inputs, the state of the C model and that of the RTL follow, each in whole words. */
struct flight_state {
  uint64_t cycle; /* of the last row before the segment; 0 without one */
  uint64_t rst_n;
  uint64_t in_words, model_bytes, rtl_bytes;
  uint64_t digest; /* of the C model's registers: says whether the model still understands the state */
};

/* Of the words of a chunk. */
uint64_t flight_sum(const struct flight_chunk *);

/* ---- flight_write.c ---- */

struct flight;
struct seam;

/* Makes `dir`/flight.rec and reserves its first piece. ERR_FILE: the disk is full, or the folder cannot be written. */
int flight_create(const char *dir, struct flight **, struct err *);
void flight_destroy(struct flight *);
/* Adds an instance of lockstep to the recording; `library` names its RTL library. */
int flight_add(struct flight *, struct seam *, const char *library, struct err *);
void flight_remove(struct seam *);
/* Called before each executed cycle; takes the state where a segment is full. */
void flight_before(struct seam *, const struct delta_image *);
/* Begins a segment: the RTL is where `image` ends, and the C model had the state `model`, with flight_digest(), there. */
void flight_segment(struct seam *, const struct delta_image *image, const void *model, uint64_t digest);
/* Whether the disk was full, so that rows are lost until a segment begins. */
bool flight_lost(const struct seam *);
/* Of the C model's registers, all rows. */
uint64_t flight_digest(const struct seam *);
/* Adds the cycle's row. */
void flight_row(struct seam *, const uint64_t *row, unsigned words, bool repeat);

/* Of an instance whose RTL follows: rows come many at a time, and the file has them after flight_write(). ERR_LIMIT: no memory. */
int flight_follow(struct seam *, struct err *);
/* Words of rows that may come at a time. One row is never too long. */
size_t flight_room(const struct seam *);
void flight_rows(struct seam *, const uint64_t *rows, size_t words);
void flight_write(struct seam *);

/* From here on all cycles are kept, however many they become. For a recording of the instance that begins anew. */
void flight_begin(struct seam *);
/* Whether all since flight_begin() are there; not so where the disk is full. */
bool flight_whole(const struct seam *);
/* No more cycles are kept than of an instance that was not begun. */
void flight_end(struct seam *);
/* The file, and which of its instances this is. */
const char *flight_written_to(const struct seam *, unsigned *instance);

/* ---- flight_read.c ---- */

/* A recorded instance. */
struct flight_instance {
  char path[192];
  char block[64];
  char library[256]; /* dpi_library_name() */
  struct stimulus s; /* block, parameters, path, planted bug; no rows */
  uint64_t from, to; /* cycles between which all are recorded; from > to: none */
};

struct flight_reader;

/* Reads what `path` holds, of a run that goes on, ended or was killed. ERR_SYNTAX: that is no recording, or a damaged one. */
int flight_open(const char *path, struct flight_reader **, struct err *);
void flight_close(struct flight_reader *);
unsigned flight_instances(const struct flight_reader *);
/* Its description alone. ERR_VALUE: this program has no such block, or the block's parameters have changed. */
int flight_name(struct flight_reader *, unsigned i, struct flight_instance *, struct err *);
/* And its cycles. */
int flight_instance(struct flight_reader *, unsigned i, struct flight_instance *, struct err *);

/* What a replay starts from instead of a reset. */
struct flight_start {
  const void *model, *rtl;
  size_t model_bytes, rtl_bytes;
  uint64_t cycle, digest;
};
/* The last state before `cycle`, and in *rows (freed by the caller, expanded) the executed cycles from there up to `last`, if recorded.
 * `start` points into the reader. ERR_VALUE: the cycle is not recorded. */
int flight_restore(struct flight_reader *, unsigned i, uint64_t cycle, uint64_t last, struct flight_start *start,
                   struct stimulus *rows, struct err *);

/* Adds all executed cycles from `from` on to *rows. */
int flight_since(struct flight_reader *, unsigned i, uint64_t from, struct stimulus *rows, struct err *);

#endif
