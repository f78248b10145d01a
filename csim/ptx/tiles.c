/* SPDX-License-Identifier: Apache-2.0 */
/* Finds software staging copies into shared memory in the operations of a kernel. assumption: the
 * rules below; what they find is what Jamshidi 2014, 2.2 calls buffering:
 *   store    a shared store of values that were loaded from global memory or textures, and at most moved and converted;
 *            or of constants, into an array that such stores write,
 *   load     those loads,
 *   address  operations that compute their addresses and guards, and the branches that decide whether they execute,
 *            back to the last barrier.
 * A tile is one shared array. Operations that several tiles' addresses depend on count for the tile that is copied
 * first. Uses are traced to all writers of a register, in any order, but not across barriers: compilers write a
 * register in one place, or in the predecessors of one block. */
#include "ptx/part.h"

#include <string.h>

/* assumption: limits on the operations examined, for the branches of a kernel and for its stores. A kernel that
 * exceeds them is left unmarked: loading it would take seconds. */
enum { CONTROL_EFFORT = 1 << 24, STORE_EFFORT = 1 << 26, NOT_A_TILE = 0xff };

struct marker {
  struct ptx_op *ops;
  uint32_t n_ops, n_registers;
  const uint8_t *predicate;        /* by register */
  uint32_t *first, *writer;        /* operations that write a register */
  uint32_t *first_source, *source; /* branches to an operation */
  uint8_t *symbol,
    *moves;             /* by operation: number of the shared array named in it, or 0; whether it moves or converts */
  uint8_t *role, *tile; /* by operation; tile: symbol */
  uint8_t *region, *relevant;
  uint8_t *seen; /* by register */
  uint32_t *stack;
  uint32_t *load, n_loads; /* of a store */
};

static bool is_load(const struct ptx_op *op) {
  return op->class == PTX_LOAD && !op->memory.is_matrix &&
         (op->memory.space == PTX_GLOBAL || op->memory.space == PTX_GENERIC || op->memory.space == PTX_TEXTURE);
}
static bool is_store(const struct ptx_op *op) {
  return op->class == PTX_STORE && op->memory.space == PTX_SHARED && !op->memory.is_matrix;
}

/* How many of the registers that a memory operation reads make its address: the first, unless the address is a
 * constant; all for textures. */
static uint32_t address_reads(const struct marker *m, const struct ptx_op *op) {
  uint32_t n = ptx_n_reads(op);
  if (op->memory.space == PTX_TEXTURE) return n;
  return n && op->src[0] >= 0 && op->src[0] < SPECIAL_ROWS && !m->predicate[op->read_reg[0]] ? 1 : 0;
}

/* ---- graphs ---- */

static void index_writers(struct arena *a, struct marker *m) {
  m->first = arena_alloc(a, (m->n_registers + 2) * sizeof *m->first);
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->n_ops; i++)
    for (uint32_t j = 0; j < ptx_n_writes(&m->ops[i]); j++, n++) m->first[m->ops[i].write_reg[j] + 2]++;
  for (uint32_t r = 2; r < m->n_registers + 2; r++) m->first[r] += m->first[r - 1];
  m->writer = arena_alloc(a, (n + 1) * sizeof *m->writer);
  for (uint32_t i = 0; i < m->n_ops; i++)
    for (uint32_t j = 0; j < ptx_n_writes(&m->ops[i]); j++) m->writer[m->first[m->ops[i].write_reg[j] + 1]++] = i;
}

static void index_branches(struct arena *a, struct marker *m) {
  m->first_source = arena_alloc(a, (m->n_ops + 3) * sizeof *m->first_source);
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->n_ops; i++)
    if (ptx_op_is_jump(&m->ops[i])) m->first_source[m->ops[i].branch.target + 2]++, n++;
  for (uint32_t i = 2; i < m->n_ops + 3; i++) m->first_source[i] += m->first_source[i - 1];
  m->source = arena_alloc(a, (n + 1) * sizeof *m->source);
  for (uint32_t i = 0; i < m->n_ops; i++)
    if (ptx_op_is_jump(&m->ops[i])) m->source[m->first_source[m->ops[i].branch.target + 1]++] = i;
}

static bool falls_through(const struct ptx_op *op) { return !ptx_op_ends_flow(op) || op->guard != PTX_NO_GUARD; }

/* Adds the operations from which those on the stack can be reached without a barrier. */
static void grow_region(struct marker *m, uint32_t depth) {
  while (depth) {
    uint32_t i = m->stack[--depth];
    if (i && falls_through(&m->ops[i - 1]) && !m->region[i - 1] && m->ops[i - 1].class != PTX_BARRIER)
      m->region[i - 1] = 1, m->stack[depth++] = i - 1;
    for (uint32_t k = m->first_source[i]; k < m->first_source[i + 1]; k++)
      if (!m->region[m->source[k]]) m->region[m->source[k]] = 1, m->stack[depth++] = m->source[k];
  }
}

/* ---- stores and loads ---- */

static uint32_t want(struct marker *m, uint32_t depth, uint32_t reg) {
  if (m->seen[reg]) return depth;
  m->seen[reg] = 1;
  m->stack[depth] = reg;
  return depth + 1;
}

