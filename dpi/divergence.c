/* SPDX-License-Identifier: Apache-2.0 */
/* The first-divergence page: at most 40 lines that a person can act on, the stimulus that reproduces it, and the wave of
 * the window around it, made by replaying the stimulus. */
#include "base/out_file.h"
#include "replay.h"
#include "runtime.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

enum { HISTORY = 16, WINDOW = 2000, LINE_BYTES = 240 };

/* The last cycles with a request to the block. */
struct history {
  char line[HISTORY][LINE_BYTES];
  uint32_t n;
  const struct stimulus *s;
};

static void add_text(char *line, const char *format, const char *name, const char *value) {
  size_t n = strlen(line);
  snprintf(line + n, LINE_BYTES - n, format, name, value);
}

static void add_fields(char *line, const struct block_field *fields, uint32_t n, const int32_t *params,
                       const uint8_t *values, const uint8_t *last) {
  static const uint8_t zero[512];
  for (uint32_t i = 0; i < n; i++) {
    const struct block_field *f = &fields[i];
    const uint8_t *v = values + f->offset;
    bool shown =
      memcmp(v, zero, f->slot) && (f->enable || f->width(params) == 1 || !last || memcmp(v, last + f->offset, f->slot));
    if (!shown) continue;
    char value[160];
    stimulus_print_value(v, f->width(params), value, sizeof value);
    add_text(line, f->width(params) == 1 ? " %s" : " %s=%s", f->name, value);
  }
}

static bool remember(void *self, size_t i, const struct stimulus_row *row, const void *out) {
  struct history *h = self;
  const struct block_desc *desc = h->s->desc;
  if (block_desc_idle(desc, row->in) && i + 1 != h->s->n) return true;
  char *line = h->line[h->n++ % HISTORY];
  snprintf(line, LINE_BYTES, "  %10" PRIu64 "%s", row->cycle, row->rst_n ? "" : " reset");
  add_fields(line, desc->in, desc->n_in, h->s->params, row->in, i ? stimulus_row(h->s, i - 1)->in : NULL);
  add_text(line, " %s%s", "->", "");
  add_fields(line, desc->out, desc->n_out, h->s->params, out, NULL);
  return true;
}

static void print_page(FILE *f, const struct dpi *d, const struct history *h, const char *dir) {
  const struct divergence *v = &d->first;
  char expected[300], actual[300];
  stimulus_print_value((const uint8_t *)v->expected, v->width, expected, sizeof expected);
  stimulus_print_value((const uint8_t *)v->actual, v->width, actual, sizeof actual);
  fprintf(f, "DIVERGENCE in %s (block %s), cycle %" PRIu64 "\n", v->path, v->block, v->cycle);
  fprintf(f, "  %s %s", v->is_register ? "register" : "port", v->what);
  if (v->is_register && v->row) fprintf(f, " row %u", v->row);
  fprintf(f, ": expected %s (C model), actual %s (RTL)\n", expected, actual);
  if (*v->also) fprintf(f, "  also different in this cycle: %s\n", v->also);
  const struct block_desc *desc = d->first_seam->b->desc;
  fprintf(f, "  parameters:");
  for (uint32_t i = 0; i < desc->n_params; i++) fprintf(f, " %s=%d", desc->params[i].name, d->first_seam->b->params[i]);
  fprintf(f, "\n  RTL rtl/%s/%s.v, C model csim/blocks/%s/%s.c\n", desc->family, desc->name, desc->family, desc->name);
  if (h->n) fprintf(f, "\nlast %d cycles with a request (inputs -> outputs of the C model):\n", HISTORY);
  for (uint32_t i = h->n > HISTORY ? h->n - HISTORY : 0; i < h->n; i++) fprintf(f, "%s\n", h->line[i % HISTORY]);
  if (!dir) return;
  fprintf(f, "\nsee it:     tandem wave %s\n", dir);
  if (d->first_seam->rec.lost) fprintf(f, "replay it:  not possible, the recording grew beyond its limit\n");
  else fprintf(f, "replay it:  tandem replay %s\n", dir);
}

static int write_text(const struct dpi *d, const struct history *h, struct err *e) {
  char path[1100];
  snprintf(path, sizeof path, "%s/divergence.txt", d->out_dir);
  struct out_file o;
  int status = out_file_open(&o, path, e);
  if (status) return status;
  print_page(o.f, d, h, d->out_dir);
  return out_file_commit(&o, e);
}

static int write_json(const struct dpi *d, struct err *e) {
  const struct divergence *v = &d->first;
  char path[1100], expected[300], actual[300];
  snprintf(path, sizeof path, "%s/divergence.json", d->out_dir);
  stimulus_print_value((const uint8_t *)v->expected, v->width, expected, sizeof expected);
  stimulus_print_value((const uint8_t *)v->actual, v->width, actual, sizeof actual);
  json_t *j = json_pack("{s:s, s:s, s:I, s:s, s:s, s:i, s:s, s:s, s:s}", "instance", v->path, "block", v->block,
                        "cycle", (json_int_t)v->cycle, "kind", v->is_register ? "register" : "port", "name", v->what,
                        "row", (int)v->row, "expected", expected, "actual", actual, "also", v->also);
  struct out_file o;
  int status = out_file_open(&o, path, e);
  if (!status) json_dumpf(j, o.f, JSON_INDENT(2));
  json_decref(j);
  return status ? status : out_file_commit(&o, e);
}

/* The wave of the window: the same stimulus on the block alone, from reset, with the last cycles kept. */
static int make_wave(const struct dpi *d, struct err *e) {
  const struct stimulus *s = &d->first_seam->rec.s;
  struct replay r = {.engine = ENGINE_LOCKSTEP,
                     .bug = d->config.bug,
                     .bug_rtl = d->config.bug_rtl,
                     .state_every = 1,
                     .wave_dir = d->out_dir,
                     .wave_from = s->n > WINDOW ? s->n - WINDOW : 0};
  bool diverged;
  return replay_run(&r, s, NULL, &diverged, e);
}

int dpi_report_divergence(struct dpi *d, FILE *to, struct err *e) {
  if (!d->stop) return 0;
  struct stimulus *s = &d->first_seam->rec.s;
  struct history h = {.s = s};
  int status = 0;
  if (d->config.bug) snprintf(s->bug, sizeof s->bug, "%s", d->first_seam->b->desc->bugs[d->config.bug - 1].name);
  status = stimulus_expand(s, e);
  if (!status && s->n) {
    bool diverged;
    struct replay r = {.engine = ENGINE_C, .row = remember, .self = &h};
    status = replay_run(&r, s, NULL, &diverged, e);
  }
  print_page(to, d, &h, d->out_dir);
  if (!d->out_dir || status) return status;
  char path[1100];
  snprintf(path, sizeof path, "%s/stimulus.csv", d->out_dir);
  status = write_text(d, &h, e);
  if (!status) status = write_json(d, e);
  if (!status && s->n) status = stimulus_write(s, path, e);
  if (!status && s->n) status = make_wave(d, e);
  return status;
}
