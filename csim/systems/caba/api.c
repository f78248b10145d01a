/* SPDX-License-Identifier: Apache-2.0 */
/* Routines of a program: those of its modules, and the calls of caba.h. These are no CUDA entry points: caba.h looks them up by name and
 * does not find them with another driver.
 *
 * assumption: routines are the program's, not a context's or a module's: lines that they have compressed stay in memory. */
#include "base/err.h"
#include "systems/caba/agent.h"
#include "systems/caba/line_code.h"
#include "systems/caba/program.h"
#include "systems/caba/segment.h"
#include "systems/caba/tables.h"
#include "systems/driver.h"

#include <caba.h> /* the header of host programs */

#include <stdio.h>

_Static_assert((int)CABA_SEGMENT_VERSION == (int)ROUTINE_SEGMENT_VERSION &&
                 (int)CABA_HEAD_BYTES == (int)ROUTINE_HEAD_BYTES,
               "the header writes what the loader reads");

/* One device per host process, as in the driver. Guarded by the driver's lock. */
static struct { const struct driver_services *driver; /* NULL before cuInit */ } host;

/* NULL: there are no assist warps. */
static struct caba_line_code *code(void) {
  struct caba_agent *agent = host.driver->agent;
  return agent && caba_assists(caba_parameters(host.driver->config)) ? caba_agent_code(agent) : NULL;
}

static int load(const struct driver_module *m, struct err *e) {
  const char *file = ptx_module_file(m->ptx);
  uint64_t size, at = code() ? ptx_module_global(m->ptx, "__caba_routines", &size) : 0;
  struct routine_segment s;
  char name[300];
  if (!at) return 0;
  int status = routine_segment_read(device_memory_at(host.driver->memory, at, size), size, &s, e);
  if (status) return err_prefix(e, "%s", file);
  snprintf(name, sizeof name, "%.200s, its routines", file);
  return caba_program_add(code(), name, s.text, s.length, e);
}

/* ---- the calls of caba.h ---- */

#define CALL()                                         \
  if (!host.driver) return CUDA_ERROR_NOT_INITIALIZED; \
  CUresult ready = host.driver->enter();               \
  if (ready) return host.driver->leave(ready)

static CUresult add(const char *name, const char *text, size_t bytes) {
  struct err e = {0};
  if (!name || !text) return CUDA_ERROR_INVALID_VALUE;
  int status = code() ? caba_program_add(code(), name, text, bytes, &e) : 0;
  if (!status) return CUDA_SUCCESS;
  return host.driver->complain(status == ERR_LIMIT ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE, &e);
}

static CUresult call_add(const char *name, const char *text, size_t bytes) {
  CALL();
  return host.driver->leave(add(name, text, bytes));
}

static CUresult call_routines(unsigned *count) {
  CALL();
  if (!count) return host.driver->leave(CUDA_ERROR_INVALID_VALUE);
  *count = code() ? code()->n_own : 0;
  return host.driver->leave(CUDA_SUCCESS);
}

static void start(const struct driver_services *driver) { host.driver = driver; }

#define ENTRY(call) (void (*)(void)) call
static const struct driver_entry entries[] = {
  {"tandemCabaAdd", ENTRY(call_add)}, {"tandemCabaRoutines", ENTRY(call_routines)}, {NULL, NULL}};

const struct driver_hooks caba_driver = {.entries = entries, .start = start, .load = load};
