/* SPDX-License-Identifier: Apache-2.0 */
/* Both waves around their first difference as one: the scopes of what differs, below A and below B. */
#include "base/err.h"
#include "base/out_file.h"
#include "base/process.h"
#include "base/vcd_stream.h"
#include "report/wave_diff.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BEFORE = 200, AFTER = 60, SHOWN = 40, PATH_BYTES = 1200 };
static const char *const sides[2] = {"A", "B"};

struct saver {
  const struct wave_diff *d;
  struct vcd_stream v[2];
  bool *kept[2]; /* of a name */
  bool *used[2]; /* of a value: some kept name has it */
  FILE *f;
  uint64_t from, to;
};

static size_t scope_length(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot ? (size_t)(dot - name) : 0;
}

/* A signal is kept if a signal of its scope differs. */
static bool is_kept(const struct wave_diff *d, const char *name) {
  size_t n = scope_length(name);
  for (uint32_t i = 0; i < d->n; i++)
    if (scope_length(d->list[i].name) == n && !strncmp(d->list[i].name, name, n)) return true;
  return false;
}

static int choose(struct saver *s, struct err *e) {
  for (int k = 0; k < 2; k++) {
    struct vcd_stream *v = &s->v[k];
    s->kept[k] = calloc(v->n_names + 1, sizeof(bool));
    s->used[k] = calloc(v->n_values + 1, sizeof(bool));
    if (!s->kept[k] || !s->used[k]) return err_set(e, ERR_LIMIT, "out of memory for the signals of %s", v->path);
    for (uint32_t i = 0; i < v->n_names; i++) {
      s->kept[k][i] = is_kept(s->d, v->names[i].name);
      s->used[k][v->names[i].value] |= s->kept[k][i];
    }
  }
  return 0;
}

/* Leaves scopes until `now` is a prefix of `scope`, and enters those that are missing. */
static void go_to(FILE *f, char *now, size_t size, const char *scope, size_t length) {
  size_t n = strlen(now);
  while (n && !(n <= length && !strncmp(now, scope, n) && (n == length || scope[n] == '.'))) {
    char *dot = strrchr(now, '.');
    *(dot ? dot : now) = 0;
    n = strlen(now);
    fprintf(f, "$upscope $end\n");
  }
  while (n < length) {
    const char *from = scope + n + (n > 0);
    size_t part = strcspn(from, ".");
    if (from + part > scope + length) part = (size_t)(scope + length - from);
    fprintf(f, "$scope module %.*s $end\n", (int)part, from);
    n = (size_t)(from - scope) + part;
    snprintf(now, size, "%.*s", (int)n, scope);
  }
}

static void declare(struct saver *s, int k) {
  struct vcd_stream *v = &s->v[k];
  char now[2048] = "";
  fprintf(s->f, "$scope module %s $end\n", sides[k]);
  for (uint32_t i = 0; i < v->n_names; i++) {
    const char *name = v->names[i].name;
    if (!s->kept[k][i]) continue;
    size_t n = scope_length(name);
    go_to(s->f, now, sizeof now, name, n);
    fprintf(s->f, "$var wire %u %c%u %s", v->names[i].width, "ab"[k], v -> names[i].value, name + n + (n > 0));
    if (v->names[i].width > 1) fprintf(s->f, " [%u:0]", v->names[i].width - 1);
    fprintf(s->f, " $end\n");
  }
  go_to(s->f, now, sizeof now, "", 0);
  fprintf(s->f, "$upscope $end\n");
}

static void put_change(const struct saver *s, int k, uint32_t value) {
  const struct vcd_value *v = &s->v[k].values[value];
  if (!s->used[k][value]) return;
  if (v->width == 1) fprintf(s->f, "%s%c%u\n", v->bits, "ab"[k], value);
  else fprintf(s->f, "b%s %c%u\n", v->bits, "ab"[k], value);
}

static int put_values(struct saver *s, struct err *e) {
  int status = 0;
  for (int k = 0; k < 2 && !status; k++) {
    status = vcd_stream_step(&s->v[k], e);
    while (!status && !s->v[k].ended && s->v[k].next < s->from) status = vcd_stream_step(&s->v[k], e);
  }
  fprintf(s->f, "#%" PRIu64 "\n$dumpvars\n", s->from);
  for (int k = 0; k < 2; k++)
    for (uint32_t i = 0; i < s->v[k].n_values; i++) put_change(s, k, i);
  fprintf(s->f, "$end\n");
  while (!status) {
    uint64_t time = UINT64_MAX;
    for (int k = 0; k < 2; k++)
      if (!s->v[k].ended && s->v[k].next < time) time = s->v[k].next;
    if (time > s->to) break;
    fprintf(s->f, "#%" PRIu64 "\n", time);
    for (int k = 0; k < 2 && !status; k++) {
      if (s->v[k].ended || s->v[k].next != time) continue;
      status = vcd_stream_step(&s->v[k], e);
      for (uint32_t i = 0; i < s->v[k].n_changed; i++) put_change(s, k, s->v[k].changed[i]);
    }
  }
  return status;
}

