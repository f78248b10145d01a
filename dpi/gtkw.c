/* SPDX-License-Identifier: Apache-2.0 */
/* The GTKWave save file beside a wave, and the same view as a command file of Surfer: instances in path order, each with inputs, outputs, registers and the C model's
 * values, in data-flow order. Paths in it are absolute: GTKWave re-bases them when the folder has moved. */
#include "base/out_file.h"
#include "block/own.h"
#include "runtime.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* GTKWave trace flags: right-justified hexadecimal, binary, decimal; with a translate file; a comment line. */
enum {
  HEX = 0x22,
  BIN = 0x28,
  DEC = 0x24,
  TRANSLATED = 0x2000,
  COMMENT = 0x200,
  GROUP_OPEN = 0x800200,
  GROUP_CLOSED = 0xc00200,
  GROUP_END = 0x1000200,
  GROUP_END_CLOSED = 0x1400200
};

struct writer {
  FILE *f, *surfer;
  const char *dir;
  uint32_t flags; /* last written */
  int status;     /* of the translate files */
  struct err *e;
  char open[64]; /* first component of the paths whose groups are open */
};

/* Groups of the first SM are open, the others closed. */
static bool closed(const struct writer *w, const struct seam *s) {
  return strncmp(s->path, w->open, strlen(w->open)) || (s->path[strlen(w->open)] && s->path[strlen(w->open)] != '.');
}

static void put_flags(struct writer *w, uint32_t flags) {
  if (flags != w->flags) fprintf(w->f, "@%x\n", flags);
  w->flags = flags;
}

static void put_comment(struct writer *w, const char *text) {
  put_flags(w, COMMENT);
  fprintf(w->f, "-%s\n", text);
  fprintf(w->surfer, "divider_add %s\n", text);
}

static void put_group(struct writer *w, bool open, bool closed, const char *name) {
  put_flags(w, open ? (closed ? GROUP_CLOSED : GROUP_OPEN) : (closed ? GROUP_END_CLOSED : GROUP_END));
  fprintf(w->f, "-%s\n", name);
  if (open) fprintf(w->surfer, "divider_add %s\n", name);
}

/* A signal of one bit that no list has. */
static void put_bit(struct writer *w, const char *scope, const char *name) {
  put_flags(w, BIN);
  fprintf(w->f, "%s.%s\n", scope, name);
  fprintf(w->surfer, "variable_add %s.%s\n", scope, name);
}

/* Translate file of an enumeration: one "value name" line each. */
static void put_translate(struct writer *w, const char *block, const struct block_field *f, uint32_t width) {
  char path[1200];
  struct out_file o;
  if (w->status) return;
  snprintf(path, sizeof path, "%s/translate/%s.%s.txt", w->dir, block, f->name);
  w->status = out_file_open(&o, path, w->e);
  if (w->status) return;
  for (uint32_t i = 0; f->names[i]; i++) fprintf(o.f, "%0*x %s\n", (int)(width + 3) / 4, i, f->names[i]);
  w->status = out_file_commit(&o, w->e);
  fprintf(w->f, "^1 %s\n", path);
}

/* `name` is that of the field, or of its register in the RTL. */
static void put_named(struct writer *w, const char *scope, const char *block, const struct block_field *f,
                      const char *name, const char *suffix, uint32_t width) {
  if (f->array) return; /* its words are in the wave, each a signal */
  bool named = f->names != NULL;
  put_flags(w, (width == 1 ? BIN : HEX) | (named ? TRANSLATED : 0));
  if (named) put_translate(w, block, f, width);
  fprintf(w->f, "%s.%s%s", scope, name, suffix);
  if (width > 1) fprintf(w->f, "[%u:0]", width - 1);
  fputc('\n', w->f);
  fprintf(w->surfer, "variable_add %s.%s%s\n", scope, name, suffix);
}

static void put_signal(struct writer *w, const char *scope, const char *block, const struct block_field *f,
                       const char *suffix, uint32_t width) {
  put_named(w, scope, block, f, f->name, suffix, width);
}

static uint32_t total_width(const struct block_field *f, const int32_t *params) {
  return f->width(params) * (f->depth ? f->depth(params) : 1);
}

