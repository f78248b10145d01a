/* SPDX-License-Identifier: Apache-2.0 */
/* Is the channel fast, fair and legal, and does the protocol checker find illegal commands? */
#include "base/rng.h"
#include "kit/dram_bench.h"

enum { SEED = 0xd7a3 };

static void start_config(struct dram_bench *b, const char *name, const char *const settings[]) {
  dram_bench_begin(b, name);
  config_set(&b->m, settings);
  dram_bench_open(b);
}
static void start(struct dram_bench *b, const char *const settings[]) { start_config(b, "gtx480", settings); }
#define START(b, ...) start(b, SETTINGS(__VA_ARGS__))

static void push(struct dram_bench *b, uint64_t local, uint32_t bursts, bool write, uint16_t id) {
  assert_true(dram_can_push(b->d, local));
  b->in_flight += write;
  struct dram_request r = {
    .local = local, .cta = UINT32_MAX, .sm = DRAM_NO_SM, .id = id, .bursts = (uint16_t)bursts, .write = write};
  dram_push(b->d, &r, dram_now(b));
}

static void drain(struct dram_bench *b, uint64_t answers) {
  for (int i = 0; b->answered < answers || b->in_flight || dram_requests(b->d); i++) {
    assert_true(i < 1000000);
    dram_edge(b);
  }
  assert_int_equal(b->answered, answers);
}

/* A local address in the row of the bank. */
static uint64_t local_of(const struct dram_bench *b, uint32_t bank, uint64_t row, uint64_t line) {
  const struct address_map *a = &b->map;
  uint64_t in_row = line * (uint64_t)b->m.line_bytes % a->row_bytes;
  if (a->order == DRAM_MAP_COLUMN_BANK && !a->bank_hash && a->bank_groups == 1)
    return (row * a->banks_per_group + bank) * a->row_bytes + in_row;
  for (uint64_t k = 0; k < a->banks_per_group; k++) {
    uint64_t at = (row * a->banks_per_group + k) * a->row_bytes + in_row, stripe = at >> a->stripe_bits;
    uint64_t local = (stripe * a->bank_groups + bank / a->banks_per_group) << a->stripe_bits |
                     (at & ((UINT64_C(1) << a->stripe_bits) - 1));
    struct dram_place p = address_map_place(a, local);
    if (p.bank == bank && p.row == row) return local;
  }
  fail_msg("no address in bank %u row %llu", bank, (unsigned long long)row);
  return 0;
}

/* --- address map --- */

static void places_are_dense(const char *const settings[]) {
  struct dram_bench b;
  start(&b, settings);
  uint64_t bytes = 6ULL * 16 * 4096 * 8; /* eight rows of every bank of every channel */
  static uint32_t seen[6][16][8];
  memset(seen, 0, sizeof seen);
  for (uint64_t address = 0; address < bytes; address += 128) {
    uint32_t channel = address_map_channel(&b.map, address);
    uint64_t local = address_map_local(&b.map, address);
    assert_int_equal(address_map_global(&b.map, channel, local), address);
    struct dram_place p = address_map_place(&b.map, local);
    assert_true(address_map_unplace(&b.map, p.bank, p.row, address_map_column(&b.map, local)) == local);
    assert_int_equal(p.group, p.bank / 4);
    seen[channel][p.bank][p.row]++;
  }
  for (int c = 0; c < 6; c++)
    for (int k = 0; k < 16; k++)
      for (int r = 0; r < 8; r++) assert_int_equal(seen[c][k][r], 4096 / 128); /* dense, nothing twice */
  dram_bench_close(&b);
}

static void test_every_address_has_one_place(void **unused) {
  (void)unused;
  static const char *const maps[] = {"dram.map=group_column_bank", "dram.map=column_bank",
                                     "dram.map=bank_column",       "dram.map=page_bank_column",
                                     "dram.map=column_row_bank",   "dram.map=row_column_bank"};
  enum { N = sizeof maps / sizeof *maps };
  static const char *const bank[] = {"dram.bank_hash=0", "dram.bank_hash=1"};
  static const char *const channel[] = {"dram.channel_hash=0", "dram.channel_hash=1"};
  for (int i = 0; i < 4 * N; i++) { /* 3 MiB: eight rows a bank */
    const char *const settings[] = {"dram.channels=6", "memory.mib=3",       maps[i % N],
                                    bank[i / N % 2],   channel[i / (2 * N)], NULL};
    places_are_dense(settings);
  }
}

