/* SPDX-License-Identifier: Apache-2.0 */
/* Lines and toggles of the RTL that a total holds: as text, as lcov, as annotated source. */
#ifndef TANDEM_BLOCKTEST_RTL_REPORT_H
#define TANDEM_BLOCKTEST_RTL_REPORT_H

#include "base/err.h"
#include "blocktest/rtl_reasons.h"

#include <jansson.h>
#include <stdio.h>

/* Of one file. A branch is explained if rtl/F/unreached.yaml says why no run takes it; so is a bit that never changes. */
struct rtl_summary {
  unsigned branches, branches_hit, branches_explained;
  unsigned bits, bits_hit, bits_explained;
  unsigned false_reasons; /* of branches and bits that were reached all the same */
};

/* A table by file; below it, what was not reached and is not explained: each branch, each signal with its bits. */
void rtl_report_print(const json_t *total, const struct rtl_reasons *, FILE *);
/* Adds up all files. */
struct rtl_summary rtl_report_summary(const json_t *total, const struct rtl_reasons *);
/* Writes an lcov tracefile: lines and branches. */
int rtl_report_lcov(const json_t *total, const char *path, struct err *);
/* Writes each file to `dir`, each line with its hits, and below it what was not reached. */
int rtl_report_annotate(const json_t *total, const struct rtl_reasons *, const char *dir, struct err *);

#endif
