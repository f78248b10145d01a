/* SPDX-License-Identifier: Apache-2.0 */
#include "config/stalls.h"

#include "base/err.h"

#include <stddef.h>
#include <string.h>

static struct stall_class classes[STALL_CLASSES_MAX] = {
#define X STALL_CLASS
#include "config/stalls.def"
};
static uint32_t n_classes = STALLS_OWN;

const struct stall_class *stall_class_at(unsigned i) { return i < n_classes ? &classes[i] : NULL; }
uint32_t stall_class_count(void) { return n_classes; }

uint32_t stalls_join(const struct stall_class *rows, uint32_t n) {
  uint32_t first = n_classes;
  invariant(first + n <= STALL_CLASSES_MAX, "no room for %u more stall classes", n);
  if (n) memcpy(&classes[first], rows, n * sizeof *rows);
  n_classes += n;
  return first;
}
