/* SPDX-License-Identifier: Apache-2.0 */
/* slice: xmem */
/* Does the unit write what AtomMap says, and nothing else? The reference marks bytes one by one, on the host; memory answers
 * out of order, the MMU maps pages at random and not all of them. */
#include "base/rng.h"
#include "kit/block_bench.h"
#include "xmem_amu_core_ports.h"

enum { MAP, UNMAP, ACTIVATE, DEACTIVATE, CONTEXT, PAGE_FREE };
enum { START, LENX, LENY, SIZEX, SIZEY, SIZEZ, CTXPTR, AAM_BASE };
enum { PAGES = 32, FLIGHTS = 16, AAM = 0x1000, TABLE = 0x10000, MEMORY = 0x10100 };
#define VA_BITS (UINT64_C(1) << 48)
/* The window of virtual pages begins below the top and goes on at 0. */
#define WINDOW (VA_BITS - UINT64_C(4096) * PAGES / 2)

struct flight {
  uint32_t id, wait;
  uint64_t data;
};

struct rig {
  BENCH_FIELDS(xmem_amu_core);
  struct rng rng;
  uint8_t memory[MEMORY], told[PAGES * 8]; /* told: atoms as page updates alone say */
  struct flight flight[FLIGHTS];
  uint32_t n_flights, latency, mmu_latency; /* latencies up to these; 0: the next cycle */
  bool asked;
  uint32_t mmu_wait, page_of[PAGES]; /* physical page of a virtual one; PAGES: not mapped */
  uint64_t vpn;
  uint32_t cycles, translations, writes, reads, changes, since_update;
};
BENCH_FUNCTIONS(rig, xmem_amu_core);

static uint32_t entry_bytes(const struct rig *r) { return ((uint32_t)r->cfg.UNITS * (uint32_t)r->cfg.IDW + 7) / 8; }
static uint32_t none(const struct rig *r) { return (1U << r->cfg.IDW) - 1; }

static struct rig *rig_open(struct xmem_amu_core_cfg cfg, uint64_t seed) {
  struct rig *r = malloc(sizeof *r);
  assert_non_null(r);
  bench_open(r, cfg);
  rng_seed(&r->rng, seed);
  memset(r->memory, 0xff, sizeof r->memory);
  memset(r->memory + TABLE, 0, MEMORY - TABLE);
  memset(r->told, (int)none(r), sizeof r->told);
  r->since_update = 9;
  for (uint32_t i = 0; i < PAGES; i++) r->page_of[i] = i;
  return r;
}
static void rig_close(struct rig *r) {
  bench_close(r);
  free(r);
}

/* Atom of a unit in memory: units are packed from the entry's lowest bit on. */
static uint32_t stored(const struct rig *r, uint32_t ppn, uint32_t unit) {
  uint32_t idw = (uint32_t)r->cfg.IDW, aid = 0;
  for (uint32_t b = 0; b < idw; b++) {
    uint32_t bit = unit * idw + b;
    aid |= (uint32_t)(r->memory[AAM + ppn * entry_bytes(r) + bit / 8] >> (bit % 8) & 1) << b;
  }
  return aid;
}

static void access_memory(struct rig *r) {
  assert_true(r->out.mem_rq_addr + 8 <= MEMORY && r->n_flights < FLIGHTS);
  struct flight *f = &r->flight[r->n_flights++];
  f->id = r->out.mem_rq_id;
  f->wait = r->latency ? rng_below(&r->rng, r->latency + 1) : 0;
  for (uint32_t i = 0; i < r->n_flights - 1; i++) assert_int_not_equal(r->flight[i].id, f->id);
  memcpy(&f->data, r->memory + r->out.mem_rq_addr, 8);
  for (int i = 0; r->out.mem_rq_we && i < 8; i++)
    if (r->out.mem_rq_wstrb >> i & 1)
      r->memory[r->out.mem_rq_addr + (unsigned)i] = (uint8_t)(r->out.mem_rq_wdata >> 8 * i);
  r->writes += r->out.mem_rq_we;
  r->reads += !r->out.mem_rq_we;
}

