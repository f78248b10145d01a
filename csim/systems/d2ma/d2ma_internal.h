/* SPDX-License-Identifier: Apache-2.0 */
/* State and functions that the files of D2MA share. The engine of an SM consists of the parts of block d2ma_engine. The C
 * code around them connects their ports as rtl/d2ma/d2ma_engine.v does, moves the bytes that they name, counts, and
 * checks the rules that programs must keep.
 *
 * Order in a cycle: a reply is noted; an operation at issue, if any, evaluates the footprints and the controllers;
 * d2ma_cycle evaluates them if no operation did, then lane ranges and RAW checker, then address generator and
 * requests. */
#ifndef TANDEM_SYSTEMS_D2MA_D2MA_INTERNAL_H
#define TANDEM_SYSTEMS_D2MA_D2MA_INTERNAL_H

#include "base/err.h"
#include "core/system.h"
#include "d2ma_agen_ports.h"
#include "d2ma_ctrl_array_ports.h"
#include "d2ma_footprint_ports.h"
#include "d2ma_lane_range_ports.h"
#include "d2ma_raw_check_ports.h"
#include "d2ma_requests_ports.h"
#include "systems/d2ma/tables.h"

enum { D2MA_BUFFERS = 4, D2MA_CTAS = 16, D2MA_ENTRIES = D2MA_BUFFERS * D2MA_CTAS, D2MA_MSHRS = 256 };
/* Cycles from an access to its answer: its range, the checker. */
enum { D2MA_CHECK_CYCLES = 2 };
enum { D2MA_PATH = 128, D2MA_NONE = UINT32_MAX, D2MA_NO_SIZE = 255 };

/* Modes of an entry (2 bits; 3 is reserved and reads as none). */
enum { MODE_NONE, MODE_HALO, MODE_BANK };

/* Kinds of DMA operations at the controllers' port, and their answers. */
enum { KIND_MODIFIER, KIND_CONFIGURE, KIND_EXECUTE };
enum { ACT_NONE, ACT_WRITE, ACT_ARRIVE, ACT_WAIT };
/* Groups of an entry's fields. */
enum { GROUP_BASES = 1, GROUP_SHAPE = 2, GROUP_WORD = 4, GROUP_SIZE = 8 };

/* A buffer: its fields (173 bits) as the controllers last output them, for legality checks, and bookkeeping that hardware
 * does not have. */
struct d2ma_entry {
  uint64_t gbase;
  uint32_t sbase; /* hardware shared byte address */
  uint16_t count, stride, hrows, hcols, hconst;
  uint8_t esz, dim2, mode, region;

  bool bad_field;                             /* a configuration operand does not fit its field */
  bool bad_modifier;                          /* a halo or bank operand does not fit its field */
  uint32_t footprint;                         /* for the rules: shared bytes, pads and halo included; or D2MA_NONE */
  uint64_t ignited, last_request, last_write; /* core cycles */
  uint32_t warp, line;                        /* warp and PTX line that opened the generation */
};

/* An MSHR: the address that it holds for any request, and its entry for reports. */
struct d2ma_mshr {
  uint64_t segment;
  uint8_t cta, buf;
  bool dma;
};

struct d2ma_query {
  bool valid, store;
  uint32_t cta, warp;
};

struct d2ma {
  struct sm_services sm;
  struct d2ma_counters *n;
  struct block *ctrl, *foot, *lanes, *raw, *agen, *req;
  uint32_t ctas, buffers, mshrs, banks, segment, shared_bytes;
  bool literal, check_stores, faults;

  struct d2ma_entry entry[D2MA_ENTRIES]; /* index: CTA slot * 4 + buffer */
  struct {
    uint64_t warps; /* hardware warps of the CTA */
  } cta[D2MA_CTAS];
  uint64_t waiting; /* hardware warps that wait; the controllers decide which wake */

