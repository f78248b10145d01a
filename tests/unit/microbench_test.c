/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Microbenchmarks with known answers: do kernels reach the rates and meet the latencies that the GPU configuration's parameters say?
 * The expected figures are worked out here, from the parameters alone. */
#include "kit/gpu_kernels.h"

/* clang-format off */
#define REP2(x) x x
#define REP4(x) REP2(x) REP2(x)
#define REP16(x) REP4(x) REP4(x) REP4(x) REP4(x)
#define REP64(x) REP16(x) REP16(x) REP16(x) REP16(x)
/* clang-format on */

static void config_start(struct fixture *f, const char *name, const char *settings, const char *ptx) {
  fixture_named(f, name, settings, 32);
  fixture_load(f, ptx);
}

/* Core cycles of one launch on a new GPU. */
static uint64_t cycles_of(const char *config, const char *settings, const char *ptx, uint32_t ctas, uint32_t threads,
                          uint32_t words) {
  struct fixture f;
  uint32_t *host;
  config_start(&f, config, settings, ptx);
  uint64_t params[1] = {fixture_words(&f, words, &host)};
  fixture_run(&f, ctas, threads, params);
  uint64_t cycles = gpu_core_cycles(f.gpu);
  fixture_end(&f);
  return cycles;
}

/* ---- issue ---- */

/* 400 rounds of 64 additions that do not wait for each other within a warp for long: 16 chains. */
static const char additions[] = KERNEL(
  ".param .u64 p0",
  "mov.u32 %r30, 0;\n"
  "LOOP:\n" REP4("add.u32 %r5, %r5, 1; add.u32 %r6, %r6, 1;"
                 "add.u32 %r7, %r7, 1; add.u32 %r8, %r8, 1;"
                 "add.u32 %r9, %r9, 1; add.u32 %r10, %r10, 1;"
                 "add.u32 %r11, %r11, 1; add.u32 %r12, %r12, 1;"
                 "add.u32 %r13, %r13, 1; add.u32 %r14, %r14, 1;"
                 "add.u32 %r15, %r15, 1; add.u32 %r16, %r16, 1;"
                 "add.u32 %r17, %r17, 1; add.u32 %r18, %r18, 1;"
                 "add.u32 %r19, %r19, 1; add.u32 %r20, %r20, 1;") "add.u32 %r30, %r30, 1; setp.ne.u32 %p1, %r30, 400;\n"
                                                                  "@%p1 bra LOOP; ret;\n");

static void test_arithmetic_issues_at_the_peak_rate(void **state) {
  (void)state;
  static const char *const configs[] = {"gtx480", "gt200", "h100", "small"};
  for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
    struct fixture f;
    uint32_t *host;
    config_start(&f, configs[i], "sm.count=1", additions);
    const struct gpu_config *m = &f.setup.config;
    uint64_t params[1] = {fixture_words(&f, 64, &host)};
    fixture_run(&f, 4, (uint32_t)m->sm_threads / 4, params);
    struct sm_counters c = fixture_counters(&f);
    uint64_t slots = c.cycles * (uint64_t)(m->sm_schedulers * m->sm_simd_width) / 32;
    print_message("%s: %llu of %llu issue slots\n", configs[i], (unsigned long long)c.warp_instructions,
                  (unsigned long long)slots);
    assert_true(c.warp_instructions >= 4ULL * (uint64_t)m->sm_threads / 4 / 32 * 400 * 67);
    assert_in_range(c.warp_instructions, slots * 99 / 100, slots + 8);
    fixture_end(&f);
  }
}

/* ---- shared memory ---- */

static uint32_t gcd(uint32_t a, uint32_t b) { return b ? gcd(b, a % b) : a; }

/* One warp loads 64 times, rounds times, with word stride k. */
static uint64_t strided(const char *config, uint32_t k, uint32_t rounds) {
  static char text[16384];
  snprintf(
    text, sizeof text, "%s",
    KERNEL(
      ".param .u64 p0",
      ".shared .align 4 .b8 tile[8192];\n"
      "mov.u32 %r10, tile; mul.lo.u32 %r11, %r4, @K; and.b32 %r11, %r11, 8191;\n"
      "add.u32 %r12, %r10, %r11; mov.u32 %r30, 0;\n"
      "LOOP:\n" REP16(
        "ld.shared.u32 %r5, [%r12]; ld.shared.u32 %r6, [%r12];"
        "ld.shared.u32 %r7, [%r12]; ld.shared.u32 %r8, [%r12];") "add.u32 %r30, %r30, 1; setp.ne.u32 %p1, %r30, @R; @%p1 bra LOOP; ret;\n"));
  char *k_at = strstr(text, "@K"), number[8];
  snprintf(number, sizeof number, "%u", 4 * k);
  memmove(k_at + strlen(number), k_at + 2, strlen(k_at + 2) + 1);
  memcpy(k_at, number, strlen(number));
  char *r_at = strstr(text, "@R");
  snprintf(number, sizeof number, "%02u", rounds);
  memcpy(r_at, number, 2);
  if (*r_at == '0') *r_at = ' ';
  return cycles_of(config, "sm.count=1 shared.latency=1", text, 1, 32, 64);
}