/* A page update tells what memory has, and is not the neighbour of another. */
static void take_update(struct rig *r) {
  assert_true(r->since_update >= 2);
  r->since_update = 0;
  for (uint32_t u = 0; u < (uint32_t)r->cfg.UNITS; u++)
    if (r->out.bc_mask >> u & 1) r->told[r->out.bc_ppn * 8 + u] = r->out.bc_aid;
}

static const struct xmem_amu_core_out *cycle(struct rig *r) {
  r->in.mem_rq_ready = r->latency ? rng_below(&r->rng, 4) != 0 && r->n_flights < FLIGHTS : 1;
  r->in.mmu_rq_ready = 1;
  for (uint32_t i = 0; i < r->n_flights && !r->in.mem_rs_valid; i++) {
    if (r->flight[i].wait) continue;
    r->in.mem_rs_valid = 1, r->in.mem_rs_id = (uint8_t)r->flight[i].id, r->in.mem_rs_data = r->flight[i].data;
    r->flight[i] = r->flight[--r->n_flights];
  }
  for (uint32_t i = 0; i < r->n_flights; i++) r->flight[i].wait -= r->flight[i].wait > 0;
  if (r->asked && !r->mmu_wait--) {
    uint32_t page = (uint32_t)(r->vpn - WINDOW / 4096) & 0xfffffff;
    r->in.mmu_rs_valid = 1;
    r->in.mmu_rs_fault = page >= PAGES || r->page_of[page] == PAGES;
    r->in.mmu_rs_ppn = r->in.mmu_rs_fault ? 0 : r->page_of[page];
    r->asked = false;
  }
  bench_settle(r);
  bench_tick(r);
  r->since_update++;
  if (r->out.bc_valid) take_update(r);
  if (r->out.mem_rq_valid && r->in.mem_rq_ready) access_memory(r);
  if (r->out.mmu_rq_valid) {
    assert_false(r->asked);
    r->asked = true, r->vpn = r->out.mmu_rq_vpn, r->translations++;
    r->mmu_wait = r->latency ? rng_below(&r->rng, r->mmu_latency + 1) : r->mmu_latency;
  }
  r->changes += r->out.atoms_changed;
  r->cycles++;
  memset(&r->in, 0, sizeof r->in);
  return &r->out;
}

static void set(struct rig *r, uint8_t sel, uint64_t value) {
  r->in.reg_we = 1, r->in.reg_sel = sel, r->in.reg_data = value;
  cycle(r);
}
static void settle(struct rig *r) {
  for (int i = 0; i < 4000000 && cycle(r)->busy; i++) continue;
  assert_false(r->out.busy);
}
static void command(struct rig *r, uint8_t op, uint32_t aid, uint8_t dim) {
  r->in.cmd_valid = 1, r->in.cmd_op = op, r->in.cmd_aid = (uint8_t)aid, r->in.cmd_dim = dim;
  assert_true(cycle(r)->cmd_ready);
}
static void open_context(struct rig *r, uint32_t ctx) {
  set(r, AAM_BASE, AAM);
  set(r, CTXPTR, TABLE + 64 * ctx + ctx);
  command(r, CONTEXT, 0, 0);
  settle(r);
}

struct area {
  uint64_t start;
  uint32_t dim, len_x, len_y, size_x, size_y, size_z;
};

static void send(struct rig *r, uint8_t op, uint32_t aid, const struct area *a) {
  set(r, START, a->start | UINT64_C(0xabcd) << 48);
  set(r, LENX, a->len_x), set(r, LENY, a->len_y);
  set(r, SIZEX, a->size_x), set(r, SIZEY, a->size_y), set(r, SIZEZ, a->size_z);
  command(r, op, aid, (uint8_t)a->dim);
}

