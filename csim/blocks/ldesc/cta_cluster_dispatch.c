/* SPDX-License-Identifier: Apache-2.0 */
/* Gives the CTAs of a launch to the SMs of a GPU module, cluster by cluster (Vijaykumar 2019, 3.4.1; assumption: the rule of the last
 * clusters, ports and cycle behaviour). The header of rtl/ldesc/cta_cluster_dispatch.v states the contract of the ports. */
#include "block/block.h"
#include "cta_cluster_dispatch_ports.h"

enum { SMS_MAX = 16, AXES = 3, AXIS_BITS = 16, AXIS_MASK = 0xffff, RUNS = 2 };

/* A position has 16 bits an axis, x lowest. Row SMS of the clusters is the one that is spread. */
struct cta_cluster_dispatch_state {
  uint64_t grid, cls;
  uint32_t whole;        /* clusters still to be given whole */
  uint32_t size[4];      /* STEAL=1: CTAs of a cluster, 16 bits each, by cuts {z, y, x} */
  uint64_t run_at[RUNS]; /* runs that wait: first CTA of the next cluster */
  uint32_t run_count[RUNS];
  uint8_t waits, open; /* runs that wait, a bit each; the last run of the list has not come */
  uint32_t left;       /* a bit a cluster: a CTA is still to go */
  uint64_t first[SMS_MAX + 1], at[SMS_MAX + 1],
    last[SMS_MAX + 1];         /* its first CTA; the next one; STEAL=1: the last one */
  uint16_t count[SMS_MAX + 1]; /* STEAL=1: how many are left */
  uint8_t turn;                /* the SM that is served first */
};

/* What happens in a cycle. */
struct choice {
  uint32_t sm, row; /* SM that gets a CTA; whose cluster it is of */
  bool goes, next, steals;
  uint64_t first, at, last; /* of that cluster */
};

static void cta_cluster_dispatch_reset(const struct cta_cluster_dispatch_cfg *cfg,
                                       struct cta_cluster_dispatch_state *s) {
  s->grid = s->cls = s->whole = s->left = 0;
  s->waits = s->open = s->turn = 0;
  if (cfg->STEAL)
    for (int w = 0; w < 4; w++) s->size[w] = 0;
}

static uint32_t axis(uint64_t position, int d) { return (uint32_t)(position >> AXIS_BITS * d) & AXIS_MASK; }
static uint64_t on_axis(uint32_t value, int d) { return (uint64_t)(value & AXIS_MASK) << AXIS_BITS * d; }

/* Whether the list has a cluster of which a part is in the grid. */
static bool has_front(const struct cta_cluster_dispatch_state *s) {
  if (!(s->waits & 1) || !s->run_count[0]) return false;
  for (int d = 0; d < AXES; d++)
    if (axis(s->run_at[0], d) >= axis(s->grid, d)) return false;
  return true;
}

/* The axes on which the grid cuts a cluster, a bit each; `top` is its last CTA in the grid. */
static uint32_t cuts(const struct cta_cluster_dispatch_state *s, uint64_t first, uint64_t *top) {
  uint32_t cut = 0;
  *top = 0;
  for (int d = 0; d < AXES; d++) {
    uint32_t behind = axis(first, d) + axis(s->cls, d), grid = axis(s->grid, d);
    cut |= (uint32_t)(behind > grid) << d;
    *top |= on_axis((behind > grid ? grid : behind) - 1, d);
  }
  return cut;
}

static uint32_t richest(const struct cta_cluster_dispatch_state *s) {
  uint32_t found = 0, most = 0;
  for (uint32_t left = s->left; left; left &= left - 1) {
    uint32_t sm = (uint32_t)__builtin_ctz(left);
    if (found && s->count[sm] <= most) continue;
    found = sm + 1;
    most = s->count[sm];
  }
  return found - 1;
}

static struct choice choose(const struct cta_cluster_dispatch_cfg *cfg, const struct cta_cluster_dispatch_state *s,
                            const struct cta_cluster_dispatch_in *in) {
  struct choice c = {0};
  uint32_t sms = (uint32_t)cfg->SMS, tail = s->left >> sms & 1;
  bool front = has_front(s), some_new = front || (!s->whole && tail);
  bool may_steal = cfg->STEAL && !s->open && !s->waits && !tail && s->left;
  uint32_t own = s->left & in->free, ask = some_new || may_steal ? in->free : own;
  if (in->start_en || !ask) return c;
  uint32_t from_turn = ask & (uint32_t)(UINT64_C(0xffffffff) << s->turn);
  c.goes = true;
  c.sm = (uint32_t)__builtin_ctz(from_turn ? from_turn : ask);
  c.row = sms;
  if (own >> c.sm & 1) c.row = c.sm;
  else if (!some_new) c.steals = true, c.row = richest(s);
  else c.next = front && (s->whole || !tail);
  c.first = c.next ? s->run_at[0] : s->first[c.row];
  c.at = c.next ? s->run_at[0] : s->at[c.row];
  cuts(s, c.first, &c.last);
  if (cfg->STEAL && !c.next) c.last = s->last[c.row];
  return c;
}

