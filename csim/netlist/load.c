/* SPDX-License-Identifier: Apache-2.0 */
/* Reads Yosys' JSON. */
#include "base/err.h"
#include "netlist/netlist.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct loader {
  struct netlist *n;
  uint32_t cells_max;
  bool failed; /* out of memory */
};

static void *allocate(struct loader *l, size_t n, size_t size) {
  void *p = calloc(n + 1, size);
  l->failed |= !p;
  return p;
}

/* A parameter: text of binary digits, the highest first. */
static uint32_t number(const json_t *cell, const char *key) {
  const json_t *j = json_object_get(json_object_get(cell, "parameters"), key);
  if (json_is_integer(j)) return (uint32_t)json_integer_value(j);
  uint32_t n = 0;
  for (const char *c = json_string_value(j); c && *c; c++) n = n << 1 | (*c == '1');
  return n;
}

static uint32_t bit_of(const json_t *j) {
  if (json_is_integer(j)) return (uint32_t)json_integer_value(j);
  return json_is_string(j) && *json_string_value(j) == '1' ? NETLIST_ONE : NETLIST_ZERO;
}

static struct netlist_word word(struct loader *l, const json_t *bits) {
  struct netlist_word w = {.n = (uint32_t)json_array_size(bits)};
  w.bit = allocate(l, w.n, sizeof *w.bit);
  for (uint32_t i = 0; i < w.n && w.bit; i++) {
    w.bit[i] = bit_of(json_array_get(bits, i));
    if (w.bit[i] >= l->n->n_bits) l->n->n_bits = w.bit[i] + 1;
  }
  if (!w.bit) w.n = 0;
  return w;
}

static struct netlist_word pins(struct loader *l, const json_t *cell, const char *pin) {
  return word(l, json_object_get(json_object_get(cell, "connections"), pin));
}

static const char *file_name(struct loader *l, const char *text, size_t size) {
  struct netlist *n = l->n;
  for (uint32_t i = 0; i < n->n_files; i++)
    if (!strncmp(n->files[i], text, size) && !n->files[i][size]) return n->files[i];
  char **files = realloc(n->files, (n->n_files + 1) * sizeof *files);
  if (files) n->files = files;
  char *name = files ? strndup(text, size) : NULL;
  l->failed |= !name;
  return name ? n->files[n->n_files++] = name : NULL;
}

/* "FILE:LINE.COLUMN-LINE.COLUMN|...", of a part first the places of the instances: the first place in the file that comes last. Line 0
 * is what Yosys writes for cells that it made itself, as for x[i +: N]: no place. */
static const char *place(struct loader *l, const json_t *owner, uint32_t *line, uint32_t *last) {
  const char *src = json_string_value(json_object_get(json_object_get(owner, "attributes"), "src"));
  const char *file = NULL;
  size_t file_size = 0;
  for (const char *at = src; at && *at;) {
    size_t size = strcspn(at, "|");
    const char *colon = memrchr(at, ':', size), *dash = colon ? memchr(colon, '-', size - (size_t)(colon - at)) : NULL;
    uint32_t number = colon ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0;
    if (number && (!file || (size_t)(colon - at) != file_size || strncmp(file, at, file_size) != 0)) {
      file = at;
      file_size = (size_t)(colon - at);
      *line = number;
      if (last) *last = dash ? (uint32_t)strtoul(dash + 1, NULL, 10) : *line;
    }
    at += size + (at[size] == '|');
  }
  return file ? file_name(l, file, file_size) : NULL;
}

static const struct {
  const char *type;
  enum netlist_op op;
} operators[] = {{"$not", OP_NOT},
                 {"$pos", OP_POS},
                 {"$neg", OP_NEG},
                 {"$and", OP_AND},
                 {"$or", OP_OR},
                 {"$xor", OP_XOR},
                 {"$xnor", OP_XNOR},
                 {"$reduce_and", OP_REDUCE_AND},
                 {"$reduce_or", OP_REDUCE_OR},
                 {"$reduce_bool", OP_REDUCE_OR},
                 {"$reduce_xor", OP_REDUCE_XOR},
                 {"$reduce_xnor", OP_REDUCE_XNOR},
                 {"$logic_not", OP_LOGIC_NOT},
                 {"$logic_and", OP_LOGIC_AND},
                 {"$logic_or", OP_LOGIC_OR},
                 {"$eq", OP_EQ},
                 {"$eqx", OP_EQ},
                 {"$ne", OP_NE},
                 {"$nex", OP_NE},
                 {"$lt", OP_LT},
                 {"$le", OP_LE},
                 {"$gt", OP_GT},
                 {"$ge", OP_GE},
                 {"$add", OP_ADD},
                 {"$sub", OP_SUB},
                 {"$mul", OP_MUL},
                 {"$shl", OP_SHL},
                 {"$sshl", OP_SHL},
                 {"$shr", OP_SHR},
                 {"$sshr", OP_SSHR},
                 {"$shift", OP_SHIFT},
                 {"$shiftx", OP_SHIFT},
                 {"$mux", OP_MUX},
                 {"$pmux", OP_PMUX}};

