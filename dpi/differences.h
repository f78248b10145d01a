/* SPDX-License-Identifier: Apache-2.0 */
/* Which registers and ports differ between C model and RTL, each with the first cycle in which it does: collected by a replay that
 * does not stop at the first difference. */
#ifndef TANDEM_DPI_DIFFERENCES_H
#define TANDEM_DPI_DIFFERENCES_H

#include "block/block.h"

#include <stdio.h>

struct difference {
  const struct block_field *field;
  bool is_register;
  uint32_t row, rows; /* the first row that differs, and how many differ in that cycle */
  uint64_t cycle;
  uint8_t *expected, *actual; /* C model, RTL: one row, field->slot bytes */
};

struct differences {
  struct difference *list; /* in the order of their first cycles */
  uint32_t n, max;
};

/* Notes a difference of one row, unless the field differed in an earlier cycle. */
void differences_note(struct differences *, const struct block_field *, bool is_register, uint32_t row, uint64_t cycle,
                      const uint8_t *expected, const uint8_t *actual);
/* Registers first, the earliest on top, then ports; a line each, with whole values. */
void differences_print(FILE *, const struct differences *, const int32_t *params);
void differences_free(struct differences *);

#endif
