/* SPDX-License-Identifier: Apache-2.0 */
/* The D2MA controllers: configuration, legality, generations and arrivals (Jamshidi 2014, 4.1
 * and 4.4).
 *
 * ours: every warp executes every DMA operation, so an ignition is collected like a barrier: the
 * first arrival opens a generation, which closes when the transfer is done and every live warp has
 * arrived. In safe mode a buffer that was used before is refilled only when every live warp has
 * asked for it, since others may still read the old data; in literal mode the first warp refills
 * it. */
#include "systems/d2ma/d2ma_internal.h"

#include <inttypes.h>

enum operation {
  OP_DATATYPE, /* 8 codes: log2 of the element size is code - OP_DATATYPE */
  OP_UNIT = OP_DATATYPE + 4,
  OP_STRIDED,
  OP_2D,
  OP_HALO,
  OP_BANK,
  OP_EXECUTE
};

/* Issue slots are ours: a call of dma_configure is DMA.CFG of groups 1 and 0; the datatype and the
 * mode flags are bits of group 1 and cost nothing of their own; the halo or bank word is group 2;
 * dma_execute is DMA.EXEC. */
const struct ptx_extension d2ma_extensions[] = {
  {"dma_set_datatype_char", OP_DATATYPE + 0, 1, 0},
  {"dma_set_datatype_short", OP_DATATYPE + 1, 1, 0},
  {"dma_set_datatype_int", OP_DATATYPE + 2, 1, 0},
  {"dma_set_datatype_float", OP_DATATYPE + 2, 1, 0},
  {"dma_set_datatype_double", OP_DATATYPE + 3, 1, 0},
  {"dma_set_datatype_long", OP_DATATYPE + 3, 1, 0},
  {"dma_set_datatype_float2", OP_DATATYPE + 3, 1, 0},
  {"dma_configure_flat_unit_stride", OP_UNIT, 4, 2},
  {"dma_configure_flat_strided", OP_STRIDED, 5, 2},
  {"dma_configure_2d", OP_2D, 6, 2},
  {"dma_set_halo", OP_HALO, 5, 1},
  {"dma_set_bank_conflict", OP_BANK, 2, 1},
  {"dma_execute", OP_EXECUTE, 3, 1},
  {NULL, 0, 0, 0},
};

/* ---- state ---- */

void d2ma_set_state(struct d2ma *d, uint32_t index, enum entry_state state) {
  uint8_t *not_idle = &d->cta[index / D2MA_BUFFERS].not_idle;
  uint8_t bit = (uint8_t)(1u << index % D2MA_BUFFERS);
  d->entry[index].state = (uint8_t)state;
  *not_idle = state == ENTRY_IDLE ? *not_idle & (uint8_t)~bit : *not_idle | bit;
}

static bool all_arrived(const struct d2ma *d, uint32_t index) {
  return !(d->cta[index / D2MA_BUFFERS].live & ~d->entry[index].arrived);
}

void d2ma_close_if_complete(struct d2ma *d, uint32_t index) {
  struct d2ma_entry *e = &d->entry[index];
  if (!e->open || e->state != ENTRY_IDLE || !all_arrived(d, index)) return;
  e->open = false;
  e->arrived = 0;
  d->release |= cta_bit(index);
}

/* The set of arrivals or of live warps has changed. */
static void review(struct d2ma *d, uint32_t index) {
  if (d->entry[index].state == ENTRY_ARMED && all_arrived(d, index)) d->full |= entry_bit(index);
  d2ma_close_if_complete(d, index);
}

void d2ma_warp_exit(void *self, uint32_t cta, uint32_t warp) {
  struct d2ma *d = self;
  d->cta[cta].live &= ~(UINT64_C(1) << warp);
  d->waiting &= ~(UINT64_C(1) << warp);
  for (uint32_t b = 0; b < d->buffers; b++) review(d, entry_index(cta, b));
}

/* ours: the watchdog. Every live warp waits, and for something that only a DMA operation of one of
 * them could bring: a DMA operation was not executed by all warps of the CTA. */