static enum netlist_op operator_of(const char *type) {
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (!strcmp(operators[i].type, type)) return operators[i].op;
  return OP_OTHER;
}

static struct netlist_cell *new_cell(struct loader *l, const json_t *from, enum netlist_op op) {
  struct netlist *n = l->n;
  if (n->n_cells == l->cells_max) {
    uint32_t max = l->cells_max ? 2 * l->cells_max : 1024;
    struct netlist_cell *cells = realloc(n->cells, max * sizeof *cells);
    if (!cells) return l->failed = true, NULL;
    n->cells = cells;
    l->cells_max = max;
  }
  struct netlist_cell *c = &n->cells[n->n_cells++];
  *c = (struct netlist_cell){.op = op};
  c->file = place(l, from, &c->line, &c->last_line);
  return c;
}

static void add_operator(struct loader *l, const json_t *cell, enum netlist_op op) {
  struct netlist_cell *c = new_cell(l, cell, op);
  if (!c) return;
  c->a = pins(l, cell, "A");
  c->b = pins(l, cell, "B");
  c->s = pins(l, cell, "S");
  c->y = pins(l, cell, "Y");
  bool a = number(cell, "A_SIGNED") & 1, b = number(cell, "B_SIGNED") & 1;
  c->b_signed = b;
  c->is_signed = a && (b || !c->b.n || op == OP_SSHR || op == OP_SHIFT || op == OP_SHR);
}

/* A cell that is not known: its connections, by direction. */
static void add_other(struct loader *l, const json_t *cell) {
  const json_t *directions = json_object_get(cell, "port_directions");
  const char *pin;
  json_t *bits;
  json_object_foreach(json_object_get(cell, "connections"), pin, bits) {
    const char *direction = json_string_value(json_object_get(directions, pin));
    if (direction && !strcmp(direction, "input")) continue;
    struct netlist_cell *c = new_cell(l, cell, OP_OTHER);
    if (c) c->y = word(l, bits);
  }
}

static struct netlist_word part(struct loader *l, struct netlist_word of, uint32_t from, uint32_t size) {
  struct netlist_word w = {.bit = allocate(l, size, sizeof *w.bit), .n = size};
  for (uint32_t i = 0; i < size && w.bit; i++) w.bit[i] = from + i < of.n ? of.bit[from + i] : NETLIST_ZERO;
  if (!w.bit) w.n = 0;
  return w;
}

static struct netlist_word range(struct loader *l, uint32_t first, uint32_t size) {
  struct netlist_word w = {.bit = allocate(l, size, sizeof *w.bit), .n = size};
  for (uint32_t i = 0; i < size && w.bit; i++) w.bit[i] = first + i;
  if (!w.bit) w.n = 0;
  return w;
}

static void add_memory(struct loader *l, const json_t *cell, struct netlist_memory *m) {
  const char *id = json_string_value(json_object_get(json_object_get(cell, "parameters"), "MEMID"));
  *m = (struct netlist_memory){.name = strdup(id ? id + (*id == '\\') : ""),
                               .width = number(cell, "WIDTH"),
                               .size = number(cell, "SIZE"),
                               .abits = number(cell, "ABITS"),
                               .offset = number(cell, "OFFSET")};
  l->failed |= !m->name;
  uint32_t bits = m->width * m->size, reads = number(cell, "RD_PORTS");
  m->first = l->n->n_bits;
  m->next = m->first + bits;
  l->n->n_bits += 2 * bits;
  struct netlist_word addresses = pins(l, cell, "RD_ADDR"), data = pins(l, cell, "RD_DATA");
  for (uint32_t p = 0; p < reads; p++) {
    struct netlist_cell *c = new_cell(l, cell, OP_READ);
    if (!c) break;
    c->memory = m;
    c->a = part(l, addresses, p * m->abits, m->abits);
    c->y = part(l, data, p * m->width, m->width);
  }
  free(addresses.bit);
  free(data.bit);
  struct netlist_cell *c = new_cell(l, cell, OP_WRITE);
  if (!c) return;
  c->memory = m;
  c->a = pins(l, cell, "WR_ADDR");
  c->b = pins(l, cell, "WR_DATA");
  c->s = pins(l, cell, "WR_EN");
  c->y = range(l, m->next, bits);
}

