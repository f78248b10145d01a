/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/dram_options.h"

#include "base/err.h"
#include "run/session.h"

#include <stdio.h>
#include <string.h>

enum { CHIP_BYTES_PER_CLOCK = 8, CHIP_BURST_BYTES = 16, CHIP_ROW_BYTES = 4096 };

/* "tRC=34", or "tCCD=2" for both tCCDS and tCCDL. */
static int set_timing(struct gpu_config *m, const char *text, struct err *e) {
  char assignment[128];
  if (!strncmp(text, "tCCD=", 5)) {
    snprintf(assignment, sizeof assignment, "dram.tCCDS=%s", text + 5);
    int code = gpu_config_set(m, "--timing", assignment, e);
    if (code) return code;
    snprintf(assignment, sizeof assignment, "dram.tCCDL=%s", text + 5);
    return gpu_config_set(m, "--timing", assignment, e);
  }
  if (text[0] != 't') return err_set(e, ERR_USAGE, "--timing %s: write a DRAM timing, as tRC=34", text);
  snprintf(assignment, sizeof assignment, "dram.%s", text);
  return gpu_config_set(m, "--timing", assignment, e);
}

int dram_options_config(const struct dram_options *o, struct gpu_config *m, struct err *e) {
  char assignment[128];
  gpu_config_defaults(m);
  int code = gpu_config_load(m, session_config_dir(), o->gpu ? o->gpu : "gt200", e);
  for (unsigned i = 0; i < o->set.n && !code; i++) code = gpu_config_set(m, "--set", o->set.text[i], e);
  for (unsigned i = 0; i < o->timing.n && !code; i++) code = set_timing(m, o->timing.text[i], e);
  if (!code && o->policy) {
    snprintf(assignment, sizeof assignment, "dram.scheduler=%s", o->policy);
    code = gpu_config_set(m, "--policy", assignment, e);
  }
  if (code) return code;
  if (o->queue) m->dram_queue = o->queue;
  if (o->chips) {
    m->dram_bytes_per_clock = CHIP_BYTES_PER_CLOCK * o->chips;
    m->dram_burst_bytes = CHIP_BURST_BYTES * o->chips;
    m->dram_row_bytes = CHIP_ROW_BYTES * o->chips;
  }
  return gpu_config_check(m, e);
}
