/* SPDX-License-Identifier: Apache-2.0 */
/* The operating system's role in XMem (Vijaykumar 2019, 2.4): atoms of modules, maps by the host, contexts. Its calls
 * are not CUDA entry points: xmem.h looks them up by name and does not find them with another driver.
 *
 * assumption: a CUDA context is a process. Its first module with atoms allocates one of the XMEM_CONTEXTS values of the
 * context register. Contexts without atoms have none and leave the AMUs unchanged, as no atom was ever mapped to their
 * pages. All host requests enter one queue in order; a request for another context than the previous one is preceded by
 * a context switch. */
#include "base/err.h"
#include "mem/page_table.h"
#include "systems/driver.h"
#include "systems/xmem/segment.h"
#include "systems/xmem/xmem.h"

#include <xmem.h> /* the header of host programs */

#include <stdlib.h>
#include <string.h>

#define VIRTUAL_LIMIT (UINT64_C(1) << 48) /* end of virtual addresses (Vijaykumar 2019: 36-bit page numbers) */
enum { ATOM_PARTS = 16 << 20 /* bytes: registers have 32 bits, so longer 1D ranges are split */ };

_Static_assert((int)XMEM_SEGMENT_VERSION == (int)ATOM_SEGMENT_VERSION, "the header writes what the loader reads");
_Static_assert((int)XMEM_HEAD_BYTES == (int)ATOM_HEAD_BYTES, "the header writes what the loader reads");
_Static_assert((int)XMEM_RECORD_BYTES == (int)XMEM_ATOM_BYTES, "the header writes what the loader reads");
_Static_assert((int)XMEM_NON_DET == (int)XMEM_PATTERN_NON_DET, "the header writes what the loader reads");
_Static_assert((int)XMEM_REGULAR == (int)XMEM_PATTERN_REGULAR, "the header writes what the loader reads");
_Static_assert((int)XMEM_IRREGULAR == (int)XMEM_PATTERN_IRREGULAR, "the header writes what the loader reads");
_Static_assert((int)XMEM_OP_MAP == (int)XMEM_CODE_MAP && (int)XMEM_OP_UNMAP == (int)XMEM_CODE_UNMAP, "the same codes");
_Static_assert((int)XMEM_OP_ACTIVATE == (int)XMEM_CODE_ACTIVATE, "the same codes");
_Static_assert((int)XMEM_OP_DEACTIVATE == (int)XMEM_CODE_DEACTIVATE, "the same codes");

/* A context whose modules have atoms, indexed by its number in the context register. */
struct process {
  CUcontext context; /* NULL: the number is free */
  uint32_t n;        /* records */
  uint8_t gat[XMEM_IDS * XMEM_ATOM_BYTES];
  bool taken[XMEM_IDS], stale[XMEM_IDS]; /* IDs owned by a loaded module; by an unloaded module */
};

/* One device per host process, as in the driver. Guarded by the driver's lock. */
static struct {
  const struct driver_services *driver; /* NULL before cuInit */
  struct process process[XMEM_CONTEXTS];
  uint32_t current;    /* current context number plus 1; 0: none */
  uint32_t taken_last; /* last allocated context number plus 1 */
  bool noted;          /* the warning about maps beyond allocations was printed */
} os;

static struct xmem_agent *agent_of(void) { return os.driver->agent; }

/* ---- contexts ---- */

/* The context's number, or XMEM_CONTEXTS. */
static uint32_t number_of(CUcontext context) {
  uint32_t i = 0;
  while (i < XMEM_CONTEXTS && os.process[i].context != context) i++;
  return i;
}

/* Allocates numbers in turn, so a number is reused as late as possible: the AMUs' counts of a context last until
 * another number becomes current. */
