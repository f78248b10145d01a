/* SPDX-License-Identifier: Apache-2.0 */
#include "blocktest/vcd.h"

#include "base/err.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_BYTES = 512, ID_BYTES = 24, FOLLOWED_MAX = 512, WORD_BYTES = VCD_BITS_MAX + 64 };

struct signal {
  char name[NAME_BYTES]; /* with its scopes */
  char id[ID_BYTES];
  unsigned width;
};

/* A followed signal; bits as characters, the lowest first. */
struct followed {
  char id[ID_BYTES];
  unsigned width;
  bool changed;
  char now[VCD_BITS_MAX], before[VCD_BITS_MAX];
};

struct vcd {
  FILE *f;
  bool pipe;
  char path[1024];
  unsigned line;
  struct signal *signal;
  size_t n, capacity;
  struct followed *followed[FOLLOWED_MAX];
  unsigned n_followed;
  uint64_t time, next; /* of the values now; of the next change */
  bool begun, ended;
};

/* ---- words ---- */

/* The next word; false at the end of the file. */
static bool next_word(struct vcd *v, char word[WORD_BYTES]) {
  int c;
  size_t n = 0;
  while ((c = getc(v->f)) != EOF && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) v->line += c == '\n';
  for (; c != EOF && c != ' ' && c != '\t' && c != '\n' && c != '\r'; c = getc(v->f))
    if (n + 1 < WORD_BYTES) word[n++] = (char)c;
  if (c != EOF) ungetc(c, v->f);
  word[n] = 0;
  return n > 0;
}

static int cut_off(const struct vcd *v, struct err *e) {
  return err_set(e, ERR_SYNTAX, "%s:%u: the file ends within its declarations; it is no whole VCD", v->path,
                 v->line + 1);
}

/* Reads to the word $end. */
static int skip_to_end(struct vcd *v, char word[WORD_BYTES], struct err *e) {
  do
    if (!next_word(v, word)) return cut_off(v, e);
  while (strcmp(word, "$end") != 0);
  return 0;
}

/* ---- declarations ---- */

static int add_signal(struct vcd *v, const char *scope, const char *name, const char *id, unsigned width,
                      struct err *e) {
  if (v->n == v->capacity) {
    size_t more = v->capacity ? 2 * v->capacity : 256;
    struct signal *signals = realloc(v->signal, more * sizeof *signals);
    if (!signals) return err_set(e, ERR_LIMIT, "out of memory for %zu signals", more);
    v->signal = signals;
    v->capacity = more;
  }
  struct signal *s = &v->signal[v->n++];
  snprintf(s->name, sizeof s->name, "%s%s%s", scope, *scope ? "." : "", name);
  snprintf(s->id, sizeof s->id, "%s", id);
  s->width = width;
  return 0;
}

/* "$var TYPE WIDTH ID NAME [RANGE] $end"; a range may also be glued to the name. */
static int read_var(struct vcd *v, const char *scope, char word[WORD_BYTES], struct err *e) {
  char part[4][WORD_BYTES];
  int64_t width;
  for (int i = 0; i < 4; i++)
    if (!next_word(v, part[i])) return cut_off(v, e);
  if (!text_to_int64(part[1], &width) || width < 0 || width > INT32_MAX)
    return err_set(e, ERR_SYNTAX, "%s:%u: \"$var %s %s\": no width", v->path, v->line + 1, part[0], part[1]);
  char *range = strchr(part[3], '[');
  if (range && range > part[3] && strchr(range, ':')) *range = 0;
  int status = add_signal(v, scope, part[3], part[2], (unsigned)width, e);
  return status ? status : skip_to_end(v, word, e);
}

static int read_declarations(struct vcd *v, struct err *e) {
  char word[WORD_BYTES], scope[NAME_BYTES] = "";
  while (next_word(v, word)) {
    int status = 0;
    if (!strcmp(word, "$enddefinitions")) return skip_to_end(v, word, e);
    if (!strcmp(word, "$var")) {
      status = read_var(v, scope, word, e);
    } else if (!strcmp(word, "$scope")) {
      next_word(v, word); /* its kind */
      if (!next_word(v, word)) return cut_off(v, e);
      size_t n = strlen(scope);
      snprintf(scope + n, sizeof scope - n, "%s%s", n ? "." : "", word);
      status = skip_to_end(v, word, e);
    } else if (!strcmp(word, "$upscope")) {
      char *dot = strrchr(scope, '.');
      *(dot ? dot : scope) = 0;
      status = skip_to_end(v, word, e);
    } else if (*word == '$') {
      status = skip_to_end(v, word, e);
    } else {
      return err_set(e, ERR_SYNTAX, "%s:%u: \"%.40s\" is no declaration of a VCD", v->path, v->line + 1, word);
    }
    if (status) return status;
  }
  return cut_off(v, e);
}

static int open_fst(struct vcd *v, const char *path, struct err *e) {
  char command[1200];
  if (access(path, R_OK)) return err_set(e, ERR_FILE, "cannot read %s: %s", path, strerror(errno));
  if (system("command -v fst2vcd >/dev/null 2>&1"))
    return err_set(e, ERR_TOOL, "%s: fst2vcd, which reads it, is not on PATH; install the package gtkwave", path);
  if (strchr(path, '\'')) return err_set(e, ERR_USAGE, "%s: choose a name without quotes", path);
  snprintf(command, sizeof command, "fst2vcd -f '%s' 2>/dev/null", path);
  v->f = popen(command, "r");
  v->pipe = true;
  return v->f ? 0 : err_set(e, ERR_TOOL, "%s: cannot start fst2vcd", path);
}