/* Which bank and row the stripes 0, 1, 2 .. of a channel lie in, without hashes: four banks, rows of two stripes. */
static void test_the_orders_run_through_what_they_name(void **unused) {
  (void)unused;
  static const struct {
    const char *map;
    uint32_t group[8], row[8];
  } rows[] = {
    {"dram.map=group_column_bank", {0, 1, 0, 1, 0, 1, 0, 1}, {0, 0, 0, 0, 1, 1, 1, 1}},
    {"dram.map=column_bank", {0, 0, 1, 1, 0, 0, 1, 1}, {0, 0, 0, 0, 1, 1, 1, 1}},
    {"dram.map=bank_column", {0, 1, 0, 1, 0, 1, 0, 1}, {0, 0, 0, 0, 1, 1, 1, 1}},
    {"dram.map=page_bank_column", {0, 0, 1, 1, 0, 0, 1, 1}, {0, 0, 0, 0, 1, 1, 1, 1}}}; /* 8 channels: 512 bytes */
  for (int i = 0; i < 4; i++) {
    struct dram_bench b;
    START(&b, rows[i].map, "dram.bank_hash=0", "dram.banks=2", "dram.bank_groups=2", "dram.row_bytes=512");
    for (uint64_t k = 0; k < 8; k++) {
      struct dram_place p = address_map_place(&b.map, k * 256);
      assert_int_equal(p.bank, rows[i].group[k]);
      assert_int_equal(p.row, rows[i].row[k]);
    }
    dram_bench_close(&b);
  }
  struct dram_bench b; /* 1 MiB in 8 channels of 2 banks of 8192 bytes: 8 rows of two stripes each */
  START(&b, "dram.map=column_row_bank", "dram.bank_hash=0", "dram.banks=2", "dram.bank_groups=2", "dram.row_bytes=8192",
        "memory.mib=1");
  for (uint64_t k = 0; k < 32; k++) {
    struct dram_place p = address_map_place(&b.map, k * 8192 + 8191);
    assert_int_equal(p.bank, k / 8 % 2);
    assert_int_equal(p.row, k % 8 + k / 16 * 8); /* beyond memory: further rows */
  }
  dram_bench_close(&b);
  START(&b, "dram.map=row_column_bank", "dram.bank_hash=0", "dram.banks=2", "dram.bank_groups=2", "dram.row_bytes=8192",
        "memory.mib=1");
  for (uint64_t k = 0; k < 512; k++) {
    struct dram_place p = address_map_place(&b.map, k * 256 + 255);
    assert_int_equal(p.row, k % 8);
    assert_int_equal(address_map_column(&b.map, k * 256 + 255), k / 8 % 32 * 256 + 255);
    assert_int_equal(p.bank, k / 256);
  }
  dram_bench_close(&b);
  /* four banks without groups: bank_column leaves a row at every stripe */
  START(&b, "dram.map=bank_column", "dram.bank_hash=0", "dram.banks=4", "dram.bank_groups=1");
  for (uint64_t k = 0; k < 64; k++) assert_int_equal(address_map_place(&b.map, k * 256).bank, k % 4);
  dram_bench_close(&b);
}

/* --- timing --- */

