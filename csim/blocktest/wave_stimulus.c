/* SPDX-License-Identifier: Apache-2.0 */
#include "blocktest/wave_stimulus.h"

#include "base/text.h"
#include "base/yaml_tree.h"
#include "blocktest/vcd.h"
#include "replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BITS_MAX = BLOCK_PORTS_MAX * 64, CONSTANT = UINT16_MAX };

/* Where a bit of a port comes from: a bit of a signal, or a constant. */
struct source {
  uint16_t handle, bit; /* handle CONSTANT: `bit` is the value */
};

struct port {
  const struct block_field *field;
  uint32_t width;
  struct source *source; /* by bit, the lowest first; NULL: not mapped */
  bool unknown;          /* an unknown bit has been told */
};

struct map {
  struct yaml_tree *tree;
  struct vcd *vcd;
  unsigned clock, reset;
  bool falling, has_reset, reset_high;
  struct port in[BLOCK_PORTS_MAX], out[BLOCK_PORTS_MAX];
};

bool wave_stimulus_is_wave(const char *path) {
  size_t n = strlen(path);
  return n > 4 && (!strcmp(path + n - 4, ".vcd") || !strcmp(path + n - 4, ".fst"));
}

/* ---- the map ---- */

static int at_node(const struct map *m, yaml_at node, struct err *e) {
  char place[YAML_PLACE_BYTES];
  return err_prefix(e, "%s", yaml_place(m->tree, node, place));
}

/* "tb.word[7:4]" into the name and its bits; without a range all of them. */
static int follow_part(struct map *m, yaml_at node, unsigned *handle, unsigned *high, unsigned *low, struct err *e) {
  char name[512];
  const char *text = yaml_text(node) ? yaml_text(node) : "", *range = strrchr(text, '[');
  unsigned width;
  int used = 0;
  bool ranged = range && sscanf(range, "[%u:%u]%n", high, low, &used) == 2 && used && !range[used];
  if (range && !ranged && sscanf(range, "[%u]%n", high, &used) == 1 && used && !range[used])
    *low = *high, ranged = true;
  snprintf(name, sizeof name, "%.*s", (int)(ranged ? (size_t)(range - text) : strlen(text)), text);
  if (vcd_follow(m->vcd, name, handle, &width, e)) return at_node(m, node, e);
  if (!ranged) *high = width - 1, *low = 0;
  if (*high < width && *low <= *high) return 0;
  err_put(e, ERR_VALUE, "%s: the signal has bits %u to 0", text, width - 1);
  return at_node(m, node, e);
}

static int map_constant(struct map *m, struct port *p, yaml_at node, struct err *e) {
  uint8_t value[BITS_MAX / 8 + 1] = {0};
  if (stimulus_parse_value(yaml_text(node), p->width, value, (p->width + 7) / 8)) {
    err_put(e, ERR_VALUE, "input %s: %s does not fit %u bits", p->field->name, yaml_text(node), p->width);
    return at_node(m, node, e);
  }
  for (uint32_t i = 0; i < p->width; i++) p->source[i] = (struct source){CONSTANT, value[i / 8] >> i % 8 & 1};
  return 0;
}

/* Parts from the highest to the lowest. */
static int map_signals(struct map *m, struct port *p, yaml_at node, struct err *e) {
  bool single = yaml_text(node) != NULL;
  size_t n = single ? 1 : yaml_size(m->tree, node);
  uint32_t at = 0;
  for (size_t i = n; i-- > 0;) {
    yaml_at part = single ? node : yaml_entry(m->tree, node, i, NULL);
    unsigned handle = 0, high = 0, low = 0;
    if (!yaml_text(part)) {
      err_put(e, ERR_SYNTAX, "port %s: a part is the name of a signal", p->field->name);
      return at_node(m, node, e);
    }
    int status = follow_part(m, part, &handle, &high, &low, e);
    if (status) return status;
    for (unsigned bit = low; bit <= high; bit++, at++)
      if (at < p->width) p->source[at] = (struct source){(uint16_t)handle, (uint16_t)bit};
  }
  if (at == p->width) return 0;
  err_put(e, ERR_VALUE, "port %s has %u bits, what is mapped to it has %u", p->field->name, p->width, at);
  return at_node(m, node, e);
}

static int map_ports(struct map *m, const char *key, const struct block_desc *desc, const struct block_field *fields,
                     uint32_t n, struct port *ports, const int32_t *params, struct err *e) {
  yaml_at map = yaml_get(m->tree, yaml_tree_root(m->tree), key);
  for (uint32_t i = 0; i < n; i++) ports[i] = (struct port){.field = &fields[i], .width = fields[i].width(params)};
  for (size_t i = 0; i < yaml_size(m->tree, map); i++) {
    const char *name;
    yaml_at node = yaml_entry(m->tree, map, i, &name);
    const struct block_field *f = name ? block_field_find(fields, n, name) : NULL;
    if (!f) {
      err_put(e, ERR_VALUE, "%s has no port %s among its %s; tandem list blocks %s names them", desc->name,
              name ? name : "", key, desc->name);
      return at_node(m, node, e);
    }
    struct port *p = &ports[f - fields];
    p->source = calloc(p->width + 1, sizeof *p->source);
    if (!p->source) return err_set(e, ERR_LIMIT, "out of memory for a map of signals");
    int64_t number;
    const char *text = yaml_text(node);
    bool constant = text && fields == desc->in && (text_to_int64(text, &number) || !strncmp(text, "0x", 2));
    int status = constant ? map_constant(m, p, node, e) : map_signals(m, p, node, e);
    if (status) return status;
  }
  return 0;
}

