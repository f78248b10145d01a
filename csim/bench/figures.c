/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of the table, and the figures that follow from them. */
#include "base/err.h"
#include "base/process.h"
#include "bench/bench.h"

#include <string.h>

void bench_figure(struct bench *b, const char *name, double value, const char *unit, const char *wanted) {
  if (b->n_figures == BENCH_FIGURES_MAX) return;
  struct bench_figure *f = &b->figure[b->n_figures++];
  *f = (struct bench_figure){.unit = unit, .value = value, .wanted = wanted};
  snprintf(f->name, sizeof f->name, "%s", name);
}

void bench_ns(struct bench *b, const char *name, double ns, const char *wanted) {
  unsigned before = b->n_figures;
  bench_figure(b, name, ns, "ns", wanted);
  if (b->n_figures > before) b->figure[before].normalised = bench_normalised(ns, b->calibration);
}

/* Proposals under each engine. The bounds are those of a whole run with the checker's thread, in wall time, and without it, in
 * processor time. */
static const struct {
  const char *name, *run, *quick, *engine;
  double wall, processor;
} proposals[] = {
  {"SAXPY, D2MA", "run saxpy:n=1048576 --system d2ma", "run saxpy:n=65536 --system d2ma", "sm*.d2ma.*", 1.25, 1.5},
  {"DCT, elastic", "run dct8x8:version=baseline,rows=512,columns=512 -c elastic16 --system elastic",
   "run dct8x8:version=baseline,rows=128,columns=128 -c elastic16 --system elastic", "sm*.*", 1.3, 1.6},
  {"reduction, mesh", "run reduction:n=262144 -c yuan28 --set noc.topology=mesh --set noc.allocator=hmhg",
   "run reduction:n=32768 -c yuan28 --set noc.topology=mesh --set noc.allocator=hmhg", "noc.*", 1.3, 1.6},
  {"gemm, XMem", "run gemm:n=512 -c xmem --system xmem", "run gemm:n=128 -c xmem --system xmem", "l2.*", 1.3, 1.6},
  {"convolution, LDesc", "run convolution2d:version=ldesc,rows=512,columns=512 -c ldesc_chip --system ldesc",
   "run convolution2d:version=ldesc,rows=128,columns=128 -c ldesc_chip --system ldesc", "*ldesc*", 2.0, 2.0},
};

/* Ways to run a proposal beside engine c, and which of its bounds each has. */
enum bound { UNBOUND, RTL_WALL, WALL, PROCESSOR };
static const struct {
  const char *name, *engine, *option;
  enum bound bound;
} ways[] = {{"rtl", "rtl", "", RTL_WALL},
            {"lockstep, coupled", "lockstep", " --coupled", UNBOUND},
            {"lockstep, same thread", "lockstep", " --check-threads 0", PROCESSOR},
            {"lockstep, a checker thread", "lockstep", " --check-threads 1", WALL}};

static void list_proposal(struct bench *b, size_t i, bool quick) {
  char name[120], run[400];
  const char *what = quick ? proposals[i].quick : proposals[i].run;
  snprintf(name, sizeof name, "%s, c", proposals[i].name);
  int base = bench_add(b, name, what, -1, 0, 0);
  for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
    snprintf(name, sizeof name, "  %s", ways[k].name);
    snprintf(run, sizeof run, "%s --engine '%s=%s'%s", what, proposals[i].engine, ways[k].engine, ways[k].option);
    double wall = ways[k].bound == RTL_WALL ? 1.5 : ways[k].bound == WALL ? proposals[i].wall : 0;
    bench_add(b, name, run, base, wall, ways[k].bound == PROCESSOR ? proposals[i].processor : 0);
  }
}

/* Four modules of 16 SMs beside one of 15: how fast, and what a second thread gives. */
static void list_modules(struct bench *b, bool quick) {
  char run[160];
  const char *what = quick ? "run convolution2d:version=ldesc,rows=128,columns=128"
                           : "run convolution2d:version=ldesc,rows=1024,columns=1024";
  bench_add(b, "convolution, gtx480", what, -1, 0, 0);
  snprintf(run, sizeof run, "%s -c ldesc_modules", what);
  int one = bench_add(b, "convolution, four modules", run, -1, 0, 0);
  snprintf(run, sizeof run, "%s -c ldesc_modules --threads 2", what);
  bench_add(b, "  two threads", run, one, 0.67, 0); /* 1.5 times as fast */
}

void bench_list(struct bench *b, bool quick) {
  bench_add(b, "start and end of a program (32 elements)", "run saxpy:version=plain,n=32", -1, 0, 0);
  bench_add(b, quick ? "vector add, 65,536" : "vector add, 1,048,576",
            quick ? "run vecadd:n=65536" : "run vecadd:n=1048576", -1, 0, 0);
  const char *product = quick ? "run matmul:m=128,k=128,n=128" : "run matmul:m=1024,k=1024,n=1024";
  int one = bench_add(b, quick ? "matrix product, 128" : "matrix product, 1024", product, -1, 0, 0);
  char two[160];
  snprintf(two, sizeof two, "%s --threads 2", product);
  bench_add(b, "  two threads", two, one, 0.56, 0); /* 1.8 times as fast */
  for (size_t i = 0; i < sizeof proposals / sizeof *proposals; i++) list_proposal(b, i, quick);
  list_modules(b, quick);
}