static void test_a_lone_read_takes_the_sum_of_its_timings(void **unused) {
  (void)unused;
  struct dram_bench b;
  START(&b);
  for (int i = 0; i < 20; i++) dram_edge(&b);
  uint64_t t = dram_now(&b);
  push(&b, local_of(&b, 3, 9, 0), 2, false, 1);
  drain(&b, 1);
  assert_int_equal(b.logged, 3);
  assert_int_equal(b.log[0].op, DRAM_ACTIVATE);
  assert_int_equal(b.log[0].cycle, t + 1); /* pushed at t, scheduled at the next edge */
  assert_int_equal(b.log[0].bank, 3);
  assert_int_equal(b.log[0].row, 9);
  assert_int_equal(b.log[1].op, DRAM_READ);
  assert_int_equal(b.log[1].cycle, t + 1 + 9);                        /* tRCD */
  assert_int_equal(b.log[2].cycle, t + 1 + 9 + 3);                    /* tCCDL: the same bank, hence group */
  assert_int_equal(b.answer_at[1], b.log[2].cycle + 9 + 2 + 100 + 1); /* tCL, data, controller; seen at the next edge */
  assert_int_equal(b.n.dram_busy_cycles, 4);
  assert_int_equal(b.n.dram_row_hits, 0); /* the row was opened for this request */
  assert_int_equal(b.n.dram_queue_cycles, b.log[2].cycle - (t + 1));
  dram_bench_close(&b);
}

static void test_a_row_conflict_waits_for_tras_and_trp(void **unused) {
  (void)unused;
  struct dram_bench b;
  START(&b);
  push(&b, local_of(&b, 0, 1, 0), 1, false, 1);
  push(&b, local_of(&b, 0, 2, 0), 1, false, 2);
  push(&b, local_of(&b, 0, 2, 1), 1, false, 3);
  drain(&b, 3);
  assert_int_equal(b.logged, 6);
  assert_int_equal(b.log[2].op, DRAM_PRECHARGE);
  assert_int_equal(b.log[2].cycle - b.log[0].cycle, 21);
  assert_int_equal(b.log[3].op, DRAM_ACTIVATE);
  assert_int_equal(b.log[3].cycle - b.log[0].cycle, 30); /* tRC = tRAS + tRP */
  assert_int_equal(b.n.dram_row_hits, 1);
  dram_bench_close(&b);
}

/* --- bandwidth --- */

/* Keeps the queue full of `pattern` until `requests` went in; returns busy cycles per 10,000 cycles. */
static uint64_t busy(struct dram_bench *b, uint64_t requests,
                     uint64_t (*pattern)(struct dram_bench *, uint64_t, bool *)) {
  uint64_t first = dram_now(b), sent = 0, reads = 0;
  while (sent < requests) {
    while (sent < requests && dram_can_push(b->d, 0)) {
      bool write = false;
      uint64_t local = pattern(b, sent, &write);
      push(b, local, (uint32_t)(b->m.line_bytes / b->m.dram_burst_bytes), write, (uint16_t)(sent % DRAM_BENCH_IDS));
      reads += !write;
      sent++;
    }
    dram_edge(b);
  }
  uint64_t measured = b->n.dram_busy_cycles * 10000 / (dram_now(b) - first);
  drain(b, reads);
  return measured;
}

static uint64_t stream(struct dram_bench *b, uint64_t i, bool *write) {
  (void)b;
  (void)write;
  return i * 128;
}

/* Two arrays read, a third written, a line each in turn, arrays 16 MiB apart. */
static uint64_t triad(struct dram_bench *b, uint64_t i, bool *write) {
  (void)b;
  *write = i % 3 == 2;
  return (i % 3 << 24) + i / 3 * 128;
}

static uint64_t scattered(struct dram_bench *b, uint64_t i, bool *write) {
  (void)write;
  struct rng r;
  rng_seed(&r, SEED + i);
  return (uint64_t)rng_below(&r, 1 << 20) * (uint64_t)b->m.line_bytes;
}

static void test_streaming_reads_reach_85_percent_of_the_peak(void **unused) {
  (void)unused;
  struct dram_bench b;
  START(&b);
  uint64_t share = busy(&b, 30000, stream);
  print_message("stream: %llu.%02llu %%\n", (unsigned long long)share / 100, (unsigned long long)share % 100);
  assert_in_range(share, 8500, 10000);
  dram_bench_close(&b);
}

static void test_a_mix_of_reads_and_writes_keeps_80_percent(void **unused) {
  (void)unused;
  struct dram_bench b;
  START(&b);
  uint64_t share = busy(&b, 30000, triad);
  print_message("triad: %llu.%02llu %%\n", (unsigned long long)share / 100, (unsigned long long)share % 100);
  assert_in_range(share, 8000, 10000);
  dram_bench_close(&b);
}

