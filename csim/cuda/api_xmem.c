/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: XMem's part of the operating system (Vijaykumar 2019, 2.4): atoms of modules, maps of the host, contexts. No
 * entry points of CUDA's: xmem.h looks them up by name, and finds none with another driver.
 *
 * assumption: a CUDA context is a process. Its first module with atoms gives it one of the XMEM_CONTEXTS numbers of the context
 * register; contexts without atoms have none and leave the AMUs as they are: no atom was ever mapped to their pages. All that the
 * host asks for goes into one queue, in its order; what belongs to another context than the entry before begins with a switch. */
#include "api.h"
#include "mem/page_table.h"
#include "systems/xmem/segment.h"
#include "systems/xmem/xmem.h"
#include "xmem.h"

#include <stdlib.h>
#include <string.h>

#define VIRTUAL_LIMIT (UINT64_C(1) << 48) /* of addresses (Vijaykumar 2019: 36-bit page numbers) */
enum { ATOM_PARTS = 16 << 20 /* bytes: a longer 1D range goes out in parts, registers have 32 bits */ };

_Static_assert((int)XMEM_SEGMENT_VERSION == (int)ATOM_SEGMENT_VERSION, "the header writes what the loader reads");
_Static_assert((int)XMEM_HEAD_BYTES == (int)ATOM_HEAD_BYTES, "the header writes what the loader reads");
_Static_assert((int)XMEM_RECORD_BYTES == (int)XMEM_ATOM_BYTES, "the header writes what the loader reads");
_Static_assert((int)XMEM_NON_DET == (int)XMEM_PATTERN_NON_DET, "the header writes what the loader reads");
_Static_assert((int)XMEM_REGULAR == (int)XMEM_PATTERN_REGULAR, "the header writes what the loader reads");
_Static_assert((int)XMEM_IRREGULAR == (int)XMEM_PATTERN_IRREGULAR, "the header writes what the loader reads");
_Static_assert((int)XMEM_OP_MAP == (int)XMEM_CODE_MAP && (int)XMEM_OP_UNMAP == (int)XMEM_CODE_UNMAP, "the same codes");
_Static_assert((int)XMEM_OP_ACTIVATE == (int)XMEM_CODE_ACTIVATE, "the same codes");
_Static_assert((int)XMEM_OP_DEACTIVATE == (int)XMEM_CODE_DEACTIVATE, "the same codes");

/* The system's part beyond the SMs if it is XMem that is on, or NULL. */
static struct xmem_agent *agent_of(const struct cuda_driver *d) {
  return d->sim->session.system == &xmem_system ? gpu_agent(d->sim->gpu) : NULL;
}

/* ---- contexts ---- */

/* The context's number, or XMEM_CONTEXTS. */
static uint32_t number_of(const struct cuda_driver *d, const struct CUctx_st *context) {
  uint32_t i = 0;
  while (i < XMEM_CONTEXTS && d->atoms.process[i].context != context) i++;
  return i;
}

/* In turn, so that a number comes back late: what the AMUs count of a context ends when another number is current. */
static uint32_t take_number(struct cuda_driver *d, CUcontext context) {
  uint32_t i = number_of(d, context);
  for (uint32_t k = 0; k < XMEM_CONTEXTS && i == XMEM_CONTEXTS; k++) {
    uint32_t next = (d->atoms.taken_last + k) % XMEM_CONTEXTS;
    if (!d->atoms.process[next].context) i = next;
  }
  if (i == XMEM_CONTEXTS) return i;
  d->atoms.process[i].context = context;
  d->atoms.taken_last = i + 1;
  return i;
}

/* What the page allocator has to know (Vijaykumar 2019, 2.6): every atom of every process. */
static void tell_allocator(struct cuda_driver *d) {
  struct placement_atom atoms[PLACEMENT_ATOMS];
  uint32_t n = 0;
  for (uint32_t i = 0; i < XMEM_CONTEXTS * XMEM_IDS; i++) {
    const struct cuda_process *p = &d->atoms.process[i / XMEM_IDS];
    if (!p->taken[i % XMEM_IDS] || n == PLACEMENT_ATOMS) continue;
    struct xmem_attributes a = xmem_attributes_of(p->gat + (size_t)(i % XMEM_IDS) * XMEM_ATOM_BYTES);
    atoms[n++] = (struct placement_atom){
      .label = i, .stride = a.stride, .intensity = a.intensity, .regular = a.pattern == XMEM_PATTERN_REGULAR};
  }
  page_table_set_atoms(gpu_pages(d->sim->gpu), atoms, n);
}

