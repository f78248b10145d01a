/* SPDX-License-Identifier: Apache-2.0 */
/* The atom management unit of XMem without its ALB (Vijaykumar 2019, section 2.4). The header of
 * rtl/xmem/xmem_amu_core.v states the contract of the ports.
 *
 * The command at the head of the queue selects one of two activities: the walk over a map's planes, rows and pages
 * (also used for the single writes of status bits and freed pages), or the reading of a context. */
#include "block/block.h"
#include "xmem_amu_core_ports.h"

enum { OP_MAP, OP_UNMAP, OP_ACTIVATE, OP_DEACTIVATE, OP_CONTEXT, OP_FREE };
enum { SETUP, TOTAL, ROW, PAGE, ASK, XLATE, RD, DATA, WR, NEXT, WS, STATUS };
enum { START, LENX, LENY, SIZEX, SIZEY, SIZEZ, CTXPTR, AAM_BASE };
enum { ID_CONTEXT = 8, ID_WALK = 12 };
enum { PLACES = 4, FILLS = 8, ATOMS_MAX = 256, WORDS_MAX = 4 };

struct xmem_amu_core_state {
  /* registers that software writes */
  uint64_t aam, ctxp, start;
  uint32_t lenx, leny, sizex, sizey, sizez;
  /* commands */
  uint8_t cmds, head, tail, cop[PLACES], caid[PLACES], cdim[PLACES];
  uint64_t cbase[PLACES];
  uint32_t clenx[PLACES], cleny[PLACES], csizex[PLACES], csizey[PLACES], csizez[PLACES];
  /* the walk */
  uint8_t walk, step, first, seen, fault, mask, same;
  uint64_t area, total, pitch, plane, row, last, vpn, seen_vpn, data;
  uint32_t y, z, ppn;
  /* outstanding writes */
  uint8_t used, acked, paged, wtail, whead, gap, hold;
  uint32_t wppn[PLACES];
  uint8_t wmask[PLACES], waid[PLACES];
  /* the context */
  uint8_t ast_ok, ctx, load, ask, got;
  uint64_t base, ast[WORDS_MAX], wsv[WORDS_MAX];
  uint32_t ws[ATOMS_MAX];
  /* answers */
  uint16_t side_tag;
  uint8_t side, fills, fhead, ftail, fid[FILLS];
  uint64_t fdata[FILLS];
  uint32_t pages, stall;
};

static void xmem_amu_core_reset(const struct xmem_amu_core_cfg *cfg, struct xmem_amu_core_state *s) {
  (void)cfg;
  __builtin_memset(s, 0, sizeof *s);
}

static inline uint64_t low_bits(uint32_t n) { return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1; }
static inline bool bit_of(uint32_t mask, uint32_t i) { return mask >> i & 1; }
static inline uint32_t none(const struct xmem_amu_core_cfg *cfg) { return (uint32_t)low_bits((uint32_t)cfg->IDW); }
static inline uint32_t all_units(const struct xmem_amu_core_cfg *cfg) { return (1U << cfg->UNITS) - 1; }
/* Words of a status table in memory, and the bits used in each. */
static inline uint32_t words(const struct xmem_amu_core_cfg *cfg) { return cfg->IDW > 6 ? 1U << (cfg->IDW - 6) : 1; }
static inline uint64_t word_bits(const struct xmem_amu_core_cfg *cfg) {
  return cfg->IDW >= 6 ? UINT64_MAX : low_bits(1U << cfg->IDW);
}
static inline bool table_bit(const uint64_t *table, uint32_t aid) { return table[aid >> 6] >> (aid & 63) & 1; }
/* Byte address of a page's entry. */
static inline uint64_t entry_of(const struct xmem_amu_core_cfg *cfg, const struct xmem_amu_core_state *s,
                                uint32_t ppn) {
  uint64_t bytes = ((uint32_t)cfg->UNITS * (uint32_t)cfg->IDW + 7) / 8;
  return (s->aam + bytes * ppn) & low_bits((uint32_t)cfg->PPN_W + 12);
}

/* ---- the command at the head ---- */

