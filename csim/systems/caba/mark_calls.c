/* SPDX-License-Identifier: Apache-2.0 */
/* Marks of a program. A mark takes no issue slot, as a trigger is the program counter of an instruction. With high priority the warp waits
 * until the routine has ended; with low priority it goes on, and the mark counts for nothing if the controller has no room. */
#include "systems/caba/marks.h"

#include "base/err.h"
#include "core/shared_memory.h"
#include "systems/caba/caba_internal.h"

#include <stdlib.h>
#include <string.h>

/* The code is the number, and more with a result, or with an address of 64 bits, which is a pair of registers. */
enum { RUNS = AWS_ROUTINES, MARKS_AT = 2 * AWS_ROUTINES };
/* clang-format off */
#define NUMBERS(X)                                                                                                   \
  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) \
  X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31)
/* clang-format on */
#define MARK(n) {"caba_mark_" #n, n, AWS_LIVE_IN, 0, false},
#define RUN(n) {"caba_run_" #n, RUNS + n, AWS_LIVE_IN, 0, true},
#define MARK_AT(n) {"caba_mark_at_" #n, MARKS_AT + n, AWS_LIVE_IN - 1, 0, false},
const struct ptx_extension caba_extensions[] = {NUMBERS(MARK) NUMBERS(RUN) NUMBERS(MARK_AT){NULL, 0, 0, 0, false}};

int caba_marks_make(struct caba_sm *s, struct err *e) {
  struct caba_marks *m = &s->marks;
  m->mark = calloc(CABA_MARKS, sizeof *m->mark);
  m->waiting_mark = calloc(CABA_MARKS, sizeof *m->waiting_mark);
  m->kept = calloc(CABA_WARPS, sizeof *m->kept);
  m->waiting.size = CABA_MARKS;
  return m->mark && m->waiting_mark && m->kept ? 0
                                               : err_set(e, ERR_LIMIT, "the host has no memory left for assist warps");
}

void caba_marks_destroy(struct caba_sm *s) {
  free(s->marks.mark);
  free(s->marks.waiting_mark);
  free(s->marks.kept);
}

void caba_marks_reset(struct caba_sm *s) {
  struct caba_marks *m = &s->marks;
  for (uint32_t i = 0; i < CABA_MARKS; i++) m->mark[i].state = MARK_FREE;
  m->waiting.count = m->used = 0;
  m->stop = m->asking = 0;
}

/* ---- launches ---- */

static int refuse(const struct ptx_kernel *k, const struct ptx_op *op, enum err_code code, const char *rule,
                  struct err *e) {
  return err_set(e, code, "%s:%u: kernel '%s': %s", ptx_module_file(k->module), op->line, k->name, rule);
}

static int add_mark(struct caba_sm *s, const struct ptx_kernel *k, const struct ptx_op *op, struct err *e) {
  struct caba_marks *m = &s->marks;
  char rule[120];
  uint32_t number = op->extension.code % AWS_ROUTINES;
  const struct aws_routine *r = caba_routine_for(&s->code.store, AWS_MARK, (uint8_t)number);
  if (!r) {
    snprintf(rule, sizeof rule, "no routine of .event(mark), .encoding(%u) is there for this mark", number);
    return refuse(k, op, ERR_VALUE, rule, e);
  }
  if (r->live_out && op->extension.code / AWS_ROUTINES != 1) {
    snprintf(rule, sizeof rule, "routine '%.31s' has live-outs: call it by cabaRun", r->name);
    return refuse(k, op, ERR_VALUE, rule, e);
  }
  if (m->rows == AWS_TRIGGERS)
    return refuse(k, op, ERR_LIMIT, "this mark is one trigger too many: there are 16, those of lines included", e);
  m->row[m->rows++] =
    (struct caba_row){.mark = true, .pc = (uint32_t)(op - k->ops), .sr = (uint8_t)(r - s->code.store.routine)};
  return 0;
}

int caba_marks_launch(struct caba_sm *s, const struct ptx_kernel *k, struct err *e) {
  struct caba_marks *m = &s->marks;
  const struct aws_store *store = &s->code.store;
  int code = 0;
  m->rows = 0;
  for (uint32_t i = 0; i < store->n_routines; i++)
    if (store->routine[i].event == AWS_FILL || store->routine[i].event == AWS_STORE)
      m->row[m->rows++] = (struct caba_row){.sr = (uint8_t)i};
  for (uint32_t i = 0; i < k->n_ops && !code; i++)
    if (k->ops[i].class == PTX_EXTENSION) code = add_mark(s, k, &k->ops[i], e);
  return code;
}

