/* SPDX-License-Identifier: Apache-2.0 */
/* One coverage point of a block, and what was counted of it. */
#ifndef TANDEM_BLOCKTEST_COVERAGE_POINT_H
#define TANDEM_BLOCKTEST_COVERAGE_POINT_H

#include <stdbool.h>
#include <stdint.h>

enum { COVERAGE_NAME_BYTES = 160 };

struct coverage_point {
  char name[COVERAGE_NAME_BYTES];
  uint64_t hits;     /* cycles in which it was reached; 1 for a point of all bits of a value */
  uint64_t first;    /* the first of them */
  const char *never; /* why no run reaches it; NULL: a run should */
  bool counted;      /* `hits` counts cycles, not only whether */
};

#endif