/* One run of bytes, byte by byte: units of which it covers one byte, or with EDGE half. */
static void mark_run(const struct rig *r, uint8_t *atoms, uint64_t start, uint64_t bytes, uint8_t op, uint32_t aid) {
  uint32_t size = 4096 / (uint32_t)r->cfg.UNITS, wanted = r->cfg.EDGE ? size / 2 : 1, covered = 0;
  for (uint64_t i = 0; i < bytes; i++) {
    uint64_t va = (start + i) % VA_BITS, page = (va - WINDOW) % VA_BITS / 4096;
    if (va % size == 0 || !i) covered = 0;
    if (++covered != wanted || page >= PAGES || r->page_of[page] == PAGES) continue;
    uint8_t *atom = &atoms[r->page_of[page] * 8 + va % 4096 / size];
    if (op == MAP) *atom = (uint8_t)aid;
    else if (!r->cfg.UNMAP_CHECK || *atom == aid) *atom = (uint8_t)none(r);
  }
}

static void mark(const struct rig *r, uint8_t *atoms, uint8_t op, uint32_t aid, const struct area *a) {
  uint64_t rows = a->dim >= 2 ? a->size_y : 1, planes = a->dim == 3 ? a->size_z : 1, x = a->size_x;
  uint64_t pitch = (uint64_t)a->len_x * a->len_y;
  if (aid == none(r) || !a->dim || !(x && rows && planes)) return;
  /* What lies side by side is one run: it matters to edges only. */
  if (a->dim >= 2 && a->size_x == a->len_x) x *= rows, rows = 1;
  if (a->dim == 3 && rows == 1 && a->size_x == a->len_x && a->size_y == a->len_y) x *= planes, planes = 1;
  for (uint64_t z = 0; z < planes; z++)
    for (uint64_t y = 0; y < rows; y++) mark_run(r, atoms, a->start + z * pitch + y * a->len_x, x, op, aid);
}

static void check_memory(const struct rig *r, const uint8_t *atoms) {
  for (uint32_t p = 0; p < PAGES; p++)
    for (uint32_t u = 0; u < (uint32_t)r->cfg.UNITS; u++) {
      assert_int_equal(stored(r, p, u), atoms[p * 8 + u]);
      assert_int_equal(r->told[p * 8 + u], atoms[p * 8 + u]);
    }
  for (uint32_t i = AAM + PAGES * entry_bytes(r); i < TABLE; i++) assert_int_equal(r->memory[i], 0xff);
  for (uint32_t i = 0; i < AAM; i++) assert_int_equal(r->memory[i], 0xff);
}

static struct area draw(struct rig *r) {
  uint64_t at = WINDOW + rng_below(&r->rng, PAGES * 4096);
  uint32_t pick = rng_below(&r->rng, 6);
  struct area a = {.start = at % VA_BITS, .dim = 1 + rng_below(&r->rng, 3), .len_x = rng_below(&r->rng, 6000)};
  if (pick < 2) a.len_x = 512 * rng_below(&r->rng, 10);
  a.size_x = pick == 2 ? rng_below(&r->rng, 300) : rng_below(&r->rng, 9000);
  if (pick == 3) a.size_x = a.len_x;
  if (a.dim == 1) a.size_x *= 4;
  a.size_y = rng_below(&r->rng, 12), a.size_z = rng_below(&r->rng, 4);
  a.len_y = rng_below(&r->rng, 2) ? a.size_y : rng_below(&r->rng, 14);
  if (rng_below(&r->rng, 20) == 0) a.dim = 0;
  return a;
}