static inline bool head_valid(const struct xmem_amu_core_state *s) { return bit_of(s->cmds, s->head); }
static inline uint32_t op_of(const struct xmem_amu_core_cfg *cfg, const struct xmem_amu_core_state *s) {
  return cfg->HOME ? s->cop[s->head] : OP_CONTEXT;
}
/* The status bit of a command at the head changes in this cycle. */
static inline bool sets_status(const struct xmem_amu_core_cfg *cfg, const struct xmem_amu_core_state *s) {
  uint32_t op = op_of(cfg, s);
  return head_valid(s) && !s->walk && !s->load && (op == OP_ACTIVATE || op == OP_DEACTIVATE) && s->ast_ok &&
         s->caid[s->head] != none(cfg);
}
/* Whether reading of the context at the head begins: every write has been reported. */
static inline bool switches(const struct xmem_amu_core_cfg *cfg, const struct xmem_amu_core_state *s) {
  return head_valid(s) && op_of(cfg, s) == OP_CONTEXT && !s->load && !s->used;
}
static inline bool loaded(const struct xmem_amu_core_cfg *cfg, const struct xmem_amu_core_state *s) {
  return s->load && s->got == low_bits(words(cfg));
}
static inline bool has_effect(const struct xmem_amu_core_cfg *cfg, const struct xmem_amu_core_state *s) {
  uint32_t h = s->head, dim = s->cdim[h];
  return s->ast_ok && s->caid[h] != none(cfg) && dim && s->csizex[h] && (dim < 2 || s->csizey[h]) &&
         (dim < 3 || s->csizez[h]);
}

/* ---- the memory port ---- */

/* Units that a write changes, and their new atom. */
static inline uint32_t write_mask(const struct xmem_amu_core_cfg *cfg, const struct xmem_amu_core_state *s) {
  return cfg->UNMAP_CHECK ? s->mask & s->same : s->mask;
}
static inline uint32_t write_aid(const struct xmem_amu_core_cfg *cfg, const struct xmem_amu_core_state *s) {
  return s->cop[s->head] == OP_MAP ? s->caid[s->head] : none(cfg);
}

static void show_page_write(const struct xmem_amu_core_cfg *cfg, const struct xmem_amu_core_state *s,
                            struct xmem_amu_core_out *out) {
  uint32_t units = (uint32_t)cfg->UNITS, idw = (uint32_t)cfg->IDW, mask = write_mask(cfg, s);
  uint64_t data = cfg->IDW == 8 ? 0 : s->data, aid = write_aid(cfg, s);
  for (uint32_t i = 0; i < units; i++)
    if (bit_of(mask, i) || idw == 8) data = (data & ~(low_bits(idw) << i * idw)) | aid << i * idw;
  out->mem_rq_we = 1;
  out->mem_rq_addr = entry_of(cfg, s, s->ppn);
  out->mem_rq_wdata = data;
  out->mem_rq_wstrb = (uint8_t)(idw == 8 ? mask : low_bits((units * idw + 7) / 8));
}

/* The memory request of the walk or of the context. */
static void show_own(const struct xmem_amu_core_cfg *cfg, const struct xmem_amu_core_state *s,
                     struct xmem_amu_core_out *out) {
  if (s->load && s->ask < words(cfg)) {
    out->mem_rq_valid = 1;
    out->mem_rq_id = ID_CONTEXT + s->ask;
    out->mem_rq_addr = ((s->cbase[s->head] >> 2) + s->ask) << 3 & low_bits((uint32_t)cfg->PPN_W + 12);
  }
  if (!s->walk || bit_of(s->used, s->wtail) || (s->step != RD && s->step != WR && s->step != STATUS)) return;
  out->mem_rq_valid = 1;
  out->mem_rq_id = ID_WALK + s->wtail;
  if (s->step == RD) {
    out->mem_rq_addr = entry_of(cfg, s, s->ppn);
  } else if (s->step == WR) {
    show_page_write(cfg, s, out);
  } else {
    uint32_t word = s->caid[s->head] >> 6;
    out->mem_rq_we = 1;
    out->mem_rq_addr = (s->base + word) << 3 & low_bits((uint32_t)cfg->PPN_W + 12);
    out->mem_rq_wdata = s->ast[word];
    out->mem_rq_wstrb = 0xff;
  }
}