static void cta_cluster_dispatch_eval(const struct cta_cluster_dispatch_cfg *cfg,
                                      const struct cta_cluster_dispatch_state *s,
                                      const struct cta_cluster_dispatch_in *in, struct cta_cluster_dispatch_out *out) {
  struct choice c = choose(cfg, s, in);
  uint64_t cta = c.steals ? c.last : c.at;
  out->cta_valid = c.goes;
  out->cta_sm = (uint8_t)c.sm;
  out->cta_x = (uint16_t)axis(cta, 0), out->cta_y = (uint16_t)axis(cta, 1), out->cta_z = (uint16_t)axis(cta, 2);
  out->run_ready = s->open && !(s->waits >> 1) && !in->start_en;
  out->done = !s->open && !s->waits && !s->left;
  out->busy = s->waits & 1 && !has_front(s);
}

/* The CTA after `at` in the box from `first` to `top`. */
static uint64_t after(uint64_t at, uint64_t first, uint64_t top) {
  bool wraps_x = axis(at, 0) >= axis(top, 0), wraps_y = wraps_x && axis(at, 1) >= axis(top, 1);
  uint32_t x = wraps_x ? axis(first, 0) : axis(at, 0) + 1;
  uint32_t y = !wraps_x ? axis(at, 1) : wraps_y ? axis(first, 1) : axis(at, 1) + 1;
  return on_axis(x, 0) | on_axis(y, 1) | on_axis(axis(at, 2) + wraps_y, 2);
}

/* The CTA before `last`. */
static uint64_t before(uint64_t last, uint64_t first, uint64_t top) {
  bool wraps_x = axis(last, 0) <= axis(first, 0), wraps_y = wraps_x && axis(last, 1) <= axis(first, 1);
  uint32_t x = wraps_x ? axis(top, 0) : axis(last, 0) - 1;
  uint32_t y = !wraps_x ? axis(last, 1) : wraps_y ? axis(top, 1) : axis(last, 1) - 1;
  return on_axis(x, 0) | on_axis(y, 1) | on_axis(axis(last, 2) - wraps_y, 2);
}

static void give(const struct cta_cluster_dispatch_cfg *cfg, struct cta_cluster_dispatch_state *s,
                 const struct choice *c) {
  uint32_t to = c->next && s->whole ? c->sm : c->row;
  uint64_t top;
  uint32_t cut = cuts(s, c->first, &top);
  s->first[to] = c->first;
  s->at[to] = c->steals ? c->at : after(c->at, c->first, top);
  if (c->at == c->last) s->left &= ~(1U << to);
  else s->left |= 1U << to;
  if (!cfg->STEAL) return;
  uint32_t count = c->next ? s->size[cut / 2] >> AXIS_BITS * (cut % 2) & AXIS_MASK : s->count[c->row];
  s->last[to] = c->steals ? before(c->last, c->first, top) : c->last;
  s->count[to] = (uint16_t)(count ? count - 1 : 0);
}

/* The next cluster leaves the list; false if its run ends or leaves the grid. */
static bool move_run(struct cta_cluster_dispatch_state *s) {
  uint64_t at = s->run_at[0], to = 0;
  bool carry = true;
  for (int d = 0; d < AXES; d++) {
    uint32_t sum = axis(at, d) + (carry ? axis(s->cls, d) : 0);
    carry = carry && sum >= axis(s->grid, d);
    to |= on_axis(carry ? 0 : sum, d);
  }
  if (carry || s->run_count[0] == 1) return false;
  s->run_at[0] = to;
  s->run_count[0]--;
  return true;
}

static void move_list(struct cta_cluster_dispatch_state *s, const struct cta_cluster_dispatch_in *in, bool push,
                      bool pop) {
  if (pop) {
    s->run_at[0] = s->run_at[1], s->run_count[0] = s->run_count[1];
    s->waits >>= 1;
  }
  if (!push) return;
  uint64_t at = on_axis(in->run_x, 0) | on_axis(in->run_y, 1) | on_axis(in->run_z, 2);
  uint32_t place = s->waits & 1;
  s->run_at[place] = at, s->run_count[place] = in->run_count;
  s->waits |= (uint8_t)(1 << place);
  if (in->run_last) s->open = 0;
}

static void launch(const struct cta_cluster_dispatch_cfg *cfg, struct cta_cluster_dispatch_state *s,
                   const struct cta_cluster_dispatch_in *in) {
  uint32_t x = in->cls_x ? in->cls_x : 1, y = in->cls_y ? in->cls_y : 1, z = in->cls_z ? in->cls_z : 1;
  s->grid = on_axis(in->grid_x, 0) | on_axis(in->grid_y, 1) | on_axis(in->grid_z, 2);
  s->cls = on_axis(x, 0) | on_axis(y, 1) | on_axis(z, 2);
  s->whole = in->whole;
  s->waits = 0;
  s->left = 0;
  s->open = 1;
  if (cfg->STEAL)
    for (int w = 0; w < 4; w++) s->size[w] = in->size[w];
}

static void cta_cluster_dispatch_tick(const struct cta_cluster_dispatch_cfg *cfg, struct cta_cluster_dispatch_state *s,
                                      const struct cta_cluster_dispatch_in *in,
                                      const struct cta_cluster_dispatch_out *out) {
  if (in->start_en) {
    launch(cfg, s, in);
    return;
  }
  struct choice c = choose(cfg, s, in);
  bool pop = out->busy;
  if (c.goes) {
    give(cfg, s, &c);
    s->turn = c.sm == (uint32_t)cfg->SMS - 1 ? 0 : (uint8_t)(c.sm + 1);
    if (c.next) pop = !move_run(s);
    if (c.next && s->whole) s->whole--;
  }
  move_list(s, in, in->run_valid && out->run_ready, pop);
}

#include "cta_cluster_dispatch_model.inc"
