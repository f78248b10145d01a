/* SPDX-License-Identifier: Apache-2.0 */
/* The report of the first divergence: a page, the stimulus that reproduces it, and the wave of its last cycles, made by replaying
 * that stimulus. */
#include "base/host_clock.h"
#include "base/json_out.h"
#include "base/out_file.h"
#include "block/own.h"
#include "divergence_page.h"
#include "explain_print.h"
#include "replay.h"
#include "runtime.h"
#include "trail.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { HISTORY = 16, WINDOW = 2000 };

/* The last cycles with a request to the block. */
struct history {
  char *line[HISTORY];
  uint32_t n;
  size_t from; /* its first row */
  const struct stimulus *s;
};

static void history_free(struct history *h) {
  for (int i = 0; i < HISTORY; i++) free(h->line[i]);
}

/* Whether the page shows a field: an input that changed, an output that is not 0. */
static bool shown(const struct block_field *f, uint32_t width, const uint8_t *v, const uint8_t *last) {
  uint32_t i = 0;
  while (i < f->slot && !v[i]) i++;
  return i < f->slot && (f->enable || width == 1 || !last || memcmp(v, last + f->offset, f->slot));
}

static void add_fields(FILE *line, const struct block_desc *desc, const struct block_field *fields, uint32_t n,
                       const int32_t *params, const uint8_t *values, const uint8_t *last) {
  for (uint32_t i = 0; i < n; i++) {
    const struct block_field *f = &fields[i];
    const uint8_t *v = values + f->offset;
    uint32_t width = f->width(params);
    if (!shown(f, width, v, last) || (fields == desc->out && !block_output_counts(desc, f, values))) continue;
    size_t size = 2 * (size_t)f->slot + 24;
    char *value = malloc(size);
    if (!value) return;
    stimulus_print_value(v, width, value, size);
    fprintf(line, width == 1 ? " %s" : " %s=%s", f->name, value);
    free(value);
  }
}

/* Whether the page shows the row: one with a request, and the last one. */
static bool remembered(const struct stimulus *s, size_t i) {
  return i + 1 == s->n || !block_desc_idle(s->desc, stimulus_row(s, i)->in);
}

static void find_history(struct history *h, const struct stimulus *s) {
  size_t i = s->n;
  for (uint32_t rows = 0; i && rows < HISTORY;) rows += remembered(s, --i);
  h->s = s;
  h->from = i;
}

static bool remember(void *self, size_t i, const struct stimulus_row *row, const struct block *b) {
  struct history *h = self;
  const struct block_desc *desc = h->s->desc;
  if (i < h->from || !remembered(h->s, i)) return true;
  char **place = &h->line[h->n++ % HISTORY];
  size_t size;
  free(*place);
  *place = NULL;
  FILE *line = open_memstream(place, &size);
  if (!line) return false;
  fprintf(line, "  %10" PRIu64 "%s", row->cycle, row->rst_n ? "" : " reset");
  add_fields(line, desc, desc->in, desc->n_in, h->s->params, row->in, i ? stimulus_row(h->s, i - 1)->in : NULL);
  fprintf(line, " ->");
  add_fields(line, desc, desc->out, desc->n_out, h->s->params, b->out, NULL);
  fclose(line);
  return true;
}

/* What the page shows besides the first divergence. */
struct page {
  struct history history;
  struct trail trail;
  struct explanation why;
  char *work; /* what the instance worked for, a line each, or NULL */
};

static void print_files(FILE *f, const struct block_desc *desc) {
  const char *family = desc->family, *name = desc->name;
  if (desc->own) fprintf(f, "  RTL %s, C model %s\n", desc->own->rtl, desc->own->model);
  else fprintf(f, "  RTL rtl/%s/%s.v, C model csim/blocks/%s/%s.c\n", family, name, family, name);
}

