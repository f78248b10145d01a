/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vcd_stream.h"

#include "base/err.h"
#include "base/process.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORD_BYTES = 1 << 16, SCOPE_BYTES = 2048, ID_BYTES = 16 };

/* Identifiers by open addressing. */
struct ids {
  struct {
    char id[ID_BYTES];
    uint32_t value;
  } * slot;
  uint32_t size, used; /* size: a power of two */
  char word[WORD_BYTES], other[WORD_BYTES];
};

static uint32_t slot_of(const struct ids *t, const char *id) {
  uint32_t h = 2166136261U;
  for (const char *c = id; *c; c++) h = (h ^ (uint8_t)*c) * 16777619U;
  uint32_t at = h & (t->size - 1);
  while (*t->slot[at].id && strcmp(t->slot[at].id, id) != 0) at = (at + 1) & (t->size - 1);
  return at;
}

static bool grow_ids(struct ids *t) {
  struct ids bigger = {.size = t->size ? 2 * t->size : 1024};
  bigger.slot = calloc(bigger.size, sizeof *bigger.slot);
  if (!bigger.slot) return false;
  for (uint32_t i = 0; i < t->size; i++)
    if (*t->slot[i].id) bigger.slot[slot_of(&bigger, t->slot[i].id)] = t->slot[i];
  free(t->slot);
  t->slot = bigger.slot;
  t->size = bigger.size;
  return true;
}

static bool next_word(struct vcd_stream *v, char word[WORD_BYTES]) {
  int c;
  size_t n = 0;
  while ((c = getc_unlocked(v->f)) != EOF && c <= ' ') v->line += c == '\n';
  for (; c != EOF && c > ' '; c = getc_unlocked(v->f))
    if (n + 1 < WORD_BYTES) word[n++] = (char)c;
  if (c == '\n') v->line++;
  word[n] = 0;
  return n > 0;
}

static int cut_off(const struct vcd_stream *v, struct err *e) {
  return err_set(e, ERR_SYNTAX, "%s:%u: the file ends within its declarations; it is no whole VCD", v->path,
                 v->line + 1);
}

static int skip_to_end(struct vcd_stream *v, struct ids *t, struct err *e) {
  do
    if (!next_word(v, t->word)) return cut_off(v, e);
  while (strcmp(t->word, "$end") != 0);
  return 0;
}

static void *grow(void *list, uint32_t n, uint32_t *max, size_t size) {
  if (n < *max) return list;
  uint32_t more = *max ? 2 * *max : 256;
  void *bigger = realloc(list, more * size);
  if (bigger) *max = more;
  return bigger;
}

static bool add_value(struct vcd_stream *v, uint32_t width, uint32_t *index) {
  struct vcd_value *values = grow(v->values, v->n_values, &v->values_max, sizeof *values);
  if (!values) return false;
  v->values = values;
  *index = v->n_values++;
  values[*index] = (struct vcd_value){.width = width, .bits = malloc(width + 1)};
  if (!values[*index].bits) return false;
  memset(values[*index].bits, 'x', width);
  values[*index].bits[width] = 0;
  return true;
}

static bool add_name(struct vcd_stream *v, struct ids *t, const char *scope, const char *name, const char *id,
                     uint32_t width) {
  if (2 * (t->used + 1) >= t->size && !grow_ids(t)) return false;
  struct vcd_name *names = grow(v->names, v->n_names, &v->names_max, sizeof *names);
  if (!names) return false;
  v->names = names;
  uint32_t at = slot_of(t, id);
  if (!*t->slot[at].id) {
    if (!add_value(v, width, &t->slot[at].value)) return false;
    snprintf(t->slot[at].id, ID_BYTES, "%s", id);
    t->used++;
  }
  struct vcd_name *to = &names[v->n_names];
  *to = (struct vcd_name){.width = width, .value = t->slot[at].value};
  if (asprintf(&to->name, "%s%s%s", scope, *scope ? "." : "", name) < 0) return false;
  v->n_names++;
  return true;
}

/* "$var TYPE WIDTH ID NAME [RANGE] $end"; a range may also be glued to the name. */
static int read_var(struct vcd_stream *v, struct ids *t, const char *scope, struct err *e) {
  char id[ID_BYTES], name[SCOPE_BYTES];
  int64_t width;
  if (!next_word(v, t->other) || !next_word(v, t->word)) return cut_off(v, e); /* the type, the width */
  if (!text_to_int64(t->word, &width) || width < 0 || width > 1 << 24)
    return err_set(e, ERR_SYNTAX, "%s:%u: \"%.40s\" is no width", v->path, v->line + 1, t->word);
  if (!next_word(v, t->word)) return cut_off(v, e);
  snprintf(id, sizeof id, "%s", t->word);
  if (!next_word(v, t->word)) return cut_off(v, e);
  snprintf(name, sizeof name, "%s", t->word);
  char *range = strchr(name, '[');
  if (range && range > name && strchr(range, ':')) *range = 0;
  if (!add_name(v, t, scope, name, id, (uint32_t)width)) return err_set(e, ERR_LIMIT, "out of memory for %s", v->path);
  return skip_to_end(v, t, e);
}

