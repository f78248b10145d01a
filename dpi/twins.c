/* SPDX-License-Identifier: Apache-2.0 */
#include "twins.h"

#include "base/err.h"
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bit `i` of row `row` of a register or port that the netlist calls `name`. */
static uint32_t bit_of(const struct netlist *n, const struct block_field *f, const char *name, uint32_t row, uint32_t i,
                       uint32_t width) {
  const struct netlist_memory *m = f->array ? netlist_find_memory(n, name) : NULL;
  if (m) return row < m->size && i < m->width ? m->first + row * m->width + i : NETLIST_NONE;
  char text[256];
  snprintf(text, sizeof text, f->array ? "%s[%u]" : "%s", name, row);
  const struct netlist_name *net = netlist_find(n, text);
  uint32_t at = f->array ? i : row * width + i;
  return net && at < net->bits.n ? net->bits.bit[at] : NETLIST_NONE;
}

/* Fills the map of one field; returns how many of its bits the netlist has not. */
static uint32_t map_field(const struct twins *t, const struct block_field *f, const char *name, uint32_t *map) {
  uint32_t width = f->width(t->params), rows = f->depth ? f->depth(t->params) : 1, missing = 0;
  for (uint32_t row = 0; row < rows; row++)
    for (uint32_t i = 0; i < width; i++) {
      uint32_t bit = bit_of(t->n, f, name, row, i, width);
      map[8 * (f->offset + row * f->slot) + i] = bit;
      missing += bit == NETLIST_NONE;
    }
  return missing;
}

static void map_ports(const struct twins *t, const struct block_field *f, uint32_t n, const char *suffix,
                      uint32_t *map) {
  char name[128];
  for (uint32_t i = 0; i < n; i++) {
    snprintf(name, sizeof name, "%s%s", f[i].name, suffix);
    map_field(t, &f[i], name, map);
  }
}

static uint32_t *new_map(uint32_t bytes) {
  uint32_t *map = malloc((8 * (size_t)bytes + 1) * sizeof *map);
  if (map) memset(map, 0xff, 8 * (size_t)bytes * sizeof *map);
  return map;
}

static uint32_t one_bit(const struct netlist *n, const char *name) {
  const struct netlist_name *net = netlist_find(n, name);
  return net && net->bits.n ? net->bits.bit[0] : NETLIST_NONE;
}

static bool allocate(struct twins *t) {
  const struct block_desc *d = t->desc;
  t->in = new_map(d->in_bytes);
  t->out = new_map(d->out_bytes);
  t->regs = new_map(d->regs_bytes);
  t->value = calloc(t->n->n_bits + 1, 1);
  t->state = calloc(1, d->model->state_bytes + 64);
  t->model_out = calloc(2, d->out_bytes + 8U);
  t->model_regs = calloc(2, d->regs_bytes + 8U);
  t->wrong = calloc(8 * ((size_t)d->out_bytes + d->regs_bytes) + 1, sizeof *t->wrong);
  if (!t->in || !t->out || !t->regs || !t->value || !t->state || !t->model_out || !t->model_regs || !t->wrong)
    return false;
  t->rtl_out = t->model_out + d->out_bytes + 8;
  t->rtl_regs = t->model_regs + d->regs_bytes + 8;
  return true;
}

int twins_open(struct twins *t, const struct stimulus *s, const struct netlist *n, uint32_t bug, struct err *e) {
  const struct block_desc *d = s->desc;
  *t = (struct twins){.desc = d, .params = s->params, .n = n, .bug = bug};
  if (!n->complete)
    return err_set(e, ERR_UNSUPPORTED, "the netlist of %s has a cell that cannot be evaluated", d->name);
  if (!allocate(t)) return err_set(e, ERR_LIMIT, "out of memory for the netlist of %s", d->name);
  map_ports(t, d->in, d->n_in, "_i", t->in);
  map_ports(t, d->out, d->n_out, "_o", t->out);
  for (uint32_t i = 0; i < d->n_regs; i++)
    map_field(t, &d->regs[i], d->regs[i].rtl ? d->regs[i].rtl : d->regs[i].name, t->regs);
  t->reset = one_bit(n, "rst_ni");
  return 0;
}

void twins_close(struct twins *t) {
  free(t->in);
  free(t->out);
  free(t->regs);
  free(t->value);
  free(t->state);
  free(t->model_out);
  free(t->model_regs);
  free(t->wrong);
}

static void set_bits(struct twins *t, const uint32_t *map, uint32_t bytes, const uint8_t *from) {
  for (uint32_t i = 0; i < 8 * bytes; i++)
    if (map[i] != NETLIST_NONE && map[i] > NETLIST_ONE) t->value[map[i]] = from[i / 8] >> (i % 8) & 1;
}

