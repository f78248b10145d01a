/* SPDX-License-Identifier: Apache-2.0 */
/* The logic of a block as Yosys sees it: a flat netlist of operators, flip-flops and memories with the names and lines of the source
 * (JSON after proc, flatten, memory_collect). It can be evaluated for one cycle, and says what a bit depends on. */
#ifndef TANDEM_NETLIST_NETLIST_H
#define TANDEM_NETLIST_NETLIST_H

#include <stdbool.h>
#include <stdint.h>

struct err;

/* Bits are numbers. The first two are the constants; then come Yosys' nets, then the bits of memories, row by row, then the
 * bits that these will have after the clock edge. */
enum { NETLIST_ZERO, NETLIST_ONE };
#define NETLIST_NONE UINT32_MAX

enum netlist_op {
  OP_NOT,
  OP_POS,
  OP_NEG,
  OP_AND,
  OP_OR,
  OP_XOR,
  OP_XNOR,
  OP_REDUCE_AND,
  OP_REDUCE_OR,
  OP_REDUCE_XOR,
  OP_REDUCE_XNOR,
  OP_LOGIC_NOT,
  OP_LOGIC_AND,
  OP_LOGIC_OR,
  OP_EQ,
  OP_NE,
  OP_LT,
  OP_LE,
  OP_GT,
  OP_GE,
  OP_ADD,
  OP_SUB,
  OP_MUL,
  OP_SHL,
  OP_SHR,
  OP_SSHR,
  OP_SHIFT, /* right by B, left if B is signed and negative */
  OP_MUX,
  OP_PMUX,
  OP_READ, /* of a memory: A is the address */
  OP_WRITE, /* of a memory: Y are all its bits after the edge; A the addresses, B the data, S the enables, port by port */
  OP_OTHER /* not evaluated: Y stays 0 */
};

struct netlist_word {
  uint32_t *bit; /* lowest first */
  uint32_t n;
};

struct netlist_memory {
  char *name;
  uint32_t width, size, abits, first; /* first: bit of row 0; row r has its bits at first + r * width */
  uint32_t next;                      /* the same after the clock edge */
  uint32_t offset;                    /* address of row 0 */
};

struct netlist_cell {
  enum netlist_op op;
  bool is_signed, b_signed; /* A (and B) are extended by their signs; of a shift, B is a signed number */
  struct netlist_word a, b, s, y;
  const struct netlist_memory *memory; /* of OP_READ and OP_WRITE */
  const char *file;                    /* place in the source; NULL: not known */
  uint32_t line, last_line;
};

/* A signal of the source. */
struct netlist_name {
  char *name; /* "u_pick.req_i" of a part */
  struct netlist_word bits;
  const char *file; /* of its declaration; NULL: not known */
  uint32_t line;
};

struct netlist {
  uint32_t n_bits;
  struct netlist_cell *cells; /* those without a clock, each after those that it reads */
  uint32_t n_cells;
  struct netlist_name *names; /* sorted by name */
  uint32_t n_names;
  struct netlist_memory *memories;
  uint32_t n_memories;
  uint32_t *driver;          /* of a bit: its cell, or NETLIST_NONE for inputs and registers */
  uint32_t *next;            /* of a register's bit: the bit that it takes at the clock edge, else NETLIST_NONE */
  uint32_t *clocked_line;    /* of a register's bit: the line of its clocked process, or 0 */
  const char **clocked_file; /* and the file */
  bool complete;             /* every cell can be evaluated, and there is no loop */
  char **files;
  uint32_t n_files;
};

/* Reads the top module of the file. ERR_FILE: it cannot be read, or is no JSON; ERR_SYNTAX: it has no top module. */
int netlist_load(struct netlist *, const char *path, struct err *);
void netlist_free(struct netlist *);

/* The signal of this name, or NULL. */
const struct netlist_name *netlist_find(const struct netlist *, const char *name);
/* The memory of this name, or NULL. */
const struct netlist_memory *netlist_find_memory(const struct netlist *, const char *name);

/* Evaluates all cells: value[bit] is 0 or 1 of n_bits bits, in which inputs and registers have been set. Unknown constants count as 0. */
void netlist_evaluate(const struct netlist *, uint8_t *value);

/* The cells that depend on a changed bit, in their order: cell[] has room for n_cells. `changed` marks those bits and, on return,
 * all that depend on them (n_bits). */
uint32_t netlist_fan_out(const struct netlist *, uint8_t *changed, uint32_t *cell);
/* Evaluates only these cells. */
void netlist_evaluate_cells(const struct netlist *, const uint32_t *cell, uint32_t count, uint8_t *value);

/* Calls visit() for each bit that bit `y` depends on directly. With `value` (as evaluated) only those that decided it: of a
 * multiplexer the select and the chosen input, of an AND that is 0 the inputs that are 0. Constants are left out. */
typedef void netlist_visit(void *context, uint32_t bit);
void netlist_sources(const struct netlist *, uint32_t y, const uint8_t *value, netlist_visit *, void *context);

#endif
