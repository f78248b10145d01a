/* SPDX-License-Identifier: Apache-2.0 */
/* State and functions that the files of TELEPORT share.
 *
 * Order in a core cycle: the controller works (one host thread), then CTAs start, then the SMs: a line that has come is noted, an
 * access is answered by what the tag array found a cycle ago, the coming access is looked up. */
#ifndef TANDEM_SYSTEMS_TELEPORT_TELEPORT_INTERNAL_H
#define TANDEM_SYSTEMS_TELEPORT_TELEPORT_INTERNAL_H

#include "base/err.h"
#include "base/ring.h"
#include "core/dispatch.h"
#include "core/round_robin.h"
#include "core/system.h"
#include "systems/teleport/lines.h"
#include "systems/teleport/rows.h"
#include "systems/teleport/tables.h"
#include "teleport_ctrl_ports.h"
#include "teleport_pend_ports.h"
#include "teleport_tags_ports.h"

enum { TELEPORT_SMS = 256, TELEPORT_SLOTS = 32, TELEPORT_ROWS = 256, TELEPORT_STREAMS = 16 };
enum {
  TELEPORT_SETS = 4,
  TELEPORT_WAYS = 128,
  TELEPORT_WAY_BYTES = TELEPORT_SETS * TELEPORT_LINE,
  TELEPORT_PATH = 128
};

/* ---- controller.c ---- */

struct teleport_sm;

/* What the driver asks of the table: a row for a stream, or that the stream's rows leave. */
struct teleport_command {
  struct teleport_row row;
  uint32_t stream;
  bool flush;
  bool full, misfit; /* the answer to a row */
};

/* A CTA that was placed. */
struct teleport_placed {
  uint32_t sm, slot, index[3];
};

struct teleport_request {
  uint64_t line; /* byte address */
  uint64_t order;
  uint32_t sm, slot;
};

struct teleport_queue {
  struct ring ring;
  struct teleport_request *request;
};

struct teleport_controller {
  struct dispatch_services s;
  const struct teleport_parameters *p;
  struct teleport_memory_counters *n;
  struct device_memory *memory; /* of the SMs */
  struct block *block;          /* teleport_ctrl */
  struct round_robin turn;
  struct teleport_sm *sm[TELEPORT_SMS];
  uint32_t n_sms;

  /* what the block's table holds, in the order of its rows, and the rows of the launch */
  struct teleport_row row[TELEPORT_ROWS], launched[TELEPORT_ROWS];
  uint8_t stream_of[TELEPORT_ROWS];
  uint32_t n_rows, n_launched;
  struct teleport_command *command; /* the next of n_commands */
  uint32_t n_commands;
  uint32_t stream;        /* of the launch; TELEPORT_STREAMS: it has no rows */
  bool launches, is_open; /* the launch is to be told to the block; it was, and its end was not */
  uint32_t grid[3];

  struct ring waiting; /* CTAs, the oldest one walked if `walks` */
  struct teleport_placed *placed;
  bool walks, discards; /* discards: the walked CTA is gone */
  bool awake;           /* the block has work without new inputs */
  uint32_t sent;        /* lines of the walked CTA that its SM gets */
  uint32_t row_at;      /* teleport.pace=unlimited: row of the walked CTA, and the number of its next line or 0 */
  uint64_t line_at;
  uint32_t n_queues, n_requests; /* requests: in all queues */
  struct teleport_queue *queue;
  uint64_t orders;
  uint64_t allocation[2]; /* [first, end) of the last one that was found */
};

extern const struct dispatch_ops teleport_dispatch;

/* Hands the table `n` commands, one a core cycle; they are answered when `s.in_flight` is back (driver_services.settle). */
void teleport_give(struct teleport_controller *, struct teleport_command *, uint32_t n);
/* Whether the launch has rows. */
static inline bool teleport_has_rows(const struct teleport_controller *c) { return c->n_launched != 0; }
/* A CTA has been placed: its rows are walked in turn. */
static inline void teleport_place(struct teleport_controller *c, uint32_t sm, uint32_t slot, const uint32_t index[3]) {
  invariant(!ring_full(&c->waiting), "TELEPORT: more CTAs wait than there are slots");
  c->placed[ring_push(&c->waiting)] = (struct teleport_placed){sm, slot, {index[0], index[1], index[2]}};
  ++*c->s.in_flight;
}
static inline void teleport_index(const struct teleport_controller *c, uint64_t cta, uint32_t index[3]) {
  index[0] = (uint32_t)(cta % c->grid[0]);
  index[1] = (uint32_t)(cta / c->grid[0] % c->grid[1]);
  index[2] = (uint32_t)(cta / c->grid[0] / c->grid[1]);
}

/* ---- buffer.c, access.c ---- */

struct teleport_cta {
  uint64_t warps, placed; /* placed: core cycle */
  uint32_t shared_bytes;
  uint32_t owed; /* replies that its pending counter has not been told */
  uint32_t life; /* CTAs that the slot has had */
};