static bool written_in_region(const struct marker *m, uint32_t r) {
  for (uint32_t k = m->first[r]; k < m->first[r + 1]; k++)
    if (m->region[m->writer[k]]) return true;
  return false;
}

/* Lists the loads that the store's values come from in m->load; false if a value is computed. A register that is
 * written between the last barrier and the store has its value from there. */
static bool find_loads(struct marker *m, const struct ptx_op *store) {
  uint32_t depth = 0;
  memset(m->region, 0, m->n_ops);
  m->region[store - m->ops] = 1;
  m->stack[0] = (uint32_t)(store - m->ops);
  grow_region(m, 1);
  m->n_loads = 0;
  memset(m->seen, 0, m->n_registers);
  for (uint32_t i = address_reads(m, store); i < ptx_n_reads(store); i++)
    if (!m->predicate[store->read_reg[i]]) depth = want(m, depth, store->read_reg[i]);
  while (depth) {
    uint32_t r = m->stack[--depth];
    bool near = written_in_region(m, r);
    for (uint32_t k = m->first[r]; k < m->first[r + 1]; k++) {
      uint32_t i = m->writer[k];
      const struct ptx_op *op = &m->ops[i];
      if (near && !m->region[i]) continue;
      if (is_load(op)) {
        m->load[m->n_loads++] = i; /* once for each register of a vector */
        continue;
      }
      if (!m->moves[i]) return false;
      for (uint32_t j = 0; j < ptx_n_reads(op); j++)
        if (!m->predicate[op->read_reg[j]]) depth = want(m, depth, op->read_reg[j]);
    }
  }
  return true;
}

/* The lowest number of a shared array that the address depends on; 0: none. */
static uint8_t array_of(struct marker *m, const struct ptx_op *store) {
  uint32_t depth = 0;
  uint8_t best = m->symbol[store - m->ops];
  memset(m->seen, 0, m->n_registers);
  if (address_reads(m, store)) depth = want(m, depth, store->read_reg[0]);
  while (depth) {
    uint32_t r = m->stack[--depth];
    for (uint32_t k = m->first[r]; k < m->first[r + 1]; k++) {
      uint32_t i = m->writer[k];
      if (m->ops[i].class == PTX_LOAD) continue; /* an index read from another array */
      if (m->symbol[i] && (!best || m->symbol[i] < best)) best = m->symbol[i];
      for (uint32_t j = 0; j < ptx_n_reads(&m->ops[i]); j++) depth = want(m, depth, m->ops[i].read_reg[j]);
    }
  }
  return best;
}

static void mark_store(struct marker *m, uint32_t i, uint8_t tile) {
  m->role[i] = PTX_TILE_STORE;
  m->tile[i] = tile;
}

static bool mark_copies(struct marker *m) {
  bool copied[PTX_TILES] = {false}, found = false;
  for (uint32_t i = 0; i < m->n_ops; i++) {
    if (!is_store(&m->ops[i]) || !find_loads(m, &m->ops[i]) || !m->n_loads) continue;
    mark_store(m, i, array_of(m, &m->ops[i]));
    copied[m->tile[i]] = found = true;
    for (uint32_t k = 0; k < m->n_loads; k++) {
      uint32_t load = m->load[k];
      m->role[load] = PTX_TILE_LOAD;
      if (m->tile[load] == NOT_A_TILE) m->tile[load] = m->tile[i];
    }
  }
  for (uint32_t i = 0; i < m->n_ops && found; i++) { /* constants, such as halos are filled with */
    if (!is_store(&m->ops[i]) || m->role[i] || !find_loads(m, &m->ops[i])) continue;
    uint8_t tile = array_of(m, &m->ops[i]);
    if (copied[tile]) mark_store(m, i, tile);
  }
  return found;
}

/* ---- addresses ---- */

static bool of_tile(const struct marker *m, uint32_t i, uint8_t tile) {
  return m->tile[i] == tile && m->role[i] > PTX_TILE_ADDRESS;
}

/* Operations from which the tile's loads and stores are reached without a barrier. */
static void find_region(struct marker *m, uint8_t tile) {
  uint32_t depth = 0;
  memset(m->region, 0, m->n_ops);
  for (uint32_t i = 0; i < m->n_ops; i++)
    if (of_tile(m, i, tile)) m->region[i] = 1, m->stack[depth++] = i;
  grow_region(m, depth);
}

/* Whether the branch decides if a load, a store or a relevant branch of the region executes: one of them lies between
 * the branch and its reconvergence point. */
static bool decides(struct marker *m, uint32_t branch, uint8_t tile, uint8_t *visited) {
  const struct ptx_op *b = &m->ops[branch];
  uint32_t depth = 0;
  memset(visited, 0, m->n_ops);
  m->stack[depth++] = branch + 1;
  m->stack[depth++] = b->branch.target;
  while (depth) {
    uint32_t i = m->stack[--depth];
    if (i >= m->n_ops || i == b->branch.reconverge || visited[i]++) continue;
    const struct ptx_op *op = &m->ops[i];
    if (op->class == PTX_BARRIER) continue;
    if (of_tile(m, i, tile) || (m->relevant[i] && i != branch)) return true;
    if (falls_through(op)) m->stack[depth++] = i + 1;
    if (ptx_op_is_jump(op)) m->stack[depth++] = op->branch.target;
  }
  return false;
}

