/* SPDX-License-Identifier: Apache-2.0 */
/* Counts comparators in an elaborated design, before operators are mapped to gates (Yuan 2009, table 4.1, counts compared
 * bits). From the netlist's structure alone, a bit position counts
 *   - of == != < <= > >=: variable on both sides; a comparison with a constant, as in a decoder, is no comparator,
 *   - of a subtraction of which only the sign is used: likewise,
 *   - of a bitwise exclusive or: a stored bit against one that depends on the block's inputs,
 *   - of a bitwise and: a stored bit against an incoming one (a function of inputs alone) that has an input bit of its own, one
 *     that meets no other stored bit: a stored grant and its request. The data of a multiplexer meet many stored bits. */
#include "synth/comparators.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct net {
  const json_t *cell;               /* that drives it, or NULL */
  uint32_t at;                      /* its bit of the cell's output */
  uint32_t met;                     /* of an input: the stored bit that it meets, 0: none */
  uint32_t seen;                    /* last search that came here */
  bool stored, input, used, shared; /* shared: it meets several stored bits */
};

struct count {
  struct net *net;
  uint32_t n, searches;
  bool from_stored, from_input; /* of the last search */
};

/* The number of bit i; 0: constant or absent. (Yosys numbers nets from 2 on.) */
static uint32_t bit_of(const json_t *bits, size_t i) {
  const json_t *bit = json_array_get(bits, i);
  return json_is_integer(bit) ? (uint32_t)json_integer_value(bit) : 0;
}

static const json_t *port(const json_t *cell, const char *name) {
  return json_object_get(json_object_get(cell, "connections"), name);
}

static const char *type_of(const json_t *cell) { return json_string_value(json_object_get(cell, "type")); }

static bool is_one_of(const char *type, const char *const *types) {
  while (*types && strcmp(type, *types) != 0) types++;
  return *types;
}

static bool is_comparison(const char *type) {
  static const char *const types[] = {"$eq", "$ne", "$eqx", "$nex", "$lt", "$le", "$gt", "$ge", NULL};
  return is_one_of(type, types);
}

/* Bit i of the output depends on bit i of A and B (and on S) only. */
static bool is_bitwise(const char *type) {
  static const char *const types[] = {"$and", "$or", "$xor", "$xnor", "$not", "$mux", NULL};
  return is_one_of(type, types);
}

static void note_cell(struct count *c, const json_t *cell) {
  const char *name, *type = type_of(cell);
  bool keeps = strstr(type, "dff") || !strcmp(type, "$ff") || strstr(type, "$mem");
  json_t *bits;
  json_object_foreach(json_object_get(cell, "connections"), name, bits) {
    const char *way = json_string_value(json_object_get(json_object_get(cell, "port_directions"), name));
    bool output = way && !strcmp(way, "output");
    for (size_t i = 0; i < json_array_size(bits); i++) {
      struct net *n = &c->net[bit_of(bits, i)];
      if (!output) n->used = true;
      else if (keeps) n->stored = true;
      else *n = (struct net){.cell = cell, .at = (uint32_t)i, .used = n->used};
    }
  }
}

static void note_ports(struct count *c, const json_t *module) {
  const char *name;
  json_t *p;
  json_object_foreach(json_object_get(module, "ports"), name, p) {
    const char *way = json_string_value(json_object_get(p, "direction"));
    const json_t *bits = json_object_get(p, "bits");
    for (size_t i = 0; i < json_array_size(bits); i++) {
      struct net *n = &c->net[bit_of(bits, i)];
      if (way && !strcmp(way, "input")) n->input = true;
      else n->used = true;
    }
  }
}

typedef void on_input(struct count *, uint32_t input, uint32_t stored, bool *found);

static void walk(struct count *c, uint32_t bit, on_input *visit, uint32_t stored, bool *found);

static void walk_cell(struct count *c, const struct net *n, on_input *visit, uint32_t stored, bool *found) {
  bool bitwise = is_bitwise(type_of(n->cell));
  const char *name;
  json_t *bits;
  json_object_foreach(json_object_get(n->cell, "connections"), name, bits) {
    const char *way = json_string_value(json_object_get(json_object_get(n->cell, "port_directions"), name));
    if (!way || strcmp(way, "input") != 0) continue;
    if (bitwise && strcmp(name, "S") != 0) walk(c, bit_of(bits, n->at), visit, stored, found);
    else
      for (size_t i = 0; i < json_array_size(bits); i++) walk(c, bit_of(bits, i), visit, stored, found);
  }
}

