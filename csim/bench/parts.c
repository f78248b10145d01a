/* SPDX-License-Identifier: Apache-2.0 */
/* Networks and DRAM alone: figures beside those of the simulators of their field. */
#include "base/err.h"
#include "base/host_clock.h"
#include "bench/bench.h"
#include "config/gpu_config.h"
#include "run/session.h"
#include "study/dram_study.h"
#include "study/noc_study.h"

#include <stdlib.h>

/* Networks alone. BookSim 2 on this kind of host: 7,900 cycles per second for the 8x8 mesh at 0.2 flits per node, 84,000 for
 * 28 producers and 8 consumers. */
int bench_networks(struct bench *b, bool quick, struct err *e) {
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
    if (!status)
      bench_figure(b, rows[i].name, (double)point.run_cycles / point.seconds / 1e3, "kcycles/s", rows[i].wanted);
  }
  return status;
}

/* GDDR5 alone, with every command verified against every timing. DRAMsim3 on this kind of host: 0.12 million random and 0.84
 * million streaming requests per second. */
int bench_dram(struct bench *b, bool quick, struct err *e) {
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
    if (!status)
      bench_figure(b, rows[i].name, (double)r->n.dram_requests / seconds / 1e6, "M requests/s", rows[i].wanted);
  }
  free(r);
  return status;
}