static void find_relevant(struct marker *m, uint8_t tile, uint8_t *visited) {
  uint32_t effort = 0;
  memset(m->relevant, 0, m->n_ops);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < m->n_ops && effort < CONTROL_EFFORT; i++) {
      const struct ptx_op *op = &m->ops[i];
      if (!m->region[i] || m->relevant[i] || !ptx_op_is_jump(op) || op->guard == PTX_NO_GUARD) continue;
      effort += m->n_ops;
      if (decides(m, i, tile, visited)) m->relevant[i] = 1, more = true;
    }
  }
}

/* Registers that the tile's addresses, guards and deciding branches read. */
static uint32_t wanted_registers(struct marker *m, uint8_t tile) {
  uint32_t depth = 0;
  memset(m->seen, 0, m->n_registers);
  for (uint32_t i = 0; i < m->n_ops; i++) {
    const struct ptx_op *op = &m->ops[i];
    bool copies = of_tile(m, i, tile);
    uint32_t n = ptx_n_reads(op), addresses = copies ? address_reads(m, op) : 0;
    if (m->relevant[i] && m->tile[i] == NOT_A_TILE) m->role[i] = PTX_TILE_ADDRESS, m->tile[i] = tile;
    for (uint32_t j = 0; j < n && (copies || m->relevant[i]); j++)
      if (j < addresses || m->predicate[op->read_reg[j]]) depth = want(m, depth, op->read_reg[j]);
  }
  return depth;
}

static void mark_addresses(struct marker *m, uint8_t tile, uint8_t *visited) {
  find_region(m, tile);
  find_relevant(m, tile, visited);
  for (uint32_t depth = wanted_registers(m, tile); depth;) {
    uint32_t r = m->stack[--depth];
    for (uint32_t k = m->first[r]; k < m->first[r + 1]; k++) {
      uint32_t i = m->writer[k];
      if (!m->region[i]) continue;
      if (m->tile[i] == NOT_A_TILE) m->role[i] = PTX_TILE_ADDRESS, m->tile[i] = tile;
      if (m->role[i] > PTX_TILE_ADDRESS) continue;
      for (uint32_t j = 0; j < ptx_n_reads(&m->ops[i]); j++) depth = want(m, depth, m->ops[i].read_reg[j]);
    }
  }
}

/* ---- the whole ---- */

/* Tiles in the order in which they are first loaded. */
static uint32_t publish(struct marker *m, const uint8_t *order, uint32_t n) {
  uint8_t number[256] = {0};
  for (uint32_t i = 0; i < n; i++) number[order[i]] = (uint8_t)i;
  for (uint32_t i = 0; i < m->n_ops; i++)
    m->ops[i].tile = m->tile[i] == NOT_A_TILE ? 0 : (uint8_t)(m->role[i] | number[m->tile[i]] << 2);
  return n;
}

uint32_t ptx_mark_tiles(struct arena *a, struct ptx_op *ops, uint32_t n_ops, uint32_t n_registers,
                        const uint8_t *predicate) {
  struct marker m = {.ops = ops, .n_ops = n_ops, .n_registers = n_registers, .predicate = predicate};
  uint8_t order[PTX_TILES];
  uint32_t n = 0, stores = 0;
  uint8_t *bytes = arena_alloc(a, (size_t)n_ops * 6 + n_registers + 1);
  m.symbol = bytes, m.moves = bytes + n_ops, m.role = bytes + 2 * n_ops, m.tile = bytes + 3 * n_ops;
  m.region = bytes + 4 * n_ops, m.relevant = bytes + 5 * n_ops, m.seen = bytes + 6 * (size_t)n_ops;
  for (uint32_t i = 0; i < n_ops; i++) {
    m.symbol[i] = ops[i].array < PTX_TILES ? ops[i].array : PTX_TILES - 1; /* the last stands for all others */
    m.moves[i] = ops[i].moves;
    m.tile[i] = NOT_A_TILE;
    stores += is_store(&ops[i]);
  }
  if (!stores || (uint64_t)stores * n_ops > STORE_EFFORT) return 0;
  m.stack = arena_alloc(a, ((size_t)n_ops * 2 + n_registers + 4) * sizeof *m.stack);
  m.load = arena_alloc(a, (size_t)n_ops * 4 * sizeof *m.load);
  index_writers(a, &m);
  index_branches(a, &m);
  if (!mark_copies(&m)) return 0;
  for (uint32_t i = 0; i < n_ops; i++) {
    if (m.role[i] != PTX_TILE_LOAD) continue;
    if (!n || !memchr(order, m.tile[i], n)) order[n++] = m.tile[i];
  }
  uint8_t *visited = arena_alloc(a, n_ops);
  for (uint32_t i = 0; i < n; i++) mark_addresses(&m, order[i], visited);
  return publish(&m, order, n);
}
