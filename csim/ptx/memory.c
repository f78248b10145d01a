/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses and values of memory operations. */
#include "device/device_memory.h"
#include "ptx/lane_loop.h"

/* ---- addresses ---- */

static enum ptx_space space_of(uint64_t address) {
  if (address >= GENERIC_SHARED_BASE && address < GENERIC_SHARED_END) return PTX_SHARED;
  if (address >= GENERIC_LOCAL_BASE && address < GENERIC_LOCAL_END) return PTX_LOCAL;
  if (address >= GENERIC_PARAM_BASE && address < GENERIC_PARAM_END) return PTX_PARAM;
  return PTX_GLOBAL;
}

/* Keeps the lanes whose address lies in the space of the first one; the others need another access. */
static void resolve_generic(struct ptx_access *a) {
  a->space = PTX_GLOBAL;
  if (!a->mask) return;
  uint32_t lanes = 0;
  a->space = (uint8_t)space_of(a->address[__builtin_ctz(a->mask)]);
  EACH_LANE lanes |= (uint32_t)(space_of(a->address[l]) == a->space) << l;
  a->mask &= lanes;
  if (a->space == PTX_GLOBAL) return;
  uint64_t base = a->space == PTX_SHARED  ? GENERIC_SHARED_BASE
                  : a->space == PTX_LOCAL ? GENERIC_LOCAL_BASE
                                          : GENERIC_PARAM_BASE;
  EACH_LANE a->address[l] -= base;
}

/* ---- cp.async ---- */

/* Bytes that a lane of cp.async reads; the rest of its copy is filled with zeros. */
static uint32_t async_bytes(const struct ptx_op *op, const struct ptx_warp *w, uint32_t l) {
  const uint32_t bytes = op->memory.bytes;
  if (op->n_src < 3) return bytes;
  if (op->memory.copy.ignore) return ptx_predicate(op, w, 2) >> l & 1 ? 0 : bytes;
  const lane32 *s = ptx_src(op, w, 2);
  return s[l] < bytes ? s[l] : bytes;
}

/* Lanes that read nothing make no access. */
static void async_addresses(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask, struct ptx_access *a) {
  const lane64 *base = ptx_src(op, w, 0);
  *a = (struct ptx_access){.space = PTX_GLOBAL, .bytes = op->memory.bytes, .async = true};
  uint64_t uneven = 0;
  for (uint32_t l = 0; l < WARP_LANES; l++) {
    a->address[l] = base[l] + (uint64_t)op->memory.offset;
    uneven |= a->address[l] - (a->address[0] + (uint64_t)l * a->bytes);
    if (mask >> l & 1 && async_bytes(op, w, l)) a->mask |= 1u << l;
  }
  a->in_order = a->mask == UINT32_MAX && !uneven;
}

static void async_perform(const struct ptx_op *op, struct ptx_warp *w, const struct ptx_access *a) {
  const struct ptx_op_memory *m = &op->memory;
  const void *to = ptx_src(op, w, 1);
  for (uint32_t mask = ptx_op_mask(op, w); mask; mask &= mask - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(mask), bytes = async_bytes(op, w, l), all = w->cta->shared_bytes;
    uint64_t at = (m->copy.shared_32 ? ((const lane32 *)to)[l] : ((const lane64 *)to)[l]) + m->copy.shared_offset;
    if (m->copy.shared_32) at = (uint32_t)at;
    const uint8_t *from = bytes ? device_memory_at(w->cta->memory, a->address[l], bytes) : NULL;
    bool aligned = ((at | (bytes ? a->address[l] : 0)) & (m->bytes - 1U)) == 0;
    if (!aligned || (bytes && !from) || at > all || m->bytes > all - at) {
      ptx_fault(w, op, aligned ? PTX_COPY_ILLEGAL : PTX_COPY_MISALIGNED, l, .bytes = m->bytes, .address = a->address[l],
                .to = at);
      return;
    }
    if (bytes) memcpy(w->cta->shared + at, from, bytes);
    memset(w->cta->shared + at + bytes, 0, m->bytes - bytes);
  }
}