static void test_fr_fcfs_beats_fifo(void **unused) {
  (void)unused;
  static uint64_t (*const patterns[])(struct dram_bench *, uint64_t, bool *) = {stream, triad, scattered};
  for (int i = 0; i < 3; i++) {
    struct dram_bench b;
    START(&b, "dram.scheduler=fifo");
    uint64_t fifo = busy(&b, 5000, patterns[i]);
    dram_bench_close(&b);
    START(&b);
    uint64_t fr_fcfs = busy(&b, 5000, patterns[i]);
    dram_bench_close(&b);
    print_message("pattern %d: fifo %llu, fr_fcfs %llu of 10000\n", i, (unsigned long long)fifo,
                  (unsigned long long)fr_fcfs);
    assert_true(fr_fcfs > fifo + fifo / 5);
  }
}

/* Yuan 2009: GDDR3 of table 1.1 (the GPU configuration gt200), two chips a controller, requests of 64 bytes = two commands
 * of two clocks; each row is asked for twice. Equation 3.1: in one bank 8 clocks of data a tRC of 34, 23.5 % (simulated
 * there: 23.6 %). */
static uint64_t twice_in_one_bank(struct dram_bench *b, uint64_t i, bool *write) {
  (void)write;
  return local_of(b, 2, i / 2 * 7 % 4096, i);
}

static uint64_t twice_in_any_bank(struct dram_bench *b, uint64_t i, bool *write) {
  (void)write;
  struct rng r;
  rng_seed(&r, SEED + i / 2);
  return local_of(b, rng_below(&r, 4), rng_below(&r, 4096), i);
}

static void test_two_requests_a_row_give_the_published_efficiencies(void **unused) {
  (void)unused;
  struct dram_bench b;
  start_config(&b, "gt200", SETTINGS());
  uint64_t one = busy(&b, 4000, twice_in_one_bank);
  dram_bench_close(&b);
  start_config(&b, "gt200", SETTINGS());
  uint64_t any = busy(&b, 20000, twice_in_any_bank);
  dram_bench_close(&b);
  print_message("one bank %llu (published 2353), uniform %llu (published 8070) of 10000\n", (unsigned long long)one,
                (unsigned long long)any);
  assert_in_range(one, 2353 - 30, 2353 + 30);
  assert_in_range(any, 8070 - 300, 8070 + 300);
}

/* --- laws --- */

static void test_fifo_answers_in_order(void **unused) {
  (void)unused;
  struct dram_bench b;
  START(&b, "dram.scheduler=fifo");
  for (uint16_t i = 0; i < 60; i++) push(&b, scattered(&b, i, NULL), 2, false, i);
  drain(&b, 60);
  for (int i = 1; i < 60; i++) assert_true(b.answer_at[i] > b.answer_at[i - 1]);
  dram_bench_close(&b);
}

static void test_a_stream_of_row_hits_starves_nobody(void **unused) {
  (void)unused;
  struct dram_bench b;
  START(&b);
  uint64_t bound = 16 * 64 + 200; /* an age of 16 cycles a queue place, and a row cycle */
  for (int victim_writes = 0; victim_writes < 2; victim_writes++) {
    push(&b, local_of(&b, 1, 7, 0), 1, false, 0);
    push(&b, local_of(&b, 1, 8, 0), 1, victim_writes, 1); /* the same bank, another row */
    uint64_t pushed = dram_now(&b), done = 0, hits = 0;
    b.answer_at[1] = 0;
    while (!done && dram_now(&b) < pushed + 20000) {
      while (dram_can_push(b.d, 0)) push(&b, local_of(&b, 1, 7, ++hits), 1, false, 2);
      dram_edge(&b);
      done = victim_writes ? !b.in_flight : b.answer_at[1];
    }
    assert_true(done);
    print_message("served after %llu cycles\n", (unsigned long long)(dram_now(&b) - pushed));
    assert_true(dram_now(&b) - pushed < bound + 100);
    while (dram_requests(b.d)) dram_edge(&b);
  }
  dram_bench_close(&b);
}

