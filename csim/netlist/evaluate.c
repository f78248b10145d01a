/* SPDX-License-Identifier: Apache-2.0 */
/* Operators, bit by bit: words may be of any width. */
#include "netlist/netlist.h"

#include <string.h>

/* Bit i of an operand that is extended to any width. */
static uint8_t at(const struct netlist_word *w, uint32_t i, bool is_signed, const uint8_t *v) {
  if (i < w->n) return v[w->bit[i]];
  return is_signed && w->n ? v[w->bit[w->n - 1]] : 0;
}

static bool any(const struct netlist_word *w, const uint8_t *v) {
  for (uint32_t i = 0; i < w->n; i++)
    if (v[w->bit[i]]) return true;
  return false;
}

/* -1, 0, 1: A below, equal to, above B. */
static int compare(const struct netlist_cell *c, const uint8_t *v) {
  uint32_t n = (c->a.n > c->b.n ? c->a.n : c->b.n) + 1;
  for (uint32_t i = n; i-- > 0;) {
    int a = at(&c->a, i, c->is_signed, v), b = at(&c->b, i, c->is_signed, v);
    if (a == b) continue;
    return (a > b) != (c->is_signed && i + 1 == n) ? 1 : -1;
  }
  return 0;
}

static void add(const struct netlist_cell *c, bool subtract, uint8_t *v) {
  unsigned carry = subtract;
  for (uint32_t i = 0; i < c->y.n; i++) {
    unsigned a = at(&c->a, i, c->is_signed, v), b = at(&c->b, i, c->is_signed, v) ^ (unsigned)subtract;
    v[c->y.bit[i]] = (uint8_t)((a + b + carry) & 1);
    carry = (a + b + carry) >> 1;
  }
}

static void negate(const struct netlist_cell *c, uint8_t *v) {
  unsigned carry = 1;
  for (uint32_t i = 0; i < c->y.n; i++) {
    unsigned sum = (at(&c->a, i, c->is_signed, v) ^ 1U) + carry;
    v[c->y.bit[i]] = sum & 1;
    carry = sum >> 1;
  }
}

static void multiply(const struct netlist_cell *c, uint8_t *v) {
  for (uint32_t i = 0; i < c->y.n; i++) v[c->y.bit[i]] = 0;
  for (uint32_t k = 0; k < c->y.n; k++) {
    if (!at(&c->b, k, c->is_signed, v)) continue;
    unsigned carry = 0;
    for (uint32_t i = k; i < c->y.n; i++) {
      unsigned sum = v[c->y.bit[i]] + at(&c->a, i - k, c->is_signed, v) + carry;
      v[c->y.bit[i]] = sum & 1;
      carry = sum >> 1;
    }
  }
}

/* How far a shift goes to the right; beyond every word: more than any width. */
static int64_t distance(const struct netlist_cell *c, const uint8_t *v) {
  const int64_t far = 1 << 30;
  int64_t n = 0;
  bool negative = c->op == OP_SHIFT && c->b_signed && c->b.n && v[c->b.bit[c->b.n - 1]];
  for (uint32_t i = 0; i < c->b.n; i++) {
    if (v[c->b.bit[i]] == negative) continue;
    if (i >= 30) return negative ? -far : far;
    n += INT64_C(1) << i;
  }
  if (negative) n = -n - 1;
  return c->op == OP_SHL ? -n : n;
}

/* The bit of A that bit i of a shift shows, or NETLIST_NONE for a 0 (or the sign, if arithmetic). */
static uint32_t shifted(const struct netlist_cell *c, uint32_t i, const uint8_t *v) {
  int64_t from = (int64_t)i + distance(c, v);
  if (from >= 0 && from < c->a.n) return c->a.bit[from];
  return from >= c->a.n && c->op == OP_SSHR && c->is_signed && c->a.n ? c->a.bit[c->a.n - 1] : NETLIST_NONE;
}

/* Which input of a multiplexer is chosen: 0 is A, k the k-th of B. */
static uint32_t chosen(const struct netlist_cell *c, const uint8_t *v) {
  for (uint32_t k = 0; k < c->s.n; k++)
    if (v[c->s.bit[k]]) return k + 1;
  return 0;
}

