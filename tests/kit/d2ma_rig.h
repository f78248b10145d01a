/* SPDX-License-Identifier: Apache-2.0 */
/* A fake SM for tests of the D2MA system: real block models behind C engines, device and shared
 * memory, MSHRs whose replies come after a latency, at most one a cycle, and a port that can be
 * held busy. A cycle is rig_begin (fills), the test's issue, rig_end (the system's cycle). */
#ifndef TANDEM_TESTS_D2MA_RIG_H
#define TANDEM_TESTS_D2MA_RIG_H

#include "base/err.h"
#include "base/rng.h"
#include "kit/c_blocks.h"
#include "kit/config.h"
#include "kit/owned.h"
#include "systems/d2ma/d2ma.h"
#include "systems/d2ma/tables.h"

enum { RIG_MSHRS = 32, RIG_REQUESTS = 8192, RIG_SHARED = 49152, RIG_SLICE = 24576, RIG_MEMORY = 1 << 20 };

struct rig_request {
  uint64_t address, cycle;
  uint32_t bytes;
};

struct rig {
  struct gpu_config config;
  struct c_blocks blocks;
  struct device_memory memory;
  uint64_t source; /* device address of RIG_MEMORY bytes of random data */
  uint8_t *shared;
  struct sm_counters counters;
  uint64_t now;
  void *self;
  /* MSHRs */
  uint64_t reply_at[RIG_MSHRS]; /* 0: free */
  uint32_t min_latency, max_latency;
  struct rng rng;
  bool port_busy, shared_busy, no_replies;
  uint32_t reserved_mshrs; /* taken by demand misses */
  uint32_t shared_taken;   /* cycles taken by fills and constants */
  uint64_t shared_until;
  struct rig_request request[RIG_REQUESTS];
  uint32_t n_requests;
  /* the last fault that the system reported */
  uint32_t faults, fault_warp, fault_line;
  char fault[256];
};

static uint32_t rig_free_mshrs(const struct sm *sm) {
  const struct rig *r = (const struct rig *)sm;
  uint32_t n = RIG_MSHRS - r->reserved_mshrs;
  for (uint32_t i = 0; i < RIG_MSHRS; i++) n -= r->reply_at[i] != 0;
  return n;
}
static bool rig_port_free(const struct sm *sm) { return !((const struct rig *)sm)->port_busy; }
static uint32_t rig_request(struct sm *sm, uint64_t address, uint32_t bytes) {
  struct rig *r = (struct rig *)sm;
  assert_false(r->port_busy);
  assert_true(rig_free_mshrs(sm) > 0);
  uint32_t spread = r->max_latency - r->min_latency + 1, i = 0;
  while (r->reply_at[i]) i++;
  r->reply_at[i] = r->now + r->min_latency + rng_below(&r->rng, spread);
  if (r->n_requests < RIG_REQUESTS) r->request[r->n_requests] = (struct rig_request){address, r->now, bytes};
  r->n_requests++;
  return i;
}
static bool rig_shared_free(const struct sm *sm) {
  const struct rig *r = (const struct rig *)sm;
  return !r->shared_busy && r->now >= r->shared_until;
}
static void rig_take_shared(struct sm *sm, uint32_t cycles) {
  struct rig *r = (struct rig *)sm;
  r->shared_taken += cycles;
  r->shared_until = (r->shared_until > r->now ? r->shared_until : r->now) + cycles;
}

static void rig_fault(struct sm *sm, uint32_t warp, uint32_t line, const char *rule) {
  struct rig *r = (struct rig *)sm;
  r->faults++, r->fault_warp = warp, r->fault_line = line;
  snprintf(r->fault, sizeof r->fault, "%s", rule);
}

/* The defaults, but program errors are counted and do not end the run. */
static inline struct gpu_config rig_config(void) {
  struct gpu_config m;
  config_begin(&m, NULL);
  OWNED(d2ma, m)->errors = D2MA_ERRORS_COUNT;
  return m;
}

/* Every warp of `warps` belongs to CTA slot 0, which owns the first RIG_SLICE bytes of shared
 * memory. */
static inline struct rig *rig_create(struct gpu_config m, bool skip, uint64_t seed) {
  struct rig *r = calloc(1, sizeof *r);
  struct err e;
  r->config = m;
  r->blocks = (struct c_blocks)C_BLOCKS(skip);
  r->shared = malloc(RIG_SHARED);
  memset(r->shared, 0xee, RIG_SHARED);
  r->min_latency = r->max_latency = 40;
  rng_seed(&r->rng, seed);
  assert_int_equal(device_memory_create(&r->memory, 4 << 20, &e), 0);
  assert_true(device_memory_alloc(&r->memory, 65536) != 0); /* so that addresses below `source` exist */
  r->source = device_memory_alloc(&r->memory, RIG_MEMORY);
  uint8_t *bytes = device_memory_at(&r->memory, r->source, RIG_MEMORY);
  assert_non_null(bytes);
  for (uint32_t i = 0; i < RIG_MEMORY; i++) bytes[i] = (uint8_t)rng_u32(&r->rng);
  struct sm_services s = {.sm = (struct sm *)r,
                          .free_mshrs = rig_free_mshrs,
                          .port_free = rig_port_free,
                          .request = rig_request,
                          .shared_port_free = rig_shared_free,
                          .take_shared_port = rig_take_shared,
                          .fault = rig_fault,
                          .shared = r->shared,
                          .memory = &r->memory,
                          .counters = &r->counters,
                          .now = &r->now};
  r->self = d2ma_system.create(&r->config, &r->blocks.factory, "sm0", 0, &s, &e);
  assert_non_null(r->self);
  return r;
}

