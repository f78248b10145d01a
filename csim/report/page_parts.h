/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of a report (report/page.h). Each writes nothing if the run left nothing for it. */
#ifndef TANDEM_REPORT_PAGE_PARTS_H
#define TANDEM_REPORT_PAGE_PARTS_H

#include "base/csv.h"
#include "report/lines.h"
#include "report/run_file.h"
#include "report/stalls.h"

enum { PAGE_WIDTH = 1000 }; /* of plots, pixels */

struct page {
  FILE *f;
  const char *dir;
  json_t *run;
  struct stalls stalls;
  struct csv samples, sms, histograms; /* without columns: the run has none */
  struct lines lines;                  /* without rows: none */
};

void page_figures(const struct page *);  /* the figures that one asks for first */
void page_stalls(const struct page *);   /* where cycles went, by kernel and by SM */
void page_launches(const struct page *); /* and blocks with their engines */
void page_time(const struct page *);     /* counters over time */
void page_latencies(const struct page *);
void page_lines(const struct page *);   /* where cycles went, by line of PTX */
void page_details(const struct page *); /* configuration, all counters */

#endif