static uint32_t mux_bit(const struct netlist_cell *c, uint32_t i, const uint8_t *v) {
  uint32_t k = chosen(c, v);
  return k ? c->b.bit[(k - 1) * c->y.n + i] : c->a.bit[i];
}

/* The row that bits [port * abits, ...) of A address, or NETLIST_NONE if there is none. */
static uint32_t row_of(const struct netlist_cell *c, uint32_t port, const uint8_t *v) {
  const struct netlist_memory *m = c->memory;
  uint64_t row = 0;
  for (uint32_t i = 0; i < m->abits; i++)
    if (i < 32) row |= (uint64_t)v[c->a.bit[port * m->abits + i]] << i;
    else if (v[c->a.bit[port * m->abits + i]]) return NETLIST_NONE;
  row -= m->offset;
  return row < m->size ? (uint32_t)row : NETLIST_NONE;
}

static void write_memory(const struct netlist_cell *c, uint8_t *v) {
  const struct netlist_memory *m = c->memory;
  memcpy(v + m->next, v + m->first, (size_t)m->size * m->width);
  for (uint32_t p = 0; p * m->width < c->b.n; p++) {
    uint32_t row = row_of(c, p, v);
    for (uint32_t i = 0; i < m->width && row != NETLIST_NONE; i++)
      if (v[c->s.bit[p * m->width + i]]) v[m->next + row * m->width + i] = v[c->b.bit[p * m->width + i]];
  }
}

static void put(const struct netlist_cell *c, bool result, uint8_t *v) {
  for (uint32_t i = 0; i < c->y.n; i++) v[c->y.bit[i]] = !i && result;
}

static void bitwise(const struct netlist_cell *c, uint8_t *v) {
  for (uint32_t i = 0; i < c->y.n; i++) {
    uint8_t a = at(&c->a, i, c->is_signed, v), b = at(&c->b, i, c->is_signed, v), y = a;
    if (c->op == OP_NOT) y = !a;
    else if (c->op == OP_AND) y = a & b;
    else if (c->op == OP_OR) y = a | b;
    else if (c->op == OP_XOR) y = a ^ b;
    else if (c->op == OP_XNOR) y = !(a ^ b);
    v[c->y.bit[i]] = y;
  }
}

static bool reduced(const struct netlist_cell *c, const uint8_t *v) {
  unsigned ones = 0;
  for (uint32_t i = 0; i < c->a.n; i++) ones += v[c->a.bit[i]];
  if (c->op == OP_REDUCE_AND) return ones == c->a.n;
  return c->op == OP_REDUCE_OR ? ones > 0 : (ones & 1) == (c->op == OP_REDUCE_XOR);
}

static void evaluate(const struct netlist_cell *c, uint8_t *v) {
  switch (c->op) {
    case OP_NOT:
    case OP_POS:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_XNOR: bitwise(c, v); break;
    case OP_NEG: negate(c, v); break;
    case OP_REDUCE_AND:
    case OP_REDUCE_OR:
    case OP_REDUCE_XOR:
    case OP_REDUCE_XNOR: put(c, reduced(c, v), v); break;
    case OP_LOGIC_NOT: put(c, !any(&c->a, v), v); break;
    case OP_LOGIC_AND: put(c, any(&c->a, v) && any(&c->b, v), v); break;
    case OP_LOGIC_OR: put(c, any(&c->a, v) || any(&c->b, v), v); break;
    case OP_EQ: put(c, !compare(c, v), v); break;
    case OP_NE: put(c, compare(c, v) != 0, v); break;
    case OP_LT: put(c, compare(c, v) < 0, v); break;
    case OP_LE: put(c, compare(c, v) <= 0, v); break;
    case OP_GT: put(c, compare(c, v) > 0, v); break;
    case OP_GE: put(c, compare(c, v) >= 0, v); break;
    case OP_ADD: add(c, false, v); break;
    case OP_SUB: add(c, true, v); break;
    case OP_MUL: multiply(c, v); break;
    case OP_SHL:
    case OP_SHR:
    case OP_SSHR:
    case OP_SHIFT:
      for (uint32_t i = 0; i < c->y.n; i++) {
        uint32_t from = shifted(c, i, v);
        v[c->y.bit[i]] = from == NETLIST_NONE ? 0 : v[from];
      }
      break;
    case OP_MUX:
    case OP_PMUX:
      for (uint32_t i = 0; i < c->y.n; i++) v[c->y.bit[i]] = v[mux_bit(c, i, v)];
      break;
    case OP_READ: {
      uint32_t row = row_of(c, 0, v);
      for (uint32_t i = 0; i < c->y.n; i++)
        v[c->y.bit[i]] = row == NETLIST_NONE ? 0 : v[c->memory->first + row * c->memory->width + i];
      break;
    }
    case OP_WRITE: write_memory(c, v); break;
    case OP_OTHER: break;
  }
}