static uint32_t take_number(CUcontext context) {
  uint32_t i = number_of(context);
  for (uint32_t k = 0; k < XMEM_CONTEXTS && i == XMEM_CONTEXTS; k++) {
    uint32_t next = (os.taken_last + k) % XMEM_CONTEXTS;
    if (!os.process[next].context) i = next;
  }
  if (i == XMEM_CONTEXTS) return i;
  os.process[i].context = context;
  os.taken_last = i + 1;
  return i;
}

/* Tells the page allocator every atom of every process (Vijaykumar 2019, 2.6). */
static void tell_allocator(void) {
  struct placement_label atoms[PLACEMENT_LABELS];
  uint32_t n = 0;
  for (uint32_t i = 0; i < XMEM_CONTEXTS * XMEM_IDS; i++) {
    const struct process *p = &os.process[i / XMEM_IDS];
    if (!p->taken[i % XMEM_IDS] || n == PLACEMENT_LABELS) continue;
    struct xmem_attributes a = xmem_attributes_of(p->gat + (size_t)(i % XMEM_IDS) * XMEM_ATOM_BYTES);
    atoms[n++] = (struct placement_label){
      .label = i, .stride = a.stride, .intensity = a.intensity, .regular = a.pattern == XMEM_PATTERN_REGULAR};
  }
  page_table_set_labels(os.driver->pages, atoms, n);
}

static void forget(CUcontext context) {
  for (uint32_t i = 0; i < XMEM_CONTEXTS; i++) {
    struct process *p = &os.process[i];
    if (!p->context || (context && p->context != context)) continue;
    xmem_agent_forget(agent_of(), i);
    memset(p, 0, sizeof *p);
    if (os.current == i + 1) os.current = 0;
    tell_allocator();
  }
}

static int send(const struct xmem_command *c, struct err *e) { return xmem_agent_command(agent_of(), c, e); }

/* Writes the context register: two instructions (Vijaykumar 2019, 2.4.4), modelled as one command of the driver. */
static int switch_to(uint32_t number, struct err *e) {
  struct xmem_command c = {.code = XMEM_CODE_CONTEXT, .start = number};
  if (os.current == number + 1) return 0;
  os.current = number + 1;
  return send(&c, e);
}

static int launch(const struct driver_launch *l, struct err *e) {
  uint32_t number = number_of(l->context);
  return number == XMEM_CONTEXTS ? 0 : switch_to(number, e);
}

/* ---- atoms of modules ---- */

/* First of `n` consecutive free IDs below `limit`, or `limit`. */
static uint32_t find_free(const struct process *p, uint32_t n, uint32_t limit) {
  for (uint32_t base = 0, run = 0, i = 0; i < limit; i++) {
    run = p->taken[i] ? 0 : run + 1;
    if (!run) base = i + 1;
    if (run == n) return base;
  }
  return limit;
}

static uint32_t atoms_in_use(const struct process *p) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < XMEM_IDS; i++) n += p->taken[i];
  return n;
}

/* Copies the module's records into the context's; IDs of unloaded modules are deactivated before reuse. */
static int install(uint32_t number, struct ptx_relocation r, const uint8_t *records, struct err *e) {
  struct process *p = &os.process[number];
  memcpy(p->gat + (size_t)r.base * XMEM_ATOM_BYTES, records, (size_t)r.count * XMEM_ATOM_BYTES);
  if (p->n < r.base + r.count) p->n = r.base + r.count;
  int status = xmem_agent_load(agent_of(), number, p->gat, p->n, e);
  for (uint32_t i = r.base; i < r.base + r.count && !status; i++) {
    struct xmem_command c = {.code = XMEM_CODE_DEACTIVATE, .aid = (uint8_t)i};
    p->taken[i] = true;
    if (!p->stale[i]) continue;
    p->stale[i] = false;
    status = switch_to(number, e);
    if (!status) status = send(&c, e);
  }
  tell_allocator();
  return status;
}

