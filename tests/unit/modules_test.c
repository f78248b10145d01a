/* SPDX-License-Identifier: Apache-2.0 */
/* slice: ldesc */
/* Do several modules behave as their parameters say: every request comes through once, a remote one takes hops and flits longer, links
 * and DRAM give the bandwidth that they have, and what cannot be divided is refused? */
#include "device/device_memory.h"
#include "kit/memory_drive.h"

enum { SEED = 0x30d5 };

static const char *const configs[][9] = {
  {"small", "numa.modules=2"},
  {"gtx480", "sm.count=16", "numa.modules=4", "numa.placement=interleave", "numa.bit=9", "l2.slices=2",
   "l2.bytes=262144"},
  {"gtx480", "sm.count=16", "numa.modules=4", "numa.topology=all_to_all", "noc.queue=1", "l2.queue=1"},
  {"gtx480", "sm.count=16", "numa.modules=4", "numa.share=all", "numa.hop=1", "noc.queue=1"},
  {"gtx480", "sm.count=16", "numa.modules=2", "numa.link_khz=123000", "numa.flit_bytes=8", "l2.mshrs=1"},
  {"ldesc_modules"},
};
enum { N_CONFIGS = sizeof configs / sizeof *configs };

static void test_every_request_comes_through_once_whoever_executes_the_edges(void **unused) {
  (void)unused;
  static struct drive d[4];
  print_message("seed 0x%x\n", SEED);
  for (int i = 0; i < N_CONFIGS; i++) {
    enum { N = 3000 };
    struct step *steps = NULL;
    for (int mode = 0; mode < 4; mode++) {
      load(&d[mode], configs[i][0], &configs[i][1], (enum mode)mode);
      if (!steps) steps = random_steps(&d[0].config, SEED + (uint64_t)i, N);
      run(&d[mode], steps, N);
      const struct memory_counters *n = memory_counters(d[mode].memory);
      assert_int_equal(n->numa_local + n->numa_remote, N);
      assert_int_equal(n->numa_zone0 + n->numa_zone1 + n->numa_zone2 + n->numa_zone3, N);
      assert_true(n->numa_local > 0 && n->numa_remote > 0);
      assert_int_equal(n->noc_request_packets, N + n->numa_remote); /* a remote one takes two crossbars */
      assert_int_equal(n->l2_reads + n->l2_writes + n->l2_atomics, N);
      assert_int_equal(d[mode].replies, d[0].replies);
      assert_int_equal(d[mode].last_reply, d[0].last_reply);
      assert_true(d[mode].hash == d[0].hash);
      assert_memory_equal(n, memory_counters(d[0].memory), sizeof *n);
    }
    assert_true(d[SKIP].edges < d[EVERY_EDGE].edges);
    for (int mode = 0; mode < 4; mode++) unload(&d[mode]);
    free(steps);
  }
}

/* --- latency --- */

/* Four modules whose zones are the address bits 16 and 17, all clocks equal. */
#define EQUAL_CLOCKS \
  "sm.count=16", "numa.modules=4", "numa.placement=interleave", "numa.bit=16", "numa.link_khz=700000", "dram.tREFI=0"

static uint64_t flits(int64_t data, int64_t flit_bytes) { return (uint64_t)((8 + data + flit_bytes - 1) / flit_bytes); }

/* Latency of a hit in the L2 of module `to`, from an SM of module `from`. */
static uint64_t hit(const char *const settings[], uint32_t from, uint32_t to, int64_t bytes) {
  static struct drive d;
  load(&d, "gtx480", settings, SKIP);
  struct step step = {.request = {.address = (uint64_t)to << 16 | 0x1200, .bytes = (uint16_t)bytes}};
  step.request.sm = (uint16_t)(from * 4 + 3);
  run(&d, &step, 1); /* brings the line in */
  assert_int_equal(memory_counters(d.memory)->numa_remote, from != to);
  step.cycle = d.clocks.cycle[CLOCK_CORE] + 100;
  run(&d, &step, 1);
  assert_int_equal(memory_counters(d.memory)->l2_hits, 1);
  unload(&d);
  return d.latency;
}

/* What the links add one way (mem/links.h), and the second crossbar. */
static uint64_t way(const struct gpu_config *m, uint32_t hops, int64_t data) {
  uint64_t links = 6 + hops * (uint64_t)m->numa_hop + flits(data, m->numa_flit_bytes) - 1;
  return links + 1 + (uint64_t)m->noc_latency + flits(data, m->noc_flit_bytes) - 1;
}