void caba_marks_start(struct caba_sm *s, uint64_t warps, uint32_t base, uint32_t bytes) {
  struct caba_marks *m = &s->marks;
  for (; warps; warps &= warps - 1) {
    uint32_t w = (uint32_t)__builtin_ctzll(warps);
    m->shared[w].base = base, m->shared[w].bytes = bytes;
    memset(m->kept[w], 0, sizeof m->kept[w]);
  }
}

/* ---- from the mark to the controller ---- */

static struct caba_mark *take_free(struct caba_marks *m) {
  uint32_t i = 0;
  while (i < CABA_MARKS && m->mark[i].state != MARK_FREE) i++;
  invariant(i < CABA_MARKS, "no place for a mark of %d", CABA_MARKS);
  m->used++;
  return &m->mark[i];
}

static void give_back(struct caba_sm *s, struct caba_mark *m) {
  m->state = MARK_FREE;
  s->marks.used--;
}

static uint32_t operand(const struct extension_call *call, uint32_t k, uint32_t lane) {
  if (call->code < MARKS_AT) return (uint32_t)ptx_source(call->op, call->f, k, lane);
  if (k > 1) return (uint32_t)ptx_source(call->op, call->f, k - 1, lane);
  return (uint32_t)(ptx_source(call->op, call->f, 0, lane) >> 32 * k);
}

static void note(struct caba_sm *s, const struct caba_row *row, const struct extension_call *call) {
  struct caba_marks *all = &s->marks;
  const struct aws_routine *r = &s->code.store.routine[row->sr];
  struct caba_mark *m = take_free(all);
  m->op = call->op, m->f = call->f, m->mask = call->mask, m->pc = row->pc, m->sr = row->sr;
  m->warp = (uint8_t)call->warp, m->high = r->high, m->state = MARK_WAITS;
  memset(m->out, 0, sizeof m->out);
  for (uint32_t k = 0; k < r->live_in; k++)
    for (uint32_t lane = 0; lane < ASSIST_LANES; lane++) m->in[k][lane] = operand(call, k, lane);
  all->waiting_mark[ring_push(&all->waiting)] = (uint16_t)(m - all->mark);
  if (m->high) {
    all->stop |= caba_bit(m->warp);
    s->blocked |= caba_bit(m->warp);
  } else {
    all->asking |= caba_bit(m->warp);
  }
}

enum extension_result caba_mark(void *self, const struct extension_call *call) {
  struct caba_sm *s = self;
  uint32_t row = 0;
  for (uint32_t lane = 0; lane < ASSIST_LANES; lane++)
    if (call->mask >> lane & 1) ptx_set_result(call->op, call->f, lane, 0);
  if (!s->awc) return EXTENSION_DONE;
  while (!s->marks.row[row].mark || s->marks.row[row].pc != ptx_warp_pc(call->f)) row++;
  s->n->caba_marks++;
  bool high = s->code.store.routine[s->marks.row[row].sr].high;
  if (high || !(s->marks.asking & caba_bit(call->warp))) note(s, &s->marks.row[row], call);
  else s->n->caba_marks_dropped++;
  return EXTENSION_DONE;
}

void caba_marks_exit(struct caba_sm *s, uint32_t warp) {
  struct caba_marks *m = &s->marks;
  for (uint32_t i = 0; m->used && i < CABA_MARKS; i++)
    if (m->mark[i].state == MARK_WAITS && m->mark[i].warp == warp) m->mark[i].state = MARK_DEAD;
  m->asking &= ~caba_bit(warp);
}

/* One whose slot has another warp by now waits until the controller knows that the last one has ended. */
struct caba_mark *caba_marks_next(struct caba_sm *s) {
  struct caba_marks *m = &s->marks;
  while (m->waiting.count) {
    struct caba_mark *next = &m->mark[m->waiting_mark[m->waiting.head]];
    if (next->state == MARK_WAITS) return s->exits & caba_bit(next->warp) ? NULL : next;
    ring_pop(&m->waiting);
    give_back(s, next);
  }
  return NULL;
}

uint64_t caba_mark_argument(const struct caba_sm *s, const struct caba_mark *m) {
  return CABA_MARKED + (uint64_t)(m - s->marks.mark);
}