/* The port is the limit: each further load takes as many cycles as its stride has conflicts, in each part of the warp. */
static void test_a_strided_shared_load_takes_its_conflict_degree(void **state) {
  (void)state;
  static const uint32_t strides[] = {1, 2, 3, 4, 8, 12, 16, 32, 33};
  for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
    uint32_t k = strides[i];
    uint64_t fermi = strided("gtx480", k, 20) - strided("gtx480", k, 10);
    uint64_t gt200 = strided("gt200", k, 20) - strided("gt200", k, 10);
    uint32_t of_32 = gcd(k, 32), of_16 = 2 * gcd(k, 16);
    if (of_16 < 4) of_16 = 4; /* eight lanes start a warp's operation in four cycles */
    print_message("stride %u: %llu and %llu cycles for 640 loads\n", k, (unsigned long long)fermi,
                  (unsigned long long)gt200);
    /* a round ends with three operations of its own, which a port that is busy long enough hides */
    assert_in_range(fermi, 640 * of_32, 640 * of_32 + 10 * 40);
    assert_in_range(gt200, 640 * of_16, 640 * of_16 + 10 * 100);
  }
}

/* ---- latencies ---- */

static uint64_t flits(const struct gpu_config *m, int64_t data) {
  return (uint64_t)((8 + data + m->noc_flit_bytes - 1) / m->noc_flit_bytes);
}

/* Chains of loads, each word holds the address of the next; one thread. */
enum { SHORT = 16, LONG = 32 };
#define CHASE(loads) KERNEL(".param .u64 p0", "mov.u64 %rd4, %rd2;\n" loads "ret;\n")
struct chase {
  const char *short_chain, *long_chain;
};
static const struct chase cached = {CHASE(REP16("ld.global.u64 %rd4, [%rd4];")),
                                    CHASE(REP16(REP2("ld.global.u64 %rd4, [%rd4];")))};
static const struct chase past_l1 = {CHASE(REP16("ld.global.cg.u64 %rd4, [%rd4];")),
                                     CHASE(REP16(REP2("ld.global.cg.u64 %rd4, [%rd4];")))};

/* Cycles of a launch over a chain whose hops are `stride` bytes apart and come back after `lines` of them; `warm`: the
 * second launch of two. */
static uint64_t chase_cycles(const char *ptx, uint32_t stride, uint32_t lines, bool warm) {
  struct fixture f;
  uint32_t *host;
  config_start(&f, "gtx480", "sm.count=1 dram.tREFI=0", ptx);
  uint64_t at = fixture_words(&f, lines * stride / 4 + 2, &host), params[1] = {at};
  for (uint32_t i = 0; i < lines; i++) {
    uint64_t next = at + (uint64_t)((i + 1) % lines) * stride;
    memcpy((char *)host + (size_t)i * stride, &next, sizeof next);
  }
  fixture_run(&f, 1, 1, params);
  uint64_t first = gpu_core_cycles(f.gpu);
  if (warm) fixture_run(&f, 1, 1, params);
  uint64_t cycles = warm ? gpu_core_cycles(f.gpu) - first : first;
  fixture_end(&f);
  return cycles;
}

static void assert_hop(const char *what, const struct chase *c, uint32_t stride, uint32_t lines, bool warm,
                       uint64_t expected) {
  uint64_t more = chase_cycles(c->long_chain, stride, lines, warm) - chase_cycles(c->short_chain, stride, lines, warm);
  print_message("%s: %llu cycles for %d hops, %llu a hop by the parameters\n", what, (unsigned long long)more,
                LONG - SHORT, (unsigned long long)expected);
  assert_int_equal(more, (LONG - SHORT) * expected);
}

