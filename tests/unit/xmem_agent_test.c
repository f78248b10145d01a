/* SPDX-License-Identifier: Apache-2.0 */
/* slice: xmem */
/* Does the part of XMem beyond the SMs map what it is told to, answer by it, and is its time the same however it is clocked? */
#include "kit/owned.h"
#include "kit/xmem_rig.h"
#include "systems/xmem/tables.h"

enum { SEED = 0xa6e27, PAGES = 48, REGION = PAGES * PAGE_BYTES };
#define BASE (DEVICE_MEMORY_BASE + 5 * PAGE_BYTES)

#define RIG(seed, every_edge, ...) rig_create((const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL}, seed, every_edge)

/* ---- maps against a byte map ---- */

struct reference {
  uint32_t unit;
  uint8_t aid[REGION / 512]; /* by unit of the region, which is identity-mapped */
};

/* Every unit of an allocated page that a byte of the map lies in; rows may wrap around or lie elsewhere. */
static void reference_map(struct reference *f, const struct xmem_command *c, uint8_t aid) {
  uint32_t rows = c->dim >= 2 ? c->size_y : 1, planes = c->dim == 3 ? c->size_z : 1;
  if (!c->dim || !c->size_x) return;
  for (uint32_t z = 0; z < planes; z++)
    for (uint32_t y = 0; y < rows; y++) {
      uint64_t row = c->start + (uint64_t)z * c->len_x * c->len_y + (uint64_t)y * c->len_x;
      for (uint64_t b = row / f->unit * f->unit; b < row + c->size_x; b += f->unit)
        if (b >= BASE && b < BASE + REGION) f->aid[(b - BASE) / f->unit] = aid;
    }
}

static struct xmem_command random_map(struct rng *r, uint32_t none) {
  struct xmem_command c = {.code = rng_percent(r, 80) ? XMEM_CODE_MAP : XMEM_CODE_UNMAP,
                           .aid = (uint8_t)rng_below(r, none),
                           .dim = (uint8_t)(1 + rng_below(r, 3)),
                           .start = BASE - 3 * PAGE_BYTES + rng_below(r, REGION)};
  c.size_x = rng_below(r, c.dim == 1 ? 30000 : 3000);
  c.len_x = c.size_x + rng_below(r, 6000);
  c.size_y = rng_below(r, 9);
  c.len_y = c.size_y + rng_below(r, 4);
  c.size_z = rng_below(r, 5);
  if (rng_percent(r, 20)) c.len_x = c.size_x;
  if (rng_percent(r, 20)) c.len_y = c.size_y;
  return c;
}

static void maps_equal_a_byte_map(const char *unit, const char *bits) {
  struct rig *r = RIG(SEED, false, unit, bits, "xmem.debounce=50");
  static struct reference f;
  struct rng random;
  uint32_t none = xmem_agent_no_atom(r->agent);
  f.unit = strstr(unit, "1024") ? 1024 : 512;
  memset(f.aid, none, sizeof f.aid);
  rng_seed(&random, SEED);
  print_message("seed 0x%x\n", SEED);
  rig_allocate(r, BASE, REGION);
  rig_context(r, 0, none, XMEM_PATTERN_NON_DET, 0, 1);
  for (uint32_t round = 0; round < 8; round++) {
    for (uint32_t i = 0; i < 20; i++) {
      struct xmem_command c = random_map(&random, none);
      rig_command(r, c);
      reference_map(&f, &c, c.code == XMEM_CODE_MAP ? c.aid : (uint8_t)none);
    }
    rig_drain(r);
    for (uint32_t i = 0; i < REGION / f.unit; i++)
      assert_int_equal(xmem_agent_atom(r->agent, BASE + (uint64_t)i * f.unit, NULL), f.aid[i]);
  }
  /* pages that nobody has are no one's */
  assert_int_equal(xmem_agent_atom(r->agent, BASE - 1, NULL), none);
  assert_int_equal(xmem_agent_atom(r->agent, BASE + REGION, NULL), none);
  assert_true(xmem_memory_counters(&r->counters)->xmem_pages_mapped > 100);
  rig_destroy(r);
}