static void print_page(FILE *f, const struct dpi *d, const struct page *page, const char *dir) {
  const struct history *h = &page->history;
  const struct divergence *v = &d->first;
  char expected[STIMULUS_TEXT], actual[STIMULUS_TEXT];
  stimulus_print_value((const uint8_t *)v->expected, v->width, expected, sizeof expected);
  stimulus_print_value((const uint8_t *)v->actual, v->width, actual, sizeof actual);
  fprintf(f, "DIVERGENCE in %s (block %s), cycle %" PRIu64 "\n", v->path, v->block, v->cycle);
  fprintf(f, "  %s %s", v->is_register ? "register" : "port", v->what);
  if (v->is_register && v->row) fprintf(f, " row %u", v->row);
  fprintf(f, ": expected %s (C model), actual %s (RTL)\n", expected, actual);
  const struct block_desc *desc = d->first_seam->b->desc;
  fprintf(f, "  parameters:");
  for (uint32_t i = 0; i < desc->n_params; i++) fprintf(f, " %s=%d", desc->params[i].name, d->first_seam->b->params[i]);
  fputc('\n', f);
  print_files(f, desc);
  explain_print(f, &page->why);
  if (page->work && *page->work) fprintf(f, "\nlast operations of the SM, for which both sides work:\n%s", page->work);
  differences_print(f, &page->trail.differences, d->first_seam->b->params);
  if (h->n) fprintf(f, "\nlast %d cycles with a request (inputs -> outputs of the C model):\n", HISTORY);
  for (uint32_t i = h->n > HISTORY ? h->n - HISTORY : 0; i < h->n; i++)
    if (h->line[i % HISTORY]) fprintf(f, "%s\n", h->line[i % HISTORY]);
  if (!dir) return;
  fprintf(f, "\nread it:    %s/divergence.html\nsee it:     tandem wave %s\n", dir, dir);
  if (d->first_seam->rec.lost)
    fprintf(f, "replay it:  not possible, the recording grew beyond its limit%s\n",
            d->first_seam->rec.in_flight ? ", or the disk is full" : "");
  else
    fprintf(f, "replay it:  tandem replay %s%s%s\n", dir, desc->own ? " --manifest " : "",
            desc->own ? desc->own->manifest : "");
}

static int write_text(const struct dpi *d, const struct page *page, struct err *e) {
  char path[1100];
  snprintf(path, sizeof path, "%s/divergence.txt", d->out_dir);
  struct out_file o;
  int status = out_file_open(&o, path, e);
  if (status) return status;
  print_page(o.f, d, page, d->out_dir);
  return out_file_commit(&o, e);
}

/* The lines of the work. */
static json_t *work_json(const char *work) {
  json_t *lines = json_array();
  for (const char *at = work; at && *at; at += strcspn(at, "\n") + 1)
    json_array_append_new(lines, json_stringn(at, strcspn(at, "\n")));
  return lines;
}

static int write_json(const struct dpi *d, const struct page *page, struct err *e) {
  const struct divergence *v = &d->first;
  char path[1100], expected[STIMULUS_TEXT], actual[STIMULUS_TEXT];
  snprintf(path, sizeof path, "%s/divergence.json", d->out_dir);
  stimulus_print_value((const uint8_t *)v->expected, v->width, expected, sizeof expected);
  stimulus_print_value((const uint8_t *)v->actual, v->width, actual, sizeof actual);
  json_t *j = json_pack("{s:s, s:s, s:I, s:s, s:s, s:i, s:s, s:s, s:s}", "instance", v->path, "block", v->block,
                        "cycle", (json_int_t)v->cycle, "kind", v->is_register ? "register" : "port", "name", v->what,
                        "row", (int)v->row, "expected", expected, "actual", actual, "also", v->also);
  json_object_set_new(j, "why", explain_json(&page->why));
  json_object_set_new(j, "operations", work_json(page->work));
  struct out_file o;
  int status = out_file_open(&o, path, e);
  if (!status) json_out(j, "divergence/1", 0, o.f);
  json_decref(j);
  return status ? status : out_file_commit(&o, e);
}

/* Replays the stimulus on the block alone, from reset, and keeps the wave of the last cycles. */
static int make_wave(const struct dpi *d, struct err *e) {
  const struct stimulus *s = &d->first_seam->rec.s;
  size_t from = s->n > WINDOW ? s->n - WINDOW : 0;
  struct replay r = {.engine = ENGINE_LOCKSTEP,
                     .bug = d->config.bug,
                     .bug_rtl = d->config.bug_rtl,
                     .state_every = 1,
                     .state_from = from,
                     .wave_dir = d->out_dir,
                     .wave_from = from};
  bool diverged;
  return replay_run(&r, s, NULL, &diverged, e);
}

