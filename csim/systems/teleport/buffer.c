/* SPDX-License-Identifier: Apache-2.0 */
/* An SM's side of TELEPORT: holds CTAs until their lines have come (block teleport_pend), and keeps the data buffer in the shared
 * memory that they leave free (block teleport_tags, access.c). Lines and values: the buffer is a matter of time alone; values are
 * those of memory when an instruction issues. */
#include "systems/teleport/teleport_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- construction ---- */

static int check_config(const struct gpu_config *m, struct err *e) {
  const struct teleport_parameters *p = teleport_parameters(m);
  if (m->line_bytes != TELEPORT_LINE)
    return err_set(e, ERR_VALUE, "line_bytes = %lld: TELEPORT's buffer has lines of %d bytes; set it to that",
                   (long long)m->line_bytes, (int)TELEPORT_LINE);
  if (p->dedup && !teleport_holds(p))
    return err_set(
      e, ERR_VALUE,
      "teleport.dedup = 1 saves requests of CTAs that are held; with teleport.model = s or i none is; set it to 0");
  return 0;
}

void teleport_sm_destroy(void *self) {
  struct teleport_sm *s = self;
  if (!s) return;
  if (s->tags) block_destroy(s->tags);
  if (s->pend) block_destroy(s->pend);
  teleport_lines_destroy(s->lines);
  free(s->coming);
  free(s->copy);
  free(s->touched);
  free(s);
}

static bool create_parts(struct teleport_sm *s, const struct gpu_config *m, struct block_factory *f, const char *path,
                         struct err *e) {
  snprintf(s->path[0], sizeof s->path[0], "%s.teleport.tags", path);
  snprintf(s->path[1], sizeof s->path[1], "%s.teleport.pend", path);
  s->copy = calloc((size_t)TELEPORT_SETS * TELEPORT_WAYS, sizeof *s->copy);
  s->touched_size = (uint32_t)m->lsu_queue * SEGMENTS_MAX;
  s->touched = calloc(s->touched_size, sizeof *s->touched);
  if (teleport_is_ideal(s->p)) s->lines = teleport_lines_create();
  if (!s->copy || !s->touched || (teleport_is_ideal(s->p) && !s->lines)) {
    err_set(e, ERR_LIMIT, "%s: the host has no memory left for TELEPORT", path);
    return false;
  }
  if (!s->lines && s->all_ways)
    s->tags = BLOCK_MAKE(f, &teleport_tags_desc, s->path[0], s->sm.now, e, {"WAYS", s->all_ways});
  if (teleport_holds(s->p))
    s->pend = BLOCK_MAKE(f, &teleport_pend_desc, s->path[1], s->sm.now, e, {"SLOTS", m->sm_ctas});
  return (s->tags || s->lines || !s->all_ways) && (s->pend || !teleport_holds(s->p));
}

void *teleport_sm_create(const struct gpu_config *m, struct block_factory *factory, const char *path, uint32_t sm_index,
                         const struct sm_services *services, struct err *e) {
  if (check_config(m, e)) return NULL;
  struct teleport_sm *s = calloc(1, sizeof *s);
  if (!s) {
    err_set(e, ERR_LIMIT, "%s: the host has no memory left for TELEPORT", path);
    return NULL;
  }
  s->sm = *services;
  s->p = teleport_parameters(m);
  s->n = teleport_counters(services->counters);
  s->index = sm_index;
  s->stall = teleport_owner.first_stall + STALL_HELD;
  s->all_ways = (uint32_t)s->p->ways;
  s->shared_bytes = (uint32_t)m->sm_shared_bytes;
  s->port_cycles = (uint32_t)(m->shared_banks * 4 < TELEPORT_LINE ? TELEPORT_LINE / (m->shared_banks * 4) : 1);
  s->controller = services->dispatch;
  if (s->controller) {
    s->controller->sm[sm_index] = s;
    s->controller->memory = services->memory;
  }
  if (create_parts(s, m, factory, path, e)) return s;
  teleport_sm_destroy(s);
  return NULL;
}

/* ---- CTAs ---- */

