/* SPDX-License-Identifier: Apache-2.0 */
/* slice: caba */
/* Lines in fewer bytes (mem/packing.h): DRAM moves the bursts of what is stored, replies the bytes that the proposal names; a line whose
 * size is not at hand waits for its size line, which is read once for all; and skipping changes none of it. */
#include "kit/l2_bench.h"
#include "mem/packing.h"

enum { BURST = 32, SIZE_LINES = 1 << 20, LINES_A_SIZE_LINE = 8, KNOWN = 16 };

/* What is stored of a line: 1 to 4 bursts. A line written holds one burst more than before, from 4 to 1. */
static uint8_t bursts_of[1 << 16];
static uint32_t stored_bursts, written_bursts, size_fetches, size_writes, sizes_came, waited;
static uint64_t came_at; /* L2 cycle of the last size line */
static struct {
  uint64_t at[KNOWN]; /* size lines at hand, +1, the oldest first */
  uint32_t n;
} known[2];

static uint32_t index_of(uint64_t physical) { return (uint32_t)(physical / LINE % (sizeof bursts_of)); }
static uint32_t bytes_of(uint32_t bursts) { return bursts * BURST - (bursts > 1 ? 5 : 0); }

static uint32_t stored(void *self, uint64_t physical) {
  (void)self;
  uint32_t n = bursts_of[index_of(physical)];
  stored_bursts += n;
  return bytes_of(n);
}

static uint32_t store(void *self, uint64_t physical) {
  (void)self;
  uint8_t *n = &bursts_of[index_of(physical)];
  *n = (uint8_t)(*n % 4 + 1);
  written_bursts += *n;
  return bytes_of(*n);
}

static bool store_part(void *self, uint64_t physical, uint32_t bytes) {
  (void)self;
  if (bursts_of[index_of(physical)] < 4) return false;
  written_bursts += bytes / BURST;
  return true;
}

static struct packed_reply reply(void *self, const struct mem_request *r, bool fetched) {
  (void)self;
  return (struct packed_reply){(uint8_t)(r->bytes < 24 ? r->bytes : 24), fetched ? 3 : 0};
}

static uint64_t size_line_of(uint64_t physical) { return SIZE_LINES + physical / LINE / LINES_A_SIZE_LINE * BURST; }

/* In some cycles it has no time. */
static enum size_answer sized(void *self, uint32_t slice, uint64_t physical, enum size_use use, uint64_t *fetch) {
  (void)use;
  if (now(self) % 5 == slice) return SIZE_BUSY;
  uint64_t at = size_line_of(physical);
  for (uint32_t k = 0; k < known[slice].n; k++)
    if (known[slice].at[k] == at) return SIZE_KNOWN;
  waited++;
  *fetch = at;
  return SIZE_MISSING;
}

static void sizes(void *self, uint32_t slice, uint64_t local) {
  sizes_came++;
  came_at = now(self);
  if (known[slice].n == KNOWN)
    memmove(known[slice].at, known[slice].at + 1, (KNOWN - 1) * sizeof *known[slice].at), known[slice].n--;
  known[slice].at[known[slice].n++] = local;
}

/* For one size line of five another one leaves, which is known some cycles later. */
static enum size_answer sizes_leave(void *self, uint32_t slice, uint64_t local, uint64_t *write_back) {
  (void)slice;
  if (now(self) < came_at + 3) return SIZE_BUSY;
  if (local / BURST % 5) return SIZE_KNOWN;
  *write_back = SIZE_LINES + 77 * BURST;
  size_writes++;
  return SIZE_MISSING;
}

static const struct memory_packing at_hand = {
  .stored = stored, .store = store, .store_part = store_part, .reply = reply};
static const struct memory_packing looked_up = {.stored = stored,
                                                .store = store,
                                                .store_part = store_part,
                                                .reply = reply,
                                                .sized = sized,
                                                .sizes = sizes,
                                                .sizes_leave = sizes_leave};

static enum packed_write write_asks(void *self, const struct mem_request *r) {
  (void)self;
  return bursts_of[index_of(r->physical)] < 4 ? PACKED_WRITE_REFUSED : PACKED_WRITE_ANSWERED;
}

static const struct memory_packing asking = {
  .stored = stored, .store = store, .store_part = store_part, .reply = reply, .write = write_asks};

static void begin(const struct memory_packing *packing) {
  struct rng r;
  rng_seed(&r, SEED);
  for (uint32_t i = 0; i < sizeof bursts_of; i++) bursts_of[i] = (uint8_t)(1 + rng_below(&r, 4));
  stored_bursts = written_bursts = size_fetches = size_writes = sizes_came = waited = 0;
  came_at = 0;
  memset(known, 0, sizeof known);
  bench_packing = packing;
}

