/* SPDX-License-Identifier: Apache-2.0 */
/* What the driver does before a launch (Vijaykumar 2019, 3.4.1): it chooses by the descriptors, moves data to the modules that use it,
 * and hands rows and clusters to the hardware. */
#include "base/err.h"
#include "base/host_clock.h"
#include "mem/page_table.h"
#include "systems/ldesc/driver.h"
#include "systems/ldesc/ldesc_internal.h"

#include <stdio.h>
#include <string.h>

/* The last choice: launches of one kernel after the other, with the same descriptors and grid, need no new one. */
static struct {
  bool made;
  struct ldesc_table table;
  struct ldesc_choose_in in;
  struct ldesc_choice choice;
  double seconds;
} last;

static bool noted_size, noted_room; /* the notes below were shown */

static uint32_t axis(const struct driver_launch *l, int d) { return l->grid[d]; }

bool ldesc_is_allocated(const struct driver_services *s, const struct ldesc_record *r) {
  uint64_t base, size = device_memory_find(s->memory, r->base, &base);
  return size && r->bytes <= size - (r->base - base);
}

static int check(const struct driver_services *s, const struct ldesc_table *t, const struct driver_launch *l,
                 struct err *e) {
  for (uint32_t i = 0; i < t->n; i++) {
    const struct ldesc_record *r = &t->record[i];
    int code = 0;
    if (r->local) continue;
    if (!ldesc_is_allocated(s, r))
      code = err_set(e, ERR_VALUE, "the structure was freed; call ldescClear when its memory goes");
    if (!code) code = ldesc_tiles_fit(r, l->grid, e);
    if (code)
      return err_prefix(e, "kernel '%s': ldesc: descriptor of 0x%llx", l->kernel->name, (unsigned long long)r->base);
  }
  return 0;
}

/* ---- choosing ---- */

static struct ldesc_choose_in problem(const struct driver_services *s, const struct ldesc_table *t,
                                      const struct driver_launch *l) {
  const struct gpu_config *m = s->config;
  const struct ldesc_parameters *p = ldesc_parameters(m);
  struct ldesc_choose_in in = {0};
  for (int d = 0; d < LDESC_AXES; d++) in.grid[d] = axis(l, d);
  in.n = t->n;
  in.record = last.table.record;
  in.sms = (uint32_t)m->sm_count;
  in.modules = (uint32_t)m->numa_modules;
  in.page_bits = s->pages->page_bits;
  in.l1_bytes = (uint64_t)m->l1_bytes;
  ldesc_local_memory(m, &in.local_base, &in.local_limit);
  in.options.schedule = p->schedule;
  in.options.cache = p->cache;
  in.options.prefetch = p->prefetch;
  in.options.place = p->place;
  in.options.alone = p->alone;
  in.options.soft_all_inter = p->soft_all_inter;
  in.options.balance = p->balance;
  in.options.cluster[0] = (uint32_t)p->cluster_x;
  in.options.cluster[1] = (uint32_t)p->cluster_y;
  in.options.cluster[2] = (uint32_t)p->cluster_z;
  return in;
}

static int choose(const struct driver_services *s, const struct ldesc_table *t, const struct driver_launch *l,
                  struct ldesc_memory_counters *n, struct err *e) {
  struct ldesc_choose_in in = problem(s, t, l);
  if (last.made && last.table.version == t->version && !memcmp(last.in.grid, in.grid, sizeof in.grid)) return 0;
  if (last.made) ldesc_choose_free(&last.choice);
  last.table = *t;
  last.in = in;
  double start = host_thread_seconds();
  last.made = ldesc_choose(&last.in, &last.choice);
  last.seconds = host_thread_seconds() - start;
  if (!last.made) return err_set(e, ERR_LIMIT, "the host has no memory left for the descriptors of a launch");
  n->ldesc_evaluations += last.choice.numa.evaluations;
  if (last.choice.too_large && !noted_size) {
    noted_size = true;
    fprintf(
      stderr,
      "tandem: ldesc: kernel '%s': its grid of %u x %u x %u CTAs is too large for clusters and zones; its descriptors guide "
      "the L1 alone (shown once)\n",
      l->kernel->name, axis(l, 0), axis(l, 1), axis(l, 2));
  }
  return 0;
}

