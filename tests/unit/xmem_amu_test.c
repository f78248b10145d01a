/* SPDX-License-Identifier: Apache-2.0 */
/* slice: xmem */
/* Do lookups say what was mapped? A home unit and one that follows it share a memory that answers out of order; the page
 * updates of the one reach the other some cycles later. */
#include "base/rng.h"
#include "kit/block_bench.h"
#include "xmem_amu_ports.h"

enum { MAP, UNMAP, ACTIVATE, DEACTIVATE, CONTEXT, PAGE_FREE };
enum { START, LENX, LENY, SIZEX, SIZEY, SIZEZ, CTXPTR, AAM_BASE };
enum { PAGES = 64, FLIGHTS = 16, TABLE = 0x8000, MEMORY = 0x8100, TAGS = 256, UNITS_TWO = 2, NONE = 255, BUS = 7 };

struct flight {
  uint32_t id, wait;
  uint64_t data;
};

struct unit {
  BENCH_FIELDS(xmem_amu);
  struct flight flight[FLIGHTS];
  uint32_t n_flights, translate; /* translate: 1 + page asked for */
  bool waits[TAGS];              /* lookups that have no answer yet */
  uint32_t taken, answered, aid[TAGS];
  bool active[TAGS], hit[TAGS];
};
BENCH_FUNCTIONS(unit, xmem_amu);

struct pair {
  struct rng rng;
  uint32_t latency;
  uint8_t memory[MEMORY];
  struct unit unit[UNITS_TWO]; /* 0: home */
  struct xmem_amu_in bus[BUS]; /* updates on their way */
  uint32_t cycles;
};

static struct pair *pair_open(uint64_t seed, int32_t sets, int32_t ways, int32_t misses) {
  struct pair *p = calloc(1, sizeof *p);
  assert_non_null(p);
  rng_seed(&p->rng, seed);
  memset(p->memory, NONE, TABLE);
  for (int32_t i = 0; i < UNITS_TWO; i++)
    bench_open(&p->unit[i], (struct xmem_amu_cfg){.PPN_W = 28,
                                                  .SETS = sets,
                                                  .WAYS = ways,
                                                  .UNITS = 8,
                                                  .IDW = 8,
                                                  .NMISS = misses,
                                                  .TAGW = 10,
                                                  .HOME = i == 0,
                                                  .ALB_FLUSH_ON_CTX = 1});
  return p;
}
static void pair_close(struct pair *p) {
  for (int i = 0; i < UNITS_TWO; i++) bench_close(&p->unit[i]);
  free(p);
}

static void answer(struct pair *p, struct unit *u) {
  u->in.mem_rq_ready = p->latency ? rng_below(&p->rng, 4) != 0 && u->n_flights < FLIGHTS : 1;
  for (uint32_t i = 0; i < u->n_flights && !u->in.mem_rs_valid; i++) {
    if (u->flight[i].wait) continue;
    u->in.mem_rs_valid = 1, u->in.mem_rs_id = (uint8_t)u->flight[i].id, u->in.mem_rs_data = u->flight[i].data;
    u->flight[i] = u->flight[--u->n_flights];
  }
  for (uint32_t i = 0; i < u->n_flights; i++) u->flight[i].wait -= u->flight[i].wait > 0;
  u->in.mmu_rq_ready = 1;
  if (u->translate) u->in.mmu_rs_valid = 1, u->in.mmu_rs_ppn = u->translate - 1;
  u->translate = 0;
}

static void access_memory(struct pair *p, struct unit *u) {
  assert_true(u->out.mem_rq_addr + 8 <= MEMORY);
  struct flight *f = &u->flight[u->n_flights++];
  f->id = u->out.mem_rq_id;
  f->wait = p->latency ? rng_below(&p->rng, p->latency) : 0;
  memcpy(&f->data, p->memory + u->out.mem_rq_addr, 8);
  for (int i = 0; u->out.mem_rq_we && i < 8; i++)
    if (u->out.mem_rq_wstrb >> i & 1)
      p->memory[u->out.mem_rq_addr + (unsigned)i] = (uint8_t)(u->out.mem_rq_wdata >> 8 * i);
}

static void look(struct pair *p, struct unit *u) {
  bench_settle(u);
  bench_tick(u);
  if (u->out.rs_valid) { /* no answer is lost, doubled or another's */
    assert_true(u->waits[u->out.rs_tag]);
    u->waits[u->out.rs_tag] = false;
    u->answered++;
    u->aid[u->out.rs_tag] = u->out.rs_aid, u->active[u->out.rs_tag] = u->out.rs_active,
    u->hit[u->out.rs_tag] = u->out.rs_hit;
  }
  if (u->in.lk_valid && u->out.lk_ready) {
    u->waits[u->in.lk_tag] = true;
    u->taken++;
  }
  if (u->out.mem_rq_valid && u->in.mem_rq_ready) access_memory(p, u);
  if (u->out.mmu_rq_valid) u->translate = 1 + (uint32_t)(u->out.mmu_rq_vpn % PAGES); /* VA = PA */
}

