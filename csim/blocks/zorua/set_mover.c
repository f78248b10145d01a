/* SPDX-License-Identifier: Apache-2.0 */
/* Does the coordinator's commands, set by set (Vijaykumar 2019, 4.4.3; assumption: steps, ports and cycle behaviour). The header of
 * rtl/zorua/set_mover.v states the contract of the ports. */
#include "block/block.h"
#include "set_mover_ports.h"

enum { REGISTERS, SCRATCH, SLOT };
enum { MAP, RELEASE, FILL, SPILL };
enum { REGS_MAX = 512, SCRATCH_MAX = 128, WORD = 32, BYTE = 0xff };

struct set_mover_state {
  uint32_t of_regs[REGS_MAX / WORD], of_scratch[SCRATCH_MAX / WORD]; /* a bit a set: it has an owner */
  uint16_t regs[REGS_MAX], scratch[SCRATCH_MAX];                     /* {logical set, owner} */
  uint8_t on, lines, op, kind, owner, at,
    to; /* the command; `lines`: those of a set move, which is the following one */
  uint8_t moved_owner, moved_set;
  uint16_t phys;
  uint8_t come, come_kind, come_owner, come_set; /* a set on its way from memory */
  uint16_t come_phys;
};

static bool has(const uint32_t *v, uint32_t i) { return v[i / WORD] >> i % WORD & 1; }

/* Of a mask: a number of so many bits. */
static uint32_t low(uint32_t v, uint32_t values) { return v & ((1U << block_bits(values)) - 1); }

static void set_mover_reset(const struct set_mover_cfg *cfg, struct set_mover_state *s) {
  (void)cfg;
  s->on = s->lines = s->come = 0;
  for (uint32_t w = 0; w < REGS_MAX / WORD; w++) s->of_regs[w] = 0;
  for (uint32_t w = 0; w < SCRATCH_MAX / WORD; w++) s->of_scratch[w] = 0;
}

/* Of the register sets `some`, which are bits of word `w`. */
static void find_among(const struct set_mover_cfg *cfg, const struct set_mover_state *s, const struct set_mover_in *in,
                       uint32_t w, uint32_t some, struct set_mover_out *out) {
  uint32_t warps = (uint32_t)cfg->WARPS, owner = low(s->owner, warps);
  for (; some; some &= some - 1) {
    uint32_t warp = low(s->regs[w * WORD + (uint32_t)__builtin_ctz(some)], warps), one = some & -some;
    if (warp == owner) continue;
    out->may_regs[w] |= one;
    if (!has(in->sched, warp)) out->prefer_regs[w] |= one;
  }
}

/* Sets of others that no instruction in flight uses; before others those of warps that are not schedulable. */
static void find_victims(const struct set_mover_cfg *cfg, const struct set_mover_state *s,
                         const struct set_mover_in *in, struct set_mover_out *out) {
  uint32_t blocks = (uint32_t)cfg->BLOCKS;
  if (!s->on || s->lines || s->op != MAP) return;
  if (s->kind == REGISTERS) {
    for (uint32_t w = 0; w * WORD < (uint32_t)cfg->REGS; w++)
      find_among(cfg, s, in, w, s->of_regs[w] & ~in->lock_regs[w], out);
  } else if (s->kind == SCRATCH) {
    for (uint32_t n = 0; n < (uint32_t)cfg->SCRATCH; n++)
      if (has(s->of_scratch, n) && !has(in->lock_scratch, n) && low(s->scratch[n], blocks) != low(s->owner, blocks))
        out->may_scratch[n / WORD] |= 1U << n % WORD;
  }
}

/* The set at hand is the one on its way. */
static bool is_coming(const struct set_mover_state *s) {
  return s->kind == s->come_kind && s->owner == s->come_owner && s->at == s->come_set;
}

struct deed { /* what happens to the set at hand */
  bool takes_free, evicts, releases, comes, ends_short, saves, skips, after;
  bool leaves, arrives; /* its lines have been asked for; the set on its way has come */
};

static struct deed deed_of(const struct set_mover_state *s, const struct set_mover_in *in) {
  struct deed d = {0};
  bool slot = s->kind >= SLOT, awaits = s->come && is_coming(s);
  d.arrives = s->come && !in->mem_busy && (!s->on || (!s->lines && s->op == RELEASE && awaits));
  if (!s->on) return d;
  if (s->lines) {
    d.after = !in->lines && !(s->op == FILL && slot && in->mem_busy);
    d.leaves = d.after && s->op == FILL && !slot;
    return d;
  }
  switch (s->op) {
    case MAP:
      d.takes_free = in->offer;
      d.evicts = !in->offer && in->victim && !slot && in->move_ready;
      break;
    case RELEASE: d.releases = !awaits; break;
    case FILL:
      d.ends_short = !slot && (s->come || (!in->there && !in->offer));
      d.skips = in->there && !d.ends_short;
      d.comes = !in->there && in->offer && in->move_ready && !d.ends_short;
      break;
    default:
      d.saves = in->there && in->move_ready;
      d.skips = !in->there;
      break;
  }
  return d;
}