void cuda_atoms_forget(struct cuda_driver *d, CUcontext context) {
  for (uint32_t i = 0; i < XMEM_CONTEXTS; i++) {
    struct cuda_process *p = &d->atoms.process[i];
    if (!p->context || (context && p->context != context)) continue;
    xmem_agent_forget(agent_of(d), i);
    memset(p, 0, sizeof *p);
    if (d->atoms.current == i + 1) d->atoms.current = 0;
    tell_allocator(d);
  }
}

static int send(struct cuda_driver *d, const struct xmem_command *c, struct err *e) {
  return xmem_agent_command(agent_of(d), c, e);
}

/* Two instructions write the context register (Vijaykumar 2019, 2.4.4): here one command of the driver. */
static int switch_to(struct cuda_driver *d, uint32_t number, struct err *e) {
  struct xmem_command c = {.code = XMEM_CODE_CONTEXT, .start = number};
  if (d->atoms.current == number + 1) return 0;
  d->atoms.current = number + 1;
  return send(d, &c, e);
}

int cuda_atoms_launch(struct cuda_driver *d, const struct CUmod_st *module, struct err *e) {
  uint32_t number = number_of(d, module->context);
  return number == XMEM_CONTEXTS ? 0 : switch_to(d, number, e);
}

/* ---- atoms of modules ---- */

/* First of `n` free numbers in a row below `limit`, or `limit`. */
static uint32_t find_free(const struct cuda_process *p, uint32_t n, uint32_t limit) {
  for (uint32_t base = 0, run = 0, i = 0; i < limit; i++) {
    run = p->taken[i] ? 0 : run + 1;
    if (!run) base = i + 1;
    if (run == n) return base;
  }
  return limit;
}

static uint32_t atoms_in_use(const struct cuda_process *p) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < XMEM_IDS; i++) n += p->taken[i];
  return n;
}

/* The records of the context are what its modules say; an ID that a module that is gone had is not active. */
static int install(struct cuda_driver *d, uint32_t number, struct ptx_relocation r, const uint8_t *records,
                   struct err *e) {
  struct cuda_process *p = &d->atoms.process[number];
  memcpy(p->gat + (size_t)r.base * XMEM_ATOM_BYTES, records, (size_t)r.count * XMEM_ATOM_BYTES);
  if (p->n < r.base + r.count) p->n = r.base + r.count;
  int status = xmem_agent_load(agent_of(d), number, p->gat, p->n, e);
  for (uint32_t i = r.base; i < r.base + r.count && !status; i++) {
    struct xmem_command c = {.code = XMEM_CODE_DEACTIVATE, .aid = (uint8_t)i};
    p->taken[i] = true;
    if (!p->stale[i]) continue;
    p->stale[i] = false;
    status = switch_to(d, number, e);
    if (!status) status = send(d, &c, e);
  }
  tell_allocator(d);
  return status;
}

static int no_room(const char *file, uint32_t count, const struct cuda_process *p, uint32_t limit, struct err *e) {
  return err_set(
    e, ERR_LIMIT,
    "%s: its %u atoms do not fit: a process has numbers for %u (%u means no atom), and %u of them are in use; "
    "declare fewer or unload a module",
    file, count, limit, limit, atoms_in_use(p));
}

