/* SPDX-License-Identifier: Apache-2.0 */
/* TELEPORT's controller at CTA dispatch (Lashgar et al. 2018, section 3; assumptions: docs/departures.md): walks the rows of each CTA
 * that is placed, and sends a read for each line. Around block teleport_ctrl, in C: the CTAs that wait for it, and the queues to the
 * L2 slices. CTAs are dispatched as without TELEPORT. */
#include "systems/teleport/teleport_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- construction ---- */

static void controller_destroy(void *self) {
  struct teleport_controller *c = self;
  if (!c) return;
  if (c->block) block_destroy(c->block);
  for (uint32_t i = 0; c->queue && i < c->n_queues; i++) free(c->queue[i].request);
  free(c->queue);
  free(c->placed);
  free(c);
}

static bool create_queues(struct teleport_controller *c, const struct gpu_config *m) {
  c->n_queues = (uint32_t)(m->dram_channels * m->l2_slices);
  c->waiting.size = (uint32_t)(m->sm_count * m->sm_ctas);
  c->placed = calloc(c->waiting.size, sizeof *c->placed);
  c->queue = calloc(c->n_queues, sizeof *c->queue);
  bool made = c->placed && c->queue;
  for (uint32_t i = 0; made && i < c->n_queues; i++) {
    c->queue[i].ring.size = (uint32_t)c->p->queue;
    c->queue[i].request = calloc((size_t)c->p->queue, sizeof *c->queue[i].request);
    made = c->queue[i].request != NULL;
  }
  return made;
}

static void *controller_create(const struct gpu_config *m, const struct dispatch_services *s, void *agent,
                               struct err *e) {
  (void)agent;
  struct teleport_controller *c = calloc(1, sizeof *c);
  if (c) {
    c->s = *s;
    c->p = teleport_parameters(m);
    c->n = teleport_memory_counters(s->counters);
    c->n_sms = (uint32_t)m->sm_count;
    c->stream = TELEPORT_STREAMS;
  }
  if (!c || !create_queues(c, m)) err_set(e, ERR_LIMIT, "the host has no memory left for TELEPORT's controller");
  else
    c->block = BLOCK_MAKE(s->factory, &teleport_ctrl_desc, "teleport.ctrl", s->now, e, {"ROWS", c->p->rows},
                          {"WIDE", c->p->wide}, {"OVERLAP", c->p->pace == TELEPORT_PACE_OVERLAPPED});
  if (c && c->block) return c;
  controller_destroy(c);
  return NULL;
}

/* ---- launches ---- */

static void controller_launch(void *self, const struct launch *l, uint64_t cycle) {
  struct teleport_controller *c = self;
  (void)cycle;
  round_robin_start(&c->turn, c->n_sms);
  memcpy(c->grid, l->grid, sizeof c->grid);
  c->launches = true;
  c->n_launched = 0;
  for (uint32_t i = 0; i < c->n_rows; i++)
    if (c->stream_of[i] == c->stream) c->launched[c->n_launched++] = c->row[i];
}

/* With teleport.model=s CTAs may end before they are walked: dispatch then waits for the controller. */
static bool controller_next(void *self, const uint64_t *room, uint64_t cycle, struct dispatch_choice *choice) {
  struct teleport_controller *c = self;
  return !ring_full(&c->waiting) && round_robin_next(&c->turn, room, cycle, choice);
}

/* The CTA that is walked must be walked to its end; its lines go nowhere. */
static void controller_abort(void *self) {
  struct teleport_controller *c = self;
  *c->s.in_flight -= c->waiting.count - c->walks + c->n_requests;
  c->waiting.count = c->walks;
  c->discards = c->walks;
  for (uint32_t i = 0; i < c->n_queues; i++) c->queue[i].ring.count = 0;
  c->n_requests = 0;
}

/* ---- requests ---- */

/* The oldest request whose queue is not in `but`, or c->n_queues. */
static uint32_t oldest(const struct teleport_controller *c, const bool *but) {
  uint32_t best = c->n_queues;
  uint64_t order = UINT64_MAX;
  for (uint32_t i = 0; i < c->n_queues; i++) {
    const struct teleport_queue *q = &c->queue[i];
    if (!q->ring.count || but[i] || q->request[q->ring.head].order >= order) continue;
    best = i;
    order = q->request[q->ring.head].order;
  }
  return best;
}

static bool send_from(struct teleport_controller *c, struct teleport_queue *q) {
  const struct teleport_request *r = &q->request[q->ring.head];
  if (!q->ring.count || !c->s.request(c->s.gpu, r->line, r->sm, r->slot, c->p->around_l2 != 0)) return false;
  ring_pop(&q->ring);
  c->n_requests--;
  --*c->s.in_flight;
  return true;
}

