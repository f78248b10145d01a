/* SPDX-License-Identifier: Apache-2.0 */
/* tandem bench: how fast this host simulates. Workload figures come from running this program, so that they include
 * everything a user waits for. */
#include "base/err.h"
#include "base/host_clock.h"
#include "base/json_out.h"
#include "base/process.h"
#include "blocktest/bench_blocks.h"
#include "cli/block_arguments.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "config/gpu_config.h"
#include "run/session.h"
#include "study/dram_study.h"
#include "study/noc_study.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FIGURES_MAX = 256 };

struct figure {
  const char *name, *unit;
  double value;
  const char *wanted;
};

struct bench {
  struct figure figures[FIGURES_MAX];
  unsigned n;
  char names[FIGURES_MAX][96];
};

static void add(struct bench *b, const char *name, double value, const char *unit, const char *wanted) {
  if (b->n == FIGURES_MAX) return;
  snprintf(b->names[b->n], sizeof b->names[0], "%s", name);
  b->figures[b->n] = (struct figure){b->names[b->n], unit, value, wanted};
  b->n++;
}

/* A run that is repeated. */
struct timed {
  double seconds;                            /* host seconds inside launches, median */
  double around;                             /* host seconds outside launches, fastest run */
  double cycles;                             /* core cycles */
  double warp_rate, thread_rate, cycle_rate; /* a second, of the fastest */
  double megabytes;                          /* peak host memory, including code and data of the host program */
};

enum { REPEATS_MAX = 9 };

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Reads run.json of a repetition. */
static int read_run(const char *dir, double *seconds, struct timed *t, struct err *e) {
  char path[64];
  snprintf(path, sizeof path, "%s/run.json", dir);
  json_t *j = json_load_file(path, 0, NULL), *statistics = json_object_get(j, "statistics");
  const json_t *sm = json_object_get(statistics, "sm");
  *seconds = json_real_value(json_object_get(json_object_get(j, "timing"), "seconds"));
  if (!j || *seconds <= 0) {
    json_decref(j);
    return err_set(e, ERR_CHECK, "a run left no time in %s", path);
  }
  t->cycles = (double)json_integer_value(json_object_get(statistics, "core_cycles"));
  double warp = (double)json_integer_value(json_object_get(sm, "warp_instructions")) / *seconds;
  double thread = (double)json_integer_value(json_object_get(sm, "thread_instructions")) / *seconds;
  if (warp > t->warp_rate) t->warp_rate = warp;
  if (thread > t->thread_rate) t->thread_rate = thread;
  if (t->cycles / *seconds > t->cycle_rate) t->cycle_rate = t->cycles / *seconds;
  json_decref(j);
  return 0;
}

static int time_run(const char *arguments, unsigned repeats, struct timed *t, struct err *e) {
  char self[1024], command[2048], dir[] = "/tmp/tandem-bench-XXXXXX";
  double s[REPEATS_MAX];
  int status = process_own_path(self, sizeof self, e);
  if (status) return status;
  *t = (struct timed){0};
  if (!mkdtemp(dir)) return err_set(e, ERR_FILE, "cannot make a folder in /tmp");
  for (unsigned i = 0; i < repeats && !status; i++) {
    snprintf(command, sizeof command, "'%s' run %s --out %s >/dev/null", self, arguments, dir);
    double start = host_seconds();
    status = system(command) ? err_set(e, ERR_CHECK, "failed: tandem run %s", arguments) : 0;
    double wall = host_seconds() - start;
    if (!status) status = read_run(dir, &s[i], t, e);
    if (!status && (!i || wall - s[i] < t->around)) t->around = wall - s[i];
  }
  snprintf(command, sizeof command, "rm -rf %s", dir);
  if (system(command) && !status) status = err_set(e, ERR_FILE, "cannot remove %s", dir);
  if (status) return status;
  struct rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  t->megabytes = (double)usage.ru_maxrss / 1024;
  qsort(s, repeats, sizeof *s, by_value);
  t->seconds = s[repeats / 2];
  return 0;
}