int cuda_atoms_load(struct cuda_driver *d, CUmodule m, struct err *e) {
  struct xmem_agent *agent = agent_of(d);
  const char *file = ptx_module_file(m->ptx);
  uint64_t size, at = agent ? ptx_module_global(m->ptx, "__xmem_atoms", &size) : 0;
  struct atom_segment s;
  if (!at) return 0;
  int status = atom_segment_read(device_memory_at(&d->sim->memory, at, size), size, &s, e);
  if (status) return err_prefix(e, "%s", file);
  if (!s.known)
    fprintf(stderr,
            "tandem: %s: the atom segment is of version %u, which is unknown here (%d is known); it is ignored\n", file,
            s.version, ATOM_SEGMENT_VERSION);
  if (!s.count) return 0;
  uint32_t limit = xmem_agent_no_atom(agent), before = number_of(d, m->context), number = take_number(d, m->context);
  if (number == XMEM_CONTEXTS) {
    fprintf(
      stderr,
      "tandem: %s: %d other contexts have atoms, and the system keeps no more; those of this module are ignored\n",
      file, XMEM_CONTEXTS);
    return 0;
  }
  struct cuda_process *p = &d->atoms.process[number];
  struct ptx_relocation r = {.base = find_free(p, s.count, limit), .count = s.count};
  if (r.base == limit) {
    status = no_room(file, s.count, p, limit, e);
    if (before == XMEM_CONTEXTS) memset(p, 0, sizeof *p);
    return status;
  }
  status = install(d, number, r, s.records, e);
  if (!status) ptx_module_relocate(m->ptx, r);
  return status;
}

void cuda_atoms_unload(struct cuda_driver *d, const struct CUmod_st *m) {
  struct ptx_relocation r = ptx_module_relocation(m->ptx);
  uint32_t number = r.count ? number_of(d, m->context) : XMEM_CONTEXTS;
  if (number == XMEM_CONTEXTS) return;
  struct cuda_process *p = &d->atoms.process[number];
  for (uint32_t i = r.base; i < r.base + r.count; i++) {
    p->taken[i] = false;
    p->stale[i] = true;
  }
  tell_allocator(d);
}

/* ---- what xmem.h finds ---- */

static CUresult refuse(CUresult result, const char *format, unsigned long long a, unsigned long long b) {
  struct err e = {0};
  char text[256];
  snprintf(text, sizeof text, format, a, b);
  err_set(&e, ERR_VALUE, "xmem: %s", text);
  return cuda_complain(result, &e);
}

static CUresult result_of(int status, const struct err *e) {
  if (!status) return CUDA_SUCCESS;
  return cuda_complain(status == ERR_LIMIT ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE, e);
}

/* One past the last byte of a request's range; false: no such range. */
static bool range_end(const struct xmem_request *r, uint64_t *end) {
  uint64_t rows = r->dim > 1 ? r->size_y : 1, planes = r->dim > 2 ? r->size_z : 1, pitch = 0, far_row, far_plane, far;
  if (__builtin_mul_overflow(rows - 1, r->dim > 1 ? r->len_x : 0, &far_row)) return false;
  if (r->dim > 2 && __builtin_mul_overflow(r->len_x, r->len_y, &pitch)) return false;
  if (__builtin_mul_overflow(planes - 1, pitch, &far_plane)) return false;
  if (__builtin_add_overflow(far_row, far_plane, &far) || __builtin_add_overflow(far, r->size_x, &far)) return false;
  return !__builtin_add_overflow(r->start, far, end) && *end <= VIRTUAL_LIMIT;
}

/* More bytes than the device has. */
static bool is_too_large(const struct cuda_driver *d, const struct xmem_request *r) {
  uint64_t bytes = r->size_x, memory = (uint64_t)d->sim->session.config.memory_mib << 20;
  if (r->dim > 1 && __builtin_mul_overflow(bytes, r->size_y, &bytes)) return true;
  if (r->dim > 2 && __builtin_mul_overflow(bytes, r->size_z, &bytes)) return true;
  return bytes > memory;
}

static CUresult check_range(struct cuda_driver *d, const struct xmem_request *r) {
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
  if (is_too_large(d, r))
    return refuse(CUDA_ERROR_INVALID_VALUE, "a map of more bytes than the %llu MiB of the device",
                  (unsigned long long)d->sim->session.config.memory_mib, 0);
  uint64_t size = device_memory_find(&d->sim->memory, r->start, &base);
  if ((!size || end > base + size) && !d->atoms.noted) {
    d->atoms.noted = true;
    fprintf(
      stderr,
      "tandem: xmem: a map of 0x%llx to 0x%llx leaves what was allocated; pages without memory are left out (said once)\n",
      (unsigned long long)r->start, (unsigned long long)end);
  }
  return CUDA_SUCCESS;
}