bool d2ma_all_blocked(void *self, uint32_t cta) {
  struct d2ma *d = self;
  bool waits = d->waiting & d->cta[cta].warps;
  uint32_t armed = D2MA_NONE, open = D2MA_NONE;
  if (d->release >> cta & 1) return false;
  for (uint32_t b = d->buffers; b-- > 0;) {
    uint32_t index = entry_index(cta, b);
    const struct d2ma_entry *e = &d->entry[index];
    if (e->state > ENTRY_ARMED || (d->full & entry_bit(index))) return false; /* goes on by itself */
    if (e->state == ENTRY_ARMED) armed = index;
    if (e->open && waits) open = index;
  }
  uint32_t index = armed != D2MA_NONE ? armed : open;
  if (index == D2MA_NONE) return false;
  d2ma_misused(d, d->entry[index].warp, d->entry[index].line,
               "not every warp of the CTA executes this operation on buffer %u: the others wait elsewhere",
               index % D2MA_BUFFERS);
  d->entry[index].arrived |= d->cta[cta].live;
  review(d, index);
  return true;
}

/* ---- legality ---- */

uint32_t d2ma_mode(const struct d2ma_entry *e) {
  if (e->mode == MODE_HALO) return MODE_HALO;
  return e->mode == MODE_BANK && e->hrows ? MODE_BANK : MODE_NONE;
}

static uint64_t columns(const struct d2ma_entry *e) { return e->dim2 ? e->count & 0xff : e->count; }
static uint64_t rows(const struct d2ma_entry *e) { return e->dim2 ? e->count >> 8 : 1; }

/* Shared bytes spanned (Jamshidi 2014, 4.3 takes the bytes transferred, which is too short with
 * pads or a halo: ours). */
static uint64_t footprint(const struct d2ma *d, const struct d2ma_entry *e) {
  uint64_t bytes = entry_bytes(e), total = rows(e) * columns(e) * bytes;
  if (!total) return 0;
  switch (d2ma_mode(e)) {
    case MODE_BANK: return total + (uint64_t)d2ma_pad_bytes(e) * ((total - 1) / d2ma_pad_group(d, e));
    case MODE_HALO: return (rows(e) + 2 * (uint64_t)e->hrows) * (columns(e) + 2 * (uint64_t)e->hcols) * bytes;
    default: return total;
  }
}

/* The shared pointer's hardware address, or D2MA_NONE: not inside the CTA's slice. */
static uint32_t shared_address(const struct extension_call *c, uint64_t pointer) {
  uint64_t offset = pointer - GENERIC_SHARED_BASE;
  return offset < c->shared_bytes ? c->shared_base + (uint32_t)offset : D2MA_NONE;
}

/* The rule that the entry's fields break, or NULL. Refused is what hardware could not carry out, and a halo that reaches
 * beyond the neighbouring tile (ours). */
static const char *broken_rule(const struct d2ma *d, const struct d2ma_entry *e, const struct extension_call *c) {
  uint32_t bytes = entry_bytes(e), grain = d2ma_mode(e) == MODE_BANK ? d2ma_pad_bytes(e) : bytes;
  uint64_t end = c->shared_base + (uint64_t)c->shared_bytes;
  if (e->bad_field) return "count and stride take 16 bits, columns and rows 8 each";
  if (e->bad_modifier)
    return "halo rows, columns and constant take 16 bits, the region is 1 to 9, bank words take 16 bits";
  if (e->sbase == D2MA_NONE) return "the destination is not in the CTA's shared memory";
  if (e->gbase % bytes) return "the source is not a multiple of the element size";
  if (e->sbase % grain) return "the destination is not a multiple of the element size (of a pad, in bank mode)";
  if (d2ma_mode(e) == MODE_HALO && footprint(d, e) && (e->hrows > rows(e) || e->hcols > columns(e)))
    return "the halo is wider than the tile";
  if (e->sbase + footprint(d, e) > (end < 65536 ? end : 65536))
    return "the buffer, halo and pads included, ends beyond the CTA's shared memory";
  return NULL;
}

/* ---- generations ---- */

/* The first arrival at a configured entry that has no open generation. `ignite`: without waiting
 * for the others. */
static void open_generation(struct d2ma *d, uint32_t index, const struct extension_call *c, bool collect, bool ignite) {
  struct d2ma_entry *e = &d->entry[index];
  const char *rule = broken_rule(d, e, c);
  e->refused = rule;
  e->warp = c->warp;
  e->line = c->line;
  e->open = e->open || collect;
  if (collect) e->arrived = UINT64_C(1) << c->warp;
  if (rule) d2ma_misused(d, c->warp, c->line, "%s", rule);
  e->footprint = e->refused ? 0 : (uint32_t)footprint(d, e);
  if (!e->footprint) { /* nothing to move: done at once */
    if (!e->refused) d->sm.counters->d2ma_transfers++;
    d2ma_close_if_complete(d, index);
    return;
  }
  d->op = (struct d2ma_port_op){.write = true, .set = ignite, .arm = !ignite, .entry = index, .warp = c->warp};
  if (ignite) {
    d2ma_ignite(d, index);
  } else {
    d2ma_set_state(d, index, ENTRY_ARMED);
    review(d, index);
  }
}

