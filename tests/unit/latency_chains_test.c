/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Chains: each operation needs the result of the one before, so that core cycles per link are the latency from issue to
 * dependent issue. Does every GPU configuration keep the latencies that its file states? The expected figures are worked
 * out here, from the parameters and from what the pipeline adds: a load enters the load/store unit in the cycle after its
 * issue. Prints a line "chain CONFIGURATION NAME CYCLES" for each, which docs/latencies.md repeats
 * (tests/law/latency_chains.sh). */
#include "kit/gpu_kernels.h"

#include <dirent.h>
#include <math.h>

enum { SHORT = 16, LONG = 48, CONFIGS_MAX = 32, TEXT_MAX = 16384 };

/* One link; "@" is its number. `begin` prepares the registers. */
struct chain {
  const char *name, *begin, *link;
};

/* Loads of one word of shared or constant memory that holds 0; of global memory that holds an address. */
static const struct chain chains[] = {
  {"add.s32", "mov.u32 %r5, 1;", "add.s32 %r5, %r5, 1;"},
  {"mad.lo.s32", "mov.u32 %r5, 1; mov.u32 %r6, 3;", "mad.lo.s32 %r5, %r5, %r6, %r5;"},
  {"add.s64", "mov.u64 %rd5, 1;", "add.s64 %rd5, %rd5, 1;"},
  {"add.f32", "mov.f32 %f1, 0f3F800000;", "add.rn.f32 %f1, %f1, %f1;"},
  {"fma.f32", "mov.f32 %f1, 0f3F800000;", "fma.rn.f32 %f1, %f1, %f1, %f1;"},
  {"add.f64", "mov.f64 %d1, 0d3FF0000000000000;", "add.rn.f64 %d1, %d1, %d1;"},
  {"rcp.f32", "mov.f32 %f1, 0f3F800000;", "rcp.approx.f32 %f1, %f1;"},
  {"div.f32", "mov.f32 %f1, 0f3F800000;", "div.rn.f32 %f1, %f1, %f1;"},
  {"bra", "", "bra N@; N@:"},
  {"ld.shared", ".shared .align 4 .b8 tile[64]; mov.u32 %r5, tile; st.shared.u32 [%r5], %r5;",
   "ld.shared.u32 %r5, [%r5];"},
  {"ld.shared, add", ".shared .align 4 .b8 tile[64]; mov.u32 %r5, tile; mov.u32 %r6, 0; st.shared.u32 [%r5], %r6;",
   "ld.shared.u32 %r6, [%r5]; add.s32 %r5, %r5, %r6;"},
  {"ld.const, add", "mov.u64 %rd5, zero;", "ld.const.u64 %rd6, [%rd5]; add.s64 %rd5, %rd5, %rd6;"},
  {"ld.global (L1)", "mov.u64 %rd5, %rd2;", "ld.global.u64 %rd5, [%rd5];"},
  {"ld.global (L2)", "mov.u64 %rd5, %rd2;", "ld.global.cg.u64 %rd5, [%rd5];"},
  {"ld.global (DRAM)", "mov.u64 %rd5, %rd2;", "ld.global.cg.u64 %rd5, [%rd5];"},
};
enum { N_CHAINS = sizeof chains / sizeof *chains };
enum { AT_CONST = 11, AT_L1 = 12, AT_L2 = 13, AT_DRAM = 14 };

/* ---- measuring ---- */

static void append_link(char *text, const char *link, uint32_t number) {
  char *to = text + strlen(text);
  for (; *link; link++) {
    if (*link == '@') to += sprintf(to, "%u", number);
    else *to++ = *link;
  }
  strcpy(to, "\n");
}

static void write_kernel(char *text, const struct chain *c, uint32_t links) {
  static const char head[] = KERNEL_BEGIN(".param .u64 p0", "");
  const char *body = strstr(head, ".visible");
  snprintf(text, TEXT_MAX, "%.*s.const .align 4 .b32 zero[16];\n%s%s\n", (int)(body - head), head, body, c->begin);
  for (uint32_t i = 0; i < links; i++) append_link(text, c->link, i);
  strcat(text, "ret;\n}\n");
}

/* Core cycles of a launch of one thread. A ring of `lines` words, `stride` bytes apart, holds addresses; caches that the
 * chain shall hit are filled by a launch before, without the L1, which is emptied between launches. */
