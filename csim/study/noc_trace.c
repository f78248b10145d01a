/* SPDX-License-Identifier: Apache-2.0 */
#include "study/noc_trace.h"

#include "base/csv.h"
#include "base/err.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { CYCLE, FROM, TO, FLITS, COLUMNS, FLITS_MAX = 64 };
static const char *const names[COLUMNS] = {"cycle", "from", "to", "flits"};

static int read_packet(struct packet_record *p, const struct csv *t, size_t row, const int column[COLUMNS],
                       const int64_t most[COLUMNS], const char *path, struct err *e) {
  int64_t value[COLUMNS];
  for (int i = 0; i < COLUMNS; i++) {
    const char *text = csv_text(t, row, column[i]);
    if (!text_to_int64(text, &value[i]) || value[i] < (i == FLITS) || value[i] > most[i])
      return err_set(e, ERR_VALUE, "%s:%zu: %s is \"%.30s\"; a number in %d..%lld is wanted%s", path, row + 2, names[i],
                     text, i == FLITS, (long long)most[i],
                     i == FROM || i == TO ? ", or a larger network (--size)" : "");
  }
  *p =
    (struct packet_record){(uint64_t)value[CYCLE], (uint32_t)value[FROM], (uint32_t)value[TO], (uint32_t)value[FLITS]};
  return 0;
}

/* Stable, for packets of one cycle: by producer, then as in the file. */
static void by_producer(struct noc_trace *t, const struct packet_record *read, uint32_t n_in) {
  size_t at = 0;
  for (uint32_t from = 0; from < n_in; from++)
    for (size_t i = 0; i < t->n; i++)
      if (read[i].from == from) t->packet[at++] = read[i];
}

static int check_order(const struct noc_trace *t, const char *path, struct err *e) {
  for (size_t i = 1; i < t->n; i++)
    if (t->packet[i].from == t->packet[i - 1].from && t->packet[i].cycle < t->packet[i - 1].cycle)
      return err_set(e, ERR_VALUE, "%s: producer %u sends in cycle %llu after it has sent in cycle %llu; sort the file",
                     path, t->packet[i].from, (unsigned long long)t->packet[i].cycle,
                     (unsigned long long)t->packet[i - 1].cycle);
  return 0;
}

static int fill(struct noc_trace *t, const struct csv *table, const char *path, uint32_t n_in, uint32_t n_out,
                struct err *e) {
  const int64_t most[COLUMNS] = {INT64_MAX, (int64_t)n_in - 1, (int64_t)n_out - 1, FLITS_MAX};
  int column[COLUMNS], status = 0;
  uint64_t first = UINT64_MAX;
  for (int i = 0; i < COLUMNS; i++) {
    column[i] = csv_column(table, names[i]);
    if (column[i] == CSV_NONE)
      return err_set(e, ERR_SYNTAX, "%s:1: there is no column %s; tandem run --trace noc writes such files", path,
                     names[i]);
  }
  t->n = table->rows;
  if (!t->n) return err_set(e, ERR_VALUE, "%s: no packet in it", path);
  struct packet_record *read = calloc(t->n, sizeof *read);
  t->packet = calloc(t->n, sizeof *t->packet);
  if (!read || !t->packet) status = err_set(e, ERR_LIMIT, "out of memory for %zu packets", t->n);
  for (size_t i = 0; i < t->n && !status; i++) {
    status = read_packet(&read[i], table, i, column, most, path, e);
    if (!status && read[i].cycle < first) first = read[i].cycle;
  }
  if (!status) by_producer(t, read, n_in);
  free(read);
  for (size_t i = 0; i < t->n && !status; i++) {
    t->packet[i].cycle -= first;
    t->flits += t->packet[i].flits;
    if (t->packet[i].cycle >= t->cycles) t->cycles = t->packet[i].cycle + 1;
  }
  return status ? status : check_order(t, path, e);
}

int noc_trace_load(struct noc_trace *t, const char *path, uint32_t n_in, uint32_t n_out, struct err *e) {
  struct csv table;
  *t = (struct noc_trace){.n = 0};
  int status = csv_load(&table, path, e);
  if (status) return status;
  status = fill(t, &table, path, n_in, n_out, e);
  csv_free(&table);
  if (status) noc_trace_free(t);
  return status;
}

void noc_trace_free(struct noc_trace *t) {
  free(t->packet);
  *t = (struct noc_trace){.n = 0};
}