static const struct bench_run *find(const struct bench *b, const char *start) {
  for (unsigned i = 0; i < b->n_runs; i++)
    if (!strncmp(b->run[i].name, start, strlen(start))) return &b->run[i];
  return NULL;
}

/* The median over rounds of an amount for each second inside launches. */
static double rate(const struct bench *b, const struct bench_run *r, double amount) {
  double values[BENCH_ROUNDS_MAX];
  for (unsigned i = 0; i < b->rounds; i++) values[i] = amount / r->sample[i].launches;
  return bench_spread(values, b->rounds).median;
}

/* Of a start: what is left of the wall time without the launch. */
static double around(const struct bench *b, const struct bench_run *r) {
  double values[BENCH_ROUNDS_MAX];
  for (unsigned i = 0; i < b->rounds; i++) values[i] = r->sample[i].wall - r->sample[i].launches;
  return bench_spread(values, b->rounds).median;
}

/* GPGPU-Sim 4.2 on two shared cores executes the same vector add's 22.0 M thread instructions in 33 s, and no kernel faster than
 * 0.9 M a second. */
void bench_rates(struct bench *b) {
  const struct bench_run *start = find(b, "start and end"), *add = find(b, "vector add"), *product = find(b, "matrix");
  bench_figure(b, "start: outside of the launch", 1e3 * around(b, start), "ms", "<= 15");
  bench_figure(b, "start: memory, gtx480 and no data", start->sample[0].megabytes, "MB", "< 200");
  bench_figure(b, "vector add: thread instructions", rate(b, add, add->threads) / 1e6, "M/s",
               ">= 235, 350 x 0.67 of GPGPU-Sim 4.2");
  bench_figure(b, "vector add: warp instructions", rate(b, add, add->warps) / 1e6, "M/s", "");
  bench_figure(b, "vector add: core cycles", rate(b, add, add->cycles) / 1e6, "M/s", "");
  bench_figure(b, "matrix product: thread instructions", rate(b, product, product->threads) / 1e6, "M/s",
               ">= 90, 100 x 0.9 of GPGPU-Sim 4.2");
  const struct bench_run *chip = find(b, "convolution, gtx480"), *modules = find(b, "convolution, four modules");
  bench_figure(b, "four modules: warp instructions a second, of gtx480's",
               rate(b, modules, modules->warps) / rate(b, chip, chip->warps), "", ">= 0.5");
  const struct bench_run *c = find(b, "SAXPY, D2MA, c");
  double checked = 0;
  for (const struct bench_run *r = c + 1; r < b->run + b->n_runs && r->name[0] == ' '; r++)
    if (r->sample[0].megabytes > checked) checked = r->sample[0].megabytes;
  bench_figure(b, "SAXPY: memory of lockstep over C", checked - c->sample[0].megabytes, "MB", "<= 100");
}

/* Cycles of the same kernels (CTAs of 256 threads) relative to GPGPU-Sim 4.2's GTX 480, on the GPU configuration with its
 * parameters and with the registers that ptxas counts there; docs/comparison.md explains the ratios. */
int bench_published(struct bench *b, bool quick, struct err *e) {
  static const struct {
    const char *name, *arguments;
    double cycles;
  } rows[] = {
    {"vecadd 65,536", "vecadd:n=65536", 4870},
    {"matmul 128, greedy", "matmul:m=128,k=128,n=128 --set sm.thread_registers=60", 22040},
    {"matmul 128, round robin", "matmul:m=128,k=128,n=128 --set sm.thread_registers=60 --set sm.scheduler=rr", 26267},
    {"vecadd 1,048,576", "vecadd:n=1048576", 85482}};
  struct bench once = {.rounds = 1};
  for (size_t i = 0; i < sizeof rows / sizeof *rows - quick; i++) {
    char arguments[256];
    snprintf(arguments, sizeof arguments, "run %s -c gtx480_gpgpusim", rows[i].arguments);
    bench_add(&once, rows[i].name, arguments, -1, 0, 0);
  }
  int status = bench_execute(&once, e);
  for (unsigned i = 0; i < once.n_runs && !status; i++) {
    char name[96];
    snprintf(name, sizeof name, "%.60s: cycles", once.run[i].name);
    bench_figure(b, name, once.run[i].cycles, "core cycles", "");
    snprintf(name, sizeof name, "  ratio to GPGPU-Sim 4.2 (%.0f)", rows[i].cycles);
    bench_figure(b, name, once.run[i].cycles / rows[i].cycles, "", "0.8 to 1.2");
  }
  return status;
}
