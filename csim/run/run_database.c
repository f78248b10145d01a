/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run_database.h"

#include "base/err.h"
#include "config/stalls.h"
#include "core/events.h"
#include "gpu/gpu.h"
#include "mem/recorder.h"
#include "mem/request.h"
#include "run/launch_record.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Times in ps are of the edge: cycle / frequency. X(table, columns, values) */
/* clang-format off */
#define TABLES(X)                                                                                                     \
  X(run, "key TEXT PRIMARY KEY, value", 2)                                                                            \
  X(launches, "launch INTEGER PRIMARY KEY, kernel TEXT, grid TEXT, block TEXT, begin INTEGER, cycles INTEGER", 6)       \
  X(cta_events, "launch INTEGER, sm INTEGER, cta INTEGER, slot INTEGER, what TEXT, tile INTEGER, begin INTEGER, "      \
               "agen_end INTEGER, end INTEGER", 9)                                                                    \
  X(waits, "sm INTEGER, stall TEXT, begin INTEGER, end INTEGER", 4)                                                    \
  X(lookups, "ps INTEGER, cycle INTEGER, level TEXT, unit INTEGER, cta INTEGER, kind TEXT, address INTEGER, "          \
            "bytes INTEGER, outcome TEXT", 9)                                                                         \
  X(fills, "ps INTEGER, cycle INTEGER, level TEXT, unit INTEGER, address INTEGER", 5)                                  \
  X(grants, "ps INTEGER, cycle INTEGER, network TEXT, router INTEGER, input INTEGER, output INTEGER", 6)
/* clang-format on */

enum table {
#define X(name, columns, n) TABLE_##name,
  TABLES(X)
#undef X
    TABLE_COUNT
};

struct run_database {
  sqlite3 *db;
  sqlite3_stmt *insert[TABLE_COUNT];
  struct mem_recorder recorder;
  struct wait_recorder waits;
  uint64_t core_khz, noc_khz, l2_khz;
  char why[128]; /* a row could not be written; "": none */
  char path[SESSION_TEXT_BYTES + 32], part[SESSION_TEXT_BYTES + 64];
};

static const char *const kinds[] = {[MEM_READ] = "read", [MEM_WRITE] = "write", [MEM_ATOMIC] = "atomic"};

/* ---- rows ---- */

/* One row; the values are bound in the order of the columns. */
struct row {
  struct run_database *d;
  sqlite3_stmt *s;
  int at;
};

static struct row row_of(struct run_database *d, enum table t) { return (struct row){d, d->insert[t], 1}; }

static void put(struct row *r, uint64_t value) { sqlite3_bind_int64(r->s, r->at++, (sqlite3_int64)value); }
static void put_text(struct row *r, const char *text) { sqlite3_bind_text(r->s, r->at++, text, -1, SQLITE_TRANSIENT); }
static void put_name(struct row *r, const char *name) { sqlite3_bind_text(r->s, r->at++, name, -1, SQLITE_STATIC); }
static void put_null(struct row *r) { sqlite3_bind_null(r->s, r->at++); }
static void put_cta(struct row *r, uint32_t cta) {
  if (cta == MEM_NO_CTA) put_null(r);
  else put(r, cta);
}
static void put_time(struct row *r, uint64_t cycle, uint64_t khz) {
  put(r, (uint64_t)((unsigned __int128)cycle * 1000000000 / khz));
  put(r, cycle);
}

/* Keeps the first reason. */
static void note_failure(struct run_database *d) {
  bool full = sqlite3_errcode(d->db) == SQLITE_FULL;
  if (!*d->why) snprintf(d->why, sizeof d->why, "%s", full ? strerror(ENOSPC) : sqlite3_errmsg(d->db));
}

static void end_row(struct row *r) {
  if (sqlite3_step(r->s) != SQLITE_DONE) note_failure(r->d);
  sqlite3_reset(r->s);
}

/* ---- what the simulator shows ---- */

