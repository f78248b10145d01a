/* SPDX-License-Identifier: Apache-2.0 */
#include "synth/netlist.h"

#include "base/err.h"
#include "base/hash.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONST_BITS = 2, HASH_ROUNDS = 2 };

struct gate {
  const struct liberty_cell *cell;
  uint32_t in[LIBERTY_PINS_MAX],
    out[LIBERTY_PINS_MAX]; /* net numbers, by place among the cell's pins; 0, 1: constants */
  uint32_t waiting;        /* inputs whose level is not known yet */
};

/* Nets are numbers of Yosys; 0 and 1 stand for constants (Yosys begins at 2). */
struct graph {
  struct gate *gates;
  size_t n;
  uint32_t n_nets;
  uint32_t *first_user, *next_user; /* users of a net: links to gate * PINS + pin */
  uint32_t *level;
  uint64_t *hash;
};

static uint32_t net_of(const json_t *bit) {
  if (json_is_integer(bit)) return (uint32_t)json_integer_value(bit);
  const char *text = json_string_value(bit);
  return text && *text == '1';
}

static int read_gate(const json_t *cell, const char *name, const struct liberty *lib, struct gate *g, struct err *e) {
  const char *type = json_string_value(json_object_get(cell, "type"));
  const json_t *connections = json_object_get(cell, "connections");
  g->cell = liberty_find(lib, type ? type : "");
  if (!g->cell)
    return err_set(e, ERR_TOOL, "the cell %s is a %s, which the library %s does not have", name, type ? type : "?",
                   lib->name);
  if (g->cell->latches)
    return err_set(e, ERR_UNSUPPORTED, "the netlist holds a latch (%s, %s); blocks are clocked by edges", name, type);
  for (unsigned i = 0; i < g->cell->n_pins; i++) {
    const json_t *bits = json_object_get(connections, g->cell->pins[i].name);
    uint32_t net = json_array_size(bits) ? net_of(json_array_get(bits, 0)) : 0;
    (g->cell->pins[i].output ? g->out : g->in)[i] = net;
  }
  return 0;
}

static int read_gates(const json_t *module, const struct liberty *lib, struct graph *g, struct err *e) {
  json_t *cells = json_object_get(module, "cells"), *cell;
  const char *name;
  g->gates = calloc(json_object_size(cells) + 1, sizeof *g->gates);
  if (!g->gates) return err_set(e, ERR_LIMIT, "out of memory for a netlist of %zu cells", json_object_size(cells));
  g->n_nets = CONST_BITS;
  json_object_foreach(cells, name, cell) {
    if (!strcmp(json_string_value(json_object_get(cell, "type")), "$scopeinfo")) continue;
    struct gate *gate = &g->gates[g->n];
    int status = read_gate(cell, name, lib, gate, e);
    if (status) return status;
    g->n++;
    for (unsigned i = 0; i < gate->cell->n_pins; i++) {
      uint32_t net = gate->cell->pins[i].output ? gate->out[i] : gate->in[i];
      if (net >= g->n_nets) g->n_nets = net + 1;
    }
  }
  return 0;
}

static void count_port_nets(const json_t *module, struct graph *g) {
  const char *name;
  json_t *port, *bit;
  size_t i;
  json_object_foreach(json_object_get(module, "ports"), name, port) {
    json_array_foreach(json_object_get(port, "bits"), i, bit) {
      uint32_t net = net_of(bit);
      if (net >= g->n_nets) g->n_nets = net + 1;
    }
  }
}

static int link_users(struct graph *g, struct err *e) {
  g->first_user = calloc(g->n_nets, sizeof *g->first_user);
  g->next_user = calloc(g->n * LIBERTY_PINS_MAX + 1, sizeof *g->next_user);
  g->level = calloc(g->n_nets, sizeof *g->level);
  g->hash = calloc(g->n_nets, sizeof *g->hash);
  if (!g->first_user || !g->next_user || !g->level || !g->hash)
    return err_set(e, ERR_LIMIT, "out of memory for a netlist of %zu cells", g->n);
  for (size_t k = 0; k < g->n; k++)
    for (unsigned i = 0; i < g->gates[k].cell->n_pins; i++) {
      if (g->gates[k].cell->pins[i].output) continue;
      uint32_t link = (uint32_t)(k * LIBERTY_PINS_MAX + i + 1), *first = &g->first_user[g->gates[k].in[i]];
      g->next_user[link - 1] = *first;
      *first = link;
    }
  return 0;
}