/* One request a core cycle, the oldest whose slice takes it; with teleport.pace=unlimited one a slice. */
static void send_requests(struct teleport_controller *c) {
  bool refused[TELEPORT_SMS] = {false};
  if (c->p->pace == TELEPORT_PACE_UNLIMITED) {
    for (uint32_t i = 0; i < c->n_queues; i++) send_from(c, &c->queue[i]);
    return;
  }
  for (uint32_t i; (i = oldest(c, refused)) < c->n_queues; refused[i] = true)
    if (send_from(c, &c->queue[i])) return;
}

/* Allocations begin at multiples of 256 bytes, so a line is in one if its first byte is. */
static bool is_allocated(struct teleport_controller *c, uint64_t line) {
  if (line >= c->allocation[0] && line < c->allocation[1]) return true;
  uint64_t base, bytes = device_memory_find(c->memory, line, &base);
  if (!bytes) return false;
  c->allocation[0] = base;
  c->allocation[1] = base + bytes;
  return true;
}

/* A line of the CTA that is walked; false: it stays at the block's port. */
static bool take_line(struct teleport_controller *c, uint64_t line) {
  const struct teleport_placed *cta = &c->placed[c->waiting.head];
  struct teleport_sm *sm = c->sm[cta->sm];
  bool counts;
  if (c->discards) return true;
  if (!is_allocated(c, line)) {
    c->n->teleport_lines_outside++;
    return true;
  }
  if (c->p->dedup && teleport_needs_no_request(sm, line, cta->slot, &counts)) {
    c->n->teleport_lines_there++;
    c->sent += counts;
    return true;
  }
  struct teleport_queue *q = &c->queue[c->s.input_of(c->s.gpu, line)];
  if (ring_full(&q->ring)) {
    c->n->teleport_queue_cycles++;
    return false;
  }
  if (c->p->dedup) teleport_note_request(sm, line, cta->slot);
  q->request[ring_push(&q->ring)] =
    (struct teleport_request){.line = line, .order = c->orders++, .sm = cta->sm, .slot = cta->slot};
  c->n_requests++;
  c->n->teleport_requests++;
  c->sent++;
  ++*c->s.in_flight;
  return true;
}

/* ---- without the block's pace ---- */

static void finish_walk(struct teleport_controller *c);

/* Takes the lines of a row from line_at on; false: a queue is full. */
static bool take_row(struct teleport_controller *c, const struct teleport_row *r, const uint32_t index[3]) {
  uint64_t first, end;
  if (!teleport_row_range(r, index, &first, &end)) return true;
  uint64_t line = c->line_at ? c->line_at : first / TELEPORT_LINE;
  for (; line <= (end - 1) / TELEPORT_LINE; line++) {
    c->line_at = line;
    if (!take_line(c, line * TELEPORT_LINE)) return false;
  }
  return true;
}

/* Walks CTAs until a queue is full, or an SM would get two messages in a cycle. */
static void walk_at_once(struct teleport_controller *c) {
  c->n->teleport_busy_cycles += c->waiting.count != 0;
  while (c->waiting.count) {
    const struct teleport_placed *cta = &c->placed[c->waiting.head];
    if (!c->walks) {
      c->walks = true;
      c->sent = c->row_at = 0;
      c->line_at = 0;
      c->n->teleport_ctas++;
    }
    for (; c->row_at < c->n_launched; c->row_at++, c->line_at = 0)
      if (!c->discards && !take_row(c, &c->launched[c->row_at], cta->index)) return;
    if (teleport_holds(c->p) && c->sm[cta->sm]->has_message) return;
    finish_walk(c);
  }
}

/* ---- the block's ports ---- */

/* assumption: the 4 bytes of a printed row's base count from the beginning of device memory, which lies above 4 GiB here. */
static uint64_t first_address(const struct teleport_controller *c) { return c->p->wide ? 0 : DEVICE_MEMORY_BASE; }

static void drive_row(const struct teleport_controller *c, struct teleport_ctrl_in *in) {
  const struct teleport_row *r = &c->command->row;
  in->set_stream = (uint8_t)c->command->stream;
  in->set_base = r->base - first_address(c);
  in->set_typesize = r->typesize;
  for (int k = 0; k < 3; k++) {
    in->set_minp[k] = (uint32_t)r->min_product[k];
    in->set_maxp[k] = (uint32_t)r->max_product[k];
  }
  in->set_mino = (uint32_t)r->min_offset;
  in->set_maxo = (uint32_t)r->max_offset;
}