static void on_l1(void *context, uint32_t sm, const struct l1_record *a) {
  struct run_database *d = context;
  struct row r = row_of(d, TABLE_lookups);
  put_time(&r, a->cycle, d->core_khz);
  put_name(&r, access_levels[a->cache]);
  put(&r, sm);
  put_cta(&r, a->cta);
  put_name(&r, kinds[a->kind]);
  put(&r, a->address);
  put(&r, a->bytes);
  put_name(&r, access_outcomes[a->outcome]);
  end_row(&r);
}

static void on_l2(void *context, uint32_t slice, const struct l2_record *a) {
  struct run_database *d = context;
  struct row r = row_of(d, TABLE_lookups);
  put_time(&r, a->cycle, d->l2_khz);
  put_name(&r, access_levels[ACCESS_L2]);
  put(&r, slice);
  put_cta(&r, a->request->cta);
  put_name(&r, kinds[a->request->kind]);
  put(&r, a->request->address);
  put(&r, a->request->bytes);
  put_name(&r, access_outcomes[a->outcome]);
  end_row(&r);
}

static void on_fill(void *context, uint32_t unit, const struct fill_record *f) {
  struct run_database *d = context;
  struct row r = row_of(d, TABLE_fills);
  put_time(&r, f->cycle, f->level == ACCESS_L2 ? d->l2_khz : d->core_khz);
  put_name(&r, access_levels[f->level]);
  put(&r, unit);
  put(&r, f->address);
  end_row(&r);
}

static void put_grant(struct run_database *d, const char *network, const struct grant_record *g) {
  struct row r = row_of(d, TABLE_grants);
  put_time(&r, g->cycle, d->noc_khz);
  put_name(&r, network);
  put(&r, g->router);
  put(&r, g->in);
  put(&r, g->out);
  end_row(&r);
}

static void on_request_grant(void *context, const struct grant_record *g) { put_grant(context, "request", g); }
static void on_reply_grant(void *context, const struct grant_record *g) { put_grant(context, "reply", g); }

static void on_wait(void *context, uint32_t sm, const struct wait_record *w) {
  struct row r = row_of(context, TABLE_waits);
  put(&r, sm);
  put_name(&r, stall_class_at(w->class)->name);
  put(&r, w->begin);
  put(&r, w->end);
  end_row(&r);
}

/* ---- begin and end ---- */

static int failed(struct run_database *d, struct err *e) {
  note_failure(d);
  return err_set(e, ERR_FILE, "cannot write %s: %s; name a folder with room and write access", d->path, d->why);
}