static void show_memory(const struct xmem_amu_core_cfg *cfg, const struct xmem_amu_core_state *s,
                        const struct xmem_amu_core_in *in, struct xmem_amu_core_out *out) {
  if (!in->ms_valid || s->hold) {
    show_own(cfg, s, out);
    return;
  }
  out->mem_rq_valid = 1;
  out->mem_rq_id = in->ms_id;
  out->mem_rq_addr = entry_of(cfg, s, in->ms_ppn);
  out->ms_ready = in->mem_rq_ready;
}

/* ---- outputs ---- */

static void show_answer(const struct xmem_amu_core_cfg *cfg, const struct xmem_amu_core_state *s,
                        const struct xmem_amu_core_in *in, struct xmem_amu_core_out *out) {
  uint32_t tag_bits = (uint32_t)cfg->TAGW - 2;
  if (in->ar_valid) {
    bool ours = s->ast_ok && in->ar_tag >> tag_bits == s->ctx;
    out->rs_valid = 1;
    out->rs_tag = in->ar_tag & (uint16_t)low_bits(tag_bits);
    out->rs_aid = (uint8_t)(ours ? in->ar_aid : none(cfg));
    out->rs_active = ours && in->ar_aid != none(cfg) && table_bit(s->ast, in->ar_aid);
    out->rs_hit = in->ar_hit;
  } else if (s->side) {
    out->rs_valid = 1;
    out->rs_tag = s->side_tag;
    out->rs_aid = (uint8_t)none(cfg);
  }
}

/* Whether the oldest write is acknowledged and may be reported. */
static inline bool tells(const struct xmem_amu_core_state *s) {
  return bit_of(s->used & s->acked, s->whead) && !(bit_of(s->paged, s->whead) && s->gap);
}

static void show_events(const struct xmem_amu_core_cfg *cfg, const struct xmem_amu_core_state *s,
                        const struct xmem_amu_core_in *in, struct xmem_amu_core_out *out) {
  uint32_t h = s->head, aid = s->caid[h];
  if (tells(s) && bit_of(s->paged, s->whead)) {
    out->bc_valid = 1;
    out->bc_ppn = s->wppn[s->whead];
    out->bc_mask = s->wmask[s->whead];
    out->bc_aid = s->waid[s->whead];
  }
  if (sets_status(cfg, s)) {
    out->ab_valid = 1;
    out->ab_aid = (uint8_t)aid;
    out->ab_val = s->cop[h] == OP_ACTIVATE;
    out->atoms_changed = table_bit(s->ast, aid) != out->ab_val;
  }
  if (!cfg->HOME && in->ai_valid && !s->load && in->ai_aid != none(cfg))
    out->atoms_changed = table_bit(s->ast, in->ai_aid) != in->ai_val;
  if (s->walk && s->step == WS && !in->ws_rd_en) out->atoms_changed = table_bit(s->ast, aid);
  if (loaded(cfg, s)) out->atoms_changed = 1;
  if (cfg->HOME && in->ws_rd_en && table_bit(s->wsv, in->ws_rd_aid)) out->ws_rd_val = s->ws[in->ws_rd_aid];
}

static void xmem_amu_core_eval(const struct xmem_amu_core_cfg *cfg, const struct xmem_amu_core_state *s,
                               const struct xmem_amu_core_in *in, struct xmem_amu_core_out *out) {
  __builtin_memset(out, 0, sizeof *out);
  bool head = head_valid(s);
  out->cmd_ready = s->cmds != 15;
  out->mmu_rq_valid = s->walk && s->step == ASK;
  if (out->mmu_rq_valid) out->mmu_rq_vpn = s->vpn;
  show_memory(cfg, s, in, out);
  out->lk_open = !(s->side && in->ar_valid);
  out->al_valid = in->lk_valid && out->lk_open && s->ast_ok && in->lk_ctx == s->ctx;
  show_answer(cfg, s, in, out);
  show_events(cfg, s, in, out);
  out->flush = cfg->ALB_FLUSH_ON_CTX && switches(cfg, s);
  out->fl_valid = bit_of(s->fills, s->fhead);
  if (out->fl_valid) {
    out->fl_id = s->fid[s->fhead];
    out->fl_data = s->fdata[s->fhead];
  }
  out->c_pages = s->pages;
  out->c_stall = s->stall;
  if (head) {
    uint32_t op = op_of(cfg, s);
    out->doing = op <= OP_UNMAP ? 1 : op == OP_CONTEXT ? 2 : 3;
  }
  out->busy = s->cmds || s->used || s->gap || s->fills || s->side;
}

