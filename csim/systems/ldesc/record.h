/* SPDX-License-Identifier: Apache-2.0 */
/* A descriptor: one data structure, one locality type (Vijaykumar 2019, 3.3.3). As it stands in the object file it is a record of
 * RECORD_BYTES; csim/cuda/include/ldesc.h writes it and states the layout. What is known at run time only is 0 there. */
#ifndef TANDEM_SYSTEMS_LDESC_RECORD_H
#define TANDEM_SYSTEMS_LDESC_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

enum { RECORD_AXES = 3, RECORD_BYTES = 64, RECORD_VERSION = 1, RECORD_SEGMENT_VERSION = 1, RECORD_HEAD_BYTES = 8 };

enum record_type { TYPE_INTER_THREAD, TYPE_INTRA_THREAD, TYPE_NO_REUSE, RECORD_TYPES };
enum record_sharing { SHARING_COACCESSED, SHARING_NEARBY };
enum record_pattern { PATTERN_REGULAR, PATTERN_IRREGULAR };

struct ldesc_record {
  uint64_t base, bytes;         /* device address and size of the structure */
  uint32_t element;             /* bytes */
  uint32_t length[RECORD_AXES]; /* elements of the structure in x, y, z */
  uint32_t data[RECORD_AXES];   /* elements of a D-Tile */
  uint32_t ctas[RECORD_AXES];   /* CTAs of a C-Tile */
  uint8_t map[RECORD_AXES];     /* rank of each axis of the grid in the walk over C-Tiles; 0: not walked */
  uint8_t type, sharing, pattern;
  uint8_t priority;
  bool local;      /* local memory: neither address nor tiles */
  uint32_t stride; /* bytes; PATTERN_REGULAR */
};

/* Of a record in the object file; false: a version that is unknown here. */
bool ldesc_record_read(const uint8_t bytes[RECORD_BYTES], struct ldesc_record *);

/* Whether all of it can be, grid and memory aside. ERR_VALUE: *e says what cannot. */
int ldesc_record_check(const struct ldesc_record *, struct err *);

/* The records of a module. */
struct ldesc_segment {
  uint32_t version, count;
  bool known;           /* false: unknown version; only the head was read */
  const uint8_t *bytes; /* count * RECORD_BYTES, inside the caller's bytes */
};

/* Checks `size` bytes. ERR_FILE: no segment, cut off, or a record that says what does not exist; the message names it by its number. */
int ldesc_segment_read(const uint8_t *bytes, size_t size, struct ldesc_segment *, struct err *);

#endif
