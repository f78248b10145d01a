/* SPDX-License-Identifier: Apache-2.0 */
/* The driver's side of TELEPORT: the calls of teleport.h, and the rows that a launch finds in the table. The calls are no CUDA entry
 * points: teleport.h looks them up by name, and does nothing where they are not there. */
#include "systems/teleport/driver.h"

#include "base/rng.h"

#include <teleport.h> /* the header of host programs */

#include <string.h>

/* One device per host process, as in the driver. */
static struct {
  const struct driver_services *driver; /* NULL before cuInit */
  struct {
    CUstream stream;
    uint32_t rows; /* 0: the number is free */
  } stream[TELEPORT_STREAMS];
  uint32_t launches;
  bool forgets; /* the table's rows belong to contexts that are gone */
} host;

static struct teleport_controller *controller(void) { return host.driver->dispatch; }

int teleport_settle(struct teleport_command *commands, uint32_t n, struct err *e) {
  struct teleport_controller *c = controller();
  if (!n) return 0;
  teleport_give(c, commands, n);
  int status = host.driver->settle(e);
  c->n_commands = 0;
  return status;
}

/* ---- streams ---- */

/* The stream's number; without one, a free number if `take`, else TELEPORT_STREAMS. */
static uint32_t number_of(CUstream stream, bool take) {
  uint32_t free = TELEPORT_STREAMS;
  for (uint32_t i = TELEPORT_STREAMS; i-- > 0;) {
    if (!host.stream[i].rows) free = i;
    else if (host.stream[i].stream == stream) return i;
  }
  return take ? free : TELEPORT_STREAMS;
}

static int flush(uint32_t number, struct err *e) {
  struct teleport_command c = {.flush = true, .stream = number};
  host.stream[number].rows = 0;
  return teleport_settle(&c, 1, e);
}

static int forget_now(struct err *e) {
  int status = 0;
  if (!host.forgets) return 0;
  host.forgets = false;
  for (uint32_t i = 0; i < TELEPORT_STREAMS && !status; i++)
    if (host.stream[i].rows) status = flush(i, e);
  return status;
}

/* ---- launches ---- */

static bool same_row(const struct teleport_row *a, const struct teleport_row *b) {
  return a->base == b->base && a->typesize == b->typesize && a->min_offset == b->min_offset &&
         a->max_offset == b->max_offset && !memcmp(a->min_product, b->min_product, sizeof a->min_product) &&
         !memcmp(a->max_product, b->max_product, sizeof a->max_product);
}

/* Whether the table has just these rows. */
static bool table_has(const struct teleport_row *rows, uint32_t n) {
  const struct teleport_controller *c = controller();
  uint32_t i = 0;
  while (i < n && i < c->n_rows && same_row(&c->row[i], &rows[i])) i++;
  return i == n && n == c->n_rows;
}

static int put_rows(const struct teleport_row *rows, uint32_t n, struct err *e) {
  struct teleport_command command[TELEPORT_ROWS + 1] = {{.flush = true}};
  if (table_has(rows, n)) return 0;
  for (uint32_t i = 0; i < n; i++) command[i + 1] = (struct teleport_command){.row = rows[i]};
  host.stream[0].rows = n;
  return teleport_settle(command, n + 1, e);
}

static uint32_t random_rows(struct teleport_row *rows, uint32_t limit) {
  struct rng g;
  rng_seed(&g, (uint64_t)controller()->p->random_rows << 32 | host.launches);
  uint32_t n = 1 + rng_below(&g, limit < 8 ? limit : 8);
  for (uint32_t i = 0; i < n; i++) rows[i] = teleport_row_random(&g, host.driver->memory);
  return n;
}

/* A row that the program has set may be too long for this grid. */
static int check_lines(const struct driver_launch *l, uint32_t stream, struct err *e) {
  const struct teleport_controller *c = controller();
  uint64_t lines = 0;
  for (uint32_t i = 0; i < c->n_rows; i++) {
    if (c->stream_of[i] != stream) continue;
    uint64_t more = teleport_row_lines(&c->row[i], l->grid);
    lines = more > UINT64_MAX - lines ? UINT64_MAX : lines + more;
  }
  if (lines <= TELEPORT_LINES_MAX) return 0;
  return err_set(
    e, ERR_VALUE,
    "kernel '%s': teleport: by the rows of its stream a CTA reads up to %llu lines of %d bytes, and its counter "
    "holds %d; set shorter ranges, or flush rows of other kernels first",
    l->kernel->name, (unsigned long long)lines, (int)TELEPORT_LINE, (int)TELEPORT_LINES_MAX);
}