static inline struct rig *rig_start(uint64_t warps) {
  struct rig *r = rig_create(rig_config(), true, 1);
  d2ma_system.cta_start(r->self, 0, 0, warps, 0, RIG_SLICE);
  return r;
}

static inline void rig_destroy(struct rig *r) {
  d2ma_system.destroy(r->self);
  device_memory_destroy(&r->memory);
  free(r->shared);
  free(r);
}

static inline const uint8_t *rig_source(const struct rig *r, uint64_t offset) {
  return r->memory.bytes + (r->source - DEVICE_MEMORY_BASE) + (int64_t)offset;
}

/* Replies due: the oldest, one a cycle. */
static inline void rig_begin(struct rig *r) {
  uint32_t best = RIG_MSHRS;
  for (uint32_t i = 0; i < RIG_MSHRS; i++)
    if (r->reply_at[i] && r->reply_at[i] <= r->now && (best == RIG_MSHRS || r->reply_at[i] < r->reply_at[best]))
      best = i;
  if (best == RIG_MSHRS || r->no_replies) return;
  d2ma_system.fill(r->self, best);
  r->reply_at[best] = 0;
}
static inline void rig_end(struct rig *r) {
  d2ma_system.cycle(r->self);
  r->now++;
}
static inline void rig_run(struct rig *r, uint32_t cycles) {
  for (uint32_t i = 0; i < cycles; i++) rig_begin(r), rig_end(r);
}
/* Runs until nothing is in flight; the limit catches what never ends. Without skipping the system always asks for its
 * cycle, so a thousand cycles without a reply count as the end. */
static inline void rig_drain(struct rig *r) {
  for (uint32_t i = 0, quiet = 0; i < 100000; i++) {
    bool replies = false;
    for (uint32_t k = 0; k < RIG_MSHRS; k++) replies |= r->reply_at[k] != 0;
    quiet = replies ? 0 : quiet + 1;
    if (!replies && (r->blocks.skip ? !d2ma_system.busy(r->self) : quiet == 1000)) return;
    rig_run(r, 1);
  }
  fail_msg("D2MA is still busy after 100000 cycles");
}

static inline uint64_t rig_pointer(uint32_t offset) { return GENERIC_SHARED_BASE + offset; }

/* The intrinsic `name` with n_args arguments, issued by a warp of CTA slot `cta` in this cycle. */
static inline enum extension_result rig_issue(struct rig *r, uint32_t cta, uint32_t warp, const char *name, ...) {
  struct extension_call c = {
    .cta = cta, .warp = warp, .shared_base = cta * RIG_SLICE, .shared_bytes = RIG_SLICE, .line = 100 + warp};
  const struct ptx_extension *x = d2ma_system.extensions;
  while (x->name && strcmp(x->name, name)) x++;
  assert_non_null(x->name);
  c.code = x->code;
  va_list list;
  va_start(list, name);
  for (uint32_t i = 0; i < x->n_args; i++) c.args[i] = va_arg(list, uint64_t);
  va_end(list);
  return d2ma_system.scoreboard->extension(r->self, &c);
}
/* The same as a cycle of its own. */
#define RIG_OP(r, cta, warp, ...)                                         \
  ({                                                                      \
    rig_begin(r);                                                         \
    enum extension_result result_ = rig_issue(r, cta, warp, __VA_ARGS__); \
    rig_end(r);                                                           \
    result_;                                                              \
  })
#define U(x) ((uint64_t)(x))

/* Two lanes of a warp access bytes lo and hi (hardware addresses) of shared memory in this cycle. */
static inline void rig_query(struct rig *r, uint32_t cta, uint32_t warp, uint32_t lo, uint32_t hi, bool store) {
  struct shared_query q = {.cta = cta, .warp = warp, .mask = 5, .bytes = 1, .store = store};
  q.address[0] = (uint16_t)hi;
  q.address[2] = (uint16_t)lo;
  d2ma_system.scoreboard->shared_query(r->self, &q);
}
/* That access in this cycle; after its check: was it squashed? */
static inline bool rig_access(struct rig *r, uint32_t cta, uint32_t warp, uint32_t lo, uint32_t hi, bool store) {
  rig_begin(r);
  if (!d2ma_system.scoreboard->shared_needs_check(r->self, cta, store)) {
    rig_end(r);
    return false;
  }
  rig_query(r, cta, warp, lo, hi, store);
  rig_end(r);
  rig_run(r, d2ma_system.scoreboard->check_cycles);
  return d2ma_system.scoreboard->squash(r->self);
}

static inline bool rig_blocked(const struct rig *r, uint32_t warp) {
  return d2ma_system.scoreboard->blocked(r->self) >> warp & 1;
}

#endif