static uint64_t hash_number(uint64_t h, uint64_t n) { return hash_bytes(h, &n, sizeof n); }

/* Hash of a gate's cell and its inputs' hashes. */
static uint64_t gate_hash(const struct graph *g, const struct gate *gate) {
  uint64_t h = hash_text(HASH_SEED, gate->cell->name);
  for (unsigned i = 0; i < gate->cell->n_pins; i++)
    if (!gate->cell->pins[i].output) h = hash_number(h, g->hash[gate->in[i]]);
  return h;
}

/* Computes level and hash of a gate's outputs from those of its inputs. */
static void settle(struct graph *g, const struct gate *gate) {
  uint32_t level = 0;
  for (unsigned i = 0; i < gate->cell->n_pins; i++)
    if (!gate->cell->pins[i].output && g->level[gate->in[i]] > level) level = g->level[gate->in[i]];
  uint64_t h = gate_hash(g, gate);
  for (unsigned i = 0; i < gate->cell->n_pins; i++)
    if (gate->cell->pins[i].output) {
      g->level[gate->out[i]] = level + 1;
      g->hash[gate->out[i]] = hash_number(h, i);
    }
}

/* One sweep in topological order from registers and inputs to outputs; returns the number of gates reached. */
static size_t sweep(struct graph *g, uint32_t *queue) {
  size_t head = 0, tail = 0;
  for (size_t k = 0; k < g->n; k++) {
    struct gate *gate = &g->gates[k];
    gate->waiting = 0;
    for (unsigned i = 0; i < gate->cell->n_pins; i++) gate->waiting += !gate->cell->pins[i].output;
    if (gate->cell->flip_flops) queue[tail++] = (uint32_t)k;
  }
  /* nets that no gate drives: constants, inputs */
  for (uint32_t net = 0; net < g->n_nets; net++) {
    if (g->level[net] != UINT32_MAX) continue;
    g->level[net] = 0;
    for (uint32_t link = g->first_user[net]; link; link = g->next_user[link - 1]) {
      struct gate *user = &g->gates[(link - 1) / LIBERTY_PINS_MAX];
      if (!--user->waiting && !user->cell->flip_flops) queue[tail++] = (link - 1) / LIBERTY_PINS_MAX;
    }
  }
  for (size_t k = 0; k < g->n; k++)
    if (!g->gates[k].cell->flip_flops && !g->gates[k].cell->n_inputs) queue[tail++] = (uint32_t)k;
  for (; head < tail; head++) {
    const struct gate *gate = &g->gates[queue[head]];
    if (!gate->cell->flip_flops) settle(g, gate);
    for (unsigned i = 0; i < gate->cell->n_pins; i++) {
      if (!gate->cell->pins[i].output || gate->out[i] < CONST_BITS) continue;
      for (uint32_t link = g->first_user[gate->out[i]]; link; link = g->next_user[link - 1]) {
        struct gate *user = &g->gates[(link - 1) / LIBERTY_PINS_MAX];
        if (!--user->waiting && !user->cell->flip_flops) queue[tail++] = (link - 1) / LIBERTY_PINS_MAX;
      }
    }
  }
  return tail;
}

/* Prepares a sweep: driven nets are unknown, registers have the hashes of the last sweep. */
static void prepare(struct graph *g, uint64_t *register_hash, bool first) {
  for (uint32_t net = 0; net < g->n_nets; net++) g->level[net] = UINT32_MAX;
  for (size_t k = 0; k < g->n; k++) {
    const struct gate *gate = &g->gates[k];
    register_hash[k] = first ? HASH_SEED : gate_hash(g, gate);
  }
  for (size_t k = 0; k < g->n; k++)
    for (unsigned i = 0; i < g->gates[k].cell->n_pins; i++) {
      if (!g->gates[k].cell->pins[i].output || g->gates[k].out[i] < CONST_BITS) continue;
      g->level[g->gates[k].out[i]] = 0;
      if (g->gates[k].cell->flip_flops) g->hash[g->gates[k].out[i]] = hash_number(register_hash[k], i);
    }
}

static void hash_ports(const json_t *module, struct graph *g, bool inputs, uint64_t *sum) {
  const char *name;
  json_t *port, *bit;
  size_t i;
  json_object_foreach(json_object_get(module, "ports"), name, port) {
    bool input = !strcmp(json_string_value(json_object_get(port, "direction")), "input");
    uint64_t h = hash_text(HASH_SEED, name);
    if (input != inputs) continue;
    json_array_foreach(json_object_get(port, "bits"), i, bit) {
      uint32_t net = net_of(bit);
      if (inputs) g->hash[net] = hash_number(h, i);
      else *sum += hash_number(hash_number(h, i), g->hash[net]);
    }
  }
}