/* A program that starts, builds the GPU, loads its kernel, launches and ends. This bounds the time to the first cycle. */
static int bench_start(struct bench *b, struct err *e) {
  struct timed t;
  int status = time_run("saxpy:version=plain,n=32", 5, &t, e);
  if (status) return status;
  add(b, "start to first cycle, and the end", t.around * 1e3, "ms", "<= 50");
  add(b, "  memory, gtx480 and no data", t.megabytes, "MB", "< 200");
  return 0;
}

/* GPGPU-Sim 4.2 on two shared cores executes the same kernel's 22.0 M thread instructions in 33 s, and no kernel faster than
 * 0.9 M per second. */
static int bench_speed(struct bench *b, bool quick, struct err *e) {
  struct timed t;
  int status = time_run(quick ? "vecadd:n=65536" : "vecadd:n=1048576", 3, &t, e);
  if (status) return status;
  add(b, quick ? "vecadd 65536: thread instructions" : "vecadd 1M: thread instructions", t.thread_rate / 1e6, "M/s",
      ">= 67, 100 x 0.67");
  add(b, "  warp instructions", t.warp_rate / 1e6, "M/s", "");
  add(b, "  core cycles", t.cycle_rate / 1e6, "M/s", "");
  add(b, "  wall time in launches", t.seconds, "s", "");
  add(b, "  memory, with 4 bytes x 3 an element", t.megabytes, "MB", "< 200 and the data");
  struct timed one, two;
  status = time_run(quick ? "matmul:m=128,k=128,n=128" : "matmul:m=1024,k=1024,n=1024", 1, &one, e);
  if (!status)
    status =
      time_run(quick ? "matmul:m=128,k=128,n=128 --threads 2" : "matmul:m=1024,k=1024,n=1024 --threads 2", 1, &two, e);
  if (status) return status;
  add(b, quick ? "matmul 128: thread instructions" : "matmul 1024: thread instructions", one.thread_rate / 1e6, "M/s",
      ">= 90, 100 x 0.9");
  add(b, "  wall time, one thread", one.seconds, "s", "");
  add(b, "  two threads, times as fast", one.seconds / two.seconds, "", ">= 1.5");
  return 0;
}

static int bench_workloads(struct bench *b, bool quick, struct err *e) {
  const char *size = quick ? "65536" : "1048576";
  char arguments[256];
  struct timed plain, with[3];
  static const char *const engines[] = {"c", "rtl", "lockstep"};
  snprintf(arguments, sizeof arguments, "saxpy:version=plain,n=%s", size);
  int status = time_run(arguments, 3, &plain, e);
  if (!status) add(b, "SAXPY plain, engines c", plain.warp_rate / 1e6, "M warp instructions/s", ">= 1");
  for (int i = 0; i < 3 && !status; i++) {
    char name[64];
    snprintf(arguments, sizeof arguments, "saxpy:n=%s --system d2ma --engine 'sm*.d2ma.*=%s'", size, engines[i]);
    status = time_run(arguments, 3, &with[i], e);
    snprintf(name, sizeof name, "SAXPY d2ma, 15 SMs, engine %s", engines[i]);
    if (!status) add(b, name, with[i].seconds, "s", "");
    snprintf(name, sizeof name, "  ratio to engine c, engine %s", engines[i]);
    if (!status && i) add(b, name, with[i].seconds / with[0].seconds, "", "< 1.5");
  }
  return status;
}

/* Cycles of the same kernels (CTAs of 256 threads) relative to GPGPU-Sim 4.2's GTX 480, on the GPU configuration with its
 * parameters and with the registers that ptxas counts there; docs/comparison.md explains the ratios. */
