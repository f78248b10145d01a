/* SPDX-License-Identifier: Apache-2.0 */
/* D2MA instructions: checks them against the rules below and turns them into operations of the controllers (block
 * d2ma_ctrl_array, which holds entries, generations and arrivals; Jamshidi 2014, 4.1 and 4.4). */
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

/* assumption: issue slots. A dma_configure call issues DMA.CFG for groups 1 and 0. The datatype and the mode flags are
 * bits of group 1 and take no slot. The halo or bank word is group 2. dma_execute is DMA.EXEC. */
const struct ptx_extension d2ma_extensions[] = {
  {"dma_set_datatype_char", OP_DATATYPE + 0, 1, 0, false},
  {"dma_set_datatype_short", OP_DATATYPE + 1, 1, 0, false},
  {"dma_set_datatype_int", OP_DATATYPE + 2, 1, 0, false},
  {"dma_set_datatype_float", OP_DATATYPE + 2, 1, 0, false},
  {"dma_set_datatype_double", OP_DATATYPE + 3, 1, 0, false},
  {"dma_set_datatype_long", OP_DATATYPE + 3, 1, 0, false},
  {"dma_set_datatype_float2", OP_DATATYPE + 3, 1, 0, false},
  {"dma_configure_flat_unit_stride", OP_UNIT, 4, 2, false},
  {"dma_configure_flat_strided", OP_STRIDED, 5, 2, false},
  {"dma_configure_2d", OP_2D, 6, 2, false},
  {"dma_set_halo", OP_HALO, 5, 1, false},
  {"dma_set_bank_conflict", OP_BANK, 2, 1, false},
  {"dma_execute", OP_EXECUTE, 3, 1, false},
  {NULL, 0, 0, 0, false},
};

/* ---- warps ---- */

void d2ma_warp_exit(void *self, uint32_t cta, uint32_t warp) {
  struct d2ma *d = self;
  (void)cta;
  d->waiting &= ~(UINT64_C(1) << warp);
  d->exits |= UINT64_C(1) << warp;
}

/* assumption: the watchdog. It fires when every live warp waits for something that only a DMA operation of one of them
 * could provide: not all warps of the CTA executed the same DMA operation. */
bool d2ma_all_blocked(void *self, uint32_t cta) {
  struct d2ma *d = self;
  const struct d2ma_ctrl_array_out *out = d->ctrl->out;
  if (d->ctrl_moves || d->foot_awake || d->clr || d->exits || d->force != D2MA_NONE)
    return false; /* makes progress by itself */
  if (d2ma_buffers_of(d, out->moving, cta)) return false;
  uint32_t armed = d2ma_buffers_of(d, out->armed, cta), open = d2ma_buffers_of(d, out->open, cta);
  if (!armed && !(d->waiting & d->cta[cta].warps)) return false;
  if (!armed && !open) return false;
  uint32_t index = entry_index(cta, (uint32_t)__builtin_ctz(armed ? armed : open));
  d2ma_misused(d, d->entry[index].warp, d->entry[index].line,
               "not every warp of the CTA executes this operation on buffer %u: the others wait elsewhere",
               index % D2MA_BUFFERS);
  d->force = index;
  return true;
}

/* ---- legality ---- */

static uint64_t columns(const struct d2ma_entry *e) { return e->dim2 ? e->count & 0xff : e->count; }
static uint64_t rows(const struct d2ma_entry *e) { return e->dim2 ? e->count >> 8 : 1; }

/* Shared bytes spanned, for the rules; block d2ma_footprint computes them for the checker. assumption: pads and halo
 * count; the bytes transferred (Jamshidi 2014, 4.3) are too few with either. */
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

/* The rule that the entry's fields break, or NULL. Refused are transfers that hardware could not perform and, as an
 * assumption, a halo that reaches beyond the neighbouring tile. */
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

/* ---- operations ---- */