static int read_declarations(struct vcd_stream *v, struct ids *t, struct err *e) {
  char scope[SCOPE_BYTES] = "";
  while (next_word(v, t->word)) {
    int status = 0;
    if (!strcmp(t->word, "$enddefinitions")) return skip_to_end(v, t, e);
    if (!strcmp(t->word, "$var")) {
      status = read_var(v, t, scope, e);
    } else if (!strcmp(t->word, "$scope")) {
      if (!next_word(v, t->other) || !next_word(v, t->word)) return cut_off(v, e); /* its kind, its name */
      size_t n = strlen(scope);
      snprintf(scope + n, sizeof scope - n, "%s%s", n ? "." : "", t->word);
      status = skip_to_end(v, t, e);
    } else if (!strcmp(t->word, "$upscope")) {
      char *dot = strrchr(scope, '.');
      *(dot ? dot : scope) = 0;
      status = skip_to_end(v, t, e);
    } else if (!strcmp(t->word, "$timescale")) {
      while (next_word(v, t->word) && strcmp(t->word, "$end") != 0) {
        size_t n = strlen(v->timescale);
        snprintf(v->timescale + n, sizeof v->timescale - n, "%s", t->word);
      }
    } else if (*t->word == '$') {
      status = skip_to_end(v, t, e);
    } else {
      return err_set(e, ERR_SYNTAX, "%s:%u: \"%.40s\" is no declaration of a VCD", v->path, v->line + 1, t->word);
    }
    if (status) return status;
  }
  return cut_off(v, e);
}

static int open_file(struct vcd_stream *v, struct err *e) {
  char command[1200], tool[1024];
  struct stat st;
  size_t n = strlen(v->path);
  bool fst = n > 4 && !strcmp(v->path + n - 4, ".fst");
  if (access(v->path, R_OK)) return err_set(e, ERR_FILE, "cannot read %s: %s", v->path, strerror(errno));
  if (fst && !process_find_tool("fst2vcd", tool, sizeof tool, &st))
    return err_set(e, ERR_TOOL, "%s: fst2vcd, which reads it, is not on PATH; install the package gtkwave", v->path);
  if (fst && strchr(v->path, '\'')) return err_set(e, ERR_USAGE, "%s: choose a name without quotes", v->path);
  snprintf(command, sizeof command, "fst2vcd -f '%s' 2>/dev/null", v->path);
  v->pipe = fst;
  v->f = fst ? popen(command, "r") : fopen(v->path, "r");
  return v->f ? 0 : err_set(e, ERR_FILE, "cannot read %s: %s", v->path, strerror(errno));
}

int vcd_stream_open(struct vcd_stream *v, const char *path, struct err *e) {
  *v = (struct vcd_stream){.path = path};
  struct ids *t = v->ids = calloc(1, sizeof *t);
  int status = t && grow_ids(t) ? open_file(v, e) : err_set(e, ERR_LIMIT, "out of memory for %s", path);
  if (!status) status = read_declarations(v, t, e);
  if (!status && !(v->changed = calloc(v->n_values + 1, sizeof *v->changed)))
    status = err_set(e, ERR_LIMIT, "out of memory for %s", path);
  if (status) vcd_stream_close(v);
  return status;
}

void vcd_stream_close(struct vcd_stream *v) {
  struct ids *t = v->ids;
  if (v->f && v->pipe) pclose(v->f);
  else if (v->f) fclose(v->f);
  for (uint32_t i = 0; i < v->n_names; i++) free(v->names[i].name);
  for (uint32_t i = 0; i < v->n_values; i++) free(v->values[i].bits);
  free(v->names);
  free(v->values);
  free(v->changed);
  if (t) free(t->slot);
  free(t);
  *v = (struct vcd_stream){0};
}

/* A vector's missing high bits repeat the highest one if it is x or z, else they are 0. */
static void set_value(struct vcd_stream *v, const struct ids *t, const char *bits, const char *id) {
  uint32_t at = slot_of(t, id);
  if (!*t->slot[at].id) return;
  struct vcd_value *to = &v->values[t->slot[at].value];
  uint32_t n = (uint32_t)strlen(bits), skip = n > to->width ? n - to->width : 0;
  char high = n && (*bits == 'x' || *bits == 'z') ? *bits : '0';
  uint32_t missing = n < to->width ? to->width - n : 0;
  to->known = true;
  memset(to->bits, high, missing);
  memcpy(to->bits + missing, bits + skip, n - skip);
  if (v->n_changed < v->n_values) v->changed[v->n_changed++] = t->slot[at].value;
}

int vcd_stream_step(struct vcd_stream *v, struct err *e) {
  struct ids *t = v->ids;
  v->n_changed = 0;
  while (next_word(v, t->word)) {
    char *w = t->word;
    if (*w == '#') {
      int64_t time;
      if (!text_to_int64(w + 1, &time) || time < 0)
        return err_set(e, ERR_SYNTAX, "%s:%u: \"%.40s\" is no time", v->path, v->line + 1, w);
      v->next = (uint64_t)time;
      return 0;
    }
    if (*w == '$') {
      if (!strcmp(w, "$comment") && skip_to_end(v, t, e)) return ERR_SYNTAX;
      continue;
    }
    for (char *c = w; *c && (*w == 'b' || *w == 'B'); c++)
      if (*c >= 'A' && *c <= 'Z') *c = (char)(*c + 'a' - 'A');
    if (*w == 'X' || *w == 'Z') *w = (char)(*w + 'a' - 'A');
    if (strchr("01xz", *w) && w[1]) {
      char bit[2] = {*w, 0};
      set_value(v, t, bit, w + 1);
    } else if (*w == 'b' && strspn(w + 1, "01xz") == strlen(w + 1) && next_word(v, t->other)) {
      set_value(v, t, w + 1, t->other);
    } else if (!(strchr("rRsS", *w) && next_word(v, t->other))) {
      return err_set(e, ERR_SYNTAX, "%s:%u: \"%.40s\" is no change of a value", v->path, v->line + 1, w);
    }
  }
  v->ended = true;
  return 0;
}
