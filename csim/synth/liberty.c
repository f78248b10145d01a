/* SPDX-License-Identifier: Apache-2.0 */
#include "synth/liberty.h"

#include "base/err.h"
#include "base/hash.h"
#include "base/out_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <zlib.h>

enum { NAME = LIBERTY_NAME_BYTES, VALUE_BYTES = 512, DEPTH_MAX = 16, FILE_MAX = 1 << 28 };

enum group { GROUP_OTHER, GROUP_LIBRARY, GROUP_CELL, GROUP_PIN };

/* State of the single pass over the text: the stack of open groups, and the current cell and pin. */
struct parser {
  struct liberty *lib;
  const char *path, *at;
  unsigned line, depth;
  enum group stack[DEPTH_MAX];
  struct liberty_cell *cell; /* of lib->cells, the last */
  size_t room;
  struct liberty_pin pin;
  bool pin_counts; /* an input or output, not power or internal */
  char function[VALUE_BYTES];
  char cell_function[VALUE_BYTES];
  bool has_area;
};

static int load(struct liberty *lib, char **text, size_t *size, struct err *e) {
  struct stat st;
  if (stat(lib->path, &st) || S_ISDIR(st.st_mode))
    return err_set(
      e, ERR_FILE,
      "no cell library at %s: %s; name a Liberty file with --liberty, or install the package qflow-tech-osu018",
      lib->path, errno ? strerror(errno) : "a folder");
  gzFile f = gzopen(lib->path, "rb");
  if (!f) return err_set(e, ERR_FILE, "cannot read %s: %s", lib->path, strerror(errno));
  size_t room = 1 << 20, n = 0;
  char *t = malloc(room);
  int got = 0;
  while (t && (got = gzread(f, t + n, (unsigned)(room - n - 1))) > 0) {
    n += (size_t)got;
    if (n + 1 < room) continue;
    char *larger = room < FILE_MAX ? realloc(t, room *= 2) : NULL;
    if (!larger) free(t);
    t = larger;
  }
  int broken = Z_OK;
  gzerror(f, &broken);
  gzclose(f);
  if (!t) return err_set(e, ERR_LIMIT, "%s is larger than %d MB", lib->path, FILE_MAX >> 20);
  t[n] = 0;
  *text = t;
  *size = n;
  if (got < 0 || broken != Z_OK || strlen(t) != n)
    return err_set(e, ERR_FILE, "%s is truncated or no Liberty text", lib->path);
  return 0;
}

/* Writes an uncompressed copy for the tools, which read plain text only. */
static int plain_copy(struct liberty *lib, const char *folder, const char *text, size_t size, struct err *e) {
  unsigned char magic[2] = {0};
  FILE *f = fopen(lib->path, "rb");
  if (f && fread(magic, 1, 2, f) != 2) magic[0] = 0;
  if (f) fclose(f);
  snprintf(lib->text_path, sizeof lib->text_path, "%s", lib->path);
  if (magic[0] != 0x1f || magic[1] != 0x8b) return 0;
  snprintf(lib->text_path, sizeof lib->text_path, "%s/%016llx.lib", folder, (unsigned long long)lib->hash);
  struct stat st;
  if (!stat(lib->text_path, &st)) return 0;
  struct out_file out = {0};
  int status = out_file_open(&out, lib->text_path, e);
  if (status) return status;
  fwrite(text, 1, size, out.f);
  return out_file_commit(&out, e);
}

/* Blanks, comments and continued lines. */
static void skip(struct parser *p) {
  for (;;) {
    if (*p->at == '\n') p->line++;
    if (isspace((unsigned char)*p->at) || *p->at == ';' || (*p->at == '\\' && (p->at[1] == '\n' || p->at[1] == '\r'))) {
      p->at++;
    } else if (p->at[0] == '/' && p->at[1] == '*') {
      const char *end = strstr(p->at + 2, "*/");
      for (; *p->at && p->at != end; p->at++) p->line += *p->at == '\n';
      if (*p->at) p->at += 2;
    } else if (p->at[0] == '/' && p->at[1] == '/') {
      while (*p->at && *p->at != '\n') p->at++;
    } else {
      return;
    }
  }
}