/* Asks the controllers what the operation does; `now` receives the entry after the operation. */
static uint32_t ask(struct d2ma *d, uint32_t index, const struct extension_call *c, uint32_t kind, uint32_t groups,
                    const struct d2ma_entry *values, struct d2ma_entry *now) {
  struct d2ma_ctrl_array_in *in = d->ctrl->in;
  const struct d2ma_ctrl_array_out *out = d->ctrl->out;
  invariant(!d->ctrl_on, "two DMA operations in one cycle");
  in->wr_en = 1;
  in->wr_kind = (uint8_t)kind;
  in->wr_cta = (uint8_t)(index / D2MA_BUFFERS);
  in->wr_buf = (uint8_t)(index % D2MA_BUFFERS);
  in->wr_warp = (uint8_t)c->warp;
  in->wr_grp = (uint8_t)groups;
  d2ma_pack(values, in->wr_data);
  d2ma_ctrl_begin(d, c->cta);
  *now = d->entry[index];
  d2ma_unpack(now, out->rd_entry);
  if (out->wr_act == ACT_WAIT) d->waiting |= UINT64_C(1) << c->warp;
  return out->wr_act;
}

/* The controllers accepted the operation as an ignition, which opens a generation or (literal mode) refills the buffer.
 * Returns whether there is data to move. `now`: the entry, with the instruction's destination. */
static void ignite(struct d2ma *d, uint32_t index, const struct extension_call *c, const struct d2ma_entry *now) {
  struct d2ma_entry *e = &d->entry[index];
  const char *rule = broken_rule(d, now, c);
  *e = *now;
  e->warp = c->warp;
  e->line = c->line;
  if (rule) d2ma_misused(d, c->warp, c->line, "%s", rule);
  if (rule) return;
  struct d2ma_ctrl_array_in *in = d->ctrl->in;
  const struct d2ma_ctrl_array_out *out = d->ctrl->out;
  e->footprint = (uint32_t)footprint(d, e);
  in->wr_go = 1;
  if (!out->rd_some) { /* nothing to move: done at once */
    d->n->d2ma_transfers++;
    return;
  }
  d->fresh |= 1u << c->cta;
  if (out->go_live) d2ma_note_ignition(d, index);
}

static void disagree(struct d2ma *d, const struct extension_call *c, uint32_t index) {
  d2ma_misused(d, c->warp, c->line,
               "operands differ from those with which line %u configured buffer %u, which is still in use",
               d->entry[index].line, index % D2MA_BUFFERS);
}

/* Argument i of the call if it fits in `bits`. Otherwise the transfer is refused (assumption: never truncated). */
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
  } else {
    e->mode = MODE_BANK;
    e->hrows = field(c, 0, 16, &bad);
    e->bad_modifier = bad;
  }
}

static bool same_modifiers(const struct d2ma_entry *a, const struct d2ma_entry *b) {
  return a->mode == b->mode && a->hrows == b->hrows && a->hcols == b->hcols && a->region == b->region &&
         a->hconst == b->hconst && a->bad_modifier == b->bad_modifier;
}

static enum extension_result modifier(struct d2ma *d, uint32_t index, const struct extension_call *c) {
  struct d2ma_entry values = {0}, now, other;
  set_modifier(&values, c);
  switch (ask(d, index, c, KIND_MODIFIER, GROUP_WORD, &values, &now)) {
    case ACT_WAIT: return EXTENSION_WAIT;
    case ACT_WRITE: d->entry[index].bad_modifier = values.bad_modifier; break;
    default:
      other = now;
      set_modifier(&other, c);
      if (!same_modifiers(&now, &other)) disagree(d, c, index);
      break;
  }
  return EXTENSION_DONE;
}