static void test_streams_of_writes_do_not_starve_a_read(void **unused) {
  (void)unused;
  struct dram_bench b;
  START(&b);
  uint64_t hits = 0;
  for (int i = 0; i < 500; i++) {
    while (dram_can_push(b.d, 0)) push(&b, local_of(&b, 1, 7, ++hits), 1, true, 2);
    dram_edge(&b);
  }
  while (!dram_can_push(b.d, 0)) dram_edge(&b);
  push(&b, local_of(&b, 2, 8, 0), 1, false, 1);
  uint64_t pushed = dram_now(&b);
  while (!b.answer_at[1] && dram_now(&b) < pushed + 20000) {
    while (dram_can_push(b.d, 0)) push(&b, local_of(&b, 1, 7, ++hits), 1, true, 2);
    dram_edge(&b);
  }
  assert_true(b.answer_at[1]);
  assert_true(dram_now(&b) - pushed < 1200);
  dram_bench_close(&b);
}

static void test_a_read_never_overtakes_a_write_of_its_line(void **unused) {
  (void)unused;
  struct dram_bench b;
  START(&b);
  for (uint16_t i = 0; i < 20; i++) push(&b, local_of(&b, i % 16, 1, 0), 2, false, 0); /* reads are being served */
  for (int i = 0; i < 30; i++) dram_edge(&b);
  uint64_t line = local_of(&b, 3, 5, 4);
  push(&b, line, 2, true, 0);
  push(&b, line, 2, false, 1);
  for (uint16_t i = 0; i < 20; i++) push(&b, local_of(&b, i % 16, 1, 1), 2, false, 0);
  drain(&b, 41);
  uint64_t write = 0, read = 0;
  for (uint32_t i = 0; i < b.logged; i++) {
    if (b.log[i].bank != 3 || b.log[i].row != 5) continue;
    if (b.log[i].op == DRAM_WRITE) write = b.log[i].cycle;
    if (b.log[i].op == DRAM_READ && !read) read = b.log[i].cycle;
  }
  assert_true(write && read && write < read);
  dram_bench_close(&b);
}

/* Policies that are blocks give every request the column commands of a line. */
static uint32_t fixed_bursts(const struct gpu_config *m) {
  bool by_block = m->dram_scheduler == DRAM_BFIFO || m->dram_scheduler == DRAM_FR_FCFS_PLAIN;
  return by_block ? (uint32_t)(m->line_bytes / m->dram_burst_bytes) : 0;
}

static void random_traffic(struct dram_bench *b, uint64_t seed) {
  struct rng r;
  rng_seed(&r, seed);
  uint64_t reads = 0, bursts[2] = {0, 0};
  for (uint32_t i = 0; i < 4000; i++) {
    uint32_t pause = rng_percent(&r, 2) ? rng_below(&r, 8000) : rng_below(&r, 6);
    uint64_t local = local_of(b, rng_below(&r, (uint32_t)b->m.dram_banks), rng_below(&r, 3), rng_below(&r, 8));
    for (uint32_t k = 0; k < pause || !dram_can_push(b->d, local); k++) dram_edge(b);
    bool write = rng_percent(&r, 35);
    uint32_t n = 1 + rng_below(&r, 4);
    push(b, local, n, write, 3);
    reads += !write;
    bursts[write] += fixed_bursts(&b->m) ? fixed_bursts(&b->m) : n;
  }
  drain(b, reads);
  assert_int_equal(b->n.dram_reads, bursts[0]);
  assert_int_equal(b->n.dram_writes, bursts[1]);
  uint64_t owed = b->m.dram_refresh ? dram_now(b) / (uint64_t)b->m.dram_refresh : 0;
  assert_in_range(b->n.dram_refreshes, owed - (owed > 4 ? 4 : owed),
                  owed); /* the cycles since the last command are not counted yet */
  assert_true(dram_checker_commands(b->checker) > bursts[0] + bursts[1]);
}

