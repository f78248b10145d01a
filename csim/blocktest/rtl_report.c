/* SPDX-License-Identifier: Apache-2.0 */
#include "blocktest/rtl_report.h"

#include "base/out_file.h"
#include "base/place.h"
#include "base/process.h"
#include "blocktest/rtl_reasons.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 1024 };

/* The text of a file of the RTL, line by line. */
struct source {
  char *bytes, **line; /* line[0] is the first */
  unsigned n;
};

static void source_free(struct source *s) {
  free(s->bytes);
  free(s->line);
}

/* A file whose name begins with rtl/ is of the tree, or of the installation. A file that is gone has no lines. */
static void source_read(const char *name, struct source *s) {
  char path[PLACE_BYTES + 16], root[PLACE_BYTES];
  *s = (struct source){.n = 0};
  place_data_file("rtl", root, sizeof root);
  snprintf(path, sizeof path, "%s%s", strncmp(name, "rtl/", 4) ? "" : root, strncmp(name, "rtl/", 4) ? name : name + 3);
  FILE *f = fopen(path, "r");
  size_t size = 0, max = 0;
  for (int c; f && (c = fgetc(f)) != EOF;) {
    if (size + 1 >= max) s->bytes = realloc(s->bytes, max = max ? 2 * max : 4096);
    invariant(s->bytes, "the host has no memory left for %s", path);
    s->bytes[size++] = (char)c;
  }
  if (f) fclose(f);
  if (!size) return;
  s->bytes[size] = 0;
  char *rest = s->bytes;
  s->line = calloc(size + 1, sizeof *s->line);
  invariant(s->line, "the host has no memory left for %s", path);
  for (char *line; (line = strsep(&rest, "\n"));) s->line[s->n++] = line;
}

static const char *source_line(const struct source *s, unsigned number) {
  if (!number || number > s->n) return "";
  return s->line[number - 1] + strspn(s->line[number - 1], " \t");
}

static uint64_t hits_of(const json_t *point) { return (uint64_t)json_integer_value(json_object_get(point, "hits")); }

/* "LINE:COLUMN KIND" */
static unsigned point_line(const char *name, const char **kind) {
  const char *space = strchr(name, ' ');
  *kind = space ? space + 1 : "";
  return (unsigned)strtoul(name, NULL, 10);
}

/* Bits of one signal that never changed, as "3, 5-7". Returns how many. */
static unsigned quiet_bits(const json_t *bits, char *text, size_t size) {
  unsigned n = 0;
  size_t used = 0, all = json_array_size(bits);
  *text = 0;
  for (size_t i = 0; i < all; i++) {
    if (json_integer_value(json_array_get(bits, i))) continue;
    size_t first = i;
    while (i + 1 < all && !json_integer_value(json_array_get(bits, i + 1))) i++;
    n += (unsigned)(i - first + 1);
    if (used >= size) continue;
    const char *comma = used ? ", " : "";
    if (i == first) used += (size_t)snprintf(text + used, size - used, "%s%zu", comma, first);
    else used += (size_t)snprintf(text + used, size - used, "%s%zu-%zu", comma, first, i);
  }
  return n;
}

/* ---- one file ---- */

/* What of a file was not reached: called with the line, what it is, and the reason (or NULL). */
typedef void missed_fn(void *context, unsigned line, const char *text, const char *why);

static struct rtl_summary walk_branches(const char *name, const json_t *file, const struct source *s,
                                        const struct rtl_reasons *reasons, missed_fn *missed, void *context) {
  struct rtl_summary sum = {0};
  const char *key, *kind;
  json_t *point;
  json_object_foreach(json_object_get(file, "points"), key, point) {
    unsigned line = point_line(key, &kind);
    const char *why = rtl_reasons_branch(reasons, name, source_line(s, line), kind);
    bool hit = hits_of(point) > 0;
    char text[LINE_BYTES];
    sum.branches++;
    sum.branches_hit += hit;
    sum.branches_explained += !hit && why;
    sum.false_reasons += hit && why;
    snprintf(text, sizeof text, "%s of: %s", kind, source_line(s, line));
    if (missed && (!hit || why))
      missed(context, line, text, hit ? "(reached, though the reason says that it is not)" : why);
  }
  return sum;
}