void netlist_evaluate(const struct netlist *n, uint8_t *value) {
  value[NETLIST_ZERO] = 0;
  value[NETLIST_ONE] = 1;
  for (uint32_t i = 0; i < n->n_cells; i++) evaluate(&n->cells[i], value);
}

static bool reads_changed(const struct netlist_word *w, const uint8_t *changed) {
  for (uint32_t i = 0; i < w->n; i++)
    if (changed[w->bit[i]]) return true;
  return false;
}

uint32_t netlist_fan_out(const struct netlist *n, uint8_t *changed, uint32_t *cell) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < n->n_cells; i++) {
    const struct netlist_cell *c = &n->cells[i];
    bool hit = reads_changed(&c->a, changed) || reads_changed(&c->b, changed) || reads_changed(&c->s, changed);
    if (!hit) continue;
    cell[count++] = i;
    for (uint32_t k = 0; k < c->y.n; k++) changed[c->y.bit[k]] = 1;
  }
  return count;
}

void netlist_evaluate_cells(const struct netlist *n, const uint32_t *cell, uint32_t count, uint8_t *value) {
  for (uint32_t i = 0; i < count; i++) evaluate(&n->cells[cell[i]], value);
}

/* ---- what a bit depends on ---- */

struct walk {
  const struct netlist_cell *c;
  const uint8_t *v; /* NULL: whatever the values */
  netlist_visit *visit;
  void *context;
};

static void one(const struct walk *w, uint32_t bit) {
  if (bit > NETLIST_ONE && bit != NETLIST_NONE) w->visit(w->context, bit);
}

static void all(const struct walk *w, const struct netlist_word *word, uint32_t up_to) {
  for (uint32_t i = 0; i < word->n && i < up_to; i++) one(w, word->bit[i]);
}

/* Those bits of a word that have the value, or all if none has. */
static void deciding(const struct walk *w, const struct netlist_word *word, uint8_t value) {
  bool found = false;
  for (uint32_t i = 0; i < word->n && w->v; i++) {
    if (w->v[word->bit[i]] != value) continue;
    one(w, word->bit[i]);
    found = true;
  }
  if (!found) all(w, word, word->n);
}

/* Bit i of a bitwise operator; `decides`: an operand of this value gives the result alone (2: none does). */
static void lane(const struct walk *w, uint32_t i, uint8_t decides) {
  const struct netlist_cell *c = w->c;
  const struct netlist_word *word[2] = {&c->a, &c->b};
  uint32_t bit[2];
  for (int k = 0; k < 2; k++)
    bit[k] = i < word[k]->n               ? word[k]->bit[i]
             : c->is_signed && word[k]->n ? word[k]->bit[word[k]->n - 1]
                                          : NETLIST_ZERO;
  bool alone[2] = {w->v && w->v[bit[0]] == decides, w->v && c->b.n && w->v[bit[1]] == decides};
  for (int k = 0; k < 2; k++)
    if (!(alone[0] || alone[1]) || alone[k]) one(w, bit[k]);
}

static void logic(const struct walk *w, bool decides) {
  const struct netlist_word *word[2] = {&w->c->a, &w->c->b};
  bool alone[2] = {w->v && any(word[0], w->v) == decides, w->v && any(word[1], w->v) == decides};
  for (int k = 0; k < 2; k++)
    if (!(alone[0] || alone[1]) || alone[k]) deciding(w, word[k], 1);
}

