/* SPDX-License-Identifier: Apache-2.0 */
#include "study/dram_trace.h"

#include "base/err.h"
#include "base/in_file.h"
#include "config/gpu_config.h"
#include "device/device_memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[TRACE_COLUMNS] = {"cycle", "channel", "bank", "row", "core", "cta", "address", "kind"};

enum {
  NOBODY = 0xffff,
  SMS_MAX = 256,
  LOCAL_WINDOWS = 28 /* log2 of the local memory of an SM in the address space (core/sm.c) */
};

struct reader {
  const char *path, *at, *end;
  const struct gpu_config *config;
  struct err *e;
  size_t line;
  bool comma; /* the last field ended in one */
  unsigned n_columns;
  uint8_t column[TRACE_COLUMNS]; /* enum dram_trace_column, in order of the file */
  uint64_t limit[TRACE_COLUMNS]; /* first value that is too large */
};

/* The whole file, with a newline after its last line. */
static char *read_all(const char *path, size_t *n, struct err *e) {
  struct err why;
  char *text = in_file_read(path, n, &why);
  if (!text) err_put(e, ERR_FILE, "cannot read the trace %s: %s", path, strerror(errno));
  else if (*n && text[*n - 1] != '\n') text[(*n)++] = '\n';
  return text;
}

static int bad_line(const struct reader *r, const char *problem) {
  return err_set(r->e, ERR_SYNTAX, "%s:%zu: %s", r->path, r->line, problem);
}

/* The field at r->at, up to its comma or the end of the line; r->at is behind it. */
static size_t next_field(struct reader *r, const char **field) {
  const char *p = r->at;
  *field = p;
  while (*p != ',' && *p != '\n') p++;
  r->comma = *p == ',';
  r->at = p + r->comma;
  if (p > *field && p[-1] == '\r' && *p == '\n') p--;
  return (size_t)(p - *field);
}

static int read_header(struct reader *r, uint32_t *columns) {
  *columns = 0;
  r->line = 1;
  if (r->at == r->end) return bad_line(r, "the file is empty; its first line must name the columns, as bank,row");
  for (bool last = false; !last;) {
    const char *field;
    size_t n = next_field(r, &field);
    last = !r->comma;
    unsigned c = 0;
    while (c < TRACE_COLUMNS && (strlen(names[c]) != n || memcmp(names[c], field, n) != 0)) c++;
    if (c == TRACE_COLUMNS)
      return err_set(r->e, ERR_SYNTAX,
                     "%s:1: \"%.*s\" is no column; the first line names them: bank,row or "
                     "cycle,channel,bank,row,core,cta,address,kind",
                     r->path, n < 40 ? (int)n : 40, field);
    if (*columns >> c & 1) return err_set(r->e, ERR_SYNTAX, "%s:1: column %s appears twice", r->path, names[c]);
    *columns |= 1U << c;
    r->column[r->n_columns++] = (uint8_t)c;
  }
  r->at++;
  return 0;
}

static int bad_number(const struct reader *r, unsigned c, const char *field, size_t n) {
  return err_set(r->e, ERR_SYNTAX, "%s:%zu: %s \"%.*s\" is no number: write decimal or 0x hexadecimal digits", r->path,
                 r->line, names[c], n < 40 ? (int)n : 40, field);
}

static int outside(const struct reader *r, unsigned c, uint64_t value) {
  if (c == TRACE_ADDRESS)
    return err_set(
      r->e, ERR_VALUE,
      "%s:%zu: address 0x%" PRIx64 " is outside the address map: the GPU configuration has addresses below 0x%" PRIx64
      " and from 0x%" PRIx64 " (as seen by kernels) to 0x%" PRIx64,
      r->path, r->line, value, (uint64_t)r->config->memory_mib << 20, (uint64_t)DEVICE_MEMORY_BASE, r->limit[c]);
  return err_set(r->e, ERR_VALUE, "%s:%zu: %s %" PRIu64 " is outside the GPU configuration's 0..%" PRIu64, r->path,
                 r->line, names[c], value, r->limit[c] - 1);
}

/* A number that fills the field. */
static bool parse_number(const char *p, size_t n, uint64_t *value) {
  uint64_t v = 0;
  size_t i = 0;
  if (n > 2 && p[0] == '0' && (p[1] | 32) == 'x') {
    if (n > 18) return false;
    for (i = 2; i < n; i++) {
      unsigned d = (unsigned)(p[i] | 32), digit = d - '0' < 10 ? d - '0' : d - 'a' < 6 ? d - 'a' + 10 : 16;
      if (digit == 16) return false;
      v = v << 4 | digit;
    }
  } else {
    for (; i < n && (unsigned)(p[i] - '0') < 10; i++) v = v * 10 + (uint64_t)(p[i] - '0');
    if (!n || i < n || n > 19 || (p[0] == '0' && n > 1)) return false;
  }
  *value = v;
  return true;
}