static void run_random(struct xmem_amu_core_cfg cfg, uint64_t seed) {
  struct rig *r = rig_open(cfg, seed);
  uint8_t atoms[PAGES * 8];
  print_message("seed %llu\n", (unsigned long long)seed);
  memset(atoms, (int)none(r), sizeof atoms);
  r->latency = 20, r->mmu_latency = 30;
  for (uint32_t i = 0; i < PAGES; i++) r->page_of[i] = rng_below(&r->rng, 8) ? (i * 13 + 5) % PAGES : PAGES;
  open_context(r, 1);
  for (int i = 0; i < 60; i++) {
    struct area a = draw(r);
    uint32_t aid = rng_below(&r->rng, 30) ? rng_below(&r->rng, 3) : none(r);
    uint8_t op = rng_below(&r->rng, 3) ? MAP : UNMAP;
    send(r, op, aid, &a);
    mark(r, atoms, op, aid, &a);
    if (rng_below(&r->rng, 2)) settle(r); /* else the next follows while this one is under way */
    while (!cycle(r)->cmd_ready) continue;
  }
  settle(r);
  check_memory(r, atoms);
  rig_close(r);
}

static struct xmem_amu_core_cfg with(int32_t units, int32_t idw, int32_t unmap_check, int32_t edge) {
  return (struct xmem_amu_core_cfg){.PPN_W = 28,
                                    .UNITS = units,
                                    .IDW = idw,
                                    .NMISS = 8,
                                    .TAGW = 10,
                                    .HOME = 1,
                                    .UNMAP_CHECK = unmap_check,
                                    .EDGE = edge,
                                    .ALB_FLUSH_ON_CTX = 1};
}

static void test_random_maps_are_what_bytes_say(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 6; seed++) run_random(with(8, 8, 0, 0), seed);
}
static void test_a_unit_counts_if_half_of_it_is_mapped(void **state) {
  (void)state;
  for (uint64_t seed = 11; seed <= 14; seed++) run_random(with(8, 8, 0, 1), seed);
}
static void test_unmap_leaves_units_of_others(void **state) {
  (void)state;
  for (uint64_t seed = 21; seed <= 24; seed++) run_random(with(8, 8, 1, 0), seed);
}
static void test_packed_entries_of_three_bytes(void **state) {
  (void)state;
  for (uint64_t seed = 31; seed <= 33; seed++) run_random(with(4, 6, 0, 0), seed);
  run_random(with(8, 6, 1, 0), 34);
  run_random(with(4, 8, 0, 1), 35);
}

/* A tile of 64 KB in one piece: 3 cycles a page and the translation, whose request and answer take one cycle each. */
static void test_three_cycles_a_page(void **state) {
  (void)state;
  struct rig *r = rig_open(with(8, 8, 0, 0), 1);
  struct area tile = {.start = WINDOW, .dim = 1, .size_x = 65536};
  open_context(r, 0);
  send(r, MAP, 7, &tile);
  uint32_t from = r->cycles;
  while (cycle(r)->doing) continue;
  assert_int_equal(r->cycles - from - 1, 4 + 16 * 3 + 16 * 2); /* take, SETUP, ROW, and the working set */
  assert_int_equal(r->out.c_pages, 16);
  settle(r);
  /* the same page again and again, rows of one unit: no translation but the first, a cycle a row more */
  struct area rows = {.start = WINDOW, .dim = 2, .len_x = 512, .size_x = 256, .size_y = 8};
  send(r, MAP, 8, &rows);
  from = r->cycles;
  while (cycle(r)->doing) continue;
  assert_int_equal(r->cycles - from - 1, 3 + 8 * 4 + 2);
  assert_int_equal(r->translations, 17);
  rig_close(r);
}