static void test_remote_latency_is_local_plus_hops_and_flits(void **unused) {
  (void)unused;
  static const char *const hops[] = {"numa.hop=2", "numa.hop=32", "numa.hop=57"};
  static const char *const bytes_a_flit[] = {"numa.flit_bytes=48", "numa.flit_bytes=16"};
  static const char *const topology[] = {"numa.topology=ring", "numa.topology=all_to_all"};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 2; k++)
      for (uint32_t t = 0; t < 2; t++)
        for (int64_t bytes = 32; bytes <= 128; bytes *= 4) {
          const char *const *settings = SETTINGS(EQUAL_CLOCKS, hops[i], bytes_a_flit[k], topology[t]);
          struct gpu_config m;
          config_begin(&m, "gtx480");
          config_set(&m, settings);
          uint64_t local = hit(settings, 1, 1, bytes);
          for (uint32_t to = 0; to < 4; to++) {
            if (to == 1) continue;
            uint32_t n = t == 0 && to == 3 ? 2 : 1;
            assert_int_equal(hit(settings, 1, to, bytes), local + way(&m, n, 0) + way(&m, n, bytes));
          }
        }
}

/* --- bandwidth --- */

enum { LINES = 30000, MODULE_SMS = 16, HELD = 4096 };

/* Reads of module 0's SMs, a line each: `line` says which. */
static void stream(struct drive *d, uint64_t (*line)(uint32_t i)) {
  static struct step steps[LINES];
  for (uint32_t i = 0; i < LINES; i++)
    steps[i].request = (struct mem_request){
      .address = line(i) * 128, .bytes = 128, .sm = (uint16_t)(i % MODULE_SMS), .tag = i / MODULE_SMS % MAX_TAGS};
  run(d, steps, LINES);
}

/* Consecutive lines of a zone, pieces of 64 KB. */
static uint64_t in_zone(uint64_t n, uint64_t zone) { return (n / 512 * 4 + zone) * 512 + n % 512; }
static uint64_t local_line(uint32_t i) { return in_zone(i, 0); }
static uint64_t remote_line(uint32_t i) { return in_zone(i % HELD, 1); } /* 512 KB: hits in the other module's L2 */

/* 192 GB/s are 137 bytes a core cycle. */
static void test_a_local_stream_gets_its_dram(void **unused) {
  (void)unused;
  static struct drive d;
  LOAD(&d, "ldesc_modules", SKIP, "numa.placement=interleave");
  stream(&d, local_line);
  const struct memory_counters *n = memory_counters(d.memory);
  uint64_t peak = (uint64_t)LINES * 128 * 1400 / 192000;
  print_message("%llu core cycles, %llu at 192 GB/s\n", (unsigned long long)d.last_reply, (unsigned long long)peak);
  assert_int_equal(n->numa_local, LINES);
  assert_int_equal(n->numa_link_packets, 0);
  assert_true(d.last_reply * 85 <= peak * 100);
  unload(&d);
}

static void test_a_remote_stream_gets_its_link(void **unused) {
  (void)unused;
  static const char *const topology[] = {"numa.topology=ring", "numa.topology=all_to_all"};
  for (int i = 0; i < 2; i++) {
    static struct drive d;
    LOAD(&d, "ldesc_modules", SKIP, "numa.placement=interleave", topology[i]);
    stream(&d, remote_line);
    const struct memory_counters *n = memory_counters(d.memory);
    uint64_t flits_back = n->numa_link_flits - LINES,
             cycles = d.last_reply * 4000 / 1400; /* of the link from module 1 to 0 */
    print_message("%llu flits in %llu link cycles\n", (unsigned long long)flits_back, (unsigned long long)cycles);
    assert_int_equal(n->numa_remote, LINES);
    assert_int_equal(flits_back, LINES * 3);
    assert_true(flits_back <= cycles); /* a link is not free */
    assert_true(flits_back * 100 >= cycles * 95);
    unload(&d);
  }
}

static uint64_t both_line(uint32_t i) { return in_zone(i / 2 % HELD, i % 2 ? 1 : 3); }