static void put_block(struct writer *w, const struct seam *s, bool lockstep) {
  const struct block_desc *desc = s->b->desc;
  const int32_t *params = s->b->params;
  char socket[400], dut[500], model[500];
  snprintf(socket, sizeof socket, "%s.%s_socket", s->path, desc->name);
  snprintf(dut, sizeof dut, "%s.dut", socket);
  snprintf(model, sizeof model, "%s.c_model", socket);
  put_group(w, true, closed(w, s), s->path);
  if (!desc->own || desc->own->clocked) {
    put_bit(w, dut, "clk_i");
    put_bit(w, dut, "rst_ni");
  }
  if (lockstep) put_bit(w, model, "mismatch");
  put_comment(w, "inputs");
  for (uint32_t i = 0; i < desc->n_in; i++)
    put_signal(w, dut, desc->name, &desc->in[i], "_i", total_width(&desc->in[i], params));
  put_group(w, true, true, "registers");
  for (uint32_t i = 0; i < desc->n_regs; i++) {
    const struct block_field *f = &desc->regs[i];
    put_named(w, dut, desc->name, f, f->rtl ? f->rtl : f->name, "", total_width(f, params));
  }
  put_group(w, false, true, "registers");
  put_comment(w, "outputs");
  for (uint32_t i = 0; i < desc->n_out; i++)
    put_signal(w, dut, desc->name, &desc->out[i], "_o", total_width(&desc->out[i], params));
  if (lockstep) {
    put_group(w, true, true, "C model");
    snprintf(model, sizeof model, "%s.c_model.out", socket);
    for (uint32_t i = 0; i < desc->n_out; i++)
      put_signal(w, model, desc->name, &desc->out[i], "", total_width(&desc->out[i], params));
    snprintf(model, sizeof model, "%s.c_model.state", socket);
    for (uint32_t i = 0; i < desc->n_regs; i++)
      put_signal(w, model, desc->name, &desc->regs[i], "", total_width(&desc->regs[i], params));
    put_group(w, false, true, "C model");
  }
  put_group(w, false, closed(w, s), s->path);
}

static void put_probe(struct writer *w, const struct seam *s) {
  char scope[400];
  snprintf(scope, sizeof scope, "%s.state.%s_socket", s->path, s->probe->name);
  put_group(w, true, closed(w, s), s->path);
  put_bit(w, scope, "clk");
  for (uint32_t i = 0; i < s->probe->n_fields; i++)
    put_signal(w, scope, s->probe->name, &s->probe->fields[i], "", total_width(&s->probe->fields[i], NULL));
  put_group(w, false, closed(w, s), s->path);
}

static void put_all(struct writer *w, const struct dpi *d) {
  struct seam **sorted = seams_by_path(d);
  if (!sorted) return;
  if (d->n_seams) snprintf(w->open, sizeof w->open, "%.*s", (int)strcspn(sorted[0]->path, "."), sorted[0]->path);
  for (uint32_t i = 0; i < d->n_seams; i++) {
    struct seam *s = sorted[i];
    if (s->probe) put_probe(w, s);
    else if (s->b && s->model) put_block(w, s, s->b->engine == ENGINE_LOCKSTEP);
  }
  free(sorted);
}

/* Where the wave is opened: just before the divergence, or before the first cycle in which a block worked. */
static uint64_t time_start(const struct dpi *d) {
  uint64_t interesting = d->stop ? 2 * d->marker : d->first_active;
  return interesting > 10 ? interesting - 10 : 0;
}

int wave_write_gtkw(const struct dpi *d, const char *dir, struct err *e) {
  char absolute[PATH_MAX], path[PATH_MAX + 32], translate[PATH_MAX + 32], commands[PATH_MAX + 32];
  if (!realpath(dir, absolute)) return err_set(e, ERR_FILE, "%s: %s", dir, strerror(errno));
  snprintf(translate, sizeof translate, "%s/translate", absolute);
  mkdir(translate, 0777);
  snprintf(path, sizeof path, "%s/wave.gtkw", absolute);
  struct out_file o, surfer;
  int status = out_file_open(&o, path, e);
  if (status) return status;
  snprintf(commands, sizeof commands, "%s/wave.sucl", absolute);
  if ((status = out_file_open(&surfer, commands, e))) {
    out_file_abandon(&o);
    return status;
  }
  struct writer w = {.f = o.f, .surfer = surfer.f, .dir = absolute, .e = e};
  fprintf(w.f, "[*] Tandem\n[dumpfile] \"%s/wave.fst\"\n[savefile] \"%s\"\n[timestart] %llu\n", absolute, path,
          (unsigned long long)time_start(d));
  fprintf(
    w.f,
    "[size] 1600 900\n[pos] 0 0\n*-3.0 %lld -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n",
    d->stop ? (long long)(2 * d->marker) : -1LL);
  fprintf(w.f, "[sst_width] 230\n[signals_width] 340\n[sst_expanded] 1\n[sst_vpaned_height] 300\n");
  put_all(&w, d);
  fprintf(surfer.f, "cursor_set %llu\ngoto_cursor\n", (unsigned long long)(d->stop ? 2 * d->marker : time_start(d)));
  if (!w.status) w.status = out_file_commit(&surfer, e);
  else out_file_abandon(&surfer);
  if (w.status) out_file_abandon(&o);
  return w.status ? w.status : out_file_commit(&o, e);
}