static void test_maps_equal_a_byte_map(void **state) {
  (void)state;
  maps_equal_a_byte_map("xmem.unit=512", "xmem.id_bits=8");
}
static void test_maps_equal_a_byte_map_with_packed_entries(void **state) {
  (void)state;
  maps_equal_a_byte_map("xmem.unit=1024", "xmem.id_bits=6");
  maps_equal_a_byte_map("xmem.unit=512", "xmem.id_bits=6");
}

/* ---- answers ---- */

/* After maps have ended every lookup in time is answered with what is mapped: all active data of enough reuse is pinned. */
static void test_a_lookup_after_a_map_names_its_atom(void **state) {
  (void)state;
  struct rig *r = RIG(SEED + 1, false, "xmem.debounce=10", "xmem.lookup_timeout=1000", "xmem.pin_percent=100",
                      "l2.bytes=262144", "xmem.alb_sets=4", "xmem.alb_ways=2");
  struct rng random;
  rng_seed(&random, SEED + 1);
  rig_allocate(r, BASE, REGION);
  rig_context(r, 1, 2, XMEM_PATTERN_NON_DET, 0, 9);
  rig_command(r, (struct xmem_command){.code = XMEM_CODE_ACTIVATE, .aid = 1});
  rig_map(r, 0, BASE, REGION);
  rig_map(r, 1, BASE + 7 * PAGE_BYTES, 21 * PAGE_BYTES);
  rig_drain(r);
  rig_wait(r, 400);
  for (uint32_t i = 0; i < 3000; i++) {
    uint64_t at = BASE + rng_below(&random, REGION);
    bool mine = at >= BASE + 7 * PAGE_BYTES && at < BASE + 28 * PAGE_BYTES, active;
    uint32_t before = r->n_marks;
    assert_int_equal(xmem_agent_atom(r->agent, at, &active), mine);
    assert_int_equal(active, mine);
    rig_look_up(r, at, true);
    rig_drain(r);
    assert_int_equal(r->n_marks - before, mine);
    if (!mine) continue;
    assert_int_equal(r->marks[before].mark, L2_MARK_PIN);
    assert_true(r->marks[before].physical == at);
  }
  assert_int_equal(xmem_memory_counters(&r->counters)->xmem_lookups, 3000);
  assert_int_equal(
    xmem_memory_counters(&r->counters)->xmem_alb_hits + xmem_memory_counters(&r->counters)->xmem_alb_misses, 3000);
  assert_true(xmem_memory_counters(&r->counters)->xmem_alb_misses > 500);
  /* a map over it, and an unmap */
  rig_map(r, 0, BASE + 8 * PAGE_BYTES, 512);
  rig_command(r, (struct xmem_command){
                   .code = XMEM_CODE_UNMAP, .aid = 1, .dim = 1, .start = BASE + 9 * PAGE_BYTES, .size_x = PAGE_BYTES});
  rig_drain(r);
  uint32_t before = r->n_marks;
  rig_look_up(r, BASE + 8 * PAGE_BYTES + 511, true);
  rig_look_up(r, BASE + 9 * PAGE_BYTES, true);
  rig_look_up(r, DEVICE_MEMORY_BASE + ((uint64_t)r->config.memory_mib << 20), true); /* local memory: not even asked */
  rig_drain(r);
  assert_int_equal(r->n_marks, before);
  assert_int_equal(xmem_memory_counters(&r->counters)->xmem_lookups, 3002);
  rig_destroy(r);
}