/* Replays the stimulus twice: the C model for the history, both sides for all that differs and why. */
static int collect(const struct dpi *d, struct page *page, struct err *e) {
  const struct stimulus *s = &d->first_seam->rec.s;
  bool diverged;
  find_history(&page->history, s);
  if (!s->n) return 0;
  struct replay model = {.engine = ENGINE_C, .row = remember, .self = &page->history};
  int status = replay_run(&model, s, NULL, &diverged, e);
  if (!status) status = trail_run(&page->trail, s, d->config.bug, d->config.bug_rtl, e);
  return status ? status : explain(&page->why, &page->trail, d->config.bug, d->config.bug_rtl, e);
}

void dpi_set_work(struct dpi *d, dpi_work_fn *work, void *context) {
  d->work = work;
  d->work_context = context;
}

static char *work_of(const struct dpi *d, const struct page *page) {
  char *text = NULL;
  size_t size;
  const struct trail_row *failing = page->why.failing;
  FILE *f = d->work ? open_memstream(&text, &size) : NULL;
  if (!f) return NULL;
  d->work(d->work_context, d->first.path, failing ? failing->cycle : d->first.cycle, f);
  fclose(f);
  return text;
}

/* Makes the stimulus of what the flight recorder has of the recording. */
static int read_recording(struct seam *s, struct err *e) {
  struct flight_reader *r = NULL;
  unsigned instance;
  const char *path = flight_written_to(s, &instance);
  flight_write(s);
  int status = flight_open(path, &r, e);
  if (status) return status;
  status = flight_since(r, instance, s->rec.from, &s->rec.s, e);
  flight_close(r);
  return status;
}

static int end_recording(struct seam *s, struct err *e) {
  return s->rec.in_flight && s->rec.on ? read_recording(s, e) : stimulus_recorder_end(&s->rec, e);
}

void dpi_report_seconds(const struct dpi *d, double *page, double *wave) {
  *page = d->page_seconds;
  *wave = d->wave_seconds;
}

/* Processor time of this process and of those that it waited for. */
static double seconds_so_far(void) {
  struct rusage children = {0};
  getrusage(RUSAGE_CHILDREN, &children);
  return host_process_seconds() + (double)(children.ru_utime.tv_sec + children.ru_stime.tv_sec) +
         1e-6 * (double)(children.ru_utime.tv_usec + children.ru_stime.tv_usec);
}

int dpi_report_divergence(struct dpi *d, FILE *to, struct err *e) {
  if (!d->stop) return 0;
  double start = seconds_so_far();
  struct stimulus *s = &d->first_seam->rec.s;
  struct page page = {0};
  const struct block_desc *desc = d->first_seam->b->desc;
  if (d->config.bug && d->config.bug <= desc->n_bugs) /* else a random mutant, which has no name */
    snprintf(s->bug, sizeof s->bug, "%s", desc->bugs[d->config.bug - 1].name);
  int status = end_recording(d->first_seam, e);
  while (s->n && stimulus_row(s, s->n - 1)->cycle > d->first.cycle) s->n--; /* executed before the run stopped */
  if (!status) status = collect(d, &page, e);
  d->cause = d->first.cycle;
  for (uint32_t i = 0; i < page.trail.differences.n; i++)
    if (page.trail.differences.list[i].cycle < d->cause) d->cause = page.trail.differences.list[i].cycle;
  page.work = work_of(d, &page);
  print_page(to, d, &page, d->out_dir);
  d->page_seconds = seconds_so_far() - start;
  char path[1100];
  snprintf(path, sizeof path, "%s/stimulus.csv", d->out_dir ? d->out_dir : "");
  if (!status && d->out_dir) {
    status = write_text(d, &page, e);
    if (!status) status = write_json(d, &page, e);
    if (!status && s->n) status = stimulus_write(s, path, e);
    if (!status && s->n) status = make_wave(d, e);
    if (!status && s->n) status = divergence_page_write(d->out_dir, &d->first, &page.trail, &page.why, page.work, e);
  }
  d->wave_seconds = seconds_so_far() - start - d->page_seconds;
  history_free(&page.history);
  explain_free(&page.why);
  free(page.work);
  trail_free(&page.trail);
  return status;
}