static int measure(const json_t *module, struct graph *g, struct netlist_summary *s, struct err *e) {
  uint32_t *queue = calloc(g->n + 1, sizeof *queue);
  uint64_t *register_hash = calloc(g->n + 1, sizeof *register_hash);
  int status = queue && register_hash ? 0 : err_set(e, ERR_LIMIT, "out of memory for a netlist of %zu cells", g->n);
  for (int round = 0; round < HASH_ROUNDS && !status; round++) {
    prepare(g, register_hash, round == 0);
    g->hash[0] = hash_text(HASH_SEED, "0");
    g->hash[1] = hash_text(HASH_SEED, "1");
    hash_ports(module, g, true, NULL);
    if (sweep(g, queue) != g->n)
      status = err_set(e, ERR_UNSUPPORTED, "the netlist holds a combinational loop; break it with a register");
  }
  if (!status) hash_ports(module, g, false, &s->hash);
  for (size_t k = 0; k < g->n && !status; k++) {
    const struct gate *gate = &g->gates[k];
    s->hash += gate_hash(g, gate);
    s->cells++;
    s->area += gate->cell->area;
    s->flip_flops += gate->cell->flip_flops;
    if (gate->cell->flip_flops) s->sequential += gate->cell->area;
  }
  for (uint32_t net = 0; net < g->n_nets && !status; net++)
    if (g->level[net] != UINT32_MAX && g->level[net] > s->levels) s->levels = g->level[net];
  free(queue);
  free(register_hash);
  return status;
}

static json_t *load(const char *path, const char *top, json_t **module, struct err *e) {
  json_error_t problem;
  json_t *all = json_load_file(path, 0, &problem);
  *module = json_object_get(json_object_get(all, "modules"), top);
  if (!*module)
    err_put(e, ERR_TOOL, "%s does not hold the netlist of %s: %s", path, top, all ? "no such module" : problem.text);
  return all;
}

int netlist_read(const char *json_path, const char *top, const struct liberty *lib, struct netlist_summary *s,
                 struct err *e) {
  struct graph g = {0};
  json_t *module, *all = load(json_path, top, &module, e);
  memset(s, 0, sizeof *s);
  int status = module ? read_gates(module, lib, &g, e) : (int)ERR_TOOL;
  if (!status) {
    count_port_nets(module, &g);
    status = link_users(&g, e);
  }
  if (!status) status = measure(module, &g, s, e);
  free(g.gates);
  free(g.first_user);
  free(g.next_user);
  free(g.level);
  free(g.hash);
  json_decref(all);
  return status;
}

/* The RTL's name of a net; of several a register's, then the shortest, so that the choice is deterministic. */
static void name_of_net(const json_t *module, json_int_t net, char *out, size_t size) {
  const char *name;
  json_t *wire, *bit;
  size_t i, best = SIZE_MAX;
  json_object_foreach(json_object_get(module, "netnames"), name, wire) {
    if (json_integer_value(json_object_get(wire, "hide_name"))) continue;
    const json_t *bits = json_object_get(wire, "bits");
    bool is_register = strlen(name) > 2 && !strcmp(name + strlen(name) - 2, "_q");
    size_t rank = strlen(name) + (is_register ? 0 : 1000);
    json_array_foreach(bits, i, bit) {
      if (!json_is_integer(bit) || json_integer_value(bit) != net || rank >= best) continue;
      best = rank;
      if (json_array_size(bits) == 1) snprintf(out, size, "%s", name);
      else snprintf(out, size, "%s[%zu]", name, i);
    }
  }
}

int netlist_registers(const char *json_path, const char *top, const char *const *cells, unsigned n, char *registers,
                      size_t size, struct err *e) {
  json_t *module, *all = load(json_path, top, &module, e);
  for (unsigned k = 0; k < n && module; k++) {
    char *out = registers + k * size;
    snprintf(out, size, "%s", cells[k]);
    const json_t *cell = json_object_get(json_object_get(module, "cells"), cells[k]);
    const json_t *q = json_object_get(json_object_get(cell, "connections"), "Q");
    if (!q) q = json_object_get(json_object_get(cell, "connections"), "QN");
    const json_t *bit = json_array_get(q, 0);
    if (json_is_integer(bit)) name_of_net(module, json_integer_value(bit), out, size);
  }
  json_decref(all);
  return module ? 0 : (int)ERR_TOOL;
}