static int no_room(const char *file, uint32_t count, const struct process *p, uint32_t limit, struct err *e) {
  return err_set(
    e, ERR_LIMIT,
    "%s: its %u atoms do not fit: a process has numbers for %u (%u means no atom), and %u of them are in use; "
    "declare fewer or unload a module",
    file, count, limit, limit, atoms_in_use(p));
}

static int load(const struct driver_module *m, struct err *e) {
  struct xmem_agent *agent = agent_of();
  const char *file = ptx_module_file(m->ptx);
  uint64_t size, at = agent ? ptx_module_global(m->ptx, "__xmem_atoms", &size) : 0;
  struct atom_segment s;
  if (!at) return 0;
  int status = atom_segment_read(device_memory_at(os.driver->memory, at, size), size, &s, e);
  if (status) return err_prefix(e, "%s", file);
  if (!s.known)
    fprintf(stderr,
            "tandem: %s: the atom segment is of version %u, which is unknown here (%d is known); it is ignored\n", file,
            s.version, ATOM_SEGMENT_VERSION);
  if (!s.count) return 0;
  uint32_t limit = xmem_agent_no_atom(agent), before = number_of(m->context), number = take_number(m->context);
  if (number == XMEM_CONTEXTS) {
    fprintf(stderr, "tandem: %s: %d other contexts have atoms, the maximum; those of this module are ignored\n", file,
            XMEM_CONTEXTS);
    return 0;
  }
  struct process *p = &os.process[number];
  struct ptx_relocation r = {.base = find_free(p, s.count, limit), .count = s.count};
  if (r.base == limit) {
    status = no_room(file, s.count, p, limit, e);
    if (before == XMEM_CONTEXTS) memset(p, 0, sizeof *p);
    return status;
  }
  status = install(number, r, s.records, e);
  if (!status) ptx_module_relocate(m->ptx, r);
  return status;
}

static void unload(const struct driver_module *m) {
  struct ptx_relocation r = ptx_module_relocation(m->ptx);
  uint32_t number = r.count ? number_of(m->context) : XMEM_CONTEXTS;
  if (number == XMEM_CONTEXTS) return;
  struct process *p = &os.process[number];
  for (uint32_t i = r.base; i < r.base + r.count; i++) {
    p->taken[i] = false;
    p->stale[i] = true;
  }
  tell_allocator();
}

/* ---- the calls of xmem.h ---- */

static CUresult refuse(CUresult result, const char *format, unsigned long long a, unsigned long long b) {
  struct err e = {0};
  char text[256];
  snprintf(text, sizeof text, format, a, b);
  err_set(&e, ERR_VALUE, "xmem: %s", text);
  return os.driver->complain(result, &e);
}

static CUresult result_of(int status, const struct err *e) {
  if (!status) return CUDA_SUCCESS;
  return os.driver->complain(status == ERR_LIMIT ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE, e);
}

/* Computes the end of a request's range (one past its last byte); false if the range is invalid. */
static bool range_end(const struct xmem_request *r, uint64_t *end) {
  uint64_t rows = r->dim > 1 ? r->size_y : 1, planes = r->dim > 2 ? r->size_z : 1, pitch = 0, far_row, far_plane, far;
  if (__builtin_mul_overflow(rows - 1, r->dim > 1 ? r->len_x : 0, &far_row)) return false;
  if (r->dim > 2 && __builtin_mul_overflow(r->len_x, r->len_y, &pitch)) return false;
  if (__builtin_mul_overflow(planes - 1, pitch, &far_plane)) return false;
  if (__builtin_add_overflow(far_row, far_plane, &far) || __builtin_add_overflow(far, r->size_x, &far)) return false;
  return !__builtin_add_overflow(r->start, far, end) && *end <= VIRTUAL_LIMIT;
}