static void ask_for(struct bench *b, enum mem_kind kind, uint64_t address, uint32_t bytes) {
  b->open[0][0] = kind != MEM_WRITE;
  assert_true(send(b, 0, kind, address, bytes, 0));
  drain(b);
  assert_false(b->open[0][0]);
}

static void test_dram_moves_what_is_stored(void **unused) {
  (void)unused;
  begin(&at_hand);
  for (uint8_t n = 1; n <= 4; n++) {
    struct bench b;
    START(&b, "dram.burst_bytes=32", "noc.flit_bytes=8");
    bursts_of[0] = n;
    ask_for(&b, MEM_READ, 40, 64); /* wants a part of the line, and gets the whole into the L2 */
    const struct memory_counters *c = memory_counters(b.memory);
    assert_int_equal(c->dram_reads, n);
    assert_int_equal(c->noc_reply_flits, 1 + 24 / 8); /* a header and what travels */
    ask_for(&b, MEM_READ, 0, 8);
    assert_int_equal(c->dram_reads, n);
    assert_int_equal(c->l2_hits, 1);
    assert_int_equal(c->noc_reply_flits, 1 + 24 / 8 + 1 + 8 / 8);
    stop(&b);
  }
}

static void test_a_reply_leaves_later_by_its_cycles(void **unused) {
  (void)unused;
  uint64_t took[2];
  static const struct memory_packing *const packings[] = {NULL, &at_hand};
  for (int i = 0; i < 2; i++) {
    struct bench b;
    begin(packings[i]);
    START(&b, "dram.burst_bytes=32", "noc.flit_bytes=256");
    bursts_of[0] = 4;
    ask_for(&b, MEM_READ, 0, LINE);
    took[i] = b.latest;
    stop(&b);
  }
  assert_int_equal(took[1], took[0] + 3); /* all clocks are the same */
}

static void test_a_part_is_written_alone_or_with_its_line(void **unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    begin(i ? &looked_up : &at_hand);
    struct bench b;
    START(&b, "dram.burst_bytes=32", "l2.bytes=4096", "l2.ways=4", "l2.write_miss=line");
    bursts_of[0] = 2, bursts_of[2] = 3, bursts_of[4] = 4, bursts_of[5] = 2, bursts_of[6] = 4;
    const struct memory_counters *c = memory_counters(b.memory);
    ask_for(&b, MEM_WRITE, 2 * LINE, LINE);
    ask_for(&b, MEM_WRITE, 8, 8);
    ask_for(&b, MEM_WRITE, 4 * LINE + 32, 96);
    for (uint64_t k = 0; k < 4; k++) ask_for(&b, MEM_WRITE, 5 * LINE + k * 32, 8); /* a bit of each sector */
    ask_for(&b, MEM_WRITE, 6 * LINE + 40, 8);
    assert_int_equal(c->dram_reads + c->dram_writes, 0); /* a write fetches nothing */
    ask_for(&b, MEM_READ, 6 * LINE, 8);
    assert_int_equal(c->dram_reads, 4 + sizes_came); /* and a read the rest */
    uint32_t before = stored_bursts;
    for (uint64_t line = 8; line < 400; line++) ask_for(&b, MEM_READ, line * LINE, 8); /* replaces all */
    uint32_t reads = 0;
    for (uint64_t line = 8; line < 400; line++) reads += bursts_of[line];
    drain(&b);
    assert_int_equal(c->l2_writebacks, 5);
    assert_int_equal(stored_bursts - before, reads + 2 + 2); /* lines 0 and 5, compressed, are read for their writes */
    assert_int_equal(written_bursts,
                     3 + 4 + 3 + 3 + 1); /* lines 0, 2 and 5 as store() has them, three sectors, line 6 whole */
    assert_int_equal(c->dram_writes, written_bursts + size_writes);
    assert_int_equal(c->dram_reads, stored_bursts + sizes_came);
    stop(&b);
  }
}

static void test_a_line_waits_for_its_size(void **unused) {
  (void)unused;
  begin(&looked_up);
  struct bench b;
  START(&b, "dram.burst_bytes=32");
  const struct memory_counters *c = memory_counters(b.memory);
  bursts_of[1] = 2;
  ask_for(&b, MEM_READ, LINE, 8);
  assert_int_equal(waited, 1);
  assert_int_equal(c->dram_reads, 1 + 2);
  uint64_t first = b.latest;
  stop(&b);
  begin(&at_hand);
  START(&b, "dram.burst_bytes=32");
  bursts_of[1] = 2;
  ask_for(&b, MEM_READ, LINE, 8);
  assert_true(first > b.latest + (uint64_t)b.m.dram_tCL); /* a read of DRAM later */
  stop(&b);

  begin(&looked_up);
  START(&b, "dram.burst_bytes=32");
  c = memory_counters(b.memory);
  for (uint16_t tag = 0; tag < 4; tag++) { /* four lines, three of them without a size of their own on the way */
    while (!(b.open[0][tag] = send(&b, 0, MEM_READ, tag * LINE, 8, tag))) tick_once(&b);
    bursts_of[tag] = 4;
  }
  drain(&b);
  uint32_t slices = 2;
  assert_true(sizes_came <= slices);
  assert_int_equal(c->dram_reads, sizes_came + 4 * 4);
  stop(&b);
}

