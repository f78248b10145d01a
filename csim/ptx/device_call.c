/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/device_call.h"

#include "device/device_memory.h"
#include "ptx/device_runtime.h"
#include "ptx/lane_loop.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- frames, and memory that the arguments point to ---- */

/* Word i of the lane's frame: the result first, where there is one. */
static uint64_t word(const uint8_t *frame, unsigned i) {
  uint64_t value;
  memcpy(&value, frame + 8 * i, sizeof value);
  return value;
}

/* Host address of bytes at a generic address, or NULL. */
static const uint8_t *bytes_at(const struct ptx_warp *w, uint32_t lane, uint64_t address, uint64_t bytes) {
  const struct ptx_cta *c = w->cta;
  uint64_t local = address - GENERIC_LOCAL_BASE, shared = address - GENERIC_SHARED_BASE, all = c->kernel->local_bytes;
  if (address >= GENERIC_LOCAL_BASE && address < GENERIC_LOCAL_END)
    return local <= all && bytes <= all - local ? w->local + lane * all + local : NULL;
  if (address >= GENERIC_SHARED_BASE && address < GENERIC_SHARED_END)
    return shared <= c->shared_bytes && bytes <= c->shared_bytes - shared ? c->shared + shared : NULL;
  return device_memory_at(c->memory, address, bytes);
}

/* ---- assert ---- */

static void exec_assert(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  if (!mask) return;
  uint32_t l = (uint32_t)__builtin_ctz(mask);
  const uint8_t *frame = ptx_frame_at(op, w, l);
  if (frame) ptx_fault(w, op, PTX_ASSERTION, l, .address = word(frame, 0));
}

/* ---- printf ---- */

enum { LINE_BYTES = 4096 /* assumption: of one call's text; the rest is cut */, FORMAT_BYTES = 64 };

/* A text under construction, and where its next argument lies. */
struct printing {
  const struct ptx_warp *warp;
  uint32_t lane;
  uint64_t arguments; /* generic address of the first one */
  uint64_t at;        /* bytes behind it */
  int count;          /* arguments that were read */
  char text[LINE_BYTES];
  size_t length;
  bool bad; /* an argument lies outside of memory */
};

/* The next argument; each is aligned to its size. */
static uint64_t argument(struct printing *p, uint32_t bytes) {
  uint64_t value = 0;
  p->at = (p->at + bytes - 1) / bytes * bytes;
  const uint8_t *from = bytes_at(p->warp, p->lane, p->arguments + p->at, bytes);
  if (from) memcpy(&value, from, bytes);
  else p->bad = true;
  p->at += bytes;
  p->count++;
  return value;
}

static void add_string(struct printing *p, uint64_t address, const char *format) {
  char text[LINE_BYTES];
  size_t n = 0;
  for (const uint8_t *c; n + 1 < sizeof text && (c = bytes_at(p->warp, p->lane, address + n, 1)) && *c; n++)
    text[n] = (char)*c;
  text[n] = 0;
  p->length += (size_t)snprintf(p->text + p->length, sizeof p->text - p->length, format, text);
}

/* Appends the conversion `format` ("%-8lld"), whose last character is `type` and whose values have `bytes`. */
static void convert(struct printing *p, const char *format, char type, uint32_t bytes) {
  char *to = p->text + p->length;
  size_t room = sizeof p->text - p->length;
  int n = 0;
  if (strchr("di", type)) {
    int64_t v = (int64_t)argument(p, bytes);
    n = bytes == 8 ? snprintf(to, room, format, (long long)v) : snprintf(to, room, format, (int)v);
  } else if (strchr("ouxX", type)) {
    uint64_t v = argument(p, bytes);
    n = bytes == 8 ? snprintf(to, room, format, (unsigned long long)v) : snprintf(to, room, format, (unsigned)v);
  } else if (type == 'c') {
    n = snprintf(to, room, format, (int)argument(p, 4));
  } else if (type == 'p') {
    n = snprintf(to, room, format, (void *)(uintptr_t)argument(p, 8));
  } else if (type == 's') {
    add_string(p, argument(p, 8), format);
  } else {
    uint64_t bits = argument(p, 8);
    double v;
    memcpy(&v, &bits, sizeof v);
    n = snprintf(to, room, format, v);
  }
  if (n > 0) p->length += (size_t)n;
  if (p->length >= sizeof p->text) p->length = sizeof p->text - 1;
}

