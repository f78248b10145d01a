/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of ldesc.h: descriptors that the program says, and those of its modules. The calls are no CUDA entry points: ldesc.h looks
 * them up by name, and does nothing where they are not there.
 *
 * assumption: descriptors are the program's, not a context's; they go when a context does. */
#include "base/err.h"
#include "systems/ldesc/driver.h"
#include "systems/ldesc/ldesc_system.h"

#include <ldesc.h> /* the header of host programs */

#include <stdio.h>
#include <string.h>

_Static_assert((int)LDESC_SEGMENT_VERSION == (int)RECORD_SEGMENT_VERSION &&
                 (int)LDESC_RECORD_VERSION == (int)RECORD_VERSION,
               "the header writes what the loader reads");
_Static_assert((int)LDESC_HEAD_BYTES == (int)RECORD_HEAD_BYTES && (int)LDESC_RECORD_BYTES == (int)RECORD_BYTES,
               "the header writes what the loader reads");
_Static_assert((int)LDESC_INTER_THREAD == (int)TYPE_INTER_THREAD && (int)LDESC_INTRA_THREAD == (int)TYPE_INTRA_THREAD &&
                 (int)LDESC_NO_REUSE == (int)TYPE_NO_REUSE,
               "the header says what the driver understands");
_Static_assert((int)LDESC_NEARBY == (int)SHARING_NEARBY && (int)LDESC_IRREGULAR == (int)PATTERN_IRREGULAR,
               "the header says what the driver understands");

/* One device per host process, as in the driver. */
static struct {
  const struct driver_services *driver; /* NULL before cuInit */
  struct ldesc_table table;
} host;

/* ---- descriptors of a module ---- */

/* 0: the module has none, or none that are known here. */
static int segment_of(const struct driver_module *m, struct ldesc_segment *s, struct err *e) {
  uint64_t size, at = ptx_module_global(m->ptx, "__ldesc_records", &size);
  *s = (struct ldesc_segment){0};
  return at ? ldesc_segment_read(device_memory_at(host.driver->memory, at, size), size, s, e) : 0;
}

static int load(const struct driver_module *m, struct err *e) {
  const char *file = ptx_module_file(m->ptx);
  struct ldesc_segment s;
  uint32_t unknown = 0;
  int code = segment_of(m, &s, e);
  if (code) return err_prefix(e, "%s", file);
  if (s.version && !s.known)
    fprintf(
      stderr,
      "tandem: %s: its locality descriptors are of version %u, which is unknown here (%d is known); they are ignored\n",
      file, s.version, RECORD_SEGMENT_VERSION);
  for (uint32_t i = 0; i < s.count; i++) {
    struct ldesc_record r;
    unknown += !ldesc_record_read(s.bytes + (size_t)i * RECORD_BYTES, &r);
  }
  if (unknown)
    fprintf(stderr,
            "tandem: %s: %u of its %u locality descriptors are of an unknown version (%d is known); they are ignored\n",
            file, unknown, s.count, RECORD_VERSION);
  return 0;
}

/* ---- the table ---- */

static CUresult refuse(CUresult result, const char *format, unsigned long long a, unsigned long long b) {
  struct err e = {0};
  char text[256];
  snprintf(text, sizeof text, format, a, b);
  err_set(&e, ERR_VALUE, "ldesc: %s", text);
  return host.driver->complain(result, &e);
}

static bool overlap(const struct ldesc_record *a, const struct ldesc_record *b) {
  return !a->local && !b->local && a->base < b->base + b->bytes && b->base < a->base + a->bytes;
}

static bool same_structure(const struct ldesc_record *a, const struct ldesc_record *b) {
  return a->local == b->local && (a->local || a->base == b->base);
}

static void clear(void) {
  host.table.n = 0;
  host.table.version++;
}

static CUresult add(const struct ldesc_record *r) {
  struct ldesc_table *t = &host.table;
  struct ldesc_record *at = NULL;
  for (uint32_t i = 0; i < t->n; i++) {
    struct ldesc_record *other = &t->record[i];
    bool same = same_structure(r, other);
    if (same && r->type == other->type) at = other;
    else if (overlap(r, other) && (!same || r->bytes != other->bytes))
      return refuse(
        CUDA_ERROR_INVALID_VALUE,
        "the structure at 0x%llx overlaps that at 0x%llx, which has a descriptor; say each structure once and whole, or "
        "call ldescClear first",
        r->base, other->base);
  }
  if (!at && t->n == LDESC_ROWS)
    return refuse(CUDA_ERROR_OUT_OF_MEMORY,
                  "the descriptor of 0x%llx is the 17th, and the table has %llu rows; leave out what matters least",
                  r->base, LDESC_ROWS);
  if (!at) at = &t->record[t->n++];
  *at = *r;
  t->version++;
  return CUDA_SUCCESS;
}