static void cycle(struct pair *p) {
  struct unit *home = &p->unit[0], *other = &p->unit[1];
  struct xmem_amu_in *from = &p->bus[p->cycles % BUS];
  for (int i = 0; i < UNITS_TWO; i++) answer(p, &p->unit[i]);
  other->in.bi_valid = from->bi_valid, other->in.bi_ppn = from->bi_ppn;
  other->in.bi_mask = from->bi_mask, other->in.bi_aid = from->bi_aid;
  other->in.ai_valid = from->ai_valid, other->in.ai_aid = from->ai_aid, other->in.ai_val = from->ai_val;
  for (int i = 0; i < UNITS_TWO; i++) look(p, &p->unit[i]);
  from->bi_valid = home->out.bc_valid, from->bi_ppn = home->out.bc_ppn;
  from->bi_mask = home->out.bc_mask, from->bi_aid = home->out.bc_aid;
  from->ai_valid = home->out.ab_valid, from->ai_aid = home->out.ab_aid, from->ai_val = home->out.ab_val;
  for (int i = 0; i < UNITS_TWO; i++) memset(&p->unit[i].in, 0, sizeof p->unit[i].in);
  p->cycles++;
}

/* Until nothing is under way, on the bus neither. */
static void settle(struct pair *p) {
  int quiet = 0;
  for (int i = 0; i < 100000 && quiet < 2 * BUS; i++) {
    cycle(p);
    quiet = p->unit[0].out.busy || p->unit[1].out.busy ? 0 : quiet + 1;
  }
  assert_true(quiet == 2 * BUS);
}
static void set(struct pair *p, uint8_t sel, uint64_t value) {
  for (int i = 0; i < UNITS_TWO; i++)
    p->unit[i].in.reg_we = 1, p->unit[i].in.reg_sel = sel, p->unit[i].in.reg_data = value;
  cycle(p);
}
static void command(struct pair *p, int unit, uint8_t op, uint32_t aid, uint8_t dim) {
  struct xmem_amu_in *in = &p->unit[unit].in;
  in->cmd_valid = 1, in->cmd_op = op, in->cmd_aid = (uint8_t)aid, in->cmd_dim = dim;
  cycle(p);
  assert_true(p->unit[unit].out.cmd_ready);
}
static void open_context(struct pair *p, uint32_t ctx) {
  set(p, AAM_BASE, 0);
  set(p, CTXPTR, TABLE + 64 * ctx + ctx);
  for (int i = 0; i < UNITS_TWO; i++) command(p, i, CONTEXT, 0, 0);
  settle(p);
}
static void map(struct pair *p, uint8_t op, uint32_t aid, uint64_t start, uint32_t size) {
  set(p, START, start), set(p, SIZEX, size);
  command(p, 0, op, aid, 1);
}
static void ask(struct pair *p, int unit, uint64_t pa, uint16_t tag, uint8_t ctx) {
  struct xmem_amu_in *in = &p->unit[unit].in;
  in->lk_valid = 1, in->lk_pa = pa, in->lk_tag = tag, in->lk_ctx = ctx;
}

/* A lookup of each of the pages' units at both, all answers as memory has them. */
static void check_all(struct pair *p) {
  for (int i = 0; i < UNITS_TWO; i++)
    for (uint32_t n = 0; n < PAGES * 8;) {
      struct unit *u = &p->unit[i];
      uint64_t unit = (n * 37 + 11) % (PAGES * 8), before = u->taken;
      ask(p, i, unit * 512 + 77, (uint16_t)(n % TAGS), 1);
      cycle(p);
      n += u->taken != before;
      if (n % TAGS && n != PAGES * 8) continue;
      settle(p);
      for (uint32_t k = n > TAGS ? n - TAGS : 0; k < n; k++)
        assert_int_equal(u->aid[k % TAGS], p->memory[(k * 37 + 11) % (PAGES * 8)]);
    }
}

static void test_a_lookup_after_a_map_names_its_atom(void **state) {
  (void)state;
  static const int32_t shape[][3] = {{64, 4, 8}, {4, 2, 2}, {1, 16, 5}, {8, 1, 8}};
  uint32_t hits = 0, misses = 0, merges = 0;
  for (uint32_t seed = 0; seed < 8; seed++) {
    const int32_t *s = shape[seed % 4];
    struct pair *p = pair_open(seed, s[0], s[1], s[2]);
    print_message("seed %u\n", seed);
    open_context(p, 1);
    p->latency = 40;
    for (int round = 0; round < 6; round++) {
      for (int m = 0; m < 8; m++) {
        map(p, rng_below(&p->rng, 3) ? MAP : UNMAP, rng_below(&p->rng, 6), rng_below(&p->rng, PAGES * 4096 - 20000),
            rng_below(&p->rng, 20000));
        for (int k = 0; k < 200 || !p->unit[0].out.cmd_ready; k++) { /* lookups meanwhile */
          for (int i = 0; i < UNITS_TWO; i++) {
            uint16_t tag = (uint16_t)rng_below(&p->rng, TAGS);
            if (!p->unit[i].waits[tag]) ask(p, i, rng_below(&p->rng, PAGES * 4096), tag, rng_below(&p->rng, 9) != 0);
          }
          cycle(p);
        }
      }
      settle(p);
      for (int i = 0; i < UNITS_TWO; i++) assert_int_equal(p->unit[i].taken, p->unit[i].answered);
      check_all(p);
    }
    hits += p->unit[1].out.c_hit, misses += p->unit[1].out.c_miss, merges += p->unit[1].out.c_merge;
    pair_close(p);
  }
  print_message("%u hits, %u misses, %u joined\n", hits, misses, merges);
  assert_true(hits > 5000 && misses > 5000 && merges > 100);
}