static int launch(const struct driver_launch *l, struct err *e) {
  struct teleport_controller *c = controller();
  struct teleport_row rows[TELEPORT_ROWS];
  uint32_t limit = (uint32_t)c->p->rows;
  int status = forget_now(e);
  host.launches++;
  if (status) return status;
  c->stream = 0;
  if (c->p->random_rows) return put_rows(rows, random_rows(rows, limit), e);
  if (c->p->source == TELEPORT_SOURCE_ANALYSIS) return put_rows(rows, teleport_rows_of(l, host.driver, limit, rows), e);
  c->stream = number_of(l->stream, false);
  return check_lines(l, c->stream, e);
}

static void unload(const struct driver_module *m) { teleport_forget_kernels(m->ptx); }

static void forget(CUcontext context) {
  (void)context;
  host.forgets = true;
}

/* ---- the calls of teleport.h ---- */

#define CALL()                                         \
  if (!host.driver) return CUDA_ERROR_NOT_INITIALIZED; \
  CUresult ready = host.driver->enter();               \
  if (ready) return host.driver->leave(ready)

static bool takes_calls(void) { return controller() && controller()->p->source == TELEPORT_SOURCE_CALLS; }

static CUresult failed(const struct err *e) { return host.driver->complain(CUDA_ERROR_LAUNCH_FAILED, e); }

static struct teleport_row row_of(const struct teleport_tracker *t) {
  struct teleport_row r = {.base = t->base,
                           .typesize = t->typesize <= UINT32_MAX ? (uint32_t)t->typesize : 0,
                           .min_offset = t->min_offset,
                           .max_offset = t->max_offset};
  for (int k = 0; k < 3; k++) r.min_product[k] = t->min_product[k], r.max_product[k] = t->max_product[k];
  return r;
}

static CUresult set(CUstream stream, const struct teleport_tracker *t) {
  struct err e = {0};
  if (!t) return CUDA_ERROR_INVALID_VALUE;
  if (forget_now(&e)) return failed(&e);
  uint32_t number = number_of(stream, true);
  if (number == TELEPORT_STREAMS) return CUDA_ERROR_OUT_OF_MEMORY;
  struct teleport_command c = {.stream = number, .row = row_of(t)};
  if (controller()->p->end == TELEPORT_END_INCLUSIVE && !teleport_row_extend(&c.row)) return CUDA_ERROR_INVALID_VALUE;
  if (teleport_settle(&c, 1, &e)) return failed(&e);
  if (c.misfit) return CUDA_ERROR_INVALID_VALUE;
  if (c.full) return CUDA_ERROR_OUT_OF_MEMORY;
  host.stream[number].stream = stream;
  host.stream[number].rows++;
  return CUDA_SUCCESS;
}

static CUresult call_set(CUstream stream, const struct teleport_tracker *t) {
  CALL();
  return host.driver->leave(takes_calls() ? set(stream, t) : CUDA_SUCCESS);
}

static CUresult call_flush(CUstream stream) {
  CALL();
  struct err e = {0};
  uint32_t number = takes_calls() ? number_of(stream, false) : TELEPORT_STREAMS;
  if (number < TELEPORT_STREAMS && flush(number, &e)) return host.driver->leave(failed(&e));
  return host.driver->leave(CUDA_SUCCESS);
}

static void start(const struct driver_services *driver) { host.driver = driver; }

#define ENTRY(call) (void (*)(void)) call
static const struct driver_entry entries[] = {
  {"tandemTeleportSet", ENTRY(call_set)}, {"tandemTeleportFlush", ENTRY(call_flush)}, {NULL, NULL}};

const struct driver_hooks teleport_driver = {
  .entries = entries, .start = start, .unload = unload, .launch = launch, .forget = forget};