static void test_a_freed_frame_is_nobodys(void **state) {
  (void)state;
  struct rig *r = RIG(SEED + 2, false);
  rig_allocate(r, BASE, 2 * PAGE_BYTES);
  rig_context(r, 0, 4, XMEM_PATTERN_NON_DET, 0, 9);
  rig_map(r, 3, BASE, 2 * PAGE_BYTES);
  rig_drain(r);
  assert_int_equal(xmem_agent_atom(r->agent, BASE + PAGE_BYTES, NULL), 3);
  uint64_t commands = xmem_memory_counters(&r->counters)->xmem_commands;
  page_table_free(memory_pages(r->memory), BASE, 2 * PAGE_BYTES);
  rig_drain(r);
  assert_int_equal(xmem_agent_atom(r->agent, BASE, NULL), 255);
  assert_int_equal(xmem_agent_atom(r->agent, BASE + PAGE_BYTES, NULL), 255);
  assert_int_equal(xmem_memory_counters(&r->counters)->xmem_commands, commands + 2);
  /* nothing is mapped there: no command */
  rig_allocate(r, BASE, PAGE_BYTES);
  page_table_free(memory_pages(r->memory), BASE, PAGE_BYTES);
  assert_int_equal(r->in_flight, 0);
  /* a map of a page that nobody has is dropped */
  rig_map(r, 2, BASE, PAGE_BYTES);
  rig_drain(r);
  assert_int_equal(xmem_agent_atom(r->agent, BASE, NULL), 255);
  rig_destroy(r);
}

/* More questions than the AMU can take: each is asked or dropped, and what is asked is answered. */
static void test_every_request_is_asked_or_dropped(void **state) {
  (void)state;
  struct rig *r =
    RIG(SEED + 9, false, "xmem.prefetch_degree=0", "xmem.alb_sets=2", "xmem.alb_ways=1", "xmem.alb_misses=2");
  struct rng random;
  rng_seed(&random, SEED + 9);
  rig_allocate(r, BASE, REGION);
  rig_context(r, 0, 3, XMEM_PATTERN_REGULAR, 128, 9);
  rig_drain(r);
  uint32_t asked = 0;
  for (uint32_t i = 0; i < 4000; i++) {
    for (uint32_t n = rng_below(&random, i < 2000 ? 3 : 6); n; n--, asked++)
      rig_look_up(r, BASE + rng_below(&random, REGION), rng_percent(&random, 50));
    rig_edge(r);
  }
  rig_drain(r);
  assert_int_equal(xmem_memory_counters(&r->counters)->xmem_lookups + xmem_memory_counters(&r->counters)->xmem_dropped,
                   asked);
  assert_int_equal(xmem_memory_counters(&r->counters)->xmem_lookups,
                   xmem_memory_counters(&r->counters)->xmem_alb_hits +
                     xmem_memory_counters(&r->counters)->xmem_alb_misses);
  assert_true(xmem_memory_counters(&r->counters)->xmem_dropped > 1000 &&
              xmem_memory_counters(&r->counters)->xmem_late > 10);
  /* and when it is quiet again nothing is left of it */
  uint64_t late = xmem_memory_counters(&r->counters)->xmem_late,
           dropped = xmem_memory_counters(&r->counters)->xmem_dropped;
  for (uint32_t i = 0; i < 50; i++) {
    rig_look_up(r, BASE, true);
    rig_drain(r);
  }
  assert_true(xmem_memory_counters(&r->counters)->xmem_late <= late + 1);
  assert_int_equal(xmem_memory_counters(&r->counters)->xmem_dropped, dropped);
  rig_destroy(r);
}

/* ---- commands of SMs ---- */

static void test_every_command_of_an_sm_is_done_once_in_order(void **state) {
  (void)state;
  struct rig *r = RIG(SEED + 3, false);
  rig_allocate(r, BASE, REGION);
  rig_context(r, 0, 10, XMEM_PATTERN_NON_DET, 0, 9);
  rig_drain(r);
  for (uint32_t round = 0; round < 40; round++) {
    uint32_t first = r->n_done;
    for (uint32_t tag = 0; tag < XMEM_SLOTS; tag++)
      for (uint32_t sm = 0; sm < 2; sm++) {
        struct xmem_command *slot = xmem_agent_slot(r->agent, sm, tag);
        *slot = (struct xmem_command){.code = XMEM_CODE_MAP,
                                      .aid = (uint8_t)(round % 10),
                                      .dim = 1,
                                      .start = BASE + (tag * 2 + sm) * PAGE_BYTES,
                                      .size_x = PAGE_BYTES};
        struct mem_request q = {.sm = (uint16_t)sm, .tag = (uint16_t)(0xff00 + tag), .kind = MEM_COMMAND, .bytes = 8};
        r->in_flight++;
        xmem_agent_ops.command(r->agent, &q);
        if (round & 1) rig_wait(r, 3);
      }
    rig_drain(r);
    assert_int_equal(r->n_done, first + 8);
    for (uint32_t i = 0; i < 8; i++) assert_int_equal(r->done[first + i], (i % 2) << 16 | (0xff00 + i / 2));
    for (uint32_t i = 0; i < 8; i++)
      assert_int_equal(xmem_agent_atom(r->agent, BASE + i * PAGE_BYTES, NULL), round % 10);
  }
  assert_int_equal(xmem_memory_counters(&r->counters)->xmem_map_cycles > 0, 1);
  rig_destroy(r);
}