static void test_nothing_is_done_before_the_first_context(void **state) {
  (void)state;
  struct rig *r = rig_open(with(8, 8, 0, 0), 1);
  struct area a = {.start = WINDOW, .dim = 1, .size_x = 8192};
  set(r, AAM_BASE, AAM);
  send(r, MAP, 1, &a), send(r, UNMAP, 1, &a);
  command(r, ACTIVATE, 1, 0);
  settle(r);
  assert_true(r->writes == 0 && r->reads == 0 && r->translations == 0 && r->changes == 0);
  for (int i = 0; i < 3; i++) { /* lookups name no atom and do not reach the ALB */
    r->in.lk_valid = 1, r->in.lk_tag = (uint16_t)(40 + i), r->in.al_ready = 1;
    assert_true(cycle(r)->lk_open && !r->out.al_valid && (i == 0 || (r->out.rs_valid && r->out.rs_tag == 39 + i)));
  }
  assert_true(cycle(r)->rs_valid && r->out.rs_tag == 42 && r->out.rs_aid == 0xff && !r->out.rs_active);
  memset(r->memory + AAM + 3 * 8, 5, 8);
  set(r, START, 3 << 12); /* a freed frame is cleared all the same */
  command(r, PAGE_FREE, 9, 0);
  settle(r);
  for (uint32_t u = 0; u < 8; u++) assert_int_equal(stored(r, 3, u), 0xff);
  assert_int_equal(r->writes, 1);
  r->memory[TABLE + 2] = 0x10; /* atom 20 is active in the context that comes */
  r->in.reg_we = 1;
  open_context(r, 0);
  assert_true(r->reads == 4 && r->changes == 1);
  r->in.ar_valid = 1, r->in.ar_tag = 17, r->in.ar_aid = 20, r->in.ar_hit = 1;
  assert_true(cycle(r)->rs_valid && r->out.rs_active && r->out.rs_aid == 20 && r->out.rs_tag == 17);
  rig_close(r);
}

static void test_zero_sizes_and_no_atom_have_no_effect(void **state) {
  (void)state;
  struct rig *r = rig_open(with(8, 8, 0, 0), 1);
  static const struct area nothing[] = {
    {.start = WINDOW, .dim = 0, .size_x = 9, .size_y = 9, .size_z = 9},
    {.start = WINDOW, .dim = 1},
    {.start = WINDOW, .dim = 2, .size_x = 9},
    {.start = WINDOW, .dim = 3, .size_x = 9, .size_y = 9},
  };
  open_context(r, 0);
  uint32_t reads = r->reads;
  for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) send(r, MAP, 1, &nothing[i]);
  struct area a = {.start = WINDOW, .dim = 1, .size_x = 9};
  send(r, MAP, 255, &a);
  command(r, ACTIVATE, 255, 0);
  settle(r);
  assert_true(r->writes == 0 && r->reads == reads && r->translations == 0 && r->changes == 1);
  r->in.ws_rd_en = 1, r->in.ws_rd_aid = 1;
  assert_int_equal(cycle(r)->ws_rd_val, 0);
  rig_close(r);
}

static void test_the_queue_holds_four_commands_and_refuses_a_fifth(void **state) {
  (void)state;
  struct rig *r = rig_open(with(8, 8, 0, 0), 1);
  struct area a = {.start = WINDOW, .dim = 1, .size_x = 4096};
  open_context(r, 0);
  r->mmu_latency = 1000;
  send(r, MAP, 1, &a);
  command(r, ACTIVATE, 2, 0), command(r, ACTIVATE, 3, 0), command(r, DEACTIVATE, 3, 0);
  r->in.cmd_valid = 1, r->in.cmd_op = ACTIVATE, r->in.cmd_aid = 4;
  assert_false(cycle(r)->cmd_ready);
  settle(r);
  assert_int_equal(r->memory[TABLE], 1 << 2); /* 2 stands, 3 is off again, 4 was refused */
  rig_close(r);
}

static uint32_t working_set(struct rig *r, uint32_t aid) {
  r->in.ws_rd_en = 1, r->in.ws_rd_aid = (uint8_t)aid;
  return cycle(r)->ws_rd_val;
}