void caba_marks_offered(struct caba_sm *s, bool taken) {
  struct caba_marks *all = &s->marks;
  struct caba_mark *m = &all->mark[all->waiting_mark[ring_pop(&all->waiting)]];
  *(m->high ? &all->stop : &all->asking) &= ~caba_bit(m->warp);
  m->state = MARK_CALLED;
  if (taken) return;
  s->n->caba_marks_dropped++;
  give_back(s, m);
}

/* ---- calls ---- */

static struct caba_mark *of(struct caba_sm *s, const struct caba_entry *e) {
  return &s->marks.mark[e->argument - CABA_MARKED];
}

/* The first of a routine's kept registers among those of all. */
static uint32_t first_kept(const struct aws_store *store, uint32_t sr) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < sr; k++) n += store->routine[k].kept;
  return n;
}

void caba_mark_begins(struct caba_sm *s, struct caba_entry *e) {
  struct caba_mark *m = of(s, e);
  const struct aws_routine *r = &s->code.store.routine[e->sr];
  uint32_t first = first_kept(&s->code.store, e->sr);
  for (uint32_t k = 0; k < AWS_LIVE_IN; k++) e->w.live_in[k] = m->in[k];
  for (uint32_t k = 0; k < AWS_LIVE_OUT; k++) e->w.live_out[k] = m->out[k];
  for (uint32_t k = 0; k < r->kept; k++) memcpy(e->w.r[k], s->marks.kept[e->warp][first + k], sizeof e->w.r[k]);
  e->w.shared = s->sm.shared + s->marks.shared[e->warp].base;
  e->w.shared_bytes = s->marks.shared[e->warp].bytes;
}

void caba_mark_ended(struct caba_sm *s, const struct caba_entry *e) {
  struct caba_mark *m = of(s, e);
  const struct aws_routine *r = &s->code.store.routine[e->sr];
  uint32_t first = first_kept(&s->code.store, e->sr);
  for (uint32_t lane = 0; lane < ASSIST_LANES && r->live_out; lane++)
    if (m->mask >> lane & 1) ptx_set_result(m->op, m->f, lane, m->out[0][lane] | (uint64_t)m->out[1][lane] << 32);
  if (s->exits & caba_bit(e->warp)) first = AWS_KEPT; /* the warp that has the slot now has registers of its own */
  for (uint32_t k = 0; k < r->kept && first < AWS_KEPT; k++)
    memcpy(s->marks.kept[e->warp][first + k], e->w.r[k], sizeof e->w.r[k]);
  give_back(s, m);
}

uint32_t caba_marks_killed(struct caba_sm *s, uint32_t warp) {
  struct caba_marks *all = &s->marks;
  uint32_t n = 0;
  for (uint32_t i = 0; all->used && i < CABA_MARKS; i++) {
    struct caba_mark *m = &all->mark[i];
    if (m->state != MARK_CALLED || m->high || m->warp != warp) continue;
    give_back(s, m);
    n++;
  }
  s->n->caba_marks_dropped += n;
  return n;
}

/* ---- memory ---- */

uint32_t caba_shared_cycles(const struct caba_sm *s, const struct caba_entry *e, const struct aws_instruction *i) {
  struct ptx_access a = {.space = PTX_SHARED, .bytes = (uint8_t)aws_shared_bytes(i->op), .mask = e->w.mask};
  if (i->guard < AWS_PREDICATES) a.mask &= i->guard_negated ? ~e->w.p[i->guard] : e->w.p[i->guard];
  a.store = i->op == AWS_STS_32 || i->op == AWS_STS_64;
  for (uint32_t lane = 0; lane < ASSIST_LANES; lane++) a.address[lane] = e->w.r[i->a][lane] + i->value;
  if (!a.mask) return 1;
  return shared_cost(&a, s->marks.shared[e->warp].base, (uint32_t)s->config->shared_banks,
                     (uint32_t)s->config->shared_lanes)
    .cycles;
}

/* Only while half of the MSHRs are free; of memory that is there. */
void caba_prefetch(struct caba_sm *s, uint64_t address, uint32_t warp) {
  uint64_t line = address & ~(uint64_t)(AWS_LINE - 1);
  bool idle = 2 * (uint64_t)s->sm.free_mshrs(s->sm.sm) > (uint64_t)s->config->l1_mshrs;
  bool there = line >= DEVICE_MEMORY_BASE && device_memory_at(s->sm.memory, line, AWS_LINE);
  if (idle && there && s->sm.prefetch(s->sm.sm, line, 0, warp)) s->n->caba_prefetches++;
  else s->n->caba_prefetches_dropped++;
}
