/* SPDX-License-Identifier: Apache-2.0 */
/* A run as one HTML page that needs nothing else: no network, no script, no second file. Readable in light and in dark. */
#ifndef TANDEM_REPORT_PAGE_H
#define TANDEM_REPORT_PAGE_H

struct err;

/* Reads what the run left in `dir` and writes `path`. Errors: as of stalls_load and csv_load; ERR_FILE if it cannot be written. */
int page_write(const char *dir, const char *path, struct err *);

#endif
