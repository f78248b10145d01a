/* SPDX-License-Identifier: Apache-2.0 */
/* Commands execute one at a time, the driver's before the SMs'. The home AMU receives each as register writes followed
 * by the command itself; the SM is notified when the AMU has accepted it. A context switch goes to the AMUs of all
 * partitions when all are idle, and completes when the private tables are loaded. */
#include "systems/xmem/agent_internal.h"

#include <stdlib.h>
#include <string.h>

enum { START, LENX, LENY, SIZEX, SIZEY, SIZEZ, CTXPTR, AAM_BASE };

bool commands_create(struct commands *c, uint32_t n_sms) {
  c->queue.size = n_sms * XMEM_SLOTS;
  c->slots = calloc(c->queue.size, sizeof *c->slots);
  c->waiting = calloc(c->queue.size, sizeof *c->waiting);
  return c->slots && c->waiting;
}

void commands_destroy(struct commands *c) {
  free(c->slots);
  free(c->waiting);
  free(c->driver);
}

struct xmem_command *xmem_agent_slot(struct xmem_agent *a, uint32_t sm, uint32_t tag) {
  return &a->commands.slots[sm * XMEM_SLOTS + tag % XMEM_SLOTS];
}

/* ---- arrival ---- */

void agent_command(void *self, const struct mem_request *r) {
  struct xmem_agent *a = self;
  struct commands *c = &a->commands;
  const struct xmem_command *command = xmem_agent_slot(a, r->sm, r->tag);
  invariant(!ring_full(&c->queue), "SM %u sends a command in a place that is taken", r->sm);
  invariant(command->code <= XMEM_CODE_DEACTIVATE, "SM %u sends command %u", r->sm, command->code);
  c->waiting[ring_push(&c->queue)] = (struct waiting_command){*r, *command};
  agent_open(a);
  agent_work(a, a->s.clocks->cycle[CLOCK_L2] + 1);
}

static int push_driver(struct xmem_agent *a, const struct xmem_command *command, struct err *e) {
  struct commands *c = &a->commands;
  if (c->driver_at == c->driver_n) c->driver_at = c->driver_n = 0;
  if (c->driver_n == c->driver_max) {
    size_t max = c->driver_max ? c->driver_max * 2 : 64;
    struct xmem_command *grown = realloc(c->driver, max * sizeof *grown);
    if (!grown) return err_set(e, ERR_LIMIT, "the host has no memory left for %zu commands of XMem", max);
    c->driver = grown;
    c->driver_max = max;
  }
  c->driver[c->driver_n++] = *command;
  agent_hold(a);
  agent_work(a, 0);
  return 0;
}

int xmem_agent_command(struct xmem_agent *a, const struct xmem_command *command, struct err *e) {
  if (command->code > XMEM_CODE_PAGE_FREE)
    return err_set(e, ERR_VALUE, "command %u of XMem: there are 0 to %d", command->code, XMEM_CODE_PAGE_FREE);
  if (command->code == XMEM_CODE_CONTEXT && command->start >= XMEM_CONTEXTS)
    return err_set(e, ERR_VALUE, "context %llu of XMem: there are 0 to %d", (unsigned long long)command->start,
                   XMEM_CONTEXTS - 1);
  if (command->code <= XMEM_CODE_DEACTIVATE && command->aid >= a->none)
    return err_set(e, ERR_VALUE, "atom %u: there are 0 to %u", command->aid, a->none - 1U);
  return push_driver(a, command, e);
}

int xmem_agent_load(struct xmem_agent *a, uint32_t context, const uint8_t *records, uint32_t n, struct err *e) {
  if (context >= XMEM_CONTEXTS)
    return err_set(e, ERR_VALUE, "context %u of XMem: there are 0 to %d", context, XMEM_CONTEXTS - 1);
  if (n > a->none)
    return err_set(e, ERR_VALUE, "%u atoms: a process has %u at most (xmem.id_bits)", n, (unsigned)a->none);
  memcpy(a->storage.contexts[context] + GAT_OFFSET, records, (size_t)n * XMEM_ATOM_BYTES);
  a->atoms[context] = n;
  struct xmem_command translate = {.code = CODE_TRANSLATE, .start = context};
  return push_driver(a, &translate, e);
}

void xmem_agent_forget(struct xmem_agent *a, uint32_t context) {
  invariant(context < XMEM_CONTEXTS, "there is no context %u", context);
  memset(a->storage.contexts[context], 0, CONTEXT_BYTES);
  memset(a->policy.kept[context], 0, sizeof a->policy.kept[context]);
  a->atoms[context] = 0;
}

/* assumption: the driver reads the AAM entry of a freed frame and sends a command only if the entry names an atom. */
void agent_frame_freed(void *self, uint64_t physical) {
  struct xmem_agent *a = self;
  struct xmem_command command = {.code = XMEM_CODE_PAGE_FREE, .start = physical};
  uint64_t none = a->entry_bytes == 8 ? UINT64_MAX : (UINT64_C(1) << a->entry_bytes * 8) - 1;
  uint64_t entry = agent_entry(a, physical);
  bool may_be_mapped = a->commands.driver_at < a->commands.driver_n;
  if (!may_be_mapped && storage_read(&a->storage, entry, a->entry_bytes) == none) return;
  if (push_driver(a, &command, NULL)) storage_write(&a->storage, entry, UINT64_MAX, (1U << a->entry_bytes) - 1);
}

/* ---- to an AMU ---- */

static void put(struct feed *f, uint32_t sel, uint64_t value) {
  f->sel[f->n] = (uint8_t)sel;
  f->reg[f->n++] = value;
}