static int write_wave(struct saver *s, const char *dir, struct err *e) {
  char vcd[PATH_BYTES], log[PATH_BYTES], tool[1024], command[3 * PATH_BYTES];
  struct out_file o;
  struct stat st;
  if (!process_find_tool("vcd2fst", tool, sizeof tool, &st))
    return err_set(e, ERR_TOOL, "vcd2fst, which writes the wave of both, is not on PATH; install the package gtkwave");
  snprintf(vcd, sizeof vcd, "%s/diff.vcd", dir);
  snprintf(log, sizeof log, "%s/diff.log", dir);
  int status = out_file_open(&o, vcd, e);
  if (status) return status;
  s->f = o.f;
  fprintf(o.f, "$timescale %s $end\n", s->d->timescale);
  for (int k = 0; k < 2; k++) declare(s, k);
  fprintf(o.f, "$enddefinitions $end\n");
  status = put_values(s, e);
  status = status ? (out_file_abandon(&o), status) : out_file_commit(&o, e);
  if (status) return status;
  snprintf(command, sizeof command, "cd '%s' && vcd2fst -v diff.vcd -f diff.fst.part && mv diff.fst.part diff.fst",
           dir);
  status = process_shell(command, log, "writing the wave of both", e);
  unlink(vcd);
  if (!status) unlink(log);
  return status;
}

static int write_gtkw(const struct wave_diff *d, const char *dir, struct err *e) {
  char absolute[PATH_MAX], path[PATH_MAX + 32];
  struct out_file o;
  if (!realpath(dir, absolute)) return err_set(e, ERR_FILE, "%s: %s", dir, strerror(errno));
  snprintf(path, sizeof path, "%s/diff.gtkw", absolute);
  int status = out_file_open(&o, path, e);
  if (status) return status;
  uint64_t start = d->time > 20 ? d->time - 20 : 0;
  fprintf(o.f, "[*] Tandem\n[dumpfile] \"%s/diff.fst\"\n[savefile] \"%s\"\n[timestart] %" PRIu64 "\n", absolute, path,
          start);
  fprintf(o.f, "[size] 1600 900\n[pos] 0 0\n*-3.0 %" PRIu64, d->time);
  for (int i = 0; i < 26; i++) fputs(" -1", o.f);
  fputs("\n[sst_width] 230\n[signals_width] 420\n[sst_expanded] 1\n", o.f);
  for (uint32_t i = 0; i < d->n && i < SHOWN; i++) {
    const struct wave_difference *x = &d->list[i];
    fprintf(o.f, "@200\n-%s %s: A, B\n@%x\n", wave_roles[x->role], x->name, x->width == 1 ? 0x28U : 0x22U);
    for (int k = 0; k < 2; k++) {
      fprintf(o.f, "%s.%s", sides[k], x->name);
      if (x->width > 1) fprintf(o.f, "[%u:0]", x->width - 1);
      fputc('\n', o.f);
    }
  }
  return out_file_commit(&o, e);
}

static int write_sucl(const struct wave_diff *d, const char *dir, struct err *e) {
  char path[PATH_BYTES];
  struct out_file o;
  snprintf(path, sizeof path, "%s/diff.sucl", dir);
  int status = out_file_open(&o, path, e);
  if (status) return status;
  for (uint32_t i = 0; i < d->n && i < SHOWN; i++) {
    if (!i || d->list[i].role != d->list[i - 1].role) fprintf(o.f, "divider_add %s\n", wave_roles[d->list[i].role]);
    for (int k = 0; k < 2; k++) fprintf(o.f, "variable_add %s.%s\n", sides[k], d->list[i].name);
  }
  fprintf(o.f, "cursor_set %" PRIu64 "\ngoto_cursor\n", d->time);
  return out_file_commit(&o, e);
}

int wave_diff_save(const struct wave_diff *d, const char *dir, struct err *e) {
  struct saver s = {.d = d, .from = d->time > BEFORE ? d->time - BEFORE : 0, .to = d->time + AFTER};
  int status = strchr(dir, '\'') ? err_set(e, ERR_USAGE, "%s: choose a name without quotes", dir) : 0;
  if (!status) status = process_make_folders(dir, "name a writable one with --out", e);
  for (int k = 0; k < 2 && !status; k++) status = vcd_stream_open(&s.v[k], d->path[k], e);
  if (!status) status = choose(&s, e);
  if (!status) status = write_wave(&s, dir, e);
  if (!status) status = write_gtkw(d, dir, e);
  if (!status) status = write_sucl(d, dir, e);
  for (int k = 0; k < 2; k++) {
    vcd_stream_close(&s.v[k]);
    free(s.kept[k]);
    free(s.used[k]);
  }
  return status;
}
