/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block.h"

#include "base/err.h"
#include "base/text.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const block_engine_names[] = {"c", "rtl", "lockstep", NULL};

int block_param_index(const struct block_desc *desc, const char *name) {
  for (uint32_t i = 0; i < desc->n_params; i++)
    if (!strcmp(desc->params[i].name, name)) return (int)i;
  return -1;
}

const struct block_field *block_field_find(const struct block_field *fields, uint32_t n, const char *name) {
  for (uint32_t i = 0; i < n; i++)
    if (!strcmp(fields[i].name, name)) return &fields[i];
  return NULL;
}

void block_default_params(const struct block_desc *desc, int32_t *params) {
  for (uint32_t i = 0; i < desc->n_params; i++) params[i] = desc->params[i].value;
}

int block_set_params(const struct block_desc *desc, const struct block_setting *settings, size_t n, int32_t *params,
                     struct err *e) {
  for (const struct block_setting *s = settings; s < settings + n; s++) {
    int i = block_param_index(desc, s->name);
    if (i < 0) return err_set(e, ERR_VALUE, "the block %s has no parameter '%s'", desc->name, s->name);
    const struct block_param *p = &desc->params[i];
    if (s->value < p->min || s->value > p->max)
      return err_set(e, ERR_VALUE, "%s: parameter %s=%lld is outside %d..%d", desc->name, s->name, (long long)s->value,
                     p->min, p->max);
    params[i] = (int32_t)s->value;
  }
  return 0;
}

int block_set_param_text(const struct block_desc *desc, const char *text, int32_t *params, struct err *e) {
  char name[64];
  struct block_setting s = {.name = name};
  size_t n = strcspn(text, "=");
  snprintf(name, sizeof name, "%.*s", (int)n, text);
  if (!text[n] || !text_to_int64(text + n + 1, &s.value))
    return err_set(e, ERR_USAGE, "'%s': write NAME=NUMBER, decimal or 0x", text);
  return block_set_params(desc, &s, 1, params, e);
}

struct block *block_make(struct block_factory *factory, const struct block_desc *desc, const char *path,
                         const struct block_setting *settings, size_t n, const uint64_t *now, struct err *e) {
  int32_t params[BLOCK_PARAMS_MAX];
  block_default_params(desc, params);
  for (size_t k = 0; k < n; k++) {
    int i = block_param_index(desc, settings[k].name);
    invariant(i >= 0, "the block %s has no parameter %s", desc->name, settings[k].name);
    params[i] = (int32_t)settings[k].value;
  }
  return factory ? factory->create(factory, desc, path, params, now, e)
                 : block_create_c(desc, path, params, now, true, e);
}

/* Widths and depths may be products of parameters, each in its range, that exceed the laid-out size. */
static int check_sizes(const struct block_desc *desc, const struct block_field *f, uint32_t n, const int32_t *params,
                       struct err *e) {
  for (uint32_t i = 0; i < n; i++) {
    uint32_t rows = f[i].depth ? f[i].depth(params) : 1;
    if (f[i].width(params) > 8 * f[i].slot || rows > f[i].rows)
      return err_set(e, ERR_VALUE, "%s: with these parameters %s has %u x %u bits; %u x %u are laid out", desc->name,
                     f[i].name, rows, f[i].width(params), f[i].rows, 8 * f[i].slot);
  }
  return 0;
}

const char *block_unmet_need(const struct block_desc *desc, const int32_t *params) {
  for (const struct block_need *n = desc->needs; n && n->sentence; n++)
    if (!n->holds(params)) return n->sentence;
  return NULL;
}

int block_check_params(const struct block_desc *desc, const int32_t *params, struct err *e) {
  for (uint32_t i = 0; i < desc->n_params; i++)
    if (params[i] < desc->params[i].min || params[i] > desc->params[i].max)
      return err_set(e, ERR_VALUE, "%s: parameter %s=%d is outside %d..%d", desc->name, desc->params[i].name, params[i],
                     desc->params[i].min, desc->params[i].max);
  const char *unmet = block_unmet_need(desc, params);
  if (unmet) {
    char text[256] = "";
    size_t n = 0;
    for (uint32_t i = 0; i < desc->n_params && n < sizeof text; i++)
      n += (size_t)snprintf(text + n, sizeof text - n, " %s=%d", desc->params[i].name, params[i]);
    return err_set(e, ERR_VALUE, "%s%s cannot be: %s", desc->name, text, unmet);
  }
  int status = check_sizes(desc, desc->in, desc->n_in, params, e);
  if (!status) status = check_sizes(desc, desc->out, desc->n_out, params, e);
  return status ? status : check_sizes(desc, desc->regs, desc->n_regs, params, e);
}

bool block_desc_idle(const struct block_desc *desc, const void *in) {
  if (desc->idle) return desc->idle(in);
  uint64_t enables = 0;
  uint32_t n = desc->in_bytes - desc->enable_offset;
  memcpy(&enables, (const uint8_t *)in + desc->enable_offset, n < sizeof enables ? n : sizeof enables);
  return !(enables & desc->enable_mask);
}

void block_note_quiet(struct block *b) {
  b->quiet = !((const uint8_t *)b->out)[b->desc->busy_offset] && b->skip && b->rst_n && block_idle(b);
}

void block_c_eval(struct block *b) {
  b->profile.cycles++;
  b->profile.c_evals++;
  if (!b->rst_n && b->desc->async_reset) b->desc->model->reset(b->params, b->state);
  block_model_eval(b);
}