static struct rtl_summary walk_toggles(const char *name, const json_t *file, const struct rtl_reasons *reasons,
                                       missed_fn *missed, void *context) {
  struct rtl_summary sum = {0};
  const char *key, *signal;
  json_t *bits;
  json_object_foreach(json_object_get(file, "toggles"), key, bits) {
    unsigned line = point_line(key, &signal);
    char which[200], text[LINE_BYTES];
    unsigned quiet = quiet_bits(bits, which, sizeof which), all = (unsigned)json_array_size(bits);
    const char *why = rtl_reasons_signal(reasons, name, signal);
    sum.bits += all;
    sum.bits_hit += all - quiet;
    sum.bits_explained += why ? quiet : 0;
    snprintf(text, sizeof text, "%s%s%s never changes", signal, all > 1 ? " bit " : "", all > 1 ? which : "");
    if (missed && quiet) missed(context, line, text, why);
  }
  return sum;
}

static void add_summary(struct rtl_summary *to, const struct rtl_summary *s) {
  to->branches += s->branches;
  to->branches_hit += s->branches_hit;
  to->branches_explained += s->branches_explained;
  to->bits += s->bits;
  to->bits_hit += s->bits_hit;
  to->bits_explained += s->bits_explained;
  to->false_reasons += s->false_reasons;
}

static struct rtl_summary walk(const char *name, const json_t *file, const struct rtl_reasons *reasons,
                               missed_fn *missed, void *context) {
  struct source s;
  source_read(name, &s);
  struct rtl_summary sum = walk_branches(name, file, &s, reasons, missed, context);
  struct rtl_summary toggles = walk_toggles(name, file, reasons, missed, context);
  add_summary(&sum, &toggles);
  source_free(&s);
  return sum;
}

/* ---- text ---- */

static double percent(unsigned part, unsigned whole) { return whole ? 100.0 * part / whole : 100.0; }

struct missed_lines {
  FILE *f;
  const char *file;
};

static void print_missed(void *context, unsigned line, const char *text, const char *why) {
  const struct missed_lines *m = context;
  if (!why) fprintf(m->f, "  %s:%u: %s\n", m->file, line, text);
}

struct rtl_summary rtl_report_summary(const json_t *total, const struct rtl_reasons *reasons) {
  struct rtl_summary all = {0};
  const char *name;
  json_t *file;
  json_object_foreach(json_object_get(total, "rtl"), name, file) {
    struct rtl_summary s = walk(name, file, reasons, NULL, NULL);
    add_summary(&all, &s);
  }
  return all;
}

static void print_row(FILE *f, const char *name, const struct rtl_summary *s) {
  fprintf(f, "%-40s %5u %5u %5u %6.1f %8u %8u %8u %6.1f\n", name, s->branches, s->branches_hit, s->branches_explained,
          percent(s->branches_hit + s->branches_explained, s->branches), s->bits, s->bits_hit, s->bits_explained,
          percent(s->bits_hit + s->bits_explained, s->bits));
}

void rtl_report_print(const json_t *total, const struct rtl_reasons *reasons, FILE *f) {
  const char *name;
  json_t *file;
  struct rtl_summary all = rtl_report_summary(total, reasons);
  fprintf(f, "%-40s %18s %6s %26s %6s\n", "", "branches", "", "bits", "");
  fprintf(f, "%-40s %5s %5s %5s %6s %8s %8s %8s %6s\n", "file", "all", "taken", "expl.", "%", "all", "change", "expl.",
          "%");
  json_object_foreach(json_object_get(total, "rtl"), name, file) {
    struct rtl_summary s = walk(name, file, reasons, NULL, NULL);
    print_row(f, name, &s);
  }
  print_row(f, "all", &all);
  if (all.branches + all.bits > all.branches_hit + all.branches_explained + all.bits_hit + all.bits_explained)
    fprintf(f, "not reached, and not explained:\n");
  json_object_foreach(json_object_get(total, "rtl"), name, file) {
    struct missed_lines m = {f, name};
    walk(name, file, reasons, print_missed, &m);
  }
}

/* ---- lcov ---- */

