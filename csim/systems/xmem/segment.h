/* SPDX-License-Identifier: Apache-2.0 */
/* The atom segment of a module (Vijaykumar 2019, 2.4.1: the compiler collects the atoms of a program; a version number
 * identifies the format). assumption: the layout, little endian: magic "XMEM", version u16, count u16, then records of
 * XMEM_ATOM_BYTES as xmem_attributes_of reads them. csim/cuda/include/xmem.h writes it. */
#ifndef TANDEM_SYSTEMS_XMEM_SEGMENT_H
#define TANDEM_SYSTEMS_XMEM_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

enum {
  ATOM_SEGMENT_VERSION = 1,
  ATOM_HEAD_BYTES = 8,
  ATOM_RECORD_VERSION = 1,
  ATOM_VERSION_AT = 16 /* byte of a record */
};

struct atom_segment {
  uint32_t version, count;
  bool known;             /* false: unknown version; only the head was read */
  const uint8_t *records; /* count * XMEM_ATOM_BYTES, inside the caller's bytes */
};

/* Checks `size` bytes. ERR_FILE: not a segment, truncated, or a record with invalid attributes; the message names the
 * atom by its number. A record of an unknown version counts as a record without attributes. */
int atom_segment_read(const uint8_t *bytes, size_t size, struct atom_segment *, struct err *);

#endif