static bool address_outside(const struct reader *r, uint64_t a) {
  return a >= r->limit[TRACE_ADDRESS] || (a >= (uint64_t)r->config->memory_mib << 20 && a < DEVICE_MEMORY_BASE);
}

static void store(struct dram_trace_row *row, unsigned c, uint64_t v) {
  switch ((enum dram_trace_column)c) {
    case TRACE_CYCLE: row->cycle = v; break;
    case TRACE_CHANNEL: row->channel = (uint16_t)v; break;
    case TRACE_BANK: row->bank = (uint8_t)v; break;
    case TRACE_ROW: row->row = (uint32_t)v; break;
    case TRACE_CORE: row->core = (uint16_t)v; break;
    case TRACE_CTA: row->cta = (uint32_t)v; break;
    case TRACE_ADDRESS: row->address = v; break;
    case TRACE_KIND:
    case TRACE_COLUMNS: break;
  }
}

static int read_field(struct reader *r, unsigned c, struct dram_trace_row *row) {
  const char *field;
  uint64_t value;
  size_t n = next_field(r, &field);
  if (c == TRACE_KIND) {
    if (n != 1 || (*field != 'R' && *field != 'W')) return bad_line(r, "kind must be R or W");
    row->write = *field == 'W';
    return 0;
  }
  if (!n && (c == TRACE_CORE || c == TRACE_CTA)) return 0;
  if (!parse_number(field, n, &value)) return bad_number(r, c, field, n);
  if (c == TRACE_ADDRESS ? address_outside(r, value) : value >= r->limit[c]) return outside(r, c, value);
  store(row, c, value);
  return 0;
}

static int read_line(struct reader *r, struct dram_trace_row *row) {
  *row = (struct dram_trace_row){.core = NOBODY, .cta = UINT32_MAX};
  r->line++;
  for (unsigned i = 0; i < r->n_columns; i++) {
    if (i && !r->comma)
      return err_set(r->e, ERR_SYNTAX, "%s:%zu: %u field%s, %u are wanted: the first line names the columns", r->path,
                     r->line, i, i == 1 ? "" : "s", r->n_columns);
    int code = read_field(r, r->column[i], row);
    if (code) return code;
  }
  if (r->comma) return bad_line(r, "more fields than the first line has columns");
  r->at++;
  return 0;
}

static void set_limits(struct reader *r) {
  const struct gpu_config *m = r->config;
  for (int c = 0; c < TRACE_COLUMNS; c++) r->limit[c] = UINT64_MAX;
  r->limit[TRACE_CHANNEL] = (uint64_t)m->dram_channels;
  r->limit[TRACE_BANK] = (uint64_t)m->dram_banks;
  r->limit[TRACE_ROW] = UINT64_C(1) << 32;
  r->limit[TRACE_CORE] = SMS_MAX;
  r->limit[TRACE_CTA] = UINT32_MAX;
  r->limit[TRACE_CYCLE] = UINT64_C(1) << 48;
  r->limit[TRACE_ADDRESS] = DEVICE_MEMORY_BASE + ((uint64_t)m->memory_mib << 20) + ((uint64_t)SMS_MAX << LOCAL_WINDOWS);
}

static int check_columns(const struct reader *r, uint32_t columns, uint32_t needed) {
  for (unsigned c = 0; c < TRACE_COLUMNS; c++)
    if (needed >> c & 1 && !(columns >> c & 1))
      return err_set(r->e, ERR_SYNTAX, "%s:1: there is no column %s", r->path, names[c]);
  return 0;
}

int dram_trace_read(struct dram_trace *t, const char *path, const struct gpu_config *m, uint32_t needed,
                    struct err *e) {
  size_t n, lines = 0;
  *t = (struct dram_trace){0};
  char *text = read_all(path, &n, e);
  if (!text) return e ? (int)e->code : (int)ERR_FILE;
  struct reader r = {.path = path, .at = text, .end = text + n, .config = m, .e = e};
  set_limits(&r);
  int code = memchr(text, 0, n) ? err_set(e, ERR_SYNTAX, "%s: there is a NUL character in it", path) : 0;
  if (!code) code = read_header(&r, &t->columns);
  if (!code) code = check_columns(&r, t->columns, needed);
  for (const char *p = r.at; !code && p < r.end; p++) lines += *p == '\n';
  t->rows = malloc((lines + 1) * sizeof *t->rows);
  if (!code && !t->rows) code = err_set(e, ERR_LIMIT, "%s: out of memory for %zu requests", path, lines);
  while (!code && r.at < r.end) code = read_line(&r, &t->rows[t->n++]);
  free(text);
  if (code) dram_trace_free(t);
  return code;
}

void dram_trace_free(struct dram_trace *t) {
  free(t->rows);
  *t = (struct dram_trace){0};
}