static int bench_published(struct bench *b, bool quick, struct err *e) {
  static const struct {
    const char *name, *arguments;
    double cycles;
  } rows[] = {
    {"vecadd 65,536", "vecadd:n=65536", 4870},
    {"matmul 128, greedy", "matmul:m=128,k=128,n=128 --set sm.thread_registers=60", 22040},
    {"matmul 128, round robin", "matmul:m=128,k=128,n=128 --set sm.thread_registers=60 --set sm.scheduler=rr", 26267},
    {"vecadd 1,048,576", "vecadd:n=1048576", 85482}};
  int status = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows - quick && !status; i++) {
    char arguments[256], name[64];
    struct timed t;
    snprintf(arguments, sizeof arguments, "%s -c gtx480_gpgpusim", rows[i].arguments);
    status = time_run(arguments, 1, &t, e);
    snprintf(name, sizeof name, "%s: cycles", rows[i].name);
    if (!status) add(b, name, t.cycles, "core cycles", "");
    snprintf(name, sizeof name, "  ratio to GPGPU-Sim 4.2 (%.0f)", rows[i].cycles);
    if (!status) add(b, name, t.cycles / rows[i].cycles, "", "0.8 to 1.2");
  }
  return status;
}

/* Networks alone. BookSim 2 on this kind of host: 7,900 cycles per second for the 8x8 mesh at 0.2 flits per node, 84,000 for
 * 28 producers and 8 consumers. */
static int bench_networks(struct bench *b, bool quick, struct err *e) {
  static const struct {
    const char *name, *wanted;
    struct noc_study study;
    uint32_t load_ppm;
  } rows[] = {
    {"8x8 mesh, 8 VCs, uniform 0.2",
     ">= 118, 15 x 7.9",
     {.topology = NOC_MESH, .columns = 8, .rows = 8, .vcs = 8, .cycles = 100000},
     200000},
    {"28 to 8 crossbar, iSLIP, uniform 0.2",
     ">= 1260, 15 x 84",
     {.topology = NOC_CROSSBAR, .columns = 28, .rows = 8, .vcs = 1, .allocator = NOC_ISLIP, .cycles = 1000000},
     200000},
  };
  int status = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows && !status; i++) {
    struct noc_study study = rows[i].study;
    struct noc_point point;
    study.packet_flits = 1;
    study.buffer_flits = 8;
    study.router_latency = 4;
    study.seed = 1;
    if (quick) study.cycles /= 10;
    status = noc_study_run(&study, rows[i].load_ppm, NULL, NULL, &point, e);
    if (!status) add(b, rows[i].name, (double)point.run_cycles / point.seconds / 1e3, "kcycles/s", rows[i].wanted);
  }
  return status;
}

/* GDDR5 alone, with every command verified against every timing. DRAMsim3 on this kind of host: 0.12 million random and 0.84
 * million streaming requests per second. */
static int bench_dram(struct bench *b, bool quick, struct err *e) {
  static const struct {
    const char *name, *wanted;
    enum dram_pattern pattern;
  } rows[] = {{"DRAM alone, random requests, checked", ">= 0.6, 5 x 0.12", DRAM_RANDOM},
              {"DRAM alone, streaming, checked", ">= 4.2, 5 x 0.84", DRAM_STREAM}};
  struct dram_study study = {.repeat = 1, .check = true, .seed = 1, .requests = quick ? 200000 : 2000000};
  struct dram_study_result *r = malloc(sizeof *r);
  gpu_config_defaults(&study.config);
  int status =
    r ? gpu_config_load(&study.config, session_config_dir(), "gtx480", e) : err_set(e, ERR_LIMIT, "out of memory");
  for (size_t i = 0; i < sizeof rows / sizeof *rows && !status; i++) {
    study.pattern = rows[i].pattern;
    double begin = host_seconds();
    status = dram_study_run(&study, r, e);
    double seconds = host_seconds() - begin;
    if (!status) add(b, rows[i].name, (double)r->n.dram_requests / seconds / 1e6, "M requests/s", rows[i].wanted);
  }
  free(r);
  return status;
}

/* Targets for an active cycle under rtl and lockstep: 60 ns, and 110 ns for the crossbar's allocator of 28 x 8 pairs and for
 * the tag array of 4 x 96 ways. */