static void disagree(struct d2ma *d, const struct extension_call *c, uint32_t index) {
  d2ma_misused(d, c->warp, c->line,
               "other operands than those with which line %u has configured buffer %u, which is still in use",
               d->entry[index].line, index % D2MA_BUFFERS);
}

/* A further warp executes the ignition of an open generation; `same`: with the operands of the
 * first. */
static void arrive(struct d2ma *d, uint32_t index, const struct extension_call *c, bool same) {
  struct d2ma_entry *e = &d->entry[index];
  uint32_t warp = c->warp;
  if (!same && !d->literal) disagree(d, c, index);
  e->arrived |= UINT64_C(1) << warp;
  if (e->state == ENTRY_ARMED) d->op = (struct d2ma_port_op){.arm = true, .entry = index, .warp = warp};
  review(d, index);
}

/* What happens to a configuration operation. */
enum admission {
  ADMIT_WRITE,  /* the entry is free */
  ADMIT_ARRIVE, /* another warp's generation is open */
  ADMIT_IGNORE, /* literal mode: committed without effect */
  ADMIT_WAIT    /* this warp's last ignition is not done with */
};

static enum admission admit(const struct d2ma *d, const struct d2ma_entry *e, uint32_t warp) {
  bool arrived = e->arrived >> warp & 1;
  if (e->stale) return ADMIT_WAIT;
  if (e->state == ENTRY_IDLE && !e->open) return ADMIT_WRITE;
  if (e->open && !arrived) return ADMIT_ARRIVE;
  return d->literal ? ADMIT_IGNORE : ADMIT_WAIT;
}

static enum extension_result wait_for_release(struct d2ma *d, const struct extension_call *c) {
  d->waiting |= UINT64_C(1) << c->warp;
  return EXTENSION_WAIT;
}

/* ---- operations ---- */

/* Argument i of the call if it fits `bits`; else the entry's transfer is refused (ours: never
 * truncated). */
static uint16_t field(const struct extension_call *c, uint32_t i, uint32_t bits, bool *bad) {
  if (c->args[i] >> bits) *bad = true;
  return (uint16_t)(c->args[i] & ((1u << bits) - 1));
}

static void set_modifier(struct d2ma_entry *e, const struct extension_call *c) {
  bool bad = false;
  if (c->code == OP_HALO) {
    int32_t constant = (int32_t)(uint32_t)c->args[3];
    e->mode = MODE_HALO;
    e->hrows = field(c, 0, 16, &bad);
    e->hcols = field(c, 1, 16, &bad);
    e->region = (uint8_t)field(c, 2, 8, &bad);
    e->hconst = (uint16_t)constant;
    bad = bad || constant < INT16_MIN || constant > UINT16_MAX || (e->region & 15) < 1 || (e->region & 15) > 9;
    e->bad_modifier = bad;
  } else if (c->code == OP_BANK) {
    e->mode = MODE_BANK;
    e->hrows = field(c, 0, 16, &bad);
    e->bad_modifier = bad;
  } else {
    e->esz = (uint8_t)(c->code - OP_DATATYPE);
  }
}

static bool same_modifiers(const struct d2ma_entry *a, const struct d2ma_entry *b) {
  return a->mode == b->mode && a->hrows == b->hrows && a->hcols == b->hcols && a->region == b->region &&
         a->hconst == b->hconst && a->esz == b->esz && a->bad_modifier == b->bad_modifier;
}

static enum extension_result modifier(struct d2ma *d, uint32_t index, const struct extension_call *c) {
  struct d2ma_entry *e = &d->entry[index], other = *e;
  switch (admit(d, e, c->warp)) {
    case ADMIT_WAIT: return wait_for_release(d, c);
    case ADMIT_WRITE: set_modifier(e, c); break;
    case ADMIT_ARRIVE:
    case ADMIT_IGNORE:
      set_modifier(&other, c);
      if (!same_modifiers(e, &other)) disagree(d, c, index);
      break;
  }
  return EXTENSION_DONE;
}

/* Groups 1 and 0 of a dma_configure call. */
struct shape {
  uint64_t gbase;
  uint32_t sbase;
  uint16_t count, stride;
  uint8_t dim2;
  bool bad;
};