/* Ways that the resident CTAs leave (assumption: they are taken back when a CTA starts, and given when one ends). */
static void update_limit(struct teleport_sm *s) {
  uint32_t own = s->all_ways * TELEPORT_WAY_BYTES, room = s->shared_bytes > own ? s->shared_bytes : own;
  uint32_t ways = (room - s->used) / TELEPORT_WAY_BYTES;
  if (ways > s->all_ways) ways = s->all_ways;
  if (ways == s->limit) return;
  if (ways < s->limit) s->n->teleport_taken += s->limit - ways;
  s->limit = ways;
  s->limits = true;
}

int teleport_sm_launch(void *self, const struct ptx_kernel *kernel, struct err *e) {
  struct teleport_sm *s = self;
  (void)kernel, (void)e;
  s->held = s->owing = s->used = s->n_coming = 0;
  s->waiting = s->known = 0;
  s->starts = s->has_message = s->store_waits = false;
  for (uint32_t i = 0; i < TELEPORT_SLOTS; i++) s->cta[i].owed = 0;
  memset(s->copy, 0, TELEPORT_SETS * TELEPORT_WAYS * sizeof *s->copy);
  s->limit = s->all_ways;
  s->limits = s->clears = true;
  if (s->lines) teleport_lines_clear(s->lines);
  return 0;
}

/* Ideal models s and i: what the CTA reads is there at once. */
static void fill_at_once(struct teleport_sm *s, const uint32_t index[3]) {
  const struct teleport_controller *c = s->controller;
  for (uint32_t i = 0; i < c->n_launched; i++) {
    uint64_t first, end;
    bool was_there;
    if (!teleport_row_range(&c->launched[i], index, &first, &end)) continue;
    for (uint64_t line = first / TELEPORT_LINE; line <= (end - 1) / TELEPORT_LINE; line++) {
      if (!device_memory_at(s->sm.memory, line * TELEPORT_LINE, 1)) continue;
      teleport_copy_line(s->sm.memory, line * TELEPORT_LINE, TELEPORT_LINE,
                         teleport_lines_add(s->lines, line, &was_there));
    }
  }
}

static void hold(struct teleport_sm *s, uint32_t slot, uint64_t warps) {
  invariant(!s->starts, "SM %u: two CTAs start in a cycle", s->index);
  s->starts = true;
  s->start_slot = slot;
  s->held |= 1U << slot;
  s->waiting |= warps;
  s->cta[slot].placed = *s->sm.now;
  s->n->teleport_held++;
}

void teleport_sm_cta_start(void *self, uint32_t slot, uint64_t index, uint64_t warps, uint32_t base, uint32_t bytes) {
  struct teleport_sm *s = self;
  struct teleport_cta *c = &s->cta[slot];
  uint32_t at[3];
  (void)base;
  c->life++;
  c->warps = warps;
  c->shared_bytes = bytes;
  s->used += bytes;
  update_limit(s);
  if (!s->controller || !teleport_has_rows(s->controller) || !(s->lines || s->limit)) return;
  teleport_index(s->controller, index, at);
  if (!teleport_indices_fit(at)) return;
  if (!teleport_holds(s->p)) fill_at_once(s, at);
  else hold(s, slot, warps);
  if (s->p->model != TELEPORT_MODEL_I) teleport_place(s->controller, s->index, slot, at);
}

void teleport_sm_cta_end(void *self, uint32_t slot) {
  struct teleport_sm *s = self;
  s->used -= s->cta[slot].shared_bytes;
  update_limit(s);
}

uint64_t teleport_sm_blocked(const void *self) { return ((const struct teleport_sm *)self)->waiting; }
uint32_t teleport_sm_stall(const void *self) { return ((const struct teleport_sm *)self)->stall; }

void teleport_message(struct teleport_sm *s, uint32_t slot, uint32_t total) {
  invariant(!s->has_message, "SM %u: two messages in a cycle", s->index);
  s->has_message = true;
  s->message_slot = slot;
  s->message_total = total;
}

/* ---- lines that come ---- */

static struct teleport_coming *find_coming(struct teleport_sm *s, uint64_t line) {
  for (uint32_t i = 0; i < s->n_coming; i++)
    if (s->coming[i].line == line) return &s->coming[i];
  return NULL;
}

bool teleport_needs_no_request(struct teleport_sm *s, uint64_t line, uint32_t slot, bool *counts) {
  struct teleport_coming *c = find_coming(s, line);
  *counts = c != NULL;
  if (c) c->slots |= 1U << slot;
  return c || teleport_has_line(s, line);
}