/* True if the request covers more bytes than the device has. */
static bool is_too_large(const struct xmem_request *r) {
  uint64_t bytes = r->size_x, memory = (uint64_t)os.driver->config->memory_mib << 20;
  if (r->dim > 1 && __builtin_mul_overflow(bytes, r->size_y, &bytes)) return true;
  if (r->dim > 2 && __builtin_mul_overflow(bytes, r->size_z, &bytes)) return true;
  return bytes > memory;
}

static CUresult check_range(const struct xmem_request *r) {
  const uint64_t most = r->dim == 1 ? SIZE_MAX : UINT32_MAX;
  uint64_t end, base;
  if (r->dim < 1 || r->dim > 3)
    return refuse(CUDA_ERROR_INVALID_VALUE, "a map of %llu dimensions; there are 1 to 3", r->dim, 0);
  if (!r->size_x || (r->dim > 1 && !r->size_y) || (r->dim > 2 && !r->size_z))
    return refuse(CUDA_ERROR_INVALID_VALUE, "a map of no bytes (sizes are 1 at least)", 0, 0);
  if (r->size_x > most || (r->dim > 1 && (r->len_x > most || r->size_y > most)) ||
      (r->dim > 2 && (r->len_y > most || r->size_z > most)))
    return refuse(CUDA_ERROR_INVALID_VALUE, "lengths and sizes of a map in 2 or 3 dimensions take 32 bits", 0, 0);
  if (!range_end(r, &end))
    return refuse(CUDA_ERROR_INVALID_VALUE, "a map from 0x%llx on ends beyond the addresses there are", r->start, 0);
  if (is_too_large(r))
    return refuse(CUDA_ERROR_INVALID_VALUE, "a map of more bytes than the %llu MiB of the device",
                  (unsigned long long)os.driver->config->memory_mib, 0);
  uint64_t size = device_memory_find(os.driver->memory, r->start, &base);
  if ((!size || end > base + size) && !os.noted) {
    os.noted = true;
    fprintf(
      stderr,
      "tandem: xmem: a map of 0x%llx to 0x%llx leaves allocated memory; pages without memory are skipped (shown once)\n",
      (unsigned long long)r->start, (unsigned long long)end);
  }
  return CUDA_SUCCESS;
}

static int send_map(const struct xmem_request *r, uint32_t aid, struct err *e) {
  struct xmem_command c = {.start = r->start,
                           .len_x = (uint32_t)r->len_x,
                           .len_y = (uint32_t)r->len_y,
                           .size_y = (uint32_t)r->size_y,
                           .size_z = (uint32_t)r->size_z,
                           .code = (uint8_t)r->operation,
                           .aid = (uint8_t)aid,
                           .dim = (uint8_t)r->dim};
  int status = 0;
  for (uint64_t left = r->size_x; left && !status; left -= c.size_x, c.start += c.size_x) {
    c.size_x = r->dim == 1 && left > ATOM_PARTS ? ATOM_PARTS : (uint32_t)left;
    status = send(&c, e);
  }
  return status;
}

/* Converts the module's atom ID `aid` to the process's ID; CUDA_ERROR_INVALID_VALUE if there is no such atom. */
static CUresult relocate(const struct driver_module *m, uint32_t aid, uint32_t *number) {
  struct ptx_relocation r = ptx_module_relocation(m->ptx);
  if (aid >= r.count)
    return refuse(CUDA_ERROR_INVALID_VALUE, "there is no atom %llu; the module has %llu, from 0", aid, r.count);
  *number = r.base + aid;
  return CUDA_SUCCESS;
}

static CUresult request(const struct driver_module *m, const struct xmem_request *r) {
  struct err e = {0};
  uint32_t aid = 0, number = number_of(m->context);
  bool maps = r->operation == XMEM_OP_MAP || r->operation == XMEM_OP_UNMAP;
  if (!ptx_module_relocation(m->ptx).count || number == XMEM_CONTEXTS) return CUDA_SUCCESS;
  CUresult result = relocate(m, r->aid, &aid);
  if (!result && (unsigned)r->operation > XMEM_OP_DEACTIVATE) result = CUDA_ERROR_INVALID_VALUE;
  if (!result && maps) result = check_range(r);
  if (result) return result;
  int status = switch_to(number, &e);
  struct xmem_command c = {.code = (uint8_t)r->operation, .aid = (uint8_t)aid};
  if (!status) status = maps ? send_map(r, aid, &e) : send(&c, &e);
  return result_of(status, &e);
}