/* The checker of the bench fails the test at the first illegal command. */
static void test_every_command_of_random_traffic_is_legal(void **unused) {
  (void)unused;
  print_message("seed 0x%x\n", SEED);
  static const char *const sets[][12] = {
    {NULL},
    {"dram.scheduler=fifo"},
    {"dram.tREFI=0", "dram.queue=3"},
    {"dram.queue=1", "dram.tREFI=700"},
    {"dram.banks=6", "dram.bank_groups=3", "dram.tCCDL=9", "dram.tFAW=90", "dram.tRRD=13"},
    {"dram.tWTR=30", "dram.tRTW=25", "dram.tWR=40", "dram.tRTP=33", "dram.tREFI=1100"},
    {"dram.tRC=77", "dram.tRAS=1", "dram.tRCD=17", "dram.tRP=3", "dram.tRFC=400"},
    {"dram.tWL=25", "dram.tCL=3", "dram.tRTW=0", "dram.tCCDS=1", "dram.tCCDL=1"},
    {"dram.banks=1", "dram.bank_groups=1", "dram.bytes_per_clock=4"},
    {"dram.banks=64", "dram.bank_groups=16", "dram.burst_bytes=16", "dram.bytes_per_clock=16", "dram.tCCDS=1"},
    {"dram.scheduler=bfifo", "dram.tREFI=0"},
    {"dram.scheduler=fr_fcfs_plain", "dram.tREFI=0", "dram.queue=7"},
    {"dram.scheduler=most_pending"},
    {"dram.scheduler=bfifo", "dram.tWTR=30", "dram.tRTW=25", "dram.tWR=40", "dram.tRTP=33", "dram.tREFI=0"},
    {"dram.scheduler=fr_fcfs_plain", "dram.tREFI=0", "dram.tWL=25", "dram.tCL=3", "dram.tRTW=0", "dram.tCCDS=1",
     "dram.tCCDL=1"},
    {"dram.scheduler=most_pending", "dram.banks=1", "dram.bank_groups=1", "dram.bytes_per_clock=4", "dram.queue=9"},
  };
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    static struct dram_bench b;
    start(&b, sets[i]);
    random_traffic(&b, SEED + i);
    dram_bench_close(&b);
  }
}

static void test_an_idle_channel_refreshes_on_time(void **unused) {
  (void)unused;
  struct dram_bench b;
  START(&b);
  push(&b, 0, 1, false, 0);
  drain(&b, 1); /* leaves a row open */
  uint64_t interval = (uint64_t)b.m.dram_refresh;
  while (dram_now(&b) < 3 * interval + 1000) dram_edge(&b);
  push(&b, 0, 1, false, 0);
  drain(&b, 2);
  static const uint8_t ops[] = {DRAM_ACTIVATE, DRAM_READ,    DRAM_PRECHARGE_ALL, DRAM_REFRESH,
                                DRAM_REFRESH,  DRAM_REFRESH, DRAM_ACTIVATE,      DRAM_READ};
  assert_int_equal(b.logged, sizeof ops);
  for (size_t i = 0; i < sizeof ops; i++) assert_int_equal(b.log[i].op, ops[i]);
  assert_int_equal(b.log[2].cycle, interval);
  assert_int_equal(b.log[3].cycle, interval + 9); /* tRP */
  assert_int_equal(b.log[4].cycle, 2 * interval);
  assert_int_equal(b.log[5].cycle, 3 * interval);
  assert_int_equal(b.n.dram_refreshes, 3);
  dram_bench_close(&b);
}

/* --- the checker --- */

struct planted {
  const char *rule;              /* as the sentence names it */
  struct dram_command before[6]; /* {cycle, row, op, bank}; ends with cycle 0 */
  struct dram_command last;      /* legal at this cycle, illegal one earlier */
};

/* gtx480: CL 9, WL 3, RCD 9, RP 9, RAS 21, RC 30, RRD 5, FAW 18, CCDS 2, CCDL 3, WR 9, WTR 4, RTP 2, RTW 2, RFC 91, data 2;
 * banks 0-3 are group 0. The cycles are added up by hand. */