/* Reads a value up to one of `ends`, without its quotes; a string may span lines. */
static void read_value(struct parser *p, const char *ends, char *out) {
  size_t n = 0;
  bool quoted = false;
  for (; *p->at && (quoted || !strchr(ends, *p->at)); p->at++) {
    if (*p->at == '\n') p->line++;
    if (*p->at == '"') quoted = !quoted;
    else if (n + 1 < VALUE_BYTES && (n || !isspace((unsigned char)*p->at))) out[n++] = *p->at;
  }
  while (n && isspace((unsigned char)out[n - 1])) n--;
  out[n] = 0;
}

static int open_cell(struct parser *p, const char *name, struct err *e) {
  struct liberty *lib = p->lib;
  if (lib->n_cells == p->room) {
    p->room = p->room ? 2 * p->room : 64;
    struct liberty_cell *larger = realloc(lib->cells, p->room * sizeof *larger);
    if (!larger) return err_set(e, ERR_LIMIT, "out of memory for the cells of %s", p->path);
    lib->cells = larger;
  }
  p->cell = &lib->cells[lib->n_cells++];
  memset(p->cell, 0, sizeof *p->cell);
  snprintf(p->cell->name, sizeof p->cell->name, "%s", name);
  p->has_area = false;
  *p->cell_function = 0;
  return 0;
}

/* Whether the cell computes the function of n inputs with this truth table (bit v: the value for inputs v). */
static bool computes(const struct parser *p, unsigned n, unsigned table) {
  const struct liberty_cell *c = p->cell;
  struct liberty_pin inputs[2];
  unsigned k = 0;
  if (c->n_inputs != n || c->n_outputs != 1 || c->flip_flops || c->latches || !*p->cell_function) return false;
  for (unsigned i = 0; i < c->n_pins && k < n; i++)
    if (!c->pins[i].output) inputs[k++] = c->pins[i];
  for (unsigned v = 0; v < 1U << n; v++) {
    bool y = false;
    if (!liberty_function(p->cell_function, inputs, n, v, &y) || y != (table >> v & 1)) return false;
  }
  return true;
}

static int close_cell(struct parser *p, struct err *e) {
  struct liberty_cell *c = p->cell;
  if (!p->has_area) return err_set(e, ERR_VALUE, "%s: the cell %s has no area", p->path, c->name);
  c->nand2 = computes(p, 2, 0x7);
  c->buffer = computes(p, 1, 0x2);
  p->cell = NULL;
  return 0;
}

static int close_pin(struct parser *p, struct err *e) {
  struct liberty_cell *c = p->cell;
  if (!p->pin_counts) return 0;
  if (c->n_pins == LIBERTY_PINS_MAX)
    return err_set(e, ERR_LIMIT, "%s: the cell %s has more than %d pins", p->path, c->name, LIBERTY_PINS_MAX);
  c->pins[c->n_pins++] = p->pin;
  *(p->pin.output ? &c->n_outputs : &c->n_inputs) += 1;
  if (p->pin.output) snprintf(p->cell_function, sizeof p->cell_function, "%s", p->function);
  return 0;
}

/* Bits of a flip-flop group: "ff (IQ, IQN)" has one, "ff_bank (IQ, IQN, 4)" four. */
static unsigned group_bits(const char *arguments) {
  const char *comma = strchr(arguments, ',');
  comma = comma ? strchr(comma + 1, ',') : NULL;
  int bits = comma ? atoi(comma + 1) : 1;
  return bits > 0 ? (unsigned)bits : 1;
}

