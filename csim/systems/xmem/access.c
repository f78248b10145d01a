/* SPDX-License-Identifier: Apache-2.0 */
/* The AMUs' memory ports: a metadata access goes to the slice that owns its address, over the bus if the slice belongs
 * to another partition, and its answer returns the same way. An entry of 6 or 3 bytes may span two sectors; it then
 * takes two accesses of the slice.
 *
 * assumption: a write is acknowledged as soon as its slice has looked it up, without the reply latency. Its order is
 * fixed at that point, because all accesses to an address go through one slice. */
#include "systems/xmem/agent_internal.h"

enum { SECTOR = 32, TRANSLATOR = 1 << 30, WRITE = 1 << 29 }; /* bits of a tag: (partition << 4 | id) << 1 | part */

/* ---- queues of IDs ---- */

static uint8_t first_of(const struct id_queue *q) { return q->id[q->ring.head]; }

static void push(struct id_queue *q, uint8_t id) {
  invariant(!ring_full(&q->ring), "an access ID is used twice");
  q->id[ring_push(&q->ring)] = id;
}

void access_start(struct port *p) {
  for (uint32_t way = 0; way < 2; way++) p->send[way].ring.size = p->back[way].ring.size = ACCESS_IDS;
}

/* ---- at the AMU ---- */

/* Index into back[] of the next answer that is due; 2: none. */
static uint32_t due_way(const struct xmem_agent *a, const struct port *p) {
  uint64_t due[2];
  for (uint32_t way = 0; way < 2; way++)
    due[way] = p->back[way].ring.count ? p->access[first_of(&p->back[way])].due : NEVER;
  uint32_t way = due[1] < due[0];
  return due[way] <= a->cycle ? way : 2;
}

bool access_due(const struct xmem_agent *a, const struct port *p) { return due_way(a, p) < 2; }
bool access_waits(const struct port *p) { return p->send[0].ring.count || p->send[1].ring.count; }

uint64_t access_answer_at(const struct port *p) {
  uint64_t at[2];
  for (uint32_t way = 0; way < 2; way++)
    at[way] = p->back[way].ring.count ? p->access[first_of(&p->back[way])].due : NEVER;
  return at[0] < at[1] ? at[0] : at[1];
}

void access_drive(struct xmem_agent *a, struct partition *k) {
  struct port *p = &k->port;
  uint32_t way = due_way(a, p);
  k->in->mem_rq_ready = p->send[0].ring.count < SEND_PLACES && p->send[1].ring.count < SEND_PLACES;
  k->in->mem_rs_valid = way < 2;
  if (way == 2) return;
  uint8_t id = first_of(&p->back[way]);
  k->in->mem_rs_id = id;
  k->in->mem_rs_data = p->access[id].data;
  if (id < ALB_IDS && !p->access[id].shared) lookups_share(a, k, p->access[id].address, p->access[id].data);
  ring_pop(&p->back[way].ring);
  p->open--;
}

/* Number of sectors that the access touches. */
static uint8_t parts_of(const struct xmem_agent *a, uint64_t address) {
  uint32_t bytes = address >= a->storage.aam_base ? a->entry_bytes : 8;
  return address % SECTOR + bytes > SECTOR ? 2 : 1;
}

/* The entry has come with another partition's fill. */
static void answer_here(struct xmem_agent *a, struct partition *k, uint8_t id, uint64_t data) {
  struct access *x = &k->port.access[id];
  x->data = data;
  x->parts = 0;
  x->remote = false;
  x->shared = true;
  x->due = a->cycle + 1;
  push(&k->port.back[0], id);
  a->count->xmem_shared_fills++;
}