/* ---- tick ---- */

static void take_command(const struct xmem_amu_core_cfg *cfg, struct xmem_amu_core_state *s,
                         const struct xmem_amu_core_in *in) {
  uint32_t t = s->tail;
  s->cmds |= (uint8_t)(1U << t);
  s->tail = (t + 1) & 3;
  s->cbase[t] = in->cmd_op == OP_CONTEXT ? s->ctxp : s->start;
  if (!cfg->HOME) return;
  s->cop[t] = in->cmd_op, s->caid[t] = in->cmd_aid, s->cdim[t] = in->cmd_dim;
  s->clenx[t] = s->lenx, s->cleny[t] = s->leny;
  s->csizex[t] = s->sizex, s->csizey[t] = s->sizey, s->csizez[t] = s->sizez;
}

static void write_register(const struct xmem_amu_core_cfg *cfg, struct xmem_amu_core_state *s, uint32_t sel,
                           uint64_t value) {
  uint64_t address = value & low_bits((uint32_t)cfg->PPN_W + 12);
  if (sel == CTXPTR) s->ctxp = address >> 3 << 2 | (value & 3);
  else if (sel == AAM_BASE) s->aam = address;
  else if (!cfg->HOME) return;
  else if (sel == START) s->start = value & low_bits(48);
  else if (sel == LENX) s->lenx = (uint32_t)value;
  else if (sel == LENY) s->leny = (uint32_t)value;
  else if (sel == SIZEX) s->sizex = (uint32_t)value;
  else if (sel == SIZEY) s->sizey = (uint32_t)value;
  else s->sizez = (uint32_t)value;
}

static inline uint64_t saturating(uint64_t bytes) { return bytes >> 33 ? low_bits(33) : bytes; }

/* Contiguous rows are merged into one, and so are contiguous planes, up to 4 GB. */
static inline bool rows_join(const struct xmem_amu_core_state *s) {
  return s->cdim[s->head] >= 2 && s->csizex[s->head] == s->clenx[s->head] && !(s->area >> 32);
}
static inline bool planes_join(const struct xmem_amu_core_state *s) {
  return rows_join(s) && s->cdim[s->head] == 3 && s->csizey[s->head] == s->cleny[s->head] && !(s->total >> 32);
}

/* Address bits of a last byte that are ignored, and the last byte of the row with these bits set. */
static inline uint32_t last_shift(const struct xmem_amu_core_cfg *cfg) {
  return cfg->EDGE ? 0 : 12 - block_clog2((uint32_t)cfg->UNITS);
}
static inline uint64_t last_of(const struct xmem_amu_core_cfg *cfg, const struct xmem_amu_core_state *s) {
  return s->last << last_shift(cfg) | low_bits(last_shift(cfg));
}

/* Units of page vpn that the row touches; with EDGE, those that it covers at least half. */
static uint32_t units_of(const struct xmem_amu_core_cfg *cfg, const struct xmem_amu_core_state *s) {
  uint32_t units = (uint32_t)cfg->UNITS, size = 4096 / units, half = size / 2;
  uint32_t lo = s->first ? s->row & 4095 : 0, hi = s->vpn == last_of(cfg, s) >> 12 ? last_of(cfg, s) & 4095 : 4095;
  uint32_t from = lo / size, to = hi / size, mask = all_units(cfg) << from & all_units(cfg) >> (units - 1 - to);
  if (!cfg->EDGE) return mask;
  if (from == to) return hi - lo + 1 >= half ? mask : 0;
  if (lo % size > half) mask &= ~(1U << from);
  if (hi % size + 1 < half) mask &= ~(1U << to);
  return mask;
}