void twins_evaluate(struct twins *t, const struct trail_row *row, const uint8_t *in) {
  const struct netlist_name *bug = netlist_find(t->n, "tandem_bug_i");
  set_bits(t, t->regs, t->desc->regs_bytes, row->raw);
  set_bits(t, t->in, t->desc->in_bytes, in);
  if (t->reset != NETLIST_NONE) t->value[t->reset] = row->rst_n;
  for (uint32_t i = 0; bug && i < bug->bits.n; i++)
    if (bug->bits.bit[i] > NETLIST_ONE) t->value[bug->bits.bit[i]] = t->bug >> i & 1;
  netlist_evaluate(t->n, t->value);
}

static void run_model(struct twins *t, const struct trail_row *row, const uint8_t *in) {
  const struct block_model *m = t->desc->model;
  memcpy(t->state, row->state, m->state_bytes);
  m->eval(t->params, t->state, in, t->model_out);
  if (row->rst_n || t->desc->no_reset) m->tick(t->params, t->state, in, t->model_out);
  else m->reset(t->params, t->state);
  memset(t->model_regs, 0, t->desc->regs_bytes);
  m->regs(t->params, t->state, t->model_regs);
}

static void put_bit(uint8_t *bytes, uint32_t i, uint8_t value) {
  bytes[i / 8] = (uint8_t)((bytes[i / 8] & ~(1U << i % 8)) | (unsigned)value << i % 8);
}

/* The RTL's outputs, and its registers after the clock edge; a bit that the netlist has not is as the model has it. */
static void take_rtl(struct twins *t) {
  memcpy(t->rtl_out, t->model_out, t->desc->out_bytes);
  memcpy(t->rtl_regs, t->model_regs, t->desc->regs_bytes);
  for (uint32_t i = 0; i < 8 * t->desc->out_bytes; i++)
    if (t->out[i] != NETLIST_NONE) put_bit(t->rtl_out, i, t->value[t->out[i]]);
  for (uint32_t i = 0; i < 8 * t->desc->regs_bytes; i++) {
    uint32_t next = t->regs[i] != NETLIST_NONE ? t->n->next[t->regs[i]] : NETLIST_NONE;
    if (next != NETLIST_NONE) put_bit(t->rtl_regs, i, t->value[next]);
  }
}

/* Of a row that counts on one side alone, the valid bit differs, which is enough. */
static bool counts(const struct twins *t, const struct block_field *f, uint32_t row) {
  if (f->valid < 0) return true;
  uint32_t at = t->desc->regs[f->valid].offset + row / 8;
  return (t->model_regs[at] & t->rtl_regs[at]) >> (row % 8) & 1;
}

static void compare_registers(struct twins *t) {
  for (uint32_t k = 0; k < t->desc->n_regs; k++) {
    const struct block_field *f = &t->desc->regs[k];
    uint32_t rows = f->depth ? f->depth(t->params) : 1;
    for (uint32_t row = 0; row < rows; row++) {
      uint32_t from = 8 * (f->offset + row * f->slot);
      for (uint32_t i = from; i < from + 8 * f->slot && counts(t, f, row); i++) {
        if (!((t->model_regs[i / 8] ^ t->rtl_regs[i / 8]) >> (i % 8) & 1) || t->regs[i] == NETLIST_NONE) continue;
        if (t->n->next[t->regs[i]] != NETLIST_NONE) t->wrong[t->n_wrong++] = t->n->next[t->regs[i]];
      }
    }
  }
}

static void compare_outputs(struct twins *t) {
  for (uint32_t k = 0; k < t->desc->n_out; k++) {
    const struct block_field *f = &t->desc->out[k];
    if (!block_output_counts(t->desc, f, t->model_out)) continue;
    for (uint32_t i = 8 * f->offset; i < 8 * (f->offset + f->slot); i++)
      if (((t->model_out[i / 8] ^ t->rtl_out[i / 8]) >> (i % 8) & 1) && t->out[i] != NETLIST_NONE)
        t->wrong[t->n_wrong++] = t->out[i];
  }
}

bool twins_run(struct twins *t, const struct trail_row *row, const uint8_t *in) {
  twins_evaluate(t, row, in);
  run_model(t, row, in);
  take_rtl(t);
  struct block after = {.desc = t->desc, .state = t->state};
  memcpy(after.params, t->params, t->desc->n_params * sizeof *t->params);
  seam_mask_rows(&after, t->model_regs, t->rtl_regs);
  seam_mask_registers(t->desc, t->params, t->rtl_regs);
  seam_mask_registers(t->desc, t->params, t->model_regs);
  t->n_wrong = 0;
  compare_outputs(t);
  compare_registers(t);
  return !t->n_wrong;
}