/* Of all lanes, with `in_order` and `same`. */
INLINE void lane_addresses(const struct ptx_op *op, const struct ptx_warp *w, struct ptx_access *a) {
  const uint64_t offset = (uint64_t)op->memory.offset, bytes = a->bytes;
  uint64_t uneven = 0, spread = 0;
  if (op->memory.address_32) {
    const lane32 *base = ptx_src(op, w, 0);
    const uint32_t first = base[0] + (uint32_t)offset;
    EACH_LANE {
      const uint32_t at = base[l] + (uint32_t)offset;
      a->address[l] = at;
      spread |= at - first;
      uneven |= at - (first + bytes * l);
    }
  } else {
    const lane64 *base = ptx_src(op, w, 0);
    const uint64_t first = base[0] + offset;
    EACH_LANE {
      const uint64_t at = base[l] + offset;
      a->address[l] = at;
      spread |= at - first;
      uneven |= at - (first + bytes * l);
    }
  }
  a->in_order = !uneven, a->same = !spread;
}

static void lane_addresses_base(const struct ptx_op *op, const struct ptx_warp *w, struct ptx_access *a) {
  lane_addresses(op, w, a);
}
WIDE static void lane_addresses_wide(const struct ptx_op *op, const struct ptx_warp *w, struct ptx_access *a) {
  lane_addresses(op, w, a);
}

void ptx_addresses(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask, struct ptx_access *a) {
  if (op->memory.space == PTX_TEXTURE) {
    if (op->memory.fetch.surface) ptx_surface_addresses(op, w, mask, a);
    else ptx_texture_addresses(op, w, mask, a);
    return;
  }
  if (op->memory.async) {
    async_addresses(op, w, mask, a);
    return;
  }
  a->async = a->in_order = a->same = false;
  if (op->memory.is_matrix) {
    ptx_matrix_addresses(op, w, mask, a);
    return;
  }
  a->space = op->memory.space;
  a->bytes = (uint8_t)(op->memory.bytes * op->memory.vector);
  a->store = op->class == PTX_STORE;
  a->atomic = op->class == PTX_ATOMIC;
  a->mask = mask;
  if (op->memory.wide_host) lane_addresses_wide(op, w, a);
  else lane_addresses_base(op, w, a);
  if (op->memory.space == PTX_GENERIC) resolve_generic(a);
  if (a->mask != UINT32_MAX) a->in_order = a->same = false;
}

/* ---- values ---- */

/* Host address of a lane's bytes, or NULL. */
static inline uint8_t *locate(const struct ptx_warp *w, const struct ptx_access *a, uint32_t l) {
  uint64_t at = a->address[l], all;
  switch (a->space) {
    case PTX_SHARED: all = w->cta->shared_bytes; return at <= all && a->bytes <= all - at ? w->cta->shared + at : NULL;
    case PTX_LOCAL:
      all = w->cta->kernel->local_bytes;
      return at <= all && a->bytes <= all - at ? w->local + l * all + at : NULL;
    case PTX_PARAM:
      all = w->cta->kernel->param_bytes;
      if (a->store || a->atomic || at > all || a->bytes > all - at) return NULL;
      return (uint8_t *)(uintptr_t)(w->cta->params + at); /* never written: stores and atomics are refused above */
    default: return device_memory_at(w->cta->memory, at, a->bytes);
  }
}

/* Lane by lane, for accesses that span very far or are illegal. Nothing is performed unless every lane is legal. */
static bool all_legal(const struct ptx_op *op, struct ptx_warp *w, const struct ptx_access *a, uint8_t **at) {
  for (uint32_t mask = a->mask; mask; mask &= mask - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(mask);
    bool aligned = (a->address[l] & (a->bytes - 1u)) == 0;
    if (aligned && (at[l] = locate(w, a, l))) continue;
    ptx_fault(w, op, aligned ? PTX_ILLEGAL : PTX_MISALIGNED, l, .space = a->space, .store = a->store,
              .atomic = a->atomic, .bytes = a->bytes, .address = a->address[l]);
    return false;
  }
  return true;
}

/* All lanes at once: true if the whole span from the lowest to the highest address is legal and every address
 * aligned. Then at[] is filled for all lanes; for lanes that do not take part it is that of the first one that does. */