static void test_a_hit_a_cycle_is_answered_two_cycles_later(void **state) {
  (void)state;
  struct pair *p = pair_open(1, 64, 4, 8);
  struct unit *u = &p->unit[0];
  open_context(p, 1);
  map(p, MAP, 9, 0, 4 * 4096);
  settle(p);
  for (uint32_t n = 0; n < 4; n++) {
    ask(p, 0, n * 4096, (uint16_t)n, 1);
    cycle(p);
    settle(p);
  }
  for (uint32_t n = 0; n < 100; n++) {
    ask(p, 0, n * 1031 % 16384, (uint16_t)(n % TAGS), 1);
    cycle(p);
    assert_true(u->out.lk_ready);
    assert_int_equal(u->out.rs_valid, n >= 2);
    if (n >= 2) assert_true(u->out.rs_tag == n - 2 && u->out.rs_hit && u->out.rs_aid == 9);
  }
  pair_close(p);
}

static void test_a_map_that_meets_a_miss_in_flight(void **state) {
  (void)state;
  struct pair *p = pair_open(1, 64, 4, 8);
  struct unit *u = &p->unit[0];
  open_context(p, 1);
  ask(p, 0, 5 * 4096 + 512, 3, 1);
  while (u->n_flights == 0) cycle(p); /* memory has served the read: no atom yet */
  u->flight[0].wait = 100;
  map(p, MAP, 7, 5 * 4096, 1024);
  while (!u->out.bc_valid) cycle(p);
  assert_true(u->waits[3]);
  settle(p);
  assert_true(u->aid[3] == 7 && !u->hit[3]);
  ask(p, 0, 5 * 4096, 4, 1);
  cycle(p);
  settle(p);
  assert_true(u->aid[4] == 7 && u->hit[4]);
  pair_close(p);
}

static void test_a_switch_flushes_and_late_answers_name_no_atom(void **state) {
  (void)state;
  struct pair *p = pair_open(1, 64, 4, 8);
  struct unit *u = &p->unit[1];
  p->memory[TABLE + 64] = 1 << 4, p->memory[TABLE + 128] = 1 << 5;
  for (int i = 0; i < 16; i++) p->memory[i] = (uint8_t)(4 + i % 2);
  open_context(p, 1);
  for (int n = 0; n < 2; n++) { /* the second time a hit */
    ask(p, 1, 0, 1, 1);
    cycle(p);
    settle(p);
    assert_true(u->aid[1] == 4 && u->active[1] && u->hit[1] == n);
  }
  ask(p, 1, 512, 2, 2); /* of a context that is not the current one */
  cycle(p);
  settle(p);
  assert_true(u->aid[2] == NONE && !u->active[2]);
  uint32_t misses = u->out.c_miss;
  ask(p, 1, 4096, 5, 1); /* a miss that outlives its context */
  while (u->n_flights == 0) cycle(p);
  u->flight[0].wait = 200;
  set(p, CTXPTR, TABLE + 128 + 2);
  for (int i = 0; i < UNITS_TWO; i++) command(p, i, CONTEXT, 0, 0);
  for (int i = 0; i < 30; i++) cycle(p);
  assert_true(u->waits[5] && u->out.c_miss == misses + 1);
  settle(p);
  assert_true(u->aid[5] == NONE && !u->active[5]);
  ask(p, 1, 4096, 6, 2); /* it installed nothing, and what was there is gone */
  cycle(p);
  settle(p);
  ask(p, 1, 0, 7, 2);
  cycle(p);
  settle(p);
  assert_true(u->aid[6] == 4 && !u->hit[6] && !u->active[6] && u->aid[7] == 4 && !u->hit[7]);
  ask(p, 1, 512, 8, 2);
  cycle(p);
  settle(p);
  assert_true(u->aid[8] == 5 && u->hit[8] && u->active[8]);
  command(p, 0, DEACTIVATE, 5, 0); /* at the home unit; the other hears of it */
  settle(p);
  ask(p, 1, 512, 9, 2);
  cycle(p);
  settle(p);
  assert_true(u->aid[9] == 5 && !u->active[9]);
  pair_close(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_lookup_after_a_map_names_its_atom),
    cmocka_unit_test(test_a_hit_a_cycle_is_answered_two_cycles_later),
    cmocka_unit_test(test_a_map_that_meets_a_miss_in_flight),
    cmocka_unit_test(test_a_switch_flushes_and_late_answers_name_no_atom),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