/* The next state of the walk once the page's address is known. */
static inline uint8_t access_step(const struct xmem_amu_core_cfg *cfg, const struct xmem_amu_core_state *s) {
  bool check = cfg->UNMAP_CHECK && s->cop[s->head] == OP_UNMAP, part = cfg->IDW != 8 && s->mask != all_units(cfg);
  return check || part ? RD : WR;
}

static void do_page(const struct xmem_amu_core_cfg *cfg, struct xmem_amu_core_state *s) {
  uint32_t mask = units_of(cfg, s);
  bool again = s->seen && s->vpn == s->seen_vpn;
  s->step = NEXT;
  if (!mask || (again && mask == s->mask)) return;
  s->mask = (uint8_t)mask;
  if (cfg->UNMAP_CHECK) s->same = (uint8_t)all_units(cfg);
  s->seen_vpn = s->vpn;
  if (!again) {
    s->seen = 0;
    s->step = ASK;
  } else if (!s->fault) {
    s->step = access_step(cfg, s);
  }
}

/* The page's atoms in memory's format. */
static void take_data(const struct xmem_amu_core_cfg *cfg, struct xmem_amu_core_state *s, uint64_t data) {
  uint32_t units = (uint32_t)cfg->UNITS, idw = (uint32_t)cfg->IDW;
  s->step = WR;
  if (cfg->IDW != 8) s->data = data & low_bits(units * idw);
  if (!cfg->UNMAP_CHECK || s->cop[s->head] != OP_UNMAP) return;
  s->same = 0;
  for (uint32_t i = 0; i < units; i++)
    s->same |= (uint8_t)((uint32_t)((data >> i * idw & low_bits(idw)) == s->caid[s->head]) << i);
  if (!(s->mask & s->same)) s->step = NEXT;
}

static void do_next(const struct xmem_amu_core_cfg *cfg, struct xmem_amu_core_state *s) {
  uint32_t h = s->head, dim = s->cdim[h];
  s->step = ROW;
  if (s->vpn != last_of(cfg, s) >> 12) {
    s->vpn = (s->vpn + 1) & low_bits(36);
    s->first = 0;
    s->step = PAGE;
  } else if (dim >= 2 && !rows_join(s) && s->y + 1 != s->csizey[h]) {
    s->y++;
    s->row = (s->row + s->clenx[h]) & low_bits(48);
  } else if (dim == 3 && !planes_join(s) && s->z + 1 != s->csizez[h]) {
    s->z++;
    s->y = 0;
    s->row = s->plane = (s->plane + s->pitch) & low_bits(48);
  } else {
    s->step = WS;
  }
}

/* Adds the mapped bytes to the working set, or subtracts them. */
static void do_working_set(struct xmem_amu_core_state *s) {
  uint32_t aid = s->caid[s->head], most = (1U << 24) - 1, old = table_bit(s->wsv, aid) ? s->ws[aid] : 0;
  uint32_t units = (uint32_t)((s->total + 511) >> 9);
  if (units > most) units = most;
  if (s->cop[s->head] == OP_MAP) s->ws[aid] = old + units > most ? most : old + units;
  else s->ws[aid] = old > units ? old - units : 0;
  s->wsv[aid >> 6] |= UINT64_C(1) << (aid & 63);
}

/* Memory has taken a write. */
static void note_write(const struct xmem_amu_core_cfg *cfg, struct xmem_amu_core_state *s) {
  uint32_t t = s->wtail, bit = 1U << t;
  s->used |= (uint8_t)bit;
  s->acked &= (uint8_t)~bit;
  s->paged = (uint8_t)((s->paged & ~bit) | (s->step == WR ? bit : 0));
  s->wppn[t] = s->ppn;
  s->wmask[t] = (uint8_t)write_mask(cfg, s);
  s->waid[t] = (uint8_t)write_aid(cfg, s);
  s->wtail = (t + 1) & 3;
}