/* A write that is answered is one of a slice's writes; one that is refused writes nothing, and its line comes back. */
static void test_a_write_is_answered_or_refused(void **unused) {
  (void)unused;
  begin(&asking);
  struct bench b;
  START(&b, "dram.burst_bytes=32", "noc.flit_bytes=8", "l2.bytes=4096", "l2.ways=4");
  const struct memory_counters *c = memory_counters(b.memory);
  bursts_of[1] = 4, bursts_of[2] = 2;
  b.open[0][0] = true;
  assert_true(send(&b, 0, MEM_WRITE, LINE + 40, 8, 0));
  drain(&b);
  assert_int_equal(b.replies, 1);
  assert_int_equal(b.commands_done, 1);
  assert_int_equal(c->noc_reply_flits, 1); /* a header */
  assert_int_equal(c->l2_writes, 1);
  assert_int_equal(c->dram_reads, 0);
  b.open[0][0] = true;
  assert_true(send(&b, 0, MEM_WRITE, 2 * LINE + 40, 8, 0));
  drain(&b);
  assert_int_equal(b.replies, 2);
  assert_int_equal(b.commands_done, 1); /* it came as a read's */
  assert_int_equal(c->noc_reply_flits, 1 + 1 + 24 / 8);
  assert_int_equal(c->l2_writes, 1);
  assert_int_equal(c->dram_reads, 2);
  for (uint64_t line = 8; line < 400; line++) {
    while (!(b.open[0][0] = send(&b, 0, MEM_READ, line * LINE, 8, 0))) tick_once(&b);
    drain(&b);
  }
  assert_int_equal(c->l2_writebacks, 1); /* line 1; nothing has changed line 2 */
  stop(&b);
}

/* Every burst is accounted for, whatever comes. */
static void test_bursts_are_those_of_lines_and_sizes(void **unused) {
  (void)unused;
  static const struct memory_packing *const packings[] = {&at_hand, &looked_up};
  for (int i = 0; i < 2; i++) {
    struct bench b;
    begin(packings[i]);
    START(&b, "dram.burst_bytes=32", "dram.queue=4");
    b.until = 30000;
    cycles(&b, 30000);
    drain(&b);
    const struct memory_counters *c = memory_counters(b.memory);
    print_message("%u bursts read, %u written, %u of sizes; %u lines waited\n", stored_bursts, written_bursts,
                  sizes_came, waited);
    assert_true(stored_bursts > 2000 && written_bursts > 800);
    assert_int_equal(c->dram_reads, stored_bursts + sizes_came);
    assert_int_equal(c->dram_writes, written_bursts + size_writes);
    if (i) assert_true(sizes_came > 200 && waited > sizes_came);
    stop(&b);
  }
}

static void test_skipping_changes_nothing(void **unused) {
  (void)unused;
  uint64_t hash[3], agents[3];
  struct memory_counters n[3];
  for (enum mode mode = EXHAUSTIVE; mode <= SKIP; mode++) {
    struct bench b;
    begin(&looked_up);
    start(&b, mode, false, SETTINGS("dram.burst_bytes=32", "dram.queue=4"));
    b.until = 30000;
    b.agent->until = 25000;
    ++*b.agent->s.in_flight; /* it works for so long */
    drain(&b);
    hash[mode] = b.hash, agents[mode] = b.agent->hash;
    n[mode] = *memory_counters(b.memory);
    n[mode].dram_cycles = 0; /* of edges that nobody needed */
    assert_true(b.replies > 500 && sizes_came > 100);
    stop(&b);
  }
  for (enum mode mode = EVERY_EDGE; mode <= SKIP; mode++) {
    assert_int_equal(hash[mode], hash[0]);
    assert_int_equal(agents[mode], agents[0]);
    assert_memory_equal(&n[mode], &n[0], sizeof n[0]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_dram_moves_what_is_stored),
    cmocka_unit_test(test_a_reply_leaves_later_by_its_cycles),
    cmocka_unit_test(test_a_part_is_written_alone_or_with_its_line),
    cmocka_unit_test(test_a_line_waits_for_its_size),
    cmocka_unit_test(test_a_write_is_answered_or_refused),
    cmocka_unit_test(test_bursts_are_those_of_lines_and_sizes),
    cmocka_unit_test(test_skipping_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