/* ---- contexts ---- */

static void test_a_context_keeps_what_is_active(void **state) {
  (void)state;
  struct rig *r = RIG(SEED + 4, false, "xmem.debounce=20");
  bool active;
  rig_allocate(r, BASE, REGION);
  for (uint32_t context = 0; context < XMEM_CONTEXTS; context++) {
    rig_context(r, context, 40, XMEM_PATTERN_NON_DET, 0, 9);
    for (uint32_t i = 0; i < 40; i++)
      if ((i * 7 + context) % 3 == 0)
        rig_command(r, (struct xmem_command){.code = XMEM_CODE_ACTIVATE, .aid = (uint8_t)i});
  }
  for (uint32_t i = 0; i < 40; i++) rig_map(r, i, BASE + i * PAGE_BYTES, PAGE_BYTES);
  rig_drain(r);
  for (uint32_t context = 0; context < XMEM_CONTEXTS; context++) {
    rig_command(r, (struct xmem_command){.code = XMEM_CODE_CONTEXT, .start = context});
    rig_drain(r);
    for (uint32_t i = 0; i < 40; i++) {
      assert_int_equal(xmem_agent_atom(r->agent, BASE + i * PAGE_BYTES, &active), i);
      assert_int_equal(active, (i * 7 + context) % 3 == 0);
      uint64_t seen = xmem_memory_counters(&r->counters)->xmem_active;
      rig_look_up(r, BASE + i * PAGE_BYTES, true);
      rig_drain(r);
      rig_look_up(r, BASE + i * PAGE_BYTES, true); /* in time: the first one may have had to wait for memory */
      rig_drain(r);
      assert_int_equal(xmem_memory_counters(&r->counters)->xmem_active > seen, active);
    }
  }
  assert_int_equal(xmem_memory_counters(&r->counters)->xmem_switches, 2 * XMEM_CONTEXTS);
  /* 40 atoms at 4 cycles, and the way of the tables, are the least that a switch takes */
  assert_true(xmem_memory_counters(&r->counters)->xmem_switch_cycles >=
              2 * XMEM_CONTEXTS * (40 * 4 + (uint64_t)OWNED(xmem, r->config)->bus_latency));
  rig_destroy(r);
}

/* Units of the region that are pinned when they are asked for. */
static uint32_t pinned_units(struct rig *r) {
  uint32_t before = r->n_marks, n = 0;
  for (uint64_t at = 0; at < REGION; at += 512) {
    rig_look_up(r, BASE + at, true);
    rig_drain(r);
    r->n_marks = before;
    rig_look_up(r, BASE + at, true); /* in time: the first one may have had to wait for memory */
    rig_drain(r);
    n += r->n_marks > before && r->marks[before].mark == L2_MARK_PIN;
    r->n_marks = before;
  }
  return n;
}

