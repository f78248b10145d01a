/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/driven.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GARBAGE = 0xa5 };

bool driven_open(struct driven *d, const struct block_desc *desc, const int32_t *params, uint64_t seed) {
  memset(d, 0, sizeof *d);
  d->driver = block_driver_find(desc->name);
  d->driver_state = d->driver ? calloc(1, d->driver->state_bytes + 1) : NULL;
  d->b = d->driver_state ? block_create_c(desc, desc->name, params, &d->now, false, NULL) : NULL;
  rng_seed(&d->rng, seed);
  if (!d->b) return false;
  memset(d->b->state, GARBAGE, desc->model->state_bytes);
  desc->model->reset(params, d->b->state);
  return true;
}

void driven_close(struct driven *d) {
  block_destroy(d->b);
  free(d->driver_state);
}

void driven_drive(struct driven *d) { d->driver->drive(d->b->params, &d->rng, d->driver_state, d->b->out, d->b->in); }

const char *driven_params_text(const struct block_desc *desc, const int32_t *params, char *text, size_t size) {
  size_t n = 0;
  text[0] = '\0';
  for (uint32_t i = 0; i < desc->n_params && n < size; i++)
    n += (size_t)snprintf(text + n, size - n, "%s%s=%d", i ? " " : "", desc->params[i].name, params[i]);
  return text;
}
