/* SPDX-License-Identifier: Apache-2.0 */
/* A memory transaction: what an SM, a proposal's memory agent or a cache asks of the memory beyond the SMs. The reply is the
 * request itself, unchanged. The interconnect carries it as an opaque payload. */
#ifndef TANDEM_MEM_REQUEST_H
#define TANDEM_MEM_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

/* MEM_COMMAND: to the memory agent (mem/agent.h), through slice 0; its meaning is the proposal's.
 * MEM_PUSH: a line that the memory agent sends to an SM without a request (memory_services.push). */
enum mem_kind { MEM_READ, MEM_WRITE, MEM_ATOMIC, MEM_COMMAND, MEM_PUSH };

/* Who asks. MEM_AGENT: a metadata access. MEM_CACHE: an L2 slice, for a prefetch or a write-back. MEM_DISPATCHER: CTA dispatch
 * (core/dispatch.h), which reads lines for an SM. */
enum mem_source { MEM_SM, MEM_AGENT, MEM_CACHE, MEM_DISPATCHER };

/* What for: interconnect and DRAM schedulers may tell requests apart by it (noc.prefer, dram.prefer). PRELOAD: data of a CTA that
 * has not begun. */
enum mem_class { MEM_CLASS_DEMAND, MEM_CLASS_PREFETCH, MEM_CLASS_METADATA, MEM_CLASS_WRITEBACK, MEM_CLASS_PRELOAD };

#define MEM_NO_CTA UINT32_MAX

struct mem_request {
  uint64_t address; /* device byte address; reads and atomics: within one line */
  /* Parts of the address, computed once where the request enters (memory_inject). */
  uint64_t physical;             /* the same byte in its page frame */
  uint64_t local;                /* the address in its zone, of that in its channel, dense */
  uint8_t channel;               /* of all modules' */
  uint8_t slice : 6, zone : 2;   /* slice of the channel; module that has the memory */
  uint8_t kind : 4, source : 4;  /* enums above */
  uint8_t class : 7, around : 1; /* around: a read that the L2 neither looks up nor keeps */
  uint8_t bytes;                 /* reads: bytes wanted (data of the reply); others: data carried; 1..line_bytes */
  uint8_t packed;                /* data bytes that travel, if fewer than `bytes` (mem/packing.h); 0: `bytes` */
  uint16_t sm;                   /* the SM that the reply goes to; MEM_SM: also the sender */
  uint32_t tag;                  /* the source's own, returned with the reply */
  uint32_t cta;                  /* that asks, its index in the grid, or MEM_NO_CTA */
};

/* A reply that no MSHR of its SM waits for. */
static inline bool mem_unasked(const struct mem_request *r) {
  return r->kind == MEM_PUSH || r->source == MEM_DISPATCHER;
}

/* Bytes after a packet's header, on the way there and on the way back. */
static inline uint32_t mem_travelling(const struct mem_request *r) { return r->packed ? r->packed : r->bytes; }
static inline uint32_t mem_request_data(const struct mem_request *r) {
  return r->kind == MEM_READ ? 0 : mem_travelling(r);
}
static inline uint32_t mem_reply_data(const struct mem_request *r) {
  return r->kind == MEM_COMMAND ? 0 : mem_travelling(r);
}

#endif