/* Found by: the AMU forgets working sets at a switch, and what has none seemed to fit whole. */
static void test_a_context_that_comes_back_pins_as_much_as_before(void **state) {
  (void)state;
  struct rig *r = RIG(SEED + 7, false, "xmem.debounce=20", "xmem.pin_percent=5");
  rig_allocate(r, BASE, REGION);
  rig_context(r, 0, 4, XMEM_PATTERN_NON_DET, 0, 9);
  rig_command(r, (struct xmem_command){.code = XMEM_CODE_ACTIVATE, .aid = 2});
  rig_map(r, 2, BASE, REGION);
  rig_drain(r);
  rig_wait(r, 100);
  uint32_t first = pinned_units(r);
  assert_in_range(first, 1, REGION / 512 - 1);
  rig_context(r, 1, 4, XMEM_PATTERN_NON_DET, 0, 9);
  rig_drain(r);
  rig_command(r, (struct xmem_command){.code = XMEM_CODE_CONTEXT, .start = 0});
  rig_drain(r);
  rig_wait(r, 100);
  assert_int_equal(pinned_units(r), first);
  rig_destroy(r);
}

/* ---- the expressed pattern ---- */

/* The candidates that are neither cached nor of another atom, from rig prefetch number `before` on, in any order: those of other
 * slices come later. */
static void check_prefetches(struct rig *r, uint32_t before, const uint64_t *wanted, uint32_t n) {
  assert_int_equal(r->n_prefetches - before, n);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t found = 0;
    for (uint32_t k = before; k < r->n_prefetches; k++) found += r->prefetches[k].physical == wanted[i];
    assert_int_equal(found, 1);
  }
}

static void follows_the_pattern(int32_t stride, const char *region, uint64_t bytes) {
  struct rig *r = RIG(SEED + 5, false, "xmem.lookup_timeout=1000", "xmem.pin_percent=0", region);
  const struct address_map *map = memory_address_map(r->memory);
  uint32_t elsewhere = 0;
  rig_allocate(r, BASE, REGION);
  rig_context(r, 0, 2, XMEM_PATTERN_REGULAR, stride, 9);
  rig_command(r, (struct xmem_command){.code = XMEM_CODE_ACTIVATE, .aid = 1});
  rig_map(r, 1, BASE, 8 * PAGE_BYTES);
  rig_map(r, 0, BASE + 1024, 512); /* active or not, it is another atom */
  rig_drain(r);
  for (uint32_t i = 0; i < 140; i++) {
    uint64_t miss = BASE + i * 224, last = miss / 128, wanted[8];
    uint32_t before = r->n_prefetches, n = 0;
    int64_t step = stride > -128 && stride < 128 ? 128 : stride;
    rig_look_up(r, miss, false);
    rig_drain(r);
    if (i * 224 / 512 == 2) assert_int_equal(r->n_prefetches, before); /* the data of atom 0, which is not active */
    if (i * 224 / 512 == 2) continue;
    for (int64_t k = 1; k <= OWNED(xmem, r->config)->prefetch_degree; k++) {
      uint64_t t = miss + (uint64_t)(k * step);
      if (t / bytes != miss / bytes) break;
      bool again = t / 128 == last;
      last = t / 128;
      if (again || (t - BASE) / 512 == 2 || t - BASE >= (uint64_t)8 * PAGE_BYTES || rig_cached(NULL, t)) continue;
      wanted[n++] = t / 128 * 128;
      elsewhere += address_map_channel(map, t) != address_map_channel(map, miss);
    }
    check_prefetches(r, before, wanted, n);
  }
  assert_int_equal(r->n_prefetches > 0, stride != 4096 || bytes > PAGE_BYTES);
  if (stride == 384) assert_true(elsewhere > 20);
  rig_destroy(r);
}

static void test_prefetches_follow_the_pattern_in_the_region_to_every_slice(void **state) {
  (void)state;
  static const int32_t strides[] = {4, 128, 384, -128, 1024, -700, 4096};
  for (uint32_t s = 0; s < sizeof strides / sizeof *strides; s++) {
    follows_the_pattern(strides[s], "l2.prefetch_region=4096", 4096);
    follows_the_pattern(strides[s], "l2.prefetch_region=131072", 131072);
  }
}