/* "NAME", or {signal: NAME, KEY: one of two words}; *second: the second word. */
static int map_line(struct map *m, const char *name, const char *key, const char *const words[2], unsigned *handle,
                    bool *second, bool *there, struct err *e) {
  yaml_at node = yaml_get(m->tree, yaml_tree_root(m->tree), name);
  const char *text = yaml_text(node), *word = NULL;
  const char *const keys[] = {"signal", key, NULL};
  unsigned width;
  *there = node != NULL;
  if (!node) return 0;
  int status = 0;
  if (!text) {
    status = yaml_check_keys(m->tree, node, name, keys, e);
    if (!status) status = yaml_need_text(m->tree, node, "signal", 1, &text, e);
    if (!status) status = yaml_need_text(m->tree, node, key, 0, &word, e);
    if (status) return status;
  }
  if (word && strcmp(word, words[0]) != 0 && strcmp(word, words[1]) != 0) {
    err_put(e, ERR_VALUE, "%s: %s is not %s or %s", key, word, words[0], words[1]);
    return at_node(m, node, e);
  }
  *second = word && !strcmp(word, words[1]);
  if (vcd_follow(m->vcd, text, handle, &width, e)) return at_node(m, node, e);
  if (width == 1) return 0;
  err_put(e, ERR_VALUE, "%s: %s has %u bits, and must have one", name, text, width);
  return at_node(m, node, e);
}

static int read_map(struct map *m, const char *path, const struct block_desc *desc, const int32_t *params,
                    struct err *e) {
  static const char *const keys[] = {"clock", "reset", "inputs", "outputs", NULL};
  static const char *const edges[] = {"rising", "falling"}, *const levels[] = {"low", "high"};
  bool has_clock = false;
  int status = yaml_tree_open(&m->tree, path, e);
  if (!status) status = yaml_check_keys(m->tree, yaml_tree_root(m->tree), "a map of signals", keys, e);
  if (!status) status = map_line(m, "clock", "edge", edges, &m->clock, &m->falling, &has_clock, e);
  if (!status && !has_clock)
    status = err_set(e, ERR_VALUE, "%s: no clock; write clock: and the name of its signal", path);
  if (!status) status = map_line(m, "reset", "active", levels, &m->reset, &m->reset_high, &m->has_reset, e);
  if (!status) status = map_ports(m, "inputs", desc, desc->in, desc->n_in, m->in, params, e);
  if (!status) status = map_ports(m, "outputs", desc, desc->out, desc->n_out, m->out, params, e);
  for (uint32_t i = 0; i < desc->n_in && !status; i++)
    if (!m->in[i].source)
      status = err_set(e, ERR_VALUE, "%s: the input %s of %s is not mapped; add it to inputs:, as a signal or a number",
                       path, desc->in[i].name, desc->name);
  return status;
}

static void close_map(struct map *m) {
  yaml_tree_close(m->tree);
  vcd_close(m->vcd);
  for (uint32_t i = 0; i < BLOCK_PORTS_MAX; i++) {
    free(m->in[i].source);
    free(m->out[i].source);
  }
  free(m);
}

/* ---- cycles ---- */

/* Bits just before the edge; false if one is unknown. */
static bool sample(const struct map *m, const struct port *p, uint8_t *value, uint8_t *known) {
  bool all = true;
  for (uint32_t i = 0; i < p->width; i++) {
    const struct source *s = &p->source[i];
    char bit = s->handle == CONSTANT ? (char)('0' + s->bit) : vcd_bit_before(m->vcd, s->handle, s->bit);
    if (bit == '1') value[i / 8] |= (uint8_t)(1U << i % 8);
    if (bit != '0' && bit != '1') all = false;
    else if (known) known[i / 8] |= (uint8_t)(1U << i % 8);
  }
  return all;
}

static int add_outputs(const struct map *m, const struct stimulus *s, struct wave_outputs *o, struct err *e) {
  size_t bytes = s->desc->out_bytes, n = s->n;
  if (!(n & (n - 1))) { /* room for as many again */
    uint8_t *value = realloc(o->value, 2 * n * bytes), *known = value ? realloc(o->known, 2 * n * bytes) : NULL;
    if (value) o->value = value;
    if (!known) return err_set(e, ERR_LIMIT, "out of memory for the outputs of a wave");
    o->known = known;
  }
  memset(o->value + (n - 1) * bytes, 0, bytes);
  memset(o->known + (n - 1) * bytes, 0, bytes);
  for (uint32_t i = 0; i < s->desc->n_out; i++) {
    uint32_t offset = s->desc->out[i].offset;
    if (m->out[i].source)
      sample(m, &m->out[i], o->value + (n - 1) * bytes + offset, o->known + (n - 1) * bytes + offset);
  }
  return 0;
}