/* Core clock = interconnect clock = L2 clock = DRAM clock on this GPU configuration: every crossing costs a cycle. */
static void test_a_pointer_chase_meets_the_sum_of_the_latencies(void **state) {
  (void)state;
  struct fixture f;
  config_start(&f, "gtx480", "", cached.long_chain);
  const struct gpu_config m = f.setup.config;
  fixture_end(&f);
  uint64_t up = 1 + (uint64_t)m.noc_latency + flits(&m, 0) - 1, down = 1 + (uint64_t)m.noc_latency + flits(&m, 128) - 1;
  uint64_t l2 = up + 1 + (uint64_t)m.l2_latency + down + 1 + 1; /* to the SM; writing the register */
  int64_t columns = m.line_bytes / m.dram_burst_bytes;
  uint64_t dram = (uint64_t)(1 + m.dram_tRCD + (columns - 1) * m.dram_tCCDL + m.dram_tCL +
                             m.dram_burst_bytes / m.dram_bytes_per_clock + m.dram_latency + 1);
  /* a load is looked up in the cycle after its issue */
  assert_hop("L1", &cached, 128, 1, true, 1 + (uint64_t)m.l1_latency);
  assert_hop("L2", &past_l1, 128, 1, true, 1 + l2);
  /* every hop opens a row of another bank, or a row long after the last one of its bank */
  uint32_t apart = (uint32_t)(m.dram_channels * m.dram_row_bytes) * 4 + (uint32_t)m.dram_interleave;
  assert_hop("DRAM", &cached, apart, LONG + 1, false, 1 + l2 + dram);
}

/* ---- bandwidth ---- */

/* A CTA of 256 threads reads 4 KB, a quarter after the other; CTAs one after the other. */
enum { STREAM_CTAS = 2048, STREAM_WORDS = STREAM_CTAS * 1024 };
static const char stream[] =
  KERNEL(".param .u64 p0", "mad.lo.u32 %r10, %r2, 1024, %r4; mul.wide.u32 %rd5, %r10, 4; add.s64 %rd6, %rd2, %rd5;\n"
                           "ld.global.u32 %r5, [%rd6]; ld.global.u32 %r6, [%rd6+1024];"
                           "ld.global.u32 %r7, [%rd6+2048]; ld.global.u32 %r8, [%rd6+3072];\n"
                           "add.u32 %r5, %r5, %r6; add.u32 %r7, %r7, %r8; add.u32 %r5, %r5, %r7; ret;\n");

/* Share of the DRAM's peak, in 1/10000. */
static uint64_t stream_share(const char *config, const char *settings) {
  struct fixture f;
  uint32_t *host;
  config_start(&f, config, settings, stream);
  const struct gpu_config *m = &f.setup.config;
  uint64_t params[1] = {fixture_words(&f, STREAM_WORDS, &host)};
  fixture_run(&f, STREAM_CTAS, 256, params);
  uint64_t bytes = STREAM_WORDS * UINT64_C(4), cycles = gpu_core_cycles(f.gpu);
  uint64_t peak = (uint64_t)(m->dram_channels * m->dram_bytes_per_clock * m->dram_khz); /* bytes a ms */
  uint64_t share = bytes * (uint64_t)m->core_khz / cycles * 10000 / peak;
  assert_int_equal(gpu_memory_counters(f.gpu)->dram_reads * (uint64_t)m->dram_burst_bytes, bytes);
  fixture_end(&f);
  print_message("%s %s: %llu.%02llu %% of the peak\n", config, settings, (unsigned long long)share / 100,
                (unsigned long long)share % 100);
  return share;
}

static void test_streaming_reads_reach_85_percent_of_the_peak(void **state) {
  (void)state;
  assert_in_range(stream_share("gtx480", "l1.mshrs=64"), 8500, 10000);
  assert_in_range(stream_share("gtx480_gpgpusim", ""), 8500, 10000);
  assert_in_range(stream_share("gt200", ""), 8500, 10000);
}

/* Little's law: the lines that 32 MSHRs a SM keep in flight, by the latency of an unloaded miss (284 cycles with the issue
 * and the register, see the pointer chase), are less than the DRAM's peak. */
static void test_few_mshrs_bound_the_bandwidth_by_the_latency(void **state) {
  (void)state;
  uint64_t bound = UINT64_C(15) * 32 * 128 * 10000 / 282 / 256;
  assert_in_range(stream_share("gtx480", "l1.mshrs=32"), bound * 90 / 100, bound);
}

static void test_fifo_is_slower_than_fr_fcfs(void **state) {
  (void)state;
  assert_true(stream_share("gtx480", "dram.scheduler=fifo") < stream_share("gtx480", "dram.scheduler=fr_fcfs"));
  assert_true(stream_share("gt200", "dram.scheduler=fifo") < stream_share("gt200", ""));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_arithmetic_issues_at_the_peak_rate),
    cmocka_unit_test(test_a_strided_shared_load_takes_its_conflict_degree),
    cmocka_unit_test(test_a_pointer_chase_meets_the_sum_of_the_latencies),
    cmocka_unit_test(test_streaming_reads_reach_85_percent_of_the_peak),
    cmocka_unit_test(test_few_mshrs_bound_the_bandwidth_by_the_latency),
    cmocka_unit_test(test_fifo_is_slower_than_fr_fcfs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
