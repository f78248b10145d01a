/* SPDX-License-Identifier: Apache-2.0 */
/* The atom segment of a module (Vijaykumar 2019, 2.4.1: the compiler gathers the atoms of a program; a version number says how
 * they are written). The layout is ours, little endian: magic "XMEM", version u16, count u16, then the records of
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
  bool known;             /* false: of another version; nothing after the head was looked at */
  const uint8_t *records; /* count * XMEM_ATOM_BYTES, in the bytes that were given */
};

/* Checks `size` bytes. ERR_FILE: no segment, cut off, or a record whose attributes do not exist; the sentence names the atom
 * by its number. A record of another version than ours counts as one without attributes. */
int atom_segment_read(const uint8_t *bytes, size_t size, struct atom_segment *, struct err *);

#endif