static int add_cycle(struct map *m, struct stimulus *s, struct wave_outputs *o, FILE *notes, struct err *e) {
  struct stimulus_row *row = stimulus_append(s);
  if (!row) return err_set(e, ERR_LIMIT, "out of memory for %zu cycles", s->n);
  row->cycle = s->n - 1;
  char reset = m->has_reset ? vcd_bit_before(m->vcd, m->reset, 0) : '0';
  row->rst_n = m->has_reset ? reset == (m->reset_high ? '0' : '1') : 1; /* an unknown reset is one */
  for (uint32_t i = 0; i < s->desc->n_in; i++) {
    struct port *p = &m->in[i];
    if (sample(m, p, row->in + p->field->offset, NULL) || p->unknown || !row->rst_n) continue;
    p->unknown = true;
    fprintf(notes, "note: unknown bits of input %s are taken as 0, the first in cycle %" PRIu64 ", time %" PRIu64 "\n",
            p->field->name, row->cycle, vcd_time(m->vcd));
  }
  return add_outputs(m, s, o, e);
}

static int read_cycles(struct map *m, struct stimulus *s, struct wave_outputs *o, FILE *notes, struct err *e) {
  char from = m->falling ? '1' : '0', to = m->falling ? '0' : '1';
  bool more;
  for (;;) {
    int status = vcd_step(m->vcd, &more, e);
    if (status || !more) return status;
    if (vcd_bit(m->vcd, m->clock, 0) != to || vcd_bit_before(m->vcd, m->clock, 0) != from) continue;
    if ((status = add_cycle(m, s, o, notes, e))) return status;
  }
}

int wave_stimulus_read(const char *wave, const char *path, const struct block_desc *desc, const int32_t *params,
                       struct stimulus *s, struct wave_outputs *o, FILE *notes, struct err *e) {
  struct map *m = calloc(1, sizeof *m);
  *o = (struct wave_outputs){.any = false};
  stimulus_init(s, desc, params);
  int status = m ? vcd_open(&m->vcd, wave, e) : err_set(e, ERR_LIMIT, "out of memory for a map of signals");
  if (!status) status = read_map(m, path, desc, s->params, e);
  if (!status) {
    s->has_rst_n = m->has_reset;
    for (uint32_t i = 0; i < desc->n_out; i++) o->any |= m->out[i].source != NULL;
    status = read_cycles(m, s, o, notes, e);
  }
  if (!status && !s->n) status = err_set(e, ERR_VALUE, "%s: the clock of %s has no edge", wave, path);
  if (m) close_map(m);
  if (!status) return 0;
  wave_outputs_free(o);
  stimulus_free(s);
  return status;
}

void wave_outputs_free(struct wave_outputs *o) {
  free(o->value);
  free(o->known);
  *o = (struct wave_outputs){.any = false};
}

/* ---- comparing ---- */

struct comparison {
  const struct wave_outputs *o;
  const struct stimulus *s;
  FILE *f;
  bool equal;
};

static bool compare_row(void *self, size_t i, const struct stimulus_row *row, const struct block *block) {
  const void *out = block->out;
  struct comparison *c = self;
  const struct block_desc *desc = c->s->desc;
  const uint8_t *value = c->o->value + i * desc->out_bytes, *known = c->o->known + i * desc->out_bytes;
  for (uint32_t k = 0; k < desc->n_out; k++) {
    const struct block_field *f = &desc->out[k];
    const uint8_t *model = (const uint8_t *)out + f->offset;
    uint32_t bytes = (f->width(c->s->params) + 7) / 8;
    if (!block_output_counts(desc, f, out)) continue;
    for (uint32_t b = 0; b < bytes && c->equal; b++)
      c->equal = !((model[b] ^ value[f->offset + b]) & known[f->offset + b]);
    if (c->equal) continue;
    char expected[STIMULUS_TEXT], actual[STIMULUS_TEXT];
    stimulus_print_value(model, f->width(c->s->params), expected, sizeof expected);
    stimulus_print_value(value + f->offset, f->width(c->s->params), actual, sizeof actual);
    fprintf(c->f,
            "the wave differs from the C model in cycle %" PRIu64
            " at port %s: expected %s (C model), actual %s (wave)\n",
            row->cycle, f->name, expected, actual);
    return false;
  }
  return true;
}

int wave_outputs_check(const struct wave_outputs *o, const struct stimulus *s, FILE *f, bool *equal, struct err *e) {
  struct comparison c = {.o = o, .s = s, .f = f, .equal = true};
  struct replay r = {.engine = ENGINE_C, .row = compare_row, .self = &c};
  bool diverged;
  int status = replay_run(&r, s, NULL, &diverged, e);
  *equal = c.equal;
  return status;
}