static int open_group(struct parser *p, const char *name, const char *arguments, struct err *e) {
  enum group outer = p->depth ? p->stack[p->depth - 1] : GROUP_OTHER, inner = GROUP_OTHER;
  int status = 0;
  if (p->depth == DEPTH_MAX) return err_set(e, ERR_SYNTAX, "%s:%u: groups nest too deep", p->path, p->line);
  if (!p->depth && !strcmp(name, "library")) {
    inner = GROUP_LIBRARY;
    snprintf(p->lib->name, sizeof p->lib->name, "%.63s", arguments);
  } else if (outer == GROUP_LIBRARY && !strcmp(name, "cell")) {
    inner = GROUP_CELL;
    status = open_cell(p, arguments, e);
  } else if (outer == GROUP_CELL && !strcmp(name, "pin")) {
    inner = GROUP_PIN;
    p->pin = (struct liberty_pin){0};
    snprintf(p->pin.name, sizeof p->pin.name, "%.63s", arguments);
    p->pin_counts = false;
    *p->function = 0;
  } else if (outer == GROUP_CELL && (!strcmp(name, "ff") || !strcmp(name, "ff_bank"))) {
    p->cell->flip_flops += group_bits(arguments);
  } else if (outer == GROUP_CELL && (!strcmp(name, "latch") || !strcmp(name, "latch_bank"))) {
    p->cell->latches += group_bits(arguments);
  }
  p->stack[p->depth++] = inner;
  return status;
}

static int close_group(struct parser *p, struct err *e) {
  if (!p->depth) return err_set(e, ERR_SYNTAX, "%s:%u: a '}' too many", p->path, p->line);
  switch (p->stack[--p->depth]) {
    case GROUP_CELL: return close_cell(p, e);
    case GROUP_PIN: return close_pin(p, e);
    default: return 0;
  }
}

/* "1ns", "10 ps": seconds; 0: unknown. */
static double time_unit(const char *text) {
  static const struct {
    const char *name;
    double seconds;
  } units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}, {"fs", 1e-15}};
  char *end;
  double number = strtod(text, &end);
  while (isspace((unsigned char)*end)) end++;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (!strcasecmp(end, units[i].name) && number > 0) return number * units[i].seconds;
  return 0;
}

static int attribute(struct parser *p, const char *name, const char *value, struct err *e) {
  enum group in = p->depth ? p->stack[p->depth - 1] : GROUP_OTHER;
  char *end;
  if (in == GROUP_LIBRARY && !strcmp(name, "time_unit")) {
    p->lib->time_unit_s = time_unit(value);
    if (p->lib->time_unit_s == 0)
      return err_set(e, ERR_VALUE, "%s:%u: time_unit '%s' is not a known unit; write 1ns, 100ps or the like", p->path,
                     p->line, value);
  } else if (in == GROUP_CELL && !strcmp(name, "area")) {
    p->cell->area = strtod(value, &end);
    p->has_area = true;
    if (*end || end == value || p->cell->area < 0)
      return err_set(e, ERR_VALUE, "%s:%u: area '%s' of the cell %s is not a number", p->path, p->line, value,
                     p->cell->name);
  } else if (in == GROUP_CELL && !strcmp(name, "dont_use")) {
    p->cell->dont_use = !strcmp(value, "true");
  } else if (in == GROUP_PIN && !strcmp(name, "direction")) {
    p->pin.output = !strcmp(value, "output");
    p->pin_counts = p->pin.output || !strcmp(value, "input");
  } else if (in == GROUP_PIN && !strcmp(name, "function")) {
    snprintf(p->function, sizeof p->function, "%s", value);
  }
  return 0;
}

