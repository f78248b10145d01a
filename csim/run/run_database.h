/* SPDX-License-Identifier: Apache-2.0 */
/* events.db: what happened in a run and when, as an SQLite database (docs/events.md lists its tables). Rows are in the order in which
 * things happened in their table; the same run has the same rows. It takes its final name at the end of a run without a fault. */
#ifndef TANDEM_RUN_RUN_DATABASE_H
#define TANDEM_RUN_RUN_DATABASE_H

#include "run/session.h"

struct err;
struct gpu;
struct launch_record;
struct mem_recorder;
struct run_database;
struct wait_recorder;

/* *database is NULL if the session wants none. */
int run_database_create(const struct session *, struct run_database **database, struct err *);
const struct mem_recorder *run_database_recorder(const struct run_database *); /* NULL of NULL, like the next */
const struct wait_recorder *run_database_waits(const struct run_database *);
/* Adds the launches and the events of CTAs (core/events.h) and gives the file its final name; frees the database. */
int run_database_commit(struct run_database *, const struct session *, const struct gpu *, const struct launch_record *,
                        uint32_t n_launches, struct err *);
/* Removes the file and frees the database. */
void run_database_abandon(struct run_database *);

#endif