/* The lines of a mapped block, in the order of its rows: after one come the next ones, whatever lies between the rows. */
static void follows_the_block(const char *follow, bool exact, int32_t stride) {
  enum { PITCH = 2048, WIDTH = 640, ROWS = 12, PLANES = 2, PLANE = 16 * PITCH, LINES = WIDTH / 128 };
  struct rig *r = RIG(SEED + 6, false, "xmem.lookup_timeout=1000", "xmem.pin_percent=0", follow);
  uint64_t start = BASE + 1024, line[LINES * ROWS * PLANES];
  uint32_t n = 0;
  rig_allocate(r, BASE, REGION);
  rig_context(r, 0, 2, XMEM_PATTERN_REGULAR, stride, 9);
  rig_command(r, (struct xmem_command){.code = XMEM_CODE_ACTIVATE, .aid = 1});
  rig_command(r, (struct xmem_command){.code = XMEM_CODE_MAP,
                                       .aid = 1,
                                       .dim = 3,
                                       .start = start,
                                       .len_x = PITCH,
                                       .len_y = PLANE / PITCH,
                                       .size_x = WIDTH,
                                       .size_y = ROWS,
                                       .size_z = PLANES});
  rig_drain(r);
  rig_wait(r, 100);
  for (uint32_t z = 0; z < PLANES; z++)
    for (uint32_t y = 0; y < ROWS; y++)
      for (uint32_t x = 0; x < WIDTH; x += 128) line[n++] = start + z * PLANE + y * PITCH + x;
  for (uint32_t i = 0; i < n; i++) {
    uint64_t wanted[8];
    uint32_t before = r->n_prefetches, k = 0;
    rig_look_up(r, line[i], false);
    rig_drain(r);
    for (uint32_t d = 1; d <= 4; d++) {
      uint32_t at = stride < 0 ? i - d : i + d; /* below 0: above n */
      if (exact && at >= n) break;
      uint64_t t = exact ? line[at] : line[i] + (uint64_t)((stride < 0 ? -128 : 128) * (int64_t)d);
      bool mine = (t - start) % PLANE % PITCH < 1024 && (t - start) % PLANE / PITCH < ROWS; /* units of 512 bytes */
      if (t >= start && mine && !rig_cached(NULL, t)) wanted[k++] = t;
    }
    check_prefetches(r, before, wanted, k);
  }
  assert_true(r->n_prefetches > 50);
  rig_destroy(r);
}

static void test_prefetches_follow_the_mapped_block(void **state) {
  (void)state;
  follows_the_block("xmem.prefetch_map=exact", true, 4);
  follows_the_block("xmem.prefetch_map=exact", true, -128);
  follows_the_block("xmem.prefetch_map=stride", false, 4);
}

/* ---- shared fills ---- */

/* An address of slice `slice` in the page. */
static uint64_t of_slice(struct rig *r, uint64_t page, uint32_t slice) {
  while (address_map_channel(memory_address_map(r->memory), page) != slice) page += 128;
  return page;
}

/* One slice after the other looks a page up: with shared fills the map is read once. */
static void test_a_page_is_read_once(void **state) {
  (void)state;
  for (uint32_t share = 0; share < 2; share++) {
    struct rig *r = RIG(SEED + 7, false, share ? "xmem.share_fills=1" : "xmem.share_fills=0");
    const struct xmem_memory_counters *n = xmem_memory_counters(&r->counters);
    uint32_t slices = (uint32_t)r->config.dram_channels;
    rig_allocate(r, BASE, REGION);
    rig_context(r, 0, 2, XMEM_PATTERN_NON_DET, 0, 9);
    rig_drain(r);
    for (uint32_t p = 0; p < 16; p++)
      for (uint32_t i = 0; i < slices; i++) {
        rig_look_up(r, of_slice(r, BASE + p * PAGE_BYTES, (p + i) % slices), true);
        rig_drain(r);
      }
    assert_true(slices > 1);
    assert_int_equal(n->xmem_map_reads, share ? 16 : 16 * slices);
    assert_int_equal(n->xmem_alb_misses, share ? 16 : 16 * slices);
    assert_int_equal(n->xmem_shared_fills, share ? 16 * (slices - 1) : 0);
    rig_destroy(r);
  }
}