static bool run_sql(struct run_database *d, const char *sql) {
  return sqlite3_exec(d->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static bool make_table(struct run_database *d, enum table t, const char *name, const char *columns, int values) {
  char sql[512];
  snprintf(sql, sizeof sql, "CREATE TABLE %s (%s)", name, columns);
  if (!run_sql(d, sql)) return false;
  int n = snprintf(sql, sizeof sql, "INSERT INTO %s VALUES (?", name);
  while (--values) n += snprintf(sql + n, sizeof sql - (size_t)n, ", ?");
  snprintf(sql + n, sizeof sql - (size_t)n, ")");
  return sqlite3_prepare_v2(d->db, sql, -1, &d->insert[t], NULL) == SQLITE_OK;
}

/* Its journal is of no use: the file has another name until it is whole. */
static bool begin(struct run_database *d) {
  bool made = run_sql(d, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
#define X(name, columns, n) made = made && make_table(d, TABLE_##name, #name, columns, n);
  TABLES(X)
#undef X
  return made;
}

int run_database_create(const struct session *n, struct run_database **database, struct err *e) {
  *database = NULL;
  if (!(n->events & EVENTS_SQLITE) || !*n->out_dir) return 0;
  struct run_database *d = calloc(1, sizeof *d);
  if (!d) return err_set(e, ERR_LIMIT, "out of memory for the database of events");
  *database = d;
  snprintf(d->path, sizeof d->path, "%s/events.db", n->out_dir);
  snprintf(d->part, sizeof d->part, "%s.%d.part", d->path, (int)getpid());
  unlink(d->part);
  d->core_khz = (uint64_t)n->config.core_khz;
  d->noc_khz = (uint64_t)n->config.noc_khz;
  d->l2_khz = (uint64_t)n->config.l2_khz;
  d->recorder = (struct mem_recorder){.context = d,
                                      .l1 = on_l1,
                                      .l2 = on_l2,
                                      .fill = on_fill,
                                      .request_grant = on_request_grant,
                                      .reply_grant = on_reply_grant};
  d->waits = (struct wait_recorder){d, on_wait};
  return sqlite3_open(d->part, &d->db) == SQLITE_OK && begin(d) ? 0 : failed(d, e);
}

const struct mem_recorder *run_database_recorder(const struct run_database *d) { return d ? &d->recorder : NULL; }
const struct wait_recorder *run_database_waits(const struct run_database *d) { return d ? &d->waits : NULL; }

static void put_setting(struct run_database *d, const char *key, const char *text, uint64_t number) {
  struct row r = row_of(d, TABLE_run);
  put_name(&r, key);
  if (text) put_text(&r, text);
  else put(&r, number);
  end_row(&r);
}

static void put_launch(struct run_database *d, const struct launch_record *l, uint32_t number) {
  struct row r = row_of(d, TABLE_launches);
  char shape[64];
  put(&r, number);
  put_text(&r, l->kernel);
  snprintf(shape, sizeof shape, "%u,%u,%u", l->grid[0], l->grid[1], l->grid[2]);
  put_text(&r, shape);
  snprintf(shape, sizeof shape, "%u,%u,%u", l->block[0], l->block[1], l->block[2]);
  put_text(&r, shape);
  put(&r, l->begin);
  put(&r, l->core_cycles);
  end_row(&r);
}

static void put_event(struct run_database *d, uint32_t sm, const struct event_row *v) {
  struct row r = row_of(d, TABLE_cta_events);
  put(&r, v->launch);
  put(&r, sm);
  put(&r, v->cta);
  put(&r, v->slot);
  put_name(&r, event_names[v->kind]);
  put(&r, v->tile);
  put(&r, v->begin);
  if (v->kind == EVENT_COPY) put(&r, v->agen_end);
  else put_null(&r);
  put(&r, v->end);
  end_row(&r);
}

static void put_settings(struct run_database *d, const struct session *s) {
  put_setting(d, "workload", s->workload, 0);
  put_setting(d, "configuration", s->config_name, 0);
  put_setting(d, "core_khz", NULL, d->core_khz);
  put_setting(d, "noc_khz", NULL, d->noc_khz);
  put_setting(d, "l2_khz", NULL, d->l2_khz);
}

static void put_events(struct run_database *d, const struct gpu *g) {
  for (uint32_t i = 0; i < gpu_sm_count(g); i++) {
    uint32_t n;
    uint64_t lost; /* run_events_write tells */
    const struct event_row *v = gpu_events(g, i, &n, &lost);
    for (uint32_t k = 0; k < n; k++) put_event(d, i, &v[k]);
  }
}

static void close_database(struct run_database *d) {
  for (unsigned t = 0; t < TABLE_COUNT; t++) sqlite3_finalize(d->insert[t]);
  sqlite3_close(d->db);
}

int run_database_commit(struct run_database *d, const struct session *s, const struct gpu *g,
                        const struct launch_record *launches, uint32_t n_launches, struct err *e) {
  if (!d) return 0;
  put_settings(d, s);
  for (uint32_t i = 0; i < n_launches; i++) put_launch(d, &launches[i], i);
  put_events(d, g);
  int status = *d->why || !run_sql(d, "COMMIT") ? failed(d, e) : 0;
  close_database(d);
  if (!status && rename(d->part, d->path))
    status = err_set(e, ERR_FILE, "cannot write %s: %s", d->path, strerror(errno));
  if (status) unlink(d->part);
  free(d);
  return status;
}

void run_database_abandon(struct run_database *d) {
  if (!d) return;
  close_database(d);
  unlink(d->part);
  free(d);
}