/* Visits the input bits on which `bit` depends, up to registers. */
static void walk(struct count *c, uint32_t bit, on_input *visit, uint32_t stored, bool *found) {
  struct net *n = &c->net[bit];
  if (!bit || n->seen == c->searches) return;
  n->seen = c->searches;
  if (n->stored) c->from_stored = true;
  else if (n->input) {
    c->from_input = true;
    if (visit) visit(c, bit, stored, found);
  } else if (n->cell) walk_cell(c, n, visit, stored, found);
}

static void search(struct count *c, uint32_t bit, on_input *visit, uint32_t stored, bool *found) {
  c->searches++;
  c->from_stored = c->from_input = false;
  walk(c, bit, visit, stored, found);
}

static void meet(struct count *c, uint32_t input, uint32_t stored, bool *found) {
  struct net *n = &c->net[input];
  (void)found;
  n->shared |= n->met && n->met != stored;
  n->met = stored;
}

static void ask_own(struct count *c, uint32_t input, uint32_t stored, bool *found) {
  (void)stored;
  *found |= !c->net[input].shared;
}

/* Of bit i of a bitwise operator: the stored operand, and the other one, which is not; false: there is no such pair. */
static bool stored_pair(const struct count *c, const json_t *cell, size_t i, uint32_t *stored, uint32_t *other) {
  uint32_t a = bit_of(port(cell, "A"), i), b = bit_of(port(cell, "B"), i);
  bool first = a && c->net[a].stored, second = b && c->net[b].stored;
  if (!a || !b || first == second) return false;
  *stored = first ? a : b;
  *other = first ? b : a;
  return true;
}

static void meet_incoming(struct count *c, const json_t *cell) {
  uint32_t stored, other;
  for (size_t i = 0; !strcmp(type_of(cell), "$and") && i < json_array_size(port(cell, "Y")); i++) {
    if (!stored_pair(c, cell, i, &stored, &other)) continue;
    search(c, other, NULL, stored, NULL);
    if (!c->from_stored) search(c, other, meet, stored, NULL);
  }
}

/* Only the sign of a difference is used. */
static bool is_order(const struct count *c, const json_t *cell) {
  const json_t *y = port(cell, "Y");
  size_t top = json_array_size(y) - 1;
  if (strcmp(type_of(cell), "$sub") != 0 || !json_array_size(y) || !c->net[bit_of(y, top)].used) return false;
  for (size_t i = 0; i < top; i++)
    if (c->net[bit_of(y, i)].used) return false;
  return true;
}

static bool compares(struct count *c, const json_t *cell, size_t i, bool whole) {
  const char *type = type_of(cell);
  uint32_t stored, other;
  bool own = false;
  if (whole) return bit_of(port(cell, "A"), i) && bit_of(port(cell, "B"), i);
  if (!stored_pair(c, cell, i, &stored, &other)) return false;
  if (!strcmp(type, "$and")) {
    search(c, other, ask_own, stored, &own);
    return own && !c->from_stored;
  }
  search(c, other, NULL, stored, NULL);
  return c->from_input;
}

static void count_cell(struct count *c, const json_t *cell, struct synth_comparators *out) {
  static const char *const bitwise[] = {"$and", "$xor", "$xnor", NULL};
  bool whole = is_comparison(type_of(cell)) || is_order(c, cell);
  if (!whole && !is_one_of(type_of(cell), bitwise)) return;
  size_t wide = json_array_size(port(cell, "A"));
  unsigned bits = 0;
  for (size_t i = 0; i < wide; i++) bits += compares(c, cell, i, whole);
  out->comparators += bits > 0;
  out->bits += bits;
}

static uint32_t highest(const json_t *bits, uint32_t n) {
  for (size_t i = 0; i < json_array_size(bits); i++)
    if (bit_of(bits, i) > n) n = bit_of(bits, i);
  return n;
}

bool synth_count_comparators(const json_t *module, struct synth_comparators *out) {
  json_t *cells = json_object_get(module, "cells"), *cell, *p;
  struct count c = {.n = 0};
  const char *name, *key;
  *out = (struct synth_comparators){0, 0};
  json_object_foreach(cells, name, cell) {
    json_object_foreach(json_object_get(cell, "connections"), key, p) c.n = highest(p, c.n);
  }
  json_object_foreach(json_object_get(module, "ports"), name, p) c.n = highest(json_object_get(p, "bits"), c.n);
  c.net = calloc((size_t)c.n + 1, sizeof *c.net);
  if (!c.net) return false;
  json_object_foreach(cells, name, cell) note_cell(&c, cell);
  note_ports(&c, module);
  json_object_foreach(cells, name, cell) meet_incoming(&c, cell);
  json_object_foreach(cells, name, cell) count_cell(&c, cell, out);
  free(c.net);
  return true;
}