INLINE bool whole_span(const struct ptx_warp *w, const struct ptx_access *a, uint8_t **at) {
  if (!a->mask) return true;
  const uint64_t base = a->address[__builtin_ctz(a->mask)], mask = a->mask, all = w->cta->kernel->local_bytes;
  uint64_t wild = 0, low = base;
  int32_t delta[WARP_LANES], least = 0, most = 0;
  EACH_LANE {
    uint64_t d = mask & lane_bit64[l] ? a->address[l] - base : 0;
    wild |= (d + (UINT64_C(1) << 30)) >> 31;
    low |= d;
    delta[l] = (int32_t)(uint32_t)d;
  }
  EACH_LANE {
    least = delta[l] < least ? delta[l] : least;
    most = delta[l] > most ? delta[l] : most;
  }
  if (wild || low & (a->bytes - 1u)) return false;
  uint64_t first = base + (uint64_t)(int64_t)least, bytes = (uint64_t)(most - least) + a->bytes;
  uint8_t *origin = NULL;
  if (a->space == PTX_SHARED) {
    if (first <= w->cta->shared_bytes && bytes <= w->cta->shared_bytes - first) origin = w->cta->shared + first;
  } else if (a->space == PTX_LOCAL) {
    if (first <= all && bytes <= all - first) origin = w->local + first;
  } else {
    origin = device_memory_at(w->cta->memory, first, bytes);
  }
  if (!origin) return false;
  const uint64_t stride = a->space == PTX_LOCAL ? all : 0;
  EACH_LANE at[l] = origin + (delta[l] - least) + l * stride;
  return true;
}

INLINE uint64_t read_element(const uint8_t *at, uint32_t bytes) {
  uint64_t raw = 0;
  switch (bytes) {
    case 1: return *at;
    case 2: memcpy(&raw, at, 2); return raw;
    case 4: memcpy(&raw, at, 4); return raw;
    default: memcpy(&raw, at, 8); return raw;
  }
}
INLINE void write_element(uint8_t *at, uint32_t bytes, uint64_t raw) {
  switch (bytes) {
    case 1: *at = (uint8_t)raw; break;
    case 2: memcpy(at, &raw, 2); break;
    case 4: memcpy(at, &raw, 4); break;
    default: memcpy(at, &raw, 8);
  }
}

INLINE void load(const struct ptx_op *op, struct ptx_warp *w, uint32_t lanes, uint8_t *const *at) {
  uint32_t shift = 64 - 8u * op->memory.bytes;
  for (uint32_t i = 0; i < op->memory.vector; i++) {
    void *d = ptx_dst(op, w, i);
    if (lanes == UINT32_MAX && op->memory.bytes == 4 && op->memory.register_bytes == 4) { /* the usual load */
      for (uint32_t l = 0; l < WARP_LANES; l++) memcpy((lane32 *)d + l, at[l] + 4 * i, 4);
      continue;
    }
    if (lanes == UINT32_MAX && op->memory.bytes == 8) {
      for (uint32_t l = 0; l < WARP_LANES; l++) memcpy((lane64 *)d + l, at[l] + 8 * i, 8);
      continue;
    }
    for (uint32_t mask = lanes; mask; mask &= mask - 1) {
      uint32_t l = (uint32_t)__builtin_ctz(mask);
      uint64_t raw = read_element(at[l] + i * op->memory.bytes, op->memory.bytes);
      if (op->memory.is_signed) raw = (uint64_t)((int64_t)(raw << shift) >> shift);
      if (op->memory.register_bytes == 8) ((lane64 *)d)[l] = raw;
      else ((lane32 *)d)[l] = op->memory.register_bytes == 2 ? (uint32_t)(raw & 0xffff) : (uint32_t)raw;
    }
  }
}

INLINE uint64_t source_value(const struct ptx_op *op, const struct ptx_warp *w, uint32_t i, uint32_t l) {
  return op->memory.register_bytes == 8 ? ((const lane64 *)ptx_src(op, w, i))[l]
                                        : ((const lane32 *)ptx_src(op, w, i))[l];
}