/* One step of the walk; `taken`: memory took its access. Returns whether the command is done. */
static bool do_step(const struct xmem_amu_core_cfg *cfg, struct xmem_amu_core_state *s,
                    const struct xmem_amu_core_in *in, bool taken) {
  uint32_t h = s->head;
  switch (s->step) {
    case SETUP:
      s->area = s->cdim[h] < 2 ? s->csizex[h] : saturating((uint64_t)s->csizex[h] * s->csizey[h]);
      s->total = s->area;
      s->step = s->cdim[h] == 3 ? TOTAL : ROW;
      return false;
    case TOTAL:
      s->total = s->area >> 32 && s->csizez[h] != 1 ? low_bits(33)
                 : s->area >> 32                    ? s->area
                                                    : saturating(s->area * s->csizez[h]);
      s->step = ROW;
      return false;
    case ROW: {
      uint64_t run = planes_join(s) ? s->total : rows_join(s) ? s->area : s->csizex[h];
      s->pitch = (uint64_t)s->clenx[h] * s->cleny[h] & low_bits(48);
      s->last = ((s->row + run - 1) & low_bits(48)) >> last_shift(cfg);
      s->vpn = s->row >> 12;
      s->first = 1;
      s->step = PAGE;
      return false;
    }
    case PAGE: do_page(cfg, s); return false;
    case ASK: s->step = in->mmu_rq_ready ? XLATE : ASK; return false;
    case XLATE:
      if (!in->mmu_rs_valid) return false;
      s->seen = 1;
      s->fault = in->mmu_rs_fault;
      s->ppn = in->mmu_rs_ppn;
      s->step = s->fault ? NEXT : access_step(cfg, s);
      return false;
    case RD: s->step = taken ? DATA : RD; return false;
    case DATA:
      if (in->mem_rs_valid && in->mem_rs_id == ID_WALK + s->wtail) take_data(cfg, s, in->mem_rs_data);
      return false;
    case WR:
      if (!taken) return false;
      note_write(cfg, s);
      s->pages++;
      s->step = NEXT;
      return s->cop[h] == OP_FREE;
    case NEXT: do_next(cfg, s); return false;
    case WS:
      if (in->ws_rd_en) return false;
      do_working_set(s);
      return true;
    default: /* STATUS */
      if (taken) note_write(cfg, s);
      return taken;
  }
}

/* Starts the command at the head while nothing else is in progress. Returns whether it is already done. */
static bool begin(const struct xmem_amu_core_cfg *cfg, struct xmem_amu_core_state *s) {
  uint32_t op = s->cop[s->head], aid = s->caid[s->head];
  uint64_t bit = UINT64_C(1) << (aid & 63);
  s->row = s->plane = s->cbase[s->head];
  s->y = s->z = 0;
  s->seen = 0;
  if (op <= OP_UNMAP) {
    s->step = SETUP;
    s->walk = has_effect(cfg, s);
  } else if (sets_status(cfg, s)) {
    s->ast[aid >> 6] = op == OP_ACTIVATE ? s->ast[aid >> 6] | bit : s->ast[aid >> 6] & ~bit;
    s->step = STATUS;
    s->walk = 1;
  } else if (op == OP_FREE) {
    s->ppn = s->cbase[s->head] >> 12 & (uint32_t)low_bits((uint32_t)cfg->PPN_W);
    s->mask = (uint8_t)all_units(cfg);
    if (cfg->UNMAP_CHECK) s->same = s->mask;
    s->step = WR;
    s->walk = 1;
  }
  return !s->walk;
}

/* Starts the context of the command at the head: its number is current from now on, its status table is read word by
 * word. */
static void begin_context(const struct xmem_amu_core_cfg *cfg, struct xmem_amu_core_state *s) {
  uint64_t pointer = s->cbase[s->head];
  if (cfg->HOME && (pointer & 3) != s->ctx) __builtin_memset(s->wsv, 0, sizeof s->wsv);
  s->ctx = pointer & 3;
  if (cfg->HOME) s->base = pointer >> 2 & low_bits((uint32_t)cfg->PPN_W + 9);
  s->ast_ok = 0;
  s->load = 1;
  s->ask = s->got = 0;
}