/* ---- placement ---- */

static uint64_t first_page(const struct ldesc_record *r, uint32_t page_bits) { return r->base >> page_bits; }
static uint64_t last_page(const struct ldesc_record *r, uint32_t page_bits) {
  return (r->base + r->bytes - 1) >> page_bits;
}

/* A structure of higher priority lies in the page, too. */
static bool is_anothers(const struct ldesc_choice *c, uint32_t i, uint64_t page, uint32_t page_bits) {
  for (uint32_t k = 0; k < i; k++)
    if (page >= first_page(c->place[k], page_bits) && page <= last_page(c->place[k], page_bits)) return true;
  return false;
}

/* Places a page of the structure; from bit page_bits on pages have a zone each, counted from the structure's first (tiles.h). */
static bool place_page(const struct driver_services *s, const struct ldesc_record *r, uint32_t b, uint64_t page,
                       uint64_t *moved) {
  uint32_t bits = s->pages->page_bits, zone = PAGE_ANY_ZONE;
  uint64_t first = page << bits, at = first > r->base ? first : r->base;
  if (b >= bits)
    zone = (uint32_t)((first - ldesc_tiles_origin(r, b, bits)) >> ldesc_tiles_zone_bit(r, b, bits)) &
           ((uint32_t)s->config->numa_modules - 1);
  return page_table_place(s->pages, at, 1, zone_map_of_bit(b), zone, moved);
}

/* Returns the bytes that were moved. */
static uint64_t place(const struct driver_services *s, const struct driver_launch *l, struct ldesc_memory_counters *n) {
  const struct ldesc_choice *c = &last.choice;
  uint32_t bits = s->pages->page_bits;
  uint64_t moved = 0, failed = 0;
  for (uint32_t i = 0; i < c->placed; i++) {
    const struct ldesc_record *r = c->place[i];
    for (uint64_t page = first_page(r, bits); page <= last_page(r, bits); page++)
      if (!is_anothers(c, i, page, bits) && !place_page(s, r, c->numa.bit[i], page, &moved))
        failed += UINT64_C(1) << bits;
  }
  n->ldesc_moved += moved;
  n->ldesc_not_moved += failed;
  if (failed && !noted_room) {
    noted_room = true;
    fprintf(
      stderr,
      "tandem: ldesc: kernel '%s': %llu bytes of its structures stay where they are, as the module that they belong to has no "
      "room (shown once); a larger memory.mib gives it some\n",
      l->kernel->name, (unsigned long long)failed);
  }
  return moved;
}

/* Core cycles that it takes to move so many bytes: GB/s are bytes a ns. */
static uint64_t move_cycles(const struct gpu_config *m, uint64_t bytes) {
  uint64_t rate = (uint64_t)ldesc_parameters(m)->move_rate, khz = (uint64_t)m->core_khz;
  if (!rate || !bytes) return 0;
  return (bytes * khz / 1000000 + rate - 1) / rate;
}

/* ---- launches ---- */

int ldesc_launch(const struct driver_services *s, const struct ldesc_table *t, const struct driver_launch *l,
                 struct err *e) {
  struct ldesc_dispatcher *d = s->dispatch;
  if (d->p->hints == LDESC_HINTS_OFF) return 0;
  if (!t->n) return ldesc_policy_set(d, NULL, l->grid, e);
  int code = check(s, t, l, e);
  if (!code) code = choose(s, t, l, d->n, e);
  if (code) return code;
  uint64_t moved = last.choice.divided && last.in.options.place ? place(s, l, d->n) : 0;
  uint64_t cycles = move_cycles(s->config, moved);
  d->n->ldesc_launches++;
  d->n->ldesc_move_cycles += cycles;
  ldesc_hold(d, cycles);
  const struct ldesc_decision told = {l, &last.in, &last.choice, last.seconds, moved};
  if (s->decisions) code = ldesc_decision_write(s->decisions, &told, e);
  return code ? code : ldesc_policy_set(d, &last.choice.policy, l->grid, e);
}