/* assumption: of two lanes that store to one place the higher wins (the ISA leaves it open). */
INLINE void store(const struct ptx_op *op, struct ptx_warp *w, uint32_t lanes, uint8_t *const *at) {
  if (lanes == UINT32_MAX && op->memory.bytes == 4 && op->memory.vector == 1 && op->memory.register_bytes != 8) {
    const lane32 *s = ptx_src(op, w, 1);
    for (uint32_t l = 0; l < WARP_LANES; l++) memcpy(at[l], s + l, 4);
    return;
  }
  for (uint32_t mask = lanes; mask; mask &= mask - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(mask);
    for (uint32_t i = 0; i < op->memory.vector; i++)
      write_element(at[l] + i * op->memory.bytes, op->memory.bytes, source_value(op, w, 1 + i, l));
  }
}

/* ---- atomics: lane by lane, lowest first ---- */

/* The usual atomic: whole numbers of 32 bits are added. */
static bool add_words(const struct ptx_op *op, struct ptx_warp *w, uint32_t lanes, uint8_t *const *at) {
  enum ptx_type type = (enum ptx_type)op->memory.atomic.type;
  if (op->memory.atomic.operation != ATOMIC_ADD || (type != T_U32 && type != T_S32) || op->memory.vector != 1 ||
      op->memory.register_bytes != 4)
    return false;
  const lane32 *b = ptx_src(op, w, 1);
  lane32 *d = op->n_dst ? ptx_dst(op, w, 0) : NULL; /* may be b */
  for (; lanes; lanes &= lanes - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(lanes), old, sum;
    memcpy(&old, at[l], 4);
    sum = old + b[l];
    memcpy(at[l], &sum, 4);
    if (d) d[l] = old;
  }
  return true;
}

/* atom.cas.b128: both halves are compared, and both are exchanged or none. */
static void compare_pairs(const struct ptx_op *op, struct ptx_warp *w, uint32_t lanes, uint8_t *const *at) {
  for (; lanes; lanes &= lanes - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(lanes);
    uint64_t old[2], wanted[2], new[2];
    memcpy(old, at[l], sizeof old);
    for (uint32_t i = 0; i < 2; i++) {
      wanted[i] = source_value(op, w, 1 + i, l);
      new[i] = source_value(op, w, 3 + i, l);
    }
    if (memcmp(old, wanted, sizeof old) == 0) memcpy(at[l], new, sizeof new);
    for (uint32_t i = 0; i < op->n_dst; i++) ((lane64 *)ptx_dst(op, w, i))[l] = old[i];
  }
}

static void atomic(const struct ptx_op *op, struct ptx_warp *w, uint32_t lanes, uint8_t *const *at) {
  if (add_words(op, w, lanes, at)) return;
  if (op->memory.atomic.operation == ATOMIC_CAS && op->memory.vector == 2) {
    compare_pairs(op, w, lanes, at);
    return;
  }
  bool is_cas = op->memory.atomic.operation == ATOMIC_CAS;
  for (uint32_t mask = lanes; mask; mask &= mask - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(mask);
    uint64_t old[4] = {0};
    for (uint32_t i = 0; i < op->memory.vector; i++) { /* a destination may be a source: read all before writing any */
      uint8_t *element = at[l] + i * op->memory.bytes;
      old[i] = read_element(element, op->memory.bytes);
      uint64_t b = source_value(op, w, 1 + i, l), c = is_cas ? source_value(op, w, 2, l) : 0;
      write_element(element, op->memory.bytes, ptx_atomic_result(op->memory.atomic, old[i], b, c));
    }
    for (uint32_t i = 0; i < op->n_dst; i++) {
      if (op->memory.register_bytes == 8) ((lane64 *)ptx_dst(op, w, i))[l] = old[i];
      else ((lane32 *)ptx_dst(op, w, i))[l] = (uint32_t)old[i];
    }
  }
}

/* Host address of bytes that the CTA may access; NULL: it may not. */
INLINE uint8_t *host_bytes(const struct ptx_warp *w, const struct ptx_access *a, uint64_t address, uint64_t bytes) {
  uint64_t all = w->cta->shared_bytes;
  if (a->space != PTX_SHARED) return device_memory_at(w->cta->memory, address, bytes);
  return address <= all && bytes <= all - address ? w->cta->shared + address : NULL;
}

