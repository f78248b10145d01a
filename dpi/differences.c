/* SPDX-License-Identifier: Apache-2.0 */
#include "differences.h"

#include "stimulus.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void differences_note(struct differences *all, const struct block_field *f, bool is_register, uint32_t row,
                      uint64_t cycle, const uint8_t *expected, const uint8_t *actual) {
  for (uint32_t i = 0; i < all->n; i++) {
    struct difference *d = &all->list[i];
    if (d->field != f) continue;
    d->rows += d->cycle == cycle && d->row != row;
    return;
  }
  if (all->n == all->max) {
    uint32_t max = all->max ? 2 * all->max : 16;
    struct difference *list = realloc(all->list, max * sizeof *list);
    if (!list) return; /* a page with fewer lines */
    all->list = list;
    all->max = max;
  }
  uint8_t *values = malloc(2 * (size_t)f->slot);
  if (!values) return;
  memcpy(values, expected, f->slot);
  memcpy(values + f->slot, actual, f->slot);
  all->list[all->n++] = (struct difference){.field = f,
                                            .is_register = is_register,
                                            .row = row,
                                            .rows = 1,
                                            .cycle = cycle,
                                            .expected = values,
                                            .actual = values + f->slot};
}

static void print_one(FILE *f, const struct difference *d, const int32_t *params) {
  uint32_t width = d->field->width(params);
  size_t size = 2 * (size_t)d->field->slot + 24;
  char *expected = malloc(size), *actual = malloc(size);
  if (expected && actual) {
    stimulus_print_value(d->expected, width, expected, size);
    stimulus_print_value(d->actual, width, actual, size);
    fprintf(f, "  %10" PRIu64 "  %s", d->cycle, d->field->name);
    if (d->field->depth) fprintf(f, " row %u", d->row);
    fprintf(f, ": expected %s, actual %s", expected, actual);
    if (d->rows > 1) fprintf(f, " (and %u rows more)", d->rows - 1);
    fputc('\n', f);
  }
  free(expected);
  free(actual);
}

static void print_kind(FILE *f, const struct differences *all, bool registers, const int32_t *params) {
  bool any = false;
  for (uint32_t i = 0; i < all->n; i++) {
    if (all->list[i].is_register != registers) continue;
    if (!any)
      fprintf(f, "\n%s that differ, with the first cycle in which they do:\n", registers ? "registers" : "ports");
    any = true;
    print_one(f, &all->list[i], params);
  }
}

void differences_print(FILE *f, const struct differences *all, const int32_t *params) {
  print_kind(f, all, true, params);
  print_kind(f, all, false, params);
}

void differences_free(struct differences *all) {
  for (uint32_t i = 0; i < all->n; i++) free(all->list[i].expected);
  free(all->list);
  *all = (struct differences){0};
}