void access_take(struct xmem_agent *a, struct partition *k) {
  const struct xmem_amu_out *out = k->out;
  if (!out->mem_rq_valid || !k->in->mem_rq_ready) return;
  struct port *p = &k->port;
  struct access *x = &p->access[out->mem_rq_id];
  bool remote = agent_slice(a, out->mem_rq_addr) != (uint32_t)(k - a->part);
  invariant(!x->parts, "%s: access %u is asked for while it is under way", k->path, out->mem_rq_id);
  *x = (struct access){.address = out->mem_rq_addr,
                       .data = out->mem_rq_we ? out->mem_rq_wdata : 0,
                       .due = a->cycle + 1 + (remote ? a->bus_latency : 0),
                       .strobe = out->mem_rq_wstrb,
                       .parts = parts_of(a, out->mem_rq_addr),
                       .write = out->mem_rq_we,
                       .remote = remote};
  p->open++;
  const struct shared_fill *f = out->mem_rq_id < ALB_IDS ? lookups_installing(&k->lookups, x->address) : NULL;
  if (f) {
    answer_here(a, k, out->mem_rq_id, f->data);
    return;
  }
  a->count->xmem_map_reads += out->mem_rq_id < ALB_IDS;
  push(&p->send[remote], out->mem_rq_id);
}

/* ---- at the slices ---- */

static uint64_t second_sector(uint64_t address) { return (address / SECTOR + 1) * SECTOR; }

static void send_one(struct xmem_agent *a, struct partition *k, uint32_t way) {
  struct port *p = &k->port;
  if (!p->send[way].ring.count) return;
  uint8_t id = first_of(&p->send[way]), *left = &p->parts_left[way];
  const struct access *x = &p->access[id];
  if (x->due > a->cycle) return;
  if (!*left) *left = parts_of(a, x->address);
  uint32_t part = parts_of(a, x->address) - *left; /* 0, 1 */
  uint64_t address = part ? second_sector(x->address) : x->address & ~UINT64_C(7);
  uint32_t tag = ((uint32_t)(k - a->part) << 4 | id) << 1 | part | (x->write ? (uint32_t)WRITE : 0);
  if (!a->s.access(a->s.memory, address, x->write, tag)) return;
  if (!--*left) ring_pop(&p->send[way].ring);
}

void access_send(struct xmem_agent *a, struct partition *k) {
  send_one(a, k, 0);
  send_one(a, k, 1);
}

/* Answers to writes are ignored: their IDs may already be in use again. */
static struct partition *partition_of(struct xmem_agent *a, uint32_t tag) {
  return &a->part[(tag & ~(uint32_t)WRITE) >> 5];
}
static uint8_t id_of(uint32_t tag) { return tag >> 1 & (ACCESS_IDS - 1); }

/* A part of the access is complete; the access is complete with its last part. */
static void come_back(struct xmem_agent *a, struct port *p, uint8_t id) {
  struct access *x = &p->access[id];
  invariant(x->parts, "an answer to an access that is not in flight");
  if (--x->parts) return;
  x->due = a->s.clocks->cycle[CLOCK_L2] + 1 + (x->remote ? a->bus_latency : 0);
  push(&p->back[x->remote], id);
  agent_work(a, x->due);
}

void agent_performed(void *self, uint32_t tag) {
  struct xmem_agent *a = self;
  if (tag & TRANSLATOR) return;
  struct port *p = &partition_of(a, tag)->port;
  struct access *x = &p->access[id_of(tag)];
  uint32_t bytes = (uint32_t)(second_sector(x->address) - x->address), mine = 0xff; /* byte mask of the word */
  if (parts_of(a, x->address) == 2) mine = tag & 1 ? 0xff << bytes & 0xff : (1U << bytes) - 1;
  if (x->write) {
    storage_write(&a->storage, x->address, x->data, x->strobe & mine);
    lookups_written(a, x->address);
    come_back(a, p, id_of(tag));
    return;
  }
  for (uint32_t i = 0; i < 8; i++)
    if (mine >> i & 1) x->data |= storage_read(&a->storage, x->address + i, 1) << 8 * i;
}

void agent_answered(void *self, uint32_t tag) {
  struct xmem_agent *a = self;
  if (tag & TRANSLATOR) {
    translator_answered(a, tag & ~(uint32_t)TRANSLATOR);
    agent_work(a, a->s.clocks->cycle[CLOCK_L2] + 1);
  } else if (!(tag & WRITE)) {
    come_back(a, &partition_of(a, tag)->port, id_of(tag));
  }
}