void block_c_tick(struct block *b) {
  const struct block_model *m = b->desc->model;
  if (!b->rst_n && !b->desc->no_reset) m->reset(b->params, b->state);
  else if (m->finish) m->finish(b->params, b->state, b->in, b->out, b->step);
  else m->tick(b->params, b->state, b->in, b->out);
  block_note_quiet(b);
}

/* With the address sanitizer the bytes between the parts of an instance are forbidden: a model that writes outside of its state, or of
 * its outputs, is stopped there. */
#if defined(__SANITIZE_ADDRESS__)
enum { GAP = 64 };
#define FORBID(from, to) __asan_poison_memory_region(from, (size_t)((to) - (from)))
#else
enum { GAP = 0 };
#define FORBID(from, to) ((void)(from), (void)(to))
#endif

/* Says which bytes of the inputs are of enable inputs, late or not, up to the widths at these parameters. */
static void mark_enables(const struct block_desc *desc, const int32_t *params, bool late, uint8_t *mask) {
  for (const struct block_field *f = desc->in; f < desc->in + desc->n_in; f++)
    if (f->enable && f->late == late)
      for (uint32_t row = 0; row < (f->depth ? f->depth(params) : 1); row++)
        memset(mask + f->offset + row * f->slot, 0xff, (f->width(params) + 7) / 8);
}

/* The fewest pieces of sixteen bytes that have all bytes of the mask. */
static uint32_t gather(const struct block_desc *desc, const uint8_t *mask, struct block_piece *to) {
  uint32_t n = 0;
  for (uint32_t at = 0; at < desc->in_bytes; at++) {
    if (!mask[at]) continue;
    to[n].offset = at;
    memcpy(&to[n++].mask, mask + at, sizeof to->mask);
    at += (uint32_t)sizeof to->mask - 1;
  }
  return n;
}

/* How block_enabled() sees the inputs. */
static void find_enables(struct block *b, bool late, uint8_t *mask, struct block_piece *pieces) {
  struct block_enables *e = late ? &b->late : &b->early;
  size_t bytes = b->desc->in_bytes;
  memset(mask, 0, bytes);
  mark_enables(b->desc, b->params, late, mask);
  uint32_t n = gather(b->desc, mask, pieces);
  *e = (struct block_enables){.at = (const uint8_t *)b->in + (n ? pieces[0].offset : 0)};
  if (n == 1) memcpy(e->mask, &pieces[0].mask, sizeof e->mask);
  if (n > 1) e->piece = pieces, e->n_pieces = n;
}

enum { LINE = 64, PORT_BYTES = 16 /* beyond the inputs: block_enabled() reads whole pieces */ };

/* Each instance is one allocation: handle, ports, state, path, enables, each on lines of its own or 16-byte aligned. */
struct block *block_alloc(const struct block_desc *desc, const char *path, const int32_t *params, const uint64_t *now,
                          bool skip, struct err *e) {
  if (block_check_params(desc, params, e)) return NULL;
  size_t mask = desc->in_bytes + PORT_BYTES, pieces = (mask / 16 + 1) * sizeof(struct block_piece);
  size_t parts[] = {sizeof(struct block),
                    desc->in_bytes + PORT_BYTES,
                    desc->out_bytes + 8U,
                    desc->model->state_bytes,
                    strlen(path) + 1,
                    desc->model->step_bytes,
                    mask,
                    2 * pieces};
  enum { PARTS = sizeof parts / sizeof *parts };
  size_t offset[PARTS + 1] = {0};
  for (int i = 0; i < PARTS; i++) offset[i + 1] = offset[i] + (parts[i] + 15) / 16 * 16 + GAP;
  size_t bytes = (offset[PARTS] + LINE - 1) / LINE * LINE;
  uint8_t *memory = aligned_alloc(LINE, bytes);
  if (!memory) {
    err_set(e, ERR_LIMIT, "out of memory for the block %s", path);
    return NULL;
  }
  memset(memory, 0, bytes);
  for (int i = 0; i < PARTS; i++) FORBID(memory + offset[i] + parts[i], memory + offset[i + 1]);
  struct block *b = (struct block *)(void *)memory;
  b->in = memory + offset[1];
  b->out = memory + offset[2];
  b->state = memory + offset[3];
  b->step = memory + offset[5];
  b->path = memcpy(memory + offset[4], path, parts[4]);
  b->desc = desc;
  b->now = now;
  b->skip = skip;
  b->rst_n = true;
  for (uint32_t i = 0; i < desc->n_in; i++) b->late_enable |= desc->in[i].late && desc->in[i].enable;
  memcpy(b->params, params, desc->n_params * sizeof *params);
  for (int late = 0; late < 2; late++)
    find_enables(b, late, memory + offset[6], (struct block_piece *)(void *)(memory + offset[7] + (late ? pieces : 0)));
  desc->model->reset(b->params, b->state);
  return b;
}

struct block *block_create_c(const struct block_desc *desc, const char *path, const int32_t *params,
                             const uint64_t *now, bool skip, struct err *e) {
  struct block *b = block_alloc(desc, path, params, now, skip, e);
  if (!b) return NULL;
  b->engine = ENGINE_C;
  b->eval = block_c_eval;
  b->tick = block_c_tick;
  return b;
}

void block_destroy(struct block *b) {
  if (!b) return;
  if (b->destroy) b->destroy(b);
  free(b);
}