static const struct planted planted[] = {
  {"tRCD", {{10, 1, DRAM_ACTIVATE, 0}}, {19, 1, DRAM_READ, 0}},
  {"tRCD", {{10, 1, DRAM_ACTIVATE, 0}}, {19, 1, DRAM_WRITE, 0}},
  {"tRRD", {{10, 1, DRAM_ACTIVATE, 0}}, {15, 1, DRAM_ACTIVATE, 1}},
  {"tFAW",
   {{10, 1, DRAM_ACTIVATE, 0}, {15, 1, DRAM_ACTIVATE, 1}, {20, 1, DRAM_ACTIVATE, 2}, {25, 1, DRAM_ACTIVATE, 3}},
   {34, 1, DRAM_ACTIVATE, 4}}, /* with tFAW = 24 */
  {"tRAS", {{10, 1, DRAM_ACTIVATE, 0}}, {31, 0, DRAM_PRECHARGE, 0}},
  {"tRAS", {{10, 1, DRAM_ACTIVATE, 0}, {20, 1, DRAM_ACTIVATE, 5}}, {41, 0, DRAM_PRECHARGE_ALL, 0}},
  {"tRC", {{10, 1, DRAM_ACTIVATE, 0}, {31, 0, DRAM_PRECHARGE, 0}}, {50, 2, DRAM_ACTIVATE, 0}}, /* with tRC = 40 */
  {"tRP", {{10, 1, DRAM_ACTIVATE, 0}, {50, 0, DRAM_PRECHARGE, 0}}, {59, 2, DRAM_ACTIVATE, 0}},
  {"tRTP", {{10, 1, DRAM_ACTIVATE, 0}, {40, 1, DRAM_READ, 0}}, {42, 0, DRAM_PRECHARGE, 0}},
  {"tWR", {{10, 1, DRAM_ACTIVATE, 0}, {40, 1, DRAM_WRITE, 0}}, {54, 0, DRAM_PRECHARGE, 0}},
  {"tCCDS", {{10, 1, DRAM_ACTIVATE, 0}, {15, 1, DRAM_ACTIVATE, 4}, {40, 1, DRAM_READ, 0}}, {42, 1, DRAM_READ, 4}},
  {"tCCDL", {{10, 1, DRAM_ACTIVATE, 0}, {15, 1, DRAM_ACTIVATE, 3}, {40, 1, DRAM_READ, 0}}, {43, 1, DRAM_READ, 3}},
  {"tWTR", {{10, 1, DRAM_ACTIVATE, 0}, {15, 1, DRAM_ACTIVATE, 4}, {40, 1, DRAM_WRITE, 0}}, {49, 1, DRAM_READ, 4}},
  {"tRTW", {{10, 1, DRAM_ACTIVATE, 0}, {15, 1, DRAM_ACTIVATE, 4}, {40, 1, DRAM_READ, 0}}, {50, 1, DRAM_WRITE, 4}},
  {"the data bus is taken", /* with bytes_per_clock = 16: data of 4 cycles */
   {{10, 1, DRAM_ACTIVATE, 0}, {15, 1, DRAM_ACTIVATE, 4}, {40, 1, DRAM_READ, 0}},
   {44, 1, DRAM_READ, 4}},
  {"tRFC", {{10, 0, DRAM_REFRESH, 0}}, {101, 1, DRAM_ACTIVATE, 0}},
  {"tRFC", {{10, 0, DRAM_REFRESH, 0}}, {101, 0, DRAM_REFRESH, 0}},
  {"tRP", {{10, 1, DRAM_ACTIVATE, 0}, {60, 0, DRAM_PRECHARGE_ALL, 0}}, {69, 0, DRAM_REFRESH, 0}},
  {"tRC", {{10, 1, DRAM_ACTIVATE, 0}, {31, 0, DRAM_PRECHARGE, 0}}, {50, 0, DRAM_REFRESH, 0}}, /* with tRC = 40 */
};

static struct dram_checker *checker_for(const char *rule) {
  struct gpu_config m;
  struct err e;
  config_begin(&m, "gtx480");
  if (!strcmp(rule, "tFAW")) m.dram_tFAW = 24;
  if (!strcmp(rule, "tRC")) m.dram_tRC = 40;
  if (!strcmp(rule, "the data bus is taken")) m.dram_bytes_per_clock = 16;
  struct dram_checker *c = dram_checker_create(&m, &e);
  assert_non_null(c);
  return c;
}