/* Groups 1 and 0 of a dma_configure call; the element size belongs to group 1. */
static struct d2ma_entry shape_of(const struct extension_call *c) {
  struct d2ma_entry s = {.gbase = c->args[1], .sbase = shared_address(c, c->args[0]), .stride = 1};
  switch (c->code) {
    case OP_UNIT: s.count = field(c, 2, 16, &s.bad_field); break;
    case OP_STRIDED:
      s.count = field(c, 2, 16, &s.bad_field);
      s.stride = field(c, 3, 16, &s.bad_field);
      break;
    default: /* assumption: count holds {rows[15:8], columns[7:0]}, as the entry has no other field for them */
      s.dim2 = 1;
      s.count = field(c, 2, 8, &s.bad_field);
      s.count |= (uint16_t)(field(c, 3, 8, &s.bad_field) << 8);
      s.stride = field(c, 4, 16, &s.bad_field);
      break;
  }
  return s;
}

/* True if the base addresses agree in the bits that an entry holds. */
static bool same_bases(const struct d2ma_entry *a, const struct d2ma_entry *b) {
  return a->gbase == b->gbase && (uint16_t)a->sbase == (uint16_t)b->sbase;
}

static enum extension_result configure(struct d2ma *d, uint32_t index, const struct extension_call *c) {
  struct d2ma_entry s = shape_of(c), now;
  uint8_t *size = &d->size[c->warp][index % D2MA_BUFFERS];
  bool sized = *size != D2MA_NO_SIZE;
  if (sized) s.esz = *size;
  uint32_t act = ask(d, index, c, KIND_CONFIGURE, GROUP_BASES | GROUP_SHAPE | (sized ? GROUP_SIZE : 0), &s, &now);
  if (act != ACT_WAIT) *size = D2MA_NO_SIZE;
  switch (act) {
    case ACT_WAIT: return EXTENSION_WAIT;
    case ACT_WRITE:
      now.sbase = s.sbase;
      now.bad_field = s.bad_field;
      ignite(d, index, c, &now);
      break;
    case ACT_ARRIVE:
      if (d->literal) break;
      __attribute__((fallthrough));
    default: /* literal mode ignores its operands */
      if (!same_bases(&now, &s) || s.count != now.count || s.stride != now.stride || s.dim2 != now.dim2 ||
          s.bad_field != now.bad_field || (sized && s.esz != now.esz))
        disagree(d, c, index);
      break;
  }
  return EXTENSION_DONE;
}

static enum extension_result execute(struct d2ma *d, uint32_t index, const struct extension_call *c) {
  struct d2ma_entry s = {.gbase = c->args[1], .sbase = shared_address(c, c->args[0])}, now;
  const struct d2ma_ctrl_array_out *out = d->ctrl->out;
  uint32_t act = ask(d, index, c, KIND_EXECUTE, GROUP_BASES, &s, &now);
  uint32_t configured = d2ma_buffers_of(d, out->full_cfg, c->cta) >> index % D2MA_BUFFERS & 1;
  switch (act) {
    case ACT_WAIT: return EXTENSION_WAIT;
    case ACT_WRITE:
      now.sbase = s.sbase;
      ignite(d, index, c, &now);
      break;
    case ACT_ARRIVE:
      if (!d->literal && !same_bases(&now, &s)) disagree(d, c, index);
      break;
    default:
      if (!configured)
        d2ma_misused(d, c->warp, c->line, "buffer %u is executed before it was configured", index % D2MA_BUFFERS);
      break;
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
  if (buf >= d->buffers) {
    d2ma_misused(d, c->warp, c->line, "there is no buffer %" PRIu64 "; a CTA has %u, from 0", buf, d->buffers);
  } else {
    uint32_t index = entry_index(c->cta, (uint32_t)buf);
    if (c->code == OP_EXECUTE) result = execute(d, index, c);
    else if (c->code == OP_UNIT || c->code == OP_STRIDED || c->code == OP_2D) result = configure(d, index, c);
    else if (c->code == OP_HALO || c->code == OP_BANK) result = modifier(d, index, c);
    else
      d->size[c->warp][index % D2MA_BUFFERS] =
        (uint8_t)(c->code - OP_DATATYPE); /* takes effect with the next configure */
  }
  if (result == EXTENSION_DONE) d->n->d2ma_config_ops += slots_of(c->code);
  return result;
}
