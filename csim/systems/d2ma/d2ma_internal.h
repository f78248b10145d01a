/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the D2MA system share. One cycle of the engine is: fills, arrivals and
 * configuration at issue, then d2ma_cycle: release of waiting warps, RAW checker, address
 * generator.
 *
 * ours, where the paper is silent: one set_live or clr_live a cycle (the checker has one such
 * port), so several transfers that end together leave one a cycle, and a buffer can be configured
 * again in the cycle after its clr_live. */
#ifndef TANDEM_SYSTEMS_D2MA_D2MA_INTERNAL_H
#define TANDEM_SYSTEMS_D2MA_D2MA_INTERNAL_H

#include "base/err.h"
#include "d2ma_agen_ports.h"
#include "d2ma_raw_check_ports.h"
#include "systems/d2ma/d2ma.h"

enum { D2MA_BUFFERS = 4, D2MA_CTAS = 16, D2MA_ENTRIES = D2MA_BUFFERS * D2MA_CTAS, D2MA_MSHRS = 256 };
enum { D2MA_PATH = 128, D2MA_NONE = UINT32_MAX };

/* Modes of an entry (2 bits; 3 is reserved and reads as none). */
enum { MODE_NONE, MODE_HALO, MODE_BANK };

/* Life of a buffer. ARMED: configured, waits until every live warp has asked. READY: waits for the
 * address generator. RUN: requests are made. DRAIN: replies and constants are outstanding, or the
 * checker has not been told yet. */
enum entry_state { ENTRY_IDLE, ENTRY_ARMED, ENTRY_READY, ENTRY_RUN, ENTRY_DRAIN };

/* One row of the buffer management table: the fields of the paper (173 bits), then what tracks a
 * transfer. */
struct d2ma_entry {
  uint64_t gbase;
  uint32_t sbase; /* hardware shared byte address */
  uint16_t count, stride, hrows, hcols, hconst;
  uint8_t esz, dim2, mode, region;

  uint8_t state;      /* enum entry_state */
  bool configured;    /* groups 0 and 1 (and 2 where needed) were written since the CTA started */
  bool open;          /* a generation is open: arrivals are collected */
  bool refused;       /* the operands of the generation are illegal: no transfer */
  bool bad_field;     /* operands of the configuration that fit no field */
  bool bad_modifier;  /* halo or bank operands that fit no field */
  bool stale;         /* left over by a killed CTA; nothing may be configured until it is idle */
  bool arm_dirty;     /* the checker holds arrival bits of this entry */
  uint64_t arrived;   /* hardware warps that executed the ignition of this generation */
  uint32_t footprint; /* shared bytes, pads and halo included */
  uint32_t outstanding;
  uint64_t ignited, last_request, last_write; /* core cycles */
  uint32_t warp, line;                        /* that opened the generation; of the PTX text */
};

/* The D2MA part of an MSHR (Jamshidi 2014, 4.2: the shared address; the rest is ours: a fill must
 * find all bytes). */
struct d2ma_mshr {
  uint64_t segment;
  uint16_t saddr;
  uint8_t cta, buf, off, len;
  bool dma, drop;
};

struct d2ma_fifo {
  uint8_t entry[D2MA_ENTRIES];
  uint32_t head, n;
};

/* What the operation issued in this cycle asks of the checker's ports. */
struct d2ma_port_op {
  bool write, set, arm;
  uint32_t entry, warp;
};

struct d2ma_query {
  bool valid, store;
  uint32_t cta, warp;
  uint16_t lo, hi;
};

struct d2ma {
  struct sm_services sm;
  struct block *agen, *raw;
  uint32_t ctas, buffers, mshrs, banks, segment, demand_mshrs, shared_bytes;
  bool literal, check_stores, faults;

  struct d2ma_entry entry[D2MA_ENTRIES]; /* index: CTA slot * 4 + buffer */
  struct {
    uint64_t warps, live; /* hardware warps of the CTA; those not exited */
    uint8_t not_idle;     /* buffers whose state is not IDLE */
  } cta[D2MA_CTAS];
  uint64_t waiting;              /* hardware warps that wait for a release */
  uint32_t release, release_now; /* CTA slots: release in the cycle after, release in this cycle */

  struct d2ma_fifo fifo;  /* ignited entries, oldest first */
  uint32_t running;       /* entry in the address generator, or D2MA_NONE */
  bool abort_agen;        /* drive abort in the next cycle */
  bool footprint_checked; /* of the running entry, against the address generator's */
  uint64_t finished;      /* entries whose last byte is written and which wait for clr_live */
  uint64_t full;          /* ARMED entries at which every live warp has arrived, waiting for set_live */

  struct d2ma_port_op op;
  struct d2ma_query query, asked; /* of this cycle; of the cycle before */
  bool squash;
  bool agen_awake, raw_awake; /* the last cycle was not an idle one */
  struct d2ma_mshr mshr[D2MA_MSHRS];
  char agen_path[D2MA_PATH], raw_path[D2MA_PATH];
};

static inline uint32_t entry_bytes(const struct d2ma_entry *e) { return 1u << e->esz; }
static inline uint32_t entry_index(uint32_t cta, uint32_t buf) { return cta * D2MA_BUFFERS + buf; }
static inline uint64_t entry_bit(uint32_t index) { return UINT64_C(1) << index % D2MA_ENTRIES; }
/* Bit of the entry's CTA slot. */
static inline uint32_t cta_bit(uint32_t index) { return 1u << index / D2MA_BUFFERS % D2MA_CTAS; }

/* d2ma.c */
/* A rule of DMA programs was broken by the operation of PTX line `line` (0: the one that the warp is at): counted, and the
 * launch ends unless d2ma.errors=count. */
__attribute__((format(printf, 4, 5))) void d2ma_misused(struct d2ma *d, uint32_t warp, uint32_t line, const char *rule,
                                                        ...);

/* controller.c */
extern const struct ptx_extension d2ma_extensions[];
enum extension_result d2ma_extension(void *self, const struct extension_call *call);
void d2ma_set_state(struct d2ma *d, uint32_t index, enum entry_state state);
void d2ma_close_if_complete(struct d2ma *d, uint32_t index);
void d2ma_warp_exit(void *self, uint32_t cta, uint32_t warp);
bool d2ma_all_blocked(void *self, uint32_t cta);
/* Mode as the engine reads it: reserved codes and banks of 0 words read as none. */
uint32_t d2ma_mode(const struct d2ma_entry *e);
/* Bytes after which bank mode leaves a pad, and the pad (Jamshidi 2014, 4.2.1; ours: whole rows of
 * banks). */
static inline uint32_t d2ma_pad_group(const struct d2ma *d, const struct d2ma_entry *e) {
  return e->hrows * d->banks * 4;
}
static inline uint32_t d2ma_pad_bytes(const struct d2ma_entry *e) { return entry_bytes(e) > 4 ? entry_bytes(e) : 4; }

/* transfer.c */
void d2ma_ignite(struct d2ma *d, uint32_t index);
void d2ma_agen_cycle(struct d2ma *d);
void d2ma_note_finished(struct d2ma *d, uint32_t index);

/* fill.c */
void d2ma_fill(void *self, uint32_t mshr);
void d2ma_write_constants(struct d2ma *d, struct d2ma_entry *e, const struct d2ma_agen_out *out);

/* raw.c */
bool d2ma_shared_needs_check(const void *self, uint32_t cta, bool store);
void d2ma_shared_query(void *self, uint32_t cta, uint32_t warp, uint32_t lo, uint32_t hi, bool store);
bool d2ma_squash(void *self);
void d2ma_raw_cycle(struct d2ma *d);

#endif