static struct feed *begin_feed(struct xmem_agent *a, struct partition *k, uint8_t op, uint64_t from) {
  struct feed *f = &k->feed;
  *f = (struct feed){.op = op, .from = from, .busy = true};
  if (!k->booted) put(f, AAM_BASE, a->storage.aam_base);
  k->booted = true;
  return f;
}

static void feed_home(struct xmem_agent *a, const struct xmem_command *c) {
  struct feed *f = begin_feed(a, &a->part[0], c->code, a->cycle);
  a->commands.given = *c;
  f->aid = c->aid < a->none ? c->aid : a->none;
  f->dim = c->dim;
  if (c->code == XMEM_CODE_ACTIVATE || c->code == XMEM_CODE_DEACTIVATE) return;
  put(f, START, c->start);
  if (c->code == XMEM_CODE_PAGE_FREE) return;
  put(f, SIZEX, c->size_x);
  if (c->dim < 2) return;
  put(f, LENX, c->len_x);
  put(f, SIZEY, c->size_y);
  if (c->dim < 3) return;
  put(f, LENY, c->len_y);
  put(f, SIZEZ, c->size_z);
}

void feed_drive(const struct xmem_agent *a, struct partition *k) {
  struct feed *f = &k->feed;
  bool on = f->busy && f->from <= a->cycle;
  k->in->reg_we = on && f->at < f->n;
  k->in->cmd_valid = on && f->at == f->n;
  if (!on) return;
  if (f->at < f->n) {
    k->in->reg_sel = f->sel[f->at];
    k->in->reg_data = f->reg[f->at++];
  } else {
    k->in->cmd_op = f->op;
    k->in->cmd_aid = f->aid;
    k->in->cmd_dim = f->dim;
  }
}

void feed_take(struct xmem_agent *a, struct partition *k) {
  if (!k->in->cmd_valid || !k->out->cmd_ready) return;
  k->feed.busy = false;
  if (k != a->part) return;
  if (k->feed.op <= XMEM_CODE_UNMAP) prefetch_mapped(a);
  a->count->xmem_commands++;
  a->commands.tell = a->commands.of_sm;
}

/* ---- context switches ---- */

static bool all_quiet(const struct xmem_agent *a) {
  if (a->bus_queue.count) return false;
  for (uint32_t i = 0; i < a->n; i++) {
    const struct partition *k = &a->part[i];
    if (k->active || k->feed.busy || k->port.open) return false;
  }
  return true;
}

static void begin_switch(struct xmem_agent *a, uint32_t context) {
  a->commands.switching = SWITCH_QUIET;
  a->commands.context = (uint8_t)context;
  a->tables_in = false;
  prefetch_forget(a);
  for (uint32_t i = 0; i < a->n; i++) lookups_forget(a, &a->part[i].lookups);
}

static void give_switch(struct xmem_agent *a) {
  struct commands *c = &a->commands;
  uint64_t pointer = a->storage.context_base + (uint64_t)c->context * CONTEXT_BYTES;
  for (uint32_t i = 0; i < a->n; i++) {
    struct feed *f = begin_feed(a, &a->part[i], XMEM_CODE_CONTEXT, a->cycle + (i ? a->bus_latency : 0));
    put(f, CTXPTR, pointer | c->context);
  }
  a->context = c->context;
  c->switching = SWITCH_GIVEN;
  c->switched_at = a->cycle;
}

static void begin_translation(struct xmem_agent *a) {
  translator_start(a);
  a->commands.switching = SWITCH_TABLES;
}

static void go_on_switching(struct xmem_agent *a) {
  struct commands *c = &a->commands;
  if (c->switching == SWITCH_QUIET && all_quiet(a)) {
    give_switch(a);
  } else if (c->switching == SWITCH_GIVEN && all_quiet(a)) {
    a->known = true;
    policy_context(a);
    begin_translation(a);
  } else if (c->switching == SWITCH_TABLES) {
    translator_cycle(a);
    if (a->translator.busy) return;
    c->switching = SWITCH_NONE;
    if (!c->counted) return;
    c->counted = false;
    a->count->xmem_switches++;
    a->count->xmem_switch_cycles += a->cycle - c->switched_at;
  }
}

/* ---- the next command ---- */

static void begin_driver(struct xmem_agent *a, const struct xmem_command *c) {
  a->commands.of_sm = false;
  if (c->code == XMEM_CODE_CONTEXT) {
    a->commands.counted = true;
    begin_switch(a, (uint32_t)c->start);
  } else if (c->code != CODE_TRANSLATE) {
    feed_home(a, c);
  } else if (a->known && c->start == a->context) {
    a->tables_in = false;
    begin_translation(a);
    policy_changed(a);
  }
}

static void begin_next(struct xmem_agent *a) {
  struct commands *c = &a->commands;
  if (c->driver_at < c->driver_n) {
    struct xmem_command next = c->driver[c->driver_at++];
    begin_driver(a, &next);
  } else if (c->queue.count) {
    const struct waiting_command *next = &c->waiting[ring_pop(&c->queue)];
    c->taken = next->request;
    c->of_sm = true;
    feed_home(a, &next->command);
  }
}

void commands_cycle(struct xmem_agent *a) {
  struct commands *c = &a->commands;
  if (c->tell && a->s.command_done(a->s.memory, &c->taken)) c->tell = false;
  if (c->switching) go_on_switching(a);
  if (!c->switching && !c->tell && !a->part[0].feed.busy) begin_next(a);
}

bool commands_open(const struct xmem_agent *a) {
  const struct commands *c = &a->commands;
  return c->queue.count || c->driver_at < c->driver_n || c->switching || c->tell || a->part[0].feed.busy;
}