static void give_lines(const struct set_mover_cfg *cfg, const struct set_mover_state *s, const struct set_mover_in *in,
                       const struct deed *d, struct set_mover_out *out) {
  uint32_t of_warp = block_bits((uint32_t)cfg->WARPS), of_block = block_bits((uint32_t)cfg->BLOCKS);
  out->move_en = d->evicts || d->comes || d->saves;
  out->move_spill = d->evicts || d->saves;
  if (d->evicts && s->kind == REGISTERS) {
    uint32_t at = low(in->victim_set, (uint32_t)cfg->REGS);
    uint32_t whose = at < (uint32_t)cfg->REGS && has(s->of_regs, at) ? s->regs[at] : 0;
    out->move_owner = (uint8_t)low(whose, (uint32_t)cfg->WARPS), out->move_set = (uint8_t)(whose >> of_warp);
  } else if (d->evicts) {
    uint32_t at = low(in->victim_set, (uint32_t)cfg->SCRATCH);
    uint32_t whose = at < (uint32_t)cfg->SCRATCH && has(s->of_scratch, at) ? s->scratch[at] : 0;
    out->move_owner = (uint8_t)low(whose, (uint32_t)cfg->BLOCKS), out->move_set = (uint8_t)(whose >> of_block);
  } else if (out->move_en) {
    out->move_owner = s->owner, out->move_set = s->at;
  }
  out->move = s->lines;
  if (s->lines) out->move_phys = s->phys, out->moved_owner = s->moved_owner, out->moved_set = s->moved_set;
}

static void set_mover_eval(const struct set_mover_cfg *cfg, const struct set_mover_state *s,
                           const struct set_mover_in *in, struct set_mover_out *out) {
  __builtin_memset(out, 0, sizeof *out);
  out->cmd_ready = !s->on;
  out->at_en = s->on;
  out->busy = s->on || s->come;
  if (!out->busy) return;
  struct deed d = deed_of(s, in);
  bool owns = d.takes_free || (d.after && s->op != SPILL && !d.leaves) || d.arrives, counted = s->kind < SLOT;
  out->come = s->come;
  if (s->come) out->come_kind = s->come_kind, out->come_owner = s->come_owner, out->come_set = s->come_set;
  out->at_kind = s->on ? s->kind : s->come_kind;
  if (s->on) out->at_owner = s->owner, out->at_set = s->at;
  find_victims(cfg, s, in, out);
  give_lines(cfg, s, in, &d, out);
  out->alloc_en = d.takes_free || d.comes;
  out->free_en = (d.releases && in->there) || (d.after && s->op == SPILL);
  if (out->free_en) out->free_set = d.after ? s->phys : in->phys;
  out->new_en = out->wr_valid = owns;
  if (owns) out->new_set = out->wr_phys = d.arrives ? s->come_phys : d.after ? s->phys : in->offer_set;
  out->wr_en = owns || d.evicts || d.releases || d.saves;
  if (out->wr_en) out->wr_owner = d.evicts ? out->move_owner : s->owner, out->wr_set = d.evicts ? out->move_set : s->at;
  if (d.arrives) out->wr_owner = s->come_owner, out->wr_set = s->come_set;
  out->did_fill = d.comes && counted;
  out->did_swapped = d.releases && !in->there && counted;
  out->did_en = (d.releases && counted) || out->did_fill;
  out->did_kind = out->did_en ? s->kind : 0;
}

/* A set of whom it is taken is its owner's no more; a new owner writes its name. */
static void change_owners(const struct set_mover_cfg *cfg, struct set_mover_state *s, const struct set_mover_in *in,
                          const struct deed *d, const struct set_mover_out *out) {
  bool regs = out->at_kind == REGISTERS, goes = d->evicts || (d->releases && in->there);
  uint32_t sets = (uint32_t)(regs ? cfg->REGS : cfg->SCRATCH), owners = (uint32_t)(regs ? cfg->WARPS : cfg->BLOCKS);
  uint32_t logical = (uint32_t)(regs ? cfg->RSETS : cfg->SSETS), gone = d->evicts ? in->victim_set : in->phys;
  uint32_t *of = regs ? s->of_regs : s->of_scratch;
  if (out->at_kind > SCRATCH) return;
  if (goes && gone < sets) of[gone / WORD] &= ~(1U << gone % WORD);
  if (!out->new_en || out->new_set >= sets) return;
  of[out->new_set / WORD] |= 1U << out->new_set % WORD;
  uint16_t whose = (uint16_t)(low(out->wr_set, logical) << block_bits(owners) | low(out->wr_owner, owners));
  if (regs) s->regs[out->new_set] = whose;
  else s->scratch[out->new_set] = whose;
}

static void set_mover_tick(const struct set_mover_cfg *cfg, struct set_mover_state *s, const struct set_mover_in *in,
                           const struct set_mover_out *out) {
  struct deed d = {0};
  if (out->busy) {
    d = deed_of(s, in);
    change_owners(cfg, s, in, &d, out);
  }
  if (d.arrives) s->come = 0;
  if (!s->on) {
    if (!in->cmd_valid || in->cmd_from >= in->cmd_to) return;
    s->on = 1;
    s->op = in->cmd_op, s->kind = in->cmd_kind, s->at = in->cmd_from, s->to = in->cmd_to;
    s->owner = (uint8_t)low(in->cmd_owner, (uint32_t)(cfg->WARPS > cfg->BLOCKS ? cfg->WARPS : cfg->BLOCKS));
    return;
  }
  bool done = d.takes_free || d.releases || d.skips || d.after, last = ((s->at + 1U) & BYTE) == s->to;
  if (d.leaves) {
    s->come = 1, s->come_kind = s->kind, s->come_owner = s->moved_owner, s->come_set = s->moved_set;
    s->come_phys = s->phys;
  }
  if (out->move_en) {
    s->phys = d.evicts ? in->victim_set : d.comes ? in->offer_set : in->phys;
    s->moved_owner = out->move_owner, s->moved_set = out->move_set;
  }
  s->lines = out->move_en || (s->lines && !d.after);
  if (done) s->at = (uint8_t)(s->at + 1);
  if ((done && last) || d.ends_short) s->on = 0;
}

#include "set_mover_model.inc"