/* Maps change pages while ALBs fetch and share them: afterwards every slice's answer is what is mapped. */
static void test_shared_fills_are_never_stale(void **state) {
  (void)state;
  struct rig *r = RIG(SEED + 8, false, "xmem.lookup_timeout=100000", "xmem.pin_percent=100", "l2.bytes=1048576",
                      "xmem.alb_sets=2", "xmem.alb_ways=2", "xmem.debounce=0");
  struct rng random;
  rng_seed(&random, SEED + 8);
  rig_allocate(r, BASE, REGION);
  rig_context(r, 0, 2, XMEM_PATTERN_NON_DET, 0, 9);
  rig_command(r, (struct xmem_command){.code = XMEM_CODE_ACTIVATE, .aid = 1});
  rig_drain(r);
  for (uint32_t round = 0; round < 60; round++) {
    for (uint32_t i = 0; i < 60; i++) {
      if (i % 6 == 0) rig_map(r, rng_below(&random, 2), BASE + 512 * rng_below(&random, 64), 512);
      for (uint32_t k = rng_below(&random, 4); k; k--) rig_look_up(r, BASE + rng_below(&random, 8 * PAGE_BYTES), true);
      rig_edge(r);
    }
    rig_drain(r);
    rig_wait(r, 50);
    for (uint32_t i = 0; i < 8 * PAGE_BYTES; i += 256) {
      uint32_t before = r->n_marks;
      rig_look_up(r, BASE + i, true);
      rig_drain(r);
      assert_int_equal(r->n_marks - before, xmem_agent_atom(r->agent, BASE + i, NULL) == 1);
    }
    r->n_marks = 0;
  }
  assert_in_range(xmem_memory_counters(&r->counters)->xmem_shared_fills, 100, UINT32_MAX);
  rig_destroy(r);
}

/* ---- time ---- */

