/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what a finished run left in its folder: run.json and events.csv. */
#ifndef TANDEM_REPORT_RUN_FILE_H
#define TANDEM_REPORT_RUN_FILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct err;

enum { RUN_PATH_BYTES = 1100 };

/* DIR/run.json, or NULL. ERR_FILE: there is none; ERR_SYNTAX: no JSON, with its line. The caller releases the object. */
json_t *run_file_load(const char *dir, struct err *);

/* The whole of an unsigned counter: 0 if the key is missing. */
uint64_t run_file_number(const json_t *object, const char *key);

/* "WORKLOAD, system S" or "program", for headings. */
void run_file_title(const json_t *run, char *out, size_t size);

enum event_what { EVENT_IS_CTA, EVENT_IS_COPY, EVENT_IS_COMPUTE, EVENT_IS_BARRIER, EVENT_WHATS };

/* A line of events.csv; cycles are core cycles from the start of the run, the last one included. */
struct event_line {
  uint64_t launch, sm, cta, slot, tile; /* tile: of a copy; number of a barrier */
  uint64_t begin, agen_end, end;        /* agen_end: `begin` of what is no copy */
  uint32_t line;                        /* in the file, from 1 */
  uint8_t what;                         /* enum event_what */
};
extern const char *const event_what_names[EVENT_WHATS];

struct event_file {
  FILE *f;
  char path[RUN_PATH_BYTES];
  uint32_t line;
};
/* ERR_FILE: the run was without --events. */
int event_file_open(struct event_file *, const char *dir, struct err *);
/* The next event; *more is false after the last one. ERR_SYNTAX names file and line. */
int event_file_next(struct event_file *, struct event_line *, bool *more, struct err *);
void event_file_close(struct event_file *);

#endif
