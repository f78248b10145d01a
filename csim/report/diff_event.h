/* SPDX-License-Identifier: Apache-2.0 */
/* The first event in which two runs differ. */
#ifndef TANDEM_REPORT_DIFF_EVENT_H
#define TANDEM_REPORT_DIFF_EVENT_H

#include "report/run_file.h"

struct err;

/* The first difference of behaviour: in `cycle` one run did something that the other did not. */
struct diff_event {
  bool compared; /* both runs have events.csv */
  bool differs;
  uint64_t cycle;            /* core cycle */
  bool has[2];               /* this run has the event */
  struct event_line line[2]; /* the same event, as each run has it */
};

/* `compared` stays false unless both folders have events.csv. ERR_SYNTAX: a line is no event. */
int diff_event_find(const char *const dir[2], struct diff_event *, struct err *);

#endif
