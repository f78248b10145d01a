/* SPDX-License-Identifier: Apache-2.0 */
/* Lines and toggles of the RTL, as Verilator counts them in models of the coverage build set. Each instance has a Verilated context of
 * its own, whose counts are collected before the instance goes.
 *
 * The result is an object by file. Of a file, "points" are the branches of its code, "LINE:COLUMN KIND" with their hits and the lines that they
 * hold, and "toggles" its signals, "LINE NAME" with the changes of each bit. Instances and parameter sets add up. */
#include "base/json_out.h"
#include "base/out_file.h"
#include "runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A line of Verilator's file: C '\1KEY\2VALUE\1KEY\2VALUE' COUNT. */
struct count {
  char file[1024], what[512], lines[256], page[160];
  unsigned line, column;
  uint64_t hits;
};

static void take(struct count *c, const char *key, const char *value) {
  if (!strcmp(key, "f")) snprintf(c->file, sizeof c->file, "%s", value);
  else if (!strcmp(key, "o")) snprintf(c->what, sizeof c->what, "%s", value);
  else if (!strcmp(key, "S")) snprintf(c->lines, sizeof c->lines, "%s", value);
  else if (!strcmp(key, "page")) snprintf(c->page, sizeof c->page, "%s", value);
  else if (!strcmp(key, "l")) c->line = (unsigned)strtoul(value, NULL, 10);
  else if (!strcmp(key, "n")) c->column = (unsigned)strtoul(value, NULL, 10);
}

static bool parse(char *text, struct count *c) {
  char *end = strrchr(text, '\''), *rest = text + 3;
  *c = (struct count){.line = 0};
  if (strncmp(text, "C '", 3) != 0 || end < rest) return false;
  c->hits = strtoull(end + 1, NULL, 10);
  *end = 0;
  for (char *pair; (pair = strsep(&rest, "\1"));) {
    char *value = strchr(pair, '\2');
    if (!value) continue;
    *value = 0;
    take(c, pair, value + 1);
  }
  return *c->file && *c->what;
}

static json_t *object_in(json_t *in, const char *key) {
  json_t *found = json_object_get(in, key);
  if (found) return found;
  json_object_set_new(in, key, json_object());
  return json_object_get(in, key);
}

/* What is ours is named from the root of the sources, so that trees can be merged; generated files count for nothing. */
static bool name_of(const struct dpi *d, const char *file, char *name, size_t size) {
  size_t n = strlen(d->paths.rtl);
  if (!strncmp(file, d->paths.generated, strlen(d->paths.generated)) ||
      !strncmp(file, d->paths.cache, strlen(d->paths.cache)))
    return false;
  snprintf(name, size, "%s%s", strncmp(file, d->paths.rtl, n) ? "" : "rtl",
           strncmp(file, d->paths.rtl, n) ? file : file + n);
  return true;
}

static void add_toggle(json_t *toggles, const struct count *c) {
  char name[600];
  const char *bracket = strrchr(c->what, '[');
  size_t letters = bracket ? (size_t)(bracket - c->what) : strlen(c->what);
  unsigned long bit = bracket ? strtoul(bracket + 1, NULL, 10) : 0;
  snprintf(name, sizeof name, "%u %.*s", c->line, (int)letters, c->what);
  if (!json_object_get(toggles, name)) json_object_set_new(toggles, name, json_array());
  json_t *bits = json_object_get(toggles, name);
  while (json_array_size(bits) <= bit) json_array_append_new(bits, json_integer(0));
  json_t *hits = json_array_get(bits, bit);
  json_integer_set(hits, json_integer_value(hits) + (json_int_t)c->hits);
}

static void add_point(json_t *points, const struct count *c) {
  char name[600];
  snprintf(name, sizeof name, "%u:%u %s", c->line, c->column, c->what);
  json_t *point = json_object_get(points, name);
  if (!point) {
    json_object_set_new(points, name, json_pack("{s:I, s:s}", "hits", (json_int_t)c->hits, "lines", c->lines));
    return;
  }
  json_t *hits = json_object_get(point, "hits");
  json_integer_set(hits, json_integer_value(hits) + (json_int_t)c->hits);
}

static void add_counts(struct dpi *d, FILE *f) {
  char *text = NULL, name[1100];
  size_t size = 0;
  struct count c;
  while (getline(&text, &size, f) > 0) {
    if (!parse(text, &c) || !name_of(d, c.file, name, sizeof name)) continue;
    json_t *file = object_in(d->coverage, name);
    bool toggle = !strncmp(c.page, "v_toggle", 8);
    json_t *points = object_in(file, "points"), *toggles = object_in(file, "toggles");
    if (toggle) add_toggle(toggles, &c);
    else add_point(points, &c);
  }
  free(text);
}

/* Verilator writes to a file only; this one is in memory. */
void coverage_collect(struct seam *s) {
  struct dpi *d = s->dpi;
  char path[64];
  int fd = d->coverage ? memfd_create("coverage", MFD_CLOEXEC) : -1;
  if (fd < 0) return;
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  d->coverage_ops->write(s->context, path);
  lseek(fd, 0, SEEK_SET);
  FILE *f = fdopen(fd, "r");
  invariant(f, "the host has no memory left for the coverage of %s: %s", s->path, strerror(errno));
  add_counts(d, f);
  fclose(f);
}

int coverage_begin(struct dpi *d, struct err *e) {
  d->paths.coverage = true;
  d->coverage = json_object();
  return dpi_load_coverage(d, e);
}

void coverage_end(struct dpi *d) {
  json_decref(d->coverage);
  d->coverage = NULL;
}

json_t *dpi_coverage(struct dpi *d) {
  for (uint32_t i = 0; i < d->n_seams; i++)
    if (d->seams[i]->context) coverage_collect(d->seams[i]);
  json_t *counts = d->coverage;
  d->coverage = NULL;
  return counts;
}

int dpi_write_coverage(struct dpi *d, const char *dir, struct err *e) {
  struct out_file o;
  char path[1200];
  snprintf(path, sizeof path, "%s/coverage.json", dir);
  int status = out_file_open(&o, path, e);
  if (status) return status;
  json_t *counts = dpi_coverage(d), *file = json_pack("{s:{}, s:O}", "blocks", "rtl", counts);
  json_out(file, "coverage/1", 0, o.f);
  json_decref(file);
  json_decref(counts);
  return out_file_commit(&o, e);
}