static void take_response(const struct xmem_amu_core_cfg *cfg, struct xmem_amu_core_state *s,
                          const struct xmem_amu_core_in *in) {
  uint32_t k = in->mem_rs_id & 3;
  if (in->mem_rs_id < ID_CONTEXT) {
    if (in->mem_rs_id >= cfg->NMISS || bit_of(s->fills, s->ftail)) return;
    s->fills |= (uint8_t)(1U << s->ftail);
    s->fid[s->ftail] = in->mem_rs_id;
    s->fdata[s->ftail] = in->mem_rs_data & low_bits((uint32_t)cfg->UNITS * (uint32_t)cfg->IDW);
    s->ftail = (s->ftail + 1) & 7;
  } else if (in->mem_rs_id < ID_WALK) {
    if (!s->load || k >= s->ask) return;
    s->ast[k] = in->mem_rs_data & word_bits(cfg);
    s->got |= (uint8_t)(1U << k);
  } else if (bit_of(s->used, k)) {
    s->acked |= (uint8_t)(1U << k);
  }
}

/* State updates of lookups, and the fill that the ALB takes. */
static void tick_answers(struct xmem_amu_core_state *s, const struct xmem_amu_core_in *in,
                         const struct xmem_amu_core_out *out) {
  s->side = s->side && in->ar_valid;
  if (in->lk_valid && out->lk_open && in->al_ready && !out->al_valid) {
    s->side = 1;
    s->side_tag = in->lk_tag;
  }
  if (out->fl_valid && in->fl_ready) {
    s->fills &= (uint8_t) ~(1U << s->fhead);
    s->fhead = (s->fhead + 1) & 7;
  }
}

static void tick_status(const struct xmem_amu_core_cfg *cfg, struct xmem_amu_core_state *s,
                        const struct xmem_amu_core_in *in) {
  uint64_t bit = UINT64_C(1) << (in->ai_aid & 63), *word = &s->ast[in->ai_aid >> 6];
  if (cfg->HOME || !in->ai_valid || s->load || in->ai_aid == none(cfg)) return;
  *word = in->ai_val ? *word | bit : *word & ~bit;
}

static void xmem_amu_core_tick(const struct xmem_amu_core_cfg *cfg, struct xmem_amu_core_state *s,
                               const struct xmem_amu_core_in *in, const struct xmem_amu_core_out *out) {
  bool own = out->mem_rq_valid && !(in->ms_valid && !s->hold), taken = own && in->mem_rq_ready, done = false;
  bool accept = in->cmd_valid && out->cmd_ready && (cfg->HOME || in->cmd_op == OP_CONTEXT);
  bool told = tells(s), switching = switches(cfg, s), all_in = loaded(cfg, s);
  bool waits = s->walk && (s->step == RD || s->step == WR || s->step == STATUS) && !taken;
  uint8_t popped = (uint8_t)(1U << s->head);
  s->stall += waits;
  tick_status(cfg, s, in);
  if (in->mem_rs_valid) take_response(cfg, s, in);
  tick_answers(s, in, out);
  if (s->load) {
    s->ask = (uint8_t)(s->ask + taken);
    done = all_in;
    if (done) s->load = 0, s->ast_ok = 1;
  } else if (s->walk) {
    done = do_step(cfg, s, in, taken);
    if (done) s->walk = 0;
  } else if (switching) {
    begin_context(cfg, s);
  } else if (head_valid(s) && op_of(cfg, s) != OP_CONTEXT) {
    done = begin(cfg, s);
  }
  if (told) {
    s->used &= (uint8_t) ~(1U << s->whead);
    s->whead = (s->whead + 1) & 3;
  }
  s->gap = out->bc_valid;
  s->hold = own && !in->mem_rq_ready;
  if (accept) take_command(cfg, s, in);
  if (done) {
    s->cmds &= (uint8_t)~popped;
    s->head = (s->head + 1) & 3;
  }
  if (in->reg_we) write_register(cfg, s, in->reg_sel, in->reg_data);
}

#include "xmem_amu_core_model.inc"
