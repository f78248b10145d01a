/* SPDX-License-Identifier: Apache-2.0 */
/* Units of hardware that compress and decompress lines (Vijaykumar 2019, 5.5.1): blocks bdi_enc, a line a cycle in five stages, and bdi_dec, a
 * line a cycle. A line goes in when the unit has time, one a cycle. What it takes is known from the coder (coder.h) at once; the unit makes it
 * again, and what it makes otherwise is counted. */
#ifndef TANDEM_SYSTEMS_CABA_UNITS_H
#define TANDEM_SYSTEMS_CABA_UNITS_H

#include "base/ring.h"
#include "systems/caba/coder.h"

#include <stdbool.h>
#include <stdint.h>

struct block;
struct block_factory;
struct err;

enum { UNIT_LINES = 256 }; /* that wait for a unit */

struct unit_line {
  uint8_t line[CABA_LINE], image[CABA_LINE];
  uint32_t bytes; /* of the image */
};

struct caba_unit {
  struct block *enc, *dec;
  struct caba_coder coder;
  struct ring lines, images;      /* that wait for enc, and are in it; that wait for dec */
  struct unit_line *line, *image; /* UNIT_LINES each */
  uint32_t inside;                /* of `lines`, the oldest: those in enc */
  bool resets;                    /* the next cycle is a reset of enc */
  char enc_path[32], dec_path[32];
};

/* Blocks PATH.bdi_enc and PATH.bdi_dec; `now`: cycle of their clock. ERR_LIMIT, or what a block refuses. */
int caba_unit_create(struct caba_unit *, const struct caba_coder *, const char *path, struct block_factory *,
                     const uint64_t *now, struct err *);
void caba_unit_destroy(struct caba_unit *);
/* The line is compressed; returns what it takes, and its image in `image`. */
uint32_t caba_unit_compress(struct caba_unit *, const uint8_t line[CABA_LINE], uint8_t image[CABA_LINE]);
/* An image of `bytes` bytes, below CABA_LINE, is decompressed to `line`. */
void caba_unit_decompress(struct caba_unit *, const uint8_t image[CABA_LINE], uint32_t bytes,
                          const uint8_t line[CABA_LINE]);
bool caba_unit_busy(const struct caba_unit *);
/* A cycle, while it is busy. How many lines or images came out as others than they are, 0..2. */
uint32_t caba_unit_cycle(struct caba_unit *);
/* A launch was killed: nothing is in it any more. */
void caba_unit_forget(struct caba_unit *);

#endif
