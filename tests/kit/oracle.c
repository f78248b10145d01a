/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/oracle.h"

#include "kit/driven.h"
#include "kit/test.h"

enum { RESET_ONE_IN = 4096 };

static void print_bytes(const char *who, const uint8_t *bytes, uint32_t n) {
  print_message("  %s 0x", who);
  while (n--) print_message("%02x", bytes[n]);
  print_message("\n");
}

static void compare(const struct driven *d, const uint8_t *expected) {
  const struct block_desc *desc = d->b->desc;
  const uint8_t *actual = d->b->out;
  char text[256];
  for (uint32_t i = 0; i < desc->n_out; i++) {
    const struct block_field *f = &desc->out[i];
    if (!memcmp(actual + f->offset, expected + f->offset, f->slot)) continue;
    print_bytes("model ", actual + f->offset, f->slot);
    print_bytes("oracle", expected + f->offset, f->slot);
    fail_msg("%s (%s), cycle %" PRIu64 ": output %s differs", desc->name,
             driven_params_text(desc, d->b->params, text, sizeof text), d->now, f->name);
  }
}

static void run_set(const struct block_desc *desc, const int32_t *params, const struct oracle *o, uint64_t seed,
                    uint32_t cycles) {
  struct driven d;
  void *state = malloc(o->state_bytes);
  uint8_t *out = calloc(1, desc->out_bytes);
  assert_true(driven_open(&d, desc, params, seed) && state && out);
  o->reset(params, state);
  for (d.now = 0; d.now < cycles; d.now++) {
    driven_drive(&d);
    d.b->rst_n = rng_below(&d.rng, RESET_ONE_IN) != 0;
    block_eval(d.b);
    memset(out, 0, desc->out_bytes);
    o->eval(params, state, d.b->in, out);
    compare(&d, out);
    block_tick(d.b);
    if (d.b->rst_n) o->tick(params, state, d.b->in, out);
    else o->reset(params, state);
  }
  driven_close(&d);
  free(state);
  free(out);
}

void assert_oracle_agrees(const struct block_desc *desc, const struct oracle *o, uint64_t seed, uint32_t cycles) {
  print_message("seed %" PRIu64 "\n", seed);
  for (uint32_t set = 0; set < desc->n_sweep; set++)
    run_set(desc, desc->sweep + set * desc->n_params, o, seed + set, cycles);
}
