/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.csv: a line for each launch and metric, as `ncu --csv --metrics ...` prints them. The process is always number 0, so that the same
 * run writes the same bytes. */
#include "base/err.h"
#include "base/out_file.h"
#include "run/kernel_metrics.h"
#include "run/simulator.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const char header[] =
  "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\","
  "\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";

/* A cell; quotes are doubled. */
static void put_text(FILE *f, const char *text) {
  fputc('"', f);
  for (; *text; text++) {
    if (*text == '"') fputc('"', f);
    fputc(*text, f);
  }
  fputs("\",", f);
}

static void put_launch(FILE *f, const struct simulator *s, uint32_t id) {
  const struct launch_record *r = &s->launches[id];
  const struct gpu_config *c = &s->session.config;
  char kernel[sizeof r->kernel];
  kernel_base_name(r->kernel, kernel, sizeof kernel);
  for (int i = 0; i < KERNEL_METRICS; i++) {
    double value = kernel_metrics[i].value(r, c);
    fprintf(f, "\"%" PRIu32 "\",\"0\",", id);
    put_text(f, program_invocation_short_name);
    put_text(f, KERNELS_HOST);
    put_text(f, kernel);
    fprintf(f, "\"1\",\"0\",\"(%u, %u, %u)\",\"(%u, %u, %u)\",\"0\",\"%d.%d\",", r->block[0], r->block[1], r->block[2],
            r->grid[0], r->grid[1], r->grid[2], (int)c->compute_capability / 10, (int)c->compute_capability % 10);
    fprintf(f, "\"Command line profiler metrics\",\"%s\",\"%s\",\"%.*f\"\n", kernel_metrics[i].name,
            kernel_metrics[i].unit, value == floor(value) ? 0 : 4, value);
  }
}

int run_kernels_write(const struct simulator *s, struct err *e) {
  char path[SESSION_TEXT_BYTES + 16];
  struct out_file o;
  snprintf(path, sizeof path, "%s/kernels.csv", s->session.out_dir);
  int status = out_file_open(&o, path, e);
  if (status) return status;
  fputs(header, o.f);
  for (uint32_t i = 0; i < s->n_launches; i++)
    if (s->launches[i].done && !s->launches[i].functional) put_launch(o.f, s, i);
  return out_file_commit(&o, e);
}