static uint64_t cycles_of(const char *config, const struct chain *c, uint32_t links, uint32_t stride, uint32_t lines,
                          bool warm) {
  static char text[TEXT_MAX];
  struct fixture f;
  uint32_t *host;
  fixture_named(&f, config, "numa.modules=1 sm.count=1 dram.tREFI=0", 64);
  f.setup.check_dram = false;
  write_kernel(text, c, links);
  fixture_load(&f, text);
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

static double per_link(const char *config, const struct gpu_config *m, uint32_t i) {
  uint32_t stride = (uint32_t)m->line_bytes, lines = 1;
  if (i == AT_DRAM) { /* every hop opens a row of another bank, or one long after the last of its bank */
    stride = (uint32_t)(m->dram_channels * m->dram_row_bytes) * 4 + (uint32_t)m->dram_interleave;
    lines = LONG + 1;
  }
  uint64_t more = cycles_of(config, &chains[i], LONG, stride, lines, i == AT_L1 || i == AT_L2) -
                  cycles_of(config, &chains[i], SHORT, stride, lines, i == AT_L1 || i == AT_L2);
  return (double)more / (LONG - SHORT);
}

/* ---- expecting ---- */

struct range {
  double from, to;
};

static struct range exactly(int64_t cycles) { return (struct range){(double)cycles, (double)cycles}; }

static int64_t flits(const struct gpu_config *m, int64_t data) {
  return (8 + data + m->noc_flit_bytes - 1) / m->noc_flit_bytes;
}

/* The way of a miss in L1 through networks and slice, and to DRAM and back, in core cycles. A clock domain takes over what
 * crosses into it at its next edge: up to one of its cycles, besides the cycle that a crossing takes in any case. */
static struct range way(const struct gpu_config *m, bool dram) {
  double core = (double)m->core_khz, noc = core / (double)m->noc_khz, l2 = core / (double)m->l2_khz;
  double gddr = core / (double)m->dram_khz;
  bool flit = m->noc_switching != NOC_PACKETS;
  double hop = flit ? 3 * (double)m->noc_router_latency + 8 : (double)m->noc_latency; /* routers: at most three */
  double least = flit ? (double)m->noc_router_latency : hop;
  double tail = (double)(flits(m, 0) - 1 + flits(m, m->line_bytes) - 1);
  double slice = 1 + (double)m->l2_latency;
  struct range r = {1 + noc * (2 * least + tail) + l2 * slice, 1 + noc * (2 * hop + tail + 4) + l2 * (slice + 3) + 3};
  if (!dram) return r;
  int64_t columns = m->line_bytes / m->dram_burst_bytes, clocks = m->dram_burst_bytes / m->dram_bytes_per_clock;
  double access = (double)m->dram_tRCD + (double)m->dram_tCL + (double)m->dram_latency;
  r.from += gddr * access;
  r.to += gddr * (access + (double)m->dram_tRP + (double)((columns - 1) * m->dram_tCCDL) + (double)clocks + 4) + l2 * 2;
  return r;
}

/* A strict barrel: all subwarps pass all stages before the warp issues again. */
static struct range expected_of_barrel(uint32_t i) {
  int64_t turn = 24 + 32 / 8 - 1; /* elastic16: 24 stages, 8 lanes */
  if (i >= AT_L1) return (struct range){(double)turn, INFINITY};
  if (i == AT_CONST) return (struct range){2 * (double)turn, 4 * (double)turn};
  return exactly(strstr(chains[i].link, "; a") ? 2 * turn : turn);
}

static struct range expected(const struct gpu_config *m, uint32_t i) {
  const int64_t fixed[] = {m->sm_latency_int,
                           m->sm_latency_int,
                           m->sm_latency_int64,
                           m->sm_latency_f32,
                           m->sm_latency_f32,
                           m->sm_latency_f64,
                           m->sm_latency_sfu,
                           m->sm_latency_div,
                           m->sm_latency_branch,
                           1 + m->shared_latency,
                           1 + m->shared_latency + m->sm_latency_int,
                           1 + m->const_latency + m->sm_latency_int64,
                           1 + m->l1_latency};
  if (m->sm_pipeline != PIPELINE_SCOREBOARD) return expected_of_barrel(i);
  return i < AT_L2 ? exactly(fixed[i]) : way(m, i == AT_DRAM);
}

/* ---- the configurations ---- */

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static uint32_t list_configs(char names[][64]) {
  DIR *d = opendir(TANDEM_CONFIG_DIR "/gpu");
  uint32_t n = 0;
  assert_non_null(d);
  for (struct dirent *entry; (entry = readdir(d)) && n < CONFIGS_MAX;) {
    char *dot = strstr(entry->d_name, ".yaml");
    if (dot) snprintf(names[n++], 64, "%.*s", (int)(dot - entry->d_name), entry->d_name);
  }
  closedir(d);
  qsort(names, n, 64, by_name);
  return n;
}

static bool exists(const struct gpu_config *m, uint32_t i) {
  if (i == AT_L1) return m->l1_bytes;
  return i != AT_L2 || m->l2_bytes;
}

static void test_every_chain_takes_what_the_configuration_states(void **state) {
  (void)state;
  char names[CONFIGS_MAX][64];
  uint32_t n = list_configs(names), wrong = 0;
  assert_in_range(n, 8, CONFIGS_MAX - 1);
  for (uint32_t k = 0; k < n; k++) {
    struct gpu_config m;
    config_begin(&m, names[k]);
    for (uint32_t i = 0; i < N_CHAINS; i++) {
      if (!exists(&m, i)) continue;
      struct range want = expected(&m, i);
      double got = per_link(names[k], &m, i);
      bool fits = got >= want.from && got <= want.to;
      printf("chain %s %s: %g%s\n", names[k], chains[i].name, got, fits ? "" : " WRONG");
      if (!fits)
        print_error("%s, %s: %g cycles, expected %g to %g\n", names[k], chains[i].name, got, want.from, want.to);
      wrong += !fits;
    }
  }
  assert_int_equal(wrong, 0);
}

/* A check that nothing trips is no check: a latency changed behind the expectation's back is seen. */
static void test_a_changed_latency_is_seen(void **state) {
  (void)state;
  struct gpu_config m;
  config_begin(&m, "gtx480");
  double before = per_link("gtx480", &m, 0);
  m.sm_latency_int++;
  assert_true(before != expected(&m, 0).from);
  m.sm_latency_int--;
  assert_true(before == expected(&m, 0).from);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_chain_takes_what_the_configuration_states),
    cmocka_unit_test(test_a_changed_latency_is_seen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