static void test_working_sets_saturate_and_belong_to_a_context(void **state) {
  (void)state;
  struct rig *r = rig_open(with(8, 8, 0, 0), 1);
  struct area a = {.start = WINDOW, .dim = 2, .len_x = 5000, .size_x = 1000, .size_y = 3};
  /* 8 GB in rows that fall on one byte: a product beyond 33 bits, few pages */
  struct area big = {
    .start = 0, .dim = 3, .len_x = 0, .len_y = 7, .size_x = 1u << 20, .size_y = 1u << 7, .size_z = 1u << 6};
  open_context(r, 1);
  send(r, MAP, 1, &a);
  settle(r);
  assert_int_equal(working_set(r, 1), 6); /* ceil(3000 / 512) */
  send(r, UNMAP, 1, &a), send(r, UNMAP, 1, &a);
  settle(r);
  assert_int_equal(working_set(r, 1), 0);
  send(r, MAP, 2, &big);
  while (cycle(r)->busy && r->cycles < 60000000) continue;
  settle(r);
  assert_int_equal(working_set(r, 2), (1 << 24) - 1);
  send(r, MAP, 2, &a), send(r, UNMAP, 2, &a);
  settle(r);
  assert_int_equal(working_set(r, 2), (1 << 24) - 1 - 6);
  open_context(r, 1); /* the same again keeps them */
  assert_int_equal(working_set(r, 2), (1 << 24) - 1 - 6);
  open_context(r, 2);
  assert_int_equal(working_set(r, 2), 0);
  rig_close(r);
}

static void test_status_bits_are_written_through_and_come_back(void **state) {
  (void)state;
  struct rig *r = rig_open(with(8, 8, 0, 0), 5);
  r->latency = 9;
  open_context(r, 1);
  for (uint32_t aid = 0; aid < 255; aid += 7) {
    uint32_t changes = r->changes;
    command(r, ACTIVATE, aid, 0);
    if (aid % 3 == 0) command(r, DEACTIVATE, aid, 0);
    settle(r);
    assert_int_equal(r->changes - changes, aid % 3 ? 1 : 2);
    changes = r->changes;
    command(r, aid % 3 ? ACTIVATE : DEACTIVATE, aid, 0); /* nothing new */
    settle(r);
    assert_int_equal(r->changes, changes);
  }
  for (uint32_t aid = 0; aid < 256; aid++)
    assert_int_equal(r->memory[TABLE + 64 + aid / 8] >> aid % 8 & 1, aid % 7 == 0 && aid % 3 != 0);
  open_context(r, 2); /* another process, all off; then back */
  r->in.ar_valid = 1, r->in.ar_tag = 2 << 8, r->in.ar_aid = 7;
  assert_false(cycle(r)->rs_active);
  open_context(r, 1);
  for (uint32_t aid = 0; aid < 256; aid++) {
    r->in.ar_valid = 1, r->in.ar_tag = 1 << 8 | 3, r->in.ar_aid = (uint8_t)aid;
    assert_int_equal(cycle(r)->rs_active, aid % 7 == 0 && aid % 3 != 0);
    r->in.ar_valid = 1, r->in.ar_tag = 2 << 8 | 3, r->in.ar_aid = (uint8_t)aid; /* asked for before the switch */
    assert_true(!cycle(r)->rs_active && r->out.rs_aid == 255 && r->out.rs_tag == 3);
  }
  rig_close(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_random_maps_are_what_bytes_say),
    cmocka_unit_test(test_a_unit_counts_if_half_of_it_is_mapped),
    cmocka_unit_test(test_unmap_leaves_units_of_others),
    cmocka_unit_test(test_packed_entries_of_three_bytes),
    cmocka_unit_test(test_three_cycles_a_page),
    cmocka_unit_test(test_nothing_is_done_before_the_first_context),
    cmocka_unit_test(test_zero_sizes_and_no_atom_have_no_effect),
    cmocka_unit_test(test_the_queue_holds_four_commands_and_refuses_a_fifth),
    cmocka_unit_test(test_working_sets_saturate_and_belong_to_a_context),
    cmocka_unit_test(test_status_bits_are_written_through_and_come_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