  /* inputs of the controllers' next cycle */
  uint32_t clr;                   /* CTA slots that were launched or killed */
  uint64_t exits;                 /* warps that have ended */
  uint8_t cta_of_warp[64];        /* CTA slots of warps */
  uint8_t size[64][D2MA_BUFFERS]; /* element size that the warp's next configure names, or D2MA_NO_SIZE */
  uint32_t force;                 /* entry forced done by the watchdog, or D2MA_NONE */
  uint32_t reply;                 /* MSHR of this cycle's reply, or D2MA_NONE */
  bool ctrl_on, ctrl_awake;       /* their cycle has begun; their last cycle was not idle */
  bool foot_on;                   /* the footprints' cycle has begun */
  bool ctrl_moves;                /* their last cycle changed something or left work */
  uint32_t fresh;                 /* CTA slots in which an operation ignited or armed a buffer after `out` */

  uint32_t running; /* entry in the address generator, or D2MA_NONE */

  struct d2ma_query query[D2MA_CHECK_CYCLES + 1]; /* by age in cycles */
  bool squash;
  bool foot_awake, lanes_awake, raw_awake, agen_awake, req_awake; /* the last cycle was not idle */
  struct d2ma_mshr mshr[D2MA_MSHRS];
  char path[6][D2MA_PATH];
};

static inline uint32_t entry_bytes(const struct d2ma_entry *e) { return 1u << e->esz; }
static inline uint32_t entry_index(uint32_t cta, uint32_t buf) { return cta * D2MA_BUFFERS + buf; }
/* misuse.c */
/* The operation of PTX line `line` (0: the warp's current one) broke a rule of DMA programs. Counts it, and ends the
 * launch unless d2ma.errors=count. */
__attribute__((format(printf, 4, 5))) void d2ma_misused(struct d2ma *d, uint32_t warp, uint32_t line, const char *rule,
                                                        ...);

/* ports.c */
/* Unpack and pack an entry's 173 bits at the controllers' ports. */
void d2ma_unpack(struct d2ma_entry *, const uint32_t *bits);
void d2ma_pack(const struct d2ma_entry *, uint32_t *bits);
/* Begins the cycle of the footprints and the controllers with all pending inputs; among launched CTAs, `cta` first. */
void d2ma_ctrl_begin(struct d2ma *d, uint32_t cta);
void d2ma_ctrl_end(struct d2ma *d);
/* True if that cycle changes state or outputs. */
bool d2ma_ctrl_due(const struct d2ma *d);
/* The CTA's buffers as bits of a mask over entries. */
uint32_t d2ma_buffers_of(const struct d2ma *d, uint64_t mask, uint32_t cta);

/* controller.c */
extern const struct ptx_extension d2ma_extensions[];
enum extension_result d2ma_extension(void *self, const struct extension_call *call);
void d2ma_warp_exit(void *self, uint32_t cta, uint32_t warp);
bool d2ma_all_blocked(void *self, uint32_t cta);
/* Effective mode: reserved codes, and bank mode with 0 words, count as no mode. */
static inline uint32_t d2ma_mode(const struct d2ma_entry *e) {
  if (e->mode == MODE_HALO) return MODE_HALO;
  return e->mode == MODE_BANK && e->hrows ? MODE_BANK : MODE_NONE;
}
/* Bank mode: bytes between pads, and the size of a pad (Jamshidi 2014, 4.2.1; assumption: pads follow whole rows of
 * banks). */
static inline uint32_t d2ma_pad_group(const struct d2ma *d, const struct d2ma_entry *e) {
  return e->hrows * d->banks * 4;
}
static inline uint32_t d2ma_pad_bytes(const struct d2ma_entry *e) { return entry_bytes(e) > 4 ? entry_bytes(e) : 4; }

/* transfer.c */
void d2ma_note_ignition(struct d2ma *d, uint32_t index);
void d2ma_agen_cycle(struct d2ma *d);

/* fill.c */
void d2ma_fill(void *self, uint32_t mshr);
/* The bytes of this cycle's reply go where `req` says. */
void d2ma_place_reply(struct d2ma *d, const struct d2ma_requests_out *req);
void d2ma_write_constants(struct d2ma *d, struct d2ma_entry *e, const struct d2ma_agen_out *out);

/* raw.c */
bool d2ma_shared_needs_check(const void *self, uint32_t cta, bool store);
void d2ma_shared_query(void *self, const struct shared_query *q);
bool d2ma_squash(void *self);
void d2ma_raw_cycle(struct d2ma *d);

#endif