/* A line of the buffer, as the tag array places it: for reports, and to see whether it is stale. */
struct teleport_copy {
  uint64_t line; /* its number, byte address / 128, + 1; 0: none */
  uint32_t slot, life;
  uint8_t bytes[TELEPORT_LINE];
};

/* The bytes of a line that an access touches, one bit each. */
struct teleport_bytes {
  uint64_t half[2];
};

/* A store that has gone to memory and is still to be looked up in the buffer. */
struct teleport_store {
  struct segment where;
  struct teleport_bytes touched;
};

/* A line on its way to the SM, with the CTA slots that wait for it (teleport.dedup). */
struct teleport_coming {
  uint64_t line;
  uint32_t slots;
};

struct teleport_sm {
  struct sm_services sm;
  const struct teleport_parameters *p;
  struct teleport_counters *n;
  struct teleport_controller *controller;
  struct block *tags, *pend;          /* tags: NULL without a buffer */
  uint32_t index, stall, port_cycles; /* port_cycles: of shared memory, for a line */
  uint32_t all_ways, shared_bytes;

  struct teleport_cta cta[TELEPORT_SLOTS];
  uint64_t waiting;     /* warps of held CTAs */
  uint32_t held, owing; /* slots; owing: those to which replies are owed */
  uint32_t used, limit; /* shared bytes of resident CTAs; ways that they leave */

  /* inputs of the blocks in this cycle */
  uint64_t fill, inval; /* line number + 1, or 0 */
  uint32_t fill_slot, start_slot;
  bool starts, has_message, limits, clears;
  uint32_t message_slot, message_total;

  /* the tag array */
  bool tags_on, tags_awake, pend_awake; /* tags_on: evaluated in this cycle */
  uint64_t filled, lost;              /* line number + 1 of the fill that is answered next; line of the invalidation */
  bool inval_by_store, lost_by_store; /* its line leaves because of a store, not of an atomic */
  uint32_t filled_slot;
  uint64_t asked, known; /* access number + 1 of the probe that is answered next; of the last answer */
  uint64_t asked_line, known_line;
  struct teleport_store store, store_asked; /* store_asked: the probe that is answered next is for it */
  bool store_waits, asks_for_store;
  bool known_hit;
  uint32_t known_row;
  struct teleport_copy *copy; /* row way * TELEPORT_SETS + set */

  struct teleport_bytes *touched; /* by segments in the load/store unit's queue: number % touched_size */
  uint32_t touched_size;
  struct teleport_lines *lines; /* ideal models: the unlimited buffer */
  struct teleport_coming *coming;
  uint32_t n_coming, coming_size;
  char path[2][TELEPORT_PATH];
};

static inline bool teleport_is_ideal(const struct teleport_parameters *p) { return p->model != TELEPORT_MODEL_REAL; }
static inline bool teleport_holds(const struct teleport_parameters *p) {
  return p->model == TELEPORT_MODEL_REAL || p->model == TELEPORT_MODEL_R;
}

/* buffer.c: the hooks of core/system.h */
void *teleport_sm_create(const struct gpu_config *, struct block_factory *, const char *path, uint32_t sm_index,
                         const struct sm_services *, struct err *);
void teleport_sm_destroy(void *self);
int teleport_sm_launch(void *self, const struct ptx_kernel *, struct err *);
void teleport_sm_cta_start(void *self, uint32_t slot, uint64_t index, uint64_t warps, uint32_t base, uint32_t bytes);
void teleport_sm_cta_end(void *self, uint32_t slot);
uint64_t teleport_sm_blocked(const void *self);
uint32_t teleport_sm_stall(const void *self);
bool teleport_sm_pushed(void *self, uint64_t address, uint32_t tag);
void teleport_sm_cycle(void *self);
bool teleport_sm_busy(const void *self);
void teleport_sm_describe(const void *self, FILE *);

/* buffer.c: from the controller, before the SM's cycle. */
void teleport_message(struct teleport_sm *, uint32_t slot, uint32_t total);
/* With teleport.dedup: true if the CTA needs no request for this line; it may then wait for one that is on its way. */
bool teleport_needs_no_request(struct teleport_sm *, uint64_t line, uint32_t slot, bool *counts);
void teleport_note_request(struct teleport_sm *, uint64_t line, uint32_t slot);

/* access.c */
/* Begins the tag array's cycle: takes the answer to what it was given in the last one. */
void teleport_tags_begin(struct teleport_sm *);
void teleport_tags_end(struct teleport_sm *);
bool teleport_tags_due(const struct teleport_sm *);
struct l1_choice teleport_access(void *self, const struct l1_access *);
enum line_answer teleport_line(void *self, enum mem_kind kind, const struct segment *);
bool teleport_has_line(const void *self, uint64_t address);
/* Copies what memory holds now. */
void teleport_copy_line(const struct device_memory *, uint64_t address, uint32_t bytes, uint8_t *to);

/* api.c */
extern const struct driver_hooks teleport_driver;

#endif
