/* SPDX-License-Identifier: Apache-2.0 */
/* Runs PTX text without a core: warps of a CTA in turn, one after another from barrier to barrier. */
#ifndef TANDEM_TEST_PTX_HARNESS_H
#define TANDEM_TEST_PTX_HARNESS_H

#include "base/err.h"
#include "device/device_memory.h"
#include "kit/test.h"
#include "ptx/decode.h"
#include "ptx/ptx.h"

#define PTX_HEAD ".version 7.5\n.target sm_70\n.address_size 64\n"

enum { HARNESS_CALLS_MAX = 64 };
struct harness {
  struct device_memory memory;
  struct ptx_module *module;
  struct err e;
  bool wide;
  struct ptx_options options;
  char fault[256]; /* "" if none */
  uint32_t fault_line;
  uint64_t issued;
  uint32_t deepest; /* of the SIMT stack */
  struct {
    uint16_t code;
    uint64_t args[PTX_EXTENSION_ARGS_MAX];
    uint32_t mask;
  } call[HARNESS_CALLS_MAX];
  uint32_t n_calls;
  /* Called for every access before it is performed, unless NULL. */
  void (*on_access)(void *self, const struct ptx_warp *, const struct ptx_op *, const struct ptx_access *);
  /* The same for every operation that a lane executes. */
  void (*on_op)(void *self, const struct ptx_warp *, const struct ptx_op *, uint32_t mask);
  void *self;
};

static inline void harness_open(struct harness *h) {
  memset(h, 0, sizeof *h);
  h->wide = true;
#if defined(__x86_64__)
  h->wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
  assert_int_equal(device_memory_create(&h->memory, 1 << 26, &h->e), 0);
}
static inline void harness_unload(struct harness *h) {
  ptx_module_free(h->module);
  h->module = NULL;
}
static inline void harness_close(struct harness *h) {
  harness_unload(h);
  device_memory_destroy(&h->memory);
}
static inline int harness_try(struct harness *h, const char *text, size_t length, const struct ptx_extension *x) {
  harness_unload(h);
  char *exact = malloc(length + (length == 0)); /* so that a sanitizer sees a read past the end */
  memcpy(exact, text, length);
  h->e = (struct err){0};
  int code = ptx_module_load_with(h->wide, &h->options, "k.ptx", exact, length, x, &h->memory, &h->module, &h->e);
  free(exact);
  return code;
}
static inline void harness_load(struct harness *h, const char *text, const struct ptx_extension *x) {
  int code = harness_try(h, text, strlen(text), x);
  if (code) fail_msg("%s", h->e.text);
}
static inline uint64_t harness_alloc(struct harness *h, const void *bytes, uint64_t n) {
  uint64_t at = device_memory_alloc(&h->memory, n);
  assert_true(at != 0);
  if (bytes) memcpy(device_memory_at(&h->memory, at, n), bytes, n);
  return at;
}
static inline void *harness_at(struct harness *h, uint64_t address, uint64_t n) {
  return device_memory_at(&h->memory, address, n);
}

static inline bool harness_fault(struct harness *h, const struct ptx_warp *w) {
  if (!w->fault.kind) return false;
  ptx_fault_text(w, h->fault, sizeof h->fault);
  h->fault_line = w->fault.line;
  return true;
}

/* One operation; false when the warp has to wait or has ended. */
static inline bool harness_step(struct harness *h, struct ptx_warp *w, bool *at_barrier) {
  const struct ptx_op *op = &w->cta->kernel->ops[ptx_warp_pc(w)];
  uint32_t mask = ptx_op_mask(op, w);
  struct ptx_access access;
  h->issued++;
  w->clock = h->issued;
  if (w->depth > h->deepest) h->deepest = w->depth;
  if (h->on_op && mask) h->on_op(h->self, w, op, mask);
  switch (op->class) {
    case PTX_LOAD:
    case PTX_STORE:
    case PTX_ATOMIC:
      for (uint32_t rest = mask; rest && !w->fault.kind; rest = ptx_access_rest(op, rest, &access)) {
        ptx_addresses(op, w, rest, &access);
        if (w->fault.kind) break;
        if (h->on_access) h->on_access(h->self, w, op, &access);
        ptx_perform(op, w, &access);
      }
      break;
    case PTX_BARRIER: *at_barrier = !ptx_barrier_of(op, w).arrive_only; break;
    case PTX_EXTENSION:
      if (!mask || h->n_calls == HARNESS_CALLS_MAX) break;
      h->call[h->n_calls].code = op->extension.code;
      h->call[h->n_calls].mask = mask;
      for (uint32_t i = 0; i < op->n_src; i++)
        h->call[h->n_calls].args[i] = ptx_source(op, w, i, (uint32_t)__builtin_ctz(mask));
      h->n_calls++;
      break;
    default:
      if (op->exec) op->exec(op, w, mask);
  }
  if (harness_fault(h, w)) return false;
  ptx_advance(op, w, mask);
  return !harness_fault(h, w) && w->live && !*at_barrier;
}

static inline void harness_cta(struct harness *h, struct ptx_cta *cta, uint32_t n_warps) {
  const struct ptx_kernel *k = cta->kernel;
  struct ptx_warp *w = calloc(n_warps, sizeof *w);
  for (uint32_t i = 0; i < n_warps; i++) {
    w[i].rows = aligned_alloc(64, (size_t)k->n_rows * 128);
    w[i].local = malloc((size_t)k->local_bytes * WARP_LANES + 1);
    w[i].consts = k->const_rows;
    ptx_warp_start(&w[i], cta, i);
  }
  bool running = true;
  while (running && !h->fault[0]) {
    running = false;
    for (uint32_t i = 0; i < n_warps && !h->fault[0]; i++) {
      bool at_barrier = false;
      uint64_t limit = h->issued + 10000000;
      while (w[i].live && harness_step(h, &w[i], &at_barrier) && h->issued < limit) continue;
      assert_true(h->issued < limit);
      if (w[i].live) running = true;
    }
  }
  for (uint32_t i = 0; i < n_warps; i++) free(w[i].rows), free(w[i].local);
  free(w);
}

/* Runs a grid of one dimension (y, z by `block`); parameters as laid out by the kernel. */
static inline void harness_run(struct harness *h, const char *kernel, uint32_t ctas, uint32_t bx, uint32_t by,
                               uint32_t bz, uint32_t dynamic_shared, const void *params) {
  const struct ptx_kernel *k = ptx_module_kernel(h->module, kernel);
  assert_non_null(k);
  uint32_t bytes = k->shared_bytes + dynamic_shared;
  h->fault[0] = 0;
  for (uint32_t c = 0; c < ctas && !h->fault[0]; c++) {
    uint8_t *shared = calloc(1, bytes + 1);
    struct ptx_cta cta = {.kernel = k,
                          .memory = &h->memory,
                          .shared = shared,
                          .shared_bytes = bytes,
                          .params = params,
                          .grid = {ctas, 1, 1},
                          .block = {bx, by, bz},
                          .index = {c, 0, 0}};
    harness_cta(h, &cta, (bx * by * bz + 31) / 32);
    free(shared);
  }
}

/* splitmix64: the tests' own random numbers */
static inline uint64_t harness_random(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

#endif