static uint64_t cycles_of(const char *share, uint64_t (*line)(uint32_t i)) {
  static struct drive d;
  LOAD(&d, "ldesc_modules", SKIP, "numa.placement=interleave", share);
  stream(&d, line);
  unload(&d);
  return d.last_reply;
}

/* A ring of four has the module opposite two links away. */
static void test_each_link_that_a_flit_takes_is_counted(void **unused) {
  (void)unused;
  static const char *const topology[] = {"numa.topology=ring", "numa.topology=all_to_all"};
  for (int i = 0; i < 2; i++) {
    static struct drive d;
    LOAD(&d, "ldesc_modules", SKIP, "numa.placement=interleave", topology[i]);
    static struct step steps[3 * 64];
    for (uint32_t k = 0; k < 3 * 64; k++)
      steps[k].request =
        (struct mem_request){.address = in_zone(k / 3, 1 + k % 3) * 128, .bytes = 128, .tag = k % MAX_TAGS};
    run(&d, steps, 3 * 64);
    const struct memory_counters *n = memory_counters(d.memory);
    assert_int_equal(n->numa_link_flits, 3 * 64 * (1 + 3)); /* a request, and three flits of a line back */
    assert_int_equal(n->numa_link_hops, i == 0 ? (1 + 2 + 1) * 64 * (1 + 3) : n->numa_link_flits);
    unload(&d);
  }
}

/* Both neighbours at a time give what two links have. With numa.share = all a link has an eighth. */
static void test_links_add_up_or_share(void **unused) {
  (void)unused;
  uint64_t one = LINES * 3 * 1400 / 4000, both = cycles_of("numa.share=link", both_line),
           shared = cycles_of("numa.share=all", remote_line);
  print_message("%llu core cycles over two links, %llu over one with an eighth of the rate\n", (unsigned long long)both,
                (unsigned long long)shared);
  assert_in_range(both, one / 2, one / 2 * 100 / 95);
  assert_in_range(shared, one * 8, one * 8 * 100 / 95);
}

/* --- the hash --- */

static uint64_t any_line(uint32_t i) { return DEVICE_MEMORY_BASE / 128 + i; }

static void test_the_hash_gives_each_zone_a_quarter(void **unused) {
  (void)unused;
  static struct drive d;
  LOAD(&d, "ldesc_modules", SKIP);
  stream(&d, any_line);
  const struct memory_counters *n = memory_counters(d.memory);
  const uint64_t zone[] = {n->numa_zone0, n->numa_zone1, n->numa_zone2, n->numa_zone3};
  for (int i = 0; i < 4; i++) assert_in_range(zone[i] * 100, LINES * 24, LINES * 26);
  unload(&d);
}

/* --- refusals --- */

static void refuse(const char *what, const char *const settings[]) {
  struct gpu_config m;
  struct err e = {0};
  config_begin(&m, "ldesc_modules");
  config_set(&m, settings);
  assert_int_equal(gpu_config_check(&m, &e), ERR_VALUE);
  if (!strstr(e.text, what)) fail_msg("\"%s\" does not name %s", e.text, what);
}

static void test_what_cannot_be_divided_is_refused(void **unused) {
  (void)unused;
  refuse("numa.modules = 3", SETTINGS("numa.modules=3"));
  refuse("sm.count = 62", SETTINGS("sm.count=62"));
  refuse("dram.channels = 30", SETTINGS("dram.channels=30", "l2.bytes=3932160"));
  refuse("memory.mib = 4095", SETTINGS("memory.mib=4095"));
  refuse("noc.topology = crossbar", SETTINGS("noc.switching=flit"));
  refuse("mmu.frames", SETTINGS("mmu.frames=random"));
  refuse("numa.hop = 300", SETTINGS("numa.hop=300"));
  refuse("mmu.page_bytes = 8192", SETTINGS("mmu.page_bytes=8192"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_request_comes_through_once_whoever_executes_the_edges),
    cmocka_unit_test(test_remote_latency_is_local_plus_hops_and_flits),
    cmocka_unit_test(test_a_local_stream_gets_its_dram),
    cmocka_unit_test(test_a_remote_stream_gets_its_link),
    cmocka_unit_test(test_each_link_that_a_flit_takes_is_counted),
    cmocka_unit_test(test_links_add_up_or_share),
    cmocka_unit_test(test_the_hash_gives_each_zone_a_quarter),
    cmocka_unit_test(test_what_cannot_be_divided_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