/* One conversion; `c` stands behind its '%'. Returns what follows it. A conversion that CUDA does not know is printed as it is. */
static const char *conversion(struct printing *p, const char *c) {
  char format[FORMAT_BYTES] = "%";
  size_t n = 1;
  uint32_t bytes = 4;
  const char *begin = c;
  for (; *c && strchr("-+ #0123456789.*", *c) && n < sizeof format - 24; c++) {
    if (*c == '*') n += (size_t)snprintf(format + n, sizeof format - n, "%d", (int)argument(p, 4));
    else format[n++] = *c;
  }
  for (; *c && strchr("hlzjtL", *c); c++)
    if (*c != 'h') bytes = 8;
  if (!*c || !strchr("diouxXcpsfFeEgGaA", *c)) {
    if (p->length + 1 < sizeof p->text) p->text[p->length++] = '%';
    return begin;
  }
  if (bytes == 8 && strchr("diouxX", *c)) format[n++] = 'l', format[n++] = 'l';
  format[n++] = *c;
  format[n] = 0;
  convert(p, format, *c, bytes);
  return c + 1;
}

static void format_text(struct printing *p, const char *c) {
  while (*c && p->length + 1 < sizeof p->text) {
    if (*c != '%') p->text[p->length++] = *c++;
    else if (c[1] == '%') p->text[p->length++] = '%', c += 2;
    else c = conversion(p, c + 1);
  }
}

/* The result is the number of arguments, or -1. */
static int print_lane(struct ptx_warp *w, uint32_t lane, uint64_t format, uint64_t arguments) {
  const struct ptx_device_runtime *r = w->cta->kernel->module->runtime;
  char text[LINE_BYTES];
  size_t n = 0;
  struct printing p = {.warp = w, .lane = lane, .arguments = arguments};
  for (const uint8_t *c; n + 1 < sizeof text && (c = bytes_at(w, lane, format + n, 1)) && *c; n++) text[n] = (char)*c;
  text[n] = 0;
  format_text(&p, text);
  if (p.bad) return -1;
  if (r) r->print(r->context, p.text, p.length);
  return p.count;
}

static void exec_printf(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  for (; mask; mask &= mask - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(mask);
    uint8_t *frame = ptx_frame_at(op, w, l);
    if (!frame) return;
    int32_t result = print_lane(w, l, word(frame, 1), word(frame, 2));
    memcpy(frame, &result, sizeof result);
  }
}

/* ---- the heap ---- */

static void exec_malloc(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const struct ptx_device_runtime *r = w->cta->kernel->module->runtime;
  for (; mask; mask &= mask - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(mask);
    uint8_t *frame = ptx_frame_at(op, w, l);
    if (!frame) return;
    uint64_t address = r ? r->allocate(r->context, word(frame, 1)) : 0;
    memcpy(frame, &address, sizeof address);
  }
}

static void exec_free(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const struct ptx_device_runtime *r = w->cta->kernel->module->runtime;
  for (; mask; mask &= mask - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(mask);
    const uint8_t *frame = ptx_frame_at(op, w, l);
    if (!frame) return;
    uint64_t address = word(frame, 0);
    if (!address || (r && r->release(r->context, address))) continue;
    ptx_fault(w, op, PTX_ILLEGAL, l, .space = PTX_GLOBAL, .store = true, .address = address); /* a store of 0 bytes */
    return;
  }
}

/* ---- the condition of a graph's node ---- */

static void exec_condition(const struct ptx_op *op, struct ptx_warp *w, uint32_t mask) {
  const struct ptx_device_runtime *r = w->cta->kernel->module->runtime;
  for (; mask; mask &= mask - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(mask);
    const uint8_t *frame = ptx_frame_at(op, w, l);
    if (!frame) return;
    if (r && r->set_condition && r->set_condition(r->context, word(frame, 0), (uint32_t)word(frame, 1))) continue;
    ptx_fault(w, op, PTX_ILLEGAL, l, .space = PTX_GLOBAL, .store = true, .address = word(frame, 0));
    return;
  }
}

/* ---- the table ---- */

static const struct ptx_device_call calls[] = {{"__assertfail", exec_assert, 1, false},
                                               {"vprintf", exec_printf, 3, true},
                                               {"malloc", exec_malloc, 2, true},
                                               {"free", exec_free, 1, true},
                                               {"cudaGraphSetConditional", exec_condition, 2, true}};

const struct ptx_device_call *ptx_device_call(const char *name) {
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (!strcmp(calls[i].name, name)) return &calls[i];
  return NULL;
}

bool ptx_is_launch_call(const char *name) {
  static const char *const begin[] = {PTX_LAUNCH_CALLS, "cudaLaunchDevice", "cudaGetParameterBuffer"};
  for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
    if (!strncmp(name, begin[i], strlen(begin[i]))) return true;
  return false;
}

bool ptx_is_device_call(ptx_exec_fn *exec) {
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (calls[i].exec == exec) return true;
  return false;
}