static void add_register(struct loader *l, const json_t *cell, struct netlist *n) {
  struct netlist_word d = pins(l, cell, "D"), q = pins(l, cell, "Q");
  uint32_t line = 0;
  const char *file = place(l, cell, &line, NULL);
  for (uint32_t i = 0; i < q.n && i < d.n; i++) {
    n->next[q.bit[i]] = d.bit[i];
    n->clocked_file[q.bit[i]] = file;
    n->clocked_line[q.bit[i]] = line;
  }
  free(d.bit);
  free(q.bit);
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const struct netlist_name *)a)->name, ((const struct netlist_name *)b)->name);
}

static void add_names(struct loader *l, const json_t *nets) {
  struct netlist *n = l->n;
  const char *name;
  json_t *net;
  n->names = allocate(l, json_object_size(nets), sizeof *n->names);
  json_object_foreach((json_t *)(uintptr_t)nets, name, net) {
    if (!n->names || json_integer_value(json_object_get(net, "hide_name"))) continue;
    struct netlist_name *to = &n->names[n->n_names++];
    to->name = strdup(name);
    to->bits = word(l, json_object_get(net, "bits"));
    to->file = place(l, net, &to->line, NULL);
    l->failed |= !to->name;
  }
  if (!l->failed) qsort(n->names, n->n_names, sizeof *n->names, by_name);
}

/* The highest number of a net, so that memories can be numbered after them. */
static uint32_t bits_of_nets(const json_t *nets) {
  const char *name;
  json_t *net, *bit;
  size_t i;
  uint32_t n = 2;
  json_object_foreach((json_t *)(uintptr_t)nets, name, net)
    json_array_foreach(json_object_get(net, "bits"), i, bit) if (bit_of(bit) >= n) n = bit_of(bit) + 1;
  return n;
}

static void add_cells(struct loader *l, const json_t *cells) {
  struct netlist *n = l->n;
  const char *name, *type;
  json_t *cell;
  json_object_foreach((json_t *)(uintptr_t)cells, name, cell) {
    type = json_string_value(json_object_get(cell, "type"));
    n->n_memories += type && !strcmp(type, "$mem_v2");
  }
  n->memories = allocate(l, n->n_memories, sizeof *n->memories);
  uint32_t memory = 0;
  json_object_foreach((json_t *)(uintptr_t)cells, name, cell) {
    type = json_string_value(json_object_get(cell, "type"));
    if (!type || !n->memories) continue;
    if (!strcmp(type, "$mem_v2")) add_memory(l, cell, &n->memories[memory++]);
    else if (operator_of(type) != OP_OTHER) add_operator(l, cell, operator_of(type));
    else if (!strstr(type, "dff") && strcmp(type, "$assert") && strcmp(type, "$assume") && strcmp(type, "$cover"))
      add_other(l, cell);
  }
  n->next = allocate(l, n->n_bits, sizeof *n->next);
  n->clocked_line = allocate(l, n->n_bits, sizeof *n->clocked_line);
  n->clocked_file = allocate(l, n->n_bits, sizeof *n->clocked_file);
  if (l->failed) return;
  memset(n->next, 0xff, n->n_bits * sizeof *n->next);
  json_object_foreach((json_t *)(uintptr_t)cells, name, cell) {
    type = json_string_value(json_object_get(cell, "type"));
    if (type && strstr(type, "dff")) add_register(l, cell, n);
  }
  for (uint32_t i = 0; i < n->n_memories; i++)
    for (uint32_t k = 0; k < n->memories[i].width * n->memories[i].size; k++)
      n->next[n->memories[i].first + k] = n->memories[i].next + k;
}

/* ---- order ---- */

struct sorter {
  const struct netlist *n;
  uint8_t *mark; /* of a cell: 0 new, 1 open, 2 done */
  uint32_t *stack, *sorted, n_sorted, top;
  bool loop;
};

static void push(void *context, uint32_t cell) {
  struct sorter *s = context;
  if (cell == NETLIST_NONE || s->mark[cell] == 2) return;
  if (s->mark[cell] == 1) s->loop = true;
  else s->stack[s->top++] = cell;
}

static void push_word(struct sorter *s, const struct netlist_word *w) {
  uint32_t last = NETLIST_NONE;
  for (uint32_t i = 0; i < w->n; i++) {
    uint32_t driver = s->n->driver[w->bit[i]];
    if (driver != last) push(s, driver);
    last = driver;
  }
}

/* Depth first, without recursion: a cell is on the stack again above itself until what it reads is done. */
static void visit(struct sorter *s, uint32_t root, uint32_t limit) {
  s->top = 0;
  push(s, root);
  while (s->top && !s->loop) {
    uint32_t cell = s->stack[s->top - 1], before = s->top;
    if (s->mark[cell] == 2) {
      s->top--;
      continue;
    }
    if (s->mark[cell] == 0) {
      s->mark[cell] = 1;
      const struct netlist_cell *c = &s->n->cells[cell];
      if (s->top + c->a.n + c->b.n + c->s.n > limit) {
        s->loop = true;
        return;
      }
      push_word(s, &c->a);
      push_word(s, &c->b);
      push_word(s, &c->s);
    }
    if (s->top > before) continue;
    s->mark[cell] = 2;
    s->sorted[s->n_sorted++] = cell;
    s->top--;
  }
}