/* Each lane has one 32-bit word, which goes from memory into one register, or back. */
INLINE bool is_of_words(const struct ptx_op *op, const struct ptx_access *a) {
  return a->bytes == 4 && op->memory.bytes == 4 && op->memory.register_bytes == 4 && !a->atomic &&
         a->space != PTX_LOCAL;
}

/* The usual access: a full warp that loads or stores words in lane order, or loads the same word. */
INLINE bool fast_words(const struct ptx_op *op, struct ptx_warp *w, const struct ptx_access *a) {
  if (!a->in_order && (!a->same || a->store)) return false;
  uint64_t base = a->address[0];
  uint8_t *at = base & 3 ? NULL : host_bytes(w, a, base, a->in_order ? 4 * WARP_LANES : 4);
  if (!at) return false; /* all_legal names the lane */
  if (a->store) {
    memcpy(at, ptx_src(op, w, 1), 4 * WARP_LANES);
  } else if (a->in_order) {
    memcpy(ptx_dst(op, w, 0), at, 4 * WARP_LANES);
  } else {
    uint32_t word;
    memcpy(&word, at, 4);
    lane32 *d = ptx_dst(op, w, 0);
    EACH_LANE d[l] = word;
  }
  return true;
}

/* Half a warp each, as blocks of 16 x 16 threads load: words in lane order, or the same word. */
INLINE bool fast_halves(const struct ptx_op *op, struct ptx_warp *w, const struct ptx_access *a) {
  enum { HALF = WARP_LANES / 2 };
  if (a->mask != UINT32_MAX || a->store || op->memory.is_matrix || (a->space != PTX_SHARED && a->space != PTX_GLOBAL))
    return false;
  const uint64_t first = a->address[0], second = a->address[HALF];
  uint64_t uneven = 0, spread = 0;
  for (uint32_t l = 0; l < HALF; l++) {
    const uint64_t d = a->address[l] - first, e = a->address[l + HALF] - second;
    uneven |= (d - 4 * (uint64_t)l) | (e - 4 * (uint64_t)l);
    spread |= d | e;
  }
  if ((uneven && spread) || (first | second) & 3) return false;
  const uint64_t bytes = uneven ? 4 : 4 * HALF;
  const uint8_t *from = host_bytes(w, a, first, bytes), *and = host_bytes(w, a, second, bytes);
  if (!from || !and) return false;
  lane32 *d = ptx_dst(op, w, 0);
  if (!uneven) {
    memcpy(d, from, 4 * HALF);
    memcpy(d + HALF, and, 4 * HALF);
    return true;
  }
  uint32_t low, high;
  memcpy(&low, from, 4);
  memcpy(&high, and, 4);
  for (uint32_t l = 0; l < HALF; l++) d[l] = low, d[l + HALF] = high;
  return true;
}

INLINE void perform(const struct ptx_op *op, struct ptx_warp *w, const struct ptx_access *a) {
  uint8_t *at[WARP_LANES];
  if (is_of_words(op, a) && (fast_words(op, w, a) || fast_halves(op, w, a))) return;
  if (!whole_span(w, a, at) && !all_legal(op, w, a, at)) return;
  if (op->memory.is_matrix) ptx_matrix_perform(op, w, a, at);
  else if (a->atomic && op->memory.is_mbarrier) ptx_mbarrier(op, w, a, at);
  else if (a->atomic) atomic(op, w, a->mask, at);
  else if (a->store) store(op, w, a->mask, at);
  else load(op, w, a->mask, at);
}

static void perform_base(const struct ptx_op *op, struct ptx_warp *w, const struct ptx_access *a) { perform(op, w, a); }
WIDE static void perform_wide(const struct ptx_op *op, struct ptx_warp *w, const struct ptx_access *a) {
  perform(op, w, a);
}

void ptx_perform(const struct ptx_op *op, struct ptx_warp *w, const struct ptx_access *a) {
  if (a->async) async_perform(op, w, a);
  else if (op->memory.wide_host) perform_wide(op, w, a);
  else if (op->memory.space == PTX_TEXTURE && op->memory.fetch.surface) ptx_surface_perform(op, w, a);
  else if (op->memory.space == PTX_TEXTURE) ptx_texture_perform(op, w, a);
  else perform_base(op, w, a);
}