int vcd_open(struct vcd **out, const char *path, struct err *e) {
  struct vcd *v = calloc(1, sizeof *v);
  size_t n = strlen(path);
  *out = v;
  if (!v) return err_set(e, ERR_LIMIT, "out of memory for a wave");
  snprintf(v->path, sizeof v->path, "%s", path);
  int status = 0;
  if (n > 4 && !strcmp(path + n - 4, ".fst")) status = open_fst(v, path, e);
  else if (!(v->f = fopen(path, "r"))) status = err_set(e, ERR_FILE, "cannot read %s: %s", path, strerror(errno));
  if (!status) status = read_declarations(v, e);
  if (!status) return 0;
  vcd_close(v);
  *out = NULL;
  return status;
}

void vcd_close(struct vcd *v) {
  if (!v) return;
  if (v->f && v->pipe) pclose(v->f);
  else if (v->f) fclose(v->f);
  for (unsigned i = 0; i < v->n_followed; i++) free(v->followed[i]);
  free(v->signal);
  free(v);
}

/* ---- following ---- */

struct names {
  const struct vcd *v;
};
static const char *name_at(const void *list, unsigned i) {
  const struct vcd *v = ((const struct names *)list)->v;
  return i < v->n ? v->signal[i].name : NULL;
}

int vcd_follow(struct vcd *v, const char *name, unsigned *handle, unsigned *width, struct err *e) {
  const struct signal *s = v->signal, *end = v->signal + v->n;
  while (s < end && strcmp(s->name, name) != 0) s++;
  if (s == end) {
    const struct names names = {v};
    const char *near = text_nearest(name, name_at, &names);
    return err_set(e, ERR_VALUE, "%s has no signal %s%s%s%s", v->path, name, near ? "; did you mean " : "",
                   near ? near : "", near ? "?" : "");
  }
  if (s->width > VCD_BITS_MAX || v->n_followed == FOLLOWED_MAX)
    return err_set(e, ERR_VALUE, "%s: signal %s has %u bits; at most %d, of at most %d signals", v->path, name,
                   s->width, VCD_BITS_MAX, FOLLOWED_MAX);
  struct followed *w = calloc(1, sizeof *w);
  if (!w) return err_set(e, ERR_LIMIT, "out of memory for the signal %s", name);
  snprintf(w->id, sizeof w->id, "%s", s->id);
  w->width = *width = s->width;
  memset(w->now, 'x', sizeof w->now);
  memset(w->before, 'x', sizeof w->before);
  *handle = v->n_followed;
  v->followed[v->n_followed++] = w;
  return 0;
}

/* A vector's missing high bits repeat the highest one if it is x or z, else they are 0. */
static void set_value(struct vcd *v, const char *bits, size_t n, const char *id) {
  for (unsigned i = 0; i < v->n_followed; i++) {
    struct followed *w = v->followed[i];
    if (strcmp(w->id, id) != 0) continue;
    char high = n && (bits[0] == '0' || bits[0] == '1') ? '0' : n ? bits[0] : 'x';
    for (unsigned b = 0; b < w->width; b++) w->now[b] = b < n ? bits[n - 1 - b] : high;
    w->changed = true;
  }
}

static int bad_change(const struct vcd *v, const char *word, struct err *e) {
  return err_set(e, ERR_SYNTAX, "%s:%u: \"%.40s\" is no change of a value", v->path, v->line + 1, word);
}

static int read_change(struct vcd *v, char word[WORD_BYTES], struct err *e) {
  char id[WORD_BYTES];
  for (char *c = word; *c && (*word == 'b' || *word == 'B'); c++)
    if (*c >= 'A' && *c <= 'Z') *c = (char)(*c + 'a' - 'A');
  if (*word == 'X' || *word == 'Z') *word = (char)(*word + 'a' - 'A');
  switch (*word) {
    case '0':
    case '1':
    case 'x':
    case 'z':
      if (!word[1]) return bad_change(v, word, e);
      set_value(v, word, 1, word + 1);
      return 0;
    case 'b':
      if (strspn(word + 1, "01xz") != strlen(word + 1) || !next_word(v, id)) return bad_change(v, word, e);
      set_value(v, word + 1, strlen(word + 1), id);
      return 0;
    case 'r':
    case 'R':
    case 's':
    case 'S': return next_word(v, id) ? 0 : bad_change(v, word, e); /* a real number or a text: no port */
    default: return bad_change(v, word, e);
  }
}

int vcd_step(struct vcd *v, bool *more, struct err *e) {
  char word[WORD_BYTES];
  *more = !v->ended;
  if (v->ended) return 0;
  for (unsigned i = 0; i < v->n_followed; i++) {
    struct followed *w = v->followed[i];
    if (w->changed || !v->begun) memcpy(w->before, w->now, w->width);
    w->changed = false;
  }
  v->time = v->next;
  v->begun = true;
  while (next_word(v, word)) {
    int64_t time;
    int status = 0;
    if (*word == '#') {
      if (!text_to_int64(word + 1, &time) || time < 0)
        return err_set(e, ERR_SYNTAX, "%s:%u: \"%.40s\" is no time", v->path, v->line + 1, word);
      v->next = (uint64_t)time;
      return 0;
    }
    if (!strcmp(word, "$comment")) status = skip_to_end(v, word, e);
    else if (*word != '$') status = read_change(v, word, e); /* else $dumpvars, $dumpon, $dumpoff, $dumpall, $end */
    if (status) return status;
  }
  v->ended = true;
  return 0;
}

char vcd_bit(const struct vcd *v, unsigned handle, unsigned bit) { return v->followed[handle]->now[bit]; }
char vcd_bit_before(const struct vcd *v, unsigned handle, unsigned bit) { return v->followed[handle]->before[bit]; }
uint64_t vcd_time(const struct vcd *v) { return v->time; }
