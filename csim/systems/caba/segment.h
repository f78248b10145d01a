/* SPDX-License-Identifier: Apache-2.0 */
/* The routines that a module brings along: the variable __caba_routines, which csim/cuda/include/caba.h writes and describes. */
#ifndef TANDEM_SYSTEMS_CABA_SEGMENT_H
#define TANDEM_SYSTEMS_CABA_SEGMENT_H

#include <stddef.h>
#include <stdint.h>

struct err;

enum { ROUTINE_SEGMENT_VERSION = 1, ROUTINE_HEAD_BYTES = 12 };

struct routine_segment {
  const char *text; /* inside of the caller's bytes */
  size_t length;
};

/* Checks `size` bytes. ERR_FILE: no segment, one that is cut off or too long, one of another version. */
int routine_segment_read(const uint8_t *bytes, size_t size, struct routine_segment *, struct err *);

#endif
