/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run_trace.h"

#include "base/err.h"
#include "base/out_file.h"
#include "dram/channel.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 160, NUMBER_BYTES = 20 };

struct run_trace {
  struct dram_recorder recorder;
  struct out_file full; /* not open: not wanted */
  struct out_file *mc;  /* of each channel, or NULL */
  uint32_t channels;
};

/* Appends decimal digits and the character `after`; returns the end. */
static char *put_number(char *at, uint64_t value, char after) {
  char digits[NUMBER_BYTES];
  int n = 0;
  do digits[n++] = (char)('0' + value % 10);
  while (value /= 10);
  while (n) *at++ = digits[--n];
  *at++ = after;
  return at;
}

static char *put_address(char *at, uint64_t value, char after) {
  static const char hex[] = "0123456789abcdef";
  int shift = 60;
  *at++ = '0';
  *at++ = 'x';
  while (shift && !(value >> shift)) shift -= 4;
  for (; shift >= 0; shift -= 4) *at++ = hex[value >> shift & 15];
  *at++ = after;
  return at;
}

static void put_full(FILE *f, uint32_t channel, const struct dram_arrival *a) {
  char line[LINE_BYTES], *at = line;
  at = put_number(at, a->cycle, ',');
  at = put_number(at, channel, ',');
  at = put_number(at, a->bank, ',');
  at = put_number(at, a->row, ',');
  if (a->sm != DRAM_NO_SM) at = put_number(at, a->sm, ',');
  else *at++ = ',';
  if (a->cta != UINT32_MAX) at = put_number(at, a->cta, ',');
  else *at++ = ',';
  at = put_address(at, a->address, ',');
  *at++ = a->write ? 'W' : 'R';
  *at++ = '\n';
  fwrite(line, 1, (size_t)(at - line), f);
}

static void on_arrival(void *context, uint32_t channel, const struct dram_arrival *a) {
  struct run_trace *t = context;
  if (t->full.f) put_full(t->full.f, channel, a);
  if (!t->mc) return;
  char line[LINE_BYTES], *at = put_number(line, a->bank, ',');
  at = put_number(at, a->row, '\n');
  fwrite(line, 1, (size_t)(at - line), t->mc[channel].f);
}

static int open_file(struct out_file *o, const struct session *n, const char *name, const char *header, struct err *e) {
  char path[SESSION_TEXT_BYTES + 32];
  snprintf(path, sizeof path, "%s/%s", n->out_dir, name);
  int code = out_file_open(o, path, e);
  if (!code) fputs(header, o->f);
  return code;
}

int run_trace_create(const struct session *n, struct run_trace **trace, struct err *e) {
  *trace = NULL;
  if (!(n->trace & (TRACE_FULL | TRACE_SHORT)) || !*n->out_dir) return 0;
  struct run_trace *t = calloc(1, sizeof *t);
  if (!t) return err_set(e, ERR_LIMIT, "out of memory for a trace of DRAM requests");
  *trace = t;
  t->recorder = (struct dram_recorder){on_arrival, t};
  t->channels = (uint32_t)n->config.dram_channels;
  int code = 0;
  if (n->trace & TRACE_FULL)
    code = open_file(&t->full, n, "requests.csv", "cycle,channel,bank,row,core,cta,address,kind\n", e);
  if (code || !(n->trace & TRACE_SHORT)) return code;
  t->mc = calloc(t->channels, sizeof *t->mc);
  if (!t->mc) return err_set(e, ERR_LIMIT, "out of memory for a trace of DRAM requests");
  for (uint32_t i = 0; i < t->channels && !code; i++) {
    char name[32];
    snprintf(name, sizeof name, "requests.mc%u.csv", i);
    code = open_file(&t->mc[i], n, name, "bank,row\n", e);
  }
  return code;
}

const struct dram_recorder *run_trace_recorder(const struct run_trace *t) { return t ? &t->recorder : NULL; }

int run_trace_finish(struct run_trace *t, bool keep, struct err *e) {
  if (!t) return 0;
  int code = out_file_finish(&t->full, keep, e);
  for (uint32_t i = 0; t->mc && i < t->channels; i++) {
    int one = out_file_finish(&t->mc[i], keep && !code, e);
    if (one) code = one;
  }
  free(t->mc);
  free(t);
  return code;
}