static void equality(const struct walk *w) {
  const struct netlist_cell *c = w->c;
  bool differ = w->v && compare(c, w->v) != 0;
  for (uint32_t i = 0; i < c->a.n || i < c->b.n; i++) {
    if (differ && at(&c->a, i, c->is_signed, w->v) == at(&c->b, i, c->is_signed, w->v)) continue;
    if (i < c->a.n) one(w, c->a.bit[i]);
    if (i < c->b.n) one(w, c->b.bit[i]);
  }
}

static void multiplexer(const struct walk *w, uint32_t i) {
  const struct netlist_cell *c = w->c;
  all(w, &c->s, c->s.n);
  if (w->v) {
    one(w, mux_bit(c, i, w->v));
    return;
  }
  one(w, c->a.bit[i]);
  for (uint32_t k = 0; k < c->s.n; k++) one(w, c->b.bit[k * c->y.n + i]);
}

static void memory_read(const struct walk *w, uint32_t i) {
  const struct netlist_memory *m = w->c->memory;
  all(w, &w->c->a, w->c->a.n);
  uint32_t only = w->v ? row_of(w->c, 0, w->v) : NETLIST_NONE;
  for (uint32_t row = 0; row < m->size; row++)
    if (!w->v || row == only) one(w, m->first + row * m->width + i);
}

/* Bit `y` is one after the edge: what it was, and what each port may have written. */
static void memory_write(const struct walk *w, uint32_t y) {
  const struct netlist_cell *c = w->c;
  const struct netlist_memory *m = c->memory;
  uint32_t row = (y - m->next) / m->width, i = (y - m->next) % m->width, written = NETLIST_NONE;
  for (uint32_t p = 0; p * m->width < c->b.n; p++) {
    for (uint32_t k = 0; k < m->abits; k++) one(w, c->a.bit[p * m->abits + k]);
    one(w, c->s.bit[p * m->width + i]);
    if (!w->v) one(w, c->b.bit[p * m->width + i]);
    else if (row_of(c, p, w->v) == row && w->v[c->s.bit[p * m->width + i]]) written = p;
  }
  if (written != NETLIST_NONE) one(w, c->b.bit[written * m->width + i]);
  else one(w, m->first + row * m->width + i);
}

static uint32_t index_of(const struct netlist_cell *c, uint32_t y) {
  for (uint32_t i = 0; i < c->y.n; i++)
    if (c->y.bit[i] == y) return i;
  return 0;
}

void netlist_sources(const struct netlist *n, uint32_t y, const uint8_t *value, netlist_visit *visit, void *context) {
  if (y >= n->n_bits || n->driver[y] == NETLIST_NONE) return;
  const struct netlist_cell *c = &n->cells[n->driver[y]];
  struct walk w = {c, value, visit, context};
  if (c->op == OP_WRITE) {
    memory_write(&w, y);
    return;
  }
  uint32_t i = index_of(c, y);
  switch (c->op) {
    case OP_NOT:
    case OP_POS:
    case OP_XOR:
    case OP_XNOR: lane(&w, i, 2); break;
    case OP_AND: lane(&w, i, 0); break;
    case OP_OR: lane(&w, i, 1); break;
    case OP_REDUCE_AND: deciding(&w, &c->a, 0); break;
    case OP_REDUCE_OR:
    case OP_LOGIC_NOT: deciding(&w, &c->a, 1); break;
    case OP_LOGIC_AND: logic(&w, false); break;
    case OP_LOGIC_OR: logic(&w, true); break;
    case OP_EQ:
    case OP_NE: equality(&w); break;
    case OP_ADD:
    case OP_SUB:
    case OP_NEG:
    case OP_MUL:
      all(&w, &c->a, i + 1);
      all(&w, &c->b, i + 1);
      break;
    case OP_SHL:
    case OP_SHR:
    case OP_SSHR:
    case OP_SHIFT:
      all(&w, &c->b, c->b.n);
      if (value) one(&w, shifted(c, i, value));
      else all(&w, &c->a, c->a.n);
      break;
    case OP_MUX:
    case OP_PMUX: multiplexer(&w, i); break;
    case OP_READ: memory_read(&w, i); break;
    default:
      all(&w, &c->a, c->a.n);
      all(&w, &c->b, c->b.n);
      all(&w, &c->s, c->s.n);
  }
}