static int send_map(struct cuda_driver *d, const struct xmem_request *r, uint32_t aid, struct err *e) {
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
    status = send(d, &c, e);
  }
  return status;
}

/* The process's number of the module's atom `aid`; CUDA_ERROR_INVALID_VALUE: it has none. */
static CUresult relocate(const struct CUmod_st *m, uint32_t aid, uint32_t *number) {
  struct ptx_relocation r = ptx_module_relocation(m->ptx);
  if (aid >= r.count)
    return refuse(CUDA_ERROR_INVALID_VALUE, "there is no atom %llu; the module has %llu, from 0", aid, r.count);
  *number = r.base + aid;
  return CUDA_SUCCESS;
}

static CUresult request(struct cuda_driver *d, const struct CUmod_st *m, const struct xmem_request *r) {
  struct err e = {0};
  uint32_t aid = 0, number = number_of(d, m->context);
  bool maps = r->operation == XMEM_OP_MAP || r->operation == XMEM_OP_UNMAP;
  if (!ptx_module_relocation(m->ptx).count || number == XMEM_CONTEXTS) return CUDA_SUCCESS;
  CUresult result = relocate(m, r->aid, &aid);
  if (!result && (unsigned)r->operation > XMEM_OP_DEACTIVATE) result = CUDA_ERROR_INVALID_VALUE;
  if (!result && maps) result = check_range(d, r);
  if (result) return result;
  int status = switch_to(d, number, &e);
  struct xmem_command c = {.code = (uint8_t)r->operation, .aid = (uint8_t)aid};
  if (!status) status = maps ? send_map(d, r, aid, &e) : send(d, &c, &e);
  return result_of(status, &e);
}

#define MODULE_CALL(module) \
  CUDA_CALL(true);          \
  if (!cuda_module_link(d, module)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE)

CUresult cuda_xmem_atoms(CUmodule module, unsigned *count) {
  MODULE_CALL(module);
  if (!count) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *count = ptx_module_relocation(module->ptx).count;
  return cuda_leave(CUDA_SUCCESS);
}

CUresult cuda_xmem_request(CUmodule module, const struct xmem_request *r) {
  MODULE_CALL(module);
  return cuda_leave(r ? request(d, module, r) : CUDA_ERROR_INVALID_VALUE);
}

/* The pages are placed with the atom known (Vijaykumar 2019, 2.4.1: malloc with an atom), then all are mapped. */
CUresult cuda_xmem_alloc(CUmodule module, CUdeviceptr *address, size_t bytes, unsigned aid) {
  MODULE_CALL(module);
  uint32_t atom = 0, number = number_of(d, module->context);
  if (!address || !bytes) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (number == XMEM_CONTEXTS) return cuda_leave(cuda_allocate(d, CUDA_DEVICE_MEMORY, bytes, address));
  CUresult result = relocate(module, aid, &atom);
  if (!result) result = cuda_allocate_labelled(d, bytes, number * XMEM_IDS + atom, address);
  if (result) return cuda_leave(result);
  struct xmem_request r = {XMEM_OP_MAP, aid, 1, *address, 0, 0, bytes, 0, 0};
  return cuda_leave(request(d, module, &r));
}

/* For tests: what the tables in memory say of an address, as numbers of the process that is current; XMEM_NONE: no atom. */
CUresult cuda_xmem_lookup(CUdeviceptr address, unsigned *aid, int *active) {
  CUDA_CALL(true);
  struct xmem_agent *agent = agent_of(d);
  uint64_t physical;
  bool is_active = false;
  if (!agent || !aid || !active) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!page_table_walk(gpu_pages(d->sim->gpu), address, &physical)) return cuda_leave(CUDA_ERROR_NOT_FOUND);
  struct err problem = {0};
  xmem_agent_wait(agent);
  if (simulator_settle(d->sim, &problem)) return cuda_leave(CUDA_ERROR_LAUNCH_FAILED);
  *aid = xmem_agent_atom(agent, physical, &is_active);
  if (*aid == xmem_agent_no_atom(agent)) *aid = XMEM_NONE;
  *active = is_active;
  return cuda_leave(CUDA_SUCCESS);
}