static struct shape shape_of(const struct extension_call *c) {
  struct shape s = {.gbase = c->args[1], .sbase = shared_address(c, c->args[0]), .stride = 1};
  switch (c->code) {
    case OP_UNIT: s.count = field(c, 2, 16, &s.bad); break;
    case OP_STRIDED:
      s.count = field(c, 2, 16, &s.bad);
      s.stride = field(c, 3, 16, &s.bad);
      break;
    default: /* count holds {rows[15:8], columns[7:0]}: the entry has no other place (ours) */
      s.dim2 = 1;
      s.count = field(c, 2, 8, &s.bad);
      s.count |= (uint16_t)(field(c, 3, 8, &s.bad) << 8);
      s.stride = field(c, 4, 16, &s.bad);
      break;
  }
  return s;
}

static enum extension_result configure(struct d2ma *d, uint32_t index, const struct extension_call *c) {
  struct d2ma_entry *e = &d->entry[index];
  struct shape s = shape_of(c);
  bool first = !e->configured, same = s.gbase == e->gbase && s.sbase == e->sbase && s.count == e->count &&
                                      s.stride == e->stride && s.dim2 == e->dim2 && s.bad == e->bad_field;
  switch (admit(d, e, c->warp)) {
    case ADMIT_WAIT: return wait_for_release(d, c);
    case ADMIT_WRITE:
      e->gbase = s.gbase;
      e->sbase = s.sbase;
      e->count = s.count;
      e->stride = s.stride;
      e->dim2 = s.dim2;
      e->configured = true;
      e->bad_field = s.bad;
      /* the first use since the CTA's launch has no old data to protect */
      open_generation(d, index, c, true, first || d->literal);
      break;
    case ADMIT_ARRIVE: arrive(d, index, c, same); break;
    case ADMIT_IGNORE: /* literal mode loses what it says */
      if (!same) disagree(d, c, index);
      break;
  }
  return EXTENSION_DONE;
}

static enum extension_result execute(struct d2ma *d, uint32_t index, const struct extension_call *c) {
  struct d2ma_entry *e = &d->entry[index];
  uint32_t sbase = shared_address(c, c->args[0]);
  uint64_t gbase = c->args[1];
  if (!e->configured && !e->stale) {
    d2ma_misused(d, c->warp, c->line, "buffer %u is executed before it was configured", index % D2MA_BUFFERS);
    return EXTENSION_DONE;
  }
  enum admission admission = admit(d, e, c->warp);
  if (d->literal && admission != ADMIT_WAIT) /* an idle buffer is refilled for whoever comes */
    admission = e->state == ENTRY_IDLE ? ADMIT_WRITE : ADMIT_IGNORE;
  switch (admission) {
    case ADMIT_WAIT: return wait_for_release(d, c);
    case ADMIT_WRITE:
      e->gbase = gbase;
      e->sbase = sbase;
      open_generation(d, index, c, !d->literal, d->literal);
      break;
    case ADMIT_ARRIVE: arrive(d, index, c, gbase == e->gbase && sbase == e->sbase); break;
    case ADMIT_IGNORE: break;
  }
  return EXTENSION_DONE;
}

/* The argument that names the buffer is always the last. */
static uint64_t buffer_of(const struct extension_call *c) {
  switch (c->code) {
    case OP_UNIT: return c->args[3];
    case OP_STRIDED: return c->args[4];
    case OP_2D: return c->args[5];
    case OP_HALO: return c->args[4];
    case OP_BANK: return c->args[1];
    case OP_EXECUTE: return c->args[2];
    default: return c->args[0];
  }
}

static uint32_t slots_of(uint16_t code) {
  for (const struct ptx_extension *x = d2ma_extensions; x->name; x++)
    if (x->code == code) return x->issue_slots;
  return 0;
}

enum extension_result d2ma_extension(void *self, const struct extension_call *c) {
  struct d2ma *d = self;
  uint64_t buf = buffer_of(c);
  enum extension_result result = EXTENSION_DONE;
  invariant(!d->op.write && !d->op.arm, "two DMA operations in one cycle");
  if (buf >= d->buffers) {
    d2ma_misused(d, c->warp, c->line, "there is no buffer %" PRIu64 "; a CTA has %u, from 0", buf, d->buffers);
  } else {
    uint32_t index = entry_index(c->cta, (uint32_t)buf);
    if (c->code == OP_EXECUTE) result = execute(d, index, c);
    else if (c->code == OP_UNIT || c->code == OP_STRIDED || c->code == OP_2D) result = configure(d, index, c);
    else result = modifier(d, index, c);
  }
  if (result == EXTENSION_DONE) d->sm.counters->d2ma_config_ops += slots_of(c->code);
  return result;
}