/* The fields that a call gives; false: one does not fit a record, and *e says which. */
static bool record_of(const struct ldesc_call *c, struct ldesc_record *r, struct err *e) {
  *r = (struct ldesc_record){0};
  r->base = c->base;
  r->bytes = c->bytes;
  r->element = c->tile.element;
  r->type = (uint8_t)(c->type < UINT8_MAX ? c->type : UINT8_MAX);
  r->sharing = (uint8_t)(c->sharing < UINT8_MAX ? c->sharing : UINT8_MAX);
  r->pattern = (uint8_t)(c->pattern < UINT8_MAX ? c->pattern : UINT8_MAX);
  r->priority = (uint8_t)c->priority;
  r->local = c->local;
  r->stride = c->stride;
  for (int d = 0; d < LDESC_AXES; d++) {
    r->length[d] = c->tile.length[d];
    r->data[d] = c->tile.data[d];
    r->ctas[d] = c->tile.ctas[d];
    r->map[d] = c->tile.map[d];
  }
  if (c->priority > UINT8_MAX) err_set(e, ERR_VALUE, "priority %u; there are 0 to 255", c->priority);
  else if (c->tile.element > UINT16_MAX)
    err_set(e, ERR_VALUE, "an element has %u bytes; it has 65535 at most", c->tile.element);
  else return true;
  return false;
}

static CUresult declare(const struct ldesc_record *r, struct err *e) {
  bool good = !ldesc_record_check(r, e);
  if (good && !r->local && !ldesc_is_allocated(host.driver, r)) {
    err_set(e, ERR_VALUE, "its %llu bytes are not those of one allocation", (unsigned long long)r->bytes);
    good = false;
  }
  if (good) return add(r);
  if (r->local) err_prefix(e, "ldesc: descriptor of local memory");
  else err_prefix(e, "ldesc: descriptor of 0x%llx", (unsigned long long)r->base);
  return host.driver->complain(CUDA_ERROR_INVALID_VALUE, e);
}

/* ---- the calls of ldesc.h ---- */

#define CALL()                                         \
  if (!host.driver) return CUDA_ERROR_NOT_INITIALIZED; \
  CUresult ready = host.driver->enter();               \
  if (ready) return host.driver->leave(ready)

static bool is_on(void) { return host.driver->dispatch; }

static CUresult from_call(const struct ldesc_call *c) {
  struct ldesc_record r;
  struct err e = {0};
  if (!c) return CUDA_ERROR_INVALID_VALUE;
  if (record_of(c, &r, &e)) return declare(&r, &e);
  err_prefix(&e, "ldesc: descriptor of 0x%llx", (unsigned long long)c->base);
  return host.driver->complain(CUDA_ERROR_INVALID_VALUE, &e);
}

static CUresult call_declare(const struct ldesc_call *c) {
  CALL();
  return host.driver->leave(is_on() ? from_call(c) : CUDA_SUCCESS);
}

/* What is known at run time, and the rest from the module. */
static CUresult resolve(const struct driver_module *m, unsigned id, const struct ldesc_call *c) {
  struct ldesc_segment s;
  struct ldesc_record known;
  struct err e = {0};
  if (!c || segment_of(m, &s, &e)) return CUDA_ERROR_INVALID_VALUE;
  if (!s.known) return CUDA_SUCCESS; /* no table, or one that was noted when the module was loaded */
  if (id >= s.count)
    return refuse(CUDA_ERROR_INVALID_VALUE, "there is no descriptor %llu; the module has %llu, from 0", id, s.count);
  if (!ldesc_record_read(s.bytes + (size_t)id * RECORD_BYTES, &known)) return CUDA_SUCCESS; /* noted */
  struct ldesc_call full = *c;
  full.type = known.type;
  full.sharing = known.sharing;
  full.pattern = known.pattern;
  full.local = known.local;
  full.priority = known.priority;
  full.tile.element = known.element;
  memcpy(full.tile.map, known.map, sizeof full.tile.map);
  return from_call(&full);
}

static CUresult call_resolve(CUmodule handle, unsigned id, const struct ldesc_call *c) {
  struct driver_module module;
  CALL();
  if (!is_on()) return host.driver->leave(CUDA_SUCCESS);
  if (!host.driver->module(handle, &module)) return host.driver->leave(CUDA_ERROR_INVALID_HANDLE);
  return host.driver->leave(resolve(&module, id, c));
}

static CUresult call_clear(void) {
  CALL();
  clear();
  return host.driver->leave(CUDA_SUCCESS);
}

static int launch(const struct driver_launch *l, struct err *e) { return ldesc_launch(host.driver, &host.table, l, e); }

static void forget(CUcontext context) {
  (void)context;
  clear();
}

static void start(const struct driver_services *driver) { host.driver = driver; }

#define ENTRY(call) (void (*)(void)) call
static const struct driver_entry entries[] = {{"tandemLdescDeclare", ENTRY(call_declare)},
                                              {"tandemLdescResolve", ENTRY(call_resolve)},
                                              {"tandemLdescClear", ENTRY(call_clear)},
                                              {NULL, NULL}};

const struct driver_hooks ldesc_driver = {
  .entries = entries, .start = start, .load = load, .launch = launch, .forget = forget};