static void test_the_checker_finds_a_command_one_cycle_too_early(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof planted / sizeof *planted; i++)
    for (uint64_t early = 0; early < 2; early++) {
      const struct planted *p = &planted[i];
      struct dram_checker *c = checker_for(p->rule);
      for (const struct dram_command *k = p->before; k->cycle; k++) {
        const char *wrong = dram_checker_see(c, k);
        if (wrong) fail_msg("case %zu: %s", i, wrong);
      }
      struct dram_command last = p->last;
      last.cycle -= early;
      const char *wrong = dram_checker_see(c, &last);
      if (!early && wrong) fail_msg("case %zu: legal, but %s", i, wrong);
      if (early && !wrong) fail_msg("case %zu: %s is not checked", i, p->rule);
      if (early && wrong && !strstr(wrong, p->rule)) fail_msg("case %zu: expected %s, got \"%s\"", i, p->rule, wrong);
      dram_checker_destroy(c);
    }
}

static void test_the_checker_finds_commands_in_the_wrong_state(void **unused) {
  (void)unused;
  static const struct planted wrong_state[] = {
    {"closed", {{10, 1, DRAM_ACTIVATE, 1}}, {50, 1, DRAM_READ, 0}},
    {"closed", {{10, 1, DRAM_ACTIVATE, 1}}, {50, 1, DRAM_WRITE, 0}},
    {"closed", {{10, 1, DRAM_ACTIVATE, 1}}, {50, 0, DRAM_PRECHARGE, 0}},
    {"another row", {{10, 1, DRAM_ACTIVATE, 0}}, {50, 2, DRAM_READ, 0}},
    {"open row", {{10, 1, DRAM_ACTIVATE, 0}}, {90, 2, DRAM_ACTIVATE, 0}},
    {"open row", {{10, 1, DRAM_ACTIVATE, 7}}, {90, 0, DRAM_REFRESH, 0}},
    {"no later", {{10, 1, DRAM_ACTIVATE, 0}}, {10, 1, DRAM_ACTIVATE, 7}},
    {"no such bank", {{10, 1, DRAM_ACTIVATE, 0}}, {50, 1, DRAM_ACTIVATE, 16}},
    {"no such command", {{10, 1, DRAM_ACTIVATE, 0}}, {50, 1, 9, 0}},
    {"refreshes are owed", {{10, 1, DRAM_ACTIVATE, 0}}, {9 * 2730, 1, DRAM_READ, 0}},
  };
  for (size_t i = 0; i < sizeof wrong_state / sizeof *wrong_state; i++) {
    struct dram_checker *c = checker_for("");
    assert_null(dram_checker_see(c, &wrong_state[i].before[0]));
    const char *wrong = dram_checker_see(c, &wrong_state[i].last);
    if (!wrong || !strstr(wrong, wrong_state[i].rule)) fail_msg("case %zu: %s", i, wrong ? wrong : "not seen");
    dram_checker_destroy(c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_address_has_one_place),
    cmocka_unit_test(test_the_orders_run_through_what_they_name),
    cmocka_unit_test(test_a_lone_read_takes_the_sum_of_its_timings),
    cmocka_unit_test(test_a_row_conflict_waits_for_tras_and_trp),
    cmocka_unit_test(test_streaming_reads_reach_85_percent_of_the_peak),
    cmocka_unit_test(test_a_mix_of_reads_and_writes_keeps_80_percent),
    cmocka_unit_test(test_fr_fcfs_beats_fifo),
    cmocka_unit_test(test_two_requests_a_row_give_the_published_efficiencies),
    cmocka_unit_test(test_fifo_answers_in_order),
    cmocka_unit_test(test_a_stream_of_row_hits_starves_nobody),
    cmocka_unit_test(test_streams_of_writes_do_not_starve_a_read),
    cmocka_unit_test(test_a_read_never_overtakes_a_write_of_its_line),
    cmocka_unit_test(test_every_command_of_random_traffic_is_legal),
    cmocka_unit_test(test_an_idle_channel_refreshes_on_time),
    cmocka_unit_test(test_the_checker_finds_a_command_one_cycle_too_early),
    cmocka_unit_test(test_the_checker_finds_commands_in_the_wrong_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