static uint64_t hashed(uint64_t hash, const void *bytes, size_t n) {
  for (size_t i = 0; i < n; i++) hash = (hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
  return hash;
}

/* A busy life: lookups, maps, activations, switches, commands of SMs, and quiet stretches. */
static uint64_t life(bool every_edge, const char *hints, uint64_t *executed) {
  struct rig *r = RIG(SEED + 6, every_edge, hints, "xmem.debounce=300", "xmem.alb_sets=4", "xmem.alb_ways=2");
  struct rng random;
  rng_seed(&random, SEED + 6);
  rig_allocate(r, BASE, REGION);
  rig_context(r, 0, 20, XMEM_PATTERN_REGULAR, 128, 9);
  for (uint32_t step = 0; step < 1500; step++) {
    uint32_t what = rng_below(&random, 100);
    if (what < 80) {
      for (uint32_t n = rng_below(&random, 6); n; n--)
        rig_look_up(r, BASE + rng_below(&random, REGION), rng_percent(&random, 50));
    } else if (what < 83) {
      rig_command(r, random_map(&random, 20));
    } else if (what < 95) {
      rig_command(r, (struct xmem_command){.code = rng_percent(&random, 70) ? XMEM_CODE_ACTIVATE : XMEM_CODE_DEACTIVATE,
                                           .aid = (uint8_t)rng_below(&random, 20)});
    } else if (what < 97) {
      rig_context(r, rng_below(&random, 2), 20, XMEM_PATTERN_REGULAR, 128, 9);
    } else {
      rig_wait(r, rng_below(&random, 3000));
    }
    rig_wait(r, rng_below(&random, 40));
  }
  rig_drain(r);
  rig_wait(r, 2000);
  uint64_t hash = hashed(0, &r->counters, sizeof r->counters);
  hash = hashed(hash, r->marks, r->n_marks * sizeof *r->marks);
  hash = hashed(hash, r->prefetches, r->n_prefetches * sizeof *r->prefetches);
  hash = hashed(hash, &r->unpins, sizeof r->unpins);
  assert_true(r->n_marks && r->n_prefetches && xmem_memory_counters(&r->counters)->xmem_selections);
  *executed = r->executed;
  rig_destroy(r);
  return hash;
}

static void test_cycles_left_out_change_nothing(void **state) {
  (void)state;
  uint64_t all, some;
  assert_true(life(true, "xmem.hints=on", &all) == life(false, "xmem.hints=on", &some));
  assert_true(some < all * 8 / 10);
  assert_true(life(true, "xmem.hints=random", &all) == life(false, "xmem.hints=random", &some));
}

static void test_with_hints_off_no_answer_names_an_atom(void **state) {
  (void)state;
  struct rig *r = RIG(SEED + 7, false, "xmem.hints=off");
  rig_allocate(r, BASE, REGION);
  rig_context(r, 0, 2, XMEM_PATTERN_REGULAR, 128, 9);
  rig_command(r, (struct xmem_command){.code = XMEM_CODE_ACTIVATE, .aid = 1});
  rig_map(r, 1, BASE, REGION);
  rig_drain(r);
  rig_wait(r, 2000);
  for (uint32_t i = 0; i < 500; i++) {
    rig_look_up(r, BASE + i * 256, false);
    rig_drain(r);
  }
  assert_int_equal(xmem_memory_counters(&r->counters)->xmem_lookups, 500);
  assert_int_equal(xmem_memory_counters(&r->counters)->xmem_active, 0);
  assert_int_equal(r->n_marks + r->n_prefetches, 0);
  rig_destroy(r);
}

/* ---- input errors ---- */

static void test_what_is_out_of_range_is_refused(void **state) {
  (void)state;
  struct rig *r = RIG(SEED + 8, false, "xmem.id_bits=6");
  static uint8_t records[XMEM_IDS * XMEM_ATOM_BYTES];
  struct err e = {0};
  struct xmem_command c = {.code = XMEM_CODE_ACTIVATE, .aid = 63};
  assert_int_equal(xmem_agent_command(r->agent, &c, &e), ERR_VALUE);
  assert_non_null(strstr(e.text, "atom 63"));
  c = (struct xmem_command){.code = XMEM_CODE_CONTEXT, .start = 4};
  assert_int_equal(xmem_agent_command(r->agent, &c, &e), ERR_VALUE);
  assert_non_null(strstr(e.text, "context 4"));
  c = (struct xmem_command){.code = 9};
  assert_int_equal(xmem_agent_command(r->agent, &c, &e), ERR_VALUE);
  assert_int_equal(xmem_agent_load(r->agent, 0, records, 64, &e), ERR_VALUE);
  assert_non_null(strstr(e.text, "63 at most"));
  assert_int_equal(xmem_agent_load(r->agent, 4, records, 1, &e), ERR_VALUE);
  assert_int_equal(r->in_flight, 0);
  rig_destroy(r);
}

static void test_device_memory_that_reaches_the_map_is_refused(void **state) {
  (void)state;
  struct rig *r = RIG(SEED, false);
  struct err e = {0};
  r->config.memory_mib = 1 << 20;
  assert_null(xmem_agent_ops.create(&r->services, NULL, &e));
  assert_int_equal(e.code, ERR_VALUE);
  assert_non_null(strstr(e.text, "memory.mib"));
  rig_destroy(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_maps_equal_a_byte_map),
    cmocka_unit_test(test_maps_equal_a_byte_map_with_packed_entries),
    cmocka_unit_test(test_a_lookup_after_a_map_names_its_atom),
    cmocka_unit_test(test_a_freed_frame_is_nobodys),
    cmocka_unit_test(test_every_request_is_asked_or_dropped),
    cmocka_unit_test(test_every_command_of_an_sm_is_done_once_in_order),
    cmocka_unit_test(test_a_context_keeps_what_is_active),
    cmocka_unit_test(test_a_context_that_comes_back_pins_as_much_as_before),
    cmocka_unit_test(test_prefetches_follow_the_pattern_in_the_region_to_every_slice),
    cmocka_unit_test(test_prefetches_follow_the_mapped_block),
    cmocka_unit_test(test_a_page_is_read_once),
    cmocka_unit_test(test_shared_fills_are_never_stale),
    cmocka_unit_test(test_cycles_left_out_change_nothing),
    cmocka_unit_test(test_with_hints_off_no_answer_names_an_atom),
    cmocka_unit_test(test_what_is_out_of_range_is_refused),
    cmocka_unit_test(test_device_memory_that_reaches_the_map_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