/* Adds the hits of a branch to each of its lines, "51-52,54". Lines that no branch holds stay negative. */
static void add_lines(const char *lines, int64_t hits, int64_t *of, unsigned n) {
  for (const char *at = lines; *at;) {
    char *end;
    unsigned long from = strtoul(at, &end, 10), to = from;
    if (end == at) break;
    if (*end == '-') to = strtoul(end + 1, &end, 10);
    for (unsigned long i = from; i <= to && i <= n && i; i++)
      if (of[i - 1] < hits) of[i - 1] = hits;
    at = *end == ',' ? end + 1 : end;
  }
}

/* The hits of each line, -1: no code; `n` lines. NULL: out of memory. */
static int64_t *line_hits(const json_t *file, unsigned n) {
  int64_t *of = calloc(n + 1, sizeof *of);
  const char *key;
  json_t *point;
  if (!of) return NULL;
  for (unsigned i = 0; i < n; i++) of[i] = -1;
  json_object_foreach(json_object_get(file, "points"), key, point)
    add_lines(json_string_value(json_object_get(point, "lines")), (int64_t)hits_of(point), of, n);
  return of;
}

static void put_lcov(FILE *f, const char *name, const json_t *file) {
  struct source s;
  const char *key, *kind;
  json_t *point;
  unsigned branches = 0, taken = 0, lines = 0, reached = 0;
  source_read(name, &s);
  int64_t *hits = line_hits(file, s.n);
  fprintf(f, "TN:\nSF:%s\n", name);
  json_object_foreach(json_object_get(file, "points"), key, point) {
    unsigned line = point_line(key, &kind);
    fprintf(f, "BRDA:%u,0,%u,%" PRIu64 "\n", line, branches++, hits_of(point));
    taken += hits_of(point) > 0;
  }
  fprintf(f, "BRF:%u\nBRH:%u\n", branches, taken);
  for (unsigned i = 0; i < s.n && hits; i++) {
    if (hits[i] < 0) continue;
    fprintf(f, "DA:%u,%" PRId64 "\n", i + 1, hits[i]);
    lines++;
    reached += hits[i] > 0;
  }
  fprintf(f, "LF:%u\nLH:%u\nend_of_record\n", lines, reached);
  free(hits);
  source_free(&s);
}

int rtl_report_lcov(const json_t *total, const char *path, struct err *e) {
  struct out_file o;
  const char *name;
  json_t *file;
  int status = out_file_open(&o, path, e);
  if (status) return status;
  json_object_foreach(json_object_get(total, "rtl"), name, file) put_lcov(o.f, name, file);
  return out_file_commit(&o, e);
}

/* ---- annotated source ---- */

struct notes {
  unsigned line; /* of which notes are wanted */
  FILE *f;
};

static void print_note(void *context, unsigned line, const char *text, const char *why) {
  const struct notes *n = context;
  if (line == n->line) fprintf(n->f, "%12s // %s%s%s\n", "!", text, why ? ": " : "", why ? why : "");
}

static int annotate(const char *name, const json_t *file, const struct rtl_reasons *reasons, const char *dir,
                    struct err *e) {
  char path[PLACE_BYTES + 1200];
  struct out_file o;
  struct source s;
  const char *slash = strrchr(name, '/');
  snprintf(path, sizeof path, "%s/%s", dir, slash ? slash + 1 : name);
  int status = out_file_open(&o, path, e);
  if (status) return status;
  source_read(name, &s);
  int64_t *hits = line_hits(file, s.n);
  for (unsigned i = 0; i < s.n && hits; i++) {
    struct notes n = {i + 1, o.f};
    if (i + 1 == s.n && !*s.line[i]) break;
    if (hits[i] < 0) fprintf(o.f, "%12s %s\n", "", s.line[i]);
    else fprintf(o.f, "%12" PRId64 " %s\n", hits[i], s.line[i]);
    walk_branches(name, file, &s, reasons, print_note, &n);
    walk_toggles(name, file, reasons, print_note, &n);
  }
  free(hits);
  source_free(&s);
  return out_file_commit(&o, e);
}

int rtl_report_annotate(const json_t *total, const struct rtl_reasons *reasons, const char *dir, struct err *e) {
  const char *name;
  json_t *file;
  int status = process_make_folders(dir, "name a writable one with --annotate", e);
  json_object_foreach(json_object_get(total, "rtl"), name, file) if (!status) status =
    annotate(name, file, reasons, dir, e);
  return status;
}