/* name : value ; or name ( arguments ) ; or name ( arguments ) { */
static int statement(struct parser *p, struct err *e) {
  char name[NAME], value[VALUE_BYTES];
  size_t n = 0;
  while (isalnum((unsigned char)p->at[n]) || strchr("_.-[]$", p->at[n] ? p->at[n] : ' ')) n++;
  if (!n) return err_set(e, ERR_SYNTAX, "%s:%u: '%.12s' is no Liberty text", p->path, p->line, p->at);
  snprintf(name, sizeof name, "%.*s", (int)n, p->at);
  p->at += n;
  skip(p);
  if (*p->at == ':') {
    p->at++;
    read_value(p, ";\n}", value);
    return attribute(p, name, value, e);
  }
  if (*p->at != '(') return err_set(e, ERR_SYNTAX, "%s:%u: ':' or '(' is missing after '%s'", p->path, p->line, name);
  p->at++;
  read_value(p, ")", value);
  if (*p->at) p->at++;
  while (*p->at == ' ' || *p->at == '\t' || *p->at == '\r' || *p->at == '\n') {
    p->line += *p->at == '\n';
    p->at++;
  }
  if (*p->at != '{') return 0;
  p->at++;
  return open_group(p, name, value, e);
}

static int parse(struct parser *p, struct err *e) {
  int status = 0;
  for (skip(p); *p->at && !status; skip(p)) {
    if (*p->at == '}') {
      p->at++;
      status = close_group(p, e);
    } else {
      status = statement(p, e);
    }
  }
  if (!status && p->depth)
    return err_set(e, ERR_FILE, "%s is truncated: line %u ends inside a group", p->path, p->line);
  return status;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const struct liberty_cell *)a)->name, ((const struct liberty_cell *)b)->name);
}

/* Refuses a library without what synthesis needs. */
static int check(struct liberty *lib, struct err *e) {
  double buffer_area = 0;
  if (!*lib->name) return err_set(e, ERR_SYNTAX, "%s holds no library; name a Liberty file", lib->path);
  if (lib->time_unit_s == 0) return err_set(e, ERR_VALUE, "%s has no time_unit; add one, as 1ns", lib->path);
  for (size_t i = 0; i < lib->n_cells; i++) {
    const struct liberty_cell *c = &lib->cells[i];
    if (c->nand2 && c->area > 0 && (!lib->nand2_name || c->area < lib->nand2_area)) {
      lib->nand2_area = c->area;
      lib->nand2_name = c->name;
    }
    if (c->buffer && !c->dont_use && c->area > 0 && (!lib->buffer_name || c->area < buffer_area)) {
      lib->buffer_name = c->name;
      buffer_area = c->area;
    }
    if (c->flip_flops && c->area > 0 && (lib->flip_flop_area == 0 || c->area / c->flip_flops < lib->flip_flop_area))
      lib->flip_flop_area = c->area / c->flip_flops;
  }
  if (lib->flip_flop_area == 0)
    return err_set(e, ERR_VALUE, "the library %s (%s) has no flip-flop; a clocked block cannot be built of it",
                   lib->name, lib->path);
  if (!lib->nand2_name)
    return err_set(e, ERR_VALUE, "the library %s (%s) has no two-input NAND, the unit of gate equivalents", lib->name,
                   lib->path);
  if (!lib->buffer_name) lib->buffer_name = lib->nand2_name;
  return 0;
}

int liberty_read(struct liberty *lib, const char *path, const char *folder, struct err *e) {
  memset(lib, 0, sizeof *lib);
  snprintf(lib->path, sizeof lib->path, "%s", path);
  char *text = NULL;
  size_t size = 0;
  errno = 0;
  int status = load(lib, &text, &size, e);
  if (!status) {
    lib->hash = hash_bytes(HASH_SEED, text, size);
    struct parser p = {.lib = lib, .path = path, .at = text, .line = 1};
    status = parse(&p, e);
  }
  if (!status && lib->n_cells) qsort(lib->cells, lib->n_cells, sizeof *lib->cells, by_name);
  if (!status) status = check(lib, e);
  if (!status) status = plain_copy(lib, folder, text, size, e);
  free(text);
  return status;
}

void liberty_free(struct liberty *lib) {
  free(lib->cells);
  memset(lib, 0, sizeof *lib);
}

const struct liberty_cell *liberty_find(const struct liberty *lib, const char *name) {
  struct liberty_cell key;
  snprintf(key.name, sizeof key.name, "%s", name);
  return lib->n_cells ? bsearch(&key, lib->cells, lib->n_cells, sizeof key, by_name) : NULL;
}