/* The end of a launch is told before the first command after it, so that rows that were flushed meanwhile become free. */
static void drive(struct teleport_controller *c) {
  struct teleport_ctrl_in *in = c->block->in;
  const struct teleport_placed *cta = &c->placed[c->waiting.head];
  bool commands = c->n_commands && !c->is_open;
  in->end_valid = c->n_commands && c->is_open;
  in->set_valid = commands && !c->command->flush;
  in->flush_valid = commands && c->command->flush;
  if (in->set_valid) drive_row(c, in);
  if (in->flush_valid) in->flush_stream = (uint8_t)c->command->stream;
  in->launch_valid = c->launches && c->stream < TELEPORT_STREAMS;
  in->launch_stream = (uint8_t)(c->stream % TELEPORT_STREAMS);
  in->cta_valid = c->waiting.count && !c->walks && c->p->pace != TELEPORT_PACE_UNLIMITED;
  in->cta_x = (uint16_t)cta->index[0], in->cta_y = (uint16_t)cta->index[1], in->cta_z = (uint16_t)cta->index[2];
  in->line_ready = in->msg_ready = 0;
}

static void forget_rows(struct teleport_controller *c, uint32_t stream) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->n_rows; i++) {
    if (c->stream_of[i] == stream) continue;
    c->row[n] = c->row[i];
    c->stream_of[n++] = c->stream_of[i];
  }
  c->n_rows = n;
}

static void take_command(struct teleport_controller *c, const struct teleport_ctrl_out *out) {
  struct teleport_command *command = c->command++;
  c->n_commands--;
  --*c->s.in_flight;
  if (command->flush) {
    forget_rows(c, command->stream);
    return;
  }
  command->full = out->set_full;
  command->misfit = out->set_misfit;
  c->n->teleport_rows_misfit += command->misfit;
  c->n->teleport_rows_full += command->full && !command->misfit;
  if (command->full || command->misfit) return;
  c->n->teleport_rows_set++;
  c->stream_of[c->n_rows] = (uint8_t)command->stream;
  c->row[c->n_rows++] = command->row;
}

/* The last request of the CTA has gone: its SM is told how many lines come. assumption: lines outside of allocations, and those that
 * teleport.dedup saves, are no part of the number. */
static void finish_walk(struct teleport_controller *c) {
  const struct teleport_placed *cta = &c->placed[ring_pop(&c->waiting)];
  --*c->s.in_flight;
  if (!c->discards && teleport_holds(c->p)) {
    teleport_message(c->sm[cta->sm], cta->slot, c->sent);
    c->s.wake(c->s.gpu, cta->sm);
  }
  c->walks = c->discards = false;
}

static void take(struct teleport_controller *c) {
  struct teleport_ctrl_in *in = c->block->in;
  const struct teleport_ctrl_out *out = c->block->out;
  c->n->teleport_busy_cycles += out->walking;
  in->msg_ready = out->msg_valid;
  if (out->line_valid) in->line_ready = take_line(c, out->line_addr + first_address(c));
  if (out->msg_valid) finish_walk(c);
  if (in->set_valid || in->flush_valid) take_command(c, out);
  if (in->end_valid) c->is_open = false;
  if (in->launch_valid) c->is_open = true;
  c->launches = false;
  if (!in->cta_valid || !out->cta_ready) return;
  c->walks = true;
  c->sent = 0;
  c->n->teleport_ctas++;
}

static uint64_t controller_cycle(void *self, uint64_t cycle) {
  struct teleport_controller *c = self;
  if (c->n_requests) send_requests(c);
  bool due = c->awake || c->waiting.count || c->n_commands || c->launches || !c->block->skip;
  if (due) {
    drive(c);
    block_eval(c->block);
    take(c);
    block_tick(c->block);
    c->awake = ((const struct teleport_ctrl_out *)c->block->out)->busy;
    if (c->p->pace == TELEPORT_PACE_UNLIMITED) walk_at_once(c);
  }
  return c->n_requests || c->awake || c->waiting.count || c->n_commands ? cycle + 1 : UINT64_MAX;
}

void teleport_give(struct teleport_controller *c, struct teleport_command *commands, uint32_t n) {
  invariant(!c->n_commands, "TELEPORT's table has commands already");
  c->command = commands;
  c->n_commands = n;
  *c->s.in_flight += n;
}

static void controller_describe(const void *self, FILE *out) {
  const struct teleport_controller *c = self;
  if (!c->waiting.count && !c->n_requests) return;
  fprintf(out, "  TELEPORT: %u CTAs wait until their rows are walked, %u requests wait for L2 slices\n",
          c->waiting.count, c->n_requests);
}

const struct dispatch_ops teleport_dispatch = {
  .name = "teleport",
  .requests = true,
  .create = controller_create,
  .destroy = controller_destroy,
  .launch = controller_launch,
  .cycle = controller_cycle,
  .next = controller_next,
  .abort = controller_abort,
  .describe = controller_describe,
};