static void set_drivers(struct netlist *n) {
  memset(n->driver, 0xff, n->n_bits * sizeof *n->driver);
  for (uint32_t i = 0; i < n->n_cells; i++)
    for (uint32_t k = 0; k < n->cells[i].y.n; k++) n->driver[n->cells[i].y.bit[k]] = i;
  n->driver[NETLIST_ZERO] = n->driver[NETLIST_ONE] = NETLIST_NONE;
}

/* Puts each cell after those that it reads. */
static void sort_cells(struct loader *l) {
  struct netlist *n = l->n;
  size_t limit = 16;
  for (uint32_t i = 0; i < n->n_cells; i++) limit += n->cells[i].a.n + n->cells[i].b.n + n->cells[i].s.n;
  n->driver = allocate(l, n->n_bits, sizeof *n->driver);
  struct sorter s = {.n = n,
                     .mark = allocate(l, n->n_cells, 1),
                     .stack = allocate(l, limit, sizeof *s.stack),
                     .sorted = allocate(l, n->n_cells, sizeof *s.sorted)};
  struct netlist_cell *cells = allocate(l, n->n_cells, sizeof *cells);
  if (!l->failed) {
    set_drivers(n);
    for (uint32_t i = 0; i < n->n_cells && !s.loop; i++) visit(&s, i, (uint32_t)limit);
    n->complete = !s.loop;
    if (!s.loop) {
      for (uint32_t i = 0; i < n->n_cells; i++) {
        cells[i] = n->cells[s.sorted[i]];
        n->complete &= cells[i].op != OP_OTHER;
      }
      memcpy(n->cells, cells, n->n_cells * sizeof *cells);
      set_drivers(n);
    }
  }
  free(cells);
  free(s.mark);
  free(s.stack);
  free(s.sorted);
}

/* The module that Yosys calls the top. */
static const json_t *top_of(const json_t *modules) {
  const char *name;
  json_t *module;
  json_object_foreach((json_t *)(uintptr_t)modules, name, module) {
    const char *top = json_string_value(json_object_get(json_object_get(module, "attributes"), "top"));
    if (top && strchr(top, '1')) return module;
  }
  return NULL;
}

int netlist_load(struct netlist *n, const char *path, struct err *e) {
  *n = (struct netlist){0};
  json_error_t problem;
  json_t *root = json_load_file(path, 0, &problem);
  if (!root) return err_set(e, ERR_FILE, "%s: cannot be read as a netlist: %s", path, problem.text);
  const json_t *module = top_of(json_object_get(root, "modules"));
  struct loader l = {.n = n};
  int status = module ? 0 : err_set(e, ERR_SYNTAX, "%s: holds no top module; delete it, it will be made again", path);
  if (!status) {
    n->n_bits = bits_of_nets(json_object_get(module, "netnames"));
    add_cells(&l, json_object_get(module, "cells"));
    add_names(&l, json_object_get(module, "netnames"));
    if (!l.failed) sort_cells(&l);
    if (l.failed) status = err_set(e, ERR_LIMIT, "%s: out of memory", path);
  }
  json_decref(root);
  if (status) netlist_free(n);
  return status;
}

void netlist_free(struct netlist *n) {
  for (uint32_t i = 0; i < n->n_cells; i++) {
    free(n->cells[i].a.bit);
    free(n->cells[i].b.bit);
    free(n->cells[i].s.bit);
    free(n->cells[i].y.bit);
  }
  for (uint32_t i = 0; i < n->n_names; i++) {
    free(n->names[i].name);
    free(n->names[i].bits.bit);
  }
  for (uint32_t i = 0; i < n->n_memories; i++) free(n->memories[i].name);
  for (uint32_t i = 0; i < n->n_files; i++) free(n->files[i]);
  free(n->cells);
  free(n->names);
  free(n->memories);
  free(n->files);
  free(n->driver);
  free(n->next);
  free(n->clocked_line);
  free(n->clocked_file);
  *n = (struct netlist){0};
}

const struct netlist_name *netlist_find(const struct netlist *n, const char *name) {
  struct netlist_name key = {.name = (char *)(uintptr_t)name};
  return n->n_names ? bsearch(&key, n->names, n->n_names, sizeof key, by_name) : NULL;
}

const struct netlist_memory *netlist_find_memory(const struct netlist *n, const char *name) {
  for (uint32_t i = 0; i < n->n_memories; i++)
    if (!strcmp(n->memories[i].name, name)) return &n->memories[i];
  return NULL;
}