void teleport_note_request(struct teleport_sm *s, uint64_t line, uint32_t slot) {
  if (s->n_coming == s->coming_size) {
    s->coming_size = s->coming_size ? 2 * s->coming_size : 64;
    s->coming = realloc(s->coming, s->coming_size * sizeof *s->coming);
    invariant(s->coming, "the host has no memory left for TELEPORT");
  }
  s->coming[s->n_coming++] = (struct teleport_coming){line, 1U << slot};
}

/* The CTAs that wait for the line, which is no longer on its way. */
static uint32_t waiting_for(struct teleport_sm *s, uint64_t line, uint32_t slot) {
  struct teleport_coming *c = s->p->dedup ? find_coming(s, line) : NULL;
  if (!c) return 1U << slot;
  uint32_t slots = c->slots;
  *c = s->coming[--s->n_coming];
  return slots;
}

/* The SM takes at most one reply a core cycle. */
bool teleport_sm_pushed(void *self, uint64_t address, uint32_t tag) {
  struct teleport_sm *s = self;
  bool was_there;
  s->n->teleport_lines++;
  if (!teleport_holds(s->p)) return false;
  for (uint32_t slots = waiting_for(s, address, tag) & s->held; slots; slots &= slots - 1) {
    uint32_t slot = (uint32_t)__builtin_ctz(slots);
    s->cta[slot].owed++;
    s->owing |= 1U << slot;
  }
  if (s->lines) {
    teleport_copy_line(s->sm.memory, address, TELEPORT_LINE,
                       teleport_lines_add(s->lines, address / TELEPORT_LINE, &was_there));
    s->n->teleport_refreshed += was_there;
    return false;
  }
  s->fill = address / TELEPORT_LINE + 1;
  s->fill_slot = tag;
  s->sm.take_shared_port(s->sm.sm, s->port_cycles);
  return false;
}

/* ---- cycle ---- */

static bool pend_due(const struct teleport_sm *s) {
  return s->pend && (s->starts || s->has_message || s->owing || s->pend_awake || !s->pend->skip);
}

static void release(struct teleport_sm *s, uint32_t slots) {
  for (slots &= s->held; slots; slots &= slots - 1) {
    struct teleport_cta *c = &s->cta[__builtin_ctz(slots)];
    s->waiting &= ~c->warps;
    s->n->teleport_hold_cycles += *s->sm.now - c->placed;
    s->held &= ~(slots & -slots);
  }
}

/* One reply a cycle: only with teleport.dedup does a line count for several CTAs, so that some come later. */
static void pend_cycle(struct teleport_sm *s) {
  struct teleport_pend_in *in = s->pend->in;
  const struct teleport_pend_out *out = s->pend->out;
  in->start_en = s->starts;
  if (s->starts) in->start_slot = (uint8_t)s->start_slot;
  in->msg_en = s->has_message;
  if (s->has_message) in->msg_slot = (uint8_t)s->message_slot;
  in->msg_total = (uint16_t)s->message_total;
  in->reply_en = s->owing != 0;
  if (s->owing) {
    uint32_t slot = (uint32_t)__builtin_ctz(s->owing);
    in->reply_slot = (uint8_t)slot;
    if (!--s->cta[slot].owed) s->owing &= s->owing - 1;
  }
  block_eval(s->pend);
  if (out->activate) release(s, out->activate);
  block_tick(s->pend);
  s->pend_awake = in->start_en || in->msg_en || in->reply_en || out->busy;
  s->starts = s->has_message = false;
}

void teleport_sm_cycle(void *self) {
  struct teleport_sm *s = self;
  if (teleport_tags_due(s)) {
    teleport_tags_begin(s);
    teleport_tags_end(s);
  }
  if (pend_due(s)) pend_cycle(s);
}

bool teleport_sm_busy(const void *self) {
  const struct teleport_sm *s = self;
  return pend_due(s) || teleport_tags_due(s);
}

void teleport_sm_describe(const void *self, FILE *out) {
  const struct teleport_sm *s = self;
  for (uint32_t slots = s->held; slots; slots &= slots - 1) {
    uint32_t slot = (uint32_t)__builtin_ctz(slots);
    fprintf(out, "  TELEPORT: CTA slot %u is held since core cycle %llu\n", slot,
            (unsigned long long)s->cta[slot].placed);
  }
}