static int bench_all_blocks(struct bench *b, const char *only, struct err *e) {
  struct bench_block rows[BENCH_BLOCKS_MAX];
  uint32_t n;
  int status = bench_blocks(only, rows, &n, e);
  for (uint32_t i = 0; i < n && !status; i++) {
    static const char *const engines[] = {"c", "rtl", "lockstep"};
    char name[96];
    bool large = !strcmp(rows[i].block, "hold_grant_alloc") || !strcmp(rows[i].block, "teleport_tags");
    const char *wanted = large ? "<= 110" : "<= 60";
    for (int k = 0; k < 3; k++) {
      snprintf(name, sizeof name, "%s active, %s", rows[i].name, engines[k]);
      add(b, name, rows[i].active_ns[k], "ns/instance-cycle", k ? wanted : "");
    }
    snprintf(name, sizeof name, "%s idle, lockstep", rows[i].name);
    add(b, name, rows[i].idle_ns[2], "ns/instance-cycle", "<= 1");
    snprintf(name, sizeof name, "%s alone under check", rows[i].name);
    add(b, name, rows[i].check_hz / 1e6, "Mcycles/s", ">= 3");
  }
  return status;
}

static void processor_name(char *out, size_t size) {
  char line[256];
  FILE *f = fopen("/proc/cpuinfo", "r");
  snprintf(out, size, "unknown processor");
  while (f && fgets(line, sizeof line, f))
    if (!strncmp(line, "model name", 10)) {
      const char *colon = strchr(line, ':');
      snprintf(out, size, "%.*s", colon ? (int)strcspn(colon + 2, "\n") : 0, colon ? colon + 2 : "");
      break;
    }
  if (f) fclose(f);
}

static void print(const struct bench *b, bool json) {
  char processor[200];
  processor_name(processor, sizeof processor);
  if (!json) {
    printf("%s, %ld processors\n", processor, sysconf(_SC_NPROCESSORS_ONLN));
    for (unsigned i = 0; i < b->n; i++)
      printf("%-36s %10.3f %-24s %s%s\n", b->figures[i].name, b->figures[i].value, b->figures[i].unit,
             *b->figures[i].wanted ? "wanted " : "", b->figures[i].wanted);
    return;
  }
  json_t *rows = json_array();
  for (unsigned i = 0; i < b->n; i++)
    json_array_append_new(rows,
                          json_pack("{s:s, s:f, s:s, s:s}", "name", b->figures[i].name, "value", b->figures[i].value,
                                    "unit", b->figures[i].unit, "wanted", b->figures[i].wanted));
  json_t *all = json_pack("{s:s, s:o}", "processor", processor, "figures", rows);
  json_out(all, "bench/1", 0, stdout);
  json_decref(all);
}

int cmd_bench(int argc, char **argv) {
  bool json = false, quick = false, blocks = false;
  const char *block = NULL;
  const struct cli_option options[] = {
    {"--blocks", CLI_FLAG, &blocks, NULL, "measure only the host time of an instance-cycle of each block", 0, 0},
    {"--block", CLI_TEXT, &block, "NAME", "measure only this block, with each parameter set of its sweep", 0, 0},
    {"--quick", CLI_FLAG, &quick, NULL, "use small workloads", 0, 0},
    {"--json", CLI_FLAG, &json, NULL, "print a JSON object", 0, 0},
    {0}};
  const struct cli_command command = {.name = "bench",
                                      .brief = "Measures how fast this host simulates: workloads, engines, blocks.",
                                      .usage = "[options]",
                                      .example = "tandem bench --quick",
                                      .options = options};
  struct err e = {0};
  struct bench *b = calloc(1, sizeof *b);
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, NULL, &n, &help, &e);
  if (!help && !status && !b) status = err_set(&e, ERR_LIMIT, "out of memory");
  if (!help && !status && block) {
    const struct block_desc *desc;
    status = block_argument(block, &desc, &e);
    blocks = true;
  }
  if (!help && !status && !blocks) status = bench_start(b, &e);
  if (!help && !status && !blocks) status = bench_speed(b, quick, &e);
  if (!help && !status && !blocks) status = bench_workloads(b, quick, &e);
  if (!help && !status && !blocks) status = bench_published(b, quick, &e);
  if (!help && !status && !blocks) status = bench_networks(b, quick, &e);
  if (!help && !status && !blocks) status = bench_dram(b, quick, &e);
  if (!help && !status) status = bench_all_blocks(b, block, &e);
  if (!help && !status) print(b, json);
  free(b);
  return status ? cli_fail("bench", &e) : 0;
}