#define CALL()                                       \
  if (!os.driver) return CUDA_ERROR_NOT_INITIALIZED; \
  CUresult ready = os.driver->enter();               \
  if (ready) return leave(ready)
#define MODULE_CALL(handle)    \
  struct driver_module module; \
  CALL();                      \
  if (!os.driver->module(handle, &module)) return leave(CUDA_ERROR_INVALID_HANDLE)

static CUresult leave(CUresult result) { return os.driver->leave(result); }

static CUresult call_atoms(CUmodule handle, unsigned *count) {
  MODULE_CALL(handle);
  if (!count) return leave(CUDA_ERROR_INVALID_VALUE);
  *count = ptx_module_relocation(module.ptx).count;
  return leave(CUDA_SUCCESS);
}

static CUresult call_request(CUmodule handle, const struct xmem_request *r) {
  MODULE_CALL(handle);
  return leave(r ? request(&module, r) : CUDA_ERROR_INVALID_VALUE);
}

/* Places the pages knowing the atom (Vijaykumar 2019, 2.4.1: malloc with an atom), then maps all of them. */
static CUresult call_alloc(CUmodule handle, CUdeviceptr *address, size_t bytes, unsigned aid) {
  MODULE_CALL(handle);
  uint32_t atom = 0, number = number_of(module.context);
  if (!address || !bytes) return leave(CUDA_ERROR_INVALID_VALUE);
  if (number == XMEM_CONTEXTS) return leave(os.driver->allocate(bytes, NULL, address));
  CUresult result = relocate(&module, aid, &atom);
  uint32_t label = number * XMEM_IDS + atom;
  if (!result) result = os.driver->allocate(bytes, &label, address);
  if (result) return leave(result);
  struct xmem_request r = {XMEM_OP_MAP, aid, 1, *address, 0, 0, bytes, 0, 0};
  return leave(request(&module, &r));
}

/* For tests: the atom of an address in the tables in memory, as an ID of the current process; XMEM_NONE: no atom. */
static CUresult call_lookup(CUdeviceptr address, unsigned *aid, int *active) {
  CALL();
  struct xmem_agent *agent = agent_of();
  uint64_t physical;
  bool is_active = false;
  if (!agent || !aid || !active) return leave(CUDA_ERROR_INVALID_VALUE);
  if (!page_table_walk(os.driver->pages, address, &physical)) return leave(CUDA_ERROR_NOT_FOUND);
  struct err problem = {0};
  xmem_agent_wait(agent);
  if (os.driver->settle(&problem)) return leave(CUDA_ERROR_LAUNCH_FAILED);
  *aid = xmem_agent_atom(agent, physical, &is_active);
  if (*aid == xmem_agent_no_atom(agent)) *aid = XMEM_NONE;
  *active = is_active;
  return leave(CUDA_SUCCESS);
}

static void start(const struct driver_services *driver) { os.driver = driver; }

#define ENTRY(call) (void (*)(void)) call
static const struct driver_entry entries[] = {{"tandemXmemAtoms", ENTRY(call_atoms)},
                                              {"tandemXmemRequest", ENTRY(call_request)},
                                              {"tandemXmemAlloc", ENTRY(call_alloc)},
                                              {"tandemXmemLookup", ENTRY(call_lookup)},
                                              {NULL, NULL}};

const struct driver_hooks xmem_driver = {
  .entries = entries, .start = start, .load = load, .unload = unload, .launch = launch, .forget = forget};
